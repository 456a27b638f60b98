//! Asks an SMT solver. A slice goes to the solver as flat formulas over cells. Its model comes back as changes of the
//! parent's values, is completed where the formulas left something open, and is evaluated.

mod arithmetic;
mod bits;
mod bitwise;
mod chosen;
mod compare;
mod decode;
mod defined;
mod digits;
mod encode;
mod existence;
mod facet;
mod keys;
mod lookups;
mod maps;
mod order;
pub(crate) mod process;
mod ranges;
mod read;
pub(crate) mod recheck;
pub(crate) mod samples;
mod sizes;
pub(crate) mod tier;
mod types;

use crate::native::state::Knowledge;
use crate::slice::Slice;
use crate::smt::process::{CheckResult, SmtError, SmtProcess, Talk};
use crate::trial::repair::repair;
use crate::{Model, Query, RefutationId, Unknown, apply, cache};
use decode::{Wish, decode, wishes};
use encode::{Encoder, Floats};
use formula::{Assignment, Evaluation, Formulas, Operator, TermId};
use rustc_hash::FxHashSet;

/// The number of models that may break conditions outside the slice before a query is given up.
const ROUNDS: usize = 6;
/// The number of rounds of dropping some wishes after which all of them are dropped.
const PATIENCE: usize = 8;

/// The largest number of conditions to which a slice is widened only because a model left something open.
const MOST_CONDITIONS: usize = 60;

/// The kind of solution that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// A solution near the parent's values that avoids what the formulas leave open, which takes several checks.
    Wishing,
    /// Any solution, which takes one check.
    Plain,
}

/// The SMT solver's answer to a query.
pub(crate) enum Solved {
    /// The values satisfy all conditions of the query.
    Sat(Model, Assignment),
    Unsat(RefutationId),
    Unknown {
        why: Unknown,
        /// The values of a model that did not hold. They may be near to ones that do.
        near: Option<Assignment>,
    },
}

impl Solved {
    fn unknown(why: impl Into<Unknown>) -> Solved {
        Solved::Unknown { why: why.into(), near: None }
    }
}

/// Decides a query by its slice, which grows by the conditions that models break.
pub(crate) fn solve(process: &mut SmtProcess, query: &mut Query<'_>, slice: &mut Slice, manner: Manner) -> Solved {
    let mut widened = false;
    process.begin();
    for _ in 0..ROUNDS {
        let (model, values) = match ask(process, query, slice, query.wanted, manner) {
            Ok(Asked::Values(model, values)) => (model, values),
            Ok(Asked::Unsat) => return Solved::Unsat(cache::key(query.formulas, &slice.conditions)),
            Ok(Asked::Unknown(why)) => return Solved::unknown(why),
            Err(error) => return Solved::unknown(error),
        };
        let mut evaluation = Evaluation::new(query.formulas, &values).learning(query.learner);
        let known: FxHashSet<TermId> = slice.conditions.iter().copied().collect();
        if slice.conditions.iter().any(|condition| evaluation.holds(*condition) != Some(true)) {
            // Other conditions on the same inputs may decide what the model left open.
            let more: Vec<TermId> = query.before.iter().copied().filter(|id| !known.contains(id)).collect();
            if !widened && !more.is_empty() && slice.conditions.len() + more.len() <= MOST_CONDITIONS {
                widened = true;
                slice.widen(query.formulas, more);
                continue;
            }
            return Solved::Unknown { why: Unknown::ModelIncomplete, near: Some(values) };
        }
        let broken: Vec<TermId> = query
            .before
            .iter()
            .copied()
            .filter(|condition| !known.contains(condition) && evaluation.holds(*condition) != Some(true))
            .collect();
        if broken.is_empty() {
            return Solved::Sat(model, values);
        }
        slice.widen(query.formulas, broken);
    }
    Solved::unknown(Unknown::TooManyDependencies)
}

/// Finds values that meet these conditions, or nearly do.
pub(crate) fn meets(process: &mut SmtProcess, query: &mut Query<'_>, conditions: Vec<TermId>) -> Option<Assignment> {
    let last = *conditions.last()?;
    process.begin();
    match ask(process, query, &mut Slice::with(conditions), last, Manner::Wishing) {
        Ok(Asked::Values(_, values)) => Some(values),
        Ok(Asked::Unsat | Asked::Unknown(_)) | Err(_) => None,
    }
}

enum Asked {
    Unsat,
    Unknown(Unknown),
    /// These values satisfy the slice, or as much of it as could be reached.
    Values(Model, Assignment),
}

fn ask(
    process: &mut SmtProcess,
    query: &mut Query<'_>,
    slice: &mut Slice,
    wanted: TermId,
    manner: Manner,
) -> Result<Asked, SmtError> {
    let (formulas, parent) = (&mut *query.formulas, query.parent);
    let (conditions, state) = slice.with_state(formulas);
    let mut encoder = encoded(formulas, conditions, state, parent, Floats::Reals);
    let wishes = match manner {
        Manner::Wishing => wishes(&mut encoder, parent),
        Manner::Plain => Vec::new(),
    };
    let answer = process.query(|talk| {
        talk.send(&encoder.text)?;
        Ok(match check(talk, &wishes)? {
            CheckResult::Sat => Said::Values(talk.answer("(get-model)\n")?),
            CheckResult::Unsat => Said::Unsat,
            CheckResult::Unknown => Said::Unknown,
        })
    })?;
    let answer = match answer {
        Said::Values(answer) => answer,
        Said::Unknown => return Ok(Asked::Unknown(Unknown::SmtGaveUp)),
        Said::Unsat if !conditions.iter().any(|condition| has_floats(formulas, *condition)) => return Ok(Asked::Unsat),
        // Doubles are not reals, so a refutation counts only if it holds whatever operations on floats deliver.
        Said::Unsat => {
            let text = encoded(formulas, conditions, state, parent, Floats::Anything).text;
            let verdict = process.query(|talk| talk.send(&text).and_then(|()| talk.check(&[])))?;
            return Ok(match verdict {
                CheckResult::Unsat => Asked::Unsat,
                CheckResult::Sat | CheckResult::Unknown => Asked::Unknown(Unknown::NotOverReals),
            });
        }
    };
    let Some(decoded) = decode(&mut encoder, &answer, parent) else {
        return Ok(Asked::Unknown(Unknown::ModelUnreadable));
    };
    if decoded.too_large {
        return Ok(Asked::Unknown(Unknown::SolutionTooLarge));
    }
    let model = Model { changes: decoded.changes };
    let Some(values) = apply(formulas, parent, &model) else {
        return Ok(Asked::Unknown(Unknown::ModelNotLaidOut));
    };
    Ok(match repair(formulas, parent, &values, conditions, wanted, &decoded.leaves) {
        Some((model, values)) => Asked::Values(model, values),
        None => Asked::Values(model, values),
    })
}

enum Said {
    Values(String),
    Unsat,
    Unknown,
}

fn encoded<'a>(
    formulas: &'a mut Formulas,
    slice: &[TermId],
    state: &'a Knowledge,
    parent: &Assignment,
    floats: Floats,
) -> Encoder<'a> {
    let atoms = decode::atoms_of(formulas, slice, parent);
    let mut encoder = Encoder::new(formulas, slice, state, &atoms, floats);
    for condition in slice {
        encoder.assert(*condition);
    }
    encoder.assert_sets();
    encoder.assert_types();
    encoder.connect_places();
    encoder.connect_keys();
    encoder.connect_numbers();
    encoder.count_keys();
    encoder
}

/// Checks the conditions with as many of the wishes as can cheaply be fulfilled.
fn check(talk: &mut Talk<'_>, wishes: &[Wish]) -> Result<CheckResult, SmtError> {
    let exact = || wishes.iter().filter(|wish| wish.exact);
    if let Some(verdict) = check_wishes(talk, wishes.iter().collect(), PATIENCE)? {
        return Ok(verdict);
    }
    if exact().next().is_some()
        && let Some(verdict) = check_wishes(talk, exact().collect(), PATIENCE / 2)?
    {
        return Ok(verdict);
    }
    talk.check(&[])
}

/// Drops wishes that cannot be fulfilled together, round by round; `None` if the rounds were not enough.
fn check_wishes(talk: &mut Talk<'_>, mut kept: Vec<&Wish>, rounds: usize) -> Result<Option<CheckResult>, SmtError> {
    let mut small: Vec<&Wish> = Vec::new();
    for _ in 0..rounds {
        let assumed: Vec<String> = kept
            .iter()
            .map(|wish| wish.name.clone())
            .chain(small.iter().filter_map(|wish| wish.small.clone()))
            .collect();
        if assumed.is_empty() {
            break;
        }
        match talk.check(&assumed)? {
            CheckResult::Sat => return Ok(Some(CheckResult::Sat)),
            CheckResult::Unknown => break,
            CheckResult::Unsat => {}
        }
        let core = talk.answer("(get-unsat-assumptions)\n")?;
        let core: FxHashSet<&str> =
            core.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|name| !name.is_empty()).collect();
        if core.is_empty() {
            return Ok(Some(CheckResult::Unsat));
        }
        // The wishes that keep models true are dropped last.
        let is_dropped = |wish: &Wish| core.contains(wish.name.as_str());
        let is_small = |wish: &Wish| wish.small.as_ref().is_some_and(|name| core.contains(name.as_str()));
        let others = kept.iter().any(|wish| !wish.exact && is_dropped(wish)) || small.iter().any(|wish| is_small(wish));
        small.retain(|wish| !is_small(wish));
        let dropped: Vec<&Wish> =
            kept.iter().copied().filter(|wish| is_dropped(wish) && !(wish.exact && others)).collect();
        small.extend(dropped.iter().copied().filter(|wish| wish.small.is_some()));
        kept.retain(|wish| !dropped.iter().any(|other| other.name == wish.name));
    }
    Ok(None)
}

/// Returns whether a condition contains arithmetic that may deliver floats.
fn has_floats(formulas: &Formulas, condition: TermId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![condition];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let arithmetic = matches!(formulas.operator(id), Operator::Arithmetic(..) | Operator::Numeric(..));
        if arithmetic && formulas.kinds(id).meets(formula::Kinds::FLOAT) {
            return true;
        }
        formulas.operator(id).each_child(|child| open.push(child));
    }
    false
}
