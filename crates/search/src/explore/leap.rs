//! Leaps: if a side that no run took cannot be taken after the decisions of a path, its condition alone is solved, and
//! the run that follows decides everything anew. A library or a loop may have decided many things about the values that
//! are finally compared; this way, all these decisions change at once to fit the wanted values.
//!
//! A leap is a guess like a seed: it adds a path to the tree, and nothing is concluded from it.

use super::{Explorer, Purpose};
use crate::queue::{Candidate, Way};
use crate::runner::{Concrete, Inputs, Sampler};
use crate::size::exceeds;
use crate::trie::Side;
use formula::{Assignment, Evaluation};
use solver::{Answer, Query};

/// The maximum number of leaps to one side of one decision.
const MOST_LEAPS: u32 = 8;
/// The cost of a leap: more than a decision of the user, less than one of a library.
const LEAP: u16 = 3;
/// The least number of earlier decisions that a leap must break. If only one decision forbids the side, flipping it
/// finds the side, unless very many decisions are like it; so the first leap may break just one.
const LEAST_BROKEN: usize = 2;

impl Explorer<'_> {
    /// Puts a leap into the queue in place of a candidate without a solution.
    pub(super) fn offer_leap(&mut self, candidate: Candidate, step: Side) {
        self.record_refuted(step);
        if self.coverage.is_missing(step) && self.leaps.get(&step).is_none_or(|leaps| *leaps < MOST_LEAPS) {
            self.push(Candidate { way: Way::Leap(step.way), extra: LEAP, ..candidate });
        }
    }

    pub(super) fn leap(&mut self, run: u32, decision: u32, way: u32) {
        let Some(step) = self.trie.path(run).get(decision as usize).copied() else { return };
        let step = Side { way, ..step };
        let leaps = self.leaps.get(&step).copied().unwrap_or(0);
        if !self.coverage.is_missing(step) || leaps >= MOST_LEAPS {
            return;
        }
        let Some(inputs) = self.records.inputs(run) else { return };
        let least = if leaps == 0 { 1 } else { LEAST_BROKEN };
        let Some(values) = self.solve_alone(run, decision as usize, way, &inputs, least) else { return };
        self.leaps.insert(step, leaps + 1);
        let record = self.records.get(run);
        let (steps, stale) = (record.steps, record.stale);
        let inputs = inputs.changed(values);
        // The path may be very long. So the run is first made without shadows, and followed only if it is short.
        if !inputs.has_functions() {
            let Concrete { judged, steps: used, marks, .. } = self.runner.concrete(&inputs, self.settings.most_steps);
            self.arrive(&inputs, &marks);
            if used >= self.settings.steps {
                self.exploration.runs += 1;
                return self.conclude(Some(&inputs), self.settings.most_steps, judged, 0);
            }
        }
        self.run(inputs, steps, Purpose { stale, ..Purpose::default() });
    }

    /// Returns values that fulfil the condition of a side and break at least `least` of the decisions before it.
    fn solve_alone(&mut self, run: u32, at: usize, way: u32, inputs: &Inputs, least: usize) -> Option<Assignment> {
        let mut path = self.path(run)?;
        let wanted = path.events.get(at)?.condition(way, &mut path.formulas);
        self.solver.set_time_left(self.host.time_left());
        let learner = &Sampler::new(&mut self.runner);
        let query = &mut Query::new(&mut path.formulas, &inputs.values, &[], wanted, learner);
        self.exploration.queries += 1;
        let values = match self.solver.solve(query) {
            Answer::Sat(solution) => Some(solution.values),
            Answer::Unsat { .. } | Answer::Unknown(_) => None,
        };
        let bound = self.settings.size_bound;
        let values =
            values.filter(|values| bound.is_none_or(|bound| !values.values().any(|term| exceeds(term, bound))));
        let values = values.filter(|values| {
            let mut evaluation = Evaluation::new(&path.formulas, values);
            let broken = path.held[..at].iter().filter(|condition| evaluation.holds(**condition) != Some(true));
            broken.take(least).count() == least
        });
        self.records.keep_path(run, path, self.path_memory());
        values
    }
}
