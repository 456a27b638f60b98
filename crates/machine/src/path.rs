//! What a run decided and why: the recorded decisions and the losses.
//!
//! A decision is a place and the way taken there. Runs with the same decisions so far are in the same
//! state up to values: that is what the search relies on, so whatever depends on a shadow is recorded,
//! and *what* is asked next depends on the decisions so far alone, never on a value. So a size is
//! counted up to, not named.

use crate::surrounding::Surrounding;
use formula::{Constant, Constants, Formulas, Kinds, TermId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use term::{Atom, Term};

/// A place in compiled code where a decision is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site {
    /// The function's number in the machine.
    pub function: u32,
    pub instruction: u32,
    /// The how-manieth decision inside the instruction: one may take several.
    pub part: u32,
}

/// What the tree of decisions is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Decision {
    pub site: Site,
    pub way: u32,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// Two ways: 1 where `formula` held, 0 where it did not.
    Branch { site: Site, formula: TermId, held: bool },
    /// One way for each of `ways`, and the last one for what is in none of them.
    Switch { site: Site, subject: TermId, way: u32, ways: Arc<Ways> },
    /// One way for each condition, of which one holds: which entry of a table an observation is, or that it is
    /// a new one.
    Lookup { site: Site, way: u32, ways: Arc<[TermId]> },
    /// One of `options` was taken without asking any value.
    /// Those among `probes` let a function input call another function.
    Choice { site: Site, chosen: u32, options: u32, probes: Range<u32> },
    /// A symbolic value was made concrete.
    Concretised { site: Site, why: Loss },
}

/// What made a symbolic value concrete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// A native function without meaning.
    Row { module: &'static str, name: &'static str, arity: u32 },
    /// A function that the real runtime evaluates.
    Foreign { module: Atom, function: Atom, arity: u32 },
    /// Something that the machine itself does.
    Machine(&'static str),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Row { module: "", name, arity } => write!(f, "{name}/{arity}"),
            Loss::Row { module, name, arity } => write!(f, "{module}:{name}/{arity}"),
            Loss::Foreign { module, function, arity } => write!(f, "{module}:{function}/{arity}"),
            Loss::Machine(what) => f.write_str(what),
        }
    }
}

/// The terms that take one way of a switch. No term takes two.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// Atoms, small integers, `[]`.
    pub constants: Option<Arc<Constants>>,
    pub cons: bool,
    /// Tuples of these sizes.
    pub tuples: Vec<u32>,
}

/// All ways of a switch but the last one, which is for what is in none of them.
#[derive(Debug)]
pub struct Ways {
    ways: Box<[Way]>,
    /// What takes any of them.
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

    /// Can a term of these kinds take it?
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

    /// How many ways there are.
    pub fn ways(&self) -> u32 {
        match self {
            Event::Branch { .. } => 2,
            Event::Switch { ways, .. } => ways.len() as u32 + 1,
            Event::Lookup { ways, .. } => ways.len() as u32,
            Event::Choice { options, .. } => *options,
            Event::Concretised { .. } => 0,
        }
    }

    /// Does a way let a function input call another function?
    pub fn probes(&self, way: u32) -> bool {
        matches!(self, Event::Choice { probes, .. } if probes.contains(&way))
    }

    /// When a way is taken.
    pub fn condition(&self, way: u32, formulas: &mut Formulas) -> TermId {
        match self {
            Event::Branch { formula, .. } => match way {
                0 => formulas.not(*formula),
                _ => *formula,
            },
            Event::Switch { subject, ways, .. } => match ways.get(way as usize) {
                Some(way) => way.condition(formulas, *subject),
                None => {
                    let any = ways.any.condition(formulas, *subject);
                    formulas.not(any)
                }
            },
            Event::Lookup { ways, .. } => match ways.get(way as usize) {
                Some(condition) => *condition,
                None => formulas.boolean(false),
            },
            Event::Choice { .. } | Event::Concretised { .. } => formulas.boolean(true),
        }
    }
}

/// Writes down what a run decides. Every decision belongs to the place that was entered last.
#[derive(Default)]
pub struct Recorder {
    pub formulas: Formulas,
    pub events: Vec<Event>,
    here: Site,
    /// Values of the symbolic keys that were put into symbolic maps: a lookup compares with them.
    pub(crate) keys: FxHashMap<TermId, Term>,
    /// Values of the symbolic sizes of what bitstrings were built of.
    pub(crate) sizes: FxHashMap<TermId, i64>,
    /// Is the formula of the result wanted?
    pub wants_result: bool,
    /// What values came from that are no inputs and not the same everywhere.
    pub surroundings: Vec<Surrounding>,
    /// That formula; none if the run did not return or the result has no formula.
    pub result: Option<TermId>,
}

impl Recorder {
    /// The decisions that follow are those of one instruction, or of what has a number like one.
    pub fn enter(&mut self, function: u32, instruction: u32) {
        self.here = Site { function, instruction, part: 0 };
    }

    /// A decision for `held`. Nothing is recorded of what no input can change.
    pub fn branch(&mut self, formula: TermId, held: bool) {
        if self.formulas.as_boolean(formula).is_none() {
            let site = self.next_site();
            self.events.push(Event::Branch { site, formula, held });
        }
    }

    pub fn switch(&mut self, subject: TermId, way: u32, ways: &Arc<Ways>) {
        let kinds = self.formulas.kinds(subject);
        if ways.any.meets(kinds) {
            let site = self.next_site();
            self.events.push(Event::Switch { site, subject, way, ways: Arc::clone(ways) });
        }
    }

    /// Which of the conditions held. Nothing is recorded of what no input can change.
    pub fn lookup(&mut self, way: u32, ways: &[TermId]) {
        let open = |condition: &&TermId| self.formulas.as_boolean(**condition) != Some(false);
        if ways.iter().filter(open).count() > 1 {
            let site = self.next_site();
            self.events.push(Event::Lookup { site, way, ways: ways.into() });
        }
    }

    pub fn choice(&mut self, chosen: u32, options: u32, probes: Range<u32>) {
        if options > 1 {
            let site = self.next_site();
            self.events.push(Event::Choice { site, chosen, options, probes });
        }
    }

    /// It is no decision: those that follow are numbered as if it were not there.
    pub fn concretised(&mut self, why: Loss) {
        self.events.push(Event::Concretised { site: self.here, why });
    }

    /// A value comes from there.
    pub fn asks(&mut self, surrounding: Surrounding) {
        if !self.surroundings.contains(&surrounding) {
            self.surroundings.push(surrounding);
        }
    }

    /// Where the next decision is numbered.
    pub(crate) fn part(&self) -> u32 {
        self.here.part
    }

    /// The next decision is asked at the same place as another: a loop asks again what it asked before.
    pub(crate) fn ask_again(&mut self, part: u32) {
        self.here.part = part;
    }

    fn next_site(&mut self) -> Site {
        let site = self.here;
        self.here.part += 1;
        site
    }
}
