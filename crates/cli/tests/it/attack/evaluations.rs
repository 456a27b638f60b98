//! Further situations in which the real runtime evaluates code of the user: replays, setups, applications that are started,
//! forced schedules, and the executors that run on the BEAM. Each takes the routes of `routes.rs`.

use crate::attack::is_full;
use crate::attack::routes::ROUTES;
use crate::attack::situations::{Attack, ON_BEAM, all, functions, share};
use crate::attack::{beagle, said};
use std::fs;
use std::process::Command;

/// Routes that take a command each: all of them, or a few.
fn some(situation: usize) -> Vec<(usize, &'static str, &'static str)> {
    const EVERY: usize = 23;
    all().into_iter().filter(|(number, ..)| is_full() || number % EVERY == situation).collect()
}

/// Takes the route on the real runtime only, where the machine has found an error.
fn takes_route(route: &str) -> String {
    format!("case X andalso on_beam() of true -> {route}, ok; false -> error(found) end")
}

/// The findings were made without the runtime, which sees the code for the first time when they are replayed.
#[test]
fn replay_of_findings() {
    let mut attack = Attack::new();
    let routes = share(4);
    attack.write("found.erl", &functions(&attack.outside, "found", &routes, &|route| takes_route(route)));
    let test = ["test", "--fresh", "--no-confirm", "--show", "all", "--format", "jsonl", "found.erl"];
    let lines = beagle(attack.folder.path(), &test).output().expect("beagle can be started").stdout;
    attack.write("findings.jsonl", &String::from_utf8(lines).expect("text"));
    let said = attack.run(&["replay", "findings.jsonl", "found.erl"]);
    assert!(said.matches("found:r").count() >= routes.len(), "{said}");
    assert!(said.contains("was stopped"), "{said}");
}

/// The expression itself takes the route.
#[test]
fn replay_of_expressions() {
    let mut attack = Attack::new();
    attack.write("plain.erl", "-module(plain).\n-export([f/0]).\nf() -> ok.\n");
    let macros = attack.outside.macros();
    for (_, _, route) in some(0) {
        attack.run(&["replay", &expanded(route, &macros), "plain.erl"]);
    }
}

/// Replaces the macros of a route, each defined as `-define(NAME, VALUE).`, by their values.
fn expanded(route: &str, macros: &str) -> String {
    let definitions =
        macros.lines().filter_map(|line| line.strip_prefix("-define(")?.strip_suffix(").")?.split_once(", "));
    definitions.fold(route.to_owned(), |text, (name, value)| text.replace(&format!("?{name}"), value))
}

/// The order of the processes is forced by code that runs beside that of the user.
#[test]
fn forced_schedules() {
    let mut attack = Attack::new();
    let body = |route: &str| {
        format!(
            "P = self(), spawn(fun() -> case on_beam() of true -> {route}; false -> ok end, P ! done end),\n\
             receive done -> X after 2000 -> ok end"
        )
    };
    let routes = some(1);
    attack.write("ordered.erl", &functions(&attack.outside, "ordered", &routes, &body));
    for (number, ..) in routes {
        let said = attack.run(&["replay", "--order", "1", &format!("ordered:r{number}(true)"), "ordered.erl"]);
        assert!(said.contains("schedule"), "{said}");
    }
}

/// Schedules are files of the checkout, and name functions that the runtime calls.
#[test]
fn schedules_call_nothing() {
    let mut attack = Attack::new();
    let text = "-module(two).\n-export([f/0]).\nf() -> P = self(), spawn(fun() -> P ! a end), receive a -> ok end.\n";
    attack.write("two.erl", text);
    let out = attack.outside.folder.path().display().to_string();
    let call = format!("file:delete(\"{out}/victim\")");
    let lines = [
        call.clone(),
        format!("main {call}"),
        "main file:delete/1".to_owned(),
        format!("main.1 erlang:send/2\nmain {call}"),
        format!("main 'erlang:halt'/0\n{out}/victim erlang:send/2"),
        "main.99999999999999999999 erlang:send/2".to_owned(),
        format!("main{} erlang:send/2", ".1".repeat(100_000)),
    ];
    for (_, line) in lines.into_iter().enumerate().filter(|(number, _)| is_full() || number % 2 == 1) {
        attack.write("order", &line);
        attack.run(&["replay", "--schedule", "order", "two:f()", "two.erl"]);
    }
}

/// Calls before each run, on the real runtime as well.
#[test]
fn setups() {
    let mut attack = Attack::new();
    let mut files = Vec::new();
    for (number, _, route) in share(5) {
        let module = format!("setup{number}");
        let text = format!(
            "-module({module}).\n-export([s/0, f/1]).\n-beagle({{setup, s/0}}).\n{}{ON_BEAM}\
             s() -> case on_beam() of true -> {route}; false -> ok end.\n\
             -spec f(boolean()) -> ok.\nf(true) -> error(found);\nf(_) -> ok.\n",
            attack.outside.macros()
        );
        attack.write(&format!("{module}.erl"), &text);
        files.push(format!("{module}.erl"));
    }
    let args: Vec<&str> =
        ["test", "--fresh", "--show", "all"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let said = attack.run(&args);
    assert!(said.matches("raises error found").count() >= files.len(), "{said}");
    assert!(!said.contains("confirmed on the BEAM") || said.contains("was stopped"), "{said}");
}

/// Applications of the project that are started for its functions.
#[test]
fn started_applications() {
    let mut attack = Attack::new();
    let app = attack.folder.path().join("_build/default/lib/shop");
    fs::create_dir_all(app.join("ebin")).expect("a folder");
    fs::create_dir_all(attack.folder.path().join("src")).expect("a folder");
    let routes: String =
        ROUTES.iter().map(|(_, route)| format!("    spawn(fun() -> timer:sleep(20), {route} end),\n")).collect();
    let description =
        "{application, shop, [{vsn, \"1\"}, {modules, [shop]}, {applications, [kernel, stdlib]}, {mod, {shop, []}}]}.";
    attack.write("rebar.config", "");
    attack.write("src/shop.app.src", description);
    attack.write("_build/default/lib/shop/ebin/shop.app", description);
    let text = format!(
        "-module(shop).\n-behaviour(application).\n-export([start/2, stop/1, init/1, f/1]).\n{}{ON_BEAM}\
         start(_, _) -> case on_beam() of true -> all(); false -> ok end, supervisor:start_link(?MODULE, []).\n\
         all() ->\n{routes}    ok.\nstop(_) -> ok.\ninit([]) -> {{ok, {{{{one_for_one, 1, 1}}, []}}}}.\n\
         -spec f(boolean()) -> ok.\nf(true) -> error(found);\nf(_) -> ok.\n",
        attack.outside.macros()
    );
    attack.write("src/shop.erl", &text);
    let compiled = Command::new("erlc")
        .args(["+debug_info", "-o", "_build/default/lib/shop/ebin", "src/shop.erl"])
        .current_dir(attack.folder.path())
        .status();
    assert!(compiled.expect("erlc").success());
    let said = attack.run(&["test", "--no-build", "--fresh", "--start", ".", "--show", "all"]);
    assert!(said.contains("shop:f(true)"), "{said}");
}

/// The real runtime makes every run, with instrumented code.
#[test]
fn executors_on_the_runtime() {
    let executors = ["both", "beam"];
    let budget = if is_full() { "2s" } else { "500ms" };
    for executor in executors.into_iter().take(if is_full() { 2 } else { 1 }) {
        let mut attack = Attack::new();
        let routes = some(2);
        attack.write("run.erl", &functions(&attack.outside, "run", &routes, &|route| takes_route(route)));
        // What both do differently is a defect of Beagle's as a rule, with an exit code of its own; here it is the attack's.
        let args = ["test", "--fresh", "--executor", executor, "--show", "all", "--budget", budget, "run.erl"];
        let mut command = beagle(attack.folder.path(), &args);
        command.env("BEAGLE_ATTACK_SECRET", crate::attack::outside::SECRET);
        let output = command.output().expect("beagle can be started");
        let said = said(&output);
        let damage = attack.outside.damage();
        assert!(damage.is_empty(), "{executor}: {damage:#?}\n{said}");
        assert!(!said.contains(crate::attack::outside::SECRET), "{executor}: a secret came out:\n{said}");
        assert!(said.matches("run:r").count() >= routes.len(), "{executor}: {said}");
    }
}
