//! Clients of servers, as a user meets them: names, reports, tests that are written, and servers of Elixir.

use crate::common::{beagle, program, refused, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A stack that cannot be popped when it is empty.
const STACK: &str = r#"-module(stack).
-behaviour(gen_server).
-export([start_link/1, push/2, pop/1]).
-export([init/1, handle_call/3, handle_cast/2]).

-spec start_link(pos_integer()) -> {ok, pid()}.
start_link(Most) -> gen_server:start_link(?MODULE, Most, []).

-spec push(pid(), integer()) -> ok | full.
push(Stack, Item) -> gen_server:call(Stack, {push, Item}).

-spec pop(pid()) -> integer() | empty.
pop(Stack) -> gen_server:call(Stack, pop).

init(Most) -> {ok, {Most, []}}.

handle_call({push, _}, _, {Most, Items} = S) when length(Items) >= Most -> {reply, full, S};
handle_call({push, Item}, _, {Most, Items}) -> {reply, ok, {Most, [Item | Items]}};
handle_call(pop, _, {Most, [Item | Items]}) -> {reply, Item, {Most, Items}}.

handle_cast(_, S) -> {noreply, S}.
"#;

/// The clause that it lacks.
const MENDED: &str = "handle_call(pop, _, {_, []} = S) -> {reply, empty, S};\nhandle_call({push, _}, _,";

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(file: &str, text: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        fs::write(folder.path(file), text).expect("a file");
        folder
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }
}

fn objects(args: &[&str], files: &[PathBuf]) -> Vec<Value> {
    let (text, _) = run(&[&["test", "--fresh", "--format", "jsonl"], args].concat(), files);
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

fn of_type<'o>(objects: &'o [Value], name: &str) -> Vec<&'o Value> {
    objects.iter().filter(|object| object["type"] == name).collect()
}

#[test]
fn a_scenario_breaks_a_server_and_is_confirmed() {
    let folder = Folder::with("stack.erl", STACK);
    let objects = objects(&["--max-runs", "200"], &[folder.path("stack.erl")]);
    let bugs = of_type(&objects, "bug");
    assert_eq!(bugs.len(), 1, "{objects:?}");
    let bug = bugs[0];
    assert_eq!((&bug["function"], &bug["confirmed"]), (&Value::from("stack:client"), &Value::from(true)));
    assert_eq!(bug["call"], "{ok, Pid} = stack:start_link(1), stack:pop(Pid)");
    assert_eq!((&bug["class"], &bug["reason"]), (&Value::from("error"), &Value::from("function_clause")));
    // Callbacks are not tested with states that nobody can bring about, nor functions that talk to the server alone.
    let functions = of_type(&objects, "function");
    let mut names: Vec<&str> = functions.iter().filter_map(|object| object["function"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["stack:client", "stack:start_link/1"]);
}

#[test]
fn callbacks_are_tested_if_that_is_wanted() {
    let folder = Folder::with("stack.erl", STACK);
    let (listed, code) = run(&["test", "--list", "--callbacks", "--all"], &[folder.path("stack.erl")]);
    assert_eq!(code, 0);
    assert!(listed.contains("stack:handle_call/3"), "{listed}");
    let (listed, _) = run(&["test", "--list", "--all"], &[folder.path("stack.erl")]);
    assert!(listed.contains("stack:client") && !listed.contains("handle_call"), "{listed}");
}

#[test]
fn clients_have_names_without_an_arity_in_all_reports() {
    let folder = Folder::with("stack.erl", STACK);
    let (junit, sarif) = (folder.path("junit.xml"), folder.path("stack.sarif"));
    let outputs = [format!("junit={}", junit.display()), format!("sarif={}", sarif.display())];
    let html = folder.path("html").display().to_string();
    let args = ["test", "--fresh", "-f", "stack:client", "--max-runs", "50", "--html", &html];
    let args = [&args[..], &["--output", &outputs[0], "--output", &outputs[1]]].concat();
    let (text, code) = run(&args, &[folder.path("stack.erl")]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("the process stack:init/1 crashes after stack:pop/1: error function_clause"), "{text}");
    for report in [text, folder.read("junit.xml"), folder.read("stack.sarif")] {
        assert!(report.contains("client") && !report.contains("4294967295"), "{report}");
    }
    assert!(folder.path("html/index.html").exists());
}

#[test]
fn tests_of_scenarios_fail_until_the_server_is_mended() {
    let folder = Folder::with("stack.erl", STACK);
    let tests = folder.path("test").display().to_string();
    let args = ["test", "--fresh", "-f", "stack:client", "--max-runs", "50", "--emit-tests", &tests];
    beagle(&args, &[folder.path("stack.erl")]);
    assert!(folder.read("test/stack_beagle_tests.erl").contains("stack:pop(Pid)"));
    assert!(!passes(&folder), "the test passes although the bug is there");
    fs::write(folder.path("stack.erl"), STACK.replacen("handle_call({push, _}, _,", MENDED, 1)).expect("a file");
    assert!(passes(&folder), "the test fails although the bug is mended");
}

/// Whether EUnit is content.
fn passes(folder: &Folder) -> bool {
    let at = |file: &str| folder.path(file).display().to_string();
    let compile = Command::new("erlc")
        .args(["-o", &at(""), &at("stack.erl"), &at("test/stack_beagle_tests.erl")])
        .output()
        .expect("erlc");
    assert!(compile.status.success(), "{}", String::from_utf8_lossy(&compile.stdout));
    let eval = "case eunit:test(stack_beagle_tests) of ok -> halt(0); _ -> halt(1) end.";
    let run = Command::new("erl").args(["-noinput", "-pa", &at(""), "-eval", eval]).output().expect("erl");
    run.status.success()
}

#[test]
fn who_has_no_clients_is_told_so() {
    let folder = Folder::with("plain.erl", "-module(plain).\n-export([f/1]).\nf(X) -> X.\n");
    let said = refused(&["test", "-f", "plain:client"], &[folder.path("plain.erl")]);
    assert!(said.contains("plain has no clients"), "{said}");
}

#[test]
fn an_invariant_must_be_a_function_that_can_be_called() {
    let text =
        STACK.replacen("-export([init/1", "-beagle({invariant, fits/1}).\n-export([init/1", 1) + "fits(_) -> true.\n";
    let folder = Folder::with("stack.erl", &text);
    let said = refused(&["test"], &[folder.path("stack.erl")]);
    assert!(said.contains("an invariant must be exported"), "{said}");
}

#[test]
fn a_parameter_that_is_a_process_is_somebody_elses() {
    let text = "-module(asks).\n-export([f/1]).\n-spec f(pid()) -> integer().\n\
                f(P) -> case gen_server:call(P, get) of 42 -> error(bug); N when is_integer(N) -> N; _ -> 0 end.\n";
    let folder = Folder::with("asks.erl", text);
    let objects = objects(&["--max-runs", "50"], &[folder.path("asks.erl")]);
    let bugs = of_type(&objects, "bug");
    assert_eq!(bugs.len(), 1, "{objects:?}");
    assert!(bugs[0]["call"].as_str().is_some_and(|call| call.contains("gen_server:reply(From, 42)")), "{bugs:?}");
    assert_eq!(bugs[0]["confirmed"], true);
}

/// A name that nobody registers is played; one that the program registers is the business of its own server.
#[test]
fn somebody_is_registered_under_a_name_that_nobody_registers() {
    let text = "-module(asks).\n-export([f/1, g/1]).\n-spec f(integer()) -> integer().\n\
                f(X) -> case gen_server:call(audit, {count, X}) of {ok, 42} -> 1 div (X - 7); _ -> 0 end.\n\
                -spec g(integer()) -> integer().\n\
                g(X) -> journal ! {wrote, X}, 1 div (X - 3).\n";
    let folder = Folder::with("asks.erl", text);
    let tests = folder.path("test").display().to_string();
    let objects = objects(&["--emit-tests", &tests], &[folder.path("asks.erl")]);
    let bugs = of_type(&objects, "bug");
    let calls: Vec<&str> = bugs.iter().filter_map(|bug| bug["call"].as_str()).collect();
    let of = |name: &str, call: &str| calls.iter().any(|text| text.contains(name) && text.ends_with(call));
    assert!(of("register(audit, ", "asks:f(7)") && of("register(journal, ", "asks:g(3)"), "{calls:?}");
    assert!(calls.contains(&"asks:f(0)"), "that nobody is there is found, too: {calls:?}");
    assert!(bugs.iter().all(|bug| bug["confirmed"] == true), "{bugs:?}");
    let tests = folder.read("test/asks_beagle_tests.erl");
    assert!(tests.contains("register(audit, "), "{tests}");
    assert_eq!(tests.matches("asks:f(").count(), 2, "each of them is a test of its own: {tests}");
}

#[test]
fn a_name_that_the_program_registers_is_not_played() {
    let text = "-module(owner).\n-export([start/0, f/1]).\n\
                start() -> register(audit, spawn(timer, sleep, [infinity])).\n\
                -spec f(integer()) -> integer().\n\
                f(X) -> gen_server:call(audit, {count, X}).\n";
    let folder = Folder::with("owner.erl", text);
    let objects = objects(&["-f", "owner:f/1"], &[folder.path("owner.erl")]);
    let calls: Vec<_> = of_type(&objects, "bug").into_iter().filter_map(|bug| bug["call"].as_str()).collect();
    assert!(calls.iter().all(|call| !call.contains("register")), "{calls:?}");
}

#[test]
fn what_a_function_may_raise_its_clients_may_see() {
    let text = "-module(pile).\n-export([new/0, pop/1]).\n-export_type([pile/0]).\n-opaque pile() :: [integer()].\n\
                -spec new() -> pile().\nnew() -> [].\n\
                -spec pop(pile()) -> pile().\npop([]) -> error(empty);\npop([_ | Rest]) -> Rest.\n";
    let bugs = |text: &str| {
        let folder = Folder::with("pile.erl", text);
        of_type(&objects(&["-f", "pile:client", "--max-runs", "50"], &[folder.path("pile.erl")]), "bug").len()
    };
    assert_eq!(bugs(text), 1);
    assert_eq!(bugs(&text.replace("-export_type", "-beagle({expect, pop/1, [empty]}).\n-export_type")), 0);
}

/// OTP's own data structures raise exceptions on purpose, and all that is found there is true.
#[test]
fn data_structures_of_otp_are_abstract_data() {
    for module in ["queue", "gb_trees", "gb_sets", "dict", "sets", "array", "digraph"] {
        let unit = format!("{module}:client");
        let objects = objects(&["-f", unit.as_str(), "--max-runs", "150"], &[]);
        let bugs = of_type(&objects, "bug");
        assert!(bugs.iter().all(|bug| bug["confirmed"] == true), "{module}: {bugs:?}");
        assert_eq!(of_type(&objects, "function").len(), 1, "{module}: {objects:?}");
    }
}

#[test]
fn a_data_structure_of_elixir_is_abstract_data() {
    let objects = objects(&["-f", "MapSet.client", "--max-runs", "300"], &[]);
    let bugs = of_type(&objects, "bug");
    assert!(bugs.iter().all(|bug| bug["confirmed"] == true), "{bugs:?}");
    let functions = of_type(&objects, "function");
    assert_eq!(functions.len(), 1, "{objects:?}");
    assert!(functions[0]["runs"].as_u64().is_some_and(|runs| runs > 100), "{functions:?}");
}

/// The programs in `programs/clients` claim what their clients find, in a line `#? client: …`.
#[test]
fn servers_of_elixir_have_clients() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files: Vec<PathBuf> =
        program("clients").read_dir().expect("the programs").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let output = Command::new("elixirc").arg("-o").arg(folder.path()).args(&files).output().expect("elixirc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for file in &files {
        let text = fs::read_to_string(file).expect("a program");
        let module = text.lines().find_map(|line| line.strip_prefix("defmodule ")?.strip_suffix(" do"));
        let module = module.expect("a module");
        let claim = text.lines().find_map(|line| line.strip_prefix("#? client")).expect("a claim");
        check(module, claim, folder.path());
    }
}

fn check(module: &str, claim: &str, code: &Path) {
    let all: &[&str] = if claim.contains("with all") { &["--all"] } else { &[] };
    let unit = format!("{module}.client");
    let args = [&["-f", unit.as_str(), "--max-runs", "1500"], all].concat();
    let objects = objects(&args, &[code.to_path_buf()]);
    let bugs = of_type(&objects, "bug");
    let Some((_, claimed)) = claim.split_once("finds ") else {
        assert!(bugs.is_empty(), "{module} is clean: {bugs:?}");
        return;
    };
    let kind = claimed.split(':').next().unwrap_or_default();
    let is_claimed = |bug: &&&Value| match kind {
        "spec" => bug["kind"] == "spec",
        class => bug["class"] == class,
    };
    assert!(bugs.iter().any(|bug| is_claimed(&bug) && bug["confirmed"] == true), "{module} {claim}: {objects:?}");
    assert!(bugs.iter().all(|bug| bug["confirmed"] == true), "{module}: {bugs:?}");
}
