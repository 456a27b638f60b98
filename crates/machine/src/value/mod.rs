//! Values and the heap they live in.
//!
//! # Why a word in hand can be read
//!
//! A [`Word`] may be a pointer. It has no lifetime, so that it can lie in slots, in objects and in tables, and
//! still every safe function may read what it points to. That holds because of three facts.
//!
//! 1. **Memory goes away at three places only**: a collection ([`Collector`]), the start of the next run
//!    (`Heap::reset`) and the end of the machine. The first two are `unsafe` and private to this crate, and only
//!    `Machine` calls them, between two instructions. Allocation moves nothing, so what a [`crate::Context`] can do
//!    leaves all words as they are. Code outside of this crate never has two heaps at once that it could exchange:
//!    it gets a context from the machine, one at a time, and can make one of its own only with `unsafe`.
//! 2. **No word outside of this crate is there when that happens.** What the machine calls (rows, a language's
//!    hooks, a player, whoever makes the inputs) has returned by then, so words in its variables are gone. It has
//!    nowhere to leave them: a word is neither `Send` nor `Sync`, so no `static` can hold one, and what lives
//!    longer than a call is declared `Send` ([`crate::Foreign`], [`crate::Player`], the closure of
//!    `Machine::run_with`) or `Sync` ([`crate::Language`]). A row is a plain function and captures nothing. The
//!    exception is [`crate::LanguageState`], an `unsafe` trait: whoever implements it promises to show all words
//!    of the state to every collection. The one place that the compiler does not see is `thread_local!`, which
//!    clippy forbids in the crates that handle words (`disallowed-macros`).
//! 3. **The words inside of this crate are roots, or dead.** They lie in the live slots of frames, in the context
//!    and in the watch, which are shown to every collection, and in code as literals, whose heap is never
//!    collected and lives as long as the code. A slot is written before it is read: the compiler counts arguments
//!    and captures.
//!
//! A word is what it says. Only this crate makes words of numbers, and every reader checks the tag and the kind
//! first; [`Word::payload`] never shows raw numbers as words. What a reader borrows, it borrows from the word in
//! hand, and nothing that is borrowed changes or moves: objects are written once, apart from maps that nobody has
//! seen yet, and appending to a bitstring, which may move its bytes, is `unsafe` and private.
//!
//! Tests that collect eagerly overwrite what was moved or forgotten, so that a word that breaks this is seen.
//!
//! What the compiler refuses:
//!
//! ```compile_fail,E0277
//! // A word cannot be sent, hence no static can hold one.
//! static KEPT: std::sync::Mutex<Option<machine::Word>> = std::sync::Mutex::new(None);
//! ```
//! ```compile_fail,E0277
//! // Who makes the inputs of a run cannot keep one of them.
//! fn run(machine: &mut machine::Machine, name: term::Atom) {
//!     let mut kept = None;
//!     machine.run_with(name, name, |context| {
//!         kept = Some(context.heap.string("a"));
//!         Vec::new()
//!     });
//! }
//! ```
//! ```compile_fail,E0515
//! // What is read of a word does not outlive it.
//! fn elements(tuple: machine::Word) -> Option<&'static [machine::Word]> {
//!     tuple.as_tuple()
//! }
//! ```
//! ```compile_fail,E0624
//! // A primitive cannot forget the heap.
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
