//! Arithmetic: integers of any size up to the BEAM's limit, floats that are always finite, and conversions between
//! them.

use super::{badarg, badarith, rows};
use machine::{Arithmetic, Context, Escape, Primitive, Word};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use term::{floats, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Arguments;
    "+" (Number, Number) -> Number, badarith, add, Partial(meaning::add_defined, meaning::add), Fast::Arithmetic(Arithmetic::Add);
    "-" (Number, Number) -> Number, badarith, subtract, Partial(meaning::subtract_defined, meaning::subtract), Fast::Arithmetic(Arithmetic::Subtract);
    "*" (Number, Number) -> Number, badarith, multiply, Partial(meaning::multiply_defined, meaning::multiply), Fast::Arithmetic(Arithmetic::Multiply);
    "/" (Number, Number) -> Float, badarith, divide, Partial(meaning::divide_defined, meaning::divide);
    "+" (Number) -> Number, badarith, plus, Term(meaning::same);
    "-" (Number) -> Number, badarith, minus, Term(meaning::negate);
    "div" (Integer, Integer) -> Integer, badarith, div, Partial(meaning::quotient_defined, meaning::quotient), Fast::Arithmetic(Arithmetic::Divide);
    "rem" (Integer, Integer) -> Integer, badarith, rem, Partial(meaning::remainder_defined, meaning::remainder), Fast::Arithmetic(Arithmetic::Remainder);
    "band" (Integer, Integer) -> Integer, badarith, band, Term(meaning::bit_and), Fast::Arithmetic(Arithmetic::And);
    "bor" (Integer, Integer) -> Integer, badarith, bor, Term(meaning::bit_or), Fast::Arithmetic(Arithmetic::Or);
    "bxor" (Integer, Integer) -> Integer, badarith, bxor, Term(meaning::bit_xor), Fast::Arithmetic(Arithmetic::Xor);
    "bnot" (Integer) -> Integer, badarith, bnot, Term(meaning::bit_not);
    "bsl" (Integer, Integer) -> Integer, badarith, bsl, Partial(meaning::shift_left_defined, meaning::shift_left), Fast::Arithmetic(Arithmetic::ShiftLeft);
    "bsr" (Integer, Integer) -> Integer, badarith, bsr, Partial(meaning::shift_right_defined, meaning::shift_right), Fast::Arithmetic(Arithmetic::ShiftRight);
    "abs" (Number) -> Number, badarg, abs, Term(meaning::absolute);
    "float" (Number) -> Float, badarg, float, Partial(meaning::to_float_defined, meaning::to_float);
    "round" (Number) -> Integer, badarg, round, Term(meaning::round);
    "trunc" (Number) -> Integer, badarg, trunc, Term(meaning::truncate);
    "floor" (Number) -> Integer, badarg, floor, Term(meaning::floor);
    "ceil" (Number) -> Integer, badarg, ceil, Term(meaning::ceiling);
}];

/// The maximum number of bits of an integer: 2^19 - 1 words on the BEAM.
pub(super) const MAX_BITS: u64 = ((1 << 19) - 1) * 64;

pub(super) fn system_limit(context: &mut Context) -> Escape {
    context.error(names::SYSTEM_LIMIT)
}

/// Returns an integer as a result, if the BEAM could represent it.
pub(super) fn integer_result(context: &mut Context, value: &BigInt) -> Result<Word, Escape> {
    if value.bits() > MAX_BITS {
        return Err(system_limit(context));
    }
    context.heap.ensure_room(value.bits() as usize / 64 + 2);
    Ok(context.heap.big(value))
}

/// Returns a float as a result; raises `badarith` if it is not finite.
pub(super) fn float_result(context: &mut Context, value: f64) -> Result<Word, Escape> {
    if value.is_finite() { Ok(context.heap.float(value)) } else { Err(context.error(names::BADARITH)) }
}

/// Converts a number to a float; `None` if it is too large. Big integers are rounded limb by limb, as on the BEAM,
/// which does not always give the nearest float.
pub(super) fn to_float(word: Word) -> Option<f64> {
    const BASE: f64 = 18_446_744_073_709_551_616.0;
    if let Some(value) = word.as_small() {
        return Some(value as f64);
    }
    if let Some(value) = word.as_float() {
        return Some(value);
    }
    let (negative, limbs) = word.as_limbs()?;
    let mut value = 0.0;
    for limb in limbs.iter().rev() {
        value = value * BASE + *limb as f64;
        if !f64::is_finite(value) {
            return None;
        }
    }
    Some(if negative { -value } else { value })
}

/// Converts an integral float to an integer.
pub(super) fn from_float(context: &mut Context, value: f64) -> Word {
    if value.abs() < Word::MAX_SMALL as f64 {
        return Word::small(value as i64);
    }
    match BigInt::from_f64(value) {
        Some(value) => context.heap.big(&value),
        None => Word::small(0),
    }
}

fn big(word: Word) -> BigInt {
    word.as_bigint().unwrap_or_default()
}

/// Charges the steps of arithmetic with long integers to the run.
fn charge_big(context: &mut Context, steps: u64) -> Result<(), Escape> {
    context.charge((steps / 64) as usize)
}

/// Applies a ring operation: with floats if one operand is a float, otherwise with 128 bits if they suffice.
#[inline]
fn ring(
    context: &mut Context,
    args: &[Word],
    short: fn(i128, i128) -> Option<i128>,
    long: fn(&BigInt, &BigInt) -> BigInt,
    float: fn(f64, f64) -> f64,
) -> Result<Word, Escape> {
    let (a, b) = (args[0], args[1]);
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return float_result(context, float(x, y));
    }
    if let (Some(x), Some(y)) = (a.as_i128(), b.as_i128())
        && let Some(result) = short(x, y)
    {
        return Ok(context.heap.integer_i128(result));
    }
    if a.is_float() || b.is_float() {
        return match (to_float(a), to_float(b)) {
            (Some(x), Some(y)) => float_result(context, float(x, y)),
            _ => Err(context.error(names::BADARITH)),
        };
    }
    integer_result(context, &long(&big(a), &big(b)))
}

fn add(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    ring(context, args, i128::checked_add, |a, b| a + b, |a, b| a + b)
}

fn subtract(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    ring(context, args, i128::checked_sub, |a, b| a - b, |a, b| a - b)
}

fn multiply(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let (Some((_, a)), Some((_, b))) = (args[0].as_limbs(), args[1].as_limbs()) {
        // A product has as many bits as its factors have together, or one less.
        if (a.len() + b.len() - 2) as u64 * 64 > MAX_BITS {
            return Err(system_limit(context));
        }
        charge_big(context, a.len() as u64 * b.len() as u64)?;
    }
    ring(context, args, i128::checked_mul, |a, b| a * b, |a, b| a * b)
}

fn divide(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match (to_float(args[0]), to_float(args[1])) {
        (Some(a), Some(b)) if b != 0.0 => float_result(context, a / b),
        _ => Err(context.error(names::BADARITH)),
    }
}

fn plus(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0])
}

fn minus(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let Some(value) = args[0].as_float() {
        return Ok(context.heap.float(-value));
    }
    subtract(context, &[Word::small(0), args[0]])
}

fn div(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    quotient(context, args, |a, b| a / b, |a, b| a / b)
}

fn rem(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    quotient(context, args, |a, b| a % b, |a, b| a % b)
}

/// Divides. Both operations round towards zero, as do `/` and `%` of Rust.
#[inline]
fn quotient(
    context: &mut Context,
    args: &[Word],
    short: fn(i128, i128) -> i128,
    long: fn(&BigInt, &BigInt) -> BigInt,
) -> Result<Word, Escape> {
    match (args[0].as_i128(), args[1].as_i128()) {
        (_, Some(0)) => Err(context.error(names::BADARITH)),
        // `i128::MIN` cannot occur, because the operands have at most 127 bits.
        (Some(a), Some(b)) => Ok(context.heap.integer_i128(short(a, b))),
        _ => {
            let (a, b) = (big(args[0]), big(args[1]));
            let (long_side, short_side) = (a.bits() / 64 + 1, b.bits() / 64 + 1);
            charge_big(context, long_side.saturating_sub(short_side) * short_side)?;
            integer_result(context, &long(&a, &b))
        }
    }
}

fn band(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    bitwise(context, args, |a, b| a & b, |a, b| a & b)
}

fn bor(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    bitwise(context, args, |a, b| a | b, |a, b| a | b)
}

fn bxor(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    bitwise(context, args, |a, b| a ^ b, |a, b| a ^ b)
}

#[inline]
fn bitwise(
    context: &mut Context,
    args: &[Word],
    short: fn(i128, i128) -> i128,
    long: fn(&BigInt, &BigInt) -> BigInt,
) -> Result<Word, Escape> {
    match (args[0].as_i128(), args[1].as_i128()) {
        (Some(a), Some(b)) => Ok(context.heap.integer_i128(short(a, b))),
        _ => integer_result(context, &long(&big(args[0]), &big(args[1]))),
    }
}

fn bnot(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].as_i128() {
        Some(value) => Ok(context.heap.integer_i128(!value)),
        None => integer_result(context, &!big(args[0])),
    }
}

fn bsl(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[1].as_i64() {
        Some(count) if count < 0 => shift_right(context, args[0], count.unsigned_abs()),
        Some(count) => shift_left(context, args[0], count.unsigned_abs()),
        None => shift_far(context, args[0], !is_negative(args[1])),
    }
}

fn bsr(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[1].as_i64() {
        Some(count) if count < 0 => shift_left(context, args[0], count.unsigned_abs()),
        Some(count) => shift_right(context, args[0], count.unsigned_abs()),
        None => shift_far(context, args[0], is_negative(args[1])),
    }
}

fn is_negative(word: Word) -> bool {
    match word.as_small() {
        Some(value) => value < 0,
        None => word.as_limbs().is_some_and(|(negative, _)| negative),
    }
}

/// Shifts by more bits than any integer has.
fn shift_far(context: &mut Context, value: Word, left: bool) -> Result<Word, Escape> {
    if left { shift_left(context, value, u64::MAX) } else { shift_right(context, value, u64::MAX) }
}

fn shift_left(context: &mut Context, value: Word, count: u64) -> Result<Word, Escape> {
    if let Some(small) = value.as_small() {
        if small == 0 {
            return Ok(value);
        }
        if count < 64 {
            return Ok(context.heap.integer_i128(i128::from(small) << count));
        }
    }
    let value = big(value);
    if value.bits().saturating_add(count) > MAX_BITS {
        return Err(system_limit(context));
    }
    charge_big(context, (value.bits() + count) / 64)?;
    integer_result(context, &(value << count))
}

/// Shifts to the right and rounds down, as for two's complement.
fn shift_right(context: &mut Context, value: Word, count: u64) -> Result<Word, Escape> {
    if let Some(small) = value.as_small() {
        return Ok(Word::small(small >> count.min(63)));
    }
    let value = big(value);
    if value.bits() < count {
        return Ok(Word::small(if value.is_negative() { -1 } else { 0 }));
    }
    integer_result(context, &(value >> count))
}

fn abs(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].as_float() {
        Some(value) if value.is_sign_negative() => Ok(context.heap.float(floats::absolute(value))),
        None if is_negative(args[0]) => subtract(context, &[Word::small(0), args[0]]),
        _ => Ok(args[0]),
    }
}

fn float(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match to_float(args[0]) {
        Some(_) if args[0].is_float() => Ok(args[0]),
        Some(value) => Ok(context.heap.float(value)),
        None => Err(context.error(names::BADARG)),
    }
}

fn round(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    whole(context, args[0], f64::round)
}

fn trunc(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    whole(context, args[0], f64::trunc)
}

fn floor(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    whole(context, args[0], f64::floor)
}

fn ceil(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    whole(context, args[0], f64::ceil)
}

fn whole(context: &mut Context, value: Word, rounded: fn(f64) -> f64) -> Result<Word, Escape> {
    Ok(match value.as_float() {
        Some(float) => from_float(context, rounded(float)),
        None => value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bifs::testing::{self, agree, everything, floats, grid, integers};
    use term::Atom;

    const BINARY: [&str; 11] = ["+", "-", "*", "/", "div", "rem", "band", "bor", "bxor", "bsl", "bsr"];
    const UNARY: [&str; 9] = ["+", "-", "bnot", "abs", "float", "round", "trunc", "floor", "ceil"];

    #[test]
    fn numbers_agree_with_the_beam() {
        agree(&grid(
            "erlang",
            &BINARY[..4].iter().map(|name| (*name, 2)).collect::<Vec<_>>(),
            &[integers(), floats()].concat(),
        ));
        agree(&grid("erlang", &BINARY[4..].iter().map(|name| (*name, 2)).collect::<Vec<_>>(), &integers()));
    }

    /// Checks limits that the BEAM has as well; its answers would take too long to print.
    #[test]
    fn integers_end_at_the_limit() {
        let apply = |name: &str, args: &[BigInt]| {
            let mut context = testing::context();
            let row = crate::bifs::find(names::ERLANG, Atom::new(name), args.len() as u32).expect("a row");
            let args: Vec<Word> = args.iter().map(|arg| context.heap.big(arg)).collect();
            match row.apply(&mut context, &args) {
                Ok(_) => true,
                Err(_) => {
                    let raised = context.take_exception().map(|exception| exception.reason.as_atom());
                    assert_eq!(raised, Some(Some(names::SYSTEM_LIMIT)), "{name}");
                    false
                }
            }
        };
        let (one, last) = (BigInt::from(1), BigInt::from(MAX_BITS - 1));
        let huge: BigInt = BigInt::from(1) << 70;
        let largest_power = BigInt::from(1) << (MAX_BITS - 1);
        assert!(apply("bsl", &[one.clone(), last.clone()]));
        assert!(apply("bsl", &[-&one, last.clone()]));
        assert!(!apply("bsl", &[one.clone(), &last + 1]));
        assert!(!apply("bsl", &[one.clone(), huge.clone()]));
        assert!(!apply("bsr", &[-&one, -&huge]));
        assert!(apply("bsl", &[BigInt::from(0), huge]));
        assert!(apply("+", &[largest_power.clone(), &largest_power - 1]));
        assert!(!apply("+", &[largest_power.clone(), largest_power.clone()]));
        assert!(!apply("-", &[-&largest_power, largest_power.clone()]));
        assert!(!apply("*", &[largest_power.clone(), BigInt::from(2)]));
        assert!(!apply("bnot", &[(&largest_power - 1) + &largest_power]));
    }

    #[test]
    fn everything_else_is_outside() {
        agree(&grid("erlang", &UNARY.map(|name| (name, 1)), &everything()));
        let some: Vec<_> = everything().into_iter().step_by(5).collect();
        agree(&grid("erlang", &BINARY.map(|name| (name, 2)), &some));
    }
}
