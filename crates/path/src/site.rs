//! Where decisions are made.

use crate::labels::Label;
use serde::{Deserialize, Serialize};
use term::Atom;

/// Identifies a decision. Several decisions may be made at one place, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site {
    pub place: Place,
    pub part: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Place {
    /// An instruction of the function with this number in the executor's program.
    Code { function: u32, instruction: u32 },
    /// The choice with this index among those that build the inputs, before anything runs.
    Input(u32),
    /// A choice of a function input.
    Choice(Label),
    /// The lookup of an observation in a table of a function input.
    Lookup(Label),
    /// The kinds of the values that a function input observes, by the label of its table.
    Observed(Label),
    /// The check of a function input's arguments against their declared types: the index of the part that is checked.
    Domain(u32),
    /// The check of the unit's result against its declared type: the index of the part that is checked.
    Result(u32),
}

impl Default for Place {
    fn default() -> Place {
        Place::Code { function: 0, instruction: 0 }
    }
}

impl Place {
    /// Returns whether the decision is made by function inputs or is about their arguments.
    pub fn is_of_function_inputs(self) -> bool {
        match self {
            Place::Choice(_) | Place::Lookup(_) | Place::Observed(_) | Place::Domain(_) => true,
            Place::Code { .. } | Place::Input(_) | Place::Result(_) => false,
        }
    }
}

/// A place in the source where decisions are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePlace {
    pub module: Atom,
    /// The function that contains it.
    pub function: Atom,
    pub arity: u32,
    pub file: String,
    /// 0 if unknown. The same holds for the column.
    pub line: u32,
    pub column: u16,
    /// Distinguishes decisions on one line. It is the same for all executors that run this module.
    pub number: (u32, u32, u32),
}
