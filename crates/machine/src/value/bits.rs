//! Bitstrings: reading parts of any size at any offset, and building them.
//!
//! Bitstrings of up to [`INLINE`] bytes are on the heap; longer ones are parts of buffers beside it, and taking a part
//! of one copies nothing.

use super::heap::{Buffer, Heap};
use super::word::{Header, Kind, TAG_BOXED, Word};
use std::borrow::Cow;

/// The greatest number of bytes of a bitstring on the heap, as on the BEAM.
pub const INLINE: usize = 64;

/// The number of bits up to which parts are copied rather than shared: a copy is no larger than a reference to the
/// buffer, and does not keep the buffer alive.
const SMALL_PART: usize = 128;

/// The number of spare bytes after a short bitstring to which something was appended.
const SLACK: usize = 256;

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

    /// Returns the length in bits.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns whether it consists of whole bytes.
    pub fn is_binary(&self) -> bool {
        self.length.is_multiple_of(8)
    }

    /// Returns the size in bytes of the memory that it refers to, which other bitstrings may share.
    pub fn referenced_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the part of `length` bits from `at` on, which must be inside.
    #[inline]
    pub fn part(&self, at: usize, length: usize) -> BitsRef<'a> {
        debug_assert!(at + length <= self.length);
        BitsRef { bytes: self.bytes, offset: self.offset + at, length }
    }

    /// Returns the bytes themselves if the bits begin at a byte boundary. The low bits of a last partial byte are not
    /// part of the bitstring.
    #[inline]
    pub fn aligned(&self) -> Option<&'a [u8]> {
        self.offset.is_multiple_of(8).then(|| &self.bytes[self.offset / 8..(self.offset + self.length).div_ceil(8)])
    }

    /// Returns the bits as bytes. The last byte is filled with zeros.
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        match self.aligned() {
            Some(bytes) if self.is_binary() => Cow::Borrowed(bytes),
            _ => {
                let mut bytes = vec![0; self.length.div_ceil(8)];
                self.copy_to(&mut bytes);
                Cow::Owned(bytes)
            }
        }
    }

    /// Writes the bits as bytes into `target`, which has exactly that many.
    fn copy_to(&self, target: &mut [u8]) {
        debug_assert!(target.len() == self.length.div_ceil(8));
        if let Some(bytes) = self.aligned() {
            target.copy_from_slice(bytes);
            clear_behind(target, self.length);
            return;
        }
        let mut at = 0;
        for room in target.chunks_mut(8) {
            let count = (self.length - at).min(64);
            let bytes = (self.read(at, count) << (64 - count)).to_be_bytes();
            room.copy_from_slice(&bytes[..room.len()]);
            at += count;
        }
    }

    /// Returns up to 64 bits from `at` on as an unsigned big-endian number. They must be inside.
    #[inline]
    pub fn read(&self, at: usize, count: usize) -> u64 {
        debug_assert!(count <= 64 && at + count <= self.length);
        if count == 0 {
            return 0;
        }
        let start = self.offset + at;
        let (first, shift) = (start / 8, start % 8);
        if shift + count <= 8 {
            return u64::from(self.bytes[first] << shift >> (8 - count));
        }
        match self.bytes[first..] {
            [a, b, c, d, e, f, g, h, ref rest @ ..] => {
                let top = u64::from_be_bytes([a, b, c, d, e, f, g, h]) << shift >> (64 - count);
                // 64 bits that begin inside a byte end in a ninth.
                let missing = (shift + count).saturating_sub(64);
                if missing == 0 { top } else { top | u64::from(rest[0]) >> (8 - missing) }
            }
            ref few => {
                let few = &few[..(shift + count).div_ceil(8)];
                let value = few.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
                let surplus = few.len() * 8 - shift - count;
                value >> surplus & (u64::MAX >> (64 - count))
            }
        }
    }

    /// Returns the bits as numbers of up to 64 bits.
    pub fn chunks(self) -> impl Iterator<Item = u64> + 'a {
        (0..self.length).step_by(64).map(move |at| self.read(at, (self.length - at).min(64)))
    }

    /// Makes an integer of all the bits.
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
        heap.ensure_room(self.length / 64 + 2);
        let value = self.big_integer(signed, endianness);
        heap.big(&value)
    }

    /// Reads a little-endian number: whole bytes from the least significant on, a last partial one on top.
    fn read_little(&self) -> u64 {
        let partial = self.length % 8;
        let whole = self.length - partial;
        let low = if whole == 0 { 0 } else { self.read(0, whole).swap_bytes() >> (64 - whole) };
        if partial == 0 { low } else { low | self.read(whole, partial) << whole }
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
        if let (Some(a), Some(b)) = (self.aligned(), other.aligned()) {
            let (whole, partial) = (self.length / 8, self.length % 8);
            return a[..whole] == b[..whole]
                && (partial == 0 || self.read(whole * 8, partial) == other.read(whole * 8, partial));
        }
        self.chunks().eq(other.chunks())
    }
}

impl Word {
    /// Returns the bits of a bitstring.
    #[inline]
    pub fn as_bits(&self) -> Option<BitsRef<'_>> {
        if self.is_kind(Kind::Bits) {
            // SAFETY: the payload is the length, then the bytes.
            unsafe {
                let length = *self.pointer().add(1) as usize;
                let bytes = std::slice::from_raw_parts(self.pointer().add(2).cast::<u8>(), length.div_ceil(8));
                Some(BitsRef { bytes, offset: 0, length })
            }
        } else if self.is_kind(Kind::BitsSlice) {
            // SAFETY: the payload is length, offset and buffer. The buffer lives as long as a slice of it does, and
            // its bytes stay where they are while any are borrowed (see `Heap::bits_append`).
            unsafe {
                let (length, offset) = (*self.pointer().add(1) as usize, *self.pointer().add(2) as usize);
                let buffer = &*(*self.pointer().add(3) as *const Buffer);
                Some(BitsRef { bytes: &buffer.bytes, offset, length })
            }
        } else {
            None
        }
    }
}

impl Heap {
    /// Makes a bitstring with these contents.
    pub fn bits(&mut self, bits: BitsRef<'_>) -> Word {
        if bits.length > INLINE * 8 {
            self.ensure_buffer_room(bits.length.div_ceil(8));
            return self.bits_of(bits.to_bytes().into_owned(), bits.length);
        }
        match bits.aligned() {
            Some(bytes) => self.inline(bytes, bits.length),
            None => {
                let mut bytes = [0; INLINE];
                let bytes = &mut bytes[..bits.length.div_ceil(8)];
                bits.copy_to(bytes);
                self.inline(bytes, bits.length)
            }
        }
    }

    pub fn binary(&mut self, bytes: &[u8]) -> Word {
        self.bits(BitsRef::new(bytes, 0, bytes.len() * 8))
    }

    /// Makes a bitstring that takes over the bytes. The last one must be filled with zeros.
    pub fn bits_of(&mut self, bytes: Vec<u8>, length: usize) -> Word {
        assert!(bytes.len() == length.div_ceil(8), "a bitstring has the bytes of its length");
        if length <= INLINE * 8 {
            return self.inline(&bytes, length);
        }
        let buffer = self.buffer(bytes, length);
        self.slice(buffer, 0, length)
    }

    /// Makes a part of a bitstring, which must be inside it.
    pub fn bits_part(&mut self, word: Word, at: usize, length: usize) -> Word {
        let whole = word.as_bits().expect("a part is taken of a bitstring");
        assert!(at <= whole.length && length <= whole.length - at, "a part lies inside its whole");
        if length == whole.length {
            return word;
        }
        if length > SMALL_PART && word.is_kind(Kind::BitsSlice) {
            return self.slice(word.raw(2) as *mut Buffer, whole.offset + at, length);
        }
        self.bits(whole.part(at, length))
    }

    /// Appends in place if nothing has been appended yet, and copies otherwise: repeated appending costs a constant per
    /// byte, and the spare memory is at most the used memory and [`SLACK`].
    ///
    /// # Safety
    /// No other bits that were borrowed from a word of this heap are read afterwards: the bytes may move.
    pub(crate) unsafe fn bits_append(&mut self, word: Word, more: BitsRef<'_>) -> Word {
        let whole = word.as_bits().expect("appending to a bitstring");
        if more.length == 0 {
            return word;
        }
        if word.is_kind(Kind::BitsSlice) && !self.is_literal() {
            let (length, offset) = (whole.length, whole.offset);
            let buffer = word.raw(2) as *mut Buffer;
            // SAFETY: the buffer lives as long as the slice does.
            let (appendable, used, mine) =
                unsafe { ((*buffer).appendable, (*buffer).used, (&*buffer).bytes.as_ptr_range()) };
            if appendable && used == offset + length {
                // Growing may move the bytes, so the appended bits must not be among them.
                let copy;
                let more = if mine.contains(&more.bytes.as_ptr()) {
                    copy = more.to_bytes().into_owned();
                    BitsRef::new(&copy, 0, more.length)
                } else {
                    more
                };
                // SAFETY: `whole` is not used any more, and no other reference into the buffer is.
                self.append_in_place(unsafe { &mut *buffer }, more);
                return self.slice(buffer, offset, length + more.length);
            }
        }
        let bytes = (whole.length + more.length).div_ceil(8);
        self.ensure_buffer_room(bytes);
        let mut builder = BitBuilder::with_capacity(bytes);
        builder.push(whole);
        builder.push(more);
        builder.finish(self)
    }

    fn append_in_place(&mut self, buffer: &mut Buffer, more: BitsRef<'_>) {
        let needed = (buffer.used + more.length).div_ceil(8);
        let room = buffer.bytes.capacity();
        if needed > room {
            let wanted = needed + needed.max(SLACK);
            self.charge_buffer(wanted - room);
            buffer.bytes.reserve_exact(wanted - buffer.bytes.len());
        }
        push_bits(&mut buffer.bytes, buffer.used, more);
        buffer.used += more.length;
    }

    fn inline(&mut self, bytes: &[u8], length: usize) -> Word {
        assert!(bytes.len() == length.div_ceil(8), "a bitstring has the bytes of its length");
        let words = bytes.len().div_ceil(8);
        let pointer = self.allocate_boxed(Kind::Bits, 0, 1 + words);
        // SAFETY: room for the length and the bytes was allocated; the last word is zeroed first so
        // that no byte of it is left undefined.
        unsafe {
            *pointer.add(1) = length as u64;
            if words > 0 {
                *pointer.add(1 + words) = 0;
            }
            let target = pointer.add(2).cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len());
            clear_behind(std::slice::from_raw_parts_mut(target, bytes.len()), length);
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

/// The number of bytes up to which a finished bitstring is copied from its builder.
const MAX_KEPT: usize = 4096;

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

    #[inline]
    pub fn push(&mut self, bits: BitsRef<'_>) {
        push_bits(&mut self.bytes, self.length, bits);
        self.length += bits.length;
    }

    pub fn push_bytes(&mut self, bytes: &[u8]) {
        self.push(BitsRef::new(bytes, 0, bytes.len() * 8));
    }

    /// Appends the low `count` bits of `value`, at most 64, most significant first.
    #[inline]
    pub fn push_number(&mut self, value: u64, count: usize) {
        if count == 0 {
            return;
        }
        if count == 8 && self.length.is_multiple_of(8) {
            self.bytes.push(value as u8);
            self.length += 8;
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

    /// Returns the bitstring so far and empties the builder. Memory of moderate size is kept for the next one.
    pub fn take(&mut self, heap: &mut Heap) -> Word {
        if self.bytes.len() > MAX_KEPT {
            return std::mem::take(self).finish(heap);
        }
        let word = heap.bits(self.as_ref());
        self.clear();
        word
    }

    /// Returns the bits as bytes. The last byte is filled with zeros.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn finish(self, heap: &mut Heap) -> Word {
        heap.bits_of(self.bytes, self.length)
    }
}

/// Writes `more` after the first `used` bits of `bytes`. The bits after those may be overwritten.
fn push_bits(bytes: &mut Vec<u8>, used: usize, more: BitsRef<'_>) {
    bytes.truncate(used.div_ceil(8));
    let shift = used % 8;
    if shift == 0 {
        let start = bytes.len();
        match more.aligned() {
            Some(source) => {
                bytes.extend_from_slice(source);
                clear_behind(&mut bytes[start..], more.length);
            }
            None => {
                bytes.resize(start + more.length.div_ceil(8), 0);
                more.copy_to(&mut bytes[start..]);
            }
        }
        return;
    }
    clear_behind(bytes, used);
    let mut at = 0;
    while at < more.length {
        let count = (more.length - at).min(64);
        let chunk = more.read(at, count) << (64 - count);
        if let Some(last) = bytes.last_mut() {
            *last |= (chunk >> (56 + shift)) as u8;
        }
        // The last byte took as much as fits into it; a full chunk leaves another partial byte at the end, with the
        // same shift.
        let left = count.saturating_sub(8 - shift).div_ceil(8);
        bytes.extend_from_slice(&(chunk << (8 - shift)).to_be_bytes()[..left]);
        at += count;
    }
}

/// Zeroes the bits of the last byte that are not among the first `length` bits.
#[inline]
fn clear_behind(bytes: &mut [u8], length: usize) {
    if let (Some(last), used @ 1..) = (bytes.last_mut(), length % 8) {
        *last &= 0xffu8 << (8 - used);
    }
}
