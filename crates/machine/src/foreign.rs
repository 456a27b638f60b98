//! Functions that run elsewhere: on the real runtime, or in an earlier run that was recorded.

use path::{Class, Stop};
use term::{Atom, FunctionName, Term};

/// Calls a function on the real runtime. It is `Send` because it outlives runs: it holds no words.
pub trait Foreign: Send {
    /// Returns the result of the call, or why there is none.
    fn call(&mut self, module: Atom, function: Atom, args: &[Term]) -> Result<ForeignAnswer, NoAnswer>;
}

/// Knows what functions outside did, and does not call them again. Like [`Foreign`], it holds no words.
pub trait Elsewhere: Send {
    /// Returns the end of the next call of the main process.
    fn call(&mut self, function: FunctionName, args: &[Term]) -> Result<ElsewhereAnswer, Unanswered>;
}

/// The reason why the end of a call is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The call has not been made.
    NotMade,
    /// The run that made it ended before it returned.
    NotReturned,
}

/// The end of a call of a function outside, and the messages that came from outside before the next such call.
pub struct ElsewhereAnswer {
    pub ended: ForeignAnswer,
    pub messages: Vec<Term>,
}

pub enum NoAnswer {
    /// The runtime could not be asked, for the reason in the message.
    Failed(String),
    /// The answer did not come in time.
    TooSlow,
    /// The runtime ran out of memory.
    TooLarge,
    /// The time of the run itself is over.
    Interrupted,
}

impl NoAnswer {
    /// Returns the outcome of a run that called the function.
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
