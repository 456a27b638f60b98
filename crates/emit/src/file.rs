//! Tests in a file that may have others.
//!
//! What stands in a file is never changed: a test is added if nothing in the file mentions its id. So what a user
//! changes, adds or leaves of a test stays as it is.

use crate::{Framework, Test};
use term::Atom;

/// Before the id of a test, in a comment.
pub const PREFIX: &str = "beagle:";

/// What every file says of itself.
pub const HEAD: [&str; 6] = [
    "Each test fails as long as its bug is there, and passes when it is mended; it says in its name",
    "and its comment what was found. Tests of paths say what a function did when they were written.",
    "",
    "Beagle only ever adds to this file. A test that you change stays as you have changed it. One that",
    "you delete comes back if its bug is found again, unless you leave the line with its `beagle:` id.",
    "",
];

/// A file with all its tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted {
    pub text: String,
    pub added: usize,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("no line with nothing but `end` closes its module: no test can be added")]
    NoEnd,
}

/// What should stand in the file of a module's tests. `existing`: what stands there.
pub fn file(
    framework: &dyn Framework,
    module: Atom,
    existing: Option<&str>,
    tests: &[Test],
) -> Result<Emitted, FileError> {
    let mut text = existing.map_or_else(|| framework.empty(module), str::to_string);
    let mut sorted: Vec<&Test> = tests.iter().collect();
    sorted.sort_by(|left, right| left.order.cmp(&right.order));
    let mut added = 0;
    for test in sorted {
        if mentions(&text, framework.comment(), &test.id) {
            continue;
        }
        let name = free_name(framework, &text, &test.name);
        text = framework.with_test(&text, &with_ends_of(&text, &framework.test(test, &name)))?;
        added += 1;
    }
    Ok(Emitted { text, added })
}

fn mentions(text: &str, comment: &str, id: &str) -> bool {
    let is_id = |line: &str| {
        let said = line.trim_start().strip_prefix(comment).and_then(|said| said.trim_start().strip_prefix(PREFIX));
        said.is_some_and(|said| said.split_whitespace().next() == Some(id))
    };
    text.lines().any(is_id)
}

/// The name, with the first number that makes it a new one.
fn free_name(framework: &dyn Framework, text: &str, name: &str) -> String {
    let is_taken = |name: &str| {
        let definitions = framework.definitions(name);
        text.lines().any(|line| definitions.iter().any(|definition| line.trim_start().starts_with(definition)))
    };
    let numbered = |number: u32| if number == 1 { name.to_string() } else { framework.numbered(name, number) };
    (1..).map(numbered).find(|name| !is_taken(name)).unwrap_or_else(|| name.to_string())
}

/// An empty line, and a test; with the ends that the lines of the file have.
fn with_ends_of(text: &str, test: &str) -> String {
    let more = format!("\n\n{test}");
    if text.contains("\r\n") { more.replace('\n', "\r\n") } else { more }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, EUnit, ExUnit};

    fn test(name: &str, call: &str) -> Test {
        let id = blake3::hash(call.as_bytes()).to_hex()[..8].to_string();
        let body = Body::Returns { call: call.to_string() };
        let order = (name.to_string(), 1, 0, call.to_string());
        Test { id, name: name.to_string(), comment: vec!["what was found".to_string()], body, order }
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
}
