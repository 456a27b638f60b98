//! Terms that leave the heap of a run for a function that works on owned terms, and return.
//!
//! A closure has no meaning outside its run, so a term that contains one cannot leave: the run stops as unsupported.

use machine::value::{copy_in, copy_out};
use machine::{Context, Escape, Word};
use path::Stop;
use std::cell::Cell;
use term::{Atom, Fun, FunctionName, Term, names};

/// The name of a function, for the stop that reports it as unsupported.
#[derive(Clone, Copy)]
pub struct Called {
    pub module: &'static str,
    pub function: &'static str,
    pub arity: u32,
}

impl Called {
    pub fn unsupported(self, context: &mut Context) -> Escape {
        let (module, function) = (Atom::new(self.module), Atom::new(self.function));
        context.stop(Stop::Unsupported(FunctionName { module, function, arity: self.arity }))
    }
}

/// Returns `word` as an owned term. Where parts are shared, the term may be far larger than the word on the heap, so
/// the run's budget limits it, too.
pub fn leave(context: &mut Context, called: Called, word: Word) -> Result<Term, Escape> {
    match leave_without_closures(context, word)? {
        Some(term) => Ok(term),
        None => Err(called.unsupported(context)),
    }
}

/// Returns `word` as an owned term, or `None` if it contains a closure, for functions that can handle that case.
pub fn leave_without_closures(context: &mut Context, word: Word) -> Result<Option<Term>, Escape> {
    let has_closure = Cell::new(false);
    let closure = |_, arity: u8| {
        has_closure.set(true);
        Fun::Local { module: names::EMPTY, index: 0, unique: 0, arity: u32::from(arity) }
    };
    let parts = context.heap.budget() / size_of::<Term>();
    match copy_out(word, parts, &closure) {
        Some(term) => Ok((!has_closure.get()).then_some(term)),
        None => Err(context.stop(Stop::MemoryLimit)),
    }
}

/// Copies `term` to the heap of the run.
pub fn enter(context: &mut Context, called: Called, term: &Term) -> Result<Word, Escape> {
    if term.has_closure() {
        return Err(called.unsupported(context));
    }
    Ok(copy_in(&mut context.heap, term))
}
