//! Looking at folders that may hold anything: links in circles, pipes, files without an end.

use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a person writes is smaller.
const LARGEST_TEXT: u64 = 4 << 20;
const MOST_FOLDERS: usize = 20_000;

/// Also of a link that leads nowhere: whoever reads it says what is wrong.
pub fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The text of a file that a person wrote.
pub fn read_text(file: &Path) -> anyhow::Result<String> {
    let metadata = fs::metadata(file).with_context(|| format!("{} cannot be read", file.display()))?;
    if !metadata.is_file() {
        bail!("{} is not a regular file", file.display());
    }
    if metadata.len() > LARGEST_TEXT {
        bail!("{} is too large: it has {} megabytes", file.display(), metadata.len() >> 20);
    }
    let bytes = sandbox::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let line = error.as_bytes().iter().take(error.utf8_error().valid_up_to()).filter(|b| **b == b'\n').count();
            bail!("{}:{}: this line is not valid UTF-8", file.display(), line + 1)
        }
    }
}

/// Sorted; none of a folder that is not there.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

pub fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

pub fn has_file(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).any(|path| is_wanted(&path) && path.is_file())
}

/// Files in a folder and below it with one of these extensions. Links to folders are not followed: they may lead round
/// in a circle.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    let mut searched = 0;
    while let Some(folder) = pending.pop() {
        searched += 1;
        if searched > MOST_FOLDERS {
            break;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok) {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if !entry.file_name().to_string_lossy().starts_with('.') {
                    pending.push(path);
                }
            } else if path.extension().is_some_and(|has| extensions.iter().any(|wanted| has == *wanted))
                && path.is_file()
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// Are both the same file, however they are named?
pub fn same_file(left: &Path, right: &Path) -> bool {
    left == right || matches!((left.canonicalize(), right.canonicalize()), (Ok(left), Ok(right)) if left == right)
}
