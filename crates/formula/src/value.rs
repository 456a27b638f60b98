//! Values during evaluation: terms, and views of the rest of a list that cost nothing to take.

use crate::kinds::Kinds;
use std::cmp::Ordering;
use std::sync::Arc;
use term::{Bits, Term, order, work};

#[derive(Clone)]
pub(crate) enum Value {
    Term(Term),
    /// A list without its first `from` cells; it has more cells than these.
    Rest {
        items: Arc<[Term]>,
        from: usize,
        end: Option<Arc<Term>>,
    },
}

/// The largest number of keys with which a map iterates in key order; larger maps have the machine's own order.
pub(crate) const SMALL_MAP: usize = 32;

impl Value {
    pub(crate) fn boolean(value: bool) -> Value {
        Value::Term(if value { Term::TRUE } else { Term::FALSE })
    }

    pub(crate) fn count(value: usize) -> Value {
        Value::Term(Term::integer(value.into()))
    }

    pub(crate) fn into_term(self) -> Term {
        match self {
            Value::Term(term) => term,
            Value::Rest { items, from, end } => Term::List(items[from..].into(), end),
        }
    }

    pub(crate) fn kinds(&self) -> Kinds {
        match self {
            Value::Term(term) => Kinds::of(term),
            Value::Rest { .. } => Kinds::CONS,
        }
    }

    pub(crate) fn as_boolean(&self) -> Option<bool> {
        match self {
            Value::Term(Term::Atom(atom)) if *atom == term::names::TRUE => Some(true),
            Value::Term(Term::Atom(atom)) if *atom == term::names::FALSE => Some(false),
            _ => None,
        }
    }

    /// Returns an integer ≥ 0, or `usize::MAX` for one that is too large.
    pub(crate) fn as_count(&self) -> Option<usize> {
        match self {
            Value::Term(Term::Int(value)) => usize::try_from(*value).ok(),
            Value::Term(Term::Big(value)) if value.sign() == num_bigint::Sign::Plus => Some(usize::MAX),
            _ => None,
        }
    }

    pub(crate) fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::Term(Term::Bits(bits)) => Some(bits),
            _ => None,
        }
    }

    /// Returns the arity of a function.
    pub(crate) fn arity(&self) -> Option<u32> {
        match self {
            Value::Term(Term::Fun(fun)) => Some(fun.arity()),
            _ => None,
        }
    }

    pub(crate) fn as_tuple(&self) -> Option<&Arc<[Term]>> {
        match self {
            Value::Term(Term::Tuple(elements)) => Some(elements),
            _ => None,
        }
    }

    pub(crate) fn as_map(&self) -> Option<&Arc<[(Term, Term)]>> {
        match self {
            Value::Term(Term::Map(pairs)) => Some(pairs),
            _ => None,
        }
    }

    /// Returns the items of the list, up to its end.
    pub(crate) fn cells(&self) -> &[Term] {
        match self {
            Value::Term(Term::List(items, _)) => items,
            Value::Rest { items, from, .. } => &items[*from..],
            Value::Term(_) => &[],
        }
    }

    pub(crate) fn is_proper_list(&self) -> bool {
        match self {
            Value::Term(Term::Nil | Term::List(_, None)) | Value::Rest { end: None, .. } => true,
            Value::Term(_) | Value::Rest { end: Some(_), .. } => false,
        }
    }

    pub(crate) fn rest(&self, cells: usize) -> Option<Value> {
        let (items, from, end) = match self {
            _ if cells == 0 => return Some(self.clone()),
            Value::Term(Term::List(items, end)) => (items, 0, end),
            Value::Rest { items, from, end } => (items, *from, end),
            Value::Term(_) => return None,
        };
        let from = from.checked_add(cells)?;
        match from.cmp(&items.len()) {
            Ordering::Less => Some(Value::Rest { items: items.clone(), from, end: end.clone() }),
            Ordering::Equal => Some(Value::Term(end.as_deref().cloned().unwrap_or(Term::Nil))),
            Ordering::Greater => None,
        }
    }
}

/// Returns the value at a key.
pub(crate) fn map_get<'a>(pairs: &'a [(Term, Term)], key: &Term) -> Option<&'a Term> {
    work::ticks(pairs.len() / 16);
    pairs.iter().find(|(other, _)| order::identical(other, key)).map(|(_, value)| value)
}

/// Returns the map with another value at a key that it has, or with one more key.
pub(crate) fn map_put(pairs: &[(Term, Term)], key: Term, value: Term) -> Term {
    let mut pairs = pairs.to_vec();
    match pairs.iter_mut().find(|(other, _)| order::identical(other, &key)) {
        Some((_, old)) => *old = value,
        None => pairs.push((key, value)),
    }
    map_of(pairs)
}

pub(crate) fn map_remove(pairs: &[(Term, Term)], key: &Term) -> Term {
    map_of(pairs.iter().filter(|(other, _)| !order::identical(other, key)).cloned().collect())
}

/// Returns the pairs in the order in which a small map iterates; `None` for a large one.
pub(crate) fn in_iteration_order(pairs: &[(Term, Term)]) -> Option<Vec<&(Term, Term)>> {
    if pairs.len() > SMALL_MAP {
        return None;
    }
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort_by(|a, b| order::key_order(&a.0, &b.0));
    Some(pairs)
}

/// Makes a map of pairs with distinct keys. The pairs of a small map are in the order of iteration.
pub(crate) fn map_of(mut pairs: Vec<(Term, Term)>) -> Term {
    if pairs.len() <= SMALL_MAP {
        pairs.sort_by(|a, b| order::key_order(&a.0, &b.0));
    }
    Term::Map(pairs.into())
}
