//! Erlang: lowers Core Erlang to the IR, implements the built-in functions, and reads and prints terms and expressions.
//!
//! This crate knows no solver, no file and no process: it works on text and terms that others have read.

#![warn(clippy::disallowed_macros)]

pub mod beam;
pub mod bifs;
pub mod configuration;
mod lower;
pub mod order;
pub mod otp;
pub mod prelude;
mod runtime;
pub mod syntax;
pub mod trace;
mod types;

/// Part of every cache key: raise it when lowering gives something else for the same Core, or when something else is added to
/// code that is instrumented.
pub const LOWERING_VERSION: u32 = 9;

pub use lower::{LowerError, lower_core};
pub use runtime::{ERLANG, Erlang, ErlangState};
pub use syntax::{print, print_pasteable, print_with_stand_ins, without_stand_ins};
pub use types::{builtin_definition, builtin_definitions};
