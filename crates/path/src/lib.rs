//! Paths of runs: their decisions, outcomes and losses; and the [`Executor`] trait, which runs functions and records
//! paths.
//!
//! The search learns everything about a run from these types, so it does not depend on any particular executor. This
//! crate knows no machine, no heap, no solver and no language.

mod belongs;
mod clauses;
mod client;
mod event;
mod executor;
pub mod functions;
mod input;
mod labels;
mod loss;
mod mark;
mod outcome;
mod play;
mod question;
mod recorder;
mod schedule;
mod setup;
mod site;
mod surrounding;
mod trace;
mod watch;
mod witness;

pub use belongs::{Checker, belongs};
pub use clauses::{Clauses, Life};
pub use client::{
    Act, Argument, At, Client, ClientPlan, Given, Need, Operation, PlannedCall, PlannedParam, Role, Scenario,
    Signature, Step, TypeLabel, Wanted,
};
pub use event::{Decision, Event, Way, Ways};
pub use executor::{Alarm, Call, CallEnd, Executor, Followed, Following, Played, Replayed, Wrapper};
pub use functions::{Sort, has_functions};
pub use input::{Input, InputValue, Stranger, Value};
pub use labels::{Label, Labels, Part, labels_inside};
pub use loss::Concretised;
pub use mark::{Mark, Marks};
pub use outcome::{Class, Outcome, ProcessId, ProcessName, Raised, Reach, Stop, TraceEntry, Waiting};
pub use play::{Answer, Broken, Plan, Said, by_label};
pub use question::{Asks, Constructor, Down, Position, Question, Tested};
pub use recorder::Recorder;
pub use schedule::{Turn, Turns};
pub use setup::Setup;
pub use site::{Place, Site, SitePlace};
pub use surrounding::{OwnState, Surrounding};
pub use trace::{Told, Trace, TraceEvent, TraceKind, TraceLimits};
pub use watch::{Goal, Recurrence, Repetition, StatePath, Watched};
pub use witness::{Application, Entry, Function, FunctionNode, Is, Table, Witness};
