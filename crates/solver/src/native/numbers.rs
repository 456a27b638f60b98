//! Sets of integers as sorted ranges that neither overlap nor touch. Copies share the ranges, since the result of most
//! operations is one of the sets that they are given.

use num_bigint::BigInt;
use std::rc::Rc;
use term::work;

/// A range that includes both ends; `None` means no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub low: Option<BigInt>,
    pub high: Option<BigInt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers(Option<Rc<[Interval]>>);

thread_local! {
    static ALL: Numbers = Numbers::new([Interval { low: None, high: None }]);
    static NATURAL: Numbers = Numbers::new([Interval { low: Some(BigInt::ZERO), high: None }]);
}

impl Interval {
    fn is_within(&self, other: &Interval) -> bool {
        let above = match (&self.low, &other.low) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(low), Some(least)) => low >= least,
        };
        above
            && match (&self.high, &other.high) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(high), Some(most)) => high <= most,
            }
    }

    fn contains(&self, value: &BigInt) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value) && self.high.as_ref().is_none_or(|high| value <= high)
    }
}

impl Numbers {
    pub const fn none() -> Numbers {
        Numbers(None)
    }

    pub fn all() -> Numbers {
        ALL.with(Numbers::clone)
    }

    pub fn natural() -> Numbers {
        NATURAL.with(Numbers::clone)
    }

    pub fn one(value: BigInt) -> Numbers {
        Numbers::new([Interval { low: Some(value.clone()), high: Some(value) }])
    }

    fn new(ranges: impl Into<Rc<[Interval]>>) -> Numbers {
        let ranges = ranges.into();
        Numbers((!ranges.is_empty()).then_some(ranges))
    }

    pub fn intervals(&self) -> &[Interval] {
        self.0.as_deref().unwrap_or_default()
    }

    pub fn between(low: Option<BigInt>, high: Option<BigInt>) -> Numbers {
        match (&low, &high) {
            (Some(l), Some(h)) if l > h => Numbers::none(),
            _ => Numbers::new([Interval { low, high }]),
        }
    }

    pub fn below(bound: &BigInt) -> Numbers {
        Numbers::between(None, Some(bound - 1))
    }

    pub fn above(bound: &BigInt) -> Numbers {
        Numbers::between(Some(bound + 1), None)
    }

    pub fn of(values: impl IntoIterator<Item = BigInt>) -> Numbers {
        let mut values: Vec<BigInt> = values.into_iter().collect();
        values.sort();
        Numbers::joined(values.into_iter().map(|value| Interval { low: Some(value.clone()), high: Some(value) }))
    }

    /// Makes a set of ranges that are in order and include both ends.
    pub fn of_ranges(ranges: impl IntoIterator<Item = (BigInt, BigInt)>) -> Numbers {
        Numbers::joined(ranges.into_iter().map(|(low, high)| Interval { low: Some(low), high: Some(high) }))
    }

    /// Makes a set of intervals that are in the order of their lower ends.
    fn joined(intervals: impl Iterator<Item = Interval>) -> Numbers {
        let mut result: Vec<Interval> = Vec::new();
        for next in intervals {
            if let Some(last) = result.last_mut() {
                let touches = match (&last.high, &next.low) {
                    (None, _) | (_, None) => true,
                    (Some(high), Some(low)) => *low <= high + 1,
                };
                if touches {
                    last.high = match (last.high.take(), next.high) {
                        (Some(a), Some(b)) => Some(a.max(b)),
                        _ => None,
                    };
                    continue;
                }
            }
            result.push(next);
        }
        Numbers::new(result)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn least(&self) -> Option<&BigInt> {
        self.intervals().first()?.low.as_ref()
    }

    pub fn most(&self) -> Option<&BigInt> {
        self.intervals().last()?.high.as_ref()
    }

    pub fn contains(&self, value: &BigInt) -> bool {
        let after = self.intervals().partition_point(|interval| interval.low.as_ref().is_none_or(|low| low <= value));
        after > 0 && self.intervals()[after - 1].contains(value)
    }

    pub fn and(&self, other: &Numbers) -> Numbers {
        let (ranges, others) = (self.intervals(), other.intervals());
        work::ticks(ranges.len() + others.len());
        match (ranges, others) {
            ([], _) | (_, []) => return Numbers::none(),
            ([a], [b]) if a.is_within(b) => return self.clone(),
            ([a], [b]) if b.is_within(a) => return other.clone(),
            ([Interval { low: None, high: None }], _) => return other.clone(),
            (_, [Interval { low: None, high: None }]) => return self.clone(),
            _ => {}
        }
        let (mut i, mut j) = (0, 0);
        let mut result = Vec::new();
        while let (Some(a), Some(b)) = (ranges.get(i), others.get(j)) {
            let low = match (&a.low, &b.low) {
                (Some(x), Some(y)) => Some(x.max(y).clone()),
                (x, y) => x.clone().or_else(|| y.clone()),
            };
            let a_ends_first = match (&a.high, &b.high) {
                (Some(x), Some(y)) => x <= y,
                (Some(_), None) => true,
                (None, _) => false,
            };
            let high = if a_ends_first { a.high.clone() } else { b.high.clone() };
            if !matches!((&low, &high), (Some(l), Some(h)) if l > h) {
                result.push(Interval { low, high });
            }
            if a_ends_first { i += 1 } else { j += 1 }
        }
        Numbers::new(result)
    }

    pub fn or(&self, other: &Numbers) -> Numbers {
        work::ticks(self.intervals().len() + other.intervals().len());
        match (self.intervals(), other.intervals()) {
            ([], _) => return other.clone(),
            (_, []) => return self.clone(),
            ([a], [b]) if a.is_within(b) => return other.clone(),
            ([a], [b]) if b.is_within(a) => return self.clone(),
            _ => {}
        }
        let mut intervals: Vec<Interval> = self.intervals().iter().chain(other.intervals()).cloned().collect();
        // `None` sorts first, which is right for lower ends.
        intervals.sort_by(|a, b| a.low.cmp(&b.low));
        Numbers::joined(intervals.into_iter())
    }

    pub fn not(&self) -> Numbers {
        work::ticks(self.intervals().len());
        let mut result = Vec::new();
        let mut low = None;
        for (index, interval) in self.intervals().iter().enumerate() {
            match &interval.low {
                Some(start) => result.push(Interval { low: low.take(), high: Some(start - 1) }),
                None => debug_assert_eq!(index, 0),
            }
            match &interval.high {
                Some(end) => low = Some(end + 1),
                None => return Numbers::new(result),
            }
        }
        result.push(Interval { low, high: None });
        Numbers::new(result)
    }

    /// Returns the member next to `value`, or the one nearer to zero if there are two.
    pub fn nearest(&self, value: &BigInt) -> Option<BigInt> {
        let ranges = self.intervals();
        let after = ranges.partition_point(|interval| interval.low.as_ref().is_none_or(|low| low <= value));
        let below = after.checked_sub(1).and_then(|index| ranges.get(index)).map(|interval| match &interval.high {
            Some(high) if high < value => high.clone(),
            _ => value.clone(),
        });
        let above = ranges.get(after).and_then(|interval| interval.low.clone());
        match (below, above) {
            (Some(below), Some(above)) => {
                let (down, up) = (value - &below, &above - value);
                let downwards = down < up || down == up && below.magnitude() <= above.magnitude();
                Some(if downwards { below } else { above })
            }
            (below, above) => below.or(above),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: i64, high: i64) -> Numbers {
        Numbers::between(Some(low.into()), Some(high.into()))
    }

    #[test]
    fn operations_agree_with_membership() {
        let sets = [
            Numbers::none(),
            Numbers::all(),
            Numbers::natural(),
            range(-3, 2),
            range(2, 5).or(&range(7, 7)),
            Numbers::of([3, 1, 2, -5].map(BigInt::from)),
            Numbers::below(&BigInt::from(-1)).or(&Numbers::above(&BigInt::from(4))),
        ];
        for a in &sets {
            for value in -9..10 {
                let value = BigInt::from(value);
                assert_eq!(a.not().contains(&value), !a.contains(&value));
                for b in &sets {
                    assert_eq!(a.and(b).contains(&value), a.contains(&value) && b.contains(&value));
                    assert_eq!(a.or(b).contains(&value), a.contains(&value) || b.contains(&value));
                }
                let nearest = (-9..10i64)
                    .filter(|n| a.contains(&BigInt::from(*n)))
                    .map(|n| (BigInt::from(n) - &value).magnitude().clone())
                    .min();
                if let Some(distance) = nearest {
                    assert_eq!((a.nearest(&value).expect("not empty") - &value).magnitude(), &distance);
                }
            }
            assert_eq!(a.not().not(), *a);
        }
    }
}
