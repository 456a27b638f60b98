//! What every command needs before it can run or search anything: a session, which ties the loader, the machine and
//! the real runtime together; contracts of functions; names, values and exceptions as people write them.
//!
//! Commands, tests, benchmarks and fuzzers all open their programs here. Knows no argument of the command line, no
//! budget of time, and nothing of what a search finds.

mod attributes;
mod expectation;
mod names;
mod opaque;
mod outcome;
mod parameters;
mod pattern;
mod printer;
#[expect(clippy::module_inception)]
mod session;

pub use attributes::Attributes;
pub use expectation::{Exceptions, Expectation};
pub use names::{function_name, print_module, print_name};
pub use opaque::Opaque;
pub use outcome::{Report, elixir_exception_report, exception_report, print_outcome, stack};
pub use parameters::parameters;
pub use pattern::{Pattern, full_name};
pub use printer::{Language, Languages};
pub use session::{
    EvaluateError, Evaluation, Patience, Prepared, Session, SessionConfig, SessionError, UnitError, Usage,
    contract_and_modules,
};
