//! The interface that a language must provide so that Beagle can test its programs.
//!
//! A language is a [`FrontEnd`]: it opens code, prints and reads values and names, describes exceptions, and writes
//! tests. The code that it opens is [`Code`]: modules that are loaded and lowered, and the real runtime, which confirms
//! findings. The behaviour of its programs on the machine (order, equality and numbers, whether an exception refuses a
//! call) is its `machine::Language`. The crates above this one work with any languages that a command registers.
//!
//! This crate only declares traits and types. It implements no language and touches nothing outside the process.

mod code;
mod languages;
mod named;
mod ranking;

pub use code::{
    Call, Code, CodeConfig, CodeError, Digest, Effects, Evaluation, Evaluations, FromOutside, Limits, Narrated,
    Narration, Order, Outcome, OutsideEnd, ProcessEnd, Replay, Rest, Traced, TracedCall, Watched,
};
pub use languages::Languages;
pub use named::{Attributes, Expectation, Pattern};
pub use ranking::{Cause, CodeAround, Remarks, Structure};

use formula::{Formulas, TermId, Variable};
use path::Raised;
use program::Module;
use report::Printer;
use report::rank::Missing;
use std::path::Path;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// Evaluates an expression of the language on our machine. `Err` describes why it has no value.
pub type Evaluate<'e> = dyn FnMut(&str) -> Result<Term, String> + 'e;

/// A language that programs are written in. As a [`Printer`], it prints the terms and names that reports mention.
pub trait FrontEnd: Printer + Send + Sync {
    /// Returns its name, which no other front end has.
    fn name(&self) -> &'static str;

    /// Returns whether a file is code that this front end opens.
    fn reads(&self, file: &Path) -> bool;

    /// Finds the code that a configuration names. Front ends that share a runtime open each other's code, too.
    fn open(&self, config: CodeConfig) -> Result<Arc<dyn Code>, CodeError>;

    /// Returns whether a module is written in this language, judging by its name and the file that it was compiled
    /// from.
    fn owns(&self, module: Atom, source: Option<&str>) -> bool;

    /// Returns the same front end with code: some values can only be printed and read with the modules that define
    /// them.
    fn with_code(&self, code: &[Arc<dyn Code>]) -> Arc<dyn FrontEnd>;

    /// Returns whether compilers make functions of this name. Such functions are not tested.
    fn is_generated(&self, function: Atom) -> bool;

    /// Returns text that is printed to be pasted, with invisible characters escaped.
    fn escaped(&self, text: &str) -> String;

    /// Returns a value as the runtime itself shows it. `text` is what the runtime printed, if it was asked to.
    fn shown(&self, term: &Term, text: Option<&str>) -> String;

    /// Describes a condition in words, with names for its variables.
    fn condition(&self, formulas: &Formulas, condition: TermId, name: &dyn Fn(Variable) -> String) -> String;

    /// Returns the name of a variable with a number: `X1`, `x1`.
    fn variable(&self, word: &str, number: usize) -> String;

    /// Returns the names of a function's parameters. `head` is its source, from its first clause on.
    fn parameters(&self, head: &str, function: Atom, arity: usize) -> Vec<String>;

    /// Returns the head of the clause that begins at a position in a source. Lines and columns are counted from 1;
    /// column 0 means that the column is unknown.
    fn clause_head(&self, source: &str, line: u32, column: u32) -> Option<String>;

    /// Returns whether a line of source begins a specification of the function.
    fn is_specification(&self, line: &str, function: Atom) -> bool;

    /// Reads the name of a function as people write it.
    fn read_name(&self, text: &str) -> Option<FunctionName>;

    /// Reads a pattern: the name of a module or of a function, in which a wildcard matches any text.
    fn read_pattern(&self, text: &str) -> Option<Arc<dyn Pattern>>;

    /// Reads an expected exception, optionally with the functions that raise it. `Err` describes what is wrong.
    fn read_expectation(&self, text: &str) -> Result<Arc<dyn Expectation>, String>;

    /// Reads a value that a user wrote. Expressions may be evaluated.
    fn read(&self, text: &str, evaluate: &mut Evaluate<'_>) -> Result<Term, String>;

    /// Describes an exception in the words of the language's own shell, which come from code of the language.
    fn describe(&self, raised: &Raised, evaluate: &mut Evaluate<'_>) -> String;

    /// Returns how an exception came about, as far as that can be recognised.
    fn cause(&self, raised: &Raised, around: &dyn CodeAround) -> Cause;

    /// Returns the thing that is missing according to an exception, because something was not started or configured.
    fn missing(&self, raised: &Raised, around: &dyn CodeAround) -> Option<Missing>;

    /// Returns the thing that is missing according to a result.
    fn missing_of_result(&self, result: &Term) -> Option<Missing>;

    /// Returns the name for which, according to an exception, no process is registered.
    fn unregistered(&self, raised: &Raised) -> Option<Atom>;

    /// Returns whether a term is a message that only the runtime and its libraries send.
    fn is_message_of_runtime(&self, term: &Term) -> bool;

    /// Returns the function of a module that creates what is missing.
    fn creator(&self, missing: &Missing, module: &Module) -> Option<FunctionName>;

    /// Returns the remarks about a function and its module in a source. `line` is where the function begins, counted
    /// from 1.
    fn remarks(&self, source: &str, module: Atom, line: u32) -> Remarks;

    /// Returns whether a test accepts any exception of a call of the function. `text` is the source of tests.
    fn wants_any_exception(&self, text: &str, function: FunctionName) -> bool;

    /// Returns whether a tool wrote the module, such as a parser generator.
    fn is_generated_module(&self, module: &Module) -> bool;

    /// Returns whether the name of a function says that it raises exceptions where others return errors.
    fn is_named_to_raise(&self, function: Atom) -> bool;

    /// Returns whether a term is a value of a structure that a module defines.
    fn structure(&self, term: &Term) -> Structure;

    /// Returns a structure of the same kind as `term` in which every part has its default value. `home` is the module
    /// under test, which may be the only one that knows its structures.
    fn untouched(&self, home: &Module, term: &Term) -> Option<Term>;

    /// Returns the printer of calls that the runtime evaluates.
    fn asking(&self) -> &dyn Printer;

    /// Returns text of the language in the form that the runtime evaluates.
    fn asked(&self, text: &str) -> String;

    /// Returns the test framework for programs in this language.
    fn framework(&self) -> &'static dyn emit::Framework;
}
