//! Erlang's surface syntax: terms are printed as the BEAM prints them; expressions are read as `erl_parse` reads them
//! and lowered to the core IR, so that a command line needs no child process.
//!
//! This module knows no machine and no file. Forms (`-module`, function definitions), macros and records are not read
//! here: OTP's own compiler does that for modules.

pub mod ast;
mod bifs;
mod bit_string;
mod conditions;
mod constant;
pub mod elixir;
mod error;
mod float;
mod fold;
mod functions;
mod layout;
mod lower;
mod names;
mod notation;
mod order;
mod parse;
mod print;
mod records;
mod repetition;
mod scan;
mod segment;
mod wording;

pub use ast::Ast;
pub use conditions::print_condition;
pub use constant::{consult, parse_term};
pub use error::{Position, SyntaxError};
pub use functions::{print_applied, print_functional};
pub use layout::{Dialect, lay_out};
pub use lower::lower_expression;
pub use notation::{Clause, Erlang, Notation};
pub use parse::parse_expression;
pub use print::{
    Printable, escape_hidden, print, print_atom, print_pasteable, print_short, print_with, print_with_stand_ins,
    without_stand_ins,
};
pub use records::print_records;
pub use wording::Words;
