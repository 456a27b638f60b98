//! What terms are made of.

use crate::constant::Constant;
use crate::constants::Constants;
use crate::kinds::Kinds;
use crate::mapping::Mapping;
use crate::samples::Codomain;
use std::fmt;
use std::sync::Arc;
use term::FunctionName;

/// A term's number by birth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

/// An input's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// Every operator delivers a term of the language's universe; tests deliver the atoms `true` and `false`.
/// Where an operator has no value (`Item` beyond the end, a conversion of what cannot be converted)
/// evaluation has none either: paths ask first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Variable(Variable),
    Constant(Constant),

    Cons(TermId, TermId),
    Tuple(Box<[TermId]>),
    /// The bits of its parts, one behind the other.
    Bits(Box<[BitsPart]>),
    MapPut {
        map: TermId,
        key: TermId,
        value: TermId,
    },
    MapRemove {
        map: TermId,
        key: TermId,
    },
    /// `tuple` with another element at `index` (from 0).
    SetElementAt {
        tuple: TermId,
        index: TermId,
        value: TermId,
    },

    /// The item of a list behind its first `n` cells. The list is no `Rest`.
    Item(TermId, u32),
    /// What is left of a list behind its first `n` > 0 cells. The list is no `Rest`.
    Rest(TermId, u32),
    /// Likewise with a computed number of cells.
    ItemAt(TermId, TermId),
    RestAt(TermId, TermId),
    /// From 0.
    Element(TermId, u32),
    ElementAt(TermId, TermId),
    MapGet {
        map: TermId,
        key: TermId,
    },
    /// Keys and values in the order in which the map iterates, from 0.
    MapKeyAt(TermId, u32),
    MapValueAt(TermId, u32),
    /// The number that stands in `bits` from bit `at` on, `size` bits wide.
    BitsNumber {
        bits: TermId,
        at: TermId,
        size: TermId,
        format: NumberFormat,
    },
    /// The bits from `at` on, `size` of them. `bits` is no `BitsSlice`.
    BitsSlice {
        bits: TermId,
        at: TermId,
        size: TermId,
    },

    /// Of a proper list.
    Length(TermId),
    TupleSize(TermId),
    MapSize(TermId),
    /// In bits.
    BitSize(TermId),

    /// A question, whose values are the atoms `true` and `false` only.
    Test(Test),

    /// Of numbers: integers and floats mix as the language's do.
    Arithmetic(Arithmetic, TermId, TermId),
    Numeric(Numeric, TermId),
    Convert(Conversion, TermId),

    /// What the mapping has for a term that is one of its keys. Its values are not all the same, nor all
    /// of them `true` and `false`.
    Lookup(TermId, Arc<Mapping>),

    /// A function without meaning here: its value is known where it was sampled.
    Apply {
        function: FunctionName,
        delivers: Codomain,
        args: Box<[TermId]>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Is it of one of these kinds?
    Kind(TermId, Kinds),
    /// Is it a tuple of that size?
    TupleOf(TermId, u32),
    /// Is it a function of that arity?
    FunctionOf(TermId, u32),
    /// Is it one of these (atoms, integers, `[]`), exactly?
    OneOf(TermId, Arc<Constants>),
    /// Does the list (or other term) end in `[]`?
    ProperList(TermId),
    /// Has the list more than so many cells? The number is ≥ 0.
    HasItem(TermId, TermId),
    MapHas {
        map: TermId,
        key: TermId,
    },
    /// Are they the same term (`=:=`)?
    Identical(TermId, TermId),
    /// Are they equal, with numbers compared by value (`==`)?
    Equal(TermId, TermId),
    /// Is the first less in the total order of terms?
    Less(TermId, TermId),

    /// Of booleans.
    Not(TermId),
    And(TermId, TermId),
    Or(TermId, TermId),

    /// Has the operation below a value (division by zero, overflow of a float, an unknown function that raises …)?
    Defined(TermId),
    /// Has the conversion a value for this term?
    Converts(Conversion, TermId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitsPart {
    pub value: TermId,
    /// In bits; `None`: all of a bitstring.
    pub size: Option<TermId>,
    pub kind: PartKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// `signed` does not matter when building: `false`.
    Number(NumberFormat),
    Bits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberFormat {
    Integer { signed: bool, little: bool },
    Float { little: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// `/`: a float.
    Divide,
    /// Of integers, towards zero.
    Quotient,
    /// Of integers, with the sign of the dividend.
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    /// Towards minus infinity.
    ShiftRight,
    /// `math:pow`: a float.
    Power,
    /// `math:atan2`, `math:fmod`.
    Atan2,
    FloatRemainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numeric {
    Negate,
    Absolute,
    BitNot,
    ToFloat,
    Truncate,
    Round,
    Floor,
    Ceiling,
    /// A function of the language's mathematical library, by name: `sin`, `sqrt`, …
    Math(&'static str),
}

/// Both ways of a pair are conversions of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conversion {
    /// Decimal text as a list of characters.
    IntegerToList,
    ListToInteger,
    IntegerToBinary,
    BinaryToInteger,
    FloatToList,
    ListToFloat,
    FloatToBinary,
    BinaryToFloat,
    AtomToList,
    ListToAtom,
    /// UTF-8.
    AtomToBinary,
    BinaryToAtom,
    /// Bytes.
    BinaryToList,
    ListToBinary,
    TupleToList,
    ListToTuple,
}

impl TermId {
    pub fn number(self) -> u32 {
        self.0
    }
    /// The id that `number` was taken from.
    pub fn from_number(number: u32) -> TermId {
        TermId(number)
    }
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl Operator {
    /// The terms right below, in the order in which they stand.
    pub fn each_child(&self, mut child: impl FnMut(TermId)) {
        match self {
            Operator::Variable(_) | Operator::Constant(_) => {}
            Operator::Item(a, _)
            | Operator::Rest(a, _)
            | Operator::Element(a, _)
            | Operator::MapKeyAt(a, _)
            | Operator::MapValueAt(a, _)
            | Operator::Length(a)
            | Operator::TupleSize(a)
            | Operator::MapSize(a)
            | Operator::BitSize(a)
            | Operator::Test(Test::Kind(a, _))
            | Operator::Test(Test::TupleOf(a, _))
            | Operator::Test(Test::FunctionOf(a, _))
            | Operator::Test(Test::OneOf(a, _))
            | Operator::Test(Test::ProperList(a))
            | Operator::Test(Test::Not(a))
            | Operator::Numeric(_, a)
            | Operator::Test(Test::Defined(a))
            | Operator::Convert(_, a)
            | Operator::Test(Test::Converts(_, a))
            | Operator::Lookup(a, _) => child(*a),
            Operator::Cons(a, b)
            | Operator::ItemAt(a, b)
            | Operator::RestAt(a, b)
            | Operator::ElementAt(a, b)
            | Operator::MapRemove { map: a, key: b }
            | Operator::MapGet { map: a, key: b }
            | Operator::Test(Test::MapHas { map: a, key: b })
            | Operator::Test(Test::HasItem(a, b))
            | Operator::Test(Test::Identical(a, b))
            | Operator::Test(Test::Equal(a, b))
            | Operator::Test(Test::Less(a, b))
            | Operator::Test(Test::And(a, b))
            | Operator::Test(Test::Or(a, b))
            | Operator::Arithmetic(_, a, b) => {
                child(*a);
                child(*b);
            }
            Operator::MapPut { map: a, key: b, value: c }
            | Operator::SetElementAt { tuple: a, index: b, value: c }
            | Operator::BitsNumber { bits: a, at: b, size: c, .. }
            | Operator::BitsSlice { bits: a, at: b, size: c } => {
                child(*a);
                child(*b);
                child(*c);
            }
            Operator::Tuple(parts) | Operator::Apply { args: parts, .. } => parts.iter().copied().for_each(child),
            Operator::Bits(parts) => {
                for part in parts {
                    child(part.value);
                    part.size.into_iter().for_each(&mut child);
                }
            }
        }
    }

    /// Whether its values are the atoms `true` and `false` only.
    pub fn is_test(&self) -> bool {
        matches!(self, Operator::Test(_))
    }
}
