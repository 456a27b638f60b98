//! The losses of a run, from which a search does not learn: values that were made concrete, and values from the
//! surroundings.
//!
//! The losses of a run on the runtime are those of the run that is rebuilt from its log. Both executors lose the same,
//! unless the program had results from outside, which only one of them has.

use path::{Concretised, Decision, Event, Surrounding};
use std::collections::BTreeSet;

/// The decisions and losses of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) concretised: BTreeSet<Concretised>,
    pub(crate) surroundings: BTreeSet<Surrounding>,
}

/// Something that only one executor lost or decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Lost {
    Concretised(Concretised),
    Surrounding(Surrounding),
    /// The index of the first decision that differs.
    Decision(usize),
}

impl Losses {
    pub fn of(events: &[Event], surroundings: &[Surrounding]) -> Losses {
        let concretised = events.iter().filter_map(|event| match event {
            Event::Concretised { why, .. } => Some(*why),
            Event::Branch { .. } | Event::Switch { .. } | Event::Lookup { .. } | Event::Choice { .. } => None,
        });
        Losses {
            decisions: events.iter().filter_map(Event::decision).collect(),
            concretised: concretised.collect(),
            surroundings: surroundings.iter().copied().collect(),
        }
    }

    /// Returns the first loss that only one of the runs has, and whether it is in this one.
    pub fn difference(&self, theirs: &Losses) -> Option<(Lost, bool)> {
        let concretised = || difference(&self.concretised, &theirs.concretised, Lost::Concretised);
        let surroundings = || difference(&self.surroundings, &theirs.surroundings, Lost::Surrounding);
        let decision = || {
            let index = self.decisions.iter().zip(&theirs.decisions).position(|(ours, theirs)| ours != theirs);
            let common = self.decisions.len().min(theirs.decisions.len());
            let is_same = self.decisions.len() == theirs.decisions.len();
            let index = index.or((!is_same).then_some(common))?;
            Some((Lost::Decision(index), index < self.decisions.len()))
        };
        concretised().or_else(surroundings).or_else(decision)
    }
}

fn difference<T: Copy + Ord>(ours: &BTreeSet<T>, theirs: &BTreeSet<T>, lost: fn(T) -> Lost) -> Option<(Lost, bool)> {
    ours.symmetric_difference(theirs).next().map(|what| (lost(*what), ours.contains(what)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use path::Site;

    #[test]
    fn what_only_one_executor_lost_is_a_difference() {
        let losses = |surroundings: &[Surrounding]| Losses::of(&[], surroundings);
        let time = losses(&[Surrounding::Time]);
        assert_eq!(time.difference(&time), None);
        assert_eq!(time.difference(&losses(&[])), Some((Lost::Surrounding(Surrounding::Time), true)));
        let both = losses(&[Surrounding::Time, Surrounding::Outside]);
        assert_eq!(time.difference(&both), Some((Lost::Surrounding(Surrounding::Outside), false)));
    }

    #[test]
    fn decisions_are_compared_in_order() {
        let decisions = |ways: &[u32]| {
            let decisions = ways.iter().map(|way| Decision { site: Site::default(), way: *way }).collect();
            Losses { decisions, ..Losses::default() }
        };
        assert_eq!(decisions(&[1, 0]).difference(&decisions(&[1, 0])), None);
        assert_eq!(decisions(&[1, 0]).difference(&decisions(&[1, 1])), Some((Lost::Decision(1), true)));
        assert_eq!(decisions(&[1]).difference(&decisions(&[1, 1])), Some((Lost::Decision(1), false)));
    }
}
