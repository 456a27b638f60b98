//! Who goes on where processes ask before they do what others could notice: see `beagle_conductor.erl`.

use super::{Policy, Process, Status, World};

/// A process that has had so many turns and did nothing that others could notice does not hold them up any longer.
const MOST_TURNS: u32 = 256;

impl World {
    /// Where processes ask before they do what others could notice, the place among those that are ready of the one whose
    /// turn comes before all others: one that a signal ends, else one that has not come to its next operation, else, if
    /// nobody goes first by chance, the one that did the last operation.
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
    /// From now on, an operation that others could notice is done when everybody else has come to the next one, waits or
    /// has ended. `Escape::Yield` is to be returned: others go first, and the operation is asked for again.
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
