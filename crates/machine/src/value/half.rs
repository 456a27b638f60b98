//! Floats of 16 bits: one sign bit, five exponent bits and ten fraction bits.

/// Returns the value, which is exact: every short float is a double.
pub fn to_f64(half: u16) -> f64 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff));
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        0x1f if half & 0x3ff == 0 => sign * f64::INFINITY,
        0x1f => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// Returns the nearest short float, the even one of two; infinity if the value is too large.
pub fn from_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 63) as u16) << 15;
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    // The middle between the largest short float and the next one that would follow.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    // The magnitude in units of the last place at this exponent; small values share the units of the smallest one.
    let step = exponent.max(-14) - 10;
    let steps = (magnitude * 2f64.powi(-step)).round_ties_even() as u16;
    // A value that rounds up to the next power of two carries into the exponent by itself.
    let base = (exponent.max(-14) + 14) as u16;
    sign | (steps + (base << 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_short_float_survives() {
        for half in 0..=u16::MAX {
            let value = to_f64(half);
            if !value.is_nan() {
                assert_eq!(from_f64(value), half, "{half:#x}");
            }
        }
    }

    /// The right-hand sides are OTP 25's `<<X:16/float>>`.
    #[test]
    fn rounding_is_to_the_nearest_and_even() {
        let known: &[(f64, u16)] = &[
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (3.5e38, 0x7c00),
            (-7.0e4, 0xfc00),
            (1.0e-8, 0),
            (2.98e-8, 0),
            (5.96e-8, 1),
            (1.0e-5, 168),
            (0.1, 0x2e66),
            (1.0009765625, 0x3c01),
            (1.00048828125, 0x3c00),
            (1.0004882812500002, 0x3c01),
        ];
        for (value, half) in known {
            assert_eq!(from_f64(*value), *half, "{value}");
        }
    }
}
