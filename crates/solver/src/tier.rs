//! The trait of a tier, and what tiers share.

use crate::deadline::Deadline;
use crate::smt::process::SmtProcess;
use crate::{Answer, Query};

/// A method to answer queries. A tier answers only what it is certain of and leaves the rest to the next one. Its
/// intermediate results (states, models that nearly fit, the reason why it has no answer) stay in the query.
///
/// A tier that answers `Sat` has evaluated all conditions with the values: see [`Query::solution`].
pub(crate) trait Tier {
    fn answer(&mut self, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer>;

    /// Forgets the answers of a solver that is not trusted any more.
    fn forget(&mut self) {}
}

/// The state that tiers share.
pub(crate) struct Tools {
    /// The SMT solver, or why there is none.
    pub smt: Result<SmtProcess, String>,
    /// The time after which answers are too late.
    pub deadline: Deadline,
    /// Seed of the random choices of a search.
    pub seed: u64,
    /// Number of models that did not satisfy their query.
    pub defects: u64,
}

impl Tools {
    pub fn new(smt: Result<SmtProcess, String>) -> Tools {
        Tools { smt, deadline: Deadline::default(), seed: 0, defects: 0 }
    }
}

/// Tiers that are asked one after the other.
pub(crate) type Tiers = Vec<Box<dyn Tier>>;

/// Returns the first answer that a tier gives.
pub(crate) fn first_answer(tiers: &mut Tiers, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer> {
    tiers.iter_mut().find_map(|tier| tier.answer(query, tools))
}

pub(crate) fn forget_all(tiers: &mut Tiers) {
    tiers.iter_mut().for_each(|tier| tier.forget());
}
