//! Sets of integers between two bounds.

/// An interval that contains both ends. `None` means that there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub low: Option<i64>,
    pub high: Option<i64>,
}

impl Interval {
    pub const ALL: Interval = Interval { low: None, high: None };

    pub fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    pub fn hull(self, other: Interval) -> Interval {
        let bound = |a: Option<i64>, b: Option<i64>, pick: fn(i64, i64) -> i64| Some(pick(a?, b?));
        Interval { low: bound(self.low, other.low, i64::min), high: bound(self.high, other.high, i64::max) }
    }

    pub fn meet(self, other: Interval) -> Interval {
        let bound = |a: Option<i64>, b: Option<i64>, pick: fn(i64, i64) -> i64| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (bound, None) | (None, bound) => bound,
        };
        Interval { low: bound(self.low, other.low, i64::max), high: bound(self.high, other.high, i64::min) }
    }
}
