//! Systems without a sandbox: nothing of a project runs there unless the user trusts it.

use crate::attack::outside::without_landlock;
use crate::attack::{beagle, said};
use std::fs;
use std::path::Path;

/// Leaves a trace where it runs.
const TRANSFORM: &str = "-module(planted).\n-export([parse_transform/2]).\n\
    parse_transform(Forms, _) -> file:write_file(\"ran\", \"\"), Forms.\n";
const USER: &str = "-module(user_of_it).\n-compile([{parse_transform, planted}]).\n-export([f/1]).\n\
    -spec f(integer()) -> integer().\nf(X) -> 1 div X.\n";
/// Uses a transform of OTP's, which may run.
const PLAIN: &str = "-module(plain).\n-include_lib(\"stdlib/include/ms_transform.hrl\").\n-export([f/1]).\n\
    -spec f(integer()) -> integer().\nf(X) -> ets:fun2ms(fun(Y) -> Y end), 1 div X.\n";

fn run(folder: &Path, more: &[&str]) -> String {
    let args = ["test", "--fresh", "--no-build", "--budget", "2s", "--cache", "cache"];
    let mut command = beagle(folder, &[&args, more].concat());
    without_landlock(&mut command);
    said(&command.output().expect("beagle can be started"))
}

#[test]
fn transforms_of_a_project_need_a_sandbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    for (name, text) in [("planted.erl", TRANSFORM), ("user_of_it.erl", USER), ("plain.erl", PLAIN)] {
        fs::write(path.join(name), text).expect("a file");
    }
    let ran = || path.join("ran").exists();
    let text = run(path, &["planted.erl", "user_of_it.erl", "plain.erl"]);
    assert!(text.contains("it uses the transform planted, which is code of the project"), "{text}");
    assert!(text.contains("plain:f(0)"), "{text}");
    assert!(!ran(), "{text}");
    // An option of the project says the same as an attribute.
    fs::create_dir(path.join("src")).expect("a folder");
    fs::write(path.join("rebar.config"), "{erl_opts, [{parse_transform, planted}]}.").expect("a file");
    fs::write(path.join("src/other.erl"), USER.replace("user_of_it", "other").replace("-compile", "%"))
        .expect("a file");
    let text = run(path, &["src"]);
    assert!(text.contains("it uses the transform planted") && !ran(), "{text}");
    let text = run(path, &["--confirm", "trusting", "planted.erl", "user_of_it.erl"]);
    assert!(text.contains("user_of_it:f(0)") && ran(), "{text}");
}

/// A module of the project with the name of a part of the compiler is not taken for it.
#[test]
fn the_compiler_is_that_of_otp() {
    let folder = tempfile::tempdir().expect("a folder");
    let ebin = folder.path().join("ebin");
    fs::create_dir(&ebin).expect("a folder");
    for module in ["v3_core", "sys_core_fold", "erl_expand_records"] {
        let text = format!(
            "-module({module}).\n-compile([export_all, nowarn_export_all]).\n\
             module(_, _) -> file:write_file(\"ran\", \"\"), halt().\n'$handle_undefined_function'(_, _) -> halt().\n"
        );
        fs::write(folder.path().join(format!("{module}.erl")), text).expect("a file");
        let mut compiler = std::process::Command::new("erlc");
        let made = compiler.args(["-o", "ebin"]).arg(format!("{module}.erl")).current_dir(folder.path()).status();
        assert!(made.expect("erlc").success());
        fs::remove_file(folder.path().join(format!("{module}.erl"))).expect("a file");
    }
    fs::write(folder.path().join("plain.erl"), PLAIN).expect("a file");
    let text = run(folder.path(), &["--pa", "ebin", "plain.erl"]);
    assert!(text.contains("plain:f(0)"), "{text}");
    assert!(!folder.path().join("ran").exists());
}
