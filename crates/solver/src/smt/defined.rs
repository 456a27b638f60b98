//! The conditions under which arithmetic has a value. The operands of an operation on floats are converted to floats,
//! which fails for integers that are too large, and the result must be finite.
//!
//! For integers the conditions are exact. For floats there are ranges in which the result is certainly finite, or
//! certainly not. Between these the condition is a free variable, and a wish keeps models away from it.

use super::encode::{Encoder, Facet, all_of, any_of, literal};
use crate::native::sets::integer;
use formula::{Arithmetic, Kinds, Numeric, Operator, TermId};
use num_bigint::BigInt;
use term::floats;

/// Sizes of data have fewer bits than this, because memory is limited.
const MOST_BITS_OF_SIZE: u32 = 60;

impl Encoder<'_> {
    /// Returns the condition under which an operation has a value, if its operands have one.
    pub(super) fn has_value(&mut self, operation: TermId) -> String {
        match *self.formulas.operator(operation) {
            Operator::Arithmetic(arithmetic, a, b) => self.arithmetic_has_value(arithmetic, a, b),
            Operator::Numeric(Numeric::ToFloat, a) => self.fits_float(a),
            Operator::Numeric(Numeric::Math(name), a) => self.math_has_value(name, a),
            _ => self.free_condition(),
        }
    }

    fn arithmetic_has_value(&mut self, operation: Arithmetic, a: TermId, b: TermId) -> String {
        let kinds = self.kinds(a).or(self.kinds(b));
        match operation {
            Arithmetic::Quotient | Arithmetic::Remainder => {
                format!("(not (= {} 0))", self.facet(b, Facet::Integer))
            }
            Arithmetic::Divide => {
                let not_zero = format!("(not (= {} 0.0))", self.real(b));
                let finite = match kinds.within(Kinds::INTEGER) {
                    // The quotient of two integers is no larger than the dividend.
                    true => "true".to_string(),
                    false => {
                        let (large, modest) =
                            (self.is_at_least(b, "1.0"), self.is_at_least(b, &format!("(/ 1.0 {}.0)", power(500))));
                        let divided = self.is_at_most(a, &format!("{}.0", power(500)));
                        self.surely(&any_of(&[large, all_of(&[divided, modest])]))
                    }
                };
                all_of(&[not_zero, self.fits_float(a), self.fits_float(b), finite])
            }
            Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply => {
                let whole = all_of(&[self.is_kind(a, Kinds::INTEGER), self.is_kind(b, Kinds::INTEGER)]);
                if whole == "true" {
                    return whole;
                }
                let numbers = [self.is_kind(a, Kinds::NUMBER), self.is_kind(b, Kinds::NUMBER)];
                let fit = [self.fits_float(a), self.fits_float(b)];
                let finite = match operation {
                    Arithmetic::Multiply => self.product_is_finite(a, b),
                    _ if self.is_slight(a) || self.is_slight(b) => "true".to_string(),
                    _ => {
                        let most = format!("{}.0", power(1022));
                        let small = all_of(&[self.is_at_most(a, &most), self.is_at_most(b, &most)]);
                        self.surely(&small)
                    }
                };
                any_of(&[whole, all_of(&[&numbers[..], &fit[..], &[finite]].concat())])
            }
            Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor => {
                let whole = all_of(&[self.is_kind(a, Kinds::INTEGER), self.is_kind(b, Kinds::INTEGER)]);
                if whole == "true" { whole } else { format!("(or {whole} {})", self.free_condition()) }
            }
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
                self.shift_defined(operation == Arithmetic::ShiftLeft, a, b)
            }
            Arithmetic::Atan2 => all_of(&[self.fits_float(a), self.fits_float(b)]),
            Arithmetic::FloatRemainder => {
                let not_zero = format!("(not (= {} 0.0))", self.real(b));
                all_of(&[not_zero, self.fits_float(a), self.fits_float(b)])
            }
            Arithmetic::Power => {
                let finite = self.surely("false");
                all_of(&[self.fits_float(a), self.fits_float(b), finite])
            }
        }
    }

    fn product_is_finite(&mut self, a: TermId, b: TermId) -> String {
        let most = format!("{}.0", power(511));
        let (first, second) = (self.is_at_most(a, "1.0"), self.is_at_most(b, "1.0"));
        let both = all_of(&[self.is_at_most(a, &most), self.is_at_most(b, &most)]);
        self.surely(&any_of(&[first, second, both]))
    }

    fn math_has_value(&mut self, name: &str, a: TermId) -> String {
        let (fits, real) = (self.fits_float(a), self.real(a));
        let finite = match name {
            "sin" | "cos" | "tan" | "atan" | "asinh" | "tanh" | "erf" | "erfc" | "floor" | "ceil" => "true".to_string(),
            "sqrt" => format!("(>= {real} 0.0)"),
            "log" | "log2" | "log10" => format!("(> {real} 0.0)"),
            "acosh" => format!("(>= {real} 1.0)"),
            "acos" | "asin" => self.is_at_most(a, "1.0"),
            "atanh" => format!("(and (< (- 1.0) {real}) (< {real} 1.0))"),
            "exp" => {
                let surely = self.surely(&format!("(<= {real} 709.0)"));
                format!("(and (< {real} 710.0) {surely})")
            }
            "cosh" | "sinh" => {
                let surely = self.is_at_most(a, "710.0");
                let surely = self.surely(&surely);
                all_of(&[self.is_at_most(a, "711.0"), surely])
            }
            _ => self.surely("false"),
        };
        all_of(&[fits, finite])
    }

    /// Returns the condition that a number is a float, or an integer that can be converted to one.
    fn fits_float(&mut self, id: TermId) -> String {
        let beyond = floats::least_beyond();
        if let Some(value) = self.formulas.as_constant(id).and_then(integer) {
            return (*value.magnitude() < *beyond.magnitude()).to_string();
        }
        let kinds = self.kinds(id);
        if !kinds.meets(Kinds::INTEGER) {
            return "true".to_string();
        }
        self.bound_sizes(id);
        let value = self.facet(id, Facet::Integer);
        let fits = format!("(< {} {value} {})", literal(&-&beyond), literal(&beyond));
        if kinds.and(Kinds::NUMBER).within(Kinds::INTEGER) {
            return fits;
        }
        let is_integer = self.is_kind(id, Kinds::INTEGER);
        format!("(or (not {is_integer}) {fits})")
    }

    /// Asserts that the sizes in a term are sizes of data that fits into memory.
    fn bound_sizes(&mut self, id: TermId) {
        let (mut open, mut seen) = (vec![id], rustc_hash::FxHashSet::default());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let operator = self.formulas.operator(id).clone();
            match operator {
                Operator::Length(_) | Operator::TupleSize(_) | Operator::MapSize(_) | Operator::BitSize(_) => {
                    let size = self.facet(id, Facet::Integer);
                    self.line(format_args!("(assert (< {size} {}))", power(MOST_BITS_OF_SIZE)));
                }
                Operator::Arithmetic(..) | Operator::Numeric(..) => operator.each_child(|child| open.push(child)),
                _ => {}
            }
        }
    }

    /// Returns a condition that holds if `condition` does, and is left free otherwise.
    fn surely(&mut self, condition: &str) -> String {
        if condition == "true" {
            return condition.to_string();
        }
        let free = self.free_condition();
        self.wish(free.clone());
        any_of(&[condition.to_string(), free])
    }

    fn is_at_most(&mut self, id: TermId, most: &str) -> String {
        let real = self.real(id);
        format!("(and (<= (- {most}) {real}) (<= {real} {most}))")
    }

    fn is_at_least(&mut self, id: TermId, least: &str) -> String {
        let real = self.real(id);
        format!("(or (<= {real} (- {least})) (<= {least} {real}))")
    }

    /// Returns whether a term is a constant integer that overflows no float it is added to.
    fn is_slight(&self, id: TermId) -> bool {
        const MOST_BITS: u64 = 900;
        self.formulas.as_constant(id).and_then(integer).is_some_and(|value| value.bits() <= MOST_BITS)
    }
}

fn power(exponent: u32) -> BigInt {
    BigInt::from(1) << exponent
}
