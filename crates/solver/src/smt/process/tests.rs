//! Solvers that fail in every way at every point: what they say is not believed, nobody waits for them for long, and the
//! next query is asked of a fresh process.

use super::{CheckResult, Limit, SmtError, SmtProcess, Talk};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Answers `sat` and a model. At one point, once, it does something else; the processes after it are well.
const FAKE: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit 2
at() {
    [ "$1" = POINT ] && mkdir failed 2>/dev/null && FAULT
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

/// What each does. With `false` at its end, what was asked for is answered besides.
const FAULTS: &[(&str, &str)] = &[
    ("dies", "exit 1"),
    ("is killed", "kill -9 $$"),
    ("is silent", "exec sleep 60"),
    ("prints without end and without lines", "exec cat /dev/zero"),
    ("prints lines without end", "exec yes unsat"),
    ("prints empty lines without end", "exec yes ''"),
    ("prints bytes that are no text", r"{ printf '\377\376\n'; false; }"),
    ("answers too early", "{ echo unsat; false; }"),
    ("answers another query", "{ echo 'beagle 1 ends'; false; }"),
    ("answers half, and dies", "{ printf 'unsa'; exit 0; }"),
    ("answers half, and goes on", "{ printf 'no'; false; }"),
    ("answers without a line's end, and dies", "{ printf 'unsat'; exit 0; }"),
    ("complains", r#"echo '(error "line 1 column 1: out of memory")'"#),
    ("answers with nothing", "true"),
    ("nests deeply", r"{ head -c 3000000 /dev/zero | tr '\0' '('; echo; }"),
    ("closes its output", "exec sleep 60 >&-"),
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

const LIMIT: Limit = Limit { work: 1000, milliseconds: 500 };
/// What is waited for at the start, a limit and its grace for each of two requests, and what a busy computer takes.
const PATIENCE: Duration = Duration::from_secs(40);

/// What a whole query comes to.
fn model_of(process: &mut SmtProcess) -> Result<String, SmtError> {
    process.begin();
    process.query(|talk: &mut Talk<'_>| {
        talk.send("(declare-const x Int)\n(assert (> x 0))\n")?;
        Ok(match talk.check(&[])? {
            CheckResult::Sat => talk.answer("(get-model)\n")?,
            verdict @ (CheckResult::Unsat | CheckResult::Unknown) => format!("{verdict:?}"),
        })
    })
}

const MODEL: &str = "((define-fun x () Int\n7))";

#[test]
fn nothing_is_believed_that_was_not_asked_for() {
    let cases = POINTS.iter().flat_map(|point| FAULTS.iter().map(move |(fault, action)| [*point, fault, action]));
    let cases: Vec<[&str; 3]> = cases.collect();
    // Most of them wait most of the time.
    let errors: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (cases.chunks(5).enumerate())
            .map(|(part, cases)| {
                let errors = move |(number, case): (usize, &[&str; 3])| errors_of(&format!("{part}-{number}"), *case);
                scope.spawn(move || cases.iter().enumerate().flat_map(errors).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no case fails")).collect()
    });
    for error in ["the solver died", "did not answer in time", "longer than 16 MB", "answered: "] {
        assert!(errors.iter().any(|text| text.contains(error)), "nobody said that {error}: {errors:?}");
    }
}

/// Tries one fault at one point, and returns the errors that it came to.
fn errors_of(name: &str, [point, fault, action]: [&str; 3]) -> Vec<String> {
    let folder = folder(&format!("table-{name}"));
    let path = fake(&folder, point, action);
    let began = Instant::now();
    // What fails before it has said who it is, is no solver; another attempt is well.
    let mut process = SmtProcess::start(&path, LIMIT, None, None)
        .or_else(|_| SmtProcess::start(&path, LIMIT, None, None))
        .unwrap_or_else(|error| panic!("{fault} at {point}: {error}"));
    let [first, second] = [(); 2].map(|()| model_of(&mut process));
    assert!(began.elapsed() < PATIENCE, "{fault} at {point}: {:?}", began.elapsed());
    let mut errors = Vec::new();
    for answer in [first, second] {
        match answer {
            // What a model says is for its reader to find out, who believes nothing that is not whole.
            Ok(text) if point == "model" && text != "Unsat" => {}
            Ok(text) if text == MODEL => {}
            // Its time was up before it was asked.
            Ok(text) if text == "Unknown" => {}
            Ok(text) => panic!("{fault} at {point}: {:?} is believed", text.get(..60)),
            Err(error) => errors.push(error.to_string()),
        }
    }
    // On a busy computer a fresh process may be too slow, but not each time.
    let is_well = (0..5).any(|_| model_of(&mut process).is_ok_and(|text| text == MODEL));
    assert!(is_well, "{fault} at {point}: no fresh process");
    assert!(folder.join("failed").exists(), "{fault} at {point} was never tried");
    let _ = std::fs::remove_dir_all(&folder);
    errors
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
