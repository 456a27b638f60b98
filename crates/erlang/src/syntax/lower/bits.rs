//! Construction and patterns of binaries.

use super::pattern::{Matching, illegal};
use super::scope::Visibility;
use super::{Frame, Lowered, Steps, span};
use crate::syntax::ast::{Node, Segment};
use crate::syntax::constant::constant_binary;
use crate::syntax::error::{Position, SyntaxError};
use crate::syntax::fold::fold;
use crate::syntax::segment::{Layout, LayoutSize, layout};
use num_traits::ToPrimitive;
use program::{BitKind, BitPattern, BitSegment, BitSize, Endian, Expr, Pattern, Var};
use term::Term;

impl Frame<'_> {
    pub(super) fn binary(&mut self, segments: &[Segment], at: Position, steps: &mut Steps) -> Lowered<Expr> {
        let segments = self.bit_segments(segments, steps)?;
        match segments {
            Ok(constant) => Ok(Expr::Const(constant)),
            Err(segments) => Ok(Expr::Bits { segments, span: span(at) }),
        }
    }

    /// Lowers the segments; returns the bitstring itself if it is constant.
    pub(super) fn bit_segments(
        &mut self,
        segments: &[Segment],
        steps: &mut Steps,
    ) -> Lowered<Result<Term, Vec<BitSegment>>> {
        let layouts = segments.iter().map(layout).collect::<Lowered<Vec<_>>>()?;
        if let Ok(constant) = constant_binary(segments) {
            return Ok(Ok(constant));
        }
        // A string means one segment for each of its characters; an unused value takes its place in the list.
        let parts = segments.iter().flat_map(|segment| std::iter::once(&segment.value).chain(&segment.size));
        let mut values = self.arguments(parts, steps)?;
        let is_repeated = |segment: &Segment| segment.size.is_some() && matches!(segment.value.node, Node::String(_));
        if segments.iter().any(is_repeated) {
            // The size of a string is the size of each character, but is evaluated only once, and in order.
            self.settle(&mut values, steps);
        }
        let mut values = values.into_iter();
        let mut lowered = Vec::new();
        for (segment, layout) in segments.iter().zip(layouts) {
            let value = values.next().unwrap_or(Expr::Const(Term::Nil));
            let written = segment.size.as_ref().and_then(|_| values.next());
            if let Node::String(text) = &segment.value.node {
                lowered.extend(text.chars().map(|c| bit_segment(Expr::int(c as i64), written.clone(), layout)));
            } else {
                lowered.push(bit_segment(value, written, layout));
            }
        }
        Ok(Err(lowered))
    }

    pub(super) fn bit_patterns(&mut self, segments: &[Segment], matching: &mut Matching) -> Lowered<Vec<BitPattern>> {
        let mut patterns = Vec::new();
        // Sizes see the variables that the segments before them bind, but no others of the pattern.
        let mark = self.scope.mark();
        for (index, segment) in segments.iter().enumerate() {
            let layout = layout(segment)?;
            if layout.size == LayoutSize::All && index + 1 < segments.len() {
                return Err(SyntaxError::new(
                    segment.at,
                    "a binary without size can only be the last segment of a pattern",
                ));
            }
            let size = self.pattern_size(segment, layout)?;
            for value in self.segment_values(segment, layout, matching)? {
                if let (Node::Variable(name), Pattern::Var(var)) = (&segment.value.node, &value) {
                    self.scope.push(name.clone(), Visibility::Bound(*var));
                }
                let Layout { kind, unit, signed, endian, .. } = layout;
                patterns.push(BitPattern { value, size: size.clone(), unit, kind, signed, endian });
            }
        }
        self.scope.take_since(mark);
        Ok(patterns)
    }

    fn pattern_size(&mut self, segment: &Segment, layout: Layout) -> Lowered<BitSize> {
        Ok(match (layout.size, &segment.size) {
            (LayoutSize::All, _) => BitSize::All,
            (LayoutSize::Encoded, _) => BitSize::Encoded,
            (LayoutSize::Default(size), _) => BitSize::Times(Expr::int(size.into())),
            (LayoutSize::Written, Some(size)) => match fold(size) {
                Some(size) => BitSize::Times(Expr::Const(size)),
                None => match self.guard_expression(size)? {
                    known @ (Expr::Const(_) | Expr::Var(_)) => BitSize::Times(known),
                    // If it raises, there is no valid size, and the pattern does not match.
                    computed => BitSize::Times(Expr::Guard(Box::new(computed))),
                },
            },
            (LayoutSize::Written, None) => BitSize::All,
        })
    }

    /// Returns one pattern, or one for each character of a string.
    fn segment_values(&mut self, segment: &Segment, layout: Layout, matching: &mut Matching) -> Lowered<Vec<Pattern>> {
        let skips = matching.skips;
        let literal = |term: Term| if skips { Pattern::Any } else { Pattern::Const(term) };
        match &segment.value.node {
            Node::Variable(name) => Ok(vec![self.pattern_variable(name, segment.at, matching)?]),
            Node::String(text) => {
                let is_plain = segment.size.is_none() && segment.specifiers.is_none();
                if !is_plain && layout.size != LayoutSize::Encoded {
                    let message = "a string in a pattern has no size and no type, except utf8, utf16 or utf32";
                    return Err(SyntaxError::new(segment.at, message));
                }
                Ok(text.chars().map(|c| literal(Term::Int(c as i64))).collect())
            }
            Node::Atom(atom) => Ok(vec![literal(Term::Atom(*atom))]),
            _ => {
                let number = fold(&segment.value).ok_or_else(|| illegal(&segment.value))?;
                Ok(vec![literal(if layout.kind == BitKind::Float { as_float(number) } else { number })])
            }
        }
    }
}

fn as_float(number: Term) -> Term {
    match &number {
        Term::Int(value) => Term::Float(*value as f64),
        Term::Big(value) => value.to_f64().filter(|value| value.is_finite()).map_or(number, Term::Float),
        _ => number,
    }
}

fn bit_segment(value: Expr, written: Option<Expr>, layout: Layout) -> BitSegment {
    let size = match (layout.size, written) {
        (LayoutSize::Encoded, _) => BitSize::Encoded,
        (LayoutSize::Default(size), _) => BitSize::Times(Expr::int(size.into())),
        (LayoutSize::Written, Some(size)) => BitSize::Times(size),
        (LayoutSize::All, _) | (LayoutSize::Written, None) => BitSize::All,
    };
    BitSegment { value, size, unit: layout.unit, kind: layout.kind, signed: layout.signed, endian: layout.endian }
}

/// Returns a segment with all bits of a value.
pub(super) fn whole(value: Expr) -> BitSegment {
    BitSegment { value, size: BitSize::All, unit: 1, kind: BitKind::Bits, signed: false, endian: Endian::Big }
}

/// Returns a pattern for the rest of a bitstring, whatever its length.
pub(super) fn rest(value: Option<Var>) -> BitPattern {
    let value = value.map_or(Pattern::Any, Pattern::Var);
    BitPattern { value, size: BitSize::All, unit: 1, kind: BitKind::Bits, signed: false, endian: Endian::Big }
}
