//! Runs that end at a limit: with a named outcome, and with a machine that is as good as new.

use erlang::print;
use frontend::CodeConfig;
use machine::Limits;
use path::{Outcome, Stop};
use session::Session;
use std::path::{Path, PathBuf};

fn session(megabytes: usize) -> Session {
    let config = CodeConfig {
        sources: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/limits.erl")],
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
        ..CodeConfig::default()
    };
    let limits = Limits { memory: megabytes << 20, ..Limits::default() };
    Session::new(beam::open(config).expect("one module"), limits).expect("a session over one module")
}

fn answer(session: &mut Session, expression: &str) -> String {
    match session.evaluate(expression, None) {
        Ok(Outcome::Value(value)) => print(&value),
        Ok(Outcome::Raised(raised)) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
        Ok(Outcome::Stopped(Stop::MemoryLimit)) => "memory limit".to_string(),
        Ok(Outcome::Stopped(stop)) => format!("stopped: {}", report::stopped(&stop, &|name| name.to_string())),
        Err(error) => error.to_string(),
    }
}

/// The stack ends where a call lays out its arguments and captures, at every distance from its end.
#[test]
fn calls_at_the_end_of_the_stack_stop_the_run() {
    let mut session = session(1);
    for expression in [
        "limits:captures(0)", "limits:captures(1)", "limits:captures(2)", "limits:spread(0)", "limits:spread(1)",
        "limits:spread(2)", "limits:frames(0)",
    ] {
        assert_eq!(answer(&mut session, expression), "memory limit", "{expression}");
        assert_eq!(answer(&mut session, "limits:check()"), "{55,<<1,2,3>>,\"abc\"}", "after {expression}");
    }
}

/// Each kind of data may be the one that there is no room for.
#[test]
fn a_heap_without_room_stops_the_run() {
    let mut session = session(4);
    for expression in [
        "limits:cells([])", "limits:tuples({})", "limits:bytes(<<>>)", "limits:maps(#{}, 0)",
        "limits:closures(fun() -> ok end)", "<<0:(1 bsl 40)>>", "1 bsl (1 bsl 30)", "lists:duplicate(1 bsl 30, x)",
        "erlang:make_tuple(1 bsl 23, x)", "limits:keep([], 0)",
    ] {
        let said = answer(&mut session, expression);
        assert!(said == "memory limit" || said == "error system_limit", "{expression}: {said}");
        assert_eq!(answer(&mut session, "limits:check()"), "{55,<<1,2,3>>,\"abc\"}", "after {expression}");
    }
}

/// What primitives make and nobody keeps is collected, however they are called.
#[test]
fn results_of_primitives_called_by_value_are_collected() {
    let mut session = session(4);
    for expression in [
        "limits:by_value(fun erlang:'+'/2, 1 bsl 64, 1000000)",
        "limits:by_name(erlang, '+', 1 bsl 64, 1000000)",
        "limits:by_apply(fun erlang:'+'/2, 1 bsl 64, 1000000)",
    ] {
        let expected = ((1_i128 << 64) + 1_000_000).to_string();
        assert_eq!(answer(&mut session, expression), expected, "{expression}");
    }
}

/// Generated source has patterns and conditions of any length: depth of a tree is no limit.
#[test]
fn long_patterns_and_conditions_are_compiled() {
    let text: String = "abcdefghij".repeat(800);
    let chain: Vec<String> = (0..3000).map(|number| format!("X =/= {number} andalso Y =/= {number}")).collect();
    let source = format!(
        "-module(long).\n-export([prefix/1, chain/2]).\n\
         prefix(\"{text}\" ++ Rest) -> {{Rest}};\nprefix(\"{}x\" ++ Rest) -> {{x, Rest}};\nprefix(X) -> length(X).\n\
         chain(X, Y) -> case ({}) of true -> yes; false -> no end.\n",
        &text[..4000],
        chain.join(" andalso ")
    );
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long.erl");
    std::fs::write(&path, source).expect("the module is written");
    let config = CodeConfig { sources: vec![path], ..CodeConfig::default() };
    let code = beam::open(config).expect("one module");
    let mut session = Session::new(code, Limits::default()).expect("a session over one module");
    let expressions = [
        ("long:prefix(\"ab\")", "2"),
        ("long:prefix(lists:append(lists:duplicate(400, \"abcdefghij\")) ++ \"xy\")", "{x,\"y\"}"),
        ("long:prefix(lists:append(lists:duplicate(800, \"abcdefghij\")) ++ \"xy\")", "{\"xy\"}"),
        ("long:prefix(lists:append(lists:duplicate(400, \"abcdefghij\")))", "4000"),
        ("long:chain(3000, 3000)", "yes"),
        ("long:chain(3000, 2999)", "no"),
    ];
    for (expression, expected) in expressions {
        assert_eq!(answer(&mut session, expression), expected, "{expression}");
    }
}
