//! Runs programs and records branches. Knows no solver, no file, no clock, and no language beyond
//! what the [`Language`] trait asks.
//!
//! `value` is the one-word value and its heap; `primitive` the rows of native operations; `compile`
//! turns the IR into compact code with resolved slots; `run` executes it on explicit stacks; `symbolic` is
//! what operations mean on values that have shadows.

#![cfg_attr(not(test), warn(clippy::disallowed_macros))]

mod compile;
mod context;
mod language;
mod path;
mod primitive;
mod run;
mod stop;
mod surrounding;
mod symbolic;
pub mod value;

pub use context::{
    Alarm, CallTarget, Class, Context, Escape, Exception, Foreign, ForeignAnswer, Load, NoAnswer, Player, Process,
    Question, Stop, TraceStart, World,
};
pub use language::{Gate, Language, LanguageState, Misuse, StatePart, TraceFrame};
pub use path::{Decision, Event, Loss, Recorder, Site, Way};
pub use primitive::{
    Arithmetic, Compare, Concrete, Domain, Fast, Formula, Look, Looks, Meaning, Most, Outside, Primitive, Requires,
    Symbolic, Test, list_items, proper_length,
};
pub use run::{
    Called, Goal, Limits, Machine, ModuleSource, NoModules, Outcome, Part, Raised, Recurrence, Repetition, SitePlace,
    TraceEntry, Watched,
};
pub use surrounding::Surrounding;
pub use symbolic::NoFormula;
pub use value::{BitBuilder, BitsRef, Heap, Kind, Word};
