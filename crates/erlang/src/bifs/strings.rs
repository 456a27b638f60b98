//! Numbers at the beginning of a list of characters, for `string:to_integer/1` and `string:to_float/1`.

use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use num_bigint::BigInt;
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"string";
    "list_to_integer" (Any) -> Tuple, badarg, list_to_integer, Opaque;
    "list_to_float"   (Any) -> Tuple, badarg, list_to_float,   Opaque;
}];

/// A sign, perhaps, and digits.
fn list_to_integer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut reader = match Reader::new(args[0]) {
        Ok(reader) => reader,
        Err(error) => return Ok(failure(context, error)),
    };
    reader.sign();
    if reader.digits() == 0 {
        return Ok(failure(context, "no_integer"));
    }
    let Reader { text, rest } = reader;
    // Reading is quadratic in the number of digits.
    context.charge(text.len() + text.len() * text.len() / 256)?;
    let number = text.parse::<BigInt>().unwrap_or_default();
    let number = context.heap.big(&number);
    Ok(context.heap.tuple(&[number, rest]))
}

/// A sign, perhaps, digits, a point or a comma, digits, and perhaps an exponent.
fn list_to_float(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut reader = match Reader::new(args[0]) {
        Ok(reader) => reader,
        Err(error) => return Ok(failure(context, error)),
    };
    reader.sign();
    let is_float = reader.digits() > 0 && reader.one_of(".,") && reader.digits() > 0;
    if !is_float {
        return Ok(failure(context, "no_float"));
    }
    let (length, rest) = (reader.text.len(), reader.rest);
    if reader.one_of("eE") {
        reader.sign();
        if reader.digits() == 0 {
            // The letter belongs to what follows.
            reader.text.truncate(length);
            reader.rest = rest;
        }
    }
    context.charge(reader.text.len())?;
    match reader.text.replace(',', ".").parse::<f64>() {
        Ok(value) if value.is_finite() => {
            let float = context.heap.float(value);
            Ok(context.heap.tuple(&[float, reader.rest]))
        }
        Ok(_) | Err(_) => Ok(failure(context, "no_float")),
    }
}

fn failure(context: &mut Context, why: &str) -> Word {
    context.heap.tuple(&[names::ERROR.into(), Atom::new(why).into()])
}

/// What was read of a list, and what is left of it.
struct Reader {
    text: String,
    rest: Word,
}

impl Reader {
    fn new(list: Word) -> Result<Reader, &'static str> {
        if list.is_list() { Ok(Reader { text: String::new(), rest: list }) } else { Err("not_a_list") }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> bool {
        if !self.rest.is_cons() {
            return false;
        }
        let code = self.rest.head().concrete().as_small().and_then(|code| u8::try_from(code).ok()).map(char::from);
        match code.filter(|code| wanted(*code)) {
            Some(code) => {
                self.text.push(code);
                self.rest = self.rest.tail().concrete();
                true
            }
            None => false,
        }
    }

    fn one_of(&mut self, characters: &str) -> bool {
        self.take(|code| characters.contains(code))
    }

    fn sign(&mut self) {
        self.one_of("+-");
    }

    fn digits(&mut self) -> usize {
        let mut count = 0;
        while self.take(|code| code.is_ascii_digit()) {
            count += 1;
        }
        count
    }
}
