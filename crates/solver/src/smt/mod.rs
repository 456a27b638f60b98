//! The SMT tier: a slice goes to the solver as flat formulas over cells, its model comes back as changes,
//! is completed where contents were left open, and is evaluated.

mod arithmetic;
mod bits;
mod bitwise;
mod chosen;
mod compare;
mod decode;
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
mod types;

use crate::smt::process::{SmtError, SmtProcess, Talk, Verdict};
use crate::trial::repair::repair;
use crate::{Answer, Model, Query, Refuter, Unknown, apply, cache};
use decode::{Wish, decode, wishes};
use encode::{Encoder, Floats};
use formula::{Assignment, Evaluation, Formulas, Operator, TermId};
use rustc_hash::FxHashSet;

/// How often conditions beyond the slice may be broken before the query is given up.
const ROUNDS: usize = 6;
/// How often preferences are dropped one by one before they are all dropped.
const PATIENCE: usize = 8;

/// More conditions than these are not asked about at once only because something was left open.
const MOST_CONDITIONS: usize = 60;

enum Asked {
    Unsat,
    Unknown(Unknown),
    /// A guess that satisfies the slice, or as much of it as could be reached.
    Values(Model, Assignment),
}

/// What is asked for beside any solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// One that is near to the parent's values, and away from what formulas leave open: that takes several checks.
    Wishing,
    /// Nothing: one check.
    Plain,
}

/// Decides a query, of which the slice is enough at first; `defects` counts models that did not hold, which
/// `proposals` gets: they may be near to ones that do.
pub(crate) fn solve(
    process: &mut SmtProcess,
    query: &mut Query<'_>,
    slice: &mut Vec<TermId>,
    manner: Manner,
    defects: &mut u64,
    proposals: &mut Vec<Assignment>,
) -> Answer {
    let mut widened = false;
    process.begin();
    for _ in 0..ROUNDS {
        let asked = match ask(process, query.formulas, query.parent, slice, query.wanted, manner) {
            Ok(asked) => asked,
            Err(error) => return Answer::Unknown(error.into()),
        };
        let (model, values) = match asked {
            Asked::Unsat => return Answer::Unsat(Refuter::Smt(cache::key(query.formulas, slice))),
            Asked::Unknown(why) => return Answer::Unknown(why),
            Asked::Values(model, values) => (model, values),
        };
        let mut evaluation = Evaluation::new(query.formulas, &values).learning(query.learner);
        let known: FxHashSet<TermId> = slice.iter().copied().collect();
        if slice.iter().any(|condition| evaluation.holds(*condition) != Some(true)) {
            // What other conditions say of the same inputs may decide what was left open.
            let more: Vec<TermId> = query.before.iter().copied().filter(|id| !known.contains(id)).collect();
            if !widened && !more.is_empty() && slice.len() + more.len() <= MOST_CONDITIONS {
                widened = true;
                slice.splice(0..0, more);
                continue;
            }
            *defects += 1;
            proposals.push(values);
            return Answer::Unknown(Unknown::ModelIncomplete);
        }
        let broken: Vec<TermId> = query
            .before
            .iter()
            .copied()
            .filter(|condition| evaluation.holds(*condition) != Some(true) && !known.contains(condition))
            .collect();
        if broken.is_empty() {
            return Answer::Sat(model);
        }
        slice.splice(0..0, broken);
    }
    Answer::Unknown(Unknown::TooManyDependencies)
}

/// Values that meet these conditions, or nearly.
pub(crate) fn meets(process: &mut SmtProcess, query: &mut Query<'_>, conditions: &[TermId]) -> Option<Assignment> {
    let last = conditions.last()?;
    process.begin();
    match ask(process, query.formulas, query.parent, conditions, *last, Manner::Wishing) {
        Ok(Asked::Values(_, values)) => Some(values),
        Ok(Asked::Unsat | Asked::Unknown(_)) | Err(_) => None,
    }
}

fn ask(
    process: &mut SmtProcess,
    formulas: &mut Formulas,
    parent: &Assignment,
    slice: &[TermId],
    wanted: TermId,
    manner: Manner,
) -> Result<Asked, SmtError> {
    let mut encoder = encoded(formulas, slice, parent, Floats::Reals);
    let wishes = match manner {
        Manner::Wishing => wishes(&mut encoder, parent),
        Manner::Plain => Vec::new(),
    };
    let answer = process.query(|talk| {
        talk.send(&encoder.text)?;
        Ok(match check(talk, &wishes)? {
            Verdict::Sat => Said::Values(talk.answer("(get-model)\n")?),
            Verdict::Unsat => Said::Unsat,
            Verdict::Unknown => Said::Unknown,
        })
    })?;
    let answer = match answer {
        Said::Values(answer) => answer,
        Said::Unknown => return Ok(Asked::Unknown(Unknown::SmtGaveUp)),
        Said::Unsat if !slice.iter().any(|condition| has_floats(formulas, *condition)) => return Ok(Asked::Unsat),
        // Doubles are not reals: only what holds whatever the operations on floats deliver is sure.
        Said::Unsat => {
            let text = encoded(formulas, slice, parent, Floats::Anything).text;
            let verdict = process.query(|talk| talk.send(&text).and_then(|()| talk.check(&[])))?;
            return Ok(match verdict {
                Verdict::Unsat => Asked::Unsat,
                _ => Asked::Unknown(Unknown::NotOverReals),
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
    Ok(match repair(formulas, parent, &values, slice, wanted, &decoded.leaves) {
        Some((model, values)) => Asked::Values(model, values),
        None => Asked::Values(model, values),
    })
}

/// Goes from the parent's values to ones that meet the conditions, without the solver.
pub(crate) fn mended(formulas: &mut Formulas, parent: &Assignment, slice: &[TermId], wanted: TermId) -> Option<Model> {
    repair(formulas, parent, parent, slice, wanted, &[]).map(|(model, _)| model)
}

enum Said {
    Values(String),
    Unsat,
    Unknown,
}

fn encoded<'a>(formulas: &'a mut Formulas, slice: &[TermId], parent: &Assignment, floats: Floats) -> Encoder<'a> {
    let atoms = decode::atoms_of(formulas, slice, parent);
    let mut encoder = Encoder::new(formulas, slice, &atoms, floats);
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

/// With as many of the wishes fulfilled as is cheap to find out.
fn check(talk: &mut Talk<'_>, wishes: &[Wish]) -> Result<Verdict, SmtError> {
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

/// Gives up wishes that cannot be fulfilled together, for some rounds; `None` if that was not enough.
fn check_wishes(talk: &mut Talk<'_>, mut kept: Vec<&Wish>, rounds: usize) -> Result<Option<Verdict>, SmtError> {
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
            Verdict::Sat => return Ok(Some(Verdict::Sat)),
            Verdict::Unknown => break,
            Verdict::Unsat => {}
        }
        let core = talk.answer("(get-unsat-assumptions)\n")?;
        let core: FxHashSet<&str> =
            core.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|name| !name.is_empty()).collect();
        if core.is_empty() {
            return Ok(Some(Verdict::Unsat));
        }
        // What makes models true is given up last.
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

/// Is there arithmetic of floats in it?
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
