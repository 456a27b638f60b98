//! The process dictionary.

use super::ProcessState;
use crate::bifs::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use path::Surrounding;
use term::{Atom, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Dictionary;
    "put" (Any, Any) -> Any, badarg, observing_put, Keeps;
    "get" (Any) -> Any, badarg, get, Keeps;
    "get" () -> List, badarg, observing_get_all, Effect;
    "get_keys" () -> List, badarg, get_keys, Effect;
    "get_keys" (Any) -> List, badarg, get_keys_of, Keeps;
    "erase" (Any) -> Any, badarg, observing_erase, Keeps;
    "erase" () -> List, badarg, erase_all, Effect;
};

/// Rows for calls whose result is not used: they do the same, but do not depend on the previous value.
pub(super) const UNREAD: &[Primitive] = rows! {"erlang" by Dictionary;
    "put" (Any, Any) -> Any, badarg, put, Keeps;
    "erase" (Any) -> Any, badarg, erase, Keeps;
};

/// Records that the answer depends on the dictionary of the calling process if the run neither put nor erased the key.
/// Called if the key is not in our dictionary.
#[cold]
fn asks_dictionary(context: &mut Context, key: Word) {
    let state = ProcessState::own(context);
    let is_known = state.is_dictionary_emptied || state.erased_keys.is_some_and(|keys| keys.map_get(key).is_some());
    if !is_known {
        context.asks(Surrounding::Process);
    }
}

/// Keys under which a process keeps who has started it, back to the callers of the run.
const ORIGINS: [&str; 2] = ["$ancestors", "$callers"];

/// Records that what is read under this key goes on with the callers of the run.
fn asks_origin(context: &mut Context, key: Word) {
    if key.concrete().as_atom().is_some_and(|key| ORIGINS.contains(&key.text())) {
        context.asks(Surrounding::Process);
    }
}

/// Records the same for a whole dictionary that is read.
pub(super) fn asks_origins_in(context: &mut Context, dictionary: Word) {
    for key in ORIGINS {
        let key = Word::atom(Atom::new(key));
        if dictionary.map_get(key).is_some() {
            asks_origin(context, key);
        }
    }
}

fn observing_put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let size = context.process.dictionary.map_size();
    let old = put(context, args)?;
    if context.process.dictionary.map_size() > size {
        asks_dictionary(context, args[0]);
    } else {
        asks_origin(context, args[0]);
    }
    Ok(old)
}

fn put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.decide_key(context.process.dictionary, args[0]);
    let old = context.process.dictionary.map_get(args[0]);
    context.process.dictionary = context.heap.map_put(context.process.dictionary, args[0], args[1]);
    Ok(old.unwrap_or(names::UNDEFINED.into()))
}

fn get(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.decide_key(context.process.dictionary, args[0]);
    match context.process.dictionary.map_get(args[0]) {
        Some(value) => {
            asks_origin(context, args[0]);
            Ok(value)
        }
        None => {
            asks_dictionary(context, args[0]);
            Ok(names::UNDEFINED.into())
        }
    }
}

/// Records that the answer depends on the dictionary of the calling process, unless the run has emptied the dictionary.
fn asks_whole_dictionary(context: &mut Context) {
    if !ProcessState::own(context).is_dictionary_emptied {
        context.asks(Surrounding::Process);
    }
}

/// Records that the result depends on the order of a hash table if it lists several keys of a dictionary.
pub(super) fn asks_order_of_keys(context: &mut Context, count: usize) {
    if count > 1 {
        context.asks(Surrounding::HashOrder);
    }
}

fn observing_get_all(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_whole_dictionary(context);
    get_all(context, args)
}

/// Returns all pairs, in our own order: the BEAM's is that of its hash table.
pub(super) fn get_all(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    asks_origins_in(context, context.process.dictionary);
    context.decide_key_order(context.process.dictionary);
    let mut pairs = Vec::with_capacity(context.process.dictionary.map_size());
    for (key, value) in context.process.dictionary.map_iter() {
        pairs.push(context.heap.tuple(&[key, value]));
    }
    asks_order_of_keys(context, pairs.len());
    Ok(context.heap.list(&pairs, Word::NIL))
}

fn get_keys(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    asks_whole_dictionary(context);
    context.decide_key_order(context.process.dictionary);
    let keys: Vec<Word> = context.process.dictionary.map_iter().map(|(key, _)| key).collect();
    asks_order_of_keys(context, keys.len());
    Ok(context.heap.list(&keys, Word::NIL))
}

fn get_keys_of(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_whole_dictionary(context);
    asks_origins_in(context, context.process.dictionary);
    context.decide_key_order(context.process.dictionary);
    let mut keys = Vec::new();
    for (key, value) in context.process.dictionary.map_iter() {
        if context.decide_identical(value, args[0]) {
            keys.push(key);
        }
    }
    asks_order_of_keys(context, keys.len());
    Ok(context.heap.list(&keys, Word::NIL))
}

fn observing_erase(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match context.process.dictionary.map_get(args[0]) {
        Some(_) => asks_origin(context, args[0]),
        None => asks_dictionary(context, args[0]),
    }
    erase(context, args)
}

fn erase(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.decide_key(context.process.dictionary, args[0]);
    let old = context.process.dictionary.map_get(args[0]);
    context.process.dictionary = context.heap.map_remove(context.process.dictionary, args[0]);
    let erased = ProcessState::own(context).erased_keys.unwrap_or_else(|| context.heap.empty_map());
    let erased = context.heap.map_put(erased, args[0], Word::TRUE);
    ProcessState::own(context).erased_keys = Some(erased);
    Ok(old.unwrap_or(names::UNDEFINED.into()))
}

fn erase_all(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_whole_dictionary(context);
    let all = get_all(context, args)?;
    context.process.dictionary = context.heap.empty_map();
    ProcessState::own(context).is_dictionary_emptied = true;
    Ok(all)
}
