//! `bless [--check] [PATH…]`: lets the real BEAM write the right-hand sides of the claims of all cases, or of the named
//! files and folders. With `--check`, nothing is written. The exit code is 0 if all was done, 1 if `--check` found
//! something to write, 2 if a case or the BEAM failed.

use cases::{Beam, Case, CorpusError, bless, corpus_root, read_case, read_corpus};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (options, paths): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    if let Some(unknown) = options.iter().find(|option| *option != "--check") {
        eprintln!("there is no option {unknown}; write: bless [--check] [PATH...]");
        return ExitCode::from(2);
    }
    let is_check = !options.is_empty();
    let cases = match named_cases(&paths) {
        Ok(cases) => cases,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut beam = Beam::default();
    let (mut changed, mut failed) = (0, 0);
    for case in &cases {
        match bless_file(case, &mut beam, is_check) {
            Ok(false) => {}
            Ok(true) => {
                println!("{}", case.name);
                changed += 1;
            }
            Err(error) => {
                eprintln!("{error}");
                failed += 1;
            }
        }
    }
    let verb = if is_check { "to be blessed" } else { "blessed anew" };
    println!("{} cases: {changed} {verb}, {failed} failed", cases.len());
    match (failed, changed) {
        (0, changed) if changed == 0 || !is_check => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    }
}

/// Blesses a file. Returns whether there was something to write.
fn bless_file(case: &Case, beam: &mut Beam, is_check: bool) -> Result<bool, Box<dyn std::error::Error>> {
    let blessed = bless(case, beam)?;
    let is_changed = blessed != case.text;
    if is_changed && !is_check {
        std::fs::write(&case.path, blessed).map_err(|error| format!("{}: {error}", case.path.display()))?;
    }
    Ok(is_changed)
}

fn named_cases(paths: &[String]) -> Result<Vec<Case>, CorpusError> {
    if paths.is_empty() {
        return read_corpus(&corpus_root());
    }
    let mut cases = Vec::new();
    for path in paths.iter().map(PathBuf::from) {
        if path.is_dir() {
            cases.extend(read_corpus(&path)?);
        } else {
            cases.push(read_case(&corpus_root(), &path)?);
        }
    }
    Ok(cases)
}
