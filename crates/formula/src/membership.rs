//! Which terms belong to a type.

use crate::fields::Fields;
use crate::kinds::Kinds;
use crate::types::{Atoms, BitsType, FieldType, FunctionType, Range, TypeId, TypeNode, Types};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{Bits, Fun, Term, work};

impl Types {
    /// Returns whether a term belongs to a type. Opaque types are checked by their representation, functions by their
    /// arity.
    pub fn contains(&self, id: TypeId, term: &Term) -> bool {
        Membership { types: self, known: FxHashMap::default() }.contains(id, term)
    }

    /// Returns the field that a key belongs to, which is the first whose type of keys contains it.
    pub fn field_of<'a>(&self, fields: &'a Fields, key: &Term) -> Option<&'a FieldType> {
        self.field_index(fields, key).map(|index| &fields[index])
    }

    /// Returns the index of the field that a key belongs to.
    pub fn field_index(&self, fields: &Fields, key: &Term) -> Option<usize> {
        fields.position(self, key)
    }

    /// Returns the only term of a type, if it has no other and the term is not huge.
    pub fn single(&self, id: TypeId) -> Option<Term> {
        if !self.is_makeable(id) {
            return None;
        }
        let node = self.node(id);
        if let [elements] = node.tuples.as_slice()
            && self.kinds(id) == Kinds::TUPLE
            && !node.any_tuple
            && elements.iter().all(|element| *element != id)
        {
            let elements: Option<Vec<Term>> = elements.iter().map(|element| deep(|| self.single(*element))).collect();
            return elements.map(Term::tuple);
        }
        match self.constants(id)?.as_slice() {
            [single] => Some(single.clone()),
            _ => None,
        }
    }

    /// Returns all terms of a type that has only a few, none of which has parts.
    pub fn constants(&self, id: TypeId) -> Option<Vec<Term>> {
        const FEW: i64 = 64;
        let node = self.node(id);
        let Atoms::These(atoms) = &node.atoms else { return None };
        if !node.is_flat() {
            return None;
        }
        let mut all: Vec<Term> = atoms.iter().copied().map(Term::Atom).collect();
        for range in &node.integers {
            let (low, high) = (range.low.as_ref()?.to_i64()?, range.high.as_ref()?.to_i64()?);
            if high.checked_sub(low)? >= FEW {
                return None;
            }
            all.extend((low..=high).map(Term::Int));
        }
        all.extend(node.nil.then_some(Term::Nil));
        Some(all)
    }
}

/// One membership check. A part can be checked again and again, because parts are shared or because each of several
/// alternatives begins with it. The results are kept, since otherwise sixty levels would take 2^60 steps.
struct Membership<'t> {
    types: &'t Types,
    /// Results by type and by the address of the term's parts.
    known: FxHashMap<(TypeId, *const Term), bool>,
}

impl Membership<'_> {
    fn contains(&mut self, id: TypeId, term: &Term) -> bool {
        if id == Types::ANY {
            return true;
        }
        work::tick();
        let types = self.types;
        let node = types.node(id);
        let own = match term {
            Term::Int(_) | Term::Big(_) => node.integers.iter().any(|range| range.contains(term)),
            Term::Float(_) => node.floats,
            Term::Atom(atom) => match &node.atoms {
                Atoms::All => true,
                Atoms::These(atoms) => atoms.contains(atom),
            },
            Term::Nil => node.nil,
            Term::List(items, end) => {
                !node.cons.is_empty() && self.once(id, term, |this| this.contains_list(id, items, end.as_deref()))
            }
            Term::Tuple(elements) => {
                let fits = |types: &&Vec<TypeId>| types.len() == elements.len();
                node.any_tuple
                    || node.tuples.iter().any(|types| fits(&types))
                        && self.once(id, term, |this| {
                            node.tuples.iter().filter(fits).any(|types| this.all(types, elements))
                        })
            }
            Term::Map(pairs) => {
                node.any_map
                    || !node.maps.is_empty()
                        && self.once(id, term, |this| node.maps.iter().any(|fields| this.contains_map(fields, pairs)))
            }
            Term::Bits(bits) => node.bits.iter().any(|of| of.contains(bits)),
            Term::Fun(fun) => node.any_function || node.functions.iter().any(|of| of.contains(fun)),
            Term::Pid(_) => node.pids,
            Term::Reference(_) => node.references,
            Term::Port(_) => node.ports,
        };
        own || node
            .opaque
            .iter()
            .any(|opaque| opaque.representation != id && deep(|| self.contains(opaque.representation, term)))
    }

    /// Checks a term with `look`, unless the result is known.
    fn once(&mut self, id: TypeId, term: &Term, look: impl FnOnce(&mut Self) -> bool) -> bool {
        let Some(place) = place(term) else { return deep(|| look(self)) };
        if let Some(known) = self.known.get(&(id, place)) {
            return *known;
        }
        let found = deep(|| look(self));
        self.known.insert((id, place), found);
        found
    }

    fn all(&mut self, types: &[TypeId], terms: &[Term]) -> bool {
        types.iter().zip(terms).all(|(of, term)| self.contains(*of, term))
    }

    /// Goes through the list cell by cell with the types that the rest may have.
    fn contains_list(&mut self, id: TypeId, items: &[Term], end: Option<&Term>) -> bool {
        let mut rest = vec![id];
        for item in items {
            let mut next = Vec::with_capacity(rest.len());
            for of in &rest {
                for cons in &self.types.node(*of).cons {
                    if !next.contains(&cons.tail) && self.contains(cons.head, item) {
                        next.push(cons.tail);
                    }
                }
            }
            if next.is_empty() {
                return false;
            }
            rest = next;
        }
        rest.iter().any(|of| self.contains(*of, end.unwrap_or(&Term::Nil)))
    }

    /// Returns whether every pair belongs to a field, and each required field has a key.
    fn contains_map(&mut self, fields: &Fields, pairs: &[(Term, Term)]) -> bool {
        let mut met = vec![false; fields.len()];
        for (key, value) in pairs {
            match self.types.field_index(fields, key) {
                Some(index) if self.contains(fields[index].value, value) => met[index] = true,
                _ => return false,
            }
        }
        fields.iter().zip(met).all(|(field, met)| met || !field.required)
    }
}

/// Returns the address of a term's parts, if these have parts themselves.
fn place(term: &Term) -> Option<*const Term> {
    let nests = |part: &Term| matches!(part, Term::List(..) | Term::Tuple(_) | Term::Map(_));
    match term {
        // Lists with different ends may share their items.
        Term::List(items, None) => items.iter().any(nests).then_some(items.as_ptr()),
        Term::Tuple(items) => items.iter().any(nests).then_some(items.as_ptr()),
        Term::Map(pairs) => {
            pairs.iter().any(|(key, value)| nests(key) || nests(value)).then_some(pairs.as_ptr().cast())
        }
        _ => None,
    }
}

impl TypeNode {
    /// Returns whether the type has nothing but atoms, integers and `[]`.
    fn is_flat(&self) -> bool {
        !(self.floats
            || self.any_tuple
            || self.any_map
            || self.any_function
            || self.pids
            || self.references
            || self.ports)
            && self.cons.is_empty()
            && self.tuples.is_empty()
            && self.maps.is_empty()
            && self.bits.is_empty()
            && self.functions.is_empty()
            && self.opaque.is_empty()
    }
}

impl Range {
    pub fn contains(&self, integer: &Term) -> bool {
        let Some(value) = crate::number::integer(integer) else { return false };
        self.low.as_ref().is_none_or(|low| *low <= *value) && self.high.as_ref().is_none_or(|high| *value <= *high)
    }
}

impl BitsType {
    pub fn contains(&self, bits: &Bits) -> bool {
        match (bits.bit_length() as u64).checked_sub(self.base) {
            Some(0) => true,
            Some(more) => self.unit > 0 && more.is_multiple_of(self.unit),
            None => false,
        }
    }
}

impl FunctionType {
    fn contains(&self, fun: &Arc<Fun>) -> bool {
        self.takes(fun.arity())
    }

    /// Returns whether a function of this arity can belong to this type.
    pub fn takes(&self, arity: u32) -> bool {
        self.params.as_ref().is_none_or(|params| params.len() == arity as usize)
    }
}

/// Runs `work` on more stack if necessary, because terms can nest to any depth.
pub(crate) fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, work)
}
