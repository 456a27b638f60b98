//! Where modules come from, and what is said of those that do not load.

use crate::common::{config, folder, load, loader, write};
use loader::{LoadError, Loader};
use oracle::{Call, Limits, OracleError, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;
use term::{Atom, Term};

fn erlc(source: &Path, into: &Path, options: &[&str]) {
    std::fs::create_dir_all(into).expect("a folder");
    let status = Command::new("erlc").args(options).arg("-o").arg(into).arg(source).status();
    assert!(status.expect("erlc is there").success());
}

fn answer(number: u32) -> String {
    format!("-module(answer).\n-export([f/0]).\nf() -> {number}.\n")
}

fn failure(loader: &Loader, module: &str) -> LoadError {
    loader.load(Atom::new(module)).expect_err(module)
}

#[test]
fn files_before_folders_before_code_paths() {
    let (cache, project, other) = (folder(), folder(), folder());
    let in_folder = write(project.path(), "lib/src/answer.erl", &answer(1));
    let alone = write(other.path(), "answer.erl", &answer(2));
    let ebin = other.path().join("ebin");
    erlc(&write(other.path(), "compiled/answer.erl", &answer(3)), &ebin, &["+debug_info"]);

    let has = |sources: &[&Path], code_paths: Vec<PathBuf>, number: u32| {
        let mut config = config(cache.path(), sources);
        config.code_paths = code_paths;
        let loader = Loader::new(config).expect("sources");
        let shown = load(&loader, "answer").0;
        assert!(shown.contains(&format!("Int({number})")), "{number}: {shown}");
    };
    has(&[project.path(), &alone], vec![ebin.clone()], 2);
    has(&[project.path()], vec![ebin.clone()], 1);
    has(&[&in_folder], vec![], 1);
    has(&[], vec![ebin.clone()], 3);
    has(&[&ebin.join("answer.beam")], vec![], 3);
    // What build tools write is not source, but is in the code path.
    erlc(
        &other.path().join("compiled/answer.erl"),
        &project.path().join("app/_build/default/lib/dep/ebin"),
        &["+debug_info"],
    );
    has(&[&project.path().join("app")], vec![], 3);
    let modules = loader(cache.path(), &[project.path()]);
    let modules: Vec<_> = modules.source_modules().map(|(module, file)| (module.text(), file)).collect();
    assert_eq!(modules, [("answer", in_folder.as_path())]);
}

#[test]
fn failures_are_explained() {
    let (cache, project) = (folder(), folder());
    write(project.path(), "broken.erl", "-module(broken).\nf( -> 1.\n");
    write(project.path(), "misnamed.erl", "-module(other_name).\n");
    write(project.path(), "beyond_us.erl", "-module(beyond_us).\n");
    write(
        project.path(),
        "untransformed.erl",
        "-module(untransformed).\n-compile({parse_transform, nowhere_to_be_found}).\n",
    );
    write(project.path(), "selfish.erl", "-module(selfish).\n-compile({parse_transform, selfish}).\n");
    let hidden = write(project.path(), "other/hidden.erl", "-module(hidden).\n");
    let ebin = project.path().join("deps/ebin");
    erlc(&hidden, &ebin, &[]);
    std::fs::remove_file(&hidden).expect("removable");
    write(&ebin, "garbage.beam", "no object code");

    let mut config = config(cache.path(), &[project.path()]);
    config.code_paths = vec![ebin];
    let loader = Loader::new(config).expect("sources");
    for _ in 0..2 {
        let is_oracle =
            |error: &LoadError, wanted: fn(&OracleError) -> bool| matches!(error, LoadError::Oracle(e) if wanted(e));
        let error = failure(&loader, "broken");
        assert!(is_oracle(&error, |e| matches!(e, OracleError::Compile { .. })), "{error}");
        assert!(error.to_string().contains("broken.erl:2:4: syntax error"), "{error}");
        let error = failure(&loader, "misnamed");
        assert!(matches!(&error, LoadError::WrongName { found, .. } if found.text() == "other_name"), "{error}");
        let error = failure(&loader, "beyond_us");
        assert!(matches!(&error, LoadError::Lower { .. }), "{error}");
        for (module, transform) in [("untransformed", "nowhere_to_be_found"), ("selfish", "selfish")] {
            let error = failure(&loader, module);
            assert!(error.to_string().contains(&format!("undefined parse transform '{transform}'")), "{error}");
        }
        let error = failure(&loader, "hidden");
        assert!(is_oracle(&error, |e| matches!(e, OracleError::NoDebugInfo { .. })), "{error}");
        let error = failure(&loader, "garbage");
        assert!(is_oracle(&error, |e| matches!(e, OracleError::BadBeam { .. })), "{error}");
    }
    for module in ["no_such_module_here", "", "../broken", "a/b", "a\0b"] {
        assert!(loader.load(Atom::new(module)).expect("an answer").is_none(), "{module:?}");
    }
    let error =
        Loader::new(crate::common::config(cache.path(), &[Path::new("/no/such/place")])).err().expect("no such place");
    assert!(error.to_string().contains("/no/such/place does not exist"), "{error}");
    let mut without = crate::common::config(cache.path(), &[]);
    without.erl = Some("/no/such/erl".into());
    let error = failure(&Loader::new(without).expect("no sources"), "lists");
    assert!(matches!(&error, LoadError::Oracle(e) if matches!(**e, OracleError::ErlMissing { .. })), "{error}");
}

#[test]
fn the_runtime_can_be_given_the_same_code() {
    let (cache, project) = (folder(), folder());
    write(project.path(), "answer.erl", &answer(42));
    let loader = loader(cache.path(), &[project.path()]);
    assert!(loader.load_into_runtime(Atom::new("answer")).expect("it compiles"));
    assert!(loader.load_into_runtime(Atom::new("lists")).expect("OTP has it"));
    assert!(!loader.load_into_runtime(Atom::new("no_such_module_here")).expect("an answer"));
    let call = Call::Text { text: "f()".into(), home: Some(Atom::new("answer")) };
    let outcome = loader.oracle().evaluate(&call, Limits::default()).expect("an outcome");
    assert_eq!(outcome, Outcome::Value { term: Term::Int(42), text: None });
}
