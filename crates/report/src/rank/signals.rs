//! The facts that the ranking uses.

use search::Missing;
use serde::{Deserialize, Serialize};

/// What is known of a finding beside the finding itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Signals {
    pub outcome: Outcome,
    /// How an exception came about.
    pub origin: Origin,
    pub exception: Exception,
    /// What the clauses take that did not fit.
    pub neighbours: Neighbours,
    /// What was refused is an input or a part of one, passed on as it is. What the code made itself is not.
    pub passed_on: bool,
    /// How the rest of the project calls the function.
    pub callers: Callers,
    /// What an exception says is not there.
    pub missing: Option<Missing>,
    /// The setup of the run has started already what the function starts.
    #[serde(default)]
    pub started_before: bool,
    /// The code says that it cannot come there.
    pub said_impossible: bool,
    /// The specification has a result for errors, `{error, _}` for example.
    pub error_return: bool,
    /// The specification has a result that stands for nothing, `undefined` or `nil` for example.
    pub empty_return: bool,
    /// There is a specification at all.
    pub declared: bool,
    /// The specification says exactly which values the parameters have: numbers within bounds, words that it names,
    /// and structures of these.
    pub precise: bool,
    /// The specification calls a parameter `any()`.
    pub any_parameter: bool,
    /// A parameter is of an opaque type of the module itself, and the input was built by hand.
    pub built_by_hand: bool,
    /// What no clause takes is the error of a function that the code called itself.
    #[serde(default)]
    pub unhandled_error: bool,
    /// The specification names an alternative of which no value is taken here, while others are.
    #[serde(default)]
    pub refused_alternative: bool,
    /// Functions of the program make the structures among the inputs, and none that they were seen to make leads here.
    #[serde(default)]
    pub never_made: bool,
    /// A function of the program made an input that is not of its declared type.
    #[serde(default)]
    pub made_wrong: bool,
    /// The exception came from a function of a library that only others of its module can call.
    #[serde(default)]
    pub inside_library: bool,
    /// A process is started a second time, and the result says so.
    #[serde(default)]
    pub started_twice: bool,
    /// Other inputs make the function return an error. Known when it is tested.
    #[serde(default)]
    pub returns_errors: bool,
    /// Other inputs make the function return a word for nothing, beside values. Known when it is tested.
    #[serde(default)]
    pub returns_nothing: bool,
    /// The function under test itself has no clause for the arguments.
    pub own_head: bool,
    /// A function on the way to the exception catches others, and this one passes.
    pub catches_some: bool,
    /// Another function of the project calls this one where exceptions are caught.
    pub caught_by_callers: bool,
    /// A conversion of text to a number or an atom refused the text.
    pub refused_conversion: bool,
    /// What is wrong with a result outside the specification.
    pub wrong_part: Option<WrongPart>,
    /// The wrong part of the result is a part of the input.
    pub returned_input: bool,
    /// The result is or has a function, and the failure is that of calling it.
    pub applied_result: bool,
    /// No type says what that function may be called with.
    pub applied_without_type: bool,
    /// The exception was raised in the module of the function itself, where its promises are known.
    #[serde(default)]
    pub raised_at_home: bool,
    /// The name says that the function raises exceptions where others return errors.
    pub named_to_raise: bool,
    /// The name says that the function reads text or bytes: `parse`, `decode`, `from_string`.
    pub named_to_read: bool,
    /// A test of the project is content with any exception of the function.
    pub tested_to_fail: bool,
    /// Text with characters beyond one byte was to become bytes.
    pub narrowed: bool,
    /// Text was taken for a format, which has controls of its own.
    #[serde(default)]
    pub text_as_format: bool,
    /// A call gave up when it had waited as long as an input says.
    #[serde(default)]
    pub waits_as_told: bool,
    /// An input is a time or another number that is larger than the runtime takes.
    #[serde(default)]
    pub too_large: bool,
    /// An input stands for a table, and cannot be one.
    #[serde(default)]
    pub no_table: bool,
    pub function: Documentation,
    /// A tool wrote the code, and other code calls it.
    pub generated: bool,
    /// The module is not for users, as its name or its documentation says.
    pub internal_module: bool,
    pub inputs: InputTraits,
    /// Calls of the module's own functions led to it, one after the other.
    #[serde(default)]
    pub by_client: bool,
    /// These calls make values, and no processes. Known when the module is tested.
    #[serde(default)]
    pub by_values: bool,
    /// A server says itself that it stops when it gets a message that is none of its own.
    #[serde(default)]
    pub stopped_by_message: bool,
    /// A process of the module ended, and not only a call.
    #[serde(default)]
    pub ends_server: bool,
    /// Different places at which the function fails. Known when it is tested.
    pub places: u32,
    /// One of many functions of the project that read text, promise nothing for what they cannot read, and fail on it. Known when
    /// all of them are tested.
    #[serde(default)]
    pub habit: bool,
    /// How many of a hundred runs ended with an exception. Known when it is tested.
    #[serde(default)]
    pub percent_raising: Option<u32>,
    /// The function raises exceptions of its own, and this is none of them. Known when it is tested.
    pub raises_others: bool,
}

/// How a call failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    #[default]
    Error,
    Throw,
    Exit,
    /// The result is not what the specification says.
    WrongResult,
    /// A function among the inputs, or a function as result, is not used as its type says.
    WrongUse,
    Endless,
    /// It took longer than it may.
    Long,
    /// It waits for a message that nobody sends.
    Waiting,
    /// It waits for a process that can never answer it.
    Deadlock,
}

/// The innermost part of a result that is outside its declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WrongPart {
    /// A number beyond the ends of a declared range.
    BeyondRange,
    /// A number below zero, where none is declared.
    BelowZero,
    /// A number of another kind, or beyond the only end of a range.
    Number,
    /// The error of another function, where a value is declared.
    Error,
    /// A word that the type does not name.
    Word,
    /// A word for nothing inside of a result, where the type has a value.
    Nothing,
    /// A value of a kind that the type does not have.
    Other,
}

/// Who raised an exception.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// There is none, or nobody knows.
    #[default]
    Unknown,
    /// The code of the user, by an expression that does nothing else.
    Raised,
    /// No clause, pattern or condition of the user's code fits.
    Mismatch,
    /// A primitive of the language refused its arguments.
    Primitive,
    /// A function of a library.
    Library,
}

/// What kind of exception it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exception {
    /// There is none, or it is of no known kind.
    #[default]
    Other,
    /// No clause of a function fits.
    Function,
    /// No clause of a `case`, `if`, `cond`, `with` or `try` fits.
    Case,
    /// A match fails.
    Match,
    /// Arithmetic with something that is no number.
    Arithmetic,
    /// A function refuses its argument.
    Argument,
    /// A key is missing, or there is no map.
    Key,
}

/// What the clauses take that did not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Neighbours {
    /// There are none, or nobody knows.
    #[default]
    Unknown,
    /// Values of other kinds only.
    OtherKinds,
    /// Other values of the same kind.
    SameKind,
}

/// How other functions of the project call a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callers {
    /// None of them does.
    #[default]
    None,
    /// Always with other values than these.
    Others,
    /// Perhaps with these values.
    Such,
}

/// What the documentation says of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Documentation {
    pub is_there: bool,
    /// The function is said not to be for users.
    pub hidden: bool,
    /// Other functions of the module are documented, and this one is not.
    pub only_exported: bool,
    /// It speaks of exceptions.
    pub speaks_of_exceptions: bool,
}

/// What the inputs are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputTraits {
    /// Nothing but text, numbers, booleans, and lists of these.
    pub plain: bool,
    /// There is text.
    pub text: bool,
    /// Text that is not valid in its encoding, or has characters that nobody writes.
    pub odd_text: bool,
    /// Text as a list of characters, some of which do not exist. Bytes of any kind do.
    pub no_characters: bool,
    /// Text with characters beyond ASCII.
    pub beyond_ascii: bool,
    /// Bits that are no whole bytes.
    pub partial_bytes: bool,
    /// A list that does not end in the empty list.
    pub improper: bool,
    /// `{Year, Month, Day}` with a day that the month does not have.
    pub no_date: bool,
    /// Processes, references and ports.
    pub identities: bool,
    /// The process that calls the function, passed to it.
    #[serde(default)]
    pub caller: bool,
    /// A message that only the runtime and its libraries send was made up.
    #[serde(default)]
    pub forged: bool,
    /// What a process of somebody else answers was made up.
    #[serde(default)]
    pub answers: bool,
    /// A value of a defined structure that lacks some of its fields, or has wrong ones.
    pub broken_structure: bool,
    /// Values of defined structures.
    pub structures: bool,
    /// Tuples with more than two elements, and maps.
    pub compound: bool,
    /// Options with values that no type bounds.
    pub loose_options: bool,
    /// A map without some of the keys that its type names.
    pub sparse_map: bool,
    /// A value of a structured type that other exported functions of its module make.
    pub internals: bool,
    pub functions: bool,
    /// Names of modules that are not there.
    pub unknown_modules: bool,
    /// An integer and a float of the same value, which are equal and yet do not match.
    pub equal_numbers: bool,
    /// Numbers below zero.
    pub negative: bool,
    /// Numbers beyond a million.
    pub huge: bool,
    /// Integers that are too large for a float, as numbers or as texts.
    #[serde(default)]
    pub beyond_floats: bool,
    /// Atoms that neither the specification nor the code names.
    pub made_up_atoms: bool,
    /// How many characters the inputs have when they are written down, in tens.
    pub tens_of_characters: u32,
}
