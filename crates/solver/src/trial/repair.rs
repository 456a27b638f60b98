//! Completes a model. The encoding leaves some things open: contents of structures, conversions, terms at computed
//! places. They are guessed backwards from the conditions that do not hold yet.

use crate::native::guess::{Changes, Guess};
use crate::native::state::Knowledge;
use crate::{Model, apply};
use formula::{Assignment, Evaluation, Formulas, TermId};
use term::Term;

const ROUNDS: usize = 12;

/// Finds a model under which more of the slice holds than under `values`; `None` if all of it holds already.
pub(crate) fn repair(
    formulas: &mut Formulas,
    parent: &Assignment,
    values: &Assignment,
    slice: &[TermId],
    wanted: TermId,
    leaves: &[(TermId, Term)],
) -> Option<(Model, Assignment)> {
    let mut best = values.clone();
    let mut broken = failing(formulas, &best, slice);
    if broken.is_empty() {
        return None;
    }
    for (leaf, value) in leaves {
        let guesses = Guess::new(formulas, &best.clone(), &mut Knowledge::default()).reach(*leaf, value);
        improve(formulas, &mut best, &mut broken, slice, guesses);
    }
    for _ in 0..ROUNDS {
        // The wanted condition comes first.
        let Some(next) = broken.iter().copied().find(|id| *id == wanted).or_else(|| broken.first().copied()) else {
            break;
        };
        let mut improved = false;
        for condition in [next].into_iter().chain(broken.clone()) {
            let guesses = Guess::new(formulas, &best.clone(), &mut Knowledge::default()).condition(condition, true);
            if improve(formulas, &mut best, &mut broken, slice, guesses) {
                improved = true;
                break;
            }
        }
        if !improved {
            break;
        }
    }
    let changes = best
        .iter()
        .filter(|(variable, value)| parent.get(variable) != Some(value))
        .map(|(variable, value)| (formulas.variable(*variable), value.clone()))
        .collect();
    Some((Model { changes }, best))
}

fn improve(
    formulas: &mut Formulas,
    best: &mut Assignment,
    broken: &mut Vec<TermId>,
    slice: &[TermId],
    guesses: Vec<Changes>,
) -> bool {
    for changes in guesses {
        if let Some(values) = apply(formulas, best, &Model { changes }) {
            let left = failing(formulas, &values, slice);
            if left.len() < broken.len() {
                *best = values;
                *broken = left;
                return true;
            }
        }
    }
    false
}

fn failing(formulas: &Formulas, values: &Assignment, slice: &[TermId]) -> Vec<TermId> {
    let mut evaluation = Evaluation::new(formulas, values);
    slice.iter().copied().filter(|condition| evaluation.holds(*condition) != Some(true)).collect()
}
