//! What is new about a path.

use super::Explorer;
use crate::records::Path;
use crate::trie::Side;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

impl Explorer<'_> {
    /// Counts a path. Also the occurrence of each decision's site, and whether there was something new.
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
            // What function inputs do is new each time; what counts is whether the unit does something new.
            new |= first && !is_client && !self.trie.sites().site(step.site).place.is_of_function_inputs();
        }
        if is_client {
            new = self.is_new_conversation(taken, path);
        }
        (occurrences, new)
    }

    /// Whether a client has done something for the first time, or for the first time behind what it did before that. What
    /// it did is told by the branches of the user's code: a call that went the same way as the one before is old.
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
