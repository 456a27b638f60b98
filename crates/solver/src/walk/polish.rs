//! The last digits: equalities of floats have to hold exactly, and near a zero over the reals only some of the
//! neighbouring doubles fulfil them.

use super::Walk;
use super::domain::further;
use super::goal::Target;
use super::parameters::{NEARLY, NEARLY_WHOLE, POLISHES};
use super::value::Value;

impl Walk<'_> {
    /// Returns whether all conditions nearly hold.
    pub(super) fn is_near(&self) -> bool {
        let has_bits = self.point.ground.tape.has_bits();
        let nearly = |target: &Target| {
            let near = match target.is_whole(&self.point.values) {
                // Bits are searched in other ways.
                true if has_bits => 0.0,
                true => NEARLY_WHOLE * (target.size(&self.point.values) + 100.0),
                false => NEARLY * (target.size(&self.point.values) + 1e-3),
            };
            target.value(&self.point.values).is_some_and(|value| value.abs() <= near)
        };
        let violated = self.point.violated();
        !violated.is_empty()
            && violated.into_iter().all(|goal| {
                let targets = self.point.targets_of(goal);
                !targets.is_empty() && targets.iter().all(nearly)
            })
    }

    /// Shakes the last digits of the numbers and goes to the nearest zeros again, many times.
    pub(super) fn polish(&mut self) -> bool {
        let mut best = (self.point.score(), self.point.leaves.clone());
        for attempt in 0..POLISHES {
            if self.point.is_solution() {
                return true;
            }
            if self.is_over() {
                break;
            }
            self.point.look();
            self.shake(attempt);
            let targets = self.point.targets();
            if targets.len() > 1 && self.settings.newton && self.random.chance(0.5) {
                if self.descend_jointly(3) {
                    return true;
                }
            } else if self.settings.secant {
                self.solve_each();
            }
            if self.neighbours() {
                return true;
            }
            let score = self.point.score();
            if score < best.0 {
                best = (score, self.point.leaves.clone());
            } else if score > best.0 * 16.0 || self.random.chance(0.3) {
                self.point.set_all(&best.1);
            }
        }
        self.point.set_all(&best.1);
        self.point.is_solution()
    }

    /// Moves some numbers by a few last digits, or by many of them.
    fn shake(&mut self, attempt: usize) {
        let count = self.point.leaves.len();
        let mut leaves = self.point.leaves.clone();
        // Now and then a number is rounded, because solutions that people wrote down often are round.
        let rounds = attempt % 8 == 7;
        let digits = self.random.between(0.0, 40.0);
        for _ in 0..1 + self.random.below(count) {
            let leaf = self.random.below(count);
            let Some(place) = leaves.get_mut(leaf) else { continue };
            let value = match &*place {
                Value::Float(old) if rounds => {
                    let scale = 10f64.powi(self.random.below(9) as i32);
                    Some(Value::Float((old * scale).round() / scale))
                }
                Value::Float(_) => further(place, (self.random.sign() * self.random.unit() * digits.exp2()) as i64),
                Value::Int(_) => further(place, (self.random.sign() * self.random.between(0.0, 5.0).exp2()) as i64),
                _ => None,
            };
            if let Some(value) = value.and_then(|value| self.point.domains.get(leaf)?.nearest(&value)) {
                *place = value;
            }
        }
        self.point.set_all(&leaves);
    }

    /// Solves each violated equality in turn for one of its numbers.
    fn solve_each(&mut self) {
        let tape = self.point.ground.tape;
        for goal in self.point.violated() {
            let Some(leaf) = tape.leaves_of.get(goal).and_then(|leaves| self.random.of(leaves)).copied() else {
                continue;
            };
            let Some(target) = self.random.of(&self.point.targets_of(goal)).copied() else { continue };
            self.move_to_zero(leaf as usize, target);
        }
    }

    /// Goes to better neighbouring numbers as long as there are some.
    fn neighbours(&mut self) -> bool {
        for _ in 0..8 {
            let before = self.point.score();
            let mut improved = false;
            for leaf in 0..self.point.leaves.len() {
                let Some(old) = self.point.leaves.get(leaf).cloned() else { continue };
                let mut best = (self.point.score(), old.clone());
                for by in [1, -1, 2, -2] {
                    let next = further(&old, by).and_then(|next| self.point.allowed(leaf, &next));
                    let Some(next) = next else { continue };
                    self.point.set(leaf, next.clone());
                    if self.point.is_solution() {
                        return true;
                    }
                    let score = self.point.score();
                    if score < best.0 {
                        best = (score, next);
                    }
                }
                improved |= best.0 < before;
                self.point.set(leaf, best.1);
            }
            if !improved || self.point.work == 0 {
                break;
            }
        }
        self.point.is_solution()
    }
}
