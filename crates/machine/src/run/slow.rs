//! What instructions do on concrete values at once, and what they do on everything else.

use super::machine::Machine;
use super::step::Cursor;
use crate::context::Escape;
use crate::path::Site;
use crate::primitive::{Arithmetic, Compare, Meaning, Primitive, Test};
use crate::value::{BitsRef, Kind, Word, identical};
use formula::TermId;
use std::cmp::Ordering;

/// On small integers, where the result is one.
#[inline(always)]
pub(super) fn fast_arithmetic(operation: Arithmetic, a: Word, b: Word) -> Option<Word> {
    if !Word::both_small(a, b) {
        return None;
    }
    // A small integer is its value shifted by one: sums, differences and bit operations keep that.
    let (x, y) = (a.0 as i64, b.0 as i64);
    match operation {
        Arithmetic::Add => x.checked_add(y).map(|sum| Word(sum as u64)),
        Arithmetic::Subtract => x.checked_sub(y).map(|difference| Word(difference as u64)),
        Arithmetic::Multiply => (x >> 1).checked_mul(y).map(|product| Word(product as u64)),
        Arithmetic::Divide => (y != 0).then(|| Word::try_small((x >> 1) / (y >> 1))).flatten(),
        Arithmetic::Remainder => (y != 0).then(|| Word::small((x >> 1) % (y >> 1))),
        Arithmetic::And => Some(Word((x & y) as u64)),
        Arithmetic::Or => Some(Word((x | y) as u64)),
        Arithmetic::Xor => Some(Word((x ^ y) as u64)),
        Arithmetic::ShiftLeft => {
            let count = y >> 1;
            ((0..62).contains(&count) && (x << count) >> count == x).then(|| Word((x << count) as u64))
        }
        Arithmetic::ShiftRight => {
            let count = y >> 1;
            (0..63).contains(&count).then(|| Word(((x >> count) & !1) as u64))
        }
    }
}

/// On small integers, and identity of immediates.
#[inline(always)]
pub(super) fn fast_compare(compare: Compare, a: Word, b: Word) -> Option<bool> {
    if Word::both_small(a, b) {
        return Some(holds_for(compare, (a.0 as i64).cmp(&(b.0 as i64))));
    }
    match compare {
        Compare::Identical if a.is_immediate() && b.is_immediate() => Some(a == b),
        Compare::NotIdentical if a.is_immediate() && b.is_immediate() => Some(a != b),
        _ => None,
    }
}

/// Without a branch: a compare is the set of the orders for which it holds.
#[inline(always)]
fn holds_for(compare: Compare, order: Ordering) -> bool {
    const LESS: u8 = 0b001;
    const EQUAL: u8 = 0b010;
    const GREATER: u8 = 0b100;
    let orders = match compare {
        Compare::Less => LESS,
        Compare::LessOrEqual => LESS | EQUAL,
        Compare::Greater => GREATER,
        Compare::GreaterOrEqual => GREATER | EQUAL,
        Compare::Equal | Compare::Identical => EQUAL,
        Compare::NotEqual | Compare::NotIdentical => LESS | GREATER,
    };
    orders >> (order as i8 + 1) & 1 != 0
}

/// On two floats, where the result is finite: what happens to one that is not is the language's to say.
#[inline]
fn float_arithmetic(operation: Arithmetic, x: f64, y: f64) -> Option<f64> {
    let result = match operation {
        Arithmetic::Add => x + y,
        Arithmetic::Subtract => x - y,
        Arithmetic::Multiply => x * y,
        // Of integers only.
        Arithmetic::Divide
        | Arithmetic::Remainder
        | Arithmetic::And
        | Arithmetic::Or
        | Arithmetic::Xor
        | Arithmetic::ShiftLeft
        | Arithmetic::ShiftRight => return None,
    };
    result.is_finite().then_some(result)
}

#[inline(always)]
pub(super) fn fast_test(test: Test, word: Word) -> bool {
    match test {
        Test::Integer => word.is_integer(),
        Test::Float => word.is_float(),
        Test::Number => word.is_number(),
        Test::Atom => word.is_atom(),
        Test::Boolean => word == Word::TRUE || word == Word::FALSE,
        Test::List => word.is_list(),
        Test::Tuple => word.is_kind(Kind::Tuple),
        Test::Map => word.is_map(),
        Test::Bits => word.is_bits(),
        Test::Binary => BitsRef::of(word).is_some_and(|bits| bits.is_binary()),
        Test::Function => word.is_function(),
        Test::Pid => word.is_kind(Kind::Pid),
        Test::Reference => word.is_kind(Kind::Reference),
        Test::Port => word.is_kind(Kind::Port),
    }
}

impl Machine {
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
            return self.apply_symbolic(cursor, row, &[a, b]);
        }
        row.apply(&mut self.context, &[a, b])
    }

    #[inline(never)]
    pub(super) fn compare(&mut self, cursor: Cursor, compare: Compare, a: Word, b: Word) -> bool {
        // Floats are finite, so they have an order; both zeros are equal and identical.
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float())
            && let Some(order) = x.partial_cmp(&y)
        {
            return holds_for(compare, order);
        }
        let holds = self.compare_concrete(compare, a.concrete(), b.concrete());
        if a.is_symbolic() || b.is_symbolic() {
            self.record_compare(cursor, compare, a, b, holds);
        }
        holds
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

    fn record_compare(&mut self, cursor: Cursor, compare: Compare, a: Word, b: Word, holds: bool) {
        let site = site(cursor);
        let (Some(x), Some(y)) = (self.integer_formula(a), self.integer_formula(b)) else {
            self.context.recorder.concretised(site, "a comparison of other than integers");
            return;
        };
        let formulas = &mut self.context.recorder.formulas;
        let (formula, negated) = match compare {
            Compare::Less => (formulas.less(x, y), false),
            Compare::GreaterOrEqual => (formulas.less(x, y), true),
            Compare::LessOrEqual => (formulas.less(y, x), true),
            Compare::Greater => (formulas.less(y, x), false),
            Compare::Equal => (formulas.equal(x, y), false),
            Compare::NotEqual => (formulas.equal(x, y), true),
            Compare::Identical => (formulas.identical(x, y), false),
            Compare::NotIdentical => (formulas.identical(x, y), true),
        };
        self.context.recorder.branch(site, formula, holds != negated);
    }

    /// A primitive some of whose arguments have shadows.
    #[inline(never)]
    pub(super) fn apply_symbolic(
        &mut self,
        cursor: Cursor,
        row: &'static Primitive,
        args: &[Word],
    ) -> Result<Word, Escape> {
        let concrete: Vec<Word> = args.iter().map(|arg| arg.concrete()).collect();
        let result = row.apply(&mut self.context, &concrete)?;
        let formula = match row.meaning {
            Meaning::Term(symbolic) if result.is_integer() => {
                let formulas: Option<Vec<TermId>> = args.iter().map(|arg| self.integer_formula(*arg)).collect();
                formulas.map(|args| (symbolic.result)(&mut self.context.recorder.formulas, &args))
            }
            Meaning::Term(_) | Meaning::Prelude(..) | Meaning::Effect(_) | Meaning::Opaque(_) => None,
        };
        match formula {
            Some(formula) => Ok(self.context.heap.symbolic(result, formula)),
            None => {
                self.context.recorder.concretised(site(cursor), row.name);
                Ok(result)
            }
        }
    }

    fn integer_formula(&mut self, word: Word) -> Option<TermId> {
        match word.as_symbolic() {
            Some((concrete, formula)) => concrete.is_integer().then_some(formula),
            None => word.as_bigint().map(|value| self.context.recorder.formulas.integer(value)),
        }
    }

    #[inline(never)]
    pub(super) fn test(&mut self, cursor: Cursor, test: Test, word: Word) -> bool {
        fast_test(test, self.shape(cursor, word))
    }

    /// A symbolic value whose shape decides something: taken as it is.
    #[inline(never)]
    pub(super) fn shape(&mut self, cursor: Cursor, word: Word) -> Word {
        self.context.recorder.concretised(site(cursor), "the shape of a value");
        word.concrete()
    }

    #[inline(never)]
    pub(super) fn is_immediate(&mut self, cursor: Cursor, word: Word, wanted: Word) -> bool {
        let holds = word.concrete() == wanted;
        if wanted.is_small() {
            self.record_compare(cursor, Compare::Identical, word, wanted, holds);
        } else {
            self.context.recorder.concretised(site(cursor), "the shape of a value");
        }
        holds
    }

    #[inline(never)]
    pub(super) fn switch(&mut self, cursor: Cursor, word: Word, table: u32) -> u32 {
        let word = self.shape(cursor, word);
        // SAFETY: the cursor points to live code.
        let switch = unsafe { &(&(*cursor.code).switches)[table as usize] };
        if word.is_cons() {
            switch.cons
        } else if word.is_immediate() {
            switch.immediate(word)
        } else if word.is_kind(Kind::Tuple) {
            switch.tuple(word.header().payload())
        } else {
            switch.otherwise
        }
    }
}

fn site(cursor: Cursor) -> Site {
    // SAFETY: the cursor points to live code.
    Site { function: unsafe { (*cursor.code).function }, instruction: cursor.pc, part: 0 }
}
