//! Repeats a change that brought a run closer to the goal: the difference between its arguments and those of its
//! parent, applied once or several times more.

use num_bigint::BigInt;
use std::ops::Range;
use term::{Bits, Term};

/// Returns what `after` becomes if the change from `before` is made `times` more; `None` if nothing changed that can be
/// repeated.
pub fn repeated(before: &[Term], after: &[Term], times: u32) -> Option<Vec<Term>> {
    let mut is_any = false;
    let all = before.iter().zip(after).map(|(before, after)| match change(before, after, times) {
        Some(changed) => {
            is_any = true;
            changed
        }
        None => after.clone(),
    });
    let all = all.collect();
    is_any.then_some(all)
}

/// The length of the longest list or text that is made.
const LONGEST: usize = 4096;

fn change(before: &Term, after: &Term, times: u32) -> Option<Term> {
    stacker::maybe_grow(64 << 10, 1 << 20, || match (before, after) {
        (Term::Int(_) | Term::Big(_), Term::Int(_) | Term::Big(_)) => {
            let (old, new) = (integer(before)?, integer(after)?);
            let step = &new - &old;
            (step != BigInt::ZERO).then(|| Term::integer(new + step * times))
        }
        (Term::Float(old), Term::Float(new)) => {
            let far = new + (new - old) * f64::from(times);
            (old != new && far.is_finite()).then_some(Term::Float(far))
        }
        (Term::Nil | Term::List(..), Term::List(..)) => {
            let (old, new) = (before.as_list()?, after.as_list()?);
            match old.len() == new.len() {
                true => Some(Term::list(repeated(old, new, times)?)),
                false => Some(Term::list(grown(old, new, times)?)),
            }
        }
        (Term::Bits(old), Term::Bits(new)) if old.is_binary() && new.is_binary() => {
            Some(Term::Bits(Bits::from_bytes(grown(old.bytes(), new.bytes(), times)?)))
        }
        (Term::Tuple(old), Term::Tuple(new)) if old.len() == new.len() => Some(Term::tuple(repeated(old, new, times)?)),
        _ => None,
    })
}

fn integer(term: &Term) -> Option<BigInt> {
    match term {
        Term::Int(value) => Some(BigInt::from(*value)),
        Term::Big(value) => Some(BigInt::clone(value)),
        _ => None,
    }
}

/// Returns `new` with the inserted part repeated `times` more.
fn grown<T: Clone + PartialEq>(old: &[T], new: &[T], times: u32) -> Option<Vec<T>> {
    let Range { start, end } = inserted(old, new)?;
    let (head, rest) = new.split_at_checked(end)?;
    let piece = head.get(start..)?;
    if new.len() + piece.len() * times as usize > LONGEST {
        return None;
    }
    let mut all = head.to_vec();
    (0..times).for_each(|_| all.extend_from_slice(piece));
    all.extend_from_slice(rest);
    Some(all)
}

/// Returns the range that was inserted: the part of `new` between the common beginning and the common end.
fn inserted<T: PartialEq>(old: &[T], new: &[T]) -> Option<Range<usize>> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let shared = old.iter().skip(start).rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    (start + shared == old.len() && new.len() > old.len()).then(|| start..new.len() - shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Term {
        Term::list(text.chars().map(|char| Term::Int(char as i64)).collect::<Vec<_>>())
    }

    #[test]
    fn what_changed_is_changed_again() {
        let one = |before: Term, after: Term, times| repeated(&[before], &[after], times).map(|mut all| all.remove(0));
        assert_eq!(one(Term::Int(3), Term::Int(5), 4), Some(Term::Int(13)));
        assert_eq!(one(text("(a)"), text("((a)"), 3), Some(text("(((((a)")));
        assert_eq!(one(text("ab"), text("axyb"), 1), Some(text("axyxyb")));
        assert_eq!(one(text("ab"), text("ab"), 1), None);
        assert_eq!(one(text("abc"), text("ab"), 1), None);
        let pair = |number, word: &str| Term::tuple(vec![Term::Int(number), text(word)]);
        assert_eq!(one(pair(0, "a"), pair(1, "aa"), 2), Some(pair(3, "aaaa")));
    }
}
