//! The module `math`. It uses the functions of the C library that the BEAM uses as well, so that results agree to the
//! last bit. A result that is not finite raises `badarith`.

use super::numbers::{float_result, to_float};
use super::{badarg, rows};
use formula::c;
use machine::{Context, Escape, Primitive, Word};
use path::Concretised;
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"math" by Platform;
    "acos" (Number) -> Float, badarg, acos, meaning::math!("acos");
    "acosh" (Number) -> Float, badarg, acosh, meaning::math!("acosh");
    "asin" (Number) -> Float, badarg, asin, meaning::math!("asin");
    "asinh" (Number) -> Float, badarg, asinh, meaning::math!("asinh");
    "atan" (Number) -> Float, badarg, atan, meaning::math!("atan");
    "atanh" (Number) -> Float, badarg, atanh, meaning::math!("atanh");
    "ceil" (Number) -> Float, badarg, ceil, meaning::math!("ceil");
    "cos" (Number) -> Float, badarg, cos, meaning::math!("cos");
    "cosh" (Number) -> Float, badarg, cosh, meaning::math!("cosh");
    "erf" (Number) -> Float, badarg, erf, meaning::math!("erf");
    "erfc" (Number) -> Float, badarg, erfc, meaning::math!("erfc");
    "exp" (Number) -> Float, badarg, exp, meaning::math!("exp");
    "floor" (Number) -> Float, badarg, floor, meaning::math!("floor");
    "log" (Number) -> Float, badarg, log, meaning::math!("log");
    "log10" (Number) -> Float, badarg, log10, meaning::math!("log10");
    "log2" (Number) -> Float, badarg, log2, meaning::math!("log2");
    "sin" (Number) -> Float, badarg, sin, meaning::math!("sin");
    "sinh" (Number) -> Float, badarg, sinh, meaning::math!("sinh");
    "sqrt" (Number) -> Float, badarg, sqrt, meaning::math!("sqrt");
    "tan" (Number) -> Float, badarg, tan, meaning::math!("tan");
    "tanh" (Number) -> Float, badarg, tanh, meaning::math!("tanh");
    "atan2" (Number, Number) -> Float, no_number, atan2, Partial(meaning::atan2_defined, meaning::atan2);
    "fmod" (Number, Number) -> Float, no_number, fmod, Partial(meaning::float_remainder_defined, meaning::float_remainder);
    "pow" (Number, Number) -> Float, no_number, pow, Partial(meaning::power_defined, meaning::power);
}];

/// Defines functions of one number by their names and operations.
macro_rules! unary {
    ($($name:ident = $function:expr;)*) => {$(
        fn $name(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
            match to_float(args[0]) {
                Some(value) => float_result(context, $function(value)),
                None => Err(context.error(names::BADARITH)),
            }
        }
    )*};
}

unary! {
    acos = |x| c::acos(x);
    acosh = |x| c::acosh(x);
    asin = |x| c::asin(x);
    asinh = |x| c::asinh(x);
    atan = |x| c::atan(x);
    atanh = |x| c::atanh(x);
    ceil = f64::ceil;
    cos = |x| c::cos(x);
    cosh = |x| c::cosh(x);
    erf = |x| c::erf(x);
    erfc = |x| c::erfc(x);
    exp = |x| c::exp(x);
    floor = f64::floor;
    log = |x| c::log(x);
    log10 = |x| c::log10(x);
    log2 = |x| c::log2(x);
    sin = |x| c::sin(x);
    sinh = |x| c::sinh(x);
    sqrt = f64::sqrt;
    tan = |x| c::tan(x);
    tanh = |x| c::tanh(x);
}

fn atan2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    binary(context, args, |x, y| c::atan2(x, y))
}

fn fmod(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    binary(context, args, |x, y| c::fmod(x, y))
}

fn pow(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    binary(context, args, |x, y| c::pow(x, y))
}

fn binary(context: &mut Context, args: &[Word], function: fn(f64, f64) -> f64) -> Result<Word, Escape> {
    match (to_float(args[0]), to_float(args[1])) {
        (Some(x), Some(y)) => float_result(context, function(x, y)),
        (None, _) | (_, None) => Err(context.error(names::BADARITH)),
    }
}

/// Raises the error for wrong arguments. The first argument is checked before the second one: it may be a number that
/// is too large.
fn no_number(context: &mut Context, args: &[Word]) -> Escape {
    if context.heap.has_shadows() && args[0].is_number() && !args[0].is_float() {
        context.lose(Concretised::WhichOfTwoErrors);
    }
    match args[0].is_number() && to_float(args[0]).is_none() {
        true => context.error(names::BADARITH),
        false => badarg(context, args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bifs::testing::{agree, everything, grid};

    #[test]
    fn the_module_agrees_with_the_beam() {
        let names: Vec<_> = TABLES[0].iter().map(|row| (row.name, row.arity() as usize)).collect();
        agree(&grid("math", &names, &everything()));
    }
}
