//! The way to a goal: what a candidate costs for its distance, and what happens when a run arrives.
//!
//! Far candidates come later: first by the calls between the function of the decision and that of the goal, then by how
//! far the values of the run are from the side that is missing (fitness-guided search). So of all runs that stop at
//! one condition, the one that came closest is extended first.

use super::Explorer;
use crate::goal::Reached;
use crate::minimise::{SLACK, minimise_showing};
use crate::runner::{Concrete, Inputs, Runner};
use formula::{Formulas, TermId, branch_distance};
use path::Marks;
use std::sync::Arc;

/// What each call between a decision and the goal costs.
const CALL: u32 = 8;
/// What a decision costs from where no way to the goal is known.
const ASTRAY: u32 = 64;
/// A branch distance costs its logarithm, up to this.
const FARTHEST: f64 = 12.0;

impl Explorer<'_> {
    /// What it costs to change a decision at this site, for its distance from the goal.
    pub(super) fn cost_of_way(&mut self, site: u32, condition: TermId, formulas: &Formulas, inputs: &Inputs) -> u32 {
        let Some(goal) = self.settings.goal.as_ref().filter(|goal| goal.is_guiding) else { return 0 };
        let index = site as usize;
        if self.distances.len() <= index {
            self.distances.resize(index + 1, None);
        }
        let far = match self.distances.get(index).copied().flatten() {
            Some(far) => far,
            None => {
                let place = self.runner.executor.place_of(self.trie.sites().site(site));
                // What is decided before the code runs, or by inputs, is as near as the nearest.
                let far = place.map_or(0, |place| (goal.distance)(&place).map_or(ASTRAY, |calls| calls * CALL));
                if let Some(known) = self.distances.get_mut(index) {
                    *known = Some(far);
                }
                far
            }
        };
        let error = branch_distance(formulas, condition, &inputs.values);
        far + (1.0 + error).log2().clamp(0.0, FARTHEST) as u32
    }

    /// Takes note of where a run came. The search ends with the first that comes to its goal.
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
