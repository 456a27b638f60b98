//! A search for a place in the code instead of failures.

use path::{InputValue, Mark, Marks, SitePlace, Witness};
use std::fmt;
use std::sync::Arc;

/// The marks of which a run must reach one, and what is known of the way there.
#[derive(Clone)]
pub struct Goal {
    pub marks: Arc<[Mark]>,
    /// The distance of a decision in the code from the goal: 0 in the function of the goal, 1 in the functions that
    /// call it, and so on. `None` if no way leads there.
    pub distance: Arc<Distance>,
    /// Whether distances decide what is tried first. Searches without this are made for comparison.
    pub is_guiding: bool,
}

type Distance = dyn Fn(&SitePlace) -> Option<u32> + Send + Sync;

impl fmt::Debug for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Goal").field("marks", &self.marks).finish_non_exhaustive()
    }
}

impl Goal {
    pub fn is_met(&self, marks: &Marks) -> bool {
        self.marks.iter().any(|mark| marks.contains(mark))
    }
}

/// A run that met the goal.
#[derive(Clone, Debug)]
pub struct Reached {
    pub inputs: Vec<InputValue>,
    /// The functions in the inputs.
    pub functions: Arc<Witness>,
    /// The marks that the run reached, up to the first one of the goal.
    pub trail: Vec<Mark>,
    /// The number of the run.
    pub runs: u64,
}
