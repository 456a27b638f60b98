//! Symbolic terms: what a value is, as a function of the inputs.
//!
//! One sort: every formula stands for a term of the language's universe, conditions for the atoms `true`
//! and `false`. Interned: equal terms have equal ids, a child's id is below its parent's. Knows no
//! language's syntax, no machine, no solver.

mod build;
mod constant;
mod evaluate;
mod kinds;
mod terms;
mod types;

pub use constant::Constant;
pub use evaluate::{Assignment, Evaluation, evaluate, holds};
pub use kinds::Kinds;
pub use terms::{
    Arithmetic, BitsPart, Conversion, Formulas, NumberFormat, Numeric, Operator, PartKind, TermId, Variable,
};
pub use types::{Atoms, BitsType, ConsType, FieldType, FunctionType, OpaqueType, Range, TypeId, TypeNode, Types};
