//! Temporary folders that do not pile up.
//!
//! All folders of a process lie in one, which holds a locked file for as long as the process lives. The lock ends with
//! the process, however that ends; whoever comes next removes what is no longer locked.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tempfile::TempDir;

const PREFIX: &str = "beagle-";
const LOCK: &str = "lock";

/// A folder for one purpose; removed when it is dropped.
pub struct Folder {
    folder: TempDir,
    /// The folder around it goes with the last of these.
    _home: Arc<Home>,
}

struct Home {
    folder: TempDir,
    _lock: File,
}

impl Folder {
    pub fn new() -> io::Result<Folder> {
        let home = home()?;
        let folder = tempfile::tempdir_in(home.folder.path())?;
        Ok(Folder { folder, _home: home })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn home() -> io::Result<Arc<Home>> {
    static HOME: Mutex<Weak<Home>> = Mutex::new(Weak::new());
    let mut known = HOME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(home) = known.upgrade() {
        return Ok(home);
    }
    let temporary = std::env::temp_dir();
    remove_abandoned(&temporary);
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&temporary)?;
    // It is locked before it has its name: nobody ever sees it unlocked while we live.
    let unnamed = folder.path().join("new");
    let lock = File::create(&unnamed)?;
    if !try_lock(&lock) {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    fs::rename(unnamed, folder.path().join(LOCK))?;
    let home = Arc::new(Home { folder, _lock: lock });
    *known = Arc::downgrade(&home);
    Ok(home)
}

/// Folders of processes that were killed. What cannot be removed stays.
fn remove_abandoned(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // SAFETY: a plain system call.
        let own = unsafe { libc::geteuid() };
        if !is_ours || !entry.metadata().is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == own) {
            continue;
        }
        // One without a lock is just being made, or not ours.
        if let Ok(lock) = File::open(entry.path().join(LOCK))
            && try_lock(&lock)
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn try_lock(file: &File) -> bool {
    // SAFETY: the descriptor is open.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_go_with_their_owners() {
        let (first, second) = (Folder::new().expect("a folder"), Folder::new().expect("a folder"));
        let home = first.path().parent().expect("a folder around it").to_path_buf();
        assert_eq!(second.path().parent(), Some(home.as_path()));
        let gone = first.path().to_path_buf();
        drop(first);
        assert!(!gone.exists() && second.path().is_dir());
        remove_abandoned(&std::env::temp_dir());
        assert!(second.path().is_dir(), "its owner lives");
        drop(second);
        assert!(!home.exists());
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let temporary = tempfile::tempdir().expect("a folder");
        let abandoned = temporary.path().join("beagle-abandoned");
        fs::create_dir_all(abandoned.join("deeper")).expect("a folder");
        fs::write(abandoned.join(LOCK), "").expect("a file");
        let unmarked = temporary.path().join("beagle-notes");
        fs::create_dir(&unmarked).expect("a folder");
        remove_abandoned(temporary.path());
        assert!(!abandoned.exists());
        assert!(unmarked.exists(), "without a lock it may be anybody's");
    }
}
