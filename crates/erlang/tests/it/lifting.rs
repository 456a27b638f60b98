//! Every shape of local function, and what it becomes.

use crate::compiled::{find, lower, lower_core_text, text};
use program::{Module, Origin};

/// Arity and captures.
fn shape(module: &Module, name: &str) -> (u32, u32) {
    let function = find(module, name);
    (function.arity, function.captures)
}

#[test]
fn a_fun_carries_what_it_uses() {
    let module = lower("-export([f/2]). f(X, Y) -> {fun(Z) -> {X, Z} end, fun() -> 1 end, Y}.");
    assert_eq!(shape(&module, "-f/2-fun-1-"), (1, 1));
    assert_eq!(shape(&module, "-f/2-fun-0-"), (0, 0));
    assert_eq!(text(&module, "-f/2-fun-1-"), "(function f3 '-f/2-fun-1-' 1 (captures 1) (lambda 0 0) (tuple v1 v0))");
    assert!(text(&module, "f").contains("(closure f3 v0)"), "{}", text(&module, "f"));
}

#[test]
fn a_name_of_the_module_as_a_value_is_a_closure_without_captures() {
    let module = lower("-export([f/0]). f() -> fun g/1. g(X) -> X.");
    assert_eq!(text(&module, "f"), "(function f0 f 0 exported (closure f1))");
}

#[test]
fn a_named_fun_refers_to_itself_with_the_same_captures() {
    let module = lower("-export([f/1]). f(X) -> fun G(0) -> X; G(N) -> [G | G(N - 1)] end.");
    let name = "-f/1-G/1-0-";
    assert_eq!(shape(&module, name), (1, 1));
    let body = text(&module, name);
    assert!(body.contains("(closure f3 v1)"), "the value is rebuilt: {body}");
    assert!(body.contains("(call f3 v3 v1)"), "the call is direct: {body}");
    assert!(matches!(find(&module, name).origin, Origin::Lambda { .. }));
}

#[test]
fn nested_comprehensions_hand_captures_down() {
    let module = lower("-export([f/3]). f(Xs, Ys, Z) -> [[{X, Y, Z} || Y <- Ys, Y > X] || X <- Xs].");
    assert_eq!(shape(&module, "-f/3-lc$^0/1-0-"), (3, 0), "the generator's list, Ys and Z");
    assert_eq!(shape(&module, "-f/3-lc$^1/1-1-"), (3, 0), "the generator's list, X and Z");
    assert_eq!(find(&module, "-f/3-lc$^1/1-1-").origin, Origin::Lifted);
    assert!(text(&module, "f").contains("(call f3 v0 v1 v2)"), "{}", text(&module, "f"));
}

#[test]
fn a_fun_inside_a_comprehension_inside_a_fun() {
    let module = lower("-export([f/1]). f(A) -> fun(B) -> [fun(D) -> {A, B, C, D} end || C <- A] end.");
    assert_eq!(shape(&module, "-f/1-fun-2-"), (1, 1), "it needs A for what is inside it");
    assert_eq!(shape(&module, "-f/1-lc$^0/1-0-"), (3, 0));
    assert_eq!(shape(&module, "-f/1-fun-1-"), (1, 3));
}

#[test]
fn a_receive_is_a_join_point_that_calls_itself() {
    let module = lower("-export([f/1]). f(T) -> receive {a, X} when X > T -> X; stop -> T after T -> none end.");
    let join = module.functions.iter().find(|function| matches!(function.origin, Origin::Join { .. })).expect("a join");
    assert_eq!((join.arity, join.captures), (1, 0));
    assert_eq!(join.origin, Origin::Join { of: program::FunctionId(0) });
    let body = text(&module, join.name.text());
    for primitive in ["recv_peek_message", "remove_message", "recv_next", "recv_wait_timeout v0"] {
        assert!(body.contains(&format!("(primitive {primitive})")), "{primitive} in {body}");
    }
    assert!(body.contains("(call f3 v0)"), "{body}");
}

#[test]
fn a_receive_that_exports_variables_returns_a_tuple() {
    let module = lower("-export([f/1]). f(R) -> receive {R, V, W} -> ok end, {R, V, W}.");
    let body = text(&module, "f");
    assert!(body.contains("(case ((call f3 v0)) (of ((tuple v1 v2 v3)) (values v1 v2 v3))"), "{body}");
}

#[test]
fn a_size_from_the_same_pattern_makes_a_join_point_for_the_other_clauses() {
    let module = lower("-export([f/2]). f(X, <<N:8, B:N/binary>>) -> {N, B, X}; f(X, Y) -> [X | Y].");
    let join = module.functions.iter().find(|function| matches!(function.origin, Origin::Join { .. })).expect("a join");
    assert_eq!((join.arity, join.captures), (2, 0));
    let calls = text(&module, "f").matches("(call f3 v0 v1)").count();
    assert_eq!(calls, 2, "from the case that takes N off and from the one that takes B");
}

#[test]
fn a_join_point_inside_a_fun_belongs_to_the_fun() {
    let module = lower("-export([f/1]). f(A) -> fun(<<N, B:N/binary>>) -> {A, B}; (X) -> {A, X} end.");
    let fun = find(&module, "-f/1-fun-0-");
    assert_eq!((fun.arity, fun.captures), (1, 1));
    let host = program::FunctionId(3);
    assert!(std::ptr::eq(module.function(host), fun));
    assert!(module.functions.iter().any(|function| function.origin == Origin::Join { of: host }));
}

#[test]
fn shadowed_variables_stay_apart() {
    let module = lower("-export([f/1]). f(X) -> F = fun(X) -> [X || X <- X] end, {F, X}.");
    assert_eq!(shape(&module, "-f/1-fun-1-"), (1, 0));
    assert_eq!(shape(&module, "-f/1-lc$^0/1-0-"), (1, 0));
}

#[test]
fn function_clause_has_the_arguments_of_its_function() {
    let module = lower("-export([f/2]). f(a, [X]) -> X.");
    assert!(text(&module, "f").contains("(primitive function_clause v0 v1)"), "{}", text(&module, "f"));
}

#[test]
fn function_clause_of_a_fun_without_captures_is_its_own() {
    let module = lower("-export([f/1]). f(L) -> lists:map(fun(a) -> b end, L).");
    assert!(text(&module, "-f/1-fun-0-").contains("(primitive function_clause v0)"));
}

/// OTP 25 raises it from a stub then, and the stack says so.
#[test]
fn function_clause_of_a_fun_with_captures_comes_from_a_stub() {
    let module = lower("-export([f/2]). f(X, L) -> lists:map(fun(a) -> X end, L).");
    let stub = "-f/2-inlined-0-";
    assert_eq!(shape(&module, stub), (1, 0));
    assert_eq!(text(&module, stub), "(function f4 '-f/2-inlined-0-' 1 lifted (primitive function_clause v0))");
    assert!(text(&module, "-f/2-fun-0-").contains("(call f4 v0)"), "{}", text(&module, "-f/2-fun-0-"));
}

#[test]
fn function_clause_of_an_inlined_function_comes_from_a_stub_of_its_name() {
    let module = lower("-compile({inline, [{g, 1}]}). -export([f/2]). f(X, Y) -> {g(X), Y}.\ng(a) -> b;\ng(b) -> c.");
    assert_eq!(shape(&module, "-inlined-g/1-"), (1, 0));
}

#[test]
fn a_large_after_is_shared() {
    let after = "a:b(X), ".repeat(30);
    let module = lower(&format!("-export([f/1]). f(X) -> try a:c() after {after} X end."));
    assert_eq!(shape(&module, "-f/1-after$^0/0-0-"), (1, 0));
}

#[test]
fn numbers_follow_the_order_in_which_otp_compiles_clauses() {
    // Compiled last clause first: a variable stands between two constructors.
    let module = lower(
        "-export([f/2]). f(a, L) -> [{a, X} || X <- L]; f(B, [_ | L]) when B > 1 -> [{b, X} || X <- L]; \
         f(c, L) -> [{c, X} || X <- L].",
    );
    for name in ["-f/2-lc$^0/1-2-", "-f/2-lc$^1/1-1-", "-f/2-lc$^2/1-0-"] {
        find(&module, name);
    }
}

/// Erlang's compiler makes no such thing, but Core allows it.
#[test]
fn local_functions_that_call_one_another_share_what_they_capture() {
    let module = lower_core_text(
        "module 'm' ['f'/3] attributes []
         'f'/3 = fun (N, A, B) ->
           letrec
             'even'/1 = fun (X) -> case X of <0> when 'true' -> A <Y> when 'true' -> apply 'odd'/1(call 'erlang':'-'(Y, 1)) end
             'odd'/1 = fun (X) -> case X of <0> when 'true' -> B <Y> when 'true' -> apply 'even'/1(call 'erlang':'-'(Y, 1)) end
           in apply 'even'/1(N)
         end",
    );
    for name in ["-f/3-even/1-0-", "-f/3-odd/1-1-"] {
        assert_eq!(shape(&module, name), (3, 0), "{name}");
    }
    assert_eq!(text(&module, "f"), "(function f0 f 3 exported (call f1 v0 v1 v2))");
}

#[test]
fn a_local_function_may_be_called_and_be_a_value() {
    let module = lower_core_text(
        "module 'm' ['f'/2] attributes []
         'f'/2 = fun (N, A) ->
           letrec
             'g'/1 = fun (X) -> {A, apply 'h'/0(), X}
             'h'/0 = fun () -> {'g'/1, fun (Z) -> apply 'g'/1(Z)}
           in {apply 'g'/1(N), apply 'h'/0()}
         end",
    );
    assert_eq!(shape(&module, "-f/2-g/1-0-"), (1, 1));
    assert_eq!(shape(&module, "-f/2-h/0-1-"), (1, 0), "what g captures is handed through");
    assert_eq!(shape(&module, "-f/2-anonymous-2-"), (1, 1));
    let body = text(&module, "-f/2-h/0-1-");
    assert!(body.contains("(closure f1 v0)"), "{body}");
}
