//! Declared types, as the compiler hands them out.

use crate::compiled::lower;
use program::{BitType, FunType, MapField, Module, Type};
use term::{Atom, BigInt, Term, names};

fn definition(module: &Module, name: &str) -> Type {
    let wanted = Atom::new(name);
    let found = module.types.definitions.iter().find(|definition| definition.name == wanted);
    found.unwrap_or_else(|| panic!("no type {name}")).body.clone()
}

/// The type that is written as `text`.
fn parsed(text: &str) -> Type {
    definition(&lower(&format!("-export_type([t/0]). -type t() :: {text}.")), "t")
}

/// Several at once: the compiler takes its time to start.
#[track_caller]
fn check(cases: &[(&str, Type)]) {
    let types: String = cases.iter().enumerate().map(|(n, (text, _))| format!("-type t{n}() :: {text}.\n")).collect();
    let names: Vec<_> = (0..cases.len()).map(|n| format!("t{n}/0")).collect();
    let module = lower(&format!(
        "-export_type([{}]). -record(r, {{a = 1 :: integer(), b}}).\n-type own(X) :: [X].\n-export_type([own/1]).\n{types}",
        names.join(",")
    ));
    for (n, (text, expected)) in cases.iter().enumerate() {
        assert_eq!(definition(&module, &format!("t{n}")), *expected, "{text}");
    }
}

fn atom(name: &str) -> Type {
    Type::Literal(Term::atom(name))
}

fn int(value: i64) -> Type {
    Type::Literal(Term::Int(value))
}

fn range(low: i64, high: i64) -> Type {
    Type::Integer { low: Some(BigInt::from(low)), high: Some(BigInt::from(high)) }
}

fn list(element: Type, tail: Type, nonempty: bool) -> Type {
    Type::List { element: Box::new(element), tail: Box::new(tail), nonempty }
}

fn nil() -> Type {
    Type::Literal(Term::Nil)
}

fn bits(base: u64, unit: u64) -> Type {
    Type::Bits(BitType { base, unit })
}

fn named(module: Option<&str>, name: &str, args: Vec<Type>) -> Type {
    Type::Named { module: module.map(Atom::new), name: Atom::new(name), args }
}

fn fun(params: Option<Vec<Type>>, result: Type) -> Type {
    Type::Fun(Box::new(FunType { params, result }))
}

#[test]
fn numbers_and_literals() {
    check(&[
        ("integer()", Type::integer()),
        ("-1", int(-1)),
        ("$a", int(97)),
        ("1..10", range(1, 10)),
        ("-(1 bsl 8) .. (1 bsl 8) - 1", range(-256, 255)),
        ("non_neg_integer()", Type::Integer { low: Some(BigInt::from(0)), high: None }),
        ("neg_integer()", Type::Integer { low: None, high: Some(BigInt::from(-1)) }),
        ("byte() | char()", Type::Union(vec![range(0, 255), range(0, 0x10_ffff)])),
        ("number()", Type::Union(vec![Type::integer(), Type::Float])),
        ("ok | 'not ok' | []", Type::Union(vec![atom("ok"), atom("not ok"), nil()])),
        ("boolean() | true", Type::Union(vec![Type::Literal(Term::TRUE), Type::Literal(Term::FALSE)])),
        ("any() | ok", Type::Union(vec![Type::Any, Type::Literal(Term::atom("ok"))])),
        ("no_return()", Type::None),
        ("timeout()", Type::Union(vec![atom("infinity"), Type::Integer { low: Some(BigInt::from(0)), high: None }])),
        ("mfa()", Type::Tuple(vec![Type::Atom, Type::Atom, range(0, 255)])),
        ("identifier()", Type::Union(vec![Type::Pid, Type::Port, Type::Reference])),
    ]);
}

#[test]
fn lists_and_bitstrings() {
    check(&[
        ("[ok]", list(atom("ok"), nil(), false)),
        ("[ok, ...]", list(atom("ok"), nil(), true)),
        ("list()", list(Type::Any, nil(), false)),
        ("string()", list(range(0, 0x10_ffff), nil(), false)),
        ("nonempty_string()", list(range(0, 0x10_ffff), nil(), true)),
        ("maybe_improper_list()", list(Type::Any, Type::Any, false)),
        ("maybe_improper_list(a, b)", list(atom("a"), Type::Union(vec![atom("b"), nil()]), false)),
        ("nonempty_improper_list(a, b)", list(atom("a"), atom("b"), true)),
        ("binary()", bits(0, 8)),
        ("bitstring()", bits(0, 1)),
        ("<<>>", bits(0, 0)),
        ("<<_:16>>", bits(16, 0)),
        ("<<_:_*4>>", bits(0, 4)),
        ("<<_:8, _:_*16>>", bits(8, 16)),
        ("iolist()", named(Some("erlang"), "iolist", vec![])),
        ("iodata()", Type::Union(vec![named(Some("erlang"), "iolist", vec![]), bits(0, 8)])),
    ]);
}

#[test]
fn structures_functions_and_names() {
    let field = |key, value, required| MapField { key, value, required };
    check(&[
        ("tuple()", Type::AnyTuple),
        ("{}", Type::Tuple(vec![])),
        ("{ok, atom()}", Type::Tuple(vec![atom("ok"), Type::Atom])),
        ("map()", Type::AnyMap),
        ("#{}", Type::Map(vec![])),
        (
            "#{a := pid(), atom() => float()}",
            Type::Map(vec![field(atom("a"), Type::Pid, true), field(Type::Atom, Type::Float, false)]),
        ),
        ("fun()", Type::AnyFun),
        ("fun((...) -> ok)", fun(None, atom("ok"))),
        ("fun(() -> ok)", fun(Some(vec![]), atom("ok"))),
        ("fun((X :: a, b) -> ok)", fun(Some(vec![atom("a"), atom("b")]), atom("ok"))),
        ("lists:some(a)", named(Some("lists"), "some", vec![atom("a")])),
        ("own(a)", named(None, "own", vec![atom("a")])),
        ("#r{}", named(None, "#r", vec![])),
        ("#r{b :: pid()}", Type::Tuple(vec![atom("r"), Type::integer(), Type::Pid])),
    ]);
}

#[test]
fn a_record_is_a_definition_and_may_be_recursive() {
    let module =
        lower("-record(node, {next :: #node{} | undefined, value, n = 0 :: 0..9}). -export([f/0]). f() -> #node{}.");
    let expected = Type::Tuple(vec![
        atom("node"),
        Type::Union(vec![named(None, "#node", vec![]), atom("undefined")]),
        Type::Any,
        range(0, 9),
    ]);
    assert_eq!(definition(&module, "#node"), expected);
}

#[test]
fn definitions_know_parameters_opacity_and_export() {
    let module = lower(
        "-export_type([t/1]). -opaque t(A) :: {A, u()}. -type u() :: [u()]. -export([f/0]). -spec f() -> u(). f() -> [].",
    );
    let [opaque, own] = &module.types.definitions[..] else { panic!("{:?}", module.types.definitions) };
    assert_eq!((opaque.params.clone(), opaque.opaque, opaque.exported), (vec![Atom::new("A")], true, true));
    assert_eq!(opaque.body, Type::Tuple(vec![Type::Var(Atom::new("A")), named(None, "u", vec![])]));
    assert_eq!((own.opaque, own.exported), (false, false));
    assert_eq!(own.body, list(named(None, "u", vec![]), nil(), false));
}

#[test]
fn specs_with_overloads_and_bounds() {
    let module = lower(
        "-export([f/2]). -spec f(X, a) -> X when X :: atom() | Y, Y :: pid(); (Z :: integer(), _) -> {ok, b}. f(X, _) -> X.",
    );
    let [spec] = &module.types.specs[..] else { panic!("{:?}", module.types.specs) };
    assert_eq!((spec.name, spec.arity), (Atom::new("f"), 2));
    let [first, second] = &spec.clauses[..] else { panic!("{spec:?}") };
    let var = |name: &str| Type::Var(Atom::new(name));
    assert_eq!(first.params, [var("X"), atom("a")]);
    assert_eq!(first.result, var("X"));
    let bounds = [(Atom::new("X"), Type::Union(vec![Type::Atom, var("Y")])), (Atom::new("Y"), Type::Pid)];
    assert_eq!(first.bounds, bounds);
    assert_eq!(second.params, [Type::integer(), Type::Any]);
    assert_eq!(second.result, Type::Tuple(vec![atom("ok"), atom("b")]));
}

#[test]
fn the_recursive_built_in_type_is_defined() {
    let Type::Named { module, name, args } = parsed("iolist()") else { panic!("a name") };
    assert_eq!(module, Some(names::ERLANG));
    let definition = erlang::builtin_definition(name, args.len()).expect("a definition");
    let Type::List { element, .. } = &definition.body else { panic!("a list") };
    assert_eq!(**element, Type::Union(vec![range(0, 255), bits(0, 8), named(Some("erlang"), "iolist", vec![])]));
}
