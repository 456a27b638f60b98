//! Building and reading bitstrings, as the compiled plans say.

use super::machine::Machine;
use super::step::Cursor;
use crate::compile::{BitsSize, Code, Slot};
use crate::context::Escape;
use crate::language::Misuse;
use crate::value::{BitBuilder, BitsRef, Heap, Segment, SegmentError, Word, push_segment, read_segment, segment_size};
use program::BitKind;

impl Machine {
    pub(super) fn build_bits(&mut self, cursor: Cursor, first: Slot, plan: u32) -> Result<Word, Escape> {
        // SAFETY: the cursor points to live code, values and sizes lie in its frame.
        let plan = unsafe { &(&(*cursor.code).bit_plans)[plan as usize] };
        let slot = |slot: Slot| unsafe { (*cursor.fp.add(usize::from(slot))).concrete() };
        let mut segments = plan.segments.iter().enumerate();
        // `<<Acc/bits, …>>` appends to Acc: in place, if it is the latest of its kind.
        let target = match plan.segments.first() {
            Some((segment, BitsSize::All)) if segment.kind == BitKind::Bits && plan.segments.len() > 1 => {
                let value = slot(first);
                match BitsRef::of(value) {
                    Some(bits) if bits.len().is_multiple_of(usize::from(segment.unit.max(1))) => {
                        segments.next();
                        Some(value)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let mut builder = std::mem::take(&mut self.context.scratch);
        builder.clear();
        for (index, (segment, size)) in segments {
            let value = slot(first + index as Slot);
            let size = match size {
                BitsSize::All | BitsSize::Encoded => None,
                BitsSize::Fixed(bits) => Some(*bits as usize),
                BitsSize::Slot(units) => match segment_size(slot(*units), segment.unit) {
                    Ok(bits) => Some(bits),
                    Err(error) => {
                        self.context.scratch = builder;
                        return Err(self.bad_segment(slot(*units), error));
                    }
                },
            };
            if let Err(error) = push_segment(&self.context.heap, &mut builder, value, size, *segment) {
                self.context.scratch = builder;
                return Err(self.bad_segment(value, error));
            }
        }
        let heap = &mut self.context.heap;
        let result = match target {
            Some(whole) => heap.bits_append(whole, builder.as_ref()),
            None => heap.bits(builder.as_ref()),
        };
        self.context.scratch = if builder.len() > SCRATCH_BITS { BitBuilder::default() } else { builder };
        Ok(result)
    }

    fn bad_segment(&mut self, value: Word, error: SegmentError) -> Escape {
        let language = self.context.language;
        match error {
            SegmentError::BadValue => language.misuse(&mut self.context, Misuse::BadSegment { value }),
            SegmentError::TooLong => language.misuse(&mut self.context, Misuse::TooLong),
        }
    }

    /// Reads a segment into its slots; false if it does not match.
    ///
    /// # Safety
    /// `fp` is the frame of `code`.
    #[inline]
    pub(super) unsafe fn read_bits(&mut self, code: *const Code, fp: *mut Word, read: u32) -> bool {
        unsafe {
            let read = (&*code).bit_reads.get_unchecked(read as usize);
            let whole = (*fp.add(usize::from(read.whole))).concrete();
            let at = (*fp.add(usize::from(read.position))).small_value() as usize;
            let size = match read.size {
                BitsSize::All | BitsSize::Encoded => None,
                BitsSize::Fixed(bits) => Some(bits as usize),
                BitsSize::Slot(slot) => {
                    // A size that is none, negative or beyond all lengths matches nothing.
                    let units = (*fp.add(usize::from(slot))).concrete().as_small();
                    let units = units.and_then(|units| usize::try_from(units).ok());
                    match units.and_then(|units| units.checked_mul(usize::from(read.segment.unit))) {
                        Some(bits) => Some(bits),
                        None => return false,
                    }
                }
            };
            match read.to {
                Some(to) => match read_segment(&mut self.context.heap, whole, at, size, read.segment) {
                    Some((value, next)) => {
                        *fp.add(usize::from(to)) = value;
                        *fp.add(usize::from(read.next)) = Word::small(next as i64);
                        true
                    }
                    None => false,
                },
                None => match skip_segment(&mut self.context.heap, whole, at, size, read.segment) {
                    Some(next) => {
                        *fp.add(usize::from(read.next)) = Word::small(next as i64);
                        true
                    }
                    None => false,
                },
            }
        }
    }
}

/// Where the next segment begins if this one matches; its value is not wanted.
fn skip_segment(heap: &mut Heap, whole: Word, at: usize, size: Option<usize>, segment: Segment) -> Option<usize> {
    match (segment.kind, size) {
        (BitKind::Integer | BitKind::Bits, Some(size)) => {
            let left = BitsRef::of(whole)?.len() - at;
            (size <= left).then_some(at + size)
        }
        (BitKind::Bits, None) => {
            let left = BitsRef::of(whole)?.len() - at;
            left.is_multiple_of(usize::from(segment.unit.max(1))).then_some(at + left)
        }
        (BitKind::Integer | BitKind::Float | BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, _) => {
            read_segment(heap, whole, at, size, segment).map(|(_, next)| next)
        }
    }
}

/// Scratch memory beyond this is not kept.
const SCRATCH_BITS: usize = 8 << 20;
