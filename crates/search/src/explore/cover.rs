//! Determines what is new about a path.

use super::Explorer;
use crate::records::Path;
use crate::trie::Side;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

impl Explorer<'_> {
    /// Counts a path. Returns the occurrence of each decision's site, and whether there was something new.
    pub(super) fn cover(&mut self, taken: &[Side], path: &Path) -> (Vec<u8>, bool) {
        self.coverage.begin_path();
        let mut new = false;
        let is_client = self.unit.contract.client.is_some();
        let mut occurrences = Vec::with_capacity(taken.len());
        for (step, event) in taken.iter().zip(&path.events) {
            if !self.coverage.is_known(step.site) {
                let place = self.trie.sites().site(step.site).place;
                let module = self.runner.executor.module_of(place);
                let user = module.is_some_and(|module| self.unit.user_modules.contains(&module));
                self.coverage.add_site(step.site, user);
            }
            let (occurrence, first) = self.coverage.meet(*step, event.ways());
            occurrences.push(occurrence);
            // The actions of function inputs are always new, so they do not count; only new behaviour of the unit does.
            new |= first && !is_client && !self.trie.sites().site(step.site).place.is_of_function_inputs();
        }
        if is_client {
            new = self.is_new_conversation(taken, path);
        }
        (occurrences, new)
    }

    /// Returns whether a client did something for the first time, or for the first time after its previous step. A step
    /// is identified by its move and the branches of the user's code that it took: a call that takes the same branches
    /// as an earlier one is not new.
    fn is_new_conversation(&mut self, taken: &[Side], path: &Path) -> bool {
        let (mut new, mut before, mut now) = (false, 0, 0);
        for (step, event) in taken.iter().zip(&path.events) {
            if event.probes(step.way) {
                new |= self.conversations.insert((before, now));
                (before, now) = (now, FxBuildHasher.hash_one((u64::MAX, step.way)));
            } else if self.coverage.is_user(step.site) {
                now = FxBuildHasher.hash_one((now, step.site, step.way));
            }
        }
        self.conversations.insert((before, now)) || new
    }
}
