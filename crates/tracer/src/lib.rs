//! The second executor: instrumented code on the real runtime.
//!
//! Code with events reports which clauses it chooses, on the runtime and on our machine alike: both run the same Core.
//! A run on the runtime delivers these choices, the results of functions outside of the program, and its end. The run
//! with shadows is rebuilt from that: the machine runs the same inputs, takes from the log what it cannot do itself,
//! and its choices are compared with those on the runtime. So places, formulas and paths are the machine's, and a
//! difference is a defect of ours with the event at which it begins (after Palacios and Vidal, who rebuild the symbolic
//! execution from the events alone).
//!
//! This crate knows no solver, no search and no language, and touches nothing outside the process itself:
//! `frontend::Code` runs calls for it.

mod compare;
mod events;
mod executor;
mod ledger;
mod log;
mod losses;
mod narrated;
mod relay;

pub use compare::{Compared, Difference, End, Excuse, Ours, compare, compare_losses};
pub use events::{Events, Kind, Place};
pub use executor::{Mode, Runtime, TracingExecutor};
pub use ledger::{Differing, Ledger, Words, in_words};
pub use log::Log;
pub use losses::{Losses, Lost};
pub use narrated::{FirstDifference, Observed, compare_traces, observe};
pub use relay::{LONG, RelayingExecutor};
