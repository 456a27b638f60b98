//! Guides a search to a goal: the cost of a candidate for its distance, and what happens when a run arrives.
//!
//! Far candidates come later: first by the calls between the function of the decision and that of the goal, then by how
//! far the values of the run are from the missing side (fitness-guided search). So of all runs that stop at one
//! condition, the one that came closest is extended first. If a run came closer than its parent, the change of its
//! inputs is repeated once, then twice, then four times, as long as that helps.

use super::{Explorer, Purpose, others};
use crate::goal::Reached;
use crate::minimise::{SLACK, minimise_showing};
use crate::records::Path;
use crate::repeat::repeated;
use crate::runner::{Concrete, Inputs, Runner};
use crate::trie::Side;
use formula::{Formulas, TermId, branch_distance};
use path::Marks;
use std::sync::Arc;

/// The cost of each call between a decision and the goal.
const CALL: u32 = 8;
/// The cost of a decision from which no way to the goal is known.
const ASTRAY: u32 = 64;
/// The maximum cost of a branch distance, which is its logarithm.
const FARTHEST: f64 = 12.0;

/// The maximum number of times that a change is doubled.
const MOST_DOUBLINGS: u32 = 16;
/// The number of decisions, at the end of a path, that are searched for the nearest missing side.
const MOST_LOOKED_AT: usize = 256;

/// The distance of a run from the goal: the cost of the nearest decision, and the branch distance of its missing side.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Near {
    far: u32,
    error: f64,
}

/// The distances of runs from the goal.
#[derive(Default)]
pub struct Nearness {
    kept: Vec<Option<Near>>,
    last: Option<Near>,
}

impl Nearness {
    /// Keeps the distance of the run with this number.
    pub fn keep(&mut self, run: u32, near: Option<Near>) {
        if near.is_some() {
            self.kept.resize(self.kept.len().max(run as usize + 1), None);
            self.kept[run as usize] = near;
        }
    }

    fn of(&self, run: u32) -> Option<Near> {
        self.kept.get(run as usize).copied().flatten()
    }
}

impl Explorer<'_> {
    /// Returns how close a run came to its goal, if it has one.
    pub(super) fn near(&mut self, taken: &[Side], path: &mut Path, inputs: &Inputs) -> Option<Near> {
        self.nearness.last = None;
        self.settings.goal.as_ref().filter(|goal| goal.is_guiding)?;
        let mut nearest: Option<Near> = None;
        let from = taken.len().saturating_sub(MOST_LOOKED_AT);
        for (step, event) in taken.iter().zip(&path.events).skip(from) {
            let far = self.distance(step.site);
            if far >= ASTRAY || nearest.is_some_and(|nearest| nearest.far < far) {
                continue;
            }
            for way in others(step.way, event.ways().min(2)) {
                if self.coverage.is_missing(Side { way, ..*step }) || !self.coverage.is_known(step.site) {
                    let condition = event.condition(way, &mut path.formulas);
                    let near = Near { far, error: branch_distance(&path.formulas, condition, &inputs.values) };
                    nearest = Some(nearest.map_or(near, |nearest| if near < nearest { near } else { nearest }));
                }
            }
        }
        self.nearness.last = nearest;
        nearest
    }

    /// Repeats the change between a run and its parent, doubled each time, as long as the runs come closer to the goal.
    pub(super) fn repeat_if_closer(&mut self, parent: u32, before: &Inputs, after: &Inputs) {
        let (Some(farther), Some(mut nearest)) = (self.nearness.of(parent), self.nearness.last) else { return };
        if nearest >= farther {
            return;
        }
        let (Some(before), Some(after)) = (before.plain(), after.plain()) else { return };
        for doublings in 0..MOST_DOUBLINGS {
            let Some(args) = repeated(&before, &after, 1 << doublings) else { return };
            let Some(inputs) = self.seed(&args).filter(|_| self.must_end().is_none()) else { return };
            self.run(inputs, self.settings.steps, Purpose::default());
            match self.nearness.last {
                Some(near) if near < nearest && !self.has_arrived() => nearest = near,
                _ => return,
            }
        }
    }

    /// Returns the cost of changing a decision at this site, according to its distance from the goal.
    pub(super) fn cost_of_way(&mut self, site: u32, condition: TermId, formulas: &Formulas, inputs: &Inputs) -> u32 {
        if self.settings.goal.as_ref().is_none_or(|goal| !goal.is_guiding) {
            return 0;
        }
        let far = self.distance(site);
        let error = branch_distance(formulas, condition, &inputs.values);
        far + (1.0 + error).log2().clamp(0.0, FARTHEST) as u32
    }

    /// Returns the cost of the calls between a decision and the goal.
    fn distance(&mut self, site: u32) -> u32 {
        let Some(goal) = &self.settings.goal else { return 0 };
        let index = site as usize;
        if self.distances.len() <= index {
            self.distances.resize(index + 1, None);
        }
        match self.distances.get(index).copied().flatten() {
            Some(far) => far,
            None => {
                let place = self.runner.executor.place_of(self.trie.sites().site(site));
                // Decisions that are taken before the code runs, or by inputs, count as nearest.
                let far = place.map_or(0, |place| (goal.distance)(&place).map_or(ASTRAY, |calls| calls * CALL));
                if let Some(known) = self.distances.get_mut(index) {
                    *known = Some(far);
                }
                far
            }
        }
    }

    /// Checks whether a run met the goal. The search ends with the first run that does, whose inputs are made smaller.
    pub(super) fn arrive(&mut self, inputs: &Inputs, marks: &Marks) {
        let Some(goal) = self.settings.goal.as_ref().filter(|goal| goal.is_met(marks)) else { return };
        if self.exploration.reached.is_some() {
            return;
        }
        let first = self.runner.concrete(inputs, self.settings.most_steps);
        if !goal.is_met(&first.marks) {
            return;
        }
        let steps = first.steps * 2 + SLACK;
        let wanted = |_: &Runner<'_>, _: &Inputs, ran: Concrete| goal.is_met(&ran.marks).then_some(ran.marks);
        let best = (inputs.clone(), first.marks);
        let (smallest, marks) = minimise_showing(&mut self.runner, best, steps, &wanted, self.host);
        let mut trail = Vec::new();
        for mark in marks.in_order() {
            trail.push(*mark);
            if goal.marks.contains(mark) {
                break;
            }
        }
        let mut functions = smallest.written.clone().unwrap_or_default();
        if functions.scenario.is_some() {
            let ran = self.runner.concrete(&smallest, self.settings.most_steps);
            if let Some(scenario) = &mut Arc::make_mut(&mut functions).scenario {
                for (step, returned) in Arc::make_mut(scenario).steps.iter_mut().zip(ran.returned) {
                    step.returned = returned;
                }
            }
        }
        self.exploration.reached =
            Some(Reached { inputs: smallest.shown(), functions, trail, runs: self.exploration.runs });
    }

    pub(super) fn has_arrived(&self) -> bool {
        self.exploration.reached.is_some()
    }
}
