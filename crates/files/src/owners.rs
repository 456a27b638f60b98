//! The owners of files and folders, to notice those that other users of the computer have made.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Everybody may make files in such a folder, as in `/tmp`.
const SHARED: u32 = 0o1002;

/// Returns whether something belongs to another user. For root, what belongs to the user who has become root by `sudo` is not
/// foreign. Git has the same rule, see `safe.directory` there. A link must also lead to something that is the user's or the
/// system's.
pub fn is_foreign(path: &Path) -> bool {
    // SAFETY: a plain system call.
    let user = unsafe { libc::geteuid() };
    let before = std::env::var("SUDO_UID").ok().and_then(|number| number.parse().ok()).filter(|_| user == 0);
    is_not_of(path, user, before)
}

pub(crate) fn is_not_of(path: &Path, user: u32, before: Option<u32>) -> bool {
    let is_foreign = |found: io::Result<fs::Metadata>, is_target: bool| match found {
        Ok(found) => found.uid() != user && Some(found.uid()) != before && !(is_target && found.uid() == 0),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    };
    let itself = fs::symlink_metadata(path);
    let is_link = itself.as_ref().is_ok_and(fs::Metadata::is_symlink);
    is_foreign(itself, false) || is_link && is_foreign(fs::metadata(path), true)
}

/// Returns whether every user may make files in a folder, whoever owns it.
pub fn is_shared(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|found| found.mode() & SHARED == SHARED)
}
