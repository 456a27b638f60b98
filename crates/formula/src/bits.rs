//! Numbers in concrete bitstrings, at any bit.

use crate::number;
use crate::terms::NumberFormat;
use num_bigint::{BigInt, Sign};
use term::{Bits, Term};

/// The length of the longest bitstring that a formula can describe; longer ones have no value.
const MAX_BITS: usize = 1 << 30;

/// Reads the number from bit `at` on that is `size` bits wide.
pub(crate) fn read_number(bits: &Bits, at: usize, size: usize, format: NumberFormat) -> Option<Term> {
    at.checked_add(size).filter(|end| *end <= bits.bit_length())?;
    match format {
        NumberFormat::Integer { signed, little } => {
            if size == 0 {
                return Some(Term::Int(0));
            }
            let magnitude = if little { little_endian(bits, at, size) } else { big_endian(bits, at, size) };
            let negative = signed && magnitude.bit(size as u64 - 1);
            Some(Term::integer(if negative { magnitude - (BigInt::from(1) << size) } else { magnitude }))
        }
        NumberFormat::Float { little } => {
            let mut bytes = slice(bits, at, size)?.bytes().to_vec();
            if little {
                bytes.reverse();
            }
            let value = match *bytes.as_slice() {
                [] => 0.0,
                [a, b] if size == 16 => half_to_f64(u16::from_be_bytes([a, b])),
                [a, b, c, d] if size == 32 => f64::from(f32::from_be_bytes([a, b, c, d])),
                [a, b, c, d, e, f, g, h] if size == 64 => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
                _ => return None,
            };
            // The BEAM has no floats that are not finite.
            value.is_finite().then_some(Term::Float(value))
        }
    }
}

/// Returns `size` bits from bit `at` on.
pub(crate) fn slice(bits: &Bits, at: usize, size: usize) -> Option<Bits> {
    at.checked_add(size).filter(|end| *end <= bits.bit_length())?;
    let mut writer = Writer::default();
    writer.push_bits(bits, at, size);
    Some(writer.finish())
}

/// A bitstring that is being built from its parts.
#[derive(Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    length: usize,
}

impl Writer {
    pub(crate) fn finish(self) -> Bits {
        Bits::new(self.bytes, self.length)
    }

    /// Appends the low `size` bits of an integer, or a float. Returns `None` if the value is not of that format, or if
    /// the bitstring would be too long.
    pub(crate) fn push_number(&mut self, value: &Term, size: usize, format: NumberFormat) -> Option<()> {
        self.length.checked_add(size).filter(|length| *length <= MAX_BITS)?;
        match format {
            NumberFormat::Integer { little, .. } => {
                let mut bytes = two_s_complement(value, size.div_ceil(8))?;
                if little {
                    // Whole bytes, the least significant first, then the remaining bits of the last byte.
                    if let (Some(last), partial @ 1..) = (bytes.last_mut(), size % 8) {
                        *last <<= 8 - partial;
                    }
                    self.push_bytes(&bytes, 0, size);
                } else {
                    bytes.reverse();
                    self.push_bytes(&bytes, bytes.len() * 8 - size, size);
                }
            }
            NumberFormat::Float { little } => {
                let mut bytes = match size {
                    16 => half_from_f64(number::to_float(value)?).to_be_bytes().to_vec(),
                    32 => to_f32(value)?.to_be_bytes().to_vec(),
                    64 => number::to_float(value)?.to_be_bytes().to_vec(),
                    _ => return None,
                };
                if little {
                    bytes.reverse();
                }
                self.push_bytes(&bytes, 0, size);
            }
        }
        Some(())
    }

    /// Appends `size` bits from bit `at` on. Returns `None` if there are not that many, or if the bitstring would be
    /// too long.
    pub(crate) fn push_bits(&mut self, bits: &Bits, at: usize, size: usize) -> Option<()> {
        at.checked_add(size).filter(|end| *end <= bits.bit_length())?;
        self.length.checked_add(size).filter(|length| *length <= MAX_BITS)?;
        self.push_bytes(bits.bytes(), at, size);
        Some(())
    }

    fn push_bytes(&mut self, bytes: &[u8], at: usize, size: usize) {
        let mut done = 0;
        while done < size {
            let from = at + done;
            let offset = from % 8;
            let high = bytes[from / 8] << offset;
            let low = if offset == 0 { 0 } else { bytes.get(from / 8 + 1).copied().unwrap_or(0) >> (8 - offset) };
            let count = (size - done).min(8);
            self.push_byte((high | low) & !(0xffu16 >> count) as u8, count);
            done += count;
        }
    }

    /// Appends the `count` high bits of `byte`, whose other bits are zero.
    fn push_byte(&mut self, byte: u8, count: usize) {
        let used = self.length % 8;
        match self.bytes.last_mut() {
            Some(last) if used > 0 => {
                *last |= byte >> used;
                if used + count > 8 {
                    self.bytes.push(byte << (8 - used));
                }
            }
            _ => self.bytes.push(byte),
        }
        self.length += count;
    }
}

fn big_endian(bits: &Bits, at: usize, size: usize) -> BigInt {
    let end = at + size;
    let (first, last) = (at / 8, end.div_ceil(8));
    let mut bytes = bits.bytes()[first..last].to_vec();
    if let Some(byte) = bytes.first_mut() {
        *byte &= 0xff >> (at % 8);
    }
    BigInt::from_bytes_be(Sign::Plus, &bytes) >> (last * 8 - end)
}

/// Reads whole bytes, the least significant first; an incomplete last byte holds the most significant bits.
fn little_endian(bits: &Bits, at: usize, size: usize) -> BigInt {
    let mut writer = Writer::default();
    writer.push_bytes(bits.bytes(), at, size);
    let mut bytes = writer.bytes;
    if let (Some(last), partial @ 1..) = (bytes.last_mut(), size % 8) {
        *last >>= 8 - partial;
    }
    BigInt::from_bytes_le(Sign::Plus, &bytes)
}

/// Returns the two's complement of an integer in `count` bytes, the least significant first.
fn two_s_complement(value: &Term, count: usize) -> Option<Vec<u8>> {
    let value = number::integer(value)?;
    let mut bytes = value.to_signed_bytes_le();
    bytes.resize(count, if value.sign() == Sign::Minus { 0xff } else { 0 });
    Some(bytes)
}

/// Rounds machine integers once, and longer ones by way of a double, as the BEAM does.
fn to_f32(value: &Term) -> Option<f32> {
    const MACHINE_INTEGER: i64 = 1 << 59;
    match value {
        Term::Int(small) if (-MACHINE_INTEGER..MACHINE_INTEGER).contains(small) => Some(*small as f32),
        _ => number::to_float(value).map(|value| value as f32),
    }
}

/// Converts a float of 16 bits (one sign, five exponent and ten fraction bits) exactly.
fn half_to_f64(half: u16) -> f64 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff));
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        0x1f if half & 0x3ff == 0 => sign * f64::INFINITY,
        0x1f => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// Returns the nearest float of 16 bits, the even one of two, or infinity if the value is too large.
fn half_from_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    let magnitude = value.abs();
    // Halfway between the largest float of 16 bits and the one that would follow.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    // In steps of the last place at this exponent; small values share the steps of the smallest one.
    let step = exponent.max(-14) - 10;
    let steps = (magnitude * 2f64.powi(-step)).round_ties_even() as u16;
    // A value that rounds up to the next power of two carries into the exponent by itself.
    let base = (exponent.max(-14) + 14) as u16;
    sign | (steps + (base << 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIG: NumberFormat = NumberFormat::Integer { signed: false, little: false };
    const LITTLE: NumberFormat = NumberFormat::Integer { signed: false, little: true };
    const SIGNED: NumberFormat = NumberFormat::Integer { signed: true, little: false };

    fn written(value: Term, size: usize, format: NumberFormat) -> Option<Bits> {
        let mut writer = Writer::default();
        writer.push_number(&value, size, format)?;
        Some(writer.finish())
    }

    /// As the BEAM shows them: `<<258:12/little>>` is `<<2,1:4>>`.
    #[test]
    fn odd_sizes() {
        let is = |bits: Option<Bits>, bytes: &[u8], length: usize| {
            assert_eq!(bits, Some(Bits::new(bytes.to_vec(), length)));
        };
        is(written(Term::Int(258), 12, LITTLE), &[2, 0x10], 12);
        is(written(Term::Int(258), 12, BIG), &[0x10, 0x20], 12);
        is(written(Term::Int(-1), 70, BIG), &[0xff; 9], 70);
        is(written(Term::Int(-2), 9, LITTLE), &[0xfe, 0x80], 9);
        is(written(Term::Int(5), 0, BIG), &[], 0);
        is(written(Term::Float(0.1), 16, NumberFormat::Float { little: false }), b".f", 16);
    }

    #[test]
    fn what_was_written_is_read_again() {
        for at in 0..9usize {
            for size in 0..80usize {
                for value in [0i64, 1, -1, 77, -12345, i64::MAX, i64::MIN] {
                    for format in [BIG, LITTLE, SIGNED, NumberFormat::Integer { signed: true, little: true }] {
                        let mut writer = Writer::default();
                        writer.push_number(&Term::Int(-1), at, BIG);
                        writer.push_number(&Term::Int(value), size, format);
                        writer.push_number(&Term::Int(-1), 5, BIG);
                        let bits = writer.finish();
                        let signed = matches!(format, NumberFormat::Integer { signed: true, .. });
                        let modulus = BigInt::from(1) << size;
                        let mut expected = ((BigInt::from(value) % &modulus) + &modulus) % &modulus;
                        if signed && size > 0 && expected.bit(size as u64 - 1) {
                            expected -= &modulus;
                        }
                        assert_eq!(
                            read_number(&bits, at, size, format),
                            Some(Term::integer(expected)),
                            "{value} at {at}, {size} bits, {format:?}"
                        );
                    }
                }
            }
        }
    }
}
