//! Screens paths: refutes by sets, guesses backwards, and checks a guess by evaluating the conditions that it could
//! break.

use crate::deadline::Deadline;
use crate::layout::positions::{Projection, cells, depth, last_step};
use crate::layout::{fitted, pin, place};
use crate::native::guess::{Changes, Guess};
use crate::native::state::Knowledge;
use crate::{Model, Screened, ScreeningStep};
use formula::{Assignment, Evaluation, Formulas, Known, Path, TermId};
use rustc_hash::FxHashSet;
use term::Term;

/// Goes along the path once, as far as the time allows.
pub(crate) fn screen(
    formulas: &mut Formulas,
    parent: &Assignment,
    steps: &[ScreeningStep],
    deadline: Deadline,
) -> Vec<Vec<Screened>> {
    let mut state = Knowledge::with_room(steps.len());
    let mut answers = Vec::with_capacity(steps.len());
    for step in steps {
        if deadline.is_over() {
            answers.push(vec![Screened::Late; step.others.len()]);
            continue;
        }
        answers.push(step.others.iter().map(|wanted| decide(formulas, parent, &mut state, *wanted)).collect());
        state.assert(formulas, step.held);
    }
    answers
}

pub(crate) fn decide(formulas: &mut Formulas, parent: &Assignment, state: &mut Knowledge, wanted: TermId) -> Screened {
    if formulas.as_boolean(wanted) == Some(false) || state.refutes(formulas, wanted) {
        return Screened::Unsat;
    }
    let guesses = Guess::new(formulas, parent, state).condition(wanted, true);
    for changes in guesses {
        if let Some(model) = check(formulas, parent, state, wanted, changes) {
            return Screened::Sat(model);
        }
    }
    Screened::Open
}

/// The largest number of terms of a wanted condition that are searched for cells.
const LARGEST: usize = 30_000;

/// Returns the model of a guess, if it makes the wanted condition hold and breaks none before it.
pub(crate) fn check(
    formulas: &mut Formulas,
    parent: &Assignment,
    state: &mut Knowledge,
    wanted: TermId,
    changes: Changes,
) -> Option<Model> {
    let wanted_cells: FxHashSet<TermId> = cells(formulas, wanted, LARGEST)?.into_iter().collect();
    let settled = settle(formulas, parent, state, changes)?;
    let mut overlay = Known::default();
    let mut placed: Vec<(TermId, Term)> = Vec::new();
    let mut conditions = FxHashSet::default();
    let mut looked_into = Vec::new();
    for (cell, value) in &settled {
        if !state.admits(formulas, *cell, value) {
            return None;
        }
        let related = state.related(formulas, *cell)?;
        conditions.extend(related.conditions);
        looked_into.extend(related.inside.iter().copied().filter(|inside| inside != cell));
        // The value is placed in the innermost position that is large enough for all terms to be evaluated.
        let mut top = *cell;
        let mut at = *cell;
        while let Some((base, step)) = last_step(formulas, at) {
            // Parts of a list that overlap are connected only through the list.
            let beside = match step {
                Projection::Rest(_) if at == *cell && related.inside.len() > 1 => true,
                Projection::Item(index) | Projection::Rest(index) => wanted_cells.iter().any(|other| {
                    *other != at
                        && match last_step(formulas, *other) {
                            Some((list, Projection::Rest(from))) => {
                                list == base && (from <= index || matches!(step, Projection::Rest(_)))
                            }
                            Some((list, _)) => list == base && matches!(step, Projection::Rest(_)),
                            None => false,
                        }
                }),
                _ => false,
            };
            if related.whole == Some(base) || wanted_cells.contains(&base) || beside {
                top = base;
            }
            at = base;
        }
        let inner = placed.iter().position(|(other, _)| *other == top);
        let old = match inner {
            Some(index) => placed.swap_remove(index).1,
            None if top == *cell => Term::Nil,
            None => state.value(formulas, parent, top)?,
        };
        let new = place(formulas.types(), formulas.types_of(top), &old, &steps_between(formulas, top, *cell), value)?;
        placed.push((top, new));
    }
    for (position, value) in placed {
        overlay.assume(position, value);
    }
    let mut evaluation = Evaluation::resume(formulas, parent, overlay);
    if evaluation.holds(wanted) != Some(true)
        || conditions.iter().any(|condition| evaluation.holds(*condition) != Some(true))
    {
        return None;
    }
    let mut values = Vec::new();
    for inside in looked_into {
        values.push((inside, evaluation.value(inside)?));
    }
    values.iter().all(|(inside, value)| state.admits(formulas, *inside, value)).then_some(Model { changes: settled })
}

fn steps_between(formulas: &Formulas, from: TermId, to: TermId) -> Vec<Projection> {
    let mut steps = Vec::new();
    let mut at = to;
    while at != from {
        match last_step(formulas, at) {
            Some((base, step)) => {
                steps.push(step);
                at = base;
            }
            None => break,
        }
    }
    steps.reverse();
    steps
}

/// Turns changes into whole values of the positions that have to change with them: if a part decides which of several
/// types the whole has, or did not exist before, the whole is changed.
fn settle(
    formulas: &mut Formulas,
    parent: &Assignment,
    state: &mut Knowledge,
    mut changes: Changes,
) -> Option<Changes> {
    changes.sort_by_key(|(position, _)| depth(formulas, *position));
    let mut settled: Changes = Vec::new();
    for (position, value) in changes {
        let mut whole = position;
        let mut at = position;
        while let Some((base, step)) = last_step(formulas, at) {
            let bound = match &step {
                Projection::Item(_) | Projection::Rest(_) => {
                    alternatives(formulas, base, |node| node.cons.len()) > 1 || missing(formulas, parent, state, at)
                }
                Projection::Element(_) => {
                    alternatives(formulas, base, |node| node.tuples.len()) > 1 || missing(formulas, parent, state, at)
                }
                Projection::Value(_) => {
                    alternatives(formulas, base, |node| node.maps.len()) > 1 || missing(formulas, parent, state, at)
                }
                Projection::ValueAt(_) => {
                    alternatives(formulas, base, |node| node.maps.iter().map(|fields| fields.len()).sum()) > 1
                }
                Projection::KeyAt(_)
                | Projection::Number { .. }
                | Projection::Slice { .. }
                | Projection::Length
                | Projection::TupleSize
                | Projection::BitSize
                | Projection::MapSize => true,
            };
            if bound || settled.iter().any(|(other, _)| *other == base) {
                whole = base;
            }
            at = base;
        }
        // Changes inside the position that were settled separately would be lost.
        if settled.iter().any(|(other, _)| *other != whole && is_inside(formulas, *other, whole)) {
            return None;
        }
        let types = formulas.types_of(whole).to_vec();
        let earlier = settled.iter().position(|(other, _)| *other == whole);
        let new = if whole == position {
            value
        } else {
            let old = match earlier {
                Some(index) => settled.get(index)?.1.clone(),
                None => state.value(formulas, parent, whole)?,
            };
            place(formulas.types(), &types, &old, &steps_between(formulas, whole, position), &value)?
        };
        let pinned: Vec<Path> = pin(&steps_between(formulas, whole, position)).into_iter().collect();
        let new = fitted(formulas.types(), &types, &new, &pinned)?;
        if let Some(index) = earlier {
            settled.remove(index);
        }
        settled.push((whole, new));
    }
    Some(settled)
}

fn is_inside(formulas: &Formulas, position: TermId, whole: TermId) -> bool {
    std::iter::successors(Some(position), |at| last_step(formulas, *at).map(|(base, _)| base)).any(|at| at == whole)
}

fn missing(formulas: &Formulas, parent: &Assignment, state: &mut Knowledge, position: TermId) -> bool {
    !state.has_value(formulas, parent, position)
}

fn alternatives(formulas: &Formulas, position: TermId, count: impl Fn(&formula::TypeNode) -> usize) -> usize {
    formulas.types_of(position).iter().map(|id| count(formulas.types().node(*id))).sum()
}
