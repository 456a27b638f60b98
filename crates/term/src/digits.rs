//! Conversion between integers of any length and digits.
//!
//! Both directions divide the number into halves, so that long numbers are multiplied, never divided or added up digit
//! by digit: the time grows with that of a multiplication, which is far below the square of the length. A division by a
//! power of the base is a multiplication by its reciprocal, which Newton's iteration computes from the reciprocal of
//! its upper half.

use crate::work;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;

/// The number of bits up to which the ordinary algorithm is as fast.
const SHORT: u64 = 8_192;

/// Returns the digits of `value` in a base from 2 to 36, in lower case, with a minus sign if it is negative.
pub fn text(value: &BigInt, base: u32) -> String {
    if value.bits() <= SHORT || base.is_power_of_two() {
        return value.to_str_radix(base);
    }
    // Each power has twice the exponent of the one before; the last has more than half of the digits.
    let first = (SHORT as f64 / f64::from(base).log2()) as u32 / 2;
    let mut powers = vec![Power::new(BigUint::from(base).pow(first), first as usize)];
    while let Some(last) = powers.last().filter(|last| last.value.bits() * 2 <= value.bits() + 1) {
        powers.push(Power::new(&last.value * &last.value, last.digits * 2));
    }
    let mut text = Vec::with_capacity((value.bits() as f64 / f64::from(base).log2()) as usize + 2);
    append(value.magnitude(), base, &mut powers, 0, &mut text);
    let mut text = String::from_utf8(text).unwrap_or_default();
    if value.sign() == Sign::Minus {
        text.insert(0, '-');
    }
    text
}

/// A power of the base and, once it is needed, its reciprocal: approximately 2^(2 * bits) divided by the power.
struct Power {
    value: BigUint,
    digits: usize,
    reciprocal: Option<BigUint>,
}

impl Power {
    fn new(value: BigUint, digits: usize) -> Power {
        Power { value, digits, reciprocal: None }
    }

    /// Returns quotient and remainder of a number that is less than the square of the power.
    fn divide(&mut self, number: &BigUint) -> (BigUint, BigUint) {
        let power = &self.value;
        if number < power {
            return (BigUint::zero(), number.clone());
        }
        let reciprocal = self.reciprocal.get_or_insert_with(|| reciprocal(power));
        let mut quotient = (number * &*reciprocal) >> (2 * power.bits());
        // The quotient is off by a little, in either direction.
        let mut product = &quotient * power;
        while product > *number {
            quotient -= 1u32;
            product -= power;
        }
        let mut rest = number - product;
        while rest >= *power {
            quotient += 1u32;
            rest -= power;
        }
        (quotient, rest)
    }
}

fn reciprocal(power: &BigUint) -> BigUint {
    let bits = power.bits();
    if bits <= SHORT {
        return (BigUint::from(1u32) << (2 * bits)) / power;
    }
    work::tick();
    let upper = bits / 2 + 2;
    let rough = reciprocal(&(power >> (bits - upper))) << (bits - upper);
    // r + r (1 - p r): squares the relative error.
    let square = (power * &rough * &rough) >> (2 * bits);
    (rough << 1u32) - square
}

/// Appends the digits of a number, padded with zeros to `width`.
fn append(number: &BigUint, base: u32, powers: &mut [Power], width: usize, text: &mut Vec<u8>) {
    work::tick();
    let Some((power, lower)) = powers.split_last_mut().filter(|_| number.bits() > SHORT || width > 0) else {
        let digits = number.to_str_radix(base).into_bytes();
        text.extend(std::iter::repeat_n(b'0', width.saturating_sub(digits.len())));
        text.extend(digits);
        return;
    };
    let digits = power.digits;
    let (high, low) = power.divide(number);
    if width == 0 && high.is_zero() {
        return append(&low, base, lower, 0, text);
    }
    append(&high, base, lower, width.saturating_sub(digits), text);
    append(&low, base, lower, digits, text);
}

/// Reads digits in a base from 2 to 36, in either case and without a sign. Returns `None` if there are no digits or if
/// one is not a digit of the base.
pub fn read(digits: &[u8], base: u32) -> Option<BigUint> {
    let values: Option<Vec<u8>> =
        digits.iter().map(|digit| char::from(*digit).to_digit(base).map(|value| value as u8)).collect();
    values.filter(|values| !values.is_empty()).map(|values| from_values(&values, base))
}

/// Returns the number whose digits have these values.
pub fn from_values(values: &[u8], base: u32) -> BigUint {
    const FEW: usize = 512;
    let mut powers = vec![BigUint::from(base).pow(FEW as u32)];
    while FEW << powers.len() < values.len() {
        powers.extend(powers.last().map(|last| last * last));
    }
    from_parts(values, base, &powers, FEW)
}

fn from_parts(values: &[u8], base: u32, powers: &[BigUint], few: usize) -> BigUint {
    work::tick();
    let Some((power, lower)) = powers.split_last().filter(|_| values.len() > few) else {
        return BigUint::from_radix_be(values, base).unwrap_or_default();
    };
    let width = few << lower.len();
    let Some(upper) = values.len().checked_sub(width).filter(|upper| *upper > 0) else {
        return from_parts(values, base, lower, few);
    };
    let (high, low) = values.split_at(upper);
    from_parts(high, base, lower, few) * power + from_parts(low, base, lower, few)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_written_and_read_as_short_ones_are() {
        for bits in [0u32, 1, 63, 64, 8_191, 8_192, 8_193, 16_384, 20_000, 33_333, 70_000, 200_000] {
            for base in [2, 7, 10, 16, 36] {
                let power = BigInt::from(1) << bits;
                let pattern = (BigInt::from(1) << bits) / 7 + 12_345;
                let exact = BigInt::from(base).pow(bits / 7);
                for value in [power.clone(), &power - 1, pattern, exact.clone(), &exact - 1, exact + 1] {
                    let written = text(&value, base);
                    assert_eq!(written, value.to_str_radix(base), "{bits} bits in base {base}");
                    assert_eq!(text(&-&value, base), (-&value).to_str_radix(base));
                    assert_eq!(read(written.as_bytes(), base).map(BigInt::from), Some(value));
                }
            }
        }
        assert_eq!((read(b"", 10), read(b"1x", 10), read(b"-1", 10)), (None, None, None));
        assert_eq!(read(b"FfF", 16), Some(BigUint::from(0xfff_u32)));
    }

    /// Three million digits take a moment; with a time that grows with the square, minutes in this profile.
    #[test]
    fn millions_of_digits_are_nothing_special() {
        let digits = "7".repeat(3_000_000);
        let value = read(digits.as_bytes(), 10).map(BigInt::from).expect("a number");
        assert_eq!(text(&value, 10), digits);
    }
}
