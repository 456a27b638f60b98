//! Guesses about parts of terms that are no positions, such as the text of a number or a bitstring that is built. The
//! wanted part is put into the whole, and the new whole is the next target.

use crate::layout::place;
use crate::layout::positions::{Projection, is_position, last_step};
use crate::native::guess::{Changes, Guess};
use crate::native::invert::inverse;
use crate::native::pick::candidates;
use crate::native::sets::Set;
use formula::{Conversion, Formulas, Operator, TermId, Types};
use term::{Bits, Term};

/// The largest number of members of a set that are tried for a term.
const MOST_MEMBERS: usize = 6;

/// Returns the term that a part belongs to, if that is no position itself, and the steps from there.
pub(crate) fn derived(formulas: &Formulas, id: TermId) -> Option<(TermId, Vec<Projection>)> {
    let mut steps = Vec::new();
    let mut root = id;
    while let Some((base, step)) = last_step(formulas, root) {
        steps.push(step);
        root = base;
    }
    steps.reverse();
    (!steps.is_empty() && !is_position(formulas, root)).then_some((root, steps))
}

impl Guess<'_> {
    pub(crate) fn part(&mut self, id: TermId, target: &Term) -> Vec<Changes> {
        let Some((root, steps)) = derived(self.formulas, id) else { return Vec::new() };
        let Some(old) = self.value(root) else { return Vec::new() };
        match with_part(self.formulas, root, &old, &steps, target) {
            Some(new) => {
                let new = plausible(self.formulas, root, new);
                self.reach(root, &new)
            }
            None => Vec::new(),
        }
    }

    /// Returns changes with which the value of a term that is no position might be in a set.
    pub(crate) fn within(&mut self, id: TermId, set: &Set) -> Vec<Changes> {
        let old = self.value(id);
        let of = types_of(self.formulas, id);
        let members = candidates(set, old.as_ref(), self.formulas.types(), &of);
        let mut found = Vec::new();
        for member in members.into_iter().take(MOST_MEMBERS) {
            found.extend(self.reach(id, &member));
        }
        found
    }

    /// Returns terms that the conversion might turn into the target.
    pub(crate) fn sources(&mut self, conversion: Conversion, target: &Term) -> Vec<Term> {
        let mut found = Vec::new();
        if let Term::Float(value) = target {
            let text = short_text(*value);
            match conversion {
                Conversion::ListToFloat => found.push(Term::string(&text)),
                Conversion::BinaryToFloat => found.push(Term::binary(text.into_bytes())),
                _ => {}
            }
        }
        let constant = self.formulas.constant(target.clone());
        let converted = self.formulas.convert(inverse(conversion), constant);
        found.extend(formula::evaluate(self.formulas, converted, self.parent));
        found
    }
}

fn types_of(formulas: &Formulas, id: TermId) -> Vec<formula::TypeId> {
    match formulas.types_of(id) {
        [] => vec![Types::ANY],
        of => of.to_vec(),
    }
}

/// Returns `old`, the value of `root`, with another part.
pub(crate) fn with_part(
    formulas: &Formulas,
    root: TermId,
    old: &Term,
    steps: &[Projection],
    part: &Term,
) -> Option<Term> {
    place(formulas.types(), &types_of(formulas, root), old, steps, part)
}

/// Returns the shortest text that distinguishes the float from all others.
fn short_text(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
        _ => text,
    }
}

/// Replaces those parts of a term that the conversion could not deliver.
pub(crate) fn plausible(formulas: &Formulas, root: TermId, term: Term) -> Term {
    let Operator::Convert(conversion, _) = formulas.operator(root) else { return term };
    match (conversion, &term) {
        (Conversion::IntegerToList, Term::Nil | Term::List(..)) => {
            let items = term.as_list().unwrap_or(&[]);
            let digits = digits(items.iter().map(|item| item.as_int().and_then(|code| u8::try_from(code).ok())));
            Term::list(digits.into_iter().map(|digit| Term::Int(digit.into())).collect::<Vec<_>>())
        }
        (Conversion::IntegerToBinary, Term::Bits(bits)) => {
            Term::Bits(Bits::from_bytes(digits(bits.bytes().iter().map(|byte| Some(*byte)))))
        }
        (Conversion::AtomToList, Term::List(items, _)) => {
            let is_character = |item: &&Term| {
                item.as_int().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32).is_some()
            };
            let letter = Term::Int(i64::from(b'a'));
            Term::list(
                items.iter().map(|item| Some(item).filter(is_character).unwrap_or(&letter).clone()).collect::<Vec<_>>(),
            )
        }
        (Conversion::BinaryToList, Term::List(items, _)) => {
            let is_byte = |item: &&Term| item.as_int().is_some_and(|byte| (0..256).contains(&byte));
            let zero = Term::Int(0);
            Term::list(items.iter().map(|item| Some(item).filter(is_byte).unwrap_or(&zero).clone()).collect::<Vec<_>>())
        }
        _ => term,
    }
}

/// Returns the decimal text of an integer that is most similar to this one.
fn digits(codes: impl Iterator<Item = Option<u8>>) -> Vec<u8> {
    let mut text: Vec<u8> = codes
        .enumerate()
        .map(|(index, code)| match code {
            Some(code) if code.is_ascii_digit() || index == 0 && code == b'-' => code,
            _ => b'1',
        })
        .collect();
    let first = usize::from(text.first() == Some(&b'-'));
    if text.len() == first {
        text.push(b'1');
    }
    let leading = text.len() > first + 1 || first == 1;
    if let Some(digit) = text.get_mut(first).filter(|digit| leading && **digit == b'0') {
        *digit = b'1';
    }
    text
}
