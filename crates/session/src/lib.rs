//! What every command needs before it can run or search anything: a session, which ties the code of a program, the
//! machine and the real runtime together; contracts of functions; functions that are not to be looked into.
//!
//! Commands, tests, benchmarks and fuzzers all run their programs here. Knows no argument of the command line and drives
//! no search.

mod opaque;
mod outcome;
mod session;

pub use opaque::Opaque;
pub use outcome::{Report, print_outcome};
pub use session::{EvaluateError, Patience, Prepared, Session, SessionError, UnitError, Usage, contract_and_modules};
