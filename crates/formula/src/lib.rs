//! Symbolic terms: what a value is, as a function of the inputs.
//!
//! One sort: every formula stands for a term of the language's universe, conditions for the atoms `true`
//! and `false`. Interned: equal terms have equal ids, a child's id is below its parent's. Knows no
//! language's syntax, no machine, no solver.

mod bits;
mod build;
pub mod c;
mod conform;
mod constant;
mod constants;
mod convert;
mod evaluate;
mod fields;
mod kinds;
mod mapping;
mod meaning;
mod membership;
mod number;
mod positions;
mod samples;
mod smallest;
mod substitute;
mod table;
mod terms;
mod types;
mod value;

pub use conform::{Conformed, Path, PathStep};
pub use constant::Constant;
pub use constants::Constants;
pub use evaluate::{Assignment, Evaluation, Known, evaluate, holds};
pub use fields::Fields;
pub use kinds::Kinds;
pub use mapping::Mapping;
pub use number::math;
pub use samples::{Codomain, Learner, Nobody, Point, Sample, Samples};
pub use smallest::{LARGEST_BITS, LARGEST_PARTS, USUAL_ARITY};
pub use table::Formulas;
pub use terms::{Arithmetic, BitsPart, Conversion, NumberFormat, Numeric, Operator, PartKind, TermId, Test, Variable};
pub use types::{Atoms, BitsType, ConsType, FieldType, FunctionType, OpaqueType, Range, TypeId, TypeNode, Types};

#[cfg(test)]
mod tests;
