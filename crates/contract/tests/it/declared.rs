//! What contracts say, type by type.

use crate::common::{Code, show, show_input};
use contract::{Contract, Limit, TypeName};
use term::{Atom, Term};

const DEFINITIONS: &str = "
-record(pair, {left = 1 :: integer(), right :: undefined | atom(), rest}).
-record(tree, {left :: #tree{} | nil, right :: #tree{} | nil}).
-type tree(A) :: nil | {A, tree(A), tree(A)}.
-type growing(A) :: {A} | {A, growing([A])}.
-type endless() :: {endless()}.
-type itself() :: itself() | a.
-type nested() :: [nested() | a].
-type even() :: done | {odd()}.
-type odd() :: {even()}.
";

/// What may follow an element may be what an element may be, but for a byte.
const IOLIST: &str = "[] | [0..255 | [] | [^0 | [] | [^1 | ^0] | <<0+8n>>] | <<0+8n>> | \
    [] | [0..255 | [] | [^0 | ^1] | <<0+8n>> | ^0] | <<0+8n>>]";

/// Contracts of functions with these specifications, without their names.
fn contracts(specs: &[&str]) -> Vec<Contract> {
    let arity = |spec: &str| spec.split("->").next().map_or(0, |params| if params.trim() == "()" { 0 } else { 1 });
    let mut text = format!("-compile([export_all, nowarn_export_all]).\n{DEFINITIONS}");
    for (number, spec) in specs.iter().enumerate() {
        let params = ["", "_"][arity(spec)];
        text += &format!("-spec f{number}{spec}.\nf{number}({params}) -> ok.\n");
    }
    let mut code = Code::new(&[("declared", &text)]);
    let contract =
        |(number, spec): (usize, &&str)| code.contract("declared", &format!("f{number}"), arity(spec) as u32);
    specs.iter().enumerate().map(contract).collect()
}

/// Types of one parameter, as they are declared and as they come out.
fn check_types(rows: &[(&str, &str)]) {
    let specs: Vec<String> = rows.iter().map(|(declared, _)| format!("({declared}) -> ok")).collect();
    let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
    for ((declared, expected), contract) in rows.iter().zip(contracts(&specs)) {
        let params = contract.clauses[0].params.as_ref().map(|params| show_input(&contract.types, &params[0]));
        assert_eq!(params.as_deref().unwrap_or("impossible"), *expected, "{declared}");
    }
}

fn check_specs(rows: &[(&str, &str)]) {
    let specs: Vec<&str> = rows.iter().map(|(spec, _)| *spec).collect();
    for ((spec, expected), contract) in rows.iter().zip(contracts(&specs)) {
        assert_eq!(show(&contract), *expected, "{spec}");
    }
}

#[test]
fn data() {
    check_types(&[
        ("term()", "any"),
        ("none()", "impossible"),
        ("-1 | 1..5 | 3..9 | 10 | pos_integer()", "-1 | 1.."),
        ("number()", "integer | float"),
        ("b | a | boolean()", "b | a | true | false"),
        ("a | atom()", "atom"),
        ("{} | {a} | {atom(), byte()}", "{} | {a} | {atom, 0..255}"),
        ("tuple() | {a}", "tuple"),
        ("mfa()", "{atom, atom, 0..255}"),
        ("identifier()", "<a process or reference | port>"),
        ("<<_:3, _:_*8>> | <<>>", "<<3+8n>> | <<0+0n>>"),
        ("binary() | bitstring()", "<<0+1n>>"),
        ("fun((integer()) -> atom())", "fun((integer) -> atom)"),
        ("fun((...) -> ok)", "fun((...) -> ok)"),
        ("fun() | fun(() -> ok)", "fun"),
        ("#{}", "#{}"),
        ("map()", "map"),
        ("#{a := integer(), b => atom(), binary() => float()}", "#{a := integer, b => atom, <<0+8n>> => float}"),
        ("#{a := none()} | #{b => none()}", "#{}"),
    ]);
}

#[test]
fn lists() {
    check_types(&[
        ("[integer()]", "[] | [integer | ^0]"),
        ("[a, ...]", "[a | [] | [a | ^0]]"),
        ("[]", "[]"),
        ("[none()]", "[]"),
        ("list()", "[] | [any | ^0]"),
        ("string() | [atom()]", "[] | [0..1114111 | [] | [0..1114111 | ^0]] | [atom | [] | [atom | ^0]]"),
        ("maybe_improper_list()", "[] | [any | any]"),
        ("maybe_improper_list(integer(), binary())", "[] | [integer | [] | [integer | ^0] | <<0+8n>>]"),
        ("nonempty_improper_list(a, b)", "[a | b | [a | ^0]]"),
        ("iolist()", IOLIST),
    ]);
}

#[test]
fn named() {
    check_types(&[
        ("#pair{}", "{pair, integer, atom, any}"),
        ("#pair{left :: 1..3}", "{pair, 1..3, atom, any}"),
        ("#tree{}", "{tree, nil | {tree, ^0, ^0}, nil | {tree, ^0, ^0}}"),
        ("tree(integer())", "nil | {integer, ^0, ^0}"),
        ("tree(tree(a))", "nil | {nil | {a, ^0, ^0}, ^0, ^0}"),
        ("endless()", "impossible"),
        ("itself()", "a"),
        ("nested()", "[] | [a | [] | [^0 | ^1] | ^0]"),
        ("even()", "done | {{^1}}"),
        ("erlang:timestamp()", "{0.., 0.., 0..}"),
        ("calendar:date()", "{0.., 1..12, 1..31}"),
        ("orddict:orddict(a, b)", "[] | [{a, b} | ^0]"),
    ]);
}

#[test]
fn specifications() {
    check_specs(&[
        ("(X) -> X when X :: integer()", "(integer) -> integer"),
        ("(X) -> {X, Y} when X :: [Y], Y :: a | b", "([] | [a | b | ^0]) -> {[] | [a | b | ^0], a | b}"),
        ("(X) -> [X]", "(any) -> [] | [any | ^0]"),
        ("(X) -> X when X :: [X]", "([] | [any | ^0]) -> [] | [any | ^0]"),
        ("() -> no_return()", "() -> none"),
        ("(integer()) -> atom(); (atom()) -> integer()", "(integer) -> atom; (atom) -> integer"),
    ]);
}

#[test]
fn what_cannot_be_followed_is_anything_and_said() {
    let contracts = contracts(&["(lists:nothing()) -> nowhere:type(a)", "(growing(a)) -> ok"]);
    assert_eq!(show(&contracts[0]), "(any) -> any");
    assert_eq!(
        contracts[0].limits,
        [Limit::Undefined(type_name("lists", "nothing", 0)), Limit::ModuleNotFound(type_name("nowhere", "type", 1))]
    );
    assert_eq!(contracts[1].limits, [Limit::Growing(type_name("declared", "growing", 1))]);
}

fn type_name(module: &str, name: &str, arity: u32) -> TypeName {
    TypeName { module: Atom::new(module), name: Atom::new(name), arity }
}

#[test]
fn no_specification_means_anything() {
    let mut code = Code::new(&[("bare", "-export([f/2]).\nf(A, B) -> {A, B}.\n")]);
    let contract = code.contract("bare", "f", 2);
    assert!(!contract.declared);
    assert_eq!(show(&contract), "(any, any) -> any");
}

#[test]
fn results_are_judged_by_the_clauses_for_the_arguments() {
    let contracts = contracts(&[
        "(1..5) -> a; (3..9) -> b; (atom()) -> none()",
        "(nowhere:t()) -> {nowhere:t()}",
        "(X) -> X when X :: integer()",
    ]);
    let allows = |number: usize, arg: Term, result: Term| contracts[number].allows(&[arg], &result);
    let (a, b) = (Term::atom("a"), Term::atom("b"));
    assert!(allows(0, Term::Int(1), a.clone()) && !allows(0, Term::Int(1), b.clone()));
    assert!(allows(0, Term::Int(3), a.clone()) && allows(0, Term::Int(3), b.clone()));
    assert!(!allows(0, a.clone(), a.clone()), "it must not return");
    assert!(allows(0, Term::Nil, Term::Nil), "it says nothing of other arguments");
    assert!(allows(1, a.clone(), Term::tuple([b.clone()])) && !allows(1, a.clone(), b));
    assert!(allows(2, Term::Int(1), Term::Int(2)), "of one type, not equal");
}
