//! Running compiled code.

mod bits;
mod calls;
mod fast;
mod loads;
mod machine;
mod program;
mod raise;
mod slow;
mod state;
mod step;
mod watch;

pub use machine::{Limits, Machine, Outcome, Raised, SitePlace, TraceEntry};
pub(crate) use program::Program;
pub use program::{ModuleSource, NoModules};
pub use watch::{Called, Goal, Part, Recurrence, Repetition, Watched};
