//! The core IR, to which every front end lowers programs and which the machine runs.
//!
//! A module is a flat list of functions. Closures and local recursive functions are lifted, with explicit captured
//! variables, so a body is a tree whose only binders are `Let`, patterns and handlers. A body has no loops: every
//! repetition is a call. This crate knows no language, no solver and no file.

mod codec;
mod expr;
mod text;
mod tree;
mod types;
mod verify;

pub use codec::{Body, DecodeError, decode, encode};
pub use expr::{
    Binding, BitKind, BitPattern, BitSegment, BitSize, Callee, Clause, Endian, Expr, MapPair, Pattern, Span, Var,
};
pub use text::{ReadError, print, read};
pub use tree::{for_each_atom, for_each_child, for_each_expr, for_each_module, for_each_use};
pub use types::{BitType, DEEPEST_TYPE, FunType, MapField, Spec, SpecClause, TOO_DEEP, Type, TypeDef};
pub use verify::{Descent, Item, Place, Problem, VerifyError, verify};

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use term::{Atom, Term};

/// A function's index in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionId(pub u32);

impl FunctionId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
pub struct Module {
    pub name: Atom,
    /// Source files that spans refer to. The first is the module's own file.
    pub files: Vec<String>,
    pub functions: Vec<Function>,
    /// Attributes that a program can read at run time, as (name, value).
    pub attributes: Vec<(Atom, Term)>,
    pub types: Types,
    by_name: HashMap<(Atom, u32), FunctionId>,
}

#[derive(Debug)]
pub struct Function {
    pub name: Atom,
    /// Number of parameters that a caller passes. For a closure's code, the captured variables follow.
    pub arity: u32,
    /// Number of variables that a closure of this function captures. They are its last parameters.
    pub captures: u32,
    pub exported: bool,
    pub origin: Origin,
    pub span: Span,
    pub body: Body,
}

/// Where a function comes from, for printing closures and stack traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Written in the source with this name.
    Named,
    /// The n-th anonymous function of its module.
    Lambda { index: u32, unique: u32 },
    /// Made by the front end from a comprehension or another local function.
    Lifted,
    /// A piece of the body of `of` that is reached from several places (a receive loop, a shared
    /// failure branch). It is not a function of the source: a stack trace shows its frame as a frame of `of`, and
    /// hides the frame of `of` that waits for it.
    Join { of: FunctionId },
}

/// The types that the module declares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Types {
    pub specs: Vec<Spec>,
    /// The specifications that a module must fulfil if it implements this one as a behaviour.
    pub callbacks: Vec<Spec>,
    pub definitions: Vec<TypeDef>,
    pub records: Vec<RecordDef>,
}

/// A record that the module knows: its fields in order, each with its default value if that is a constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordDef {
    pub name: Atom,
    pub fields: Vec<(Atom, Option<Term>)>,
}

impl Module {
    pub fn new(
        name: Atom,
        files: Vec<String>,
        functions: Vec<Function>,
        attributes: Vec<(Atom, Term)>,
        types: Types,
    ) -> Module {
        let by_name = functions
            .iter()
            .enumerate()
            .filter(|(_, function)| function.captures == 0)
            .map(|(index, function)| ((function.name, function.arity), FunctionId(index as u32)))
            .collect();
        Module { name, files, functions, attributes, types, by_name }
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn find(&self, name: Atom, arity: u32) -> Option<FunctionId> {
        self.by_name.get(&(name, arity)).copied()
    }
}
