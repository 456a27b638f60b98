//! Calls on the real runtime: every way in which they can end, and none of them touches the pipe.

use crate::common::{atom, evaluate, folder, limits, shared, text, trusting, value, write};
use oracle::{Call, CompileOptions, Limits, Oracle, OracleConfig, Outcome};
use std::time::{Duration, Instant};
use term::Term;

#[test]
fn values_and_exceptions() {
    assert_eq!(value(shared(), "X = 20, X + 1"), Term::Int(21));
    let call = |function, args| Call::Apply { module: atom("erlang"), function: atom(function), args };
    let outcome = shared().evaluate(&call("+", vec![Term::Int(1), Term::Int(2)]), Limits::default());
    assert_eq!(outcome.expect("an outcome"), Outcome::Value { term: Term::Int(3), text: None });
    let outcome = shared().evaluate(&call("+", vec![Term::Int(1), Term::atom("a")]), Limits::default());
    let Outcome::Raised { class, reason, stacktrace, text } = outcome.expect("an outcome") else { panic!() };
    assert_eq!((class, reason, text), (atom("error"), Term::atom("badarith"), None));
    let frames = stacktrace.as_list().expect("frames").len();
    assert_eq!(frames, 1, "the helper's own frames are not shown: {stacktrace:?}");
    for (expression, expected_class, expected_reason) in
        [("throw({a, 1})", "throw", "{a,1}"), ("exit(\"x\")", "exit", "\"x\""), ("nowhere:f()", "error", "undef")]
    {
        let outcome =
            shared().evaluate_printed(&crate::common::text(expression), Limits::default()).expect("an outcome");
        let Outcome::Raised { class, text, .. } = outcome else { panic!("{expression}") };
        assert_eq!((class, text.as_deref()), (atom(expected_class), Some(expected_reason)));
    }
    let outcome =
        shared().evaluate_printed(&crate::common::text("{\"ö\", 'Ā b', <<1,2:3>>, 1.0e22}"), Limits::default());
    let Outcome::Value { text, .. } = outcome.expect("an outcome") else { panic!() };
    assert_eq!(text.as_deref(), Some("{\"ö\",'Ā b',<<1,2:3>>,1.0e22}"));
}

#[test]
fn text_that_is_not_erlang() {
    for expression in ["1 +", "f(", "'unclosed", "a. b", ""] {
        let outcome = evaluate(shared(), expression);
        assert!(
            matches!(&outcome, Outcome::Unreadable { message } if message.starts_with("expression:")),
            "{outcome:?}"
        );
    }
}

#[test]
fn local_calls_go_home() {
    let call = |expression: &str| Call::Text { text: expression.to_owned(), home: Some(atom("lists")) };
    let outcome = shared().evaluate(&call("reverse(map(fun(X) -> X + 1 end, seq(1, 3)))"), Limits::default());
    let expected = Term::list([Term::Int(4), Term::Int(3), Term::Int(2)]);
    assert_eq!(outcome.expect("an outcome"), Outcome::Value { term: expected, text: None });
    let outcome = shared().evaluate(&text("seq(1, 3)"), Limits::default()).expect("an outcome");
    assert!(matches!(&outcome, Outcome::Raised { reason, .. } if *reason == Term::atom("undef")), "{outcome:?}");
}

#[test]
fn limits_are_kept() {
    let start = Instant::now();
    let endless = text("(fun F() -> F() end)()");
    let outcome = shared().evaluate(&endless, limits(100)).expect("an outcome");
    assert!(matches!(outcome, Outcome::Timeout { reductions } if reductions > 1000), "{outcome:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    let small = Limits { heap_words: 100_000, ..Limits::default() };
    let outcome = shared().evaluate(&text("lists:seq(1, 10000000)"), small).expect("an outcome");
    assert_eq!(outcome, Outcome::HeapExceeded);
    let outcome = evaluate(shared(), "exit(self(), kill), receive after infinity -> ok end");
    assert_eq!(outcome, Outcome::Killed { reason: Term::atom("killed") });
    let outcome = evaluate(shared(), "spawn_link(fun() -> exit(gone) end), receive after infinity -> ok end");
    assert_eq!(outcome, Outcome::Killed { reason: Term::atom("gone") });
    assert_eq!(value(shared(), "1 + 1"), Term::Int(2));
}

#[test]
fn output_is_swallowed() {
    for (expression, expected) in [
        ("io:format(\"~p~n\", [x])", "ok"),
        ("io:format(user, \"~p~n\", [x])", "ok"),
        ("io:format(standard_error, \"~p~n\", [x])", "ok"),
        ("io:put_chars([\"a\", <<\"b\">>])", "ok"),
        ("erlang:display(hello)", "true"),
        ("logger:error(\"x\")", "ok"),
        ("io:get_line(\"> \")", "eof"),
    ] {
        assert_eq!(value(shared(), expression), Term::atom(expected), "{expression}");
    }
    let outcome = evaluate(shared(), "io:format(\"~d\", [1])");
    assert!(matches!(&outcome, Outcome::Raised { reason, .. } if *reason == Term::atom("badarg")), "{outcome:?}");
    // An endless print does not stop others from printing.
    let endless = text("io:put_chars(element(2, {1, io:format(\"~p\", [lists:duplicate(100000000, a)])}))");
    let tight = Limits { heap_words: 0, ..limits(100) };
    let outcome = shared().evaluate(&endless, tight).expect("an outcome");
    assert!(matches!(outcome, Outcome::Timeout { .. }), "{outcome:?}");
    assert_eq!(value(shared(), "io:format(\"~p~n\", [x])"), Term::atom("ok"));
}

#[test]
fn processes_left_behind_are_ended() {
    let pid = value(shared(), "register(left_behind, P = spawn(fun F() -> F() end)), P");
    assert!(matches!(pid, Term::Pid(_)), "{pid:?}");
    let mut remaining = value(shared(), "whereis(left_behind)");
    for _ in 0..100 {
        if remaining == Term::atom("undefined") {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
        remaining = value(shared(), "whereis(left_behind)");
    }
    assert_eq!(remaining, Term::atom("undefined"));
}

#[test]
fn bombs_do_not_go_off() {
    let oracle = Oracle::new(OracleConfig { memory_limit: 4 << 30, ..trusting() });
    let calls = [
        text("binary:copy(<<0:8000000>>, 100000)"),
        text("F = fun F() -> spawn(F), F() end, F()"),
        text("P = spawn(fun F() -> process_flag(trap_exit, true), receive _ -> F() end end), register(bomb, P), ok"),
        text("whereis(bomb)"),
    ];
    let outcomes = oracle.evaluate_batch(&calls, limits(200), false).expect("outcomes");
    assert!(matches!(&outcomes[0], Outcome::RuntimeDied { message } if message.contains("allocate")), "{outcomes:?}");
    assert!(matches!(outcomes[1], Outcome::Timeout { .. } | Outcome::RuntimeDied { .. }), "{outcomes:?}");
    assert_eq!(outcomes[2], Outcome::Value { term: Term::atom("ok"), text: None });
    assert_eq!(outcomes[3], Outcome::Value { term: Term::atom("undefined"), text: None });
}

#[test]
fn batches_keep_their_order() {
    let calls: Vec<Call> = (0..3000).map(|n| text(&format!("{n} div ({n} rem 7)"))).collect();
    let outcomes = shared().evaluate_batch(&calls, Limits::default(), false).expect("outcomes");
    assert_eq!(outcomes.len(), calls.len());
    for (n, outcome) in (0i64..).zip(outcomes) {
        match outcome {
            Outcome::Value { term, .. } => assert_eq!(term, Term::Int(n / (n % 7))),
            Outcome::Raised { reason, .. } => assert_eq!((reason, n % 7), (Term::atom("badarith"), 0)),
            other => panic!("{n}: {other:?}"),
        }
    }
    assert_eq!(shared().evaluate_batch(&[], Limits::default(), false).expect("no outcomes"), []);
}

#[test]
fn ten_thousand_small_calls_take_less_than_half_a_second() {
    let call = |n| Call::Apply { module: atom("lists"), function: atom("seq"), args: vec![Term::Int(1), Term::Int(n)] };
    let calls: Vec<Call> = (0..10_000).map(|n| call(n % 10)).collect();
    let fastest = (0..3).map(|_| {
        let start = Instant::now();
        shared().evaluate_batch(&calls, Limits::default(), false).expect("outcomes");
        start.elapsed()
    });
    let fastest = fastest.min().expect("three times");
    assert!(fastest < Duration::from_millis(500), "{fastest:?}");
}

#[test]
fn a_call_that_ends_the_runtime_is_distinguished_from_the_others() {
    let folder = folder();
    let source = write(&folder, "loaded.erl", "-module(loaded).\n-export([f/1]).\nf(X) -> {loaded, X}.\n");
    let oracle = Oracle::new(trusting());
    oracle.load_source(&source, &CompileOptions::default()).expect("it compiles");
    let mut calls: Vec<Call> = (0..20).map(|n| text(&format!("loaded:f({n})"))).collect();
    calls[7] = text("halt(3)");
    let outcomes = oracle.evaluate_batch(&calls, Limits::default(), false).expect("outcomes");
    assert_eq!(outcomes.len(), 20);
    for (n, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Outcome::RuntimeDied { message } => {
                assert_eq!(n, 7);
                assert!(message.contains("exit status: 3"), "{message}");
            }
            Outcome::Value { term, .. } => {
                assert_eq!(term, Term::tuple([Term::atom("loaded"), Term::Int(n as i64)]));
            }
            other => panic!("{n}: {other:?}"),
        }
    }
}

#[test]
fn threads_share_a_runtime() {
    std::thread::scope(|scope| {
        for n in 0..4 {
            scope.spawn(move || {
                for m in 0..50 {
                    assert_eq!(value(shared(), &format!("{n} * {m}")), Term::Int(n * m));
                }
            });
        }
    });
}
