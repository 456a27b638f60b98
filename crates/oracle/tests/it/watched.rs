//! What is seen of the processes that a call starts, and of those that wait.

use crate::common::{folder, limits, shared, text, trusting, value, write};
use oracle::{CompileOptions, Forbidden, Guard, Limits, Oracle, OracleConfig, Outcome, Rest, Watched};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use term::Term;

const LINGER: Duration = Duration::from_millis(500);

/// Programs with processes; `sup` is a supervisor whose children crash.
const PROGRAMS: &str = r#"-module(programs).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, worker/2, supervise/1, child/1, nested/0, temporary/0]).

worker(X, Y) -> X div Y.

nested() -> spawn(fun() -> spawn(programs, worker, [1, 0]), receive after 50 -> ok end end), ok.

init({supervisor, Kind}) ->
    {ok, {#{intensity => 2, period => 5}, [#{id => child, start => {programs, child, [Kind]}, restart => Kind}]}};
init(State) -> {ok, State}.

child(_) -> {ok, spawn_link(fun() -> receive after 5 -> error(child_crashes) end end)}.

supervise(Kind) -> supervisor:start_link({local, programs_sup}, programs, {supervisor, Kind}).

temporary() ->
    {ok, Pid} = supervise(temporary),
    receive after 50 -> ok end,
    unlink(Pid),
    exit(Pid, normal),
    ok.

handle_call(crash, _, State) -> {reply, element(2, State), State};
handle_call({ask, Server}, _, State) -> {reply, gen_server:call(Server, {ask, self()}, infinity), State}.

handle_cast(crash, State) -> {noreply, element(2, State)}.
"#;

fn oracle() -> &'static Oracle {
    static ORACLE: OnceLock<Oracle> = OnceLock::new();
    ORACLE.get_or_init(|| with_programs(trusting()))
}

fn with_programs(config: OracleConfig) -> Oracle {
    let folder = folder();
    let source = write(&folder, "programs.erl", PROGRAMS);
    let oracle = Oracle::new(config);
    oracle.load_source(&source, &CompileOptions::default()).expect("it compiles");
    oracle
}

fn watch_with(oracle: &Oracle, expression: &str, limits: Limits) -> Watched {
    oracle.evaluate_watched(&text(expression), limits, false, false, LINGER).expect("an outcome")
}

fn watch(expression: &str) -> Watched {
    watch_with(oracle(), expression, limits(2000))
}

/// The ends as the programs of this file write them.
fn ends(watched: &Watched) -> Vec<(String, String)> {
    let initial = |end: &oracle::ProcessEnd| match (&end.registered, &end.initial) {
        (Some(name), _) => name.to_string(),
        (None, Some(initial)) => format!("{}:{}/{}", initial.module, initial.function, initial.arity),
        (None, None) => "unknown".to_string(),
    };
    // Of a reason with a stack, the part before it.
    let reason = |reason: &Term| match reason.as_tuple() {
        Some([reason, stack]) if stack.as_list().is_some() => reason.clone(),
        _ => reason.clone(),
    };
    let word = |reason: &Term| reason.as_atom().map_or_else(|| format!("{reason:?}"), |atom| atom.to_string());
    watched.ends.iter().map(|end| (initial(end), word(&reason(&end.reason)))).collect()
}

fn pair(initial: &str, reason: &str) -> (String, String) {
    (initial.to_string(), reason.to_string())
}

#[test]
fn without_processes_nothing_is_seen() {
    let start = Instant::now();
    let watched = watch("1 + 1");
    assert_eq!(watched.outcome, Outcome::Value { term: Term::Int(2), text: None });
    assert_eq!((watched.ends.len(), watched.rest, watched.started), (0, Rest::Ended, 0));
    let watched = watch("error(bad)");
    assert!(matches!(watched.outcome, Outcome::Raised { .. }), "{watched:?}");
    for _ in 0..100 {
        watch("ok");
    }
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn a_child_that_nobody_is_linked_to_crashes() {
    let watched = watch("spawn(programs, worker, [1, 0]), ok");
    assert_eq!(watched.outcome, Outcome::Value { term: Term::atom("ok"), text: None });
    assert_eq!(ends(&watched), [pair("programs:worker/2", "badarith")]);
    assert_eq!((watched.rest, watched.started), (Rest::Ended, 1));
    // Every reason has its shape, as the runtime gives it to links.
    let reason = |expression: &str| watch(expression).ends.first().map(|end| end.reason.clone()).expect("an end");
    assert_eq!(reason("spawn(fun() -> exit(gone) end)"), Term::atom("gone"));
    let thrown = reason("spawn(fun() -> throw(ball) end)");
    let nocatch = Term::tuple([Term::atom("nocatch"), Term::atom("ball")]);
    assert_eq!(thrown.as_tuple().and_then(|parts| parts.first()), Some(&nocatch), "{thrown:?}");
    // The call may wait for it in vain.
    let watched = watch_with(oracle(), "spawn(programs, worker, [1, 0]), receive never -> ok end", limits(200));
    assert!(matches!(watched.outcome, Outcome::Timeout { .. }), "{watched:?}");
    assert_eq!((ends(&watched), watched.rest), (vec![pair("programs:worker/2", "badarith")], Rest::Waiting));
}

#[test]
fn a_crash_ends_who_is_linked() {
    let watched = watch("spawn_link(programs, worker, [1, 0]), receive never -> ok end");
    let Outcome::Killed { reason } = &watched.outcome else { panic!("{watched:?}") };
    assert_eq!(reason.as_tuple().and_then(|parts| parts.first()), Some(&Term::atom("badarith")));
    assert_eq!(ends(&watched), [pair("programs:worker/2", "badarith")]);
    // By way of another one.
    let watched = watch(
        "spawn_link(fun() -> spawn_link(programs, worker, [1, 0]), receive never -> ok end end), \
         receive never -> ok end",
    );
    assert!(matches!(watched.outcome, Outcome::Killed { .. }), "{watched:?}");
    assert_eq!(ends(&watched).first(), Some(&pair("programs:worker/2", "badarith")));
    assert_eq!(watched.started, 2);
}

#[test]
fn processes_of_processes_are_seen() {
    let watched = watch("programs:nested()");
    assert_eq!(ends(&watched), [pair("programs:worker/2", "badarith")]);
    assert_eq!(watched.started, 2);
}

/// The crash may come a while after the call has returned.
#[test]
fn crashes_are_waited_for() {
    let watched = watch("spawn(fun() -> receive after 200 -> exit(late) end end), ok");
    assert_eq!(watched.ends.first().map(|end| end.reason.clone()), Some(Term::atom("late")));
    // But not for ever.
    let watched = watch("spawn(fun() -> receive after 60000 -> exit(late) end end), ok");
    assert_eq!((watched.ends.len(), watched.rest), (0, Rest::Waiting));
    let watched = watch("spawn(fun F() -> F() end), ok");
    assert_eq!((watched.ends.len(), watched.rest), (0, Rest::Running));
}

#[test]
fn a_supervisor_that_gives_up_is_seen() {
    let watched = watch("{ok, P} = programs:supervise(permanent), unlink(P), ok");
    assert_eq!(watched.outcome, Outcome::Value { term: Term::atom("ok"), text: None });
    let seen = ends(&watched);
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert!(seen[..3].iter().all(|(_, reason)| reason == "child_crashes"), "{seen:?}");
    assert_eq!(seen[3], pair("programs_sup", "shutdown"));
    assert_eq!(watched.ends.iter().filter(|end| end.gave_up).count(), 1);
    let initial = watched.ends[3].initial.expect("an initial call");
    assert_eq!((initial.module.text(), initial.function.text(), initial.arity), ("programs", "init", 1));
    // It takes who started it along.
    let watched = watch("programs:supervise(permanent), receive never -> ok end");
    assert_eq!(watched.outcome, Outcome::Killed { reason: Term::atom("shutdown") });
    assert!(watched.ends.last().is_some_and(|end| end.gave_up), "{watched:?}");
    // One that is told to end did not give up.
    let watched = watch("programs:temporary()");
    assert!(!watched.ends.iter().any(|end| end.gave_up), "{watched:?}");
    let watched =
        watch("{ok, P} = gen_server:start(programs, {supervisor, none}, []), gen_server:stop(P, shutdown, 100)");
    assert_eq!(watched.ends, []);
}

#[test]
fn a_server_crashes_during_a_call() {
    let watched = watch("{ok, P} = gen_server:start(programs, state, []), gen_server:call(P, crash)");
    assert!(matches!(watched.outcome, Outcome::Raised { .. }), "{watched:?}");
    assert_eq!(ends(&watched), [pair("programs:init/1", "badarg")]);
    let watched = watch("{ok, P} = gen_server:start({local, named}, programs, state, []), gen_server:cast(P, crash)");
    assert_eq!(ends(&watched), [pair("named", "badarg")]);
}

#[test]
fn normal_ends_are_none() {
    for expression in [
        "spawn(fun() -> ok end), ok",
        "spawn(fun() -> exit(normal) end), ok",
        "spawn(fun() -> exit(shutdown) end), ok",
        "spawn(fun() -> exit({shutdown, why}) end), ok",
        "{ok, P} = gen_server:start(programs, state, []), gen_server:stop(P)",
    ] {
        let watched = watch(expression);
        assert_eq!((watched.ends.len(), watched.rest), (0, Rest::Ended), "{expression}");
    }
    // One that ends on purpose and is monitored is seen: whether that is a crash is not for the runtime to say.
    let watched = watch("{P, M} = spawn_monitor(fun() -> exit(done) end), receive {'DOWN', M, process, P, R} -> R end");
    assert_eq!(watched.outcome, Outcome::Value { term: Term::atom("done"), text: None });
    assert_eq!(watched.ends.len(), 1);
    // What only the end of the call would end is left alone.
    let watched = watch("{ok, P} = gen_server:start_link(programs, state, []), P");
    assert_eq!((watched.ends.len(), watched.rest, watched.started), (0, Rest::Waiting, 1));
}

#[test]
fn waiting_is_told_from_working() {
    for expression in [
        "receive never -> ok end",
        // Two servers that ask each other.
        "{ok, P} = gen_server:start(programs, state, []), {ok, Q} = gen_server:start(programs, state, []), \
         gen_server:call(P, {ask, Q}, infinity)",
        "S = self(), spawn(fun() -> receive {S, go} -> S ! go end end), receive go -> ok end",
    ] {
        let watched = watch_with(oracle(), expression, limits(200));
        assert!(matches!(watched.outcome, Outcome::Timeout { .. }), "{expression}: {watched:?}");
        assert_eq!(watched.rest, Rest::Waiting, "{expression}");
    }
    for expression in [
        "(fun F() -> F() end)()",
        "spawn(fun F() -> F() end), receive never -> ok end",
        "(fun F() -> receive after 1 -> F() end end)()",
        "P = spawn(fun F() -> receive {S, ping} -> S ! pong, F() end end), \
         (fun F() -> P ! {self(), ping}, receive pong -> F() end end)()",
    ] {
        let watched = watch_with(oracle(), expression, limits(200));
        assert!(matches!(watched.outcome, Outcome::Timeout { .. }), "{expression}: {watched:?}");
        assert_eq!(watched.rest, Rest::Running, "{expression}");
    }
}

#[test]
fn floods_of_processes_are_survived() {
    let oracle = with_programs(OracleConfig { memory_limit: 4 << 30, ..trusting() });
    let start = Instant::now();
    let watched = watch_with(&oracle, "F = fun F() -> spawn(F), F() end, F()", limits(200));
    assert!(matches!(watched.outcome, Outcome::Timeout { .. } | Outcome::RuntimeDied { .. }), "{watched:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let watched = watch_with(&oracle, "[spawn(fun() -> exit(N) end) || N <- lists:seq(1, 3000)], ok", limits(5000));
    assert_eq!((watched.ends.len(), watched.started), (200, 3000));
    assert_eq!(value(&oracle, "1 + 1"), Term::Int(2));
}

/// Calls and processes are traced together.
#[test]
fn under_a_guard_processes_are_watched_too() {
    let forbidden = Forbidden::Function { module: "os".to_string(), name: "getenv".to_string(), arity: None };
    let oracle = with_programs(OracleConfig { guard: Some(Guard { forbidden: vec![forbidden] }), ..trusting() });
    let watched = watch_with(&oracle, "spawn(programs, worker, [1, 0]), ok", limits(2000));
    assert_eq!(ends(&watched), [pair("programs:worker/2", "badarith")]);
    let watched = watch_with(&oracle, "spawn(fun() -> os:getenv() end), receive after 100 -> ok end", limits(2000));
    assert!(matches!(watched.outcome, Outcome::Stopped { .. }), "{watched:?}");
    let watched = watch_with(&oracle, "1 + 1", limits(2000));
    assert_eq!((watched.outcome, watched.started), (Outcome::Value { term: Term::Int(2), text: None }, 0));
}

/// Reports of crashes are as little heard of as anything else that a call prints.
#[test]
fn crash_reports_are_swallowed() {
    let oracle = with_programs(trusting());
    watch_with(&oracle, "{ok, P} = gen_server:start(programs, state, []), gen_server:cast(P, crash)", limits(2000));
    watch_with(&oracle, "spawn(programs, worker, [1, 0]), ok", limits(2000));
    let outcome = oracle.evaluate(&text("halt(3)"), limits(2000)).expect("an outcome");
    let Outcome::RuntimeDied { message } = outcome else { panic!("{outcome:?}") };
    assert!(!message.contains("programs") && !message.contains("badar"), "{message}");
}

#[test]
fn evaluations_that_nobody_watches_are_as_before() {
    assert_eq!(value(shared(), "spawn(fun() -> exit(bad) end), ok"), Term::atom("ok"));
}

/// A runtime in which something is left of an evaluation is replaced, which takes time.
#[test]
fn under_a_guard_the_runtime_is_found_as_it_was() {
    let forbidden = Forbidden::Function { module: "os".to_string(), name: "getenv".to_string(), arity: None };
    let oracle = with_programs(OracleConfig { guard: Some(Guard { forbidden: vec![forbidden] }), ..trusting() });
    watch_with(&oracle, "1 + 1", limits(2000));
    let before = oracle.processes();
    for _ in 0..20 {
        watch_with(&oracle, "1 + 1", limits(2000));
        watch_with(
            &oracle,
            "spawn(fun() -> receive never -> ok end end), spawn(programs, worker, [1, 0])",
            limits(2000),
        );
    }
    assert_eq!(oracle.processes(), before);
}
