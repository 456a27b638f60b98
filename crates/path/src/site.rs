//! Where decisions are taken.

use crate::labels::Label;
use serde::{Deserialize, Serialize};
use term::Atom;

/// Which decision: several may be taken at one place, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site {
    pub place: Place,
    pub part: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    /// An instruction of the function with this number in the executor's program.
    Code { function: u32, instruction: u32 },
    /// The choice of this number among those that are made to build the inputs, before anything runs.
    Input(u32),
    /// An option that a function input chose.
    Choice(Label),
    /// Which entry of a table of a function input an observation is.
    Lookup(Label),
    /// What a function input observes, by the label of its table.
    Observed(Label),
    /// Whether what a function input is given is of its declared type: the number of the part that is looked at.
    Domain(u32),
    /// Whether the result of the unit is of its declared type: the number of the part that is looked at.
    Result(u32),
}

impl Default for Place {
    fn default() -> Place {
        Place::Code { function: 0, instruction: 0 }
    }
}

impl Place {
    /// Whether the decision is one of function inputs, or about what they are given.
    pub fn is_of_function_inputs(self) -> bool {
        match self {
            Place::Choice(_) | Place::Lookup(_) | Place::Observed(_) | Place::Domain(_) => true,
            Place::Code { .. } | Place::Input(_) | Place::Result(_) => false,
        }
    }
}

/// A place in the source where decisions are taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePlace {
    pub module: Atom,
    /// The function that it is written in.
    pub function: Atom,
    pub arity: u32,
    pub file: String,
    /// 0: not known. Likewise the column.
    pub line: u32,
    pub column: u16,
    /// What tells decisions of one line apart: the same for all executors that run this module.
    pub number: (u32, u32, u32),
}
