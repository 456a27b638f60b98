//! What of a specification could not be followed.

use serde::{Deserialize, Serialize};
use term::Atom;

/// A type by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeName {
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limit {
    /// It is taken for any term.
    Undefined(TypeName),
    /// Its module was not found: it is taken for any term.
    ModuleNotFound(TypeName),
    /// Its instances become larger without end: they are any terms from some level on.
    Growing(TypeName),
    /// It is nested deeper than so many levels: any terms below.
    DeeplyNested {
        levels: u32,
    },
    /// A literal in a type, of which only the length counts.
    LiteralBitstring,
    /// A literal in a type that stands for all floats.
    LiteralFloat,
    /// No inputs are made.
    TooManyAlternatives,
    /// All values of a parameter are larger than this: none is made.
    OnlyHugeValues {
        parts: u64,
        bits: u64,
    },
    /// A parameter, counted from 1, whose declared type has no values, so that nobody can call the function.
    NoValues {
        parameter: u32,
        of: Option<TypeName>,
    },
    /// Inputs are what a few calls of constructors make.
    FewConstructors(TypeName),
    NoConstructor(TypeName),
    /// Functions whose results are of an opaque type are not made.
    FunctionsOfOpaque,
    /// Values with processes or parts of an opaque type are made only so many levels deep.
    DeepOpaqueParts,
    /// Maps get one key of each kind for processes and values of an opaque type.
    OneOpaqueKey,
    /// Clients do not make all arguments of a function, here named like a type.
    ClientArguments(TypeName),
    /// Lists of processes or of values of an opaque type have at most so many items.
    ShortOpaqueLists {
        most: u32,
    },
}
