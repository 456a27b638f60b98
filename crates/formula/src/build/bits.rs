//! Constructors of bitstrings and of reads from them.

use crate::kinds::Kinds;
use crate::table::Formulas;
use crate::terms::{Arithmetic, BitsPart, NumberFormat, Operator, PartKind, TermId};
use crate::types::BitsType;
use num_bigint::BigInt;
use term::{Bits, Term};

/// The largest number of parts of bitstrings that are compared part by part.
const MOST_COMPARED: usize = 256;

/// A piece of a bitstring that is made of parts.
enum Piece {
    /// The bits of one bitstring from this bit on.
    Inside(TermId, TermId),
    /// Exactly one part.
    Part(BitsPart),
    /// Exactly these parts.
    Parts(Vec<BitsPart>),
    Unknown,
}

impl Formulas {
    pub(super) fn bits_of_parts(&mut self, parts: Vec<BitsPart>) -> TermId {
        // Empty bitstrings are left out, and a bitstring that is itself made of parts is replaced by these.
        let mut flat: Vec<BitsPart> = Vec::with_capacity(parts.len());
        for part in parts {
            match (self.operator(part.value), part.size) {
                (Operator::Bits(inner), None) if part.kind == PartKind::Bits => flat.extend_from_slice(inner),
                (Operator::Constant(empty), None) if part.kind == PartKind::Bits && is_empty(&empty.0) => {}
                _ => flat.push(part),
            }
        }
        match flat.as_slice() {
            [] => self.constant(Term::Bits(Bits::from_bytes([]))),
            [BitsPart { value, size: None, kind: PartKind::Bits }] if self.kinds(*value).within(Kinds::BITS) => *value,
            _ => self.folded(Operator::Bits(flat.into())),
        }
    }

    pub fn bits_number(&mut self, bits: TermId, at: TermId, size: TermId, format: NumberFormat) -> TermId {
        match *self.operator(bits) {
            // number(m, slice(n, x)) = number(m + n, x)
            Operator::BitsSlice { bits, at: before, .. } => {
                let at = self.arithmetic(Arithmetic::Add, before, at);
                self.bits_number(bits, at, size, format)
            }
            Operator::Bits(_) => match self.piece(bits, at, size) {
                Piece::Inside(inner, at) => self.bits_number(inner, at, size, format),
                Piece::Part(part) => match self.part_as_number(&part, format) {
                    Some(number) => number,
                    None => self.folded(Operator::BitsNumber { bits, at, size, format }),
                },
                Piece::Parts(parts) => {
                    let (bits, at) = (self.bits_of_parts(parts), self.small(0));
                    self.folded(Operator::BitsNumber { bits, at, size, format })
                }
                Piece::Unknown => self.folded(Operator::BitsNumber { bits, at, size, format }),
            },
            _ => self.folded(Operator::BitsNumber { bits, at, size, format }),
        }
    }

    pub fn bits_slice(&mut self, bits: TermId, at: TermId, size: TermId) -> TermId {
        if self.as_index(size) == Some(0) {
            return self.constant(Term::Bits(Bits::from_bytes([])));
        }
        if self.as_index(at) == Some(0) && self.kinds(bits).within(Kinds::BITS) && self.bit_size(bits) == size {
            return bits;
        }
        match *self.operator(bits) {
            // slice(m, slice(n, x)) = slice(m + n, x)
            Operator::BitsSlice { bits, at: before, .. } => {
                let at = self.arithmetic(Arithmetic::Add, before, at);
                self.bits_slice(bits, at, size)
            }
            Operator::Bits(_) => match self.piece(bits, at, size) {
                Piece::Inside(inner, at) => self.bits_slice(inner, at, size),
                Piece::Part(part) => self.bits_of_parts(vec![part]),
                Piece::Parts(parts) => self.bits_of_parts(parts),
                Piece::Unknown => self.folded(Operator::BitsSlice { bits, at, size }),
            },
            _ => self.folded(Operator::BitsSlice { bits, at, size }),
        }
    }

    /// Returns the bits from bit `at` to the end.
    pub(super) fn bits_behind(&mut self, bits: TermId, at: TermId) -> TermId {
        let size = self.bit_size(bits);
        let left = self.arithmetic(Arithmetic::Subtract, size, at);
        self.bits_slice(bits, at, left)
    }

    pub fn bit_size(&mut self, bits: TermId) -> TermId {
        match self.operator(bits) {
            Operator::BitsSlice { size, .. } => *size,
            Operator::Bits(parts) => {
                let parts = parts.clone();
                let mut sum = self.small(0);
                for part in &parts {
                    let size = self.part_size(part);
                    sum = self.arithmetic(Arithmetic::Add, sum, size);
                }
                sum
            }
            _ => match self.declared_bits(bits).as_deref() {
                Some(&[BitsType { base, unit: 0 }]) => self.integer(base),
                _ => self.folded(Operator::BitSize(bits)),
            },
        }
    }

    /// Returns the lengths that the declared types allow, or `None` if nothing is known.
    fn declared_bits(&self, bits: TermId) -> Option<Vec<BitsType>> {
        if !self.is_position(bits) {
            return None;
        }
        let mut lengths = Vec::new();
        for of in self.types_of(bits) {
            let node = self.types().node(*of);
            if !node.opaque.is_empty() {
                return None;
            }
            lengths.extend_from_slice(&node.bits);
        }
        lengths.dedup();
        Some(lengths)
    }

    /// Returns the remainder of a size in bits, or of the sum of such a size and a constant, divided by `by`, if the
    /// declared types determine it.
    pub(super) fn declared_remainder(&self, size: TermId, by: u32) -> Option<u64> {
        if let Some((size, constant)) = self.sum_with_constant(size) {
            let left =
                i128::from(self.declared_remainder(size, by)?) + i128::from(self.as_constant(constant)?.as_int()?);
            // The remainder depends on the sign of the sum, unless it is zero.
            return (left % i128::from(by) == 0).then_some(0);
        }
        let Operator::BitSize(bits) = *self.operator(size) else { return None };
        let by = u64::from(by);
        let lengths = self.declared_bits(bits)?;
        let first = lengths.first()?.base.checked_rem(by)?;
        lengths.iter().all(|of| of.unit.is_multiple_of(by) && of.base % by == first).then_some(first)
    }

    fn part_size(&mut self, part: &BitsPart) -> TermId {
        match part.size {
            Some(size) => size,
            None => self.bit_size(part.value),
        }
    }

    /// Finds the part or parts of `bits` that hold the `size` bits from bit `at` on.
    fn piece(&mut self, bits: TermId, at: TermId, size: TermId) -> Piece {
        let Operator::Bits(parts) = self.operator(bits) else { return Piece::Unknown };
        let parts = parts.clone();
        let Some(at) = self.as_index(at) else { return Piece::Unknown };
        let mut begin = 0;
        for (index, part) in parts.iter().enumerate() {
            let part_size = self.part_size(part);
            if begin == at && part_size == size {
                return match part.kind {
                    PartKind::Bits => Piece::Inside(part.value, self.small(0)),
                    PartKind::Number(_) => Piece::Part(part.clone()),
                };
            }
            // Bits that begin after all other parts are in the last one, even if its end is not known.
            let last = index + 1 == parts.len();
            let end = self.as_index(part_size).and_then(|size| size.checked_add(begin));
            let inside = match (end, self.as_index(size)) {
                (Some(end), Some(size)) => at < end && at.checked_add(size).is_some_and(|until| until <= end),
                _ => last && end.is_none(),
            };
            if at >= begin && inside {
                return match part.kind {
                    PartKind::Bits => Piece::Inside(part.value, self.small(i64::from(at - begin))),
                    PartKind::Number(_) => self.inside_number(part, at - begin, size),
                };
            }
            match end {
                Some(_) if begin == at => return self.several_parts(&parts[index..], size),
                Some(end) => begin = end,
                None => return Piece::Unknown,
            }
        }
        Piece::Unknown
    }

    /// Returns some bits of a number: those of the number shifted right by the bits that follow them.
    fn inside_number(&mut self, part: &BitsPart, at: u32, size: TermId) -> Piece {
        let written = self.folded(Operator::Bits(Box::new([part.clone()])));
        if self.as_constant(written).is_some() {
            return Piece::Inside(written, self.small(at.into()));
        }
        let whole = part.size.and_then(|size| self.as_index(size));
        let behind = || whole?.checked_sub(at)?.checked_sub(self.as_index(size)?);
        match (behind(), part.kind) {
            (Some(behind), PartKind::Number(NumberFormat::Integer { little: false, .. })) => {
                let behind = self.integer(behind);
                let value = self.arithmetic(Arithmetic::ShiftRight, part.value, behind);
                Piece::Part(BitsPart { value, size: Some(size), kind: part.kind })
            }
            _ => Piece::Unknown,
        }
    }

    /// Reduces the identity of two bitstrings, the first of which is made of parts, to the identity of their parts,
    /// which are pushed onto `open` as pairs. Returns `false` if it is not known where the parts begin and end.
    pub(super) fn decompose_bits(&mut self, bits: TermId, other: TermId, open: &mut Vec<(TermId, TermId)>) -> bool {
        let Operator::Bits(parts) = self.operator(bits) else { return false };
        if parts.len() > MOST_COMPARED {
            return false;
        }
        let parts = parts.clone();
        let whole = self.bit_size(other);
        let Some(whole) = self.as_index(whole) else { return false };
        let mut pairs = Vec::with_capacity(parts.len());
        let mut at = 0u32;
        let mut open_end = false;
        for (index, part) in parts.iter().enumerate() {
            let size = self.part_size(part);
            let end = self.as_index(size).and_then(|size| size.checked_add(at));
            open_end = end.is_none() && part.size.is_none() && index + 1 == parts.len();
            match end {
                // The other bitstring has no room for all parts.
                _ if end.unwrap_or(at) > whole => return self.never(open),
                None if !open_end => return false,
                _ => {}
            }
            let begin = self.integer(at);
            let pair = match part.kind {
                PartKind::Bits if open_end => (part.value, self.bits_behind(other, begin)),
                PartKind::Bits => {
                    let zero = self.small(0);
                    (self.bits_slice(part.value, zero, size), self.bits_slice(other, begin, size))
                }
                PartKind::Number(NumberFormat::Integer { little, .. }) => {
                    let format = NumberFormat::Integer { signed: false, little };
                    let Some(number) = self.part_as_number(part, format) else { return false };
                    (number, self.bits_number(other, begin, size, format))
                }
                // Identical floats can have different bits, because there are two zeros.
                PartKind::Number(NumberFormat::Float { .. }) => return false,
            };
            if self.is_read_from_parts(pair.1) {
                return false;
            }
            pairs.push(pair);
            at = end.unwrap_or(at);
        }
        if !open_end && at != whole {
            return self.never(open);
        }
        open.extend(pairs.into_iter().rev());
        true
    }

    /// Returns the bits from which a number is read, if they have several parts, and the bits of a constant: the number
    /// is identical to the constant exactly if these two are identical.
    pub(super) fn bits_of_number(&mut self, number: TermId, constant: TermId) -> Option<(TermId, TermId)> {
        let Operator::BitsNumber { bits, at, size, format } = *self.operator(number) else { return None };
        let NumberFormat::Integer { signed: false, little: false } = format else { return None };
        if self.as_index(at) != Some(0)
            || !matches!(self.operator(bits), Operator::Bits(_))
            || self.bit_size(bits) != size
        {
            return None;
        }
        let bounds = self.bounds(number);
        let value = i128::from(self.as_constant(constant)?.as_int()?);
        bounds.high.filter(|high| (0..=*high).contains(&value))?;
        let part = BitsPart { value: constant, size: Some(size), kind: PartKind::Number(format) };
        Some((bits, self.bits_of_parts(vec![part])))
    }

    /// Pushes a pair that is never identical.
    fn never(&mut self, open: &mut Vec<(TermId, TermId)>) -> bool {
        open.push((self.boolean(true), self.boolean(false)));
        true
    }

    /// Returns whether a term is read from bits that are made of parts: it is not known from which of them.
    fn is_read_from_parts(&self, id: TermId) -> bool {
        match *self.operator(id) {
            Operator::BitsNumber { bits, .. } | Operator::BitsSlice { bits, .. } => {
                matches!(self.operator(bits), Operator::Bits(_))
            }
            _ => false,
        }
    }

    /// Returns the first of these parts that have `size` bits together; the first one alone is smaller.
    fn several_parts(&mut self, parts: &[BitsPart], size: TermId) -> Piece {
        let mut sum = self.small(0);
        for (index, part) in parts.iter().enumerate() {
            let part_size = self.part_size(part);
            sum = self.arithmetic(Arithmetic::Add, sum, part_size);
            if sum == size {
                return Piece::Parts(parts[..=index].to_vec());
            }
        }
        Piece::Unknown
    }

    /// Returns the number that is read where exactly this part was written, or `None` if it is not known.
    fn part_as_number(&mut self, part: &BitsPart, format: NumberFormat) -> Option<TermId> {
        let PartKind::Number(written) = part.kind else { return None };
        let size = self.as_index(part.size?)?;
        match (written, format) {
            (NumberFormat::Integer { little: a, .. }, NumberFormat::Integer { little: b, signed }) => {
                if a != b && size > 8 {
                    return None;
                }
                let (low, high) = match signed {
                    true if size > 0 => (-(BigInt::from(1) << (size - 1)), (BigInt::from(1) << (size - 1)) - 1),
                    _ => (BigInt::from(0), (BigInt::from(1) << size) - 1),
                };
                let bounds = self.bounds(part.value);
                let fits = bounds.low.is_some_and(|it| low <= BigInt::from(it))
                    && bounds.high.is_some_and(|it| BigInt::from(it) <= high);
                if fits {
                    return Some(part.value);
                }
                // The low bits of the value.
                (!signed).then(|| {
                    let mask = self.integer(high);
                    self.arithmetic(Arithmetic::BitAnd, part.value, mask)
                })
            }
            (NumberFormat::Float { little: a }, NumberFormat::Float { little: b }) => {
                (a == b && size == 64 && self.kinds(part.value).within(Kinds::FLOAT)).then_some(part.value)
            }
            (NumberFormat::Integer { .. }, NumberFormat::Float { .. })
            | (NumberFormat::Float { .. }, NumberFormat::Integer { .. }) => None,
        }
    }
}

fn is_empty(term: &Term) -> bool {
    matches!(term, Term::Bits(bits) if bits.bit_length() == 0)
}
