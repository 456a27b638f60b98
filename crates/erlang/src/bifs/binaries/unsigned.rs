//! Conversions between binaries and unsigned numbers.

use super::contents;
use crate::bifs::{badarg, rows};
use machine::value::Endianness;
use machine::{Context, Escape, Primitive, Word};
use term::{Atom, names};

pub(super) const BINARY: &[Primitive] = rows! {"binary" by Arguments;
    "decode_unsigned" (Binary) -> NonNegative,       badarg, decode_unsigned_1, Term(meaning::big_endian);
    "decode_unsigned" (Binary, Atom) -> NonNegative, badarg, decode_unsigned_2, Prelude("decode_number");
    "encode_unsigned" (NonNegative) -> Binary,       badarg, encode_unsigned_1, Prelude("encode_number");
    "encode_unsigned" (NonNegative, Atom) -> Binary, badarg, encode_unsigned_2, Prelude("encode_number");
};

fn decode_unsigned_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(contents(&args[0]).integer(&mut context.heap, false, Endianness::Big))
}

fn decode_unsigned_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let endianness = endianness(context, args[1])?;
    Ok(contents(&args[0]).integer(&mut context.heap, false, endianness))
}

fn encode_unsigned_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    encode(context, args[0], Endianness::Big)
}

fn encode_unsigned_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let endianness = endianness(context, args[1])?;
    encode(context, args[0], endianness)
}

/// Encodes a number in as few bytes as possible, but at least one.
fn encode(context: &mut Context, number: Word, endianness: Endianness) -> Result<Word, Escape> {
    let mut bytes: Vec<u8> = match (number.as_small(), number.as_limbs()) {
        (Some(small), _) => small.to_le_bytes().to_vec(),
        (None, Some((_, limbs))) => limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect(),
        (None, None) => return Err(context.error(names::BADARG)),
    };
    while bytes.len() > 1 && bytes.last() == Some(&0) {
        bytes.pop();
    }
    match endianness {
        Endianness::Big => bytes.reverse(),
        Endianness::Little => {}
    }
    Ok(context.heap.binary(&bytes))
}

fn endianness(context: &mut Context, name: Word) -> Result<Endianness, Escape> {
    match name.as_atom().map(Atom::text) {
        Some("big") => Ok(Endianness::Big),
        Some("little") => Ok(Endianness::Little),
        Some(_) | None => Err(context.error(names::BADARG)),
    }
}
