//! Beagle under attack: whatever the tested code does, nothing outside is touched, and nothing is left behind.
//!
//! The tests watch files, sockets and processes from outside while Beagle compiles, loads and evaluates code that
//! tries to change them, and while it works on checkouts whose files, links and names try to lead it elsewhere.
//! `BEAGLE_ATTACK=full` (`make attack`) kills more often, and tries all combinations instead of some.

mod checkout;
mod commands;
mod evaluations;
mod forged;
mod git;
mod kills;
mod outside;
mod places;
mod planted;
mod routes;
mod settings;
mod situations;
mod unconfined;
mod watching;
mod ways;

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
