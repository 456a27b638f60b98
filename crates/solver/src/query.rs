//! A query, with the intermediate results of the tiers.

use crate::native::state::Knowledge;
use crate::slice::Slice;
use crate::{Answer, Model, Solution, TierName, Unknown, apply};
use formula::{Assignment, Evaluation, Formulas, Learner, TermId};

/// The conditions of a flip, which must all hold at once.
pub struct Query<'a> {
    pub formulas: &'a mut Formulas,
    /// The values of the run that the conditions come from.
    pub parent: &'a Assignment,
    /// The conditions before the decision, in the order of the path. All of them hold for `parent`.
    pub before: &'a [TermId],
    /// The condition of the alternative.
    pub wanted: TermId,
    /// Evaluates functions without a formula.
    pub learner: &'a dyn Learner,
    /// Whether the screening of the run did not help.
    pub(crate) is_screened: bool,
    /// The facts that follow from `before`, once a tier has asked for them.
    held: Option<Knowledge>,
    /// The conditions that matter, once a tier has asked for them.
    slice: Option<Slice>,
    /// Values that nearly satisfy the query.
    pub(crate) proposals: Vec<Assignment>,
    /// Why the tiers so far have no answer.
    pub(crate) unknown: Option<Unknown>,
}

impl<'a> Query<'a> {
    pub fn new(
        formulas: &'a mut Formulas,
        parent: &'a Assignment,
        before: &'a [TermId],
        wanted: TermId,
        learner: &'a dyn Learner,
    ) -> Query<'a> {
        Query {
            formulas,
            parent,
            before,
            wanted,
            learner,
            is_screened: false,
            held: None,
            slice: None,
            proposals: Vec::new(),
            unknown: None,
        }
    }

    /// Marks the query as screened: the screening of the run left the side open, or found values that do not satisfy
    /// the query. The work of the screening is not repeated.
    pub fn after_screening(self) -> Query<'a> {
        Query { is_screened: true, ..self }
    }

    /// Forgets the results of an earlier attempt to answer the query.
    pub(crate) fn begin(&mut self) {
        self.slice = None;
        self.proposals.clear();
        self.unknown = None;
    }

    /// Returns the conditions that matter. The caller [puts them back](Query::put_slice), so that they are computed
    /// only once.
    pub(crate) fn take_slice(&mut self) -> Slice {
        self.slice.take().unwrap_or_else(|| Slice::of(self.formulas, self.before, self.wanted))
    }

    pub(crate) fn put_slice(&mut self, slice: Slice) {
        self.slice = Some(slice);
    }

    /// Returns what follows from `before`. The caller puts it back like the slice.
    pub(crate) fn take_held(&mut self) -> Knowledge {
        self.held.take().unwrap_or_else(|| Knowledge::of(self.formulas, self.before))
    }

    pub(crate) fn put_held(&mut self, held: Knowledge) {
        self.held = Some(held);
    }

    /// Returns the answer for a model, if it satisfies all conditions.
    pub(crate) fn solution(&self, model: Model, by: TierName) -> Option<Answer> {
        let values = apply(self.formulas, self.parent, &model)?;
        self.is_satisfied_by(&values).then_some(Answer::Sat(Solution { by, values, model }))
    }

    /// Returns whether all conditions hold with these values.
    pub(crate) fn is_satisfied_by(&self, values: &Assignment) -> bool {
        let mut evaluation = Evaluation::new(self.formulas, values).learning(self.learner);
        // About the number of the conditions and their subterms.
        evaluation.reserve(3 * self.before.len());
        self.before.iter().chain([&self.wanted]).all(|condition| evaluation.holds(*condition) == Some(true))
    }

    /// Returns the changes, variable by variable, from the parent's values to these.
    pub(crate) fn model_of(&mut self, values: &Assignment) -> Model {
        let mut changed: Vec<_> =
            values.iter().filter(|(variable, value)| self.parent.get(variable) != Some(value)).collect();
        changed.sort_by_key(|(variable, _)| **variable);
        let changes =
            changed.into_iter().map(|(variable, value)| (self.formulas.variable(*variable), value.clone())).collect();
        Model { changes }
    }
}
