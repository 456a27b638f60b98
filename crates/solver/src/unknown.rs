//! Why a query stays undecided.

use crate::smt::process::SmtError;
use serde::{Deserialize, Serialize};
use term::FunctionName;

/// The reason why no tier could decide a query. `report` puts it into words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Unknown {
    /// The other tiers found nothing, and there is no SMT solver to ask.
    NoSmtSolver,
    /// The SMT solver gave up within its limits.
    SmtGaveUp,
    /// The SMT solver found no solution over the reals. Floats are not reals, so there may be one all the same.
    NotOverReals,
    /// The SMT solver's model could not be read.
    ModelUnreadable,
    /// The solution that the SMT solver describes is too large to be made.
    SolutionTooLarge,
    /// The SMT solver's model contradicts the types of the inputs.
    ModelNotLaidOut,
    /// The SMT solver's model leaves something open, and no way to fill it in satisfies the conditions.
    ModelIncomplete,
    /// Each model broke conditions that were not part of the question yet, until the rounds were used up.
    TooManyDependencies,
    /// The conditions depend on functions that are known by samples only.
    KnownBySamples(Vec<FunctionName>),
    /// The SMT solver failed.
    SmtFailed(SmtFailure),
}

/// The way in which an SMT solver failed in the middle of a query.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SmtFailure {
    /// It died earlier and could not be started again, for this reason.
    NotStarted(String),
    /// It died, or its pipes broke, as the operating system says it.
    Died(String),
    /// It did not answer in time.
    Silent,
    /// Its answer was longer than the limit.
    AnswerTooLong,
    /// It gave this answer, which does not fit the request.
    Unexpected(String),
}

impl From<SmtError> for Unknown {
    fn from(error: SmtError) -> Unknown {
        Unknown::SmtFailed(match error {
            SmtError::Start { reason, .. } => SmtFailure::NotStarted(reason.to_string()),
            other @ (SmtError::TooOld { .. } | SmtError::NoSolver { .. }) => SmtFailure::NotStarted(other.to_string()),
            SmtError::Died(reason) => SmtFailure::Died(reason.to_string()),
            SmtError::Silent => SmtFailure::Silent,
            SmtError::TooLong => SmtFailure::AnswerTooLong,
            SmtError::Unexpected(answer) => SmtFailure::Unexpected(answer),
        })
    }
}
