//! The answer to a query, and the tier that gave it.

use crate::Unknown;
use formula::{Assignment, TermId};
use term::Term;

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Sat(Solution),
    Unsat {
        by: TierName,
        refuter: Refuter,
    },
    /// No tier decided it, for this reason.
    Unknown(Unknown),
}

impl Answer {
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat { .. })
    }

    /// Returns the tier that decided the query, if one did.
    pub fn by(&self) -> Option<TierName> {
        match self {
            Answer::Sat(solution) => Some(solution.by),
            Answer::Unsat { by, .. } => Some(*by),
            Answer::Unknown(_) => None,
        }
    }
}

/// Inputs that satisfy a query: all of its conditions were evaluated with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    pub by: TierName,
    pub values: Assignment,
    /// How they differ from the parent's values.
    pub model: Model,
}

/// Changes to the parent's values: a new term for each position (a variable, or a part of one: `Item`, `Rest`,
/// `Element`, `MapGet` …). A model is small even if the inputs are large.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Model {
    pub changes: Vec<(TermId, Term)>,
}

/// The tiers that may decide a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TierName {
    /// Refutes with sets of terms, and finds solutions by guessing backwards from the wanted condition.
    Guesses,
    /// The query was answered before.
    Cache,
    /// All values of inputs that have few were tried.
    FewValues,
    /// Bounds of arithmetic refute.
    Bounds,
    /// A function that is known by samples was sampled at a point that solves the query.
    SampledPoints,
    /// The concolic walk moved numbers until all conditions held.
    Walk,
    /// The SMT solver.
    Smt,
    /// Conditions were repaired one by one, or likely values were tried.
    Trial,
}

/// The source of a claim that a query has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refuter {
    /// Our own reasoning.
    Native,
    /// The SMT solver. The same conditions have the same id, whichever run they come from.
    Smt(RefutationId),
}

/// Two independent hashes of a set of conditions. It is practically impossible that both agree for different sets.
pub type RefutationId = (u64, u64);
