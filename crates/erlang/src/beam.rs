//! What programs can see of the BEAM's own representation.

use machine::Word;

/// The value of an integer that is no big integer on the BEAM: 60 bits there.
pub fn as_small(word: Word) -> Option<i64> {
    word.as_small().filter(|value| (-(1 << 59)..1 << 59).contains(value))
}
