//! The reasons why an exploration cannot claim that every path was taken.

use crate::{Missing, Obstacle};
use contract::Limit;
use path::{Concretised, Stop, Surrounding};
use serde::{Deserialize, Serialize};
use solver::Unknown;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Loss {
    /// A symbolic value was made concrete.
    Concretised(Concretised),
    /// The solver could not decide whether such inputs exist.
    Undecided(Unknown),
    /// The solver could not decide whether inputs within the bound on their size exist.
    NotWithinSizeBound,
    /// A run ended early, before the program did.
    Stopped(Stop),
    /// A run failed because something was not started or configured.
    Missing(Missing),
    /// All runs ended at this obstacle, and nothing after it was reached.
    AllEndAt(Obstacle),
    /// The program used something that is not an input.
    DependsOn(Surrounding),
    /// A part of the specification could not be followed.
    Specification(Limit),
    /// There are inputs only beyond the bound on their size ([`crate::Settings::size_bound`]).
    SizeBound,
    /// An exception is expected with some data only. With other data it was not looked for.
    SomeExpected,
    /// A path has more decisions than are kept.
    LongPath,
    /// No value can be made for some inputs.
    NoInputs,
    /// The memory of the whole command is used up ([`crate::Ended::OutOfMemory`]).
    TotalMemory,
    /// There was not enough memory for all candidates.
    CandidatesDropped,
    /// Our run is too long, but the real runtime ends on the same input.
    OnlySlowHere,
    /// This solver called a query unsatisfiable that is satisfiable.
    WrongRefutation { solver: String },
    /// A run did not take the path that was predicted.
    Diverged,
    /// A run took another path when it was repeated.
    NotRepeated,
    /// A failure did not occur without shadows.
    NotReproduced,
    /// The record of a run was dropped while it was needed.
    Forgotten,
}

impl Loss {
    /// Returns whether the loss can only come from a defect of Beagle.
    pub fn is_own_defect(&self) -> bool {
        match self {
            Loss::Stopped(Stop::Fault(_))
            | Loss::Diverged
            | Loss::NotRepeated
            | Loss::NotReproduced
            | Loss::Forgotten => true,
            Loss::Undecided(_)
            | Loss::NotWithinSizeBound
            | Loss::Concretised(_)
            | Loss::Stopped(_)
            | Loss::Missing(_)
            | Loss::AllEndAt(_)
            | Loss::DependsOn(_)
            | Loss::Specification(_)
            | Loss::SizeBound
            | Loss::SomeExpected
            | Loss::LongPath
            | Loss::NoInputs
            | Loss::TotalMemory
            | Loss::CandidatesDropped
            | Loss::OnlySlowHere
            | Loss::WrongRefutation { .. } => false,
        }
    }
}
