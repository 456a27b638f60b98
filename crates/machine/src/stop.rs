//! The named ends of a run that the program did not bring about.

use std::fmt;
use term::Atom;

/// Says why a run ended before the program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    StepLimit,
    /// The alarm of the run rang.
    Interrupted,
    MemoryLimit,
    AtomLimit,
    /// The program called a function that has no meaning here.
    Unsupported {
        module: Atom,
        function: Atom,
        arity: u32,
    },
    /// The program called a function that acts on the world outside.
    EffectDenied {
        module: Atom,
        function: Atom,
        arity: u32,
    },
    /// The process waits for a message that nobody can send.
    Deadlock,
    /// A function was given, or returned, a value outside of its declared type. The player knows more.
    Contract,
    /// The program halted the runtime.
    Halted(i64),
    /// A module could not be loaded; the message says why and what to do.
    LoadFailed(String),
    /// The result has too many parts to be copied out.
    ResultTooLarge,
    /// A function that the real runtime evaluates did not end there in time.
    TooSlow {
        module: Atom,
        function: Atom,
        arity: u32,
    },
    /// Beagle itself has a defect, which the message names.
    Fault(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::StepLimit => f.write_str("step limit"),
            Stop::Interrupted => f.write_str("interrupted"),
            Stop::MemoryLimit => f.write_str("memory limit"),
            Stop::AtomLimit => f.write_str("atom limit"),
            Stop::Unsupported { module, function, arity } => write!(f, "unsupported: {module}:{function}/{arity}"),
            Stop::EffectDenied { module, function, arity } => write!(f, "effect denied: {module}:{function}/{arity}"),
            Stop::Deadlock => f.write_str("deadlock: a receive that no message can end"),
            Stop::Contract => f.write_str("a function was given or gave what is not of its type"),
            Stop::Halted(status) => write!(f, "halted with status {status}"),
            Stop::LoadFailed(message) => f.write_str(message),
            Stop::TooSlow { module, function, arity } => {
                write!(f, "an input that takes too long here: {module}:{function}/{arity} on the real runtime")
            }
            Stop::ResultTooLarge => f.write_str("the result is too large"),
            Stop::Fault(message) => write!(f, "a defect of Beagle: {message}"),
        }
    }
}
