//! Processes: the state of each process, and their effects on each other.
//!
//! The machine schedules them (`machine::World`). This module has what makes a process in Erlang: links, monitors,
//! flags, a name, a group leader ([`ProcessState`]), and the effects of signals. Signals arrive at once, and end a
//! process at its next turn; that is one of the orders in which they could arrive on the BEAM.

mod dictionary;
mod info;
mod messages;
mod monitors;
mod names;
mod signals;
mod spawn;
mod system;
#[cfg(test)]
mod tests;
pub(crate) mod timers;

pub(crate) use info::{initial_call, on_stack};
pub(super) use messages::{Destination, destination};
pub(crate) use monitors::Alias;
pub(super) use names::asks_about;
pub(crate) use signals::{exit_reason, first_raised, is_abnormal, process_ended, waits_for};
pub(crate) use system::{can_start, note_report, start_first};

use super::unsupported;
use machine::value::Collector;
use machine::{Context, Kind, LanguageState, Primitive, Process, StatePart, Word, World};
use monitors::Monitor;
use path::Surrounding;
use std::any::Any;
use term::{Atom, Term};

pub(super) const TABLES: &[&[Primitive]] = &[
    dictionary::ROWS,
    info::ROWS,
    messages::ROWS,
    monitors::ROWS,
    names::ROWS,
    signals::ROWS,
    spawn::ROWS,
    spawn::INTERNAL_ROWS,
    info::INTERNAL_ROWS,
    timers::ROWS,
];

/// Rows for calls whose result is not used: they do the same, but do not depend on the previous value.
pub(super) const UNREAD: &[&[Primitive]] = &[dictionary::UNREAD, info::UNREAD, timers::UNREAD];

/// Rows that only the prelude calls.
pub(super) const OWN_TABLES: &[&[Primitive]] = &[spawn::OWN_ROWS];

/// The number of the process that output would be sent to. It exists, but is not run.
pub(super) const GROUP_LEADER: u64 = 64;

/// Erlang's part of the state of a process.
#[derive(Clone)]
pub struct ProcessState {
    /// The flag `trap_exit`, and flags that are only remembered and have no effect here.
    pub flags: Flags,
    /// A map whose keys are those that were erased from the process dictionary; `None` at the beginning.
    erased_keys: Option<Word>,
    /// Whether the dictionary contains only what the run put there.
    pub is_dictionary_emptied: bool,
    /// Whether it runs `-on_load` of a module, or was started by a process that does.
    pub is_of_load: bool,
    /// Whether it replaces a process of the system, or has such a process as its ancestor.
    pub is_of_system: bool,
    /// The processes that it is linked to, in the order of linking.
    links: Vec<u64>,
    /// The monitors that it has made and that have not reported yet.
    monitors: Vec<Monitor>,
    /// The processes that monitor it, each with the number of the monitor's reference.
    monitored_by: Vec<(u64, u64)>,
    /// The number of subscriptions to messages about nodes, for each set of options.
    node_monitors: Vec<(info::NodeNews, i64)>,
    name: Option<Atom>,
    leader: u64,
    parent: Option<u64>,
    /// The function that it was started with, as the BEAM shows it.
    initial_call: Option<(Atom, Atom, u32)>,
}

impl Default for ProcessState {
    fn default() -> ProcessState {
        ProcessState {
            flags: Flags::default(),
            erased_keys: None,
            is_dictionary_emptied: false,
            is_of_load: false,
            is_of_system: false,
            links: Vec::new(),
            monitors: Vec::new(),
            monitored_by: Vec::new(),
            node_monitors: Vec::new(),
            name: None,
            leader: GROUP_LEADER,
            parent: None,
            initial_call: None,
        }
    }
}

impl ProcessState {
    /// Returns the state of the running process.
    pub fn own(context: &mut Context) -> &mut ProcessState {
        ProcessState::of(&mut context.process)
    }

    pub fn of(process: &mut Process) -> &mut ProcessState {
        process.own.as_any().downcast_mut().expect("the state was made by `ERLANG`")
    }

    pub fn name(&self) -> Option<Atom> {
        self.name
    }

    /// Returns the state of any process of the run, if it is alive.
    fn find(context: &mut Context, number: u64) -> Option<&mut ProcessState> {
        context.process_of(number).map(ProcessState::of)
    }

    fn traps_exits(&self) -> bool {
        self.flags.get(Atom::new("trap_exit")) == Some(Word::TRUE)
    }
}

// SAFETY: `roots` shows every field that holds words.
unsafe impl LanguageState for ProcessState {
    fn roots(&mut self, collector: &mut Collector<'_>) {
        self.flags.roots(collector);
        collector.roots(&mut self.erased_keys);
        self.monitors.iter_mut().for_each(|monitor| monitor.roots(collector));
    }

    fn visit(&mut self, _: u64, see: &mut dyn FnMut(StatePart<'_>)) {
        self.flags.visit(see);
        see(StatePart::Number(self.links.len() as u64));
        self.links.iter().for_each(|number| see(StatePart::Number(*number)));
        see(StatePart::Number(self.monitors.len() as u64));
        self.monitors.iter().for_each(|monitor| see(StatePart::Number(monitor.reference)));
    }

    fn bytes(&self) -> usize {
        size_of::<ProcessState>()
            + self.links.capacity() * size_of::<u64>()
            + self.monitors.capacity() * size_of::<Monitor>()
            + self.monitored_by.capacity() * size_of::<(u64, u64)>()
    }

    fn duplicate(&self) -> Box<dyn LanguageState> {
        Box::new(self.clone())
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

/// The flags of a process.
#[derive(Clone, Default)]
pub struct Flags {
    values: Vec<(Atom, Word)>,
}

impl Flags {
    fn roots(&mut self, collector: &mut Collector<'_>) {
        collector.roots(self.values.iter_mut().map(|(_, value)| value));
    }

    fn visit(&self, see: &mut dyn FnMut(StatePart<'_>)) {
        see(StatePart::Number(self.values.len() as u64));
        for (flag, value) in &self.values {
            see(StatePart::Fixed(Word::atom(*flag)));
            see(StatePart::Fixed(*value));
        }
    }

    fn get(&self, flag: Atom) -> Option<Word> {
        self.values.iter().find(|(name, _)| *name == flag).map(|(_, value)| *value)
    }

    fn set(&mut self, flag: Atom, value: Word) {
        self.values.retain(|(name, _)| *name != flag);
        self.values.push((flag, value));
    }
}

/// Returns whether it is the pid of the running process.
fn is_self(context: &Context, pid: Word) -> bool {
    pid.is_kind(Kind::Pid) && pid.identity() == context.process.number()
}

/// Returns whether a process of the run has this number and is alive.
fn is_alive(context: &Context, number: u64) -> bool {
    context.process.number() == number || context.world.process(number).is_some()
}

/// Returns whether the run has not given this pid to a process: then a process outside of the run may have it.
fn is_foreign(number: u64) -> bool {
    number != Term::OWN_PID && number < World::FIRST_CHILD
}

/// Returns whether the run itself has started the process.
pub(super) fn is_own(context: &mut Context, number: u64) -> bool {
    !is_foreign(number) && !ProcessState::find(context, number).is_some_and(|process| process.is_of_system)
}

/// Returns whether the run has started a process with this number besides the main process. Nobody else knows it before.
pub(super) fn is_child(context: &mut Context, number: u64) -> bool {
    number != Term::OWN_PID && is_own(context, number)
}

/// Records that the running process inspects another process, or sends it something, unless the run itself has started
/// that process: the state of other processes depends on the system. Processes that replace those of the system may use
/// each other freely, since they work only because the run has called one of them.
fn looks_at(context: &mut Context, number: u64) {
    if !is_own(context, number) && !ProcessState::own(context).is_of_system {
        context.asks(Surrounding::Processes);
    }
}

/// Returns whether a process replaces one of the system, and the running process does not.
pub(super) fn is_of_system(context: &mut Context, number: u64) -> bool {
    ProcessState::find(context, number).is_some_and(|process| process.is_of_system)
        && !ProcessState::own(context).is_of_system
}

/// Returns the pid of a process, whether it is alive or not.
fn pid_of(context: &mut Context, number: u64) -> Word {
    match context.process_of(number) {
        Some(process) => process.pid,
        None => context.heap.identity(Kind::Pid, number),
    }
}

/// Returns the group leader of the running process.
pub(super) fn group_leader_of(context: &mut Context) -> Word {
    let leader = ProcessState::own(context).leader;
    pid_of(context, leader)
}

pub(super) fn new_reference(context: &mut Context) -> Word {
    let number = World::reference_number(&mut context.process);
    context.heap.identity(Kind::Reference, number)
}
