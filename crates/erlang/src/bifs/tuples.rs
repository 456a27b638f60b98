//! Tuples.

use super::lists::{checked_items, checked_length};
use super::{badarg, rows};
use machine::{BitsRef, Context, Escape, Primitive, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang";
    "element" (Positive, Tuple) -> Any, badarg, element, Opaque, Fast::Element;
    "setelement" (Positive, Tuple, Any) -> Tuple, badarg, setelement, Opaque;
    "tuple_size" (Tuple) -> NonNegative, badarg, tuple_size, Opaque;
    "size" (Any) -> NonNegative, badarg, size, Opaque;
    "make_tuple" (NonNegative, Any) -> Tuple, badarg, make_tuple, Opaque;
    "make_tuple" (NonNegative, Any, List) -> Tuple, badarg, make_tuple_with, Opaque;
    "append_element" (Tuple, Any) -> Tuple, badarg, append_element, Opaque;
    "insert_element" (Positive, Tuple, Any) -> Tuple, badarg, insert_element, Opaque;
    "delete_element" (Positive, Tuple) -> Tuple, badarg, delete_element, Opaque;
    "list_to_tuple" (List) -> Tuple, badarg, list_to_tuple, Opaque;
    "tuple_to_list" (Tuple) -> ProperList, badarg, tuple_to_list, Opaque;
}];

/// As on the BEAM.
const MAX_SIZE: usize = (1 << 24) - 1;

fn element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let elements = args[1].payload();
    let index = index(context, args[0], elements.len())?;
    Ok(elements[index])
}

fn setelement(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let index = index(context, args[0], args[1].payload().len())?;
    Ok(context.heap.tuple_with(args[1], index, args[2]))
}

fn tuple_size(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(args[0].payload().len() as i64))
}

fn size(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let Some(elements) = args[0].as_tuple() {
        return Ok(Word::small(elements.len() as i64));
    }
    match BitsRef::of(args[0]) {
        Some(bits) => Ok(Word::small((bits.len() / 8) as i64)),
        None => Err(badarg(context, args)),
    }
}

fn make_tuple(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let size = checked_size(context, args[0].as_usize())?;
    context.charge(size / 16)?;
    Ok(context.heap.tuple_of(size, args[1]))
}

/// Of several values for one position the last one counts.
fn make_tuple_with(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let size = checked_size(context, args[0].as_usize())?;
    let pairs = checked_items(context, args[2])?;
    context.charge(size / 16)?;
    context.heap.ensure_room(size + 1);
    let mut elements = vec![args[1]; size];
    for pair in pairs {
        let Some(&[position, value]) = pair.concrete().as_tuple() else { return Err(badarg(context, args)) };
        let index = index(context, position.concrete(), size)?;
        elements[index] = value;
    }
    Ok(context.heap.tuple(&elements))
}

fn append_element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let old = args[0].payload();
    checked_size(context, Some(old.len() + 1))?;
    inserted(context, old, old.len(), args[1])
}

fn insert_element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let old = args[1].payload();
    let index = index(context, args[0], old.len() + 1)?;
    inserted(context, old, index, args[2])
}

fn delete_element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let old = args[1].payload();
    let index = index(context, args[0], old.len())?;
    context.heap.ensure_room(old.len());
    let elements = [&old[..index], &old[index + 1..]].concat();
    Ok(context.heap.tuple(&elements))
}

fn list_to_tuple(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let length = checked_length(context, args[0])?;
    let size = checked_size(context, Some(length))?;
    context.heap.ensure_room(size + 1);
    let elements = checked_items(context, args[0])?;
    Ok(context.heap.tuple(&elements))
}

fn tuple_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let elements = args[0].payload();
    context.charge(elements.len() / 16)?;
    context.heap.ensure_room(2 * elements.len());
    Ok(context.heap.list(elements, Word::NIL))
}

fn inserted(context: &mut Context, old: &[Word], index: usize, element: Word) -> Result<Word, Escape> {
    context.heap.ensure_room(old.len() + 2);
    let elements = [&old[..index], &[element], &old[index..]].concat();
    Ok(context.heap.tuple(&elements))
}

/// The index below `size` that a position from 1 on means.
fn index(context: &mut Context, position: Word, size: usize) -> Result<usize, Escape> {
    match position.as_small().and_then(|position| usize::try_from(position - 1).ok()) {
        Some(index) if index < size => Ok(index),
        _ => Err(context.error(names::BADARG)),
    }
}

fn checked_size(context: &mut Context, size: Option<usize>) -> Result<usize, Escape> {
    match size {
        Some(size) if size <= MAX_SIZE => Ok(size),
        _ => Err(context.error(names::BADARG)),
    }
}
