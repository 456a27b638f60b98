//! A union taken apart: its alternatives, to which of them a term belongs, and a few small terms of each.
//!
//! Only kinds of values that people distinguish are alternatives: `string() | [atom()]` is one, since both are lists,
//! and `ok | error` are two. Functions, identities and opaque values are not alternatives, because no term of them can
//! be written down.

use crate::types::{Atoms, TypeId, TypeNode, Types};
use serde::{Deserialize, Serialize};
use term::{Atom, Term};

/// An alternative of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Alternative {
    Integers,
    Floats,
    /// One of the atoms that the type names.
    Atom(Atom),
    /// Atoms of any name.
    Atoms,
    Lists,
    /// The tuples with this number among the declared ones.
    Tuple(usize),
    /// The maps with this number among the declared ones.
    Map(usize),
    Bits,
}

/// The largest number of examples of one alternative.
const MOST_EXAMPLES: usize = 4;

impl Types {
    /// Returns the alternatives of a type; the type of all terms has none.
    pub fn alternatives(&self, id: TypeId) -> Vec<Alternative> {
        let node = self.node(id);
        if *node == TypeNode::any() {
            return Vec::new();
        }
        let mut all = Vec::new();
        all.extend((!node.integers.is_empty()).then_some(Alternative::Integers));
        all.extend(node.floats.then_some(Alternative::Floats));
        match &node.atoms {
            Atoms::All => all.push(Alternative::Atoms),
            Atoms::These(atoms) => all.extend(atoms.iter().copied().map(Alternative::Atom)),
        }
        all.extend((node.nil || !node.cons.is_empty()).then_some(Alternative::Lists));
        all.extend((0..node.tuples.len()).map(Alternative::Tuple));
        all.extend((0..node.maps.len()).map(Alternative::Map));
        all.extend((!node.bits.is_empty()).then_some(Alternative::Bits));
        all
    }

    /// Returns the alternative of a type to which a term belongs.
    pub fn alternative_of(&self, id: TypeId, term: &Term) -> Option<Alternative> {
        let node = self.node(id);
        self.alternatives(id).into_iter().find(|alternative| match (alternative, term) {
            (Alternative::Integers, Term::Int(_) | Term::Big(_)) => true,
            (Alternative::Floats, Term::Float(_)) => true,
            (Alternative::Atom(named), Term::Atom(atom)) => named == atom,
            (Alternative::Atoms, Term::Atom(_)) => true,
            (Alternative::Lists, Term::Nil | Term::List(..)) => true,
            (Alternative::Tuple(index), Term::Tuple(items)) => {
                let elements = &node.tuples[*index];
                let fits = |(of, item): (&TypeId, &Term)| self.contains(*of, item);
                elements.len() == items.len() && elements.iter().zip(items.iter()).all(fits)
            }
            (Alternative::Map(index), Term::Map(pairs)) => {
                let fields = &node.maps[*index];
                pairs.iter().all(|(key, value)| {
                    self.field_of(fields, key).is_some_and(|field| self.contains(field.value, value))
                })
            }
            (Alternative::Bits, Term::Bits(_)) => true,
            _ => false,
        })
    }

    /// Returns a few small terms of one alternative of a type.
    pub fn examples(&self, id: TypeId, alternative: Alternative) -> Vec<Term> {
        let node = self.node(id);
        let candidates = match alternative {
            Alternative::Lists => {
                let mut lists: Vec<Term> = node.nil.then_some(Term::Nil).into_iter().collect();
                for of in &node.cons {
                    let tail = self.smallest(of.tail).unwrap_or(Term::Nil);
                    let heads = self.some_terms(of.head).into_iter().take(MOST_EXAMPLES);
                    lists.extend(heads.map(|head| Term::list_with_tail(vec![head], tail.clone())));
                }
                lists
            }
            Alternative::Tuple(index) => self.tuples_of(&node.tuples[index]),
            Alternative::Map(index) => self.smallest_map(&node.maps[index]).into_iter().collect(),
            Alternative::Integers
            | Alternative::Floats
            | Alternative::Atom(_)
            | Alternative::Atoms
            | Alternative::Bits => self.some_terms(id),
        };
        let is_meant = |term: &Term| self.alternative_of(id, term) == Some(alternative) && self.contains(id, term);
        let mut examples: Vec<Term> = Vec::new();
        for term in candidates {
            if examples.len() < MOST_EXAMPLES && is_meant(&term) && !examples.contains(&term) {
                examples.push(term);
            }
        }
        examples
    }

    /// Returns the smallest tuple with elements of these types, and tuples that differ from it in one element.
    fn tuples_of(&self, elements: &[TypeId]) -> Vec<Term> {
        let Some(smallest) = elements.iter().map(|of| self.smallest(*of)).collect::<Option<Vec<Term>>>() else {
            return Vec::new();
        };
        let mut tuples = vec![Term::tuple(smallest.clone())];
        for (index, of) in elements.iter().enumerate() {
            let Some(other) = self.some_terms(*of).into_iter().find(|term| *term != smallest[index]) else { continue };
            let mut changed = smallest.clone();
            changed[index] = other;
            tuples.push(Term::tuple(changed));
        }
        tuples
    }
}
