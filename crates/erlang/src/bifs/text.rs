//! Conversion of integers to text and back, in bases 2 to 36.

use super::kinds::as_beam_small;
use super::numbers::{MAX_BITS, system_limit};
use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use num_bigint::BigInt;
use term::{Atom, digits, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang" by Arguments;
        "integer_to_list" (Integer) -> List, badarg, integer_to_list, Term(meaning::integer_to_list);
        "integer_to_list" (Integer, Any) -> List, badarg, integer_to_list, Prelude("integer_to_digits");
        "integer_to_binary" (Integer) -> Binary, badarg, integer_to_binary, Term(meaning::integer_to_binary);
        "integer_to_binary" (Integer, Any) -> Binary, badarg, integer_to_binary, Prelude("integer_to_digit_bytes");
        "list_to_integer" (List) -> Integer, badarg, list_to_integer, PartialOver(meaning::DEEP, meaning::list_is_integer, meaning::list_to_integer);
        "list_to_integer" (List, Any) -> Integer, badarg, list_to_integer, Prelude("digits_to_integer");
        "binary_to_integer" (Binary) -> Integer, badarg, binary_to_integer, Partial(meaning::binary_is_integer, meaning::binary_to_integer);
        "binary_to_integer" (Binary, Any) -> Integer, badarg, binary_to_integer, Prelude("digit_bytes_to_integer");
    },
    rows! {"string" by Arguments;
        "list_to_integer" (Any) -> Tuple, badarg, list_to_integer_and_rest, Prelude("read_integer");
    },
];

/// Returns the base that the second argument gives; ten without one.
fn base(args: &[Word]) -> Option<u32> {
    let Some(word) = args.get(1) else { return Some(10) };
    as_beam_small(*word).and_then(|base| u32::try_from(base).ok()).filter(|base| (2..=36).contains(base))
}

fn integer_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let text = integer_text(context, args)?;
    context.heap.ensure_room(2 * text.len());
    Ok(context.heap.list_of_smalls(text.iter().map(|digit| i64::from(*digit)), Word::NIL))
}

fn integer_to_binary(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let text = integer_text(context, args)?;
    Ok(context.heap.binary(&text))
}

fn integer_text(context: &mut Context, args: &[Word]) -> Result<Vec<u8>, Escape> {
    let Some(base) = base(args) else { return Err(badarg(context, args)) };
    if let Some(value) = args[0].as_small() {
        return Ok(small_text(value, u64::from(base)));
    }
    let value = args[0].as_bigint().unwrap_or_default();
    charge_digits(context, value.bits() / 64)?;
    context.heap.ensure_buffer_room(value.bits() as usize / 2);
    let mut text = digits::text(&value, base).into_bytes();
    text.make_ascii_uppercase();
    Ok(text)
}

/// Charges the time of the long multiplications that a number of this many words needs.
fn charge_digits(context: &mut Context, words: u64) -> Result<(), Escape> {
    context.charge((words as f64).powf(1.6) as usize)
}

fn small_text(value: i64, base: u64) -> Vec<u8> {
    let mut digits = [0; 65];
    let mut start = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(rest % base) as usize];
        rest /= base;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        start -= 1;
        digits[start] = b'-';
    }
    digits[start..].to_vec()
}

fn list_to_integer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(base) = base(args) else { return Err(badarg(context, args)) };
    match scan(args[0], base) {
        Some(scanned) if scanned.rest.is_nil() => integer(context, scanned.negative, &scanned.digits, base),
        _ => Err(badarg(context, args)),
    }
}

fn binary_to_integer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(base), Some(bits)) = (base(args), args[0].as_bits()) else { return Err(badarg(context, args)) };
    let bytes = bits.to_bytes();
    let (negative, text) = match bytes.first() {
        Some(b'-') => (true, &bytes[1..]),
        Some(b'+') => (false, &bytes[1..]),
        _ => (false, &bytes[..]),
    };
    match text.iter().map(|byte| digit(*byte, base)).collect::<Option<Vec<u8>>>() {
        Some(digits) if !digits.is_empty() => integer(context, negative, &digits, base),
        _ => Err(badarg(context, args)),
    }
}

/// Returns `{Integer, Rest}` or `{error, Reason}`.
fn list_to_integer_and_rest(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let pair = match scan(args[0], 10) {
        Some(scanned) => [integer(context, scanned.negative, &scanned.digits, 10)?, scanned.rest],
        None if args[0].is_list() => [names::ERROR.into(), Atom::new("no_integer").into()],
        None => [names::ERROR.into(), Atom::new("not_a_list").into()],
    };
    Ok(context.heap.tuple(&pair))
}

struct Scanned {
    negative: bool,
    digits: Vec<u8>,
    rest: Word,
}

/// Reads the sign and the digits at the start of a list; `None` without a digit. Only the low eight bits of a character
/// count, as on the BEAM.
fn scan(list: Word, base: u32) -> Option<Scanned> {
    let mut rest = list;
    let mut negative = false;
    if rest.is_cons() && [Some(i64::from(b'-')), Some(i64::from(b'+'))].contains(&rest.head().concrete().as_small()) {
        negative = rest.head().concrete() == Word::small(i64::from(b'-'));
        rest = rest.tail().concrete();
    }
    let mut digits = Vec::new();
    while rest.is_cons() {
        let Some(digit) = as_beam_small(rest.head().concrete()).and_then(|code| digit(code as u8, base)) else {
            break;
        };
        digits.push(digit);
        rest = rest.tail().concrete();
    }
    (!digits.is_empty()).then_some(Scanned { negative, digits, rest })
}

fn digit(character: u8, base: u32) -> Option<u8> {
    char::from(character).to_digit(base).map(|digit| digit as u8)
}

fn integer(context: &mut Context, negative: bool, digits: &[u8], base: u32) -> Result<Word, Escape> {
    let append = |value: i64, digit: &u8| value.checked_mul(i64::from(base))?.checked_add(i64::from(*digit));
    if let Some(value) = digits.iter().try_fold(0, append) {
        return Ok(context.heap.integer(if negative { -value } else { value }));
    }
    // Every digit after the first adds at least this many bits.
    let bits_per_digit = u64::from(base.ilog2());
    if digits.len() as u64 * bits_per_digit > MAX_BITS + 64 {
        return Err(system_limit(context));
    }
    charge_digits(context, digits.len() as u64 / 16)?;
    let value = BigInt::from(digits::from_values(digits, base));
    super::numbers::integer_result(context, &if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{Call, agree, everything, grid, integers};
    use term::Term;

    const BASES: [i64; 8] = [2, 3, 8, 10, 16, 36, 1, 37];

    #[test]
    fn integers_as_text() {
        agree(&grid("erlang", &[("integer_to_list", 1), ("integer_to_binary", 1)], &everything()));
        let mut calls = Vec::new();
        for value in integers() {
            for base in BASES {
                let args = vec![value.clone(), Term::Int(base)];
                calls.push(Call { module: "erlang", function: "integer_to_list", args: args.clone() });
                calls.push(Call { module: "erlang", function: "integer_to_binary", args });
            }
        }
        agree(&calls);
    }

    #[test]
    fn text_as_integers() {
        let long = "9876543210".repeat(70);
        let texts = [
            "",
            "0",
            "-0",
            "+0",
            "-",
            "+",
            "+-1",
            "1-",
            "12",
            "-12",
            "+12",
            "0012",
            "12x",
            "x",
            " 1",
            "1 ",
            "zz",
            "ZZ",
            "-ff",
            "101",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "123456789012345678901234567890",
            "1_000",
            "²",
            "1.5",
            long.as_str(),
        ];
        let mut calls = Vec::new();
        for text in texts {
            let (list, binary) = (Term::string(text), Term::binary(text.as_bytes().to_vec()));
            calls.push(Call { module: "string", function: "list_to_integer", args: vec![list.clone()] });
            calls.push(Call { module: "erlang", function: "list_to_integer", args: vec![list.clone()] });
            calls.push(Call { module: "erlang", function: "binary_to_integer", args: vec![binary.clone()] });
            for base in BASES {
                let base = Term::Int(base);
                calls.push(Call {
                    module: "erlang",
                    function: "list_to_integer",
                    args: vec![list.clone(), base.clone()],
                });
                calls.push(Call { module: "erlang", function: "binary_to_integer", args: vec![binary.clone(), base] });
            }
        }
        calls.extend(grid("erlang", &[("list_to_integer", 1), ("binary_to_integer", 1)], &everything()));
        calls.extend(grid("string", &[("list_to_integer", 1)], &everything()));
        let some: Vec<Term> = everything().into_iter().step_by(7).collect();
        calls.extend(grid("erlang", &[("list_to_integer", 2), ("binary_to_integer", 2)], &some));
        for codes in [vec![305], vec![49, 305], vec![-207], vec![48, 120]] {
            let list = Term::list(codes.into_iter().map(Term::Int).collect::<Vec<_>>());
            calls.push(Call { module: "erlang", function: "list_to_integer", args: vec![list] });
        }
        agree(&calls);
    }
}
