//! The states of a run at calls, and how they are compared: the contents of the process and the world, part by part.

use crate::context::Context;
use crate::language::StatePart;
use crate::value::{Kind, Word, identical};
use crate::world::History;
use term::Term;

/// The depth and the width up to which parts inside tuples and maps are distinguished.
const DEEPEST: usize = 4;
const WIDEST: usize = 64;

/// A part of a state.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    /// `whole`: it may be replaced as a whole, not only its parts.
    Value {
        word: Word,
        whole: bool,
    },
    Fixed(Word),
    Number(u64),
}

/// Shows the contents of the process and the world, in the same order for equal states.
pub(super) fn visit_world(context: &mut Context, see: &mut dyn FnMut(StatePart<'_>)) {
    let time = context.world.time;
    let process = &mut context.process;
    see(StatePart::Value(&mut process.dictionary));
    see(StatePart::Number(process.mailbox.len() as u64));
    process.mailbox.iter_mut().for_each(|message| see(StatePart::Value(message)));
    see(StatePart::Number(process.mailbox_cursor as u64));
    // Only code that asks for the time can observe it, so the state has the remaining time.
    let left = process.receive_deadline.map_or(u64::MAX, |deadline| deadline.wrapping_sub(time));
    see(StatePart::Number(left));
    let History { children, references, integers } = context.process.history;
    for made in [children, references, integers] {
        see(StatePart::Number(made));
    }
    see(StatePart::Number(context.world.traces_shown));
    context.process.own.visit(time, see);
    context.world.state.visit(time, see);
}

/// Returns the elements of a tuple, or the values of a small map, if there are not too many.
pub(super) fn parts_of(word: Word) -> Option<Vec<Word>> {
    let parts = match word.kind()? {
        Kind::Tuple => word.payload(),
        Kind::SmallMap => &word.payload()[1..],
        _ => return None,
    };
    (parts.len() <= WIDEST).then(|| parts.to_vec())
}

/// Returns whether two values are tuples of one size, or small maps with the same keys.
pub(super) fn same_frame(before: Word, now: Word) -> bool {
    match (before.kind(), now.kind()) {
        (Some(Kind::Tuple), Some(Kind::Tuple)) => before.payload().len() == now.payload().len(),
        (Some(Kind::SmallMap), Some(Kind::SmallMap)) => {
            !now.map_has_shadowed_keys()
                && !before.map_has_shadowed_keys()
                && before.payload().len() == now.payload().len()
                && identical(before.payload()[0], now.payload()[0])
        }
        _ => false,
    }
}

/// Shows the smallest parts in which two values differ, as far as parts are distinguished.
pub(super) fn differences(
    before: Word,
    now: Word,
    path: &mut Vec<usize>,
    budget: &mut usize,
    see: &mut dyn FnMut(&[usize]),
) {
    if is_same(before, now, budget) {
        return;
    }
    let inside = path.len() < DEEPEST && same_frame(before, now);
    match (parts_of(before), parts_of(now)) {
        (Some(before), Some(now)) if inside => {
            for (index, (before, now)) in before.into_iter().zip(now).enumerate() {
                path.push(index);
                differences(before, now, path, budget, see);
                path.pop();
            }
        }
        _ => see(path),
    }
}

pub(super) fn is_same_state(before: &[Entry], now: &[Entry], budget: &mut usize) -> bool {
    let is_same = |(before, now): (&Entry, &Entry)| match (*before, *now) {
        (Entry::Number(before), Entry::Number(now)) => before == now,
        (Entry::Fixed(before), Entry::Fixed(now)) => is_same(before, now, budget),
        (Entry::Value { word: before, .. }, Entry::Value { word: now, .. }) => is_same(before, now, budget),
        (Entry::Number(_) | Entry::Fixed(_) | Entry::Value { .. }, _) => false,
    };
    before.len() == now.len() && before.iter().zip(now).all(is_same)
}

/// Returns whether two values are identical. False if the budget does not suffice to determine it.
pub(super) fn is_same(before: Word, now: Word, budget: &mut usize) -> bool {
    let mut open = vec![(before, now)];
    while let Some((mut before, mut now)) = open.pop() {
        loop {
            if before == now {
                break;
            }
            let Some(left) = budget.checked_sub(1) else { return false };
            *budget = left;
            if before.is_cons() && now.is_cons() {
                let (x, y) = (before.head(), now.head());
                if x != y {
                    if x.is_immediate() || y.is_immediate() {
                        return false;
                    }
                    open.push((x, y));
                }
                (before, now) = (before.tail(), now.tail());
                continue;
            }
            if before.is_kind(Kind::Tuple) && now.is_kind(Kind::Tuple) {
                let (x, y) = (before.payload(), now.payload());
                if x.len() != y.len() {
                    return false;
                }
                open.extend(x.iter().copied().zip(y.iter().copied()));
                break;
            }
            // Maps, bitstrings and small values.
            let Some(left) = budget.checked_sub(weight(before)) else { return false };
            *budget = left;
            if !identical(before, now) || are_different_zeros(before, now) {
                return false;
            }
            break;
        }
    }
    true
}

/// Returns whether two values are different zeros. Before OTP 27 they are equal, but their bytes and texts are not.
fn are_different_zeros(before: Word, now: Word) -> bool {
    let bits = |word: Word| word.as_float().map(f64::to_bits);
    bits(before) != bits(now)
}

/// Returns the approximate cost of comparing a value that is neither a list nor a tuple.
fn weight(word: Word) -> usize {
    match word.kind() {
        Some(Kind::LargeMap | Kind::SmallMap) => 16 * (1 + word.map_size()),
        Some(_) => 1 + word.header().payload(),
        None => 1,
    }
}

/// Returns whether a term has no function, pid, port or reference, whose identities are known beyond their formulas.
pub(super) fn is_data(term: &Term) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match term {
            Term::Fun(_) | Term::Pid(_) | Term::Port(_) | Term::Reference(_) => return false,
            Term::List(items, tail) => open.extend(items.iter().chain(tail.as_deref())),
            Term::Tuple(items) => open.extend(items.iter()),
            Term::Map(pairs) => open.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            Term::Int(_) | Term::Big(_) | Term::Float(_) | Term::Nil | Term::Atom(_) | Term::Bits(_) => {}
        }
    }
    true
}
