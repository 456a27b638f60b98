//! The heap: bump allocation in a reserved space, and buffers for long bitstrings beside it.
//!
//! Allocation never moves anything and never fails: if it would exceed the run's memory budget, it unwinds to the
//! machine with [`MemoryExhausted`], which ends the run with a named outcome.

use super::region::Region;
use super::word::{Header, Kind, TAG_BOXED, TAG_CONS, TAG_SYMBOLIC, Word, move_words};
use formula::TermId;
use std::cmp::Ordering;
use term::work;

/// The order in which small maps keep their keys. The language chooses it.
pub type KeyOrder = fn(Word, Word) -> Ordering;

/// The payload of the unwinding that ends a run whose memory budget is exhausted.
pub struct MemoryExhausted;

/// The bytes of a long bitstring, shared by its parts. Bits below `used` never change; the part that ends there may be
/// appended to in place.
pub struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) used: usize,
    pub(super) marked: bool,
    /// Whether bits may be appended. Literals are shared between runs and never change.
    pub(super) appendable: bool,
}

pub struct Heap {
    pub(super) space: Region<u64>,
    pub(super) spare: Region<u64>,
    pub(super) top: *mut u64,
    /// The machine collects before it allocates beyond this address.
    pub(super) soft_end: *mut u64,
    pub(super) end: *mut u64,
    #[allow(clippy::vec_box, reason = "slices point to the buffers, which must not move")]
    pub(super) buffers: Vec<Box<Buffer>>,
    pub(super) buffer_bytes: usize,
    pub(super) buffer_threshold: usize,
    /// The number of bytes that the run uses beside the heap.
    beside: usize,
    /// The number of bytes that space, buffers and the memory beside the heap may use together.
    budget: usize,
    pub(super) key_order: KeyOrder,
    literal: bool,
    /// Whether to collect as often as possible and overwrite old memory, to test that everything that is needed
    /// survives.
    pub(super) eager: bool,
    /// The number of pids, references and ports that were made since the last reset.
    identities: u64,
    /// Whether a symbolic box was made since the last reset.
    pub(super) shadows: bool,
}

/// The number of words that are allocated before the first collection. Small enough to stay in the cache of a core,
/// large enough that most runs end before.
pub(super) const FIRST_COLLECTION: usize = 256 * 1024;
pub(super) const FIRST_BUFFER_COLLECTION: usize = 32 << 20;
/// The number of allocated bytes that count as one tick of work.
pub(super) const BYTES_PER_TICK: usize = 256;

impl Heap {
    pub(crate) fn new(budget: usize, key_order: KeyOrder) -> std::io::Result<Heap> {
        let words = (budget / 2 / 8).max(FIRST_COLLECTION);
        let space = Region::reserve(words)?;
        let spare = Region::reserve(words)?;
        let mut heap = Heap {
            top: space.start(),
            soft_end: space.start(),
            end: space.start(),
            space,
            spare,
            buffers: Vec::new(),
            buffer_bytes: 0,
            buffer_threshold: FIRST_BUFFER_COLLECTION,
            beside: 0,
            budget,
            key_order,
            literal: false,
            eager: false,
            identities: 0,
            shadows: false,
        };
        // SAFETY: a new heap has no words.
        unsafe { heap.reset() };
        Ok(heap)
    }

    /// Makes a heap for the literals of a program, which are never collected and never changed.
    pub(crate) fn for_literals(budget: usize, key_order: KeyOrder) -> std::io::Result<Heap> {
        let mut heap = Heap::new(budget, key_order)?;
        heap.literal = true;
        Ok(heap)
    }

    pub(super) fn is_literal(&self) -> bool {
        self.literal
    }

    /// Makes collections as frequent as possible while data is small, from now on.
    pub(crate) fn collect_eagerly(&mut self) {
        self.eager = true;
        self.soft_end = self.top;
    }

    /// Empties the heap. Memory that a large run touched is returned to the system.
    ///
    /// # Safety
    /// No word of this heap is read afterwards, wherever it is kept.
    pub(crate) unsafe fn reset(&mut self) {
        if self.used() > 4 * FIRST_COLLECTION {
            self.space.release();
        } else if self.eager {
            // SAFETY: the used words are inside of the space, and the caller promises that they are not read again.
            unsafe { poison(self.space.start(), self.used()) };
        }
        self.top = self.space.start();
        self.identities = 0;
        self.shadows = false;
        // SAFETY: both ends are inside the reserved space.
        unsafe {
            self.end = self.space.start().add(self.space.capacity());
            let first = if self.eager { 0 } else { FIRST_COLLECTION.min(self.space.capacity()) };
            self.soft_end = self.space.start().add(first);
        }
        self.buffers.clear();
        self.buffer_bytes = 0;
        self.beside = 0;
        self.buffer_threshold = FIRST_BUFFER_COLLECTION;
    }

    /// Returns the number of words in use.
    pub fn used(&self) -> usize {
        (self.top as usize - self.space.start() as usize) / 8
    }

    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Returns the number of bytes in use, including those of buffers.
    pub fn used_bytes(&self) -> usize {
        self.used() * 8 + self.buffer_bytes
    }

    pub(crate) fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// Sets the size of memory that is used beside the heap. If that has grown much, the next allocation collects, so
    /// that the total is checked.
    pub(crate) fn set_beside(&mut self, bytes: usize) {
        if bytes > self.beside + self.budget / 8 {
            self.soft_end = self.space.start();
        }
        self.beside = bytes;
    }

    pub(crate) fn has_room_beside(&self) -> bool {
        self.beside <= self.budget
    }

    /// Ends the run if the memory in use exceeds the budget. Called after a collection, when all of it is needed.
    pub(super) fn ensure_all_fits(&self) {
        if self.used_bytes().saturating_add(self.beside) > self.budget {
            exhausted();
        }
    }

    /// Returns whether a cons cell or boxed object is on this heap. If not, it is a literal.
    #[inline]
    pub(super) fn is_own(&self, word: Word) -> bool {
        (self.space.start() as usize..self.top as usize).contains(&(word.pointer() as usize))
    }

    /// Returns whether the machine should collect before it allocates `words` more.
    #[inline]
    pub(crate) fn wants_collection(&self, words: usize) -> bool {
        self.top as usize + words * 8 > self.soft_end as usize
    }

    #[inline]
    pub(super) fn allocate(&mut self, words: usize) -> *mut u64 {
        let start = self.top;
        if words > (self.end as usize - start as usize) / 8 {
            exhausted();
        }
        // SAFETY: checked against the end just now.
        self.top = unsafe { start.add(words) };
        start
    }

    /// Allocates a boxed object. The caller must fill its payload before it does anything else.
    #[inline]
    pub(super) fn allocate_boxed(&mut self, kind: Kind, aux: u8, payload: usize) -> *mut u64 {
        let pointer = self.allocate(payload + 1);
        // SAFETY: `allocate` gave at least one word.
        unsafe { *pointer = Header::new(kind, aux, payload).0 };
        pointer
    }

    pub(super) fn boxed(&mut self, kind: Kind, aux: u8, payload: &[Word]) -> Word {
        let pointer = self.allocate_boxed(kind, aux, payload.len());
        // SAFETY: room for header and payload was allocated.
        unsafe { move_words(payload.as_ptr().cast::<u64>(), pointer.add(1), payload.len()) };
        Word::from_pointer(pointer, TAG_BOXED)
    }

    #[inline]
    pub fn cons(&mut self, head: Word, tail: Word) -> Word {
        let pointer = self.allocate(2);
        // SAFETY: two words were allocated.
        unsafe {
            *pointer = head.0;
            *pointer.add(1) = tail.0;
        }
        Word::from_pointer(pointer, TAG_CONS)
    }

    #[inline]
    pub fn tuple(&mut self, elements: &[Word]) -> Word {
        self.boxed(Kind::Tuple, 0, elements)
    }

    /// Makes a tuple that has `element` `count` times.
    pub fn tuple_of(&mut self, count: usize, element: Word) -> Word {
        let pointer = self.allocate_boxed(Kind::Tuple, 0, count);
        for index in 1..=count {
            // SAFETY: inside the allocation.
            unsafe { *pointer.add(index) = element.0 };
        }
        Word::from_pointer(pointer, TAG_BOXED)
    }

    /// Makes a tuple of the elements, with another one at `index`.
    #[inline]
    pub fn tuple_with(&mut self, elements: &[Word], index: usize, element: Word) -> Word {
        assert!(index < elements.len());
        let copy = self.tuple(elements);
        // SAFETY: the copy is not shared and `index` is below its size.
        unsafe { *copy.pointer().add(1 + index) = element.0 };
        copy
    }

    /// Makes a list of the items that ends in `tail`.
    pub fn list(&mut self, items: &[Word], tail: Word) -> Word {
        items.iter().rev().fold(tail, |rest, &item| self.cons(item, rest))
    }

    /// Makes a list of numbers that are certainly small, such as bytes or code points.
    pub fn list_of_smalls<I: DoubleEndedIterator<Item = i64>>(&mut self, items: I, tail: Word) -> Word {
        items.rev().fold(tail, |rest, item| self.cons(Word::small(item), rest))
    }

    pub fn string(&mut self, text: &str) -> Word {
        self.list_of_smalls(text.chars().map(|c| c as i64), Word::NIL)
    }

    #[inline]
    pub fn float(&mut self, value: f64) -> Word {
        let pointer = self.allocate_boxed(Kind::Float, 0, 1);
        // SAFETY: one word of payload was allocated.
        unsafe { *pointer.add(1) = value.to_bits() };
        Word::from_pointer(pointer, TAG_BOXED)
    }

    /// Makes a closure.
    ///
    /// # Safety
    /// The program that runs with this heap has a function of this number, of this arity and with as many captures.
    pub unsafe fn closure(&mut self, function: u64, arity: u8, captures: &[Word]) -> Word {
        let pointer = self.allocate_boxed(Kind::Closure, arity, 1 + captures.len());
        // SAFETY: room for the function and the captures was allocated.
        unsafe {
            *pointer.add(1) = function;
            move_words(captures.as_ptr().cast::<u64>(), pointer.add(2), captures.len());
        }
        Word::from_pointer(pointer, TAG_BOXED)
    }

    pub fn external(&mut self, module: Word, function: Word, arity: u8) -> Word {
        self.boxed(Kind::External, arity, &[module, function, Word::small(i64::from(arity))])
    }

    pub fn identity(&mut self, kind: Kind, number: u64) -> Word {
        assert!(
            matches!(kind, Kind::Pid | Kind::Reference | Kind::Port),
            "an identity is a pid, a reference or a port"
        );
        self.identities += 1;
        let pointer = self.allocate_boxed(kind, 0, 1);
        // SAFETY: one word of payload was allocated.
        unsafe { *pointer.add(1) = number };
        Word::from_pointer(pointer, TAG_BOXED)
    }

    /// Returns whether the program can have seen an identity. The run's own pid is made with every run, and counts only
    /// after it was handed out.
    pub fn may_show_identities(&self) -> bool {
        self.identities > 1
    }

    pub(crate) fn identities(&self) -> u64 {
        self.identities
    }

    pub(crate) fn set_identities(&mut self, count: u64) {
        self.identities = count;
    }

    pub(crate) fn hand_out_own_pid(&mut self) {
        self.identities += 1;
    }

    /// Makes a trace. Its topmost entry is a value, the frames below it are raw numbers.
    pub fn trace(&mut self, top: Word, frames: &[u64]) -> Word {
        let pointer = self.allocate_boxed(Kind::Trace, 0, 1 + frames.len());
        // SAFETY: room for the top entry and the frames was allocated.
        unsafe {
            *pointer.add(1) = top.0;
            move_words(frames.as_ptr(), pointer.add(2), frames.len());
        }
        Word::from_pointer(pointer, TAG_BOXED)
    }

    /// Makes a trace with the same frames below another top.
    pub fn trace_below(&mut self, top: Word, trace: Word) -> Word {
        assert!(trace.is_kind(Kind::Trace), "frames are taken of a trace");
        self.trace(top, &trace.raw_payload()[1..])
    }

    /// Makes a symbolic box: `concrete` together with its formula.
    pub fn symbolic(&mut self, concrete: Word, formula: TermId) -> Word {
        debug_assert!(!concrete.is_symbolic());
        self.shadows = true;
        let pointer = self.allocate(2);
        // SAFETY: two words were allocated.
        unsafe {
            *pointer = concrete.0;
            *pointer.add(1) = Word::small(i64::from(formula.number())).0;
        }
        Word::from_pointer(pointer, TAG_SYMBOLIC)
    }

    /// Makes a buffer whose first `used` bits are final. Its memory counts from now on.
    pub(super) fn buffer(&mut self, bytes: Vec<u8>, used: usize) -> *mut Buffer {
        self.charge_buffer(bytes.capacity());
        self.buffers.push(Box::new(Buffer { bytes, used, marked: false, appendable: !self.literal }));
        let last = self.buffers.len() - 1;
        &raw mut *self.buffers[last]
    }

    /// Counts `bytes` more of buffer memory. If there are many, this is called before they are allocated.
    pub fn charge_buffer(&mut self, bytes: usize) {
        self.ensure_buffer_room(bytes);
        self.buffer_bytes += bytes;
        if self.buffer_bytes > self.buffer_threshold {
            self.soft_end = self.space.start();
        }
    }

    /// Ends the run if `bytes` more would exceed the budget. Operations whose result size is known in advance call this
    /// first.
    #[inline]
    pub fn ensure_buffer_room(&self, bytes: usize) {
        work::ticks(bytes / BYTES_PER_TICK);
        if bytes > self.budget || self.used_bytes().saturating_add(self.beside) > self.budget - bytes {
            exhausted();
        }
    }

    /// Ends the run if there is no room for `words` more on the heap itself.
    pub fn ensure_room(&self, words: usize) {
        if words > (self.end as usize - self.top as usize) / 8 {
            exhausted();
        }
    }
}

/// Overwrites words that must not be read again with pointers to addresses without memory: a test that reads one of
/// them crashes, instead of finding the old contents.
///
/// # Safety
/// `start` can be written for `words` words.
pub(super) unsafe fn poison(start: *mut u64, words: usize) {
    const BOXED_NOWHERE: u8 = 0xfb;
    // SAFETY: the caller guarantees the room.
    unsafe { std::ptr::write_bytes(start, BOXED_NOWHERE, words) };
}

#[cold]
pub(super) fn exhausted() -> ! {
    // This is no panic, so the hook is not called. `Machine::run_with` catches it.
    std::panic::resume_unwind(Box::new(MemoryExhausted))
}
