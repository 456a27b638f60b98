//! Values on the tape: numbers that fit into machine words, computed as [`formula::Evaluation`] does. It also evaluates
//! everything that does not fit.

use formula::{Arithmetic, Kinds, Numeric};
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use term::{BigInt, Term, floats, names, order};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Int(i128),
    Float(f64),
    Truth(bool),
    /// Any other term, including integers beyond 128 bits.
    Other(Term),
    /// There is no value; the number (> 0) says how far the operands are from having one.
    Missing(f64),
}

/// The distance beyond which all distances count the same.
const FAR: f64 = 1e12;

impl Value {
    pub fn of(term: &Term) -> Value {
        match term {
            Term::Int(value) => Value::Int(i128::from(*value)),
            Term::Float(value) => Value::Float(*value),
            Term::Atom(atom) if *atom == names::TRUE => Value::Truth(true),
            Term::Atom(atom) if *atom == names::FALSE => Value::Truth(false),
            Term::Big(value) => value.to_i128().map_or_else(|| Value::Other(term.clone()), Value::Int),
            _ => Value::Other(term.clone()),
        }
    }

    pub fn term(&self) -> Option<Term> {
        Some(match self {
            Value::Int(value) => match i64::try_from(*value) {
                Ok(small) => Term::Int(small),
                Err(_) => Term::integer(BigInt::from(*value)),
            },
            Value::Float(value) => Term::Float(*value),
            Value::Truth(true) => Term::TRUE,
            Value::Truth(false) => Term::FALSE,
            Value::Other(term) => term.clone(),
            Value::Missing(_) => return None,
        })
    }

    /// Returns the number as a float, infinite if it is too large; `None` for a term that is no number.
    pub fn float(&self) -> Option<f64> {
        match self {
            Value::Int(value) => Some(rounded(*value)),
            Value::Float(value) => Some(*value),
            Value::Other(Term::Big(value)) => value.to_f64(),
            _ => None,
        }
    }

    pub fn kinds(&self) -> Option<Kinds> {
        match self {
            Value::Int(_) => Some(Kinds::INTEGER),
            Value::Float(_) => Some(Kinds::FLOAT),
            Value::Truth(_) => Some(Kinds::ATOM),
            Value::Other(term) => Some(Kinds::of(term)),
            Value::Missing(_) => None,
        }
    }
}

/// Rounds limb by limb, as the BEAM does.
fn rounded(value: i128) -> f64 {
    if let Ok(small) = i64::try_from(value) {
        return small as f64;
    }
    let magnitude = value.unsigned_abs();
    let float = (magnitude >> 64) as f64 * 18_446_744_073_709_551_616.0 + magnitude as u64 as f64;
    if value < 0 { -float } else { float }
}

/// Returns how two values are ordered; `None` if one is missing.
pub(super) fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        _ => Some(order::compare(&a.term()?, &b.term()?)),
    }
}

pub(super) fn equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::Float(a), Value::Float(b)) => Some(a == b),
        (Value::Truth(a), Value::Truth(b)) => Some(a == b),
        _ => Some(order::equal(&a.term()?, &b.term()?)),
    }
}

pub(super) fn identical(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::Float(a), Value::Float(b)) => Some(floats::identity(*a) == floats::identity(*b)),
        (Value::Truth(a), Value::Truth(b)) => Some(a == b),
        _ => Some(order::identical(&a.term()?, &b.term()?)),
    }
}

/// Returns `a - b` of two numbers, as exactly as a float can be; it is not zero unless they are equal.
pub(super) fn difference(a: &Value, b: &Value) -> Option<f64> {
    let apart = match (a, b) {
        (Value::Int(a), Value::Int(b)) => match a.checked_sub(*b) {
            Some(apart) => return Some(apart as f64),
            None => *a as f64 - *b as f64,
        },
        _ => a.float()? - b.float()?,
    };
    if apart != 0.0 && !apart.is_nan() {
        return Some(apart);
    }
    Some(match compare(a, b)? {
        Ordering::Equal => 0.0,
        Ordering::Less => -f64::MIN_POSITIVE,
        Ordering::Greater => f64::MIN_POSITIVE,
    })
}

/// Computes an operation; `None` if it has to be evaluated elsewhere.
#[inline]
pub(super) fn arithmetic(operation: Arithmetic, a: &Value, b: &Value) -> Option<Value> {
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(result) = integers(operation, *a, *b)
    {
        return result;
    }
    let float = |value: &Value| match value {
        Value::Int(_) | Value::Float(_) => value.float(),
        _ => None,
    };
    let (x, y) = (float(a)?, float(b)?);
    let result = match operation {
        Arithmetic::Add => x + y,
        Arithmetic::Subtract => x - y,
        Arithmetic::Multiply => x * y,
        Arithmetic::Divide if y == 0.0 => return Some(Value::Missing(1.0)),
        Arithmetic::Divide => x / y,
        Arithmetic::Power => formula::c::pow(x, y),
        Arithmetic::Atan2 => formula::c::atan2(x, y),
        Arithmetic::FloatRemainder => formula::c::fmod(x, y),
        // These are operations on integers only.
        Arithmetic::Quotient
        | Arithmetic::Remainder
        | Arithmetic::BitAnd
        | Arithmetic::BitOr
        | Arithmetic::BitXor
        | Arithmetic::ShiftLeft
        | Arithmetic::ShiftRight => return Some(Value::Missing(1.0)),
    };
    if result.is_finite() {
        return Some(Value::Float(result));
    }
    let bits = |value: f64| value.abs().max(f64::MIN_POSITIVE).log2();
    let far = match operation {
        Arithmetic::Multiply => bits(x) + bits(y) - 1023.0,
        Arithmetic::Divide => bits(x) - bits(y) - 1023.0,
        Arithmetic::Power if x < 0.0 && y.fract() != 0.0 => -x,
        Arithmetic::Power if x == 0.0 => -y,
        Arithmetic::Power => y * bits(x) - 1023.0,
        _ => 1.0,
    };
    Some(missing(far))
}

fn missing(far: f64) -> Value {
    Value::Missing(if far > 0.0 { far.min(FAR) } else { 1e-3 })
}

/// Computes an operation on integers. The outer `None` means that the operation is one on floats, the inner that the
/// result does not fit.
fn integers(operation: Arithmetic, a: i128, b: i128) -> Option<Option<Value>> {
    let result = match operation {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Quotient | Arithmetic::Remainder if b == 0 => return Some(Some(Value::Missing(1.0))),
        Arithmetic::Quotient => a.checked_div(b),
        Arithmetic::Remainder => a.checked_rem(b),
        Arithmetic::BitAnd => Some(a & b),
        Arithmetic::BitOr => Some(a | b),
        Arithmetic::BitXor => Some(a ^ b),
        Arithmetic::ShiftLeft => shifted(a, b),
        Arithmetic::ShiftRight => b.checked_neg().and_then(|b| shifted(a, b)),
        Arithmetic::Divide | Arithmetic::Power | Arithmetic::Atan2 | Arithmetic::FloatRemainder => return None,
    };
    Some(result.map(Value::Int))
}

/// Shifts to the left, or to the right if `count` is negative.
fn shifted(value: i128, count: i128) -> Option<i128> {
    if count < 0 {
        return Some(value >> count.unsigned_abs().min(127));
    }
    let count = u32::try_from(count).ok()?;
    let fits = value == 0 || count < value.unsigned_abs().leading_zeros().saturating_sub(1);
    fits.then(|| if value == 0 { 0 } else { value << count })
}

/// Computes an operation; `None` if it has to be evaluated elsewhere. Functions of the mathematical library have a
/// function of their own.
pub(super) fn numeric(operation: Numeric, a: &Value) -> Option<Value> {
    Some(match (operation, a) {
        (Numeric::Negate, Value::Int(value)) => Value::Int(value.checked_neg()?),
        (Numeric::Negate, Value::Float(value)) => Value::Float(-value),
        (Numeric::Absolute, Value::Int(value)) => Value::Int(value.checked_abs()?),
        (Numeric::Absolute, Value::Float(value)) => Value::Float(floats::absolute(*value)),
        (Numeric::BitNot, Value::Int(value)) => Value::Int(!value),
        (Numeric::BitNot, Value::Float(_)) => Value::Missing(1.0),
        (Numeric::ToFloat, Value::Int(value)) => Value::Float(rounded(*value)),
        (Numeric::ToFloat, Value::Float(_)) => a.clone(),
        (Numeric::Truncate | Numeric::Round | Numeric::Floor | Numeric::Ceiling, Value::Int(_)) => a.clone(),
        (Numeric::Truncate, Value::Float(value)) => whole(value.trunc())?,
        (Numeric::Round, Value::Float(value)) => whole(value.round())?,
        (Numeric::Floor, Value::Float(value)) => whole(value.floor())?,
        (Numeric::Ceiling, Value::Float(value)) => whole(value.ceil())?,
        (Numeric::Math(_), _) | (_, Value::Truth(_) | Value::Other(_) | Value::Missing(_)) => return None,
    })
}

fn whole(value: f64) -> Option<Value> {
    (value.abs() < 1e37).then_some(Value::Int(value as i128))
}

/// Computes a function of the mathematical library; `None` if it has to be evaluated elsewhere.
pub(super) fn math(name: &str, function: fn(f64) -> f64, a: &Value) -> Option<Value> {
    let x = match a {
        Value::Int(_) | Value::Float(_) => a.float()?,
        _ => return None,
    };
    let result = function(x);
    if result.is_finite() {
        return Some(Value::Float(result));
    }
    Some(missing(match name {
        "acos" | "asin" | "atanh" => x.abs() - 1.0,
        "acosh" => 1.0 - x,
        "sqrt" | "log" | "log2" | "log10" => -x,
        _ => x.abs() - 700.0,
    }))
}

/// Returns how far a value is from not existing, as far as that is known.
pub(super) fn to_missing(operation: Operation<'_>, value: &Value) -> f64 {
    let size = |value: &Value| value.float().map_or(1.0, f64::abs);
    let overflow = match value {
        Value::Float(value) => 1024.0 - value.abs().max(f64::MIN_POSITIVE).log2(),
        _ => FAR,
    };
    match operation {
        Operation::Two(Arithmetic::Quotient | Arithmetic::Remainder | Arithmetic::FloatRemainder, _, b) => size(b),
        Operation::Two(Arithmetic::Divide, _, b) => size(b).min(overflow),
        Operation::Two(Arithmetic::Power, a, _) => a.float().map_or(1.0, |a| a.max(0.0) + 1.0).min(overflow),
        Operation::Two(..) => overflow,
        Operation::Math(name, a) => {
            let x = a.float().unwrap_or(0.0);
            match name {
                "acos" | "asin" | "atanh" => (1.0 - x.abs()).max(0.0),
                "acosh" => (x - 1.0).max(0.0),
                "sqrt" | "log" | "log2" | "log10" => x.max(0.0),
                _ => overflow,
            }
        }
        Operation::One => FAR,
    }
}

/// The operation of which a value is the result, for [`to_missing`].
pub(super) enum Operation<'a> {
    Two(Arithmetic, &'a Value, &'a Value),
    Math(&'a str, &'a Value),
    One,
}
