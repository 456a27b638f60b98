//! Reserved words of the language, and the characters of names.

use crate::otp;

/// The words that are reserved in every release, and therefore no atoms without quotes.
pub const RESERVED: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond", "div",
    "end", "fun", "if", "let", "not", "of", "or", "orelse", "receive", "rem", "try", "when", "xor",
];

/// Words of a feature that was off by default before OTP 27.
const RESERVED_LATER: &[&str] = &["else", "maybe"];

/// Returns the word as a static string, if it is reserved.
pub fn reserved(word: &str) -> Option<&'static str> {
    let later = if otp::has_maybe() { RESERVED_LATER } else { &[] };
    [RESERVED, later].into_iter().find_map(|words| words.binary_search(&word).ok().map(|index| words[index]))
}

/// Returns whether an atom without quotes may start with this character: Latin-1 only, as in `erl_scan`.
pub fn starts_atom(c: char) -> bool {
    matches!(c, 'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ')
}

pub fn starts_variable(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'À'..='Ö' | 'Ø'..='Þ')
}

pub fn continues_name(c: char) -> bool {
    starts_atom(c) || starts_variable(c) || c.is_ascii_digit() || c == '@'
}

pub fn is_bare_atom(text: &str) -> bool {
    text.starts_with(starts_atom) && text.chars().all(continues_name) && reserved(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted_for_the_search() {
        assert!(RESERVED.is_sorted());
        assert_eq!(reserved("xor"), Some("xor"));
        assert!(RESERVED_LATER.is_sorted());
    }
}
