//! The corpus: small Erlang files that claim what calls give, and the real BEAM that writes those claims.
//!
//! A case is read by [`parse`], the whole corpus by [`read_corpus`]. Whoever can evaluate an expression
//! next to a case is a [`Subject`]; [`Beam`] is the one that is right by definition: [`bless`] lets it
//! write the right-hand sides, and [`run_trials`] asks any other subject for the same answers. Whoever can
//! explore a function is a [`Searcher`], and is held to the claims about searches by [`run_search_trials`].
//! Knows no machine, no program and no solver; it does not even know what the expressions mean.

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
pub use harness::{BLESSED_RELEASE, Disagreement, Gaps, check, run_search_trials, run_trials};
pub use verify::{End, Failure, Found, Searched, Searcher, check_search};

/// Evaluates expressions in the company of a case.
pub trait Subject {
    /// What the expression gives when the case's module is there to be called, in the notation of a
    /// claim's right-hand side: the value as `~0tp` prints it, or `error`, `exit` or `throw` and the
    /// reason printed likewise. Calls without a module are calls of the case's own exported functions,
    /// unless they are of BIFs that need no module. Each evaluation has a fresh mailbox and dictionary.
    ///
    /// A subject that cannot evaluate says why in a sentence, which then equals no expectation.
    fn evaluate(&mut self, case: &Case, expression: &str) -> String;
}
