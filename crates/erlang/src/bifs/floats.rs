//! Conversion of floats to text and back.

use super::kinds::as_beam_small;
use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word, list_items};
use std::fmt::Write;
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang" by Arguments;
        "float_to_list" (Float) -> List, badarg, float_to_list, Term(meaning::float_to_list);
        "float_to_list" (Float, Any) -> List, badarg, float_to_list, Sampled;
        "float_to_binary" (Float) -> Binary, badarg, float_to_binary, Term(meaning::float_to_binary);
        "float_to_binary" (Float, Any) -> Binary, badarg, float_to_binary, Sampled;
        "list_to_float" (ProperList) -> Float, badarg, list_to_float, PartialOver(meaning::DEEP, meaning::list_is_float, meaning::list_to_float);
        "binary_to_float" (Binary) -> Float, badarg, binary_to_float, Partial(meaning::binary_is_float, meaning::binary_to_float);
    },
    rows! {"string" by Arguments;
        "list_to_float" (Any) -> Tuple, badarg, list_to_float_and_rest, Prelude("read_float");
    },
];

fn float_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match float_text(args) {
        Some(text) => Ok(context.heap.string(&text)),
        None => Err(badarg(context, args)),
    }
}

fn float_to_binary(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match float_text(args) {
        Some(text) => Ok(context.heap.binary(text.as_bytes())),
        None => Err(badarg(context, args)),
    }
}

#[derive(Clone, Copy)]
enum Format {
    Short,
    Decimals(i32),
    Scientific(i32),
}

/// Returns the text of a float; `None` for wrong options and for text that is too long for the BEAM's buffer.
fn float_text(args: &[Word]) -> Option<String> {
    const ROOM: usize = 256;
    let value = args[0].as_float()?;
    let mut format = Format::Scientific(20);
    let mut compact = false;
    for option in args.get(1).map_or(Some(Vec::new()), |options| list_items(*options))? {
        let option = option.concrete();
        match (option.as_atom().map(Atom::text), option.as_tuple()) {
            (Some("compact"), _) => compact = true,
            (Some("short"), _) => format = Format::Short,
            (None, Some(&[name, count])) => {
                // As in C, only the low 32 bits of the count are used.
                let count = as_beam_small(count.concrete())? as i32;
                format = match name.concrete().as_atom()?.text() {
                    "decimals" => Format::Decimals(count),
                    "scientific" => Format::Scientific(count),
                    _ => return None,
                };
            }
            _ => return None,
        }
    }
    let text = match format {
        Format::Short => short_text(value),
        Format::Decimals(decimals) => decimal_text(value, usize::try_from(decimals).ok()?, compact, ROOM)?,
        Format::Scientific(decimals) => scientific_text(value, decimals, ROOM)?,
    };
    (text.len() < ROOM).then_some(text)
}

/// Returns the shortest text that reads as the same float.
pub fn short_text(value: f64) -> String {
    let (digits, exponent) = shortest_digits(value.abs());
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let count = digits.len() as i32;
    if is_short_as_decimals(&digits, exponent) {
        return if exponent >= 0 {
            format!("{sign}{digits}{}.0", "0".repeat(exponent as usize))
        } else if -exponent < count {
            let (whole, fraction) = digits.split_at((count + exponent) as usize);
            format!("{sign}{whole}.{fraction}")
        } else {
            format!("{sign}0.{}{digits}", "0".repeat((-exponent - count) as usize))
        };
    }
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    format!("{sign}{first}.{rest}e{}", exponent + count - 1)
}

/// Returns the fewest digits that identify the float, and the power of ten of the last one.
fn shortest_digits(value: f64) -> (String, i32) {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let fraction = digits.len() as i32 - 1;
    (digits, exponent.parse().unwrap_or(0) - fraction)
}

/// Returns whether the notation without an exponent is used because it is shorter. Integers from 2^53 on, where not
/// every integer is a float, always get an exponent.
fn is_short_as_decimals(digits: &str, exponent: i32) -> bool {
    const EXACT: u64 = 1 << 53;
    let count = digits.len() as i32;
    let (lowest, highest) = match count {
        1 => (-4, 2),
        _ if exponent + count > 10 => (-(count + 2), 2),
        _ => (-(count + 2), 1),
    };
    if !(lowest..=highest).contains(&exponent) {
        return false;
    }
    let number: u64 = digits.parse().unwrap_or(u64::MAX);
    match exponent {
        0 => number < EXACT,
        1 => number <= EXACT / 2 / 5,
        2 => number <= EXACT / 4 / 25,
        _ => true,
    }
}

/// Writes a float with decimals. As on the BEAM, up to 18 decimals are computed in floating point, and more are exact.
/// `compact` drops zeros at the end, except one directly after the point; in a text without a point it drops the zeros
/// at the end of the integer.
fn decimal_text(value: f64, decimals: usize, compact: bool, room: usize) -> Option<String> {
    const LARGE: f64 = (1u64 << 53) as f64;
    const MAX_FAST: usize = 18;
    if decimals >= room {
        return None;
    }
    let magnitude = value.abs();
    if magnitude > LARGE || decimals > MAX_FAST {
        let text = format!("{value:.decimals$}");
        // A text that is too long is refused even if it would fit after the zeros are dropped.
        let fits = text.len() < room;
        return fits.then(|| if compact { without_zeros(text) } else { text });
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if decimals == 0 {
        return Some(format!("{sign}{}", magnitude.round() as u64));
    }
    let scale = 10f64.powi(decimals as i32);
    let (mut whole, mut fraction) = (magnitude.floor(), ((magnitude - magnitude.floor()) * scale).round());
    if fraction >= scale {
        (whole, fraction) = (whole + 1.0, 0.0);
    }
    let text = format!("{sign}{}.{:0decimals$}", whole as u64, fraction as u64);
    Some(if compact { without_zeros(text) } else { text })
}

fn without_zeros(mut text: String) -> String {
    while text.ends_with('0') {
        text.pop();
    }
    if text.ends_with('.') {
        text.push('0');
    }
    text
}

/// Writes a float as C's `%e` does, which takes a negative number of decimals as six.
fn scientific_text(value: f64, decimals: i32, room: usize) -> Option<String> {
    let decimals = usize::try_from(decimals).unwrap_or(6);
    if decimals >= room {
        return None;
    }
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let mut result = String::from(mantissa);
    write!(result, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()).ok()?;
    Some(result)
}

fn list_to_float(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let byte = |word: Word| word.concrete().as_small().and_then(|code| u8::try_from(code).ok());
    let bytes = list_items(args[0]).and_then(|items| items.into_iter().map(byte).collect::<Option<Vec<u8>>>());
    match bytes.and_then(|bytes| whole_float(&bytes)) {
        Some(value) => Ok(context.heap.float(value)),
        None => Err(badarg(context, args)),
    }
}

fn binary_to_float(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].as_bits().and_then(|bits| whole_float(&bits.to_bytes())) {
        Some(value) => Ok(context.heap.float(value)),
        None => Err(badarg(context, args)),
    }
}

/// Reads a float. A zero byte ends the text, as in C.
fn whole_float(bytes: &[u8]) -> Option<f64> {
    let text = bytes.split(|byte| *byte == 0).next()?;
    let prefix = FloatPrefix::of(text.iter().copied())?;
    (prefix.length == text.len()).then(|| prefix.value())?
}

/// Returns `{Float, Rest}` or `{error, Reason}`.
fn list_to_float_and_rest(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut rest = args[0];
    let codes = std::iter::from_fn(|| {
        let code = rest.is_cons().then(|| rest.head().concrete().as_small())??;
        rest = rest.tail().concrete();
        u8::try_from(code).ok()
    });
    let found = FloatPrefix::of(codes).and_then(|prefix| Some((prefix.value()?, prefix.length)));
    let pair = match found {
        Some((value, length)) => {
            let rest = (0..length).fold(args[0], |rest, _| rest.tail().concrete());
            [context.heap.float(value), rest]
        }
        None if args[0].is_list() => [names::ERROR.into(), Atom::new("no_float").into()],
        None => [names::ERROR.into(), Atom::new("not_a_list").into()],
    };
    Ok(context.heap.tuple(&pair))
}

/// The longest prefix of a text that is a float: digits, a point or a comma, digits, and optionally an exponent.
struct FloatPrefix {
    text: String,
    length: usize,
}

impl FloatPrefix {
    fn of(bytes: impl Iterator<Item = u8>) -> Option<FloatPrefix> {
        let mut bytes = bytes.peekable();
        let mut text = String::new();
        let take_if = |bytes: &mut std::iter::Peekable<_>, text: &mut String, wanted: &dyn Fn(u8) -> bool| {
            let byte = bytes.next_if(|byte| wanted(*byte));
            text.extend(byte.map(char::from));
            byte.is_some()
        };
        let is_digit = |byte: u8| byte.is_ascii_digit();
        take_if(&mut bytes, &mut text, &|byte| matches!(byte, b'+' | b'-'));
        for separator in [true, false] {
            if !take_if(&mut bytes, &mut text, &is_digit) {
                return None;
            }
            while take_if(&mut bytes, &mut text, &is_digit) {}
            if separator && !take_if(&mut bytes, &mut text, &|byte| matches!(byte, b'.' | b',')) {
                return None;
            }
        }
        let without_exponent = text.len();
        if take_if(&mut bytes, &mut text, &|byte| matches!(byte, b'e' | b'E')) {
            take_if(&mut bytes, &mut text, &|byte| matches!(byte, b'+' | b'-'));
            if take_if(&mut bytes, &mut text, &is_digit) {
                while take_if(&mut bytes, &mut text, &is_digit) {}
            } else {
                text.truncate(without_exponent);
            }
        }
        let length = text.len();
        Some(FloatPrefix { text: text.replace(',', "."), length })
    }

    /// Returns the value; `None` if it is too large.
    fn value(&self) -> Option<f64> {
        self.text.parse().ok().filter(|value: &f64| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{Call, agree, everything, floats, grid};
    use term::Term;

    fn option(name: &str, value: i64) -> Term {
        Term::tuple(vec![Term::atom(name), Term::Int(value)])
    }

    /// Returns floats of all sizes, the same in every run, and some that are short.
    fn many_floats() -> Vec<Term> {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut values = floats();
        for _ in 0..1500 {
            let value = f64::from_bits(next());
            if value.is_finite() {
                values.push(Term::Float(value));
            }
            values.push(Term::Float((next() % 100_000) as f64 / 1000.0));
            values.push(Term::Float((next() % 2_000_000) as f64 * 10f64.powi((next() % 20) as i32 - 8)));
            values.push(Term::Float((next() >> (next() % 64)) as f64));
        }
        values
    }

    #[test]
    fn floats_as_text() {
        let short = Term::list(vec![Term::atom("short")]);
        let mut calls = Vec::new();
        for value in many_floats() {
            calls.push(Call { module: "erlang", function: "float_to_list", args: vec![value.clone(), short.clone()] });
            calls.push(Call { module: "erlang", function: "float_to_binary", args: vec![value] });
        }
        agree(&calls);
    }

    #[test]
    fn options_of_float_text() {
        let compact = Term::atom("compact");
        let mut lists = vec![Term::Nil, Term::list(vec![compact.clone()]), Term::atom("foo")];
        for count in [0, 1, 2, 4, 10, 18, 19, 25, 100, 249, 250, 253, 254, -1, 1 << 31, 1 << 32, (1 << 32) + 3] {
            lists.push(Term::list(vec![option("decimals", count)]));
            lists.push(Term::list(vec![option("decimals", count), compact.clone()]));
            lists.push(Term::list(vec![option("scientific", count)]));
        }
        lists.push(Term::list(vec![option("foo", 1)]));
        lists.push(Term::list(vec![option("decimals", 2), Term::atom("short"), option("scientific", 3)]));
        lists.push(Term::list_with_tail(vec![Term::atom("short")], Term::atom("x")));
        let mut calls = Vec::new();
        for value in many_floats().into_iter().step_by(25).chain(floats()) {
            for list in &lists {
                calls.push(Call {
                    module: "erlang",
                    function: "float_to_list",
                    args: vec![value.clone(), list.clone()],
                });
            }
        }
        let some: Vec<Term> = everything().into_iter().step_by(3).collect();
        calls.extend(grid("erlang", &[("float_to_list", 2), ("float_to_binary", 2)], &some));
        calls.extend(grid("erlang", &[("float_to_list", 1), ("float_to_binary", 1)], &everything()));
        agree(&calls);
    }

    #[test]
    fn text_as_floats() {
        let texts = [
            "1.0",
            "-1.0",
            "+1.0",
            "1,5",
            "1.",
            "1",
            ".5",
            "1e5",
            "1.0e5",
            "1.5E-7",
            "1.5e+3",
            "1.5e",
            "1.5e+",
            "1.5ex",
            "1.5e400",
            "1.0e-400",
            "2.5e-324",
            "2.4703282292062328e-324",
            " 1.0",
            "1.0 ",
            "1.0x",
            "1.5.5",
            "1.5e5e",
            "--1.0",
            "+-1.0",
            "00001.5",
            "1.5e00005",
            "",
            "-",
            "e",
            "1.5e-x",
            "1.5-3",
            "0.1",
            "123456789.123456789",
            "179769313486231580793728971405301.0e276",
            "179769313486231590000000000000000.0e276",
            "1.5e99999999999999",
        ];
        let mut calls = Vec::new();
        for text in texts {
            let (list, binary) = (Term::string(text), Term::binary(text.as_bytes().to_vec()));
            calls.push(Call { module: "erlang", function: "list_to_float", args: vec![list.clone()] });
            calls.push(Call { module: "string", function: "list_to_float", args: vec![list] });
            calls.push(Call { module: "erlang", function: "binary_to_float", args: vec![binary] });
        }
        for codes in [vec![49, 46, 48, 0, 120], vec![49, 46, 305], vec![49, 46, 53, 305], vec![49, 46, 53, 101, 305]] {
            let list = Term::list(codes.into_iter().map(Term::Int).collect::<Vec<_>>());
            calls.push(Call { module: "erlang", function: "list_to_float", args: vec![list.clone()] });
            calls.push(Call { module: "string", function: "list_to_float", args: vec![list] });
        }
        let improper = Term::list_with_tail("1.5e".bytes().map(|b| Term::Int(i64::from(b))).collect(), Term::atom("x"));
        calls.push(Call { module: "string", function: "list_to_float", args: vec![improper] });
        calls.extend(grid("erlang", &[("list_to_float", 1), ("binary_to_float", 1)], &everything()));
        calls.extend(grid("string", &[("list_to_float", 1)], &everything()));
        agree(&calls);
    }
}
