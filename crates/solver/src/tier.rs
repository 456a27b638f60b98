//! What a tier is.

use crate::deadline::Deadline;
use crate::smt::process::SmtProcess;
use crate::{Answer, Query};

/// One way to answer queries. A tier answers what it is sure of and leaves the rest to the next one; what it finds out on
/// the way (states, models that nearly fit, why it does not know) it leaves in the query.
///
/// A tier that says `Sat` has evaluated all conditions with the values: see [`Query::solution`].
pub(crate) trait Tier {
    fn answer(&mut self, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer>;

    /// Forgets what a solver said that is not trusted any more.
    fn forget(&mut self) {}
}

/// What tiers share.
pub(crate) struct Tools {
    /// The SMT solver, or why there is none.
    pub smt: Result<SmtProcess, String>,
    /// When answers come too late.
    pub deadline: Deadline,
    /// Decides everything that is left to chance in a search.
    pub seed: u64,
    /// Counts models that did not satisfy their query.
    pub defects: u64,
}

impl Tools {
    pub fn new(smt: Result<SmtProcess, String>) -> Tools {
        Tools { smt, deadline: Deadline::default(), seed: 0, defects: 0 }
    }
}

/// Tiers that are asked one after the other.
pub(crate) type Tiers = Vec<Box<dyn Tier>>;

/// The first answer that a tier gives.
pub(crate) fn first_answer(tiers: &mut Tiers, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer> {
    tiers.iter_mut().find_map(|tier| tier.answer(query, tools))
}

pub(crate) fn forget_all(tiers: &mut Tiers) {
    tiers.iter_mut().for_each(|tier| tier.forget());
}
