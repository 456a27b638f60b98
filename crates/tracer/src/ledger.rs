//! What came of comparing runs.

use crate::compare::{Compared, Difference, Excuse};
use crate::events::Events;
use std::collections::BTreeMap;

/// The runs of one function on both executors.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pub same: u64,
    pub excused: BTreeMap<Excuse, u64>,
    pub differing: u64,
    /// The first run that differs.
    pub first: Option<Differing>,
    /// Runs that took from the runtime's log what our machine cannot do.
    pub rebuilt: u64,
}

/// A run that differs between the executors, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    pub call: String,
    pub how: String,
}

impl Ledger {
    pub(crate) fn note(&mut self, compared: &Compared, differing: impl FnOnce(&Difference) -> Differing) {
        match compared {
            Compared::Same => self.same += 1,
            Compared::Excused(excuse) => *self.excused.entry(*excuse).or_default() += 1,
            Compared::Differs(difference) => {
                self.differing += 1;
                self.first.get_or_insert_with(|| differing(difference));
            }
        }
    }
}

/// How two runs differ, in words. `ours` and `theirs` are how they ended.
pub fn in_words(difference: &Difference, events: &Events, ours: &str, theirs: &str) -> String {
    let place = |event: Option<u64>| match event {
        Some(event) => events.place(event).map_or_else(|| format!("event {event}"), ToString::to_string),
        None => "nothing more".to_string(),
    };
    match difference {
        Difference::Outcome => format!("the machine ends with {ours}, the BEAM with {theirs}"),
        Difference::Event { index, ours, theirs } => {
            format!("event {} is {} on the machine, and {} on the BEAM", index + 1, place(*ours), place(*theirs))
        }
    }
}
