//! Finds inputs that satisfy conditions. Knows formulas only: no machine, no language.
//!
//! A tier answers what it is sure of and leaves the rest to the next. Every model is evaluated before it
//! is believed: one that does not satisfy the query is a defect of its tier, counted, and never an input.

mod cache;
mod chain;
mod deadline;
mod layout;
mod native;
mod slice;
mod smt;
#[cfg(test)]
mod tests;
mod trial;
mod unknown;
mod walk;

pub use chain::{Chain, SmtSettings, SmtState, Statistics};
pub use layout::apply;
pub use smt::process::Limit;
pub use smt::recheck::{Distrusted, Opinion, RefutationId, Refuter, distrust, solver_name};
pub use unknown::{SmtFailure, Unknown};
pub use walk::WalkSettings;

use formula::{Assignment, Formulas, Learner, TermId};
use std::time::Duration;
use term::Term;

/// What a flip asks for: all of these conditions at once.
pub struct Query<'a> {
    pub formulas: &'a mut Formulas,
    /// The values of the run that the conditions are from.
    pub parent: &'a Assignment,
    /// What held in that run before the decision, in the order of its path: all of them hold for `parent`.
    pub before: &'a [TermId],
    /// What is to hold instead.
    pub wanted: TermId,
    /// Evaluates functions that have no meaning here.
    pub learner: &'a dyn Learner,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Sat(Model),
    Unsat(Refuter),
    /// Nobody decided it, for this reason.
    Unknown(Unknown),
}

impl Answer {
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }
}

/// What is to be changed in the parent's values: at a position (a variable, or a part of one: `Item`,
/// `Rest`, `Element`, `MapGet` …) stands this term now. Small, whatever the size of the inputs.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Model {
    pub changes: Vec<(TermId, Term)>,
}

/// One step of a path for [`Solver::screen`]: what held there, and the ways that are still to be tried.
pub struct Step {
    pub held: TermId,
    pub others: Vec<TermId>,
}

/// How a way was decided without asking anyone outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Screened {
    Sat(Model),
    Unsat,
    /// For [`Solver::solve`].
    Open,
}

/// The chain of tiers.
pub trait Solver {
    /// Decides what the native tiers can decide of a whole path, in one walk along it: the answers are in
    /// the order of the steps and their `others`. Costs at most n log n in the length of the path.
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[Step]) -> Vec<Vec<Screened>>;

    /// Decides one flip with every tier.
    fn solve(&mut self, query: &mut Query<'_>) -> Answer;

    /// What is asked from now on should be answered within this time: what is not decided by then stays open.
    fn set_time_left(&mut self, _left: Option<Duration>) {}

    /// A search begins. What is left to chance in it follows from this number.
    fn begin_search(&mut self, _seed: u64) {}

    /// Asks somebody else about a query that the SMT solver refuted. After a disagreement that one is not asked any more.
    fn recheck(&mut self, _query: &mut Query<'_>) -> Opinion {
        Opinion::Undecided
    }

    /// A solver that was asked since the search began, and was caught with a wrong answer since, here or elsewhere.
    fn liar(&mut self) -> Option<String> {
        None
    }
}
