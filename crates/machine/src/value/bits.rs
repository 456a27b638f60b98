//! Bitstrings: reading parts of any size at any offset, and building them.
//!
//! Up to [`INLINE`] bytes a bitstring lies on the heap; longer ones are parts of buffers beside it, and
//! taking a part of one copies nothing.

use super::heap::{Buffer, Heap};
use super::word::{Header, Kind, TAG_BOXED, Word};
use std::borrow::Cow;

/// As on the BEAM.
pub const INLINE: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endianness {
    Big,
    Little,
}

/// `length` bits of `bytes` from bit `offset` on.
#[derive(Clone, Copy, Debug)]
pub struct BitsRef<'a> {
    bytes: &'a [u8],
    offset: usize,
    length: usize,
}

impl<'a> BitsRef<'a> {
    pub fn new(bytes: &'a [u8], offset: usize, length: usize) -> BitsRef<'a> {
        debug_assert!(offset + length <= bytes.len() * 8);
        BitsRef { bytes, offset, length }
    }

    /// The lifetime is free: valid until the next collection or append, see `Word`.
    pub fn of(word: Word) -> Option<BitsRef<'a>> {
        match word.kind()? {
            Kind::Bits => {
                let length = word.raw(0) as usize;
                // SAFETY: the payload behind the length holds the bytes.
                let bytes =
                    unsafe { std::slice::from_raw_parts(word.pointer().add(2).cast::<u8>(), length.div_ceil(8)) };
                Some(BitsRef { bytes, offset: 0, length })
            }
            Kind::BitsSlice => {
                let (length, offset) = (word.raw(0) as usize, word.raw(1) as usize);
                // SAFETY: the buffer lives as long as a slice of it does.
                let buffer: &'a Buffer = unsafe { &*(word.raw(2) as *const Buffer) };
                Some(BitsRef { bytes: &buffer.bytes, offset, length })
            }
            _ => None,
        }
    }

    /// Length in bits.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whole bytes?
    pub fn is_binary(&self) -> bool {
        self.length.is_multiple_of(8)
    }

    /// The part of `length` bits from `at` on, which must lie inside.
    pub fn part(&self, at: usize, length: usize) -> BitsRef<'a> {
        debug_assert!(at + length <= self.length);
        BitsRef { bytes: self.bytes, offset: self.offset + at, length }
    }

    /// The bytes themselves if they lie on byte boundaries: the whole bytes, and a last partial one with
    /// foreign bits in its low end.
    pub fn aligned(&self) -> Option<&'a [u8]> {
        self.offset.is_multiple_of(8).then(|| &self.bytes[self.offset / 8..(self.offset + self.length).div_ceil(8)])
    }

    /// From the first bit on; the last byte is filled with zeros.
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        match self.aligned() {
            Some(bytes) if self.is_binary() => Cow::Borrowed(bytes),
            _ => {
                let mut bytes = Vec::with_capacity(self.length.div_ceil(8));
                let mut at = 0;
                while at + 8 <= self.length {
                    bytes.push(self.read(at, 8) as u8);
                    at += 8;
                }
                if at < self.length {
                    bytes.push((self.read(at, self.length - at) << (8 - (self.length - at))) as u8);
                }
                Cow::Owned(bytes)
            }
        }
    }

    /// Up to 64 bits from `at` on as an unsigned big-endian number; they must lie inside.
    #[inline]
    pub fn read(&self, at: usize, count: usize) -> u64 {
        debug_assert!(count <= 64 && at + count <= self.length);
        if count == 0 {
            return 0;
        }
        let start = self.offset + at;
        let (first, shift) = (start / 8, start % 8);
        if shift == 0 && count == 8 {
            return u64::from(self.bytes[first]);
        }
        let last = (start + count).div_ceil(8);
        // Nine bytes at most: 64 bits that begin inside a byte.
        let mut value: u128 = 0;
        for &byte in &self.bytes[first..last] {
            value = value << 8 | u128::from(byte);
        }
        let surplus = (last - first) * 8 - shift - count;
        let value = (value >> surplus) as u64;
        if count == 64 { value } else { value & ((1u64 << count) - 1) }
    }

    /// The bits as numbers of up to 64 bits.
    pub fn chunks(self) -> impl Iterator<Item = u64> + 'a {
        (0..self.length).step_by(64).map(move |at| self.read(at, (self.length - at).min(64)))
    }

    /// The whole as an integer.
    pub fn integer(&self, heap: &mut Heap, signed: bool, endianness: Endianness) -> Word {
        if self.length <= 64 {
            let value = match endianness {
                Endianness::Big => self.read(0, self.length),
                Endianness::Little => self.read_little(),
            };
            if signed && self.length > 0 {
                let spare = 64 - self.length;
                return heap.integer(((value << spare) as i64) >> spare);
            }
            return heap.integer_u64(value);
        }
        let value = self.big_integer(signed, endianness);
        heap.big(&value)
    }

    /// Little-endian: whole bytes from the least significant on, a last partial one on top.
    fn read_little(&self) -> u64 {
        let mut value = 0;
        let mut at = 0;
        while at < self.length {
            let count = (self.length - at).min(8);
            value |= self.read(at, count) << at;
            at += count;
        }
        value
    }

    fn big_integer(&self, signed: bool, endianness: Endianness) -> num_bigint::BigInt {
        use num_bigint::{BigInt, BigUint};
        let unsigned = match endianness {
            Endianness::Big => {
                let whole = BigUint::from_bytes_be(&self.to_bytes());
                whole >> (self.length.div_ceil(8) * 8 - self.length)
            }
            Endianness::Little => {
                let mut bytes = self.to_bytes().into_owned();
                if let (Some(last), used @ 1..) = (bytes.last_mut(), self.length % 8) {
                    *last >>= 8 - used;
                }
                BigUint::from_bytes_le(&bytes)
            }
        };
        let negative = signed && unsigned.bit(self.length as u64 - 1);
        let value = BigInt::from(unsigned);
        if negative { value - (BigInt::from(1) << self.length) } else { value }
    }
}

impl PartialEq for BitsRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.length != other.length {
            return false;
        }
        if let (true, Some(a), Some(b)) = (self.is_binary(), self.aligned(), other.aligned()) {
            return a == b;
        }
        self.chunks().eq(other.chunks())
    }
}

impl Heap {
    /// A bitstring with these contents.
    pub fn bits(&mut self, bits: BitsRef<'_>) -> Word {
        if bits.length > INLINE * 8 {
            self.ensure_buffer_room(bits.length / 8);
            return self.bits_of(bits.to_bytes().into_owned(), bits.length);
        }
        match bits.aligned() {
            Some(bytes) if bits.is_binary() => self.inline(bytes, bits.length),
            _ => self.inline(&bits.to_bytes(), bits.length),
        }
    }

    pub fn binary(&mut self, bytes: &[u8]) -> Word {
        self.bits(BitsRef::new(bytes, 0, bytes.len() * 8))
    }

    /// Takes the bytes over; the last one is filled with zeros.
    pub fn bits_of(&mut self, bytes: Vec<u8>, length: usize) -> Word {
        debug_assert!(bytes.len() == length.div_ceil(8));
        if length <= INLINE * 8 {
            return self.inline(&bytes, length);
        }
        let buffer = self.buffer(bytes, length);
        self.slice(buffer, 0, length)
    }

    /// A part of a bitstring, which must lie inside it.
    pub fn bits_part(&mut self, word: Word, at: usize, length: usize) -> Word {
        if word.is_kind(Kind::BitsSlice) {
            debug_assert!(at + length <= word.raw(0) as usize);
            return self.slice(word.raw(2) as *mut Buffer, word.raw(1) as usize + at, length);
        }
        let whole = BitsRef::of(word).expect("a part is taken of a bitstring");
        if at == 0 && length == whole.length {
            return word;
        }
        self.bits(whole.part(at, length))
    }

    /// Appends in place if nobody did before, and copies otherwise: repeated appending costs a
    /// constant per byte.
    pub fn bits_append(&mut self, word: Word, more: BitsRef<'_>) -> Word {
        let whole = BitsRef::of(word).expect("appending to a bitstring");
        if word.is_kind(Kind::BitsSlice) && !self.is_literal() {
            let (length, offset, buffer) = (whole.length, whole.offset, word.raw(2) as *mut Buffer);
            // SAFETY: the buffer lives as long as the slice does; `more` may be a part of the same
            // buffer, so it was copied before by the caller if it is (builders own their bytes).
            let buffer_ref = unsafe { &mut *buffer };
            if buffer_ref.appendable && buffer_ref.used == offset + length {
                let before = buffer_ref.bytes.capacity();
                self.ensure_buffer_room(
                    more.length / 8 + if buffer_ref.bytes.len() * 8 == before * 8 { before } else { 0 },
                );
                push_bits(&mut buffer_ref.bytes, buffer_ref.used, more);
                buffer_ref.used += more.length;
                let grown = buffer_ref.bytes.capacity() - before;
                if grown > 0 {
                    self.charge_buffer(grown);
                }
                return self.slice(buffer, offset, length + more.length);
            }
        }
        self.ensure_buffer_room((whole.length + more.length) / 8);
        let mut builder = BitBuilder::with_capacity((whole.length + more.length) / 8 + 1);
        builder.push(whole);
        builder.push(more);
        builder.finish(self)
    }

    fn inline(&mut self, bytes: &[u8], length: usize) -> Word {
        let words = bytes.len().div_ceil(8);
        let pointer = self.allocate_boxed(Kind::Bits, 0, 1 + words);
        // SAFETY: room for the length and the bytes was allocated; the last word is zeroed first so
        // that no byte of it is left undefined.
        unsafe {
            *pointer.add(1) = length as u64;
            if words > 0 {
                *pointer.add(1 + words) = 0;
            }
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), pointer.add(2).cast::<u8>(), bytes.len());
        }
        Word::from_pointer(pointer, TAG_BOXED)
    }

    fn slice(&mut self, buffer: *mut Buffer, offset: usize, length: usize) -> Word {
        let pointer = self.allocate(4);
        // SAFETY: four words were allocated.
        unsafe {
            *pointer = Header::new(Kind::BitsSlice, 0, 3).0;
            *pointer.add(1) = length as u64;
            *pointer.add(2) = offset as u64;
            *pointer.add(3) = buffer as u64;
        }
        Word::from_pointer(pointer, TAG_BOXED)
    }
}

/// Collects the bits of a bitstring under construction.
#[derive(Default)]
pub struct BitBuilder {
    bytes: Vec<u8>,
    length: usize,
}

impl BitBuilder {
    pub fn with_capacity(bytes: usize) -> BitBuilder {
        BitBuilder { bytes: Vec::with_capacity(bytes), length: 0 }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn push(&mut self, bits: BitsRef<'_>) {
        push_bits(&mut self.bytes, self.length, bits);
        self.length += bits.length;
    }

    pub fn push_bytes(&mut self, bytes: &[u8]) {
        self.push(BitsRef::new(bytes, 0, bytes.len() * 8));
    }

    /// The low `count` bits of `value`, at most 64, most significant first.
    pub fn push_number(&mut self, value: u64, count: usize) {
        if count == 0 {
            return;
        }
        let bytes = (value << (64 - count)).to_be_bytes();
        self.push(BitsRef::new(&bytes[..count.div_ceil(8)], 0, count));
    }

    pub fn as_ref(&self) -> BitsRef<'_> {
        BitsRef::new(&self.bytes, 0, self.length)
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.length = 0;
    }

    pub fn finish(self, heap: &mut Heap) -> Word {
        heap.bits_of(self.bytes, self.length)
    }
}

/// Writes `more` behind the first `used` bits of `bytes`. What lies behind them is free to overwrite.
fn push_bits(bytes: &mut Vec<u8>, used: usize, more: BitsRef<'_>) {
    bytes.truncate(used.div_ceil(8));
    let shift = used % 8;
    if shift == 0 {
        match more.aligned() {
            Some(source) => {
                bytes.extend_from_slice(source);
                if let (Some(last), partial @ 1..) = (bytes.last_mut(), more.length % 8) {
                    *last &= 0xffu8 << (8 - partial);
                }
            }
            None => bytes.extend_from_slice(&more.to_bytes()),
        }
        return;
    }
    if let Some(last) = bytes.last_mut() {
        *last &= 0xffu8 << (8 - shift);
    }
    let mut at = 0;
    while at < more.length {
        let count = (more.length - at).min(8);
        let byte = (more.read(at, count) << (8 - count)) as u8;
        if let Some(last) = bytes.last_mut() {
            *last |= byte >> shift;
        }
        if shift + count > 8 {
            bytes.push(byte << (8 - shift));
        }
        at += count;
        // A part of up to eight bits may end on the boundary: then the next one starts a new byte.
        if shift + count == 8 && at < more.length {
            bytes.push(0);
        }
    }
}
