//! Reads facts from a BEAM file without starting a runtime: whether its code can be read, and its source and compiler.

use std::io::Read;
use std::path::{Path, PathBuf};
use term::Term;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beam {
    /// Whether the file contains its code as the compiler saw it.
    pub has_debug_info: bool,
    /// The source, as its compiler knew it.
    pub source: Option<PathBuf>,
    /// The version of the application `compiler`.
    pub compiler: Option<String>,
}

/// The size up to which a debug chunk is decoded, in bytes. A chunk that says that there is no code is shorter.
const SHORT: usize = 16 << 10;
const LARGEST: u64 = 256 << 20;

impl Beam {
    /// Reads a file. Returns `None` if it is not a BEAM file.
    pub fn read(file: &Path) -> Option<Beam> {
        Beam::of(&files::read_up_to(file, LARGEST).ok()?)
    }

    fn of(bytes: &[u8]) -> Option<Beam> {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut whole = Vec::new();
            flate2::read::GzDecoder::new(bytes).take(LARGEST).read_to_end(&mut whole).ok()?;
            return if whole.starts_with(b"FOR1") { Beam::of(&whole) } else { None };
        }
        let mut beam = Beam::default();
        for (name, data) in chunks(bytes)? {
            match &name {
                b"Dbgi" => beam.has_debug_info = has_code(data),
                b"Abst" => beam.has_debug_info |= data.len() > 8,
                b"CInf" => {
                    let info = etf::decode(data).ok()?;
                    let text = |key: &str| {
                        let mut pairs = info.as_list().unwrap_or_default().iter().filter_map(Term::as_tuple);
                        pairs.find_map(|pair| match pair {
                            [Term::Atom(name), value] if name.text() == key => value.as_text(),
                            _ => None,
                        })
                    };
                    beam.source = text("source").map(PathBuf::from);
                    beam.compiler = text("version");
                }
                _ => {}
            }
        }
        Some(beam)
    }
}

/// Returns the names and contents of the chunks.
fn chunks(bytes: &[u8]) -> Option<Vec<([u8; 4], &[u8])>> {
    let mut rest = bytes.strip_prefix(b"FOR1")?.get(4..)?.strip_prefix(b"BEAM")?;
    let mut found = Vec::new();
    while rest.len() >= 8 {
        let (header, data) = rest.split_at(8);
        let name = header.get(..4)?.try_into().ok()?;
        let size = u32::from_be_bytes(header.get(4..)?.try_into().ok()?) as usize;
        found.push((name, data.get(..size)?));
        // Chunks begin at multiples of four.
        rest = data.get(size.next_multiple_of(4)..).unwrap_or_default();
    }
    Some(found)
}

/// Returns whether a chunk `{debug_info_v1, Backend, Data}` has code. Data that is `none`, or begins with it, has none.
/// An encrypted chunk is not a term.
fn has_code(chunk: &[u8]) -> bool {
    if chunk.first() != Some(&131) {
        return false;
    }
    if chunk.len() > SHORT {
        return true;
    }
    let none = Term::atom("none");
    match etf::decode(chunk).as_ref().map(Term::as_tuple) {
        Ok(Some([_, _, data])) => *data != none && data.as_tuple().and_then(|data| data.first()) != Some(&none),
        _ => false,
    }
}

/// Returns the release of OTP that a version of its compiler belongs to.
pub fn release_of(compiler: &str) -> Option<u32> {
    let mut numbers = compiler.split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten()?, numbers.next().flatten().unwrap_or(0)) {
        (7, minor @ 0..=1) => Some(19 + minor),
        (7, 2..=3) => Some(21),
        (7, 4..=5) => Some(22),
        (7, 6..) => Some(23),
        (8, 0..=1) => Some(24),
        (8, 2) => Some(25),
        (8, 3..=4) => Some(26),
        (8, 5..) => Some(27),
        (major @ 9.., _) => major.checked_add(19),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beam(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut bytes = b"FOR1\0\0\0\0BEAM".to_vec();
        for (name, data) in chunks {
            bytes.extend_from_slice(*name);
            bytes.extend_from_slice(&(data.len() as u32).to_be_bytes());
            bytes.extend_from_slice(data);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes
    }

    fn encoded(text: &str) -> Vec<u8> {
        etf::encode(&erlang::syntax::parse_term(text).expect(text), etf::OLDEST_RELEASE)
    }

    #[test]
    fn code_is_there_or_not() {
        let of = |text: &str| Beam::of(&beam(&[(b"Dbgi", encoded(text))])).expect("a file").has_debug_info;
        assert!(of("{debug_info_v1, erl_abstract_code, {[{attribute, 1, module, m}], []}}"));
        assert!(!of("{debug_info_v1, erl_abstract_code, {none, [debug]}}"));
        assert!(!of("{debug_info_v1, elixir_erl, none}"));
        assert!(!Beam::of(&beam(&[(b"Dbgi", vec![0, 8, 1, 2, 3])])).expect("a file").has_debug_info, "encrypted");
        assert!(!Beam::of(&beam(&[])).expect("a file").has_debug_info, "stripped");
    }

    #[test]
    fn the_compiler_of_a_file_is_known() {
        let info = encoded("[{version, \"8.5\"}, {source, \"/s/m.erl\"}]");
        let beam = Beam::of(&beam(&[(b"AtU8", vec![1]), (b"CInf", info)])).expect("a file");
        assert_eq!((beam.source, beam.compiler.as_deref()), (Some(PathBuf::from("/s/m.erl")), Some("8.5")));
        assert_eq!(
            ["8.2.3", "8.3", "8.5.1", "9.0", "", "x"].map(release_of),
            [Some(25), Some(26), Some(27), Some(28), None, None]
        );
    }

    #[test]
    fn no_bytes_are_too_wrong() {
        let whole = beam(&[(b"CInf", encoded("[]")), (b"Dbgi", encoded("{a, b, c}"))]);
        for end in 0..whole.len() {
            let _ = Beam::of(&whole[..end]);
        }
        assert_eq!(Beam::of(b"hello"), None);
        let mut huge = b"FOR1\0\0\0\0BEAMCInf".to_vec();
        huge.extend_from_slice(&[255; 4]);
        assert_eq!(Beam::of(&huge), None);
    }
}
