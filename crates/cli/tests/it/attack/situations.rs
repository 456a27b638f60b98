//! The situations in which code of the user runs on the real runtime, each with every route.

use crate::attack::outside::{Outside, SECRET, without_landlock};
use crate::attack::routes::{ROUTES, ends_the_runtime};
use crate::attack::{beagle, is_full, said};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// On the real runtime the helper is there; on our machine it is not. So code can do one thing here and another there.
pub const ON_BEAM: &str = "on_beam() -> erlang:function_exported(beagle_helper, start, 1).\n";

pub struct Attack {
    pub folder: TempDir,
    pub outside: Outside,
}

impl Attack {
    pub fn new() -> Attack {
        Attack { folder: tempfile::tempdir().expect("a folder"), outside: Outside::new() }
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("writable");
    }

    /// Runs Beagle, and fails if anything outside has changed or a secret came out. Answers with what it said.
    pub fn run(&mut self, args: &[&str]) -> String {
        let mut command = beagle(self.folder.path(), args);
        command.env("BEAGLE_ATTACK_SECRET", SECRET);
        let said = self.observe(command);
        assert!(!said.contains(SECRET), "a secret came out:\n{said}");
        said
    }

    fn observe(&mut self, mut command: Command) -> String {
        let output = command.output().expect("beagle can be started");
        let said = said(&output);
        assert_ne!(output.status.code(), Some(3), "{said}");
        let damage = self.outside.damage();
        assert!(damage.is_empty(), "{damage:#?}\n{said}");
        said
    }
}

pub fn all() -> Vec<(usize, &'static str, &'static str)> {
    ROUTES.iter().enumerate().map(|(number, (name, route))| (number, *name, *route)).collect()
}

/// The routes for a situation in which each takes time: all of them, or some that few other situations have. `on_load`, the
/// transforms and the started applications always take all.
pub fn share(situation: usize) -> Vec<(usize, &'static str, &'static str)> {
    const SHARES: usize = 9;
    all().into_iter().filter(|(number, ..)| is_full() || number % SHARES == situation % SHARES).collect()
}

/// A module with a function for each route. `body` makes one of the route.
pub fn functions(
    outside: &Outside,
    module: &str,
    routes: &[(usize, &str, &str)],
    body: &dyn Fn(&str) -> String,
) -> String {
    let exports: Vec<String> = routes.iter().map(|(number, ..)| format!("r{number}/1")).collect();
    let mut text = format!("-module({module}).\n-export([{}]).\n{}", exports.join(", "), outside.macros());
    for (number, _, route) in routes {
        let body = body(route);
        text.push_str(&format!("-spec r{number}(boolean()) -> ok.\nr{number}(X) -> {body}.\n"));
    }
    text + ON_BEAM + "spin(0) -> ok;\nspin(N) -> spin(N - 1).\n"
}

/// A function that takes every route, one after the other.
fn all_routes() -> String {
    let mut routes: Vec<_> = ROUTES.iter().collect();
    routes.sort_by_key(|(name, _)| ends_the_runtime(name));
    let calls: String = routes.iter().map(|(_, route)| format!("    try_it(fun() -> {route} end),\n")).collect();
    format!(
        "all_routes() ->\n{calls}    ok.\ntry_it(F) ->\n    {{P, M}} = spawn_monitor(F),\n\
         \x20   receive {{'DOWN', M, process, P, _}} -> ok after 1000 -> exit(P, kill) end.\n"
    )
}

/// The machine sees an error, and the real runtime goes on to the outside.
#[test]
fn confirmation() {
    let mut attack = Attack::new();
    let routes = share(1);
    let body = |route: &str| format!("case X andalso on_beam() of true -> {route}, ok; false -> error(found) end");
    attack.write("confirmed.erl", &functions(&attack.outside, "confirmed", &routes, &body));
    let said = attack.run(&["test", "--fresh", "confirmed.erl"]);
    assert!(said.matches("raises error found").count() >= routes.len(), "{said}");
    let stopped = said.matches("and was stopped").count();
    assert!(stopped * 2 > routes.len(), "only {stopped} of {} were reported as stopped:\n{said}", routes.len());
}

/// The machine gives up after so many calls, and the real runtime runs on.
#[test]
fn beyond_the_step_limit() {
    let mut attack = Attack::new();
    let body = |route: &str| format!("X =:= X andalso spin(100000), {route}, ok");
    attack.write("slow.erl", &functions(&attack.outside, "slow", &share(2), &body));
    attack.run(&["test", "--fresh", "--steps", "1000", "slow.erl"]);
}

/// Tests of paths that end well here.
#[test]
fn emission_of_paths() {
    let mut attack = Attack::new();
    let body = |route: &str| format!("case X andalso on_beam() of true -> {route}, ok; false -> ok end");
    attack.write("paths.erl", &functions(&attack.outside, "paths", &share(3), &body));
    attack.run(&["test", "--fresh", "--emit-tests", "tests", "--emit-tests-for", "paths", "paths.erl"]);
}

/// A function that is called outside of its domain, which the unit catches.
#[test]
fn blame_that_is_caught() {
    let mut attack = Attack::new();
    let mut text = format!("-module(blamed).\n-export([f/1]).\n{}", attack.outside.macros());
    text.push_str("-spec f(fun((integer()) -> integer())) -> ok.\n");
    text.push_str("f(F) -> try F(atom) catch _:_ -> file:write_file(?OUT ++ \"/new\", <<>>), ok end.\n");
    attack.write("blamed.erl", &text);
    attack.run(&["test", "--fresh", "blamed.erl"]);
}

#[test]
fn on_load() {
    let mut attack = Attack::new();
    let text = format!(
        "-module(loaded).\n-export([f/1]).\n-on_load(init/0).\n{}{ON_BEAM}{}init() -> case on_beam() of \
         true -> all_routes(); false -> ok end.\n-spec f(integer()) -> ok.\nf(7) -> error(found);\nf(_) -> ok.\n",
        attack.outside.macros(),
        all_routes()
    );
    attack.write("loaded.erl", &text);
    attack.run(&["test", "--fresh", "loaded.erl"]);
}

#[test]
fn parse_transforms() {
    let mut attack = Attack::new();
    let transform = format!(
        "-module(transform).\n-export([parse_transform/2]).\n{}parse_transform(Forms, _) -> all_routes(), Forms.\n{}",
        attack.outside.macros(),
        all_routes()
    );
    attack.write("transform.erl", &transform);
    let user = "-module(user_of).\n-compile({parse_transform, transform}).\n-export([f/1]).\n\
                -spec f(integer()) -> ok.\nf(7) -> error(found);\nf(_) -> ok.\n";
    attack.write("user_of.erl", user);
    attack.run(&["test", "--fresh", "user_of.erl", "transform.erl"]);
}

/// A transform that writes to the pipe is not believed, and ends nothing but its own module.
#[test]
fn forged_answers() {
    let attack = Attack::new();
    let transform = "-module(forger).\n-export([parse_transform/2]).\n\
        parse_transform(Forms, _) ->\n\
        \x20   Core = term_to_binary({ok, #{module => forged, core => x, files => [], transforms => []}}),\n\
        \x20   [catch port_command(P, [<<N:64>>, 0, Core]) || P <- erlang:ports(), N <- lists:seq(0, 50)],\n\
        \x20   [catch port_command(P, [<<N:128>>, 0, Core]) || P <- erlang:ports(), N <- lists:seq(0, 50)],\n\
        \x20   Forms.\n";
    attack.write("forger.erl", transform);
    let user = "-module(forged).\n-compile({parse_transform, forger}).\n-export([f/1]).\n\
                -spec f(integer()) -> ok.\nf(_) -> ok.\n";
    attack.write("forged.erl", user);
    attack.write(
        "honest.erl",
        "-module(honest).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(7) -> no;\nf(_) -> ok.\n",
    );
    let output = beagle(attack.folder.path(), &["test", "--fresh", "forged.erl", "forger.erl", "honest.erl"]).output();
    let said = said(&output.expect("beagle can be started"));
    assert!(said.contains("wrote to the pipe"), "{said}");
    assert!(said.contains("honest:f(7)") && said.contains("confirmed on the BEAM"), "{said}");
}

/// What one evaluation leaves behind, the next one does not find.
#[test]
fn a_second_evaluation_finds_nothing_of_the_first() {
    let mut attack = Attack::new();
    let body = "case X of true -> application:set_env(kernel, left, behind), persistent_term:put(left, behind),\n\
                register(left, spawn(fun() -> timer:sleep(9000) end)), ets:new(left, [named_table, public]);\n\
                false -> ok end,\n\
                case {application:get_env(kernel, left), persistent_term:get(left, none), whereis(left)} of\n\
                {undefined, none, undefined} -> ok; _ when X -> error(first); _ -> error(second) end";
    let text = format!("-module(stateful).\n-export([f/1]).\n-spec f(boolean()) -> ok.\nf(X) -> {body}.\n");
    attack.write("stateful.erl", &text);
    let said = attack.run(&["test", "--fresh", "stateful.erl"]);
    assert!(!said.contains("error second"), "{said}");
}

/// What is printed can bring a function along that formats it: it is guarded as all that is evaluated.
#[test]
fn functions_that_format_output() {
    let mut attack = Attack::new();
    let print = "group_leader() ! {io_request, self(), make_ref(), {put_chars, latin1, file, delete, [?OUT ++ \"/victim\"]}},\n\
                 timer:sleep(100)";
    let text = format!(
        "-module(printing).\n-export([f/1]).\n{}-spec f(boolean()) -> ok.\nf(X) -> case X andalso on_beam() of true -> \
         {print}, ok; false -> error(found) end.\n{ON_BEAM}",
        attack.outside.macros()
    );
    attack.write("printing.erl", &text);
    let said = attack.run(&["test", "--fresh", "printing.erl"]);
    assert!(said.contains("on its way to file:delete/1, and was stopped"), "{said}");
}

/// An evaluation that takes the guard away is stopped, and the next one is guarded again.
#[test]
fn the_guard_comes_back() {
    let mut attack = Attack::new();
    let text = format!(
        "-module(blind).\n-export([f/1]).\n{}-spec f(1..2) -> ok.\nf(X) -> case on_beam() of\n\
         true when X =:= 1 -> erlang:trace_pattern({{'_', '_', '_'}}, false, [global]), ok;\n\
         true -> file:write_file(\"own\", <<>>), error(two);\n\
         false when X =:= 1 -> error(one);\nfalse -> error(two) end.\n{ON_BEAM}",
        attack.outside.macros()
    );
    attack.write("blind.erl", &text);
    let said = attack.run(&["test", "--fresh", "-j", "1", "blind.erl"]);
    assert!(said.contains("on its way to erlang:trace_pattern/3"), "{said}");
    assert!(said.contains("on its way to file:write_file/2"), "{said}");
}

/// Modules of a project that have names of OTP's neither compile the helper nor make Core for others.
#[test]
fn modules_that_hide_those_of_otp() {
    let mut attack = Attack::new();
    let cache = attack.folder.path().join("cache");
    let text = "-module(compile).\n-compile(export_all).\nforms(_, _) -> loop(). noenv_forms(_, _) -> loop().\n\
                noenv_file(_, _) -> loop().\nloop() -> timer:sleep(infinity).\n";
    attack.write("compile.erl", text);
    fs::create_dir_all(attack.folder.path().join("lib/app/ebin")).expect("a folder");
    let made =
        Command::new("erlc").args(["-o", "lib/app/ebin", "compile.erl"]).current_dir(attack.folder.path()).status();
    assert!(made.expect("erlc").success());
    fs::remove_file(attack.folder.path().join("compile.erl")).expect("it was there");
    attack.write("plain.erl", "-module(plain).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(7) -> no;\nf(X) -> _ = queue:from_list([X]), ok.\n");
    let cache = cache.to_str().expect("a path");
    let args = ["test", "--fresh", "--cache", cache, "--compile-time", "2s", "--pa", "lib/app/ebin", "plain.erl"];
    attack.run(&args);
    let said = attack.run(&["test", "--fresh", "--cache", cache, "plain.erl"]);
    assert!(said.contains("plain:f(7)") && said.contains("confirmed on the BEAM"), "{said}");
}

/// Links in a project do not make other places readable.
#[test]
fn links_out_of_a_project() {
    let mut attack = Attack::new();
    let app = attack.folder.path().join("lib/app");
    fs::create_dir_all(app.join("ebin")).expect("a folder");
    std::os::unix::fs::symlink(attack.outside.folder.path(), app.join("priv")).expect("a link");
    let text = format!(
        "-module(linked).\n-export([f/1]).\n-on_load(init/0).\n{}init() -> case file:read_file(?OUT ++ \"/secret\") of \
         {{ok, B}} -> persistent_term:put(secret, B); _ -> ok end.\n-spec f(boolean()) -> ok.\n\
         f(X) -> error({{X, persistent_term:get(secret, none)}}).\n",
        attack.outside.macros()
    );
    attack.write("linked.erl", &text);
    attack.run(&["test", "--fresh", "--pa", "lib/app/ebin", "linked.erl"]);
}

/// A configuration names neither programs to execute nor files to write outside of its project.
#[test]
fn configurations_reach_nowhere() {
    let mut attack = Attack::new();
    let out = attack.outside.folder.path().display().to_string();
    attack.write("rebar.config", "");
    fs::create_dir(attack.folder.path().join("src")).expect("a folder");
    attack.write("src/plain.app.src", "{application, plain, [{vsn, \"1\"}]}.");
    attack.write("src/plain.erl", "-module(plain).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(_) -> ok.\n");
    attack.write("evil.sh", &format!("#!/bin/sh\ntouch {out}/new\n"));
    std::os::unix::fs::symlink(&out, attack.folder.path().join("way")).expect("a link");
    for configuration in [
        "solver = \"./evil.sh\"".to_owned(),
        "second_solver = \"./evil.sh\"".to_owned(),
        format!("outputs = [\"jsonl={out}/victim\"]"),
        "outputs = [\"jsonl=../x\"]".to_owned(),
        "outputs = [\"jsonl=way/victim\"]".to_owned(),
        format!("html = \"{out}/new\""),
        "html = \"way/new\"".to_owned(),
    ] {
        attack.write("beagle.toml", &configuration);
        let said = attack.run(&["test", "--no-build", "--fresh"]);
        assert!(said.contains("beagle.toml:1") && said.contains("command line"), "{configuration}: {said}");
    }
}

/// The same routes without a sandbox do harm: otherwise the tests above would prove nothing.
#[test]
fn without_a_sandbox_the_routes_do_harm() {
    let mut attack = Attack::new();
    let names = ["write_file", "delete", "change_mode", "os:cmd kill", "gen_tcp", "gen_udp"];
    let routes: Vec<_> = ROUTES.iter().enumerate().filter(|(_, (name, _))| names.contains(name)).collect();
    let routes: Vec<_> = routes.into_iter().map(|(number, (name, route))| (number, *name, *route)).collect();
    assert_eq!(routes.len(), names.len());
    let body = |route: &str| format!("case X andalso on_beam() of true -> {route}, ok; false -> error(found) end");
    attack.write("trusted.erl", &functions(&attack.outside, "trusted", &routes, &body));
    let args = ["test", "--fresh", "--confirm", "trusting", "-j", "1", "trusted.erl"];
    let output = beagle(attack.folder.path(), &args).output().expect("beagle can be started");
    let damage = attack.outside.damage();
    // The guard ends evaluations, but after the call.
    assert!(damage.len() >= 3, "{damage:#?}\n{}", said(&output));
}

/// Where the kernel offers no Landlock nothing is evaluated, and the report says what to do.
#[test]
fn without_a_sandbox_nothing_is_confirmed() {
    let mut attack = Attack::new();
    attack
        .write("plain.erl", "-module(plain).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(7) -> no;\nf(_) -> ok.\n");
    let mut command = beagle(attack.folder.path(), &["test", "--fresh", "plain.erl"]);
    without_landlock(&mut command);
    let said = attack.observe(command);
    assert!(said.contains("plain:f(7)"), "{said}");
    assert!(said.contains("not confirmed") && said.contains("no sandbox on this system"), "{said}");
    assert!(said.contains("--confirm trusting"), "{said}");
    let mut command = beagle(attack.folder.path(), &["test", "--fresh", "--confirm", "trusting", "plain.erl"]);
    without_landlock(&mut command);
    assert!(attack.observe(command).contains("confirmed on the BEAM"));
}
