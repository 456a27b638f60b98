//! Descriptions of single runs and of branches, for hosts that ask for them.

use crate::{Failure, InputValue};
use path::{Raised, Site, SitePlace, Stop};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::Term;

/// The description of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// From 1, as findings count them.
    pub number: u64,
    pub inputs: Vec<InputValue>,
    pub end: End,
    /// The first of its decisions, in order.
    pub decisions: Vec<Decided>,
    /// Number of decisions after these.
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
    /// Runs that took the same sides at the same sites so far are at the same place of the tree.
    pub site: Site,
    pub way: u32,
    pub ways: u32,
    pub place: Where,
    /// The condition that held, in the words of the host. Empty if an earlier run came here, too.
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
    /// The first sides.
    pub ways: Vec<BranchWay>,
    /// Number of further sides, and how many of these were taken.
    pub more_ways: usize,
    pub more_taken: usize,
}

/// One side of a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchWay {
    /// The condition under which it is taken, as it was in the first run that came there.
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
