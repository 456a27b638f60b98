//! The immediate results of instructions on concrete values.

use crate::primitive::{Arithmetic, Compare, Test};
use crate::value::{Kind, Word};
use std::cmp::Ordering;

/// Returns the result for small integers, if it is a small integer.
#[inline(always)]
pub(super) fn fast_arithmetic(operation: Arithmetic, a: Word, b: Word) -> Option<Word> {
    if !Word::both_small(a, b) {
        return None;
    }
    // A small integer is its value shifted by one: sums, differences and bit operations keep that.
    let (x, y) = (a.0 as i64, b.0 as i64);
    match operation {
        Arithmetic::Add => x.checked_add(y).map(|sum| Word::from_bits(sum as u64)),
        Arithmetic::Subtract => x.checked_sub(y).map(|difference| Word::from_bits(difference as u64)),
        Arithmetic::Multiply => (x >> 1).checked_mul(y).map(|product| Word::from_bits(product as u64)),
        Arithmetic::Divide => (y != 0).then(|| Word::try_small((x >> 1) / (y >> 1))).flatten(),
        Arithmetic::Remainder => (y != 0).then(|| Word::small((x >> 1) % (y >> 1))),
        Arithmetic::And => Some(Word::from_bits((x & y) as u64)),
        Arithmetic::Or => Some(Word::from_bits((x | y) as u64)),
        Arithmetic::Xor => Some(Word::from_bits((x ^ y) as u64)),
        Arithmetic::ShiftLeft => {
            let count = y >> 1;
            ((0..62).contains(&count) && (x << count) >> count == x).then(|| Word::from_bits((x << count) as u64))
        }
        Arithmetic::ShiftRight => {
            let count = y >> 1;
            (0..63).contains(&count).then(|| Word::from_bits(((x >> count) & !1) as u64))
        }
    }
}

/// Compares small integers, or immediates for identity.
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

/// Returns whether a comparison holds for an order. A comparison is the set of orders for which it holds, which needs
/// no branch.
#[inline(always)]
pub(super) fn holds_for(compare: Compare, order: Ordering) -> bool {
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

/// Returns the result for two floats, if it is finite. The language decides what happens otherwise.
#[inline]
pub(super) fn float_arithmetic(operation: Arithmetic, x: f64, y: f64) -> Option<f64> {
    let result = match operation {
        Arithmetic::Add => x + y,
        Arithmetic::Subtract => x - y,
        Arithmetic::Multiply => x * y,
        // For integers only.
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
        Test::Binary => word.as_bits().is_some_and(|bits| bits.is_binary()),
        Test::Function => word.is_function(),
        Test::Pid => word.is_kind(Kind::Pid),
        Test::Reference => word.is_kind(Kind::Reference),
        Test::Port => word.is_kind(Kind::Port),
    }
}
