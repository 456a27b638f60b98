//! Descriptions of single runs and of branches, for hosts that ask for them.

use crate::{Failure, InputValue};
use path::{Raised, Site, SitePlace, Stop};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::Term;

/// The description of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The number of the run, counted from 1 as in findings.
    pub number: u64,
    pub inputs: Vec<InputValue>,
    pub end: End,
    /// Whether the run depends on which functions its inputs are, and not only on what they do. Functions that are written
    /// down again are others.
    pub identifies_functions: bool,
    /// The first decisions, in order.
    pub decisions: Vec<Decided>,
    /// Number of decisions after these.
    pub more_decisions: usize,
}

#[derive(Clone, Debug)]
pub enum End {
    /// The run returned. The result is given if it is known and was not applied.
    Fine(Option<Term>),
    /// The unit has no specification and is not meant for these inputs.
    Edge,
    /// The unit raised this on purpose.
    Expected(Raised),
    Failed(Failure),
    /// The inputs could not be made.
    NotMade,
    /// The run used up its steps. It may be repeated with more.
    Cut,
    Stopped(Stop),
}

/// A decision of a run.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The site. Runs that took the same sides at the same sites so far are at the same place of the tree.
    pub site: Site,
    pub way: u32,
    pub ways: u32,
    pub place: Where,
    /// The condition that held, in the words of the host. Empty if an earlier run was here, too.
    pub words: String,
}

/// The place where a decision is taken.
#[derive(Clone, Debug)]
pub enum Where {
    Code(Arc<SitePlace>),
    /// A choice of how the inputs are made.
    Inputs,
    /// The actions of a function input, or the values that it is given.
    Function,
    /// A check whether the result is of its type.
    Result,
}

/// The meaning of a variable in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableIs {
    /// An argument, counted from 0.
    Argument(usize),
    /// A piece of data that an argument is made of. Both are counted from 0.
    PartOf(usize, usize),
    /// An answer or a question of a function input.
    Other(u32),
}

/// A place in the user's code where decisions are taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BranchSite {
    pub place: Arc<SitePlace>,
    /// The descriptions of the first sides.
    pub ways: Vec<BranchWay>,
    /// Number of further sides, and how many of these were taken.
    pub more_ways: usize,
    pub more_taken: usize,
}

/// One side of a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchWay {
    /// The condition under which it is taken, as it was in the first run that reached the branch.
    pub words: String,
    pub taken: bool,
    /// Whether it is proved that no input of the function takes it.
    #[serde(default)]
    pub unreachable: bool,
    /// Number of attempts to take it that had no solution.
    pub refuted: u32,
    /// Number of attempts that were left undecided or never made.
    pub open: u32,
}
