//! The abstract machine: runs programs and records their branches.
//!
//! `value` has the one-word value and its heap; `primitive` the rows of native operations; `compile` turns the IR into
//! compact code with resolved slots; `run` executes that code on explicit stacks; `symbolic` defines what operations
//! mean for values with shadows. This crate knows no solver, no file and no clock, and of a language only what the
//! [`Language`] trait provides.

#![cfg_attr(not(test), warn(clippy::disallowed_macros))]

mod compile;
mod context;
mod foreign;
mod language;
mod primitive;
mod run;
mod symbolic;
pub mod value;
mod world;

pub use context::{CallTarget, Context, Escape, Exception, Player, Question, TraceStart};
pub use foreign::{Elsewhere, ElsewhereAnswer, Foreign, ForeignAnswer, NoAnswer, Unanswered};
pub use language::{Gate, Language, LanguageState, Misuse, Passed, Refusal, StatePart, TraceFrame};
pub use primitive::{
    Arithmetic, Basis, Compare, Concrete, Domain, Fast, Formula, Look, Looks, Meaning, Most, Outside, Primitive,
    Requires, Symbolic, Test, list_items, proper_length,
};
pub use run::{Limits, Machine, ModuleSource, NoModules};
pub use symbolic::{NoFormula, domain_condition};
pub use value::{BitBuilder, BitsRef, Heap, Kind, Word};
pub use world::{Access, End, Fatal, Footprint, History, Load, Object, Process, Status, World, are_dependent};
