//! Patterns as formulas, and the construction of bitstrings.

use crate::evaluate::{Result, Way};
use formula::{Arithmetic, BitsPart, Kinds, NumberFormat, PartKind, TermId};
use program::{BitKind, BitPattern, BitSegment, BitSize, Endian, Pattern};
use term::Term;

/// The condition of the segments of a pattern so far.
#[derive(Clone, Copy)]
pub struct Segments {
    pub matches: TermId,
    /// The position at which the next segment begins.
    pub end: TermId,
}

impl<'p> Way<'_, 'p> {
    /// Returns the condition under which a pattern matches. Its variables are bound to parts of the subject that have
    /// not been evaluated.
    pub fn matches(&mut self, activation: usize, pattern: &'p Pattern, subject: TermId) -> Result<TermId> {
        self.step()?;
        let always = self.formulas.boolean(true);
        Ok(match pattern {
            Pattern::Any => always,
            Pattern::Var(var) => {
                self.bind(activation, *var, subject);
                always
            }
            Pattern::Alias(var, inner) => {
                self.bind(activation, *var, subject);
                self.matches(activation, inner, subject)?
            }
            Pattern::Const(term) => {
                let subject = self.force(subject)?;
                let constant = self.formulas.constant(term.clone());
                self.formulas.identical(subject, constant)
            }
            Pattern::Cons(head, tail) => {
                let subject = self.force_top(subject)?;
                let is_cons = self.formulas.kind(subject, Kinds::CONS);
                if self.formulas.as_boolean(is_cons) == Some(false) {
                    return Ok(is_cons);
                }
                let (first, rest) = (self.formulas.head(subject), self.formulas.tail(subject));
                let head = self.matches(activation, head, first)?;
                let tail = stacker::maybe_grow(256 << 10, 4 << 20, || self.matches(activation, tail, rest))?;
                let both = self.formulas.and(head, tail);
                self.formulas.and(is_cons, both)
            }
            Pattern::Tuple(items) => {
                let subject = self.force_top(subject)?;
                let mut matches = self.formulas.tuple_of(subject, items.len() as u32);
                if self.formulas.as_boolean(matches) == Some(false) {
                    return Ok(matches);
                }
                for (index, item) in items.iter().enumerate() {
                    let element = self.formulas.element(subject, index as u32);
                    let item = self.matches(activation, item, element)?;
                    matches = self.formulas.and(matches, item);
                }
                matches
            }
            Pattern::Map(pairs) => {
                let subject = self.force(subject)?;
                let mut matches = self.formulas.kind(subject, Kinds::MAP);
                if self.formulas.as_boolean(matches) == Some(false) {
                    return Ok(matches);
                }
                for (key, value) in pairs {
                    let key = self.lazy(activation, key);
                    let key = self.force(key)?;
                    let has = self.formulas.map_has(subject, key);
                    let found = self.formulas.map_get(subject, key);
                    let value = self.matches(activation, value, found)?;
                    let both = self.formulas.and(has, value);
                    matches = self.formulas.and(matches, both);
                }
                matches
            }
            Pattern::Bits(segments) => {
                let subject = self.force(subject)?;
                self.bits_match(activation, segments, subject)?
            }
        })
    }

    /// Evaluates a value until its outermost constructor is known, if the value has not been evaluated.
    fn force_top(&mut self, subject: TermId) -> Result<TermId> {
        use formula::Operator;
        match self.formulas.operator(subject) {
            Operator::Tuple(_) | Operator::Cons(..) | Operator::Constant(_) => Ok(subject),
            _ => self.force(subject),
        }
    }

    fn bits_match(&mut self, activation: usize, segments: &'p [BitPattern], subject: TermId) -> Result<TermId> {
        let is_bits = self.formulas.kind(subject, Kinds::BITS);
        if self.formulas.as_boolean(is_bits) == Some(false) {
            return Ok(is_bits);
        }
        let mut before = Segments { matches: is_bits, end: self.formulas.integer(0) };
        for (index, segment) in segments.iter().enumerate() {
            match self.segment_matches(activation, segment, subject, before)? {
                Some(matched) => before = matched,
                None => {
                    // Nothing is known about the remaining segments: neither whether they match nor what their
                    // variables are.
                    for segment in &segments[index..] {
                        let anything = self.free();
                        self.matches(activation, &segment.value, anything)?;
                    }
                    let anything = self.free();
                    let truth = self.truth(anything);
                    return Ok(self.formulas.and(before.matches, truth));
                }
            }
        }
        let whole = self.formulas.bit_size(subject);
        let is_all = self.formulas.identical(before.end, whole);
        Ok(self.formulas.and(before.matches, is_all))
    }

    /// Returns the condition under which the first segments of a pattern match. `None` if it has no formula.
    pub fn segments_match(
        &mut self,
        activation: usize,
        segments: &'p [BitPattern],
        subject: TermId,
    ) -> Result<Option<Segments>> {
        let mut before = Segments { matches: self.formulas.kind(subject, Kinds::BITS), end: self.formulas.integer(0) };
        for segment in segments {
            match self.segment_matches(activation, segment, subject, before)? {
                Some(matched) => before = matched,
                None => return Ok(None),
            }
        }
        Ok(Some(before))
    }

    fn segment_matches(
        &mut self,
        activation: usize,
        segment: &'p BitPattern,
        subject: TermId,
        before: Segments,
    ) -> Result<Option<Segments>> {
        let whole = self.formulas.bit_size(subject);
        let Some((size, value)) = self.bits_segment(activation, segment, subject, before.end, whole)? else {
            return Ok(None);
        };
        let fits = self.fits(segment, before.end, size, whole);
        let value = self.matches(activation, &segment.value, value)?;
        let both = self.formulas.and(fits, value);
        let matches = self.formulas.and(before.matches, both);
        let end = self.formulas.arithmetic(Arithmetic::Add, before.end, size);
        Ok(Some(Segments { matches, end }))
    }

    /// Returns the condition under which a segment fits after those before it, whatever its value is. `None` if it has
    /// no formula.
    pub fn segment_fits(
        &mut self,
        activation: usize,
        segment: &'p BitPattern,
        subject: TermId,
        at: TermId,
    ) -> Result<Option<TermId>> {
        let whole = self.formulas.bit_size(subject);
        let found = self.bits_segment(activation, segment, subject, at, whole)?;
        Ok(found.map(|(size, _)| self.fits(segment, at, size, whole)))
    }

    fn fits(&mut self, segment: &BitPattern, at: TermId, size: TermId, whole: TermId) -> TermId {
        let end = self.formulas.arithmetic(Arithmetic::Add, at, size);
        let beyond = self.formulas.less(whole, end);
        let fits = self.formulas.not(beyond);
        if segment.size != BitSize::All || segment.unit <= 1 {
            return fits;
        }
        let unit = self.formulas.integer(i64::from(segment.unit));
        let rest = self.formulas.arithmetic(Arithmetic::Remainder, size, unit);
        let zero = self.formulas.integer(0);
        let is_whole = self.formulas.identical(rest, zero);
        self.formulas.and(fits, is_whole)
    }

    /// Returns the size of a segment in bits, and its value. `None` if they have no formula.
    fn bits_segment(
        &mut self,
        activation: usize,
        segment: &'p BitPattern,
        bits: TermId,
        at: TermId,
        whole: TermId,
    ) -> Result<Option<(TermId, TermId)>> {
        let size = match &segment.size {
            BitSize::All => self.formulas.arithmetic(Arithmetic::Subtract, whole, at),
            BitSize::Encoded => return Ok(None),
            BitSize::Times(size) => {
                let size = self.lazy(activation, size);
                let size = self.force(size)?;
                let is_constant = self.formulas.as_constant(size).and_then(Term::as_int).is_some_and(|size| size >= 0);
                if !is_constant {
                    return Ok(None);
                }
                let unit = self.formulas.integer(i64::from(segment.unit));
                self.formulas.arithmetic(Arithmetic::Multiply, size, unit)
            }
        };
        Ok(match (segment.kind, number_format(segment.kind, segment.signed, segment.endian)) {
            (BitKind::Integer, Some(format)) => Some((size, self.formulas.bits_number(bits, at, size, format))),
            (BitKind::Bits, _) => Some((size, self.formulas.bits_slice(bits, at, size))),
            (BitKind::Integer | BitKind::Float | BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, _) => None,
        })
    }

    /// Returns a bitstring that is built of integers and bitstrings of known sizes.
    pub fn bits(&mut self, activation: usize, segments: &'p [BitSegment]) -> Result<TermId> {
        let mut parts = Vec::new();
        for segment in segments {
            let value = self.lazy(activation, &segment.value);
            let value = self.force(value)?;
            let size = match &segment.size {
                BitSize::All => None,
                BitSize::Encoded => return Ok(self.free()),
                BitSize::Times(size) => {
                    let size = self.lazy(activation, size);
                    let size = self.force(size)?;
                    let Some(size) = self.formulas.as_constant(size).and_then(Term::as_int).filter(|size| *size >= 0)
                    else {
                        return Ok(self.free());
                    };
                    Some(size.saturating_mul(i64::from(segment.unit)))
                }
            };
            let (kinds, kind) = match (segment.kind, number_format(segment.kind, false, segment.endian)) {
                (BitKind::Integer, Some(format)) => (Kinds::INTEGER, PartKind::Number(format)),
                (BitKind::Bits, _) => (Kinds::BITS, PartKind::Bits),
                _ => return Ok(self.free()),
            };
            let fits = self.formulas.kind(value, kinds);
            self.require(fits)?;
            if let (PartKind::Bits, Some(size)) = (kind, size) {
                let (has, size) = (self.formulas.bit_size(value), self.formulas.integer(size));
                let is_short = self.formulas.less(has, size);
                let fits = self.formulas.not(is_short);
                self.require(fits)?;
            }
            let size = size.map(|size| self.formulas.integer(size));
            parts.push(BitsPart { value, size, kind });
        }
        Ok(self.formulas.bits(parts))
    }
}

fn number_format(kind: BitKind, signed: bool, endian: Endian) -> Option<NumberFormat> {
    let little = match endian {
        Endian::Big => false,
        Endian::Little => true,
        Endian::Native => return None,
    };
    (kind == BitKind::Integer).then_some(NumberFormat::Integer { signed, little })
}
