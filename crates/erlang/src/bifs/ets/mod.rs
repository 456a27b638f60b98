//! Term storage: tables of tuples as in `ets`, which processes own and share.
//!
//! Tables without order iterate in the order of the keys' births; the BEAM's order depends on its hash. Functions that
//! the module `ets` itself implements in Erlang have no row.

mod absent;
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
