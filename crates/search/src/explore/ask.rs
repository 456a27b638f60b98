//! Asks the solver for inputs, within the bound on their size.

use super::Explorer;
use crate::Loss;
use crate::records::Path;
use crate::runner::{Inputs, Sampler};
use crate::size::{exceeds, within};
use formula::{Assignment, Evaluation, Formulas, Learner, TermId};
use solver::{Answer, Query, Refuter};

/// The longest path for which a model is evaluated.
const LONGEST_CHECKED: usize = 2_000;
/// The maximum number of conditions on the size of inputs in one query.
const MOST_LIMITS: usize = 64;

/// The answer to a query for inputs.
pub(super) enum Asked<T> {
    Inputs(T),
    /// There are no such inputs.
    Refuted(Refuter),
    /// No tier could decide it. The loss is already recorded.
    Open,
}

impl Explorer<'_> {
    /// Asks for inputs within the bound on their size, starting with inputs that may exceed it.
    pub(super) fn shorten(
        &mut self,
        path: &mut Path,
        at: usize,
        wanted: TermId,
        inputs: &Inputs,
        mut changed: Assignment,
        bound: usize,
    ) -> Asked<Assignment> {
        let mut limits = Vec::new();
        while changed.values().any(|term| exceeds(term, bound)) {
            let more = within(&mut path.formulas, &changed, bound);
            if more.is_empty() || limits.len() > MOST_LIMITS {
                self.undecided(Loss::NotWithinSizeBound);
                return Asked::Open;
            }
            limits.extend(more);
            let before = [&limits[..], &path.held[..at]].concat();
            changed = match self.ask_with(path, &before, wanted, inputs, false) {
                Asked::Inputs(shorter) => shorter,
                Asked::Open => return Asked::Open,
                refuted @ Asked::Refuted(_) => {
                    self.lose(Loss::SizeBound);
                    return refuted;
                }
            };
        }
        Asked::Inputs(changed)
    }

    /// Asks for inputs that take another side. `is_screened` says that the screening of the path did not find them.
    pub(super) fn ask(
        &mut self,
        path: &mut Path,
        at: usize,
        wanted: TermId,
        inputs: &Inputs,
        is_screened: bool,
    ) -> Asked<Assignment> {
        let held = std::mem::take(&mut path.held);
        let answer = self.ask_with(path, &held[..at], wanted, inputs, is_screened);
        path.held = held;
        answer
    }

    /// Asks all tiers of the solver.
    fn ask_with(
        &mut self,
        path: &mut Path,
        before: &[TermId],
        wanted: TermId,
        inputs: &Inputs,
        is_screened: bool,
    ) -> Asked<Assignment> {
        self.exploration.queries += 1;
        self.solver.set_time_left(self.host.time_left());
        let learner = &Sampler::new(&mut self.runner);
        let query = Query::new(&mut path.formulas, &inputs.values, before, wanted, learner);
        let mut query = if is_screened { query.after_screening() } else { query };
        match self.solver.solve(&mut query) {
            Answer::Sat(solution) => Asked::Inputs(solution.values),
            Answer::Unsat { refuter, .. } => {
                self.exploration.unsat += 1;
                Asked::Refuted(refuter)
            }
            // At the end of a search the solver has little time. The verdict says that the time was over.
            Answer::Unknown(_) if self.host.out_of_time() => Asked::Open,
            Answer::Unknown(why) => {
                self.undecided(Loss::Undecided(why));
                Asked::Open
            }
        }
    }
}

/// Returns whether these values take the path up to a decision, and the wanted side there. Evaluating them costs less
/// than the run that this may save. A very long path is not evaluated: the run itself is the check.
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
    // This is roughly the number of the conditions and their parts.
    evaluation.reserve(3 * before.len());
    before.iter().chain([&wanted]).all(|condition| evaluation.holds(*condition) == Some(true))
}
