//! Goals that a run is watched for, and observations: reasons why it never ends.

use crate::surrounding::Surrounding;
use formula::{TermId, Variable};
use term::{FunctionName, Term};

/// The goal of watching a run.
#[derive(Clone, Debug)]
pub enum Goal {
    /// A state that comes back.
    Repetition,
    /// The changes of the state between the call with the number `at`, counted from 1, and each call of the same
    /// function inside it.
    Changes { at: u64, arrivals: usize },
    /// The formulas of these parts of the state at the inner call of number `arrival`, counted from 0.
    Recurrence { at: u64, arrival: usize, parts: Vec<StatePath> },
}

/// A part of a state: which of its values, and the way down to it through tuples and maps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath {
    pub value: usize,
    pub path: Vec<usize>,
}

/// The observations of a watched run.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub repeats: Option<Repetition>,
    /// Numbers of the calls that had not ended when the watch ended.
    pub open: Vec<u64>,
    /// The changed parts of the state at each inner call; `None` if a part changed that cannot be replaced.
    pub changes: Vec<Option<Vec<StatePath>>>,
    pub recurs: Option<Recurrence>,
    /// The number of calls that were made.
    pub calls: u64,
    /// The surroundings that the run asked for.
    pub surroundings: Vec<Surrounding>,
}

/// A call in the same state as an earlier call that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    pub function: FunctionName,
    /// The number of calls from the earlier to the later one.
    pub period: u64,
    /// Whether the later call is nested in the earlier one.
    pub is_nested: bool,
}

/// A recurrence. The recorder has the decisions between the calls; the parts of the state are variables in them.
#[derive(Clone, Debug)]
pub struct Recurrence {
    pub function: FunctionName,
    pub period: u64,
    /// Each variable with its value at the outer call and its formula at the inner call.
    pub variables: Vec<(Variable, Term, TermId)>,
}
