//! Paths of runs: what was decided, where and why; how runs end; what was lost on the way. And what an executor is.
//!
//! Everything that the search knows of a run is here, so that it does not matter who runs it. Knows no machine, no heap,
//! no solver and no language.

mod belongs;
mod event;
mod executor;
pub mod functions;
mod input;
mod labels;
mod loss;
mod outcome;
mod play;
mod recorder;
mod site;
mod surrounding;
mod watch;
mod witness;

pub use belongs::{Checker, belongs};
pub use event::{Decision, Event, Way, Ways};
pub use executor::{Alarm, Call, CallEnd, Executor, Followed, Following, Played, Replayed};
pub use functions::{Sort, has_functions};
pub use input::{Input, InputValue, Value};
pub use labels::{Label, Labels, Part, labels_inside};
pub use loss::Concretised;
pub use outcome::{Class, Outcome, ProcessId, Raised, Stop, TraceEntry};
pub use play::{Answer, Broken, Plan, Said, by_label};
pub use recorder::Recorder;
pub use site::{Place, Site, SitePlace};
pub use surrounding::Surrounding;
pub use watch::{Goal, Recurrence, Repetition, StatePath, Watched};
pub use witness::{Application, Entry, Function, Is, Node, Table, Witness};
