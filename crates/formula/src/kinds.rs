//! Kinds of terms, and sets of kinds.

use std::fmt;
use term::Term;

/// A set of kinds; the constants are the kinds themselves and the usual unions.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kinds(u16);

impl Kinds {
    pub const NONE: Kinds = Kinds(0);
    pub const INTEGER: Kinds = Kinds(1);
    pub const FLOAT: Kinds = Kinds(1 << 1);
    pub const ATOM: Kinds = Kinds(1 << 2);
    pub const NIL: Kinds = Kinds(1 << 3);
    pub const CONS: Kinds = Kinds(1 << 4);
    pub const TUPLE: Kinds = Kinds(1 << 5);
    pub const MAP: Kinds = Kinds(1 << 6);
    pub const BITS: Kinds = Kinds(1 << 7);
    pub const FUNCTION: Kinds = Kinds(1 << 8);
    pub const PID: Kinds = Kinds(1 << 9);
    pub const REFERENCE: Kinds = Kinds(1 << 10);
    pub const PORT: Kinds = Kinds(1 << 11);
    pub const ALL: Kinds = Kinds((1 << 12) - 1);
    pub const NUMBER: Kinds = Kinds(Kinds::INTEGER.0 | Kinds::FLOAT.0);
    pub const LIST: Kinds = Kinds(Kinds::NIL.0 | Kinds::CONS.0);

    pub fn of(term: &Term) -> Kinds {
        match term {
            Term::Int(_) | Term::Big(_) => Kinds::INTEGER,
            Term::Float(_) => Kinds::FLOAT,
            Term::Atom(_) => Kinds::ATOM,
            Term::Nil => Kinds::NIL,
            Term::List(..) => Kinds::CONS,
            Term::Tuple(_) => Kinds::TUPLE,
            Term::Map(_) => Kinds::MAP,
            Term::Bits(_) => Kinds::BITS,
            Term::Fun(_) => Kinds::FUNCTION,
            Term::Pid(_) => Kinds::PID,
            Term::Reference(_) => Kinds::REFERENCE,
            Term::Port(_) => Kinds::PORT,
        }
    }

    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn within(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }

    pub const fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Iterates over the kinds in the set.
    pub fn each(self) -> impl Iterator<Item = Kinds> {
        (0..12).map(|bit| Kinds(1 << bit)).filter(move |kind| kind.within(self))
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 12] =
            ["integer", "float", "atom", "nil", "cons", "tuple", "map", "bits", "function", "pid", "reference", "port"];
        let names: Vec<&str> =
            NAMES.iter().enumerate().filter(|(bit, _)| self.0 >> bit & 1 != 0).map(|(_, name)| *name).collect();
        f.write_str(&names.join("|"))
    }
}
