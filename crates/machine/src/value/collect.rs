//! Collection by copying (Cheney): everything reachable from the roots moves to the spare space, which then becomes the
//! space. Iterative, so depth of data does not matter.

use super::heap::{Buffer, FIRST_BUFFER_COLLECTION, FIRST_COLLECTION, Heap, exhausted, poison};
use super::region::Region;
use super::word::{Header, Kind, TAG_BOXED, TAG_CONS, TAG_IMMEDIATE, TAG_MASK, TAG_SYMBOLIC, Word};

/// A collection in progress. Every root must be shown to it.
pub struct Collector<'a> {
    heap: &'a mut Heap,
    from_start: usize,
    from_end: usize,
    scan: *mut u64,
    top: *mut u64,
}

impl Heap {
    /// Begins a collection.
    ///
    /// # Safety
    /// Until the collection is finished, every word of this heap that is read later is shown to it as a root, and no
    /// word of the heap is read before that.
    pub(crate) unsafe fn begin_collection(&mut self) -> Collector<'_> {
        let from_start = self.space.start() as usize;
        let from_end = self.top as usize;
        let start = self.spare.start();
        for buffer in &mut self.buffers {
            buffer.marked = false;
        }
        Collector { heap: self, from_start, from_end, scan: start, top: start }
    }
}

/// Values that are neither moved nor freed as long as this lives.
pub(crate) struct Frozen {
    _space: Region<u64>,
    #[allow(clippy::vec_box, reason = "slices point to the buffers, which must not move")]
    _buffers: Vec<Box<Buffer>>,
}

impl Heap {
    /// Moves the shown values to memory of their own, where they are neither collected nor changed.
    ///
    /// # Safety
    /// No word of this heap is read afterwards that was not shown as a root.
    pub(crate) unsafe fn freeze(&mut self, show: impl FnOnce(&mut Collector<'_>)) -> std::io::Result<Frozen> {
        let space = Region::reserve(self.used().max(1))?;
        // SAFETY: as the caller promises.
        let mut collector = unsafe { self.begin_collection() };
        (collector.scan, collector.top) = (space.start(), space.start());
        show(&mut collector);
        collector.scan_all();
        let (mut kept, mut rest) = (Vec::new(), Vec::new());
        for mut buffer in self.buffers.drain(..) {
            if buffer.marked {
                buffer.appendable = false;
                kept.push(buffer);
            } else {
                rest.push(buffer);
            }
        }
        self.buffers = rest;
        Ok(Frozen { _space: space, _buffers: kept })
    }
}

impl Collector<'_> {
    #[inline]
    pub fn root(&mut self, word: &mut Word) {
        *word = self.forward(*word);
    }

    pub fn roots<'r>(&mut self, words: impl IntoIterator<Item = &'r mut Word>) {
        for word in words {
            self.root(word);
        }
    }

    /// Copies the remaining objects, swaps the spaces and determines when to collect next, which is later if scanning
    /// the roots was much work.
    pub(crate) fn finish(mut self, root_words: usize) {
        self.scan_all();
        let heap = self.heap;
        let was_large = self.from_end - self.from_start > 32 * FIRST_COLLECTION;
        std::mem::swap(&mut heap.space, &mut heap.spare);
        if was_large {
            heap.spare.release();
        } else if heap.eager {
            // SAFETY: what was in use of the old space is inside of it, and all of it has moved.
            unsafe { poison(heap.spare.start(), (self.from_end - self.from_start) / 8) };
        }
        heap.top = self.top;
        let live = heap.used();
        // The space is almost full of data that is needed: every allocation would collect, and soon that would not
        // help.
        if live > heap.space.capacity() / 16 * 15 {
            exhausted();
        }
        // Collecting at three times the live data bounds the copying to half a word per allocated word.
        let usual = (live * 3 + root_words).max(FIRST_COLLECTION);
        let next = if heap.eager { live + live / 8 + root_words / 8 } else { usual }.min(heap.space.capacity());
        // SAFETY: `next` and the capacity are inside the space.
        unsafe {
            heap.soft_end = heap.space.start().add(next);
            heap.end = heap.space.start().add(heap.space.capacity());
        }
        heap.buffers.retain(|buffer| buffer.marked);
        heap.buffer_bytes = heap.buffers.iter().map(|buffer| buffer.bytes.capacity()).sum();
        heap.buffer_threshold = (heap.buffer_bytes * 2).max(FIRST_BUFFER_COLLECTION);
        heap.ensure_all_fits();
    }

    fn scan_all(&mut self) {
        while self.scan < self.top {
            // SAFETY: between scan and top there are whole objects that `copy` wrote.
            unsafe {
                let word = Word::from_bits(*self.scan);
                match header_of(word) {
                    None => {
                        *self.scan = self.forward(word).0;
                        self.scan = self.scan.add(1);
                    }
                    Some(header) => self.scan_object(header),
                }
            }
        }
    }

    /// Steps over a header and the raw words after it; values that follow are scanned as such.
    unsafe fn scan_object(&mut self, header: Header) {
        let payload = header.payload();
        unsafe {
            match header.kind() {
                Kind::Tuple | Kind::SmallMap | Kind::LargeMap | Kind::MapNode | Kind::MapCollision | Kind::External => {
                    self.scan = self.scan.add(1)
                }
                Kind::Float | Kind::Big | Kind::Bits | Kind::Pid | Kind::Reference | Kind::Port => {
                    self.scan = self.scan.add(1 + payload);
                }
                Kind::BitsSlice => {
                    let buffer = *self.scan.add(3) as *mut Buffer;
                    (*buffer).marked = true;
                    self.scan = self.scan.add(1 + payload);
                }
                Kind::Closure => self.scan = self.scan.add(2),
                Kind::Trace => {
                    *self.scan.add(1) = self.forward(Word::from_bits(*self.scan.add(1))).0;
                    self.scan = self.scan.add(1 + payload);
                }
            }
        }
    }

    #[inline]
    fn forward(&mut self, word: Word) -> Word {
        if word.is_immediate() {
            return word;
        }
        let pointer = word.pointer();
        if (pointer as usize) < self.from_start || pointer as usize >= self.from_end {
            // The word is a literal of the program.
            return word;
        }
        let tag = word.0 & TAG_MASK;
        // SAFETY: the pointer is into the old space, where `word` is a whole object, moved or not.
        unsafe {
            if tag == TAG_BOXED {
                let first = Word::from_bits(*pointer);
                match header_of(first) {
                    None => first,
                    Some(header) => {
                        let moved = Word::from_pointer(self.copy(pointer, header.payload() + 1), TAG_BOXED);
                        *pointer = moved.0;
                        moved
                    }
                }
            } else {
                debug_assert!(tag == TAG_CONS || tag == TAG_SYMBOLIC);
                if Word::from_bits(*pointer) == Word::MOVED {
                    return Word::from_bits(*pointer.add(1));
                }
                let moved = Word::from_pointer(self.copy(pointer, 2), tag);
                *pointer = Word::MOVED.0;
                *pointer.add(1) = moved.0;
                moved
            }
        }
    }

    #[inline]
    unsafe fn copy(&mut self, from: *mut u64, words: usize) -> *mut u64 {
        let to = self.top;
        // SAFETY: the spare space is as large as the old one, and nothing is copied twice.
        unsafe {
            std::ptr::copy_nonoverlapping(from, to, words);
            self.top = to.add(words);
        }
        to
    }
}

#[inline]
fn header_of(word: Word) -> Option<Header> {
    const HEADER: u64 = TAG_IMMEDIATE | 2 << 3;
    (word.0 & 0xff == HEADER).then_some(Header(word.0))
}
