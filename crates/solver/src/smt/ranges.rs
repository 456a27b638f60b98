//! Ranges of integer terms, as far as single conditions and types determine them. They are used to choose widths, and
//! nothing is concluded from them.

use super::encode::Encoder;
use crate::layout::positions::is_position;
use crate::native::sets::integer;
use formula::{Arithmetic, Numeric, Operator, TermId};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// A range that includes both ends; `None` means that there is no end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub low: Option<BigInt>,
    pub high: Option<BigInt>,
}

/// The largest shift that is considered for a range.
const FARTHEST: u64 = 4096;

impl Range {
    fn of(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Range {
        Range { low: Some(low.into()), high: Some(high.into()) }
    }

    fn hull(values: &[BigInt]) -> Range {
        Range { low: values.iter().min().cloned(), high: values.iter().max().cloned() }
    }

    fn ends(&self) -> Option<[&BigInt; 2]> {
        Some([self.low.as_ref()?, self.high.as_ref()?])
    }

    pub fn is_natural(&self) -> bool {
        self.low.as_ref().is_some_and(|low| !low.is_negative())
    }

    /// Returns how many bits distinguish the members from each other, apart from the sign.
    pub fn bits(&self) -> Option<u64> {
        let of = |end: &BigInt| if end.is_negative() { (!end).bits() } else { end.bits() };
        self.ends().map(|[low, high]| of(low).max(of(high)))
    }

    fn magnitude(&self) -> Option<BigInt> {
        self.ends().map(|[low, high]| low.abs().max(high.abs()))
    }

    fn combined(&self, other: &Range, with: impl Fn(&BigInt, &BigInt) -> BigInt) -> Range {
        let (Some(first), Some(second)) = (self.ends(), other.ends()) else { return Range::default() };
        let all: Vec<BigInt> = first.iter().flat_map(|a| second.iter().map(|b| with(a, b))).collect();
        Range::hull(&all)
    }
}

impl Encoder<'_> {
    pub(super) fn range(&mut self, id: TermId) -> Range {
        if let Some(range) = self.ranges.get(&id) {
            return range.clone();
        }
        let range = stacker::maybe_grow(256 << 10, 4 << 20, || self.range_here(id));
        self.ranges.insert(id, range.clone());
        range
    }

    fn range_here(&mut self, id: TermId) -> Range {
        if let Some(constant) = self.formulas.as_constant(id) {
            return integer(constant).map_or_else(Range::default, |value| Range::of(value.clone(), value));
        }
        match *self.formulas.operator(id) {
            Operator::Arithmetic(operation, a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                range_of(operation, &a, &b)
            }
            Operator::Numeric(operation, a) => {
                let a = self.range(a);
                match operation {
                    Numeric::Negate => Range { low: a.high.map(|high| -high), high: a.low.map(|low| -low) },
                    Numeric::BitNot => Range { low: a.high.map(|high| !high), high: a.low.map(|low| !low) },
                    Numeric::Absolute => Range { low: Some(BigInt::ZERO), high: a.magnitude() },
                    _ => Range::default(),
                }
            }
            Operator::Length(_) | Operator::TupleSize(_) | Operator::BitSize(_) | Operator::MapSize(_)
                if !is_position(self.formulas, id) =>
            {
                Range { low: Some(BigInt::ZERO), high: None }
            }
            _ if is_position(self.formulas, id) => {
                let integers = self.domain(id).integers;
                Range { low: integers.least().cloned(), high: integers.most().cloned() }
            }
            _ => Range::default(),
        }
    }
}

fn range_of(operation: Arithmetic, a: &Range, b: &Range) -> Range {
    match operation {
        Arithmetic::Add => Range {
            low: a.low.as_ref().zip(b.low.as_ref()).map(|(a, b)| a + b),
            high: a.high.as_ref().zip(b.high.as_ref()).map(|(a, b)| a + b),
        },
        Arithmetic::Subtract => Range {
            low: a.low.as_ref().zip(b.high.as_ref()).map(|(a, b)| a - b),
            high: a.high.as_ref().zip(b.low.as_ref()).map(|(a, b)| a - b),
        },
        Arithmetic::Multiply => a.combined(b, |a, b| a * b),
        Arithmetic::Quotient => match a.magnitude() {
            Some(most) if a.is_natural() && b.is_natural() => Range::of(0, most),
            Some(most) => Range::of(-most.clone(), most),
            None => Range::default(),
        },
        Arithmetic::Remainder => match b.magnitude() {
            Some(most) if a.is_natural() => Range::of(0, most),
            Some(most) => Range::of(-most.clone(), most),
            None => Range::default(),
        },
        Arithmetic::BitAnd => match (a.is_natural(), b.is_natural()) {
            (false, false) => wide(a, b),
            (true, true) => {
                let high = a.high.iter().chain(&b.high).min().cloned();
                Range { low: Some(BigInt::ZERO), high }
            }
            (natural, _) => Range { low: Some(BigInt::ZERO), high: if natural { &a.high } else { &b.high }.clone() },
        },
        Arithmetic::BitOr | Arithmetic::BitXor => wide(a, b),
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
            let near = |by: &BigInt| by.to_i64().filter(|by| by.unsigned_abs() < FARTHEST);
            let Some([Some(least), Some(most)]) = b.ends().map(|ends| ends.map(near)) else {
                return Range::default();
            };
            let by = Range::of(least, most);
            a.combined(&by, |value, by| {
                let by = by.to_i64().unwrap_or(0);
                let left = (operation == Arithmetic::ShiftLeft) == (by >= 0);
                if left { value << by.unsigned_abs() } else { value >> by.unsigned_abs() }
            })
        }
        Arithmetic::Divide | Arithmetic::Power | Arithmetic::Atan2 | Arithmetic::FloatRemainder => Range::default(),
    }
}

/// Returns the range of all integers that have no more bits than these ranges.
fn wide(a: &Range, b: &Range) -> Range {
    let Some(bits) = a.bits().zip(b.bits()).map(|(a, b)| a.max(b)) else { return Range::default() };
    let power = BigInt::from(1) << bits;
    let low = if a.is_natural() && b.is_natural() { BigInt::ZERO } else { -power.clone() };
    Range::of(low, power - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_stay_in_their_ranges() {
        let samples = [(-9, -3), (-4, 5), (0, 0), (0, 7), (3, 12), (-1, 0)];
        let operations = [
            Arithmetic::Add,
            Arithmetic::Subtract,
            Arithmetic::Multiply,
            Arithmetic::Quotient,
            Arithmetic::Remainder,
            Arithmetic::BitAnd,
            Arithmetic::BitOr,
            Arithmetic::BitXor,
            Arithmetic::ShiftLeft,
            Arithmetic::ShiftRight,
        ];
        for operation in operations {
            for (a, b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (a, b))) {
                let range = range_of(operation, &Range::of(a.0, a.1), &Range::of(b.0, b.1));
                let [low, high] = range.ends().expect("finite operands");
                for (x, y) in (a.0..=a.1).flat_map(|x: i64| (b.0..=b.1).map(move |y: i64| (x, y))) {
                    let left = |by: i64| if by >= 0 { x << by } else { x >> -by };
                    let value = match operation {
                        Arithmetic::Add => x + y,
                        Arithmetic::Subtract => x - y,
                        Arithmetic::Multiply => x * y,
                        Arithmetic::Quotient if y != 0 => x / y,
                        Arithmetic::Remainder if y != 0 => x % y,
                        Arithmetic::BitAnd => x & y,
                        Arithmetic::BitOr => x | y,
                        Arithmetic::BitXor => x ^ y,
                        Arithmetic::ShiftLeft => left(y),
                        Arithmetic::ShiftRight => left(-y),
                        _ => continue,
                    };
                    let value = BigInt::from(value);
                    assert!(*low <= value && value <= *high, "{operation:?} of {x} and {y}: {low}..{high}");
                }
            }
        }
    }
}
