//! Decides queries without an SMT solver: sets of terms for each cell refute them, and guesses that are checked solve
//! them.

pub(crate) mod bounds;
pub(crate) mod excluded;
pub(crate) mod facts;
pub(crate) mod guess;
mod invert;
mod linear;
pub(crate) mod numbers;
pub(crate) mod pick;
pub(crate) mod screen;
pub(crate) mod sets;
pub(crate) mod state;
pub(crate) mod tiers;
