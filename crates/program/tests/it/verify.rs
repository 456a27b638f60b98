//! The verifier: random sensible modules pass, and each kind of mistake is named where it is.

use program::{read, verify};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn sensible_modules_pass(choices in prop::collection::vec(any::<u64>(), 0..600)) {
        let module = crate::generate::module(&choices);
        prop_assert_eq!(verify(&module), Ok(()), "{}", program::print(&module));
    }
}

/// `body` is that of f0, of two parameters. There are f1 of one parameter and f2 with a capture.
fn errors(body: &str) -> Vec<String> {
    let text = format!(
        r#"(module m (files "m.erl")
             (function f0 zero 2 exported {body})
             (function f1 one 1 v0)
             (function f2 two 1 (captures 1) lifted (tuple v0 v1)))"#
    );
    let module = read(&text).unwrap_or_else(|error| panic!("{error}"));
    match verify(&module) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

fn check(body: &str, expected: &[&str]) {
    assert_eq!(errors(body), expected, "{body}");
}

#[test]
fn variables_are_bound_before_use() {
    check("v2", &["f0 zero/2: v2 is not bound here"]);
    check("(let (v2 v0) (v3 v2) v3)", &[]);
    check("(let (v2 v3) (v3 v0) v3)", &["f0 zero/2 > binding 0: v3 is not bound here"]);
    check("(tuple (let (v2 1) v2) v2)", &["f0 zero/2 > item 1: v2 is not bound here"]);
    check(
        "(case @7:1 (v0) (of ([]) v2) (of (v2) v2))",
        &["f0 zero/2 > clause 0 > clause body (line 7): v2 is not bound here"],
    );
    check("(closure f2 v5)", &["f0 zero/2: v5 is not bound here"]);
    check("(try v0 (of (v2) v2) (catch (v3 v4 v5) v2))", &["f0 zero/2 > try catch: v2 is not bound here"]);
}

#[test]
fn variables_are_bound_once_on_a_path() {
    let twice = |place: &str, var| format!("f0 zero/2{place}: v{var} is bound a second time on one path");
    check("(let (v0 1) v0)", &[&twice(" > binding 0", 0)]);
    check("(let (v2 1) (v2 2) v2)", &[&twice(" > binding 1", 2)]);
    check("(case (v0) (of (v2) v2) (of (v2) v2))", &[]);
    check("(case (v0) (of ((tuple v2 v2)) v2))", &[&twice(" > clause 0 > pattern 0 > item 1", 2)]);
    check("(tuple (case (v0) (of (v2) v2)) (let (v2 1) v2))", &[&twice(" > item 1 > binding 0", 2)]);
    check(
        "(tuple (case (v0) (of (v2) v2)) (case (v0) (of (v2) v2)))",
        &[&twice(" > item 1 > clause 0 > pattern 0", 2)],
    );
    check("(case (v0) (of (v2) (case (v1) (of (v3) 1) (of (v3) 2))) (of (v3) v3))", &[]);
    check(
        "(case (v0) (of (v2) (case (v1) (of (v3) 1) (of (v2) 2))) (of (v3) v3))",
        &[&twice(" > clause 0 > clause body > clause 1 > pattern 0", 2)],
    );
    check("(try v0 (of (v2) v2) (catch (v2 v3 v4) v2))", &[]);
    check("(try (let (v2 1) v2) (of (v2) v2) (catch (v3 v4 v5) 1))", &[&twice(" > try of", 2)]);
}

#[test]
fn calls_and_closures_fit_their_functions() {
    check("(call f1 v0)", &[]);
    check("(call f2 v0 v1)", &[]);
    check("(call f1 v0 v1)", &["f0 zero/2: f1 is given 2 arguments and takes 1"]);
    check("(call @3:4 f9)", &["f0 zero/2 (line 3): f9 does not exist: the module has 3 functions"]);
    check("(closure f2 v0)", &[]);
    check("(closure f2)", &["f0 zero/2: the closure of f2 has 0 captured variables and needs 1"]);
    check("(closure f7)", &["f0 zero/2: f7 does not exist: the module has 3 functions"]);
}

#[test]
fn several_values_stand_only_where_they_are_expected() {
    check("(values v0 v1)", &["f0 zero/2: delivers 2 where 1 values are expected"]);
    check("(let ((v2 v3) (values v0 v1)) v2)", &[]);
    check("(let ((v2 v3) v0) v2)", &["f0 zero/2 > binding 0: delivers 1 where 2 values are expected"]);
    check("(let (() (values)) ((v2 v3) (primitive match_fail 1)) v2)", &[]);
    check("(case ((values v0 v1)) (of (v2 v3) v2))", &[]);
    check("(case (v0 v1) (of (v2 v3) v2) (of (_ _) (primitive raise)))", &[]);
    check("(case (v0 v1) (of (v2) v2))", &["f0 zero/2: 1 patterns cannot be matched with 2 subjects"]);
    check(
        "(case (v0) (of (v2) v2) (of (v2 v3) v2))",
        &["f0 zero/2 > clause 1: the clause has 2 patterns, the first clause has 1"],
    );
    check("(case (v0))", &["f0 zero/2: the case has no clauses"]);
    check(
        "(let ((v2 v3) (case (v0) (of (_) (values 1 2)) (of (_) 3))) v2)",
        &["f0 zero/2 > binding 0 > clause 1 > clause body: delivers 1 where 2 values are expected"],
    );
    check("(try (values 1 2) (of (v2 v3) v2) (catch (v4 v5 v6) v4))", &[]);
    check("(tuple (values 1))", &[]);
    check("(tuple (values))", &["f0 zero/2 > item 0: delivers 0 where 1 values are expected"]);
}

#[test]
fn guards_are_pure() {
    check("(guard (let (v2 (remote erlang hd v0)) (case (v2) (of (_) (primitive is v2)))))", &[]);
    check("(guard (closure f1))", &["f0 zero/2 > guard: a guard may not contain a closure"]);
    check("(guard (call f1 v0))", &["f0 zero/2 > guard: a guard may call only primitives and remote functions"]);
    check(
        "(case (v0) (of (_) (when (tuple (apply v0))) 1))",
        &["f0 zero/2 > clause 0 > when > item 0: a guard may call only primitives and remote functions"],
    );
    check("(case (v0) (of (v2) (when (remote erlang is_atom v2)) (call f1 v2)))", &[]);
}

#[test]
fn bits_are_sane() {
    check("(bits (integer v0 (times 8) 1 unsigned big) (bits v1 all 8 unsigned big))", &[]);
    check(
        "(bits (integer v0 all 8 unsigned big))",
        &["f0 zero/2 > segment 0: a segment of kind Integer cannot have this size"],
    );
    check(
        "(bits (utf8 v0 (times 8) 1 unsigned big))",
        &["f0 zero/2 > segment 0: a segment of kind Utf8 cannot have this size"],
    );
    check(
        "(bits (bits v0 all 0 unsigned big))",
        &["f0 zero/2 > segment 0: a segment's unit is between 1 and 256, not 0"],
    );
    check(
        "(case (v0) (of ((bits (integer v2 (times 8) 1 unsigned big) (bits v3 (times v2) 8 unsigned big))) v3))",
        &[],
    );
    check(
        "(case (v0) (of ((bits (bits v3 all 8 unsigned big) (integer v2 (times 8) 1 unsigned big))) v3))",
        &["f0 zero/2 > clause 0 > pattern 0 > segment 0: a segment that takes the whole rest must be the last"],
    );
    check(
        "(case (v0) (of ((tuple v2 (bits (integer _ (times v2) 1 unsigned big)))) v2))",
        &["f0 zero/2 > clause 0 > pattern 0 > item 1 > segment 0 > size: v2 is not bound here"],
    );
    check(
        "(case (v0) (of ((bits (integer (tuple) (times 8) 1 unsigned big))) 1))",
        &["f0 zero/2 > clause 0 > pattern 0 > segment 0: a bit segment matches a constant, a variable or anything"],
    );
}

#[test]
fn keys_of_patterns_come_from_outside() {
    check("(case (v0) (of ((map (v1 v2) (a _))) v2))", &[]);
    check(
        "(case (v0) (of ((map (a v2) (v2 _))) v2))",
        &["f0 zero/2 > clause 0 > pattern 0 > key 1: v2 is not bound here"],
    );
    check(
        "(case (v0) (of ((map ((tuple) _))) v0))",
        &["f0 zero/2 > clause 0 > pattern 0 > key 0: a key in a pattern is a constant or a variable"],
    );
}

#[test]
fn places_and_names_exist() {
    check("(remote @1:3:1 a b)", &["f0 zero/2 (line 3): file 1 does not exist: the module has 1"]);
    let module = read("(module m (function f0 a 0 1) (function f1 a 0 2) (spec a 2 (clause (any) any)))").unwrap();
    let errors: Vec<String> = verify(&module).unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(errors, ["f1 a/0: f0 has the same name and arity", "spec a/2 > clause 0: the clause has 1 parameters"]);
}
