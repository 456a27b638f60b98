//! The behaviour of function inputs in a run: the plan, and the record.

use crate::labels::Label;
use crate::outcome::Class;
use formula::{Assignment, Variable};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use term::{FunctionName, Term};

/// The behaviour of function inputs that is passed from one run to the next.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Choices other than the first option.
    pub choices: FxHashMap<Label, u32>,
    /// Initial values.
    pub values: FxHashMap<Label, Term>,
    /// A seed for a run in which all choices and values are random and nothing is followed. Searches are compared with
    /// such runs.
    pub random: Option<u64>,
}

/// Where a return value of a function input comes from.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub node: Label,
    pub table: Label,
    pub entry: u32,
}

/// How the unit violated the contract with its inputs.
#[derive(Clone, Debug)]
pub enum Broken {
    /// It called a function input with arguments outside the declared type.
    Domain { args: Vec<Term> },
    /// A function that it passed to an input returned a value outside the declared type.
    Range { value: Term },
    /// Its result, or a function in its result, violates the specification. If the unit is a client, `function` is the
    /// one that returned the result.
    Result { result: Term, function: Option<FunctionName> },
}

/// A line of the conversation between the unit and its function inputs. Functions in values are represented by arity.
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

/// Returns the values of an assignment by their labels, for the next run.
pub fn by_label(values: &Assignment, labels: &FxHashMap<Variable, Label>) -> FxHashMap<Label, Term> {
    labels.iter().filter_map(|(variable, label)| Some((*label, values.get(variable)?.clone()))).collect()
}
