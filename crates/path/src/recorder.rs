//! The recorder of a run's path.

use crate::clauses::Clauses;
use crate::event::{Event, Ways};
use crate::loss::Concretised;
use crate::mark::Marks;
use crate::schedule::Turns;
use crate::site::{Place, Site};
use crate::surrounding::Surrounding;
use crate::trace::Trace;
use formula::{Formulas, Operator, TermId, Test};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use term::Term;

/// Records the decisions of a run. Every decision belongs to the place that was entered last.
#[derive(Default)]
pub struct Recorder {
    /// The number of messages that the main process left in its mailbox when it returned.
    pub messages_left: usize,
    /// The number of errors that were reported to the logger.
    pub error_reports: u64,
    /// Whether processes were started. They took their turns in one of many possible orders.
    pub has_processes: bool,
    /// Whether at some point several processes could have continued.
    pub has_choice: bool,
    /// Whether functions were made as inputs.
    pub has_function_inputs: bool,
    pub formulas: Formulas,
    pub events: Vec<Event>,
    /// The place of the decisions that follow.
    place: Place,
    /// Index of the next decision at this place.
    part: u32,
    /// Values of the symbolic keys that were put into symbolic maps. Lookups compare with them.
    pub keys: FxHashMap<TermId, Term>,
    /// Values of the symbolic sizes of bitstring segments that were built.
    pub sizes: FxHashMap<TermId, i64>,
    /// Whether the formula of the result is wanted.
    pub wants_result: bool,
    /// Numbers for the states that the steps of a client led to, equal for equal states.
    pub states: Vec<u64>,
    /// The surroundings that values of the run came from.
    pub surroundings: Vec<Surrounding>,
    /// The marks in the code that the run reached.
    pub marks: Marks,
    /// The operations of processes, as far as their code is conducted.
    pub turns: Turns,
    /// The trace that instrumented code reported.
    pub trace: Trace,
    /// The clauses that processes chose, in code with events, and the starts and ends of processes.
    pub clauses: Clauses,
    /// The outcomes of the decisions so far about the shapes of terms, by their conditions without negations.
    decided: FxHashMap<TermId, bool>,
    /// The formula of the result. `None` if the run did not return or the result has no formula.
    pub result: Option<TermId>,
}

impl Recorder {
    /// Sets the place of the decisions that follow.
    pub fn enter(&mut self, place: Place) {
        (self.place, self.part) = (place, 0);
    }

    /// Records a branch, unless no input can change it, or it is about the shape of a term and follows from earlier
    /// decisions.
    pub fn branch(&mut self, formula: TermId, held: bool) {
        if self.formulas.as_boolean(formula).is_none() && self.is_new(formula, held) {
            let site = self.next_site();
            self.events.push(Event::Branch { site, formula, held });
        }
    }

    pub fn switch(&mut self, subject: TermId, way: u32, ways: &Arc<Ways>) {
        if !ways.meets(self.formulas.kinds(subject)) {
            return;
        }
        let event = Event::Switch { site: self.site(), subject, way, ways: Arc::clone(ways) };
        let condition = event.condition(way, &mut self.formulas);
        if self.formulas.as_boolean(condition) != Some(true) && self.is_new(condition, true) {
            self.part += 1;
            self.events.push(event);
        }
    }

    /// Returns whether a condition is undecided here, and assumes its outcome from now on.
    fn is_new(&mut self, condition: TermId, held: bool) -> bool {
        let (condition, held) = match *self.formulas.operator(condition) {
            Operator::Test(Test::Not(inner)) => (inner, !held),
            _ => (condition, held),
        };
        if self.formulas.is_about_shape(condition) && self.decided.insert(condition, held) == Some(held) {
            return false;
        }
        self.formulas.assume(condition, held);
        true
    }

    /// Returns the decisions, with formulas in which any decision may be changed.
    pub fn into_path(self) -> (Formulas, Vec<Event>) {
        let Recorder { mut formulas, events, .. } = self;
        formulas.forget_assumptions();
        (formulas, events)
    }

    /// Records which of the conditions held. A lookup that no input can change is not recorded.
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

    /// Records a loss. It is not a decision, so it does not affect the numbering of decisions.
    pub fn concretised(&mut self, why: Concretised) {
        self.events.push(Event::Concretised { site: self.site(), why });
    }

    /// Records that a value comes from the surroundings.
    pub fn asks(&mut self, surrounding: Surrounding) {
        if !self.surroundings.contains(&surrounding) {
            self.surroundings.push(surrounding);
        }
    }

    /// Returns the index of the next decision at the current place.
    pub fn part(&self) -> u32 {
        self.part
    }

    /// Sets the index of the next decision to that of an earlier one, because a loop decides the same thing again.
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
