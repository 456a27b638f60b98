//! The tabu-guided walk, which moves one number at a time, the one that the violated conditions blame most.

use super::Walk;
use super::domain::{further, moved};
use super::parameters::{FLIPS, MOST_BITS, STEPS, TENURE, TURNS};
use super::value::Value;

/// The number of violated conditions whose zero is looked for in one turn.
const ZEROS: usize = 3;
/// The number of equalities broken by a step that other numbers are to mend.
const MENDED: usize = 2;

impl Walk<'_> {
    /// Walks until it leads no further, and returns whether that is a solution.
    pub(super) fn wander(&mut self) -> bool {
        let count = self.point.leaves.len();
        let mut tabu = vec![0usize; count];
        let mut idle = 0;
        let mut turn = 0;
        while idle < TURNS * count && !self.is_over() {
            if self.point.is_solution() {
                return true;
            }
            turn += 1;
            self.point.look();
            let Some(leaf) = self.blamed(&tabu, turn) else { break };
            if self.improve(leaf) {
                idle = 0;
                continue;
            }
            idle += 1;
            if self.settings.tabu
                && let Some(until) = tabu.get_mut(leaf)
            {
                *until = turn + TENURE + count / 2;
            }
        }
        // Goals that are hard to meet count more from now on, so that the next walk goes elsewhere.
        for goal in self.point.violated() {
            if let Some(weight) = self.point.weights.get_mut(goal) {
                *weight = (*weight + 0.5).min(8.0);
            }
        }
        self.point.is_solution()
    }

    /// Returns the number with the highest error among those that are not left alone.
    fn blamed(&mut self, tabu: &[usize], turn: usize) -> Option<usize> {
        let tape = self.point.ground.tape;
        let mut scores = vec![0.0; self.point.leaves.len()];
        for goal in self.point.violated() {
            let error = self.point.errors.get(goal).copied().unwrap_or(0.0);
            let weight = self.point.weights.get(goal).copied().unwrap_or(1.0);
            // Every violated condition blames its numbers, and a distant one blames them more.
            let blame = weight * (1.0 + error.ln_1p() / 8.0);
            for leaf in tape.leaves_of.get(goal).into_iter().flatten() {
                if let Some(score) = scores.get_mut(*leaf as usize) {
                    *score += blame;
                }
            }
        }
        let mut best = None;
        for (leaf, score) in scores.into_iter().enumerate() {
            let is_tabu = tabu.get(leaf).is_some_and(|until| *until >= turn);
            if score == 0.0 || is_tabu {
                continue;
            }
            let score = score * self.random.between(0.7, 1.3);
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((leaf, score));
            }
        }
        best.map(|(leaf, _)| leaf)
    }

    /// Tries other values of one number and takes the best; returns `false` if none is better.
    fn improve(&mut self, leaf: usize) -> bool {
        let start = self.point.leaves.clone();
        let before = self.point.score();
        let mut best: Option<(f64, Vec<Value>)> = None;
        let mut consider = |walk: &mut Self| {
            let score = walk.point.score();
            if best.as_ref().map_or(score < before, |(least, _)| score < *least) {
                best = Some((score, walk.point.leaves.clone()));
            }
            walk.point.is_solution()
        };
        if self.settings.secant {
            for target in self.zeros(leaf) {
                if self.move_to_zero(leaf, target) && consider(self) {
                    return true;
                }
                self.point.set_all(&start);
            }
        }
        for value in self.steps(leaf) {
            self.point.set(leaf, value);
            let score = self.point.score();
            if consider(self) {
                return true;
            }
            // Equalities that held are restored by moving other numbers, so that the step follows them.
            if score >= before && self.settings.secant && self.mend(leaf, &start) && consider(self) {
                return true;
            }
            self.point.set_all(&start);
            if self.point.work == 0 {
                break;
            }
        }
        match best {
            Some((_, leaves)) => {
                self.point.set_all(&leaves);
                true
            }
            None => false,
        }
    }

    /// Returns the targets of violated conditions that depend on a number.
    fn zeros(&mut self, leaf: usize) -> Vec<super::goal::Target> {
        let tape = self.point.ground.tape;
        let mut goals = self.point.violated();
        goals.retain(|goal| tape.leaves_of.get(*goal).is_some_and(|leaves| leaves.contains(&(leaf as u32))));
        let mut targets = Vec::new();
        while !goals.is_empty() && targets.len() < ZEROS {
            let goal = goals.swap_remove(self.random.below(goals.len()));
            targets.extend(self.point.targets_of(goal));
        }
        targets.truncate(ZEROS);
        targets
    }

    /// Moves other numbers so that equalities that the step of `leaf` broke hold again.
    fn mend(&mut self, leaf: usize, start: &[Value]) -> bool {
        let tape = self.point.ground.tape;
        let goals: Vec<usize> = tape.goals_of.get(leaf).into_iter().flatten().map(|goal| *goal as usize).collect();
        let mut mended = 0;
        for goal in goals {
            let is_broken = self.point.errors.get(goal).is_some_and(|error| *error > 0.0);
            let held = is_broken && self.held.get(goal).copied().unwrap_or(false);
            if !held || mended >= MENDED {
                continue;
            }
            let others: Vec<usize> = tape
                .leaves_of
                .get(goal)
                .into_iter()
                .flatten()
                .map(|other| *other as usize)
                .filter(|other| *other != leaf && self.point.leaves.get(*other) == start.get(*other))
                .collect();
            let Some(other) = self.random.of(&others).copied() else { continue };
            let Some(target) = self.point.targets_of(goal).first().copied() else { continue };
            mended += usize::from(self.move_to_zero(other, target));
        }
        mended > 0
    }

    /// Returns other values of a number: near and far, on both sides, with other bits, of the other kind.
    fn steps(&mut self, leaf: usize) -> Vec<Value> {
        self.held = self.point.errors.iter().map(|error| *error == 0.0).collect();
        let Some(old) = self.point.leaves.get(leaf).cloned() else { return Vec::new() };
        let Some(domain) = self.point.domains.get(leaf) else { return Vec::new() };
        let mut found: Vec<Value> = Vec::new();
        let size = old.float().map_or(1.0, f64::abs);
        for number in 0..STEPS {
            let sign = if number % 2 == 0 { 1.0 } else { -1.0 };
            let value = match &old {
                Value::Int(_) => {
                    let most = (size.max(1.0).log2() + 4.0).min(100.0);
                    moved(&old, sign * self.random.between(0.0, most).exp2())
                }
                _ if number < 2 => further(&old, sign as i64 * (1 + self.random.below(8) as i64)),
                _ => moved(&old, sign * size.max(1e-3) * self.random.between(-40.0, 4.0).exp2()),
            };
            found.extend(value);
        }
        if let Value::Int(old) = old {
            let bits = (128 - old.unsigned_abs().leading_zeros() + 2).min(MOST_BITS);
            for _ in 0..FLIPS {
                let bit = self.random.below(bits as usize);
                let other = old ^ (1 << bit);
                found.push(Value::Int(other));
                if self.random.chance(0.3) {
                    found.push(Value::Int(other ^ (1 << self.random.below(bits as usize))));
                }
            }
        } else if let Value::Float(old) = old {
            found.push(Value::Float(old.round()));
            found.push(Value::Float(-old));
        }
        found.extend(domain.other_kind(&old));
        found.extend(domain.any(&mut self.random, self.known));
        if let Some(known) = self.random.of(self.known) {
            found.extend(domain.converted(&Value::Float(*known)));
        }
        found.retain(|value| *value != old);
        found.iter().filter_map(|value| domain.nearest(value)).filter(|value| *value != old).collect()
    }
}
