//! Modules that processes load, and the processes that wait for them.

use super::World;
use term::Atom;

/// The progress of loading a module with an effect in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    Running,
    Done,
    /// It could not be loaded. The next call tries again.
    Failed,
}

/// A module that is being loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loading {
    pub module: Atom,
    /// The number of the process that loads it, on the stacks of the one that waits for it.
    loader: u64,
    /// The number of the process that waits for it.
    waiting: u64,
    /// The number of outer loads that wait for it on the same stacks.
    pub depth: usize,
}

impl World {
    /// Begins to load a module by the process `loader`, while the process `waiting` waits.
    pub fn begin_load(&mut self, module: Atom, loader: u64, waiting: u64) {
        let depth = self.load_of(waiting).map_or(0, |outer| outer.depth + 1);
        self.loads.insert(module, Load::Running);
        self.loading.push(Loading { module, loader, waiting, depth });
    }

    /// Ends the load of a process. Returns the process that waited for it.
    pub fn end_load(&mut self, loader: u64) -> Option<u64> {
        let index = self.loading.iter().position(|load| load.loader == loader)?;
        for number in std::mem::take(&mut self.awaiting_loads) {
            self.wake(number);
        }
        Some(self.loading.remove(index).waiting)
    }

    /// Lets a process wait until another one has loaded a module.
    pub(crate) fn await_load(&mut self, number: u64) {
        self.awaiting_loads.push(number);
    }

    /// Returns the load that a process is doing.
    pub(crate) fn load_of(&self, loader: u64) -> Option<Loading> {
        self.loading.iter().find(|load| load.loader == loader).copied()
    }

    /// Returns whether a process is loading a module.
    pub fn is_loading(&self, number: u64) -> bool {
        self.load_of(number).is_some()
    }
}
