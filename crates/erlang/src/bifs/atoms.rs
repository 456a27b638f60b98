//! Atoms and their texts. Atoms that a run makes are counted, see `Context::make_atom`.

use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use path::Surrounding;
use std::borrow::Cow;
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Arguments;
    "atom_to_list"            (Atom) -> ProperList,  badarg, atom_to_list,            Term(meaning::atom_to_list);
    "atom_to_binary"          (Atom, Atom) -> Binary, badarg, atom_to_binary,         Prelude("atom_to_bytes");
    "list_to_atom"            (List) -> Atom,        badarg, list_to_atom,            PartialOver(meaning::DEEP, meaning::list_is_atom, meaning::list_to_atom);
    "list_to_existing_atom"   (List) -> Atom by Atoms,        badarg, list_to_existing_atom,   Prelude("list_to_known_atom");
    "binary_to_atom"          (Binary, Atom) -> Atom, badarg, binary_to_atom,         Prelude("bytes_to_atom");
    "binary_to_existing_atom" (Binary, Atom) -> Atom by Atoms, badarg, binary_to_existing_atom, Prelude("bytes_to_known_atom");
}];

/// The maximum number of characters of an atom.
const MAX_CHARACTERS: usize = 255;
/// The maximum number of bytes that these characters take.
const MAX_BYTES: usize = 4 * MAX_CHARACTERS;

fn atom_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.string(text_of(args[0])))
}

fn atom_to_binary(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let text = text_of(args[0]);
    match encoding(context, args[1])? {
        Encoding::Utf8 => Ok(context.heap.binary(text.as_bytes())),
        Encoding::Latin1 => {
            match text.chars().map(|code| u8::try_from(u32::from(code))).collect::<Result<Vec<u8>, _>>() {
                Ok(bytes) => Ok(context.heap.binary(&bytes)),
                Err(_) => Err(context.error(names::BADARG)),
            }
        }
    }
}

fn list_to_atom(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match text_of_list(args[0]) {
        Ok(text) => context.make_atom(&text),
        Err(bad) => Err(bad.raise(context)),
    }
}

/// `(Text)` or `(Binary, Encoding)`: returns whether such an atom exists.
pub(super) fn is_known_atom(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let known = match args.len() {
        1 => list_to_existing_atom(context, args),
        _ => binary_to_existing_atom(context, args),
    };
    if known == Err(Escape::Raise) {
        context.take_exception();
        return Ok(Word::FALSE);
    }
    known.map(|_| Word::TRUE)
}

fn list_to_existing_atom(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    existing(context, text_of_list(args[0]))
}

/// Returns the atom with this text if it exists. A program cannot know which atoms others have made, so the answer
/// depends on the surroundings.
fn existing(context: &mut Context, text: Result<String, BadText>) -> Result<Word, Escape> {
    let Ok(text) = text else { return Err(context.error(names::BADARG)) };
    if !exists_everywhere(&text) {
        context.asks(Surrounding::Atoms);
    }
    Atom::existing(&text).map(Word::atom).ok_or_else(|| context.error(names::BADARG))
}

/// Returns whether an atom exists in every runtime. Which others exist depends on the modules that were loaded before.
pub(super) fn exists_everywhere(text: &str) -> bool {
    matches!(text, "true" | "false" | "ok" | "error" | "undefined" | "infinity" | "")
}

fn binary_to_atom(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let encoding = encoding(context, args[1])?;
    match text_of_binary(args[0], encoding) {
        Ok(text) => context.make_atom(&text),
        Err(bad) => Err(bad.raise(context)),
    }
}

fn binary_to_existing_atom(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let encoding = encoding(context, args[1])?;
    existing(context, text_of_binary(args[0], encoding))
}

pub(super) fn text_of(atom: Word) -> &'static str {
    atom.as_atom().map_or("", Atom::text)
}

pub(super) enum Encoding {
    Latin1,
    Utf8,
}

fn encoding(context: &mut Context, name: Word) -> Result<Encoding, Escape> {
    match text_of(name) {
        "latin1" => Ok(Encoding::Latin1),
        "utf8" | "unicode" => Ok(Encoding::Utf8),
        _ => Err(context.error(names::BADARG)),
    }
}

/// The reason why something is not the text of an atom.
pub(super) enum BadText {
    NoText,
    TooLong,
}

impl BadText {
    pub(super) fn raise(self, context: &mut Context) -> Escape {
        match self {
            BadText::NoText => context.error(names::BADARG),
            BadText::TooLong => context.error(names::SYSTEM_LIMIT),
        }
    }
}

/// Reads the text of an atom from a list. The first problem decides the error: a wrong item or one character too many.
fn text_of_list(list: Word) -> Result<String, BadText> {
    let mut text = String::new();
    let mut rest = list;
    let mut room = MAX_CHARACTERS;
    while rest.is_cons() {
        room = room.checked_sub(1).ok_or(BadText::TooLong)?;
        let code = rest.head().concrete().as_small().and_then(|code| u32::try_from(code).ok());
        text.push(code.and_then(char::from_u32).ok_or(BadText::NoText)?);
        rest = rest.tail().concrete();
    }
    if rest.is_nil() { Ok(text) } else { Err(BadText::NoText) }
}

pub(super) fn text_of_binary(binary: Word, encoding: Encoding) -> Result<String, BadText> {
    let bytes: Cow<'_, [u8]> = binary.as_bits().ok_or(BadText::NoText)?.to_bytes();
    match encoding {
        Encoding::Latin1 if bytes.len() > MAX_CHARACTERS => Err(BadText::TooLong),
        Encoding::Latin1 => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Encoding::Utf8 if bytes.len() > MAX_BYTES => Err(BadText::TooLong),
        Encoding::Utf8 => {
            // Bytes after the last character that fits are not examined.
            let (valid, wrong) = match std::str::from_utf8(&bytes) {
                Ok(text) => (text, false),
                Err(error) => (std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(), true),
            };
            match valid.chars().count() {
                count if count > MAX_CHARACTERS || count == MAX_CHARACTERS && wrong => Err(BadText::TooLong),
                _ if wrong => Err(BadText::NoText),
                _ => Ok(valid.to_owned()),
            }
        }
    }
}
