//! The core IR: what every front end lowers to and the machine runs.
//!
//! Knows no language, no solver, no file. A module is a flat list of functions; closures and local
//! recursive functions have been lifted (their captured variables are explicit), so a body is a tree
//! without binders other than `Let`, patterns and handlers. There are no loops inside a body: every
//! repetition is a call.

mod codec;
mod expr;
mod text;
mod tree;
mod types;
mod verify;

pub use codec::{Body, DecodeError, FORMAT_VERSION, decode, encode};
pub use expr::{
    Binding, BitKind, BitPattern, BitSegment, BitSize, Callee, Clause, Endian, Expr, MapPair, Pattern, Span, Var,
};
pub use text::{ReadError, print, read};
pub use tree::{for_each_module, for_each_use};
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
    /// Source files that spans refer to; the first is the module's own.
    pub files: Vec<String>,
    pub functions: Vec<Function>,
    /// Attributes a program can ask for at run time, as (name, value).
    pub attributes: Vec<(Atom, Term)>,
    pub types: Types,
    by_name: HashMap<(Atom, u32), FunctionId>,
}

#[derive(Debug)]
pub struct Function {
    pub name: Atom,
    /// Number of parameters that a caller passes. For a closure's code, the captured variables follow.
    pub arity: u32,
    /// What a closure of this function carries with it; they are its last parameters.
    pub captures: u32,
    pub exported: bool,
    pub origin: Origin,
    pub span: Span,
    pub body: Body,
}

/// Where a function comes from, for those that show it (printing of closures, stack traces).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Written with this name.
    Named,
    /// The n-th anonymous function of its module.
    Lambda { index: u32, unique: u32 },
    /// Made by the front end from a comprehension or another local function.
    Lifted,
    /// A piece of the body of `of` that is reached from several places (a receive loop, a shared
    /// failure branch). It is no function of the source: a stack shows its frame as one of `of`, and
    /// does not show the frame of `of` that waits for it.
    Join { of: FunctionId },
}

/// Declared types, as far as the module has any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Types {
    pub specs: Vec<Spec>,
    pub definitions: Vec<TypeDef>,
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
