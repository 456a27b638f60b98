//! Erlang: from Core Erlang to the IR, the built-in functions, printing and reading of terms and
//! expressions. Knows no solver, no file and no process: what it reads has been fetched by others.

pub mod beam;
pub mod bifs;
mod lower;
pub mod order;
pub mod otp;
pub mod prelude;
mod runtime;
pub mod syntax;
mod types;

/// Part of every cache key: raise it when lowering gives something else for the same Core.
pub const LOWERING_VERSION: u32 = 5;

pub use lower::{LowerError, lower_core};
pub use runtime::{ERLANG, Erlang, State};
pub use syntax::{print, print_pasteable, print_with_stand_ins, without_stand_ins};
pub use types::{builtin_definition, builtin_definitions};
