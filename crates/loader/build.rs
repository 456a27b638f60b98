//! Makes a digest of the sources that decide what a cached module looks like. It is part of every cache key, so nothing that an
//! earlier build has cached is taken for what this one would make, and nobody has to remember a number.
//!
//! The digest is the same on every machine and in every checkout of the same sources: names are relative to the folder of
//! the crates and sorted, and the ends of lines do not count.

use std::path::Path;
use std::{fs, io};

/// Files and folders beside this crate: what asks OTP for Core Erlang and adds to it, what reads and lowers the answer, what a
/// module consists of and how it is encoded, and what keeps it.
pub const SOURCES: [&str; 8] = [
    "oracle/src", "etf/src", "erlang/src/lower", "erlang/src/types", "erlang/src/otp.rs", "program/src", "term/src",
    "loader/src",
];

fn main() -> io::Result<()> {
    let crates = Path::new("..");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", crates.join(source).display());
    }
    println!("cargo::rustc-env=BEAGLE_BUILT_FROM={}", digest(crates)?);
    Ok(())
}

/// The digest of the sources in the folder of the crates.
pub fn digest(crates: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(crates, Path::new(source), &mut files)?;
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for (name, text) in &files {
        for part in [name, text] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// The sources in a file or folder, by names relative to the folder of the crates, without carriage returns.
fn collect(crates: &Path, source: &Path, files: &mut Vec<(Vec<u8>, Vec<u8>)>) -> io::Result<()> {
    let path = crates.join(source);
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(crates, &source.join(entry?.file_name()), files)?;
        }
    } else if source.extension().is_some_and(|extension| ["rs", "erl", "hrl"].iter().any(|known| extension == *known)) {
        let text = fs::read(path)?.into_iter().filter(|byte| *byte != b'\r').collect();
        files.push((name(source).into_bytes(), text));
    }
    Ok(())
}

fn name(source: &Path) -> String {
    let parts: Vec<_> = source.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/")
}
