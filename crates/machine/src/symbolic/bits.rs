//! Reads segments of bitstrings whose bits, position or size have shadows. Whether a segment fits is a decision, and so
//! is every requirement of its kind on the bits.

use super::shape::at_least;
use crate::context::Context;
use crate::value::{Segment, Word, read_segment};
use formula::{Arithmetic, NumberFormat, TermId};
use path::Concretised;
use program::{BitKind, Endian};

/// The length of a segment.
#[derive(Clone, Copy)]
pub(crate) enum SegmentSize {
    /// The rest.
    All,
    /// The length that the encoding determines.
    Encoded,
    /// A number of bits.
    Bits(u32),
    /// A number of units.
    Units(Word),
}

/// The place of a segment: the bitstring without its shadow, its formula, and a position in it.
struct Place {
    whole: Word,
    bits: TermId,
    at: usize,
    position: TermId,
}

/// A number with its formula.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub value: i64,
    pub formula: TermId,
}

impl Context {
    /// Returns the value of the segment, if it is `wanted`, and the position after it. Returns `None` if it does not
    /// match.
    pub(crate) fn read_segment_symbolic(
        &mut self,
        whole: Word,
        position: Word,
        size: SegmentSize,
        segment: Segment,
        wanted: bool,
    ) -> Option<(Word, Word)> {
        let (Ok(bits), Ok(formula)) = (self.reify(whole), self.reify(position)) else {
            self.lose(Concretised::LargeBitstring);
            return self.read_concrete(whole, position, size, segment);
        };
        let at = position.concrete().as_usize()?;
        let place = Place { whole: whole.concrete(), bits, at, position: formula };
        match segment.kind {
            BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32 => {
                let (code, length) = self.code_point(&place, segment)?;
                let length = Number { value: length, formula: self.recorder.formulas.integer(length) };
                let next = self.behind(&place, length);
                let value = self.with_formula(Word::small(code.value), code.formula);
                Some((value, next))
            }
            BitKind::Integer | BitKind::Float | BitKind::Bits => {
                let size = self.segment_length(&place, size, segment)?;
                if segment.kind == BitKind::Float && !self.is_finite(&place, size, segment) {
                    return None;
                }
                let next = self.behind(&place, size);
                if !wanted {
                    return Some((Word::NIL, next));
                }
                let length = usize::try_from(size.value).ok()?;
                let (value, _) = read_segment(&mut self.heap, place.whole, at, Some(length), segment)?;
                // A float of no bits is 0.0, as the decision on the size has established.
                if segment.kind == BitKind::Float && length == 0 {
                    return Some((value, next));
                }
                let (bits, formula) = self.part_read(bits, Number { value: at as i64, formula }, size);
                let formulas = &mut self.recorder.formulas;
                let formula = match segment.kind {
                    BitKind::Bits => formulas.bits_slice(bits, formula, size.formula),
                    _ => formulas.bits_number(bits, formula, size.formula, format_of(segment)),
                };
                Some((self.with_formula(value, formula), next))
            }
        }
    }

    /// Returns whether a pattern ends where the bitstring does.
    pub(crate) fn ends_symbolic(&mut self, whole: Word, position: Word) -> bool {
        let ended = whole.concrete().as_bits().map(|bits| bits.len()) == position.concrete().as_usize();
        match (self.reify(whole), self.reify(position)) {
            (Ok(bits), Ok(position)) => {
                let size = self.recorder.formulas.bit_size(bits);
                let same = self.recorder.formulas.identical(size, position);
                self.decide(same, ended)
            }
            _ => {
                self.lose(Concretised::LargeBitstring);
                ended
            }
        }
    }

    fn read_concrete(
        &mut self,
        whole: Word,
        position: Word,
        size: SegmentSize,
        segment: Segment,
    ) -> Option<(Word, Word)> {
        let size = match size {
            SegmentSize::All | SegmentSize::Encoded => None,
            SegmentSize::Bits(bits) => Some(bits as usize),
            SegmentSize::Units(units) => Some(units.concrete().as_usize()?.checked_mul(usize::from(segment.unit))?),
        };
        let at = position.concrete().as_usize()?;
        let (value, next) = read_segment(&mut self.heap, whole.concrete(), at, size, segment)?;
        Some((value, Word::small(next as i64)))
    }

    /// Returns the length in bits of a segment that fits, or `None` if it does not.
    fn segment_length(&mut self, place: &Place, size: SegmentSize, segment: Segment) -> Option<Number> {
        let left = place.whole.as_bits()?.len().checked_sub(place.at)? as i64;
        let length = match size {
            SegmentSize::Encoded => return None,
            SegmentSize::All => {
                let formulas = &mut self.recorder.formulas;
                let total = formulas.bit_size(place.bits);
                let rest = formulas.arithmetic(Arithmetic::Subtract, total, place.position);
                let unit = i64::from(segment.unit.max(1));
                let whole_units = self.is_multiple(rest, unit);
                return self.decide(whole_units, left % unit == 0).then_some(Number { value: left, formula: rest });
            }
            SegmentSize::Bits(bits) => Number { value: i64::from(bits), formula: self.recorder.formulas.integer(bits) },
            SegmentSize::Units(units) => self.units_in_bits(units, segment.unit)?,
        };
        self.fits(place, length).then_some(length)
    }

    /// Returns a size in bits. A size that is no integer or negative matches nothing. One beyond all lengths does not
    /// fit.
    pub(super) fn units_in_bits(&mut self, units: Word, unit: u16) -> Option<Number> {
        let concrete = units.concrete();
        let formula = match units.as_symbolic() {
            Some((_, formula)) => {
                let is_integer = self.recorder.formulas.kind(formula, formula::Kinds::INTEGER);
                if !self.decide(is_integer, concrete.is_integer()) {
                    return None;
                }
                let non_negative = at_least(&mut self.recorder.formulas, formula, 0);
                let held = concrete.as_bigint().is_some_and(|value| value.sign() != num_bigint::Sign::Minus);
                if !self.decide(non_negative, held) {
                    return None;
                }
                formula
            }
            None => self.reify(units).ok()?,
        };
        let value = concrete.as_i64().filter(|units| *units >= 0);
        let value = match value {
            Some(units) => units.saturating_mul(i64::from(unit)),
            None if concrete.is_integer() && !concrete.as_limbs().is_some_and(|(negative, _)| negative) => i64::MAX,
            None => return None,
        };
        Some(Number { value, formula: self.times(formula, i64::from(unit)) })
    }

    /// Decides whether `place + length =< size of the whole`.
    fn fits(&mut self, place: &Place, length: Number) -> bool {
        let Some(total) = place.whole.as_bits() else { return false };
        let end = self.plus(place.position, length.formula);
        let size = self.recorder.formulas.bit_size(place.bits);
        let fits = self.recorder.formulas.less_or_equal(end, size);
        self.decide(fits, (place.at as i64).saturating_add(length.value) <= total.len() as i64)
    }

    fn behind(&mut self, place: &Place, length: Number) -> Word {
        let formula = self.plus(place.position, length.formula);
        self.with_formula(Word::small(place.at as i64 + length.value), formula)
    }

    /// Decides whether the length is one that a float can have, and the bits are those of a finite number, which has an
    /// exponent that is not all ones.
    fn is_finite(&mut self, place: &Place, size: Number, segment: Segment) -> bool {
        const SIZES: [(i64, i64); 3] = [(16, 5), (32, 8), (64, 11)];
        let zero = self.equals(size, 0);
        if zero {
            return true;
        }
        let Some((length, exponent)) = SIZES.into_iter().find(|(length, _)| self.equals(size, *length)) else {
            return false;
        };
        let is_little = matches!(format_of(segment), NumberFormat::Float { little: true });
        // In reversed byte order, sign and exponent begin in the last byte.
        let runs = match (is_little, length) {
            (false, _) => vec![(1, exponent)],
            (true, 16) => vec![(9, 5)],
            (true, 32) => vec![(25, 7), (16, 1)],
            (true, _) => vec![(57, 7), (48, 4)],
        };
        let mut all_ones = self.recorder.formulas.boolean(true);
        let mut held = true;
        for (offset, count) in runs {
            let number = self.unsigned(place, offset, count, false);
            let ones = (1 << count) - 1;
            held &= number.value == ones;
            let ones = self.recorder.formulas.integer(ones);
            let same = self.recorder.formulas.identical(number.formula, ones);
            all_ones = self.recorder.formulas.and(all_ones, same);
        }
        !self.decide(all_ones, held)
    }

    /// Returns the code point at a place and its length in bits.
    fn code_point(&mut self, place: &Place, segment: Segment) -> Option<(Number, i64)> {
        let little = is_little(segment.endian);
        match segment.kind {
            BitKind::Utf8 => self.utf8(place),
            BitKind::Utf16 => {
                let unit = self.unit_if_fits(place, 0, 16, little)?;
                if self.is_below(unit, 0xd800) {
                    return Some((unit, 16));
                }
                if self.is_below(unit, 0xdc00) {
                    let low = self.unit_if_fits(place, 16, 16, little)?;
                    if self.is_below(low, 0xdc00) || !self.is_below(low, 0xe000) {
                        return None;
                    }
                    let code = self.weighted(&[(unit, 0xd800, 1024), (low, 0xdc00, 1)], 0x10000);
                    return Some((code, 32));
                }
                (!self.is_below(unit, 0xe000)).then_some((unit, 16))
            }
            _ => {
                let code = self.unit_if_fits(place, 0, 32, little)?;
                self.is_character(code).then_some((code, 32))
            }
        }
    }

    /// Decides whether a code point is neither a surrogate nor beyond the last one.
    pub(super) fn is_character(&mut self, code: Number) -> bool {
        self.is_below(code, 0xd800) || !self.is_below(code, 0xe000) && self.is_below(code, 0x11_0000)
    }

    fn utf8(&mut self, place: &Place) -> Option<(Number, i64)> {
        let first = self.unit_if_fits(place, 0, 8, false)?;
        if self.is_below(first, 0x80) {
            return Some((first, 8));
        }
        if self.is_below(first, 0xc2) {
            return None;
        }
        // For each form: the least first byte, the first byte from which on the next form begins, and the least code
        // point.
        let forms = [(0xc0, 0xe0, 0x80), (0xe0, 0xf0, 0x800), (0xf0, 0xf5, 0x1_0000)];
        let form = forms.iter().position(|(_, end, _)| self.is_below(first, *end))?;
        let (lead, _, least) = forms[form];
        let more = form as i64 + 1;
        let length = Number { value: 8 * (more + 1), formula: self.recorder.formulas.integer(8 * (more + 1)) };
        if !self.fits(place, length) {
            return None;
        }
        let mut digits = vec![(first, lead, 1 << (6 * more))];
        for index in 1..=more {
            let byte = self.unsigned(place, 8 * index, 8, false);
            if self.is_below(byte, 0x80) || !self.is_below(byte, 0xc0) {
                return None;
            }
            digits.push((byte, 0x80, 1 << (6 * (more - index))));
        }
        let code = self.weighted(&digits, 0);
        if self.is_below(code, least) || !self.is_character(code) {
            return None;
        }
        Some((code, length.value))
    }

    /// Returns the sum of `(number - base) * weight`.
    fn weighted(&mut self, digits: &[(Number, i64, i64)], start: i64) -> Number {
        let mut value = start;
        let mut constant = start;
        let mut sum = None;
        for (number, base, weight) in digits {
            value += (number.value - base) * weight;
            constant -= base * weight;
            let part = self.times(number.formula, *weight);
            sum = Some(match sum {
                Some(sum) => self.plus(sum, part),
                None => part,
            });
        }
        let constant = self.recorder.formulas.integer(constant);
        let formula = match sum {
            Some(sum) => self.plus(sum, constant),
            None => constant,
        };
        Number { value, formula }
    }

    fn unit_if_fits(&mut self, place: &Place, offset: i64, count: i64, little: bool) -> Option<Number> {
        let length = Number { value: offset + count, formula: self.recorder.formulas.integer(offset + count) };
        self.fits(place, length).then(|| self.unsigned(place, offset, count, little))
    }

    /// Returns up to 32 bits at a place as a number. They must be inside the bitstring.
    fn unsigned(&mut self, place: &Place, offset: i64, count: i64, little: bool) -> Number {
        let value = place.whole.as_bits().map_or(0, |bits| bits.read(place.at + offset as usize, count as usize));
        let value = match little {
            true => value.swap_bytes() >> (64 - count),
            false => value,
        };
        let at_value = place.at as i64 + offset;
        let size = Number { value: count, formula: self.recorder.formulas.integer(count) };
        let offset = self.recorder.formulas.integer(offset);
        let at = Number { value: at_value, formula: self.plus(place.position, offset) };
        let (bits, at) = self.part_read(place.bits, at, size);
        let format = NumberFormat::Integer { signed: false, little };
        Number { value: value as i64, formula: self.recorder.formulas.bits_number(bits, at, size.formula, format) }
    }

    pub(super) fn is_below(&mut self, number: Number, bound: i64) -> bool {
        let end = self.recorder.formulas.integer(bound);
        let less = self.recorder.formulas.less(number.formula, end);
        self.decide(less, number.value < bound)
    }

    pub(super) fn equals(&mut self, number: Number, value: i64) -> bool {
        let constant = self.recorder.formulas.integer(value);
        let same = self.recorder.formulas.identical(number.formula, constant);
        self.decide(same, number.value == value)
    }

    /// Returns the condition that the number is a multiple of `unit`.
    pub(super) fn is_multiple(&mut self, number: TermId, unit: i64) -> TermId {
        let formulas = &mut self.recorder.formulas;
        if unit == 1 {
            return formulas.boolean(true);
        }
        let (unit, zero) = (formulas.integer(unit), formulas.integer(0));
        let remainder = formulas.arithmetic(Arithmetic::Remainder, number, unit);
        formulas.identical(remainder, zero)
    }

    pub(super) fn plus(&mut self, a: TermId, b: TermId) -> TermId {
        self.recorder.formulas.arithmetic(Arithmetic::Add, a, b)
    }

    fn times(&mut self, a: TermId, factor: i64) -> TermId {
        if factor == 1 {
            return a;
        }
        let factor = self.recorder.formulas.integer(factor);
        self.recorder.formulas.arithmetic(Arithmetic::Multiply, a, factor)
    }
}

pub(super) fn format_of(segment: Segment) -> NumberFormat {
    let little = is_little(segment.endian);
    match segment.kind {
        BitKind::Float => NumberFormat::Float { little },
        _ => NumberFormat::Integer { signed: segment.signed, little },
    }
}

pub(super) fn is_little(endian: Endian) -> bool {
    match endian {
        Endian::Big => false,
        Endian::Little => true,
        Endian::Native => cfg!(target_endian = "little"),
    }
}
