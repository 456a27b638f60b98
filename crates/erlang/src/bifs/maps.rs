//! Maps: functions that `erlang`, `maps` and the iterators of `maps` leave to the runtime.

use super::lists::{checked_items, checked_length};
use super::{badarg, badmap, rows, seen};
use crate::otp;
use machine::{Context, Escape, Primitive, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang" by Arguments;
        "map_size" (Map) -> NonNegative, badmap, map_size, Term(meaning::map_size);
        "map_get" (Any, Map) -> Any, badmap, get, Keyed(&[Deep, Top], Some(meaning::map_has), meaning::map_get);
        "is_map_key" (Any, Map) -> Boolean, badmap, is_key, Keyed(&[Deep, Top], None, meaning::map_has);
    },
    rows! {"maps" by Arguments;
        "find" (Any, Map) -> Any, badmap, find, Prelude("map_find");
        "from_keys" (List, Any) -> Map, badarg, from_keys, PreludeOver(&[Deep, Moved], "map_from_keys");
        "from_list" (List) -> Map, badarg, from_list, Prelude("map_from_list");
        "get" (Any, Map) -> Any, badmap, get, Keyed(&[Deep, Top], Some(meaning::map_has), meaning::map_get);
        "is_key" (Any, Map) -> Boolean, badmap, is_key, Keyed(&[Deep, Top], None, meaning::map_has);
        "keys" (Map) -> ProperList by Order Identities, badmap, keys, Meaning::Opened(meaning::TOP);
        "merge" (Map, Map) -> Map, first_not_a_map, merge, Prelude("map_merge");
        "put" (Any, Any, Map) -> Map, badmap, put, Keyed(&[Deep, Moved, Top], None, meaning::map_put);
        "remove" (Any, Map) -> Map, badmap, remove, Keyed(&[Deep, Top], None, meaning::map_remove);
        "take" (Any, Map) -> Any, badmap, take, Prelude("map_take");
        "update" (Any, Any, Map) -> Map, badmap, update, Keyed(&[Deep, Moved, Top], Some(meaning::map_has_for_update), meaning::map_put);
        "values" (Map) -> ProperList by Order Identities, badmap, values, Meaning::Opened(meaning::TOP);
    },
    rows! {"erts_internal" by Order Identities;
        "map_next" (Any, Map, Any) -> Any, badarg, map_next, Meaning::Opened(meaning::TOP);
        "map_to_tuple_keys" (Map) -> Tuple, badmap, map_to_tuple_keys, Meaning::Opened(meaning::TOP);
        "map_hashmap_children" (Map) -> ProperList, badmap, map_hashmap_children, Meaning::Opaque(meaning::DEEP);
    },
];

fn map_size(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(args[0].map_size() as i64))
}

fn find(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(match args[1].map_get(args[0]) {
        Some(value) => context.heap.tuple(&[names::OK.into(), value]),
        None => names::ERROR.into(),
    })
}

fn from_keys(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let keys = checked_items(context, args[0])?;
    let pairs: Vec<(Word, Word)> = keys.into_iter().map(|key| (key.concrete(), args[1])).collect();
    map_of(context, &pairs)
}

fn from_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut pairs = Vec::with_capacity(checked_length(context, args[0])?);
    let mut rest = args[0].concrete();
    while rest.is_cons() {
        match rest.head().concrete().as_tuple() {
            Some(&[key, value]) => pairs.push((key.concrete(), value)),
            _ => return Err(badarg(context, args)),
        }
        rest = rest.tail().concrete();
    }
    map_of(context, &pairs)
}

fn get(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[1].map_get(args[0]) {
        Some(value) => Ok(value),
        None => Err(context.error_with(names::BADKEY, args[0])),
    }
}

fn is_key(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::boolean(args[1].map_get(args[0]).is_some()))
}

fn keys(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    listed(context, args[0], |key, _| key)
}

fn values(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    listed(context, args[0], |_, value| value)
}

/// Merges maps; the values of the second one take precedence. The smaller map is inserted into the larger one, unless
/// their sizes are so similar that building a new map is cheaper.
fn merge(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (first, second) = (args[0], args[1]);
    let (size, other) = (first.map_size(), second.map_size());
    if other == 0 {
        return Ok(first);
    }
    if size == 0 {
        return Ok(second);
    }
    context.charge(size.min(other))?;
    if other * 8 < size {
        return Ok(second.map_iter().fold(first, |map, (key, value)| context.heap.map_put(map, key, value)));
    }
    if size * 8 < other {
        let missing: Vec<_> = first.map_iter().filter(|(key, _)| second.map_get(*key).is_none()).collect();
        return Ok(missing.into_iter().fold(second, |map, (key, value)| context.heap.map_put(map, key, value)));
    }
    let pairs: Vec<_> = first.map_iter().chain(second.map_iter()).collect();
    map_of(context, &pairs)
}

fn put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.map_put(args[2], args[0], args[1]))
}

fn remove(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.map_remove(args[1], args[0]))
}

fn take(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(value) = args[1].map_get(args[0]) else { return Ok(names::ERROR.into()) };
    let rest = context.heap.map_remove(args[1], args[0]);
    Ok(context.heap.tuple(&[value, rest]))
}

fn update(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if args[2].map_get(args[0]).is_none() {
        return Err(context.error_with(names::BADKEY, args[0]));
    }
    Ok(context.heap.map_put(args[2], args[0], args[1]))
}

/// The number of associations in one step of an iterator. The first step through a large map returns fewer, because
/// many loops use only the first few.
const FIRST_STEP: usize = 32;
const STEP: usize = 256;

/// Returns the next associations. For an iterator: `{K, V, {K, V, … none | [Path | Map]}}`; for a list: the pairs,
/// prepended to the given list. The path is 0 at the start; `maps` passes later ones back unchanged.
fn map_next(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (path, map) = (args[0], args[1]);
    let iterator = args[2].as_atom() == Some(names::ITERATOR);
    if !iterator && !args[2].concrete().is_list() {
        return Err(badarg(context, args));
    }
    if path.is_list() && iterator && otp::release() >= 26 {
        return in_order_of(context, args);
    }
    let Some(path) = path_number(path) else { return Err(badarg(context, args)) };
    if map.map_is_small() && path > map.map_size() as u64 {
        return Err(badarg(context, args));
    }
    seen::order_of_map(context, map);
    let start = if map.map_is_small() { 0 } else { path };
    if !iterator {
        let pairs: Vec<_> = map.map_iter_from(start).collect();
        context.charge(pairs.len())?;
        context.heap.ensure_room(5 * pairs.len());
        return Ok(pairs.into_iter().rev().fold(args[2], |list, (key, value)| {
            let pair = context.heap.tuple(&[key, value]);
            context.heap.cons(pair, list)
        }));
    }
    let count = if path == 0 { FIRST_STEP } else { STEP };
    let (pairs, position) = map.map_iter_from(start).chunk(count);
    context.charge(pairs.len())?;
    let end = match position {
        Some(position) => {
            let path = context.heap.integer_u64(position);
            context.heap.cons(path, map)
        }
        None => names::NONE.into(),
    };
    Ok(pairs.into_iter().rev().fold(end, |next, (key, value)| context.heap.tuple(&[key, value, next])))
}

fn map_to_tuple_keys(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if !args[0].map_is_small() {
        return Err(badarg(context, args));
    }
    seen::order_of_map(context, args[0]);
    let keys: Vec<Word> = args[0].map_iter().map(|(key, _)| key).collect();
    Ok(context.heap.tuple(&keys))
}

/// Returns the parts of a large map, which no program can interpret: an association becomes a pair, a deeper part a map
/// of its own.
fn map_hashmap_children(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if args[0].map_is_small() {
        return Err(badarg(context, args));
    }
    context.charge(args[0].map_size())?;
    seen::order_of_map(context, args[0]);
    let parts: Vec<Vec<(Word, Word)>> = args[0].map_parts();
    Ok(parts.into_iter().fold(Word::NIL, |list, part| {
        let child = match part[..] {
            [(key, value)] => context.heap.cons(key, value),
            _ => context.heap.map_of(&part),
        };
        context.heap.cons(child, list)
    }))
}

/// Raises `{badmap, Value}` for the first argument that is no map.
fn first_not_a_map(context: &mut Context, args: &[Word]) -> Escape {
    let value = args.iter().find(|arg| !arg.is_map()).copied().unwrap_or(Word::NIL);
    context.error_with(names::BADMAP, value)
}

fn map_of(context: &mut Context, pairs: &[(Word, Word)]) -> Result<Word, Escape> {
    context.charge(pairs.len())?;
    Ok(context.heap.map_of(pairs))
}

pub(super) fn pairs(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    map_next(context, &[Word::small(0), args[0], Word::NIL])
}

/// Returns `{Key, Value, {Key, Value, … none}}`: all pairs of an iterator that has the keys in a given order.
fn in_order_of(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let keys = checked_items(context, args[0])?;
    context.charge(keys.len())?;
    let mut rest = names::NONE.into();
    for key in keys.into_iter().rev() {
        let Some(value) = args[1].map_get(key) else { return Err(badarg(context, args)) };
        rest = context.heap.tuple(&[key, value, rest]);
    }
    Ok(rest)
}

fn listed(context: &mut Context, map: Word, part: fn(Word, Word) -> Word) -> Result<Word, Escape> {
    seen::order_of_map(context, map);
    let items: Vec<Word> = map.map_iter().map(|(key, value)| part(key, value)).collect();
    context.charge(items.len() / 4)?;
    context.heap.ensure_room(2 * items.len());
    Ok(context.heap.list(&items, Word::NIL))
}

fn path_number(path: Word) -> Option<u64> {
    u64::try_from(path.as_i128()?).ok()
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{Call, agree, context, everything, grid, others};
    use machine::Word;
    use machine::value::identical;
    use term::{Term, names};

    fn numbered(count: i64, step: i64) -> Term {
        Term::Map((0..count).map(|at| (Term::Int(at * step), Term::Int(at))).collect::<Vec<_>>().into())
    }

    fn maps() -> Vec<Term> {
        let zeros = |value| Term::Map(vec![(Term::Float(value), Term::Int(1))].into());
        vec![numbered(4, 1), numbered(4, 2), numbered(30, 1), zeros(0.0), zeros(-0.0)]
    }

    #[test]
    fn maps_agree_with_the_beam() {
        let values = [others(), maps(), vec![Term::Int(1), Term::Float(1.0), Term::Float(0.0)]].concat();
        agree(&grid("erlang", &[("map_size", 1), ("map_get", 2), ("is_map_key", 2)], &values));
        agree(&grid("maps", &[("keys", 1), ("values", 1), ("from_list", 1)], &[everything(), values.clone()].concat()));
        let two = [("find", 2), ("from_keys", 2), ("get", 2), ("is_key", 2), ("merge", 2), ("remove", 2), ("take", 2)];
        agree(&grid("maps", &two, &values[5..]));
        agree(&grid("maps", &[("put", 3), ("update", 3)], &values[values.len() - 14..]));
        let internal = [("map_next", 3), ("map_to_tuple_keys", 1), ("map_hashmap_children", 1)];
        agree(&grid("erts_internal", &internal[1..], &values));
        let values =
            [maps(), vec![Term::Int(0), Term::Int(4), Term::Int(-1), Term::Nil, Term::atom("iterator")]].concat();
        agree(&grid("erts_internal", &internal[..1], &values));
    }

    #[test]
    fn maps_of_lists_agree_with_the_beam() {
        let pair = |key: Term, value: i64| Term::tuple(vec![key, Term::Int(value)]);
        let all: Vec<Term> =
            others().into_iter().filter(|key| !matches!(key, Term::Pid(_) | Term::Reference(_))).collect();
        let pairs: Vec<Term> = all.iter().take(30).zip(1..).map(|(key, value)| pair(key.clone(), value)).collect();
        let lists = [
            Term::list(pairs.clone()),
            Term::list([&pairs[..20], &pairs[10..]].concat()),
            Term::list(vec![pair(Term::Float(0.0), 1), pair(Term::Float(-0.0), 2), pair(Term::Int(0), 3)]),
            Term::list_with_tail(pairs.clone(), Term::Int(1)),
            Term::list([&pairs[..], &[Term::tuple(vec![Term::Nil])]].concat()),
            Term::list_with_tail(pairs, numbered(2, 1)),
        ];
        let mut calls: Vec<Call> =
            lists.iter().map(|list| Call { module: "maps", function: "from_list", args: vec![list.clone()] }).collect();
        calls.extend(lists.map(|list| Call { module: "maps", function: "from_keys", args: vec![list, Term::Nil] }));
        agree(&calls);
    }

    /// Checks the iteration that `maps:next/1` and `maps:to_list/1` do.
    #[test]
    fn an_iterator_sees_every_association_once() {
        let mut context = context();
        for count in [0, 1, 32, 33, 64, 65, 2000] {
            let pairs: Vec<_> = (0..count).map(|at| (Word::small(at), Word::small(-at))).collect();
            let map = context.heap.map_of(&pairs);
            let mut seen = Vec::new();
            let mut next = super::map_next(&mut context, &[Word::small(0), map, names::ITERATOR.into()]).unwrap();
            while next != names::NONE.into() {
                if next.is_cons() {
                    let args = [next.head(), next.tail(), names::ITERATOR.into()];
                    next = super::map_next(&mut context, &args).unwrap();
                } else {
                    let &[key, value, rest] = next.as_tuple().unwrap() else { panic!("an association") };
                    seen.push((key, value));
                    next = rest;
                }
            }
            assert!(seen == map.map_iter().collect::<Vec<_>>());
            let list = super::map_next(&mut context, &[Word::small(0), map, Word::NIL]).unwrap();
            let again = super::from_list(&mut context, &[list]).unwrap();
            assert!(identical(map, again));
        }
    }

    #[test]
    fn merging_large_maps_lets_the_second_win() {
        let mut context = context();
        for (first, second) in [(10, 500), (500, 10), (300, 400), (40, 40), (1, 33)] {
            let map = |context: &mut machine::Context, from: i64, count: i64, value: i64| {
                let pairs: Vec<_> = (from..from + count).map(|at| (Word::small(at), Word::small(value))).collect();
                context.heap.map_of(&pairs)
            };
            let (a, b) = (map(&mut context, 0, first, 1), map(&mut context, first / 2, second, 2));
            let merged = super::merge(&mut context, &[a, b]).unwrap();
            let overlap = (first - first / 2).min(second);
            assert_eq!(merged.map_size() as i64, first + second - overlap);
            let of_second = merged.map_iter().filter(|(_, value)| *value == Word::small(2)).count();
            assert_eq!(of_second as i64, second);
        }
    }
}
