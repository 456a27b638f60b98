//! What a run is watched for, and what was seen: reasons why it never ends.

use crate::surrounding::Surrounding;
use formula::{TermId, Variable};
use term::{FunctionName, Term};

/// What a run is watched for.
#[derive(Clone, Debug)]
pub enum Goal {
    /// A state that comes back.
    Repetition,
    /// What changed each time that a function is called inside its call with the number `at`, counted from 1 on.
    Changes { at: u64, arrivals: usize },
    /// What becomes of these parts of the state on the way to the inner call of number `arrival`, counted from 0 on.
    Recurrence { at: u64, arrival: usize, parts: Vec<StatePath> },
}

/// A part of a state: which of its values, and the way down to it through tuples and maps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath {
    pub value: usize,
    pub path: Vec<usize>,
}

/// What a watched run showed.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub repeats: Option<Repetition>,
    /// Calls that were under way when the watch ended, by their numbers.
    pub open: Vec<u64>,
    /// What had changed at each inner call; `None`: something that cannot be replaced.
    pub changes: Vec<Option<Vec<StatePath>>>,
    pub recurs: Option<Recurrence>,
    /// Calls that were made.
    pub calls: u64,
    /// What the run asked its surroundings for.
    pub surroundings: Vec<Surrounding>,
}

/// A call in the state of one that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    pub function: FunctionName,
    /// Calls from the one to the other.
    pub period: u64,
    /// The one is below the other on the stack.
    pub is_nested: bool,
}

/// What became of the parts: the recorder has the decisions on the way, in which they are variables.
#[derive(Clone, Debug)]
pub struct Recurrence {
    pub function: FunctionName,
    pub period: u64,
    /// Each variable, what it was, and what it is at the inner call.
    pub variables: Vec<(Variable, Term, TermId)>,
}
