//! Running compiled code.

mod bits;
mod calls;
mod fast;
mod loads;
mod machine;
mod program;
mod raise;
mod schedule;
mod slow;
mod state;
mod step;
mod watch;

pub use machine::{Limits, Machine};
pub(crate) use program::Program;
pub use program::{ModuleSource, NoModules};
pub(crate) use schedule::{live_words, show_stack};
pub(crate) use step::Frame;
