//! Expressions and patterns.

use crate::FunctionId;
use serde::{Deserialize, Serialize};
use term::{Atom, Term};

/// A variable, numbered within its function from 0; the parameters come first, in order. A variable
/// is bound once on every path through the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Var(pub u32);

/// A place in a source file. Line 0 marks code made by the front end, which has no place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Index into the module's files.
    pub file: u16,
    pub line: u32,
    pub column: u16,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    Const(Term),
    Var(Var),
    /// The bindings in order, then the body. Front ends flatten nested bindings into one chain.
    Let {
        bindings: Vec<Binding>,
        body: Box<Expr>,
    },
    /// Several values at once. Allowed only where several are expected (`Binding`, `Case` subjects, a body in such a
    /// place).
    Values(Vec<Expr>),
    Cons(Box<Expr>, Box<Expr>),
    Tuple(Vec<Expr>),
    /// `base` with the pairs put into it, in order. A base that is no map, or an `exact` pair whose key is missing,
    /// raises as the language defines.
    Map {
        base: Box<Expr>,
        pairs: Vec<MapPair>,
        span: Span,
    },
    Bits {
        segments: Vec<BitSegment>,
        span: Span,
    },
    /// A closure of a function of this module over the values of variables.
    Closure {
        function: FunctionId,
        captures: Vec<Var>,
    },
    /// Arguments are evaluated from left to right, after the callee's own parts.
    Call {
        callee: Callee,
        args: Vec<Expr>,
        span: Span,
    },
    /// The first clause whose patterns match the subjects and whose guard is true. The front end guarantees that there
    /// is one: it adds a last clause that raises.
    Case {
        subjects: Vec<Expr>,
        clauses: Vec<Clause>,
        span: Span,
    },
    /// `ok` sees the values of `body`; an exception in `body` goes to `handler`, one in `ok` does not.
    Try {
        body: Box<Expr>,
        ok_vars: Vec<Var>,
        ok: Box<Expr>,
        /// Class, reason and stack trace (a value of its own kind).
        handler_vars: [Var; 3],
        handler: Box<Expr>,
    },
    /// The value of a guard, `false` if it raises. It calls only primitives and remote functions.
    Guard(Box<Expr>),
}

/// If there is not exactly one variable, the value delivers as many values as there are variables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    pub vars: Vec<Var>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Callee {
    /// A function of this module without captures, or a lifted one that gets its captures as explicit arguments.
    Local(FunctionId),
    Remote {
        module: Atom,
        function: Atom,
    },
    /// Module and function are computed.
    Dynamic {
        module: Box<Expr>,
        function: Box<Expr>,
    },
    /// A function value.
    Value(Box<Expr>),
    /// An operation of the language's runtime that has no name in the language.
    Primitive(Atom),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapPair {
    pub key: Expr,
    pub value: Expr,
    /// The key must already be in the map.
    pub exact: bool,
}

/// One pattern per subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clause {
    pub patterns: Vec<Pattern>,
    /// `None` is always true.
    pub guard: Option<Expr>,
    pub body: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pattern {
    Any,
    Var(Var),
    Alias(Var, Box<Pattern>),
    Const(Term),
    Cons(Box<Pattern>, Box<Pattern>),
    Tuple(Vec<Pattern>),
    /// The keys are constants or variables bound outside the pattern.
    Map(Vec<(Expr, Pattern)>),
    Bits(Vec<BitPattern>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BitKind {
    Integer,
    Float,
    /// A bitstring.
    Bits,
    Utf8,
    Utf16,
    Utf32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Endian {
    Big,
    Little,
    Native,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BitSize {
    /// The whole value, or the whole rest. Only for `Bits`.
    All,
    /// The size that the encoding determines. Only for the `Utf` kinds.
    Encoded,
    /// A multiple of the unit. In a pattern, the expression may use variables bound by earlier segments.
    Times(Expr),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BitSegment {
    pub value: Expr,
    pub size: BitSize,
    pub unit: u16,
    pub kind: BitKind,
    pub signed: bool,
    pub endian: Endian,
}

/// `value` is `Any`, `Var` or `Const`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BitPattern {
    pub value: Pattern,
    pub size: BitSize,
    pub unit: u16,
    pub kind: BitKind,
    pub signed: bool,
    pub endian: Endian,
}

impl Expr {
    pub fn atom(name: Atom) -> Expr {
        Expr::Const(Term::Atom(name))
    }

    pub fn int(value: i64) -> Expr {
        Expr::Const(Term::Int(value))
    }
}
