//! Erlang: from Core Erlang to the IR, the built-in functions, printing and reading of terms and
//! expressions. Knows no solver, no file, no other language.

pub mod beam;
pub mod bifs;
pub mod order;
mod runtime;

pub use runtime::{ERLANG, Erlang, State};
