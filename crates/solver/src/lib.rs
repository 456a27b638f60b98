//! Finds inputs that satisfy conditions. Knows formulas only: no machine, no language.
//!
//! A tier answers what it is sure of. Every model is evaluated before it is believed: one that does not
//! satisfy the query is a defect of its tier and becomes [`Answer::Unknown`].

mod encode;
mod process;

pub use process::{SmtError, SmtProcess};

use formula::{Assignment, Formulas, TermId, evaluate};

/// All of these conditions at once.
pub struct Query<'a> {
    pub formulas: &'a Formulas,
    pub conditions: &'a [TermId],
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Values for the variables that the conditions mention.
    Sat(Assignment),
    Unsat,
    /// Not decided; the text says why.
    Unknown(String),
}

pub trait Tier {
    fn solve(&mut self, query: &Query<'_>) -> Answer;
}

/// Believes no model that it has not evaluated.
pub struct Checked<T>(pub T);

impl<T: Tier> Tier for Checked<T> {
    fn solve(&mut self, query: &Query<'_>) -> Answer {
        match self.0.solve(query) {
            Answer::Sat(model) => {
                let holds = |condition: &TermId| evaluate(query.formulas, *condition, &model) == Some(true);
                match query.conditions.iter().all(holds) {
                    true => Answer::Sat(model),
                    false => Answer::Unknown("the solver's model does not satisfy the query".to_string()),
                }
            }
            other => other,
        }
    }
}
