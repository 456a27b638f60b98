//! Folders that Beagle writes to. Below them no link is followed, and files appear whole or not at all.

use crate::authority::{root_of, whole};
use crate::reading::{LARGEST, all_of};
use crate::walk::{Missing, enter, kind_of, not_plain, not_regular, open_real_folder, open_regular};
use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, accessat, openat, renameat, unlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// An open folder.
#[derive(Clone, Debug)]
pub struct Folder {
    descriptor: Arc<OwnedFd>,
    /// The path, for messages.
    path: PathBuf,
}

impl Folder {
    /// Opens a folder that exists. In a project its path has no links; any other path is the user's choice.
    pub fn open(path: &Path) -> io::Result<Folder> {
        Folder::locate(path, Missing::Refuse)
    }

    /// Opens a folder, and makes it first if it does not exist.
    pub fn create(path: &Path) -> io::Result<Folder> {
        Folder::locate(path, Missing::Create)
    }

    fn locate(path: &Path, missing: Missing) -> io::Result<Folder> {
        let absolute = whole(path)?;
        if let Some((root, named, rest)) = root_of(&absolute) {
            let inner = enter(&*root, &rest, missing)?;
            return Ok(Folder { descriptor: inner.map_or(root, Arc::new), path: named.join(rest) });
        }
        // The part that exists is the user's choice, with its links; folders that are made below it are no links.
        let existing = absolute.ancestors().find(|folder| folder.symlink_metadata().is_ok()).unwrap_or(Path::new("/"));
        let rest = absolute.strip_prefix(existing).unwrap_or(Path::new(""));
        let outer = open_real_folder(&fs::canonicalize(existing)?)?;
        let inner = enter(&outer, rest, missing)?;
        Ok(Folder { descriptor: Arc::new(inner.unwrap_or(outer)), path: absolute })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the folder of a file, and returns it with the file's name.
    fn around(&self, file: &Path, missing: Missing) -> io::Result<(Arc<OwnedFd>, OsString)> {
        let Some(Component::Normal(name)) = file.components().next_back() else { return Err(not_plain(file)) };
        let inner = enter(&*self.descriptor, file.parent().unwrap_or(Path::new("")), missing)?;
        Ok((inner.map_or_else(|| Arc::clone(&self.descriptor), Arc::new), name.to_os_string()))
    }

    /// Prepares a file below this folder, and makes the folders in between. Fails if the file could not be written.
    pub fn prepare(&self, file: &Path) -> io::Result<NewFile> {
        let (folder, name) = self.around(file, Missing::Create)?;
        NewFile::beside(folder, name)
    }

    /// Writes a file below this folder, in place of an older one.
    pub fn write(&self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        self.prepare(file)?.write(bytes)
    }

    /// Returns the content of a regular file below this folder.
    pub fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        let (folder, name) = self.around(file, Missing::Refuse)?;
        all_of(File::from(open_regular(&*folder, &name)?), LARGEST)
    }

    /// Removes a regular file below this folder if its content is as expected. Returns whether it did.
    pub fn remove_if(&self, file: &Path, is_expected: impl FnOnce(&[u8]) -> bool) -> io::Result<bool> {
        let (folder, name) = self.around(file, Missing::Refuse)?;
        let bytes = all_of(File::from(open_regular(&*folder, &name)?), LARGEST)?;
        if !is_expected(&bytes) {
            return Ok(false);
        }
        unlinkat(&*folder, &name, AtFlags::empty())?;
        Ok(true)
    }

    /// Removes a folder below this one if it is empty.
    pub fn remove_empty(&self, folder: &Path) -> io::Result<()> {
        let (outer, name) = self.around(folder, Missing::Refuse)?;
        Ok(unlinkat(&*outer, &name, AtFlags::REMOVEDIR)?)
    }

    /// Returns the names of the regular files in a folder below this one, sorted.
    pub fn files(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let inner = enter(&*self.descriptor, folder, Missing::Refuse)?;
        let opened = inner.as_ref().map_or(self.descriptor.as_fd(), AsFd::as_fd);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let listed = rustix::fs::Dir::new(openat(opened, ".", flags, Mode::empty())?)?;
        let mut names = Vec::new();
        for entry in listed {
            let name =
                OsString::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(entry?.file_name().to_bytes()));
            if kind_of(opened, &name)? == Some(FileType::RegularFile) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Makes a link below this folder that leads to `target`.
    pub fn link(&self, name: &Path, target: &Path) -> io::Result<()> {
        let (folder, name) = self.around(name, Missing::Create)?;
        Ok(rustix::fs::symlinkat(target, &*folder, &name)?)
    }

    /// Creates a file that did not exist, for lines to be added to.
    pub(crate) fn create_new(&self, file: &Path) -> io::Result<File> {
        let (folder, name) = self.around(file, Missing::Create)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(openat(&*folder, &name, flags, Mode::from_raw_mode(0o666))?))
    }
}

/// Removes a folder if it is empty. Returns whether it did.
pub fn remove_empty(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
    Folder::open(folder).and_then(|folder| folder.remove_empty(Path::new(name))).is_ok()
}

/// Returns a random number that only this user knows: the content of a file that only the user can read, which is made
/// on first use.
pub fn secret(path: &Path) -> io::Result<[u8; 32]> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Err(not_plain(path)) };
    let folder = Folder::create(folder)?;
    let read = || folder.read(Path::new(name)).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    if let Some(known) = read() {
        return Ok(known);
    }
    let mut new = [0; 32];
    getrandom::fill(&mut new).map_err(|error| io::Error::other(error.to_string()))?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut hidden = name.to_os_string();
    hidden.push(format!("-{:02x}{:02x}{:02x}{:02x}", new[0], new[1], new[2], new[3]));
    let mut file = File::from(openat(&*folder.descriptor, &hidden, flags, Mode::from_raw_mode(0o600))?);
    file.write_all(&new)?;
    // The first process wins: the file of another process is not replaced.
    let taken = rustix::fs::linkat(&*folder.descriptor, &hidden, &*folder.descriptor, name, AtFlags::empty());
    unlinkat(&*folder.descriptor, &hidden, AtFlags::empty())?;
    match taken {
        Ok(()) => Ok(new),
        Err(_) => read().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it is not a secret of Beagle's")),
    }
}

/// Writes a file as a whole, and makes its folder first.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Err(not_plain(path)) };
    Folder::create(folder)?.write(Path::new(name), bytes)
}

/// A file that will be written. It appears under its name when it is complete.
pub struct NewFile(Place);

enum Place {
    /// It has another name until it is complete.
    Beside { folder: Arc<OwnedFd>, name: OsString, hidden: OsString, file: File },
    /// A terminal, a pipe or a device, which cannot be replaced.
    Itself(File),
}

impl NewFile {
    /// Prepares a file that the command line names. In a project no part of its path may be a link; elsewhere its
    /// folder is the user's choice, and it may be a device, a pipe or a descriptor. Its folder must exist.
    pub fn named(path: &Path) -> io::Result<NewFile> {
        let absolute = whole(path)?;
        let is_in_project = || root_of(&absolute).is_some();
        if is_descriptor(&absolute) || is_stream(&absolute) && !is_in_project() {
            // Opening a pipe without a reader fails at once.
            const WITHOUT_WAITING: i32 = OFlags::NONBLOCK.bits() as i32;
            let file = OpenOptions::new().append(true).custom_flags(WITHOUT_WAITING).open(path)?;
            rustix::fs::fcntl_setfl(&file, rustix::fs::fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
            return Ok(NewFile(Place::Itself(file)));
        }
        let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
            return Err(not_regular(FileType::Directory));
        };
        let opened = Folder::open(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(error.kind(), format!("there is no folder {}", folder.display())),
            _ => error,
        })?;
        NewFile::beside(opened.descriptor, name.to_os_string())
    }

    fn beside(folder: Arc<OwnedFd>, name: OsString) -> io::Result<NewFile> {
        check_replaceable(&folder, &name)?;
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let hidden = OsString::from(format!(".beagle-{:016x}", u64::from_le_bytes(random)));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // Like any file that a program makes, others may read it if the user's mask allows that.
        let file = File::from(openat(&*folder, &hidden, flags, Mode::from_raw_mode(0o666))?);
        Ok(NewFile(Place::Beside { folder, name, hidden, file }))
    }

    /// Returns the stream, if it is one that is written to directly.
    pub fn into_stream(self) -> Result<File, NewFile> {
        match &self.0 {
            Place::Itself(stream) => stream.try_clone().map_err(|_| self),
            Place::Beside { .. } => Err(self),
        }
    }

    /// Writes the file, in place of an older one of that name.
    pub fn write(mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Place::Itself(file) => file.write_all(bytes),
            Place::Beside { folder, name, hidden, file } => {
                file.write_all(bytes)?;
                check_replaceable(folder, name)?;
                Ok(renameat(&**folder, &*hidden, &**folder, &*name)?)
            }
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Place::Beside { folder, hidden, .. } = &self.0 {
            // Usually the file has its final name already.
            let _ = unlinkat(&**folder, hidden, AtFlags::empty());
        }
    }
}

/// Checks that a file may be replaced: it must be a regular file that could also be changed.
fn check_replaceable(folder: &Arc<OwnedFd>, name: &OsStr) -> io::Result<()> {
    match kind_of(&**folder, name)? {
        None => Ok(()),
        Some(FileType::RegularFile) => match accessat(&**folder, name, Access::WRITE_OK, AtFlags::empty()) {
            // It does not exist any more.
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        },
        Some(kind) => Err(not_regular(kind)),
    }
}

/// Returns whether a path names a descriptor of this process, of any kind.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.parent().is_some_and(|folder| folder == Path::new("/dev/fd") || folder == Path::new("/proc/self/fd"))
}

/// Returns whether an error says that a pipe has no reader yet.
pub fn is_unread_pipe(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::NXIO.raw_os_error())
}

/// Returns whether a path names a stream that is written to directly.
fn is_stream(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| {
        let kind = found.file_type();
        kind.is_fifo() || kind.is_char_device() || kind.is_socket()
    })
}
