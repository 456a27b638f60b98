//! Arithmetic. An operation without a value is not defined: a division by zero, a float that is not finite, or an
//! integer that is too large for a float or for the BEAM.

use formula::{Arithmetic, Formulas, Numeric, TermId};

/// Defines operations of two numbers, each with the condition under which it has a value.
macro_rules! binary {
    ($($name:ident, $defined:ident = $operation:expr;)*) => {$(
        pub(in crate::bifs) fn $name(formulas: &mut Formulas, args: &[TermId]) -> TermId {
            formulas.arithmetic($operation, args[0], args[1])
        }

        pub(in crate::bifs) fn $defined(formulas: &mut Formulas, args: &[TermId]) -> TermId {
            let result = $name(formulas, args);
            formulas.defined(result)
        }
    )*};
}

binary! {
    add, add_defined = Arithmetic::Add;
    subtract, subtract_defined = Arithmetic::Subtract;
    multiply, multiply_defined = Arithmetic::Multiply;
    divide, divide_defined = Arithmetic::Divide;
    quotient, quotient_defined = Arithmetic::Quotient;
    remainder, remainder_defined = Arithmetic::Remainder;
    shift_left, shift_left_defined = Arithmetic::ShiftLeft;
    shift_right, shift_right_defined = Arithmetic::ShiftRight;
    power, power_defined = Arithmetic::Power;
    atan2, atan2_defined = Arithmetic::Atan2;
    float_remainder, float_remainder_defined = Arithmetic::FloatRemainder;
}

pub(in crate::bifs) fn bit_and(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.arithmetic(Arithmetic::BitAnd, args[0], args[1])
}

pub(in crate::bifs) fn bit_or(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.arithmetic(Arithmetic::BitOr, args[0], args[1])
}

pub(in crate::bifs) fn bit_xor(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.arithmetic(Arithmetic::BitXor, args[0], args[1])
}

/// Defines operations of one number that always have a value.
macro_rules! unary {
    ($($name:ident = $operation:expr;)*) => {$(
        pub(in crate::bifs) fn $name(formulas: &mut Formulas, args: &[TermId]) -> TermId {
            formulas.numeric($operation, args[0])
        }
    )*};
}

unary! {
    negate = Numeric::Negate;
    absolute = Numeric::Absolute;
    bit_not = Numeric::BitNot;
    to_float = Numeric::ToFloat;
    truncate = Numeric::Truncate;
    round = Numeric::Round;
    floor = Numeric::Floor;
    ceiling = Numeric::Ceiling;
}

pub(in crate::bifs) fn to_float_defined(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let float = to_float(formulas, args);
    formulas.defined(float)
}

/// Expands to the meaning of a function of the module `math`.
macro_rules! math {
    ($name:literal) => {{
        use formula::{Formulas, Numeric, TermId};
        fn result(formulas: &mut Formulas, args: &[TermId]) -> TermId {
            formulas.numeric(Numeric::Math($name), args[0])
        }
        fn defined(formulas: &mut Formulas, args: &[TermId]) -> TermId {
            let result = result(formulas, args);
            formulas.defined(result)
        }
        $crate::bifs::meaning::Partial(defined, result)
    }};
}
pub(in crate::bifs) use math;
