//! What surrounds the functions of a project: what is not there, and what is configured.

use crate::scratch::{Ended, Scratch};
use serde_json::Value;

const STOCK: &str = "-module(stock).\n-export([amount/1, ordered/2, load/1, ask/1]).\n\
    -spec amount(integer()) -> integer().\namount(Id) -> ets:lookup_element(stock, Id, 2).\n\
    -spec ordered(integer(), integer()) -> integer().\n\
    ordered(Id, N) when N > 9 -> Id;\nordered(Id, _) -> amount(Id).\n\
    -spec load(string()) -> {ok, binary()} | {error, term()}.\n\
    load(Name) -> file:read_file(lists:append(string:tokens(Name, \"/.\"))).\n\
    -spec ask(integer()) -> term().\nask(Id) -> gen_server:call(keeper, Id).\n";
const KEEPER: &str = "-module(keeper).\n-behaviour(gen_server).\n\
    -export([start_link/1, init/1, handle_call/3, handle_cast/2]).\n\
    start_link(Options) -> gen_server:start_link({local, keeper}, ?MODULE, [], Options).\n\
    init([]) -> {ok, tables()}.\ntables() -> [ets:new(Name, Options) || {Name, Options} <- []], ets:new(stock, [named_table]).\n\
    handle_call(_, _, State) -> {reply, ok, State}.\nhandle_cast(_, State) -> {noreply, State}.\n";

fn stock(name: &str) -> Scratch {
    Scratch::new(name, &[("src/stock.erl", STOCK), ("src/keeper.erl", KEEPER)])
}

fn function(ended: &Ended, name: &str) -> Value {
    let found = ended.objects("function").into_iter().find(|function| function["function"] == name);
    found.unwrap_or_else(|| panic!("no {name}: {}", ended.told))
}

#[test]
fn what_a_function_can_do_nothing_without_is_named() {
    let ended = stock("missing").test(&["-f", "stock:amount/1", "-f", "stock:ask/1", "-f", "stock:ordered/2"]);
    let line = |start: &str| ended.told.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_string();
    let table = "stock:amount/1: needs table `stock`, created by keeper:start_link/1; nothing was tested beyond that";
    assert!(line("stock:amount/1: n").starts_with(table), "{}", ended.told);
    let process = "stock:ask/1: needs process `keeper`, created by keeper:start_link/1";
    assert!(line("stock:ask/1: n").starts_with(process), "{}", ended.told);
    // Some of its paths need nothing.
    assert!(ended.told.contains("stock:ordered/2: 1 bug; not all paths explored"), "{}", ended.told);
    assert!(ended.told.contains("  - missing: table `stock`"), "{}", ended.told);
    assert!(!ended.told.replace("not all paths explored", "").contains("all paths explored"), "{}", ended.told);
    assert_eq!(ended.code, 0, "{}", ended.told);
}

#[test]
fn a_search_that_only_meets_a_denied_function_stops() {
    let ended = stock("denied").test(&["-f", "stock:load/1", "--budget", "60s", "--format", "jsonl"]);
    let told = function(&ended, "stock:load/1");
    assert_eq!((&told["verdict"], &told["exhaustive"]), (&"incomplete".into(), &false.into()), "{told}");
    let runs = told["runs"].as_u64().expect("a number");
    assert!((250..2000).contains(&runs), "{told}");
    assert_eq!(told["losses"]["all runs ended at file:read_file/1, which is denied"], runs, "{told}");
    assert!(told["smt_seconds"].as_f64() <= told["solver_seconds"].as_f64(), "{told}");
    let people = stock("denied_people").test(&["-f", "stock:load/1"]);
    assert!(
        people.told.contains(&format!("- all {runs} runs ended at file:read_file/1, which is denied")),
        "{}",
        people.told
    );
}

#[test]
fn functions_without_any_time_are_counted() {
    let functions: String = (0..40).fold(String::new(), |text, number| {
        text + &format!(
            "-spec f{number}([integer()], integer()) -> integer().\n\
             f{number}([X | Rest], Sum) when X > Sum -> f{number}(Rest, X);\nf{number}([_ | Rest], Sum) -> f{number}(Rest, Sum * 7);\n\
             f{number}([], Sum) -> Sum.\n"
        )
    });
    let source = format!("-module(many).\n-compile(export_all).\n{functions}");
    let many = Scratch::new("hasty", &[("src/many.erl", &source)]);
    let ended = many.test(&["--total-budget", "1s", "-j", "1", "--format", "jsonl"]);
    let not_begun = ended.objects("function").iter().filter(|function| function["not_begun"] == true).count();
    let summary = &ended.objects("summary")[0];
    assert!(not_begun > 0 && not_begun < 40, "{}", ended.told);
    assert_eq!((&summary["functions"], &summary["not_begun"]), (&40.into(), &not_begun.into()), "{summary}");
    assert_eq!(ended.objects("function").len(), 40);
    let people = many.test(&["--total-budget", "1s", "-j", "1", "--fresh"]);
    assert!(people.told.contains(" not begun (see --total-budget)"), "{}", people.told);
    assert!(people.told.contains("timed out (see --total-budget)"), "{}", people.told);
    assert!(!people.told.contains("(see --budget)"), "{}", people.told);
}
