//! What holds whoever has its turn: the stacks of each process are its own, and every run ends when it must.

use frontend::{CodeConfig, Evaluation};
use machine::Limits;
use path::{Outcome, Stop};
use session::Session;
use std::sync::Arc;
use term::Atom;

const MODULES: [(&str, &str); 5] = [
    (
        "slow_load",
        "-module(slow_load).
-export([value/0]).
-on_load(init/0).
init() -> receive after 50 -> ok end.
value() -> {loaded, slowly}.
",
    ),
    (
        "slower_load",
        "-module(slower_load).
-export([value/0]).
-on_load(init/0).
init() -> receive after 100 -> ok end.
value() -> {loaded, later}.
",
    ),
    (
        "killed_load",
        "-module(killed_load).
-export([value/0]).
-on_load(init/0).
init() -> exit(self(), kill), ok.
value() -> never.
",
    ),
    (
        "loads",
        "-module(loads).
-export([applied/0, denied/0, killed/0, hibernating/0, same/0, two/0, waiter_killed/0]).
two() ->
    Me = self(),
    Other = spawn(fun() -> Value = slower_load:value(), Me ! {self(), Value} end),
    Value = slow_load:value(),
    {Value, Me =:= self(), receive {Other, Later} -> Later after 5000 -> nothing end}.
hibernating() -> spawn(fun() -> erlang:hibernate(lists, seq, [1, 2]) end), deep(3).
denied() -> spawn(fun() -> os:cmd(\"true\") end), deep(20).
deep(0) -> slow_load:value();
deep(N) -> Value = deep(N - 1), {N, Value}.
killed() -> try killed_load:value() catch error:undef -> {self() =:= self(), undef} end.
same() ->
    Me = self(),
    Others = [spawn(fun() -> Me ! {self(), {N, slow_load:value()}} end) || N <- [1, 2]],
    [receive {Other, Value} -> Value after 5000 -> nothing end || Other <- Others] ++ [slow_load:value()].
waiter_killed() ->
    Waiter = spawn(fun() -> slow_load:value() end),
    receive after 10 -> ok end,
    exit(Waiter, kill),
    slow_load:value().
applied() ->
    Me = self(),
    spawn(fun() -> Me ! apply(slow_load, value, []) end),
    {Module, Function} = {slow_load, value},
    {apply(Module, Function, []), receive Value -> Value after 5000 -> nothing end}.
",
    ),
    (
        "restless",
        "-module(restless).
-export([answer/0, flood/0, loops/0, matches/0, set_up/0, sleepers/1, timers/1]).
loop() -> loop().
loops() -> spawn(fun loop/0), loop().
answer() ->
    Server = spawn(fun() -> receive never -> ok end end),
    catch gen_server:call(Server, hello, 10),
    exit({timeout, mine}).
flood() -> P = spawn(fun loop/0), flood(P).
flood(P) -> P ! 1, flood(P).
set_up() -> spawn(fun() -> put(kept, lists:seq(1, 100)), register(restless, self()), loop() end), ok.
timers(N) -> [erlang:send_after(10, self(), I) || I <- lists:seq(1, N)], gathered(N).
gathered(0) -> ok;
gathered(N) -> receive _ -> gathered(N - 1) end.
sleepers(N) -> Me = self(), [spawn(fun() -> receive after I -> Me ! I end end) || I <- lists:seq(1, N)], gathered(N).
matches() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {1, one}),
    Me = self(),
    [spawn(fun() -> Me ! [ets:match_object(Table, {1, '_'}), ets:match(Table, {'$1', one})] end) || _ <- [1, 2, 3]],
    [receive Found -> Found end || _ <- [1, 2, 3]].
",
    ),
];

fn session(limits: Limits) -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sources = Vec::new();
    for (name, text) in MODULES {
        let source = folder.path().join(format!("{name}.erl"));
        std::fs::write(&source, text).expect("the source is written");
        sources.push(source);
    }
    let config = CodeConfig { sources, evaluation: Evaluation::Unguarded, ..CodeConfig::default() };
    let code = beam::open(config).expect("the sources are found");
    (folder, Session::new(code, limits).expect("a session"))
}

fn answer(session: &mut Session, expression: &str) -> String {
    match session.evaluate(expression, None) {
        Ok(Outcome::Value(value)) => erlang::print(&value),
        Ok(Outcome::Stopped(stop)) => format!("stopped: {}", report::stopped(&stop, &|name| name.to_string())),
        other => panic!("{expression}: {other:?}"),
    }
}

#[test]
fn loads_side_by_side_keep_stacks_apart() {
    for eager_collection in [false, true] {
        let (_folder, mut session) = session(Limits { eager_collection, ..Limits::default() });
        let mut is = |call: &str, expected: &str| assert_eq!(answer(&mut session, call), expected, "{call}");
        // As the BEAM has it.
        is("loads:two()", "{{loaded,slowly},true,{loaded,later}}");
        is("loads:hibernating()", "{3,{2,{1,{loaded,slowly}}}}");
        is("loads:same()", "[{1,{loaded,slowly}},{2,{loaded,slowly}},{loaded,slowly}]");
        is("loads:waiter_killed()", "{loaded,slowly}");
        is("loads:applied()", "{{loaded,slowly},{loaded,slowly}}");
        is("loads:killed()", "{true,undef}");
        // Another process than the one that loads is stopped: nothing is given up for it.
        is("loads:denied()", "stopped: effect denied: os:cmd/1");
    }
}

#[test]
fn the_alarm_is_heard_between_turns() {
    let (_folder, mut session) = session(Limits { memory: 256 << 20, ..Limits::default() });
    for call in ["restless:loops()", "restless:sleepers(50000)"] {
        let started = std::time::Instant::now();
        session.machine.set_alarm(Some(Arc::new(move || started.elapsed().as_millis() > 300)));
        assert_eq!(answer(&mut session, call), "stopped: interrupted", "{call}");
        session.machine.set_alarm(None);
    }
}

#[test]
fn mailboxes_count_between_turns() {
    let (_folder, mut session) = session(Limits { memory: 64 << 20, ..Limits::default() });
    assert_eq!(answer(&mut session, "restless:flood()"), "stopped: memory limit");
}

#[test]
fn many_timers_ring_at_once() {
    let (_folder, mut session) = session(Limits::default());
    assert_eq!(answer(&mut session, "restless:timers(200000)"), "ok");
}

#[test]
fn searching_a_table_is_one_operation() {
    let (_folder, mut session) = session(Limits { steps: 5_000_000, ..Limits::default() });
    for seed in 0..10 {
        session.machine.interleave(Some(seed));
        let found = "[[{1,one}],[[1]]]";
        assert_eq!(answer(&mut session, "restless:matches()"), format!("[{found},{found},{found}]"));
    }
}

#[test]
fn a_timeout_of_ones_own_is_no_deadlock() {
    let (_folder, mut session) = session(Limits::default());
    let outcome = session.evaluate("restless:answer()", None);
    assert!(matches!(outcome, Ok(Outcome::Raised(_))), "{outcome:?}");
}

#[test]
fn setups_that_are_cut_are_no_start() {
    let (_folder, mut session) = session(Limits { steps: 100_000, eager_collection: true, ..Limits::default() });
    session.evaluate("restless:set_up()", None).expect("the setup is called");
    let [module, function] = ["restless", "set_up"].map(Atom::new);
    assert!(!session.machine.start_after(module, function, &[]));
    let outcome = session.machine.run(module, function, &[]);
    assert!(matches!(outcome, Outcome::Value(_) | Outcome::Stopped(Stop::StepLimit)), "{outcome:?}");
}
