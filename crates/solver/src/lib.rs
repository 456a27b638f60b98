//! Finds inputs that satisfy conditions.
//!
//! A query goes through a chain of tiers. A tier answers what it is sure of and leaves the rest to the next one. Every
//! model is evaluated before it is believed: one that does not satisfy the query is a defect of its tier and is
//! counted; it never becomes an input.

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
pub use query::Query;
pub use smt::process::Limit;
pub use smt::recheck::{Distrusted, Opinion, distrust, solver_name};
pub use unknown::{SmtFailure, Unknown};
pub use walk::WalkSettings;

use formula::{Assignment, Formulas, TermId};
use std::time::Duration;

/// One step of a path for [`Solver::screen`]: the condition that held, and those of the alternatives still to be tried.
pub struct ScreeningStep {
    pub held: TermId,
    pub others: Vec<TermId>,
}

/// The result of screening one side.
#[derive(Clone, Debug, PartialEq)]
pub enum Screened {
    Sat(Model),
    Unsat,
    /// The screening cannot decide it: [`Solver::solve`] may.
    Open,
    /// The time was up before it was looked at: [`Solver::solve`] may decide it.
    Late,
}

/// Answers queries. The implementation is [`Chain`]; others wrap it.
pub trait Solver {
    /// Decides as much of a whole path as it can in one walk along it, without asking an SMT solver. The answers are in
    /// the order of the steps and their `others`. The cost is at most n log n in the length of the path.
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[ScreeningStep]) -> Vec<Vec<Screened>>;

    /// Decides one query with all tiers.
    fn solve(&mut self, query: &mut Query<'_>) -> Answer;

    /// Sets the time in which everything that is asked from now on should be answered. What is not decided by then
    /// stays open.
    fn set_time_left(&mut self, _left: Option<Duration>) {}

    /// Begins a search. Everything random in it follows from this seed.
    fn begin_search(&mut self, _seed: u64) {}

    /// Asks another solver about a query that the SMT solver refuted. After a disagreement, the first is not asked any
    /// more.
    fn recheck(&mut self, _query: &mut Query<'_>) -> Opinion {
        Opinion::Undecided
    }

    /// Returns the name of a solver that was asked since the search began and was caught with a wrong answer, here or
    /// elsewhere.
    fn liar(&mut self) -> Option<String> {
        None
    }
}
