//! Term storage: tables of tuples, as `ets` has them, which processes own and share.
//!
//! The order in which tables without order iterate is that of the keys' births; the BEAM's depends on
//! its hash. What is written in Erlang in the module `ets` itself has no row.

mod access;
mod expression;
mod hash_store;
mod info;
mod objects;
mod pattern;
mod select;
mod spec;
mod tables;
#[cfg(test)]
mod tests;
mod tree_store;

pub use info::owner_ended;
pub use tables::Tables;

use machine::Primitive;

pub(super) const TABLES: &[&[Primitive]] = &[objects::ROWS, select::ROWS, select::TEST_ROWS, info::ROWS];
