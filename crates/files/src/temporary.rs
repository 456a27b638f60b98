//! Temporary folders that do not accumulate.
//!
//! All of them are in one folder of the user, `beagle-UID` in the system's folder for temporary files. Other users may
//! not enter it: its owner, its kind and its mode are checked by descriptor, and a link is never followed. In it, each
//! process has a folder with a random name, which contains a locked file for as long as the process lives. The lock
//! ends with the process, even if that is killed; the next process removes the folders that are no longer locked.
//!
//! Only folders that Beagle has made are removed: the content of the locked file says so, and names its folder. If the
//! folder of the user is not in order, the process uses a folder with a random name beside it, warns once, and removes
//! nothing that it has not made itself.

use crate::authority::{grant, warn};
use crate::directory::Directory;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

const PREFIX: &str = "run-";
const LOCK: &str = "lock";
/// The first line of the locked file. The second is the name of its folder.
const MARK: &str = "Beagle made this folder, and removes it.\n";

/// A folder for one purpose, which is removed when this is dropped.
pub struct Temporary {
    path: PathBuf,
    name: CString,
    /// The surrounding folder, which is removed with the last of these.
    home: Arc<Home>,
}

/// The folder of this process.
struct Home {
    path: PathBuf,
    name: CString,
    directory: Directory,
    /// The surrounding folder.
    around: Directory,
    _lock: File,
    made: AtomicU64,
}

static HOME: Mutex<Weak<Home>> = Mutex::new(Weak::new());

/// Whether the process is about to end, so that no folder may be made any more.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Removes all temporary folders of this process at once, when it is about to end. No other thread makes new ones from now on.
pub fn remove_temporary() {
    let known = HOME.lock().unwrap_or_else(PoisonError::into_inner);
    IS_OVER.store(true, Ordering::Relaxed);
    if let Some(home) = known.upgrade() {
        home.remove();
    }
}

impl Temporary {
    pub fn new() -> io::Result<Temporary> {
        let mut known = HOME.lock().unwrap_or_else(PoisonError::into_inner);
        if IS_OVER.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let home = match known.upgrade() {
            Some(home) => home,
            None => {
                let home = Arc::new(Home::below(&std::env::temp_dir())?);
                *known = Arc::downgrade(&home);
                home
            }
        };
        // The lock is held until the folder is there: it is not made while folders are removed.
        let made = Temporary::inside(home);
        drop(known);
        made
    }

    fn inside(home: Arc<Home>) -> io::Result<Temporary> {
        let name = home.made.fetch_add(1, Ordering::Relaxed).to_string();
        let path = home.path.join(&name);
        let name = text(&name)?;
        home.directory.make(&name)?;
        grant(&path);
        Ok(Temporary { path, name, home })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.home.directory.remove(&self.name);
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        self.remove();
    }
}

impl Home {
    fn remove(&self) {
        remove_marked(&self.around, &self.directory, &self.name);
    }

    fn below(temporary: &Path) -> io::Result<Home> {
        // SAFETY: a plain system call.
        let user = unsafe { libc::geteuid() };
        let path = temporary.join(format!("beagle-{user}"));
        match Directory::own(&path) {
            Ok(around) => {
                remove_abandoned(&around);
                Home::new(around, &path, PREFIX)
            }
            Err(why) => {
                let home = Home::new(Directory::open(temporary)?, temporary, "beagle-")?;
                static TOLD: Once = Once::new();
                TOLD.call_once(|| {
                    let (path, used) = (path.display(), home.path.display());
                    warn(&format!("{path} is not used for temporary files, because {why}; using {used}"));
                });
                Ok(home)
            }
        }
    }

    fn new(around: Directory, place: &Path, prefix: &str) -> io::Result<Home> {
        let mut letters = [0; 12];
        fill_randomly(&mut letters)?;
        let letters: String = letters.iter().map(|byte| char::from(b'a' + byte % 26)).collect();
        let name = format!("{prefix}{letters}");
        let path = place.join(&name);
        let name = text(&name)?;
        around.make(&name)?;
        let directory = around.below(&name)?;
        // Detects a folder that was exchanged between these calls.
        if !directory.is_at(&path) {
            return Err(io::Error::other(format!("{} was exchanged while it was made", path.display())));
        }
        // The file is locked before it gets its final name, so other processes never see it unlocked.
        let mut lock = directory.create(c"new")?;
        if !try_lock(&lock) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        // On a full disk the folder stays without a mark, and only this process removes it.
        if lock.write_all(mark(&name).as_bytes()).is_ok() {
            directory.rename(c"new", &text(LOCK)?)?;
        }
        Ok(Home { path, name, directory, around, _lock: lock, made: AtomicU64::new(0) })
    }
}

fn text(name: &str) -> io::Result<CString> {
    CString::new(name).map_err(|_| io::ErrorKind::InvalidInput.into())
}

fn mark(name: &CString) -> String {
    format!("{MARK}{}\n", name.to_string_lossy())
}

fn fill_randomly(bytes: &mut [u8]) -> io::Result<()> {
    // SAFETY: the call writes as many bytes as there are.
    match unsafe { libc::getentropy(bytes.as_mut_ptr().cast(), bytes.len()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Removes the folders of processes that were killed. Entries that cannot be removed stay.
fn remove_abandoned(around: &Directory) {
    for name in around.names() {
        if name.as_bytes().starts_with(PREFIX.as_bytes())
            && let Some((directory, _lock)) = abandoned(around, &name)
        {
            remove_marked(around, &directory, &name);
        }
    }
}

/// Removes a folder with everything in it. The mark goes last: if this process is killed meanwhile, another one goes on. All
/// of that happens inside of the folder, because the surrounding one may be shared with other users.
fn remove_marked(around: &Directory, directory: &Directory, name: &CString) {
    if text(LOCK).is_ok_and(|lock| directory.clear(&lock)) {
        around.remove_empty(name);
    }
}

/// Opens a folder and locks it if Beagle made it and the process that did so has ended. A folder without the mark may belong
/// to a process that is just creating it, or to another program.
fn abandoned(around: &Directory, name: &CString) -> Option<(Directory, File)> {
    let directory = around.below(name).ok()?;
    let mut lock = directory.open_own_file(&text(LOCK).ok()?).ok()?;
    let expected = mark(name);
    let mut content = Vec::new();
    (&mut lock).take(expected.len() as u64 + 1).read_to_end(&mut content).ok()?;
    (content == expected.as_bytes() && try_lock(&lock)).then_some((directory, lock))
}

fn try_lock(file: &File) -> bool {
    // SAFETY: the descriptor is open.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

#[cfg(test)]
#[path = "temporary_tests.rs"]
mod tests;
