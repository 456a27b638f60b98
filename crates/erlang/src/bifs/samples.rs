//! What the call of a function that is known by samples needs: only `beagle_samples` calls these.

use super::{badarg, rows};
use crate::runtime::ErlangState;
use machine::{Context, Escape, Primitive, Word, list_items};
use term::FunctionName;
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"beagle_sample";
    "enter"    () -> Boolean,               badarg, enter,    Keeps;
    "own_code" (Atom, Atom, Byte) -> Function, badarg, own_code, Keeps;
    "plain"    (Any) -> Any,                badarg, plain,    Keeps;
    "returned" (Atom, Atom, Any, Any) -> Any, badarg, returned, Keeps;
    "raised"   (Atom, Atom, Any) -> Atom,   badarg, raised,   Keeps;
}];

/// Is no other function being sampled?
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

fn plain(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
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
