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

/// `module:function/arity`, without quotes: for messages about Beagle itself, not for the language under test.
impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.module, self.function, self.arity)
    }
}
