//! The identity of floats: whether the two zeros are one term.
//!
//! Languages, and releases of one language, differ in whether `0.0` and `-0.0` are the same term. The answer is part of
//! every comparison of two terms, in places that have no room for a parameter (equality, order, hashing), so it is one
//! setting for the whole process: the machine asks its language and sets it here, before anything runs.

use crate::Term;
use num_bigint::BigInt;
use std::sync::atomic::{AtomicBool, Ordering};

static ZEROS_ARE_APART: AtomicBool = AtomicBool::new(false);

/// Sets whether the two zeros are different terms from now on.
pub fn tell_zeros_apart(are_apart: bool) {
    ZEROS_ARE_APART.store(are_apart, Ordering::Relaxed);
}

/// Returns whether the two zeros are different terms. As numbers they are always equal.
pub fn tells_zeros_apart() -> bool {
    ZEROS_ARE_APART.load(Ordering::Relaxed)
}

/// Returns the least integer that is too large for a float: rounding it would overflow.
pub fn least_beyond() -> BigInt {
    (BigInt::from(1) << 1024) - (BigInt::from(1) << 970)
}

/// Returns whether a term is an integer that is too large for a float.
pub fn is_beyond(term: &Term) -> bool {
    matches!(term, Term::Big(value) if *value.magnitude() >= *least_beyond().magnitude())
}

/// Returns a number that is the same for two floats if they are one term.
pub fn identity(value: f64) -> u64 {
    // -0.0 + 0.0 is 0.0; the addition leaves all other floats unchanged.
    if tells_zeros_apart() { value.to_bits() } else { (value + 0.0).to_bits() }
}

/// Returns the absolute value. `-0.0` counts as negative only where it is a term of its own.
pub fn absolute(value: f64) -> f64 {
    if value < 0.0 || tells_zeros_apart() { value.abs() } else { value }
}
