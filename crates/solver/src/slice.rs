//! Finds the conditions that a flip depends on: those that share cells with it, directly or through other conditions.
//!
//! A subset of the conditions is enough to refute them all. A model of a subset may break conditions outside it; these
//! are added when that happens.

use crate::layout::positions::{Projection, cells, last_step};
use crate::native::state::Knowledge;
use crate::smt::samples::SampledFunctions;
use formula::{Formulas, TermId};
use rustc_hash::FxHashSet;

/// The largest number of terms of a condition in a slice; larger ones are left out until a model breaks them.
const LARGEST: usize = 100_000;

/// The conditions that a query depends on, with what follows from them.
pub(crate) struct Slice {
    /// The conditions in the order of the path; the wanted one comes last.
    pub conditions: Vec<TermId>,
    state: Option<Knowledge>,
    functions: Option<Option<SampledFunctions>>,
}

impl Slice {
    pub fn of(formulas: &Formulas, before: &[TermId], wanted: TermId) -> Slice {
        Slice::with(slice(formulas, before, wanted))
    }

    /// Makes a slice of exactly these conditions.
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

    /// Returns the conditions with the facts that follow from them, which are computed once.
    pub fn with_state(&mut self, formulas: &mut Formulas) -> (&[TermId], &mut Knowledge) {
        let state = self.state.get_or_insert_with(|| Knowledge::of(formulas, &self.conditions));
        (&self.conditions, state)
    }

    /// Returns the conditions with the functions in them that are known by samples only, if there are any.
    pub fn sampled(&mut self, formulas: &Formulas) -> Option<(&[TermId], &SampledFunctions)> {
        let functions = self.functions.get_or_insert_with(|| SampledFunctions::of(formulas, &self.conditions));
        functions.as_ref().map(|functions| (&self.conditions[..], functions))
    }
}

fn slice(formulas: &Formulas, before: &[TermId], wanted: TermId) -> Vec<TermId> {
    // The cells of all conditions one after the other, and where those of each condition end.
    let mut cells: Vec<TermId> = Vec::with_capacity(2 * before.len());
    let mut ends: Vec<usize> = Vec::with_capacity(before.len());
    for condition in before {
        cells.extend(connections(formulas, *condition));
        ends.push(cells.len());
    }
    let of = |condition: usize| {
        let start = condition.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
        cells.get(start..ends.get(condition).copied().unwrap_or(start)).unwrap_or_default()
    };
    // Pairs of a cell and a condition that mentions it, sorted by cell.
    let mut speakers: Vec<(TermId, u32)> = (0..before.len())
        .flat_map(|condition| of(condition).iter().map(move |cell| (*cell, condition as u32)))
        .collect();
    speakers.sort_unstable();
    let mut taken = vec![false; before.len()];
    let mut seen = FxHashSet::default();
    let mut open = connections(formulas, wanted);
    while let Some(cell) = open.pop() {
        if !seen.insert(cell) {
            continue;
        }
        let first = speakers.partition_point(|(other, _)| *other < cell);
        for (_, condition) in speakers.iter().skip(first).take_while(|(other, _)| *other == cell) {
            if let Some(taken) = taken.get_mut(*condition as usize)
                && !*taken
            {
                *taken = true;
                open.extend(of(*condition as usize));
            }
        }
    }
    let mut slice: Vec<TermId> =
        before.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(condition, _)| *condition).collect();
    slice.push(wanted);
    slice
}

/// Returns the cells by which a condition is connected with others.
fn connections(formulas: &Formulas, condition: TermId) -> Vec<TermId> {
    let mut found = cells(formulas, condition, LARGEST).unwrap_or_default();
    // A size belongs to the term whose size it is, and the keys of a map belong to each other.
    for index in 0..found.len() {
        let mut at = found[index];
        while let Some((base, step)) = last_step(formulas, at) {
            if step.is_size() {
                found[index] = base;
            } else if matches!(step, Projection::KeyAt(_) | Projection::ValueAt(_)) {
                found.push(base);
            }
            at = base;
        }
    }
    found
}
