//! Floats as text: the shortest digits that read back as the same double, in Erlang's layout.
//!
//! The layout rule (`float_to_list(F, [short])`): plain decimals if they are no longer than the scientific form and
//! below 2^53, above which a plain decimal would suggest digits that a double does not have. There is always a digit on
//! both sides of the point.

/// Returns text that Erlang reads back. Infinities and NaN, which are no Erlang terms, print as in Rust.
pub fn float_text(value: f64) -> String {
    const LARGEST_PLAIN: f64 = 9_007_199_254_740_992.0;
    if !value.is_finite() {
        return value.to_string();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, exponent) = shortest_digits(magnitude);
    let body =
        if magnitude >= LARGEST_PLAIN { scientific(&digits, exponent) } else { plain_if_no_longer(&digits, exponent) };
    format!("{sign}{body}")
}

/// Returns the digits `d1 d2 … dn` and the exponent `e` of `d1.d2…dn × 10^e`, with n as small as round-tripping allows.
fn shortest_digits(magnitude: f64) -> (String, i32) {
    let (digits, exponent) = split(&format!("{magnitude:e}"));
    match even_neighbour(magnitude, &digits) {
        Some(even) => (even, exponent),
        None => (digits, exponent),
    }
}

fn split(scientific: &str) -> (String, i32) {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

/// Returns the even one of two shortest texts if a value is exactly halfway between them, where Rust takes the upper:
/// 1052453841373028.25 is 1052453841373028.2.
fn even_neighbour(magnitude: f64, digits: &str) -> Option<String> {
    /// The maximum number of significant digits of a double.
    const ALL_DIGITS: usize = 770;
    let is_odd = digits.bytes().last().is_some_and(|digit| digit % 2 == 1);
    let halfway = |precision: usize| {
        let (exact, _) = split(&format!("{magnitude:.precision$e}"));
        let (kept, dropped) = exact.split_at(digits.len());
        let is_half = dropped.starts_with('5') && dropped[1..].bytes().all(|digit| digit == b'0');
        is_half.then(|| kept.to_owned())
    };
    // A few digits suffice to exclude nearly every value.
    if !is_odd || halfway(digits.len() + 3).is_none() {
        return None;
    }
    let lower = halfway(ALL_DIGITS)?;
    let (_, exponent) = split(&format!("{magnitude:e}"));
    let reads_back = scientific(&lower, exponent).parse() == Ok(magnitude);
    (lower != digits && reads_back).then_some(lower)
}

fn scientific(digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at(1);
    format!("{first}.{}e{exponent}", if rest.is_empty() { "0" } else { rest })
}

fn plain_if_no_longer(digits: &str, exponent: i32) -> String {
    let count = digits.len() as i32;
    let point = exponent + 1;
    // The characters that the scientific form adds to the digits: the `e`, the exponent, the point, and a zero after
    // the point if there is only one digit.
    let scientific_cost = exponent.to_string().len() as i32 + 1 + if count == 1 { 2 } else { 1 };
    if point < 0 {
        if 2 - point <= scientific_cost {
            return format!("0.{}{digits}", "0".repeat(-point as usize));
        }
    } else if point == 0 {
        return format!("0.{digits}");
    } else if point < count {
        let (whole, fraction) = digits.split_at(point as usize);
        return format!("{whole}.{fraction}");
    } else if point - count + 2 <= scientific_cost {
        return format!("{digits}{}.0", "0".repeat((point - count) as usize));
    }
    scientific(digits, exponent)
}
