//! The log: results and messages from functions outside of the program, which the machine takes instead of calling
//! them.

use crate::compare::is_cut;
use frontend::{Call, Code, FromOutside, Limits, Outcome, OutsideEnd, TracedCall};
use machine::{Elsewhere, ElsewhereAnswer, ForeignAnswer, Unanswered};
use path::Class;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use term::{Atom, FunctionName, Term};

/// The log of a run, shared with the machine that rebuilds it.
#[derive(Clone)]
pub struct Log {
    code: Arc<dyn Code>,
    limits: Limits,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The part of the log that has not been taken. `None` if there was no run on the runtime.
    left: Option<VecDeque<FromOutside>>,
    /// Whether the run on the runtime did not come to its end. Then a call that is missing in the log did not return
    /// there.
    is_cut: bool,
    /// Whether a function was called that is not in the log.
    is_missing: bool,
    /// Whether functions are called now, because no run is being rebuilt.
    is_live: bool,
}

impl Log {
    pub fn new(code: &Arc<dyn Code>, limits: Limits) -> Log {
        Log { code: Arc::clone(code), limits, state: Arc::default() }
    }

    /// Begins a run, with the log and the end of the run on the runtime if there was one.
    pub fn begin(&self, run: Option<(&[FromOutside], Option<&Outcome>)>) {
        let left = run.map(|(log, _)| log.iter().cloned().collect());
        let is_cut = run.is_some_and(|(_, ended)| ended.is_none_or(is_cut));
        *self.state() = State { left, is_cut, ..State::default() };
    }

    /// Returns whether the run called a function that is not in the log.
    pub fn is_missing(&self) -> bool {
        self.state().is_missing
    }

    pub fn set_live(&self, is_live: bool) {
        self.state().is_live = is_live;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a native function of the program once more, for a sample. Functions that act on the world outside are not
    /// called again.
    fn call_now(&self, function: FunctionName, args: &[Term]) -> Option<ForeignAnswer> {
        if self.code.effects().covers(function) {
            return None;
        }
        let FunctionName { module, function, .. } = function;
        let call = TracedCall::Plain(Call { module, function, args: args.to_vec() });
        match self.code.trace(&call, self.limits).ok()?.outcome {
            Outcome::Value { term, .. } => Some(ForeignAnswer::Value(term)),
            Outcome::Raised { class, reason, .. } => Some(raised(class, reason)),
            Outcome::Timeout { .. }
            | Outcome::HeapExceeded
            | Outcome::Killed { .. }
            | Outcome::Unreadable { .. }
            | Outcome::Stopped { .. }
            | Outcome::RuntimeDied { .. } => None,
        }
    }
}

impl Elsewhere for Log {
    fn call(&mut self, function: FunctionName, args: &[Term]) -> Result<ElsewhereAnswer, Unanswered> {
        if self.state().is_live {
            let ended = self.call_now(function, args).ok_or(Unanswered::NotMade)?;
            return Ok(ElsewhereAnswer { ended, messages: Vec::new() });
        }
        let mut state = self.state();
        let next = state.left.as_mut().and_then(VecDeque::pop_front);
        let ended = match next {
            Some(FromOutside::Call { function: called, args: with, ended })
                if called == function
                    && args.len() == with.len()
                    && args.iter().zip(&with).all(|(ours, theirs)| self.code.are_alike(ours, theirs)) =>
            {
                match ended {
                    OutsideEnd::Returned(value) => ForeignAnswer::Value(value),
                    OutsideEnd::Raised { class, reason } => raised(class, reason),
                }
            }
            None if state.is_cut => return Err(Unanswered::NotReturned),
            Some(FromOutside::Call { .. } | FromOutside::Message(_)) | None => {
                state.is_missing = true;
                return Err(Unanswered::NotMade);
            }
        };
        let mut messages = Vec::new();
        while let Some(FromOutside::Message(message)) = state.left.as_ref().and_then(VecDeque::front) {
            messages.push(message.clone());
            state.left.as_mut().map(VecDeque::pop_front);
        }
        Ok(ElsewhereAnswer { ended, messages })
    }
}

fn raised(class: Atom, reason: Term) -> ForeignAnswer {
    ForeignAnswer::Raised { class: Class::of(class).unwrap_or(Class::Error), reason }
}
