//! The frameworks that tests are written for.

use crate::{FileError, Test, pattern};
use report::Printer;
use term::{Atom, Term};

/// A framework for tests. It defines how tests are written, and does not know what they test.
pub trait Framework: Send + Sync {
    /// Returns the file of a module's tests, relative to the folder of tests and with slashes.
    fn path(&self, module: Atom) -> String;

    /// Returns a file without tests.
    fn empty(&self, module: Atom) -> String;

    /// Returns the beginning of a comment.
    fn comment(&self) -> &'static str;

    /// Returns the name of a test. `function` and `arity` are those of the tested function, or the name of a client
    /// without an arity; `what` is a short description.
    fn name(&self, function: &str, arity: Option<u32>, what: &str) -> String;

    /// Returns the name with a number, for a file that already has a test of this name.
    fn numbered(&self, name: &str, number: u32) -> String;

    /// Returns the beginnings of lines that define a test of this name.
    fn definitions(&self, name: &str) -> [String; 2];

    /// Returns the text of a test under this name.
    fn test(&self, test: &Test, name: &str) -> String;

    /// Returns a file with the text of one more test.
    fn with_test(&self, file: &str, test: &str) -> Result<String, FileError>;

    /// Returns a short description of a path on which a function does something.
    fn on_path(&self, does: &str) -> String;

    /// Returns a word for an exception. `label` is what its reason suggests; `shown` is the exception as a shell shows
    /// it.
    fn exception(&self, class: Atom, label: Option<String>, shown: &str) -> Option<String>;

    /// Returns the assertion of a test about an exception, for [`Body::Raises`](crate::Body::Raises). `shown` is the
    /// exception as a shell shows it.
    fn asserted(&self, printer: &dyn Printer, class: Atom, reason: &Term, shown: &str) -> String;

    /// Returns a pattern that matches the reason with which a process ended, and as few other terms as possible.
    fn reason(&self, printer: &dyn Printer, reason: &Term) -> String {
        pattern(printer, reason)
    }

    /// Returns whether a line of source begins a specification.
    fn is_specification(&self, line: &str) -> bool;

    /// Returns how conditions on a result are written. Without them, a test only asserts that the result is not the
    /// wrong one.
    fn conditions(&self) -> Option<&Conditions>;
}

/// The notation of conditions.
pub struct Conditions {
    /// The variable with the result.
    pub result: &'static str,
    /// The prefix of variables for the items of lists, which get a number.
    pub item: &'static str,
    pub and: &'static str,
    pub or: &'static str,
    pub at_most: &'static str,
    pub same: &'static str,
    pub differs: &'static str,
    /// Returns the condition that all items of a list satisfy a condition, given the variable of the item, that
    /// condition, and the list.
    pub all: fn(&str, &str, &str) -> String,
    /// Returns an element of a tuple, counted from 0.
    pub element: fn(&str, usize) -> String,
    /// Returns the condition that a map has a key.
    pub has_key: fn(&str, &str) -> String,
    /// Returns the value of a key in a map.
    pub value: fn(&str, &str) -> String,
}
