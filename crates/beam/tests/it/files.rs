//! Tests that are added to files of EUnit and ExUnit.

use beam::{EUnit, ExUnit};
use emit::{Body, Emitted, FileError, Framework, PREFIX, Test, file};
use term::Atom;

fn test(name: &str, call: &str) -> Test {
    let id = blake3::hash(call.as_bytes()).to_hex()[..8].to_string();
    let body = Body::Returns { call: call.to_string() };
    let order = (name.to_string(), 1, 0, call.to_string());
    Test { id, name: name.to_string(), comment: vec!["what was found".to_string()], setups: Vec::new(), body, order }
}

fn module(framework: &dyn Framework) -> Atom {
    Atom::new(if framework.comment() == "%%" { "m" } else { "Elixir.M" })
}

fn emitted(framework: &dyn Framework, existing: Option<&str>, tests: &[Test]) -> Emitted {
    file(framework, module(framework), existing, tests).expect("a file")
}

#[test]
fn the_same_tests_make_the_same_file_whatever_their_order() {
    for framework in [&EUnit as &dyn Framework, &ExUnit] {
        let (one, two) = (test("b", "m:b(1)"), test("a", "m:a(2)"));
        let first = emitted(framework, None, &[one.clone(), two.clone()]);
        assert_eq!(first, emitted(framework, None, &[two.clone(), one.clone()]));
        assert_eq!(first.added, 2);
        let again = emitted(framework, Some(&first.text), &[two, one]);
        assert_eq!(again, Emitted { text: first.text, added: 0 });
    }
}

#[test]
fn what_a_user_wrote_stays() {
    for framework in [&EUnit as &dyn Framework, &ExUnit] {
        let first = emitted(framework, None, &[test("f", "m:f(1)")]);
        let edited = first.text.replace("m:f(1)", "m:f(one)");
        let second = emitted(framework, Some(&edited), &[test("f", "m:f(1)"), test("f", "m:f(2)")]);
        assert_eq!(second.added, 1);
        assert!(second.text.contains("m:f(one)") && !second.text.contains("m:f(1)"), "{}", second.text);
        assert!(second.text.contains("f_2_test()") || second.text.contains("test \"f (2)\" do"), "{}", second.text);
    }
}

#[test]
fn lines_end_as_those_of_the_file_do() {
    for framework in [&EUnit as &dyn Framework, &ExUnit] {
        let first = emitted(framework, None, &[test("f", "m:f(1)")]).text.replace('\n', "\r\n");
        // Who edits it may leave no end of the last line.
        let second = emitted(framework, Some(first.trim_end()), &[test("f", "m:f(1)"), test("g", "m:g(2)")]);
        assert_eq!(second.added, 1);
        assert_eq!(second.text.matches('\n').count(), second.text.matches("\r\n").count(), "{:?}", second.text);
    }
}

#[test]
fn a_test_of_which_the_id_is_left_does_not_come_back() {
    let first = emitted(&EUnit, None, &[test("f", "m:f(1)")]);
    let id = first.text.lines().find(|line| line.contains(PREFIX) && line.len() < 30).expect("an id");
    let left = format!("%% my own\n{id}\n");
    assert_eq!(emitted(&EUnit, Some(&left), &[test("f", "m:f(1)")]).text, left);
    assert_eq!(emitted(&EUnit, Some("%% my own\n"), &[test("f", "m:f(1)")]).added, 1);
}

#[test]
fn a_module_that_is_not_closed_is_not_added_to() {
    let broken = file(&ExUnit, Atom::new("Elixir.M"), Some("defmodule MTest do"), &[test("f", "M.f(1)")]);
    assert_eq!(broken, Err(FileError::NoEnd));
}
