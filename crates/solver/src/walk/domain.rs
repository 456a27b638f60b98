//! The numbers that a moved number can be.

use super::random::Random;
use super::value::Value;
use crate::native::sets::{Set, float_of_key};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Domain {
    /// The ranges of integers in their order.
    integers: Vec<(i128, i128)>,
    floats: Option<(f64, f64)>,
}

/// The bounds within which integers are moved: sums and products of a few still fit into a word.
const LARGEST: i128 = 1 << 100;

impl Domain {
    pub fn of(set: &Set) -> Domain {
        let end = |end: &Option<BigInt>, far: i128| match end {
            Some(end) => end.to_i128().map_or(far, |end| end.clamp(-LARGEST, LARGEST)),
            None => far,
        };
        let integers = set.integers.intervals().iter();
        let integers: Vec<(i128, i128)> = integers
            .map(|part| (end(&part.low, -LARGEST), end(&part.high, LARGEST)))
            .filter(|(low, high)| low <= high)
            .collect();
        let floats = match (set.floats.least().and_then(float_of_key), set.floats.most().and_then(float_of_key)) {
            (Some(low), Some(high)) => Some((low, high)),
            _ => None,
        };
        Domain { integers, floats }
    }

    pub fn is_empty(&self) -> bool {
        self.integers.is_empty() && self.floats.is_none()
    }

    /// Returns the nearest number of the same kind in the domain.
    pub fn nearest(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Int(value) => {
                let near = self.integers.iter().map(|(low, high)| *value.clamp(low, high));
                near.min_by_key(|near| near.abs_diff(*value)).map(Value::Int)
            }
            Value::Float(value) if !value.is_nan() => {
                self.floats.map(|(low, high)| Value::Float(value.clamp(low, high)))
            }
            _ => None,
        }
    }

    /// Returns the nearest number in the domain, of the other kind if necessary.
    pub fn converted(&self, value: &Value) -> Option<Value> {
        if let Some(near) = self.nearest(value) {
            return Some(near);
        }
        self.other_kind(value)
    }

    /// Returns nearly the same number of the other kind.
    pub fn other_kind(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Int(_) => self.nearest(&Value::Float(value.float()?)),
            Value::Float(value) => self.nearest(&Value::Int(value.round() as i128)),
            _ => None,
        }
    }

    /// Returns the lower and the upper end of the integers or the floats; `None` if there are none.
    fn extent(&self, whole: bool) -> Option<(f64, f64)> {
        let (low, high) = match (whole, self.integers.first(), self.integers.last(), self.floats) {
            (true, Some((low, _)), Some((_, high)), _) => (*low as f64, *high as f64),
            (false, _, _, Some(ends)) => ends,
            _ => return None,
        };
        Some((low, high))
    }

    /// Returns a random number of the domain: a small one, one of any magnitude, one near `known`, or any one of a
    /// range.
    pub fn any(&self, random: &mut Random, known: &[f64]) -> Option<Value> {
        let whole = match (self.integers.is_empty(), self.floats) {
            (false, Some(_)) => random.chance(0.5),
            (empty, _) => !empty,
        };
        let (low, high) = self.extent(whole)?;
        let is_bounded = high - low < 1e9;
        let number = match random.below(10) {
            0..=2 if is_bounded => random.between(low, high),
            3 | 4 if is_bounded => low.max(0.0) + random.between(0.0, (high - low).min(16.0)),
            0..=2 => random.between(-10.0, 10.0),
            3 | 4 => random.between(-100.0, 100.0).round(),
            5 | 6 => random.sign() * random.between(-12.0, 20.0).exp2(),
            7 => random.sign() * random.between(-40.0, 60.0).exp2(),
            _ => match random.of(known).copied() {
                Some(known) => match random.below(4) {
                    0 => known,
                    1 => known + random.between(-2.0, 2.0),
                    2 => known * random.between(0.0, 2.0),
                    _ => -known,
                },
                None => random.between(-1.0, 1.0),
            },
        };
        self.nearest(&if whole { Value::Int(number.round() as i128) } else { Value::Float(number) })
    }
}

/// Returns the number at this distance from another.
pub(super) fn moved(value: &Value, by: f64) -> Option<Value> {
    match value {
        Value::Int(value) => value.checked_add(by.round() as i128).map(Value::Int),
        Value::Float(value) => Some(value + by).filter(|value| value.is_finite()).map(Value::Float),
        _ => None,
    }
}

/// Returns the float that is `by` floats further on, or the integer that is `by` integers further on.
pub(super) fn further(value: &Value, by: i64) -> Option<Value> {
    match value {
        Value::Int(value) => value.checked_add(i128::from(by)).map(Value::Int),
        Value::Float(value) => Some(Value::Float(float_at(place(*value).checked_add(by)?)?)),
        _ => None,
    }
}

/// Maps floats in their order to integers without gaps.
pub(super) fn place(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { -(bits & i64::MAX) } else { bits }
}

pub(super) fn float_at(place: i64) -> Option<f64> {
    let magnitude = f64::from_bits(place.unsigned_abs());
    magnitude.is_finite().then_some(if place < 0 { -magnitude } else { magnitude })
}

/// Returns a number between two of the same kind, other than these; `None` if there is none.
pub(super) fn between(a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => {
            let middle = a.checked_add(*b)?.div_euclid(2);
            (middle != *a && middle != *b).then_some(Value::Int(middle))
        }
        (Value::Float(a), Value::Float(b)) => {
            let (low, high) = (place(*a), place(*b));
            let half = low / 2 + high / 2 + (low % 2 + high % 2) / 2;
            // The mean if the numbers are of similar size, else a number whose size is between theirs.
            let mean = a / 2.0 + b / 2.0;
            let alike = (a.abs() / b.abs() - 1.0).abs() < 0.5;
            let middle = if alike { mean } else { float_at(half)? };
            let middle = if middle == *a || middle == *b { float_at(half)? } else { middle };
            (middle != *a && middle != *b).then_some(Value::Float(middle))
        }
        _ => None,
    }
}
