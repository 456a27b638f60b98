//! The canonical constructors: the only way to make a term.
//!
//! A rewrite never changes a value: where a term has a value, the canonical term has the same. Where it has none (an
//! item of a list that is too short), the canonical term may have one, because paths test that beforehand. The rules:
//!
//! - An operation on constants only is a constant.
//! - A part of a constructed term is that part: `Item`, `Rest`, `Element`, `MapGet`, `BitsNumber` …
//!   reach through `Cons`, `Tuple`, `MapPut`, `Bits` and conversions wherever it is certain which part is meant.
//! - Projections are flat: the list of `Item` and `Rest` is never a `Rest`, the bits of a slice are never a slice.
//! - A test that the kinds or the declared types decide is `true` or `false`; `Kind` names only kinds that
//!   the term can be of, `OneOf` only constants that it can be.
//! - `[]` is tested with `Kind(x, NIL)`, `{}` with `TupleOf(x, 0)`, another single constant with
//!   `Identical`; `OneOf` has at least two constants. `Equal` becomes `Identical` where no integer can
//!   meet a float.
//! - Operands of commutative operators are in order of birth, but constants come last.
//! - Integers: a sum has one constant, at the end (`x - 3` is `x + -3`); shifts to the left by constants are
//!   products; a comparison with a constant has no constant on the other side.
//! - An operation on a looked up value and constants is looked up itself; a test of it is a test of the key.
//! - Floats are left as they are, because their arithmetic is not associative.
//! - What the path of a run has decided before is known to all terms that are made later (`assumed.rs`).

mod arithmetic;
mod assumed;
mod bits;
mod conditions;
mod conversions;
mod known;
mod lookups;
mod projections;

use crate::samples::Codomain;
use crate::table::Formulas;
use crate::terms::{BitsPart, Operator, TermId};
use term::FunctionName;
use term::{Term, order};

impl Formulas {
    pub fn cons(&mut self, head: TermId, tail: TermId) -> TermId {
        self.folded(Operator::Cons(head, tail))
    }

    /// Makes the list of `items` followed by `tail`.
    pub fn list(&mut self, items: &[TermId], tail: TermId) -> TermId {
        // The constants at the end become one constant at once, since cell by cell it would take quadratic time.
        let symbolic = items.iter().rposition(|item| self.as_constant(*item).is_none()).map_or(0, |last| last + 1);
        let (items, constants) = items.split_at(symbolic);
        let tail = match self.as_constant(tail) {
            Some(end) if !constants.is_empty() => {
                let values = constants.iter().filter_map(|item| self.as_constant(*item).cloned()).collect();
                let list = Term::list_with_tail(values, end.clone());
                self.constant(list)
            }
            _ => constants.iter().rev().fold(tail, |tail, item| self.cons(*item, tail)),
        };
        items.iter().rev().fold(tail, |tail, item| self.cons(*item, tail))
    }

    pub fn tuple(&mut self, elements: &[TermId]) -> TermId {
        let constants: Option<Vec<Term>> = elements.iter().map(|element| self.as_constant(*element).cloned()).collect();
        match constants {
            Some(constants) => self.constant(Term::tuple(constants)),
            None => self.intern_tuple(elements),
        }
    }

    pub fn bits(&mut self, parts: Vec<BitsPart>) -> TermId {
        self.bits_of_parts(parts)
    }

    pub fn map_put(&mut self, map: TermId, key: TermId, value: TermId) -> TermId {
        match *self.operator(map) {
            // put(k, v, put(k, _, m)) = put(k, v, m)
            Operator::MapPut { map, key: before, .. } | Operator::MapRemove { map, key: before } if before == key => {
                self.map_put(map, key, value)
            }
            _ => self.folded(Operator::MapPut { map, key, value }),
        }
    }

    pub fn map_remove(&mut self, map: TermId, key: TermId) -> TermId {
        match *self.operator(map) {
            // remove(k, put(k, _, m)) = remove(k, m)
            Operator::MapPut { map: inner, key: before, .. } if before == key => self.map_remove(inner, key),
            // remove(k, remove(k, m)) = remove(k, m)
            Operator::MapRemove { key: before, .. } if before == key => map,
            _ => self.folded(Operator::MapRemove { map, key }),
        }
    }

    pub fn set_element_at(&mut self, tuple: TermId, index: TermId, value: TermId) -> TermId {
        if let (Operator::Tuple(elements), Some(at)) = (self.operator(tuple), self.as_index(index))
            && (at as usize) < elements.len()
        {
            let mut elements = elements.to_vec();
            elements[at as usize] = value;
            return self.tuple(&elements);
        }
        self.folded(Operator::SetElementAt { tuple, index, value })
    }

    /// Makes the result of a function without meaning.
    pub fn apply(&mut self, function: FunctionName, delivers: Codomain, args: &[TermId]) -> TermId {
        self.intern(Operator::Apply { function, delivers, args: args.into() })
    }

    /// Returns the value of a constant that can be an index.
    pub(crate) fn as_index(&self, id: TermId) -> Option<u32> {
        u32::try_from(self.as_constant(id)?.as_int()?).ok()
    }

    /// Returns whether the two terms are never identical.
    pub(crate) fn surely_differ(&self, a: TermId, b: TermId) -> bool {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(a), Some(b)) => !order::identical(a, b),
            _ => !self.kinds(a).meets(self.kinds(b)),
        }
    }

    /// Returns whether the two terms are always identical.
    pub(crate) fn surely_same(&self, a: TermId, b: TermId) -> bool {
        a == b || matches!((self.as_constant(a), self.as_constant(b)), (Some(a), Some(b)) if order::identical(a, b))
    }
}
