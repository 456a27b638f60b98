//! Single objects and keys: inserting, looking up, changing, deleting, going from key to key.

use super::tables::{bad_call, with_table};
use crate::bifs::lists::checked_items;
use crate::bifs::{badarg, badarg_because, rows};
use crate::order;
use machine::{Context, Escape, Primitive, Word};
use std::cmp::Ordering;
use term::names;

pub(super) const ROWS: &[Primitive] = rows! {"ets";
    "insert" (Any, Any) -> Boolean, bad_call, insert, Effect;
    "insert_new" (Any, Any) -> Boolean, bad_call, insert_new, Effect;
    "lookup" (Any, Any) -> ProperList, bad_call, lookup, Effect;
    "lookup_element" (Any, Any, Positive) -> Any, bad_call, lookup_element, Effect;
    "lookup_element" (Any, Any, Positive, Any) -> Any, bad_call, lookup_element_or, Effect;
    "member" (Any, Any) -> Boolean, bad_call, member, Effect;
    "take" (Any, Any) -> ProperList, bad_call, take, Effect;
    "delete" (Any, Any) -> Boolean, bad_call, delete, Effect;
    "delete_object" (Any, Any) -> Boolean, bad_call, delete_object, Effect;
    "internal_delete_all" (Any, Any) -> NonNegative, bad_call, delete_all, Effect;
    "update_element" (Any, Any, Any) -> Boolean, bad_call, update_element, Effect;
    "update_counter" (Any, Any, Any) -> Any, bad_call, update_counter, Effect;
    "update_counter" (Any, Any, Any, Tuple) -> Any, bad_call, update_counter_or, Effect;
    "first" (Any) -> Any, bad_call, first, Effect;
    "last" (Any) -> Any, bad_call, last, Effect;
    "next" (Any, Any) -> Any, bad_call, next, Effect;
    "prev" (Any, Any) -> Any, bad_call, prev, Effect;
    "slot" (Any, NonNegative) -> Any, bad_call, slot, Effect;
};

fn insert(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    for object in objects_with_keys(context, args)? {
        let compared = with_table(context, args[0], |table| table.insert(object))?;
        context.charge(compared / 8)?;
    }
    Ok(Word::TRUE)
}

/// All or none of them.
fn insert_new(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let objects = objects_with_keys(context, args)?;
    let new = with_table(context, args[0], |table| {
        let known = objects.iter().any(|object| table.key(*object).is_some_and(|key| table.contains(key)));
        if !known {
            for object in &objects {
                table.insert(*object);
            }
        }
        !known
    })?;
    Ok(Word::boolean(new))
}

/// The object or the list of objects, if all of them can be inserted.
fn objects_with_keys(context: &mut Context, args: &[Word]) -> Result<Vec<Word>, Escape> {
    let objects = match args[1].is_list() {
        true => checked_items(context, args[1])?.into_iter().map(Word::concrete).collect(),
        false => vec![args[1]],
    };
    context.charge(objects.len())?;
    let all_have_keys =
        with_table(context, args[0], |table| objects.iter().all(|object| table.key(*object).is_some()))?;
    if all_have_keys { Ok(objects) } else { Err(badarg(context, args)) }
}

fn lookup(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let objects = with_table(context, args[0], |table| table.lookup(args[1]))?;
    Ok(context.heap.list(&objects, Word::NIL))
}

fn lookup_element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match elements(context, args)? {
        Some(found) => Ok(found),
        None => Err(badarg_because(context, "badkey")),
    }
}

fn lookup_element_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(elements(context, args)?.unwrap_or(args[3]))
}

/// The element of the key's object, or the list of those of a bag; nothing if there is no such key.
fn elements(context: &mut Context, args: &[Word]) -> Result<Option<Word>, Escape> {
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
    Ok(Word::boolean(with_table(context, args[0], |table| table.contains(args[1]))?))
}

fn take(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let objects = with_table(context, args[0], |table| {
        let objects = table.lookup(args[1]);
        table.remove(args[1]);
        objects
    })?;
    Ok(context.heap.list(&objects, Word::NIL))
}

fn delete(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    with_table(context, args[0], |table| table.remove(args[1]))?;
    Ok(Word::TRUE)
}

fn delete_object(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let has_key = with_table(context, args[0], |table| {
        table.remove_object(args[1]);
        table.key(args[1]).is_some()
    })?;
    if has_key { Ok(Word::TRUE) } else { Err(badarg(context, args)) }
}

fn delete_all(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let count = with_table(context, args[0], |table| {
        let count = table.len();
        table.clear();
        count
    })?;
    Ok(Word::small(count as i64))
}

fn update_element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (object, key_index) = match only_object(context, args)? {
        Some(found) => found,
        None => return Err(badarg(context, args)),
    };
    let Some(object) = object else { return Ok(Word::FALSE) };
    let updates = match args[2].as_tuple() {
        Some(_) => vec![args[2]],
        None => checked_items(context, args[2])?,
    };
    let mut elements = object.payload().to_vec();
    for update in updates {
        let Some(&[position, value]) = update.concrete().as_tuple() else { return Err(badarg(context, args)) };
        match index(position, elements.len()) {
            Some(index) if index == key_index => return Err(badarg_because(context, "keypos")),
            Some(index) => elements[index] = value,
            None => return Err(badarg(context, args)),
        }
    }
    let object = context.heap.tuple(&elements);
    with_table(context, args[0], |table| table.insert(object))?;
    Ok(Word::TRUE)
}

fn update_counter(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match only_object(context, args)? {
        Some((Some(object), key_index)) => count(context, args, object, key_index),
        Some((None, _)) => Err(badarg_because(context, "badkey")),
        None => Err(badarg_because(context, "table_type")),
    }
}

/// A missing object begins as the default one, with the key in its place.
fn update_counter_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let key_index = match only_object(context, args)? {
        Some((Some(object), key_index)) => return count(context, args, object, key_index),
        Some((None, key_index)) => key_index,
        None => return Err(badarg_because(context, "table_type")),
    };
    if args[3].payload().len() <= key_index {
        return Err(badarg(context, args));
    }
    let object = context.heap.tuple_with(args[3], key_index, args[1]);
    count(context, args, object, key_index)
}

/// `Increment`, `{Position, Increment}`, `{Position, Increment, Threshold, SetValue}` or a list of tuples.
/// Nothing changes if one of them is wrong.
fn count(context: &mut Context, args: &[Word], object: Word, key_index: usize) -> Result<Word, Escape> {
    let behind_key = Word::small(key_index as i64 + 2);
    let updates = match args[2] {
        increment if increment.is_integer() => vec![context.heap.tuple(&[behind_key, increment])],
        update if update.as_tuple().is_some() => vec![update],
        list => checked_items(context, list)?,
    };
    context.charge(updates.len())?;
    let mut elements = object.payload().to_vec();
    let mut results = Vec::with_capacity(updates.len());
    for update in updates {
        let update: Vec<Word> =
            update.concrete().as_tuple().unwrap_or(&[]).iter().map(|part| part.concrete()).collect();
        let (position, increment, limit) = match update[..] {
            [position, increment] => (position, increment, None),
            [position, increment, threshold, value] => (position, increment, Some((threshold, value))),
            _ => return Err(badarg(context, args)),
        };
        let well_limited = limit.is_none_or(|(threshold, value)| threshold.is_integer() && value.is_integer());
        if !well_limited || !increment.is_integer() || !position.is_small() {
            return Err(badarg(context, args));
        }
        let index = match index(position, elements.len()) {
            Some(index) if index == key_index => return Err(badarg_because(context, "keypos")),
            Some(index) => index,
            None => return Err(badarg_because(context, "position")),
        };
        let Some(sum) = add(context, elements[index].concrete(), increment) else {
            return Err(badarg(context, args));
        };
        elements[index] = match limit {
            Some((threshold, value)) if passes(sum, increment, threshold) => value,
            _ => sum,
        };
        results.push(elements[index]);
    }
    let object = context.heap.tuple(&elements);
    with_table(context, args[0], |table| table.insert(object))?;
    let one = args[2].is_integer() || args[2].as_tuple().is_some();
    Ok(match results.first() {
        Some(result) if one => *result,
        _ => context.heap.list(&results, Word::NIL),
    })
}

/// Beyond the threshold in the direction of the increment.
fn passes(sum: Word, increment: Word, threshold: Word) -> bool {
    let downwards = order::compare(increment, Word::small(0)) == Ordering::Less;
    let beyond = if downwards { Ordering::Less } else { Ordering::Greater };
    order::compare(sum, threshold) == beyond
}

fn add(context: &mut Context, a: Word, b: Word) -> Option<Word> {
    match (a.as_small(), b.as_small()) {
        (Some(a), Some(b)) => Some(context.heap.integer(a + b)),
        _ => Some(context.heap.big(&(a.as_bigint()? + b.as_bigint()?))),
    }
}

/// The object of the key, if there is one, and where the key is in it; nothing if the table lets a key
/// have several.
fn only_object(context: &mut Context, args: &[Word]) -> Result<Option<(Option<Word>, usize)>, Escape> {
    with_table(context, args[0], |table| {
        table.is_set().then(|| (table.lookup(args[1]).first().copied(), table.key_index))
    })
}

fn index(position: Word, size: usize) -> Option<usize> {
    usize::try_from(position.concrete().as_small()? - 1).ok().filter(|index| *index < size)
}

fn first(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let key = with_table(context, args[0], |table| table.end_key(false))?;
    Ok(key.unwrap_or(names::END_OF_TABLE.into()))
}

fn last(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let key = with_table(context, args[0], |table| table.end_key(true))?;
    Ok(key.unwrap_or(names::END_OF_TABLE.into()))
}

fn next(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    key_beyond(context, args, false)
}

fn prev(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    key_beyond(context, args, true)
}

fn key_beyond(context: &mut Context, args: &[Word], reverse: bool) -> Result<Word, Escape> {
    match with_table(context, args[0], |table| table.key_beyond(args[1], reverse))? {
        Ok(key) => Ok(key.unwrap_or(names::END_OF_TABLE.into())),
        Err(()) => Err(badarg(context, args)),
    }
}

/// One slot per key.
fn slot(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(index) = args[1].as_usize() else { return Err(badarg(context, args)) };
    context.charge(index / 16)?;
    match with_table(context, args[0], |table| table.slot(index))? {
        Ok(Some(objects)) => Ok(context.heap.list(&objects, Word::NIL)),
        Ok(None) => Ok(names::END_OF_TABLE.into()),
        Err(()) => Err(badarg(context, args)),
    }
}
