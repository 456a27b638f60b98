//! How runs end.

use serde::{Deserialize, Serialize};
use term::{Atom, FunctionName, Term, names};

/// A process of a run, numbered in the order in which a run starts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProcessId(pub u32);

impl ProcessId {
    /// The process that calls the unit.
    pub const MAIN: ProcessId = ProcessId(0);
}

/// How a run ended. Their crash is a value.
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
    /// Who raised it.
    pub process: ProcessId,
    pub class: Class,
    pub reason: Term,
    pub trace: Vec<TraceEntry>,
}

/// `args` instead of an arity where the call itself is to blame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceEntry {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    pub args: Option<Vec<Term>>,
    pub file: String,
    pub line: u32,
    /// What else the language knows of the place: pairs of a name and a value.
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

/// Why a run ended although the program did not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stop {
    StepLimit,
    /// The alarm rang.
    Interrupted,
    MemoryLimit,
    AtomLimit,
    /// A function without meaning here.
    Unsupported(FunctionName),
    /// A function that acts on the world outside.
    EffectDenied(FunctionName),
    /// This process waits for a message that nobody can send.
    Deadlock(ProcessId),
    /// What a function was given, or gave, is not what its declared type says: the player knows more.
    Contract,
    /// The program halted the runtime.
    Halted(i64),
    /// A module could not be loaded; the message says why and what to do.
    LoadFailed(String),
    /// The result has too many parts to be copied out.
    ResultTooLarge,
    /// A function that the real runtime evaluates did not end in its time there.
    TooSlow(FunctionName),
    /// A defect of ours, named.
    Fault(String),
}
