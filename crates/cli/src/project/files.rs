//! Reads folders that may contain anything: circular links, pipes, files without an end.

use anyhow::{Context, bail};
use files::{Entry, Kind};
use std::io;
use std::path::{Path, PathBuf};

/// The size limit for files that a person writes, in bytes.
const LARGEST_TEXT: u64 = 4 << 20;
const MOST_FOLDERS: usize = 20_000;

/// Returns the text of a file that a person wrote.
pub fn read_text(file: &Path) -> anyhow::Result<String> {
    text_of(file, files::read_up_to(file, LARGEST_TEXT))
}

/// Returns the content of a file that the command line names. A pipe or a device outside of projects is waited for, as long
/// as no signal comes.
pub fn read_named(file: &Path) -> io::Result<Vec<u8>> {
    if files::is_stream(file) { sandbox::read(file) } else { files::read_named(file) }
}

/// Returns the text of such a file.
pub fn read_named_text(file: &Path) -> anyhow::Result<String> {
    text_of(file, read_named(file))
}

/// Returns the text of a file in a folder that may become a project: a link is not followed.
pub fn read_direct_text(file: &Path) -> anyhow::Result<String> {
    text_of(file, files::read_direct(file, LARGEST_TEXT))
}

fn text_of(file: &Path, read: io::Result<Vec<u8>>) -> anyhow::Result<String> {
    match String::from_utf8(read.with_context(|| format!("{} cannot be read", file.display()))?) {
        Ok(text) => Ok(text),
        Err(error) => {
            let line = error.as_bytes().iter().take(error.utf8_error().valid_up_to()).filter(|b| **b == b'\n').count();
            bail!("{}:{}: this line is not valid UTF-8", file.display(), line + 1)
        }
    }
}

/// Returns the files in a folder, sorted; none if there is no such folder.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    entries_of_kind(folder, Kind::File)
}

pub fn folders_in(folder: &Path) -> Vec<PathBuf> {
    entries_of_kind(folder, Kind::Folder)
}

fn entries_of_kind(folder: &Path, kind: Kind) -> Vec<PathBuf> {
    files::list(folder).into_iter().filter(|entry| entry.kind == kind).map(|entry| entry.path).collect()
}

/// Returns whether a folder that may become a project has such a file.
pub fn has_file(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> bool {
    files::names_in(folder).iter().any(|path| is_wanted(path))
}

/// Returns the files in a folder and below it with one of these extensions. Links to folders are not followed, because
/// they may lead in a circle.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    let mut searched = 0;
    while let Some(folder) = pending.pop() {
        searched += 1;
        if searched > MOST_FOLDERS {
            break;
        }
        for Entry { path, kind, is_link } in files::list(&folder) {
            match kind {
                Kind::Folder if !is_link => {
                    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
                    pending.extend((!is_hidden).then_some(path));
                }
                Kind::File if path.extension().is_some_and(|has| extensions.iter().any(|wanted| has == *wanted)) => {
                    found.push(path);
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}
