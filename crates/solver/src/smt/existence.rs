//! A condition that holds has a value, so everything in it has one: parts exist, operands are numbers.

use super::encode::{Encoder, Facet, kind_number};
use crate::layout::positions::{Projection, last_step};
use formula::{Arithmetic, Conversion, Kinds, Numeric, Operator, TermId, Test};

impl Encoder<'_> {
    /// Asserts that everything exists that must exist if the truth value of the condition is `want`. One side of a
    /// junction may decide alone.
    pub(super) fn assert_existence(&mut self, condition: TermId, want: bool) {
        stacker::maybe_grow(256 << 10, 4 << 20, || self.assert_existence_here(condition, want));
    }

    fn assert_existence_here(&mut self, condition: TermId, want: bool) {
        match *self.formulas.operator(condition) {
            Operator::Test(Test::Not(inner)) => self.assert_existence(inner, !want),
            Operator::Test(Test::And(a, b)) if want => {
                self.assert_existence(a, true);
                self.assert_existence(b, true);
            }
            Operator::Test(Test::Or(a, b)) if !want => {
                self.assert_existence(a, false);
                self.assert_existence(b, false);
            }
            Operator::Test(Test::And(..)) | Operator::Test(Test::Or(..)) => {}
            _ => self.assert_values(condition),
        }
    }

    fn assert_values(&mut self, condition: TermId) {
        let mut open = vec![condition];
        while let Some(id) = open.pop() {
            if !self.there.insert(id) {
                continue;
            }
            let operator = self.formulas.operator(id).clone();
            match operator {
                Operator::Test(Test::And(..)) | Operator::Test(Test::Or(..)) => continue,
                // The operation below may have no value, but its operands must have one.
                Operator::Test(Test::Defined(inner)) => {
                    self.formulas.operator(inner).each_child(|child| open.push(child));
                    continue;
                }
                _ => {}
            }
            if let Some(needed) = self.needed(id, &operator) {
                self.line(format_args!("(assert {needed})"));
            }
            operator.each_child(|child| open.push(child));
        }
    }

    fn needed(&mut self, id: TermId, operator: &Operator) -> Option<String> {
        if let Some((base, step)) = last_step(self.formulas, id) {
            return self.part_needed(id, base, &step);
        }
        let integers = |this: &mut Self, ids: &[TermId], kinds: Kinds| {
            let parts: Vec<String> = ids.iter().map(|id| this.is_kind(*id, kinds)).collect();
            format!("(and {})", parts.join(" "))
        };
        match operator {
            Operator::Arithmetic(operation, a, b) => Some(match operation {
                Arithmetic::Quotient | Arithmetic::Remainder => {
                    let whole = integers(self, &[*a, *b], Kinds::INTEGER);
                    let divisor = self.facet(*b, Facet::Integer);
                    format!("(and {whole} (not (= {divisor} 0)))")
                }
                Arithmetic::BitAnd
                | Arithmetic::BitOr
                | Arithmetic::BitXor
                | Arithmetic::ShiftLeft
                | Arithmetic::ShiftRight => integers(self, &[*a, *b], Kinds::INTEGER),
                _ => integers(self, &[*a, *b], Kinds::NUMBER),
            }),
            Operator::Numeric(Numeric::BitNot, a) => Some(self.is_kind(*a, Kinds::INTEGER)),
            Operator::Numeric(_, a) => Some(self.is_kind(*a, Kinds::NUMBER)),
            Operator::ItemAt(list, index) => {
                let (cells, index) = (self.facet(*list, Facet::Cells), self.facet(*index, Facet::Integer));
                Some(format!("(and (<= 0 {index}) (< {index} {cells}))"))
            }
            Operator::RestAt(list, index) => {
                let (cells, index) = (self.facet(*list, Facet::Cells), self.facet(*index, Facet::Integer));
                Some(format!("(and (<= 0 {index}) (<= {index} {cells}))"))
            }
            Operator::ElementAt(tuple, index) => {
                let is = self.is_kind(*tuple, Kinds::TUPLE);
                let (size, index) = (self.facet(*tuple, Facet::TupleSize), self.facet(*index, Facet::Integer));
                Some(format!("(and {is} (<= 0 {index}) (< {index} {size}))"))
            }
            Operator::BitsNumber { bits, at, size, .. } | Operator::BitsSlice { bits, at, size } => {
                let is = self.is_kind(*bits, Kinds::BITS);
                let (at, size) = (self.facet(*at, Facet::Integer), self.facet(*size, Facet::Integer));
                let whole = self.facet(*bits, Facet::BitSize);
                Some(format!("(and {is} (<= 0 {at}) (<= 0 {size}) (<= (+ {at} {size}) {whole}))"))
            }
            Operator::Convert(conversion @ (Conversion::ListToInteger | Conversion::BinaryToInteger), text) => {
                Some(self.converts(*conversion, *text))
            }
            Operator::MapGet { map, .. } => {
                let (is, present) = (self.is_kind(*map, Kinds::MAP), self.facet(id, Facet::Present));
                Some(format!("(and {is} {present})"))
            }
            _ => None,
        }
    }

    fn part_needed(&mut self, id: TermId, base: TermId, step: &Projection) -> Option<String> {
        Some(match step {
            Projection::Item(index) => format!("(> {} {index})", self.facet(base, Facet::Cells)),
            Projection::Rest(cells) => format!("(>= {} {cells})", self.facet(base, Facet::Cells)),
            Projection::Element(index) => {
                let (is, size) = (self.is_kind(base, Kinds::TUPLE), self.facet(base, Facet::TupleSize));
                format!("(and {is} (> {size} {index}))")
            }
            Projection::Value(_) => {
                let (is, present) = (self.is_kind(base, Kinds::MAP), self.facet(id, Facet::Present));
                format!("(and {is} {present})")
            }
            Projection::KeyAt(index) | Projection::ValueAt(index) => {
                let size = self.formulas.map_size(base);
                let (is, size) = (self.is_kind(base, Kinds::MAP), self.facet(size, Facet::Integer));
                format!("(and {is} (> {size} {index}))")
            }
            Projection::MapSize => self.is_kind(base, Kinds::MAP),
            Projection::Number { at, size, .. } | Projection::Slice { at, size } => {
                let (is, whole) = (self.is_kind(base, Kinds::BITS), self.facet(base, Facet::BitSize));
                format!("(and {is} (<= {} {whole}))", at + size)
            }
            Projection::Length => format!("(= {} {})", self.facet(base, Facet::End), kind_number(Kinds::NIL)),
            Projection::TupleSize => self.is_kind(base, Kinds::TUPLE),
            Projection::BitSize => self.is_kind(base, Kinds::BITS),
        })
    }
}
