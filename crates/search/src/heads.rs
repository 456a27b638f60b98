//! The outermost parts of the results of a unit.

use serde::{Deserialize, Serialize};
use term::{Atom, Term};

/// The outermost part of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultHead {
    /// An atom.
    Word(Atom),
    /// A tuple that begins with an atom.
    Tagged(Atom),
    Other,
}

/// The maximum number of heads that are recorded.
pub const MOST_HEADS: usize = 16;

impl ResultHead {
    pub fn of(result: &Term) -> ResultHead {
        match result {
            Term::Atom(word) => ResultHead::Word(*word),
            Term::Tuple(parts) => match parts.first() {
                Some(Term::Atom(tag)) if parts.len() > 1 => ResultHead::Tagged(*tag),
                _ => ResultHead::Other,
            },
            _ => ResultHead::Other,
        }
    }

    /// Adds the head to those that were seen.
    pub fn note(self, seen: &mut Vec<ResultHead>) {
        if seen.len() < MOST_HEADS && !seen.contains(&self) {
            seen.push(self);
        }
    }
}
