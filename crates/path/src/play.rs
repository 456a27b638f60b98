//! What function inputs do in a run: what is planned, and what came of it.

use crate::labels::Label;
use crate::outcome::Class;
use formula::{Assignment, Variable};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use term::Term;

/// All that passes from run to run.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Other options than the first.
    pub choices: FxHashMap<Label, u32>,
    /// Values to begin with.
    pub values: FxHashMap<Label, Term>,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub node: Label,
    pub table: Label,
    pub entry: u32,
}

/// A contract between the unit and its inputs that the unit broke.
#[derive(Clone, Debug)]
pub enum Broken {
    /// A function input was called with what it is not for.
    Domain { args: Vec<Term> },
    /// A function that the unit gave to an input returned what is not of its type.
    Range { value: Term },
    /// The result is not what the specification says, or what it says of the function that it is.
    Result { result: Term },
}

/// A line of the conversation between the unit and its function inputs. Functions in values are known by arity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Said {
    /// The unit called a function input, by number.
    Called {
        function: u32,
        args: Vec<Term>,
    },
    Answered {
        value: Term,
    },
    Raised {
        class: Class,
        reason: Term,
    },
    /// A function input called a function that it was given.
    Asked {
        args: Vec<Term>,
    },
    Got {
        value: Term,
    },
    GotException {
        class: Term,
        reason: Term,
    },
}

/// The values of an assignment under their labels, for the next run.
pub fn by_label(values: &Assignment, labels: &FxHashMap<Variable, Label>) -> FxHashMap<Label, Term> {
    labels.iter().filter_map(|(variable, label)| Some((*label, values.get(variable)?.clone()))).collect()
}
