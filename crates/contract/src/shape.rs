//! Types without variables. Each of them exists once: a type applied to its arguments is known by its id, so a
//! recursive definition leads back to its own id.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use term::{Atom, BigInt};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClosedId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClosedType {
    Any,
    None,
    AnyAtom,
    Atom(Atom),
    Integer {
        low: Option<BigInt>,
        high: Option<BigInt>,
    },
    Float,
    Nil,
    Cons {
        head: ClosedId,
        tail: ClosedId,
    },
    /// The tail after an element of a list: further elements, then the end.
    Rest {
        element: ClosedId,
        end: ClosedId,
    },
    AnyTuple,
    Tuple(Vec<ClosedId>),
    AnyMap,
    Map(Vec<Field>),
    Bits {
        base: u64,
        unit: u64,
    },
    AnyFunction,
    Function {
        params: Option<Vec<ClosedId>>,
        result: ClosedId,
    },
    Pid,
    Port,
    Reference,
    Union(Vec<ClosedId>),
    Named {
        module: Atom,
        name: Atom,
        args: Vec<ClosedId>,
    },
    /// A variable whose type is to be found by comparison with another type.
    Free(Atom),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    pub key: ClosedId,
    pub value: ClosedId,
    pub required: bool,
}

#[derive(Debug)]
pub(crate) struct ClosedTypes {
    table: Vec<ClosedType>,
    heights: Vec<u32>,
    ids: FxHashMap<ClosedType, ClosedId>,
}

impl Default for ClosedTypes {
    fn default() -> ClosedTypes {
        let mut shapes = ClosedTypes { table: Vec::new(), heights: Vec::new(), ids: FxHashMap::default() };
        shapes.add(ClosedType::Any);
        shapes.add(ClosedType::None);
        shapes.add(ClosedType::Nil);
        shapes
    }
}

impl ClosedTypes {
    pub const ANY: ClosedId = ClosedId(0);
    pub const NONE: ClosedId = ClosedId(1);
    pub const NIL: ClosedId = ClosedId(2);

    pub fn add(&mut self, shape: ClosedType) -> ClosedId {
        match self.ids.entry(shape) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                let id = ClosedId(self.table.len() as u32);
                let below = |part: &ClosedId| self.heights[part.0 as usize];
                self.heights.push(1 + place.key().parts().iter().map(below).max().unwrap_or(0));
                self.table.push(place.key().clone());
                place.insert(id);
                id
            }
        }
    }

    pub fn get(&self, id: ClosedId) -> &ClosedType {
        &self.table[id.0 as usize]
    }

    /// Returns the nesting depth of a type as it is written. A named type counts only with its arguments.
    pub fn height(&self, id: ClosedId) -> u32 {
        self.heights[id.0 as usize]
    }

    pub fn union(&mut self, mut members: Vec<ClosedId>) -> ClosedId {
        match members.len() {
            0 => ClosedTypes::NONE,
            _ if members.contains(&ClosedTypes::ANY) => ClosedTypes::ANY,
            1 => members.remove(0),
            _ => self.add(ClosedType::Union(members)),
        }
    }

    pub fn list(&mut self, element: ClosedId, end: ClosedId, nonempty: bool) -> ClosedId {
        // If the end can be any term, the tail can be any term.
        let rest = if end == ClosedTypes::ANY { end } else { self.add(ClosedType::Rest { element, end }) };
        if end == ClosedTypes::NIL && !nonempty {
            return rest;
        }
        let cons = self.add(ClosedType::Cons { head: element, tail: rest });
        if nonempty { cons } else { self.union(vec![ClosedTypes::NIL, cons]) }
    }
}

impl ClosedType {
    /// Returns the types that this type is directly written with.
    pub fn parts(&self) -> Vec<ClosedId> {
        match self {
            ClosedType::Any
            | ClosedType::None
            | ClosedType::AnyAtom
            | ClosedType::Atom(_)
            | ClosedType::Integer { .. }
            | ClosedType::Float => Vec::new(),
            ClosedType::Nil
            | ClosedType::AnyTuple
            | ClosedType::AnyMap
            | ClosedType::Bits { .. }
            | ClosedType::AnyFunction => Vec::new(),
            ClosedType::Pid | ClosedType::Port | ClosedType::Reference | ClosedType::Free(_) => Vec::new(),
            ClosedType::Cons { head, tail } => vec![*head, *tail],
            ClosedType::Rest { element, end } => vec![*element, *end],
            ClosedType::Tuple(parts) | ClosedType::Union(parts) | ClosedType::Named { args: parts, .. } => {
                parts.clone()
            }
            ClosedType::Map(fields) => fields.iter().flat_map(|field| [field.key, field.value]).collect(),
            ClosedType::Function { params, result } => {
                params.iter().flatten().copied().chain(std::iter::once(*result)).collect()
            }
        }
    }
}
