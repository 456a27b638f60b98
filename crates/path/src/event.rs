//! The decisions of a run.
//!
//! A decision is a site and the side (`way`) taken there. The search relies on this: runs with the same decisions so
//! far are in the same state up to values. So everything that depends on a shadow is recorded, and *which* condition is
//! recorded next depends only on the decisions so far, never on a value. For example, a size is decided by counting up
//! to it, not by its number.

use crate::loss::Concretised;
use crate::site::Site;
use formula::{Constant, Constants, Formulas, Kinds, TermId};
use std::ops::Range;
use std::sync::Arc;

/// A step in the tree of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Decision {
    pub site: Site,
    pub way: u32,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// Two sides: 1 if `formula` held, 0 if it did not.
    Branch { site: Site, formula: TermId, held: bool },
    /// One side for each of `ways`, and a last one for all other terms.
    Switch { site: Site, subject: TermId, way: u32, ways: Arc<Ways> },
    /// One side for each condition, exactly one of which holds: the entry of a table that matches an observation, or
    /// that the observation is new.
    Lookup { site: Site, way: u32, ways: Arc<[TermId]> },
    /// One of `options` was chosen without any condition. With the options in `probes`, a function input calls another
    /// function.
    Choice { site: Site, chosen: u32, options: u32, probes: Range<u32> },
    /// A symbolic value was made concrete.
    Concretised { site: Site, why: Concretised },
}

/// The terms that take one side of a switch. No term takes two sides.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// Atoms, small integers, `[]`.
    pub constants: Option<Arc<Constants>>,
    pub cons: bool,
    /// Tuples of these sizes.
    pub tuples: Vec<u32>,
}

/// All sides of a switch except the last one, which is for the remaining terms.
#[derive(Debug)]
pub struct Ways {
    ways: Box<[Way]>,
    /// The terms that take any of these sides.
    any: Way,
}

impl Ways {
    pub fn shared(ways: impl IntoIterator<Item = Way>) -> Arc<Ways> {
        let ways: Box<[Way]> = ways.into_iter().collect();
        let constants = ways.iter().filter_map(|way| way.constants.as_ref()).flat_map(|constants| constants.iter());
        let any = Way {
            cons: ways.iter().any(|way| way.cons),
            tuples: ways.iter().flat_map(|way| way.tuples.iter().copied()).collect(),
            ..Way::of(constants.cloned())
        };
        Arc::new(Ways { ways, any })
    }

    /// Returns the condition under which a side is taken.
    pub fn condition(&self, way: u32, formulas: &mut Formulas, subject: TermId) -> TermId {
        match self.ways.get(way as usize) {
            Some(way) => way.condition(formulas, subject),
            None => {
                let any = self.any.condition(formulas, subject);
                formulas.not(any)
            }
        }
    }

    /// Returns whether a term of these kinds can take any of them.
    pub(crate) fn meets(&self, kinds: Kinds) -> bool {
        self.any.meets(kinds)
    }
}

impl std::ops::Deref for Ways {
    type Target = [Way];
    fn deref(&self) -> &[Way] {
        &self.ways
    }
}

impl Way {
    pub fn of(constants: impl IntoIterator<Item = Constant>) -> Way {
        let constants = Constants::shared(constants);
        Way { constants: (!constants.is_empty()).then_some(constants), ..Way::default() }
    }

    /// Returns whether a term of these kinds can take this side.
    fn meets(&self, kinds: Kinds) -> bool {
        let constant = |constants: &Arc<Constants>| {
            let integers = !constants.ranges().is_empty() && kinds.meets(Kinds::INTEGER);
            integers || constants.others().iter().any(|constant| Kinds::of(&constant.0).meets(kinds))
        };
        self.constants.as_ref().is_some_and(constant)
            || self.cons && kinds.meets(Kinds::CONS)
            || !self.tuples.is_empty() && kinds.meets(Kinds::TUPLE)
    }

    pub fn condition(&self, formulas: &mut Formulas, subject: TermId) -> TermId {
        let mut condition = formulas.boolean(false);
        if let Some(constants) = &self.constants {
            condition = formulas.one_of(subject, Arc::clone(constants));
        }
        if self.cons {
            let cons = formulas.kind(subject, Kinds::CONS);
            condition = formulas.or(condition, cons);
        }
        for size in &self.tuples {
            let tuple = formulas.tuple_of(subject, *size);
            condition = formulas.or(condition, tuple);
        }
        condition
    }
}

impl Event {
    pub fn decision(&self) -> Option<Decision> {
        match *self {
            Event::Branch { site, held, .. } => Some(Decision { site, way: u32::from(held) }),
            Event::Switch { site, way, .. } | Event::Lookup { site, way, .. } => Some(Decision { site, way }),
            Event::Choice { site, chosen, .. } => Some(Decision { site, way: chosen }),
            Event::Concretised { .. } => None,
        }
    }

    /// Returns the number of sides.
    pub fn ways(&self) -> u32 {
        match self {
            Event::Branch { .. } => 2,
            Event::Switch { ways, .. } => ways.len() as u32 + 1,
            Event::Lookup { ways, .. } => ways.len() as u32,
            Event::Choice { options, .. } => *options,
            Event::Concretised { .. } => 0,
        }
    }

    /// Returns whether a function input calls another function on this side.
    pub fn probes(&self, way: u32) -> bool {
        matches!(self, Event::Choice { probes, .. } if probes.contains(&way))
    }

    /// Returns the condition under which a side is taken.
    pub fn condition(&self, way: u32, formulas: &mut Formulas) -> TermId {
        match self {
            Event::Branch { formula, .. } => match way {
                0 => formulas.not(*formula),
                _ => *formula,
            },
            Event::Switch { subject, ways, .. } => ways.condition(way, formulas, *subject),
            Event::Lookup { ways, .. } => match ways.get(way as usize) {
                Some(condition) => *condition,
                None => formulas.boolean(false),
            },
            Event::Choice { .. } | Event::Concretised { .. } => formulas.boolean(true),
        }
    }
}
