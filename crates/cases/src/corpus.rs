//! The case files below a folder.

use crate::{Case, CaseError, parse};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: {source}", .path.display())]
    Case { path: PathBuf, source: CaseError },
    #[error("there is no case below {}", .root.display())]
    Empty { root: PathBuf },
    #[error("{first} and {second} define the same module: give one of them another name")]
    SameModule { first: String, second: String },
}

/// Returns the folder of this repository's corpus.
pub fn corpus_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

/// Reads the cases below a folder, sorted by name. Every module must occur only once, so that all of them can be loaded
/// into one runtime.
pub fn read_corpus(root: &Path) -> Result<Vec<Case>, CorpusError> {
    let root = absolute(root)?;
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().map_err(unreadable(&folder))? {
            let path = entry.map_err(unreadable(&folder))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "erl") {
                files.push(path);
            }
        }
    }
    files.sort();
    let cases = files.iter().map(|file| read_case(&root, file)).collect::<Result<Vec<_>, _>>()?;
    if cases.is_empty() {
        return Err(CorpusError::Empty { root });
    }
    let mut names = BTreeMap::new();
    for case in &cases {
        if let Some(first) = names.insert(&case.module, &case.name) {
            return Err(CorpusError::SameModule { first: first.clone(), second: case.name.clone() });
        }
    }
    Ok(cases)
}

/// Reads the case of one file of the corpus below `root`.
pub fn read_case(root: &Path, file: &Path) -> Result<Case, CorpusError> {
    let (root, path) = (absolute(root)?, absolute(file)?);
    let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
    let inside = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
    let name = inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
    parse(&name, &path, &text).map_err(|source| CorpusError::Case { path, source })
}

fn absolute(path: &Path) -> Result<PathBuf, CorpusError> {
    path.canonicalize().map_err(unreadable(path))
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> CorpusError + use<> {
    let path = path.to_owned();
    move |source| CorpusError::Unreadable { path, source }
}
