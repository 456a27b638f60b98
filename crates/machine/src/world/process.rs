//! The state of one process.

use super::{Access, Object};
use crate::compile::Code;
use crate::language::LanguageState;
use crate::run::{Frame, show_stack};
use crate::value::{Collector, Kind, Word};
use path::ProcessId;
use std::collections::VecDeque;
use term::FunctionName;

/// A process with everything that belongs to it alone.
pub struct Process {
    pub pid: Word,
    /// The number of its pid. 0 for a placeholder that is no process.
    pub(super) number: u64,
    /// The index in the order in which the processes of the run were started.
    pub id: ProcessId,
    /// The function with which it was started. Unknown for the main process.
    pub initial: Option<FunctionName>,
    /// The process dictionary, which is a map.
    pub dictionary: Word,
    pub mailbox: VecDeque<Word>,
    /// The index of the first message that the current receive has not inspected.
    pub mailbox_cursor: usize,
    /// The virtual time at which the current receive gives up.
    pub receive_deadline: Option<u64>,
    /// The same in milliseconds, if it depends on the inputs.
    pub symbolic_deadline: Option<Word>,
    /// Whether a receive has inspected messages and not ended.
    pub is_receiving: bool,
    pub history: History,
    pub status: Status,
    /// Whether the visible operation that it is about to do has already been announced.
    pub(super) is_granted: bool,
    /// Whether it has asked for its next operation, and waits until every other process has.
    pub(super) is_asking: bool,
    /// Whether it lets others go first once.
    pub is_yielding: bool,
    /// The number of turns since its last operation.
    pub(super) turns: u32,
    /// The footprint of its next operation.
    pub pending: Vec<(Object, Access)>,
    /// The signals that have reached it and end it at its next turn. The first one counts.
    pub fatal: Vec<Fatal>,
    /// The part of its state that only the language knows.
    pub own: Box<dyn LanguageState>,
    pub(crate) saved: Saved,
}

/// The numbers of identities that a process has made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    pub children: u64,
    pub references: u64,
    pub integers: u64,
}

/// A signal that has reached a process and ends it.
#[derive(Clone, Copy, Debug)]
pub struct Fatal {
    pub reason: Word,
    /// The number of the process that it comes from.
    pub sender: u64,
    /// Whether the sender ended and was linked to it. Without the link, the signal has no effect.
    pub by_link: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can run, or runs.
    Ready,
    /// It waits for a message, or for time to pass.
    Waiting,
    /// It is suspended until another one has loaded a module for it.
    Suspended,
    /// It has returned. Only the main process is kept in this state.
    Done,
}

/// The stacks of a process that does not run.
#[derive(Clone)]
pub(crate) struct Saved {
    pub words: Vec<Word>,
    pub frames: Vec<Frame>,
    pub code: *const Code,
    pub pc: u32,
    /// The offset of the slots of the function that continues.
    pub fp: usize,
}

impl Saved {
    const NOTHING: Saved = Saved { words: Vec::new(), frames: Vec::new(), code: std::ptr::null(), pc: 0, fp: 0 };
}

impl Process {
    /// Makes a process that has nothing yet. The dictionary is an empty map.
    pub fn new(pid: Word, dictionary: Word, own: Box<dyn LanguageState>) -> Process {
        Process {
            pid,
            number: if pid.is_kind(Kind::Pid) { pid.identity() } else { 0 },
            id: ProcessId::MAIN,
            initial: None,
            dictionary,
            mailbox: VecDeque::new(),
            mailbox_cursor: 0,
            receive_deadline: None,
            symbolic_deadline: None,
            is_receiving: false,
            history: History::default(),
            status: Status::Ready,
            is_granted: false,
            is_asking: false,
            is_yielding: false,
            turns: 0,
            pending: Vec::new(),
            fatal: Vec::new(),
            own,
            saved: Saved::NOTHING,
        }
    }

    /// Returns the number of its pid.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns whether it continues when time passes, if no message arrives before.
    pub fn sleeps(&self) -> bool {
        self.status == Status::Waiting && self.receive_deadline.is_some()
    }

    /// Ends the current receive: the next one inspects all messages again.
    pub fn leave_receive(&mut self) {
        self.mailbox_cursor = 0;
        self.receive_deadline = None;
        self.symbolic_deadline = None;
        self.is_receiving = false;
    }

    pub(super) fn duplicate(&self) -> Process {
        Process {
            pid: self.pid,
            number: self.number,
            id: self.id,
            initial: self.initial,
            dictionary: self.dictionary,
            mailbox: self.mailbox.clone(),
            mailbox_cursor: self.mailbox_cursor,
            receive_deadline: self.receive_deadline,
            symbolic_deadline: self.symbolic_deadline,
            is_receiving: self.is_receiving,
            history: self.history,
            status: self.status,
            is_granted: self.is_granted,
            is_asking: self.is_asking,
            is_yielding: self.is_yielding,
            turns: self.turns,
            pending: self.pending.clone(),
            fatal: self.fatal.clone(),
            own: self.own.duplicate(),
            saved: self.saved.clone(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.mailbox.capacity() * size_of::<Word>()
            + self.saved.words.capacity() * size_of::<Word>()
            + self.saved.frames.capacity() * size_of::<Frame>()
            + self.fatal.capacity() * size_of::<Fatal>()
            + self.own.bytes()
            + size_of::<Process>()
    }

    pub(crate) fn roots(&mut self, collector: &mut Collector<'_>) {
        collector.root(&mut self.pid);
        collector.root(&mut self.dictionary);
        collector.roots(&mut self.mailbox);
        collector.roots(&mut self.symbolic_deadline);
        collector.roots(self.fatal.iter_mut().map(|fatal| &mut fatal.reason));
        self.own.roots(collector);
        let saved = &mut self.saved;
        if !saved.code.is_null() {
            // SAFETY: the stacks were saved whole, and code lives as long as the program.
            unsafe {
                let fp = saved.words.as_mut_ptr().add(saved.fp);
                show_stack(collector, saved.code, saved.pc, fp, &saved.frames);
            }
        }
    }
}
