//! The order of keys in a small map: Erlang's order of terms, except that every integer comes before every float.

use super::ast::on_growing_stack;
use std::cmp::Ordering;
use term::{Bits, Fun, Term};

pub fn compare_keys(left: &Term, right: &Term) -> Ordering {
    on_growing_stack(|| {
        rank(left).cmp(&rank(right)).then_with(|| match (left, right) {
            (Term::Int(left), Term::Int(right)) => left.cmp(right),
            (Term::Big(left), Term::Big(right)) => left.cmp(right),
            (Term::Int(_), Term::Big(right)) => 0.cmp(&sign(right)),
            (Term::Big(left), Term::Int(_)) => sign(left).cmp(&0),
            (Term::Float(left), Term::Float(right)) => left.partial_cmp(right).unwrap_or(Ordering::Equal),
            (Term::Atom(left), Term::Atom(right)) => left.text().cmp(right.text()),
            (Term::Reference(left), Term::Reference(right))
            | (Term::Port(left), Term::Port(right))
            | (Term::Pid(left), Term::Pid(right)) => left.cmp(right),
            (Term::Fun(left), Term::Fun(right)) => compare_funs(left, right),
            (Term::Tuple(left), Term::Tuple(right)) => {
                left.len().cmp(&right.len()).then_with(|| compare_all(left.iter(), right.iter()))
            }
            (Term::Map(left), Term::Map(right)) => left
                .len()
                .cmp(&right.len())
                .then_with(|| compare_all(left.iter().map(|(key, _)| key), right.iter().map(|(key, _)| key)))
                .then_with(|| compare_all(left.iter().map(|(_, value)| value), right.iter().map(|(_, value)| value))),
            (Term::List(left, left_end), Term::List(right, right_end)) => {
                compare_lists(left, left_end.as_deref(), right, right_end.as_deref())
            }
            (Term::Bits(left), Term::Bits(right)) => compare_bits(left, right),
            // Terms with equal ranks are of the same kind; this includes `Nil`.
            _ => Ordering::Equal,
        })
    })
}

fn rank(term: &Term) -> u8 {
    match term {
        Term::Int(_) | Term::Big(_) => 0,
        Term::Float(_) => 1,
        Term::Atom(_) => 2,
        Term::Reference(_) => 3,
        Term::Fun(_) => 4,
        Term::Port(_) => 5,
        Term::Pid(_) => 6,
        Term::Tuple(_) => 7,
        Term::Map(_) => 8,
        Term::Nil => 9,
        Term::List(..) => 10,
        Term::Bits(_) => 11,
    }
}

/// Returns the sign of a big integer, which is larger than all small ones or smaller than all.
fn sign(big: &term::BigInt) -> i32 {
    if big.sign() == num_bigint::Sign::Minus { -1 } else { 1 }
}

fn compare_all<'t>(left: impl Iterator<Item = &'t Term>, right: impl Iterator<Item = &'t Term>) -> Ordering {
    left.zip(right)
        .map(|(left, right)| compare_keys(left, right))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Compares lists. If one ends first, its end is compared with the rest of the other.
fn compare_lists(left: &[Term], left_end: Option<&Term>, right: &[Term], right_end: Option<&Term>) -> Ordering {
    let common = left.len().min(right.len());
    compare_all(left[..common].iter(), right[..common].iter()).then_with(|| {
        let list_rank = rank(&Term::List([].into(), None));
        let end = |end: Option<&Term>| end.map_or_else(|| rank(&Term::Nil), rank);
        match left.len().cmp(&right.len()) {
            Ordering::Less => end(left_end).cmp(&list_rank),
            Ordering::Greater => list_rank.cmp(&end(right_end)),
            Ordering::Equal => compare_keys(left_end.unwrap_or(&Term::Nil), right_end.unwrap_or(&Term::Nil)),
        }
    })
}

/// Compares bitstrings. Unused bits are zero, so bytes are compared before lengths.
fn compare_bits(left: &Bits, right: &Bits) -> Ordering {
    left.bytes().cmp(right.bytes()).then(left.bit_length().cmp(&right.bit_length()))
}

fn compare_funs(left: &Fun, right: &Fun) -> Ordering {
    match (left, right) {
        (
            Fun::External { module, function, arity },
            Fun::External { module: other_module, function: other_function, arity: other_arity },
        ) => module
            .text()
            .cmp(other_module.text())
            .then_with(|| function.text().cmp(other_function.text()))
            .then(arity.cmp(other_arity)),
        (
            Fun::Local { module, index, unique, arity: _ },
            Fun::Local { module: other_module, index: other_index, unique: other_unique, arity: _ },
        ) => module.text().cmp(other_module.text()).then((index, unique).cmp(&(other_index, other_unique))),
        (Fun::Input { arity, number }, Fun::Input { arity: other_arity, number: other_number }) => {
            (arity, number).cmp(&(other_arity, other_number))
        }
        (Fun::Input { .. }, _) | (_, Fun::External { .. }) => Ordering::Less,
        (_, Fun::Input { .. }) | (Fun::External { .. }, _) => Ordering::Greater,
    }
}
