//! What an exploration tells of its single runs and of the branches, to those who want to look on.

use crate::{Failure, InputValue};
use path::{Raised, Site, SitePlace, Stop};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::Term;

/// A run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// From 1, as findings count them.
    pub number: u64,
    pub inputs: Vec<InputValue>,
    pub end: End,
    /// The first of its decisions, in order.
    pub decisions: Vec<Decided>,
    /// How many followed.
    pub more_decisions: usize,
}

#[derive(Clone, Debug)]
pub enum End {
    /// With this result, where it is known and was not applied.
    Fine(Option<Term>),
    /// The unit, which has no specification, is not meant for these inputs.
    Edge,
    /// The unit raised this on purpose.
    Expected(Raised),
    Failed(Failure),
    /// The inputs could not be made.
    NotMade,
    /// Its steps were spent; it may come back with more.
    Cut,
    Stopped(Stop),
}

/// A decision of a run.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Runs that took the same ways at the same sites so far are at the same place of the tree.
    pub site: Site,
    pub way: u32,
    pub ways: u32,
    pub place: Where,
    /// What held, in the words of the host. Empty where a run before came here, too.
    pub words: String,
}

/// Where a decision is taken.
#[derive(Clone, Debug)]
pub enum Where {
    Code(Arc<SitePlace>),
    /// How the inputs are made.
    Inputs,
    /// What a function input does, or is given.
    Function,
    /// Whether the result is of its type.
    Result,
}

/// What a variable of a condition stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableIs {
    /// From 0.
    Argument(usize),
    /// A piece of data that an argument is made of, from 0.
    PartOf(usize, usize),
    /// What a function input answered or asked with.
    Other(u32),
}

/// A place of the user's code where decisions are taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BranchSite {
    pub place: Arc<SitePlace>,
    /// The first of them.
    pub ways: Vec<BranchWay>,
    /// How many follow, and how many of these were taken.
    pub more_ways: usize,
    pub more_taken: usize,
}

/// One way of a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchWay {
    /// When it is taken, as it was when somebody first stood there.
    pub words: String,
    pub taken: bool,
    /// Attempts to take it that had no solution.
    pub refuted: u32,
    /// Attempts that were given up, or never made.
    pub open: u32,
}
