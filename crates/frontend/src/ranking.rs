//! Facts about exceptions, documentation and structures, which a language provides for the ranking of findings.

use program::Module;
use report::rank::{Documentation, Exception, Missing, Origin};
use std::sync::Arc;
use term::Atom;

/// The way in which an exception came about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cause {
    pub origin: Origin,
    pub exception: Exception,
    /// The thing that is missing according to the exception.
    pub missing: Option<Missing>,
    /// Whether the code itself marks the place as unreachable.
    pub is_said_impossible: bool,
    /// Whether a conversion of text to a number or a name refused the text.
    pub is_refused_conversion: bool,
    /// Whether text with characters beyond one byte was to become bytes.
    pub is_narrowed: bool,
    /// Whether text was taken for a format, which has control sequences of its own.
    pub is_text_as_format: bool,
    /// The number of milliseconds after which a call gave up waiting for an answer.
    pub time_limit: Option<i64>,
    /// Whether the runtime refused a time that is too long, or a number that is too large.
    pub is_too_large: bool,
    /// Whether a process ended before it had begun to serve clients.
    pub is_in_start: bool,
    /// Whether the value that was taken for a table cannot be one.
    pub is_no_table: bool,
    /// Whether the thing to be created exists already.
    pub is_made_twice: bool,
    /// Whether a server ended because its own code says that it stops.
    pub is_own_stop: bool,
}

/// The code around an exception.
pub trait CodeAround {
    /// Returns whether the user wrote the module.
    fn is_users(&self, module: Atom) -> bool;
    /// Returns a module, if there is one of this name.
    fn load(&self, module: Atom) -> Option<Arc<Module>>;
}

/// The remarks in a source above a function, and at the beginning of its module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    pub function: Documentation,
    /// Whether the module is declared not to be for users.
    pub is_module_hidden: bool,
}

/// Whether a term is a value of a structure that a module defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// The term is not a structure.
    None,
    Whole,
    /// Fields are missing, or there are additional ones.
    Broken,
}
