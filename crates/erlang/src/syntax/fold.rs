//! Arithmetic on literals in patterns (`1 + 2`, `-1`, `16#ff bsl 8`).

use super::ast::{Ast, Node, Operator, UnaryOperator, on_growing_stack};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use term::Term;

/// The largest shift that is evaluated. A larger one is certainly not intended.
const LARGEST_SHIFT: u64 = 1 << 20;

/// Returns the number that `ast` denotes, if it consists of literals and its evaluation does not raise.
pub fn fold(ast: &Ast) -> Option<Term> {
    on_growing_stack(|| match number(ast)? {
        Number::Integer(value) => Some(Term::integer(value)),
        Number::Float(value) => Some(Term::Float(value)).filter(|_| value.is_finite()),
    })
}

enum Number {
    Integer(BigInt),
    Float(f64),
}

fn number(ast: &Ast) -> Option<Number> {
    on_growing_stack(|| match &ast.node {
        Node::Integer(value) => Some(Number::Integer(value.clone())),
        Node::Character(c) => Some(Number::Integer(BigInt::from(*c as u32))),
        Node::Float(value) => Some(Number::Float(*value)),
        Node::Unary(operator, operand) => unary(*operator, number(operand)?),
        Node::Operation(operator, left, right) => match (number(left)?, number(right)?) {
            (Number::Integer(left), Number::Integer(right)) => integers(*operator, left, right),
            (left, right) => floats(*operator, as_float(&left)?, as_float(&right)?),
        },
        _ => None,
    })
}

fn unary(operator: UnaryOperator, operand: Number) -> Option<Number> {
    match (operator, operand) {
        (UnaryOperator::Plus, operand) => Some(operand),
        (UnaryOperator::Minus, Number::Integer(value)) => Some(Number::Integer(-value)),
        (UnaryOperator::Minus, Number::Float(value)) => Some(Number::Float(-value)),
        (UnaryOperator::BitNot, Number::Integer(value)) => Some(Number::Integer(!value)),
        (UnaryOperator::BitNot, Number::Float(_)) | (UnaryOperator::Not, _) => None,
    }
}

fn integers(operator: Operator, left: BigInt, right: BigInt) -> Option<Number> {
    let value = match operator {
        Operator::Add => left + right,
        Operator::Minus => left - right,
        Operator::Multiply => left * right,
        Operator::Quotient if !right.is_zero() => left / right,
        Operator::Remainder if !right.is_zero() => left % right,
        Operator::BitAnd => left & right,
        Operator::BitOr => left | right,
        Operator::BitXor => left ^ right,
        Operator::ShiftLeft => shift(left, &right)?,
        Operator::ShiftRight => shift(left, &-right)?,
        Operator::Divide => {
            return floats(operator, as_float(&Number::Integer(left))?, as_float(&Number::Integer(right))?);
        }
        _ => return None,
    };
    Some(Number::Integer(value))
}

fn shift(value: BigInt, by: &BigInt) -> Option<BigInt> {
    let distance = by.abs().to_u64().filter(|distance| *distance <= LARGEST_SHIFT)?;
    Some(if by.is_negative() { value >> distance } else { value << distance })
}

fn floats(operator: Operator, left: f64, right: f64) -> Option<Number> {
    let value = match operator {
        Operator::Add => left + right,
        Operator::Minus => left - right,
        Operator::Multiply => left * right,
        Operator::Divide if right != 0.0 => left / right,
        _ => return None,
    };
    Some(Number::Float(value)).filter(|_| value.is_finite())
}

fn as_float(number: &Number) -> Option<f64> {
    match number {
        Number::Integer(value) => value.to_f64().filter(|value| value.is_finite()),
        Number::Float(value) => Some(*value),
    }
}
