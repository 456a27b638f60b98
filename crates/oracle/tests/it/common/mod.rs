//! One child for all tests of a file, and a folder to write sources into.

use oracle::{Call, Limits, Oracle, OracleConfig, Outcome};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;
use term::{Atom, Term};

pub fn shared() -> &'static Oracle {
    static ORACLE: OnceLock<Oracle> = OnceLock::new();
    ORACLE.get_or_init(|| Oracle::new(trusting()))
}

/// Tests have the runtime write files into their folders, and compile sources of theirs.
pub fn trusting() -> OracleConfig {
    OracleConfig { is_trusting: true, readable: vec![std::env::temp_dir()], ..OracleConfig::default() }
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

pub fn write(folder: &TempDir, name: &str, content: &str) -> PathBuf {
    let file = folder.path().join(name);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    std::fs::write(&file, content).expect("writable");
    file
}

pub fn limits(millis: u64) -> Limits {
    Limits { time: Duration::from_millis(millis), ..Limits::default() }
}

pub fn text(text: &str) -> Call {
    Call::Text { text: text.to_owned(), home: None }
}

pub fn evaluate(oracle: &Oracle, expression: &str) -> Outcome {
    oracle.evaluate(&text(expression), limits(5000)).expect("an outcome")
}

pub fn value(oracle: &Oracle, expression: &str) -> Term {
    match evaluate(oracle, expression) {
        Outcome::Value { term, .. } => term,
        other => panic!("{expression}: {other:?}"),
    }
}

/// Compiles on the runtime, with the options given as an Erlang list, into the source's folder.
pub fn compile(oracle: &Oracle, source: &Path, options: &str) -> PathBuf {
    let folder = source.parent().expect("a folder").display();
    let compiled =
        value(oracle, &format!("compile:file(\"{}\", [{{outdir, \"{folder}\"}} | {options}])", source.display()));
    assert!(matches!(compiled.as_tuple(), Some([ok, ..]) if *ok == Term::atom("ok")), "{compiled:?}");
    source.with_extension("beam")
}

pub fn atom(name: &str) -> Atom {
    Atom::new(name)
}
