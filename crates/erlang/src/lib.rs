//! Erlang: lowers Core Erlang to the IR, implements the built-in functions, and reads and prints terms and expressions.
//!
//! This crate knows no solver, no file and no child process: it works on text and terms that others have read.

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

pub use lower::{LowerError, lower_core};
pub use runtime::{ERLANG, Erlang, ErlangState};
pub use syntax::{print, print_pasteable, print_with_stand_ins, without_stand_ins};
pub use types::{builtin_definition, builtin_definitions};
