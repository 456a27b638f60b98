//! Reads from bitstrings that were built of parts. If a part's size is not known in advance, it is a decision whether
//! the bits that are read are inside the part. If they are, they are read from the part itself.

use super::bits::Number;
use crate::context::Context;
use formula::{Arithmetic, BitsPart, Operator, TermId};

impl Context {
    /// Remembers the size of a part of a new bitstring, with which reading compares.
    pub(super) fn remember_size(&mut self, part: &BitsPart, bits: i64) {
        let size = self.part_size(part);
        if self.recorder.formulas.as_constant(size).is_none() {
            self.recorder.sizes.insert(size, bits);
        }
    }

    fn part_size(&mut self, part: &BitsPart) -> TermId {
        match part.size {
            Some(size) => size,
            None => self.recorder.formulas.bit_size(part.value),
        }
    }

    /// Returns the part that contains the `size` bits from `at` on, and their position in it.
    pub(super) fn part_read(&mut self, bits: TermId, at: Number, size: Number) -> (TermId, TermId) {
        let (mut bits, mut at) = (bits, at);
        // The first decision of a segment is whether it fits, even if that is known.
        self.recorder.ask_again(self.recorder.part().max(1));
        while let Some((part, inside)) = self.part_around(bits, at, size) {
            let only = self.recorder.formulas.bits(vec![part]);
            if only == bits {
                break;
            }
            (bits, at) = (only, inside);
        }
        (bits, at.formula)
    }

    fn part_around(&mut self, bits: TermId, at: Number, size: Number) -> Option<(BitsPart, Number)> {
        let Operator::Bits(parts) = self.recorder.formulas.operator(bits) else { return None };
        let is_open = |part: &BitsPart| part.size.is_none_or(|size| self.recorder.formulas.as_constant(size).is_none());
        // The formulas themselves find parts of known sizes.
        if parts.len() < 2 || !parts.iter().any(is_open) {
            return None;
        }
        let parts = parts.clone();
        let mut begin = Number { value: 0, formula: self.recorder.formulas.integer(0) };
        for part in parts {
            let of_part = self.part_size(&part);
            let known = self.recorder.formulas.as_constant(of_part).and_then(term::Term::as_int);
            let value = known.or_else(|| self.recorder.sizes.get(&of_part).copied())?;
            let end = Number { value: begin.value + value, formula: self.plus(begin.formula, of_part) };
            let is_behind = self.recorder.formulas.less_or_equal(end.formula, at.formula);
            if self.decide(is_behind, end.value <= at.value) {
                begin = end;
                continue;
            }
            let until = self.plus(at.formula, size.formula);
            let is_inside = self.recorder.formulas.less_or_equal(until, end.formula);
            if !self.decide(is_inside, at.value + size.value <= end.value) {
                return None;
            }
            let formula = self.recorder.formulas.arithmetic(Arithmetic::Subtract, at.formula, begin.formula);
            return Some((part, Number { value: at.value - begin.value, formula }));
        }
        None
    }
}
