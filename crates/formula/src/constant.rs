//! A concrete term as part of a formula: comparable and hashable by what it is, floats by their bits.

use std::hash::{Hash, Hasher};
use term::Term;

#[derive(Clone, Debug)]
pub struct Constant(pub Term);

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        same(&self.0, &other.0)
    }
}

impl Eq for Constant {}

/// Identity, with the two zeros told apart.
fn same(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Float(x), Term::Float(y)) => x.to_bits() == y.to_bits(),
        (Term::List(x, x_end), Term::List(y, y_end)) => {
            x.len() == y.len()
                && x.iter().zip(y.iter()).all(|(x, y)| same(x, y))
                && match (x_end, y_end) {
                    (None, None) => true,
                    (Some(x), Some(y)) => same(x, y),
                    _ => false,
                }
        }
        (Term::Tuple(x), Term::Tuple(y)) => x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| same(x, y)),
        (Term::Map(x), Term::Map(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| same(&x.0, &y.0) && same(&x.1, &y.1))
        }
        _ => a == b,
    }
}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

fn hash<H: Hasher>(term: &Term, state: &mut H) {
    std::mem::discriminant(term).hash(state);
    match term {
        Term::Int(value) => value.hash(state),
        Term::Big(value) => value.hash(state),
        Term::Float(value) => value.to_bits().hash(state),
        Term::Atom(atom) => atom.hash(state),
        Term::Nil => {}
        Term::List(items, end) => {
            items.iter().for_each(|item| hash(item, state));
            if let Some(end) = end {
                hash(end, state);
            }
        }
        Term::Tuple(items) => items.iter().for_each(|item| hash(item, state)),
        Term::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            hash(key, state);
            hash(value, state);
        }),
        // Equal ones have equal lengths; longer keys are rare.
        Term::Bits(bits) => bits.bit_length().hash(state),
        Term::Fun(_) => {}
        Term::Pid(number) | Term::Reference(number) | Term::Port(number) => number.hash(state),
    }
}
