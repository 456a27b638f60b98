//! Construction of bitstrings.

use program::{BitKind, Endian};
use term::{BigInt, Bits};

#[derive(Default)]
pub struct BitString {
    bytes: Vec<u8>,
    length: usize,
}

impl BitString {
    pub fn length(&self) -> usize {
        self.length
    }

    pub fn finish(self) -> Bits {
        Bits::new(self.bytes, self.length)
    }

    /// Appends the low `size` bits of `value`. Little-endian order is whole bytes from the lowest on, then the
    /// remaining bits of the highest.
    pub fn integer(&mut self, value: &BigInt, size: usize, endian: Endian) -> bool {
        // Two's complement, lowest byte first, extended to the size by the sign.
        let fill = if value.sign() == num_bigint::Sign::Minus { 0xff } else { 0 };
        let mut bytes = value.to_signed_bytes_le();
        bytes.resize(size.div_ceil(8), fill);
        let partial = size % 8;
        let is_little = match endian {
            Endian::Big => false,
            Endian::Little => true,
            Endian::Native => cfg!(target_endian = "little"),
        };
        let highest = if partial > 0 { bytes.pop() } else { None };
        if !is_little {
            highest.into_iter().for_each(|byte| self.low_bits(byte, partial));
            bytes.iter().rev().for_each(|byte| self.low_bits(*byte, 8));
        } else {
            bytes.iter().for_each(|byte| self.low_bits(*byte, 8));
            highest.into_iter().for_each(|byte| self.low_bits(byte, partial));
        }
        true
    }

    pub fn float(&mut self, value: f64, size: usize, endian: Endian) -> bool {
        let image = match size {
            16 => u64::from(half_precision(value as f32)),
            32 => u64::from((value as f32).to_bits()),
            64 => value.to_bits(),
            _ => return false,
        };
        self.integer(&BigInt::from(image), size, endian)
    }

    /// Appends all of `value` if its length is a multiple of the unit, or its first `size` bits.
    pub fn bits(&mut self, value: &Bits, size: Option<usize>, unit: u16) -> bool {
        let size = match size {
            Some(size) if size <= value.bit_length() => size,
            None if value.bit_length().is_multiple_of(unit.into()) => value.bit_length(),
            _ => return false,
        };
        for (index, byte) in value.bytes().iter().take(size.div_ceil(8)).enumerate() {
            let count = (size - index * 8).min(8);
            self.low_bits(byte >> (8 - count), count);
        }
        true
    }

    pub fn character(&mut self, c: char, kind: BitKind, endian: Endian) -> bool {
        match kind {
            BitKind::Utf8 => {
                let mut buffer = [0; 4];
                c.encode_utf8(&mut buffer).bytes().for_each(|byte| self.low_bits(byte, 8));
                true
            }
            BitKind::Utf16 => {
                let mut buffer = [0; 2];
                c.encode_utf16(&mut buffer).iter().all(|unit| self.integer(&BigInt::from(*unit), 16, endian))
            }
            BitKind::Utf32 => self.integer(&BigInt::from(c as u32), 32, endian),
            BitKind::Integer | BitKind::Float | BitKind::Bits => false,
        }
    }

    fn low_bits(&mut self, byte: u8, count: usize) {
        let value = u16::from(byte) & ((1 << count) - 1);
        let used = self.length % 8;
        if used == 0 {
            self.bytes.push(0);
        }
        // Sixteen bits contain the part in the last byte and the part that goes into the next one.
        let shifted = value << (16 - count - used);
        if let Some(last) = self.bytes.last_mut() {
            *last |= (shifted >> 8) as u8;
        }
        if used + count > 8 {
            self.bytes.push(shifted as u8);
        }
        self.length += count;
    }
}

/// Converts to IEEE 754 binary16, rounded to nearest, ties to even.
fn half_precision(value: f32) -> u16 {
    let image = value.to_bits();
    let sign = ((image >> 16) & 0x8000) as u16;
    let magnitude = image & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    if magnitude >= 0x4780_0000 {
        return sign | 0x7c00;
    }
    if magnitude < 0x3300_0000 {
        return sign;
    }
    let exponent = (magnitude >> 23) as i32 - 127;
    let (mantissa, dropped) = if exponent >= -14 {
        (magnitude - ((127 - 15) << 23), 13)
    } else {
        ((magnitude & 0x007f_ffff) | 0x0080_0000, (13 + (-14 - exponent)) as u32)
    };
    let half = 1u32 << (dropped - 1);
    let rest = mantissa & ((1 << dropped) - 1);
    let kept = mantissa >> dropped;
    let up = rest > half || (rest == half && kept & 1 == 1);
    sign | (kept + u32::from(up)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_rounds_to_nearest_even() {
        let cases = [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (6.103_515_6e-5, 0x0400),
            (5.960_464_5e-8, 0x0001),
            (2.980_232_2e-8, 0x0000),
            (2.980_232_6e-8, 0x0001),
            (0.0, 0),
            (1.000_488_3, 0x3c00),
            (1.000_976_6, 0x3c01),
        ];
        for (value, expected) in cases {
            assert_eq!(half_precision(value), expected, "{value}");
        }
    }
}
