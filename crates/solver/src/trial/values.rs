//! Tries values, as many as a small amount of work allows. It finds solutions or nothing; it never says that there is
//! none.
//!
//! It decides what no theory of the SMT solver covers: floats as they are, bits of numbers of any width, texts of
//! numbers and atoms.

use crate::layout::positions::{cells, is_position, last_step};
use crate::native::numbers::Numbers;
use crate::native::sets::{AtomSet, Set, integer};
use crate::slice::Slice;
use crate::tier::{Tier, Tools};
use crate::trial::repair::repair;
use crate::{Answer, Model, Query, Solution, TierName};
use formula::{Evaluation, Formulas, Kinds, Known, Operator, TermId, Test};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use rustc_hash::FxHashSet;
use term::{Atom, Term};

/// The largest number of terms that are evaluated for one query.
const WORK: usize = 100_000;
/// The largest number of combinations of values that are tried.
const MOST_TRIALS: usize = 1024;
/// The largest number of values of a cell that is tried with all of them.
const FEW: usize = 512;
/// The largest number of cells of which values are tried; the others keep the parent's.
const MOST_CELLS: usize = 4;
/// The largest number of constants of the conditions from which values are made.
const MOST_CONSTANTS: usize = 24;

/// Mends the conditions one by one, beginning with the parent's values, and tries likely values if that does not help.
pub(crate) struct Trial;

impl Tier for Trial {
    fn answer(&mut self, query: &mut Query<'_>, _: &mut Tools) -> Option<Answer> {
        let mut slice = query.take_slice();
        let parent = query.parent;
        let mended = repair(query.formulas, parent, parent, &slice.conditions, query.wanted, &[]);
        let answer = match mended.filter(|(_, values)| query.is_satisfied_by(values)) {
            Some((model, values)) => Some(Answer::Sat(Solution { by: TierName::Trial, values, model })),
            None => solve(query, &mut slice),
        };
        query.put_slice(slice);
        answer
    }
}

pub(crate) fn solve(query: &mut Query<'_>, slice: &mut Slice) -> Option<Answer> {
    let (slice, state) = slice.with_state(query.formulas);
    let (size, constants) = survey(query.formulas, slice)?;
    let mut trials = (WORK / size).min(MOST_TRIALS);
    let chosen = chosen(query.formulas, slice, query.wanted)?;
    let each = share(trials, chosen.len());
    let mut choices: Vec<(TermId, Vec<Term>)> = Vec::new();
    for cell in chosen {
        let domain = state.domain(query.formulas, cell);
        let old = state.value(query.formulas, query.parent, cell);
        let values = match all_of(&domain, FEW) {
            Some(values) if values.len() <= each => near(values, old.as_ref()),
            _ => likely(&domain, old.as_ref(), &constants, each),
        };
        if values.is_empty() {
            return None;
        }
        choices.push((cell, values));
    }
    let mut counters = vec![0usize; choices.len()];
    loop {
        if trials == 0 {
            return None;
        }
        trials -= 1;
        if holds(query, &choices, &counters, slice) {
            let mut changes = Vec::new();
            for ((cell, values), at) in choices.iter().zip(&counters) {
                let old = state.value(query.formulas, query.parent, *cell);
                changes.extend(
                    values.get(*at).filter(|value| old.as_ref() != Some(value)).map(|value| (*cell, value.clone())),
                );
            }
            let answer = query.solution(Model { changes }, TierName::Trial);
            if answer.is_some() {
                return answer;
            }
        }
        if !advance(&mut counters, &choices) {
            return None;
        }
    }
}

/// Goes to the next combination, where the last cell changes fastest; returns whether there is one.
fn advance(counters: &mut [usize], choices: &[(TermId, Vec<Term>)]) -> bool {
    for (counter, (_, values)) in counters.iter_mut().zip(choices).rev() {
        *counter += 1;
        if *counter < values.len() {
            return true;
        }
        *counter = 0;
    }
    false
}

/// Returns the number of values that each of `count` cells may have.
fn share(trials: usize, count: usize) -> usize {
    (1..).take_while(|each: &usize| each.checked_pow(count as u32).is_some_and(|all| all <= trials)).last().unwrap_or(1)
}

fn holds(query: &Query<'_>, choices: &[(TermId, Vec<Term>)], counters: &[usize], slice: &[TermId]) -> bool {
    let mut overlay = Known::default();
    for ((cell, values), at) in choices.iter().zip(counters) {
        if let Some(value) = values.get(*at) {
            overlay.assume(*cell, value.clone());
        }
    }
    let mut evaluation = Evaluation::resume(query.formulas, query.parent, overlay).learning(query.learner);
    // The wanted condition is the last one and the first to fail.
    slice.iter().rev().all(|condition| evaluation.holds(*condition) == Some(true))
}

/// Counts the terms of the conditions and collects their constants.
fn survey(formulas: &Formulas, slice: &[TermId]) -> Option<(usize, Vec<Term>)> {
    let mut constants: Vec<Term> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = slice.to_vec();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if seen.len() > WORK / 64 {
            return None;
        }
        let mut add = |term: &Term| {
            if constants.len() < MOST_CONSTANTS && !constants.contains(term) {
                constants.push(term.clone());
            }
        };
        match formulas.operator(id) {
            Operator::Constant(constant) => add(&constant.0),
            Operator::Test(Test::OneOf(_, these)) => {
                these.ranges().iter().take(MOST_CONSTANTS).for_each(|(low, high)| {
                    add(&Term::Int(*low));
                    add(&Term::Int(*high));
                });
                these.others().iter().take(MOST_CONSTANTS).for_each(|constant| add(&constant.0));
            }
            operator => operator.each_child(|child| open.push(child)),
        }
    }
    Some((seen.len().max(1), constants))
}

/// Chooses the scalar cells of the wanted condition, then others that conditions share with them.
fn chosen(formulas: &mut Formulas, slice: &[TermId], wanted: TermId) -> Option<Vec<TermId>> {
    let mut found: Vec<TermId> = Vec::new();
    let mut all = true;
    for condition in [wanted].iter().chain(slice.iter().rev()) {
        for cell in cells(formulas, *condition, WORK / 64)? {
            if found.contains(&cell) {
                continue;
            }
            // Sizes are not tried: a large one would mean making a large structure.
            let size = last_step(formulas, cell).is_some_and(|(_, step)| step.is_size());
            let scalar = !size && formulas.kinds(cell).meets(Kinds::NUMBER.or(Kinds::ATOM));
            let overlaps = found.iter().any(|other| inside(formulas, *other, cell) || inside(formulas, cell, *other));
            if scalar && !overlaps && found.len() < MOST_CELLS {
                found.push(cell);
            } else {
                all = false;
            }
        }
        // If conditions have many other cells, only those of the wanted condition are tried.
        if !all && !found.is_empty() {
            break;
        }
    }
    (!found.is_empty()).then_some(found)
}

fn inside(formulas: &Formulas, inner: TermId, outer: TermId) -> bool {
    let mut at = inner;
    while let Some((base, _)) = last_step(formulas, at) {
        if base == outer {
            return true;
        }
        at = base;
    }
    debug_assert!(is_position(formulas, inner));
    false
}

/// Returns all members of a set, if there are at most `most`.
fn all_of(set: &Set, most: usize) -> Option<Vec<Term>> {
    if !set.kinds().within(Kinds::INTEGER.or(Kinds::ATOM).or(Kinds::NIL)) {
        return None;
    }
    let mut found: Vec<Term> = members(&set.integers, most)?.into_iter().map(Term::integer).collect();
    match &set.atoms {
        AtomSet::These(these) => found.extend(these.iter().take(most + 1).map(|atom| Term::Atom(*atom))),
        AtomSet::AllBut(_) => return None,
    }
    if set.nil {
        found.push(Term::Nil);
    }
    (found.len() <= most).then_some(found)
}

fn members(numbers: &Numbers, most: usize) -> Option<Vec<BigInt>> {
    if numbers.is_empty() {
        return Some(Vec::new());
    }
    let (least, greatest) = (numbers.least()?.clone(), numbers.most()?.clone());
    // Large holes between the members are skipped.
    let mut found = Vec::new();
    let mut left = numbers.clone();
    while let Some(next) = left.nearest(&least) {
        if found.len() >= most {
            return None;
        }
        left = left.and(&Numbers::between(Some(&next + 1), Some(greatest.clone())));
        found.push(next);
    }
    Some(found)
}

/// Sorts the values: the old one comes first, then the small ones.
fn near(mut values: Vec<Term>, old: Option<&Term>) -> Vec<Term> {
    let size = |term: &Term| integer(term).map(|value| value.magnitude().clone());
    values.sort_by(|a, b| size(a).cmp(&size(b)).then_with(|| term::order::compare(b, a)));
    if let Some(old) = old
        && let Some(at) = values.iter().position(|value| value == old)
    {
        let old = values.remove(at);
        values.insert(0, old);
    }
    values
}

/// Returns members of a large set that conditions with these constants often require.
fn likely(set: &Set, old: Option<&Term>, constants: &[Term], most: usize) -> Vec<Term> {
    let mut found: Vec<Term> = old.cloned().into_iter().collect();
    let mut add = |term: Term| {
        if set.contains(&term) && !found.contains(&term) && found.len() < most {
            found.push(term);
        }
    };
    let kinds = set.kinds();
    let numbers: Vec<Term> = constants.iter().flat_map(scalars).collect();
    for constant in &numbers {
        add(constant.clone());
    }
    [0, 1, -1, 2, -2].into_iter().for_each(|value| add(Term::Int(value)));
    for constant in &numbers {
        if let Some(value) = integer(constant) {
            let around = [&value - 1, &value + 1, -&value, !&value, &value * 2, &value / 2];
            around.into_iter().for_each(|value| add(Term::integer(value)));
        }
    }
    if kinds.meets(Kinds::FLOAT) {
        let float = |term: &Term| match term {
            Term::Float(value) => Some(*value),
            _ => integer(term).and_then(|value| value.to_f64()),
        };
        for value in numbers.iter().filter_map(float) {
            let around = [value, -value, value + 1.0, value - 1.0, value / 2.0, value * 2.0];
            around.into_iter().filter(|value| value.is_finite()).for_each(|value| add(Term::Float(value)));
        }
    }
    // Growing magnitudes: where doubles lose their last digits, where machine integers end, and far beyond.
    for exponent in [3, 7, 8, 15, 16, 31, 32, 53, 54, 59, 63, 64, 128, 256] {
        let power: BigInt = BigInt::from(1) << exponent;
        let float = power.to_f64().filter(|value| value.is_finite());
        let with: [BigInt; 4] = [power.clone(), &power - 1, -&power, -&power - 1];
        with.into_iter().for_each(|value| add(Term::integer(value)));
        float.into_iter().for_each(|value| {
            add(Term::Float(value));
            add(Term::Float(-value));
            add(Term::Float(value.recip()));
        });
    }
    for power in [10.0, 1.0e3, 1.0e6, 1.0e16, 1.0e17, 1.0e22, 1.0e100, 1.0e300, 1.7e308] {
        let whole = BigInt::from_f64(power);
        for value in [power, -power] {
            add(Term::Float(value));
        }
        whole.into_iter().for_each(|value| add(Term::integer(value)));
    }
    found
}

/// Returns the numbers and atoms in a constant, and those that a text in it represents.
fn scalars(constant: &Term) -> Vec<Term> {
    let text = match constant {
        Term::Bits(bits) if bits.is_binary() => std::str::from_utf8(bits.bytes()).ok().map(str::to_string),
        Term::List(..) => constant.as_text(),
        _ => return vec![constant.clone()],
    };
    let Some(text) = text else { return Vec::new() };
    let mut found = Vec::new();
    if let Ok(value) = text.parse::<BigInt>() {
        found.push(Term::integer(value));
    } else if let Some(value) = text.parse::<f64>().ok().filter(|value| value.is_finite()) {
        found.push(Term::Float(value));
    }
    if let Ok(atom) = Atom::try_new(&text) {
        found.push(Term::Atom(atom));
    }
    found
}
