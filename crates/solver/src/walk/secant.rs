//! Finds the zero of one condition along one number.

use super::Walk;
use super::domain::{between, moved};
use super::goal::Target;
use super::value::Value;

/// The largest number of steps outwards until the sign changes; each is twice as wide as the one before.
const OUTWARD: usize = 70;
/// The largest number of steps inwards: halving reaches neighbouring doubles from anywhere.
const INWARD: usize = 70;

impl Walk<'_> {
    fn target_at(&mut self, leaf: usize, value: &Value, target: Target) -> Option<f64> {
        let value = self.point.allowed(leaf, value)?;
        self.point.set(leaf, value);
        target.value(&self.point.values)
    }

    /// Moves a number to where the target is zero or changes its sign. If that place is not found, returns `false` and
    /// leaves the number as it was.
    pub(super) fn move_to_zero(&mut self, leaf: usize, target: Target) -> bool {
        let Some(start) = self.point.leaves.get(leaf).cloned() else { return false };
        let found = self.zero(leaf, target, &start);
        match found {
            Some(value) => {
                self.point.set(leaf, value);
                true
            }
            None => {
                self.point.set(leaf, start);
                false
            }
        }
    }

    fn zero(&mut self, leaf: usize, target: Target, start: &Value) -> Option<Value> {
        let here = target.value(&self.point.values)?;
        if here == 0.0 {
            return None;
        }
        let size = start.float()?.abs();
        let is_whole = matches!(start, Value::Int(_));
        let step = if is_whole { 1.0f64.max((size * 1e-6).round()) } else { (size * 1e-6).max(1e-9) };
        // The slope is measured on whichever side has one.
        let mut slope = 0.0;
        for step in [step, -step, step * 1e4] {
            let next = moved(start, step)?;
            if let Some(there) = self.target_at(leaf, &next, target) {
                let went = self.point.leaves.get(leaf)?.float()? - start.float()?;
                slope = if went == 0.0 { 0.0 } else { (there - here) / went };
                if slope != 0.0 && slope.is_finite() {
                    break;
                }
            }
        }
        let mut inner = start.clone();
        let mut inner_value = here;
        let direction = if slope == 0.0 || !slope.is_finite() { self.random.sign() } else { -(here / slope).signum() };
        let guess = if slope == 0.0 || !slope.is_finite() { 1.0 } else { (here / slope).abs().min(1e30) };
        // The first step goes a little beyond the secant's zero, the next ones further and further.
        let mut width = if is_whole { guess.ceil().max(1.0) } else { guess * 1.001 };
        for _ in 0..OUTWARD {
            let outer = self.point.allowed(leaf, &moved(start, direction * width)?)?;
            if outer == inner {
                return None;
            }
            let Some(outer_value) = self.target_at(leaf, &outer, target) else {
                // There is no value that far out, so the steps become smaller.
                return self.nearer(leaf, target, &inner, inner_value, &outer);
            };
            if outer_value == 0.0 {
                return Some(outer);
            }
            if outer_value.signum() != here.signum() {
                return self.inward(leaf, target, (inner, inner_value), (outer, outer_value));
            }
            if self.point.work == 0 {
                return None;
            }
            (inner, inner_value) = (outer, outer_value);
            width *= 2.0;
        }
        None
    }

    /// Searches between a number where the target has a value and one where it has none.
    fn nearer(&mut self, leaf: usize, target: Target, inner: &Value, inner_value: f64, outer: &Value) -> Option<Value> {
        let (mut inner, mut outer) = (inner.clone(), outer.clone());
        for _ in 0..INWARD / 2 {
            let middle = between(&inner, &outer)?;
            match self.target_at(leaf, &middle, target) {
                Some(0.0) => return Some(middle),
                Some(value) if value.signum() != inner_value.signum() => {
                    return self.inward(leaf, target, (inner, inner_value), (middle, value));
                }
                Some(_) => inner = middle,
                None => outer = middle,
            }
        }
        None
    }

    /// Narrows an interval at whose ends the signs differ, by halving and now and then with the secant.
    fn inward(&mut self, leaf: usize, target: Target, a: (Value, f64), b: (Value, f64)) -> Option<Value> {
        let (mut a, mut b) = (a, b);
        for turn in 0..INWARD {
            let chord = || {
                let (x, y) = (a.0.float()?, b.0.float()?);
                let share = a.1 / (a.1 - b.1);
                let guess = x + (y - x) * share;
                let guess = match a.0 {
                    Value::Int(_) => Value::Int(guess.round() as i128),
                    _ => Value::Float(guess),
                };
                let inside = guess.float()? > x.min(y) && guess.float()? < x.max(y);
                (inside && guess != a.0 && guess != b.0).then_some(guess)
            };
            let middle = if turn % 3 != 2 { chord() } else { None };
            let Some(middle) = middle.or_else(|| between(&a.0, &b.0)) else { break };
            match self.target_at(leaf, &middle, target) {
                Some(0.0) => return Some(middle),
                Some(value) if value.signum() == a.1.signum() => a = (middle, value),
                Some(value) => b = (middle, value),
                None => break,
            }
            if self.point.work == 0 {
                break;
            }
        }
        Some(if a.1.abs() <= b.1.abs() { a.0 } else { b.0 })
    }
}
