//! Symbolic terms: what a value is, as a function of the inputs.
//!
//! Interned: equal terms have equal ids, a child's id is below its parent's. Knows no language's
//! syntax, no machine, no solver.
//!
//! Canonical form, made in the constructors of [`Formulas`]:
//! - an operator applied to constants is the constant it evaluates to (integers only);
//! - `x + 0 = x`, `x - 0 = x`, `x * 1 = x`, `x - x = 0`;
//! - commutative operators have the operand with the smaller id first;
//! - there is no `>` or `>=`: operands are swapped; there is no `/=`: it is `not (==)`;
//! - `not not x = x`; `x = x` is true.

mod evaluate;
mod terms;

pub use evaluate::{Assignment, evaluate};
pub use terms::{Formulas, Operator, Sort, TermId, Variable};
