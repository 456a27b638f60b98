//! Erlang as a front end: Core Erlang becomes the IR, declared types become `program::Type`s.
//!
//! Knows no solver, no file and no process: what it reads has been fetched by others.

mod lower;
mod types;

pub use lower::{LowerError, lower_core};
pub use types::{builtin_definition, builtin_definitions};
