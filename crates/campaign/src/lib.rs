//! Testing many functions: workers share the functions and the time among them, each search is driven by a host that
//! keeps its budget, findings go to the real runtime, and what came of everything is kept for the next command.
//!
//! Writes no report and nothing to standard output or error: an [`Observer`] and [`Warnings`] tell whoever started the
//! campaign. Knows no argument of the command line and no project. A single search without any of this is driven by
//! [`Until`].

mod campaign;
mod judge;
mod memory;
mod observer;
mod place;
mod results;
mod schedule;
mod single;
mod solving;
mod speaker;
mod target;
mod workers;

pub use campaign::{Campaign, Wish};
pub use judge::Judge;
pub use memory::Counting;
pub use observer::{Observer, Topic, Warnings};
pub use place::Files;
pub use results::Results;
pub use single::{Until, settings};
pub use solving::{Effort, SolverOptions, Timed, versions};
pub use target::{Seeds, Target};
pub use workers::{News, Resources, run};
