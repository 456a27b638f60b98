//! Asking the solver for inputs, within the bound on their size.

use super::Explorer;
use crate::Loss;
use crate::records::Path;
use crate::runner::{Inputs, Sampler};
use crate::size::{exceeds, within};
use formula::{Assignment, Evaluation, Formulas, Learner, TermId};
use solver::{Answer, Query, Refuter};

/// Decisions before which a model is evaluated.
const LONGEST_CHECKED: usize = 2_000;
/// Conditions on the size of inputs that are added to one query.
const MOST_LIMITS: usize = 64;

/// What came of asking for inputs.
pub(super) enum Asked<T> {
    Inputs(T),
    /// There are none.
    Refuted(Refuter),
    /// No tier could decide it. The loss is recorded already.
    Open,
}

impl Explorer<'_> {
    /// The same with inputs within the bound on their size, if there are such.
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

    /// Inputs that go another way; `is_screened` if the screening of the path did not find them.
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

    /// All tiers of the solver.
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
            // Near its end, a search leaves the solver little time, which the verdict says.
            Answer::Unknown(_) if self.host.out_of_time() => Asked::Open,
            Answer::Unknown(why) => {
                self.undecided(Loss::Undecided(why));
                Asked::Open
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
