//! Recursive walks over terms of any depth: the stack grows with them.

use crate::{Term, work};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

const RED_ZONE: usize = 64 << 10;
const STACK_PIECE: usize = 1 << 20;

fn grown<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, STACK_PIECE, work)
}

pub fn serialize<T: Serialize, S: Serializer>(parts: &T, serializer: S) -> Result<S::Ok, S::Error> {
    grown(|| parts.serialize(serializer))
}

pub fn deserialize<'d, T: Deserialize<'d>, D: Deserializer<'d>>(deserializer: D) -> Result<T, D::Error> {
    grown(|| T::deserialize(deserializer))
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        work::tick();
        match (self, other) {
            (Term::Int(left), Term::Int(right)) => left == right,
            (Term::Big(left), Term::Big(right)) => left == right,
            (Term::Float(left), Term::Float(right)) => left == right,
            (Term::Atom(left), Term::Atom(right)) => left == right,
            (Term::Nil, Term::Nil) => true,
            (Term::List(left, left_tail), Term::List(right, right_tail)) => {
                are_same(left, right) && grown(|| left_tail == right_tail)
            }
            (Term::Tuple(left), Term::Tuple(right)) => are_same(left, right),
            (Term::Map(left), Term::Map(right)) => are_same(left, right),
            (Term::Bits(left), Term::Bits(right)) => left == right,
            (Term::Fun(left), Term::Fun(right)) => left == right,
            (Term::Pid(left), Term::Pid(right))
            | (Term::Reference(left), Term::Reference(right))
            | (Term::Port(left), Term::Port(right)) => left == right,
            _ => false,
        }
    }
}

/// Compares two slices of terms. Shared slices are not walked: no term differs from itself.
fn are_same<T: PartialEq>(left: &Arc<[T]>, right: &Arc<[T]>) -> bool {
    Arc::ptr_eq(left, right) || grown(|| left == right)
}
