//! Beagle's machine and the BEAM as executors: they find the same, and the BEAM runs what the machine cannot, behind walls.

use crate::common::{beagle, refused, run};
use beam::ErlangFrontEnd;
use campaign::{Until, settings};
use frontend::{Code, CodeConfig, Evaluation};
use interaction::MachineExecutor;
use machine::Limits;
use path::{Call, Clauses, Executor, Followed, Following, Wrapper};
use search::Settings;
use serde_json::Value;
use session::Session;
use solver::{Chain, SmtSettings};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, Term};
use tracer::{Events, Kind, Ledger, Mode, Runtime, TracingExecutor};

/// A folder for the files of a test, whose name its code may contain.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("executors").join(name);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

fn source(folder: &Path, module: &str, body: &str) -> PathBuf {
    let file = folder.join(format!("{module}.erl"));
    std::fs::write(&file, format!("-module({module}).\n{body}")).expect("a scratch file");
    file
}

/// The lines of a report, and what was said beside it.
struct Report {
    lines: Vec<Value>,
    said: String,
}

fn tested(files: &[PathBuf], options: &[&str]) -> Report {
    let usual = ["test", "--format", "jsonl", "--fresh", "-j", "1"];
    let budget = if options.contains(&"--budget") { &[][..] } else { &["--budget", "60s"] };
    let output = beagle(&[&usual, budget, options].concat(), files);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{options:?}: {:?} {said}", output.status);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect();
    Report { lines, said }
}

impl Report {
    /// Function, class and reason of all findings, in some order that does not matter.
    fn findings(&self) -> Vec<String> {
        let findings = self.lines.iter().filter(|line| line["type"] == "bug");
        let mut found: Vec<String> = findings
            .map(|line| format!("{} {} {} {}", line["function"], line["kind"], line["class"], line["reason"]))
            .collect();
        found.sort();
        found
    }

    fn calls(&self) -> Vec<String> {
        let findings = self.lines.iter().filter(|line| line["type"] == "bug");
        findings.map(|line| line["call"].as_str().unwrap_or_default().to_string()).collect()
    }

    /// Runs that differ between the executors.
    fn differing(&self) -> u64 {
        self.function()["on_runtime"]["differing"].as_u64().unwrap_or_default()
    }

    fn function(&self) -> &Value {
        self.lines.iter().find(|line| line["type"] == "function").expect("a function")
    }
}

const APPEND: &str = "-export([main/1]).
-spec main([atom()]) -> any().
main(X) -> app(X, X).
app([], Y) -> Y;
app([H | T], Y) -> [H | app(T, Y)].
";

/// Notes what an executor is asked to follow, and which clauses it then chooses.
struct Listening<E> {
    executor: E,
    followed: Vec<(Vec<Term>, Clauses)>,
}

impl<E: Executor> Wrapper for Listening<E> {
    fn inner(&self) -> &dyn Executor {
        &self.executor
    }

    fn inner_mut(&mut self) -> &mut dyn Executor {
        &mut self.executor
    }

    fn follow(&mut self, call: &Call<'_>, following: Following<'_>) -> Followed {
        let followed = self.executor.follow(call, following);
        self.followed.push((call.data.to_vec(), followed.recorder.clauses.clone()));
        followed
    }
}

/// The inputs of all runs from `[a]` with at most three elements, and the clauses of the first run.
fn explored(mode: Option<Mode>) -> (Vec<usize>, Vec<u32>) {
    let file = source(&folder("append"), "append", APPEND);
    let config = CodeConfig { sources: vec![file], has_events: true, ..CodeConfig::default() };
    let config = CodeConfig { evaluation: Evaluation::Guarded, ..config };
    let code: Arc<dyn Code> = beam::open(config).expect("the program is found");
    let mut session = Session::new(Arc::clone(&code), Limits::default()).expect("a session");
    let module = Atom::new("append");
    let unit = session.unit(module, Atom::new("main"), 1).expect("the function is there");
    let seeds = vec![vec![Term::list(vec![Term::atom("a")])]];
    let settings = Settings { size_bound: Some(3), seeds, ..settings(1000, 1_000_000) };
    let mut solver = Chain::start(&SmtSettings::default());
    let mut until = Until::passed(Duration::from_secs(300));
    let machine = MachineExecutor::new(&mut session.machine);
    let mut ledger = Ledger::default();
    let language = ErlangFrontEnd::without_code();
    let followed = match mode {
        None => {
            let mut listening = Listening { executor: machine, followed: Vec::new() };
            search::explore(&mut listening, &unit, &mut solver, &settings, &mut until);
            listening.followed
        }
        Some(mode) => {
            let runtime =
                Runtime { mode, code: Arc::clone(&code), language: &language, setups: Vec::new(), ledger: &mut ledger };
            let executor = TracingExecutor::new(machine, runtime);
            let mut listening = Listening { executor, followed: Vec::new() };
            search::explore(&mut listening, &unit, &mut solver, &settings, &mut until);
            listening.followed
        }
    };
    if mode.is_some() {
        assert_eq!((ledger.differing, ledger.excused.len()), (0, 0), "{ledger:?}");
        assert!(ledger.same >= 4, "{ledger:?}");
    }
    let mut events = Events::default();
    events.add(&code.load_for_runs(module).expect("it loads").expect("it is there"));
    let lengths = followed.iter().map(|(data, _)| data[0].as_list().unwrap_or_default().len()).collect();
    let clause = |event: &u64| match events.place(*event).map(|place| place.kind) {
        Some(Kind::Clause { index, .. }) => index,
        Some(Kind::Handler) | None => 0,
    };
    (lengths, followed[0].1.chosen().iter().map(clause).collect())
}

/// `main(X) -> app(X, X)`, as in the paper of Palacios and Vidal.
#[test]
fn lists_of_each_length_are_tried_once_on_either_executor() {
    for mode in [None, Some(Mode::Beam), Some(Mode::Both)] {
        let (mut lengths, clauses) = explored(mode);
        assert_eq!((lengths[0], &clauses[..]), (1, &[2, 1][..]), "{mode:?}");
        lengths.sort_unstable();
        assert_eq!(lengths, [0, 1, 2, 3], "{mode:?}");
    }
}

#[test]
fn examples_show_the_same_bugs_on_either_executor() {
    for name in ["toy", "calc", "retry", "packets", "trees", "frames"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{name}.erl"));
        let found = |executor| {
            let options = ["--executor", executor, "--max-runs", "300", "--no-confirm"];
            tested(std::slice::from_ref(&file), &options).findings()
        };
        let (machine, beam) = (found("machine"), found("beam"));
        assert!(!machine.is_empty(), "{name}");
        assert_eq!(machine, beam, "{name}");
    }
}

const MIXED: &str = "-export([store/2, joined/1]).
-spec store([0..255], integer()) -> binary().
store(Text, Value) ->
    Key = list_to_binary(Text),
    Table = ets:new(values, [set]),
    true = ets:insert(Table, {Key, Value}),
    [{Key, Found}] = ets:lookup(Table, Key),
    true = ets:delete(Table),
    case re:run(<<\"ab\">>, \"^[a-c]{2}$\") of
        {match, _} when Found > 1000, byte_size(Key) > 1 -> error(too_large);
        {match, _} -> crypto:hash(sha256, Key);
        nomatch -> <<>>
    end.
-spec joined(integer()) -> integer().
joined(N) ->
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! {self(), N * 2} end),
    Answer = receive {Pid, Double} -> Double end,
    receive {'DOWN', Monitor, process, Pid, normal} -> ok end,
    case Answer of
        84 -> error(found);
        _ -> Answer
    end.
";

#[test]
fn tables_libraries_and_processes_are_the_same_on_both() {
    let file = source(&folder("mixed"), "mixed", MIXED);
    for (function, bug) in [("mixed:store/2", "too_large"), ("mixed:joined/1", "found")] {
        let report = tested(std::slice::from_ref(&file), &["-f", function, "--executor", "both", "--max-runs", "40"]);
        assert!(report.findings().iter().any(|finding| finding.contains(bug)), "{:?}", report.findings());
        let runs = &report.function()["on_runtime"];
        assert_eq!(runs["differing"], 0, "{}", report.said);
        assert!(runs["same"].as_u64().unwrap_or_default() > 1, "{runs}");
    }
}

#[test]
fn functions_of_elixirs_library_are_the_same_on_both() {
    let folder = folder("elixir");
    let text = r#"defmodule Shelf do
  @spec label(String.t()) :: String.t()
  def label(text) do
    case text |> String.upcase() |> String.split("-") do
      ["AB", rest] -> raise ArgumentError, String.reverse(rest)
      _ -> String.slice(text, 0, 3)
    end
  end
end
"#;
    std::fs::write(folder.join("shelf.ex"), text).expect("a file");
    let output = Command::new("elixirc").arg("-o").args([&folder, &folder.join("shelf.ex")]).output().expect("elixirc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let options = ["--executor", "both", "--max-runs", "60", "--seed", "[\"ab-c\"]"];
    let report = tested(&[folder.join("Elixir.Shelf.beam")], &options);
    assert!(!report.findings().is_empty());
    let runs = &report.function()["on_runtime"];
    assert_eq!(runs["differing"], 0, "{}", report.said);
    assert!(runs["same"].as_u64().unwrap_or_default() > 1, "{runs}");
}

#[test]
fn modules_of_otp_may_have_events_too() {
    let body = "-export([sorted/1]).\n-spec sorted([integer()]) -> [integer()].\nsorted(List) ->\n    \
                case lists:usort(lists:filter(fun(X) -> X > 3 end, List)) of\n        [4, 5 | _] -> error(found);\n        \
                Sorted -> lists:map(fun(X) -> string:length(integer_to_list(X)) end, Sorted)\n    end.\n";
    let file = source(&folder("libraries"), "libraries", body);
    let both = ["--executor", "both", "--max-runs", "60"];
    let report = tested(std::slice::from_ref(&file), &[&both[..], &["--instrument", "lists,string"]].concat());
    assert!(report.findings().iter().any(|finding| finding.contains("found")), "{:?}", report.findings());
    assert_eq!(report.differing(), 0, "{}", report.said);
    let same = report.function()["on_runtime"]["same"].as_u64().unwrap_or_default();
    assert!(same > 5, "{:?}", report.function());
    let files = std::slice::from_ref(&file);
    let alone = refused(&["test", "--instrument", "lists"], files);
    assert!(alone.contains("nothing to compare"), "{alone}");
    let native = refused(&["test", "--executor", "both", "--instrument", "logger"], files);
    assert!(native.contains("is a native function of Beagle's machine"), "{native}");
}

const NATIVE: &str = r#"
#include <erl_nif.h>
static ERL_NIF_TERM scramble(ErlNifEnv* env, int argc, const ERL_NIF_TERM argv[]) {
    ErlNifSInt64 number;
    if (!enif_get_int64(env, argv[0], &number)) return enif_make_badarg(env);
    return enif_make_int64(env, (number * 7 + 3) % 1000);
}
static ErlNifFunc functions[] = {{"scramble", 1, scramble}};
ERL_NIF_INIT(native, functions, NULL, NULL, NULL, NULL)
"#;

#[test]
fn a_bug_behind_the_result_of_native_code_is_found() {
    let folder = folder("native");
    std::fs::write(folder.join("native.c"), NATIVE).expect("a file");
    let question =
        "io:put_chars(filename:join([code:root_dir(), \"erts-\" ++ erlang:system_info(version), \"include\"]))";
    let output =
        Command::new("erl").args(["-noshell", "-eval", question, "-s", "erlang", "halt"]).output().expect("erl");
    let include = format!("-I{}", String::from_utf8_lossy(&output.stdout).trim());
    let [source_file, library] = ["native.c", "native.so"].map(|name| folder.join(name));
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", &include, "-o"]).args([&library, &source_file]).output();
    let compiled = compiled.expect("a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let body = format!(
        "-export([check/1, scramble/1]).\n-on_load(load/0).\nload() -> erlang:load_nif({:?}, 0).\n\
         -spec check(0..100000) -> ok.\ncheck(X) ->\n    case scramble(X) of\n        59 -> error(bug);\n        _ -> ok\n    end.\n\
         scramble(_) -> erlang:nif_error(not_loaded).\n",
        folder.join("native").display().to_string()
    );
    let file = source(&folder, "native", &body);
    let functions = ["-f", "native:check/1"];
    let denied = tested(std::slice::from_ref(&file), &functions);
    assert_eq!(denied.findings(), Vec::<String>::new());
    let allowed = [&functions[..], &["--allow-effects", "erlang:load_nif/2"]].concat();
    for executor in ["machine", "beam", "both"] {
        let report = tested(std::slice::from_ref(&file), &[&allowed[..], &["--executor", executor]].concat());
        assert!(report.findings().iter().any(|finding| finding.contains("bug")), "{executor}: {:?}", report.lines);
        let runs = &report.function()["on_runtime"];
        assert!(runs["rebuilt"].as_u64().unwrap_or_default() > 0, "{runs}");
        assert_eq!(runs["differing"], 0, "{}", report.said);
        let traced = ["trace", "native:check(8)", "--allow-effects", "erlang:load_nif/2", "--executor", executor];
        let (said, code) = run(&traced, std::slice::from_ref(&file));
        assert!(code == 1 && said.contains("clause 1 of 2: 59") && said.contains("exception error: bug"), "{said}");
    }
}

#[test]
fn files_and_programs_are_there_for_those_who_may_use_them() {
    let folder = folder("outside");
    std::fs::write(folder.join("number.txt"), "4711\n").expect("a file");
    let body = format!(
        "-export([content/1, echo/1]).\n-spec content(integer()) -> binary().\ncontent(N) ->\n    \
         {{ok, Text}} = file:read_file({:?}),\n    case binary_to_integer(string:trim(Text)) of\n        N -> error(guessed);\n        \
         _ -> Text\n    end.\n-spec echo(binary()) -> binary().\necho(Bytes) ->\n    \
         Port = open_port({{spawn, \"cat\"}}, [binary, stream]),\n    true = port_command(Port, [Bytes, <<\"\\n\">>]),\n    \
         Answer = receive {{Port, {{data, Data}}}} -> Data end,\n    true = port_close(Port),\n    case Answer of\n        \
         <<\"hi\\n\">> -> error(greeted);\n        _ -> Answer\n    end.\n",
        folder.join("number.txt").display().to_string()
    );
    let file = source(&folder, "outside", &body);
    let read = format!("file:read_file/1, read={}", folder.display());
    let content = ["-f", "outside:content/1", "--allow-effects", &read];
    assert_eq!(tested(std::slice::from_ref(&file), &content).calls(), ["outside:content(4711)"]);
    // Reading is allowed, but not there.
    let unread = ["-f", "outside:content/1", "--allow-effects", "file:read_file/1"];
    let report = tested(std::slice::from_ref(&file), &unread);
    assert!(report.findings().iter().all(|finding| finding.contains("eacces")), "{:?}", report.findings());
    let ports = "erlang:open_port/2, erlang:port_command/2, erlang:port_close/1, exec=cat";
    let echo = ["-f", "outside:echo/1", "--seed", "[<<\"hi\">>]", "--allow-effects", ports];
    let report = tested(std::slice::from_ref(&file), &echo);
    assert_eq!(report.calls(), ["outside:echo(<<\"hi\">>)"], "{:?}", report.lines);
    assert_eq!(report.differing(), 0);
    let nothing = refused(&["test", "--allow-effects", "exec=cat"], std::slice::from_ref(&file));
    assert!(nothing.contains("names no function"), "{nothing}");
    let unknown = refused(&["test", "--allow-effects", "file:read_file/1,exec=no_such_program"], &[file]);
    assert!(unknown.contains("there is no such program"), "{unknown}");
}

/// What is allowed and hangs is not denied: it has a name of its own, in every format.
#[test]
fn a_function_that_does_not_come_back_has_an_end_of_its_own() {
    let folder = folder("hanging");
    let body = "-export([wait/1]).\n-spec wait(a) -> string().\nwait(_) -> os:cmd(\"sleep 60\").\n";
    let file = source(&folder, "hanging", body);
    let allowed = ["-f", "hanging:wait/1", "--max-runs", "2", "--allow-effects", "os:cmd/1, exec=sleep"];
    let report = tested(std::slice::from_ref(&file), &allowed);
    let function = report.function();
    assert!(function["loss_codes"].as_array().is_some_and(|codes| codes.contains(&"B060".into())), "{function}");
    assert!(!function["loss_codes"].to_string().contains("B046"), "{function}");
    let told = "ended at os:cmd/1, which did not come back on the BEAM";
    for format in ["human", "junit", "jsonl"] {
        let options = ["test", "--fresh", "-v", "--budget", "60s", "--format", format];
        let output = beagle(&[&options[..], &allowed].concat(), std::slice::from_ref(&file));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(told), "{format}: {text}");
        assert!(!text.contains("denied"), "{format}: {text}");
    }
    let (text, code) =
        run(&["trace", "--time", "1s", "--allow-effects", "os:cmd/1, exec=sleep", "hanging:wait(a)"], &[file]);
    let end = "** stopped: not returned: os:cmd/1 did not come back on the BEAM (time limit, or the runtime ended)";
    assert_eq!((text.lines().last(), code), (Some(end), 1), "{text}");
}

/// Runs that are long and of which only the end counts are made on the BEAM. The finding is the same without it.
#[test]
fn long_runs_that_make_a_finding_small_are_made_on_the_beam() {
    let folder = folder("late");
    let body = |work: &str| {
        format!(
            "-export([check/2]).\n-spec check([integer()], integer()) -> number().\n\
             check(Readings, Rounds) when length(Readings) > 4, Rounds > 2 ->\n    {work},\n    \
             case lists:max(Readings) > 1000 of\n        true -> 1 div (hd(Readings) - hd(Readings));\n        \
             false -> 1\n    end;\ncheck(_, _) -> 0.\n\
             spin(0, Sum) -> Sum;\nspin(N, Sum) -> spin(N - 1, (Sum * 31 + N) rem 65536).\n"
        )
    };
    let file = source(&folder, "late", &body("Noise = spin(300000, 1), true = is_integer(Noise)"));
    let options = ["-f", "late:check/2", "--max-runs", "40"];
    let (with, without) = (
        tested(std::slice::from_ref(&file), &options),
        tested(std::slice::from_ref(&file), &[&options[..], &["--confirm", "never"]].concat()),
    );
    assert_eq!(with.calls(), ["late:check([1001,0,0,0,0], 3)"], "{:?}", with.lines);
    assert_eq!((with.calls(), with.findings()), (without.calls(), without.findings()));
    assert!(with.function()["on_runtime"]["long"].as_u64().unwrap_or_default() > 0, "{}", with.function());
    assert!(without.function()["on_runtime"].is_null(), "{}", without.function());
    let verbose =
        beagle(&["test", "--fresh", "-v", "-f", "late:check/2", "--max-runs", "40"], std::slice::from_ref(&file));
    let text = String::from_utf8_lossy(&verbose.stdout).into_owned();
    assert!(text.contains("made on the BEAM, to make inputs smaller"), "{text}");
    // What depends on more than its inputs, or starts processes, stays on the machine.
    for (module, work) in [
        ("late_clock", "true = is_integer(spin(300000, erlang:monotonic_time()))"),
        ("late_process", "spawn(fun() -> ok end), true = is_integer(spin(300000, 1))"),
    ] {
        let file = source(&folder, module, &body(work));
        let report = tested(&[file], &["-f", &format!("{module}:check/2"), "--max-runs", "40"]);
        assert!(report.function()["on_runtime"].is_null(), "{}", report.function());
    }
}

const ECHO: &str = "-export([sent/1, away/1]).
-spec sent(integer()) -> binary().
sent(N) ->
    {ok, Listening} = gen_tcp:listen(0, [binary, {active, false}, {ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Listening),
    {ok, Client} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}]),
    {ok, Server} = gen_tcp:accept(Listening),
    ok = gen_tcp:send(Client, <<\"4711\">>),
    {ok, Text} = gen_tcp:recv(Server, 4),
    [ok = gen_tcp:close(Socket) || Socket <- [Client, Server, Listening]],
    case binary_to_integer(Text) of
        N -> error(guessed);
        _ -> Text
    end.
-spec away(a) -> ok.
away(_) -> {ok, _} = gen_tcp:connect({192, 0, 2, 1}, 80, [], 1000), ok.
";

/// Some systems keep users from making namespaces: there is no loopback interface to be had there.
fn has_namespaces() -> bool {
    let unshare = std::process::Command::new("unshare").args(["--user", "--map-root-user", "--net", "true"]).status();
    unshare.is_ok_and(|status| status.success())
}

#[test]
fn sockets_lead_nowhere_but_to_a_loopback_interface_of_their_own() {
    if !has_namespaces() {
        println!("skipped: this system gives no namespaces to users");
        return;
    }
    let file = source(&folder("sockets"), "sockets", ECHO);
    let allowed = ["--allow-effects", "gen_tcp:*, inet:port/1, loopback"];
    let sent = tested(std::slice::from_ref(&file), &[&["-f", "sockets:sent/1"], &allowed[..]].concat());
    assert_eq!(sent.calls(), ["sockets:sent(4711)"], "{:?}", sent.lines);
    assert_eq!(sent.differing(), 0, "{}", sent.said);
    let away = tested(std::slice::from_ref(&file), &[&["-f", "sockets:away/1"], &allowed[..]].concat());
    assert!(away.findings().iter().all(|finding| finding.contains("enetunreach")), "{:?}", away.findings());
    assert!(!away.findings().is_empty());
    let closed = ["-f", "sockets:sent/1", "--allow-effects", "gen_tcp:*, inet:port/1"];
    let closed = tested(&[file], &closed);
    assert!(closed.findings().iter().all(|finding| finding.contains("eperm")), "{:?}", closed.findings());
}

/// What the code under test does to the runtime, the runtime does not survive, or the walls refuse.
#[test]
fn attacks_end_with_a_name() {
    let folder = folder("attacks");
    let target = folder.join("written");
    let _ = std::fs::remove_file(&target);
    let body = format!(
        "-export([stops/1, kills/1, floods/1, loads/1, spawns/1, writes/1, forges/1]).
-spec stops(integer()) -> ok.
stops(N) when N > 10 -> halt(0);
stops(_) -> ok.
-spec kills(a) -> ok.
kills(_) -> [exit(Pid, kill) || Pid <- processes(), Pid =/= self()], ok.
-spec floods(a) -> ok.
floods(_) -> flood(20000).
flood(0) -> ok;
flood(N) -> io:put_chars(user, lists:duplicate(1000, $x)), io:put_chars(lists:duplicate(1000, $x)), flood(N - 1).
-spec loads(a) -> ok.
loads(_) -> {{module, _}} = code:load_binary(lists, \"lists.beam\", <<\"nothing\">>), ok.
-spec spawns(a) -> ok.
spawns(A) -> spawn(fun() -> spawns(A) end), spawns(A).
-spec writes(a) -> ok.
writes(_) -> ok = file:write_file({target:?}, <<\"x\">>), ok.
-spec forges(a) -> ok.
forges(_) -> [catch port_command(Port, <<0:136, 131, 106>>) || Port <- erlang:ports()], ok.
",
        target = target.display().to_string()
    );
    let file = source(&folder, "attacks", &body);
    for function in ["stops", "kills", "floods", "loads", "spawns", "writes", "forges"] {
        let name = format!("attacks:{function}/1");
        let options = ["-f", &name, "--executor", "beam", "--budget", "3s", "--no-confirm"];
        let report = tested(std::slice::from_ref(&file), &options);
        assert_eq!(report.differing(), 0, "{function}: {}", report.said);
    }
    assert!(!target.exists());
    // What may be called is still behind the wall.
    let options = ["-f", "attacks:writes/1", "--allow-effects", "file:*", "--no-confirm"];
    let report = tested(&[file], &options);
    assert!(report.findings().iter().any(|finding| finding.contains("eacces")), "{:?}", report.findings());
    assert!(!target.exists());
}
