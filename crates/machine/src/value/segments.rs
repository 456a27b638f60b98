//! Segments of bitstrings: reads a value at an offset, and appends one.
//!
//! Knows no patterns and no language's errors: a segment that does not match is `None`, one that cannot be built is a
//! [`SegmentError`].

use super::bits::{BitBuilder, BitsRef, Endianness};
use super::half;
use super::heap::Heap;
use super::word::Word;
use program::{BitKind, Endian};

/// The interpretation of the bits of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub kind: BitKind,
    pub unit: u16,
    pub signed: bool,
    pub endian: Endian,
}

/// The reason why a segment cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentError {
    /// The value is not of the segment's kind or not in its range, or the size is invalid.
    BadValue,
    /// The bitstring would have more bits than allowed.
    TooLong,
}

/// Returns the value of the segment at bit `at` of `whole`, and the position after it. `size_bits` is `None` for the
/// whole rest and if the encoding determines the length.
#[inline(always)]
pub fn read_segment(
    heap: &mut Heap,
    whole: Word,
    at: usize,
    size_bits: Option<usize>,
    segment: Segment,
) -> Option<(Word, usize)> {
    let bits = whole.as_bits()?;
    let left = bits.len().checked_sub(at)?;
    match (segment.kind, size_bits) {
        // The result is certainly small, in the byte order that protocols use.
        (BitKind::Integer, Some(size)) if size <= 62.min(left) && !segment.signed && segment.endian == Endian::Big => {
            Some((Word::small(bits.read(at, size) as i64), at + size))
        }
        (BitKind::Integer, Some(size)) if size <= left => {
            Some((bits.part(at, size).integer(heap, segment.signed, endianness(segment.endian)), at + size))
        }
        (BitKind::Bits, Some(size)) if size <= left => Some((heap.bits_part(whole, at, size), at + size)),
        (BitKind::Bits, None) => {
            let fits = left.is_multiple_of(usize::from(segment.unit.max(1)));
            fits.then(|| (heap.bits_part(whole, at, left), at + left))
        }
        (BitKind::Float, Some(size)) if size <= left => {
            let value = read_float(bits.part(at, size), endianness(segment.endian))?;
            Some((heap.float(value), at + size))
        }
        (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, None) => {
            let (code, length) = read_code_point(bits.part(at, left), segment)?;
            Some((Word::small(i64::from(code)), at + length))
        }
        // The segment is longer than the rest, or its size is invalid for the kind.
        (BitKind::Integer | BitKind::Float | BitKind::Bits, _)
        | (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, Some(_)) => None,
    }
}

/// Appends `value` to `builder`. The room is checked first: a segment beyond the budget ends the run.
#[inline]
pub fn push_segment(
    heap: &Heap,
    builder: &mut BitBuilder,
    value: Word,
    size_bits: Option<usize>,
    segment: Segment,
) -> Result<(), SegmentError> {
    let value = value.concrete();
    match (segment.kind, size_bits) {
        (BitKind::Integer, Some(8)) if value.is_small() => {
            heap.ensure_buffer_room(builder.len() / 8 + 1);
            builder.push_number(value.small_value() as u64, 8);
            Ok(())
        }
        (BitKind::Integer, Some(size)) => {
            if !value.is_integer() {
                return Err(SegmentError::BadValue);
            }
            ensure(heap, builder, size)?;
            push_integer(builder, value, size, endianness(segment.endian));
            Ok(())
        }
        (BitKind::Bits, size) => {
            let bits = value.as_bits().ok_or(SegmentError::BadValue)?;
            let size = match size {
                Some(size) if size <= bits.len() => size,
                None if bits.len().is_multiple_of(usize::from(segment.unit.max(1))) => bits.len(),
                Some(_) | None => return Err(SegmentError::BadValue),
            };
            ensure(heap, builder, size)?;
            builder.push(bits.part(0, size));
            Ok(())
        }
        (BitKind::Float, Some(size)) => {
            ensure(heap, builder, 64)?;
            push_float(builder, value, size, endianness(segment.endian)).ok_or(SegmentError::BadValue)
        }
        (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, None) => {
            ensure(heap, builder, 32)?;
            push_code_point(builder, value, segment).ok_or(SegmentError::BadValue)
        }
        (BitKind::Integer | BitKind::Float, None) | (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, Some(_)) => {
            Err(SegmentError::BadValue)
        }
    }
}

/// Returns the size of `count` units in bits. In a pattern, both errors mean that it does not match.
#[inline]
pub fn segment_size(count: Word, unit: u16) -> Result<usize, SegmentError> {
    let count = count.concrete();
    match count.as_small() {
        Some(small) => {
            let count = usize::try_from(small).map_err(|_| SegmentError::BadValue)?;
            count.checked_mul(usize::from(unit)).filter(|bits| *bits <= MAX_BITS).ok_or(SegmentError::TooLong)
        }
        None => match count.as_limbs() {
            Some((false, _)) => Err(SegmentError::TooLong),
            Some((true, _)) | None => Err(SegmentError::BadValue),
        },
    }
}

/// The number of bits beyond which a size is invalid; below it, the memory budget decides.
const MAX_BITS: usize = usize::MAX >> 1;

fn ensure(heap: &Heap, builder: &BitBuilder, size: usize) -> Result<(), SegmentError> {
    let bits = builder.len().checked_add(size).filter(|bits| *bits <= MAX_BITS).ok_or(SegmentError::TooLong)?;
    heap.ensure_buffer_room(bits.div_ceil(8));
    Ok(())
}

fn endianness(endian: Endian) -> Endianness {
    match endian {
        Endian::Big => Endianness::Big,
        Endian::Little => Endianness::Little,
        Endian::Native if cfg!(target_endian = "little") => Endianness::Little,
        Endian::Native => Endianness::Big,
    }
}

/// Reads a float. Numbers that are not finite are no floats.
fn read_float(bits: BitsRef<'_>, endianness: Endianness) -> Option<f64> {
    let size = bits.len();
    if size == 0 {
        return Some(0.0);
    }
    if !matches!(size, 16 | 32 | 64) {
        return None;
    }
    let number = in_order(bits.read(0, size), size, endianness);
    let value = match size {
        16 => half::to_f64(number as u16),
        32 => f64::from(f32::from_bits(number as u32)),
        _ => f64::from_bits(number),
    };
    value.is_finite().then_some(value)
}

/// Appends a float. A value that is too large for a short float becomes infinity; only integers that are too large for
/// a double cannot be written.
fn push_float(builder: &mut BitBuilder, value: Word, size: usize, endianness: Endianness) -> Option<()> {
    let number = match size {
        16 => u64::from(half::from_f64(as_f64(value)?)),
        32 => u64::from(as_f32(value)?.to_bits()),
        64 => as_f64(value)?.to_bits(),
        _ => return None,
    };
    builder.push_number(in_order(number, size, endianness), size);
    Some(())
}

fn as_f64(value: Word) -> Option<f64> {
    if let Some(small) = value.as_small() {
        return Some(small as f64);
    }
    if let Some(float) = value.as_float() {
        return Some(float);
    }
    let (negative, limbs) = value.as_limbs()?;
    let magnitude = limbs.iter().rev().fold(0.0, |high, limb| high * TWO_TO_64 + *limb as f64);
    magnitude.is_finite().then_some(if negative { -magnitude } else { magnitude })
}

/// Converts a number to a short float. Machine integers are rounded once, longer ones by way of a double, as on the
/// BEAM.
fn as_f32(value: Word) -> Option<f32> {
    const MACHINE_INTEGER: i64 = 1 << 59;
    match value.as_small() {
        Some(small) if (-MACHINE_INTEGER..MACHINE_INTEGER).contains(&small) => Some(small as f32),
        Some(_) | None => as_f64(value).map(|value| value as f32),
    }
}

const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// Returns `number` of `size` bits, a multiple of eight, with its bytes in this order.
fn in_order(number: u64, size: usize, endianness: Endianness) -> u64 {
    match endianness {
        Endianness::Big => number,
        Endianness::Little => number.swap_bytes() >> (64 - size),
    }
}

/// Appends the low `size` bits of an integer as two's complement.
fn push_integer(builder: &mut BitBuilder, value: Word, size: usize, endianness: Endianness) {
    if size <= 64 {
        let low = low_limb(value);
        match endianness {
            Endianness::Big => builder.push_number(low, size),
            Endianness::Little => push_little(builder, low, size),
        }
        return;
    }
    let bytes = little_endian_bytes(value, size.div_ceil(8));
    match endianness {
        Endianness::Big => {
            let mut bytes = bytes;
            bytes.reverse();
            builder.push(BitsRef::new(&bytes, bytes.len() * 8 - size, size));
        }
        Endianness::Little => {
            let (whole, partial) = (size / 8, size % 8);
            builder.push_bytes(&bytes[..whole]);
            if partial > 0 {
                builder.push_number(u64::from(bytes[whole]), partial);
            }
        }
    }
}

/// Appends whole bytes from the least significant on, then the remaining bits of the last.
fn push_little(builder: &mut BitBuilder, number: u64, size: usize) {
    let partial = size % 8;
    let whole = size - partial;
    if whole > 0 {
        builder.push_number(number.swap_bytes() >> (64 - whole), whole);
    }
    if partial > 0 {
        builder.push_number(number >> whole, partial);
    }
}

fn low_limb(value: Word) -> u64 {
    match (value.as_small(), value.as_limbs()) {
        (Some(small), _) => small as u64,
        (None, Some((negative, limbs))) => {
            let low = limbs.first().copied().unwrap_or(0);
            if negative { low.wrapping_neg() } else { low }
        }
        (None, None) => 0,
    }
}

/// Returns the two's complement of `count` bytes, the least significant first.
fn little_endian_bytes(value: Word, count: usize) -> Vec<u8> {
    let small;
    let (negative, limbs): (bool, &[u64]) = match (value.as_small(), value.as_limbs()) {
        (Some(number), _) => {
            small = [number.unsigned_abs()];
            (number < 0, &small)
        }
        (None, Some(limbs)) => limbs,
        (None, None) => (false, &[]),
    };
    let mut bytes: Vec<u8> = Vec::with_capacity(count.next_multiple_of(8));
    let mut carry = negative;
    for limb in limbs.iter().take(count.div_ceil(8)) {
        // -n = !n + 1, with the carry going from limb to limb.
        let limb = if negative {
            let (sum, overflow) = (!limb).overflowing_add(u64::from(carry));
            carry = overflow;
            sum
        } else {
            *limb
        };
        bytes.extend_from_slice(&limb.to_le_bytes());
    }
    bytes.resize(count, if negative { 0xff } else { 0 });
    bytes
}

/// Returns the first code point of `bits` and its length in bits.
fn read_code_point(bits: BitsRef<'_>, segment: Segment) -> Option<(u32, usize)> {
    match segment.kind {
        BitKind::Utf8 => read_utf8(bits),
        BitKind::Utf16 => {
            let unit = |at: usize| {
                (bits.len() >= at + 16).then(|| in_order(bits.read(at, 16), 16, endianness(segment.endian)) as u32)
            };
            match unit(0)? {
                high @ 0xd800..=0xdbff => match unit(16)? {
                    low @ 0xdc00..=0xdfff => Some((0x10000 + ((high - 0xd800) << 10 | (low - 0xdc00)), 32)),
                    _ => None,
                },
                0xdc00..=0xdfff => None,
                code => Some((code, 16)),
            }
        }
        BitKind::Utf32 => {
            if bits.len() < 32 {
                return None;
            }
            let code = in_order(bits.read(0, 32), 32, endianness(segment.endian)) as u32;
            char::from_u32(code).map(|_| (code, 32))
        }
        BitKind::Integer | BitKind::Float | BitKind::Bits => None,
    }
}

fn read_utf8(bits: BitsRef<'_>) -> Option<(u32, usize)> {
    if bits.len() < 8 {
        return None;
    }
    let first = bits.read(0, 8) as u8;
    if first < 0x80 {
        return Some((u32::from(first), 8));
    }
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    if bits.len() < length * 8 {
        return None;
    }
    let bytes = ((bits.read(0, length * 8) as u32) << (32 - length * 8)).to_be_bytes();
    // The standard library detects overlong forms, surrogates and code points that are too large.
    let text = std::str::from_utf8(&bytes[..length]).ok()?;
    text.chars().next().map(|code| (u32::from(code), length * 8))
}

fn push_code_point(builder: &mut BitBuilder, value: Word, segment: Segment) -> Option<()> {
    let code = value.as_small().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32)?;
    match segment.kind {
        BitKind::Utf8 => builder.push_bytes(code.encode_utf8(&mut [0; 4]).as_bytes()),
        BitKind::Utf16 => {
            for unit in code.encode_utf16(&mut [0; 2]) {
                builder.push_number(in_order(u64::from(*unit), 16, endianness(segment.endian)), 16);
            }
        }
        BitKind::Utf32 => {
            builder.push_number(in_order(u64::from(u32::from(code)), 32, endianness(segment.endian)), 32);
        }
        BitKind::Integer | BitKind::Float | BitKind::Bits => return None,
    }
    Some(())
}
