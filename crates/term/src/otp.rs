//! The release of OTP whose terms these are.
//!
//! A few things that are visible in terms themselves differ from release to release: which floats are one
//! term, how atoms are encoded. One process works with one installation of OTP, so its release is told once,
//! by whoever finds the installation, before anything runs; it would have to go with every comparison of two
//! terms otherwise. Whatever depends on the release asks here.

use std::sync::atomic::{AtomicU32, Ordering};

/// The first release that is supported, and what holds as long as nobody has said anything.
pub const OLDEST: u32 = 25;

static RELEASE: AtomicU32 = AtomicU32::new(OLDEST);

pub fn work_with(release: u32) {
    RELEASE.store(release.max(OLDEST), Ordering::Relaxed);
}

pub fn release() -> u32 {
    RELEASE.load(Ordering::Relaxed)
}

/// Is `0.0 =:= -0.0` false? Equal as numbers the two are in any release.
pub fn tells_zeros_apart() -> bool {
    release() >= 27
}

/// The same for two floats if they are one term.
pub fn float_identity(value: f64) -> u64 {
    // -0.0 + 0.0 is 0.0; all other floats stay as they are.
    if tells_zeros_apart() { value.to_bits() } else { (value + 0.0).to_bits() }
}

/// `abs/1` of a float: `-0.0` is negative only where it is a term of its own.
pub fn absolute(value: f64) -> f64 {
    if value < 0.0 || tells_zeros_apart() { value.abs() } else { value }
}

/// Do the numbers of atoms in the runtime decide the order of a small map's keys?
pub fn orders_keys_by_atom_numbers() -> bool {
    release() >= 26
}

/// Are atoms encoded in UTF-8 unless someone asks for Latin-1?
pub fn encodes_atoms_in_utf8() -> bool {
    release() >= 26
}

/// Are there records that are no tuples?
pub fn has_native_records() -> bool {
    release() >= 29
}

/// Are `maybe` and `else` words of the language unless somebody says otherwise?
pub fn has_maybe() -> bool {
    release() >= 27
}

/// Do `lists:nth/2` and `lists:nthtail/2` look whether a position is an integer, before they count down from it?
pub fn checks_positions() -> bool {
    release() >= 27
}

/// Do functions of binaries refuse bitstrings that are none, and patterns that are none even where nothing is
/// searched?
pub fn has_strict_binaries() -> bool {
    release() >= 27
}
