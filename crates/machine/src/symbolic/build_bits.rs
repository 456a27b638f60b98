//! Builds bitstrings from values and sizes with shadows: decides whether each segment can be built, and makes the
//! formula of the whole.

use super::bits::{Number, SegmentSize, format_of, is_little};
use crate::context::Context;
use crate::primitive::Domain;
use crate::value::{Segment, Word};
use formula::{Arithmetic, BitsPart, NumberFormat, Numeric, Operator, PartKind, TermId};
use path::Concretised;
use program::BitKind;

/// The number of parts up to which a bitstring has a formula: that of one that grows byte by byte is made anew each
/// time.
const MOST_PARTS: usize = 1_000;

/// The reason why there is no formula.
pub(crate) enum NotBuilt {
    /// A segment that cannot be built: the concrete operation raises.
    Bad,
    /// A part has no formula.
    Lost(Concretised),
}

impl Context {
    /// Decides whether the segments can be built, one after the other, and makes their formula.
    pub(crate) fn bits_formula(
        &mut self,
        segments: impl Iterator<Item = (Segment, SegmentSize, Word)>,
    ) -> Result<TermId, NotBuilt> {
        let mut parts = Vec::new();
        for (segment, size, value) in segments {
            let formula = self.reify(value).map_err(|why| NotBuilt::Lost(why.reason()))?;
            self.segment_parts(segment, size, value.concrete(), formula, &mut parts)?;
        }
        let formulas = &self.recorder.formulas;
        let parts_of = |part: &BitsPart| match formulas.operator(part.value) {
            Operator::Bits(parts) => parts.len(),
            _ => 1,
        };
        if parts.iter().map(parts_of).sum::<usize>() > MOST_PARTS {
            return Err(NotBuilt::Lost(Concretised::BitstringOfManyParts));
        }
        Ok(self.recorder.formulas.bits(parts))
    }

    fn segment_parts(
        &mut self,
        segment: Segment,
        size: SegmentSize,
        value: Word,
        formula: TermId,
        parts: &mut Vec<BitsPart>,
    ) -> Result<(), NotBuilt> {
        let size = match size {
            SegmentSize::All | SegmentSize::Encoded => None,
            SegmentSize::Bits(bits) => {
                Some(Number { value: i64::from(bits), formula: self.recorder.formulas.integer(bits) })
            }
            SegmentSize::Units(units) => Some(self.units_in_bits(units, segment.unit).ok_or(NotBuilt::Bad)?),
        };
        match (segment.kind, size) {
            (BitKind::Integer, Some(size)) => {
                self.must(Domain::Integer, value, formula)?;
                let kind = PartKind::Number(NumberFormat::Integer { signed: false, little: is_little(segment.endian) });
                let part = BitsPart { value: formula, size: Some(size.formula), kind };
                self.remember_size(&part, size.value);
                parts.push(part);
            }
            (BitKind::Float, Some(size)) => {
                self.must(Domain::Number, value, formula)?;
                if ![16, 32, 64].into_iter().any(|length| self.equals(size, length)) {
                    return Err(NotBuilt::Bad);
                }
                // Integers that are too large are no floats.
                let as_float = self.recorder.formulas.numeric(Numeric::ToFloat, formula);
                let defined = self.recorder.formulas.defined(as_float);
                let held = value.is_float() || is_float_sized(value);
                if !self.decide(defined, held) {
                    return Err(NotBuilt::Bad);
                }
                let kind = PartKind::Number(format_of(segment));
                parts.push(BitsPart { value: formula, size: Some(size.formula), kind });
            }
            (BitKind::Bits, size) => {
                self.must(Domain::Bits, value, formula)?;
                let length = value.as_bits().map_or(0, |bits| bits.len()) as i64;
                let unit = i64::from(segment.unit.max(1));
                if size.is_some() || unit > 1 {
                    let total = self.recorder.formulas.bit_size(formula);
                    let (condition, held) = match size {
                        Some(size) => (self.recorder.formulas.less_or_equal(size.formula, total), size.value <= length),
                        None => (self.is_multiple(total, unit), length % unit == 0),
                    };
                    if !self.decide(condition, held) {
                        return Err(NotBuilt::Bad);
                    }
                }
                let part = BitsPart { value: formula, size: size.map(|size| size.formula), kind: PartKind::Bits };
                self.remember_size(&part, size.map_or(length, |size| size.value));
                parts.push(part);
            }
            (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, _) => {
                self.must(Domain::NonNegative, value, formula)?;
                let code = Number { value: value.as_i64().unwrap_or(i64::MAX), formula };
                if !self.is_character(code) {
                    return Err(NotBuilt::Bad);
                }
                self.encoded(segment, code, parts);
            }
            (BitKind::Integer | BitKind::Float, None) => return Err(NotBuilt::Bad),
        }
        Ok(())
    }

    fn must(&mut self, domain: Domain, value: Word, formula: TermId) -> Result<(), NotBuilt> {
        if self.decide_domain(domain, value, formula) { Ok(()) } else { Err(NotBuilt::Bad) }
    }

    /// Makes the units of a character, according to the range of its code point.
    fn encoded(&mut self, segment: Segment, code: Number, parts: &mut Vec<BitsPart>) {
        let little = is_little(segment.endian);
        match segment.kind {
            BitKind::Utf8 => {
                let forms = [(0x80, 0), (0x800, 0xc0), (0x1_0000, 0xe0)];
                let found = forms.into_iter().position(|(end, _)| self.is_below(code, end));
                let (more, lead) = match found {
                    Some(0) => return self.push_unit(code.formula, 8, false, parts),
                    Some(index) => (index as u32, forms[index].1),
                    None => (3, 0xf0),
                };
                for index in (0..=more).rev() {
                    let shifted = self.quotient(code.formula, 1 << (6 * index));
                    let (digit, base) = match index == more {
                        true => (shifted, lead),
                        false => (self.remainder(shifted, 64), 0x80),
                    };
                    let byte = self.plus_constant(digit, base);
                    self.push_unit(byte, 8, false, parts);
                }
            }
            BitKind::Utf16 => {
                if self.is_below(code, 0x1_0000) {
                    return self.push_unit(code.formula, 16, little, parts);
                }
                let beyond = self.plus_constant(code.formula, -0x1_0000);
                let (high, low) = (self.quotient(beyond, 1024), self.remainder(beyond, 1024));
                let (high, low) = (self.plus_constant(high, 0xd800), self.plus_constant(low, 0xdc00));
                self.push_unit(high, 16, little, parts);
                self.push_unit(low, 16, little, parts);
            }
            _ => self.push_unit(code.formula, 32, little, parts),
        }
    }

    fn push_unit(&mut self, value: TermId, size: u32, little: bool, parts: &mut Vec<BitsPart>) {
        let size = Some(self.recorder.formulas.integer(size));
        parts.push(BitsPart { value, size, kind: PartKind::Number(NumberFormat::Integer { signed: false, little }) });
    }

    fn quotient(&mut self, value: TermId, divisor: i64) -> TermId {
        if divisor == 1 {
            return value;
        }
        let divisor = self.recorder.formulas.integer(divisor);
        self.recorder.formulas.arithmetic(Arithmetic::Quotient, value, divisor)
    }

    fn remainder(&mut self, value: TermId, divisor: i64) -> TermId {
        let divisor = self.recorder.formulas.integer(divisor);
        self.recorder.formulas.arithmetic(Arithmetic::Remainder, value, divisor)
    }

    fn plus_constant(&mut self, value: TermId, constant: i64) -> TermId {
        let constant = self.recorder.formulas.integer(constant);
        self.plus(value, constant)
    }
}

/// Returns whether an integer is small enough to be rounded to a float.
fn is_float_sized(integer: Word) -> bool {
    use num_traits::ToPrimitive;
    integer.as_bigint().and_then(|value| value.to_f64()).is_some_and(f64::is_finite)
}
