//! Aspects of the BEAM's own representation of terms that programs can observe.

use machine::Word;

/// Returns the value of an integer that the BEAM represents as a small one: small integers have 60 bits there.
pub fn as_small(word: Word) -> Option<i64> {
    word.as_small().filter(|value| (-(1 << 59)..1 << 59).contains(value))
}
