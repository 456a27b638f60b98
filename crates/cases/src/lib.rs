//! The corpus of cases: small Erlang files with claims about calls, whose results the real BEAM writes.
//!
//! [`parse`] reads a case, [`read_corpus`] the whole corpus. A [`Subject`] evaluates an expression next to a case. [`Beam`] is
//! the subject that is right by definition: [`bless`] has it write the results, and [`Suites`] compare any other
//! subject with them, and check what a [`Searcher`] that explores a function finds.
//! This crate knows no machine, no program and no solver, and does not interpret the expressions.

mod beam;
mod bless;
mod case;
mod claims;
mod corpus;
mod harness;
mod verify;

pub use beam::{Beam, BeamError};
pub use bless::{BlessError, bless};
pub use case::{Case, CaseError, Claim, parse};
pub use claims::{Demand, FailurePattern, Finds, Order, Relation, SearchClaim, SearchOptions};
pub use corpus::{CorpusError, corpus_root, read_case, read_corpus};
pub use harness::{BLESSED_RELEASE, Disagreement, Gaps, Suites, check};
pub use verify::{End, Failure, Found, Searched, Searcher, check_search};

/// A machine or runtime that evaluates expressions with the module of a case.
pub trait Subject {
    /// Returns the result of the expression when the case's module can be called, in the notation of a claim's
    /// right-hand side: the value as `~0tp` prints it, or `error`, `exit` or `throw` and the reason printed in the same
    /// way. Calls without a module are calls of the case's own exported functions, unless they are of BIFs that need no
    /// module. Each evaluation has a fresh mailbox and dictionary.
    ///
    /// A subject that cannot evaluate the expression returns a sentence with the reason, which then equals no
    /// expectation.
    fn evaluate(&mut self, case: &Case, expression: &str) -> String;
}
