//! Erlang and Elixir: two front ends that share the runtime, the machine's language and most of their notation.
//!
//! This crate connects `erlang` (syntax and lowering), `loader` and `oracle` (code and the real BEAM) to the traits of
//! `frontend`. It knows neither the command line nor the purpose of a search.

mod attributes;
mod cause;
mod clause;
mod client;
mod code;
mod creator;
mod elixir;
mod erlang;
mod eunit;
mod exception;
mod expectation;
mod exunit;
mod parameters;
mod pattern;
mod printing;
mod remarks;
mod replay;
mod scenario;
mod types;

pub use self::elixir::ElixirFrontEnd;
pub use self::erlang::{ERLANG, ErlangFrontEnd};
pub use code::{Beam, open};
pub use eunit::EUnit;
pub use exunit::ExUnit;
