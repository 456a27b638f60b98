//! Types without variables, each of them once: a type applied to its arguments is known by its id, so a
//! recursive definition comes back to where it began.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use term::{Atom, BigInt};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ShapeId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
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
        head: ShapeId,
        tail: ShapeId,
    },
    /// What may follow an element of a list: further elements, then the end.
    Rest {
        element: ShapeId,
        end: ShapeId,
    },
    AnyTuple,
    Tuple(Vec<ShapeId>),
    AnyMap,
    Map(Vec<Field>),
    Bits {
        base: u64,
        unit: u64,
    },
    AnyFunction,
    Function {
        params: Option<Vec<ShapeId>>,
        result: ShapeId,
    },
    Pid,
    Port,
    Reference,
    Union(Vec<ShapeId>),
    Named {
        module: Atom,
        name: Atom,
        args: Vec<ShapeId>,
    },
    /// A variable that is still to be found by comparing with another type.
    Free(Atom),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    pub key: ShapeId,
    pub value: ShapeId,
    pub required: bool,
}

#[derive(Debug)]
pub(crate) struct Shapes {
    table: Vec<Shape>,
    heights: Vec<u32>,
    ids: FxHashMap<Shape, ShapeId>,
}

impl Default for Shapes {
    fn default() -> Shapes {
        let mut shapes = Shapes { table: Vec::new(), heights: Vec::new(), ids: FxHashMap::default() };
        shapes.add(Shape::Any);
        shapes.add(Shape::None);
        shapes.add(Shape::Nil);
        shapes
    }
}

impl Shapes {
    pub const ANY: ShapeId = ShapeId(0);
    pub const NONE: ShapeId = ShapeId(1);
    pub const NIL: ShapeId = ShapeId(2);

    pub fn add(&mut self, shape: Shape) -> ShapeId {
        match self.ids.entry(shape) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                let id = ShapeId(self.table.len() as u32);
                let below = |part: &ShapeId| self.heights[part.0 as usize];
                self.heights.push(1 + place.key().parts().iter().map(below).max().unwrap_or(0));
                self.table.push(place.key().clone());
                place.insert(id);
                id
            }
        }
    }

    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.table[id.0 as usize]
    }

    /// How deep it is written; a named type counts with its arguments alone.
    pub fn height(&self, id: ShapeId) -> u32 {
        self.heights[id.0 as usize]
    }

    pub fn union(&mut self, mut members: Vec<ShapeId>) -> ShapeId {
        match members.len() {
            0 => Shapes::NONE,
            1 => members.remove(0),
            _ => self.add(Shape::Union(members)),
        }
    }

    pub fn list(&mut self, element: ShapeId, end: ShapeId, nonempty: bool) -> ShapeId {
        // What follows may be anything if the end may be.
        let rest = if end == Shapes::ANY { end } else { self.add(Shape::Rest { element, end }) };
        if end == Shapes::NIL && !nonempty {
            return rest;
        }
        let cons = self.add(Shape::Cons { head: element, tail: rest });
        if nonempty { cons } else { self.union(vec![Shapes::NIL, cons]) }
    }
}

impl Shape {
    /// The types that it is written with.
    pub fn parts(&self) -> Vec<ShapeId> {
        match self {
            Shape::Any | Shape::None | Shape::AnyAtom | Shape::Atom(_) | Shape::Integer { .. } | Shape::Float => {
                Vec::new()
            }
            Shape::Nil | Shape::AnyTuple | Shape::AnyMap | Shape::Bits { .. } | Shape::AnyFunction => Vec::new(),
            Shape::Pid | Shape::Port | Shape::Reference | Shape::Free(_) => Vec::new(),
            Shape::Cons { head, tail } => vec![*head, *tail],
            Shape::Rest { element, end } => vec![*element, *end],
            Shape::Tuple(parts) | Shape::Union(parts) | Shape::Named { args: parts, .. } => parts.clone(),
            Shape::Map(fields) => fields.iter().flat_map(|field| [field.key, field.value]).collect(),
            Shape::Function { params, result } => {
                params.iter().flatten().copied().chain(std::iter::once(*result)).collect()
            }
        }
    }
}
