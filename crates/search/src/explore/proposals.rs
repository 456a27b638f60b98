//! Proposals: when a search makes no progress any more, its host may know arguments that take sides which no run took.
//!
//! They are run like seeds, and nothing is concluded from them.

use super::{Explorer, Purpose};
use crate::trie::Side;

/// Runs without anything new after which proposals are asked for.
const STALLED: u64 = 400;
/// Places that are asked about.
const MOST_PLACES: usize = 32;

impl Explorer<'_> {
    /// Whether nothing new was seen for long.
    pub(super) fn is_stalled(&self) -> bool {
        !self.has_proposals && self.exploration.runs >= self.last_new + STALLED
    }

    /// Asks for proposals, once, and runs them. Returns whether there were any.
    pub(super) fn follow_proposals(&mut self) -> bool {
        if std::mem::replace(&mut self.has_proposals, true) {
            return false;
        }
        if self.settings.goal.is_some() || self.unit.contract.client.is_some() {
            return false;
        }
        let sites: Vec<(u32, u32)> = self.coverage.user_sites().collect();
        let is_open =
            |(site, ways): &(u32, u32)| (0..*ways).any(|way| self.coverage.is_missing(Side { site: *site, way }));
        let open: Vec<u32> = sites.iter().filter(|site| is_open(site)).map(|(site, _)| *site).collect();
        let mut places = Vec::new();
        for site in open {
            if let Some(place) = self.runner.executor.place_of(self.trie.sites().site(site))
                && !places.contains(&place)
                && places.len() < MOST_PLACES
            {
                places.push(place);
            }
        }
        if places.is_empty() {
            return false;
        }
        let proposals = self.host.propose(&places);
        let mut is_any = false;
        for args in proposals {
            if self.must_end().is_some() {
                break;
            }
            if let Some(inputs) = self.seed(&args) {
                is_any = true;
                self.run(inputs, self.settings.steps, Purpose::default());
            }
        }
        is_any
    }
}
