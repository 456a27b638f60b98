//! Which `erl` is meant, and what identifies it without running it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The file behind a name: a path is taken as it is, a bare name is looked up in `PATH`. Links are
/// followed, so that the installation can be told from the result.
pub fn find_executable(name: &Path) -> Option<PathBuf> {
    let candidates = if name.components().count() > 1 {
        vec![name.to_path_buf()]
    } else {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(name)).collect()
    };
    candidates.into_iter().find(|file| is_executable(file)).and_then(|file| file.canonicalize().ok())
}

/// Changes when the file is replaced or touched. For a folder: when something is added or removed.
pub fn stamp(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((modified.as_nanos() as u64, if metadata.is_dir() { 0 } else { metadata.len() }))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}
