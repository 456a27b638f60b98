//! Second opinions on queries that the SMT solver called unsatisfiable. A model is evaluated before it is believed, but
//! the absence of a model cannot be checked by evaluation. So a search that would claim to have decided everything
//! first has another solver answer some of these queries.

use super::{Explorer, Purpose};
use crate::Loss;
use crate::queue::{Candidate, Way};
use crate::runner::{Inputs, Sampler};
use crate::trie::Side;
use rustc_hash::{FxBuildHasher, FxHashSet};
use solver::{Opinion, Query, RefutationId, Refuter};
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

/// The maximum number of refutations that are kept for a second opinion, together with their runs.
const MOST_KEPT: usize = 2_000;
/// The maximum number of refutations that are distinguished. Each one beyond counts as new.
const MOST_KNOWN: usize = 200_000;

/// The refutations of a search. A sample is kept: those that a hash of the seed and their conditions ranks first.
pub(super) struct Refutations {
    seed: u64,
    known: FxHashSet<RefutationId>,
    count: u64,
    /// The kept refutations, with the highest rank on top.
    kept: BinaryHeap<Kept>,
}

struct Kept {
    rank: u64,
    candidate: Candidate,
}

impl Refutations {
    pub fn new(seed: u64) -> Refutations {
        Refutations { seed, known: FxHashSet::default(), count: 0, kept: BinaryHeap::new() }
    }

    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Explorer<'_> {
    pub(super) fn note_refutation(&mut self, refuter: Refuter, candidate: Candidate) {
        let Refuter::Smt(id) = refuter else { return };
        let Refutations { seed, known, count, kept } = &mut self.refutations;
        if known.contains(&id) {
            return;
        }
        if known.len() < MOST_KNOWN {
            known.insert(id);
        }
        *count += 1;
        let rank = FxBuildHasher.hash_one((*seed, id));
        if kept.len() >= MOST_KEPT {
            if kept.peek().is_none_or(|last| last.rank <= rank) {
                return;
            }
            if let Some(last) = kept.pop() {
                self.records.release(last.candidate.run);
            }
        }
        self.records.wait(candidate.run);
        kept.push(Kept { rank, candidate });
    }

    /// Drops the kept refutations when memory is short. They do not get a second opinion.
    pub(super) fn forget_refutations(&mut self) {
        for kept in std::mem::take(&mut self.refutations.kept) {
            self.records.release(kept.candidate.run);
        }
    }

    /// Returns whether the verdict would say that everything was decided.
    pub(super) fn claims_all(&self) -> bool {
        self.exploration.is_exhaustive() || self.exploration.decided_probes().is_some()
    }

    /// Asks for a second opinion on as many refutations as the host allows. If one of them is wrong, or their solver
    /// was wrong elsewhere, records a loss, puts the refuted candidates back into the queue, and returns true.
    pub(super) fn finds_lie(&mut self) -> bool {
        if self.refutations.count == 0 {
            return false;
        }
        let mut liar = self.solver.liar();
        // Even when the time is over, paths may have to be repeated.
        let alarm = self.runner.set_alarm(None);
        let kept = std::mem::take(&mut self.refutations.kept).into_sorted_vec();
        let mut found = None;
        for Kept { candidate, .. } in &kept {
            if liar.is_some() || !self.host.may_recheck(self.exploration.rechecked.asked) {
                break;
            }
            self.exploration.rechecked.asked += 1;
            match self.recheck(*candidate) {
                Heard::Agreement => self.exploration.rechecked.agreed += 1,
                Heard::Nothing => {}
                Heard::Disagreement { liar: name, inputs } => {
                    liar = Some(name);
                    found = Some((*candidate, inputs));
                }
            }
        }
        self.runner.set_alarm(alarm);
        if let Some(liar) = &liar {
            self.lose(Loss::WrongRefutation { solver: liar.clone() });
            if let Some((candidate, inputs)) = found
                && !self.host.out_of_time()
            {
                self.run_found(candidate, inputs);
            }
            kept.iter().for_each(|kept| self.push(kept.candidate));
        }
        kept.iter().for_each(|kept| self.records.release(kept.candidate.run));
        liar.is_some()
    }

    fn recheck(&mut self, candidate: Candidate) -> Heard {
        let (Candidate { run, decision, .. }, Way::Other(way)) = (candidate, candidate.way) else {
            return Heard::Nothing;
        };
        let at = decision as usize;
        let Some(inputs) = self.records.inputs(run) else { return Heard::Nothing };
        let Some(mut path) = self.path(run) else { return Heard::Nothing };
        let Some(event) = path.events.get(at) else { return Heard::Nothing };
        let wanted = event.condition(way, &mut path.formulas);
        self.solver.set_time_left(None);
        let learner = &Sampler::new(&mut self.runner);
        let before = &path.held[..at];
        let query = &mut Query::new(&mut path.formulas, &inputs.values, before, wanted, learner);
        let heard = match self.solver.recheck(query) {
            Opinion::Agrees => Heard::Agreement,
            Opinion::Undecided => Heard::Nothing,
            Opinion::Disagrees { values, liar, .. } => Heard::Disagreement { liar, inputs: inputs.changed(values) },
        };
        self.records.keep_path(run, path, self.path_memory());
        heard
    }

    /// Runs inputs that had been called impossible.
    fn run_found(&mut self, candidate: Candidate, inputs: Inputs) {
        let (Candidate { run, decision, .. }, Way::Other(way)) = (candidate, candidate.way) else { return };
        let mut expected = self.trie.path(run);
        let Some(step) = expected.get(decision as usize).copied() else { return };
        expected.truncate(decision as usize);
        expected.push(Side { way, ..step });
        let record = self.records.get(run);
        let (steps, stale) = (record.steps, record.stale);
        let inputs = inputs.choosing(self.choices(&expected));
        self.run(inputs, steps, Purpose { expected, stale, again: None });
    }
}

/// A second opinion on a refutation.
enum Heard {
    Agreement,
    Nothing,
    Disagreement { liar: String, inputs: Inputs },
}

impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Kept {}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Kept) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kept {
    fn cmp(&self, other: &Kept) -> std::cmp::Ordering {
        self.rank.cmp(&other.rank)
    }
}
