//! Constructors of arithmetic. Rewrites that hold for integers only are applied to integers only.

use crate::kinds::Kinds;
use crate::table::Formulas;
use crate::terms::{Arithmetic, Numeric, Operator, TermId, Test};
use num_bigint::BigInt;
use term::Term;

/// The largest number of bits with which every integer can be converted to a float.
const MOST_BITS_OF_FLOAT: u64 = 1023;

impl Formulas {
    pub fn arithmetic(&mut self, operation: Arithmetic, a: TermId, b: TermId) -> TermId {
        if self.as_constant(a).is_some() && self.as_constant(b).is_some() {
            return self.folded(Operator::Arithmetic(operation, a, b));
        }
        if let Some(looked_up) = self.looked_up(&Operator::Arithmetic(operation, a, b)) {
            return looked_up;
        }
        match operation {
            Arithmetic::Add => self.sum(a, b),
            Arithmetic::Subtract => self.difference(a, b),
            Arithmetic::Multiply => self.product(a, b),
            Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor => self.bitwise(operation, a, b),
            Arithmetic::ShiftLeft => match self.as_index(b) {
                Some(0) if self.kinds(a).within(Kinds::INTEGER) => a,
                // x bsl n = x * 2^n
                Some(count @ ..=1024) if self.kinds(a).within(Kinds::INTEGER) => {
                    let factor = self.integer(BigInt::from(1) << count);
                    self.product(a, factor)
                }
                _ => self.intern(Operator::Arithmetic(operation, a, b)),
            },
            Arithmetic::ShiftRight if self.as_index(b) == Some(0) && self.kinds(a).within(Kinds::INTEGER) => a,
            // x div 1 = x
            Arithmetic::Quotient if self.is_small(b, 1) && self.kinds(a).within(Kinds::INTEGER) => a,
            // x rem 1 = 0
            Arithmetic::Remainder if self.is_small(b, 1) && self.kinds(a).within(Kinds::INTEGER) => self.small(0),
            Arithmetic::Remainder => match self.as_index(b).and_then(|by| self.declared_remainder(a, by)) {
                Some(left) => self.integer(left),
                None => self.intern(Operator::Arithmetic(operation, a, b)),
            },
            Arithmetic::Divide
            | Arithmetic::Quotient
            | Arithmetic::ShiftRight
            | Arithmetic::Power
            | Arithmetic::Atan2
            | Arithmetic::FloatRemainder => self.intern(Operator::Arithmetic(operation, a, b)),
        }
    }

    pub(super) fn are_integers(&self, a: TermId, b: TermId) -> bool {
        self.kinds(a).within(Kinds::INTEGER) && self.kinds(b).within(Kinds::INTEGER)
    }

    fn is_small(&self, id: TermId, value: i64) -> bool {
        matches!(self.as_constant(id), Some(Term::Int(other)) if *other == value)
    }

    /// Splits an integer that is the sum of another integer and a constant into these two.
    pub(super) fn sum_with_constant(&self, id: TermId) -> Option<(TermId, TermId)> {
        match *self.operator(id) {
            Operator::Arithmetic(Arithmetic::Add, x, c) if self.as_constant(c).is_some() && self.are_integers(x, c) => {
                Some((x, c))
            }
            _ => None,
        }
    }

    fn sum(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.are_integers(a, b) {
            let (a, b) = self.constant_behind(a, b);
            return self.intern(Operator::Arithmetic(Arithmetic::Add, a, b));
        }
        // (x + c) + (y + d) = (x + y) + (c + d)
        let (x, c) = self.split(a);
        let (y, d) = self.split(b);
        let (x, y) = match (x, y) {
            (None, _) => (y, None),
            _ => (x, y),
        };
        let symbolic = match (x, y) {
            (Some(x), Some(y)) => Some(self.symbolic_sum(x, y)),
            _ => x,
        };
        self.with_constant(symbolic, Arithmetic::Add, c, d)
    }

    fn difference(&mut self, a: TermId, b: TermId) -> TermId {
        // x - 0 = x, for floats too
        if self.is_small(b, 0) && self.kinds(a).within(Kinds::NUMBER) {
            return a;
        }
        if !self.are_integers(a, b) {
            return self.intern(Operator::Arithmetic(Arithmetic::Subtract, a, b));
        }
        // (x + c) - (y + d) = (x - y) + (c - d)
        let (x, c) = self.split(a);
        let (y, d) = self.split(b);
        let symbolic = match (x, y) {
            (x, None) => x,
            (Some(x), Some(y)) => self.symbolic_difference(x, y),
            // A constant minus a symbolic term stays as it is.
            (None, Some(y)) => {
                let c = self.arithmetic(Arithmetic::Subtract, c, d);
                return match *self.operator(y) {
                    // c - (d - x) = x + (c - d)
                    Operator::Arithmetic(Arithmetic::Subtract, d, x) if self.as_constant(d).is_some() => {
                        let c = self.arithmetic(Arithmetic::Subtract, c, d);
                        self.sum(x, c)
                    }
                    _ => self.intern(Operator::Arithmetic(Arithmetic::Subtract, c, y)),
                };
            }
        };
        self.with_constant(symbolic, Arithmetic::Subtract, c, d)
    }

    /// Splits an integer into its symbolic part, if any, and its constant.
    fn split(&mut self, id: TermId) -> (Option<TermId>, TermId) {
        if self.as_constant(id).is_some() {
            return (None, id);
        }
        match self.sum_with_constant(id) {
            Some((x, c)) => (Some(x), c),
            None => (Some(id), self.small(0)),
        }
    }

    fn with_constant(&mut self, symbolic: Option<TermId>, operation: Arithmetic, c: TermId, d: TermId) -> TermId {
        let constant = self.folded(Operator::Arithmetic(operation, c, d));
        match symbolic {
            None => constant,
            Some(symbolic) if self.is_small(constant, 0) => symbolic,
            Some(symbolic) => match *self.operator(symbolic) {
                // (c - x) + d = (c + d) - x
                Operator::Arithmetic(Arithmetic::Subtract, c, x) if self.as_constant(c).is_some() => {
                    let constant = self.folded(Operator::Arithmetic(Arithmetic::Add, c, constant));
                    self.intern(Operator::Arithmetic(Arithmetic::Subtract, constant, x))
                }
                // The sum of the symbolic parts carries a constant already, which comes from a difference.
                _ if self.sum_with_constant(symbolic).is_some() => self.sum(symbolic, constant),
                _ => self.intern(Operator::Arithmetic(Arithmetic::Add, symbolic, constant)),
            },
        }
    }

    fn symbolic_sum(&mut self, x: TermId, y: TermId) -> TermId {
        match (self.operator(x), self.operator(y)) {
            // (p - y) + y = p
            (&Operator::Arithmetic(Arithmetic::Subtract, p, q), _) if q == y => p,
            (_, &Operator::Arithmetic(Arithmetic::Subtract, p, q)) if q == x => p,
            _ => self.intern(Operator::Arithmetic(Arithmetic::Add, x.min(y), x.max(y))),
        }
    }

    /// Returns the difference of two symbolic terms, or `None` if it is zero.
    fn symbolic_difference(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        if x == y {
            return None;
        }
        Some(match (self.operator(x), self.operator(y)) {
            // (y + q) - y = q
            (&Operator::Arithmetic(Arithmetic::Add, p, q), _) if p == y => q,
            (&Operator::Arithmetic(Arithmetic::Add, p, q), _) if q == y => p,
            // x - (x - q) = q
            (_, &Operator::Arithmetic(Arithmetic::Subtract, p, q)) if p == x => q,
            _ => self.intern(Operator::Arithmetic(Arithmetic::Subtract, x, y)),
        })
    }

    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_behind(a, b);
        if !self.kinds(a).within(Kinds::NUMBER) {
            return self.intern(Operator::Arithmetic(Arithmetic::Multiply, a, b));
        }
        // x * 1 = x, for floats too
        if self.is_small(b, 1) {
            return a;
        }
        if self.are_integers(a, b) {
            if self.is_small(b, 0) {
                return b;
            }
            // (x * c) * d = x * (c * d)
            if let Operator::Arithmetic(Arithmetic::Multiply, x, c) = *self.operator(a)
                && self.as_constant(b).is_some()
                && self.as_constant(c).is_some()
                && self.are_integers(x, c)
            {
                let factor = self.folded(Operator::Arithmetic(Arithmetic::Multiply, c, b));
                return self.intern(Operator::Arithmetic(Arithmetic::Multiply, x, factor));
            }
        }
        self.intern(Operator::Arithmetic(Arithmetic::Multiply, a, b))
    }

    fn bitwise(&mut self, operation: Arithmetic, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_behind(a, b);
        if self.are_integers(a, b) {
            match operation {
                Arithmetic::BitAnd if self.is_small(b, 0) => return b,
                Arithmetic::BitAnd if self.is_small(b, -1) || a == b => return a,
                Arithmetic::BitOr if self.is_small(b, 0) || a == b => return a,
                Arithmetic::BitOr if self.is_small(b, -1) => return b,
                Arithmetic::BitXor if self.is_small(b, 0) => return a,
                Arithmetic::BitXor if a == b => return self.small(0),
                _ => {}
            }
            const DEPTH: u32 = 16;
            if let (Some(x), Some(y)) = (self.possible_bits(a, DEPTH), self.possible_bits(b, DEPTH)) {
                let masks_all = self.as_constant(b).is_some() && x & !y == 0;
                match operation {
                    // If no bit can be one in both operands, the addition of them has no carries.
                    Arithmetic::BitAnd if x & y == 0 => return self.small(0),
                    Arithmetic::BitOr | Arithmetic::BitXor if x & y == 0 => return self.sum(a, b),
                    Arithmetic::BitAnd if masks_all => return a,
                    _ => {}
                }
            }
        }
        self.intern(Operator::Arithmetic(operation, a, b))
    }

    pub fn numeric(&mut self, operation: Numeric, a: TermId) -> TermId {
        if let Some(looked_up) = self.looked_up(&Operator::Numeric(operation, a)) {
            return looked_up;
        }
        let integer = self.kinds(a).within(Kinds::INTEGER);
        match operation {
            _ if self.as_constant(a).is_some() => self.folded(Operator::Numeric(operation, a)),
            Numeric::Truncate | Numeric::Round | Numeric::Floor | Numeric::Ceiling if integer => a,
            Numeric::ToFloat if self.kinds(a).within(Kinds::FLOAT) => a,
            // -x = 0 - x; bnot x = -1 - x
            Numeric::Negate | Numeric::BitNot if integer => {
                let from = self.small(if operation == Numeric::Negate { 0 } else { -1 });
                self.difference(from, a)
            }
            Numeric::Negate => match *self.operator(a) {
                Operator::Numeric(Numeric::Negate, inner) if self.kinds(inner).within(Kinds::NUMBER) => inner,
                _ => self.intern(Operator::Numeric(operation, a)),
            },
            Numeric::Absolute if integer && self.bounds(a).low.is_some_and(|low| low >= 0) => a,
            Numeric::Absolute
            | Numeric::BitNot
            | Numeric::ToFloat
            | Numeric::Truncate
            | Numeric::Round
            | Numeric::Floor
            | Numeric::Ceiling
            | Numeric::Math(_) => self.intern(Operator::Numeric(operation, a)),
        }
    }

    pub fn defined(&mut self, arithmetic: TermId) -> TermId {
        match *self.operator(arithmetic) {
            Operator::Arithmetic(operation, a, b) => self.operation_defined(arithmetic, operation, a, b),
            Operator::Numeric(operation, a) => {
                let kinds = self.kinds(a);
                match operation {
                    Numeric::Negate
                    | Numeric::Absolute
                    | Numeric::Truncate
                    | Numeric::Round
                    | Numeric::Floor
                    | Numeric::Ceiling
                        if kinds.within(Kinds::NUMBER) =>
                    {
                        self.boolean(true)
                    }
                    Numeric::BitNot if kinds.within(Kinds::INTEGER) => self.boolean(true),
                    Numeric::ToFloat if kinds.within(Kinds::FLOAT) || self.fits_float(a) => self.boolean(true),
                    _ if self.as_constant(a).is_some() => self.boolean(false),
                    _ => self.intern(Operator::Test(Test::Defined(arithmetic))),
                }
            }
            Operator::Apply { .. } => self.intern(Operator::Test(Test::Defined(arithmetic))),
            // The operation was rewritten to another term, which happens only if it has a value.
            _ => self.boolean(true),
        }
    }

    fn operation_defined(&mut self, whole: TermId, operation: Arithmetic, a: TermId, b: TermId) -> TermId {
        // An operation on constants would have been folded if it had a value.
        if self.as_constant(a).is_some() && self.as_constant(b).is_some() {
            return self.boolean(false);
        }
        let integers = self.are_integers(a, b);
        match operation {
            Arithmetic::Add
            | Arithmetic::Subtract
            | Arithmetic::Multiply
            | Arithmetic::BitAnd
            | Arithmetic::BitOr
            | Arithmetic::BitXor
                if integers =>
            {
                self.boolean(true)
            }
            // The sum of the largest float and a small integer is the largest float again.
            Arithmetic::Add | Arithmetic::Subtract if self.is_number_and_small(a, b, 1 << 53) => self.boolean(true),
            Arithmetic::Multiply if self.is_number_and_small(a, b, 1) => self.boolean(true),
            Arithmetic::Quotient | Arithmetic::Remainder if integers => {
                let zero = self.small(0);
                let by_zero = self.identical(b, zero);
                self.not(by_zero)
            }
            // A quotient of integers is no larger than the dividend.
            Arithmetic::Divide if self.fits_float(a) && self.fits_float(b) => {
                let zero = self.small(0);
                let by_zero = self.identical(b, zero);
                self.not(by_zero)
            }
            Arithmetic::ShiftRight if integers && self.bounds(b).low.is_some_and(|low| low >= 0) => self.boolean(true),
            _ => self.intern(Operator::Test(Test::Defined(whole))),
        }
    }

    /// Returns whether a term is an integer that can be converted to a float, by its declared bounds or because it is
    /// the size of data.
    fn fits_float(&self, id: TermId) -> bool {
        match self.operator(id) {
            Operator::Constant(constant) => {
                crate::number::integer(&constant.0).is_some_and(|value| value.bits() <= MOST_BITS_OF_FLOAT)
            }
            Operator::Length(_) | Operator::TupleSize(_) | Operator::MapSize(_) | Operator::BitSize(_) => true,
            _ => self.bounds(id).low.is_some() && self.bounds(id).high.is_some(),
        }
    }

    /// Returns whether one term is a number and the other a constant integer of at most this size.
    fn is_number_and_small(&self, a: TermId, b: TermId, most: u64) -> bool {
        let is_small =
            |id: TermId| matches!(self.as_constant(id), Some(Term::Int(value)) if value.unsigned_abs() <= most);
        let is_number = |id: TermId| self.kinds(id).within(Kinds::NUMBER);
        is_number(a) && is_small(b) || is_small(a) && is_number(b)
    }
}
