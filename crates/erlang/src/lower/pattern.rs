//! Patterns and the shapes of bit segments.

use super::core::{self, Bitstr, CoreNode, Malformed, Result};
use super::expr::grow;
use super::state::Lowering;
use program::{BitKind, BitPattern, BitSize, Endian, Expr, Pattern};
use term::{Term, names};

/// Strings and very long lists are compared as a whole, because a tower of cons patterns has no advantage.
const SHORTEST_STRING: usize = 3;
const LONGEST_LIST: usize = 256;

pub(super) struct SegmentShape {
    pub size: BitSize,
    pub unit: u16,
    pub kind: BitKind,
    pub signed: bool,
    pub endian: Endian,
}

impl Lowering {
    /// Lowers a pattern and brings its variables into scope. Those of a segment are visible in the sizes of the next
    /// ones.
    pub fn pattern(&mut self, term: &Term) -> Result<Pattern> {
        grow(|| match core::node(term)?.1 {
            CoreNode::Var(name) => Ok(Pattern::Var(self.bind(name))),
            CoreNode::Literal(value) => Ok(constant(value)),
            CoreNode::Cons { head, tail } => {
                Ok(Pattern::Cons(Box::new(self.pattern(head)?), Box::new(self.pattern(tail)?)))
            }
            CoreNode::Tuple(elements) => Ok(Pattern::Tuple(self.patterns(elements)?)),
            CoreNode::Alias { var, pattern } => match core::node(var)?.1 {
                CoreNode::Var(name) => Ok(Pattern::Alias(self.bind(name), Box::new(self.pattern(pattern)?))),
                _ => Err(Malformed("an alias of something that is no variable".into())),
            },
            CoreNode::Map { pairs, .. } => self.map_pattern(pairs),
            CoreNode::Binary(segments) => self.bits_pattern(segments),
            CoreNode::Record(pairs) => self.record_pattern(pairs),
            _ => Err(Malformed("an expression where a pattern should be".into())),
        })
    }

    pub fn patterns(&mut self, terms: &[Term]) -> Result<Vec<Pattern>> {
        terms.iter().map(|term| self.pattern(term)).collect()
    }

    /// Lowers the pattern of a native record. No value matches, because creating such a record is unsupported. The
    /// variables are bound because the body uses them.
    fn record_pattern(&mut self, pairs: &[Term]) -> Result<Pattern> {
        self.never_matches = true;
        let values = pairs.iter().map(core::record_value).collect::<Result<Vec<_>>>()?;
        Ok(Pattern::Tuple(values.into_iter().map(|value| self.pattern(value)).collect::<Result<_>>()?))
    }

    fn map_pattern(&mut self, pairs: &[Term]) -> Result<Pattern> {
        let pairs = pairs
            .iter()
            .map(|pair| {
                let pair = core::map_pair(pair)?;
                let key = self.lower(pair.key)?;
                if !matches!(key, Expr::Const(_) | Expr::Var(_)) {
                    return Err(Malformed("a map pattern with a key that is neither literal nor variable".into()));
                }
                Ok((key, self.pattern(pair.value)?))
            })
            .collect::<Result<_>>()?;
        Ok(Pattern::Map(pairs))
    }

    fn bits_pattern(&mut self, segments: &[Term]) -> Result<Pattern> {
        let segments = segments
            .iter()
            .map(|segment| {
                let segment = core::bitstr(segment)?;
                let shape = self.segment_shape(&segment)?;
                let value = self.pattern(segment.value)?;
                if !matches!(value, Pattern::Any | Pattern::Var(_) | Pattern::Const(_)) {
                    return Err(Malformed("a binary pattern with a structure in a segment".into()));
                }
                Ok(BitPattern {
                    value,
                    size: shape.size,
                    unit: shape.unit,
                    kind: shape.kind,
                    signed: shape.signed,
                    endian: shape.endian,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Pattern::Bits(segments))
    }

    pub fn segment_shape(&mut self, segment: &Bitstr<'_>) -> Result<SegmentShape> {
        let kind = match segment.kind.as_atom().map(|atom| atom.text()) {
            Some("integer") => BitKind::Integer,
            Some("float") => BitKind::Float,
            Some("binary" | "bitstring" | "bits" | "bytes") => BitKind::Bits,
            Some("utf8") => BitKind::Utf8,
            Some("utf16") => BitKind::Utf16,
            Some("utf32") => BitKind::Utf32,
            _ => return Err(Malformed(format!("a segment of the type {:?}", segment.kind))),
        };
        let size = match (kind, self.lower(segment.size)?) {
            (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, _) => BitSize::Encoded,
            (BitKind::Bits, Expr::Const(Term::Atom(all))) if all.text() == "all" => BitSize::All,
            (_, size) => BitSize::Times(size),
        };
        let unit = match segment.unit {
            Term::Int(unit) => u16::try_from(*unit).map_err(|_| Malformed(format!("a segment of unit {unit}")))?,
            Term::Atom(names::UNDEFINED) => 1,
            other => return Err(Malformed(format!("a segment of unit {other:?}"))),
        };
        let mut shape = SegmentShape { size, unit, kind, signed: false, endian: Endian::Big };
        for flag in core::list(segment.flags)? {
            match flag.as_atom().map(|atom| atom.text()) {
                Some("signed") => shape.signed = true,
                Some("unsigned") => shape.signed = false,
                Some("big") => shape.endian = Endian::Big,
                Some("little") => shape.endian = Endian::Little,
                Some("native") => shape.endian = Endian::Native,
                _ => return Err(Malformed(format!("a segment with the flag {flag:?}"))),
            }
        }
        Ok(shape)
    }

    /// Removes the variables that are not used; called when all uses have been seen.
    pub fn prune(&self, pattern: &mut Pattern) {
        grow(|| match pattern {
            Pattern::Any | Pattern::Const(_) => {}
            Pattern::Var(var) => {
                if !self.is_used(*var) {
                    *pattern = Pattern::Any;
                }
            }
            Pattern::Alias(var, inner) => {
                self.prune(inner);
                if !self.is_used(*var) {
                    *pattern = std::mem::replace(inner, Pattern::Any);
                } else if **inner == Pattern::Any {
                    *pattern = Pattern::Var(*var);
                }
            }
            Pattern::Cons(head, tail) => {
                self.prune(head);
                self.prune(tail);
            }
            Pattern::Tuple(elements) => elements.iter_mut().for_each(|element| self.prune(element)),
            Pattern::Map(pairs) => pairs.iter_mut().for_each(|(_, value)| self.prune(value)),
            Pattern::Bits(segments) => segments.iter_mut().for_each(|segment| self.prune(&mut segment.value)),
        })
    }
}

fn constant(value: &Term) -> Pattern {
    grow(|| match value {
        Term::Tuple(items) => Pattern::Tuple(items.iter().map(constant).collect()),
        Term::List(items, tail) if !compared_whole(items, tail.is_some()) => {
            let end = tail.as_deref().map_or(Pattern::Const(Term::Nil), constant);
            items.iter().rev().fold(end, |rest, item| Pattern::Cons(Box::new(constant(item)), Box::new(rest)))
        }
        Term::Map(pairs) => {
            Pattern::Map(pairs.iter().map(|(key, value)| (Expr::Const(key.clone()), constant(value))).collect())
        }
        Term::Int(_)
        | Term::Big(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Nil
        | Term::List(..)
        | Term::Bits(_)
        | Term::Fun(_)
        | Term::Pid(_)
        | Term::Reference(_)
        | Term::Port(_) => Pattern::Const(value.clone()),
    })
}

fn compared_whole(items: &[Term], improper: bool) -> bool {
    let is_string =
        items.len() >= SHORTEST_STRING && !improper && items.iter().all(|item| matches!(item, Term::Int(_)));
    is_string || items.len() > LONGEST_LIST && !has_map(items)
}

/// Returns whether a constant contains a map. As a pattern, a map also matches larger maps, so it cannot be compared as
/// a whole.
fn has_map(items: &[Term]) -> bool {
    items.iter().any(|item| match item {
        Term::Map(_) => true,
        Term::Tuple(inner) => has_map(inner),
        Term::List(inner, tail) => {
            has_map(inner) || tail.as_deref().is_some_and(|tail| has_map(std::slice::from_ref(tail)))
        }
        Term::Int(_)
        | Term::Big(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Nil
        | Term::Bits(_)
        | Term::Fun(_)
        | Term::Pid(_)
        | Term::Reference(_)
        | Term::Port(_) => false,
    })
}
