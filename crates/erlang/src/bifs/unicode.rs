//! Conversion of (deep) lists of code points and binaries to text. The part that cannot be read is returned, too.
//!
//! Text is collected as UTF-8, whatever the result is encoded in. A character may be spread over several binaries, so
//! the bytes of an incomplete one are kept until the next binary comes.

use super::rows;
use crate::{beam, prelude};
use machine::{CallTarget, Context, Escape, Primitive, Word};
use std::borrow::Cow;
use term::{Atom, names};

use super::badarg;

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"unicode" by Arguments;
        "bin_is_7bit"          (Any) -> Boolean,  badarg, bin_is_7bit,          Prelude("is_seven_bit");
        "characters_to_binary" (Any, Any) -> Any, badarg, characters_to_binary, Prelude("characters_to_bytes");
        "characters_to_list"   (Any, Any) -> Any, badarg, characters_to_list,   Prelude("characters_to_codes");
    },
    rows! {"io";
        "printable_range"      () -> Atom from CommandLine,        badarg, printable_range,      Opaque;
    },
    rows! {"io_lib" by Platform;
        "printable_list"       (Any) -> Boolean, badarg, printable_list,       Keeps;
    },
];

fn bin_is_7bit(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let bits = args[0].as_bits();
    Ok(Word::boolean(bits.is_some_and(|bits| bits.is_binary() && bits.to_bytes().is_ascii())))
}

pub(super) fn characters_to_binary(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(encoding) = encoding(args[1]) else { return other_encoding(context, "characters_to_binary_int", args) };
    let mut subject = args[0];
    if subject.is_cons() && subject.tail().concrete().is_nil() && subject.head().concrete().is_bits() {
        subject = subject.head().concrete();
    }
    let (text, end) = read(context, subject, encoding)?;
    let converted = context.heap.binary(&text);
    Ok(answer(context, converted, end))
}

pub(super) fn characters_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(encoding) = encoding(args[1]) else { return other_encoding(context, "characters_to_list_int", args) };
    let (text, end) = read(context, args[0], encoding)?;
    let text = String::from_utf8_lossy(&text);
    context.heap.ensure_room(text.len().saturating_mul(2));
    let converted = context.heap.string(&text);
    Ok(answer(context, converted, end))
}

/// Returns the range that the BEAM uses unless it is started with `+pc unicode`.
fn printable_range(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::atom(Atom::new("latin1")))
}

/// Calls the prelude, which asks for the printable range only if it makes a difference. OTP always asks for it first.
fn printable_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (module, function) = (Atom::new(prelude::NAME), Atom::new("printable_list"));
    Err(context.call(CallTarget::Named { module, function }, args.to_vec()))
}

/// Calls the Erlang code in the same module that handles encodings with more than one byte per unit.
fn other_encoding(context: &mut Context, function: &str, args: &[Word]) -> Result<Word, Escape> {
    let target = CallTarget::Named { module: Atom::new("unicode"), function: Atom::new(function) };
    Err(context.call(target, args.to_vec()))
}

fn answer(context: &mut Context, converted: Word, end: End) -> Word {
    match end {
        End::Complete => converted,
        End::Incomplete(rest) => context.heap.tuple(&[Atom::new("incomplete").into(), converted, rest]),
        End::Wrong(rest) => context.heap.tuple(&[names::ERROR.into(), converted, rest]),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Latin1,
    Utf8,
}

fn encoding(name: Word) -> Option<Encoding> {
    match name.as_atom()?.text() {
        "latin1" => Some(Encoding::Latin1),
        "unicode" | "utf8" => Some(Encoding::Utf8),
        _ => None,
    }
}

/// The way in which reading ended, with the part that was not read.
enum End {
    Complete,
    Incomplete(Word),
    Wrong(Word),
}

/// Reads the text of `data` up to the first invalid character. Data that cannot be text at all is refused before
/// anything is read.
fn read(context: &mut Context, data: Word, encoding: Encoding) -> Result<(Vec<u8>, End), Escape> {
    check(context, data)?;
    let mut reader = Reader { encoding, text: Vec::new(), unfinished: Vec::new() };
    let rest = reader.read(context, data)?;
    let unfinished = if reader.unfinished.is_empty() { None } else { Some(context.heap.binary(&reader.unfinished)) };
    let end = match (rest, unfinished) {
        (None, None) => End::Complete,
        (None, Some(bytes)) if may_go_on(&reader.unfinished) => End::Incomplete(bytes),
        (None, Some(bytes)) => End::Wrong(bytes),
        (Some(rest), None) => End::Wrong(rest),
        (Some(rest), Some(bytes)) => End::Wrong(context.heap.list(&[bytes, rest], Word::NIL)),
    };
    Ok((reader.text, end))
}

/// Refuses terms other than lists, integers and binaries. A big integer ends the check, because it will be reported as
/// the first invalid character.
fn check(context: &mut Context, data: Word) -> Result<(), Escape> {
    let mut open = vec![data];
    while let Some(mut rest) = open.pop() {
        while rest.is_cons() {
            context.charge(1)?;
            let head = rest.head().concrete();
            let tail = rest.tail().concrete();
            if head.is_cons() {
                open.push(tail);
                rest = head;
                continue;
            }
            if head.is_integer() && beam::as_small(head).is_none() {
                return Ok(());
            }
            if !(head.is_small() || head.is_nil() || is_binary(head)) {
                return Err(context.error(names::BADARG));
            }
            rest = tail;
        }
        if !(rest.is_nil() || is_binary(rest)) {
            return Err(context.error(names::BADARG));
        }
    }
    Ok(())
}

fn is_binary(word: Word) -> bool {
    word.as_bits().is_some_and(|bits| bits.is_binary())
}

struct Reader {
    encoding: Encoding,
    text: Vec<u8>,
    /// The first bytes of a character whose other bytes are still to come.
    unfinished: Vec<u8>,
}

impl Reader {
    /// Reads `data`. Returns `None`, or the rest from the first invalid character on: unchanged, but nested in the
    /// levels of lists that were not finished.
    fn read(&mut self, context: &mut Context, data: Word) -> Result<Option<Word>, Escape> {
        let mut open = vec![data];
        while let Some(list) = open.pop() {
            let wrong = self.read_level(context, list, &mut open)?;
            if let Some(mut rest) = wrong {
                while let Some(tail) = open.pop() {
                    rest = context.heap.cons(rest, tail);
                }
                return Ok(Some(rest));
            }
        }
        Ok(None)
    }

    /// Reads one list, and lists inside of it. Pushes the cells after these to `open`.
    fn read_level(&mut self, context: &mut Context, list: Word, open: &mut Vec<Word>) -> Result<Option<Word>, Escape> {
        let mut rest = list;
        while rest.is_cons() {
            context.charge(1)?;
            let head = rest.head().concrete();
            let tail = rest.tail().concrete();
            if head.is_cons() {
                open.push(tail);
                rest = head;
                continue;
            }
            if head.as_bits().is_some() {
                if let Some(unread) = self.read_binary(context, head)? {
                    return Ok(Some(context.heap.cons(unread, tail)));
                }
            } else if !head.is_nil() && self.read_code_point(head).is_none() {
                return Ok(Some(rest));
            }
            rest = tail;
            context.heap.ensure_buffer_room(self.text.len());
        }
        if rest.is_nil() { Ok(None) } else { self.read_binary(context, rest) }
    }

    /// Reads a character that is given as an integer. `None` if it is invalid, or if a character that began in a binary
    /// is incomplete.
    fn read_code_point(&mut self, number: Word) -> Option<()> {
        if !self.unfinished.is_empty() {
            return None;
        }
        let code = number.as_small().and_then(|code| u32::try_from(code).ok())?;
        if self.encoding == Encoding::Latin1 && code > 0xff {
            return None;
        }
        let code = char::from_u32(code)?;
        self.text.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
        Some(())
    }

    /// Returns the part from the first invalid character on, if there is one.
    fn read_binary(&mut self, context: &mut Context, binary: Word) -> Result<Option<Word>, Escape> {
        let Some(bits) = binary.as_bits() else { return Ok(Some(binary)) };
        let bytes = bits.to_bytes();
        context.charge(bytes.len() / 16)?;
        context.heap.ensure_buffer_room(self.text.len() + bytes.len());
        match self.encoding {
            Encoding::Latin1 => {
                self.text.extend(bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes());
                Ok(None)
            }
            Encoding::Utf8 => Ok(self
                .read_utf8(&bytes)
                .map(|wrong| context.heap.bits_part(binary, wrong * 8, bits.len() - wrong * 8))),
        }
    }

    /// Returns the position of the first invalid character.
    fn read_utf8(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut from = 0;
        if let Some(length) = self.unfinished.first().and_then(|first| length_of(*first)) {
            let missing = length - self.unfinished.len();
            let Some(end) = bytes.get(..missing) else {
                self.unfinished.extend_from_slice(bytes);
                return None;
            };
            let character: Cow<'_, [u8]> = [&self.unfinished, end].concat().into();
            if std::str::from_utf8(&character).is_err() {
                return Some(0);
            }
            self.text.extend_from_slice(&character);
            self.unfinished.clear();
            from = missing;
        }
        match std::str::from_utf8(&bytes[from..]) {
            Ok(text) => {
                self.text.extend_from_slice(text.as_bytes());
                None
            }
            Err(error) => {
                let wrong = from + error.valid_up_to();
                self.text.extend_from_slice(&bytes[from..wrong]);
                let left = &bytes[wrong..];
                match length_of(left[0]) {
                    Some(length) if left.len() < length => {
                        self.unfinished.extend_from_slice(left);
                        None
                    }
                    Some(_) | None => Some(wrong),
                }
            }
        }
    }
}

/// Returns the number of bytes of a character by its first byte; `None` if no character begins with it.
fn length_of(first: u8) -> Option<usize> {
    match first {
        0..=0x7f => Some(1),
        0xc0..=0xdf => Some(2),
        0xe0..=0xef => Some(3),
        0xf0..=0xf7 => Some(4),
        0x80..=0xbf | 0xf8..=0xff => None,
    }
}

/// Returns whether these first bytes of a character look as if others could follow. It does not check, for example,
/// whether the form would be too long.
fn may_go_on(unfinished: &[u8]) -> bool {
    unfinished.iter().skip(1).all(|byte| byte & 0xc0 == 0x80)
}
