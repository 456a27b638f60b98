//! Atoms: names compared by number.
//!
//! The table belongs to the Beagle process, is append-only and shared by all threads: an atom means the same name in
//! every run, and its text is read without a lock. The table only grows, so the number of atoms that a run may add is
//! bounded (`Atom::try_new`), as on the BEAM.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::{LazyLock, RwLock};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(u32);

/// The error that the table is full: see [`Atom::MAX_COUNT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomLimit;

struct Table {
    texts: boxcar::Vec<&'static str>,
    numbers: RwLock<FxHashMap<&'static str, u32>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let table = Table { texts: boxcar::Vec::new(), numbers: RwLock::default() };
    for name in names::ALL {
        table.intern(name);
    }
    table
});

impl Table {
    fn intern(&self, name: &str) -> u32 {
        let mut numbers = self.numbers.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&number) = numbers.get(name) {
            return number;
        }
        let text: &'static str = Box::leak(name.into());
        let number = self.texts.push(text) as u32;
        numbers.insert(text, number);
        number
    }
}

impl Atom {
    /// The BEAM's default limit.
    pub const MAX_COUNT: usize = 1_048_576;

    /// Returns the atom of a name that comes from a program or from Beagle itself. Names that a run makes up go through
    /// `try_new`.
    pub fn new(name: &str) -> Atom {
        Atom::existing(name).unwrap_or_else(|| Atom(TABLE.intern(name)))
    }

    pub fn try_new(name: &str) -> Result<Atom, AtomLimit> {
        match Atom::existing(name) {
            Some(atom) => Ok(atom),
            None if Atom::count() < Atom::MAX_COUNT => Ok(Atom(TABLE.intern(name))),
            None => Err(AtomLimit),
        }
    }

    pub fn existing(name: &str) -> Option<Atom> {
        let numbers = TABLE.numbers.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        numbers.get(name).map(|&number| Atom(number))
    }

    pub fn count() -> usize {
        TABLE.texts.count()
    }

    pub fn text(self) -> &'static str {
        TABLE.texts[self.0 as usize]
    }

    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the atom whose [`Atom::number`] is `number`.
    pub fn from_number(number: u32) -> Atom {
        debug_assert!((number as usize) < Atom::count());
        Atom(number)
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.text())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Atom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Atom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Atom, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = Atom;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an atom's text")
            }
            fn visit_str<E>(self, text: &str) -> Result<Atom, E> {
                Ok(Atom::new(text))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// Atoms that Rust code refers to, as constants. Add freely: an entry costs nothing at run time.
pub mod names {
    use super::Atom;

    macro_rules! names {
        ($($constant:ident = $text:literal,)*) => {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Number { $($constant,)* }
            $(pub const $constant: Atom = Atom(Number::$constant as u32);)*
            pub const FALSE_NUMBER: u32 = Number::FALSE as u32;
            pub const TRUE_NUMBER: u32 = Number::TRUE as u32;
            pub(super) const ALL: &[&str] = &[$($text,)*];
        };
    }

    names! {
        FALSE = "false",
        TRUE = "true",
        UNDEFINED = "undefined",
        OK = "ok",
        ERROR = "error",
        EXIT = "exit",
        THROW = "throw",
        EXIT_UPPER = "EXIT",
        NORMAL = "normal",
        INFINITY = "infinity",
        BADARG = "badarg",
        BADARITH = "badarith",
        BADARITY = "badarity",
        BADFUN = "badfun",
        BADKEY = "badkey",
        BADMAP = "badmap",
        BADMATCH = "badmatch",
        BADRECORD = "badrecord",
        CASE_CLAUSE = "case_clause",
        ELSE_CLAUSE = "else_clause",
        FUNCTION_CLAUSE = "function_clause",
        IF_CLAUSE = "if_clause",
        TRY_CLAUSE = "try_clause",
        UNDEF = "undef",
        SYSTEM_LIMIT = "system_limit",
        NOCATCH = "nocatch",
        TIMEOUT_VALUE = "timeout_value",
        NOPROC = "noproc",
        ERLANG = "erlang",
        LISTS = "lists",
        MAPS = "maps",
        ETS = "ets",
        VALUE = "value",
        ITERATOR = "iterator",
        END_OF_TABLE = "$end_of_table",
        UNDERSCORE = "_",
        WHOLE_OBJECT = "$_",
        ALL_BINDINGS = "$$",
        CONST = "const",
        APPLY = "apply",
        MODULE_INFO = "module_info",
        C_ALIAS = "c_alias",
        C_APPLY = "c_apply",
        C_BINARY = "c_binary",
        C_BITSTR = "c_bitstr",
        C_CALL = "c_call",
        C_CASE = "c_case",
        C_CATCH = "c_catch",
        C_CLAUSE = "c_clause",
        C_CONS = "c_cons",
        C_FUN = "c_fun",
        C_LET = "c_let",
        C_LETREC = "c_letrec",
        C_LITERAL = "c_literal",
        C_MAP = "c_map",
        C_MAP_PAIR = "c_map_pair",
        C_MODULE = "c_module",
        C_OPAQUE = "c_opaque",
        C_PRIMOP = "c_primop",
        C_RECEIVE = "c_receive",
        C_RECORD = "c_record",
        C_RECORD_PAIR = "c_record_pair",
        C_SEQ = "c_seq",
        C_TRY = "c_try",
        C_TUPLE = "c_tuple",
        C_VALUES = "c_values",
        C_VAR = "c_var",
        FILE = "file",
        LINE = "line",
        ERROR_INFO = "error_info",
        MODULE = "module",
        CAUSE = "cause",
        NONE = "none",
        NIL = "nil",
        EMPTY = "",
        NONODE = "nonode@nohost",
        TIMEOUT = "timeout",
        LOCAL = "local",
        EXTERNAL = "external",
        TYPE = "type",
        NAME = "name",
        ARITY = "arity",
        ENV = "env",
        PID = "pid",
        INDEX = "index",
        NEW_INDEX = "new_index",
        UNIQ = "uniq",
        NEW_UNIQ = "new_uniq",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_first_atoms() {
        for (number, text) in names::ALL.iter().enumerate() {
            assert_eq!(Atom::new(text).number(), number as u32, "{text} stands twice in the list");
        }
    }

    #[test]
    fn an_atom_is_its_text() {
        assert_eq!(Atom::new("some name"), Atom::new("some name"));
        assert_ne!(Atom::new("a"), Atom::new("b"));
        assert_eq!(Atom::new("ö").text(), "ö");
    }
}
