//! Beagle under attack: whatever the tested code does, nothing outside is touched, and nothing is left behind.
//!
//! The tests watch files, sockets and processes from outside while Beagle compiles, loads and evaluates code that
//! tries to change them. `BEAGLE_ATTACK=full` (`make attack`) kills more often.

mod kills;
mod outside;
mod routes;
mod situations;
mod unconfined;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Whether there is time for everything.
pub fn is_full() -> bool {
    std::env::var_os("BEAGLE_ATTACK").is_some_and(|value| value == "full")
}

pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

pub fn beagle(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beagle"));
    command.args(args).current_dir(folder).env("BEAGLE_CACHE", cache());
    command
}

/// What it said, on both streams.
pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
