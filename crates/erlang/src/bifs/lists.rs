//! Lists: the operators, and the functions that `lists` leaves to the runtime.

use super::kinds::as_beam_small;
use super::{badarg, rows};
use machine::value::identical;
use machine::{Context, Escape, Primitive, Word};
use std::cmp::Ordering;
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang" by Arguments;
        "hd" (NonemptyList) -> Any, badarg, head, Term(meaning::head), Fast::Head;
        "tl" (NonemptyList) -> Any, badarg, tail, Term(meaning::tail), Fast::Tail;
        "length" (Any) -> NonNegative, badarg, length, PartialOver(meaning::SPINE, meaning::proper_list, meaning::length);
        "++" (List, Any) -> Any, badarg, append, PreludeOver(&[Spine, Moved], "append");
        "append" (List, Any) -> Any, badarg, append, PreludeOver(&[Spine, Moved], "append");
        "--" (List, List) -> ProperList, badarg, subtract, Prelude("subtract");
        "subtract" (List, List) -> ProperList, badarg, subtract, Prelude("subtract");
    },
    rows! {"lists" by Arguments;
        "reverse" (List, Any) -> Any, badarg, reverse, PreludeOver(&[Spine, Moved], "reverse");
        "member" (Any, List) -> Boolean, badarg, member, Prelude("member");
        "keymember" (Any, Positive, List) -> Boolean, badarg, keymember, Prelude("keymember");
        "keysearch" (Any, Positive, List) -> Any, badarg, keysearch, Prelude("keysearch");
        "keyfind" (Any, Positive, List) -> Any, badarg, keyfind, Prelude("keyfind");
    },
];

/// The number of list cells that cost one step.
const CELLS_PER_STEP: usize = 16;

fn head(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].head())
}

fn tail(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].tail())
}

fn length(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let length = checked_length(context, args[0])?;
    Ok(Word::small(length as i64))
}

fn append(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let items = checked_items(context, args[0])?;
    context.heap.ensure_room(2 * items.len());
    Ok(context.heap.list(&items, args[1]))
}

/// Removes, for every item of the right list, the first equal item from the left list. Equal items are
/// indistinguishable, so a single pass from the left that counts the items to remove gives the same result.
fn subtract(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let left = checked_items(context, args[0])?;
    let right = checked_items(context, args[1])?;
    if left.is_empty() || right.is_empty() {
        return Ok(args[0].concrete());
    }
    let mut gone = Counted::new(context, right)?;
    let mut kept = Vec::new();
    let mut last_gone = 0;
    for (index, &item) in left.iter().enumerate() {
        if gone.take(context, item)? {
            last_gone = index + 1;
        } else {
            kept.push(item);
        }
    }
    // The cells after the last removed item are shared.
    let rest = (0..last_gone).fold(args[0].concrete(), |list, _| list.tail().concrete());
    kept.truncate(kept.len() - (left.len() - last_gone));
    context.heap.ensure_room(2 * kept.len());
    Ok(context.heap.list(&kept, rest))
}

/// A multiset of terms: a few are searched linearly, more are sorted.
struct Counted {
    items: Vec<(Word, usize)>,
    order: Option<fn(Word, Word) -> Ordering>,
    left: usize,
}

impl Counted {
    const FEW: usize = 8;

    fn new(context: &mut Context, mut items: Vec<Word>) -> Result<Counted, Escape> {
        let left = items.len();
        if left <= Counted::FEW {
            return Ok(Counted { items: items.into_iter().map(|item| (item, 1)).collect(), order: None, left });
        }
        let order = context.language.key_order();
        context.charge(left * (left.ilog2() as usize) / CELLS_PER_STEP)?;
        items.sort_unstable_by(|&a, &b| order(a, b));
        let mut counted: Vec<(Word, usize)> = Vec::with_capacity(left);
        for item in items {
            match counted.last_mut() {
                Some((last, count)) if order(*last, item) == Ordering::Equal => *count += 1,
                _ => counted.push((item, 1)),
            }
        }
        Ok(Counted { items: counted, order: Some(order), left })
    }

    /// Takes one item out, if there is one.
    fn take(&mut self, context: &mut Context, item: Word) -> Result<bool, Escape> {
        if self.left == 0 {
            return Ok(false);
        }
        let position = match self.order {
            None => self.items.iter().position(|&(other, count)| count > 0 && identical(other, item)),
            Some(order) => {
                context.charge(1)?;
                self.items.binary_search_by(|&(other, _)| order(other, item)).ok()
            }
        };
        match position.and_then(|position| self.items.get_mut(position)) {
            Some((_, count)) if *count > 0 => {
                *count -= 1;
                self.left -= 1;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

fn reverse(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let length = checked_length(context, args[0])?;
    context.heap.ensure_room(2 * length);
    let (mut rest, mut reversed) = (args[0].concrete(), args[1]);
    while rest.is_cons() {
        reversed = context.heap.cons(rest.head(), reversed);
        rest = rest.tail().concrete();
    }
    Ok(reversed)
}

pub(super) fn member(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let wanted = args[0];
    let found = find(context, args[1], |_, item| identical(item, wanted).then_some(item))?;
    Ok(Word::boolean(found.is_some()))
}

fn keymember(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::boolean(with_key(context, args)?.is_some()))
}

fn keysearch(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(match with_key(context, args)? {
        Some(tuple) => context.heap.tuple(&[names::VALUE.into(), tuple]),
        None => Word::FALSE,
    })
}

fn keyfind(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(with_key(context, args)?.unwrap_or(Word::FALSE))
}

/// Returns the first tuple whose element at the position is numerically equal to the key. Items that are no tuple, or
/// are too short, are skipped.
fn with_key(context: &mut Context, args: &[Word]) -> Result<Option<Word>, Escape> {
    let key = args[0].concrete();
    let Some(position) = as_beam_small(args[1]) else { return Err(badarg(context, args)) };
    let index = usize::try_from(position - 1).unwrap_or(usize::MAX);
    if key.is_atom() {
        // An atom is equal only to itself.
        return find(context, args[2], |_, item| {
            let element = *item.concrete().as_tuple()?.get(index)?;
            (element.concrete() == key).then_some(item)
        });
    }
    find(context, args[2], |context, item| {
        let element = *item.concrete().as_tuple()?.get(index)?;
        context.language.equal(element, key).then_some(item)
    })
}

/// Returns the first item that `test` accepts. Raises `badarg` if the list is improper and no item before its end is
/// accepted.
fn find(
    context: &mut Context,
    list: Word,
    mut test: impl FnMut(&Context, Word) -> Option<Word>,
) -> Result<Option<Word>, Escape> {
    let mut rest = list.concrete();
    let mut cells = 0;
    while rest.is_cons() {
        if let Some(item) = test(context, rest.head()) {
            return Ok(Some(item));
        }
        cells += 1;
        if cells % 1024 == 0 {
            context.charge(1024 / CELLS_PER_STEP)?;
        }
        rest = rest.tail().concrete();
    }
    if rest.is_nil() { Ok(None) } else { Err(context.error(names::BADARG)) }
}

/// Returns the length of a proper list; raises `badarg` for anything else.
pub(super) fn checked_length(context: &mut Context, list: Word) -> Result<usize, Escape> {
    let mut length = 0;
    let mut rest = list.concrete();
    while rest.is_cons() {
        length += 1;
        rest = rest.tail().concrete();
    }
    context.charge(length / CELLS_PER_STEP)?;
    if rest.is_nil() { Ok(length) } else { Err(context.error(names::BADARG)) }
}

/// Returns the items of a proper list; raises `badarg` for anything else.
pub(super) fn checked_items(context: &mut Context, list: Word) -> Result<Vec<Word>, Escape> {
    let length = checked_length(context, list)?;
    let mut items = Vec::with_capacity(length);
    let mut rest = list.concrete();
    while rest.is_cons() {
        items.push(rest.head());
        rest = rest.tail().concrete();
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{Call, agree, everything, grid, power};
    use term::Term;

    /// Terms without references: two references of the BEAM are different, but the machine has only one here.
    fn others() -> Vec<Term> {
        crate::bifs::testing::others().into_iter().filter(|term| !matches!(term, Term::Reference(_))).collect()
    }

    fn lists() -> Vec<Term> {
        let ints = |items: &[i64]| Term::list(items.iter().map(|item| Term::Int(*item)).collect::<Vec<_>>());
        let pair = |key: Term, value: i64| Term::tuple(vec![key, Term::Int(value)]);
        let long: Vec<i64> = (0..40).map(|at| at * 7 % 13).collect();
        vec![
            Term::Nil,
            Term::Int(2),
            ints(&[1, 2, 3, 2, 1]),
            ints(&[2, 2]),
            ints(&long),
            ints(&long[5..20]),
            Term::list(vec![Term::Float(1.0), Term::Int(1), Term::Float(0.0), Term::Float(-0.0)]),
            Term::list_with_tail(vec![Term::Int(1), Term::Int(2)], Term::atom("a")),
            Term::list(vec![pair(Term::Float(1.0), 1), pair(Term::Int(1), 2), Term::tuple(vec![]), Term::atom("a")]),
            Term::list(vec![pair(Term::atom("a"), 1), Term::Int(1), pair(ints(&[1, 2]), 3)]),
            Term::list_with_tail(vec![pair(Term::Int(1), 1)], pair(Term::Int(2), 2)),
            Term::list(others()),
            Term::list(others().into_iter().rev().chain(others()).collect::<Vec<_>>()),
        ]
    }

    #[test]
    fn lists_agree_with_the_beam() {
        let mut values = everything();
        values.extend(lists());
        agree(&grid("erlang", &[("hd", 1), ("tl", 1), ("length", 1)], &values));
        let two = [("++", 2), ("append", 2), ("--", 2), ("subtract", 2)];
        agree(&grid("erlang", &two, &[others(), lists()].concat()));
        agree(&grid("lists", &[("reverse", 2), ("member", 2)], &[others(), lists()].concat()));
    }

    #[test]
    fn keys_in_lists_agree_with_the_beam() {
        let mut calls = Vec::new();
        let positions = [Term::Int(0), Term::Int(1), Term::Int(2), Term::Int(-1), Term::Float(1.0), power(2, 70, 0)];
        for key in everything() {
            for position in &positions {
                for list in lists() {
                    for function in ["keyfind", "keymember", "keysearch"] {
                        calls.push(Call {
                            module: "lists",
                            function,
                            args: vec![key.clone(), position.clone(), list.clone()],
                        });
                    }
                }
            }
        }
        agree(&calls);
    }

    #[test]
    fn subtraction_of_long_lists_is_not_quadratic() {
        let mut context = crate::bifs::testing::context();
        let numbers: Vec<machine::Word> = (0..200_000).map(machine::Word::small).collect();
        let list = context.heap.list(&numbers, machine::Word::NIL);
        let before = context.fuel;
        let result = super::subtract(&mut context, &[list, list]).unwrap();
        assert!(result.is_nil());
        assert!(before - context.fuel < 2_000_000);
    }
}
