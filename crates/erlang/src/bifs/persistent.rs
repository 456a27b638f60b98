//! `persistent_term`: a map that all processes share.

use super::{badarg, rows};
use crate::runtime::ErlangState;
use machine::{Access, Context, Escape, Object, Primitive, Word};
use path::Surrounding;
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"persistent_term" by PersistentTerms;
        "put" (Any, Any) -> Atom, badarg, put, Keeps;
        "put_new" (Any, Any) -> Atom, badarg, put_new, Keeps;
        "get" () -> List from PersistentTerms, badarg, get_all, Keeps;
        "get" (Any) -> Any, badarg, get, Keeps;
        "get" (Any, Any) -> Any, badarg, get_or, Keeps;
        "erase" (Any) -> Boolean, badarg, erase, Keeps;
        "info" () -> Map from PersistentTerms, badarg, info, Effect;
    },
    rows! {"erts_internal" by PersistentTerms;
        "erase_persistent_terms" () -> Atom, badarg, erase_all, Effect;
    },
];

fn terms(context: &mut Context) -> Word {
    match ErlangState::of(context).persistent_terms {
        Some(map) => map,
        None => context.heap.empty_map(),
    }
}

fn put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("persistent terms"), Access::Write)])?;
    let map = terms(context);
    context.decide_key(map, args[0]);
    let map = context.heap.map_put(map, args[0], args[1]);
    ErlangState::of(context).persistent_terms = Some(map);
    Ok(names::OK.into())
}

/// Stores a new term. A term that is already stored with the same value may be stored again; one with another value is
/// not replaced.
fn put_new(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let map = terms(context);
    context.decide_key(map, args[0]);
    match map.map_get(args[0]) {
        None => {
            context.asks(Surrounding::PersistentTerms);
            put(context, args)
        }
        Some(value) if context.decide_identical(value, args[1]) => Ok(names::OK.into()),
        Some(_) => Err(badarg(context, args)),
    }
}

fn get_all(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let map = terms(context);
    context.decide_key_order(map);
    let pairs: Vec<Word> = map.map_iter().map(|(key, value)| context.heap.tuple(&[key, value])).collect();
    Ok(context.heap.list(&pairs, Word::NIL))
}

fn get(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("persistent terms"), Access::Read)])?;
    let map = terms(context);
    context.decide_key(map, args[0]);
    match map.map_get(args[0]) {
        Some(value) => Ok(value),
        None => {
            context.asks(Surrounding::PersistentTerms);
            Err(badarg(context, args))
        }
    }
}

fn get_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("persistent terms"), Access::Read)])?;
    let map = terms(context);
    context.decide_key(map, args[0]);
    let value = map.map_get(args[0]);
    if value.is_none() && !is_usually_absent(args[0]) {
        context.asks(Surrounding::PersistentTerms);
    }
    Ok(value.unwrap_or(args[1]))
}

/// Returns whether the key is one that configures Elixir's `inspect`: it is absent unless the program itself stores it.
fn is_usually_absent(key: Word) -> bool {
    let is = |word: &Word, name: &str| word.concrete().as_atom().is_some_and(|atom| atom.text() == name);
    matches!(key.concrete().as_tuple(), Some([of, what]) if is(of, "Elixir.Inspect.Opts") && is(what, "inspect_fun"))
}

fn erase(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("persistent terms"), Access::Write)])?;
    let map = terms(context);
    let was_there = context.decide_key(map, args[0]);
    if !was_there {
        context.asks(Surrounding::PersistentTerms);
    }
    let map = context.heap.map_remove(map, args[0]);
    ErlangState::of(context).persistent_terms = Some(map);
    Ok(was_there.into())
}

fn info(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let count = terms(context).map_size() as i64;
    let pairs = [(Atom::new("count").into(), Word::small(count)), (Atom::new("memory").into(), Word::small(count * 8))];
    Ok(context.heap.map_of(&pairs))
}

fn erase_all(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    ErlangState::of(context).persistent_terms = None;
    Ok(names::OK.into())
}
