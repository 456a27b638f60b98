//! The problems that the verifier finds in a module, and their places.

use crate::{BitKind, FunctionId, Span, Var};
use std::fmt;
use term::Atom;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct VerifyError {
    pub place: Place,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub item: Item,
    /// The path from the item's root to the node.
    pub steps: Vec<Descent>,
    /// The span of the nearest enclosing node that has one.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Function { id: FunctionId, name: Atom, arity: u32 },
    Spec { name: Atom, arity: u32 },
    Attribute { name: Atom },
}

/// One step from a node to a child. Indices count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descent {
    Binding(usize),
    LetBody,
    Item(usize),
    MapBase,
    Key(usize),
    Value(usize),
    Segment(usize),
    Size,
    CalleeModule,
    CalleeFunction,
    Argument(usize),
    Subject(usize),
    Clause(usize),
    Pattern(usize),
    Alias,
    ClauseGuard,
    ClauseBody,
    TryBody,
    TryOk,
    TryHandler,
    Guard,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    #[error("v{} is not bound here", .0.0)]
    Unbound(Var),
    #[error("v{} is bound a second time on one path", .0.0)]
    BoundTwice(Var),
    #[error("f{} does not exist: the module has {count} functions", .function.0)]
    NoSuchFunction { function: FunctionId, count: usize },
    #[error("f{} is given {given} arguments and takes {expected}", .function.0)]
    ArgumentCount { function: FunctionId, given: usize, expected: u64 },
    #[error("the closure of f{} has {given} captured variables and needs {expected}", .function.0)]
    CaptureCount { function: FunctionId, given: usize, expected: u32 },
    #[error("delivers {given} where {expected} values are expected")]
    ValueCount { given: usize, expected: usize },
    #[error("the case has no clauses")]
    NoClauses,
    #[error("the clause has {given} patterns, the first clause has {expected}")]
    PatternCount { given: usize, expected: usize },
    #[error("{patterns} patterns cannot be matched with {subjects} subjects")]
    SubjectCount { patterns: usize, subjects: usize },
    #[error("a guard may not contain a closure")]
    ClosureInGuard,
    #[error("a guard may call only primitives and remote functions")]
    CallInGuard,
    #[error("a key in a pattern is a constant or a variable")]
    PatternKey,
    #[error("a bit segment matches a constant, a variable or anything")]
    SegmentPattern,
    #[error("a segment of kind {0:?} cannot have this size")]
    SegmentSize(BitKind),
    #[error("a segment's unit is between 1 and 256, not {0}")]
    SegmentUnit(u16),
    #[error("a segment that takes the whole rest must be the last")]
    SegmentAfterRest,
    #[error("file {file} does not exist: the module has {count}")]
    NoSuchFile { file: u16, count: usize },
    #[error("a constant is not in canonical form")]
    TermNotCanonical,
    #[error("the body cannot be decoded: {0}")]
    Undecodable(String),
    #[error("an exported function may not have captures")]
    ExportedWithCaptures,
    #[error("f{} has the same name and arity", .by.0)]
    NameTaken { by: FunctionId },
    #[error("the clause has {given} parameters")]
    SpecParameters { given: usize },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.item)?;
        for step in &self.steps {
            write!(f, " > {step}")?;
        }
        if self.span.line > 0 {
            write!(f, " (line {})", self.span.line)?;
        }
        Ok(())
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Function { id, name, arity } => write!(f, "f{} {name}/{arity}", id.0),
            Item::Spec { name, arity } => write!(f, "spec {name}/{arity}"),
            Item::Attribute { name } => write!(f, "attribute {name}"),
        }
    }
}

impl fmt::Display for Descent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Descent::Binding(index) => write!(f, "binding {index}"),
            Descent::LetBody => f.write_str("let body"),
            Descent::Item(index) => write!(f, "item {index}"),
            Descent::MapBase => f.write_str("map base"),
            Descent::Key(index) => write!(f, "key {index}"),
            Descent::Value(index) => write!(f, "value {index}"),
            Descent::Segment(index) => write!(f, "segment {index}"),
            Descent::Size => f.write_str("size"),
            Descent::CalleeModule => f.write_str("callee module"),
            Descent::CalleeFunction => f.write_str("callee function"),
            Descent::Argument(index) => write!(f, "argument {index}"),
            Descent::Subject(index) => write!(f, "subject {index}"),
            Descent::Clause(index) => write!(f, "clause {index}"),
            Descent::Pattern(index) => write!(f, "pattern {index}"),
            Descent::Alias => f.write_str("alias"),
            Descent::ClauseGuard => f.write_str("when"),
            Descent::ClauseBody => f.write_str("clause body"),
            Descent::TryBody => f.write_str("try body"),
            Descent::TryOk => f.write_str("try of"),
            Descent::TryHandler => f.write_str("try catch"),
            Descent::Guard => f.write_str("guard"),
        }
    }
}
