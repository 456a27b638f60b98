//! Adds tests to a file that may have others.
//!
//! The existing text of a file is never changed: a test is added if nothing in the file mentions its id. So the changes
//! and additions of a user stay, and so does what a user has left of a test.

use crate::{Framework, Test};
use term::Atom;

/// The word before the id of a test, in a comment.
pub const PREFIX: &str = "beagle:";

/// The comment at the beginning of every file.
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

/// Returns the content for the file of a module's tests. `existing` is its current content.
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

/// Returns the name, with the first number that makes it a new one.
fn free_name(framework: &dyn Framework, text: &str, name: &str) -> String {
    let is_taken = |name: &str| {
        let definitions = framework.definitions(name);
        text.lines().any(|line| definitions.iter().any(|definition| line.trim_start().starts_with(definition)))
    };
    let numbered = |number: u32| if number == 1 { name.to_string() } else { framework.numbered(name, number) };
    (1..).map(numbered).find(|name| !is_taken(name)).unwrap_or_else(|| name.to_string())
}

/// Returns an empty line and a test, with the line endings of the file.
fn with_ends_of(text: &str, test: &str) -> String {
    let more = format!("\n\n{test}");
    if text.contains("\r\n") { more.replace('\n', "\r\n") } else { more }
}
