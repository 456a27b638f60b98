//! What users say of functions and of the exceptions that they raise.

use path::Raised;
use std::fmt;
use std::sync::Arc;
use term::{Atom, FunctionName};

/// Modules, or functions of modules, that a user names; perhaps many at once. Prints as the user would write it.
pub trait Pattern: fmt::Display + Send + Sync {
    /// Whether it names functions, and not only modules.
    fn names_functions(&self) -> bool;

    /// The module, if it is a single one.
    fn single_module(&self) -> Option<Atom>;

    /// Whether functions of the module could be meant.
    fn covers_module(&self, module: Atom) -> bool;

    fn covers(&self, name: FunctionName) -> bool;
}

/// Exceptions that functions raise on purpose.
pub trait Expectation: Send + Sync {
    /// Whether the function is one of those that may raise them.
    fn is_for(&self, name: FunctionName) -> bool;

    /// Whether the exception is one of them.
    fn covers(&self, raised: &Raised) -> bool;
}

/// What a module says of its own functions.
#[derive(Default)]
pub struct Attributes {
    /// Functions that are not to be looked into, by name and arity.
    pub opaque: Vec<(Atom, u32)>,
    /// Functions without parameters that are called before each run of the module's functions.
    pub setups: Vec<Atom>,
    /// Functions with one parameter that are true of the state of the module's servers, or of its values, at all times.
    pub invariants: Vec<Atom>,
    /// Exceptions that are meant.
    pub expected: Vec<Arc<dyn Expectation>>,
}
