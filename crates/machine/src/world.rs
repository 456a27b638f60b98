//! The processes of a run and what they share.
//!
//! Terms never change, so all processes of a run share one heap: sending a message copies nothing. A process that does
//! not run keeps its stacks here, cut to the used part, with the place at which it continues.
//!
//! **Which process runs** is decided at *scheduling points*: where a process waits, where it has used up its slice of
//! calls, and before each *visible operation*, which is one that another process could notice or change. A visible
//! operation declares its [`Footprint`] before it is done ([`crate::Context::visible`]); until it is, it is pending. By
//! default, a process runs until it waits, and the others follow in the order in which they became ready. A signal that
//! ends a process gives it a turn, too; at its turn, a process handles such signals before anything else ([`Fatal`]).
//!
//! **Identities** are numbered by what their creator has made before, so that they do not depend on the order in which
//! processes ran.

mod asking;
mod digest;
mod loading;
mod process;
mod snapshot;

pub use loading::Load;
pub(crate) use loading::Loading;
pub(crate) use process::Saved;
pub use process::{Fatal, History, Process, Status};
pub(crate) use snapshot::Snapshot;

use crate::compile::Code;
use crate::language::LanguageState;
use crate::value::{Collector, Word};
use path::{ProcessId, ProcessName, Raised};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use term::{Atom, FunctionName, Term};

/// The abnormal end of a process.
#[derive(Clone, Debug)]
pub struct End {
    pub number: u64,
    /// The exception that ended it.
    pub raised: Option<Raised>,
    /// The process whose exit signal ended it.
    pub killer: Option<u64>,
}

/// Something that several processes can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// Whether a process is alive, and its other observable properties.
    Life(u64),
    Mailbox(u64),
    Name(Atom),
    /// A table as a whole.
    Table(u64),
    /// The entry of a table under a key, identified by a hash of the key. Operations whose keys depend on the inputs
    /// touch the whole table.
    Entry(u64, u64),
    Timer(u64),
    /// State of the language that has no parts here: the environment of applications, persistent terms, arrays.
    Shared(&'static str),
}

impl Object {
    /// Returns whether an operation on one of them may touch the other.
    pub fn overlaps(self, other: Object) -> bool {
        match (self, other) {
            (Object::Table(whole), Object::Entry(table, _)) | (Object::Entry(table, _), Object::Table(whole)) => {
                whole == table
            }
            (one, other) => one == other,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    Read,
    Write,
}

/// The objects that a visible operation touches. Two operations of different processes depend on each other if they
/// touch objects that overlap and one of them writes.
pub type Footprint<'a> = &'a [(Object, Access)];

/// Returns whether the order of two operations of different processes can make a difference.
pub fn are_dependent(one: Footprint<'_>, other: Footprint<'_>) -> bool {
    let clash = |(object, access): &(Object, Access), (second, other): &(Object, Access)| {
        object.overlaps(*second) && (*access == Access::Write || *other == Access::Write)
    };
    one.iter().any(|touched| other.iter().any(|second| clash(touched, second)))
}

/// The choice of the process that continues at a scheduling point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Policy {
    /// The running process, until it waits.
    #[default]
    RunToBlock,
    /// A process that a random number generator with this state picks.
    Random(u64),
}

/// The state that all processes of a run share. Deterministic: time passes only when no process can run.
pub struct World {
    /// Nanoseconds since the start of the run.
    pub time: u64,
    /// The number of the next process of the run, in the order of their start.
    next_id: u32,
    /// The latest of the unique integers that are ordered.
    pub next_monotonic: u64,
    /// The number of stack traces that the program was given: they show the callers of a call.
    pub traces_shown: u64,
    pub atoms_made: usize,
    /// The modules with an effect when they are loaded, as far as they were called.
    pub loads: FxHashMap<Atom, Load>,
    /// The modules that are being loaded, in the order in which that began.
    loading: Vec<Loading>,
    /// The numbers of processes that called a module which another process is loading.
    awaiting_loads: Vec<u64>,
    /// All processes except the running one, by the numbers of their pids.
    processes: FxHashMap<u64, Box<Process>>,
    /// The numbers of the processes that can run or that a signal ends, in the order of their turns. Some may have
    /// ended since.
    ready: VecDeque<u64>,
    /// The times at which processes stop waiting, with their numbers. Some may have been woken since.
    deadlines: BTreeSet<(u64, u64)>,
    /// The numbers of the processes for which that time depends on the inputs.
    symbolic_sleepers: FxHashSet<u64>,
    /// The numbers that were given to processes for which their creator's number has no room.
    hashed_numbers: FxHashSet<u64>,
    /// The latest abnormal ends of processes.
    ends: VecDeque<End>,
    /// The crash that is reported if the main process has none.
    pub failure: Option<Raised>,
    /// Whether the main process is a client. Then failures that only it notices have not been handled.
    pub has_client: bool,
    /// The number of visible operations.
    operations: u64,
    pub(crate) policy: Policy,
    /// The number of the primitive call that may do its visible operations.
    granted: u64,
    /// The process that last asked before a visible operation, if processes ask.
    asked_last: Option<u64>,
    /// Tables and similar state that the language needs.
    pub state: Box<dyn LanguageState>,
}

/// The greatest number of processes that a run may have at the same time.
pub(crate) const MOST_PROCESSES: usize = 100_000;
/// The number of abnormal ends that are kept.
const MOST_ENDS: usize = 256;

/// The base of the numbers of processes, which have one digit for each generation.
const CHILDREN: u64 = 1 << 12;
/// The bound of the numbers of descendants up to the third generation. All other numbers are between it and twice as
/// much.
const HASHED: u64 = 1 << 40;
/// The bits of a reference's number that count the references of its creator.
const REFERENCE_BITS: u32 = 22;

impl World {
    /// The smallest number of a process that was started by another one.
    pub const FIRST_CHILD: u64 = CHILDREN;

    pub(crate) fn new(state: Box<dyn LanguageState>) -> World {
        World {
            time: 0,
            next_id: 1,
            next_monotonic: 0,
            traces_shown: 0,
            atoms_made: 0,
            loads: FxHashMap::default(),
            loading: Vec::new(),
            awaiting_loads: Vec::new(),
            processes: FxHashMap::default(),
            ready: VecDeque::new(),
            deadlines: BTreeSet::new(),
            symbolic_sleepers: FxHashSet::default(),
            hashed_numbers: FxHashSet::default(),
            ends: VecDeque::new(),
            failure: None,
            has_client: false,
            operations: 0,
            policy: Policy::RunToBlock,
            granted: 0,
            asked_last: None,
            state,
        }
    }

    /// Prepares the world for the next run.
    pub(crate) fn reset(&mut self, state: Box<dyn LanguageState>) {
        let policy = self.policy;
        *self = World::new(state);
        self.policy = policy;
    }

    /// Makes a copy with the same words, in which nothing has failed yet.
    fn duplicate(&self) -> World {
        World {
            time: self.time,
            next_id: self.next_id,
            next_monotonic: self.next_monotonic,
            traces_shown: self.traces_shown,
            atoms_made: self.atoms_made,
            loads: self.loads.clone(),
            loading: self.loading.clone(),
            awaiting_loads: self.awaiting_loads.clone(),
            processes: self.processes.iter().map(|(number, kept)| (*number, Box::new(kept.duplicate()))).collect(),
            ready: self.ready.clone(),
            deadlines: self.deadlines.clone(),
            symbolic_sleepers: self.symbolic_sleepers.clone(),
            hashed_numbers: self.hashed_numbers.clone(),
            ends: VecDeque::new(),
            failure: None,
            has_client: false,
            operations: self.operations,
            policy: self.policy,
            granted: 0,
            asked_last: self.asked_last,
            state: self.state.duplicate(),
        }
    }

    /// Returns whether no other process can run.
    pub fn is_alone(&self) -> bool {
        self.ready.is_empty()
    }

    /// Returns whether several processes can have the next turn.
    pub(crate) fn has_choice(&self) -> bool {
        self.ready.len() > 1
    }

    /// Returns whether any process was started in this run.
    pub fn has_started_processes(&self) -> bool {
        self.next_id > 1
    }

    /// Returns a process that does not run, by the number of its pid.
    pub fn process(&self, number: u64) -> Option<&Process> {
        self.processes.get(&number).map(|process| &**process)
    }

    pub fn process_mut(&mut self, number: u64) -> Option<&mut Process> {
        self.processes.get_mut(&number).map(|process| &mut **process)
    }

    /// Returns the numbers of all processes that do not run, in the order in which they were started.
    pub fn others(&self) -> Vec<u64> {
        let mut all: Vec<(ProcessId, u64)> =
            self.processes.iter().map(|(number, process)| (process.id, *number)).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, number)| number).collect()
    }

    /// Returns the processes that wait for a message with a time limit: those with the earliest limit, or all if it
    /// depends on the inputs which limit is the earliest. They are in the order in which they were started.
    pub fn sleepers(&mut self) -> Vec<&Process> {
        let processes = &self.processes;
        // Entries of processes that a message has woken are removed here.
        while let Some(entry) = self.deadlines.first()
            && sleeper(processes, *entry).is_none()
        {
            self.deadlines.pop_first();
        }
        self.symbolic_sleepers.retain(|number| {
            processes.get(number).is_some_and(|process| process.sleeps() && process.symbolic_deadline.is_some())
        });
        let first = self.deadlines.first().map_or(0, |(deadline, _)| *deadline);
        let last = if self.symbolic_sleepers.is_empty() { first } else { u64::MAX };
        let due = self.deadlines.range(..=(last, u64::MAX));
        let mut all: Vec<&Process> = due.filter_map(|entry| sleeper(processes, *entry)).collect();
        all.sort_unstable_by_key(|process| process.id);
        all
    }

    /// Returns when the first process other than this one stops waiting.
    pub fn next_deadline(&self, except: u64) -> Option<u64> {
        let is_other = |entry: &&(u64, u64)| entry.1 != except && sleeper(&self.processes, **entry).is_some();
        self.deadlines.iter().find(is_other).map(|(deadline, _)| *deadline)
    }

    pub(crate) fn keep(&mut self, process: Box<Process>) {
        let number = process.number();
        if let Some(deadline) = process.receive_deadline.filter(|_| process.sleeps()) {
            self.deadlines.insert((deadline, number));
            if process.symbolic_deadline.is_some() {
                self.symbolic_sleepers.insert(number);
            }
        }
        self.processes.insert(number, process);
    }

    /// Puts aside a process that does not run until it is taken back.
    pub fn put_aside(&mut self, process: Box<Process>) {
        self.keep(process);
    }

    /// Takes a process out of the world, because it ends or runs.
    pub fn take(&mut self, number: u64) -> Option<Box<Process>> {
        self.processes.remove(&number)
    }

    /// Lets a waiting process continue.
    pub fn wake(&mut self, number: u64) {
        if let Some(process) = self.processes.get_mut(&number)
            && process.status == Status::Waiting
        {
            process.status = Status::Ready;
            self.make_ready(number);
        }
    }

    pub(crate) fn make_ready(&mut self, number: u64) {
        self.ready.push_back(number);
    }

    /// Takes the process whose turn it is, and the signal that ends it, if there is one.
    pub(crate) fn next_turn(&mut self) -> Option<(Box<Process>, Option<Fatal>)> {
        if let Some(index) = self.first_before_operations() {
            self.ready.swap(0, index);
        } else if let Policy::Random(state) = &mut self.policy
            && self.ready.len() > 1
        {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            let index = *state as usize % self.ready.len();
            self.ready.swap(0, index);
        }
        while let Some(number) = self.ready.pop_front() {
            let Some(process) = self.processes.get(&number) else { continue };
            let fatal = process.fatal.first().copied();
            let has_turn = match process.status {
                Status::Ready => true,
                Status::Waiting | Status::Done => fatal.is_some(),
                // While a module is loaded for it, its stacks are in use: it ends afterwards.
                Status::Suspended => false,
            };
            if has_turn {
                let process = self.processes.remove(&number);
                return process.map(|mut process| {
                    process.turns = process.turns.saturating_add(1);
                    process.is_yielding = false;
                    (process, fatal)
                });
            }
        }
        None
    }

    /// Returns the number of processes that are alive, without the running one.
    pub fn count(&self) -> usize {
        self.processes.len()
    }

    pub(crate) fn new_id(&mut self) -> ProcessId {
        self.next_id += 1;
        ProcessId(self.next_id - 1)
    }

    /// Returns the pid number of a process's next child. Later children have larger numbers, and children larger ones
    /// than their parents.
    pub fn child_number(&mut self, parent: u64, history: &mut History) -> u64 {
        history.children += 1;
        let index = history.children;
        // The main process counts as the first one.
        let digits = if parent == Term::OWN_PID { 1 } else { parent };
        let number = digits.saturating_mul(CHILDREN).saturating_add(index);
        if index < CHILDREN && number < HASHED && digits < HASHED {
            return number;
        }
        let mixed = (parent ^ index.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut number = HASHED + (mixed >> 24) % HASHED;
        while !self.hashed_numbers.insert(number) {
            number = HASHED + (number + 1) % HASHED;
        }
        number
    }

    /// Returns the number of the next reference that a process makes; those of the main process are counted from 1.
    pub fn reference_number(process: &mut Process) -> u64 {
        process.history.references += 1;
        let owner = if process.id == ProcessId::MAIN { 0 } else { process.number() };
        (owner << REFERENCE_BITS).wrapping_add(process.history.references)
    }

    /// Returns whether the process that runs, or another one of the run, has made the reference with this number.
    pub fn is_reference_of_run(process: &Process, number: u64) -> bool {
        number >> REFERENCE_BITS != 0 || (1..=process.history.references).contains(&number)
    }

    /// Returns the next integer of a process that is unique, but not ordered.
    pub fn unique_number(process: &mut Process) -> u64 {
        process.history.integers += 1;
        let owner = if process.id == ProcessId::MAIN { 0 } else { process.number() };
        // Unique integers are small on the BEAM.
        ((owner << REFERENCE_BITS) & ((1 << 58) - 1)).wrapping_add(process.history.integers)
    }

    pub fn record_end(&mut self, end: End) {
        if self.ends.len() == MOST_ENDS {
            self.ends.pop_front();
        }
        self.ends.push_back(end);
    }

    /// Returns the exception that led to the end of a process through the processes that it was linked to.
    pub fn origin(&self, number: u64) -> Option<&Raised> {
        let mut number = number;
        for _ in 0..MOST_ENDS {
            let end = self.ends.iter().rev().find(|end| end.number == number)?;
            match (&end.raised, end.killer) {
                (Some(raised), _) => return Some(raised),
                (None, Some(killer)) => number = killer,
                (None, None) => return None,
            }
        }
        None
    }

    /// Returns whether a process was ended by an exception of its own.
    pub fn raised_itself(&self, number: u64) -> bool {
        self.ends.iter().rev().find(|end| end.number == number).is_some_and(|end| end.raised.is_some())
    }

    /// Returns the latest exception that ended a process.
    pub fn last_raised(&self) -> Option<&Raised> {
        self.ends.iter().rev().find_map(|end| end.raised.as_ref())
    }

    /// Returns the number of visible operations.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    pub(crate) fn bytes(&self) -> usize {
        let processes: usize = self.processes.values().map(|process| process.bytes()).sum();
        let numbers = self.ready.capacity() + 4 * self.deadlines.len() + 2 * self.hashed_numbers.capacity();
        processes + numbers * size_of::<u64>() + self.state.bytes()
    }

    pub(crate) fn roots(&mut self, collector: &mut Collector<'_>) {
        for process in self.processes.values_mut() {
            process.roots(collector);
        }
        self.state.roots(collector);
    }
}

/// Returns the process of an entry among the deadlines, unless it no longer waits for that time.
fn sleeper(processes: &FxHashMap<u64, Box<Process>>, (deadline, number): (u64, u64)) -> Option<&Process> {
    let process = processes.get(&number).map(|process| &**process);
    process.filter(|process| process.sleeps() && process.receive_deadline == Some(deadline))
}

impl crate::Context {
    /// Announces a visible operation before it is done. The primitive must return an `Escape::Yield`: then another
    /// process goes first, and the operation is announced again.
    pub fn visible(&mut self, footprint: Footprint<'_>) -> Result<(), crate::Escape> {
        // A grant applies to all visible operations of one primitive call.
        let is_granted = std::mem::replace(&mut self.process.is_granted, false);
        if is_granted {
            self.world.granted = self.calls_of_primitives;
        }
        if self.world.is_alone() {
            self.world.operations += 1;
            return Ok(());
        }
        self.recorder.has_choice = true;
        if is_granted || self.world.granted == self.calls_of_primitives {
            self.world.operations += 1;
            return Ok(());
        }
        match &mut self.world.policy {
            Policy::RunToBlock => {
                self.world.operations += 1;
                Ok(())
            }
            Policy::Random(_) => {
                self.process.pending.clear();
                self.process.pending.extend_from_slice(footprint);
                self.process.is_granted = true;
                Err(crate::Escape::Yield)
            }
        }
    }

    /// Lets the running process do its next visible operation before others have a turn.
    pub fn grant_next(&mut self) {
        self.process.is_granted = true;
    }

    /// Returns the running process or another one, by the number of its pid.
    pub fn process_of(&mut self, number: u64) -> Option<&mut Process> {
        if self.process.number() == number { Some(&mut self.process) } else { self.world.process_mut(number) }
    }

    /// Records that a signal that ends a process has reached it. It is handled at the next turn of that process; the
    /// running one continues until it waits or has used up its slice.
    pub fn send_fatal(&mut self, number: u64, fatal: Fatal) {
        let is_running = self.process.number() == number;
        let Some(process) = self.process_of(number) else { return };
        let has_turn = !process.fatal.is_empty() || process.status == Status::Ready && !is_running;
        if process.fatal.iter().all(|other| (other.sender, other.by_link) != (fatal.sender, fatal.by_link)) {
            process.fatal.push(fatal);
        }
        if has_turn {
            return;
        }
        let was_alone = self.world.is_alone();
        self.world.make_ready(number);
        if was_alone {
            // From now on, calls are counted in slices.
            self.take_fuel();
        }
    }

    /// Puts a message into a mailbox. Returns whether the process exists.
    pub fn deliver(&mut self, number: u64, message: Word) -> bool {
        match self.process_of(number) {
            Some(process) => {
                process.mailbox.push_back(message);
                self.world.wake(number);
                true
            }
            None => false,
        }
    }

    /// Returns the function in which a process waits.
    pub fn function_of_waiting(&self, number: u64) -> Option<FunctionName> {
        let saved = &self.world.process(number)?.saved;
        // SAFETY: saved stacks point to live code.
        let code = unsafe { saved.code.as_ref() }.filter(|code| code.function != Code::BOOT)?;
        let (module, id) = self.program.function(code.shown_as);
        let function = module.function(id);
        let arity = function.arity + function.captures;
        Some(FunctionName { module: module.name, function: function.name, arity })
    }

    /// Returns the name of a process in reports.
    pub fn name_of(&mut self, number: u64) -> ProcessName {
        let registered = self.language.registered_name(self, number);
        let initial = self.language.initial_call(self, number);
        match self.process_of(number) {
            Some(process) => ProcessName { id: process.id, initial: initial.or(process.initial), registered },
            None => ProcessName::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Object, are_dependent};

    #[test]
    fn operations_on_different_keys_are_independent() {
        let write = |object| [(object, Access::Write)];
        let read = |object| [(object, Access::Read)];
        let (one, other, whole) = (Object::Entry(1, 7), Object::Entry(1, 8), Object::Table(1));
        assert!(are_dependent(&write(one), &read(one)) && !are_dependent(&read(one), &read(one)));
        assert!(!are_dependent(&write(one), &write(other)) && !are_dependent(&write(one), &read(Object::Entry(2, 7))));
        assert!(are_dependent(&write(one), &read(whole)) && are_dependent(&write(whole), &read(one)));
        assert!(!are_dependent(&write(one), &write(Object::Table(2))));
    }
}
