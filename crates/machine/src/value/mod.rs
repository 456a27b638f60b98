//! Values and the heap they live in.

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
pub use copy::{copy_in, copy_out};
pub use equal::{hash, identical};
pub use heap::{Buffer, Heap, KeyOrder, MemoryExhausted};
pub use map::{MapIter, SMALL_MAP};
pub use region::Region;
pub use segments::{Segment, SegmentError, push_segment, read_segment, segment_size};
pub(crate) use shadow::{DEEPEST, FEW_PARTS, values_of};
pub(crate) use word::move_words;
pub use word::{Header, Kind, Word};
