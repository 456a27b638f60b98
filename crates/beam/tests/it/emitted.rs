//! Tests of findings about processes, run with the frameworks that they are for: they fail with the bugs, and pass when
//! these are mended.

use beam::{ERLANG, EUnit, ElixirFrontEnd, ExUnit};
use contract::Contract;
use emit::{Framework, Test};
use path::{Class, ProcessId, ProcessName, Raised, Reach};
use report::rank::Signals;
use report::{Disagreement, Judged, Judgement, Printer};
use search::{Failure, Finding};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

fn judged(failure: Failure) -> Judged {
    Judged {
        finding: Finding {
            inputs: Vec::new(),
            functions: Arc::default(),
            said: Vec::new(),
            failure,
            runs: 1,
            depends_on: Vec::new(),
            refused: None,
            made_wrong: None,
            compares_functions: false,
        },
        judgement: Judgement::Confirmed,
        shown: String::new(),
        place: None,
        seconds: 0.0,
        is_known: false,
        evaluations: 1,
        limit: None,
        signals: Signals::default(),
        disagreement: Disagreement::default(),
        behaviour: None,
        started: Vec::new(),
    }
}

fn crash(class: Class, reason: Term, reach: Reach) -> Failure {
    let process = ProcessName { id: ProcessId(1), initial: None, registered: None };
    Failure::Crash(Raised { process, class, reason, trace: Vec::new(), reach })
}

fn supervisor() -> Reach {
    Reach::Supervisor(ProcessName { id: ProcessId(1), initial: None, registered: Some(Atom::new("emitted_sup")) })
}

/// The tests of findings of a module, as a file.
fn file(framework: &dyn Framework, printer: &dyn Printer, module: &str, findings: Vec<(&str, Failure)>) -> String {
    let module = Atom::new(module);
    let types = Arc::default();
    let contract =
        Contract { types, clauses: Vec::new(), declared: false, behaviour: None, limits: Vec::new(), client: None };
    let test = |(function, failure): (&str, Failure)| -> Test {
        let name = FunctionName { module, function: Atom::new(function), arity: 0 };
        framework.bug(printer, &contract, name, &judged(failure)).expect("a test")
    };
    let tests: Vec<Test> = findings.into_iter().map(test).collect();
    emit::file(framework, module, None, &tests).expect("a file").text
}

fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env("HOME", folder);
    let Output { stdout, stderr, .. } = command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
    format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr))
}

fn write(folder: &Path, file: &str, text: &str) {
    std::fs::write(folder.join(file), text).expect("a file");
}

const SERVERS: &str = r#"-module(emitted).
-export([unlinked/0, exits/0, throws/0, linked/0, supervised/0, waits/0, init/1, child/0]).

-ifdef(MENDED).
work() -> ok.
child() -> {ok, spawn_link(fun() -> receive after 200 -> exit(shutdown) end end)}.
waits() -> ok.
exits() -> spawn(fun() -> exit({shutdown, wanted}) end).
throws() -> spawn(fun() -> work() end).
-else.
work() -> hd(erlang:nodes(hidden)).
child() -> {ok, spawn_link(fun() -> work() end)}.
waits() -> receive never -> ok end.
exits() -> spawn(fun() -> exit({unwanted, self()}) end).
throws() -> spawn(fun() -> throw(ball) end).
-endif.

unlinked() -> spawn(fun() -> spawn(fun() -> work() end) end), ok.
linked() ->
    {_, Monitor} = spawn_opt(fun() -> work() end, [link, monitor]),
    receive {'DOWN', Monitor, process, _, _} -> ok end.

supervised() -> supervisor:start_link({local, emitted_sup}, emitted, []).
init([]) ->
    Child = #{id => child, start => {emitted, child, []}, restart => transient},
    {ok, {#{intensity => 1, period => 5}, [Child]}}.
"#;

#[test]
fn eunit_tests_of_processes_fail_with_the_bugs_and_pass_without() {
    let badarg = || Term::atom("badarg");
    let unwanted = Term::tuple([Term::atom("unwanted"), Term::Pid(1)]);
    let tests = file(
        &EUnit,
        &ERLANG,
        "emitted",
        vec![
            ("unlinked", crash(Class::Error, badarg(), Reach::Nobody)),
            ("exits", crash(Class::Exit, unwanted, Reach::Nobody)),
            ("throws", crash(Class::Throw, Term::atom("ball"), Reach::Nobody)),
            ("linked", crash(Class::Error, badarg(), Reach::Link(badarg()))),
            ("supervised", crash(Class::Error, badarg(), supervisor())),
            ("waits", Failure::Deadlock(Vec::new())),
        ],
    );
    for part in [
        "unlinked_0_starts_a_process_that_raises_badarg_test_() ->\n    {spawn, fun() ->\n",
        "{trace, _, exit, {badarg, _} = Reason} -> error(Reason)",
        "{trace, _, exit, {unwanted,_} = Reason} -> error(Reason)",
        "{trace, _, exit, {{nocatch, ball}, _} = Reason} -> error(Reason)",
        "linked_0_is_linked_to_a_process_that_raises_badarg_test_() ->",
        "waits_0_waits_for_ever_test_() ->",
    ] {
        assert!(tests.contains(part), "{part}: {tests}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "emitted.erl", SERVERS);
    write(folder.path(), "emitted_beagle_tests.erl", &tests);
    let outcome = |options: &[&str]| {
        let compiled =
            run(folder.path(), "erlc", &[options, &["-Werror", "emitted.erl", "emitted_beagle_tests.erl"]].concat());
        assert_eq!(compiled, "");
        let test = "logger:set_primary_config(level, none), eunit:test(emitted_beagle_tests), halt().";
        run(folder.path(), "erl", &["-noshell", "-eval", test])
    };
    let failed = outcome(&[]);
    assert!(failed.contains("Failed: 6.  Skipped: 0.  Passed: 0."), "{failed}{tests}");
    let passed = outcome(&["-DMENDED"]);
    assert!(passed.contains("All 6 tests passed."), "{passed}{tests}");
}

const SHOP: &str = r#"defmodule Emitted do
  def unlinked do
    spawn(fn -> work() end)
    :ok
  end

  def raises, do: spawn(fn -> complain() end)

  def linked do
    {_, monitor} = :erlang.spawn_opt(fn -> work() end, [:link, :monitor])
    receive do: ({:DOWN, ^monitor, :process, _, _} -> :ok)
  end
"#;

const WRONG: &str = r#"
  def waits, do: receive(do: (:never -> :ok))
  defp work, do: div(1, List.first([0]))
  defp complain, do: raise(ArgumentError, "no")
end
"#;

const RIGHT: &str = "
  def waits, do: :ok
  defp work, do: :ok
  defp complain, do: :ok
end
";

#[test]
fn exunit_tests_of_processes_fail_with_the_bugs_and_pass_without() {
    let key = |name: &str| Term::atom(name);
    let exception = Term::Map(
        [
            (key("__exception__"), Term::TRUE),
            (key("__struct__"), Term::atom("Elixir.ArgumentError")),
            (key("message"), Term::binary(*b"no")),
        ]
        .into(),
    );
    let badarith = || Term::atom("badarith");
    let tests = file(
        &ExUnit,
        &ElixirFrontEnd::without_code(),
        "Elixir.Emitted",
        vec![
            ("unlinked", crash(Class::Error, badarith(), Reach::Nobody)),
            ("raises", crash(Class::Error, exception, Reach::Nobody)),
            ("linked", crash(Class::Error, badarith(), Reach::Link(badarith()))),
            ("waits", Failure::Deadlock(Vec::new())),
        ],
    );
    for part in [
        "    process = spawn(fn -> receive do: (:go -> Emitted.unlinked()) end)\n",
        "    refute_receive {:trace, _, :exit, {:badarith, _}}, 1_000\n",
        "    refute_receive {:trace, _, :exit, {%ArgumentError{}, _}}, 1_000\n",
    ] {
        assert!(tests.contains(part), "{part}: {tests}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "emitted_beagle_test.exs", &tests);
    let outcome = |rest: &str| {
        write(folder.path(), "emitted.exs", &format!("{SHOP}{rest}"));
        let start = "ExUnit.start(); Logger.configure(level: :none)";
        run(folder.path(), "elixir", &["-e", start, "-r", "emitted.exs", "-r", "emitted_beagle_test.exs"])
    };
    let failed = outcome(WRONG);
    assert!(failed.contains("4 tests, 4 failures"), "{failed}{tests}");
    let passed = outcome(RIGHT);
    assert!(passed.contains("4 tests, 0 failures"), "{passed}{tests}");
}
