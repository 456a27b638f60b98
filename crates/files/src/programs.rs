//! Finds programs that Beagle starts, but never one that is in a project.

use crate::authority::is_in_project;
use crate::reading::{all_of, open_system};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the parts of `PATH` in which programs are looked for: those that are absolute and not in a project.
fn folders() -> Vec<PathBuf> {
    folders_of(&std::env::var_os("PATH").unwrap_or_default())
}

pub(crate) fn folders_of(path: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(path).filter(|folder| folder.is_absolute() && !is_in_project(folder)).collect()
}

/// Returns the value of `PATH` for programs that Beagle starts.
pub fn search_path() -> OsString {
    std::env::join_paths(folders()).unwrap_or_default()
}

/// Returns the file of a program: a path is taken as it is, a name is looked up in `PATH`. Links are followed, so that
/// the result shows the installation.
pub fn find_executable(name: &Path) -> Option<PathBuf> {
    let candidates = match name.components().count() > 1 {
        true => vec![name.to_path_buf()],
        false => folders().into_iter().map(|folder| folder.join(name)).collect(),
    };
    candidates.into_iter().find(|file| is_executable(file)).and_then(|file| fs::canonicalize(file).ok())
}

/// Returns the content of the file that a program's name leads to, if it has at most `most` bytes.
pub fn read_program(name: &Path, most: u64) -> Option<Vec<u8>> {
    let file = find_executable(name)?;
    all_of(open_system(&file).ok()?, most).ok()
}

/// Returns whether a file may be executed.
#[cfg(unix)]
pub fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub fn is_executable(file: &Path) -> bool {
    file.is_file()
}
