//! Kinds and ranges of terms that hold whatever the inputs are.

use crate::kinds::Kinds;
use crate::positions::TypeSet;
use crate::table::Formulas;
use crate::terms::{Arithmetic, Conversion, NumberFormat, Numeric, Operator, TermId};
use num_traits::ToPrimitive;
use term::Term;

/// Bounds of an integer, both included; `None` if no bound is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Bounds {
    const UNKNOWN: Bounds = Bounds { low: None, high: None };
    const COUNT: Bounds = Bounds { low: Some(0), high: None };

    fn just(value: i128) -> Bounds {
        Bounds { low: Some(value), high: Some(value) }
    }

    fn plus(self, other: Bounds) -> Bounds {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Bounds { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }
}

impl Formulas {
    /// Returns the kinds of which a term of this operator can be.
    pub(crate) fn kinds_of(&self, operator: &Operator, place: TypeSet) -> Kinds {
        match operator {
            Operator::Constant(constant) => Kinds::of(&constant.0),
            Operator::Variable(_)
            | Operator::Item(..)
            | Operator::Rest(..)
            | Operator::ItemAt(..)
            | Operator::RestAt(..)
            | Operator::Element(..)
            | Operator::ElementAt(..)
            | Operator::MapGet { .. }
            | Operator::MapKeyAt(..)
            | Operator::MapValueAt(..) => match self.kinds_at(place) {
                Kinds::ALL => self.kinds_by_list(operator),
                known => known,
            },
            Operator::Cons(..) => Kinds::CONS,
            Operator::Tuple(_) | Operator::SetElementAt { .. } => Kinds::TUPLE,
            Operator::Bits(_) | Operator::BitsSlice { .. } => Kinds::BITS,
            Operator::MapPut { .. } | Operator::MapRemove { .. } => Kinds::MAP,
            Operator::BitsNumber { format: NumberFormat::Integer { .. }, .. } => Kinds::INTEGER,
            Operator::BitsNumber { format: NumberFormat::Float { .. }, .. } => Kinds::FLOAT,
            Operator::Length(_) | Operator::TupleSize(_) | Operator::MapSize(_) | Operator::BitSize(_) => {
                Kinds::INTEGER
            }
            Operator::Test(_) => Kinds::ATOM,
            Operator::Arithmetic(operation, a, b) => arithmetic_kinds(*operation, self.kinds(*a), self.kinds(*b)),
            Operator::Numeric(operation, a) => numeric_kinds(*operation, self.kinds(*a)),
            Operator::Convert(conversion, _) => conversion_kinds(*conversion),
            Operator::Lookup(_, mapping) => mapping.kinds(),
            Operator::Apply { delivers, .. } => delivers.kinds,
        }
    }

    /// Returns the kinds of a part of a list, if the list is the result of a conversion.
    fn kinds_by_list(&self, operator: &Operator) -> Kinds {
        let (list, rest) = match operator {
            Operator::Item(list, _) | Operator::ItemAt(list, _) => (list, false),
            Operator::Rest(list, _) | Operator::RestAt(list, _) => (list, true),
            _ => return Kinds::ALL,
        };
        match (self.operator(*list), rest) {
            (Operator::Convert(..), true) => Kinds::LIST,
            (Operator::Convert(Conversion::TupleToList, _), false) => Kinds::ALL,
            (Operator::Convert(..), false) => Kinds::INTEGER,
            _ => Kinds::ALL,
        }
    }

    /// Returns the bounds of an integer.
    pub(crate) fn bounds(&self, id: TermId) -> Bounds {
        if !self.kinds(id).within(Kinds::INTEGER) {
            return Bounds::UNKNOWN;
        }
        match self.operator(id) {
            Operator::Constant(constant) => constant.0.as_int().map_or(Bounds::UNKNOWN, |v| Bounds::just(v.into())),
            Operator::Length(_) | Operator::TupleSize(_) | Operator::MapSize(_) | Operator::BitSize(_) => Bounds::COUNT,
            Operator::BitsNumber { size, format: NumberFormat::Integer { signed, .. }, .. } => {
                match (self.as_index(*size), signed) {
                    (Some(0), _) => Bounds::just(0),
                    (Some(size @ ..=64), false) => Bounds { low: Some(0), high: Some((1 << size) - 1) },
                    (Some(size @ ..=64), true) => {
                        Bounds { low: Some(-(1 << (size - 1))), high: Some((1 << (size - 1)) - 1) }
                    }
                    (_, false) => Bounds::COUNT,
                    (_, true) => Bounds::UNKNOWN,
                }
            }
            Operator::Item(list, _) | Operator::ItemAt(list, _) => match self.operator(*list) {
                Operator::Convert(Conversion::BinaryToList, _) => Bounds { low: Some(0), high: Some(255) },
                Operator::Convert(..) => Bounds { low: Some(0), high: Some(0x10ffff) },
                _ => self.declared_bounds(id),
            },
            Operator::Arithmetic(Arithmetic::Add, a, b) if self.as_constant(*b).is_some() => {
                self.bounds_of_leaf(*a).plus(self.bounds(*b))
            }
            Operator::Arithmetic(Arithmetic::BitAnd, a, b) => {
                match (self.bounds_of_leaf(*a), self.bounds_of_leaf(*b)) {
                    (_, Bounds { low: Some(0..), high }) | (Bounds { low: Some(0..), high }, _) => {
                        Bounds { low: Some(0), high }
                    }
                    _ => Bounds::UNKNOWN,
                }
            }
            Operator::Arithmetic(Arithmetic::Remainder, a, b) => {
                let Some(most) = self.as_constant(*b).and_then(Term::as_int).map(|by| i128::from(by).abs() - 1) else {
                    return Bounds::UNKNOWN;
                };
                let negative = !matches!(self.bounds_of_leaf(*a).low, Some(0..));
                Bounds { low: Some(if negative { -most } else { 0 }), high: Some(most.max(0)) }
            }
            Operator::Numeric(Numeric::Absolute, _) => Bounds::COUNT,
            Operator::Apply { delivers, .. } => {
                Bounds { low: delivers.low.map(i128::from), high: delivers.high.map(i128::from) }
            }
            Operator::Lookup(_, mapping) => match mapping.bounds() {
                Some((low, high)) => Bounds { low: Some(low.into()), high: Some(high.into()) },
                None => Bounds::UNKNOWN,
            },
            _ => self.declared_bounds(id),
        }
    }

    /// Returns the bits that can be ones in an integer that is never negative. Looks at most `depth` levels deep.
    pub(super) fn possible_bits(&self, id: TermId, depth: u32) -> Option<u128> {
        let all_up_to = |most: u128| u128::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
        let depth = depth.checked_sub(1)?;
        match *self.operator(id) {
            Operator::Arithmetic(Arithmetic::Multiply, a, b) => {
                let factor = u128::try_from(self.as_constant(b)?.as_int()?).ok()?;
                let bits = self.possible_bits(a, depth)?;
                let most = bits.checked_mul(factor)?;
                Some(if factor.is_power_of_two() { most } else { all_up_to(most) })
            }
            Operator::Arithmetic(Arithmetic::Add, a, b) => {
                let (x, y) = (self.possible_bits(a, depth)?, self.possible_bits(b, depth)?);
                if x & y == 0 { Some(x | y) } else { Some(all_up_to(x.checked_add(y)?)) }
            }
            Operator::Arithmetic(Arithmetic::BitOr | Arithmetic::BitXor, a, b) => {
                Some(self.possible_bits(a, depth)? | self.possible_bits(b, depth)?)
            }
            Operator::Arithmetic(Arithmetic::BitAnd, a, b) => {
                match (self.possible_bits(a, depth), self.possible_bits(b, depth)) {
                    (Some(x), Some(y)) => Some(x & y),
                    (one, other) => one.or(other),
                }
            }
            Operator::Arithmetic(Arithmetic::ShiftRight, a, b) => {
                Some(self.possible_bits(a, depth)?.checked_shr(self.as_index(b)?).unwrap_or(0))
            }
            Operator::Constant(ref constant) => u128::try_from(constant.0.as_int()?).ok(),
            _ => {
                let Bounds { low, high } = self.bounds(id);
                low.filter(|low| *low >= 0)?;
                Some(all_up_to(u128::try_from(high?).ok()?))
            }
        }
    }

    /// Returns the bounds of a term, but none for arithmetic, so that the recursion ends early.
    fn bounds_of_leaf(&self, id: TermId) -> Bounds {
        match self.operator(id) {
            Operator::Arithmetic(..) => Bounds::UNKNOWN,
            _ => self.bounds(id),
        }
    }

    /// Returns the hull of the declared ranges.
    fn declared_bounds(&self, id: TermId) -> Bounds {
        let mut hull: Option<Bounds> = None;
        for of in self.types_of(id) {
            let node = self.types().node(*of);
            if !node.opaque.is_empty() {
                return Bounds::UNKNOWN;
            }
            for range in &node.integers {
                let low = range.low.as_ref().and_then(ToPrimitive::to_i128);
                let high = range.high.as_ref().and_then(ToPrimitive::to_i128);
                hull = Some(match hull {
                    None => Bounds { low, high },
                    Some(hull) => Bounds {
                        low: hull.low.zip(low).map(|(a, b)| a.min(b)),
                        high: hull.high.zip(high).map(|(a, b)| a.max(b)),
                    },
                });
            }
        }
        hull.unwrap_or(Bounds::UNKNOWN)
    }
}

/// Returns the kinds of the result of an operation on numbers; other operands have no result.
fn arithmetic_kinds(operation: Arithmetic, a: Kinds, b: Kinds) -> Kinds {
    match operation {
        Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply => {
            let (a, b) = (a.and(Kinds::NUMBER), b.and(Kinds::NUMBER));
            if a.within(Kinds::INTEGER) && b.within(Kinds::INTEGER) {
                Kinds::INTEGER
            } else if a.within(Kinds::FLOAT) || b.within(Kinds::FLOAT) {
                Kinds::FLOAT
            } else {
                Kinds::NUMBER
            }
        }
        Arithmetic::Divide | Arithmetic::Power | Arithmetic::Atan2 | Arithmetic::FloatRemainder => Kinds::FLOAT,
        Arithmetic::Quotient
        | Arithmetic::Remainder
        | Arithmetic::BitAnd
        | Arithmetic::BitOr
        | Arithmetic::BitXor
        | Arithmetic::ShiftLeft
        | Arithmetic::ShiftRight => Kinds::INTEGER,
    }
}

fn numeric_kinds(operation: Numeric, a: Kinds) -> Kinds {
    match operation {
        Numeric::Negate | Numeric::Absolute => match a.and(Kinds::NUMBER) {
            Kinds::NONE => Kinds::NUMBER,
            kinds => kinds,
        },
        Numeric::BitNot | Numeric::Truncate | Numeric::Round | Numeric::Floor | Numeric::Ceiling => Kinds::INTEGER,
        Numeric::ToFloat | Numeric::Math(_) => Kinds::FLOAT,
    }
}

fn conversion_kinds(conversion: Conversion) -> Kinds {
    match conversion {
        Conversion::IntegerToList | Conversion::FloatToList => Kinds::CONS,
        Conversion::AtomToList | Conversion::BinaryToList | Conversion::TupleToList => Kinds::LIST,
        Conversion::ListToInteger | Conversion::BinaryToInteger => Kinds::INTEGER,
        Conversion::ListToFloat | Conversion::BinaryToFloat => Kinds::FLOAT,
        Conversion::ListToAtom | Conversion::BinaryToAtom => Kinds::ATOM,
        Conversion::IntegerToBinary
        | Conversion::FloatToBinary
        | Conversion::AtomToBinary
        | Conversion::ListToBinary => Kinds::BITS,
        Conversion::ListToTuple => Kinds::TUPLE,
    }
}
