//! The prelude says what the native functions do: both are run on the same arguments, and answer or
//! raise the same.

use beagle::{Session, SessionConfig};
use erlang::print;
use machine::value::copy_in;
use machine::{Limits, Meaning, Outcome, Primitive};
use std::path::PathBuf;
use term::{Atom, Term};

fn session() -> Session {
    let config = SessionConfig {
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
        limits: Limits { steps: 10_000, memory: 8 << 20, ..Limits::default() },
        ..SessionConfig::default()
    };
    Session::new(config).expect("a session without sources")
}

/// A few of everything, and what the functions of the prelude tell apart.
const VALUES: &str = r#"[
    0, 1, 2, 3, 8, 10, 16, 36, 37, -1, -2, 65, 255, 256, 305, 1114111, 55296, 1 bsl 59, 1 bsl 70, -(1 bsl 70),
    1.0, 2.0, 0.0, -0.5, 1.0e300,
    a, b, true, false, '', utf8, unicode, latin1, utf16, big, little, iterator, global, trim, standard_io,
    binary_to_atom(<<195, 182>>, utf8), binary_to_atom(<<230, 151, 165>>, utf8),
    [], [1], [1, 2, 3, 2, 1], [2, 1], [a, b], [1.0, 2, 1], [1 | 2], [{a, 1}, {b, 2}], [{1, x}, {1.0, y}, {1, z}],
    [{a, 1} | b], [{a}, {b, 1, 2}, x, {}, {1, 2}], [a, a | a], "abc", "-12", "+12", "12x", "-", "zZ9", "FF", "-ff", [305, 49],
    [$1, 256 + $2], [<<1, 2>>, 3, [4 | <<5>>]], [<<1:3>>, 7], [<<1>>, <<2:4>> | <<3:4>>], [300], [[[]], [[1]] | <<>>], ["ab", <<"cd">>, $e],
    [228, 8364, 128512], [<<195>>, <<182>>], [<<195>>, 182], [global], [trim], [trim_all], [global, trim_all], [global, trim],
    [{scope, {1, 3}}], [{scope, {4, -2}}, global], [{scope, {0, 0}}], [{scope, {9, 9}}], [x], [global | x],
    [<<"a">>, <<"ab">>], [<<"b">>], [<<>>, <<"a">>], [<<"ab">>, <<"abc">>, <<"abx">>], [<<"ab">>, 1], [<<"ab">>, <<1:1>>], [<<"cb">>, <<"ab">> | x],
    {}, {a}, {a, 1}, {1, 2}, {2, 1}, {0, 0}, {3, -2}, {a, b, c}, {1, 2, 3, 4}, {ok, #{}}, {0, 1.0},
    #{}, #{a => 1}, #{1 => b}, #{a => 2, b => 3}, #{1.0 => x, 1 => y}, #{[a] => #{}},
    <<>>, <<0>>, <<1, 2, 3>>, <<"ab">>, <<"abab">>, <<"a,b,,c,">>, <<",">>, <<"b">>, <<"12">>, <<"-12">>, <<"+1f">>, <<"zz">>,
    <<195, 164>>, <<195>>, <<195, 40>>, <<226, 130, 172>>, <<240, 159, 152, 128>>, <<237, 160, 128>>, <<192, 128>>, <<244, 144, 128, 128>>,
    <<255, 1>>, <<0, 0, 1>>, <<1:3>>, <<1, 2, 3:5>>, <<"aaaaaaaa">>,
    fun erlang:self/0, fun lists:map/2
]"#;

fn values(session: &mut Session) -> Vec<Term> {
    match session.evaluate(VALUES, None) {
        Ok(Outcome::Value(Term::List(ref items, None))) => items.to_vec(),
        other => panic!("the values are a list: {other:?}"),
    }
}

fn said(outcome: Outcome) -> String {
    match outcome {
        Outcome::Value(value) => print(&value),
        Outcome::Raised(raised) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
        Outcome::Stopped(stop) => format!("stopped: {stop}"),
    }
}

/// Tuples of values that lie in the row's domain: all, or many of them.
fn arguments(session: &mut Session, row: &Primitive, values: &[Term]) -> Vec<Vec<Term>> {
    const MANY: usize = 2_000;
    let context = session.machine.context();
    let columns: Vec<Vec<Term>> = row
        .domain
        .iter()
        .map(|domain| {
            let fits = |value: &&Term| domain.contains(copy_in(&mut context.heap, value));
            values.iter().filter(fits).cloned().collect()
        })
        .collect();
    let all: usize = columns.iter().map(Vec::len).product();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..all.min(MANY))
        .map(|number| {
            let mut choice = number;
            if all > MANY {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                choice = state as usize % all;
            }
            let mut tuple = Vec::new();
            for column in &columns {
                tuple.push(column[choice % column.len()].clone());
                choice /= column.len();
            }
            tuple
        })
        .collect()
}

fn compare(rows: impl Iterator<Item = &'static Primitive>) {
    let mut session = session();
    let values = values(&mut session);
    let mut differences = Vec::new();
    let mut functions = 0;
    for row in rows {
        let Meaning::Prelude(_, function) = row.meaning else { continue };
        functions += 1;
        for args in arguments(&mut session, row, &values) {
            let native = said(session.machine.run(Atom::new(row.module), Atom::new(row.name), &args));
            let prelude = said(session.machine.run(Atom::new(erlang::prelude::NAME), Atom::new(function), &args));
            // The natives answer at once where the prelude would build for ever.
            let limited = ["stopped: step limit", "stopped: memory limit"].contains(&prelude.as_str());
            if native != prelude && !limited {
                let args: Vec<String> = args.iter().map(print).collect();
                differences.push(format!(
                    "{}:{}({})\n  native  {native}\n  prelude {prelude}",
                    row.module,
                    row.name,
                    args.join(", ")
                ));
            }
        }
    }
    assert!(functions > 0);
    let count = differences.len();
    differences.truncate(40);
    assert!(count == 0, "{count} calls differ:\n{}", differences.join("\n"));
}

#[test]
fn the_prelude_says_what_natives_do() {
    compare(erlang::bifs::all());
}

#[test]
fn the_prelude_says_what_summarised_functions_do() {
    compare(erlang::bifs::summaries());
}

/// Outside their domain too.
#[test]
fn summaries_say_what_the_code_does() {
    let mut session = session();
    let values = values(&mut session);
    let lists =
        [Term::Nil, Term::atom("x")].into_iter().chain(values.iter().filter(|v| matches!(v, Term::List(..))).cloned());
    let lists: Vec<Term> = lists.collect();
    for row in erlang::bifs::summaries() {
        for position in &values {
            for list in &lists {
                let args = [position.clone(), list.clone()];
                let code = said(session.machine.run(Atom::new(row.module), Atom::new(row.name), &args));
                let context = session.machine.context();
                let words = args.each_ref().map(|arg| copy_in(&mut context.heap, arg));
                let summary = match row.apply(context, &words) {
                    Ok(value) => print(&erlang_term(value)),
                    Err(_) => match context.take_exception() {
                        Some(raised) => format!("{} {}", raised.class.atom(), print(&erlang_term(raised.reason))),
                        None => "nothing".to_string(),
                    },
                };
                assert_eq!(code, summary, "{}({}, {})", row.name, print(position), print(list));
            }
        }
    }
}

fn erlang_term(word: machine::Word) -> Term {
    let nameless =
        |_, arity: u8| term::Fun::Local { module: Atom::new("m"), index: 0, unique: 0, arity: u32::from(arity) };
    machine::value::copy_out(word, 1_000_000, &nameless).expect("a result of reasonable size")
}
