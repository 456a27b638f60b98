//! Ways that were never taken, and that no input takes behind the decisions of the run that came past them. Behind
//! others there may be one: what counts up to a number and then asks for the number can be asked of every number,
//! one path for each. So what the way itself asks for is tried, whatever path leads there.
//!
//! It only adds inputs, as seeds do. Where everything is decided anyway nothing is tried.

use super::ask::satisfies;
use super::{Explorer, Purpose};
use crate::runner::Inputs;
use crate::size::exceeds;
use crate::trie::Step;
use rustc_hash::FxHashSet;
use solver::{Answer, Query};
use std::collections::VecDeque;
use std::rc::Rc;

/// Runs between two tries.
const EVERY: u64 = 64;
/// Tries that wait. Each keeps a run.
const MOST: usize = 256;

#[derive(Default)]
pub struct Hopes {
    known: FxHashSet<Step>,
    open: VecDeque<Hope>,
    last: u64,
}

struct Hope {
    run: u32,
    decision: u32,
    step: Step,
}

impl Explorer<'_> {
    /// A way that has no solution behind the run's decisions. Each is tried once.
    pub fn hope(&mut self, run: u32, decision: u32, step: Step) {
        if self.hopes.open.len() < MOST
            && self.coverage.is_user(step.site)
            && !self.coverage.is_taken(step)
            && self.hopes.known.insert(step)
        {
            self.records.wait(run);
            self.hopes.open.push_back(Hope { run, decision, step });
        }
    }

    /// One of them is due, or all that is left.
    pub fn is_hope_due(&self, is_left: bool) -> bool {
        !self.hopes.open.is_empty()
            && if is_left { self.told.runs >= self.hopes.last + EVERY } else { !self.told.losses.is_empty() }
    }

    pub fn try_hope(&mut self) {
        self.hopes.last = self.told.runs;
        let Some(Hope { run, decision, step }) = self.hopes.open.pop_front() else { return };
        if !self.coverage.is_taken(step)
            && let Some(inputs) = self.hoped_for(run, decision, step.way)
        {
            self.run_hope(inputs);
        }
        self.records.release(run);
    }

    /// The path there may be very long, and is followed only if it is not: what comes of it is seen without.
    fn run_hope(&mut self, inputs: Inputs) {
        let (judged, used) = self.runner.concrete(&inputs, self.settings.most_steps);
        if used < self.settings.steps {
            return self.run(inputs, self.settings.steps, Purpose::default());
        }
        self.told.runs += 1;
        self.conclude(&inputs, self.settings.most_steps, judged, 0);
    }

    /// Inputs that meet what the way asks for, and nothing else.
    fn hoped_for(&mut self, run: u32, decision: u32, way: u32) -> Option<Inputs> {
        let inputs = self.records.inputs(run)?;
        let mut path = self.path(run)?;
        let wanted = path.events.get(decision as usize).map(|event| event.condition(way, &mut path.formulas));
        let found = wanted.and_then(|wanted| {
            self.told.queries += 1;
            self.solver.set_time_left(self.host.time_left());
            let query = &mut Query { formulas: &mut path.formulas, parent: &inputs.values, before: &[], wanted };
            match self.solver.solve(query) {
                Answer::Sat(model) => solver::apply(&path.formulas, &inputs.values, &model)
                    .filter(|values| satisfies(&path.formulas, &[], wanted, values)),
                Answer::Unsat | Answer::Unknown(_) => None,
            }
        });
        self.records.keep_path(run, path, self.path_memory());
        let bound = self.settings.size_bound.unwrap_or(usize::MAX);
        let found = found.filter(|values| !values.values().any(|term| exceeds(term, bound)))?;
        Some(Inputs { values: Rc::new(found), prepared: Rc::clone(&inputs.prepared) })
    }
}
