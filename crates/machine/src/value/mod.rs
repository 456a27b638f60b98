//! Values and the heap on which they are allocated.
//!
//! # Why every word can be read
//!
//! A [`Word`] may be a pointer. It has no lifetime, so that it can be stored in slots, in objects and in tables, and
//! still every safe function may read what it points to. Three facts ensure that this is sound.
//!
//! 1. **Memory is freed at three places only**: by a collection ([`Collector`]), at the start of the next run
//!    (`Heap::reset`) and at the end of the machine. The first two are `unsafe` and private to this crate, and only
//!    `Machine` calls them, between two instructions. Allocation moves nothing, so all that a [`crate::Context`] can do
//!    leaves all words valid. Code outside of this crate never has two heaps at once that it could exchange: it gets a
//!    context from the machine, one at a time, and can make one of its own only with `unsafe`.
//! 2. **No word outside of this crate exists when that happens.** All code that the machine calls (rows, a language's
//!    hooks, a player, the closure that makes the inputs) has returned by then, so the words in its variables are gone.
//!    It has no place to store them: a word is neither `Send` nor `Sync`, so no `static` can hold one, and everything
//!    that lives longer than a call is declared `Send` ([`crate::Foreign`], [`crate::Player`], the closure of
//!    `Machine::run_with`) or `Sync` ([`crate::Language`]). A row is a plain function and captures nothing. The
//!    exception is [`crate::LanguageState`], an `unsafe` trait: an implementation promises to show all words of the
//!    state to every collection. The one place that the compiler does not check is `thread_local!`, which clippy
//!    forbids in the crates that handle words (`disallowed-macros`).
//! 3. **The words inside of this crate are roots, or dead.** They are in the live slots of frames, in the context and
//!    in the watch, which are shown to every collection, and in code as literals, whose heap is never collected and
//!    lives as long as the code. A slot is written before it is read: the compiler counts arguments and captures.
//!
//! The contents of a word can be trusted. Only this crate makes words from numbers, and every reader checks the tag and
//! the kind first; [`Word::payload`] never shows raw numbers as words. A reader borrows from the word that it has, and
//! borrowed data neither changes nor moves: objects are written once, apart from maps that only their maker has seen,
//! and appending to a bitstring, which may move its bytes, is `unsafe` and private.
//!
//! Tests that collect eagerly overwrite memory that was moved or freed, so that a word that violates these rules is
//! noticed.
//!
//! What the compiler refuses:
//!
//! ```compile_fail,E0277
//! // A word cannot be sent, hence no static can hold one.
//! static KEPT: std::sync::Mutex<Option<machine::Word>> = std::sync::Mutex::new(None);
//! ```
//! ```compile_fail,E0277
//! // The closure that makes the inputs of a run cannot keep one of them.
//! fn run(machine: &mut machine::Machine, name: term::Atom) {
//!     let mut kept = None;
//!     machine.run_with(name, name, |context| {
//!         kept = Some(context.heap.string("a"));
//!         Vec::new()
//!     });
//! }
//! ```
//! ```compile_fail,E0515
//! // Data that is read from a word does not outlive it.
//! fn elements(tuple: machine::Word) -> Option<&'static [machine::Word]> {
//!     tuple.as_tuple()
//! }
//! ```
//! ```compile_fail,E0624
//! // A primitive cannot reset the heap.
//! fn forget(context: &mut machine::Context) {
//!     context.heap.reset();
//! }
//! ```

mod bits;
#[cfg(test)]
mod bits_tests;
mod collect;
mod copy;
mod equal;
mod half;
mod heap;
mod map;
#[cfg(test)]
mod map_tests;
mod numbers;
mod region;
mod segments;
mod shadow;
mod trie;
mod word;

pub use bits::{BitBuilder, BitsRef, Endianness};
pub use collect::Collector;
pub(crate) use collect::Frozen;
pub use copy::{copy_brief, copy_in, copy_out};
pub use equal::{hash, identical};
pub use heap::{Heap, KeyOrder, MemoryExhausted};
pub use map::{MapIter, SMALL_MAP};
pub(crate) use region::Region;
pub use segments::{Segment, SegmentError, push_segment, read_segment, segment_size};
pub(crate) use shadow::{DEEPEST, FEW_PARTS};
pub(crate) use word::move_words;
pub use word::{Header, Kind, Parts, Word};
