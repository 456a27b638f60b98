//! Tests many functions: distributes functions and time to workers, hosts each search within its budget, has the real
//! runtime judge findings, and keeps results for the next command.
//!
//! This crate writes no report and prints nothing: it informs its caller through an [`Observer`] and [`Warnings`]. It
//! has no knowledge of command lines and projects. [`Until`] drives a single search without any of this.

mod alternatives;
mod campaign;
mod judge;
mod memory;
mod observer;
mod place;
pub mod reaching;
mod results;
mod schedule;
mod signals;
mod single;
mod solving;
mod speaker;
mod target;
mod workers;

pub use alternatives::{Explained, Other, explain};
pub use campaign::{Campaign, RecordedAgain, Start, Starter, Wish};
pub use judge::{Judge, after_setups, is_same};
pub use memory::Counting;
pub use observer::{Observer, Topic, Warnings};
pub use place::Files;
pub use results::{Results, kept_findings};
pub use single::{Until, settings};
pub use solving::{Effort, SolverOptions, Timed, versions};
pub use target::{Seeds, Target};
pub use workers::{News, Resources, run};
