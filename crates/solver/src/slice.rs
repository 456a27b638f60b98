//! Which conditions a flip depends on: those that share cells with it, directly or through others.
//!
//! A subset is enough to refute. A model of a subset may break conditions beyond it: these are added when
//! that is seen.

use crate::layout::positions::{Step, cells, last_step};
use crate::native::state::State;
use crate::smt::samples::SampledFunctions;
use formula::{Formulas, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger conditions are taken for connected to everything they begin with.
const LARGEST: usize = 100_000;

/// The conditions that a query depends on, with what follows from them.
pub(crate) struct Slice {
    /// In the order of the path; what is wanted comes last.
    pub conditions: Vec<TermId>,
    state: Option<State>,
    functions: Option<Option<SampledFunctions>>,
}

impl Slice {
    pub fn of(formulas: &Formulas, before: &[TermId], wanted: TermId) -> Slice {
        Slice::with(slice(formulas, before, wanted))
    }

    /// A slice of exactly these conditions.
    pub fn with(conditions: Vec<TermId>) -> Slice {
        Slice { conditions, state: None, functions: None }
    }

    /// Puts more conditions in front.
    pub fn widen(&mut self, formulas: &mut Formulas, more: Vec<TermId>) {
        if let Some(state) = &mut self.state {
            more.iter().for_each(|condition| state.assert(formulas, *condition));
        }
        self.conditions.splice(0..0, more);
    }

    /// The conditions with what follows from them, which is found out once.
    pub fn with_state(&mut self, formulas: &mut Formulas) -> (&[TermId], &mut State) {
        let state = self.state.get_or_insert_with(|| State::of(formulas, &self.conditions));
        (&self.conditions, state)
    }

    /// The conditions with the functions in them that are known by samples only, if there are any.
    pub fn sampled(&mut self, formulas: &Formulas) -> Option<(&[TermId], &SampledFunctions)> {
        let functions = self.functions.get_or_insert_with(|| SampledFunctions::of(formulas, &self.conditions));
        functions.as_ref().map(|functions| (&self.conditions[..], functions))
    }
}

/// In the order of the path; `wanted` comes last.
fn slice(formulas: &Formulas, before: &[TermId], wanted: TermId) -> Vec<TermId> {
    let of = |condition: TermId| -> Vec<TermId> {
        let mut found = cells(formulas, condition, LARGEST).unwrap_or_default();
        // A size belongs to what it is the size of, and the keys of a map to each other.
        for index in 0..found.len() {
            let mut at = found[index];
            while let Some((base, step)) = last_step(formulas, at) {
                if step.is_size() {
                    found[index] = base;
                } else if matches!(step, Step::KeyAt(_) | Step::ValueAt(_)) {
                    found.push(base);
                }
                at = base;
            }
        }
        found
    };
    let mut at: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
    let all: Vec<Vec<TermId>> = before.iter().map(|condition| of(*condition)).collect();
    for (index, cells) in all.iter().enumerate() {
        for cell in cells {
            at.entry(*cell).or_default().push(index);
        }
    }
    let mut taken = vec![false; before.len()];
    let mut seen = FxHashSet::default();
    let mut open = of(wanted);
    while let Some(cell) = open.pop() {
        if !seen.insert(cell) {
            continue;
        }
        for index in at.get(&cell).into_iter().flatten() {
            if let Some(taken) = taken.get_mut(*index)
                && !*taken
            {
                *taken = true;
                open.extend(all.get(*index).into_iter().flatten());
            }
        }
    }
    let mut slice: Vec<TermId> =
        before.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(condition, _)| *condition).collect();
    slice.push(wanted);
    slice
}
