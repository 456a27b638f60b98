//! Rows for calls of functions that are known by samples. Only `beagle_samples` calls them.

use super::{badarg, rows};
use crate::runtime::ErlangState;
use machine::value::{copy_in, copy_out};
use machine::{Context, ElsewhereAnswer, Escape, ForeignAnswer, Primitive, TraceStart, Unanswered, Word, list_items};
use path::{ProcessId, Stop, Surrounding};
use term::{Fun, FunctionName, Term, names};

/// The maximum number of parts of an argument of a function that acts on the outside.
const LARGEST: usize = 1 << 20;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"beagle_sample" by Search;
    "enter"    () -> Boolean,               badarg, enter,    Keeps;
    "own_code" (Atom, Atom, Byte) -> Function, badarg, own_code, Keeps;
    "is_outside" (Atom, Atom, Byte) -> Boolean, badarg, is_outside, Keeps;
    "outside"  (Atom, Atom, Any) -> Any,    badarg, outside,  Keeps;
    "plain"    (Any) -> Any,                badarg, plain,    Keeps;
    "returned" (Atom, Atom, Any, Any) -> Any, badarg, returned, Keeps;
    "raised"   (Atom, Atom, Any) -> Atom,   badarg, raised,   Keeps;
}];

/// Marks a function as being sampled, and returns whether none was before.
fn enter(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let inside = std::mem::replace(&mut ErlangState::of(context).is_sampling, true);
    Ok(Word::boolean(!inside))
}

fn own_code(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let own = match (args[0].as_atom(), args[1].as_atom(), args[2].as_usize()) {
        (Some(module), Some(function), Some(arity)) => context.own_code_of(module, function, arity as u32),
        _ => None,
    };
    own.ok_or_else(|| badarg(context, args))
}

/// Returns whether the function runs outside.
fn is_outside(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_outside = match (args[0].as_atom(), args[1].as_atom(), args[2].as_usize()) {
        (Some(module), Some(function), Some(arity)) => context.is_outside(module, function, arity as u32),
        _ => false,
    };
    Ok(Word::boolean(is_outside))
}

fn outside(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(module), Some(function), Some(given)) = (args[0].as_atom(), args[1].as_atom(), list_items(args[2]))
    else {
        return Err(badarg(context, args));
    };
    let name = FunctionName { module, function, arity: given.len() as u32 };
    let nobody = |_: u64, arity: u8| Fun::Input { arity: u32::from(arity), number: 0 };
    let terms: Option<Vec<Term>> = given.iter().map(|arg| copy_out(*arg, LARGEST, &nobody)).collect();
    let is_main = context.process.id == ProcessId::MAIN;
    let answer = match (terms, context.outside.take()) {
        (Some(terms), Some(mut elsewhere)) if is_main => {
            let answer = elsewhere.call(name, &terms);
            context.outside = Some(elsewhere);
            answer
        }
        (_, elsewhere) => {
            context.outside = elsewhere;
            Err(Unanswered::NotMade)
        }
    };
    let ElsewhereAnswer { ended, messages } = match answer {
        Ok(answer) => answer,
        Err(Unanswered::NotMade) => return Err(context.stop(Stop::EffectDenied(name))),
        Err(Unanswered::NotReturned) => return Err(context.stop(Stop::NotReturned(name))),
    };
    // The result of native code depends only on its arguments, or shows that it does not; others depend on the world
    // outside.
    if super::effects::denied(module, function, name.arity) {
        context.asks(Surrounding::Outside);
    }
    for message in messages {
        let message = copy_in(&mut context.heap, &message);
        let number = context.process.number();
        context.deliver(number, message);
    }
    match ended {
        ForeignAnswer::Value(term) => Ok(copy_in(&mut context.heap, &term)),
        ForeignAnswer::Raised { class, reason } => {
            let reason = copy_in(&mut context.heap, &reason);
            Err(context.raise(class, reason, TraceStart::Primitive))
        }
    }
}

fn plain(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if context.has_only_identities(args[0]) {
        return Ok(args[0]);
    }
    Ok(context.heap.without_shadows(args[0]))
}

fn returned(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(sampled(context, args, Some(args[3])).unwrap_or(args[3]))
}

fn raised(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    sampled(context, args, None);
    Ok(Word::atom(names::OK))
}

fn sampled(context: &mut Context, call: &[Word], returned: Option<Word>) -> Option<Word> {
    ErlangState::of(context).is_sampling = false;
    let (module, function, args) = (call[0].as_atom()?, call[1].as_atom()?, list_items(call[2])?);
    if !context.heap.has_shadows() {
        return returned;
    }
    let name = FunctionName { module, function, arity: args.len() as u32 };
    context.sampled(name, &args, returned)
}
