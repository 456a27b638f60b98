//! Builds and reads bitstrings according to compiled plans.

use super::machine::Machine;
use super::step::Cursor;
use crate::compile::{BitsPlan, BitsSize, Code, Slot};
use crate::context::Escape;
use crate::language::Misuse;
use crate::symbolic::{NotBuilt, SegmentSize};
use crate::value::{BitBuilder, Heap, Segment, SegmentError, Word, push_segment, read_segment, segment_size};
use path::Concretised;
use program::BitKind;

impl Machine {
    pub(super) fn build_bits(&mut self, cursor: Cursor, first: Slot, plan: u32) -> Result<Word, Escape> {
        // SAFETY: the cursor points to live code, values and sizes are in its frame.
        let plan = unsafe { &(&(*cursor.code).bit_plans)[plan as usize] };
        let word = |slot: Slot| unsafe { *cursor.fp.add(usize::from(slot)) };
        let slot = |slot: Slot| word(slot).concrete();
        if self.context.heap.has_shadows() && is_symbolic(plan, first, word) {
            return self.build_symbolic(cursor, plan, first);
        }
        self.build_concrete(plan, first, slot)
    }

    /// Decides, builds the bits, and makes their formula.
    fn build_symbolic(&mut self, cursor: Cursor, plan: &BitsPlan, first: Slot) -> Result<Word, Escape> {
        // SAFETY: values and sizes are in the frame.
        let word = |slot: Slot| unsafe { *cursor.fp.add(usize::from(slot)) };
        let segments = plan.segments.iter().enumerate();
        let segments =
            segments.map(|(index, (segment, size))| (*segment, of_slots(*size, word), word(first + index as Slot)));
        let formula = self.at(cursor).bits_formula(segments);
        let built = self.build_concrete(plan, first, |slot| word(slot).concrete());
        match (formula, built) {
            (Ok(formula), Ok(bits)) => Ok(self.context.with_formula(bits, formula)),
            (Err(NotBuilt::Bad), Err(escape)) => Err(escape),
            (Err(NotBuilt::Lost(why)), built) => {
                self.context.lose(why);
                built
            }
            // Longer than the longest possible bitstring.
            (_, built) => {
                self.context.lose(Concretised::LengthOfBitstring);
                built
            }
        }
    }

    fn build_concrete(&mut self, plan: &BitsPlan, first: Slot, slot: impl Fn(Slot) -> Word) -> Result<Word, Escape> {
        let mut segments = plan.segments.iter().enumerate();
        // `<<Acc/bits, …>>` appends to `Acc`: in place, if it is the latest bitstring that was made from its buffer.
        let target = match plan.segments.first() {
            Some((segment, BitsSize::All)) if segment.kind == BitKind::Bits && plan.segments.len() > 1 => {
                let value = slot(first);
                match value.as_bits() {
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
                        let value = slot(*units);
                        let misuse = Misuse::BadSegment { index, kind: segment.kind, bits: None, value, is_size: true };
                        return Err(self.bad_segment(misuse, error));
                    }
                },
            };
            if let Err(error) = push_segment(&self.context.heap, &mut builder, value, size, *segment) {
                self.context.scratch = builder;
                let misuse = Misuse::BadSegment { index, kind: segment.kind, bits: size, value, is_size: false };
                return Err(self.bad_segment(misuse, error));
            }
        }
        let heap = &mut self.context.heap;
        let result = match target {
            // SAFETY: what was borrowed from words above has been copied into the builder.
            Some(whole) => unsafe { heap.bits_append(whole, builder.as_ref()) },
            None => heap.bits(builder.as_ref()),
        };
        self.context.scratch = if builder.len() > SCRATCH_BITS { BitBuilder::default() } else { builder };
        Ok(result)
    }

    /// Reads a segment whose bits, position or size have a shadow.
    #[inline(never)]
    pub(super) fn read_bits_symbolic(&mut self, cursor: Cursor, read: u32) -> bool {
        // SAFETY: the cursor points to live code, whose slots are in its frame.
        unsafe {
            let plan = (&*cursor.code).bit_reads.get_unchecked(read as usize);
            let word = |slot: Slot| *cursor.fp.add(usize::from(slot));
            let (whole, position, size) = (word(plan.whole), word(plan.position), of_slots(plan.size, word));
            let wanted = plan.to.is_some();
            match self.at(cursor).read_segment_symbolic(whole, position, size, plan.segment, wanted) {
                Some((value, next)) => {
                    if let Some(to) = plan.to {
                        *cursor.fp.add(usize::from(to)) = value;
                    }
                    *cursor.fp.add(usize::from(plan.next)) = next;
                    true
                }
                None => false,
            }
        }
    }

    #[inline(never)]
    pub(super) fn bits_end(&mut self, cursor: Cursor, whole: Word, position: Word) -> bool {
        self.at(cursor).ends_symbolic(whole, position)
    }

    fn bad_segment(&mut self, bad: Misuse<'_>, error: SegmentError) -> Escape {
        let misuse = match error {
            SegmentError::BadValue => bad,
            SegmentError::TooLong => Misuse::TooLong,
        };
        self.context.language.misuse(&mut self.context, misuse)
    }

    /// Reads a segment into its slots. Returns false if it does not match.
    ///
    /// # Safety
    /// `fp` is the frame of `code`.
    #[inline]
    pub(super) unsafe fn read_bits(&mut self, code: *const Code, fp: *mut Word, read: u32) -> bool {
        unsafe {
            let read = (&*code).bit_reads.get_unchecked(read as usize);
            let whole = *fp.add(usize::from(read.whole));
            let at = (*fp.add(usize::from(read.position))).small_value() as usize;
            let size = match read.size {
                BitsSize::All | BitsSize::Encoded => None,
                BitsSize::Fixed(bits) => Some(bits as usize),
                BitsSize::Slot(slot) => {
                    // A size that is not an integer, negative or beyond all lengths matches nothing.
                    let units = (*fp.add(usize::from(slot))).as_small();
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

/// Returns whether the bits, the position or the size of a read have a shadow.
///
/// # Safety
/// `fp` is the frame of `code`.
#[inline]
pub(super) unsafe fn reads_shadow(code: &Code, fp: *const Word, read: u32) -> bool {
    // SAFETY: slots of the code are in its frame.
    unsafe {
        let plan = code.bit_reads.get_unchecked(read as usize);
        let is_symbolic = |slot: Slot| (*fp.add(usize::from(slot))).is_symbolic();
        is_symbolic(plan.whole)
            || is_symbolic(plan.position)
            || matches!(plan.size, BitsSize::Slot(units) if is_symbolic(units))
    }
}

/// Returns whether a value or a size has a shadow. Values of segments have no parts that could have one.
fn is_symbolic(plan: &BitsPlan, first: Slot, word: impl Fn(Slot) -> Word) -> bool {
    plan.segments.iter().enumerate().any(|(index, (_, size))| {
        word(first + index as Slot).is_symbolic() || matches!(size, BitsSize::Slot(units) if word(*units).is_symbolic())
    })
}

fn of_slots(size: BitsSize, word: impl Fn(Slot) -> Word) -> SegmentSize {
    match size {
        BitsSize::All => SegmentSize::All,
        BitsSize::Encoded => SegmentSize::Encoded,
        BitsSize::Fixed(bits) => SegmentSize::Bits(bits),
        BitsSize::Slot(units) => SegmentSize::Units(word(units)),
    }
}

/// Returns the position after the segment if it matches, without reading its value.
fn skip_segment(heap: &mut Heap, whole: Word, at: usize, size: Option<usize>, segment: Segment) -> Option<usize> {
    match (segment.kind, size) {
        (BitKind::Integer | BitKind::Bits, Some(size)) => {
            let left = whole.as_bits()?.len() - at;
            (size <= left).then_some(at + size)
        }
        (BitKind::Bits, None) => {
            let left = whole.as_bits()?.len() - at;
            left.is_multiple_of(usize::from(segment.unit.max(1))).then_some(at + left)
        }
        (BitKind::Integer | BitKind::Float | BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, _) => {
            read_segment(heap, whole, at, size, segment).map(|(_, next)| next)
        }
    }
}

/// The size up to which scratch memory is kept.
const SCRATCH_BITS: usize = 8 << 20;
