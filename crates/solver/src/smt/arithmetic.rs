//! Numbers: integers as they are, floats as reals.

use super::encode::{Encoder, Facet, Floats, literal};
use crate::native::sets::integer;
use formula::{Arithmetic, Kinds, Numeric, Operator, TermId};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use std::sync::Arc;
use term::Term;

impl Encoder<'_> {
    pub(super) fn integer(&mut self, id: TermId) -> Option<String> {
        match *self.formulas.operator(id) {
            Operator::Constant(ref constant) => {
                Some(integer(&constant.0).map_or("0".to_string(), |value| literal(&value)))
            }
            Operator::Length(list) => Some(self.facet(list, Facet::Cells)),
            Operator::MapSize(map) => self.count_of(map),
            Operator::Item(..) | Operator::BitsNumber { .. } => self.text_character(id),
            Operator::Convert(conversion, text) => self.read_integer(conversion, text),
            Operator::TupleSize(tuple) => Some(self.facet(tuple, Facet::TupleSize)),
            Operator::BitSize(bits) => Some(self.facet(bits, Facet::BitSize)),
            Operator::Arithmetic(operation, a, b) => self.integer_arithmetic(id, operation, a, b),
            Operator::Lookup(key, ref mapping) => {
                let mapping = Arc::clone(mapping);
                self.looked_up(key, &mapping, |_, value| Some(literal(&integer(value)?)))
            }
            Operator::Numeric(operation, a) => match operation {
                Numeric::Negate => Some(format!("(- {})", self.facet(a, Facet::Integer))),
                Numeric::Absolute => {
                    let a = self.facet(a, Facet::Integer);
                    Some(format!("(ite (>= {a} 0) {a} (- {a}))"))
                }
                Numeric::BitNot => Some(format!("(- (- {}) 1)", self.facet(a, Facet::Integer))),
                Numeric::Truncate | Numeric::Round | Numeric::Floor | Numeric::Ceiling => {
                    let real = self.real(a);
                    Some(match operation {
                        Numeric::Floor => format!("(to_int {real})"),
                        Numeric::Ceiling => format!("(- (to_int (- {real})))"),
                        Numeric::Truncate => format!("(ite (>= {real} 0.0) (to_int {real}) (- (to_int (- {real}))))"),
                        _ => format!("(ite (>= {real} 0.0) (to_int (+ {real} 0.5)) (- (to_int (+ (- {real}) 0.5))))"),
                    })
                }
                Numeric::ToFloat | Numeric::Math(_) => None,
            },
            _ => None,
        }
    }

    fn integer_arithmetic(&mut self, id: TermId, operation: Arithmetic, left: TermId, right: TermId) -> Option<String> {
        let constant = |this: &Self, id: TermId| this.formulas.as_constant(id).and_then(integer);
        let (fixed_left, fixed_right) = (constant(self, left), constant(self, right));
        let a = self.facet(left, Facet::Integer);
        let b = self.facet(right, Facet::Integer);
        Some(match operation {
            Arithmetic::Add => format!("(+ {a} {b})"),
            Arithmetic::Subtract => format!("(- {a} {b})"),
            Arithmetic::Multiply => format!("(* {a} {b})"),
            Arithmetic::Quotient => format!("(ite (>= {a} 0) (div {a} {b}) (- (div (- {a}) {b})))"),
            Arithmetic::Remainder => format!("(ite (>= {a} 0) (mod {a} {b}) (- (mod (- {a}) {b})))"),
            Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor => {
                if let Some(encoded) = self.bits_of_two(id, operation, left, right) {
                    return Some(encoded);
                }
                let (value, mask) = match (fixed_left, fixed_right) {
                    (Some(mask), _) => (b, mask),
                    (_, Some(mask)) => (a, mask),
                    _ => return None,
                };
                let and = masked(&value, &mask);
                let mask = literal(&mask);
                match operation {
                    Arithmetic::BitAnd => and,
                    Arithmetic::BitOr => format!("(- (+ {value} {mask}) {and})"),
                    _ => format!("(- (+ {value} {mask}) (* 2 {and}))"),
                }
            }
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
                let Some(by) = fixed_right else {
                    return Some(self.shifted(id, operation == Arithmetic::ShiftLeft, left, right));
                };
                let by = by.to_i64().filter(|by| by.unsigned_abs() < 4096)?;
                let power = BigInt::from(1) << by.unsigned_abs();
                match (operation == Arithmetic::ShiftLeft) == (by >= 0) {
                    true => format!("(* {a} {power})"),
                    false => format!("(div {a} {power})"),
                }
            }
            Arithmetic::Divide | Arithmetic::Power | Arithmetic::Atan2 | Arithmetic::FloatRemainder => return None,
        })
    }

    pub(super) fn float(&mut self, id: TermId) -> Option<String> {
        match *self.formulas.operator(id) {
            Operator::Constant(ref constant) => match constant.0 {
                Term::Float(value) => Some(real_literal(value)),
                _ => Some("0.0".to_string()),
            },
            _ if self.floats == Floats::Anything => None,
            Operator::Arithmetic(operation, a, b) => {
                let sign = match operation {
                    Arithmetic::Add => "+",
                    Arithmetic::Subtract => "-",
                    Arithmetic::Multiply => "*",
                    Arithmetic::Divide => "/",
                    _ => return None,
                };
                let (a, b) = (self.real(a), self.real(b));
                Some(format!("({sign} {a} {b})"))
            }
            Operator::Numeric(operation, a) => match operation {
                Numeric::Negate => Some(format!("(- {})", self.real(a))),
                Numeric::Absolute => {
                    let a = self.real(a);
                    Some(format!("(ite (>= {a} 0.0) {a} (- {a}))"))
                }
                Numeric::ToFloat => Some(self.real(a)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Encodes the value of a number of either kind as a real.
    pub fn real(&mut self, id: TermId) -> String {
        let kinds = self.kinds(id).and(Kinds::NUMBER);
        if kinds.within(Kinds::INTEGER) {
            return format!("(to_real {})", self.facet(id, Facet::Integer));
        }
        let float = self.facet(id, Facet::Float);
        if kinds.within(Kinds::FLOAT) {
            return float;
        }
        let whole = self.is_kind(id, Kinds::INTEGER);
        let integer = self.facet(id, Facet::Integer);
        format!("(ite {whole} (to_real {integer}) {float})")
    }
}

/// Encodes `value band mask`: each run of ones in the mask cuts a piece out of the value.
pub(super) fn masked(value: &str, mask: &BigInt) -> String {
    if mask.sign() == Sign::Minus {
        let others: BigInt = -mask - 1;
        return format!("(- {value} {})", masked(value, &others));
    }
    let mut pieces = vec!["0".to_string()];
    let mut low = 0;
    while low < mask.bits() {
        if !mask.bit(low) {
            low += 1;
            continue;
        }
        let high = (low..).find(|bit| !mask.bit(*bit)).unwrap_or(mask.bits());
        let (unit, width) = (BigInt::from(1) << low, BigInt::from(1) << (high - low));
        pieces.push(format!("(* {unit} (mod (div {value} {unit}) {width}))"));
        low = high;
    }
    format!("(+ {})", pieces.join(" "))
}

fn real_literal(value: f64) -> String {
    let magnitude = format!("{:?}", value.abs());
    // SMT-LIB has no exponents, so the number is written as an exact fraction.
    let text = if magnitude.contains('e') { fraction(value.abs()) } else { magnitude };
    if value < 0.0 { format!("(- {text})") } else { text }
}

fn fraction(value: f64) -> String {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let mantissa = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
    let power = BigInt::from(1) << exponent.unsigned_abs();
    if exponent < 0 { format!("(/ {mantissa}.0 {power}.0)") } else { format!("{}.0", BigInt::from(mantissa) * power) }
}
