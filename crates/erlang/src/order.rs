//! Erlang's total order of terms, `==`, and the order of keys in small maps. Works on values only: nothing is allocated
//! on the heap and nothing is recorded.
//!
//! `number < atom < reference < fun < port < pid < tuple < map < [] < list < bitstring`. Tuples and maps are ordered by
//! size first; a map's keys are compared before its values. Integers and floats are compared by their exact values: no
//! integer is rounded for that. Among keys of maps, at any depth, integers come before floats whatever their values
//! are.
//!
//! Data may be arbitrarily deep: the pairs that are still to be compared are on an explicit stack, which is empty for
//! flat data. Shadows are ignored.

use machine::value::{Parts, identical};
use machine::{BitsRef, Kind, Word};
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use std::cmp::Ordering;
use term::{floats, work};

pub fn compare(a: Word, b: Word) -> Ordering {
    if Word::both_small(a, b) {
        return a.small_value().cmp(&b.small_value());
    }
    order(a, b, Numbers::ByValue)
}

/// Returns whether only the numbers of two pids, references or ports decide the order.
pub fn is_arbitrary(a: Word, b: Word) -> bool {
    let mut open = Vec::new();
    order_with(a, b, Numbers::ByValue, &mut open);
    matches!(open.last(), Some(Open::Arbitrary))
}

/// Returns whether the terms are equal as by `==`.
pub fn equal(a: Word, b: Word) -> bool {
    let mut open = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        work::tick();
        if !equal_tops(a, b, &mut open) {
            return false;
        }
        match open.pop() {
            Some(next) => (a, b) = next,
            None => return true,
        }
    }
}

/// Compares keys of small maps. Two keys are equal in this order exactly if they are equal by `=:=`.
pub fn key_order(a: Word, b: Word) -> Ordering {
    if Word::both_small(a, b) {
        return a.small_value().cmp(&b.small_value());
    }
    order(a, b, Numbers::IntegersFirst)
}

/// Compares an integer with a float, exactly.
pub fn compare_with_float(integer: Word, float: f64) -> Ordering {
    /// The bound up to which every integer is a float, and from which on every float is an integer.
    const EXACT: f64 = (1u64 << 53) as f64;
    const TWO_TO_63: f64 = (1u64 << 63) as f64;
    match integer.as_i64() {
        // A large integer may be rounded here, but not down to below 2^53.
        Some(value) if float.abs() < EXACT => (value as f64).total_cmp(&(float + 0.0)),
        Some(_) if float >= TWO_TO_63 => Ordering::Less,
        Some(_) if float < -TWO_TO_63 => Ordering::Greater,
        Some(value) => value.cmp(&(float as i64)),
        None => {
            let negative = integer.as_limbs().is_some_and(|(negative, _)| negative);
            let by_sign = if negative { Ordering::Less } else { Ordering::Greater };
            if float.abs() < EXACT {
                return by_sign;
            }
            match (integer.as_bigint(), BigInt::from_f64(float)) {
                (Some(value), Some(other)) => value.cmp(&other),
                _ => by_sign,
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    ByValue,
    IntegersFirst,
}

/// Parts that are still to be compared if everything before them is equal.
enum Open {
    Pair(Word, Word, Numbers),
    Parts {
        a: Parts,
        b: Parts,
        numbers: Numbers,
    },
    /// No parts: the last comparison was between two identities, whose order is arbitrary.
    Arbitrary,
    Owned {
        a: std::vec::IntoIter<Word>,
        b: std::vec::IntoIter<Word>,
        numbers: Numbers,
    },
}

fn order(a: Word, b: Word, numbers: Numbers) -> Ordering {
    order_with(a, b, numbers, &mut Vec::new())
}

/// Compares two terms. The parts that would be compared next are left on `open`.
#[inline(always)]
fn order_with(a: Word, b: Word, numbers: Numbers, open: &mut Vec<Open>) -> Ordering {
    let mut next = (a, b, numbers);
    loop {
        work::tick();
        let (a, b, numbers) = next;
        let result = order_tops(a, b, numbers, open);
        if result != Ordering::Equal {
            return result;
        }
        next = match next_pair(open) {
            Some(pair) => pair,
            None => return Ordering::Equal,
        };
    }
}

fn next_pair(open: &mut Vec<Open>) -> Option<(Word, Word, Numbers)> {
    loop {
        match open.last_mut()? {
            Open::Pair(a, b, numbers) => {
                let pair = (*a, *b, *numbers);
                open.pop();
                return Some(pair);
            }
            Open::Arbitrary => {}
            Open::Parts { a, b, numbers } => {
                if let (Some(x), Some(y)) = (a.next(), b.next()) {
                    return Some((x, y, *numbers));
                }
            }
            Open::Owned { a, b, numbers } => {
                if let (Some(x), Some(y)) = (a.next(), b.next()) {
                    return Some((x, y, *numbers));
                }
            }
        }
        open.pop();
    }
}

/// Compares two terms as far as their tops decide. Parts that matter if the tops are equal are pushed to `open`.
fn order_tops(mut a: Word, mut b: Word, numbers: Numbers, open: &mut Vec<Open>) -> Ordering {
    loop {
        (a, b) = (a.concrete(), b.concrete());
        if a == b {
            return Ordering::Equal;
        }
        if !(a.is_cons() && b.is_cons()) {
            return order_unlike_words(a, b, numbers, open);
        }
        let (x, y) = (a.head().concrete(), b.head().concrete());
        let tails = (a.tail(), b.tail());
        if x == y {
            (a, b) = tails;
        } else if Word::both_small(x, y) {
            return x.small_value().cmp(&y.small_value());
        } else {
            open.push(Open::Pair(tails.0, tails.1, numbers));
            (a, b) = (x, y);
        }
    }
}

fn order_unlike_words(a: Word, b: Word, numbers: Numbers, open: &mut Vec<Open>) -> Ordering {
    let (rank_a, rank_b) = (rank(a), rank(b));
    if rank_a != rank_b {
        return rank_a.cmp(&rank_b);
    }
    match rank_a {
        Rank::Number => order_numbers(a, b, numbers),
        Rank::Atom => match (a.as_atom(), b.as_atom()) {
            (Some(a), Some(b)) => a.text().cmp(b.text()),
            _ => Ordering::Equal,
        },
        Rank::Reference | Rank::Port | Rank::Pid => {
            let order = a.identity().cmp(&b.identity());
            if order != Ordering::Equal {
                open.push(Open::Arbitrary);
            }
            order
        }
        Rank::Function => order_functions(a, b, numbers, open),
        Rank::Tuple => {
            let (a, b) = (a.parts(), b.parts());
            a.len().cmp(&b.len()).then_with(|| {
                open.push(Open::Parts { a, b, numbers });
                Ordering::Equal
            })
        }
        Rank::Map => order_maps(a, b, numbers, open),
        Rank::Bits => match (a.as_bits(), b.as_bits()) {
            (Some(a), Some(b)) => order_bits(a, b),
            _ => Ordering::Equal,
        },
        // Lists were handled before, and programs have no access to internal objects of the machine.
        Rank::Nil | Rank::List | Rank::Inner => Ordering::Equal,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Number,
    Atom,
    Reference,
    Function,
    Port,
    Pid,
    Tuple,
    Map,
    Nil,
    List,
    Bits,
    Inner,
}

fn rank(word: Word) -> Rank {
    match word.kind() {
        None if word.is_small() => Rank::Number,
        None if word.is_atom() => Rank::Atom,
        None if word.is_cons() => Rank::List,
        None => Rank::Nil,
        Some(kind) => match kind {
            Kind::Float | Kind::Big => Rank::Number,
            Kind::Tuple => Rank::Tuple,
            Kind::SmallMap | Kind::LargeMap => Rank::Map,
            Kind::Bits | Kind::BitsSlice => Rank::Bits,
            Kind::Closure | Kind::External => Rank::Function,
            Kind::Pid => Rank::Pid,
            Kind::Reference => Rank::Reference,
            Kind::Port => Rank::Port,
            Kind::MapNode | Kind::MapCollision | Kind::Trace => Rank::Inner,
        },
    }
}

fn order_numbers(a: Word, b: Word, numbers: Numbers) -> Ordering {
    match (a.as_float(), b.as_float()) {
        // -0.0 equals 0.0 by value; as a key it is the smaller one in releases that distinguish the two.
        (Some(a), Some(b)) if numbers == Numbers::IntegersFirst && floats::tells_zeros_apart() => a.total_cmp(&b),
        (Some(a), Some(b)) => (a + 0.0).total_cmp(&(b + 0.0)),
        (None, Some(_)) if numbers == Numbers::IntegersFirst => Ordering::Less,
        (Some(_), None) if numbers == Numbers::IntegersFirst => Ordering::Greater,
        (None, Some(b)) => compare_with_float(a, b),
        (Some(a), None) => compare_with_float(b, a).reverse(),
        (None, None) => order_integers(a, b),
    }
}

fn order_integers(a: Word, b: Word) -> Ordering {
    match (a.as_limbs(), b.as_limbs()) {
        (None, None) => a.small_value().cmp(&b.small_value()),
        // A big integer is outside the range of the small ones.
        (Some((negative, _)), None) => {
            if negative {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (None, Some((negative, _))) => {
            if negative {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (Some((true, _)), Some((false, _))) => Ordering::Less,
        (Some((false, _)), Some((true, _))) => Ordering::Greater,
        (Some((negative, a)), Some((_, b))) => {
            let magnitude = a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()));
            if negative { magnitude.reverse() } else { magnitude }
        }
    }
}

/// Compares functions. Closures come before external functions. Among closures the BEAM compares module, index in the
/// module and captures; the machine's number of the function represents the first two.
fn order_functions(a: Word, b: Word, numbers: Numbers, open: &mut Vec<Open>) -> Ordering {
    match (a.as_closure(), b.as_closure()) {
        (Some((x, captures)), Some((y, others))) => x.cmp(&y).then(captures.len().cmp(&others.len())).then_with(|| {
            open.push(Open::Parts { a: a.parts(), b: b.parts(), numbers });
            Ordering::Equal
        }),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => {
            open.push(Open::Parts { a: a.parts(), b: b.parts(), numbers });
            Ordering::Equal
        }
    }
}

fn order_maps(a: Word, b: Word, numbers: Numbers, open: &mut Vec<Open>) -> Ordering {
    let by_size = a.map_size().cmp(&b.map_size());
    if by_size != Ordering::Equal {
        return by_size;
    }
    // The parts that are pushed last are compared first.
    if a.is_kind(Kind::SmallMap) && b.is_kind(Kind::SmallMap) {
        // The keys, then the values.
        let (mut a, mut b) = (a.parts(), b.parts());
        let (Some(keys_a), Some(keys_b)) = (a.next(), b.next()) else { return Ordering::Equal };
        open.push(Open::Parts { a, b, numbers });
        open.push(Open::Parts { a: keys_a.parts(), b: keys_b.parts(), numbers: Numbers::IntegersFirst });
    } else {
        let ((keys_a, values_a), (keys_b, values_b)) = (sorted_entries(a), sorted_entries(b));
        open.push(Open::Owned { a: values_a.into_iter(), b: values_b.into_iter(), numbers });
        open.push(Open::Owned { a: keys_a.into_iter(), b: keys_b.into_iter(), numbers: Numbers::IntegersFirst });
    }
    Ordering::Equal
}

/// Returns the keys and values of a map, sorted by key. Keys that are themselves large maps are sorted recursively, so
/// this may need more stack.
fn sorted_entries(map: Word) -> (Vec<Word>, Vec<Word>) {
    let mut entries: Vec<(Word, Word)> = map.map_iter().collect();
    stacker::maybe_grow(64 << 10, 1 << 20, || entries.sort_by(|(a, _), (b, _)| key_order(*a, *b)));
    entries.into_iter().unzip()
}

/// Compares bitstrings by the first bit that differs, then by length.
fn order_bits(a: BitsRef<'_>, b: BitsRef<'_>) -> Ordering {
    if let (true, true, Some(x), Some(y)) = (a.is_binary(), b.is_binary(), a.aligned(), b.aligned()) {
        return x.cmp(y);
    }
    let common = a.len().min(b.len());
    a.part(0, common).chunks().cmp(b.part(0, common).chunks()).then(a.len().cmp(&b.len()))
}

/// Returns whether the tops are equal. Pairs of parts that must be equal as well are pushed to `open`.
fn equal_tops(mut a: Word, mut b: Word, open: &mut Vec<(Word, Word)>) -> bool {
    loop {
        (a, b) = (a.concrete(), b.concrete());
        if a == b {
            return true;
        }
        if !(a.is_cons() && b.is_cons()) {
            break;
        }
        let (x, y) = (a.head().concrete(), b.head().concrete());
        if x != y {
            if Word::both_small(x, y) {
                return false;
            }
            open.push((x, y));
        }
        (a, b) = (a.tail(), b.tail());
    }
    let rank_a = rank(a);
    if rank_a != rank(b) {
        return false;
    }
    match rank_a {
        Rank::Number => order_numbers(a, b, Numbers::ByValue) == Ordering::Equal,
        Rank::Atom | Rank::Nil | Rank::List => false,
        Rank::Reference | Rank::Port | Rank::Pid => a.identity() == b.identity(),
        Rank::Function => match (a.as_closure(), b.as_closure()) {
            (Some((x, captures)), Some((y, others))) => {
                x == y && captures.len() == others.len() && {
                    open.extend(captures.iter().copied().zip(others.iter().copied()));
                    true
                }
            }
            (None, None) => a.payload() == b.payload(),
            _ => false,
        },
        Rank::Tuple => {
            let (x, y) = (a.payload(), b.payload());
            x.len() == y.len() && {
                open.extend(x.iter().copied().zip(y.iter().copied()).filter(|(x, y)| x != y));
                true
            }
        }
        Rank::Map => {
            a.map_size() == b.map_size()
                && a.map_iter().all(|(key, value)| match b.map_get(key) {
                    Some(other) => {
                        open.push((value, other));
                        true
                    }
                    None => false,
                })
        }
        Rank::Bits | Rank::Inner => identical(a, b),
    }
}
