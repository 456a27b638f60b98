//! The name of a function.

use crate::Atom;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionName {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
}

impl FunctionName {
    /// The arity that marks the name of a module's client. No function has as many parameters.
    const CLIENT: u32 = u32::MAX;
    /// The local name of the unit that consists of all clients of a module.
    pub const CLIENT_NAME: &str = "client";

    /// Returns the name of the unit that consists of all clients of a module.
    pub fn client_of(module: Atom) -> FunctionName {
        FunctionName { module, function: Atom::new(FunctionName::CLIENT_NAME), arity: FunctionName::CLIENT }
    }

    pub fn is_client(&self) -> bool {
        self.arity == FunctionName::CLIENT
    }

    /// Returns the name without its module: `function/arity`, or that of a client.
    pub fn local(&self) -> String {
        match self.is_client() {
            true => self.function.to_string(),
            false => format!("{}/{}", self.function, self.arity),
        }
    }
}

/// `module:function/arity`, without quotes: for messages about Beagle itself, not for the language under test.
impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.module, self.local())
    }
}
