//! Files whose content is either complete or treated as absent. A header with the digest of the content precedes it,
//! and files are written under another name and renamed into place. Two processes may write the same file; a file that
//! is damaged, cut off or not written by Beagle reads as absent; if the disk is full or read-only, nothing is kept.

use files::Temporary;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

const MAGIC: &[u8; 8] = b"beagle\x00\x01";

/// The maximum size of a file, far above that of any file that is kept.
const LARGEST: u64 = 1 << 30;

/// Returns the payload of the file at `path`, if it is complete. A file that begins with something else than our header
/// is not read any further, because it may have any length.
pub fn read(path: &Path) -> Option<Vec<u8>> {
    if files::read_head(path, MAGIC.len() as u64).ok()? != MAGIC {
        return None;
    }
    payload(files::read_up_to(path, LARGEST).ok()?)
}

/// Returns the payload of a file that was read.
pub fn payload(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    if !bytes.starts_with(MAGIC) {
        return None;
    }
    bytes.drain(..MAGIC.len());
    unseal(bytes)
}

/// Returns the payload after a digest that detects damage.
pub fn seal(payload: &[u8]) -> Vec<u8> {
    [blake3::hash(payload).as_bytes(), payload].concat()
}

/// Returns the payload of sealed bytes, if they are undamaged.
pub fn unseal(mut sealed: Vec<u8>) -> Option<Vec<u8>> {
    let (digest, payload) = sealed.split_at_checked(blake3::OUT_LEN)?;
    if digest != blake3::hash(payload).as_bytes() {
        return None;
    }
    sealed.drain(..blake3::OUT_LEN);
    Some(sealed)
}

/// Returns a file with a payload.
pub fn file_of(payload: &[u8]) -> Vec<u8> {
    [MAGIC.as_slice(), &seal(payload)].concat()
}

/// Writes a file with a payload, creating its folder first.
pub fn write(path: &Path, payload: &[u8]) -> io::Result<()> {
    files::write(path, &file_of(payload))
}

/// Returns the folder of a cache whose entries this process may believe: the one that the command line names, or else the
/// user's. Entries are code that runs outside of any sandbox, and a digest in front of them does not say who wrote them. Whoever
/// wrote a project may have written a cache in it, too: in place of the user's, the process gets an empty one for itself then,
/// see [`remove_private`].
pub fn cache(named: Option<PathBuf>) -> Option<PathBuf> {
    named.filter(|folder| is_trusted(folder)).or_else(default_folder)
}

/// Returns the user's cache: `$BEAGLE_CACHE`, else `$XDG_CACHE_HOME/beagle`, else `~/.cache/beagle`; or an empty one in its
/// place, see [`cache`].
pub fn default_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("BEAGLE_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|caches| caches.join("beagle")))
        .or_else(|| variable("HOME").map(|home| home.join(".cache/beagle")))?;
    if is_trusted(&folder) {
        return Some(folder);
    }
    let mut private = PRIVATE.lock().unwrap_or_else(PoisonError::into_inner);
    if private.is_none() {
        *private = Temporary::new().ok();
    }
    private.as_ref().map(|folder| folder.path().to_path_buf())
}

/// The cache of this process alone, if it has one.
static PRIVATE: Mutex<Option<Temporary>> = Mutex::new(None);

/// Returns whether a cache lies in no project, and says so once if not.
fn is_trusted(folder: &Path) -> bool {
    static TOLD: Once = Once::new();
    let is_trusted = !files::is_in_project(folder);
    if !is_trusted {
        let folder = folder.display();
        TOLD.call_once(|| {
            files::warn(&format!(
                "{folder} is not used as a cache of code, because it lies in the project, which may have brought it along: \
                 name a folder elsewhere with --cache or BEAGLE_CACHE"
            ));
        });
    }
    is_trusted
}

/// Removes the cache of this process alone, when the process is about to end.
pub fn remove_private() {
    drop(PRIVATE.lock().unwrap_or_else(PoisonError::into_inner).take());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b");
        write(&path, b"payload").expect("writable");
        assert_eq!(read(&path).as_deref(), Some(&b"payload"[..]));
        write(&path, b"").expect("writable");
        assert_eq!(read(&path).as_deref(), Some(&b""[..]));
    }

    #[test]
    fn damage_reads_as_absent() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("entry");
        write(&path, b"payload").expect("writable");
        let whole = fs::read(&path).expect("readable");
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).expect("writable");
            assert_eq!(read(&path), None, "cut off at {length}");
        }
        for index in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[index] ^= 1;
            fs::write(&path, bytes).expect("writable");
            assert_eq!(read(&path), None, "damaged at {index}");
        }
        fs::write(&path, "somebody else's file, which is long enough to have a header").expect("writable");
        assert_eq!(read(&path), None);
        assert_eq!(read(folder.path()), None);
    }
}
