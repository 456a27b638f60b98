//! The release of OTP whose language is implemented.
//!
//! A few things differ between releases: which functions exist, which arguments they refuse, which words are reserved,
//! how atoms are encoded. A process works with one installation of OTP, so the code that opens a program sets the
//! release once, before anything runs; the functions that read and print terms have no parameter for it. Code that
//! depends on the release asks this module, by the feature that differs and not by number. Other crates know nothing of
//! it except whether zeros are distinguished, which the machine asks its language.

use std::sync::atomic::{AtomicU32, Ordering};

/// The oldest supported release, and the default if no release was set.
pub const OLDEST: u32 = etf::OLDEST_RELEASE;

static RELEASE: AtomicU32 = AtomicU32::new(OLDEST);

pub fn work_with(release: u32) {
    RELEASE.store(release.max(OLDEST), Ordering::Relaxed);
    term::floats::tell_zeros_apart(tells_zeros_apart());
}

pub fn release() -> u32 {
    RELEASE.load(Ordering::Relaxed)
}

/// Returns whether `0.0 =:= -0.0` is false. The two are numerically equal in every release.
pub fn tells_zeros_apart() -> bool {
    release() >= 27
}

/// Returns whether the numbers of atoms in the runtime determine the order of a small map's keys.
pub fn orders_keys_by_atom_numbers() -> bool {
    release() >= 26
}

/// Returns whether a process can choose to send to other nodes without waiting.
pub fn has_async_distribution() -> bool {
    release() >= 26
}

/// Returns whether atoms are encoded in UTF-8 unless Latin-1 is requested.
pub fn encodes_atoms_in_utf8() -> bool {
    release() >= 26
}

/// Returns whether there are records that are not tuples.
pub fn has_native_records() -> bool {
    release() >= 29
}

/// Returns whether `maybe` and `else` are reserved words by default.
pub fn has_maybe() -> bool {
    release() >= 27
}

/// Returns whether `lists:nth/2` and `lists:nthtail/2` check that a position is an integer before they count down from
/// it.
pub fn checks_positions() -> bool {
    release() >= 27
}

/// Returns whether functions on binaries refuse other bitstrings, and invalid patterns even if nothing is searched.
pub fn has_strict_binaries() -> bool {
    release() >= 27
}
