//! The first runs of a search.

use super::observe::Recording;
use super::obstacle::Ends;
use super::recheck::Refutations;
use super::{Explorer, Purpose};
use crate::coverage::Coverage;
use crate::queue::Queue;
use crate::records::Records;
use crate::runner::Inputs;
use crate::trie::Trie;
use crate::{Ended, Loss};
use term::{Atom, Term};

impl Explorer<'_> {
    /// Runs the first inputs: the given ones, then the smallest.
    pub(super) fn begin(&mut self) -> Option<Ended> {
        let settings = self.settings;
        for seed in &settings.seeds {
            match self.seed(seed) {
                Some(inputs) => self.run(inputs, settings.steps, Purpose::default()),
                None => self.exploration.rejected_seeds += 1,
            }
            if let Some(ended) = self.must_end() {
                return Some(ended);
            }
        }
        self.run_choices(&[], None, Purpose::default());
        None
    }

    /// Begins the search again with processes that may be registered under this name. What is registered is a choice
    /// that precedes all decisions of the runs so far. Their findings are kept.
    pub(super) fn begin_again(&mut self, name: Atom) {
        self.runner.play_name(name);
        self.trie = Trie::default();
        self.queue = Queue::default();
        self.records = Records::default();
        self.coverage = Coverage::default();
        self.leaps.clear();
        self.preferred.clear();
        self.refutations = Refutations::new(self.settings.seed);
        self.ends = Ends::default();
        self.states.clear();
        self.conversations.clear();
        self.recording = self.recording.take().map(Recording::begin_again);
        self.distances.clear();
        self.sides.begin_again();
        let known = std::mem::take(&mut self.exploration);
        self.exploration.findings = known.findings;
        self.exploration.runs = known.runs;
        self.exploration.queries = known.queries;
        self.exploration.native = known.native;
        self.exploration.unsat = known.unsat;
        self.exploration.expected = known.expected;
        self.exploration.losses = known.losses;
        self.exploration.losses.retain(|loss, _| matches!(loss, Loss::Specification(_)));
        self.cuts = 0;
        self.begin();
    }

    /// Returns the seed as inputs of the first clause that accepts it.
    pub(super) fn seed(&mut self, args: &[Term]) -> Option<Inputs> {
        let types = &self.unit.contract.types;
        (0..self.unit.contract.clauses.len() as u32).find_map(|clause| {
            let form = self.runner.form(&[clause]);
            let values = form.values_of(types, args)?;
            Some(Inputs::new(form, values))
        })
    }
}
