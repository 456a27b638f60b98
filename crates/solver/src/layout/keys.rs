//! Keys of maps in the inputs. A map has its keys in order, so changing one may require changing others.

use crate::layout::positions::Projection;
use crate::layout::typed::{part_types, smallest};
use crate::layout::{pairs, with_pair};
use formula::{TypeId, Types};
use num_bigint::BigInt;
use std::cmp::Ordering;
use term::{Atom, Bits, Term, order};

/// Returns `old` with these keys at their places. The other keys stay if they fit in between; otherwise new ones
/// replace them.
pub(crate) fn with_keys(types: &Types, of: &[TypeId], old: &Term, keys: &[(u32, Term)]) -> Option<Term> {
    let old = pairs(old);
    let given = |index: usize| keys.iter().find(|(place, _)| *place as usize == index).map(|(_, key)| key);
    let mut new: Vec<(Term, Term)> = Vec::with_capacity(old.len());
    for (index, (key, value)) in old.iter().enumerate() {
        let below = new.last().map(|(key, _)| key);
        let above = (index + 1..old.len()).find_map(given);
        let key = match given(index) {
            Some(key) => key.clone(),
            None if is_between(key, below, above) => key.clone(),
            None => new_key(types, of, below, above)?,
        };
        new.push((key, value.clone()));
    }
    // A duplicate key makes the map smaller, and one out of order moves. The evaluation decides whether the result will
    // do.
    let empty: &[(Term, Term)] = &[];
    let sorted = new.into_iter().fold(Term::Map(empty.into()), |map, (key, value)| with_pair(pairs(&map), key, value));
    Some(sorted)
}

/// Requirements on the keys of a map.
pub(crate) struct Asked<'a> {
    pub present: &'a [Term],
    pub absent: &'a [Term],
    pub size: Option<usize>,
}

/// Returns a map of another size: excess keys are removed, missing ones are new.
pub(crate) fn resized_map(old: &Term, size: usize, types: &Types, of: &[TypeId]) -> Option<Term> {
    with_asked(types, of, old, &Asked { present: &[], absent: &[], size: Some(size) })
}

/// Returns `old` with the required keys, and without the forbidden ones, in the required size.
pub(crate) fn with_asked(types: &Types, of: &[TypeId], old: &Term, asked: &Asked<'_>) -> Option<Term> {
    let has = |keys: &[Term], key: &Term| keys.iter().any(|other| order::identical(other, key));
    let place = |pairs: &[(Term, Term)], key: &Term| {
        let place = pairs.partition_point(|(other, _)| order::key_order(other, key) == Ordering::Less);
        (place, pairs.get(place).is_some_and(|(other, _)| order::identical(other, key)))
    };
    let value = |key: &Term| smallest(types, &part_types(types, of, &Projection::Value(key.clone())));
    let mut left: Vec<(Term, Term)> = pairs(old).iter().filter(|(key, _)| !has(asked.absent, key)).cloned().collect();
    for key in asked.present {
        if let (place, false) = place(&left, key) {
            left.insert(place, (key.clone(), value(key)?));
        }
    }
    let size = asked.size.unwrap_or(left.len());
    while left.len() > size {
        let last = left.iter().rposition(|(key, _)| !has(asked.present, key))?;
        left.remove(last);
    }
    while left.len() < size {
        let is_new = |key: &Term| !has(asked.absent, key) && !place(&left, key).1;
        // A key after all others leaves those at their places.
        let last = left.last().map(|(key, _)| key);
        let behind = candidates(types, of, last, None).into_iter().filter(|key| is_between(key, last, None));
        let key = behind.chain(candidates(types, of, None, None)).find(is_new)?;
        left.insert(place(&left, &key).0, (key.clone(), value(&key)?));
    }
    Some(Term::Map(left.into()))
}

fn is_between(key: &Term, below: Option<&Term>, above: Option<&Term>) -> bool {
    below.is_none_or(|below| order::key_order(below, key) == Ordering::Less)
        && above.is_none_or(|above| order::key_order(key, above) == Ordering::Less)
}

fn new_key(types: &Types, of: &[TypeId], below: Option<&Term>, above: Option<&Term>) -> Option<Term> {
    candidates(types, of, below, above).into_iter().find(|key| is_between(key, below, above))
}

/// Returns keys that maps of these types may have: small ones, and those next to the bounds.
fn candidates(types: &Types, of: &[TypeId], below: Option<&Term>, above: Option<&Term>) -> Vec<Term> {
    let key_types = part_types(types, of, &Projection::KeyAt(0));
    let mut found: Vec<Term> = key_types.iter().flat_map(|id| types.some_terms(*id)).collect();
    if key_types.is_empty() || key_types.contains(&Types::ANY) {
        found.extend((0..=9).map(Term::Int));
    }
    found.extend(below.and_then(next));
    if let Some(above) = above.and_then(crate::native::sets::integer) {
        found.push(Term::integer(above - BigInt::from(1)));
    }
    let fits = |key: &Term| key_types.is_empty() || key_types.iter().any(|id| types.contains(*id, key));
    found.retain(fits);
    found
}

/// Returns a term of the same kind that comes soon after this one.
fn next(term: &Term) -> Option<Term> {
    Some(match term {
        Term::Int(_) | Term::Big(_) => Term::integer(crate::native::sets::integer(term)? + 1),
        Term::Float(value) => Term::Float(value + 1.0),
        Term::Atom(atom) => {
            let text = atom.text();
            let next = match text.chars().next_back() {
                Some(last @ 'a'..='y') => format!("{}{}", &text[..text.len() - 1], char::from(last as u8 + 1)),
                _ => format!("{text}a"),
            };
            Term::Atom(Atom::try_new(&next).ok()?)
        }
        Term::Bits(bits) if bits.is_binary() => {
            let bytes = [bits.bytes(), &[0]].concat();
            let size = bytes.len() * 8;
            Term::Bits(Bits::new(bytes, size))
        }
        Term::List(items, None) => Term::list([items, &[Term::Int(0)][..]].concat()),
        Term::Tuple(items) => {
            let (last, before) = items.split_last()?;
            Term::tuple([before, &[next(last)?]].concat())
        }
        _ => return None,
    })
}
