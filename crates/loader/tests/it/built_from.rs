//! Whatever decides what a cached module looks like is part of its key, by the digest that the build script makes.

#[path = "../../build.rs"]
#[allow(dead_code)]
mod build;

use crate::common::{folder, keep_core};
use build::{SOURCES, digest};
use loader::LoaderConfig;
use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in fs::read_dir(from).expect("a folder").filter_map(Result::ok) {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(from, to).expect("a copy");
    }
}

#[test]
fn every_change_of_the_sources_changes_the_digest() {
    let own = digest(&crates()).expect("the sources");
    assert_eq!(LoaderConfig::new(keep_core).built_from, own);
    // Another checkout of the same sources is the same.
    let other = folder();
    SOURCES.iter().for_each(|source| copy(&crates().join(source), &other.path().join(source)));
    assert_eq!(digest(other.path()).expect("the sources"), own);
    for file in [
        "erlang/src/lower/expr.rs", "erlang/src/types/form.rs", "erlang/src/otp.rs", "program/src/codec.rs",
        "term/src/lib.rs", "etf/src/decode.rs", "oracle/src/beagle_marks.hrl", "loader/src/cache.rs",
    ] {
        let path = other.path().join(file);
        let text = fs::read_to_string(&path).expect(file);
        fs::write(&path, text.replace('\n', "\r\n")).expect(file);
        assert_eq!(digest(other.path()).expect("the sources"), own, "{file}: ends of lines are not the program");
        fs::write(&path, format!("{text}\n")).expect(file);
        assert_ne!(digest(other.path()).expect("the sources"), own, "{file}");
        fs::write(&path, text).expect(file);
    }
    fs::write(other.path().join("program/src/more.rs"), "").expect("a file");
    assert_ne!(digest(other.path()).expect("the sources"), own);
}

/// Of the crate that lowers, only a part is in the digest: what that part uses of the rest would be forgotten.
#[test]
fn lowering_uses_nothing_of_its_crate_that_is_not_in_the_digest() {
    let own: Vec<&str> = SOURCES.iter().filter_map(|source| source.strip_prefix("erlang/src/")).collect();
    let mut pending: Vec<PathBuf> = own.iter().map(|source| crates().join("erlang/src").join(source)).collect();
    let mut files = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(path).expect("a folder").filter_map(Result::ok).map(|entry| entry.path()));
            continue;
        }
        files += 1;
        let text = fs::read_to_string(&path).expect("a source");
        for used in text.split("crate::").skip(1) {
            let module: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let is_known = own.iter().any(|source| source.trim_end_matches(".rs") == module);
            assert!(is_known, "{} uses crate::{module}: name it in build.rs as well", path.display());
        }
    }
    assert!(files > 10);
}
