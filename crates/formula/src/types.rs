//! Declared types of inputs in normal form: a graph whose nodes list, kind by kind, which terms belong to them.
//! Recursive types are cycles. The graph is made once per unit from the notation of the language.

use crate::fields::Fields;
use crate::kinds::Kinds;
use crate::smallest::Ranks;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use term::{Atom, BigInt};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u32);

#[derive(Clone, Debug)]
pub struct Types {
    nodes: Vec<TypeNode>,
    /// How the smallest term of each type is made, computed when it is first needed.
    ranks: OnceLock<Ranks>,
}

/// A type: the union of all its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeNode {
    pub integers: Vec<Range>,
    pub floats: bool,
    pub atoms: Atoms,
    pub nil: bool,
    /// The type of the tail is that of the rest of the list, which is usually the same node.
    pub cons: Vec<ConsType>,
    pub tuples: Vec<Vec<TypeId>>,
    /// Whether tuples of every size with any elements belong to the type.
    pub any_tuple: bool,
    pub maps: Vec<Fields>,
    pub any_map: bool,
    pub bits: Vec<BitsType>,
    pub functions: Vec<FunctionType>,
    pub any_function: bool,
    pub pids: bool,
    pub references: bool,
    pub ports: bool,
    /// Values that only their module can make: see the unit's constructors.
    pub opaque: Vec<OpaqueType>,
}

/// A range that includes both ends; `None` means no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: Option<BigInt>,
    pub high: Option<BigInt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atoms {
    /// In the order of the declaration.
    These(Vec<Atom>),
    All,
}

impl Default for Atoms {
    fn default() -> Atoms {
        Atoms::These(Vec::new())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsType {
    pub head: TypeId,
    pub tail: TypeId,
}

/// A field of a map type. A key whose type has a single term is a named key; other keys have a type of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldType {
    pub key: TypeId,
    pub value: TypeId,
    pub required: bool,
}

/// Lengths of `base + n * unit` bits, n ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitsType {
    pub base: u64,
    pub unit: u64,
}

/// A function type. `params` is `None` if any arity is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionType {
    pub params: Option<Vec<TypeId>>,
    pub result: TypeId,
}

/// An opaque type of another module, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpaqueType {
    pub module: Atom,
    pub name: Atom,
    pub args: Vec<TypeId>,
    /// The type that it is made of, for checking results but never for making inputs.
    pub representation: TypeId,
}

impl Default for Types {
    fn default() -> Types {
        Types { nodes: vec![TypeNode::any()], ranks: OnceLock::new() }
    }
}

impl TypeNode {
    pub fn any() -> TypeNode {
        TypeNode {
            integers: vec![Range { low: None, high: None }],
            floats: true,
            atoms: Atoms::All,
            nil: true,
            cons: vec![ConsType { head: Types::ANY, tail: Types::ANY }],
            tuples: Vec::new(),
            any_tuple: true,
            maps: Vec::new(),
            any_map: true,
            bits: vec![BitsType { base: 0, unit: 1 }],
            functions: Vec::new(),
            any_function: true,
            pids: true,
            references: true,
            ports: true,
            opaque: Vec::new(),
        }
    }
}

impl TypeNode {
    /// Returns the kinds of all parts but the opaque ones.
    pub fn kinds(&self) -> Kinds {
        let mut kinds = Kinds::NONE;
        let mut when = |holds: bool, kind: Kinds| kinds = if holds { kinds.or(kind) } else { kinds };
        when(!self.integers.is_empty(), Kinds::INTEGER);
        when(self.floats, Kinds::FLOAT);
        when(self.atoms != Atoms::default(), Kinds::ATOM);
        when(self.nil, Kinds::NIL);
        when(!self.cons.is_empty(), Kinds::CONS);
        when(self.any_tuple || !self.tuples.is_empty(), Kinds::TUPLE);
        when(self.any_map || !self.maps.is_empty(), Kinds::MAP);
        when(!self.bits.is_empty(), Kinds::BITS);
        when(self.any_function || !self.functions.is_empty(), Kinds::FUNCTION);
        when(self.pids, Kinds::PID);
        when(self.references, Kinds::REFERENCE);
        when(self.ports, Kinds::PORT);
        kinds
    }
}

impl Types {
    pub const ANY: TypeId = TypeId(0);

    pub fn node(&self, id: TypeId) -> &TypeNode {
        &self.nodes[id.0 as usize]
    }

    /// Adds an empty node to be filled later, for cycles.
    pub fn reserve(&mut self) -> TypeId {
        self.ranks.take();
        self.nodes.push(TypeNode::default());
        TypeId(self.nodes.len() as u32 - 1)
    }

    pub fn fill(&mut self, id: TypeId, node: TypeNode) {
        self.ranks.take();
        self.nodes[id.0 as usize] = node;
    }

    pub fn add(&mut self, node: TypeNode) -> TypeId {
        let id = self.reserve();
        self.fill(id, node);
        id
    }

    /// Returns the number of types, which is above the numbers of all of them. `ANY` is always there.
    #[allow(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn ranks_cell(&self) -> &OnceLock<Ranks> {
        &self.ranks
    }

    /// Returns the kinds of the type's terms. An opaque type is of every kind.
    pub fn kinds(&self, id: TypeId) -> Kinds {
        let node = self.node(id);
        if node.opaque.is_empty() { node.kinds() } else { Kinds::ALL }
    }
}
