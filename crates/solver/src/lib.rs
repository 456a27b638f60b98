//! Finds inputs that satisfy conditions.
//!
//! A chain of tiers answers queries. Each tier answers only what it is certain of and leaves the rest to the next one.
//! Every model is evaluated before it is used: a model that does not satisfy its query counts as a defect of its tier and
//! never becomes an input. This crate knows formulas, but no machine and no language.

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

/// One step of a path for [`Solver::screen`]: the condition that held, and those of the alternatives still to be tried.
pub struct Step {
    pub held: TermId,
    pub others: Vec<TermId>,
}

/// The result of screening one alternative.
#[derive(Clone, Debug, PartialEq)]
pub enum Screened {
    Sat(Model),
    Unsat,
    /// Undecided: [`Solver::solve`] is asked later.
    Open,
}

/// The chain of tiers.
pub trait Solver {
    /// Decides as many alternatives of a whole path as possible in one pass, without the SMT solver. The answers are in
    /// the order of the steps and their `others`. The cost is at most n log n in the length of the path.
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[Step]) -> Vec<Vec<Screened>>;

    /// Decides one flip with all tiers.
    fn solve(&mut self, query: &mut Query<'_>) -> Answer;

    /// Limits the time for all further queries. Queries that are not decided by then stay undecided.
    fn set_time_left(&mut self, _left: Option<Duration>) {}

    /// Starts a search whose random choices follow from this seed.
    fn begin_search(&mut self, _seed: u64) {}

    /// Asks the second solver about a query that the SMT solver refuted. After a disagreement, the latter is not used any
    /// more.
    fn recheck(&mut self, _query: &mut Query<'_>) -> Opinion {
        Opinion::Undecided
    }

    /// A solver that was used in this search and has given a wrong answer since, in this search or another one.
    fn liar(&mut self) -> Option<String> {
        None
    }
}
