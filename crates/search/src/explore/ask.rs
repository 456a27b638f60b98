//! Asking the solver for inputs, within the bound on their size.

use super::Explorer;
use crate::records::Path;
use crate::runner::{Inputs, Sampler};
use crate::size::{exceeds, within};
use formula::{Assignment, Evaluation, Formulas, Learner, TermId};
use solver::{Answer, Query};

/// Decisions before which a model is evaluated.
const LONGEST_CHECKED: usize = 2_000;
/// Conditions on the size of inputs that are added to one query.
const MOST_LIMITS: usize = 64;

impl Explorer<'_> {
    /// The same with inputs within the bound on their size, if there are such.
    pub fn shorten(
        &mut self,
        path: &mut Path,
        at: usize,
        wanted: TermId,
        inputs: &Inputs,
        mut changed: Assignment,
        bound: usize,
    ) -> Option<Assignment> {
        let mut limits = Vec::new();
        while changed.values().any(|term| exceeds(term, bound)) {
            let more = within(&mut path.formulas, &changed, bound);
            if more.is_empty() || limits.len() > MOST_LIMITS {
                self.undecided("inputs within the bound on their size");
                return None;
            }
            limits.extend(more);
            let before = [&limits[..], &path.held[..at]].concat();
            let unsat = self.told.unsat;
            let shorter = self.ask_with(path, &before, wanted, inputs);
            if self.told.unsat > unsat {
                self.lose(crate::SIZE_BOUND);
            }
            changed = shorter?;
        }
        Some(changed)
    }

    pub fn ask(&mut self, path: &mut Path, at: usize, wanted: TermId, inputs: &Inputs) -> Option<Assignment> {
        let held = std::mem::take(&mut path.held);
        let answer = self.ask_with(path, &held[..at], wanted, inputs);
        path.held = held;
        answer
    }

    /// All tiers of the solver.
    fn ask_with(&mut self, path: &mut Path, before: &[TermId], wanted: TermId, inputs: &Inputs) -> Option<Assignment> {
        self.told.queries += 1;
        self.solver.set_time_left(self.host.time_left());
        let learner = &Sampler::new(&mut self.runner);
        let query = &mut Query { formulas: &mut path.formulas, parent: &inputs.values, before, wanted, learner };
        match self.solver.solve(query) {
            Answer::Sat(model) => {
                let laid = solver::apply(&path.formulas, &inputs.values, &model);
                let changed = laid.filter(|values| satisfies(&path.formulas, before, wanted, values, learner));
                if changed.is_none() {
                    self.undecided("a model that does not satisfy its query");
                }
                changed
            }
            Answer::Unsat => {
                self.told.unsat += 1;
                None
            }
            // Near its end, a search leaves the solver little time, which the verdict says.
            Answer::Unknown(_) if self.host.out_of_time() => None,
            Answer::Unknown(why) => {
                self.undecided(&why);
                None
            }
        }
    }
}

/// Do these values take the path up to a decision, and there the wanted way? It costs less than the run that
/// it may save. Of a very long path, the run itself is the check.
pub fn satisfies(
    formulas: &Formulas,
    before: &[TermId],
    wanted: TermId,
    values: &Assignment,
    learner: &dyn Learner,
) -> bool {
    if before.len() > LONGEST_CHECKED {
        return true;
    }
    let mut evaluation = Evaluation::new(formulas, values).learning(learner);
    // About as many as the conditions and what they are made of.
    evaluation.reserve(3 * before.len());
    before.iter().chain([&wanted]).all(|condition| evaluation.holds(*condition) == Some(true))
}
