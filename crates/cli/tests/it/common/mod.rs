//! The binary, started as a user starts it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

pub fn beagle(args: &[&str], files: &[PathBuf]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_beagle"))
        .args(every_category(args))
        .args(files)
        .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .output()
        .expect("beagle can be started")
}

/// Standard output and the exit code.
pub fn run(args: &[&str], files: &[PathBuf]) -> (String, i32) {
    let output = beagle(args, files);
    (String::from_utf8_lossy(&output.stdout).trim_end().to_string(), output.status.code().unwrap_or(-1))
}

/// The message of a use that is wrong.
pub fn refused(args: &[&str], files: &[PathBuf]) -> String {
    let output = beagle(args, files);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The arguments, with findings of all categories shown and failing. `ranked.rs` tests categories; everybody else asks what
/// is found.
pub fn every_category<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let is_said = |option: &&str| option.starts_with("--show") || option.starts_with("--fail-on");
    match args {
        [command @ ("test" | "merge"), rest @ ..] if !args.iter().any(is_said) => {
            [&[*command, "--show", "all", "--fail-on", "all"], rest].concat()
        }
        _ => args.to_vec(),
    }
}
