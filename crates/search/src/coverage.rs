//! Records what was seen of the program: the sides of the user's decisions for the report, and sides by their
//! occurrence on the path for the order of the search.

use crate::trie::Side;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub struct Coverage {
    sites: Vec<SiteInfo>,
    taken: FxHashSet<Side>,
    covered: usize,
    branches: usize,
    sides: FxHashMap<(Side, u8), u32>,
    /// Number of times that each side was seen.
    seen: Vec<u32>,
    /// The number of the current path.
    path: u32,
}

#[derive(Clone, Copy, Default)]
struct SiteInfo {
    known: bool,
    user: bool,
    ways: u32,
    /// Number of times that the site was met on the path with the number `path`.
    met: u32,
    path: u32,
}

/// The number of occurrences on a path that are distinguished. This makes loops and repeated calls progress.
const OCCURRENCES: u32 = 16;

impl Coverage {
    /// Begins another path. Called before its decisions are met.
    pub fn begin_path(&mut self) {
        self.path += 1;
    }

    pub fn is_known(&self, site: u32) -> bool {
        self.sites.get(site as usize).is_some_and(|info| info.known)
    }

    /// Adds a site. Called before its first decision.
    pub fn add_site(&mut self, site: u32, user: bool) {
        if self.sites.len() <= site as usize {
            self.sites.resize(site as usize + 1, SiteInfo::default());
        }
        let info = &mut self.sites[site as usize];
        info.known = true;
        info.user = user;
    }

    /// Returns the index of this occurrence of the site on the path, and whether this side is new with this index.
    pub fn meet(&mut self, step: Side, ways: u32) -> (u8, bool) {
        let info = &mut self.sites[step.site as usize];
        if info.path != self.path {
            (info.path, info.met) = (self.path, 0);
        }
        let occurrence = info.met.min(OCCURRENCES) as u8;
        info.met += 1;
        let user = info.user;
        if user && ways > info.ways {
            self.branches += (ways - info.ways) as usize;
            info.ways = ways;
        }
        if user && self.taken.insert(step) {
            self.covered += 1;
        }
        let side = self.side(step, occurrence);
        let seen = &mut self.seen[side as usize];
        *seen = seen.saturating_add(1);
        (occurrence, *seen == 1)
    }

    pub fn side(&mut self, step: Side, occurrence: u8) -> u32 {
        let next = self.seen.len() as u32;
        let side = *self.sides.entry((step, occurrence)).or_insert(next);
        if side == next {
            self.seen.push(0);
        }
        side
    }

    pub fn seen(&self, side: u32) -> u32 {
        self.seen.get(side as usize).copied().unwrap_or(0)
    }

    /// Returns whether this is a side in the user's code that no path took.
    pub fn is_missing(&self, step: Side) -> bool {
        self.is_user(step.site) && !self.taken.contains(&step)
    }

    /// Returns the sides of the user's code that no path took.
    pub fn missing_sides(&self) -> impl Iterator<Item = u32> {
        self.sides.iter().filter(|((step, _), _)| self.is_missing(*step)).map(|(_, side)| *side)
    }

    pub fn is_user(&self, site: u32) -> bool {
        self.sites.get(site as usize).is_some_and(|info| info.user)
    }

    /// Returns the numbers of the sites in the user's code, with the number of sides of each.
    pub fn user_sites(&self) -> impl Iterator<Item = (u32, u32)> {
        let users = self.sites.iter().enumerate().filter(|(_, info)| info.known && info.user);
        users.map(|(number, info)| (number as u32, info.ways))
    }

    pub fn branches(&self) -> usize {
        self.branches
    }

    pub fn covered(&self) -> usize {
        self.covered
    }
}
