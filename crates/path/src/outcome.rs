//! How runs end.

use serde::{Deserialize, Serialize};
use term::{Atom, FunctionName, Term, names};

/// A process of a run. Processes are numbered in the order in which they start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProcessId(pub u32);

impl ProcessId {
    /// The process that calls the unit.
    pub const MAIN: ProcessId = ProcessId(0);
}

/// A process as reports name it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProcessName {
    pub id: ProcessId,
    /// The function that it was started with. It is unknown for the main process.
    pub initial: Option<FunctionName>,
    pub registered: Option<Atom>,
}

impl ProcessName {
    pub fn is_main(&self) -> bool {
        self.id == ProcessId::MAIN
    }
}

/// A process that waits for a message, and the call in which it waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Waiting {
    pub process: ProcessName,
    /// The innermost function that is not a part of the runtime's own conversations, if there is one.
    pub function: Option<FunctionName>,
    pub file: String,
    pub line: u32,
    /// The processes that it waits for, as far as that is known.
    pub waits_for: Vec<ProcessName>,
}

/// How a run ended. A crash of the program is a value, not an error.
#[derive(Debug)]
pub enum Outcome {
    /// The main process returned this.
    Value(Term),
    Raised(Raised),
    /// The run as a whole ended.
    Stopped(Stop),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Raised {
    /// The process that raised the exception.
    pub process: ProcessName,
    pub class: Class,
    pub reason: Term,
    pub trace: Vec<TraceEntry>,
    pub reach: Reach,
}

impl Raised {
    /// Returns an exception that left the function that the main process called.
    pub fn by_main(class: Class, reason: Term, trace: Vec<TraceEntry>) -> Raised {
        Raised { process: ProcessName::default(), class, reason, trace, reach: Reach::Caller }
    }
}

/// How far an uncaught exception got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reach {
    /// It left the function that the main process called.
    Caller,
    /// It ended another process, and the main process was ended by an exit signal with this reason.
    Link(Term),
    /// It ended a process that had no link, monitor or supervisor.
    Nobody,
    /// It ended a process, and its supervisor gave up.
    Supervisor(ProcessName),
}

/// An entry of a stack trace. It has `args` if the call itself is at fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceEntry {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    pub args: Option<Vec<Term>>,
    pub file: String,
    pub line: u32,
    /// Further information of the language about the place: pairs of a name and a value.
    pub details: Vec<Term>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    Error,
    Exit,
    Throw,
}

impl Class {
    pub fn atom(self) -> Atom {
        match self {
            Class::Error => names::ERROR,
            Class::Exit => names::EXIT,
            Class::Throw => names::THROW,
        }
    }

    pub fn of(atom: Atom) -> Option<Class> {
        [Class::Error, Class::Exit, Class::Throw].into_iter().find(|class| class.atom() == atom)
    }
}

/// Why a run was stopped before the program ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stop {
    StepLimit,
    /// The alarm went off.
    Interrupted,
    MemoryLimit,
    AtomLimit,
    /// More processes than a run may have.
    ProcessLimit,
    /// A native function that is not implemented.
    Unsupported(FunctionName),
    /// A function that acts on the outside world.
    EffectDenied(FunctionName),
    /// The main process waits for a message that no process can send. All processes that wait are listed, the main
    /// process first.
    Deadlock(Vec<Waiting>),
    /// An argument or a result of a function violates its declared type. The player has the details.
    Contract,
    /// The program halted the runtime.
    Halted(i64),
    /// A module could not be loaded; the message says why and what to do.
    LoadFailed(String),
    /// The trace of the run reached its limit of events.
    TraceLimit,
    /// The result has too many parts to be copied out.
    ResultTooLarge,
    /// A function that the real runtime evaluates did not end in time.
    TooSlow(FunctionName),
    /// A defect of Beagle.
    Fault(String),
    /// A function that acts on the outside world and is allowed, or native code, did not return on the real runtime:
    /// the run there was out of time, or the runtime ended.
    NotReturned(FunctionName),
}
