//! What the commands share: a session, which ties the loader, the machine and the real runtime
//! together. Tests, benchmarks and fuzzers use it as the commands do.

mod opaque;
mod outcome;
mod session;

pub use opaque::{Opaque, declared as declared_opaque};
pub use outcome::{Report, elixir_exception_report, exception_report, print_outcome, stack};
pub use session::{EvaluateError, Session, SessionConfig, SessionError, Usage, contract_and_modules, contract_of};
