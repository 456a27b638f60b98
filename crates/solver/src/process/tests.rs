//! Solvers that fail in every way at every point: what they say is not believed, nobody waits for them for long, and the
//! next query is asked of a fresh process.

use super::{Limit, SmtError, SmtProcess, Talk, Verdict};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Answers `sat` and a model. At one point, once, it does something else; the processes after it are well.
const FAKE: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit 2
at() {
    if [ "$1" = POINT ] && mkdir failed 2>/dev/null; then
        FAULT
    fi
}
at start
while IFS= read -r line; do
    case "$line" in
        '(echo "'*)
            mark=${line#'(echo "'}
            case "$mark" in *begins*) at before ;; esac
            echo "${mark%'")'}"
            case "$mark" in *begins*) ;; *) at after ;; esac ;;
        '(get-info :version)') at version && continue; echo '(:version "4.8.12")' ;;
        '(check-sat'*) at check && continue; echo sat ;;
        '(get-info :rlimit)') at work && continue; echo '(:rlimit 7)' ;;
        '(get-model)') at model && continue; echo '((define-fun x () Int'; echo '  7))' ;;
    esac
done
"#;

const POINTS: &[&str] = &["start", "version", "before", "check", "work", "model", "after"];

/// `true` at the end of one: what was asked for is not answered besides.
const FAULTS: &[(&str, &str)] = &[
    ("dies", "exit 1"),
    ("is killed", "kill -9 $$"),
    ("is silent", "exec sleep 60"),
    ("prints without end and without lines", "exec cat /dev/zero"),
    ("prints lines without end", "exec yes unsat"),
    ("prints empty lines without end", "exec yes ''"),
    ("prints bytes that are no text", r"printf '\377\376\n'"),
    ("answers too early", "echo unsat"),
    ("answers another query", "echo 'beagle 1 ends'"),
    ("answers half, and dies", "printf 'unsa'; exit 0"),
    ("answers half, and goes on", "printf 'un'"),
    ("answers without a line's end, and dies", "printf 'unsat'; exit 0"),
    ("complains", r#"echo '(error "line 1 column 1: out of memory")'; true"#),
    ("answers with nothing", "true"),
    ("nests deeply", r"head -c 3000000 /dev/zero | tr '\0' '('; echo; true"),
    ("closes its output", "exec >&-"),
    ("does not read any more", "exec sleep 60 <&-"),
];

fn fake(folder: &Path, point: &str, fault: &str) -> PathBuf {
    let file = folder.join("fake");
    std::fs::write(&file, FAKE.replace("POINT", point).replace("FAULT", fault)).expect("it is written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    file
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("beagle-fakes-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

const LIMIT: Limit = Limit { work: 1000, milliseconds: 100 };
/// A limit and its grace for each of two requests, and what a busy computer takes.
const PATIENCE: Duration = Duration::from_secs(15);

/// What a whole query comes to.
fn model_of(process: &mut SmtProcess) -> Result<String, SmtError> {
    process.begin();
    process.query(|talk: &mut Talk<'_>| {
        talk.send("(declare-const x Int)\n(assert (> x 0))\n")?;
        Ok(match talk.check(&[])? {
            Verdict::Sat => talk.answer("(get-model)\n")?,
            verdict @ (Verdict::Unsat | Verdict::Unknown) => format!("{verdict:?}"),
        })
    })
}

const MODEL: &str = "((define-fun x () Int\n7))";

#[test]
fn nothing_is_believed_that_was_not_asked_for() {
    let mut told: Vec<String> = Vec::new();
    for (number, point) in POINTS.iter().enumerate() {
        for (fault, action) in FAULTS {
            let folder = folder(&format!("table-{number}"));
            let _ = std::fs::remove_dir(folder.join("failed"));
            let path = fake(&folder, point, action);
            let began = Instant::now();
            // What fails before it has said who it is, is no solver; another attempt is well.
            let mut process = SmtProcess::start(&path, LIMIT, None, None)
                .or_else(|_| SmtProcess::start(&path, LIMIT, None, None))
                .unwrap_or_else(|error| panic!("{fault} at {point}: {error}"));
            let first = model_of(&mut process);
            let second = model_of(&mut process);
            let third = model_of(&mut process);
            assert!(began.elapsed() < PATIENCE, "{fault} at {point}: {:?}", began.elapsed());
            for answer in [&first, &second] {
                match answer {
                    // What is said of a model is for its reader to find out, who believes nothing that is not whole.
                    Ok(text) if *point == "model" && text != "Unsat" => {}
                    Ok(text) if text == MODEL => {}
                    Ok(text) => panic!("{fault} at {point}: {:?} is believed", text.get(..60)),
                    Err(error) => told.push(error.to_string()),
                }
            }
            assert_eq!(third.ok().as_deref(), Some(MODEL), "{fault} at {point}: no fresh process");
            assert!(folder.join("failed").exists(), "{fault} at {point} was never tried");
        }
        let _ = std::fs::remove_dir_all(folder(&format!("table-{number}")));
    }
    for error in ["the solver died", "did not answer in time", "longer than 16 MB", "answered: "] {
        assert!(told.iter().any(|told| told.contains(error)), "nobody said that {error}: {told:?}");
    }
}

#[test]
fn a_solver_that_only_floods_is_none() {
    for program in ["yes", "cat"] {
        let began = Instant::now();
        let error = SmtProcess::start(Path::new(program), LIMIT, None, None).err().expect("it is no solver");
        assert!(matches!(error, SmtError::NoSolver { .. }), "{error}");
        assert!(began.elapsed() < PATIENCE);
    }
}
