//! Single objects and keys: inserting, looking up, changing and deleting them, and iterating from key to key.

use super::absent::bad_call;
use super::access::{reads, reads_key, writes, writes_key};
use super::tables::{self, decide_key, decide_object, with_table};
use crate::bifs::lists::checked_items;
use crate::bifs::{self, badarg, badarg_because, rows};
use machine::{Context, Domain, Escape, Look, Meaning, Primitive, Word};
use path::{Concretised, Surrounding};
use term::{Atom, names};

/// The meaning of an operation on a table. Only the top of the first argument is inspected, because a table is
/// identified by its concrete value; the values in a table keep their shadows.
pub(super) const IN_TABLE: Meaning = Meaning::Effect(&[Look::Top]);

pub(super) const ROWS: &[Primitive] = rows! {"ets" by Tables;
    "insert" (Any, Any) -> Boolean, bad_call, insert, IN_TABLE;
    "insert_new" (Any, Any) -> Boolean, bad_call, insert_new, IN_TABLE;
    "lookup" (Any, Any) -> ProperList, bad_call, lookup, IN_TABLE;
    "lookup_element" (Any, Any, Positive) -> Any, bad_call, lookup_element, IN_TABLE;
    "lookup_element" (Any, Any, Positive, Any) -> Any, bad_call, lookup_element_or, IN_TABLE;
    "member" (Any, Any) -> Boolean, bad_call, member, IN_TABLE;
    "take" (Any, Any) -> ProperList, bad_call, take, IN_TABLE;
    "delete" (Any, Any) -> Boolean, bad_call, delete, IN_TABLE;
    "delete_object" (Any, Any) -> Boolean, bad_call, delete_object, IN_TABLE;
    "internal_delete_all" (Any, Any) -> NonNegative, bad_call, delete_all, Effect;
    "update_element" (Any, Any, Any) -> Boolean, bad_call, update_element, IN_TABLE;
    "update_element" (Any, Any, Any, Any) -> Boolean, bad_call, update_element_or, Meaning::Effect(&[Top, Moved, Moved, Top]);
    "update_counter" (Any, Any, Any) -> Any, bad_call, update_counter, IN_TABLE;
    "update_counter" (Any, Any, Any, Tuple) -> Any, bad_call, update_counter_or, Meaning::Effect(&[Top, Moved, Moved, Top]);
    "first" (Any) -> Any, bad_call, first, Effect;
    "last" (Any) -> Any, bad_call, last, Effect;
    "next" (Any, Any) -> Any, bad_call, next, IN_TABLE;
    "prev" (Any, Any) -> Any, bad_call, prev, IN_TABLE;
    "first_lookup" (Any) -> Any, bad_call, first_lookup, Effect;
    "last_lookup" (Any) -> Any, bad_call, last_lookup, Effect;
    "next_lookup" (Any, Any) -> Any, bad_call, next_lookup, IN_TABLE;
    "prev_lookup" (Any, Any) -> Any, bad_call, prev_lookup, IN_TABLE;
    "slot" (Any, NonNegative) -> Any, bad_call, slot, Effect;
};

fn insert(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_object(context, args)?;
    for object in objects_with_keys(context, args)? {
        let compared = tables::insert(context, args[0], object)?;
        context.charge(compared / 8)?;
    }
    Ok(Word::TRUE)
}

/// Announces an insertion. Inserting several objects is an operation on the whole table.
fn writes_object(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    let is_one = args[1].is_kind(machine::Kind::Tuple) && !context.world.is_alone();
    let key = if is_one { with_table(context, args[0], |table| table.key(args[1]))? } else { None };
    match key {
        Some(key) => writes_key(context, args, key),
        None => writes(context, args),
    }
}

/// Inserts all objects, or none if one of the keys exists.
fn insert_new(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_object(context, args)?;
    let objects = objects_with_keys(context, args)?;
    for object in &objects {
        let key = with_table(context, args[0], |table| table.key(*object))?.unwrap_or(Word::NIL);
        decide_key(context, args[0], key)?;
        if with_table(context, args[0], |table| table.contains(key))? {
            return Ok(Word::FALSE);
        }
    }
    for object in objects {
        tables::insert(context, args[0], object)?;
    }
    Ok(Word::TRUE)
}

/// Returns the object or the list of objects, if all of them have keys.
fn objects_with_keys(context: &mut Context, args: &[Word]) -> Result<Vec<Word>, Escape> {
    let given = opened(context, args[1]);
    let objects: Vec<Word> = match given.is_list() {
        true => checked_items(context, given)?.into_iter().map(|object| opened(context, object)).collect(),
        false => vec![given],
    };
    context.charge(objects.len())?;
    let all_have_keys =
        with_table(context, args[0], |table| objects.iter().all(|object| table.key(*object).is_some()))?;
    if all_have_keys { Ok(objects) } else { Err(badarg(context, args)) }
}

/// Returns a tuple or list whose parts keep their shadows; anything else loses its shadow.
fn opened(context: &mut Context, word: Word) -> Word {
    if context.is_within(Domain::Tuple, word) || context.is_within(Domain::List, word) {
        return context.open(word);
    }
    word.concrete()
}

fn lookup(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads_key(context, args, args[1])?;
    decide_key(context, args[0], args[1])?;
    let objects = with_table(context, args[0], |table| table.lookup(args[1]))?;
    Ok(context.heap.list(&objects, Word::NIL))
}

fn lookup_element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads_key(context, args, args[1])?;
    match elements(context, args)? {
        Some(found) => Ok(found),
        None => Err(badarg_because(context, "badkey")),
    }
}

fn lookup_element_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads_key(context, args, args[1])?;
    Ok(elements(context, args)?.unwrap_or(args[3]))
}

/// Returns the element of the key's object, or the list of the elements in a bag; `None` if there is no such key.
fn elements(context: &mut Context, args: &[Word]) -> Result<Option<Word>, Escape> {
    decide_key(context, args[0], args[1])?;
    let (objects, is_set) = with_table(context, args[0], |table| (table.lookup(args[1]), table.is_set()))?;
    let Some(position) = args[2].as_small() else { return Err(badarg(context, args)) };
    let element = |object: &Word| object.as_tuple()?.get(usize::try_from(position - 1).ok()?).copied();
    match objects.iter().map(element).collect::<Option<Vec<Word>>>() {
        None => Err(badarg(context, args)),
        Some(found) if found.is_empty() => Ok(None),
        Some(found) if is_set => Ok(found.first().copied()),
        Some(found) => Ok(Some(context.heap.list(&found, Word::NIL))),
    }
}

fn member(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads_key(context, args, args[1])?;
    decide_key(context, args[0], args[1])?;
    Ok(Word::boolean(with_table(context, args[0], |table| table.contains(args[1]))?))
}

fn take(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_key(context, args, args[1])?;
    decide_key(context, args[0], args[1])?;
    let objects = with_table(context, args[0], |table| {
        let objects = table.lookup(args[1]);
        table.remove(args[1]);
        objects
    })?;
    Ok(context.heap.list(&objects, Word::NIL))
}

fn delete(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_key(context, args, args[1])?;
    decide_key(context, args[0], args[1])?;
    with_table(context, args[0], |table| table.remove(args[1]))?;
    Ok(Word::TRUE)
}

fn delete_object(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes(context, args)?;
    let object = opened(context, args[1]);
    let Some(key) = with_table(context, args[0], |table| table.key(object))? else {
        return Err(badarg(context, args));
    };
    decide_key(context, args[0], key)?;
    decide_object(context, args[0], object)?;
    with_table(context, args[0], |table| table.remove_object(object))?;
    Ok(Word::TRUE)
}

fn delete_all(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes(context, args)?;
    let count = with_table(context, args[0], |table| {
        let count = table.len();
        table.clear();
        count
    })?;
    Ok(Word::small(count as i64))
}

fn update_element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_key(context, args, args[1])?;
    let (object, key_index) = match only_object(context, args)? {
        Some(found) => found,
        None => return Err(badarg(context, args)),
    };
    let Some(object) = object else { return Ok(Word::FALSE) };
    update(context, args, object, key_index)
}

/// Updates elements. A missing object starts as the default object, with the key in its place.
fn update_element_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_key(context, args, args[1])?;
    let Some((object, key_index)) = only_object(context, args)? else { return Err(badarg(context, args)) };
    let Some(default) = args[3].as_tuple() else { return Err(badarg_because(context, "default")) };
    if default.len() <= key_index {
        return Err(badarg_because(context, "position"));
    }
    let object = object.unwrap_or_else(|| context.heap.tuple_with(args[3].payload(), key_index, args[1]));
    update(context, args, object, key_index)
}

fn update(context: &mut Context, args: &[Word], object: Word, key_index: usize) -> Result<Word, Escape> {
    let mut elements = object.payload().to_vec();
    for update in updates(context, args[2])? {
        let Some(&[position, value]) = update.as_tuple() else { return Err(badarg(context, args)) };
        match index(plain(context, position), elements.len()) {
            Some(index) if index == key_index => return Err(badarg_because(context, "keypos")),
            Some(index) => elements[index] = value,
            None => return Err(badarg(context, args)),
        }
    }
    let object = context.heap.tuple(&elements);
    with_table(context, args[0], |table| table.insert(object))?;
    Ok(Word::TRUE)
}

/// Returns one or several updates, whose parts keep their shadows.
fn updates(context: &mut Context, given: Word) -> Result<Vec<Word>, Escape> {
    let given = opened(context, given);
    if given.as_tuple().is_some() {
        return Ok(vec![given]);
    }
    Ok(checked_items(context, given)?.into_iter().map(|update| opened(context, update)).collect())
}

fn update_counter(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_key(context, args, args[1])?;
    match only_object(context, args)? {
        Some((Some(object), key_index)) => count(context, args, object, key_index),
        Some((None, _)) => Err(badarg_because(context, "badkey")),
        None => Err(badarg_because(context, "table_type")),
    }
}

/// Updates counters. A missing object starts as the default object, with the key in its place.
fn update_counter_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes_key(context, args, args[1])?;
    let key_index = match only_object(context, args)? {
        Some((Some(object), key_index)) => return count(context, args, object, key_index),
        Some((None, key_index)) => key_index,
        None => return Err(badarg_because(context, "table_type")),
    };
    if args[3].payload().len() <= key_index {
        return Err(badarg(context, args));
    }
    let object = context.heap.tuple_with(args[3].payload(), key_index, args[1]);
    count(context, args, object, key_index)
}

/// Counts by `Increment`, `{Position, Increment}`, `{Position, Increment, Threshold, SetValue}` or a list of tuples.
/// Nothing changes if one of them is wrong.
fn count(context: &mut Context, args: &[Word], object: Word, key_index: usize) -> Result<Word, Escape> {
    let behind_key = Word::small(key_index as i64 + 2);
    let is_increment = context.is_within(Domain::Integer, args[2]);
    let updates = match is_increment {
        true => vec![context.heap.tuple(&[behind_key, args[2]])],
        false => updates(context, args[2])?,
    };
    context.charge(updates.len())?;
    let mut elements = object.payload().to_vec();
    let mut results = Vec::with_capacity(updates.len());
    for update in updates {
        let (position, increment, limit) = match update.as_tuple() {
            Some(&[position, increment]) => (position, increment, None),
            Some(&[position, increment, threshold, value]) => (position, increment, Some((threshold, value))),
            _ => return Err(badarg(context, args)),
        };
        let numbers = limit.into_iter().flat_map(|(threshold, value)| [threshold, value]).chain([increment]);
        for number in numbers {
            if !context.is_within(Domain::Integer, number) {
                return Err(badarg(context, args));
            }
        }
        let position = plain(context, position);
        if !position.is_small() {
            return Err(badarg(context, args));
        }
        let index = match index(position, elements.len()) {
            Some(index) if index == key_index => return Err(badarg_because(context, "keypos")),
            Some(index) => index,
            None => return Err(badarg_because(context, "position")),
        };
        if !context.is_within(Domain::Integer, elements[index]) {
            return Err(badarg(context, args));
        }
        let sum = sum(context, elements[index], increment)?;
        elements[index] = match limit {
            Some((threshold, value)) if passes(context, sum, increment, threshold) => value,
            _ => sum,
        };
        results.push(elements[index]);
    }
    let object = context.heap.tuple(&elements);
    tables::insert(context, args[0], object)?;
    let one = is_increment || args[2].concrete().as_tuple().is_some();
    Ok(match results.first() {
        Some(result) if one => *result,
        _ => context.heap.list(&results, Word::NIL),
    })
}

/// Returns whether a sum is beyond the threshold in the direction of the increment.
fn passes(context: &mut Context, sum: Word, increment: Word, threshold: Word) -> bool {
    let downwards = context.decide_order(increment, Word::small(0)).is_lt();
    let order = context.decide_order(sum, threshold);
    if downwards { order.is_lt() } else { order.is_gt() }
}

/// Adds integers.
fn sum(context: &mut Context, a: Word, b: Word) -> Result<Word, Escape> {
    match bifs::find(names::ERLANG, Atom::new("+"), 2) {
        Some(row) => context.apply_row(row, &[a, b], false),
        None => Err(badarg(context, &[a, b])),
    }
}

/// Returns the object of the key, if there is one, and the index of the key in it; `None` if the table allows several
/// objects for a key.
fn only_object(context: &mut Context, args: &[Word]) -> Result<Option<(Option<Word>, usize)>, Escape> {
    decide_key(context, args[0], args[1])?;
    with_table(context, args[0], |table| {
        table.is_set().then(|| (table.lookup(args[1]).first().copied(), table.key_index))
    })
}

fn plain(context: &mut Context, position: Word) -> Word {
    if position.is_symbolic() {
        context.lose(Concretised::PositionInTableObject);
    }
    position.concrete()
}

fn index(position: Word, size: usize) -> Option<usize> {
    usize::try_from(position.as_small()? - 1).ok().filter(|index| *index < size)
}

fn first(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let key = with_table(context, args[0], |table| table.end_key(false))?;
    asks_order(context, args[0])?;
    Ok(key.unwrap_or(names::END_OF_TABLE.into()))
}

fn last(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let key = with_table(context, args[0], |table| table.end_key(true))?;
    asks_order(context, args[0])?;
    Ok(key.unwrap_or(names::END_OF_TABLE.into()))
}

fn next(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    key_beyond(context, args, false)
}

fn prev(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    key_beyond(context, args, true)
}

/// Records what the order of a table depends on, where a key or an object is found by its place.
pub(super) fn asks_order(context: &mut Context, table: Word) -> Result<(), Escape> {
    let (is_ordered, shows_identities) =
        with_table(context, table, |table| (table.is_ordered(), table.shows_identities()))?;
    if !is_ordered {
        context.asks(Surrounding::HashOrder);
    }
    if shows_identities {
        context.asks(Surrounding::Identities);
    }
    Ok(())
}

fn key_beyond(context: &mut Context, args: &[Word], reverse: bool) -> Result<Word, Escape> {
    decide_key(context, args[0], args[1])?;
    asks_order(context, args[0])?;
    match with_table(context, args[0], |table| table.key_beyond(args[1], reverse))? {
        Ok(key) => Ok(key.unwrap_or(names::END_OF_TABLE.into())),
        Err(()) => Err(badarg(context, args)),
    }
}

fn first_lookup(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let key = first(context, args)?;
    with_objects(context, args[0], key)
}

fn last_lookup(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let key = last(context, args)?;
    with_objects(context, args[0], key)
}

fn next_lookup(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let key = next(context, args)?;
    with_objects(context, args[0], key)
}

fn prev_lookup(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let key = prev(context, args)?;
    with_objects(context, args[0], key)
}

/// Returns the key with its objects, or the key alone if it has no objects, as is the case for `'$end_of_table'`.
fn with_objects(context: &mut Context, table: Word, key: Word) -> Result<Word, Escape> {
    let objects = with_table(context, table, |table| table.lookup(key))?;
    if objects.is_empty() {
        return Ok(key);
    }
    let objects = context.heap.list(&objects, Word::NIL);
    Ok(context.heap.tuple(&[key, objects]))
}

/// Returns the objects of a slot. There is one slot per key.
fn slot(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let Some(index) = args[1].as_usize() else { return Err(badarg(context, args)) };
    context.charge(index / 16)?;
    asks_order(context, args[0])?;
    match with_table(context, args[0], |table| table.slot(index))? {
        Ok(Some(objects)) => Ok(context.heap.list(&objects, Word::NIL)),
        Ok(None) => Ok(names::END_OF_TABLE.into()),
        Err(()) => Err(badarg(context, args)),
    }
}
