//! Sides of the user's branches that no run took. When a search makes no progress any more, or its time is nearly over,
//! it asks the host about each of them. The host may know arguments that take the side, or that none do.
//!
//! Arguments are run like seeds, and nothing is concluded from them. An unreachable side leaves nothing open: an
//! undecided query for it has no solution.

use super::{Explorer, Purpose};
use crate::trie::Side;
use crate::{Loss, MissingSide, Settled};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// Number of runs without anything new after which sides are asked about.
const STALLED: u64 = 400;
/// The part of the time, as a divisor, that is left when sides are asked about.
const LATE: u32 = 4;
/// The maximum number of times that one side is asked about. The first time, other sides may have used up the time.
const MOST_TIMES: u32 = 2;
/// The maximum number of sides that are asked about at once.
const MOST_SIDES: usize = 128;

/// The knowledge about sides that no run took.
#[derive(Default)]
pub(super) struct Sides {
    /// The time for the whole search, if it is limited.
    time: Option<Duration>,
    /// Number of times that each side was asked about.
    asked: FxHashMap<Side, u32>,
    is_asked_late: bool,
    unreachable: FxHashSet<Side>,
    /// The undecided queries for each side.
    undecided: FxHashMap<Side, Vec<Loss>>,
    /// The latest undecided query.
    latest: Option<Loss>,
}

impl Sides {
    pub fn within(time: Option<Duration>) -> Sides {
        Sides { time, ..Sides::default() }
    }

    /// Forgets all sides, for a search that begins again.
    pub fn begin_again(&mut self) {
        *self = Sides::within(self.time);
    }

    pub fn note_undecided(&mut self, loss: &Loss) {
        self.latest = Some(loss.clone());
    }

    /// Assigns the latest undecided query to this side.
    pub fn keep_undecided(&mut self, side: Side) {
        if let Some(loss) = self.latest.take() {
            self.undecided.entry(side).or_default().push(loss);
        }
    }
}

impl Explorer<'_> {
    /// Asks about sides if nothing new was seen for a long time, or if the time is nearly over.
    pub(super) fn settle_when_due(&mut self) {
        let is_stalled = self.sides.asked.is_empty() && self.exploration.runs >= self.last_new + STALLED;
        let is_late = !self.sides.is_asked_late
            && matches!((self.sides.time, self.host.time_left()), (Some(all), Some(left)) if left < all / LATE);
        self.sides.is_asked_late |= is_late;
        if is_stalled || is_late {
            self.settle_sides();
        }
    }

    /// Asks about the sides of the user's code that no run took. Returns whether proposed arguments were run, so that
    /// there may be new candidates.
    pub(super) fn settle_sides(&mut self) -> bool {
        if self.settings.goal.is_some() || self.unit.contract.client.is_some() {
            return false;
        }
        let sites: Vec<(u32, u32)> = self.coverage.user_sites().collect();
        let mut missing: Vec<(Side, MissingSide)> = Vec::new();
        for (site, ways) in sites {
            for way in 0..ways {
                let side = Side { site, way };
                let times = self.sides.asked.get(&side).copied().unwrap_or(0);
                if missing.len() >= MOST_SIDES || !self.coverage.is_missing(side) || times >= MOST_TIMES {
                    continue;
                }
                self.sides.asked.insert(side, times + 1);
                if let Some(question) = self.runner.executor.question(self.trie.sites().site(site)) {
                    missing.push((side, MissingSide { question, way }));
                }
            }
        }
        if missing.is_empty() {
            return false;
        }
        let (sides, asked): (Vec<Side>, Vec<MissingSide>) = missing.into_iter().unzip();
        let mut proposals = Vec::new();
        for (side, settled) in sides.into_iter().zip(self.host.settle(&asked)) {
            let is_settled = !matches!(settled, Settled::Open);
            match settled {
                Settled::Unreachable => drop(self.sides.unreachable.insert(side)),
                Settled::Proposed(args) => proposals.extend(args),
                Settled::Open => {}
            }
            if is_settled {
                self.sides.asked.insert(side, MOST_TIMES);
            }
        }
        self.forgive_undecided();
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

    /// Counts undecided queries for unreachable sides as refuted.
    fn forgive_undecided(&mut self) {
        for side in &self.sides.unreachable {
            for loss in self.sides.undecided.remove(side).unwrap_or_default() {
                self.exploration.unknown = self.exploration.unknown.saturating_sub(1);
                self.exploration.unsat += 1;
                if let Some(times) = self.exploration.losses.get_mut(&loss) {
                    *times -= 1;
                    if *times == 0 {
                        self.exploration.losses.remove(&loss);
                    }
                }
            }
        }
    }

    /// Records an undecided query for a side.
    pub(super) fn keep_undecided(&mut self, side: Side) {
        self.sides.keep_undecided(side);
        if self.sides.unreachable.contains(&side) {
            self.forgive_undecided();
        }
    }

    /// Returns whether it is proved that nothing takes a side.
    pub(super) fn is_unreachable(&self, side: Side) -> bool {
        self.sides.unreachable.contains(&side) && self.coverage.is_missing(side)
    }

    /// Returns the number of sides that are proved unreachable.
    pub(super) fn unreachable_sides(&self) -> usize {
        self.sides.unreachable.iter().filter(|side| self.coverage.is_missing(**side)).count()
    }
}
