//! Conversions of concrete terms, which return `None` where the BEAM raises an exception.

use crate::terms::Conversion;
use std::fmt::Write;
use std::str;
use term::{Atom, BigInt, Bits, Term, digits};

/// The largest number of characters of an atom.
const MAX_CHARACTERS: usize = 255;

pub(crate) fn convert(conversion: Conversion, term: &Term) -> Option<Term> {
    match conversion {
        Conversion::IntegerToList => integer_text(term).map(|text| Term::string(&text)),
        Conversion::IntegerToBinary => integer_text(term).map(|text| Term::binary(text.into_bytes())),
        Conversion::ListToInteger => text_to_integer(&low_bytes(term)?),
        Conversion::BinaryToInteger => text_to_integer(bytes(term)?),
        Conversion::FloatToList => float_text(term).map(|text| Term::string(&text)),
        Conversion::FloatToBinary => float_text(term).map(|text| Term::binary(text.into_bytes())),
        Conversion::ListToFloat => text_to_float(&list_of_bytes(term)?),
        Conversion::BinaryToFloat => text_to_float(bytes(term)?),
        Conversion::AtomToList => Some(Term::string(term.as_atom()?.text())),
        Conversion::AtomToBinary => Some(Term::binary(term.as_atom()?.text().as_bytes())),
        Conversion::ListToAtom => text_to_atom(&term.as_text()?),
        Conversion::BinaryToAtom => text_to_atom(str::from_utf8(bytes(term)?).ok()?),
        Conversion::BinaryToList => {
            Some(Term::list(bytes(term)?.iter().map(|byte| Term::Int(i64::from(*byte))).collect::<Vec<_>>()))
        }
        Conversion::ListToBinary => flatten(term),
        Conversion::TupleToList => match term {
            Term::Tuple(elements) => Some(Term::list(elements.clone())),
            _ => None,
        },
        Conversion::ListToTuple => match term {
            Term::Nil => Some(Term::tuple([])),
            Term::List(items, None) => Some(Term::Tuple(items.clone())),
            _ => None,
        },
    }
}

fn bytes(term: &Term) -> Option<&[u8]> {
    match term {
        Term::Bits(bits) if bits.is_binary() => Some(bits.bytes()),
        _ => None,
    }
}

fn list_of_bytes(term: &Term) -> Option<Vec<u8>> {
    term.as_list()?.iter().map(|item| u8::try_from(item.as_int()?).ok()).collect()
}

/// Returns the low eight bits of each character, which determine it as on the BEAM, except that a sign is recognised
/// only by its full code.
fn low_bytes(term: &Term) -> Option<Vec<u8>> {
    const MACHINE_INTEGER: i64 = 1 << 59;
    let items = term.as_list()?;
    let is_sign = |code: u8| matches!(code, b'+' | b'-');
    items
        .iter()
        .map(|item| {
            let code = item.as_int().filter(|code| (-MACHINE_INTEGER..MACHINE_INTEGER).contains(code))?;
            let low = code as u8;
            (code == i64::from(low) || !is_sign(low)).then_some(low)
        })
        .collect()
}

fn integer_text(term: &Term) -> Option<String> {
    match term {
        Term::Int(value) => Some(value.to_string()),
        Term::Big(value) => Some(digits::text(value, 10)),
        _ => None,
    }
}

fn text_to_integer(text: &[u8]) -> Option<Term> {
    let magnitude = BigInt::from(digits::read(unsigned(text), 10)?);
    Some(Term::integer(if text.starts_with(b"-") { -magnitude } else { magnitude }))
}

/// Formats a float as C's `%.20e` does.
fn float_text(term: &Term) -> Option<String> {
    let Term::Float(value) = term else { return None };
    let text = format!("{value:.20e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let mut result = String::from(mantissa);
    write!(result, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()).ok()?;
    Some(result)
}

/// Parses digits, a point or a comma, digits, and perhaps an exponent. A zero byte ends the text, as in C.
fn text_to_float(text: &[u8]) -> Option<Term> {
    let text = text.split(|byte| *byte == 0).next()?;
    let whole = unsigned(text);
    let [b'.' | b',', fraction @ ..] = &whole[after_digits(whole)?..] else { return None };
    let exponent = match &fraction[after_digits(fraction)?..] {
        [b'e' | b'E', exponent @ ..] => Some(unsigned(exponent)),
        [] => None,
        _ => return None,
    };
    if let Some(exponent) = exponent
        && after_digits(exponent)? != exponent.len()
    {
        return None;
    }
    let value: f64 = str::from_utf8(text).ok()?.replace(',', ".").parse().ok()?;
    value.is_finite().then_some(Term::Float(value))
}

fn unsigned(text: &[u8]) -> &[u8] {
    match text {
        [b'+' | b'-', rest @ ..] => rest,
        rest => rest,
    }
}

/// Returns the number of digits with which the text begins, or `None` if there are none.
fn after_digits(text: &[u8]) -> Option<usize> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(count)
}

fn text_to_atom(text: &str) -> Option<Term> {
    if text.chars().count() > MAX_CHARACTERS {
        return None;
    }
    Atom::try_new(text).ok().map(Term::Atom)
}

/// Returns the bytes of an iolist, which must be a list.
fn flatten(term: &Term) -> Option<Term> {
    if !matches!(term, Term::Nil | Term::List(..)) {
        return None;
    }
    let mut flat = Vec::new();
    let mut open = vec![std::slice::from_ref(term)];
    while let Some(items) = open.last_mut() {
        let Some((item, rest)) = items.split_first() else {
            open.pop();
            continue;
        };
        *items = rest;
        match item {
            Term::Int(byte) => flat.push(u8::try_from(*byte).ok()?),
            Term::Bits(bits) if bits.is_binary() => flat.extend_from_slice(bits.bytes()),
            Term::Nil => {}
            Term::List(items, end) => {
                // The end may be a binary, but not a byte.
                match end.as_deref() {
                    None => {}
                    Some(end @ Term::Bits(_)) => open.push(std::slice::from_ref(end)),
                    Some(_) => return None,
                }
                open.push(items);
            }
            _ => return None,
        }
    }
    Some(Term::Bits(Bits::from_bytes(flat)))
}
