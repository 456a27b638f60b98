//! A concrete term as part of a formula: comparable and hashable by its value, floats by their bits.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use term::{Term, work};

#[derive(Clone, Debug)]
pub struct Constant(pub Term);

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        same(&self.0, &other.0)
    }
}

impl Eq for Constant {}

/// Returns whether two terms are identical, where the two zeros are different.
fn same(a: &Term, b: &Term) -> bool {
    let mut open = Vec::new();
    let mut next = (a, b);
    loop {
        work::tick();
        if !same_tops(next.0, next.1, &mut open) {
            return false;
        }
        match open.pop() {
            Some(pair) => next = pair,
            None => return true,
        }
    }
}

/// Compares two terms except for their parts. Pushes the pairs of parts that must be the same too onto `open`.
fn same_tops<'a>(a: &'a Term, b: &'a Term, open: &mut Vec<(&'a Term, &'a Term)>) -> bool {
    match (a, b) {
        (Term::Float(x), Term::Float(y)) => x.to_bits() == y.to_bits(),
        (Term::List(x, x_end), Term::List(y, y_end)) => {
            let ends = match (x_end, y_end) {
                (None, None) => true,
                (Some(x), Some(y)) => {
                    open.push((x, y));
                    true
                }
                _ => false,
            };
            ends && same_items(x, y, open)
        }
        (Term::Tuple(x), Term::Tuple(y)) => same_items(x, y, open),
        (Term::Map(x), Term::Map(y)) => {
            x.len() == y.len() && {
                if !Arc::ptr_eq(x, y) {
                    open.extend(x.iter().zip(y.iter()).flat_map(|(x, y)| [(&x.1, &y.1), (&x.0, &y.0)]));
                }
                true
            }
        }
        (Term::List(..) | Term::Tuple(_) | Term::Map(_), _) | (_, Term::List(..) | Term::Tuple(_) | Term::Map(_)) => {
            false
        }
        _ => a == b,
    }
}

fn same_items<'a>(x: &'a Arc<[Term]>, y: &'a Arc<[Term]>, open: &mut Vec<(&'a Term, &'a Term)>) -> bool {
    x.len() == y.len() && {
        if !Arc::ptr_eq(x, y) {
            open.extend(x.iter().zip(y.iter()).rev());
        }
        true
    }
}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, 0, state);
    }
}

/// Hashes only the first items and the last one of long terms, and the outer levels of deep ones: terms that differ
/// only elsewhere are rare.
fn hash<H: Hasher>(term: &Term, depth: usize, state: &mut H) {
    const WIDTH: usize = 16;
    const DEPTH: usize = 3;
    std::mem::discriminant(term).hash(state);
    match term {
        Term::Int(value) => value.hash(state),
        Term::Big(value) => value.hash(state),
        Term::Float(value) => value.to_bits().hash(state),
        Term::Atom(atom) => atom.hash(state),
        Term::List(items, _) | Term::Tuple(items) => {
            items.len().hash(state);
            if depth < DEPTH {
                items.iter().take(WIDTH).chain(items.last()).for_each(|item| hash(item, depth + 1, state));
            }
        }
        Term::Map(pairs) => {
            pairs.len().hash(state);
            if depth < DEPTH {
                for (key, value) in pairs.iter().take(WIDTH) {
                    hash(key, depth + 1, state);
                    hash(value, depth + 1, state);
                }
            }
        }
        Term::Bits(bits) => {
            bits.bit_length().hash(state);
            bits.bytes()[..bits.bytes().len().min(WIDTH)].hash(state);
        }
        Term::Nil => {}
        Term::Fun(fun) => fun.arity().hash(state),
        Term::Pid(number) | Term::Reference(number) | Term::Port(number) => number.hash(state),
    }
}
