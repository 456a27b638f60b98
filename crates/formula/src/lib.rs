//! Symbolic terms, which describe a value as a function of the inputs.
//!
//! There is one sort: every formula denotes a term of the language's universe, and a condition denotes the atom `true`
//! or `false`. Formulas are interned: equal formulas have equal ids, and the id of a child is below that of its parent.
//! This crate knows no language's syntax, no machine and no solver.

mod alternatives;
mod bits;
mod build;
pub mod c;
mod conform;
mod constant;
mod constants;
mod convert;
mod distance;
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

pub use alternatives::Alternative;
pub use conform::{Conformed, Path, PathStep};
pub use constant::Constant;
pub use constants::Constants;
pub use distance::{branch_distance, distance_of};
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
