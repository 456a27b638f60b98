//! What rows mean to the solver, in the words that the tables use.

#![allow(non_upper_case_globals)]

use formula::{Arithmetic, Formulas, TermId};
use machine::Look::{self, Deep, Top};
use machine::{Formula, Meaning, Symbolic};

/// Looks at all of its arguments wholly, and has no meaning.
pub(super) const Opaque: Meaning = Meaning::Opaque(&[Deep; 8]);
pub(super) const Effect: Meaning = Meaning::Effect(&[Deep; 8]);

/// A formula over the top of the arguments.
#[allow(non_snake_case)]
pub(super) const fn Term(result: Formula) -> Meaning {
    const LOOKS: &[Look] = &[Top; 8];
    Meaning::Term(Symbolic::new(LOOKS, result))
}

pub(super) fn add(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.arithmetic(Arithmetic::Add, args[0], args[1])
}

pub(super) fn subtract(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.arithmetic(Arithmetic::Subtract, args[0], args[1])
}

pub(super) fn multiply(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.arithmetic(Arithmetic::Multiply, args[0], args[1])
}
