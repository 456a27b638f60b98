//! Reads the helper's answers and writes its requests.

use std::path::{Path, PathBuf};
use term::Term;

pub(crate) fn atom_named(term: &Term) -> Option<&'static str> {
    term.as_atom().map(|atom| atom.text())
}

/// Returns the text of a binary.
pub(crate) fn text_of(term: &Term) -> Option<String> {
    bytes_of(term).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

pub(crate) fn bytes_of(term: &Term) -> Option<&[u8]> {
    match term {
        Term::Bits(bits) if bits.is_binary() => Some(bits.bytes()),
        _ => None,
    }
}

pub(crate) fn path_of(term: &Term) -> Option<PathBuf> {
    text_of(term).map(PathBuf::from)
}

pub(crate) fn texts_of(term: &Term) -> Option<Vec<String>> {
    term.as_list()?.iter().map(text_of).collect()
}

pub(crate) fn field<'a>(map: &'a Term, name: &str) -> Option<&'a Term> {
    let Term::Map(pairs) = map else { return None };
    pairs.iter().find(|(key, _)| atom_named(key) == Some(name)).map(|(_, value)| value)
}

pub(crate) fn text(text: &str) -> Term {
    Term::binary(text.as_bytes())
}

pub(crate) fn path(path: &Path) -> Term {
    Term::binary(path.as_os_str().as_encoded_bytes())
}

pub(crate) fn tagged(tag: &str, parts: impl IntoIterator<Item = Term>) -> Term {
    Term::tuple(std::iter::once(Term::atom(tag)).chain(parts).collect::<Vec<_>>())
}
