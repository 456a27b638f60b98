//! Guesses backwards through arithmetic and through bitstrings that are built.

use crate::native::guess::{Changes, Guess, product};
use crate::native::sets::integer;
use formula::{Arithmetic, Kinds, Numeric, TermId};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, ToPrimitive};
use term::{Bits, Term, floats};

impl Guess<'_> {
    /// Returns changes with which the result of an operation on floats is too large.
    pub(crate) fn overflow(&mut self, operation: Arithmetic, a: TermId, b: TermId) -> Vec<Changes> {
        let second = match operation {
            Arithmetic::Add | Arithmetic::Multiply => f64::MAX,
            Arithmetic::Subtract => -f64::MAX,
            Arithmetic::Divide => f64::MIN_POSITIVE,
            Arithmetic::Power | Arithmetic::Atan2 | Arithmetic::FloatRemainder => {
                let mut found = self.beyond_floats(a);
                found.extend(self.beyond_floats(b));
                return found;
            }
            Arithmetic::Quotient
            | Arithmetic::Remainder
            | Arithmetic::BitAnd
            | Arithmetic::BitOr
            | Arithmetic::BitXor
            | Arithmetic::ShiftLeft
            | Arithmetic::ShiftRight => return Vec::new(),
        };
        let (first, second) = (self.reach(a, &Term::Float(f64::MAX)), self.reach(b, &Term::Float(second)));
        let mut found = self.beyond_floats(a);
        found.extend(self.beyond_floats(b));
        found.extend(product(&first, &second));
        // One operand may be large enough with the other as it is.
        found.extend(first);
        found.extend(second);
        found
    }

    /// Makes a number an integer that is too large for a float.
    pub(crate) fn beyond_floats(&mut self, id: TermId) -> Vec<Changes> {
        let beyond = floats::least_beyond();
        let negative = Term::integer(-&beyond);
        let mut found = self.reach(id, &Term::integer(beyond));
        found.extend(self.reach(id, &negative));
        found
    }

    pub(crate) fn arithmetic(&mut self, operation: Arithmetic, a: TermId, b: TermId, target: &Term) -> Vec<Changes> {
        let (Some(x), Some(y)) = (self.value(a), self.value(b)) else { return Vec::new() };
        let mut found = Vec::new();
        if let (Some(x), Some(y), Some(t)) = (integer(&x), integer(&y), integer(target)) {
            let (first, second) = invert_integers(operation, &x, &y, &t);
            for value in first {
                found.extend(self.reach(a, &Term::integer(value)));
            }
            for value in second {
                found.extend(self.reach(b, &Term::integer(value)));
            }
            for (first, second) in together(operation, &t) {
                let first = self.reach(a, &Term::integer(first));
                let second = self.reach(b, &Term::integer(second));
                found.extend(product(&first, &second));
            }
            return found;
        }
        let float = |term: &Term| match term {
            Term::Float(value) => Some(*value),
            _ => integer(term).and_then(|value| value.to_f64()),
        };
        let (Some(fx), Some(fy), Some(t)) = (float(&x), float(&y), float(target)) else { return found };
        let (first, second) = match operation {
            Arithmetic::Add => (t - fy, t - fx),
            Arithmetic::Subtract => (t + fy, fx - t),
            Arithmetic::Multiply => (t / fy, t / fx),
            Arithmetic::Divide => (t * fy, fx / t),
            Arithmetic::Power => (t.powf(1.0 / fy), t.ln() / fx.ln()),
            _ => return found,
        };
        for (side, old, value) in [(a, &x, first), (b, &y, second)] {
            found.extend(self.number(side, old, value));
        }
        found
    }

    /// Makes a term a number: an integer if the old value was one and the new one is whole, else a float.
    fn number(&mut self, id: TermId, old: &Term, value: f64) -> Vec<Changes> {
        if !value.is_finite() {
            return Vec::new();
        }
        match (old, BigInt::from_f64(value)) {
            (Term::Int(_) | Term::Big(_), Some(whole)) if value.fract() == 0.0 => self.reach(id, &Term::integer(whole)),
            _ => self.reach(id, &Term::Float(value)),
        }
    }

    pub(crate) fn numeric(&mut self, operation: Numeric, a: TermId, target: &Term) -> Vec<Changes> {
        let Some(old) = self.value(a) else { return Vec::new() };
        let negated = match target {
            Term::Float(value) => Term::Float(-value),
            _ => match integer(target) {
                Some(value) => Term::integer(-value),
                None => return Vec::new(),
            },
        };
        let wanted = match operation {
            Numeric::Negate => vec![negated],
            Numeric::Absolute => vec![target.clone(), negated],
            Numeric::BitNot => integer(target).map(|value| Term::integer(-value - 1)).into_iter().collect(),
            Numeric::ToFloat => match target {
                Term::Float(value) => return self.number(a, &old, *value),
                _ => Vec::new(),
            },
            Numeric::Truncate | Numeric::Round | Numeric::Floor | Numeric::Ceiling => {
                let float = integer(target).and_then(|value| value.to_f64()).map(Term::Float);
                match Kinds::of(&old) {
                    Kinds::FLOAT => float.into_iter().collect(),
                    _ => vec![target.clone()],
                }
            }
            Numeric::Math(name) => {
                let (Term::Float(t), _) = (target, ()) else { return Vec::new() };
                let inverse = match name {
                    "sqrt" => t * t,
                    "exp" => t.ln(),
                    "log" => t.exp(),
                    "log2" => t.exp2(),
                    "log10" => 10f64.powf(*t),
                    "sin" => t.asin(),
                    "cos" => t.acos(),
                    "tan" => t.atan(),
                    "floor" | "ceil" => *t,
                    _ => return Vec::new(),
                };
                return self.number(a, &old, inverse);
            }
        };
        let mut found = Vec::new();
        for value in wanted {
            found.extend(self.reach(a, &value));
        }
        found
    }

    /// Cuts the wanted bitstring into its parts, with the sizes as they are, or with one of them taking the remaining
    /// bits.
    pub(crate) fn bits(&mut self, parts: &[formula::BitsPart], target: &Term) -> Vec<Changes> {
        let Term::Bits(wanted) = target else { return Vec::new() };
        let mut sizes = Vec::new();
        for part in parts {
            let size = match part.size {
                Some(size) => self.value(size).and_then(|size| size.as_int()),
                None => match &self.value(part.value) {
                    Some(Term::Bits(bits)) => i64::try_from(Bits::bit_length(bits)).ok(),
                    _ => None,
                },
            };
            match size.filter(|size| *size >= 0) {
                Some(size) => sizes.push(size),
                None => return Vec::new(),
            }
        }
        let left = wanted.bit_length() as i64 - sizes.iter().sum::<i64>();
        if left == 0 {
            return self.cut(parts, &sizes, target);
        }
        let is_open = |this: &Self, part: &formula::BitsPart| {
            part.size.is_none_or(|size| this.formulas.as_constant(size).is_none())
        };
        let open: Vec<usize> = (0..parts.len()).rev().filter(|index| is_open(self, &parts[*index])).collect();
        let mut found = Vec::new();
        for index in open.iter().take(4) {
            let mut sizes = sizes.clone();
            if let Some(size) = sizes.get_mut(*index) {
                *size += left;
                if *size >= 0 {
                    found.extend(self.cut(parts, &sizes, target));
                }
            }
        }
        // The parts are too long, so the last ones are shortened.
        let mut excess = -left;
        for index in open {
            if let Some(size) = sizes.get_mut(index) {
                let less = excess.min(*size).max(0);
                *size -= less;
                excess -= less;
            }
        }
        if left < 0 && excess == 0 {
            found.extend(self.cut(parts, &sizes, target));
        }
        found
    }

    fn cut(&mut self, parts: &[formula::BitsPart], sizes: &[i64], target: &Term) -> Vec<Changes> {
        let whole = self.formulas.constant(target.clone());
        let mut found = vec![Vec::new()];
        let mut at = 0;
        for (part, size) in parts.iter().zip(sizes) {
            let (from, long) = (self.formulas.integer(at), self.formulas.integer(*size));
            let piece = match part.kind {
                formula::PartKind::Number(format) => self.formulas.bits_number(whole, from, long, format),
                formula::PartKind::Bits => self.formulas.bits_slice(whole, from, long),
            };
            let Some(piece) = formula::evaluate(self.formulas, piece, self.parent) else { return Vec::new() };
            let mut ways = self.reach(part.value, &piece);
            // The same bits may be those of a negative number.
            if let (formula::PartKind::Number(formula::NumberFormat::Integer { .. }), Some(number)) =
                (part.kind, integer(&piece))
                && (1..=4096).contains(size)
            {
                ways.extend(self.reach(part.value, &Term::integer(number - (BigInt::from(1) << *size))));
            }
            if let Some(size_term) = part.size {
                let sized = self.reach(size_term, &Term::Int(*size));
                ways = product(&ways, &sized);
            }
            found = product(&found, &ways);
            at += size;
        }
        found
    }
}

/// Returns the values of `x`, and those of `y`, with which the result is `t`.
fn invert_integers(operation: Arithmetic, x: &BigInt, y: &BigInt, t: &BigInt) -> (Vec<BigInt>, Vec<BigInt>) {
    let zero = BigInt::ZERO;
    let exactly = |a: &BigInt, b: &BigInt| if *b != zero && a.is_multiple_of(b) { vec![a / b] } else { Vec::new() };
    let shift = |value: &BigInt, by: &BigInt, left: bool| match by.to_i64() {
        Some(by) if by.unsigned_abs() < 4096 => {
            let left = left == (by >= 0);
            vec![if left { value << by.unsigned_abs() } else { value >> by.unsigned_abs() }]
        }
        _ => Vec::new(),
    };
    match operation {
        Arithmetic::Add => (vec![t - y], vec![t - x]),
        Arithmetic::Subtract => (vec![t + y], vec![x - t]),
        Arithmetic::Multiply => (exactly(t, y), exactly(t, x)),
        Arithmetic::Quotient => (vec![t * y], exactly(x, t)),
        Arithmetic::Remainder => {
            let near = if *y == zero { t.clone() } else { x - x % y + t };
            (vec![near, t.clone()], if *t == zero { vec![BigInt::from(1)] } else { vec![x - t] })
        }
        Arithmetic::BitAnd => (vec![(x & !y) | t], vec![(y & !x) | t]),
        Arithmetic::BitOr => (vec![t & !y, t.clone()], vec![t & !x, t.clone()]),
        Arithmetic::BitXor => (vec![t ^ y], vec![t ^ x]),
        Arithmetic::ShiftLeft => (shift(t, y, false), amount(x, t).into_iter().collect()),
        Arithmetic::ShiftRight => (shift(t, y, true), amount(x, t).map(|by| -by).into_iter().collect()),
        Arithmetic::Divide | Arithmetic::Power | Arithmetic::Atan2 | Arithmetic::FloatRemainder => {
            (Vec::new(), Vec::new())
        }
    }
}

/// Returns by how much `x` has to be shifted to the left to become `t`, judging by the highest bits.
fn amount(x: &BigInt, t: &BigInt) -> Option<BigInt> {
    let zero = BigInt::ZERO;
    if *t == zero || *t == BigInt::from(-1) {
        // All bits are shifted out.
        return ((*x < zero) == (*t < zero)).then(|| -BigInt::from(x.bits() + 1));
    }
    (*x != zero && x.sign() == t.sign()).then(|| BigInt::from(t.bits()) - BigInt::from(x.bits()))
}

/// Returns pairs of operands with which the result is `t`, whatever the operands are now.
fn together(operation: Arithmetic, t: &BigInt) -> Vec<(BigInt, BigInt)> {
    let (zero, one) = (BigInt::ZERO, BigInt::from(1));
    match operation {
        Arithmetic::BitAnd => vec![(t.clone(), -one), (t.clone(), t.clone())],
        Arithmetic::BitOr | Arithmetic::BitXor => vec![(t.clone(), zero.clone()), (zero, t.clone())],
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight => vec![(t.clone(), zero)],
        Arithmetic::Multiply | Arithmetic::Quotient => vec![(t.clone(), one)],
        _ => Vec::new(),
    }
}
