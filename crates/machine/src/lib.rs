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
mod primitive;
mod run;
mod symbolic;
pub mod value;

pub use context::{
    CallTarget, Context, Escape, Exception, Foreign, ForeignAnswer, Load, NoAnswer, Player, Process, Question,
    TraceStart, World,
};
pub use language::{Gate, Language, LanguageState, Misuse, Refusal, StatePart, TraceFrame};
pub use primitive::{
    Arithmetic, Compare, Concrete, Domain, Fast, Formula, Look, Looks, Meaning, Most, Outside, Primitive, Requires,
    Symbolic, Test, list_items, proper_length,
};
pub use run::{Limits, Machine, ModuleSource, NoModules};
pub use symbolic::NoFormula;
pub use value::{BitBuilder, BitsRef, Heap, Kind, Word};
