//! The operators and tests that terms consist of.

use crate::constant::Constant;
use crate::constants::Constants;
use crate::kinds::Kinds;
use crate::mapping::Mapping;
use crate::samples::Codomain;
use std::fmt;
use std::sync::Arc;
use term::FunctionName;

/// The number of a term, in the order of birth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

/// The number of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// An operator. Every operator delivers a term of the language's universe; tests deliver the atoms `true` and `false`.
/// Where an operator has no value (`Item` beyond the end, a conversion of a term that cannot be converted), evaluation
/// has none either: paths test that beforehand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Variable(Variable),
    Constant(Constant),

    Cons(TermId, TermId),
    Tuple(Box<[TermId]>),
    /// The bits of its parts, one after the other.
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

    /// The item of a list after its first `n` cells. The list is never a `Rest`.
    Item(TermId, u32),
    /// A list without its first `n` > 0 cells. The list is never a `Rest`.
    Rest(TermId, u32),
    /// An item of a list, or a rest, after a computed number of cells.
    ItemAt(TermId, TermId),
    RestAt(TermId, TermId),
    /// An element, counted from 0.
    Element(TermId, u32),
    ElementAt(TermId, TermId),
    MapGet {
        map: TermId,
        key: TermId,
    },
    /// Keys and values in the order in which the map iterates, from 0.
    MapKeyAt(TermId, u32),
    MapValueAt(TermId, u32),
    /// The number in `bits` from bit `at` on that is `size` bits wide.
    BitsNumber {
        bits: TermId,
        at: TermId,
        size: TermId,
        format: NumberFormat,
    },
    /// The `size` bits from bit `at` on. `bits` is never a `BitsSlice`.
    BitsSlice {
        bits: TermId,
        at: TermId,
        size: TermId,
    },

    /// The length of a proper list.
    Length(TermId),
    TupleSize(TermId),
    MapSize(TermId),
    /// The size of a bitstring in bits.
    BitSize(TermId),

    /// A test, whose only values are the atoms `true` and `false`.
    Test(Test),

    /// An operation on numbers; integers and floats mix as they do in the language.
    Arithmetic(Arithmetic, TermId, TermId),
    Numeric(Numeric, TermId),
    Convert(Conversion, TermId),

    /// The value of the mapping at a term that is one of its keys. The values are neither all the same nor all
    /// booleans.
    Lookup(TermId, Arc<Mapping>),

    /// A call of a function without meaning here, whose value is known where it was sampled.
    Apply {
        function: FunctionName,
        delivers: Codomain,
        args: Box<[TermId]>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// The term is of one of these kinds.
    Kind(TermId, Kinds),
    /// The term is a tuple of this size.
    TupleOf(TermId, u32),
    /// The term is a function of this arity.
    FunctionOf(TermId, u32),
    /// The term is exactly one of these constants (atoms, integers, `[]`).
    OneOf(TermId, Arc<Constants>),
    /// The list (or other term) ends in `[]`.
    ProperList(TermId),
    /// The list has more cells than this number, which is ≥ 0.
    HasItem(TermId, TermId),
    MapHas {
        map: TermId,
        key: TermId,
    },
    /// The two are the same term (`=:=`).
    Identical(TermId, TermId),
    /// The two are equal, with numbers compared by value (`==`).
    Equal(TermId, TermId),
    /// The first is less than the second in the total order of terms.
    Less(TermId, TermId),

    /// The boolean operators, on tests.
    Not(TermId),
    And(TermId, TermId),
    Or(TermId, TermId),

    /// The operation below has a value: no division by zero, overflow of a float, unknown function that raises …
    Defined(TermId),
    /// The conversion has a value for this term.
    Converts(Conversion, TermId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitsPart {
    pub value: TermId,
    /// In bits; `None` means all of a bitstring.
    pub size: Option<TermId>,
    pub kind: PartKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// `signed` does not matter when building a bitstring, and is `false`.
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
    /// `/`, whose result is a float.
    Divide,
    /// The quotient of integers, rounded towards zero.
    Quotient,
    /// The remainder of integers, with the sign of the dividend.
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    /// Rounds towards minus infinity.
    ShiftRight,
    /// `math:pow`, whose result is a float.
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

/// A conversion. The two directions of a pair are separate conversions.
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
    /// Returns the id that `number` was taken from.
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
    /// Calls `child` for each term directly below, in the order of the operands.
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

    /// Returns whether the only values of the operator are the atoms `true` and `false`.
    pub fn is_test(&self) -> bool {
        matches!(self, Operator::Test(_))
    }
}
