//! Integers in types: literals, characters, and arithmetic on them.

use num_traits::{ToPrimitive, Zero};
use term::{BigInt, Term};

/// The largest shift that is evaluated. Larger numbers are not written into a type on purpose, and a mistake must not
/// exhaust the memory.
const LARGEST_SHIFT: u64 = 1 << 16;

/// Returns the value of a form, if it is that of an integer.
pub(super) fn evaluate(form: &Term) -> Option<BigInt> {
    crate::types::form::grow(|| match form.as_tuple()? {
        [Term::Atom(tag), _, value] if matches!(tag.text(), "integer" | "char") => match value {
            Term::Int(value) => Some(BigInt::from(*value)),
            Term::Big(value) => Some(BigInt::clone(value)),
            _ => None,
        },
        [Term::Atom(tag), _, Term::Atom(operator), operand] if tag.text() == "op" => {
            let value = evaluate(operand)?;
            match operator.text() {
                "-" => Some(-value),
                "+" => Some(value),
                "bnot" => Some(!value),
                _ => None,
            }
        }
        [Term::Atom(tag), _, Term::Atom(operator), left, right] if tag.text() == "op" => {
            binary(operator.text(), evaluate(left)?, evaluate(right)?)
        }
        _ => None,
    })
}

fn binary(operator: &str, left: BigInt, right: BigInt) -> Option<BigInt> {
    match operator {
        "+" => Some(left + right),
        "-" => Some(left - right),
        "*" => Some(left * right),
        "div" if !right.is_zero() => Some(left / right),
        "rem" if !right.is_zero() => Some(left % right),
        "band" => Some(left & right),
        "bor" => Some(left | right),
        "bxor" => Some(left ^ right),
        "bsl" => shift(left, right),
        "bsr" => shift(left, -right),
        _ => None,
    }
}

fn shift(value: BigInt, by: BigInt) -> Option<BigInt> {
    let by = by.to_i64()?;
    if by.unsigned_abs() > LARGEST_SHIFT {
        return None;
    }
    Some(if by < 0 { value >> by.unsigned_abs() } else { value << by })
}
