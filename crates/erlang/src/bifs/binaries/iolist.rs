//! Conversions between binaries and (deep) lists of bytes and binaries. Lists may share parts and so be far longer than
//! the memory that they take: every cell costs a step, and the size of the result is checked as it grows.

use super::{as_position, contents, whole_bytes};
use crate::bifs::{badarg, rows};
use machine::{BitBuilder, BitsRef, Context, Escape, Primitive, Word};
use term::names;

pub(super) const ERLANG: &[Primitive] = rows! {"erlang" by Arguments;
    "binary_to_list"    (Binary) -> ProperList,      badarg, binary_to_list_1,  Term(meaning::binary_to_list);
    "binary_to_list"    (Bits, Positive, Positive) -> ProperList, badarg, binary_to_list_3, Prelude("part_to_list");
    "bitstring_to_list" (Bits) -> ProperList,        badarg, bitstring_to_list, Prelude("bits_to_list");
    "list_to_binary"    (List) -> Binary,            badarg, list_to_binary,    Prelude("list_to_bytes");
    "list_to_bitstring" (List) -> Bits,              badarg, list_to_bitstring, Prelude("list_to_bits");
    "iolist_to_binary"  (Any) -> Binary,             badarg, iolist_to_binary,  Prelude("iodata_to_bytes");
    "iolist_size"       (Any) -> NonNegative,        badarg, iolist_size,       Prelude("iodata_size");
    "iolist_to_iovec"   (Any) -> ProperList from System,         badarg, iolist_to_iovec,   Opaque;
};

pub(super) const BINARY: &[Primitive] = rows! {"binary" by Arguments;
    "list_to_bin"       (List) -> Binary,            badarg, list_to_binary,    Prelude("list_to_bytes");
};

fn binary_to_list_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    byte_list(context, contents(&args[0]), Word::NIL)
}

/// Returns the bytes from the first to the last position, counted from 1.
pub(in crate::bifs) fn binary_to_list_3(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let bits = contents(&args[0]);
    match (as_position(args[1]), as_position(args[2])) {
        (Some(start), Some(stop)) if start <= stop && stop <= whole_bytes(bits) => {
            byte_list(context, bits.part((start - 1) * 8, (stop - start + 1) * 8), Word::NIL)
        }
        (_, _) => Err(context.error(names::BADARG)),
    }
}

/// Returns the bytes as a list. A partial byte at the end becomes a bitstring.
fn bitstring_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let bits = contents(&args[0]);
    let whole = whole_bytes(bits) * 8;
    let mut tail = Word::NIL;
    if whole < bits.len() {
        let last = context.heap.bits(bits.part(whole, bits.len() - whole));
        tail = context.heap.cons(last, Word::NIL);
    }
    byte_list(context, bits.part(0, whole), tail)
}

fn byte_list(context: &mut Context, bits: BitsRef<'_>, tail: Word) -> Result<Word, Escape> {
    let bytes = bits.to_bytes();
    context.charge(bytes.len() / 16)?;
    context.heap.ensure_room(bytes.len().saturating_mul(2));
    Ok(context.heap.list_of_smalls(bytes.iter().map(|byte| i64::from(*byte)), tail))
}

fn list_to_binary(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    build(context, args[0], Parts::Bytes)
}

fn list_to_bitstring(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    build(context, args[0], Parts::Bits)
}

fn iolist_to_binary(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].as_bits() {
        Some(bits) if bits.is_binary() => Ok(args[0]),
        Some(_) => Err(context.error(names::BADARG)),
        None => build(context, args[0], Parts::Bytes),
    }
}

fn build(context: &mut Context, list: Word, parts: Parts) -> Result<Word, Escape> {
    // A list whose only item is a bitstring becomes that bitstring.
    if list.is_cons() && list.tail().is_nil() {
        let only = list.head().concrete();
        if only.as_bits().is_some_and(|bits| parts.allow(bits)) {
            return Ok(only);
        }
    }
    let mut builder = std::mem::take(&mut context.scratch);
    builder.clear();
    let flat = flatten(context, list, parts, &mut builder);
    let result = flat.map(|()| builder.take(&mut context.heap));
    context.scratch = builder;
    result
}

/// Appends the bytes of a list, or of a binary, to `builder`.
fn flatten(context: &mut Context, data: Word, parts: Parts, builder: &mut BitBuilder) -> Result<(), Escape> {
    walk(context, data, parts, |context, piece| {
        match piece {
            Piece::Byte(byte) => {
                if builder.len().is_multiple_of(1 << 15) {
                    context.heap.ensure_buffer_room(builder.len() / 8);
                }
                builder.push_number(u64::from(byte), 8);
            }
            Piece::Bits(_, bits) => {
                context.heap.ensure_buffer_room((builder.len() + bits.len()) / 8 + 1);
                context.charge(bits.len() / 512)?;
                builder.push(bits);
            }
            Piece::Level => {}
        }
        Ok(())
    })
}

fn iolist_size(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut size = 0;
    walk(context, args[0], Parts::Bytes, |_, piece| {
        size += match piece {
            Piece::Byte(_) => 1,
            Piece::Bits(_, bits) => bits.len() as i128 / 8,
            Piece::Level => 0,
        };
        Ok(())
    })?;
    Ok(context.heap.integer_i128(size))
}

/// The bitstrings that a list may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    Bytes,
    Bits,
}

impl Parts {
    fn allow(self, bits: BitsRef<'_>) -> bool {
        self == Parts::Bits || bits.is_binary()
    }
}

enum Piece<'a> {
    Byte(u8),
    Bits(Word, BitsRef<'a>),
    /// The beginning or the end of a nested list.
    Level,
}

/// Shows every byte and bitstring of a list to `visit`, from left to right; `badarg` for anything else.
fn walk(
    context: &mut Context,
    data: Word,
    parts: Parts,
    mut visit: impl FnMut(&mut Context, Piece<'_>) -> Result<(), Escape>,
) -> Result<(), Escape> {
    let mut open = Vec::new();
    let mut rest = data.concrete();
    loop {
        context.charge(1)?;
        while rest.is_cons() {
            let head = rest.head().concrete();
            let tail = rest.tail().concrete();
            if let Some(byte) = head.as_small().and_then(|byte| u8::try_from(byte).ok()) {
                context.charge(1)?;
                visit(context, Piece::Byte(byte))?;
                rest = tail;
            } else if head.is_list() {
                context.charge(1)?;
                if !tail.is_nil() {
                    open.push(tail);
                }
                visit(context, Piece::Level)?;
                rest = head;
            } else {
                context.charge(1)?;
                visit_bits(context, head, parts, &mut visit)?;
                rest = tail;
            }
        }
        if !rest.is_nil() {
            visit_bits(context, rest, parts, &mut visit)?;
        }
        visit(context, Piece::Level)?;
        match open.pop() {
            Some(next) => rest = next,
            None => return Ok(()),
        }
    }
}

fn visit_bits(
    context: &mut Context,
    word: Word,
    parts: Parts,
    visit: &mut impl FnMut(&mut Context, Piece<'_>) -> Result<(), Escape>,
) -> Result<(), Escape> {
    match word.as_bits() {
        Some(bits) if parts.allow(bits) => visit(context, Piece::Bits(word, bits)),
        Some(_) | None => Err(context.error(names::BADARG)),
    }
}

/// Makes an I/O vector: small pieces are joined, large binaries stay as they are. The pieces are the same as the
/// BEAM's.
fn iolist_to_iovec(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut pieces = Pieces::default();
    // Consecutive bytes of one list form one piece, whose length decides how the buffer grows.
    let mut run = Vec::new();
    walk(context, args[0], Parts::Bytes, |context, piece| {
        match piece {
            Piece::Byte(byte) => run.push(byte),
            Piece::Bits(word, bits) => {
                pieces.gather(context, &std::mem::take(&mut run));
                pieces.add(context, word, bits);
            }
            Piece::Level => pieces.gather(context, &std::mem::take(&mut run)),
        }
        Ok(())
    })?;
    pieces.flush(context);
    Ok(context.heap.list(&pieces.done, Word::NIL))
}

/// The size in bytes below which a binary is joined with its neighbours.
const SMALL_PIECE: usize = 256;
/// The size in bytes above which the buffer of gathered pieces does not double.
const MAX_DOUBLING: usize = SMALL_PIECE * 32;

#[derive(Default)]
struct Pieces {
    done: Vec<Word>,
    gathered: Vec<u8>,
    /// The capacity in bytes that the BEAM would have allocated for `gathered`.
    room: usize,
}

impl Pieces {
    fn gather(&mut self, context: &mut Context, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let needed = self.gathered.len() + bytes.len();
        if self.room == 0 {
            self.room = needed.max(SMALL_PIECE);
        } else if needed > self.room {
            if self.room >= MAX_DOUBLING {
                self.flush(context);
                self.room = bytes.len().max(SMALL_PIECE);
            } else {
                self.room = needed.max(self.room * 2);
            }
        }
        context.heap.ensure_buffer_room(self.gathered.len() + bytes.len());
        self.gathered.extend_from_slice(bytes);
    }

    fn add(&mut self, context: &mut Context, word: Word, bits: BitsRef<'_>) {
        let size = bits.len() / 8;
        let gathered = self.gathered.len();
        if size >= SMALL_PIECE && (gathered == 0 || gathered >= SMALL_PIECE) {
            self.flush(context);
            self.done.push(word);
        } else if size < SMALL_PIECE || size + gathered < 2 * SMALL_PIECE {
            self.gather(context, &bits.to_bytes());
        } else {
            let spill = SMALL_PIECE - gathered;
            self.gather(context, &bits.part(0, spill * 8).to_bytes());
            self.flush(context);
            let rest = context.heap.bits_part(word, spill * 8, bits.len() - spill * 8);
            self.done.push(rest);
        }
    }

    fn flush(&mut self, context: &mut Context) {
        if !self.gathered.is_empty() {
            let piece = context.heap.binary(&self.gathered);
            self.done.push(piece);
            self.gathered.clear();
        }
        self.room = 0;
    }
}
