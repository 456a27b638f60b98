//! Finds inputs that satisfy conditions. Knows formulas only: no machine, no language.
//!
//! A tier answers what it is sure of and leaves the rest to the next. Every model is evaluated before it
//! is believed: one that does not satisfy the query is a defect of its tier, counted, and never an input.

mod answer;
mod cache;
mod chain;
mod deadline;
mod layout;
mod native;
mod query;
mod slice;
mod smt;
#[cfg(test)]
mod tests;
mod tier;
mod trial;
mod unknown;
mod walk;

pub use answer::{Answer, Model, RefutationId, Refuter, Solution, TierName};
pub use chain::{Chain, SmtSettings, SmtState, Statistics};
pub use layout::apply;
pub use query::{Query, smallest_values};
pub use smt::process::Limit;
pub use smt::recheck::{Distrusted, Opinion, distrust, solver_name};
pub use unknown::{SmtFailure, Unknown};
pub use walk::WalkSettings;

use formula::{Assignment, Formulas, TermId};
use std::time::Duration;

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
    /// For [`Solver::solve`] as well: the time was up before it was looked at.
    Late,
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
