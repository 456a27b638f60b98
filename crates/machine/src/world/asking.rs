//! The order of turns if processes ask before visible operations: see `beagle_conductor.erl`.

use super::{Policy, Process, Status, World};

/// The number of turns without a visible operation after which a process no longer delays those of others.
const MOST_TURNS: u32 = 256;

impl World {
    /// Returns the index, among those that are ready, of the process whose turn comes before all others, if processes ask
    /// before visible operations. That is one that a signal ends, otherwise one that has not reached its next
    /// operation, otherwise, unless the policy is random, the one that did the last operation.
    pub(super) fn first_before_operations(&self) -> Option<usize> {
        let asked_last = self.asked_last?;
        let find = |is_meant: &dyn Fn(&Process) -> bool| {
            self.ready.iter().position(|number| self.processes.get(number).is_some_and(|process| is_meant(process)))
        };
        find(&|process| !process.fatal.is_empty() && process.status != Status::Suspended)
            .or_else(|| {
                let is_held_up = |process: &Process| process.is_asking || process.is_yielding;
                find(&|process| process.status == Status::Ready && !is_held_up(process) && process.turns < MOST_TURNS)
            })
            .or_else(|| match self.policy {
                Policy::RunToBlock => find(&|process| process.number() == asked_last && !process.is_yielding),
                Policy::Random(_) => None,
            })
    }
}

impl crate::Context {
    /// Delays visible operations from now on until every other process has reached its next one, waits or has ended. The primitive must return an `Escape::Yield`: then others go first, and the operation is asked for again.
    pub fn ask(&mut self) -> Result<(), crate::Escape> {
        let number = self.process.number();
        self.world.asked_last.get_or_insert(number);
        self.process.turns = 0;
        if !self.process.is_asking && !self.world.is_alone() {
            self.process.is_asking = true;
            return Err(crate::Escape::Yield);
        }
        self.process.is_asking = false;
        self.world.asked_last = Some(number);
        self.world.operations += 1;
        self.grant_next();
        Ok(())
    }
}
