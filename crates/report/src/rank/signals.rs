//! The facts that the ranking uses.

use search::Missing;
use serde::{Deserialize, Serialize};

/// The facts about a finding that are not in the finding itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Signals {
    pub outcome: Outcome,
    /// The origin of an exception.
    pub origin: Origin,
    pub exception: Exception,
    /// The values that the clauses take which did not fit.
    pub neighbours: Neighbours,
    /// Whether the refused value is an input or a part of one, passed on unchanged. A value that the code made is not.
    pub passed_on: bool,
    /// The way in which the rest of the project calls the function.
    pub callers: Callers,
    /// The thing that is missing, according to the exception.
    pub missing: Option<Missing>,
    /// Whether the setup of the run has already started what the function starts.
    #[serde(default)]
    pub started_before: bool,
    /// Whether the code says that this place is never reached.
    pub said_impossible: bool,
    /// Whether the specification has a result for errors, such as `{error, _}`.
    pub error_return: bool,
    /// Whether the specification has a result for nothing, such as `undefined` or `nil`.
    pub empty_return: bool,
    /// Whether there is a specification.
    pub declared: bool,
    /// Whether the specification says exactly which values the parameters have: numbers within bounds, words that it
    /// names, and structures of these.
    pub precise: bool,
    /// Whether the specification calls a parameter `any()`.
    pub any_parameter: bool,
    /// Whether a parameter is of an opaque type of the module itself, and the input was built by hand.
    pub built_by_hand: bool,
    /// Whether the value that no clause takes is the error of a function that the code called itself.
    #[serde(default)]
    pub unhandled_error: bool,
    /// Whether the specification names an alternative of which no value is taken here, while others are.
    #[serde(default)]
    pub refused_alternative: bool,
    /// Whether an input is a structure that was built by hand, although functions of the program make such structures,
    /// and none that they were seen to make leads here.
    #[serde(default)]
    pub never_made: bool,
    /// Whether a function of the program made an input that is not of its declared type.
    #[serde(default)]
    pub made_wrong: bool,
    /// Whether the exception came from a function of a library that only others of its module can call.
    #[serde(default)]
    pub inside_library: bool,
    /// Whether a process is started a second time, and the result says so.
    #[serde(default)]
    pub started_twice: bool,
    /// Whether other inputs make the function return an error. Known when it is tested.
    #[serde(default)]
    pub returns_errors: bool,
    /// Whether other inputs make the function return a word for nothing, in addition to values. Known when it is
    /// tested.
    #[serde(default)]
    pub returns_nothing: bool,
    /// Whether the function under test itself has no clause for the arguments.
    pub own_head: bool,
    /// Whether a function on the way to the exception catches other exceptions but not this one.
    pub catches_some: bool,
    /// Whether another function of the project calls this one where exceptions are caught.
    pub caught_by_callers: bool,
    /// Whether a conversion of text to a number or an atom refused the text.
    pub refused_conversion: bool,
    /// The wrong part of a result outside the specification.
    pub wrong_part: Option<WrongPart>,
    /// Whether the wrong part of the result is a part of the input.
    pub returned_input: bool,
    /// Whether the result is or contains a function, and the failure is that of calling it.
    pub applied_result: bool,
    /// Whether no type says what that function may be called with.
    pub applied_without_type: bool,
    /// Whether the exception was raised in the module of the function itself, where its promises are known.
    #[serde(default)]
    pub raised_at_home: bool,
    /// Whether the name says that the function raises exceptions where others return errors.
    pub named_to_raise: bool,
    /// Whether the name says that the function reads text or bytes: `parse`, `decode`, `from_string`.
    pub named_to_read: bool,
    /// Whether a test of the project accepts any exception of the function.
    pub tested_to_fail: bool,
    /// Whether text with characters beyond one byte should have been converted to bytes.
    pub narrowed: bool,
    /// Whether text was used as a format, in which some characters have a special meaning.
    #[serde(default)]
    pub text_as_format: bool,
    /// Whether a call timed out after the time that an input specifies.
    #[serde(default)]
    pub waits_as_told: bool,
    /// Whether an input is a time or another number that is larger than the runtime accepts.
    #[serde(default)]
    pub too_large: bool,
    /// Whether an input is passed as a table, and cannot be one.
    #[serde(default)]
    pub no_table: bool,
    pub function: Documentation,
    /// Whether a tool generated the code, and other code calls it.
    pub generated: bool,
    /// Whether the module is not for users, according to its name or its documentation.
    pub internal_module: bool,
    pub inputs: InputTraits,
    /// Whether successive calls of the module's own functions led to it.
    #[serde(default)]
    pub by_client: bool,
    /// Whether these calls make values, and no processes. Known when the module is tested.
    #[serde(default)]
    pub by_values: bool,
    /// Whether a server stops itself because of a message that it does not know.
    #[serde(default)]
    pub stopped_by_message: bool,
    /// Whether a process of the module ended, and not only a call.
    #[serde(default)]
    pub ends_server: bool,
    /// The number of different places at which the function fails. Known when it is tested.
    pub places: u32,
    /// Whether the function is one of many in the project that read text, promise no result for text that they cannot
    /// read, and fail on it. Known when all of them are tested.
    #[serde(default)]
    pub habit: bool,
    /// The percentage of runs that ended with an exception. Known when the function is tested.
    #[serde(default)]
    pub percent_raising: Option<u32>,
    /// Whether the function raises exceptions of its own, but not this one. Known when it is tested.
    pub raises_others: bool,
}

/// The way in which a call failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    #[default]
    Error,
    Throw,
    Exit,
    /// The result is outside the specification.
    WrongResult,
    /// A function among the inputs, or a function as result, is not used according to its type.
    WrongUse,
    Endless,
    /// The run exceeded a limit.
    Long,
    /// The function waits for a message that no process sends.
    Waiting,
    /// The function waits for a process that can never answer it.
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

/// The code that raised an exception.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// There is no exception, or its origin is unknown.
    #[default]
    Unknown,
    /// The user's code, by an expression that does nothing else.
    Raised,
    /// No clause, pattern or condition of the user's code fits.
    Mismatch,
    /// A primitive of the language refused its arguments.
    Primitive,
    /// A function of a library.
    Library,
}

/// The kind of an exception.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exception {
    /// There is no exception, or it is of no known kind.
    #[default]
    Other,
    /// No clause of a function fits.
    Function,
    /// No clause of a `case`, `if`, `cond`, `with` or `try` fits.
    Case,
    /// A match fails.
    Match,
    /// Arithmetic with something that is not a number.
    Arithmetic,
    /// A function refuses its argument.
    Argument,
    /// A key is missing, or a value is not a map.
    Key,
}

/// The values that the clauses take which did not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Neighbours {
    /// There are no such clauses, or they are unknown.
    #[default]
    Unknown,
    /// Values of other kinds only.
    OtherKinds,
    /// Other values of the same kind.
    SameKind,
}

/// The way in which other functions of the project call a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callers {
    /// No other function calls it.
    #[default]
    None,
    /// Calls with other values only.
    Others,
    /// Calls that may pass these values.
    Such,
}

/// The facts about a function that its documentation states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Documentation {
    pub is_there: bool,
    /// Whether the documentation says that the function is not for users.
    pub hidden: bool,
    /// Whether other functions of the module are documented, and this one is not.
    pub only_exported: bool,
    /// Whether the documentation mentions exceptions.
    pub speaks_of_exceptions: bool,
}

/// The properties of the inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputTraits {
    /// Nothing but text, numbers, booleans, and lists of these.
    pub plain: bool,
    /// Some text.
    pub text: bool,
    /// Text that is not valid in its encoding, or has characters that are never written.
    pub odd_text: bool,
    /// Text as a list of characters, some of which do not exist. Bytes with any value exist.
    pub no_characters: bool,
    /// Text with characters beyond ASCII.
    pub beyond_ascii: bool,
    /// Bits that are not whole bytes.
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
    /// An invented message of a kind that only the runtime and its libraries send.
    #[serde(default)]
    pub forged: bool,
    /// Invented answers of another process.
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
    /// Names of modules that do not exist.
    pub unknown_modules: bool,
    /// An integer and a float of the same value, which are equal but do not match.
    pub equal_numbers: bool,
    /// Numbers below zero.
    pub negative: bool,
    /// Numbers beyond a million.
    pub huge: bool,
    /// Integers that are too large for a float, as numbers or as texts.
    #[serde(default)]
    pub beyond_floats: bool,
    /// Atoms that occur neither in the specification nor in the code.
    pub made_up_atoms: bool,
    /// The number of characters of the inputs when they are written down, divided by ten.
    pub tens_of_characters: u32,
}
