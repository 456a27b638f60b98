//! A value is one word.
//!
//! | low bits | meaning |
//! |---|---|
//! | `…0`   | small integer, 63 bits |
//! | `…001` | pointer to a cons cell: head, tail |
//! | `…011` | pointer to a boxed object: a header word, then its payload |
//! | `…101` | pointer to a symbolic box: the concrete word, the formula's id |
//! | `…111` | immediate: atom, `[]`, header, marker |
//!
//! Concrete values know nothing of symbolic execution: a fast path tests for the concrete tags it can handle, and
//! everything else, including the symbolic box, is left to a slow path.
//!
//! Every word can be read; the head of the module `value` explains why. The functions here check the tag before they
//! read, and a word of another kind than they expect ends the run as a fault.

use formula::TermId;
use std::marker::PhantomData;
use term::{Atom, names};

/// A value. It is neither `Send` nor `Sync`, which prevents it from outliving its run.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Word(pub(crate) u64, PhantomData<*const u64>);

pub(crate) const TAG_MASK: u64 = 0b111;
pub(crate) const TAG_CONS: u64 = 0b001;
pub(crate) const TAG_BOXED: u64 = 0b011;
pub(crate) const TAG_SYMBOLIC: u64 = 0b101;
pub(crate) const TAG_IMMEDIATE: u64 = 0b111;

const SUB_ATOM: u64 = TAG_IMMEDIATE;
const SUB_NIL: u64 = TAG_IMMEDIATE | 1 << 3;
const SUB_HEADER: u64 = TAG_IMMEDIATE | 2 << 3;
const SUB_MOVED: u64 = TAG_IMMEDIATE | 3 << 3;
const SUB_MASK: u64 = 0xff;

/// The kinds of boxed objects, with the meaning of their payload and of the small number in their header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Payload: the elements.
    Tuple,
    /// Payload: the bits of an `f64`.
    Float,
    /// Aux: 1 for negative. Payload: limbs, least significant first, the highest not zero.
    Big,
    /// Up to `SMALL_MAP` keys. Payload: a tuple of the keys in the language's order, then the values.
    SmallMap,
    /// Payload: number of keys (small), root node.
    LargeMap,
    /// Payload: 16-bit occupancy (small), then the children: nodes, or cons cells key|value.
    MapNode,
    /// Keys with the same hash. Payload: cons cells key|value.
    MapCollision,
    /// Payload: length in bits (raw), then the bytes.
    Bits,
    /// A part of a buffer outside the heap. Payload, all raw: length in bits, offset in bits, buffer.
    BitsSlice,
    /// Aux: arity. Payload: function (raw), then the captured values.
    Closure,
    /// Payload: module, function, arity.
    External,
    /// Payload: number (raw).
    Pid,
    Reference,
    Port,
    /// The origin of an exception. Payload: the topmost entry as a value, then raw frames.
    Trace,
}

const KINDS: [Kind; 15] = [
    Kind::Tuple,
    Kind::Float,
    Kind::Big,
    Kind::SmallMap,
    Kind::LargeMap,
    Kind::MapNode,
    Kind::MapCollision,
    Kind::Bits,
    Kind::BitsSlice,
    Kind::Closure,
    Kind::External,
    Kind::Pid,
    Kind::Reference,
    Kind::Port,
    Kind::Trace,
];

/// The first word of a boxed object: its kind, a small auxiliary number, and the number of words that follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Header(pub(crate) u64);

impl Header {
    #[inline]
    pub fn new(kind: Kind, aux: u8, payload: usize) -> Header {
        Header((payload as u64) << 24 | u64::from(aux) << 16 | (kind as u64) << 8 | SUB_HEADER)
    }
    #[inline]
    pub fn kind(self) -> Kind {
        KINDS[(self.0 >> 8 & 0xff) as usize]
    }
    #[inline]
    pub fn aux(self) -> u8 {
        (self.0 >> 16) as u8
    }
    #[inline]
    pub fn payload(self) -> usize {
        (self.0 >> 24) as usize
    }
}

impl Word {
    pub const NIL: Word = Word::from_bits(SUB_NIL);
    pub const TRUE: Word = Word::from_bits(SUB_ATOM | 1 << 32);
    pub const FALSE: Word = Word::from_bits(SUB_ATOM);
    /// Marks a forwarded pair during collection, and "no value" elsewhere. Programs never see it.
    pub(crate) const MOVED: Word = Word::from_bits(SUB_MOVED);

    pub const MIN_SMALL: i64 = -(1 << 62);
    pub const MAX_SMALL: i64 = (1 << 62) - 1;

    /// Returns the word of these bits, which must be those of a currently valid word. Only this crate can make words
    /// from numbers, and does so where it moves words and where it makes immediates.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u64) -> Word {
        Word(bits, PhantomData)
    }

    /// Makes a small integer. `value` must be between `MIN_SMALL` and `MAX_SMALL`; `Heap::integer` accepts any.
    #[inline]
    pub const fn small(value: i64) -> Word {
        Word::from_bits((value << 1) as u64)
    }
    #[inline]
    pub fn try_small(value: i64) -> Option<Word> {
        let word = Word::small(value);
        (word.small_value() == value).then_some(word)
    }
    #[inline]
    pub fn atom(atom: Atom) -> Word {
        Word::from_bits(SUB_ATOM | u64::from(atom.number()) << 32)
    }
    #[inline]
    pub fn boolean(value: bool) -> Word {
        if value { Word::TRUE } else { Word::FALSE }
    }

    #[inline]
    pub fn is_small(self) -> bool {
        self.0 & 1 == 0
    }
    #[inline]
    pub fn both_small(a: Word, b: Word) -> bool {
        (a.0 | b.0) & 1 == 0
    }
    #[inline]
    pub fn is_atom(self) -> bool {
        self.0 & SUB_MASK == SUB_ATOM
    }
    #[inline]
    pub fn is_nil(self) -> bool {
        self == Word::NIL
    }
    #[inline]
    pub fn is_cons(self) -> bool {
        self.0 & TAG_MASK == TAG_CONS
    }
    #[inline]
    pub fn is_boxed(self) -> bool {
        self.0 & TAG_MASK == TAG_BOXED
    }
    #[inline]
    pub fn is_symbolic(self) -> bool {
        self.0 & TAG_MASK == TAG_SYMBOLIC
    }
    /// Returns whether it is a small integer, an atom or `[]`. Such values are equal exactly if their words are.
    #[inline]
    pub fn is_immediate(self) -> bool {
        self.is_small() || self.0 & TAG_MASK == TAG_IMMEDIATE
    }

    /// Returns the value of a small integer. The result is meaningless for other words.
    #[inline]
    pub fn small_value(self) -> i64 {
        self.0 as i64 >> 1
    }
    #[inline]
    pub fn as_small(self) -> Option<i64> {
        self.is_small().then(|| self.small_value())
    }
    #[inline]
    pub fn as_atom(self) -> Option<Atom> {
        self.is_atom().then(|| Atom::from_number((self.0 >> 32) as u32))
    }
    pub fn as_boolean(self) -> Option<bool> {
        match self {
            Word::TRUE => Some(true),
            Word::FALSE => Some(false),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn pointer(self) -> *mut u64 {
        (self.0 & !TAG_MASK) as *mut u64
    }
    #[inline]
    pub(crate) fn from_pointer(pointer: *mut u64, tag: u64) -> Word {
        debug_assert!(pointer as u64 & TAG_MASK == 0);
        Word::from_bits(pointer as u64 | tag)
    }

    /// Returns the head of a cons cell.
    #[inline]
    pub fn head(self) -> Word {
        if !self.is_cons() {
            wrong_kind("a cons cell");
        }
        // SAFETY: a cons-tagged word points to two initialised words.
        Word::from_bits(unsafe { *self.pointer() })
    }
    /// Returns the tail of a cons cell.
    #[inline]
    pub fn tail(self) -> Word {
        if !self.is_cons() {
            wrong_kind("a cons cell");
        }
        // SAFETY: as in `head`.
        Word::from_bits(unsafe { *self.pointer().add(1) })
    }
    /// Returns the header of a boxed object.
    #[inline]
    pub fn header(self) -> Header {
        if !self.is_boxed() {
            wrong_kind("a boxed object");
        }
        // SAFETY: a box-tagged word points to a header.
        Header(unsafe { *self.pointer() })
    }
    /// Returns the kind of a boxed object, and `None` for other words.
    #[inline]
    pub fn kind(self) -> Option<Kind> {
        self.is_boxed().then(|| self.header().kind())
    }
    #[inline]
    pub fn is_kind(self, kind: Kind) -> bool {
        self.is_boxed() && self.header().0 >> 8 & 0xff == kind as u64
    }
    /// Returns whether it is a boxed object none of whose parts are values.
    #[inline]
    pub fn is_leaf(self) -> bool {
        const LEAVES: u32 = 1 << Kind::Float as u32
            | 1 << Kind::Big as u32
            | 1 << Kind::Bits as u32
            | 1 << Kind::BitsSlice as u32
            | 1 << Kind::Pid as u32
            | 1 << Kind::Reference as u32
            | 1 << Kind::Port as u32;
        self.is_boxed() && LEAVES >> (self.header().0 >> 8 & 0xff) & 1 != 0
    }
    /// Returns the parts of a boxed object that are values: all of a tuple, the captured values of a closure, the
    /// topmost entry of a trace, and none of a number or a bitstring.
    #[inline(always)]
    pub fn payload(&self) -> &[Word] {
        const ALL: u32 = 1 << Kind::Tuple as u32
            | 1 << Kind::SmallMap as u32
            | 1 << Kind::LargeMap as u32
            | 1 << Kind::MapNode as u32
            | 1 << Kind::MapCollision as u32
            | 1 << Kind::External as u32;
        let header = self.header();
        if ALL >> (header.0 >> 8 & 0xff) & 1 == 0 {
            return self.values_among_raw(header);
        }
        // SAFETY: the header says how many initialised words follow, and all of them are values.
        unsafe { std::slice::from_raw_parts(self.pointer().add(1).cast::<Word>(), header.payload()) }
    }
    /// Returns the values in a payload that also has raw numbers.
    #[cold]
    #[inline(never)]
    fn values_among_raw(&self, header: Header) -> &[Word] {
        // SAFETY: a closure has values after its function, a trace has one before its frames.
        unsafe {
            match header.kind() {
                Kind::Closure => self.words().get_unchecked(1..),
                Kind::Trace => self.words().get_unchecked(..1),
                _ => &[],
            }
        }
    }
    /// Returns the payload of a boxed object, all of it as numbers.
    #[inline]
    pub(crate) fn raw_payload(&self) -> &[u64] {
        let count = self.header().payload();
        // SAFETY: the header says how many initialised words follow. They do not change while a word of the object
        // exists in a variable: only words of objects that are not shared are written later (`Heap::map_replace`).
        unsafe { std::slice::from_raw_parts(self.pointer().add(1), count) }
    }
    /// Returns a word of the payload of a boxed object, as a number.
    #[inline]
    pub(crate) fn raw(self, index: usize) -> u64 {
        self.raw_payload()[index]
    }
    /// Returns the payload of a boxed object, all of it as values.
    ///
    /// # Safety
    /// The word is boxed, and no part of its payload that is used as a value is a raw number.
    #[inline]
    pub(crate) unsafe fn words(&self) -> &[Word] {
        debug_assert!(self.is_boxed());
        // SAFETY: as in `raw_payload`; the caller guarantees the tag and the kind.
        unsafe {
            let count = Header(*self.pointer()).payload();
            std::slice::from_raw_parts(self.pointer().add(1).cast::<Word>(), count)
        }
    }

    /// Returns the elements of a tuple.
    #[inline(always)]
    pub fn as_tuple(&self) -> Option<&[Word]> {
        // SAFETY: the payload of a tuple is values.
        self.is_kind(Kind::Tuple).then(|| unsafe { self.words() })
    }
    #[inline]
    pub fn as_float(self) -> Option<f64> {
        // SAFETY: a float has one word of payload.
        self.is_kind(Kind::Float).then(|| f64::from_bits(unsafe { *self.pointer().add(1) }))
    }
    /// Returns the number of a closure's function in the machine, and the captured values.
    pub fn as_closure(&self) -> Option<(u64, &[Word])> {
        self.is_kind(Kind::Closure).then(|| (self.raw(0), self.payload()))
    }
    /// Returns the number of a pid, reference or port.
    pub fn identity(self) -> u64 {
        match self.kind() {
            Some(Kind::Pid | Kind::Reference | Kind::Port) => self.raw(0),
            _ => wrong_kind("a pid, a reference or a port"),
        }
    }
    #[inline]
    pub fn is_integer(self) -> bool {
        self.is_small() || self.is_kind(Kind::Big)
    }
    pub fn is_float(self) -> bool {
        self.is_kind(Kind::Float)
    }
    pub fn is_number(self) -> bool {
        self.is_integer() || self.is_float()
    }
    pub fn is_list(self) -> bool {
        self.is_cons() || self.is_nil()
    }
    pub fn is_bits(self) -> bool {
        matches!(self.kind(), Some(Kind::Bits | Kind::BitsSlice))
    }
    pub fn is_map(self) -> bool {
        matches!(self.kind(), Some(Kind::SmallMap | Kind::LargeMap))
    }
    pub fn is_function(self) -> bool {
        matches!(self.kind(), Some(Kind::Closure | Kind::External))
    }

    /// Returns the concrete part and the formula of a symbolic box.
    #[inline]
    pub fn as_symbolic(self) -> Option<(Word, TermId)> {
        // SAFETY: a symbolic-tagged word points to two initialised words.
        self.is_symbolic().then(|| unsafe {
            let formula = Word::from_bits(*self.pointer().add(1)).small_value();
            (Word::from_bits(*self.pointer()), TermId::from_number(formula as u32))
        })
    }
    /// Returns the value without its outermost shadow.
    #[inline]
    pub fn concrete(self) -> Word {
        match self.as_symbolic() {
            Some((concrete, _)) => concrete,
            None => self,
        }
    }
}

/// The parts of a boxed object that are values, one after the other. They can be read under the same conditions as a
/// word.
#[derive(Clone)]
pub struct Parts {
    next: *const Word,
    left: usize,
}

impl Word {
    /// Returns an iterator over the parts that `payload` returns. It does not borrow, so that it can be kept for later.
    #[inline(always)]
    pub fn parts(self) -> Parts {
        let payload = self.payload();
        Parts { next: payload.as_ptr(), left: payload.len() }
    }
}

impl Iterator for Parts {
    type Item = Word;

    #[inline]
    fn next(&mut self) -> Option<Word> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: there was one more word of the payload, which exists as long as words of the object do.
        unsafe {
            let word = *self.next;
            self.next = self.next.add(1);
            Some(word)
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Parts {}

/// Ends the run as a fault, because the caller did not check the kind of a value.
#[cold]
#[inline(never)]
pub(super) fn wrong_kind(wanted: &str) -> ! {
    panic!("a value was read as {wanted} that is none")
}

/// Copies `count` words to a place that may overlap. Most copies are of a few words, for which a call of the general
/// function costs more than the copying: four to eight words are two moves of four that overlap.
///
/// # Safety
/// `from` can be read and `to` be written for `count` words.
#[inline(always)]
pub(crate) unsafe fn move_words(from: *const u64, to: *mut u64, count: usize) {
    // SAFETY: every place is within `count` words, and all is read before anything is written.
    unsafe {
        match count {
            0 => {}
            1 => *to = *from,
            2 => to.cast::<[u64; 2]>().write(from.cast::<[u64; 2]>().read()),
            3 => to.cast::<[u64; 3]>().write(from.cast::<[u64; 3]>().read()),
            4..=8 => {
                let low = from.cast::<[u64; 4]>().read();
                let high = from.add(count - 4).cast::<[u64; 4]>().read();
                to.cast::<[u64; 4]>().write(low);
                to.add(count - 4).cast::<[u64; 4]>().write(high);
            }
            _ => std::ptr::copy(from, to, count),
        }
    }
}

impl From<bool> for Word {
    fn from(value: bool) -> Word {
        Word::boolean(value)
    }
}

impl From<Atom> for Word {
    fn from(atom: Atom) -> Word {
        Word::atom(atom)
    }
}

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(value) = self.as_small() {
            write!(f, "{value}")
        } else if let Some(atom) = self.as_atom() {
            write!(f, "{atom:?}")
        } else if self.is_nil() {
            f.write_str("[]")
        } else if self.is_cons() {
            f.write_str("cons")
        } else if let Some((concrete, formula)) = self.as_symbolic() {
            write!(f, "{concrete:?}~{formula:?}")
        } else {
            write!(f, "{:?}", self.kind())
        }
    }
}

const _: () = assert!(names::FALSE_NUMBER == 0 && names::TRUE_NUMBER == 1);
