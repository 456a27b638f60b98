//! Finds plainer values in the place of odd ones that show the same failure.
//!
//! The smallest input that shows a failure is often one that no caller passes: an improper list, three bits, half of a
//! character. If a usual value fails in the same way, the finding shows that one. So a failure that keeps an odd input
//! needs it.

use term::order::key_order;
use term::{Bits, Term};

/// The place of a part in a term.
pub type Place = Vec<usize>;

/// Returns the odd parts of a term, with plainer values for each.
pub fn odd_parts(term: &Term) -> Vec<(Place, Vec<Term>)> {
    let mut found = Vec::new();
    let mut open: Vec<(Place, &Term)> = vec![(Vec::new(), term)];
    while let Some((place, part)) = open.pop() {
        let plainer = plainer(part);
        if !plainer.is_empty() {
            found.push((place, plainer));
            if found.len() == MOST_PARTS {
                break;
            }
            continue;
        }
        let children = children(part);
        if place.len() < DEEPEST && children.len() <= MOST_CHILDREN {
            let inner = children.into_iter().enumerate();
            open.extend(inner.map(|(index, child)| ([place.as_slice(), &[index]].concat(), child)));
        }
    }
    found
}

const MOST_PARTS: usize = 4;
const MOST_CHILDREN: usize = 32;
const DEEPEST: usize = 6;

/// Returns values to try in the place of an odd one, the most usual first. Returns none if the part is not odd.
fn plainer(part: &Term) -> Vec<Term> {
    match part {
        Term::Bits(bits) if !bits.is_binary() => of_any_kind(),
        Term::Bits(bits) if !is_text(bits) => vec![Term::binary("a".as_bytes()), Term::binary("\u{e9}".as_bytes())],
        Term::List(_, Some(_)) => of_any_kind(),
        Term::List(items, None) if items.iter().any(is_no_character) => {
            vec![Term::string("a"), Term::string("\u{e9}"), Term::string("\u{20ac}")]
        }
        Term::Pid(_) | Term::Reference(_) | Term::Port(_) => of_any_kind(),
        Term::Int(_)
        | Term::Big(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Nil
        | Term::List(..)
        | Term::Tuple(_)
        | Term::Map(_)
        | Term::Bits(_)
        | Term::Fun(_) => Vec::new(),
    }
}

/// Returns values of every kind that programs usually pass.
fn of_any_kind() -> Vec<Term> {
    let name = Term::binary("a".as_bytes());
    let pair = Term::tuple(vec![name.clone(), Term::Int(1)]);
    vec![
        name.clone(),
        Term::string("a"),
        Term::Int(1),
        Term::Float(1.5),
        Term::string("\u{20ac}"),
        Term::list(vec![name.clone()]),
        pair.clone(),
        Term::list(vec![pair]),
        Term::Map(vec![(name, Term::Int(1))].into()),
    ]
}

fn is_text(bits: &Bits) -> bool {
    std::str::from_utf8(bits.bytes()).is_ok()
}

/// Returns whether an integer is a surrogate, that is half of a character in UTF-16.
fn is_no_character(item: &Term) -> bool {
    matches!(item, Term::Int(0xD800..=0xDFFF))
}

/// Returns the elements of tuples and lists, the end of a list, and the keys and values of maps.
fn children(term: &Term) -> Vec<&Term> {
    match term {
        Term::Tuple(items) => items.iter().collect(),
        Term::List(items, tail) => items.iter().chain(tail.as_deref()).collect(),
        Term::Map(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
        Term::Int(_)
        | Term::Big(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Nil
        | Term::Bits(_)
        | Term::Fun(_)
        | Term::Pid(_)
        | Term::Reference(_)
        | Term::Port(_) => Vec::new(),
    }
}

/// Returns the term with another part at this place, unless a map would have the same key twice.
pub fn with_part(term: &Term, place: &[usize], part: &Term) -> Option<Term> {
    let Some((index, rest)) = place.split_first() else { return Some(part.clone()) };
    let changed = with_part(children(term).get(*index)?, rest, part)?;
    match term {
        Term::Tuple(items) => {
            let mut items = items.to_vec();
            *items.get_mut(*index)? = changed;
            Some(Term::tuple(items))
        }
        Term::List(items, tail) => {
            let (mut items, mut tail) = (items.to_vec(), tail.as_deref().cloned().unwrap_or(Term::Nil));
            *items.get_mut(*index).unwrap_or(&mut tail) = changed;
            Some(Term::list_with_tail(items, tail))
        }
        Term::Map(pairs) => {
            let mut pairs = pairs.to_vec();
            let pair = pairs.get_mut(*index / 2)?;
            *(if index % 2 == 0 { &mut pair.0 } else { &mut pair.1 }) = changed;
            pairs.sort_by(|(left, _), (right, _)| key_order(left, right));
            let is_twice = pairs.windows(2).any(|two| matches!(two, [one, next] if one.0 == next.0));
            (!is_twice).then(|| Term::Map(pairs.into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_parts_are_found_where_they_stand() {
        let improper = Term::list_with_tail(vec![Term::Int(0)], Term::Int(0));
        let bits = Term::Bits(Bits::new(vec![0], 1));
        let term = Term::tuple(vec![Term::Map(vec![(bits, improper)].into()), Term::binary(vec![128])]);
        let mut places: Vec<Place> = odd_parts(&term).into_iter().map(|(place, _)| place).collect();
        places.sort();
        assert_eq!(places, [vec![0, 0], vec![0, 1], vec![1]]);
        let plain = Term::tuple(vec![Term::string("a"), Term::binary("é".as_bytes()), Term::Nil, Term::Float(1.0)]);
        assert!(odd_parts(&plain).is_empty());
    }

    #[test]
    fn a_part_is_replaced_where_it_stands() {
        let map = |key: Term| Term::Map(vec![(key, Term::Int(1)), (Term::Int(7), Term::Int(2))].into());
        let pair = Term::tuple(vec![Term::atom("a"), map(Term::Int(3))]);
        let changed = with_part(&pair, &[1, 0], &Term::binary("b".as_bytes())).expect("a map");
        let sorted = Term::Map(vec![(Term::Int(7), Term::Int(2)), (Term::binary("b".as_bytes()), Term::Int(1))].into());
        assert_eq!(changed, Term::tuple(vec![Term::atom("a"), sorted]));
        assert_eq!(with_part(&pair, &[1, 0], &Term::Int(7)), None, "there would be two keys 7");
        let improper = Term::list_with_tail(vec![Term::Int(0)], Term::Int(1));
        assert_eq!(with_part(&improper, &[1], &Term::Nil), Some(Term::list(vec![Term::Int(0)])));
    }
}
