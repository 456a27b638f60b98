//! Ranks findings by how much they are worth reading.
//!
//! Every finding carries [`Signals`]: facts about the failure, the specification, the inputs and the code around it,
//! collected when the finding is judged. [`rank`] is a pure function from these to a category, a score and the reasons
//! in plain words, so that it can be measured without running anything: `make rank` does so on labelled findings of
//! public libraries.
//!
//! Three categories are decided by rules: things that are missing in the environment, exceptions that the code raises
//! on purpose, and inputs that hardly any caller passes. The score splits the rest into likely bugs and disagreements
//! between a specification and the code.

mod score;
mod signals;
#[cfg(test)]
mod tests;

pub use score::{Category, Ranking, fails_to_read, rank, ruled, weighed};
pub use search::Missing;
pub use signals::{Callers, Documentation, Exception, InputTraits, Neighbours, Origin, Outcome, Signals, WrongPart};
