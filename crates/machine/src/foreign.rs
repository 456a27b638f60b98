//! Functions that somebody else runs: the real runtime, or whoever knows what it did.

use path::{Class, Stop};
use term::{Atom, FunctionName, Term};

/// Calls a function on the real runtime. It is `Send` because it outlives runs: it holds no words.
pub trait Foreign: Send {
    /// Returns what the call gave, or why there is no answer.
    fn call(&mut self, module: Atom, function: Atom, args: &[Term]) -> Result<ForeignAnswer, NoAnswer>;
}

/// Knows what functions that act on the outside did, and does not let them act once more. Like [`Foreign`], it holds no
/// words.
pub trait Elsewhere: Send {
    /// Returns what the next call of the main process came to.
    fn call(&mut self, function: FunctionName, args: &[Term]) -> Result<ElsewhereAnswer, Unanswered>;
}

/// Why it is not known what a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Nobody has made it.
    NotMade,
    /// The run that made it ended before it came back.
    NotReturned,
}

/// What a function that acts on the outside came to, and the messages that came from there before the next such call.
pub struct ElsewhereAnswer {
    pub ended: ForeignAnswer,
    pub messages: Vec<Term>,
}

pub enum NoAnswer {
    /// The runtime could not be asked; the message says why.
    Failed(String),
    /// The answer did not come in time.
    TooSlow,
    /// The memory of the runtime did not suffice.
    TooLarge,
    /// The time of the run itself is over.
    Interrupted,
}

impl NoAnswer {
    /// Returns how a run ends that called the function.
    pub fn stop(self, module: Atom, function: Atom, arity: u32) -> Stop {
        match self {
            NoAnswer::Failed(message) => Stop::LoadFailed(message),
            NoAnswer::TooSlow => Stop::TooSlow(FunctionName { module, function, arity }),
            NoAnswer::TooLarge => Stop::MemoryLimit,
            NoAnswer::Interrupted => Stop::Interrupted,
        }
    }
}

pub enum ForeignAnswer {
    Value(Term),
    Raised { class: Class, reason: Term },
}
