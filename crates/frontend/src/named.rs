//! The ways in which users refer to functions and to the exceptions that they raise.

use path::Raised;
use std::fmt;
use std::sync::Arc;
use term::{Atom, FunctionName};

/// A name or a pattern of modules, or of functions of modules. Prints as the user would write it.
pub trait Pattern: fmt::Display + Send + Sync {
    /// Returns whether it names functions, and not only modules.
    fn names_functions(&self) -> bool;

    /// Returns the module, if it is a single one.
    fn single_module(&self) -> Option<Atom>;

    /// Returns whether functions of the module could match.
    fn covers_module(&self, module: Atom) -> bool;

    fn covers(&self, name: FunctionName) -> bool;
}

/// Exceptions that functions raise on purpose.
pub trait Expectation: Send + Sync {
    /// Returns whether the function is one of those that may raise them.
    fn is_for(&self, name: FunctionName) -> bool;

    /// Returns whether the exception is one of them.
    fn covers(&self, raised: &Raised) -> bool;
}

/// The declarations of a module about its own functions.
#[derive(Default)]
pub struct Attributes {
    /// Functions that are not executed symbolically, by name and arity.
    pub opaque: Vec<(Atom, u32)>,
    /// Functions without parameters that are called before each run of the module's functions.
    pub setups: Vec<Atom>,
    /// Functions with one parameter that must always be true of the state of the module's servers, or of its values.
    pub invariants: Vec<Atom>,
    /// Expected exceptions.
    pub expected: Vec<Arc<dyn Expectation>>,
}
