//! What a language says of exceptions, documentation and structures, for the ranking of findings.

use program::Module;
use report::rank::{Documentation, Exception, Missing, Origin};
use std::sync::Arc;
use term::Atom;

/// How an exception came about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cause {
    pub origin: Origin,
    pub exception: Exception,
    /// What the exception says is not there.
    pub missing: Option<Missing>,
    /// The code says that it cannot come there.
    pub is_said_impossible: bool,
    /// A conversion of text to a number or a name refused the text.
    pub is_refused_conversion: bool,
    /// Text with characters beyond one byte was to become bytes.
    pub is_narrowed: bool,
    /// Text was taken for a format, which has controls of its own.
    pub is_text_as_format: bool,
    /// A call gave up when it had waited so many milliseconds for an answer.
    pub time_limit: Option<i64>,
    /// The runtime does not take times that are so long, or numbers that are so large.
    pub is_too_large: bool,
    /// A process ended before it had begun to serve anybody.
    pub is_in_start: bool,
    /// What was taken for a table cannot be one.
    pub is_no_table: bool,
    /// What was to be made is there already.
    pub is_made_twice: bool,
    /// A server ended because its own code says that it stops.
    pub is_own_stop: bool,
}

/// The code around an exception.
pub trait CodeAround {
    /// Whether the user wrote the module.
    fn is_users(&self, module: Atom) -> bool;
    /// A module, if there is one of this name.
    fn load(&self, module: Atom) -> Option<Arc<Module>>;
}

/// What stands in a source above a function, and at the beginning of its module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    pub function: Documentation,
    /// The module is said not to be for users.
    pub is_module_hidden: bool,
}

/// Whether a term is a value of a structure that a module defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// It is none.
    None,
    Whole,
    /// Fields are missing, or there are others.
    Broken,
}
