//! What a language must provide so that Beagle can test its programs.
//!
//! A language is a [`FrontEnd`]: it opens code, prints and reads values and names, describes exceptions, and writes tests.
//! The code that it opens is [`Code`]: modules that are loaded and lowered, and the real runtime, which confirms findings.
//! How its programs behave on the machine (order, equality and numbers, whether an exception refuses a call) is its
//! `machine::Language`. The crates above this one work with any languages that a command registers.
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

/// Evaluates an expression of the language on our machine. `Err` says in words why it has no value.
pub type Evaluate<'e> = dyn FnMut(&str) -> Result<Term, String> + 'e;

/// A language that programs are written in. It prints what reports speak of, being a [`Printer`].
pub trait FrontEnd: Printer + Send + Sync {
    /// Its name, which no other front end has.
    fn name(&self) -> &'static str;

    /// Whether a file is code that this front end opens.
    fn reads(&self, file: &Path) -> bool;

    /// Finds the code that a configuration names. Front ends that share a runtime open each other's code, too.
    fn open(&self, config: CodeConfig) -> Result<Arc<dyn Code>, CodeError>;

    /// Whether a module is written in this language, as far as its name and the file that it was compiled from tell.
    fn owns(&self, module: Atom, source: Option<&str>) -> bool;

    /// The same front end with code at hand: some values can only be printed and read with the modules that define them.
    fn with_code(&self, code: &[Arc<dyn Code>]) -> Arc<dyn FrontEnd>;

    /// Whether compilers make functions of this name: nobody wants to test these.
    fn is_generated(&self, function: Atom) -> bool;

    /// Text that is printed to be pasted, with what cannot be seen in it escaped.
    fn escaped(&self, text: &str) -> String;

    /// A value as the runtime itself shows it. `text`: what it printed, if it was asked to.
    fn shown(&self, term: &Term, text: Option<&str>) -> String;

    /// A condition in words, with names for its variables.
    fn condition(&self, formulas: &Formulas, condition: TermId, name: &dyn Fn(Variable) -> String) -> String;

    /// A variable with a number: `X1`, `x1`.
    fn variable(&self, word: &str, number: usize) -> String;

    /// The names of a function's parameters. `head`: its source, from its first clause on.
    fn parameters(&self, head: &str, function: Atom, arity: usize) -> Vec<String>;

    /// The head of the clause that begins at a place in a source, both counted from 1; column 0 is an unknown one.
    fn clause_head(&self, source: &str, line: u32, column: u32) -> Option<String>;

    /// Whether a line of source begins a specification of the function.
    fn is_specification(&self, line: &str, function: Atom) -> bool;

    /// Reads a function as people name it.
    fn read_name(&self, text: &str) -> Option<FunctionName>;

    /// Reads the name of a module or of a function, in which some sign stands for any text.
    fn read_pattern(&self, text: &str) -> Option<Arc<dyn Pattern>>;

    /// Reads which exceptions are meant, perhaps with the functions that raise them. `Err` says what is wrong.
    fn read_expectation(&self, text: &str) -> Result<Arc<dyn Expectation>, String>;

    /// Reads a value that a user wrote. Expressions may be evaluated.
    fn read(&self, text: &str, evaluate: &mut Evaluate<'_>) -> Result<Term, String>;

    /// An exception in the words of the language's own shell, which are made by code of the language.
    fn describe(&self, raised: &Raised, evaluate: &mut Evaluate<'_>) -> String;

    /// How an exception came about, as far as it shows.
    fn cause(&self, raised: &Raised, around: &dyn CodeAround) -> Cause;

    /// What an exception says is not there because nothing was started or configured.
    fn missing(&self, raised: &Raised, around: &dyn CodeAround) -> Option<Missing>;

    /// Likewise of a result.
    fn missing_of_result(&self, result: &Term) -> Option<Missing>;

    /// The name under which an exception says that no process is registered.
    fn unregistered(&self, raised: &Raised) -> Option<Atom>;

    /// Whether a term is a message that only the runtime and its libraries send.
    fn is_message_of_runtime(&self, term: &Term) -> bool;

    /// The function of a module by which something that is missing comes into being.
    fn creator(&self, missing: &Missing, module: &Module) -> Option<FunctionName>;

    /// What is said of a function and its module. `line`: where the function begins in the source, from 1.
    fn remarks(&self, source: &str, module: Atom, line: u32) -> Remarks;

    /// Whether a test is content with any exception of a call of the function. `text`: the source of tests.
    fn wants_any_exception(&self, text: &str, function: FunctionName) -> bool;

    /// Whether a tool wrote the module, a generator of parsers for example.
    fn is_generated_module(&self, module: &Module) -> bool;

    /// Whether the name of a function says that it raises exceptions where others return errors.
    fn is_named_to_raise(&self, function: Atom) -> bool;

    /// Whether a term is a value of a structure that a module defines.
    fn structure(&self, term: &Term) -> Structure;

    /// A structure of the same kind as `term` in which every part is what it is where nothing is said about it. `home` is the
    /// module under test, whose structures may be known to nobody else.
    fn untouched(&self, home: &Module, term: &Term) -> Option<Term>;

    /// What prints calls for the runtime to evaluate.
    fn asking(&self) -> &dyn Printer;

    /// Text of the language as the runtime evaluates it.
    fn asked(&self, text: &str) -> String;

    /// What tests of its programs are written for.
    fn framework(&self) -> &'static dyn emit::Framework;
}
