//! The child as a process: absent, too old, killed, hanging, ended.

use crate::common::{folder, text, trusting, value, write};
use oracle::{CompileOptions, Limits, Oracle, OracleConfig, OracleError, Outcome};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use term::{Atom, Term};

fn with_erl(erl: impl Into<PathBuf>) -> Oracle {
    Oracle::new(OracleConfig { erl: Some(erl.into()), ..trusting() })
}

fn pretender(folder: &TempDir, script: &str) -> PathBuf {
    let file = write(folder, "erl", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("executable");
    file
}

fn process_of(oracle: &Oracle) -> String {
    value(oracle, "os:getpid()").as_text().expect("a number")
}

fn compiler_of(oracle: &Oracle) -> String {
    oracle.processes().first().expect("a compiler").to_string()
}

fn is_alive(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

fn kill(pid: &str) {
    assert!(Command::new("kill").args(["-9", pid]).status().expect("kill").success());
}

/// A source that keeps the compiler busy for ever.
fn endless_source(oracle: &Oracle, folder: &TempDir) -> PathBuf {
    let transform =
        "-module(endless).\n-export([parse_transform/2]).\nparse_transform(F, O) -> parse_transform(F, O).\n";
    let transform = write(folder, "endless.erl", transform);
    let code = oracle.object_code(&transform, &CompileOptions::default()).expect("it compiles");
    oracle.load_transform(&transform, &code).expect("it is code");
    write(folder, "busy.erl", "-module(busy).\n-compile({parse_transform, endless}).\n")
}

#[test]
fn no_erl() {
    for name in ["/no/such/erl", "no-such-erl"] {
        let error = with_erl(name).info().expect_err("there is none");
        assert!(matches!(error, OracleError::ErlMissing { .. }), "{error}");
        assert!(error.to_string().contains(name) && error.to_string().contains("BEAGLE_ERL"), "{error}");
    }
    let oracle = with_erl("/no/such/erl");
    oracle.start();
    assert!(matches!(oracle.evaluate(&text("1"), Limits::default()), Err(OracleError::ErlMissing { .. })));
}

#[test]
fn an_old_release() {
    let folder = folder();
    let erl = pretender(&folder, "echo root /nowhere; echo erts 12.0; echo release 24");
    let error = with_erl(&erl).info().expect_err("24 is too old");
    assert!(matches!(&error, OracleError::TooOld { found, .. } if found == "24"), "{error}");
    assert!(error.to_string().contains("25 or newer"), "{error}");
}

#[test]
fn a_runtime_that_does_not_start() {
    let folder = folder();
    let erl = pretender(&folder, "echo cannot allocate anything at all >&2; exit 9");
    let error = with_erl(&erl).info().expect_err("it ends at once");
    assert!(matches!(error, OracleError::NoRuntime { .. }), "{error}");
    assert!(error.to_string().contains("exit status: 9"), "{error}");
    assert!(error.to_string().contains("cannot allocate anything at all"), "{error}");
    // What speaks for ever, and not as Erlang does, is not listened to.
    let erl = pretender(&folder, "exec yes");
    let error = with_erl(&erl).info().expect_err("it is something else");
    assert!(matches!(error, OracleError::NoRuntime { .. }), "{error}");
}

#[test]
fn killed_in_the_middle_of_a_request() {
    let folder = folder();
    let oracle = Oracle::new(trusting());
    let busy = endless_source(&oracle, &folder);
    let pid = compiler_of(&oracle);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            kill(&pid);
        });
        let error = oracle.core_of_source(&busy, &CompileOptions::default()).expect_err("killed");
        assert!(matches!(error, OracleError::ChildDied { .. }), "{error}");
        assert!(error.to_string().contains("busy.erl") && error.to_string().contains("signal: 9"), "{error}");
    });
    // The next request starts another, into which the same code is loaded.
    let present = oracle.implementation(Atom::new("endless"), Atom::new("parse_transform"), 2).expect("an answer");
    assert_eq!(present, oracle::Implementation::Code);
    // An evaluation is simply tried again.
    let pid = process_of(&oracle);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            kill(&pid);
        });
        let outcome = oracle.evaluate(&text("timer:sleep(300), done"), Limits::default()).expect("an outcome");
        assert_eq!(outcome, Outcome::Value { term: Term::atom("done"), text: None });
    });
    assert_ne!(process_of(&oracle), pid);
}

#[test]
fn a_request_that_never_ends() {
    let folder = folder();
    let request_limit = Duration::from_millis(300);
    let oracle = Oracle::new(OracleConfig { request_limit, ..trusting() });
    let busy = endless_source(&oracle, &folder);
    let pid = compiler_of(&oracle);
    let start = Instant::now();
    let error = oracle.core_of_source(&busy, &CompileOptions::default()).expect_err("endless");
    assert!(matches!(error, OracleError::Timeout { .. }), "{error}");
    assert!(error.to_string().contains("compile") && error.to_string().contains("0.3 s"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(3));
    assert_eq!(compiler_of(&oracle), pid, "the runtime itself is well");
}

#[test]
fn nothing_is_left_behind() {
    let oracle = Oracle::new(trusting());
    oracle.start();
    let pid = process_of(&oracle);
    assert!(is_alive(&pid));
    drop(oracle);
    assert!(!is_alive(&pid), "neither a process nor a zombie");
}

#[test]
fn the_compiled_helper_is_kept() {
    let cache = folder();
    let oracle = || Oracle::new(OracleConfig { cache_dir: Some(cache.path().to_path_buf()), ..trusting() });
    let first = oracle().info().expect("it starts");
    let files = || std::fs::read_dir(cache.path().join("helper")).expect("a folder").filter_map(Result::ok);
    assert_eq!(files().count(), 1);
    assert_eq!(oracle().info().expect("it starts"), first);
    // A file that is whole but no code: the source is sent instead, and the file is replaced.
    let file = files().next().expect("a file").path();
    oracle::store::write(&file, b"FOR1 but nothing else").expect("writable");
    assert_eq!(oracle().info().expect("it starts"), first);
    assert!(oracle::store::read(&file).expect("a whole file").len() > 1000);
    std::fs::write(&file, "damaged").expect("writable");
    assert_eq!(oracle().info().expect("it starts"), first);
}

/// Other projects' runtimes run what is kept, so it comes only from a runtime that sees no project.
#[test]
fn only_the_library_keeps_the_helper() {
    let (cache, sources) = (folder(), folder());
    let oracle = || Oracle::new(OracleConfig { cache_dir: Some(cache.path().to_path_buf()), ..trusting() });
    oracle().info().expect("it starts");
    let kept = std::fs::read_dir(cache.path().join("helper")).expect("a folder").next().expect("a file").expect("it");
    oracle::store::write(&kept.path(), b"FOR1 but nothing else").expect("writable");
    let source = write(&sources, "plain.erl", "-module(plain).\n-export([f/0]).\nf() -> 1.\n");
    let others = oracle();
    others.core_of_source(&source, &CompileOptions::default()).expect("it compiles");
    assert_eq!(value(&others, "1 + 1"), Term::Int(2));
    assert_eq!(others.processes().len(), 2);
    assert_eq!(oracle::store::read(&kept.path()).expect("a whole file"), b"FOR1 but nothing else");
    others.code_index().expect("an index");
    assert!(oracle::store::read(&kept.path()).expect("a whole file").len() > 1000);
    // If none is kept, the library starts to make one, whoever was asked for.
    std::fs::remove_file(kept.path()).expect("a file");
    let others = oracle();
    others.core_of_source(&source, &CompileOptions::default()).expect("it compiles");
    let start = Instant::now();
    while !kept.path().exists() {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_folder_that_cannot_be_written_only_costs_time() {
    let cache_dir = Some(PathBuf::from("/dev/null/cache"));
    let oracle = Oracle::new(OracleConfig { cache_dir, ..trusting() });
    assert!(oracle.info().is_ok());
}
