//! The current point of the walk: the moved numbers, and how far each condition is from holding there.

use super::domain::Domain;
use super::goal::Target;
use super::tape::{Code, Ground};
use super::value::Value;

/// The cost of evaluating a node elsewhere, in nodes of the tape.
const GENERAL_WORK: u64 = 40;

pub(super) struct Point<'a> {
    pub ground: &'a Ground<'a>,
    pub domains: &'a [Domain],
    pub leaves: Vec<Value>,
    pub values: Vec<Value>,
    /// The error of each goal, which is zero if the goal is met.
    pub errors: Vec<f64>,
    /// How much each goal counts: more if it is hard to meet.
    pub weights: Vec<f64>,
    /// The number of nodes that may still be evaluated.
    pub work: u64,
    costs: Vec<u64>,
    cost: u64,
}

impl<'a> Point<'a> {
    pub fn new(ground: &'a Ground<'a>, domains: &'a [Domain], leaves: Vec<Value>, work: u64) -> Point<'a> {
        let tape = ground.tape;
        let of = |node: u32| match tape.nodes.get(node as usize).map(|node| node.code) {
            Some(Code::General) => GENERAL_WORK,
            _ => 1,
        };
        // The evaluation of goals counts, too.
        let goals = |leaf: usize| tape.goals_of.get(leaf).map_or(0, |goals| goals.len() as u64);
        let costs: Vec<u64> = tape
            .nodes_of
            .iter()
            .enumerate()
            .map(|(leaf, nodes)| 2 + goals(leaf) + nodes.iter().map(|node| of(*node)).sum::<u64>())
            .collect();
        let mut point = Point {
            values: ground.constants(),
            errors: vec![f64::INFINITY; tape.goals.len()],
            weights: vec![1.0; tape.goals.len()],
            cost: (0..tape.nodes.len() as u32).map(of).sum::<u64>() + tape.goals.len() as u64,
            ground,
            domains,
            leaves,
            work,
            costs,
        };
        point.compute();
        point
    }

    /// Computes all nodes and errors anew.
    fn compute(&mut self) {
        let tape = self.ground.tape;
        self.work = self.work.saturating_sub(self.cost);
        self.ground.run(&self.leaves, &mut self.values, 0..tape.nodes.len() as u32);
        for (error, goal) in self.errors.iter_mut().zip(&tape.goals) {
            *error = goal.error(tape, &self.values);
        }
    }

    /// Counts a look at everything, so that a walk that moves nothing ends, too.
    pub fn look(&mut self) {
        self.work = self.work.saturating_sub(self.cost.max(1));
    }

    /// Returns whether a goal is violated that depends on no moved number.
    pub fn is_hopeless(&self) -> bool {
        let tape = self.ground.tape;
        self.violated().into_iter().any(|goal| tape.leaves_of.get(goal).is_none_or(Vec::is_empty))
    }

    /// Moves one number, which must be in its domain.
    pub fn set(&mut self, leaf: usize, value: Value) {
        let tape = self.ground.tape;
        let (Some(place), Some(nodes), Some(goals)) =
            (self.leaves.get_mut(leaf), tape.nodes_of.get(leaf), tape.goals_of.get(leaf))
        else {
            return;
        };
        *place = value;
        self.work = self.work.saturating_sub(self.costs.get(leaf).copied().unwrap_or(1));
        self.ground.run(&self.leaves, &mut self.values, nodes.iter().copied());
        for number in goals {
            let number = *number as usize;
            if let (Some(goal), Some(error)) = (tape.goals.get(number), self.errors.get_mut(number)) {
                *error = goal.error(tape, &self.values);
            }
        }
    }

    /// Moves all numbers that differ.
    pub fn set_all(&mut self, leaves: &[Value]) {
        let changed = self.leaves.iter().zip(leaves).filter(|(old, new)| old != new).count();
        if changed <= 1 {
            let at = self.leaves.iter().zip(leaves).position(|(old, new)| old != new);
            if let Some((at, value)) = at.and_then(|at| Some((at, leaves.get(at)?.clone()))) {
                self.set(at, value);
            }
            return;
        }
        self.leaves = leaves.to_vec();
        self.compute();
    }

    /// Returns the nearest value to which a number may be moved.
    pub fn allowed(&self, leaf: usize, value: &Value) -> Option<Value> {
        self.domains.get(leaf)?.nearest(value)
    }

    pub fn is_solution(&self) -> bool {
        self.errors.iter().all(|error| *error == 0.0)
    }

    /// Returns a score that falls as conditions get nearer to holding. Tiny errors count as they are, huge ones by
    /// their magnitude.
    pub fn score(&self) -> f64 {
        self.errors.iter().zip(&self.weights).map(|(error, weight)| weight * error.ln_1p()).sum()
    }

    pub fn violated(&self) -> Vec<usize> {
        (0..self.errors.len()).filter(|goal| self.errors.get(*goal).is_some_and(|error| *error > 0.0)).collect()
    }

    /// Returns the targets of all goals.
    pub fn targets(&self) -> Vec<Target> {
        let mut found = Vec::new();
        self.ground.tape.goals.iter().for_each(|goal| goal.targets(self.ground.tape, &self.values, &mut found));
        found
    }

    /// Returns the targets of one goal.
    pub fn targets_of(&self, goal: usize) -> Vec<Target> {
        let mut found = Vec::new();
        if let Some(goal) = self.ground.tape.goals.get(goal) {
            goal.targets(self.ground.tape, &self.values, &mut found);
        }
        found
    }
}
