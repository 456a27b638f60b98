//! What the commands share: a session, which ties the loader, the machine and the real runtime
//! together. Tests, benchmarks and fuzzers use it as the commands do.

mod attributes;
mod expectation;
mod opaque;
mod outcome;
mod pattern;
mod session;

pub use attributes::Attributes;
pub use expectation::{Exceptions, Expectation};
pub use opaque::Opaque;
pub use outcome::{Report, elixir_exception_report, exception_report, print_outcome, stack};
pub use pattern::{Pattern, full_name};
pub use session::{
    EvaluateError, Evaluation, Patience, Session, SessionConfig, SessionError, Usage, contract_and_modules, contract_of,
};
