//! Declared types: the union of what the type notations of the languages can express.

use serde::{Deserialize, Serialize};
use term::{Atom, BigInt, Term};

/// The greatest depth to which types are nested: front ends put the name [`TOO_DEEP`], which nothing defines, in the
/// place of deeper types. So a recursive walk over a type needs no more than a thread's stack.
pub const DEEPEST_TYPE: usize = 500;
pub const TOO_DEEP: &str = "$too deep";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Type {
    Any,
    None,
    /// Exactly this term (an atom, an integer, the empty list, the empty bitstring …).
    Literal(Term),
    Atom,
    /// `None` at an end means that there is no bound.
    Integer {
        low: Option<BigInt>,
        high: Option<BigInt>,
    },
    Float,
    /// A list of `element` ending in `tail` (the literal `[]` for proper ones).
    List {
        element: Box<Type>,
        tail: Box<Type>,
        nonempty: bool,
    },
    AnyTuple,
    Tuple(Vec<Type>),
    /// Every map. `Map` without fields is the empty map only.
    AnyMap,
    Map(Vec<MapField>),
    Bits(BitType),
    AnyFun,
    Fun(Box<FunType>),
    Pid,
    Port,
    Reference,
    Union(Vec<Type>),
    /// A defined type. Without a module, it is defined in this one.
    Named {
        module: Option<Atom>,
        name: Atom,
        args: Vec<Type>,
    },
    Var(Atom),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapField {
    pub key: Type,
    pub value: Type,
    pub required: bool,
}

/// Lengths of `base + n * unit` bits, n ≥ 0. With unit 0, exactly `base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitType {
    pub base: u64,
    pub unit: u64,
}

/// `params: None` means any arity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunType {
    pub params: Option<Vec<Type>>,
    pub result: Type,
}

/// The specification of one function: overloaded clauses, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    pub name: Atom,
    pub arity: u32,
    pub clauses: Vec<SpecClause>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpecClause {
    pub params: Vec<Type>,
    pub result: Type,
    /// Type variables with their bounds.
    pub bounds: Vec<(Atom, Type)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeDef {
    pub name: Atom,
    pub params: Vec<Atom>,
    pub body: Type,
    pub opaque: bool,
    pub exported: bool,
}

impl Type {
    pub fn integer() -> Type {
        Type::Integer { low: None, high: None }
    }

    pub fn list(element: Type) -> Type {
        Type::List { element: Box::new(element), tail: Box::new(Type::Literal(Term::Nil)), nonempty: false }
    }
}
