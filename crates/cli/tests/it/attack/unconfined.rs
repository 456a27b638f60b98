//! Systems without a sandbox: nothing of a project runs there unless the user trusts it.

use crate::attack::outside::without_landlock;
use crate::attack::{beagle, said};
use std::fs;
use std::path::Path;
use std::process::Command;

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

/// Modules with which a runtime reads the text of its command line and of its helper.
const EARLY: [&str; 8] = ["erl_scan", "erl_parse", "erl_eval", "erl_anno", "epp", "compile", "io_lib", "beagle_helper"];

/// Puts modules with the names of parts of OTP into a folder. When they are loaded or called they do what `attack` says.
fn plant(modules: &[&str], folder: &Path, attack: &str) {
    let sources = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder).expect("a folder");
    for module in modules {
        let text = format!(
            "-module({module}).\n-compile([export_all, nowarn_export_all]).\n-on_load(attack/0).\n\
             '$handle_undefined_function'(_, _) -> attack().\n{attack}\n"
        );
        fs::write(sources.path().join(format!("{module}.erl")), text).expect("a file");
    }
    let files = modules.iter().map(|module| format!("{module}.erl"));
    let mut compiler = Command::new("erlc");
    let made =
        compiler.arg("+nowarn_unused_vars").arg("-o").arg(folder).args(files).current_dir(sources.path()).output();
    let made = made.expect("erlc");
    assert!(made.status.success(), "{}", said(&made));
}

/// Runtimes boot with OTP's own modules, whatever lies in the current folder or in a folder of the project that `ERL_LIBS`
/// names: at that time they may start programs, and where there is no sandbox they may do anything.
#[test]
fn runtimes_boot_with_modules_of_otp() {
    let marks = tempfile::tempdir().expect("a folder");
    let mark = marks.path().join("ran");
    let attack = format!("attack() -> prim_file:write_file(\"{}\", \"\"), ok.", mark.display());
    let (boot, here, below) = ("no_dot_erlang.boot", "", "libs/x-1/ebin");
    for (place, libraries) in [(boot, None), (here, None), (below, Some("libs")), (below, Some("linked"))] {
        let (folder, cache) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let path = folder.path();
        fs::write(path.join("plain.erl"), PLAIN).expect("a file");
        fs::write(path.join("rebar.config"), "").expect("a file");
        match place == boot {
            true => fs::write(path.join(boot), "no boot file").expect("a file"),
            false => plant(&EARLY, &path.join(place), &attack),
        }
        // A folder of the user's with a link into the checkout.
        let outer = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(path.join("libs/x-1"), outer.path().join("x-1")).expect("a link");
        for is_sandboxed in [false, true] {
            let args = ["test", "--fresh", "--no-build", "--budget", "2s", "plain.erl", "--cache"];
            let mut command = beagle(path, &args);
            command.arg(cache.path()).env_remove("ERL_LIBS");
            match libraries {
                Some("linked") => drop(command.env("ERL_LIBS", outer.path())),
                Some(folder) => drop(command.env("ERL_LIBS", path.join(folder))),
                None => {}
            }
            if !is_sandboxed {
                without_landlock(&mut command);
            }
            let text = said(&command.output().expect("beagle can be started"));
            let when = format!("{place} {libraries:?}, sandboxed: {is_sandboxed}");
            assert!(!mark.exists(), "{when}: {text}");
            // Behind walls a project's own code paths come first, so its compiler may be broken by them.
            assert!(text.contains("plain:f(0)") || is_sandboxed && libraries.is_some(), "{when}: {text}");
        }
    }
}

/// A module of the checkout that finds the pipe answers in place of Beagle's helper, and hands over a helper of its own, for
/// the cache that all projects of the user share.
#[test]
fn a_checkout_leaves_no_helper_to_others() {
    let (hostile, clean) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (cache, marks) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mark = marks.path().join("ran");
    let helpers = tempfile::tempdir().expect("a folder");
    let helper = format!("attack() -> prim_file:write_file(\"{}\", \"\"), ok.\nstart(_) -> attack().", mark.display());
    plant(&["beagle_helper"], helpers.path(), &helper);
    let code = fs::read(helpers.path().join("beagle_helper.beam")).expect("a file");
    let attack = format!(
        "attack() -> ok.\nstring(S) ->\n\
         {{match, [I, O]}} = re:run(S, \"fd,([0-9]+),([0-9]+)\", [{{capture, [1, 2], list}}]),\n\
         P = open_port({{fd, list_to_integer(I), list_to_integer(O)}}, [binary, {{packet, 4}}]),\n\
         port_command(P, erlang:system_info(otp_release)), receive {{P, {{data, _}}}} -> ok end,\n\
         Info = maps:from_list([{{K, <<\"1\">>}} || K <- [release, erts, root, system, compilers]]),\n\
         port_command(P, [<<0:128, 0>>, term_to_binary({{hello, Info, <<{}>>}}, [{{minor_version, 2}}])]),\n\
         timer:sleep(500), erlang:halt(3).",
        code.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
    );
    plant(&["erl_scan"], hostile.path(), &attack);
    let run = |folder: &Path, is_sandboxed: bool| {
        fs::write(folder.join("plain.erl"), PLAIN).expect("a file");
        let mut command = beagle(folder, &["test", "--fresh", "--no-build", "--budget", "2s", "plain.erl", "--cache"]);
        command.arg(cache.path());
        if !is_sandboxed {
            without_landlock(&mut command);
        }
        said(&command.output().expect("beagle can be started"))
    };
    run(hostile.path(), true);
    let text = run(clean.path(), false);
    assert!(!mark.exists() && text.contains("plain:f(0)"), "{text}");
}
