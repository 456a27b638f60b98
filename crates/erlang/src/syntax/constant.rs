//! Expressions that are terms already: those that `file:consult/1` would read, and `fun m:f/1`.

use super::ast::{Ast, MapField, Node, Segment, UnaryOperator, on_growing_stack};
use super::bit_string::BitString;
use super::error::{Position, SyntaxError};
use super::order::compare_keys;
use super::parse::{parse_expression, parse_expressions};
use super::segment::{LayoutSize, layout};
use num_traits::ToPrimitive;
use program::BitKind;
use std::sync::Arc;
use term::{BigInt, Fun, Term};

/// The maximum depth of terms and expressions: the values made of them are dropped by plain recursion.
const DEEPEST: usize = 2_000;

/// The maximum number of bits of a constant. The program itself has to make larger ones.
const LARGEST_BITS: usize = 1 << 24;

/// Parses a constant term. Maps of up to 32 keys have the order of the BEAM; larger ones, whose order on the BEAM
/// depends on hashes, are ordered by keys in the same way.
pub fn parse_term(text: &str) -> Result<Term, SyntaxError> {
    let ast = parse_expression(text)?;
    check_depth(&ast)?;
    constant(&ast)
}

/// Parses terms that each end with a full stop, and returns them with their positions: the format of `file:consult/1`.
pub fn consult(text: &str) -> Result<Vec<(Position, Term)>, SyntaxError> {
    let term = |ast: &Ast| {
        check_depth(ast)?;
        Ok((ast.at, constant(ast)?))
    };
    parse_expressions(text)?.iter().map(term).collect()
}

pub fn check_depth(ast: &Ast) -> Result<(), SyntaxError> {
    match ast.deeper_than(DEEPEST) {
        Some(at) => Err(SyntaxError::new(at, format!("this is nested more than {DEEPEST} deep"))),
        None => Ok(()),
    }
}

/// Returns the term that `ast` denotes; the error has the position of the part that is no constant.
pub fn constant(ast: &Ast) -> Result<Term, SyntaxError> {
    on_growing_stack(|| match &ast.node {
        Node::Atom(atom) => Ok(Term::Atom(*atom)),
        Node::Integer(value) => Ok(Term::integer(value.clone())),
        Node::Float(value) => Ok(Term::Float(*value)),
        Node::Character(c) => Ok(Term::Int(*c as i64)),
        Node::String(text) => Ok(Term::string(text)),
        Node::List(items, tail) => {
            let items = constants(items)?;
            let tail = tail.as_ref().map_or(Ok(Term::Nil), |tail| constant(tail))?;
            Ok(Term::list_with_tail(items, tail))
        }
        Node::Tuple(items) => Ok(Term::tuple(constants(items)?)),
        Node::Map { base: None, fields } => map(fields),
        Node::Binary(segments) => constant_binary(segments),
        Node::RemoteFun { module, function, arity } => match (&module.node, &function.node, &arity.node) {
            (Node::Atom(module), Node::Atom(function), Node::Integer(arity)) => {
                let arity = arity.to_u32().ok_or_else(|| not_constant(ast))?;
                Ok(Term::Fun(Arc::new(Fun::External { module: *module, function: *function, arity })))
            }
            _ => Err(not_constant(ast)),
        },
        Node::Unary(operator, operand) => signed(*operator, operand).ok_or_else(|| not_constant(ast)),
        Node::Variable(name) => {
            Err(SyntaxError::new(ast.at, format!("expected a constant term, found the variable {name}")))
        }
        Node::Map { base: Some(_), .. }
        | Node::ListComprehension(..)
        | Node::BinaryComprehension(..)
        | Node::Block(_)
        | Node::If(_)
        | Node::Case(..)
        | Node::Receive { .. }
        | Node::Try { .. }
        | Node::Catch(_)
        | Node::Fun { .. }
        | Node::LocalFun { .. }
        | Node::Call(..)
        | Node::Remote(..)
        | Node::Match(..)
        | Node::Operation(..) => Err(not_constant(ast)),
    })
}

fn not_constant(ast: &Ast) -> SyntaxError {
    SyntaxError::new(ast.at, "expected a constant term, found an expression to be evaluated")
}

fn constants(items: &[Ast]) -> Result<Vec<Term>, SyntaxError> {
    items.iter().map(constant).collect()
}

/// Returns the value of a number with a sign.
pub fn signed(operator: UnaryOperator, operand: &Ast) -> Option<Term> {
    let negative = match operator {
        UnaryOperator::Plus => false,
        UnaryOperator::Minus => true,
        UnaryOperator::BitNot | UnaryOperator::Not => return None,
    };
    let integer = |value: BigInt| Some(Term::integer(if negative { -value } else { value }));
    match &operand.node {
        Node::Integer(value) => integer(value.clone()),
        Node::Character(c) => integer(BigInt::from(*c as u32)),
        Node::Float(value) => Some(Term::Float(if negative { -value } else { *value })),
        _ => None,
    }
}

fn map(fields: &[MapField]) -> Result<Term, SyntaxError> {
    let mut pairs: Vec<(Term, Term)> = Vec::with_capacity(fields.len());
    for field in fields {
        if field.exact {
            return Err(SyntaxError::new(field.key.at, "a new map has no keys to update: expected '=>'"));
        }
        pairs.push((constant(&field.key)?, constant(&field.value)?));
    }
    // Among equal keys the first stays and gets the value of the last; the sort is stable. (0.0 and -0.0 may be equal
    // as keys without being the same.)
    pairs.sort_by(|(left, _), (right, _)| compare_keys(left, right));
    pairs.dedup_by(|(key, value), (first, kept)| {
        let is_same = compare_keys(key, first).is_eq();
        if is_same {
            std::mem::swap(kept, value);
        }
        is_same
    });
    Ok(Term::Map(pairs.into()))
}

/// Returns the bitstring of constant segments.
pub fn constant_binary(segments: &[Segment]) -> Result<Term, SyntaxError> {
    let mut bits = BitString::default();
    for segment in segments {
        let values = match &segment.value.node {
            Node::String(text) => text.chars().map(|c| Term::Int(c as i64)).collect(),
            _ => vec![constant(&segment.value)?],
        };
        for value in &values {
            add_segment(&mut bits, segment, value)?;
        }
    }
    Ok(Term::Bits(bits.finish()))
}

fn add_segment(bits: &mut BitString, segment: &Segment, value: &Term) -> Result<(), SyntaxError> {
    let error = |message: &str| Err(SyntaxError::new(segment.at, message));
    let layout = layout(segment)?;
    let size = match (layout.size, &segment.size) {
        (LayoutSize::Default(size), _) => Some(size as usize),
        (LayoutSize::Written, Some(size)) => {
            let Term::Int(written) = constant(size)? else {
                return error("a segment's size is an integer");
            };
            let total = usize::try_from(written).ok().and_then(|size| size.checked_mul(layout.unit.into()));
            match total.filter(|total| bits.length().saturating_add(*total) <= LARGEST_BITS) {
                Some(total) => Some(total),
                None => return error("this size is negative or too large for a constant"),
            }
        }
        (LayoutSize::All | LayoutSize::Encoded | LayoutSize::Written, _) => None,
    };
    let fits = match (layout.kind, value, size) {
        (BitKind::Integer, Term::Int(value), Some(size)) => bits.integer(&BigInt::from(*value), size, layout.endian),
        (BitKind::Integer, Term::Big(value), Some(size)) => bits.integer(value, size, layout.endian),
        (BitKind::Float, Term::Float(value), Some(size)) => bits.float(*value, size, layout.endian),
        (BitKind::Float, Term::Int(value), Some(size)) => bits.float(*value as f64, size, layout.endian),
        (BitKind::Float, Term::Big(value), Some(size)) => {
            let nearest = value.to_f64().filter(|nearest| nearest.is_finite());
            nearest.is_some_and(|nearest| bits.float(nearest, size, layout.endian))
        }
        (BitKind::Bits, Term::Bits(value), size) => bits.bits(value, size, layout.unit),
        (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, Term::Int(code), _) => {
            let c = u32::try_from(*code).ok().and_then(char::from_u32);
            c.is_some_and(|c| bits.character(c, layout.kind, layout.endian))
        }
        _ => false,
    };
    if fits { Ok(()) } else { error("this value does not fit the segment's type and size") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::print;

    #[test]
    fn terms_end_with_full_stops() {
        let read = |text: &str| -> Result<Vec<String>, String> {
            let terms = consult(text).map_err(|error| error.to_string())?;
            Ok(terms.iter().map(|(at, term)| format!("{at} {}", print(term))).collect())
        };
        assert_eq!(read("%% Nothing.\n"), Ok(vec![]));
        assert_eq!(read("{a, [1.5]}. % One.\n\n'B'.\n"), Ok(vec!["1:1 {a,[1.5]}".to_string(), "3:1 'B'".to_string()]));
        assert_eq!(read("a. b"), Err("1:5: expected an operator or a full stop, found the end".to_string()));
        for wrong in ["a b.", "f(x).", "X.", "a..", ".", "{a."] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
