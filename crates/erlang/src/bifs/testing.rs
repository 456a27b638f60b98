//! Comparison of rows with the real BEAM: the same calls are made here and in one `erl`, and compared as text.
//!
//! Only for tests. Arguments are printed as Erlang expressions; results are printed by both sides in one canonical
//! form, floats by their bits.

use crate::ERLANG;
use machine::value::{copy_in, copy_out};
use machine::{Context, Escape, Exception, Heap, Word};
use num_bigint::BigInt;
use path::Stop;
use std::fmt::Write;
use std::sync::LazyLock;
use term::{Atom, Fun, Term};

pub struct Call {
    pub module: &'static str,
    pub function: &'static str,
    pub args: Vec<Term>,
}

pub fn context() -> Context {
    follow_release();
    // SAFETY: tests read words of a context only while they have it, and never exchange heaps.
    unsafe { Context::new(1 << 30, &ERLANG, 1 << 40) }.expect("address space for a heap and a program")
}

/// Uses the rows of the release of the `erl` that judges, and returns it.
pub fn follow_release() -> u32 {
    static RELEASE: LazyLock<u32> = LazyLock::new(|| {
        let print = "io:put_chars(erlang:system_info(otp_release)), halt().";
        let run = std::process::Command::new("erl").args(["-noshell", "-eval", print]).output().expect("an erl");
        String::from_utf8_lossy(&run.stdout).trim().parse().expect("a number")
    });
    crate::otp::work_with(*RELEASE);
    *RELEASE
}

/// Returns whether the result of a call is unspecified and differs between releases: the cuts of an iovec, the range of
/// numbers in a pid, the result for an integer before invalid characters, and a test that OTP 27 gets wrong.
fn differs_between_releases(call: &Call) -> bool {
    let functions = [
        ("erlang", "iolist_to_iovec"),
        ("erlang", "list_to_pid"),
        ("binary", "referenced_byte_size"),
        ("string", "list_to_integer"),
        ("unicode", "bin_is_7bit"),
    ];
    follow_release() != crate::otp::OLDEST && functions.contains(&(call.module, call.function))
}

/// Returns calls of every row in `names` of `module` with every combination of `values`.
pub fn grid(module: &'static str, names: &[(&'static str, usize)], values: &[Term]) -> Vec<Call> {
    let mut calls = Vec::new();
    for &(function, arity) in names {
        let mut tuples: Vec<Vec<Term>> = vec![Vec::new()];
        for _ in 0..arity {
            tuples = tuples
                .iter()
                .flat_map(|tuple| values.iter().map(move |value| [&tuple[..], std::slice::from_ref(value)].concat()))
                .collect();
        }
        calls.extend(tuples.into_iter().map(|args| Call { module, function, args }));
    }
    calls
}

/// Fails with the calls whose results differ.
pub fn agree(calls: &[Call]) {
    agree_on(calls, &[copy_in]);
}

/// Fails with the calls whose results differ, if each is made by a new process that has done nothing else.
pub fn agree_alone(calls: &[Call]) {
    let theirs = ask_beam(calls, true);
    let mut differences = String::new();
    let mut count = 0;
    for (call, theirs) in calls.iter().zip(&theirs) {
        let ours = answer(&mut context(), call, copy_in);
        if ours != *theirs {
            count += 1;
            if count <= 60 {
                writeln!(differences, "{}\n  ours   {ours}\n  theirs {theirs}", source(call)).unwrap();
            }
        }
    }
    assert!(count == 0, "{count} of {} calls differ:\n{differences}", calls.len());
}

/// The number of a process that has ended.
pub const DEAD: u64 = machine::World::FIRST_CHILD + 7;

/// A way to put arguments on the heap.
pub type Place = fn(&mut Heap, &Term) -> Word;

/// Fails with the calls whose results differ, with the arguments put on the heap by each of `places`.
pub fn agree_on(calls: &[Call], places: &[Place]) {
    let theirs = ask_beam(calls, false);
    let mut context = context();
    let mut differences = String::new();
    let mut count = 0;
    for ((call, theirs), place) in
        calls.iter().zip(&theirs).flat_map(|pair| places.iter().map(move |place| (pair, place)))
    {
        let ours = answer(&mut context, call, *place);
        if ours != *theirs && !differs_between_releases(call) {
            count += 1;
            if count <= 40 {
                writeln!(differences, "{}\n  ours   {ours}\n  theirs {theirs}", source(call)).unwrap();
            }
        }
        context = if context.heap.used() > 1 << 20 { self::context() } else { context };
    }
    assert!(count == 0, "{count} of {} calls differ:\n{differences}", calls.len());
}

pub fn answer(context: &mut Context, call: &Call, place: Place) -> String {
    let arity = call.args.len() as u32;
    let row = crate::bifs::find(Atom::new(call.module), Atom::new(call.function), arity);
    let Some(row) = row else { return "no row".into() };
    let args: Vec<Word> = call.args.iter().map(|arg| place(&mut context.heap, arg)).collect();
    match row.apply(context, &args) {
        Ok(value) => canonical(&owned(value)),
        Err(Escape::Raise) => match context.take_exception() {
            Some(Exception { class, reason, .. }) => format!("{}:{}", class.atom(), canonical(&owned(reason))),
            None => "raised nothing".into(),
        },
        Err(Escape::End) => "ended".into(),
        Err(Escape::Stop) => format!("stop {:?}", context.take_stop().unwrap_or(Stop::Deadlock(Vec::new()))),
        Err(other) => format!("{other:?}").to_lowercase(),
    }
}

pub fn owned(word: Word) -> Term {
    let nameless = |_, arity: u8| Fun::Local { module: Atom::new("m"), index: 0, unique: 0, arity: u32::from(arity) };
    copy_out(word, 100_000_000, &nameless).expect("a result of reasonable size")
}

fn ask_beam(calls: &[Call], alone: bool) -> Vec<String> {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("beagle-rows-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let (script, input) = (folder.join("ask.escript"), folder.join("calls"));
    let text: String = calls.iter().map(|call| source(call) + ".\n").collect();
    std::fs::write(&script, SCRIPT).expect("the script is written");
    std::fs::write(&input, text).expect("the calls are written");
    let output = std::process::Command::new("escript")
        .arg(&script)
        .arg(&input)
        .arg(alone.to_string())
        .output()
        .expect("escript runs");
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), calls.len(), "one answer per call; the last is {:?}", lines.last());
    lines
}

const SCRIPT: &str = r###"#!/usr/bin/env escript
-mode(compile).
main([File, Alone]) ->
    %% Processes that crash would be reported among the answers.
    logger:set_primary_config(level, none),
    {ok, Text} = file:read_file(File),
    {Dead, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, _, _, _} -> put(dead, Dead) end,
    Answer = case Alone of "true" -> fun alone/1; "false" -> fun answer/1 end,
    [io:put_chars([Answer(Line), $\n]) || Line <- binary:split(Text, <<"\n">>, [global, trim])].
alone(Line) ->
    {Starter, Dead} = {self(), get(dead)},
    {_, Monitor} = spawn_monitor(fun() -> put(dead, Dead), Starter ! {answer, answer(Line)} end),
    receive {'DOWN', Monitor, _, _, _} -> ok end,
    receive {answer, Text} -> Text after 0 -> "ended" end.
answer(Line) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Line)),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {value, {M, F, A}, _} = erl_eval:exprs(Exprs, [{'Dead', get(dead)}]),
    try c(apply(M, F, A)) catch Class:Reason -> [atom_to_list(Class), $:, c(Reason)] end.
c(X) when is_integer(X) -> integer_to_list(X);
c(X) when is_float(X) -> <<B:64>> = <<X/float>>, ["f", integer_to_list(B, 16)];
c(X) when is_atom(X) -> ["a", io_lib:format("~w", [atom_to_list(X)])];
c([]) -> "[]";
c(X) when is_list(X) -> ["[", items(X), "]"];
c(X) when is_tuple(X) -> ["{", lists:join(",", [c(E) || E <- tuple_to_list(X)]), "}"];
c(X) when is_map(X) -> ["#{", lists:join(",", [[c(K), "=>", c(V)] || {K, V} <- ordered(maps:to_list(X))]), "}"];
c(X) when is_bitstring(X) ->
    S = bit_size(X), P = (8 - S rem 8) rem 8,
    ["<<", integer_to_list(S), ":", io_lib:format("~w", [binary_to_list(<<X/bitstring, 0:P>>)]), ">>"];
c(X) when is_function(X) -> "fun";
c(X) when is_pid(X) -> "pid";
c(X) when is_reference(X) -> "ref";
c(X) when is_port(X) -> "port".
ordered(Pairs) when length(Pairs) > 32 -> Pairs;
ordered(Pairs) -> lists:sort(fun({A, _}, {B, _}) -> erts_internal:cmp_term(A, B) =< 0 end, Pairs).
items([X]) -> c(X);
items([X | T]) when is_list(T) -> [c(X), ",", items(T)];
items([X | T]) -> [c(X), "|", c(T)].
"###;

pub fn canonical(term: &Term) -> String {
    let mut text = String::new();
    write_canonical(&mut text, term);
    text
}

fn write_canonical(out: &mut String, term: &Term) {
    let numbers = |items: &[i64]| {
        let items: Vec<String> = items.iter().map(i64::to_string).collect();
        format!("[{}]", items.join(","))
    };
    match term {
        Term::Int(value) => write!(out, "{value}").unwrap(),
        Term::Big(value) => write!(out, "{value}").unwrap(),
        Term::Float(value) => write!(out, "f{:X}", value.to_bits()).unwrap(),
        Term::Atom(atom) => {
            let codes: Vec<i64> = atom.text().chars().map(|c| c as i64).collect();
            write!(out, "a{}", numbers(&codes)).unwrap();
        }
        Term::Nil => out.push_str("[]"),
        Term::List(items, tail) => {
            out.push('[');
            separated(out, items, write_canonical);
            if let Some(tail) = tail {
                out.push('|');
                write_canonical(out, tail);
            }
            out.push(']');
        }
        Term::Tuple(items) => {
            out.push('{');
            separated(out, items, write_canonical);
            out.push('}');
        }
        Term::Map(pairs) => {
            out.push_str("#{");
            separated(out, pairs, |out, (key, value)| {
                write_canonical(out, key);
                out.push_str("=>");
                write_canonical(out, value);
            });
            out.push('}');
        }
        Term::Bits(bits) => {
            let bytes: Vec<i64> = bits.bytes().iter().map(|byte| i64::from(*byte)).collect();
            write!(out, "<<{}:{}>>", bits.bit_length(), numbers(&bytes)).unwrap();
        }
        Term::Fun(_) => out.push_str("fun"),
        Term::Pid(_) => out.push_str("pid"),
        Term::Reference(_) => out.push_str("ref"),
        Term::Port(_) => out.push_str("port"),
    }
}

fn separated<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

pub fn source(call: &Call) -> String {
    source_of(call.module, call.function, &call.args)
}

pub fn source_of(module: &str, function: &str, args: &[Term]) -> String {
    let mut text = format!("{{'{module}','{function}',[");
    separated(&mut text, args, write_source);
    text + "]}"
}

fn write_source(out: &mut String, term: &Term) {
    match term {
        Term::Float(value) => {
            let text = format!("{value:e}");
            // Erlang requires a point.
            out.push_str(&if text.contains('.') { text } else { text.replace('e', ".0e") });
        }
        Term::Atom(atom) => write!(out, "'{}'", atom.text().replace('\\', "\\\\").replace('\'', "\\'")).unwrap(),
        Term::List(items, tail) => {
            out.push('[');
            separated(out, items, write_source);
            if let Some(tail) = tail {
                out.push('|');
                write_source(out, tail);
            }
            out.push(']');
        }
        Term::Tuple(items) => {
            out.push('{');
            separated(out, items, write_source);
            out.push('}');
        }
        Term::Map(pairs) => {
            out.push_str("#{");
            separated(out, pairs, |out, (key, value)| {
                write_source(out, key);
                out.push_str("=>");
                write_source(out, value);
            });
            out.push('}');
        }
        Term::Bits(bits) => {
            let (whole, rest) = (bits.bit_length() / 8, bits.bit_length() % 8);
            let mut parts: Vec<String> = bits.bytes()[..whole].iter().map(u8::to_string).collect();
            if rest > 0 {
                parts.push(format!("{}:{rest}", bits.bytes()[whole] >> (8 - rest)));
            }
            write!(out, "<<{}>>", parts.join(",")).unwrap();
        }
        Term::Fun(fun) => match &**fun {
            Fun::External { module, function, arity } => write!(out, "fun {module}:{function}/{arity}").unwrap(),
            Fun::Local { .. } | Fun::Input { .. } => out.push_str("fun() -> ok end"),
        },
        Term::Pid(DEAD) => out.push_str("Dead"),
        Term::Pid(_) => out.push_str("self()"),
        Term::Reference(_) => out.push_str("make_ref()"),
        Term::Port(_) => out.push_str("hd(erlang:ports())"),
        Term::Int(_) | Term::Big(_) | Term::Nil => out.push_str(&canonical(term)),
    }
}

/// Returns `base` to the power of `exponent`, plus `more`.
pub fn power(base: i64, exponent: u32, more: i64) -> Term {
    Term::integer(BigInt::from(base).pow(exponent) + more)
}

pub fn integers() -> Vec<Term> {
    let mut values: Vec<Term> =
        [0, 1, -1, 2, 3, -7, 10, 31, 36, 63, -64, 255, 65536, 123_456_789].into_iter().map(Term::Int).collect();
    for (exponent, more) in
        [(31, 0), (53, 0), (53, 1), (59, -1), (59, 0), (60, 5), (62, -1), (62, 0), (63, -1), (63, 0), (64, -1)]
    {
        values.push(power(2, exponent, more));
        values.push(match &power(2, exponent, more) {
            Term::Int(value) => Term::Int(-value),
            Term::Big(value) => Term::integer(-(**value).clone()),
            other => other.clone(),
        });
    }
    values.extend([power(2, 64, 0), power(-2, 63, -1), power(2, 127, -1), power(-2, 127, 0), power(2, 128, 0)]);
    values.extend([power(10, 30, 0), power(-3, 201, 0), power(2, 1024, 0), power(7, 800, 3)]);
    values
}

pub fn floats() -> Vec<Term> {
    let mut values = vec![0.0, -0.0, 0.5, -0.5, 1.0, 1.5, 2.5, -2.5, 0.1, std::f64::consts::PI, 1e10, 1e15, 1e16];
    values.extend([123456.789, 9007199254740992.0, 4611686018427387904.0, 1e22, 1e23, 18446744073709551616.0]);
    values.extend([1e100, -1e100, 1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, 1e-5, 100.0, 709.0, 710.0]);
    values.into_iter().map(Term::Float).collect()
}

/// Returns a few terms of every other kind.
pub fn others() -> Vec<Term> {
    let list = |items: &[Term]| Term::list(items.to_vec());
    vec![
        Term::atom("a"),
        Term::atom("b"),
        Term::TRUE,
        Term::FALSE,
        Term::atom(""),
        Term::atom("hello world"),
        Term::atom("ö"),
        Term::atom("日本"),
        Term::Nil,
        Term::string("abc"),
        Term::string("12"),
        Term::list_with_tail(vec![Term::Int(1)], Term::Int(2)),
        list(&[Term::atom("a"), list(&[Term::Float(1.0)]), Term::Int(300), Term::Int(-1)]),
        list(&[Term::Int(1), Term::Float(2.0)]),
        list(&[Term::Float(1.0), Term::Int(2)]),
        Term::tuple(vec![]),
        Term::tuple(vec![Term::atom("a")]),
        Term::tuple(vec![Term::atom("a"), Term::Int(1)]),
        Term::tuple(vec![Term::atom("a"), Term::Float(1.0)]),
        Term::Map(vec![].into()),
        Term::Map(vec![(Term::Int(1), Term::atom("b"))].into()),
        Term::Map(vec![(Term::Float(1.0), Term::atom("b"))].into()),
        Term::Map(vec![(Term::Int(2), Term::Float(3.0)), (Term::atom("a"), Term::Int(1))].into()),
        Term::Map(vec![(Term::Int(2), Term::Int(3)), (Term::atom("a"), Term::Int(1))].into()),
        Term::binary(vec![]),
        Term::binary(vec![1, 2, 3]),
        Term::binary(b"12".to_vec()),
        Term::binary(vec![7; 100]),
        Term::Bits(term::Bits::new(vec![0b1010_0000], 3)),
        Term::Bits(term::Bits::new(vec![1, 2, 0b1000_0000], 17)),
        Term::Fun(Fun::External { module: Atom::new("erlang"), function: Atom::new("self"), arity: 0 }.into()),
        Term::Fun(Fun::External { module: Atom::new("lists"), function: Atom::new("map"), arity: 2 }.into()),
        Term::Pid(80),
        Term::Reference(1),
    ]
}

pub fn everything() -> Vec<Term> {
    [integers(), floats(), others()].concat()
}
