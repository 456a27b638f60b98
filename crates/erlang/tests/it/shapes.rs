//! Expressions and patterns, one kind after the other.

use crate::compiled::{find, lower, text};

#[track_caller]
fn check(source: &str, body: &str) {
    let module = lower(source);
    let text = text(&module, "f");
    assert!(text.contains(body), "{body}\nis not in\n{text}");
}

#[test]
fn lets_are_chains() {
    check(
        "-export([f/1]). f(X) -> A = a:b(X), B = a:c(A), a:d(B), {A, B}.",
        "(let (v1 (remote a b v0)) (v2 (remote a c v1)) (v3 (remote a d v2)) (tuple v1 v2))",
    );
}

#[test]
fn exported_variables_are_several_values() {
    check(
        "-export([f/1]). f(X) -> case a:b(X) of 1 -> Y = a, Z = b; _ -> Y = c, Z = d end, {Y, Z}.",
        "((v2 v3 v4) (case ((remote a b v0)) (of (1) (values b a b)) (of (_) (values d c d)))) (tuple v3 v4)",
    );
}

#[test]
fn calls_of_every_kind() {
    check("-export([f/1]). f(X) -> g(X). g(X) -> a:b(X).", "(call f1 v0)");
    check("-export([f/1]). f(X) -> X:b(1).", "(dynamic v0 b 1)");
    check("-export([f/2]). f(X, Y) -> X:Y().", "(dynamic v0 v1)");
    check("-export([f/2]). f(X, Y) -> X(Y).", "(apply v0 v1)");
}

#[test]
fn guards_that_may_fail_are_marked() {
    check(
        "-export([f/1]). f(X) when hd(X) > 1 -> a; f(_) -> b.",
        "(when (guard (let (v1 (remote erlang hd v0)) (remote erlang > v1 1))))",
    );
    check("-export([f/1]). f(X) when X > 1 -> a; f(_) -> b.", "(of (_) (when (remote erlang > v0 1)) a) (of (_) b)");
}

#[test]
fn a_guard_alone_is_a_case_without_subjects() {
    check(
        "-export([f/1]). f(X) -> if X > 1 -> a; true -> b end.",
        "(case () (of () (when (remote erlang > v0 1)) a) (of () b))",
    );
}

#[test]
fn a_case_without_a_last_resort_gets_one() {
    check(
        "-export([f/1]). f(X) -> case X > 1 of true -> a; false -> b end.",
        "(of (true) a) (of (false) b) (of (v1) (primitive match_fail (tuple case_clause v1)))",
    );
}

#[test]
fn catch_and_try() {
    check(
        "-export([f/1]). f(X) -> catch a:b(X).",
        "(try (remote a b v0) (of (v1) v1) (catch (v2 v3 v4) (primitive catch_value v2 v3 v4)))",
    );
    check(
        "-export([f/1]). f(X) -> try a:b(X) of Y -> {ok, Y} catch throw:R:S -> {R, S} end.",
        "(of (throw _ _) (let (v5 (primitive build_stacktrace v4)) (tuple v3 v5))) (of (_ _ _) (primitive raise v4 v3))",
    );
}

#[test]
fn literal_patterns_are_taken_apart() {
    check("-export([f/1]). f({a, [1, 2]}) -> 1; f(_) -> 2.", "(of ((tuple a (cons 1 2 []))) 1)");
    check("-export([f/1]). f(\"abc\") -> 1; f(_) -> 2.", "(of ([97 98 99]) 1)");
    check("-export([f/1]). f(\"ab\" ++ T) -> T; f(_) -> 2.", "(of ((cons 97 98 v1)) v1)");
}

#[test]
fn whole_values_keep_their_variable() {
    check("-export([f/1]). f({_, Y} = X) -> {X, Y}.", "(of ((tuple _ v2)) (tuple v0 v2))");
    check("-export([f/1]). f({{_, Y} = X}) -> {X, Y}.", "(of ((tuple (as v1 (tuple _ v3)))) (tuple v1 v3))");
}

#[test]
fn maps() {
    check(
        "-export([f/2]). f(K, M) -> case M of #{K := V, a := 1} -> V; #{} -> b end.",
        "(of ((map (a 1) (v0 v2))) v2) (of ((map)) b)",
    );
    check("-export([f/1]). f(M) -> M#{a := 1, b => 2}.", "(map v0 (update a 1) (put b 2))");
    check("-export([f/1]). f(V) -> #{a => V}.", "(map #{} (put a v0))");
}

#[test]
fn binaries() {
    check(
        "-export([f/1]). \
         f(<<A:4/signed-little, B/float, C:3/binary-unit:5, D/utf8, E/utf16-little, F/bits>>) -> {A, B, C, D, E, F}.",
        "(bits (integer v1 (times 4) 1 signed little) (float v2 (times 64) 1 unsigned big) \
         (bits v3 (times 3) 5 unsigned big) (utf8 v4",
    );
    check("-export([f/2]). f(S, B) -> <<1:S/native, B/binary, \"ab\">>.", "(integer 1 (times v0) 1 unsigned native)");
    check(
        "-export([f/2]). f(S, B) -> case B of <<X:S/binary, _/bits>> -> X end.",
        "(bits v2 (times v0) 8 unsigned big)",
    );
}

#[test]
fn comprehensions_that_build_binaries() {
    let module = lower("-export([f/1]). f(B) -> << <<(X + 1)>> || <<X>> <= B, X > 0 >>.");
    assert!(text(&module, "f").contains("(primitive bs_init_writable"), "{}", text(&module, "f"));
    assert_eq!(find(&module, "-f/1-lbc$^0/2-0-").arity, 2);
}

#[test]
fn maybe_with_else() {
    check(
        "-feature(maybe_expr, enable). -export([f/1]). f(X) -> maybe {ok, Y} ?= a:b(X), Y else error -> no end.",
        "(call f3",
    );
}

#[test]
fn attributes_and_files() {
    let source = "-author(me). -vsn(\"1\"). -export([f/0, g/0]). -spec f() -> ok. f() -> ok.\n\
                  -file(\"other.hrl\", 3).\ng() -> a:b().";
    let module = lower(source);
    let names: Vec<_> = module.attributes.iter().map(|(name, _)| name.text()).collect();
    assert_eq!(names, ["author", "vsn"]);
    assert_eq!(module.files, ["m.erl", "other.hrl"]);
    assert_eq!((find(&module, "g").span.file, find(&module, "g").span.line), (1, 4));
}

#[test]
fn strange_terms_are_errors() {
    use term::Term;
    let literal = |term: Term| Term::tuple([Term::atom("c_literal"), Term::Nil, term]);
    let function = Term::tuple([Term::atom("f"), Term::Int(0)]);
    let var = |name: Term| Term::tuple([Term::atom("c_var"), Term::Nil, name]);
    let module = |body: Term| {
        let fun = Term::tuple([Term::atom("c_fun"), Term::Nil, Term::Nil, body]);
        let definition = Term::tuple([var(function.clone()), fun]);
        let name = literal(Term::atom("m"));
        Term::tuple([Term::atom("c_module"), Term::Nil, name, Term::Nil, Term::Nil, Term::list([definition])])
    };
    let message = |term: &Term| erlang::lower_core(term).expect_err("an error").to_string();
    assert_eq!(message(&Term::Nil), "not the Core Erlang of a module: a term that is no node of Core Erlang");
    assert_eq!(
        message(&module(Term::tuple([Term::atom("c_new"), Term::Nil]))),
        "unknown Core Erlang in m:f/0: c_new with 0 fields where an expression should be"
    );
    assert_eq!(message(&module(var(Term::atom("X")))), "unknown Core Erlang in m:f/0: the unbound variable X");
}

#[test]
fn depth_costs_no_stack() {
    use term::Term;
    let name = Term::tuple([Term::atom("c_literal"), Term::Nil, Term::atom("m")]);
    let param = Term::tuple([Term::atom("c_var"), Term::Nil, Term::Int(0)]);
    let mut body = param.clone();
    for _ in 0..20_000 {
        body = Term::tuple([Term::atom("c_tuple"), Term::Nil, Term::list([body])]);
    }
    let fun = Term::tuple([Term::atom("c_fun"), Term::Nil, Term::list([param]), body]);
    let var = Term::tuple([Term::atom("c_var"), Term::Nil, Term::tuple([Term::atom("f"), Term::Int(1)])]);
    let definitions = Term::list([Term::tuple([var, fun])]);
    let core = Term::tuple([Term::atom("c_module"), Term::Nil, name, Term::Nil, Term::Nil, definitions]);
    let module = erlang::lower_core(&core).expect("Core that can be lowered");
    assert_eq!(module.functions.len(), 1);
}
