//! Sessions, which every command needs before it can run or search: a session ties the code of a program, the machine
//! and the real runtime together. This crate also provides contracts of functions, and functions that are known by
//! samples only.
//!
//! Commands, tests, benchmarks and fuzzers run their programs here. This crate knows no command line and drives no
//! search.

mod natives;
mod opaque;
mod outcome;
mod outside;
mod session;

pub use natives::Rows;
pub use opaque::Opaque;
pub use outcome::{Report, print_outcome};
pub use session::{
    EvaluateError, Patience, Prepared, Session, SessionError, UnitError, Usage, WantedMarks, client_contract,
    contract_and_modules, made_structures_contract, with_marks,
};
