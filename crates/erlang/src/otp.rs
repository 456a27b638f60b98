//! The release of OTP that the language is of.
//!
//! A few things differ from release to release: which functions there are, what they refuse, which words are reserved,
//! how atoms are encoded. A process works with one installation of OTP, so whoever opens code says its release once,
//! before anything runs; reading and printing of terms have no room for a parameter. Whatever depends on the release asks
//! here, by what differs and not by number. Other rooms know nothing of it but whether zeros are told apart, which the
//! machine asks its language.

use std::sync::atomic::{AtomicU32, Ordering};

/// The first release that is supported, and what holds as long as nobody has said anything.
pub const OLDEST: u32 = etf::OLDEST_RELEASE;

static RELEASE: AtomicU32 = AtomicU32::new(OLDEST);

pub fn work_with(release: u32) {
    RELEASE.store(release.max(OLDEST), Ordering::Relaxed);
    term::floats::tell_zeros_apart(tells_zeros_apart());
}

pub fn release() -> u32 {
    RELEASE.load(Ordering::Relaxed)
}

/// Is `0.0 =:= -0.0` false? As numbers the two are equal in any release.
pub fn tells_zeros_apart() -> bool {
    release() >= 27
}

/// Do the numbers of atoms in the runtime decide the order of a small map's keys?
pub fn orders_keys_by_atom_numbers() -> bool {
    release() >= 26
}

/// Can a process ask for sending to other nodes without waiting?
pub fn has_async_distribution() -> bool {
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
