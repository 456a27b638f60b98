//! What tests are written for.

use crate::{FileError, Test, pattern};
use report::Printer;
use term::{Atom, Term};

/// A framework for tests. What is tested is not its business; how that is written down is.
pub trait Framework: Send + Sync {
    /// The file of a module's tests, below the folder of tests and with slashes.
    fn path(&self, module: Atom) -> String;

    /// A file without tests.
    fn empty(&self, module: Atom) -> String;

    /// What begins a comment.
    fn comment(&self) -> &'static str;

    /// The name of a test: of which function, or of a client, and in a few words what of it.
    fn name(&self, function: &str, arity: Option<u32>, what: &str) -> String;

    /// The name with a number, for a file that has the name already.
    fn numbered(&self, name: &str, number: u32) -> String;

    /// What lines of a file begin with if the name is taken.
    fn definitions(&self, name: &str) -> [String; 2];

    /// A test under this name.
    fn test(&self, test: &Test, name: &str) -> String;

    /// A file with the text of one more test.
    fn with_test(&self, file: &str, test: &str) -> Result<String, FileError>;

    /// A few words for a path on which a function does something.
    fn on_path(&self, does: &str) -> String;

    /// A word for an exception. `label`: what its reason suggests; `shown`: the exception as a shell shows it.
    fn exception(&self, class: Atom, label: Option<String>, shown: &str) -> Option<String>;

    /// What a test asserts of an exception, [`Body::Raises`](crate::Body::Raises). `shown`: as a shell shows it.
    fn asserted(&self, printer: &dyn Printer, class: Atom, reason: &Term, shown: &str) -> String;

    /// A pattern of a reason, with which a process ended, and of as little else as can be said.
    fn reason(&self, printer: &dyn Printer, reason: &Term) -> String {
        pattern(printer, reason)
    }

    /// Whether a line of source begins a specification.
    fn is_specification(&self, line: &str) -> bool;

    /// How conditions on a result are written; without them, a test only asserts that the result is not the wrong one.
    fn conditions(&self) -> Option<&Conditions>;
}

/// How conditions are written.
pub struct Conditions {
    /// The variable with the result.
    pub result: &'static str,
    /// Variables with an item of a list are called so, with a number.
    pub item: &'static str,
    pub and: &'static str,
    pub or: &'static str,
    pub at_most: &'static str,
    pub same: &'static str,
    pub differs: &'static str,
    /// A condition that all items of a list satisfy: the variable of the item, the condition, the list.
    pub all: fn(&str, &str, &str) -> String,
    /// An element of a tuple, from 0.
    pub element: fn(&str, usize) -> String,
    /// Whether a map has a key.
    pub has_key: fn(&str, &str) -> String,
    /// The value of a key in a map.
    pub value: fn(&str, &str) -> String,
}
