//! Rows on the machine, with modules as they are loaded: what the prelude says, and what symbolic
//! arguments change.

mod prelude;
mod support;
mod symbolic;
