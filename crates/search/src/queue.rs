//! The candidates that are still to be tried, in the order of the strategy, with a fair share for the oldest.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// An alternative to try at a decision of a run. It is small because there are millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub run: u32,
    /// The index of the decision in the path of the run.
    pub decision: u32,
    pub way: Way,
    /// The branch side that it would take, which determines its cost.
    pub side: u32,
    /// The additional cost.
    pub extra: u16,
    /// Number of calls of other functions that function inputs make up to there.
    pub probes: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// This side.
    Other(u32),
    /// The alternatives from this index on, one by one. Used for decisions with very many sides.
    From(u32),
    /// This side, whatever was decided before.
    Leap(u32),
    /// The same inputs with more steps.
    Longer,
}

#[derive(Default)]
pub struct Queue {
    /// The candidates by age. The slots of those that were taken are empty.
    slots: VecDeque<Option<Candidate>>,
    /// The number of the first slot.
    first: u64,
    order: BinaryHeap<Reverse<(u64, u64)>>,
    live: usize,
    picks: u64,
}

/// One of this many picks is the oldest candidate.
const OLDEST_EVERY: u64 = 4;

impl Queue {
    pub fn len(&self) -> usize {
        self.live
    }

    /// Adds a candidate. `rank` gets its number; the candidate with the lowest rank is taken first.
    pub fn push(&mut self, candidate: Candidate, rank: impl FnOnce(u64) -> u64) {
        let number = self.first + self.slots.len() as u64;
        self.slots.push_back(Some(candidate));
        self.order.push(Reverse((rank(number), number)));
        self.live += 1;
    }

    /// Takes the next candidate. `rank` is evaluated again, because what was new when a candidate was added may be old
    /// now: a candidate whose rank has become worse goes back to the queue.
    pub fn pop(&mut self, rank: impl Fn(&Candidate, u64) -> u64) -> Option<Candidate> {
        self.picks += 1;
        if self.picks.is_multiple_of(OLDEST_EVERY) {
            while let Some(slot) = self.slots.pop_front() {
                self.first += 1;
                if slot.is_some() {
                    self.live -= 1;
                    return slot;
                }
            }
            return None;
        }
        while let Some(Reverse((ranked, number))) = self.order.pop() {
            let Some(slot) = number.checked_sub(self.first).and_then(|index| self.slots.get_mut(index as usize)) else {
                continue;
            };
            let Some(candidate) = *slot else { continue };
            let now = rank(&candidate, number);
            if now > ranked {
                self.order.push(Reverse((now, number)));
                continue;
            }
            *slot = None;
            self.live -= 1;
            self.forget_taken();
            return Some(candidate);
        }
        None
    }

    /// Returns all waiting candidates.
    pub fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.slots.iter().flatten()
    }

    fn forget_taken(&mut self) {
        while let Some(None) = self.slots.front() {
            self.slots.pop_front();
            self.first += 1;
        }
    }

    /// Keeps the best `keep` candidates and passes the others to `drop`.
    pub fn cut(&mut self, keep: usize, rank: impl Fn(&Candidate, u64) -> u64, mut drop: impl FnMut(Candidate)) {
        let first = self.first;
        let mut ranked: Vec<(u64, u64)> = Vec::with_capacity(self.live);
        for (index, slot) in self.slots.iter().enumerate() {
            if let Some(candidate) = slot {
                let number = first + index as u64;
                ranked.push((rank(candidate, number), number));
            }
        }
        ranked.sort_unstable();
        for (_, number) in ranked.drain(keep.min(ranked.len())..) {
            if let Some(candidate) = self.slots.get_mut((number - first) as usize).and_then(Option::take) {
                self.live -= 1;
                drop(candidate);
            }
        }
        self.order = ranked.into_iter().map(Reverse).collect();
        self.forget_taken();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(extra: u16) -> Candidate {
        Candidate { run: 0, decision: 0, way: Way::Other(1), side: 0, extra, probes: 0 }
    }

    fn rank(candidate: &Candidate, _: u64) -> u64 {
        u64::from(candidate.extra)
    }

    fn queue(costs: &[u16]) -> Queue {
        let mut queue = Queue::default();
        for cost in costs {
            queue.push(candidate(*cost), |_| u64::from(*cost));
        }
        queue
    }

    fn costs(mut queue: Queue) -> Vec<u16> {
        std::iter::from_fn(|| queue.pop(rank)).map(|candidate| candidate.extra).collect()
    }

    #[test]
    fn the_cheapest_first_and_every_fourth_the_oldest() {
        assert_eq!(costs(queue(&[9, 5, 3, 4, 1, 2, 6])), [1, 2, 3, 9, 4, 5, 6]);
    }

    #[test]
    fn equals_in_order_of_age() {
        let mut queue = Queue::default();
        for run in 0..3 {
            queue.push(Candidate { run, ..candidate(1) }, |_| 1);
        }
        let runs: Vec<u32> = std::iter::from_fn(|| queue.pop(rank)).map(|candidate| candidate.run).collect();
        assert_eq!(runs, [0, 1, 2]);
    }

    #[test]
    fn one_that_became_worse_waits() {
        let mut queue = queue(&[1, 2]);
        let worse = |candidate: &Candidate, _: u64| if candidate.extra == 1 { 7 } else { u64::from(candidate.extra) };
        assert_eq!(queue.pop(worse).map(|candidate| candidate.extra), Some(2));
        assert_eq!(queue.pop(worse).map(|candidate| candidate.extra), Some(1));
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn the_worst_are_cut() {
        let mut queue = queue(&[4, 1, 3, 2]);
        let mut dropped = Vec::new();
        queue.cut(2, rank, |candidate| dropped.push(candidate.extra));
        assert_eq!(dropped, [3, 4]);
        assert_eq!(queue.len(), 2);
        assert_eq!(costs(queue), [1, 2]);
    }
}
