//! Erlang as a front end: its surface syntax, read and printed.
//!
//! Knows no machine, no solver, no file and no child process.

pub mod syntax;

pub use syntax::{print, print_pasteable};
