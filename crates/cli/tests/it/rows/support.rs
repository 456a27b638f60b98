//! Arguments for rows, and how runs on them end.

use erlang::print;
use frontend::{CodeConfig, Evaluation};
use machine::value::{copy_in, copy_out};
use machine::{Context, Domain, Limits, Primitive, Word};
use path::Outcome;
pub use session::Session;
use std::path::PathBuf;
use term::{Atom, Fun, Term};

pub fn session() -> Session {
    let config = CodeConfig {
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
        evaluation: Evaluation::Unguarded,
        ..CodeConfig::default()
    };
    let limits = Limits { steps: 10_000, memory: 8 << 20, ..Limits::default() };
    let code = beam::open(config).expect("code without sources");
    Session::new(code, limits).expect("a session without sources")
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

pub fn values(session: &mut Session) -> Vec<Term> {
    match session.evaluate(VALUES, None) {
        Ok(Outcome::Value(Term::List(ref items, None))) => items.to_vec(),
        other => panic!("the values are a list: {other:?}"),
    }
}

pub fn said(outcome: Outcome) -> String {
    match outcome {
        Outcome::Value(value) => print(&value),
        Outcome::Raised(raised) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
        Outcome::Stopped(stop) => format!("stopped: {}", report::stopped(&stop, &|name| name.to_string())),
    }
}

/// A context for rows alone.
pub fn context() -> Context {
    // SAFETY: the tests read words of a context only while they have it, and never exchange heaps.
    unsafe { Context::new(1 << 30, &erlang::ERLANG, 1 << 40) }.expect("address space for a heap and a program")
}

/// Tuples of values that lie in the row's domain: all, or so many of them.
pub fn arguments(row: &Primitive, values: &[Term], many: usize) -> Vec<Vec<Term>> {
    let mut context = context();
    let fits = |domain: &Domain, value: &Term| domain.contains(copy_in(&mut context.heap, value));
    chosen(row, values, many, fits)
}

/// Likewise, wherever they lie.
pub fn any_arguments(row: &Primitive, values: &[Term], many: usize) -> Vec<Vec<Term>> {
    chosen(row, values, many, |_, _| true)
}

fn chosen(
    row: &Primitive,
    values: &[Term],
    many: usize,
    mut fits: impl FnMut(&Domain, &Term) -> bool,
) -> Vec<Vec<Term>> {
    let mut column = |domain: &Domain| values.iter().filter(|value| fits(domain, value)).cloned().collect();
    let columns: Vec<Vec<Term>> = row.domain.iter().map(&mut column).collect();
    let all: usize = columns.iter().map(Vec::len).product();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..all.min(many))
        .map(|number| {
            let mut choice = number;
            if all > many {
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

pub fn owned(word: Word) -> Term {
    let nameless = |_, arity: u8| Fun::Local { module: Atom::new("m"), index: 0, unique: 0, arity: u32::from(arity) };
    copy_out(word, 1_000_000, &nameless).expect("a result of reasonable size")
}
