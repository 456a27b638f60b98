//! Runs that start in the state in which another one has come to rest.

use super::{Process, Status, World};
use crate::value::Frozen;

/// The world after the setups of a run, from which every run starts. Its words are in memory of their own, which is
/// neither collected nor changed, like that of literals.
pub(crate) struct Snapshot {
    process: Process,
    world: World,
    /// The number of pids, references and ports that were made.
    identities: u64,
    /// Keeps the words valid.
    _memory: Frozen,
}

impl Snapshot {
    /// Takes a snapshot of a run that has come to rest: no stacks are in use except those that processes keep.
    pub fn take(context: &mut crate::Context) -> std::io::Result<Snapshot> {
        let identities = context.heap.identities();
        let mut process = context.process.duplicate();
        let mut world = context.world.duplicate();
        // SAFETY: all words that are read later are those of the snapshot, which are shown: the run is over, and the
        // next one begins with a new heap.
        let memory = unsafe {
            context.heap.freeze(|collector| {
                process.roots(collector);
                world.roots(collector);
            })?
        };
        Ok(Snapshot { process, world, identities, _memory: memory })
    }

    /// Puts a context that was reset into the state of the snapshot.
    pub fn restore(&self, context: &mut crate::Context) {
        *context.process = self.process.duplicate();
        context.process.status = Status::Ready;
        let policy = context.world.policy;
        context.world = self.world.duplicate();
        // The policy is set for each run.
        context.world.policy = policy;
        context.heap.set_identities(self.identities);
    }
}
