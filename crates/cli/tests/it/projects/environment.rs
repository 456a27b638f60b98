//! What surrounds the functions of a project: what is not there, and what is configured.

use crate::projects::scratch::{Ended, Scratch};
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
    found.unwrap_or_else(|| panic!("no {name}: {}", ended.stdout))
}

#[test]
fn what_a_function_can_do_nothing_without_is_named() {
    let ended = stock("missing")
        .test(&["--fail-on", "likely", "-f", "stock:amount/1", "-f", "stock:ask/1", "-f", "stock:ordered/2"]);
    let line = |start: &str| ended.stdout.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_string();
    let table = "stock:amount/1: needs table `stock`, created by keeper:start_link/1; nothing was tested beyond that";
    assert!(line("stock:amount/1: n").starts_with(table), "{}", ended.stdout);
    let process = "stock:ask/1: needs process `keeper`, created by keeper:start_link/1";
    assert!(line("stock:ask/1: n").starts_with(process), "{}", ended.stdout);
    // Some of its paths need nothing.
    assert!(ended.stdout.contains("stock:ordered/2: 1 finding; not all paths explored"), "{}", ended.stdout);
    assert!(ended.stdout.contains("  - missing: table `stock`"), "{}", ended.stdout);
    assert!(!ended.stdout.replace("not all paths explored", "").contains("all paths explored"), "{}", ended.stdout);
    assert_eq!(ended.code, 0, "{}", ended.stdout);
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
        people.stdout.contains(&format!("- all {runs} runs ended at file:read_file/1, which is denied")),
        "{}",
        people.stdout
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
    assert!(not_begun > 0 && not_begun < 40, "{}", ended.stdout);
    assert_eq!((&summary["functions"], &summary["not_begun"]), (&40.into(), &not_begun.into()), "{summary}");
    assert_eq!(ended.objects("function").len(), 40);
    let people = many.test(&["--total-budget", "1s", "-j", "1", "--fresh"]);
    assert!(people.stdout.contains(" not begun (see --total-budget)"), "{}", people.stdout);
    assert!(people.stdout.contains("timed out (see --total-budget)"), "{}", people.stdout);
    assert!(!people.stdout.contains("(see --budget)"), "{}", people.stdout);
}

const APP: &str = "{application, till, [{description, \"A till\"}, {vsn, \"2.1\"}, {modules, []}, {registered, []},\n\
    {applications, [kernel, stdlib]}, {env, [{limit, 4}, {currency, eur}]}]}.\n";
const TILL: &str = "-module(till).\n-export([pay/1, currency/0, version/0, other/0, extra/0]).\n\
    -spec pay(integer()) -> ok.\n\
    pay(N) -> {ok, Limit} = application:get_env(till, limit), case N of Limit -> error({limit, Limit}); _ -> ok end.\n\
    -spec currency() -> eur.\ncurrency() -> application:get_env(till, currency, none).\n\
    -spec version() -> string().\nversion() -> {ok, Version} = application:get_key(till, vsn), Version.\n\
    -spec other() -> ok.\nother() -> case application:get_env(till, no_such_key) of undefined -> ok; _ -> error(other) end.\n\
    -spec extra() -> [deep].\nextra() -> {ok, V} = application:get_env(shelf, levels), V.\n";

#[test]
fn what_is_configured_is_there_and_the_beam_agrees() {
    let config = "[{till, [{limit, 17}, {unused, fun lists:map/2}]}, \"more\"].\n";
    let till = Scratch::new(
        "configured",
        &[
            ("rebar.config", "{erl_opts, [debug_info]}.\n{shell, [{config, \"config/dev.config\"}]}.\n"),
            ("src/till.app.src", APP),
            ("src/till.erl", TILL),
            ("config/dev.config", config),
            ("config/more.config", "[{shelf, [{levels, [deep]}]}].\n"),
        ],
    );
    let ended = till.test(&["--format", "jsonl", "--no-build"]);
    let bugs = ended.objects("bug");
    assert_eq!(bugs.len(), 1, "{}{}", ended.stdout, ended.said);
    assert_eq!((&bugs[0]["call"], &bugs[0]["confirmed"]), (&"till:pay(17)".into(), &true.into()), "{}", ended.stdout);
    assert!(bugs[0].get("depends_on").is_none(), "{}", ended.stdout);
    for name in ["till:currency/0", "till:version/0", "till:extra/0"] {
        assert_eq!(function(&ended, name)["verdict"], "exhausted", "{}", ended.stdout);
    }
    // Another configuration may have it.
    let other = function(&ended, "till:other/0");
    assert_eq!(other["losses"]["it depends on the configuration of applications"], 1, "{other}");
    // What is kept holds for the configuration that it was found with.
    till.write("config/dev.config", "[{till, [{limit, 18}]}, \"more\"].\n");
    let ended = till.test(&["--format", "jsonl", "--no-build"]);
    assert_eq!(ended.objects("bug")[0]["call"], "till:pay(18)", "{}", ended.stdout);
    till.write("config/dev.config", "[{till, [{limit, 18}}].\n");
    let ended = till.test(&["--format", "jsonl", "--no-build"]);
    assert!(ended.said.contains("dev.config is ignored"), "{}", ended.said);
    assert!(ended.objects("bug").iter().any(|bug| bug["call"] == "till:pay(4)"), "{}", ended.stdout);
}

#[test]
fn configuration_of_elixir_is_evaluated() {
    let mix = "defmodule Desk.MixProject do\n  use Mix.Project\n  def project do\n    [app: :desk, version: \"0.1.0\"]\n  end\n  \
        def application do\n    [env: [shade: :red]]\n  end\nend\n";
    let source = "defmodule Desk do\n  @spec pay(integer()) :: :ok\n  def pay(n) do\n    \
        if n == Application.fetch_env!(:desk, :limit), do: raise(ArgumentError, \"limit\")\n    :ok\n  end\n\n  \
        @spec shade() :: :red\n  def shade, do: Application.get_env(:desk, :shade)\nend\n";
    let desk = Scratch::new(
        "desk",
        &[
            ("mix.exs", mix),
            ("lib/desk.ex", source),
            (
                "config/config.exs",
                "import Config\nconfig :desk, limit: 20 + 1\nimport_config \"#{config_env()}.exs\"\n",
            ),
            ("config/dev.exs", "import Config\nconfig :desk, limit: if(Mix.env() == :dev, do: 33, else: 1)\n"),
        ],
    );
    let ended = desk.test(&["--format", "jsonl"]);
    let bugs = ended.objects("bug");
    assert_eq!(bugs.len(), 1, "{}{}", ended.stdout, ended.said);
    assert_eq!((&bugs[0]["call"], &bugs[0]["confirmed"]), (&"Desk.pay(33)".into(), &true.into()), "{}", ended.stdout);
    assert_eq!(function(&ended, "Desk.shade/0")["verdict"], "exhausted", "{}", ended.stdout);
    desk.write("config/dev.exs", "import Config\nraise \"not here\"\n");
    let ended = desk.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("config is ignored") && ended.said.contains("not here"), "{}", ended.said);
}

const SHELF: &str = "-module(shelf).\n-export([tables/0, amount/1, saved/0, fails/0, start/0]).\n\
    tables() ->\n    ets:new(shelf, [named_table]), ets:insert(shelf, {7, 70}), put(shade, red), persistent_term:put(shelf, 3),\n    \
    application:set_env(shelf, limit, 9).\n\
    -spec amount(integer()) -> integer().\n\
    amount(Id) ->\n    red = get(shade), 3 = persistent_term:get(shelf), {ok, 9} = application:get_env(shelf, limit),\n    \
    case ets:lookup(shelf, Id) of [{_, N}] -> error({stored, N}); [] -> 0 end.\n\
    saved() -> file:read_file(\"shelf\").\nfails() -> error(no_shelf).\nstart() -> saved().\n";

#[test]
fn a_setup_is_run_before_each_run_and_evaluation() {
    let source = SHELF.replace("-export", "-beagle({setup, tables/0}).\n-export");
    let shelf = Scratch::new("setup", &[("src/shelf.erl", &source)]);
    let ended = shelf.test(&["--format", "jsonl", "-f", "shelf:amount/1"]);
    let bugs = ended.objects("bug");
    assert_eq!(bugs.len(), 1, "{}{}", ended.stdout, ended.said);
    assert_eq!(
        (&bugs[0]["call"], &bugs[0]["confirmed"]),
        (&"shelf:amount(7)".into(), &true.into()),
        "{}",
        ended.stdout
    );
    let told = function(&ended, "shelf:amount/1");
    assert_eq!((&told["exhaustive"], &told["losses"]), (&true.into(), &serde_json::json!({})), "{told}");
    // Without it there is no table.
    let bare = Scratch::new("no_setup", &[("src/shelf.erl", SHELF)]);
    assert_ne!(bare.test(&["--format", "jsonl", "-f", "shelf:amount/1"]).objects("bug")[0]["call"], "shelf:amount(7)");
    bare.write("beagle.toml", "setup = \"shelf:tables/0\"\n");
    let ended = bare.test(&["--format", "jsonl", "-f", "shelf:amount/1"]);
    assert_eq!(ended.objects("bug")[0]["call"], "shelf:amount(7)", "{}", ended.stdout);
}

#[test]
fn a_table_that_lacks_a_key_is_there() {
    let source = "-module(depot).\n-beagle({setup, tables/0}).\n-export([tables/0, amount/1, again/1]).\n\
        tables() -> ets:new(depot, [named_table]), ets:insert(depot, {7, 70}).\n\
        -spec amount(integer()) -> integer().\namount(Id) -> ets:lookup_element(depot, Id, 2).\n\
        -spec again(integer()) -> true.\nagain(_) -> tables().\n";
    let depot = Scratch::new("depot", &[("src/depot.erl", source)]);
    let ended = depot.test(&["--format", "jsonl"]);
    let defect = |function: &str| {
        let found = ended.objects("defect").into_iter().find(|defect| defect["functions"][0] == function);
        found.unwrap_or_else(|| panic!("nothing of {function}: {}{}", ended.stdout, ended.said))
    };
    let amount = defect("depot:amount/1");
    assert_ne!(amount["category"], "environment", "{amount}");
    assert_eq!(amount["signals"]["missing"], Value::Null, "{amount}");
    let told = function(&ended, "depot:amount/1");
    assert!(!told["losses"].to_string().contains("table"), "{told}");
    let again = defect("depot:again/1");
    assert_eq!(
        (&again["category"], &again["why"][0]),
        (&"environment".into(), &"the setup has started it already".into())
    );
}

const COUNTER: &[(&str, &str)] = &[
    ("rebar.config", "{erl_opts, [debug_info]}."),
    (
        "src/counter.app.src",
        "{application, counter, [{vsn, \"1\"}, {applications, [kernel, stdlib]}, {mod, {counter_app, []}}, {env, [{first, 5}]}]}.",
    ),
    (
        "src/counter_app.erl",
        "-module(counter_app).\n-behaviour(application).\n-export([start/2, stop/1]).\n\
         start(_, _) -> counter:start_link().\nstop(_) -> ok.\n",
    ),
    (
        "src/counter.erl",
        "-module(counter).\n-export([start_link/0, add/1]).\n\
         start_link() ->\n    {ok, First} = application:get_env(counter, first),\n    \
         Pid = spawn_link(fun() -> loop(First) end),\n    true = register(counter, Pid),\n    {ok, Pid}.\n\
         loop(N) -> receive {add, From, By} -> From ! {counter, N + By}, loop(N + By) end.\n\
         -spec add(integer()) -> integer().\n\
         add(By) ->\n    counter ! {add, self(), By},\n    \
         receive {counter, 42} -> error(answer); {counter, N} -> N end.\n",
    ),
];

#[test]
fn applications_are_started_before_each_run_and_evaluation() {
    let counter = Scratch::new("counter", COUNTER);
    let without = counter.test(&["-f", "counter:add/1", "--start", "none"]);
    assert!(
        without.stdout.contains("created by counter:start_link/0 (--start counter starts its application)"),
        "{}",
        without.stdout
    );
    let hint = "1 function needs the application counter: --start counter starts it before each run\n";
    assert!(without.stdout.ends_with(hint), "{}", without.stdout);
    let expected = |start: &[&str]| {
        let ended = counter.test(&[&["--format", "jsonl", "-f", "counter:add/1"], start].concat());
        let bugs = ended.objects("bug");
        assert_eq!(bugs.len(), 1, "{start:?} {}{}", ended.stdout, ended.said);
        let (call, confirmed) = (&bugs[0]["call"], &bugs[0]["confirmed"]);
        assert_eq!((call, confirmed), (&"counter:add(37)".into(), &true.into()), "{}", ended.stdout);
    };
    expected(&["--start", "counter"]);
    expected(&["--start", "."]);
    // Nothing is said of it, and the function needs it.
    expected(&[]);
    counter.write("beagle.toml", "start = \".\"\n");
    expected(&[]);
    counter.write("beagle.toml", "");
    let said = counter.refused(&["-f", "counter:add/1", "--start", "absent"]);
    assert!(said.contains("--start absent: the application cannot be started"), "{said}");
}

#[test]
fn an_application_is_started_for_the_functions_that_need_it() {
    let counter = Scratch::new("counter_on_demand", COUNTER);
    counter.write(
        "src/plain.erl",
        "-module(plain).\n-export([half/1]).\n-spec half(2..9) -> integer().\nhalf(N) -> 7 div (N - 5).\n",
    );
    let functions = ["-f", "counter:add/1", "-f", "plain:half/1"];
    let ended = counter.test(&[&["--emit-tests", "test"], &functions[..]].concat());
    let call = "    application:ensure_all_started(counter).\n    counter:add(37).\n";
    assert!(ended.stdout.contains(call), "{}", ended.stdout);
    assert!(!ended.stdout.contains("nothing was tested"), "{}", ended.stdout);
    let last = "the application counter was started for 1 function that needs it (--start none starts nothing)\n";
    assert!(ended.stdout.ends_with(last), "{}", ended.stdout);
    assert!(counter.read("test/counter_beagle_tests.erl").contains("application:ensure_all_started(counter)"));
    let ended = counter.test(&[&["--format", "jsonl", "--fresh"], &functions[..]].concat());
    let started = |kind: &str, function: &str, field: &str| {
        let objects = ended.objects(kind);
        let found = objects.iter().find(|object| object["function"] == function).expect("it is there");
        found[field][0].as_str().map(str::to_string)
    };
    let start = Some("application:ensure_all_started(counter)".to_string());
    assert_eq!(started("bug", "counter:add/1", "before"), start, "{}", ended.stdout);
    assert_eq!(started("function", "counter:add/1", "started"), start, "{}", ended.stdout);
    assert_eq!(started("bug", "plain:half/1", "before"), None, "{}", ended.stdout);
    // What is reported can be evaluated again.
    counter.write("found.jsonl", &ended.stdout);
    let replayed = counter.command_in("", &["replay", "found.jsonl"]);
    assert_eq!(
        replayed.stdout.matches("the BEAM does what was reported").count(),
        2,
        "{}{}",
        replayed.stdout,
        replayed.said
    );
    assert!(replayed.stdout.contains(call), "{}", replayed.stdout);
    // A result that was kept is told of in the same way.
    let kept = counter.test(&[&["--emit-tests", "again"], &functions[..]].concat());
    assert!(kept.said.contains("as before") && kept.stdout.contains(call), "{}{}", kept.stdout, kept.said);
    assert_eq!(counter.read("again/counter_beagle_tests.erl"), counter.read("test/counter_beagle_tests.erl"));
}

#[test]
fn an_application_that_cannot_be_started_is_named() {
    let counter = Scratch::new("counter_in_vain", COUNTER);
    let app = |before: &str| {
        let text = format!(
            "-module(counter_app).\n-behaviour(application).\n-export([start/2, stop/1, loop/0]).\n\
             start(_, _) -> {before}, counter:start_link().\nstop(_) -> ok.\nloop() -> loop().\n"
        );
        counter.write("src/counter_app.erl", &text);
    };
    for (before, reason) in [
        ("{ok, _} = gen_tcp:listen(0, [])", "gen_tcp:listen/2"),
        ("loop()", "it has not come to rest after 10000000 calls"),
    ] {
        app(before);
        // The second time it is not a kept result that speaks.
        for _ in 0..2 {
            let ended = counter.test(&["-f", "counter:add/1"]);
            let why = "functions need the application counter, which was not started: ";
            assert!(ended.said.contains(why) && ended.said.contains(reason), "{before}: {}", ended.said);
            assert!(ended.stdout.contains("nothing was tested"), "{before}: {}", ended.stdout);
            assert!(!ended.stdout.contains("--start counter"), "{before}: {}", ended.stdout);
        }
        let ended = counter.test(&["--format", "jsonl", "-q", "-f", "counter:add/1"]);
        let told = function(&ended, "counter:add/1");
        let why = told["not_started"]["counter"].as_str().unwrap_or_default();
        assert!(why.contains(reason) && told.get("started").is_none(), "{before}: {told}");
    }
    // Once it is mended, the function is tested. A process that never rests beside it is no obstacle.
    for before in ["ok", "spawn(?MODULE, loop, [])"] {
        app(before);
        let ended = counter.test(&["-f", "counter:add/1"]);
        assert!(ended.stdout.contains("counter:add(37)."), "{before}: {}", ended.stdout);
        let ended = counter.test(&["--format", "jsonl", "-f", "counter:add/1"]);
        assert!(function(&ended, "counter:add/1").get("not_started").is_none(), "{before}: {}", ended.stdout);
    }
    let said = counter.refused(&["--start", "none", "--start", "counter"]);
    assert!(said.contains("--start none starts nothing"), "{said}");
}

/// Two applications, each of which makes a table, and functions that need one, both, or none of them.
const TABLES: &[(&str, &str)] = &[
    ("rebar.config", "{erl_opts, [debug_info]}."),
    (
        "apps/one/src/one.app.src",
        "{application, one, [{vsn, \"1\"}, {applications, [kernel, stdlib]}, {mod, {one, []}}]}.",
    ),
    (
        "apps/two/src/two.app.src",
        "{application, two, [{vsn, \"1\"}, {applications, [kernel, stdlib]}, {mod, {two, []}}]}.",
    ),
    (
        "apps/one/src/one.erl",
        "-module(one).\n-behaviour(application).\n-export([start/2, stop/1, start_link/0, keep/1]).\n\
         -export([both/1, first/1]).\n\
         start(_, _) -> start_link().\nstop(_) -> ok.\n\
         start_link() -> proc_lib:start_link(?MODULE, keep, [self()]).\n\
         keep(By) ->\n    ets:new(ones, [named_table]), ets:insert(ones, {a, 5}),\n    \
         proc_lib:init_ack(By, {ok, self()}), receive stop -> ok end.\n\
         -spec both(integer()) -> integer().\n\
         both(N) ->\n    A = ets:lookup_element(ones, a, 2),\n    B = ets:lookup_element(twos, b, 2),\n    \
         1 div (A + B - N).\n\
         -spec first(integer()) -> integer().\n\
         first(1) -> 1 div (byte_size(<<>>));\n\
         first(N) -> ets:lookup_element(ones, a, N).\n",
    ),
    (
        "apps/two/src/two.erl",
        "-module(two).\n-behaviour(application).\n-export([start/2, stop/1, start_link/0, keep/1]).\n\
         start(_, _) -> start_link().\nstop(_) -> ok.\n\
         start_link() -> proc_lib:start_link(?MODULE, keep, [self()]).\n\
         keep(By) ->\n    ets:new(twos, [named_table]), ets:insert(twos, {b, 6}),\n    \
         proc_lib:init_ack(By, {ok, self()}), receive stop -> ok end.\n",
    ),
];

#[test]
fn a_function_that_needs_several_applications_gets_them() {
    let tables = Scratch::new("tables_on_demand", TABLES);
    let ended = tables.test(&["-f", "one:both/1"]);
    let calls =
        "    application:ensure_all_started(one).\n    application:ensure_all_started(two).\n    one:both(11).\n";
    assert!(ended.stdout.contains(calls), "{}{}", ended.stdout, ended.said);
    // Every finding that is told of is one of a defect, whatever was started when.
    let ended = tables.test(&["--format", "jsonl", "-f", "one:first/1"]);
    let defects: Vec<Value> =
        ended.objects("defect").iter().flat_map(|it| it["defects"].as_array().cloned()).flatten().collect();
    let bugs = ended.objects("bug");
    assert!(bugs.iter().any(|bug| bug["call"] == "one:first(1)"), "{}", ended.stdout);
    assert!(bugs.iter().all(|bug| defects.contains(&bug["defect"])), "{}", ended.stdout);
}

const WATCH: &[(&str, &str)] = &[
    ("rebar.config", "{erl_opts, [debug_info]}."),
    (
        "src/watch.app.src",
        "{application, watch, [{vsn, \"1\"}, {applications, [kernel, stdlib]}, {mod, {watch_app, []}}]}.",
    ),
    (
        "src/watch_app.erl",
        "-module(watch_app).\n-behaviour(application).\n-export([start/2, stop/1]).\n\
         start(_, _) -> watch:start_link().\nstop(_) -> ok.\n",
    ),
    (
        "src/watch.erl",
        "-module(watch).\n-behaviour(gen_server).\n-export([start_link/0, init/1, handle_call/3, handle_cast/2]).\n\
         -spec start_link() -> {ok, pid()}.\n\
         start_link() -> gen_server:start_link({local, watch}, ?MODULE, [], []).\n\
         init([]) -> {ok, 0}.\nhandle_call(_, _, N) -> {reply, N, N}.\nhandle_cast(_, N) -> {noreply, N}.\n",
    ),
];

#[test]
fn what_the_setup_has_started_is_no_bug() {
    let watch = Scratch::new("watch", WATCH);
    let ended = watch.test(&["--format", "jsonl", "--start", ".", "-f", "watch:start_link/0"]);
    let defects = ended.objects("defect");
    assert_eq!(defects.len(), 1, "{}", ended.stdout);
    assert_eq!(defects[0]["category"], "environment", "{}", ended.stdout);
    assert_eq!(defects[0]["why"][0], "the setup has started it already", "{}", ended.stdout);
}

#[test]
fn a_setup_that_cannot_be_run_is_refused() {
    let shelf = Scratch::new("wrong_setup", &[("src/shelf.erl", SHELF)]);
    for (setup, why) in [
        ("shelf:saved/0", "setup shelf:saved/0: effect denied: file:read_file/1"),
        ("shelf:start/0", "setup shelf:start/0: effect denied: file:read_file/1"),
        ("shelf:fails/0", "setup shelf:fails/0: it raises error no_shelf"),
        ("shelf:absent/0", "setup shelf:absent/0: there is no such function, or it is not exported"),
        ("shelf:amount/1", "--setup shelf:amount/1 does not name a function without parameters"),
    ] {
        let said = shelf.refused(&["-f", "shelf:amount/1", "--setup", setup]);
        assert!(said.contains(why), "{said}");
    }
    shelf.write("src/shelf.erl", &SHELF.replace("-export", "-beagle({setup, amount/1}).\n-export"));
    let said = shelf.refused(&[]);
    assert!(said.contains("a setup has no parameters"), "{said}");
}

#[test]
fn a_callback_speaks_for_functions_without_a_specification() {
    let plugin = "-module(plugin).\n-export([]).\n-export_type([reply/0]).\n-type reply() :: {ok, size()} | error.\n\
        -type size() :: 0..100.\n-callback measure(size(), binary()) -> reply().\n-callback keep(term()) -> ok.\n\
        -callback own(integer()) -> atom().\n";
    let ruler = "-module(ruler).\n-behaviour(plugin).\n-export([measure/2, keep/1, own/1, more/1]).\n\
        measure(97, _) -> {ok, 970};\nmeasure(N, _) when N >= 0, N =< 100 -> {ok, N}.\n\
        keep(ok) -> ok.\n-spec own(integer()) -> integer().\nown(N) -> N.\nmore(_) -> ok.\n";
    let project = Scratch::new("callbacks", &[("src/plugin.erl", plugin), ("src/ruler.erl", ruler)]);
    // What a callback leaves open is not for everybody to fill, and not tested by default.
    assert_eq!(project.list(&[]), ["ruler:measure/2", "ruler:own/1"]);
    let ended = project.test(&["--show", "all", "-v"]);
    let wrong = "ruler:measure/2 returns {ok,970}, which the callback of plugin does not allow";
    assert!(ended.stdout.contains(wrong), "{}", ended.stdout);
    assert!(ended.stdout.contains("types are those of the callback of plugin"), "{}", ended.stdout);
    // Its own specification comes first.
    assert!(ended.stdout.contains("ruler:own/1: no bugs found; all paths explored"), "{}", ended.stdout);
    assert!(ended.stdout.contains("2 functions tested: 1 likely bug"), "{}", ended.stdout);
}

#[test]
fn what_was_made_up_or_cannot_be_made_is_no_finding() {
    let source = "-module(odd).\n-export([start/2, never/1, maker/1, called/1]).\n-export_type([nothing/0]).\n\
        -type nothing() :: {none(), integer()}.\n\
        -spec start(module(), integer()) -> term().\nstart(Module, 7) -> Module:run(); start(_, N) -> N.\n\
        -spec never(nothing()) -> ok.\nnever(_) -> ok.\n\
        -spec maker(integer()) -> fun((queue:queue()) -> integer()).\nmaker(N) -> fun(_) -> N end.\n\
        -spec called(fun((fun((none()) -> ok)) -> integer())) -> integer().\n\
        called(F) -> F(fun(_) -> ok end).\n";
    let odd = Scratch::new("odd", &[("src/odd.erl", source)]);
    let ended = odd.test(&["--format", "jsonl", "--budget", "5s"]);
    assert_eq!(ended.objects("bug").len(), 0, "{}", ended.stdout);
    assert!(!ended.stdout.contains("a defect of Beagle"), "{}", ended.stdout);
    let losses = |name: &str| function(&ended, name)["losses"].to_string();
    assert!(
        losses("odd:never/1").contains("parameter 1 is of the type odd:nothing/0, which has no values"),
        "{}",
        ended.stdout
    );
    assert!(
        losses("odd:maker/1").contains("values of the opaque type queue:queue/1, of which none is made"),
        "{}",
        ended.stdout
    );
    // Nobody can call a function of none().
    assert_eq!(function(&ended, "odd:called/1")["verdict"], "exhausted", "{}", ended.stdout);
    assert!(losses("odd:start/2").contains("the name of the module that is called"), "{}", ended.stdout);
}

#[test]
fn a_setting_that_nobody_made_is_named() {
    let shop = "-module(shop).\n-export([total/1]).\n-spec total(integer()) -> integer() | {error, term()}.\n\
        total(N) -> {ok, Size} = application:get_env(shop, size), N * Size.\n";
    let project = Scratch::new("setting", &[("src/shop.erl", shop)]);
    let ended = project.test(&["--format", "jsonl"]);
    let defects = ended.objects("defect");
    assert_eq!(defects.len(), 1, "{}", ended.stdout);
    assert_eq!(defects[0]["category"], "environment", "{}", ended.stdout);
    assert_eq!(defects[0]["why"][0], "the key size of application shop is not configured", "{}", ended.stdout);
}

#[test]
fn a_callback_promises_errors_as_a_specification_does() {
    let plugin = "-module(plugin).\n-callback parse(binary()) -> {ok, integer()} | {error, term()}.\n";
    let reader = "-module(reader).\n-behaviour(plugin).\n-export([parse/1]).\n\
        parse(<<\"a\">>) -> {ok, 1};\nparse(<<\"b\", _/binary>>) -> {error, b}.\n";
    let project = Scratch::new("promised", &[("src/plugin.erl", plugin), ("src/reader.erl", reader)]);
    let ended = project.test(&["--format", "jsonl", "-f", "reader:parse/1"]);
    let defects = ended.objects("defect");
    let first = defects.first().unwrap_or_else(|| panic!("no defect: {}", ended.stdout));
    assert_eq!((&first["category"], &first["signals"]["error_return"]), (&"likely".into(), &true.into()), "{first}");
    assert_eq!(first["signals"]["neighbours"], "SameKind", "{first}");
}
