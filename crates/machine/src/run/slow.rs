//! Instructions on values beyond the common case: numbers that are not small, comparisons of terms, and everything with
//! a shadow.

use super::fast::{float_arithmetic, holds_for};
use super::machine::Machine;
use super::step::Cursor;
use crate::compile::Instruction;
use crate::context::{Context, Escape};
use crate::primitive::{Arithmetic, Compare, Primitive, Test};
use crate::value::{Word, identical};
use path::{Place, Surrounding};
use std::cmp::Ordering;
use term::floats;

impl Machine {
    /// Returns the context, with the instruction at the cursor as the place of the following decisions.
    pub(super) fn at(&mut self, cursor: Cursor) -> &mut Context {
        // SAFETY: the cursor points to live code.
        let function = unsafe { (*cursor.code).function };
        self.context.heed_alarm();
        self.context.recorder.enter(Place::Code { function, instruction: cursor.pc });
        &mut self.context
    }

    #[inline(never)]
    pub(super) fn arithmetic(
        &mut self,
        cursor: Cursor,
        operation: Arithmetic,
        row: &'static Primitive,
        a: Word,
        b: Word,
    ) -> Result<Word, Escape> {
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float())
            && let Some(result) = float_arithmetic(operation, x, y)
        {
            return Ok(self.context.heap.float(result));
        }
        if a.is_symbolic() || b.is_symbolic() {
            return self.at(cursor).apply_row(row, &[a, b], false);
        }
        row.apply(&mut self.context, &[a, b])
    }

    #[inline(never)]
    pub(super) fn compare(&mut self, cursor: Cursor, compare: Compare, a: Word, b: Word) -> bool {
        // Floats are finite, so they are ordered, but their order does not distinguish the two zeros where these are
        // different terms.
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float())
            && let Some(order) = x.partial_cmp(&y)
            && (x != 0.0 || !floats::tells_zeros_apart())
        {
            return holds_for(compare, order);
        }
        let holds = self.compare_concrete(compare, a.concrete(), b.concrete());
        if self.context.heap.may_show_identities() {
            self.note_order(compare, a, b);
        }
        // If one value is immediate, the top of the other one decides.
        let tops = (a.is_immediate() || b.is_immediate()) && !a.is_symbolic() && !b.is_symbolic();
        if !tops && self.context.heap.has_shadows() {
            self.at(cursor).record_compare(compare, a, b, holds);
        }
        holds
    }

    /// Records that the order of two identities was observed. A program cannot rely on it.
    #[cold]
    fn note_order(&mut self, compare: Compare, a: Word, b: Word) {
        match compare {
            Compare::Less | Compare::LessOrEqual | Compare::Greater | Compare::GreaterOrEqual => {
                if self.context.language.orders_arbitrarily(a, b) {
                    self.context.asks(Surrounding::Identities);
                }
            }
            Compare::Equal | Compare::NotEqual | Compare::Identical | Compare::NotIdentical => {}
        }
    }

    fn compare_concrete(&self, compare: Compare, a: Word, b: Word) -> bool {
        let language = self.context.language;
        match compare {
            Compare::Less => language.compare(a, b) == Ordering::Less,
            Compare::LessOrEqual => language.compare(a, b) != Ordering::Greater,
            Compare::Greater => language.compare(a, b) == Ordering::Greater,
            Compare::GreaterOrEqual => language.compare(a, b) != Ordering::Less,
            Compare::Equal => language.equal(a, b),
            Compare::NotEqual => !language.equal(a, b),
            Compare::Identical => identical(a, b),
            Compare::NotIdentical => !identical(a, b),
        }
    }

    /// Applies a primitive in a run with shadows.
    #[inline(never)]
    pub(super) fn apply_symbolic(
        &mut self,
        cursor: Cursor,
        row: &'static Primitive,
        args: &[Word],
    ) -> Result<Word, Escape> {
        self.at(cursor).apply_row(row, args, true)
    }

    #[inline(never)]
    pub(super) fn test(&mut self, cursor: Cursor, test: Test, word: Word) -> bool {
        self.at(cursor).test_symbolic(test, word)
    }

    #[inline(never)]
    pub(super) fn is_cons(&mut self, cursor: Cursor, word: Word) -> bool {
        self.at(cursor).is_cons_symbolic(word)
    }

    #[inline(never)]
    pub(super) fn is_tuple(&mut self, cursor: Cursor, word: Word, size: u16) -> bool {
        self.at(cursor).is_tuple_symbolic(word, usize::from(size))
    }

    #[inline(never)]
    pub(super) fn is_immediate(&mut self, cursor: Cursor, word: Word, wanted: Word) -> bool {
        self.at(cursor).is_immediate_symbolic(word, wanted)
    }

    /// Compares a value with a literal that is not immediate.
    #[inline(never)]
    pub(super) fn is_constant(&mut self, cursor: Cursor, word: Word, wanted: Word) -> bool {
        let holds = identical(word, wanted);
        if self.context.heap.has_shadows() {
            self.at(cursor).record_compare(Compare::Identical, word, wanted, holds);
        }
        holds
    }

    #[inline(never)]
    pub(super) fn switch(&mut self, cursor: Cursor, word: Word, table: u32) -> u32 {
        // SAFETY: the cursor points to live code.
        let code = unsafe { &*cursor.code };
        let ways = code.switches[table as usize].ways(code);
        let target = self.at(cursor).switch_symbolic(&code.switches[table as usize], ways, word);
        let Some((mapping, to)) = ways.lookup_at(target) else { return target };
        // The constant that the target would load is a function of the subject.
        let Instruction::Load { constant, .. } = code.instructions[target as usize] else { return target };
        let loaded = self.context.look_up(word, mapping, code.constants[constant as usize]);
        // SAFETY: the slot belongs to the running function.
        unsafe { *cursor.fp.add(usize::from(to)) = loaded };
        target + 1
    }

    #[inline(never)]
    pub(super) fn map_get(&mut self, cursor: Cursor, map: Word, key: Word) -> Option<Word> {
        self.at(cursor).map_lookup(map, key)
    }
}
