//! The concrete meaning of a term, with which every model is checked before it is believed.

use crate::meaning::{defined, meaning};
use crate::samples::{Learner, Sample};
use crate::value::Value;
use crate::{Formulas, Operator, TermId, Test, Variable};
use rustc_hash::FxHashMap;
use term::{Term, work};

/// Values of the inputs.
pub type Assignment = FxHashMap<Variable, Term>;

/// Values of terms under one assignment, each computed once.
pub struct Evaluation<'a> {
    formulas: &'a Formulas,
    assignment: &'a Assignment,
    values: FxHashMap<TermId, Option<Value>>,
    /// Finds out values that the samples do not contain.
    learner: Option<&'a dyn Learner>,
    /// The terms that are still to be computed, empty between computations; kept for its memory.
    pending: Vec<TermId>,
}

/// Values that are already known, from an earlier evaluation or by assumption.
#[derive(Default)]
pub struct Known(FxHashMap<TermId, Option<Value>>);

impl Known {
    /// Assumes that the term has this value, whatever the inputs are.
    pub fn assume(&mut self, id: TermId, value: Term) {
        self.0.insert(id, Some(Value::Term(value)));
    }
}

impl<'a> Evaluation<'a> {
    /// Continues with the known values.
    pub fn resume(formulas: &'a Formulas, assignment: &'a Assignment, known: Known) -> Evaluation<'a> {
        Evaluation { formulas, assignment, values: known.0, learner: None, pending: Vec::new() }
    }

    pub fn into_known(self) -> Known {
        Known(self.values)
    }

    pub fn new(formulas: &'a Formulas, assignment: &'a Assignment) -> Evaluation<'a> {
        Evaluation { formulas, assignment, values: FxHashMap::default(), learner: None, pending: Vec::new() }
    }

    /// Asks `learner` about calls of functions without meaning that were not sampled yet.
    pub fn learning(self, learner: &'a dyn Learner) -> Evaluation<'a> {
        Evaluation { learner: Some(learner), ..self }
    }

    /// Reserves memory for the values of this number of terms.
    pub fn reserve(&mut self, terms: usize) {
        self.values.reserve(terms);
    }

    /// Returns the value of a term, or `None` if it has none.
    pub fn value(&mut self, id: TermId) -> Option<Term> {
        self.compute(id);
        self.known(id).map(Value::into_term)
    }

    pub fn has_value(&mut self, id: TermId) -> bool {
        self.compute(id);
        self.values.get(&id).is_some_and(Option::is_some)
    }

    /// Returns the value, but only the first cell of a rest of a list, which costs nothing to take.
    pub fn top(&mut self, id: TermId) -> Option<Term> {
        self.compute(id);
        match self.values.get(&id)?.as_ref()? {
            Value::Term(term) => Some(term.clone()),
            rest @ Value::Rest { .. } => Some(Term::list(rest.cells().iter().take(1).cloned().collect::<Vec<_>>())),
        }
    }

    /// Returns whether a condition holds, or `None` if it has no value.
    pub fn holds(&mut self, id: TermId) -> Option<bool> {
        self.compute(id);
        self.values.get(&id)?.as_ref()?.as_boolean()
    }

    /// Computes the value of a term without recursion: the terms that are needed first are on a list.
    fn compute(&mut self, id: TermId) {
        if self.values.contains_key(&id) {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.push(id);
        while let Some(&id) = pending.last() {
            work::tick();
            if self.values.contains_key(&id) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            self.each_needed(id, |child| {
                if !self.values.contains_key(&child) {
                    pending.push(child);
                }
            });
            if pending.len() == before {
                let value = self.apply(id);
                self.values.insert(id, value);
                pending.pop();
            }
        }
        self.pending = pending;
    }

    fn known(&self, id: TermId) -> Option<Value> {
        self.values.get(&id).cloned().flatten()
    }

    /// Calls `need` for each term whose value is needed. A list that is built cell by cell needs its items and its end,
    /// but no list in between.
    fn each_needed(&self, id: TermId, mut need: impl FnMut(TermId)) {
        match self.formulas.operator(id) {
            Operator::Cons(..) => {
                let mut rest = id;
                while let Operator::Cons(head, tail) = self.formulas.operator(rest) {
                    need(*head);
                    rest = *tail;
                }
                need(rest);
            }
            Operator::Test(Test::Defined(below)) => {
                need(*below);
                self.formulas.operator(*below).each_child(need);
            }
            operator => operator.each_child(need),
        }
    }

    fn apply(&mut self, id: TermId) -> Option<Value> {
        match self.formulas.operator(id) {
            Operator::Apply { .. } => match self.sample(id)? {
                Sample::Returned(value) => Some(Value::Term(value)),
                Sample::Raised => None,
            },
            Operator::Test(Test::Defined(below))
                if matches!(self.formulas.operator(*below), Operator::Apply { .. }) =>
            {
                Some(Value::boolean(matches!(self.sample(*below)?, Sample::Returned(_))))
            }
            Operator::Variable(variable) => self.assignment.get(variable).cloned().map(Value::Term),
            Operator::Cons(..) => self.list(id).map(Value::Term),
            Operator::Test(Test::Defined(below)) => {
                defined(self.formulas.operator(*below), self.known(*below), &|id| self.known(id))
            }
            operator => meaning(operator, &|id| self.known(id)),
        }
    }

    /// Returns the outcome of a function without meaning, from the samples or from the learner.
    fn sample(&mut self, id: TermId) -> Option<Sample> {
        let Operator::Apply { function, args, .. } = self.formulas.operator(id) else { return None };
        let args: Option<Vec<Term>> = args.iter().map(|arg| Some(self.known(*arg)?.into_term())).collect();
        let args = args?;
        if let Some(sample) = self.formulas.samples().get(*function, &args) {
            return Some(sample);
        }
        let sample = self.learner?.learn(*function, &args)?;
        self.formulas.samples().record(*function, &args, &sample);
        Some(sample)
    }

    fn list(&self, id: TermId) -> Option<Term> {
        let mut items = Vec::new();
        let mut rest = id;
        while let Operator::Cons(head, tail) = self.formulas.operator(rest) {
            items.push(self.known(*head)?.into_term());
            rest = *tail;
        }
        Some(Term::list_with_tail(items, self.known(rest)?.into_term()))
    }
}

pub fn evaluate(formulas: &Formulas, id: TermId, assignment: &Assignment) -> Option<Term> {
    Evaluation::new(formulas, assignment).value(id)
}

/// Returns whether a condition holds, or `None` if it has no value.
pub fn holds(formulas: &Formulas, id: TermId, assignment: &Assignment) -> Option<bool> {
    Evaluation::new(formulas, assignment).holds(id)
}
