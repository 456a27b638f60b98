//! Values that are looked up: a choice between pieces of the mapping.

use super::encode::{Encoder, Facet, all_of, literal};
use crate::native::sets::integer;
use formula::{Kinds, Mapping, TermId};
use num_bigint::BigInt;
use term::Term;

impl Encoder<'_> {
    /// Encodes the value of a mapping at its key, with values written by `write`; `None` if one cannot be written. The
    /// key is always one of the mapping's keys, so the last piece needs no condition.
    pub(super) fn looked_up(
        &mut self,
        key: TermId,
        mapping: &Mapping,
        write: impl Fn(&Self, &Term) -> Option<String>,
    ) -> Option<String> {
        let mut pieces: Vec<(String, String)> = Vec::new();
        let mut entries = mapping.entries().iter().peekable();
        while let Some((first, value)) = entries.next() {
            let (first, value) = (&first.0, &value.0);
            match (first.as_int(), difference(first, value)) {
                (Some(low), Some(distance)) => {
                    let mut high = low;
                    // Adjacent integers whose values have the same distance to them are one piece.
                    while let Some((next, _)) = entries.next_if(|(next, value)| {
                        next.0.as_int() == high.checked_add(1)
                            && difference(&next.0, &value.0).as_ref() == Some(&distance)
                    }) {
                        high = next.0.as_int().unwrap_or(high);
                    }
                    let whole = self.is_kind(key, Kinds::INTEGER);
                    let number = self.facet(key, Facet::Integer);
                    let range = match low == high {
                        true => format!("(= {number} {})", literal(&low.into())),
                        false => {
                            let (low, high) = (literal(&low.into()), literal(&high.into()));
                            format!("(and (<= {low} {number}) (<= {number} {high}))")
                        }
                    };
                    let value = match low == high {
                        true => write(self, value)?,
                        false => format!("(+ {number} {})", literal(&distance)),
                    };
                    pieces.push((all_of(&[whole, range]), value));
                }
                _ => {
                    let value = write(self, value)?;
                    pieces.push((self.is_immediate(key, first)?, value));
                }
            }
        }
        let (_, last) = pieces.pop()?;
        Some(pieces.iter().rev().fold(last, |rest, (condition, value)| format!("(ite {condition} {value} {rest})")))
    }

    fn is_immediate(&mut self, key: TermId, constant: &Term) -> Option<String> {
        let kind = self.is_kind(key, Kinds::of(constant));
        let same = match constant {
            Term::Int(_) => format!("(= {} {})", self.facet(key, Facet::Integer), literal(&integer(constant)?)),
            Term::Atom(atom) => format!("(= {} {})", self.facet(key, Facet::Atom), self.rank(*atom)),
            Term::Nil => return Some(kind),
            _ => return None,
        };
        Some(all_of(&[kind, same]))
    }
}

/// Returns the distance from an integer to its value.
fn difference(key: &Term, value: &Term) -> Option<BigInt> {
    Some(integer(value)? - integer(key)?)
}
