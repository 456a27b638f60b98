//! Modules that processes load, and who waits for them.

use super::World;
use term::Atom;

/// How far a module that does something when it is loaded has come in a run.
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
    /// The number of the process that does it, on the stacks of the one that waits for it.
    loader: u64,
    /// The number of the process that waits for it.
    waiting: u64,
    /// How many other loads wait for it on the same stacks.
    pub depth: usize,
}

impl World {
    /// A module is being loaded from now on, by the process `loader`, while the process `waiting` waits.
    pub fn begin_load(&mut self, module: Atom, loader: u64, waiting: u64) {
        let depth = self.load_of(waiting).map_or(0, |outer| outer.depth + 1);
        self.loads.insert(module, Load::Running);
        self.loading.push(Loading { module, loader, waiting, depth });
    }

    /// A process has loaded what it was to load. Returns the process that waited for it.
    pub fn end_load(&mut self, loader: u64) -> Option<u64> {
        let index = self.loading.iter().position(|load| load.loader == loader)?;
        for number in std::mem::take(&mut self.awaiting_loads) {
            self.wake(number);
        }
        Some(self.loading.remove(index).waiting)
    }

    /// A process waits until another one has loaded a module.
    pub(crate) fn await_load(&mut self, number: u64) {
        self.awaiting_loads.push(number);
    }

    /// What a process loads.
    pub(crate) fn load_of(&self, loader: u64) -> Option<Loading> {
        self.loading.iter().find(|load| load.loader == loader).copied()
    }

    /// Whether a process loads a module.
    pub fn is_loading(&self, number: u64) -> bool {
        self.load_of(number).is_some()
    }
}
