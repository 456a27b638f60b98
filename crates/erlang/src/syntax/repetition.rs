//! Long binaries, and lists with much repetition, cut into pieces that can be written briefly.

use term::Term;

/// A piece of a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'b> {
    /// One byte, many times.
    Run(u8, usize),
    /// Letters, digits and other printable characters of ASCII.
    Text(&'b [u8]),
    Bytes(&'b [u8]),
}

/// The minimum length of a run; shorter ones are written out. A call that makes one has about thirty characters.
const SHORTEST_RUN: usize = 32;
const SHORTEST_RUN_OF_TEXT: usize = 64;
/// The minimum length of text among numbers; shorter text is written as numbers.
const SHORTEST_TEXT: usize = 3;
/// The maximum length of a part that is tested for repetition.
const LONGEST_PERIOD: usize = 8;

/// Returns the part that a binary repeats, and how often, if it consists of nothing else.
pub(super) fn period(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let is_period = |size: &usize| {
        bytes.len().is_multiple_of(*size) && bytes.iter().zip(bytes.iter().skip(*size)).all(|(one, next)| one == next)
    };
    let size = (1..=LONGEST_PERIOD).find(|size| bytes.len() / size >= 2 && is_period(size))?;
    let least = if bytes.iter().all(|byte| is_text(*byte)) { SHORTEST_RUN_OF_TEXT } else { SHORTEST_RUN };
    (bytes.len() >= least).then(|| (&bytes[..size], bytes.len() / size))
}

/// Returns the pieces of a binary, in order.
pub(super) fn pieces(bytes: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let same = rest.iter().take_while(|byte| *byte == first).count();
        let is_run = |at: usize| {
            let from = &rest[at..];
            from.len() >= SHORTEST_RUN && from[..SHORTEST_RUN].iter().all(|byte| *byte == from[0])
        };
        let (piece, size) = if same >= SHORTEST_RUN {
            (Piece::Run(*first, same), same)
        } else {
            let text = |from: &[u8]| from.iter().take_while(|byte| is_text(**byte)).count();
            // The bytes end where text of sufficient length or a run begins, and the text ends where a run begins.
            let begins_text = |at: &usize| text(&rest[*at..(*at + SHORTEST_TEXT).min(rest.len())]) >= SHORTEST_TEXT;
            if begins_text(&0) {
                let end = text(rest);
                let size = (1..end).find(|at| is_run(*at)).unwrap_or(end);
                (Piece::Text(&rest[..size]), size)
            } else {
                let size = (1..rest.len()).find(|at| is_run(*at) || begins_text(at)).unwrap_or(rest.len());
                (Piece::Bytes(&rest[..size]), size)
            }
        };
        pieces.push(piece);
        rest = &rest[size..];
    }
    pieces
}

/// Returns whether both languages write a byte between quotes as it is, or with a short escape.
fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Returns whether a binary has a long run of the same byte.
pub(super) fn has_run(bytes: &[u8]) -> bool {
    bytes.chunk_by(|one, next| one == next).any(|chunk| chunk.len() >= SHORTEST_RUN_OF_TEXT)
}

/// Returns the items of a list in parts: each is one item many times, or other items. `None` if no repetition is long
/// enough.
pub(super) fn parts(items: &[Term]) -> Option<Vec<(&[Term], bool)>> {
    let is_run = |chunk: &[Term]| {
        let least = match chunk.first() {
            // In a string they would take one character each.
            Some(Term::Int(code)) if (32..127).contains(code) => SHORTEST_RUN_OF_TEXT,
            Some(Term::Int(_) | Term::Big(_) | Term::Atom(_) | Term::Nil) => SHORTEST_RUN,
            // Floats, and terms that contain floats, can be equal without being identical.
            _ => return false,
        };
        chunk.len() >= least
    };
    let mut parts: Vec<(&[Term], bool)> = Vec::new();
    let mut begun = 0;
    let mut at = 0;
    for chunk in items.chunk_by(|one, next| one == next) {
        if is_run(chunk) {
            if begun < at {
                parts.push((&items[begun..at], false));
            }
            parts.push((chunk, true));
            begun = at + chunk.len();
        }
        at += chunk.len();
    }
    if parts.is_empty() {
        return None;
    }
    if begun < items.len() {
        parts.push((&items[begun..], false));
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binaries_are_cut_into_pieces() {
        let zeros = [0; 40];
        let mixed = [b"abc\x01\x02x\x03".as_slice(), &zeros, b"text"].concat();
        assert_eq!(
            pieces(&mixed),
            [Piece::Text(b"abc"), Piece::Bytes(b"\x01\x02x\x03"), Piece::Run(0, 40), Piece::Text(b"text")]
        );
        let letters = [b"xyz".as_slice(), &[b'a'; 50]].concat();
        assert_eq!(pieces(&letters), [Piece::Text(b"xyz"), Piece::Run(b'a', 50)]);
        assert_eq!(pieces(b""), []);
        assert_eq!(pieces(b"\0\0"), [Piece::Bytes(b"\0\0")]);
    }

    #[test]
    fn whole_binaries_may_repeat_something() {
        assert_eq!(period(&[0; 4096]), Some((&[0][..], 4096)));
        assert_eq!(period(&[1, 2].repeat(20)), Some((&[1, 2][..], 20)));
        assert_eq!(period(&[0; 8]), None);
        assert_eq!(period(&[b"ab".repeat(40).as_slice(), b"c"].concat()), None);
    }
}
