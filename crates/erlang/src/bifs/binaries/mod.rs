//! Bitstrings: sizes and parts (`parts`), lists of bytes to binaries and back (`iolist`), searching (`find`), and
//! conversion from and to unsigned numbers (`unsigned`).

mod find;
mod iolist;
mod parts;
#[cfg(test)]
pub(super) mod tests;
mod unsigned;

pub(super) use find::compiled_pattern;
pub(super) use iolist::binary_to_list_3;
pub(super) use parts::{binary_part_2, binary_part_3, copy_2};

use machine::{BitsRef, Primitive, Word};

pub(super) const TABLES: &[&[Primitive]] =
    &[parts::ERLANG, parts::BINARY, iolist::ERLANG, iolist::BINARY, find::BINARY, unsigned::BINARY];

/// Returns the contents of an argument that is a bitstring according to its domain.
fn contents(word: &Word) -> BitsRef<'_> {
    word.as_bits().unwrap_or_else(|| BitsRef::new(&[], 0, 0))
}

/// Returns the number of whole bytes.
fn whole_bytes(bits: BitsRef<'_>) -> usize {
    bits.len() / 8
}

/// Returns a position in bytes if it fits into an unsigned word of the BEAM.
fn as_position(word: Word) -> Option<usize> {
    match word.concrete().as_i128() {
        Some(value) if value <= i128::from(u64::MAX) => usize::try_from(value).ok(),
        Some(_) | None => None,
    }
}

/// Returns start and length of the part that begins at `at` and has `length` bytes, or ends at `at` if the length is
/// negative; `None` if it does not lie within `size` bytes.
fn range(at: Word, length: Word, size: usize) -> Option<(usize, usize)> {
    let at = as_position(at)?;
    let length = length.concrete().as_i64()?;
    let count = usize::try_from(length.unsigned_abs()).ok()?;
    let start = if length < 0 { at.checked_sub(count)? } else { at };
    let end = start.checked_add(count)?;
    (end <= size).then_some((start, count))
}
