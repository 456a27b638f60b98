//! Sizes and parts.

use super::{as_position, contents, range, whole_bytes};
use crate::bifs::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use term::names;

pub(super) const ERLANG: &[Primitive] = rows! {"erlang" by Arguments;
    "byte_size"     (Bits) -> NonNegative,           badarg, byte_size,     Term(meaning::byte_size);
    "bit_size"      (Bits) -> NonNegative,           badarg, bit_size,      Term(meaning::bit_size);
    "binary_part"   (Bits, Tuple) -> Binary,         badarg, binary_part_2, Prelude("part_of_binary");
    "binary_part"   (Bits, Integer, Integer) -> Binary, badarg, binary_part_3, Prelude("part_of_binary");
    "split_binary"  (Bits, NonNegative) -> Tuple,    badarg, split_binary,  Partial(meaning::can_be_split, meaning::split_bits);
};

pub(super) const BINARY: &[Primitive] = rows! {"binary" by Arguments;
    "part"          (Bits, Tuple) -> Binary,         badarg, binary_part_2, Prelude("part_of_binary");
    "part"          (Bits, Integer, Integer) -> Binary, badarg, binary_part_3, Prelude("part_of_binary");
    "at"            (Binary, NonNegative) -> Byte,   badarg, at,            Partial(meaning::has_byte, meaning::byte_at);
    "first"         (Binary) -> Byte,                badarg, first,         Partial(meaning::not_empty, meaning::first_byte);
    "last"          (Binary) -> Byte,                badarg, last,          Partial(meaning::not_empty, meaning::last_byte);
    "copy"          (Binary) -> Binary,              badarg, copy_1,        Term(meaning::same);
    "copy"          (Bits, NonNegative) -> Binary,   badarg, copy_2,        Prelude("binary_copies");
    "longest_common_prefix" (NonemptyList) -> NonNegative, badarg, longest_common_prefix, Prelude("longest_common_prefix");
    "longest_common_suffix" (NonemptyList) -> NonNegative, badarg, longest_common_suffix, Prelude("longest_common_suffix");
    "referenced_byte_size"  (Bits) -> NonNegative from System,   badarg, referenced_byte_size, Opaque;
};

/// Returns the size in bytes; a partial byte at the end counts as one.
fn byte_size(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(contents(&args[0]).len().div_ceil(8) as i64))
}

fn bit_size(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(contents(&args[0]).len() as i64))
}

pub(in crate::bifs) fn binary_part_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[1].as_tuple() {
        Some(&[at, length]) => part(context, args[0], at, length),
        _ => Err(context.error(names::BADARG)),
    }
}

pub(in crate::bifs) fn binary_part_3(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    part(context, args[0], args[1], args[2])
}

fn part(context: &mut Context, bits: Word, at: Word, length: Word) -> Result<Word, Escape> {
    match range(at, length, whole_bytes(contents(&bits))) {
        Some((start, count)) => Ok(context.heap.bits_part(bits, start * 8, count * 8)),
        None => Err(context.error(names::BADARG)),
    }
}

/// Splits a bitstring after a number of bytes. The second part keeps a partial byte at the end.
fn split_binary(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let bits = contents(&args[0]);
    match as_position(args[1]).filter(|at| *at <= whole_bytes(bits)) {
        Some(at) => {
            let first = context.heap.bits_part(args[0], 0, at * 8);
            let second = context.heap.bits_part(args[0], at * 8, bits.len() - at * 8);
            Ok(context.heap.tuple(&[first, second]))
        }
        None => Err(context.error(names::BADARG)),
    }
}

fn at(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    byte_at(context, args[0], as_position(args[1]))
}

fn first(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    byte_at(context, args[0], Some(0))
}

fn last(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    byte_at(context, args[0], whole_bytes(contents(&args[0])).checked_sub(1))
}

fn byte_at(context: &mut Context, binary: Word, at: Option<usize>) -> Result<Word, Escape> {
    let bits = contents(&binary);
    match at.filter(|at| *at < whole_bytes(bits)) {
        Some(at) => Ok(Word::small(bits.read(at * 8, 8) as i64)),
        None => Err(context.error(names::BADARG)),
    }
}

fn copy_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.bits(contents(&args[0])))
}

/// Repeats a binary. Zero copies of any bitstring are an empty binary, even if the bitstring is not a binary.
pub(in crate::bifs) fn copy_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let bits = contents(&args[0]);
    let times = match as_position(args[1]) {
        Some(0) => return Ok(context.heap.binary(&[])),
        Some(times) if bits.is_binary() => times,
        Some(_) | None => return Err(context.error(names::BADARG)),
    };
    let bytes = bits.to_bytes();
    let size = bytes.len().saturating_mul(times);
    context.heap.ensure_buffer_room(size);
    context.charge(size / 64)?;
    Ok(if bytes.is_empty() { context.heap.binary(&[]) } else { context.heap.bits_of(bytes.repeat(times), size * 8) })
}

fn longest_common_prefix(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    longest_common(context, args[0], |bytes, at| bytes.get(at).copied())
}

fn longest_common_suffix(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    longest_common(context, args[0], |bytes, at| bytes.len().checked_sub(at + 1).and_then(|at| bytes.get(at)).copied())
}

/// Returns how many bytes, taken by `nth`, all binaries of a list have in common.
fn longest_common(context: &mut Context, list: Word, nth: fn(&[u8], usize) -> Option<u8>) -> Result<Word, Escape> {
    let mut words = Vec::new();
    let mut rest = list;
    while rest.is_cons() {
        context.charge(1)?;
        let binary = rest.head().concrete();
        match binary.as_bits() {
            Some(bits) if bits.is_binary() => words.push(binary),
            Some(_) | None => return Err(context.error(names::BADARG)),
        }
        rest = rest.tail().concrete();
    }
    let binaries: Vec<_> = words.iter().map(|binary| contents(binary).to_bytes()).collect();
    let [first, others @ ..] = &binaries[..] else { return Err(context.error(names::BADARG)) };
    if !rest.is_nil() {
        return Err(context.error(names::BADARG));
    }
    let mut common = 0;
    while let Some(byte) = nth(first, common) {
        context.charge(binaries.len())?;
        if others.iter().any(|other| nth(other, common) != Some(byte)) {
            break;
        }
        common += 1;
    }
    Ok(Word::small(common as i64))
}

fn referenced_byte_size(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(contents(&args[0]).referenced_bytes() as i64))
}
