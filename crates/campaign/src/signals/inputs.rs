//! Describes the inputs of a finding.

use super::Around;
use super::declared::Declared;
use frontend::{CodeAround, Structure};
use path::{Stranger, Value};
use report::rank::InputTraits;
use search::{Failure, Finding};
use std::collections::HashSet;
use term::{Atom, Bits, Term, floats, names};

/// The absolute value above which numbers are huge.
const HUGE: i64 = 1_000_000;

pub fn traits_of(
    around: &Around<'_>,
    finding: &Finding,
    known_atoms: &HashSet<Atom>,
    declared: &Declared,
) -> InputTraits {
    let mut traits = InputTraits { plain: true, ..InputTraits::default() };
    // A structure that a constructor of the library made is not suspicious.
    let is_data = |index: &&usize| finding.inputs.get(**index).is_some_and(|input| input.as_data().is_some());
    traits.internals = declared.internals.iter().any(|index| is_data(&index));
    let lacks = |(index, keys): &(usize, Vec<Term>)| match finding.inputs.get(*index).and_then(|input| input.as_data())
    {
        Some(Value { data: Term::Map(pairs), .. }) => {
            !keys.iter().all(|key| pairs.iter().any(|(known, _)| known == key))
        }
        _ => false,
    };
    let is_list = |index: &usize| {
        let data = finding.inputs.get(*index).and_then(|input| input.as_data());
        data.is_some_and(|value| matches!(value.data, Term::List(..)))
    };
    traits.loose_options = declared.options.iter().any(is_list);
    traits.sparse_map = declared.keys.iter().any(lacks);
    let strangers: Vec<&Stranger<Value>> = finding.inputs.iter().flat_map(|input| input.strangers()).collect();
    let of_scenario = finding.functions.scenario.iter().flat_map(|scenario| scenario.data());
    let leaves_of_inputs = finding.inputs.iter().flat_map(|input| input.leaves()).map(|value| &value.data);
    traits.forged = leaves_of_inputs.chain(of_scenario).any(|term| has_message_of_runtime(around, term));
    traits.caller = strangers.iter().any(|stranger| matches!(stranger, Stranger::Caller));
    traits.answers = strangers.iter().any(|stranger| stranger.answer().is_some());
    let leaves: Vec<&Term> = finding.inputs.iter().flat_map(|input| input.leaves()).map(|value| &value.data).collect();
    let mut atoms = HashSet::new();
    for leaf in &leaves {
        look_at(around, leaf, declared.has_text, &mut traits, &mut atoms);
    }
    // If the type itself is of partial bytes, they are not unusual.
    traits.partial_bytes &= !declared.partial_bits;
    traits.equal_numbers = has_equal_numbers(&leaves);
    let is_made = finding.inputs.iter().any(|input| input.as_data().is_none());
    let is_known = |atom: &Atom| known_atoms.contains(atom) || is_usual(*atom);
    traits.made_up_atoms = !atoms.iter().all(is_known);
    traits.unknown_modules = calls_made_up_module(around, finding, &atoms);
    traits.plain &= !is_made && !traits.made_up_atoms;
    let printed = finding.inputs.iter().map(|input| around.language.input(input, false).chars().count());
    traits.tens_of_characters = u32::try_from(printed.sum::<usize>() / 10).unwrap_or(u32::MAX);
    traits
}

/// Returns whether the exception says that a function is undefined whose module name comes from an input and is no
/// module.
fn calls_made_up_module(around: &Around<'_>, finding: &Finding, atoms: &HashSet<Atom>) -> bool {
    let Failure::Crash(raised) = &finding.failure else { return false };
    let undefined = match &raised.reason {
        Term::Atom(names::UNDEF) => raised.trace.first().map(|entry| entry.module),
        reason => undefined_module(reason),
    };
    undefined.is_some_and(|module| atoms.contains(&module) && around.load(module).is_none())
}

/// Returns the module of `{undef, [{Module, _, _, _} | _]}`, also if that is inside the reason of an exit.
fn undefined_module(reason: &Term) -> Option<Atom> {
    match reason.as_tuple()? {
        [Term::Atom(names::UNDEF), trace] => trace.as_list()?.first()?.as_tuple()?.first()?.as_atom(),
        [inner, _] => undefined_module(inner),
        _ => None,
    }
}

fn has_message_of_runtime(around: &Around<'_>, term: &Term) -> bool {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        if around.language.is_message_of_runtime(term) {
            return true;
        }
        match term {
            Term::List(items, tail) => left.extend(items.iter().chain(tail.as_deref())),
            Term::Tuple(parts) => left.extend(parts.iter()),
            Term::Map(pairs) => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    false
}

/// Returns whether there are an integer and a float of the same value.
fn has_equal_numbers(leaves: &[&Term]) -> bool {
    let (mut integers, mut floats) = (HashSet::new(), Vec::new());
    let mut left: Vec<&Term> = leaves.to_vec();
    while let Some(term) = left.pop() {
        match term {
            Term::Int(number) => {
                integers.insert(*number);
            }
            Term::Float(number) => floats.push(*number),
            Term::List(items, tail) => left.extend(items.iter().chain(tail.as_deref())),
            Term::Tuple(parts) => left.extend(parts.iter()),
            Term::Map(pairs) => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            Term::Big(_)
            | Term::Nil
            | Term::Atom(_)
            | Term::Bits(_)
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => {}
        }
    }
    floats.iter().any(|float| float.fract() == 0.0 && integers.contains(&(*float as i64)))
}

/// Returns whether a text has enough consecutive digits for an integer that is too large for a float.
fn has_large_number(are_digits: impl Iterator<Item = bool>) -> bool {
    const LEAST_DIGITS: u32 = 309;
    let mut digits = 0;
    are_digits.into_iter().any(|is_digit| {
        digits = if is_digit { digits + 1 } else { 0 };
        digits >= LEAST_DIGITS
    })
}

/// Returns whether a tuple is the runtime's handle of an open file.
fn is_open_file(parts: &[Term]) -> bool {
    matches!(parts, [Term::Atom(tag), _, _] if tag.text() == "file_descriptor")
}

fn is_usual(atom: Atom) -> bool {
    matches!(atom.text(), "true" | "false" | "nil" | "undefined" | "ok" | "error" | "infinity" | "" | "__struct__")
}

/// Records the traits and atoms of one input. `has_text` says whether lists of characters are declared; if they are
/// not, only printable lists count as text.
fn look_at(around: &Around<'_>, term: &Term, has_text: bool, traits: &mut InputTraits, atoms: &mut HashSet<Atom>) {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        match term {
            Term::Int(number) => {
                traits.negative |= *number < 0;
                traits.huge |= number.unsigned_abs() > HUGE as u64;
            }
            Term::Big(_) => {
                traits.huge = true;
                traits.beyond_floats |= floats::is_beyond(term);
            }
            Term::Float(number) => traits.huge |= number.abs() > HUGE as f64,
            Term::Nil => {}
            Term::Atom(atom) => {
                atoms.insert(*atom);
            }
            Term::Bits(bits) => {
                traits.text = true;
                traits.beyond_floats |= has_large_number(bits.bytes().iter().map(|byte| byte.is_ascii_digit()));
                traits.partial_bytes |= !bits.is_binary();
                traits.odd_text |= bits.is_binary() && !is_utf8(bits);
                traits.beyond_ascii |= !bits.bytes().is_ascii();
            }
            Term::List(items, tail) => {
                traits.improper |= tail.is_some();
                let is_digit = |item: &Term| matches!(item, Term::Int(0x30..=0x39));
                traits.beyond_floats |= has_large_number(items.iter().map(is_digit));
                match characters(items) {
                    Some(is_valid) if tail.is_none() && (has_text || items.iter().all(is_printable)) => {
                        traits.text = true;
                        traits.odd_text |= !is_valid;
                        traits.no_characters |= !is_valid;
                        traits.beyond_ascii |= items.iter().any(|item| matches!(item, Term::Int(128..)));
                    }
                    _ => left.extend(items.iter().chain(tail.as_deref())),
                }
            }
            Term::Tuple(parts) => {
                traits.compound |= parts.len() > 2;
                traits.no_date |= is_no_date(parts);
                traits.identities |= is_open_file(parts);
                traits.plain = false;
                left.extend(parts.iter());
            }
            Term::Map(pairs) => {
                traits.plain = false;
                match around.language.structure(term) {
                    Structure::None => traits.compound = true,
                    Structure::Whole => traits.structures = true,
                    Structure::Broken => traits.broken_structure = true,
                }
                // The name of a structure and those of its fields are not made-up atoms.
                left.extend(pairs.iter().filter(|(key, _)| *key != Term::atom("__struct__")).map(|(_, value)| value));
                left.extend(pairs.iter().map(|(key, _)| key).filter(|key| !matches!(key, Term::Atom(_))));
            }
            Term::Fun(_) => {
                traits.functions = true;
                traits.plain = false;
            }
            Term::Pid(_) | Term::Reference(_) | Term::Port(_) => {
                traits.identities = true;
                traits.plain = false;
            }
        }
    }
}

/// Returns whether a tuple looks like a date that does not exist. Types can only say that days are at most 31.
fn is_no_date(parts: &[Term]) -> bool {
    let [Term::Int(year), Term::Int(month @ 1..=12), Term::Int(day @ 29..=31)] = parts else { return false };
    let is_leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
    let last = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    *day > last
}

fn is_utf8(bits: &Bits) -> bool {
    bits.is_binary() && std::str::from_utf8(bits.bytes()).is_ok()
}

fn is_printable(item: &Term) -> bool {
    matches!(item, Term::Int(code) if matches!(*code, 9 | 10 | 13 | 32..=126 | 160..))
}

/// Returns whether all characters of a list that can be text are valid, or `None` for other lists.
fn characters(items: &[Term]) -> Option<bool> {
    let mut is_valid = true;
    for item in items {
        let Term::Int(number) = item else { return None };
        let code = u32::try_from(*number).ok().filter(|code| *code <= 0x0010_FFFF)?;
        is_valid &= char::from_u32(code).is_some();
    }
    Some(is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_have_their_days() {
        let is_no_date = |year, month, day| is_no_date(&[Term::Int(year), Term::Int(month), Term::Int(day)]);
        assert!(is_no_date(2023, 2, 29) && is_no_date(1900, 2, 29) && is_no_date(2023, 4, 31));
        assert!(!is_no_date(2024, 2, 29) && !is_no_date(2000, 2, 29) && !is_no_date(2023, 12, 31));
        assert!(!is_no_date(2023, 13, 31));
    }

    #[test]
    fn numbers_of_one_value_are_equal() {
        let (float, map) = (Term::Float(2.0), Term::Map(vec![(Term::Int(2), Term::Nil)].into()));
        assert!(has_equal_numbers(&[&float, &map]));
        assert!(!has_equal_numbers(&[&float, &Term::Int(1)]));
        assert!(!has_equal_numbers(&[&Term::Float(1.5), &Term::Int(1)]));
    }

    #[test]
    fn lists_of_characters_are_text() {
        let list = |items: &[i64]| items.iter().map(|item| Term::Int(*item)).collect::<Vec<_>>();
        assert_eq!(characters(&list(&[97, 0x10FFFF])), Some(true));
        assert_eq!(characters(&list(&[97, 0xD800])), Some(false));
        assert_eq!(characters(&list(&[97, -1])), None);
        assert_eq!(characters(&[Term::atom("a")]), None);
    }
}
