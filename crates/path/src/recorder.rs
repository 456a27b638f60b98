//! Writes down the path of a run.

use crate::event::{Event, Ways};
use crate::loss::Concretised;
use crate::site::{Place, Site};
use crate::surrounding::Surrounding;
use formula::{Formulas, TermId};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use term::Term;

/// Writes down what a run decides. Every decision belongs to the place that was entered last.
#[derive(Default)]
pub struct Recorder {
    pub formulas: Formulas,
    pub events: Vec<Event>,
    /// Decisions that follow belong here.
    place: Place,
    /// How many of them there were.
    part: u32,
    /// Values of the symbolic keys that were put into symbolic maps: a lookup compares with them.
    pub keys: FxHashMap<TermId, Term>,
    /// Values of the symbolic sizes of what bitstrings were built of.
    pub sizes: FxHashMap<TermId, i64>,
    /// Is the formula of the result wanted?
    pub wants_result: bool,
    /// What values came from that are no inputs and not the same everywhere.
    pub surroundings: Vec<Surrounding>,
    /// That formula; none if the run did not return or the result has no formula.
    pub result: Option<TermId>,
}

impl Recorder {
    /// The decisions that follow are taken there.
    pub fn enter(&mut self, place: Place) {
        (self.place, self.part) = (place, 0);
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
        if ways.meets(kinds) {
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
    pub fn concretised(&mut self, why: Concretised) {
        self.events.push(Event::Concretised { site: self.site(), why });
    }

    /// A value comes from there.
    pub fn asks(&mut self, surrounding: Surrounding) {
        if !self.surroundings.contains(&surrounding) {
            self.surroundings.push(surrounding);
        }
    }

    /// Where the next decision is numbered.
    pub fn part(&self) -> u32 {
        self.part
    }

    /// The next decision is asked at the same place as another: a loop asks again what it asked before.
    pub fn ask_again(&mut self, part: u32) {
        self.part = part;
    }

    fn site(&self) -> Site {
        Site { place: self.place, part: self.part }
    }

    fn next_site(&mut self) -> Site {
        let site = self.site();
        self.part += 1;
        site
    }
}
