//! Programs on which both executors agree, run by run and event by event, although they look alike in different ways.

use crate::common::{beagle, refused, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agreeing").join(name);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

fn source(folder: &Path, module: &str, body: &str) -> PathBuf {
    let file = folder.join(format!("{module}.erl"));
    std::fs::write(&file, format!("-module({module}).\n{body}")).expect("a scratch file");
    file
}

/// The functions of a report, each with its runs on the runtime, and the reasons of all findings.
fn compared(files: &[PathBuf], options: &[&str]) -> (Vec<Value>, Vec<String>) {
    let usual = ["test", "--format", "jsonl", "--fresh", "-j", "1", "--executor", "both", "--budget", "60s"];
    let output = beagle(&[&usual, options].concat(), files);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{options:?}: {:?} {said}", output.status);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let of_type = |name: &str| lines.iter().filter(|line| line["type"] == name).cloned().collect::<Vec<Value>>();
    let functions = of_type("function");
    for function in &functions {
        assert_eq!(function["on_runtime"]["differing"], 0, "{said}");
        assert_eq!(function["on_runtime"]["excused"], 0, "{function}");
        assert!(function["on_runtime"]["same"].as_u64().is_some_and(|same| same > 0), "{function}");
    }
    let reason = |bug: &Value| format!("{} {}", bug["function"], bug["reason"]).replace('"', "");
    (functions, of_type("bug").iter().map(reason).collect())
}

/// Both executors tell the same of a call. Returns what is printed.
fn traced(expression: &str, files: &[PathBuf], options: &[&str]) -> String {
    let output = beagle(&[&["trace", expression, "--executor", "both"], options].concat(), files);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the machine and the BEAM do the same"), "{said}{wrong}");
    said
}

#[test]
fn what_is_done_when_a_module_is_loaded_is_no_part_of_a_call() {
    let folder = folder("loading");
    let settings = source(
        &folder,
        "settings",
        "-on_load(load/0).\n-export([limit/0]).\n\
         load() ->\n    Limit = case lists:member(b, [a, b]) of true -> 5; false -> 6 end,\n    \
         spawn(fun() -> receive stop -> ok end end),\n    persistent_term:put(limit, Limit).\n\
         limit() -> persistent_term:get(limit).\n",
    );
    let refusing = source(
        &folder,
        "refusing",
        "-on_load(load/0).\n-export([f/1]).\nload() -> case get(key) of undefined -> refused; _ -> ok end.\nf(X) -> X.\n",
    );
    let visitor = source(
        &folder,
        "visitor",
        "-export([check/1, joined/1]).\n-spec check(integer()) -> integer().\n\
         check(X) when X < 0 -> try refusing:f(X) catch error:undef -> 0 end;\n\
         check(X) -> 10 div (X - settings:limit()).\n\
         -spec joined(integer()) -> integer().\n\
         joined(X) ->\n    Me = self(),\n    spawn(fun() -> Me ! settings:limit() end),\n    \
         receive X -> error(found); Y -> Y end.\n",
    );
    let files = [visitor, settings, refusing];
    let (_, found) = compared(&files, &["-f", "visitor:*/1"]);
    assert_eq!(found, ["visitor:check/1 badarith", "visitor:joined/1 found"]);
    for expression in ["visitor:check(5)", "visitor:check(-1)", "visitor:joined(1)", "settings:limit()"] {
        assert!(!traced(expression, &files, &[]).contains("settings:load"), "{expression}");
    }
}

#[test]
fn a_process_that_fails_behind_its_first_answer_ends_its_parent_on_both() {
    let file = source(
        &folder("starting"),
        "starting",
        "-behaviour(gen_server).\n-export([start/1, server/1, init/1, begin_at/1, handle_call/3, handle_cast/2]).\n\
         -spec start(integer()) -> term().\nstart(X) -> proc_lib:start_link(?MODULE, begin_at, [X]).\n\
         begin_at(X) when X < 0 -> proc_lib:init_ack({error, negative}), exit(negative);\n\
         begin_at(X) -> proc_lib:init_ack({ok, self()}), receive X -> ok end.\n\
         -spec server(integer()) -> term().\nserver(X) -> gen_server:start_link(?MODULE, X, []).\n\
         init(X) when X < 0 -> {stop, negative};\ninit(X) -> {ok, X}.\n\
         handle_call(_, _, State) -> {reply, State, State}.\nhandle_cast(_, State) -> {noreply, State}.\n",
    );
    let (functions, found) = compared(&[file], &["-f", "starting:start/1", "-f", "starting:server/1"]);
    assert_eq!(functions.len(), 2);
    assert_eq!(found, ["starting:start/1 negative", "starting:server/1 negative"]);
}

#[test]
fn an_exception_that_a_library_catches_ends_calls_and_is_no_tail_call() {
    let folder = folder("catching");
    let library = source(
        &folder,
        "library",
        "-export([either/2, both/3, pass/1]).\neither(F, G) -> try F() catch _:_ -> G() end.\n\
         both(M, F, X) -> R = try M:F(X) catch _:_ -> failed end, {R, M:second(X)}.\npass(X) -> X.\n",
    );
    let compiled = Command::new("erlc").args(["+debug_info", "-o"]).args([&folder, &library]).status().expect("erlc");
    assert!(compiled.success());
    let file = source(
        &folder,
        "catching",
        "-export([either/1, both/1, caught/1, passed/1, spawned/1, first/1, second/1]).\n\
         either(X) -> R = library:either(fun() -> first(X) end, fun() -> second(X) end), {R}.\n\
         both(X) -> library:both(?MODULE, first, X).\n\
         caught(X) -> R = try lists:foreach(fun first/1, [X]) catch _:_ -> second(X) end, [R].\n\
         passed(X) -> lists:foreach(fun(Y) -> library:pass(Y) end, [X, X]).\n\
         spawned(X) -> {_, M} = spawn_monitor(library, both, [?MODULE, first, X]), receive {'DOWN', M, _, _, R} -> R end.\n\
         first(1) -> error(one);\nfirst(X) -> X.\nsecond(X) -> X + 1.\n",
    );
    let paths = folder.display().to_string();
    let traced = |call: &str| traced(&format!("catching:{call}"), std::slice::from_ref(&file), &["--pa", &paths]);
    let either = traced("either(1)");
    assert_eq!(either.matches("tail call").count(), 2, "only `first` and `second` are: {either}");
    assert!(!either.contains("tail call: fun"), "{either}");
    for call in ["both(1)", "both(2)", "spawned(1)", "passed(1)"] {
        assert!(!traced(call).contains("tail call"), "{call}");
    }
    assert!(traced("caught(1)").contains("returns [2]"));
    let (said, _) = run(&["trace", "catching:caught(1)", "--executor", "beam"], &[file]);
    assert!(said.ends_with("\n[2]"), "what the BEAM tells is what it does: {said}");
}

#[test]
fn what_is_allowed_outside_is_found_with_both() {
    let folder = folder("outside");
    std::fs::create_dir_all(folder.join("inner")).expect("a folder");
    std::fs::write(folder.join("inner/number"), "4711").expect("a file");
    let file = source(
        &folder,
        "reader",
        "-export([read/1]).\n-spec read(boolean()) -> term().\n\
         read(Flag) ->\n    {ok, Text} = file:read_file(\"inner/number\"),\n    \
         case {Flag, Text} of\n        {true, <<\"4711\">>} -> error(found);\n        _ -> ok\n    end.\n",
    );
    let made = |allowed: &str| {
        let args = ["test", "--show", "all", "--fail-on", "all", "--fresh", "--executor", "both", "--allow-effects"];
        let output = Command::new(env!("CARGO_BIN_EXE_beagle"))
            .args(args)
            .arg(allowed)
            .arg(&file)
            .current_dir(&folder)
            .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .output()
            .expect("beagle can be started");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // The place of a file is meant as seen from the folder of the user.
    let said = made("file:read_file/1, read=inner");
    assert!(said.contains("reader:read/1 raises error found") && !said.contains("differ"), "{said}");
    assert!(said.contains("made on the BEAM first"), "{said}");
    assert!(made("file:read_file/1").contains("needs a file"));
    let said = refused(&["test", "--allow-effects", "file:raed_file/1"], std::slice::from_ref(&file));
    assert!(said.contains("file:raed_file/1: there is no such function whose effects are denied"), "{said}");
    let said = refused(&["trace", "reader:read(true)", "--allow-effects", "lists:map/2"], &[file]);
    assert!(said.contains("lists:map/2: there is no such function whose effects are denied"), "{said}");
}

#[test]
fn verdicts_are_those_of_the_machine() {
    let file = source(
        &folder("verdicts"),
        "verdicts",
        "-export([unread/1, endless/1]).\n-spec unread(integer()) -> integer().\n\
         unread(X) ->\n    Timer = erlang:send_after(100000, self(), X),\n    erlang:cancel_timer(Timer),\n    put(key, X),\n    X.\n\
         -spec endless(integer()) -> integer().\nendless(7) -> loop(1);\nendless(X) -> X.\nloop(X) -> loop(X + 1).\n",
    );
    for executor in ["machine", "beam", "both"] {
        let args = ["test", "--fresh", "--budget", "120s", "--executor", executor];
        let (said, _) = run(&args, std::slice::from_ref(&file));
        assert!(said.contains("verdicts:unread/1: no bugs found; all paths explored"), "{executor}: {said}");
        assert!(said.contains("verdicts:endless/1 does not end"), "{executor}: {said}");
    }
}

#[test]
fn runs_that_are_not_compared_have_a_reason() {
    let file = source(
        &folder("excused"),
        "excused",
        "-export([now/1, same/1]).\n-spec now(integer()) -> term().\nnow(X) -> {erlang:system_time(), X}.\n\
         -spec same(integer()) -> integer().\nsame(X) -> X.\n",
    );
    let (said, _) = run(&["test", "--fresh", "--executor", "both"], std::slice::from_ref(&file));
    let reason = "- not compared: it depends on the time, the environment or something else outside (";
    assert!(said.contains(reason), "{said}");
    let (said, _) = run(&["test", "-q", "--fresh", "--executor", "both"], &[file]);
    assert!(!said.contains("the same on") && !said.contains("compared"), "{said}");
}

const SHOP: &str = r##"defprotocol Priced do
  def price(item)
end

defmodule Item do
  defstruct [:name, cents: 0]
end

defimpl Priced, for: Item do
  def price(%Item{cents: cents}), do: cents
end

defmodule Till do
  use GenServer

  def init(sum), do: {:ok, sum}
  def handle_call({:add, item}, _from, sum), do: {:reply, sum + Priced.price(item), sum + Priced.price(item)}

  @spec total([integer()]) :: integer()
  def total(cents) do
    {:ok, till} = GenServer.start(__MODULE__, 0)
    sums = for c <- cents, do: GenServer.call(till, {:add, %Item{name: "x", cents: c}})
    GenServer.stop(till)

    case Enum.max(sums, fn -> 0 end) do
      77 -> raise "jackpot"
      sum -> sum
    end
  end

  @spec label(String.t(), keyword()) :: String.t()
  def label(text, options) do
    with {:ok, width} <- Keyword.fetch(options, :width),
         true <- width > 3 do
      String.pad_leading(text, rem(width, 8)) <> "#{Enum.count(options)}"
    else
      :error -> text
      false -> raise ArgumentError, "narrow"
    end
  end
end
"##;

#[test]
fn elixir_is_the_same_on_both() {
    let folder = folder("elixir");
    std::fs::write(folder.join("shop.ex"), SHOP).expect("a file");
    let made = Command::new("elixirc").arg("-o").args([&folder, &folder.join("shop.ex")]).output().expect("elixirc");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let beams: Vec<PathBuf> = ["Priced", "Priced.Item", "Item", "Till"]
        .map(|module| folder.join(format!("Elixir.{module}.beam")))
        .into_iter()
        .collect();
    let (_, found) = compared(&beams, &["-f", "Till.total/1", "-f", "Till.label/2", "--max-runs", "40"]);
    assert!(found.iter().any(|reason| reason.contains("jackpot")), "{found:?}");
    assert!(found.iter().any(|reason| reason.contains("narrow")), "{found:?}");
    let said = traced("'Elixir.Till':total([3, 4])", &beams, &[]);
    assert!(said.contains("Till.total([3, 4])") && said.contains("returns 7"), "{said}");
}
