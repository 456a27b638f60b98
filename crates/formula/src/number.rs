//! Arithmetic on concrete numbers, as the BEAM does it: integers of any size, floats that are always finite. Functions
//! return `None` where the BEAM raises an exception.

use crate::c;
use crate::terms::{Arithmetic, Numeric};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use term::{Term, floats};

/// The largest number of bits of an integer on the BEAM.
const MAX_BITS: u64 = ((1 << 19) - 1) * 64;

pub(crate) fn arithmetic(operation: Arithmetic, a: &Term, b: &Term) -> Option<Term> {
    match operation {
        Arithmetic::Add => ring(a, b, i64::checked_add, |a, b| a + b, |a, b| a + b),
        Arithmetic::Subtract => ring(a, b, i64::checked_sub, |a, b| a - b, |a, b| a - b),
        Arithmetic::Multiply => {
            if let (Term::Big(a), Term::Big(b)) = (a, b) {
                // A product has as many bits as its factors together, or one fewer.
                within_limit(a.bits() + b.bits() - 1)?;
            }
            ring(a, b, i64::checked_mul, |a, b| a * b, |a, b| a * b)
        }
        Arithmetic::Divide => {
            let (a, b) = (to_float(a)?, to_float(b)?);
            if b == 0.0 { None } else { finite(a / b) }
        }
        Arithmetic::Quotient => division(a, b, i64::checked_div, |a, b| a / b),
        Arithmetic::Remainder => division(a, b, i64::checked_rem, |a, b| a % b),
        Arithmetic::BitAnd => bitwise(a, b, |a, b| a & b, |a, b| a & b),
        Arithmetic::BitOr => bitwise(a, b, |a, b| a | b, |a, b| a | b),
        Arithmetic::BitXor => bitwise(a, b, |a, b| a ^ b, |a, b| a ^ b),
        Arithmetic::ShiftLeft => shift(a, &*integer(b)?),
        Arithmetic::ShiftRight => shift(a, &-&*integer(b)?),
        Arithmetic::Power => finite(c::pow(to_float(a)?, to_float(b)?)),
        Arithmetic::Atan2 => finite(c::atan2(to_float(a)?, to_float(b)?)),
        Arithmetic::FloatRemainder => finite(c::fmod(to_float(a)?, to_float(b)?)),
    }
}

pub(crate) fn numeric(operation: Numeric, a: &Term) -> Option<Term> {
    match operation {
        Numeric::Negate => match a {
            Term::Float(value) => Some(Term::Float(-value)),
            _ => arithmetic(Arithmetic::Subtract, &Term::Int(0), a),
        },
        Numeric::Absolute => match a {
            Term::Float(value) => Some(Term::Float(floats::absolute(*value))),
            _ => Some(Term::integer(integer(a)?.abs())),
        },
        Numeric::BitNot => match a {
            Term::Int(value) => Some(Term::Int(!value)),
            _ => Some(Term::integer(!&*integer(a)?)),
        },
        Numeric::ToFloat => to_float(a).map(Term::Float),
        Numeric::Truncate => whole(a, f64::trunc),
        // Half away from zero.
        Numeric::Round => whole(a, f64::round),
        Numeric::Floor => whole(a, f64::floor),
        Numeric::Ceiling => whole(a, f64::ceil),
        Numeric::Math(name) => finite(math(name)?(to_float(a)?)),
    }
}

/// Returns an integer of any size, or `None` for other terms.
pub(crate) fn integer(term: &Term) -> Option<Cow<'_, BigInt>> {
    match term {
        Term::Int(value) => Some(Cow::Owned(BigInt::from(*value))),
        Term::Big(value) => Some(Cow::Borrowed(value)),
        _ => None,
    }
}

/// Converts a number to a float; `None` for other terms and for numbers that are too large. Big integers are rounded
/// limb by limb, as on the BEAM, which does not always give the nearest float.
pub(crate) fn to_float(term: &Term) -> Option<f64> {
    const BASE: f64 = 18_446_744_073_709_551_616.0;
    match term {
        Term::Int(value) => Some(*value as f64),
        Term::Float(value) => Some(*value),
        Term::Big(value) => {
            let magnitude = value.iter_u64_digits().rev().fold(0.0, |high, limb| high * BASE + limb as f64);
            f64::is_finite(magnitude).then_some(if value.is_negative() { -magnitude } else { magnitude })
        }
        _ => None,
    }
}

fn finite(value: f64) -> Option<Term> {
    value.is_finite().then_some(Term::Float(value))
}

fn within_limit(bits: u64) -> Option<()> {
    (bits <= MAX_BITS).then_some(())
}

fn limited(value: BigInt) -> Option<Term> {
    within_limit(value.bits())?;
    Some(Term::integer(value))
}

/// Computes with floats if one operand is a float, else with integers.
fn ring(
    a: &Term,
    b: &Term,
    short: fn(i64, i64) -> Option<i64>,
    long: fn(&BigInt, &BigInt) -> BigInt,
    float: fn(f64, f64) -> f64,
) -> Option<Term> {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => {
            short(*x, *y).map(Term::Int).or_else(|| Some(Term::integer(long(&BigInt::from(*x), &BigInt::from(*y)))))
        }
        (Term::Float(_), _) | (_, Term::Float(_)) => finite(float(to_float(a)?, to_float(b)?)),
        _ => limited(long(&*integer(a)?, &*integer(b)?)),
    }
}

/// Divides integers or returns the remainder. The BEAM rounds towards zero, and so do `/` and `%` in Rust.
fn division(
    a: &Term,
    b: &Term,
    short: fn(i64, i64) -> Option<i64>,
    long: fn(&BigInt, &BigInt) -> BigInt,
) -> Option<Term> {
    if let (Term::Int(x), Term::Int(y)) = (a, b)
        && let Some(result) = short(*x, *y)
    {
        return Some(Term::Int(result));
    }
    let (a, b) = (integer(a)?, integer(b)?);
    if b.is_zero() { None } else { Some(Term::integer(long(&a, &b))) }
}

fn bitwise(a: &Term, b: &Term, short: fn(i64, i64) -> i64, long: fn(&BigInt, &BigInt) -> BigInt) -> Option<Term> {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => Some(Term::Int(short(*a, *b))),
        _ => limited(long(&*integer(a)?, &*integer(b)?)),
    }
}

/// Shifts to the left, or to the right if `count` is negative, which rounds down.
fn shift(value: &Term, count: &BigInt) -> Option<Term> {
    let value = integer(value)?;
    if value.is_zero() {
        return Some(Term::Int(0));
    }
    if count.is_negative() {
        return Some(match count.to_i64() {
            Some(count) if count.unsigned_abs() <= value.bits() => Term::integer(&*value >> count.unsigned_abs()),
            _ => Term::Int(if value.is_negative() { -1 } else { 0 }),
        });
    }
    let count = count.to_u64()?;
    within_limit(value.bits().checked_add(count)?)?;
    limited(&*value << count)
}

fn whole(a: &Term, rounded: fn(f64) -> f64) -> Option<Term> {
    match a {
        Term::Float(value) => BigInt::from_f64(rounded(*value)).map(Term::integer),
        _ => integer(a).map(|_| a.clone()),
    }
}

/// Returns a function of the mathematical library, or `None` for a name that the library does not have.
pub fn math(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "acos" => |x| c::acos(x),
        "acosh" => |x| c::acosh(x),
        "asin" => |x| c::asin(x),
        "asinh" => |x| c::asinh(x),
        "atan" => |x| c::atan(x),
        "atanh" => |x| c::atanh(x),
        "ceil" => f64::ceil,
        "cos" => |x| c::cos(x),
        "cosh" => |x| c::cosh(x),
        "erf" => |x| c::erf(x),
        "erfc" => |x| c::erfc(x),
        "exp" => |x| c::exp(x),
        "floor" => f64::floor,
        "log" => |x| c::log(x),
        "log10" => |x| c::log10(x),
        "log2" => |x| c::log2(x),
        "sin" => |x| c::sin(x),
        "sinh" => |x| c::sinh(x),
        "sqrt" => f64::sqrt,
        "tan" => |x| c::tan(x),
        "tanh" => |x| c::tanh(x),
        _ => return None,
    })
}
