//! What a run decided and why: the recorded branches and the losses.

use formula::{Formulas, TermId};

/// A place in compiled code where a decision is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The function's number in the machine.
    pub function: u32,
    pub instruction: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// `condition` held. Its negation is the other way.
    Branch { site: Site, condition: TermId },
    /// A symbolic value was made concrete.
    Concretised { site: Site, why: &'static str },
}

/// Off unless the run has symbolic inputs.
#[derive(Default)]
pub struct Recorder {
    pub formulas: Formulas,
    pub events: Vec<Event>,
}

impl Recorder {
    pub fn branch(&mut self, site: Site, formula: TermId, held: bool) {
        let condition = if held { formula } else { self.formulas.not(formula) };
        self.events.push(Event::Branch { site, condition });
    }

    pub fn concretised(&mut self, site: Site, why: &'static str) {
        self.events.push(Event::Concretised { site, why });
    }
}
