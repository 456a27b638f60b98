//! Makes a digest of the sources that decide what a cached module looks like. It is part of every cache key, so nothing that an
//! earlier build has cached is taken for what this one would make, and nobody has to remember a number.

use std::io;
use std::path::Path;

/// Files and folders beside this crate: what asks OTP for Core Erlang and adds to it, what reads and lowers the answer, what a
/// module consists of and how it is encoded, and what keeps it.
pub const SOURCES: [&str; 8] = [
    "oracle/src", "etf/src", "erlang/src/lower", "erlang/src/types", "erlang/src/otp.rs", "program/src", "term/src",
    "loader/src",
];

fn main() -> io::Result<()> {
    let crates = Path::new("..");
    built::watch(crates, &SOURCES);
    println!("cargo::rustc-env=BEAGLE_BUILT_FROM={}", digest(crates)?);
    Ok(())
}

/// Returns the digest of the sources in the folder of the crates.
pub fn digest(crates: &Path) -> io::Result<String> {
    built::digest(crates, &SOURCES)
}
