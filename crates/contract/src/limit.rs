//! The parts of a specification that could not be followed.

use serde::{Deserialize, Serialize};
use term::Atom;

/// The name of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeName {
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Limit {
    /// A type that is not defined. It is taken as any term.
    Undefined(TypeName),
    /// A type whose module was not found. It is taken as any term.
    ModuleNotFound(TypeName),
    /// A type whose instances become larger without end. From some level on, they are any terms.
    Growing(TypeName),
    /// A type that is nested deeper than this number of levels. Parts below are any terms.
    DeeplyNested {
        levels: u32,
    },
    /// A literal bitstring in a type. Only its length counts.
    LiteralBitstring,
    /// A literal float in a type. All floats are allowed in its place.
    LiteralFloat,
    /// A specification with too many alternatives. No inputs are made.
    TooManyAlternatives,
    /// A parameter whose values are all larger than this. No values are made.
    OnlyHugeValues {
        parts: u64,
        bits: u64,
    },
    /// A parameter, counted from 1, whose declared type has no values, so that the function cannot be called.
    NoValues {
        parameter: u32,
        of: Option<TypeName>,
    },
    /// A type whose values are only those that a few calls of constructors make.
    FewConstructors(TypeName),
    NoConstructor(TypeName),
    /// Functions whose results are of an opaque type. None are made.
    FunctionsOfOpaque,
    /// Values with processes or parts of an opaque type. They are made only to a limited depth.
    DeepOpaqueParts,
    /// Maps whose keys or values are processes or values of an opaque type. They get one key of each kind.
    OneOpaqueKey,
    /// A function, identified like a type, for which clients do not make all arguments.
    ClientArguments(TypeName),
    /// Lists of processes or of values of an opaque type. They have at most `most` items.
    ShortOpaqueLists {
        most: u32,
    },
}
