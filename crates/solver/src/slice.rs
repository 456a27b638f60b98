//! Which conditions a flip depends on: those that share cells with it, directly or through others.
//!
//! A subset is enough to refute. A model of a subset may break conditions beyond it: these are added when
//! that is seen.

use crate::layout::positions::{Step, cells, last_step};
use formula::{Formulas, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger conditions are taken for connected to everything they begin with.
const LARGEST: usize = 100_000;

/// In the order of the path; `wanted` comes last.
pub(crate) fn slice(formulas: &Formulas, before: &[TermId], wanted: TermId) -> Vec<TermId> {
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
