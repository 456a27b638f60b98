//! What stands between an exploration and the claim that every path was taken.

use crate::{Missing, Obstacle};
use contract::Limit;
use path::{Concretised, Stop, Surrounding};
use serde::{Deserialize, Serialize};
use solver::Unknown;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Loss {
    /// A symbolic value was made concrete.
    Concretised(Concretised),
    /// The solver could not say whether there are such inputs.
    Undecided(Unknown),
    /// It could not say whether there are inputs within the bound on their size.
    NotWithinSizeBound,
    /// A run ended although the program did not.
    Stopped(Stop),
    /// A run failed for the lack of something that nobody started or configured.
    Missing(Missing),
    /// All runs ended there, and nothing behind it was reached.
    AllEndAt(Obstacle),
    /// The program asked for something that is no input.
    DependsOn(Surrounding),
    /// Something that is declared could not be followed.
    Specification(Limit),
    /// The bound on the size of inputs ([`crate::Settings::size_bound`]).
    SizeBound,
    /// An exception is meant with some data only: with other data it was not looked for.
    SomeExpected,
    /// A path has more decisions than are kept.
    LongPath,
    /// Inputs of which no value can be made.
    NoInputs,
    /// The memory of the whole command is used up ([`crate::Ended::OutOfMemory`]).
    TotalMemory,
    /// There were more candidates than memory for them.
    CandidatesDropped,
    /// Our run is too long, but the real runtime ends on the same input.
    OnlySlowHere,
    /// This solver called a query unsatisfiable that is not.
    WrongRefutation { solver: String },
    /// A run did not take the path that was predicted.
    Diverged,
    /// A run took another path when it was made once more.
    NotRepeated,
    /// A failure did not show itself without shadows.
    NotReproduced,
    /// The record of a run was dropped while it was needed.
    Forgotten,
}

impl Loss {
    /// Whether it can only come from a mistake of ours.
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
