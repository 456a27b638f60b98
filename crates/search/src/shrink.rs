//! Finds simpler terms, as long as a test accepts them: fewer parts, smaller numbers, plain atoms, readable text.

use num_bigint::BigInt;
use std::sync::Arc;
use term::{Bits, Term};

/// A test that returns whether it accepts a term, or `None` if enough was tried.
pub type Test<'a> = dyn FnMut(&Term) -> Option<bool> + 'a;

/// Returns the simplest term that the test accepted; `None` if enough was tried, and the test has seen the best term.
pub fn shrink(term: &Term, test: &mut Test<'_>) -> Option<Term> {
    deep(|| simplest(term, test))
}

/// Grows the stack: terms may be nested to any depth, and so are the tests of their parts.
fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, work)
}

fn simplest(term: &Term, test: &mut Test<'_>) -> Option<Term> {
    for part in parts(term) {
        if test(&part)? {
            return shrink(&part, test);
        }
    }
    match term {
        Term::Int(value) => number(&BigInt::from(*value), &BigInt::ZERO, test),
        Term::Big(value) => number(value, &BigInt::ZERO, test),
        Term::Float(value) => float(*value, test),
        Term::Atom(atom) if atom.text().chars().count() > 1 => {
            let plain = Term::atom("a");
            Some(if test(&plain)? { plain } else { term.clone() })
        }
        Term::List(items, tail) => list(items, tail.as_ref(), test),
        Term::Tuple(items) => {
            let few =
                if items.len() <= MOST_PARTS { fewer(items.to_vec(), &Term::tuple, test)? } else { items.to_vec() };
            Some(Term::tuple(each(few, &shrink, &Term::tuple, test)?))
        }
        Term::Map(pairs) => map(pairs, test),
        Term::Bits(bits) => bitstring(bits, test),
        Term::Atom(_) | Term::Nil | Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => {
            Some(term.clone())
        }
    }
}

/// The maximum number of parts that are tried in the place of the whole, and of elements that a tuple may have for some
/// to be left out.
const MOST_PARTS: usize = 8;

fn parts(term: &Term) -> Vec<Term> {
    let parts: Vec<&Term> = match term {
        Term::List(items, tail) => items.iter().chain(tail.as_deref()).take(MOST_PARTS).collect(),
        Term::Tuple(items) => items.iter().take(MOST_PARTS).collect(),
        Term::Map(pairs) => pairs.iter().flat_map(|(key, value)| [value, key]).take(MOST_PARTS).collect(),
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
    };
    parts.into_iter().cloned().collect()
}

/// Leaves items out: all, then halves, then quarters, and finally one by one.
fn fewer<T: Clone>(mut items: Vec<T>, whole: &dyn Fn(Vec<T>) -> Term, test: &mut Test<'_>) -> Option<Vec<T>> {
    let mut size = items.len();
    while size > 0 {
        let mut at = 0;
        while at < items.len() {
            let rest: Vec<T> = items[..at].iter().chain(items.iter().skip(at + size)).cloned().collect();
            if test(&whole(rest.clone()))? {
                items = rest;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    Some(items)
}

/// Makes each item simpler in its place.
fn each<T: Clone + AsTerm>(
    mut items: Vec<T>,
    simpler: &dyn Fn(&Term, &mut Test<'_>) -> Option<Term>,
    whole: &dyn Fn(Vec<T>) -> Term,
    test: &mut Test<'_>,
) -> Option<Vec<T>> {
    for index in 0..items.len() {
        let mut in_place = |part: &Term| {
            let mut changed = items.clone();
            changed[index] = items[index].with(part.clone());
            deep(|| test(&whole(changed)))
        };
        let part = simpler(items[index].term(), &mut in_place)?;
        items[index] = items[index].with(part);
    }
    Some(items)
}

/// A value that contains a term that can be made simpler.
trait AsTerm {
    fn term(&self) -> &Term;
    fn with(&self, term: Term) -> Self;
}

impl AsTerm for Term {
    fn term(&self) -> &Term {
        self
    }
    fn with(&self, term: Term) -> Term {
        term
    }
}

/// A pair of a map, whose value can be made simpler.
impl AsTerm for (Term, Term) {
    fn term(&self) -> &Term {
        &self.1
    }
    fn with(&self, term: Term) -> (Term, Term) {
        (self.0.clone(), term)
    }
}

fn list(items: &[Term], tail: Option<&Arc<Term>>, test: &mut Test<'_>) -> Option<Term> {
    let end = tail.map_or(Term::Nil, |tail| (**tail).clone());
    let proper = tail.is_some() && test(&Term::list(items.to_vec()))?;
    let end = if proper { Term::Nil } else { end };
    let whole = |items: Vec<Term>| Term::list_with_tail(items, end.clone());
    let items = fewer(items.to_vec(), &whole, test)?;
    let items = if is_text(&items) { each(items, &letter, &whole, test)? } else { each(items, &shrink, &whole, test)? };
    if items.is_empty() {
        return Some(end);
    }
    let with_end = |end: &Term| Term::list_with_tail(items.clone(), end.clone());
    let end = if end == Term::Nil { end } else { shrink(&end, &mut |end: &Term| deep(|| test(&with_end(end))))? };
    Some(with_end(&end))
}

fn is_text(items: &[Term]) -> bool {
    items.iter().all(|item| matches!(item, Term::Int(32..=126)))
}

/// Moves a character towards a letter, so that text stays readable.
fn letter(character: &Term, test: &mut Test<'_>) -> Option<Term> {
    match character {
        Term::Int(value) => number(&BigInt::from(*value), &BigInt::from(LETTER), test),
        other => shrink(other, test),
    }
}

const LETTER: u8 = b'a';

/// Makes a map simpler. Keys are only changed if there is just one, because several keys have an order.
fn map(pairs: &[(Term, Term)], test: &mut Test<'_>) -> Option<Term> {
    let whole = |pairs: Vec<(Term, Term)>| Term::Map(pairs.into());
    let pairs = fewer(pairs.to_vec(), &whole, test)?;
    let pairs = each(pairs, &shrink, &whole, test)?;
    match &pairs[..] {
        [(key, value)] => {
            let with_key = |key: &Term| Term::Map(Arc::new([(key.clone(), value.clone())]));
            let key = shrink(key, &mut |key: &Term| deep(|| test(&with_key(key))))?;
            Some(with_key(&key))
        }
        _ => Some(whole(pairs)),
    }
}

/// Moves a number towards `plain`: tries `plain`, its neighbours and the other sign, then halves the distance.
fn number(value: &BigInt, plain: &BigInt, test: &mut Test<'_>) -> Option<Term> {
    let mut test = |value: &BigInt| test(&Term::integer(value.clone()));
    if value == plain || test(plain)? {
        return Some(Term::integer(plain.clone()));
    }
    for neighbour in [plain + 1, plain - 1] {
        if *value == neighbour || test(&neighbour)? {
            return Some(Term::integer(neighbour));
        }
    }
    let mirrored: BigInt = plain * 2 - value;
    let mut good = if value < plain && test(&mirrored)? { mirrored } else { value.clone() };
    let mut bad = if good < *plain { plain - 1 } else { plain + 1 };
    loop {
        let half = (&good + &bad) / 2;
        if half == good || half == bad {
            return Some(Term::integer(good));
        }
        if test(&half)? {
            good = half;
        } else {
            bad = half;
        }
    }
}

fn float(value: f64, test: &mut Test<'_>) -> Option<Term> {
    for simpler in [0.0, 1.0, -1.0, 2.0, 0.5, value.abs().trunc(), value.trunc(), value.abs(), (value / 2.0).trunc()] {
        if simpler == value {
            break;
        }
        if test(&Term::Float(simpler))? {
            return Some(Term::Float(simpler));
        }
    }
    Some(Term::Float(value))
}

fn bitstring(bits: &Bits, test: &mut Test<'_>) -> Option<Term> {
    if !bits.is_binary() {
        let bytes = Term::binary(bits.bytes());
        return if test(&bytes)? { shrink(&bytes, test) } else { odd_bitstring(bits, test) };
    }
    let mut bytes = fewer(bits.bytes().to_vec(), &|bytes: Vec<u8>| Term::binary(bytes), test)?;
    let plain = vec![LETTER; bytes.len()];
    if bytes == plain || test(&Term::binary(plain.clone()))? {
        return Some(Term::binary(plain));
    }
    for index in 0..bytes.len() {
        for simpler in [LETTER, 0] {
            let before = std::mem::replace(&mut bytes[index], simpler);
            if before == simpler || test(&Term::binary(bytes.clone()))? {
                break;
            }
            bytes[index] = before;
        }
    }
    Some(Term::binary(bytes))
}

/// Shortens a bitstring by whole bytes. Its length is not a whole number of bytes.
fn odd_bitstring(bits: &Bits, test: &mut Test<'_>) -> Option<Term> {
    let mut best = bits.clone();
    let mut cut = best.bit_length() / 8;
    while cut > 0 {
        let shorter = Bits::new(best.bytes().to_vec(), best.bit_length() - 8 * cut);
        if test(&Term::Bits(shorter.clone()))? {
            best = shorter;
            cut = cut.min(best.bit_length() / 8);
        } else {
            cut /= 2;
        }
    }
    Some(Term::Bits(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smallest(term: Term, will_do: impl Fn(&Term) -> bool) -> Term {
        assert!(will_do(&term));
        let mut left = 500;
        shrink(&term, &mut |term| {
            left -= 1;
            (left > 0).then(|| will_do(term))
        })
        .expect("enough tests")
    }

    fn ints(values: impl IntoIterator<Item = i64>) -> Term {
        Term::list(values.into_iter().map(Term::Int).collect::<Vec<_>>())
    }

    #[test]
    fn lists_lose_what_does_not_matter() {
        let has_seven = |term: &Term| term.as_list().is_some_and(|items| items.contains(&Term::Int(7)));
        assert_eq!(smallest(ints(0..60), has_seven), ints([7]));
        let long = |term: &Term| term.as_list().is_some_and(|items| items.len() > 3);
        assert_eq!(smallest(ints(5..30), long), ints([0, 0, 0, 0]));
    }

    #[test]
    fn numbers_go_to_the_bound_nearest_to_nought() {
        assert_eq!(smallest(Term::Int(-900_719), |term| term.as_int().is_some_and(|v| v < -42)), Term::Int(-43));
        assert_eq!(smallest(Term::Int(1 << 40), |term| term.as_int().is_some_and(|v| v > 1000)), Term::Int(1001));
        assert_eq!(smallest(Term::Int(-5), |term| term.as_int().is_some_and(|v| v != 0)), Term::Int(1));
        let big = Term::integer(BigInt::from(10).pow(30));
        assert_eq!(smallest(big, |term| matches!(term, Term::Big(_))), Term::integer(BigInt::from(1u64 << 63)));
    }

    #[test]
    fn parts_take_the_place_of_the_whole() {
        let nested = Term::tuple([Term::tuple([Term::Int(3), Term::atom("deep")]), Term::Nil]);
        let has_deep = |term: &Term| format!("{term:?}").contains("deep");
        assert_eq!(smallest(nested, has_deep), Term::atom("deep"));
    }

    #[test]
    fn text_stays_readable() {
        let long = |term: &Term| term.as_list().is_some_and(|items| items.len() > 1);
        assert_eq!(smallest(Term::string("zebra"), long), Term::string("aa"));
        let bytes = |term: &Term| matches!(term, Term::Bits(bits) if bits.bytes().len() > 2);
        assert_eq!(smallest(Term::binary([0, 255, 7, 9]), bytes), Term::binary(*b"aaa"));
    }

    #[test]
    fn maps_atoms_and_floats() {
        let map = Term::Map(Arc::new([(Term::atom("k"), Term::Int(9)), (Term::atom("unused"), Term::Int(1))]));
        let has_key =
            |term: &Term| matches!(term, Term::Map(pairs) if pairs.iter().any(|(key, _)| *key == Term::atom("k")));
        assert_eq!(smallest(map, has_key), Term::Map(Arc::new([(Term::atom("k"), Term::Int(0))])));
        assert_eq!(smallest(Term::atom("$odd name"), |term| matches!(term, Term::Atom(_))), Term::atom("a"));
        assert_eq!(
            smallest(Term::Float(123.75), |term| matches!(term, Term::Float(v) if *v > 3.0)),
            Term::Float(123.0)
        );
    }
}
