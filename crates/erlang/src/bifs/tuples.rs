//! Tuples.

use super::lists::{checked_items, checked_length};
use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Arguments;
    "element" (Positive, Tuple) -> Any, badarg, element, Partial(meaning::has_element, meaning::element), Fast::Element;
    "setelement" (Positive, Tuple, Any) -> Tuple, badarg, setelement, PartialOver(&[Top, Top, Moved], meaning::has_element, meaning::set_element);
    "tuple_size" (Tuple) -> NonNegative, badarg, tuple_size, Term(meaning::tuple_size);
    "size" (Any) -> NonNegative, badarg, size, PreludeOver(&[Top], "size_of_either");
    "make_tuple" (NonNegative, Any) -> Tuple, badarg, make_tuple, PreludeOver(&[Top, Moved], "make_filled_tuple");
    "make_tuple" (NonNegative, Any, List) -> Tuple, badarg, make_tuple_with, Meaning::Opaque(&[Top, Moved, Deep]);
    "append_element" (Tuple, Any) -> Tuple, badarg, append_element, PreludeOver(&[Top, Moved], "append_to_tuple");
    "insert_element" (Positive, Tuple, Any) -> Tuple, badarg, insert_element, PreludeOver(&[Top, Top, Moved], "insert_into_tuple");
    "delete_element" (Positive, Tuple) -> Tuple, badarg, delete_element, PreludeOver(&[Top, Top], "delete_from_tuple");
    "list_to_tuple" (List) -> Tuple, badarg, list_to_tuple, PartialOver(meaning::SPINE, meaning::proper_list, meaning::list_to_tuple);
    "tuple_to_list" (Tuple) -> ProperList, badarg, tuple_to_list, Term(meaning::tuple_to_list);
}];

/// The maximum size of a tuple, as on the BEAM.
const MAX_SIZE: usize = (1 << 24) - 1;

fn element(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let elements = args[1].payload();
    let index = index(context, args[0], elements.len())?;
    Ok(elements[index])
}

fn setelement(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let elements = args[1].payload();
    let index = index(context, args[0], elements.len())?;
    Ok(context.heap.tuple_with(elements, index, args[2]))
}

fn tuple_size(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(args[0].payload().len() as i64))
}

fn size(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let Some(elements) = args[0].as_tuple() {
        return Ok(Word::small(elements.len() as i64));
    }
    match args[0].as_bits() {
        Some(bits) => Ok(Word::small((bits.len() / 8) as i64)),
        None => Err(badarg(context, args)),
    }
}

pub(super) fn make_tuple(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let size = checked_size(context, args[0].as_usize())?;
    context.charge(size / 16)?;
    Ok(context.heap.tuple_of(size, args[1]))
}

/// Makes a tuple. If a position has several values, the last one counts.
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

/// Returns the index below `size` of a position that is counted from 1.
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

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{Call, agree, everything, grid, others, power};
    use term::Term;

    #[test]
    fn tuples_agree_with_the_beam() {
        let one = [("tuple_size", 1), ("size", 1), ("list_to_tuple", 1), ("tuple_to_list", 1)];
        agree(&grid("erlang", &one, &everything()));
        let tuple = |size: i64| Term::tuple((1..=size).map(Term::Int).collect::<Vec<_>>());
        let mut values = others();
        values.extend([-1, 0, 1, 2, 3, 4, 5].map(Term::Int));
        values.extend([power(2, 70, 0), power(2, 24, 0), tuple(1), tuple(3), tuple(4)]);
        agree(&grid("erlang", &[("element", 2), ("append_element", 2), ("delete_element", 2)], &values));
        agree(&grid("erlang", &[("setelement", 3), ("insert_element", 3)], &values[values.len() - 20..]));
    }

    #[test]
    fn made_tuples_agree_with_the_beam() {
        let pair = |position: Term, value: i64| Term::tuple(vec![position, Term::Int(value)]);
        let lists = [
            Term::Nil,
            Term::atom("a"),
            Term::list(vec![pair(Term::Int(1), 5), pair(Term::Int(2), 6), pair(Term::Int(1), 7)]),
            Term::list(vec![pair(Term::Int(0), 5)]),
            Term::list(vec![pair(power(2, 70, 0), 5)]),
            Term::list(vec![pair(Term::Float(1.0), 5)]),
            Term::list(vec![Term::tuple(vec![Term::Int(1)])]),
            Term::list_with_tail(vec![pair(Term::Int(1), 5)], Term::Int(1)),
        ];
        let mut calls = Vec::new();
        for size in [-1, 0, 1, 2, 1 << 24].map(Term::Int).into_iter().chain([power(2, 70, 0), Term::Float(2.0)]) {
            calls.push(Call { module: "erlang", function: "make_tuple", args: vec![size.clone(), Term::Int(9)] });
            for list in &lists {
                let args = vec![size.clone(), Term::Int(9), list.clone()];
                calls.push(Call { module: "erlang", function: "make_tuple", args });
            }
        }
        agree(&calls);
    }

    #[test]
    fn the_largest_tuple_takes_no_more() {
        let mut context = crate::bifs::testing::context();
        let largest = context.heap.tuple_of(super::MAX_SIZE, machine::Word::NIL);
        assert!(super::append_element(&mut context, &[largest, machine::Word::NIL]).is_err());
        let list = super::tuple_to_list(&mut context, &[largest]).unwrap();
        let longer = context.heap.cons(machine::Word::NIL, list);
        assert!(super::list_to_tuple(&mut context, &[longer]).is_err());
    }
}
