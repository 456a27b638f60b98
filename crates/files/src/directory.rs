//! Access to folders by descriptor: every operation names an entry of an open folder, so exchanging a parent folder or
//! planting a link does not redirect it. Links are never followed.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The mode that gives the owner all rights, and other users none.
const OWN: libc::mode_t = 0o700;
const FOLDER: libc::c_int = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;

pub(crate) struct Directory(OwnedFd);

impl Directory {
    /// Opens the folder for this user alone, and makes it first if it does not exist. The error describes what is wrong
    /// with it.
    pub fn own(path: &Path) -> Result<Directory, String> {
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
        // SAFETY: the name is a C string.
        let is_new = unsafe { libc::mkdir(name.as_ptr(), OWN) } == 0;
        if !is_new {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::AlreadyExists {
                return Err(format!("it cannot be made ({error})"));
            }
        }
        let directory = open(libc::AT_FDCWD, &name, FOLDER).map(Directory);
        let directory = directory.map_err(|error| match error.raw_os_error() {
            Some(libc::ELOOP | libc::ENOTDIR) => "it is a link, or not a folder".to_owned(),
            _ => format!("it cannot be opened ({error})"),
        })?;
        let found = directory.status().map_err(|error| error.to_string())?;
        // SAFETY: a plain system call.
        if found.st_uid != unsafe { libc::geteuid() } {
            return Err("it belongs to somebody else".to_owned());
        }
        // The mode of a new folder also depends on the user's mask and on the folder around it. Whoever had access to an
        // older one may have put anything into it, and may still have it open.
        if is_new && found.st_mode & 0o7777 != OWN {
            // SAFETY: the descriptor is open.
            unsafe { libc::fchmod(directory.0.as_raw_fd(), OWN) };
        }
        match directory.status().map(|found| found.st_mode & 0o777) {
            Ok(OWN) => Ok(directory),
            Ok(mode) if mode & !OWN != 0 => Err(format!("others have access to it (its mode is {mode:04o})")),
            Ok(mode) => Err(format!("its mode is {mode:04o}")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Opens any folder. The path may be a link.
    pub fn open(path: &Path) -> io::Result<Directory> {
        File::open(path).map(|file| Directory(file.into()))
    }

    pub fn make(&self, name: &CStr) -> io::Result<()> {
        // SAFETY: the descriptor is open, and the name is a C string.
        succeeded(unsafe { libc::mkdirat(self.0.as_raw_fd(), name.as_ptr(), OWN) })
    }

    /// Opens a folder in this one, of the same user.
    pub fn below(&self, name: &CStr) -> io::Result<Directory> {
        let inner = Directory(open(self.0.as_raw_fd(), name, FOLDER)?);
        inner.must_be_own(libc::S_IFDIR)?;
        Ok(inner)
    }

    /// Makes a file that did not exist.
    pub fn create(&self, name: &CStr) -> io::Result<File> {
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW | libc::O_CLOEXEC;
        open(self.0.as_raw_fd(), name, flags).map(File::from)
    }

    /// Opens a regular file of the same user for reading. Does not wait for a pipe.
    pub fn open_own_file(&self, name: &CStr) -> io::Result<File> {
        let flags = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NOCTTY;
        let file = Directory(open(self.0.as_raw_fd(), name, flags)?);
        file.must_be_own(libc::S_IFREG)?;
        Ok(file.0.into())
    }

    pub fn rename(&self, from: &CStr, to: &CStr) -> io::Result<()> {
        self.move_to(from, self, to)
    }

    fn move_to(&self, from: &CStr, place: &Directory, to: &CStr) -> io::Result<()> {
        let (here, there) = (self.0.as_raw_fd(), place.0.as_raw_fd());
        // SAFETY: the descriptors are open, and the names are C strings.
        succeeded(unsafe { libc::renameat(here, from.as_ptr(), there, to.as_ptr()) })
    }

    /// Returns whether the path leads to this folder, and not by a link.
    #[allow(clippy::unnecessary_cast, reason = "the types of the numbers differ from one system to another")]
    pub fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let here = self.status().map(|found| (found.st_dev as u64, found.st_ino as u64));
        let there = std::fs::symlink_metadata(path).map(|found| (found.dev(), found.ino()));
        matches!((here, there), (Ok(here), Ok(there)) if here == there)
    }

    /// Returns the names of the entries of the folder; none if it cannot be read.
    pub fn names(&self) -> Vec<CString> {
        let mut names = Vec::new();
        // SAFETY: the stream owns a descriptor of its own, and is closed here; an entry lives until the next is read.
        unsafe {
            let again = libc::openat(self.0.as_raw_fd(), c".".as_ptr(), FOLDER);
            if again == -1 {
                return names;
            }
            let stream = libc::fdopendir(again);
            if stream.is_null() {
                libc::close(again);
                return names;
            }
            loop {
                let entry = libc::readdir(stream);
                if entry.is_null() {
                    break;
                }
                let name = CStr::from_ptr((*entry).d_name.as_ptr());
                if name != c"." && name != c".." {
                    names.push(name.to_owned());
                }
            }
            libc::closedir(stream);
        }
        names
    }

    /// Removes everything in the folder, and the file `last` only if nothing else is left. Returns whether the folder is
    /// empty then. What cannot be removed stays.
    pub fn clear(&self, last: &CStr) -> bool {
        for name in self.names() {
            if name.as_c_str() != last && !self.unlink(&name, 0) {
                self.remove(&name);
            }
        }
        if self.names().iter().all(|name| name.as_c_str() == last) {
            self.unlink(last, 0);
        }
        self.names().is_empty()
    }

    /// Removes a folder with everything in it. Entries that cannot be removed stay.
    ///
    /// Code in a sandbox may nest its folders as deeply as it likes. So each that is not empty is first moved up beside the
    /// one that is removed: neither the stack nor the number of open files grows with the depth. Whoever calls this removes
    /// the folder around them later, even if this process is killed meanwhile.
    pub fn remove(&self, name: &CStr) {
        let mut pending = vec![name.to_owned()];
        // No name that another process has left here, whose number this one may have got.
        let mut random = [0; 8];
        if getrandom::fill(&mut random).is_err() {
            return;
        }
        let mut moved = u64::from_le_bytes(random);
        while let Some(name) = pending.pop() {
            if self.remove_empty(&name) {
                continue;
            }
            let Some(folder) = self.readable(&name) else { continue };
            for inner in folder.names() {
                if folder.unlink(&inner, 0) || folder.remove_empty(&inner) {
                    continue;
                }
                let Ok(place) = CString::new(format!("removed-{moved:016x}")) else { continue };
                moved = moved.wrapping_add(1);
                if folder.movable(&inner) && folder.move_to(&inner, self, &place).is_ok() {
                    pending.push(place);
                }
            }
            self.remove_empty(&name);
        }
    }

    /// Opens a folder whose mode may deny even its owner to read it.
    fn readable(&self, name: &CStr) -> Option<Directory> {
        if let Ok(folder) = self.below(name) {
            return Some(folder);
        }
        self.movable(name).then(|| self.below(name).ok()).flatten()
    }

    /// Lets the owner do everything with a folder, since it must be writable to be moved. Returns whether it is a
    /// folder.
    fn movable(&self, name: &CStr) -> bool {
        // SAFETY: zeros are a valid structure, which the call fills; the name is a C string.
        unsafe {
            let mut found: libc::stat = std::mem::zeroed();
            let is_found =
                libc::fstatat(self.0.as_raw_fd(), name.as_ptr(), &raw mut found, libc::AT_SYMLINK_NOFOLLOW) == 0;
            let is_folder = is_found && found.st_mode & libc::S_IFMT == libc::S_IFDIR;
            if is_folder && found.st_mode & OWN != OWN {
                // `fchmodat` follows links, but no other user can exchange the folder for one.
                libc::fchmodat(self.0.as_raw_fd(), name.as_ptr(), OWN, 0);
            }
            is_folder
        }
    }

    /// Removes a folder if it is empty. Returns whether it was.
    pub fn remove_empty(&self, name: &CStr) -> bool {
        self.unlink(name, libc::AT_REMOVEDIR)
    }

    fn unlink(&self, name: &CStr, flags: libc::c_int) -> bool {
        // SAFETY: the descriptor is open, and the name is a C string.
        unsafe { libc::unlinkat(self.0.as_raw_fd(), name.as_ptr(), flags) == 0 }
    }

    fn must_be_own(&self, kind: libc::mode_t) -> io::Result<()> {
        let found = self.status()?;
        // SAFETY: a plain system call.
        match found.st_mode & libc::S_IFMT == kind && found.st_uid == unsafe { libc::geteuid() } {
            true => Ok(()),
            false => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }

    fn status(&self) -> io::Result<libc::stat> {
        // SAFETY: zeros are a valid structure, which the call fills.
        unsafe {
            let mut found: libc::stat = std::mem::zeroed();
            succeeded(libc::fstat(self.0.as_raw_fd(), &raw mut found)).map(|()| found)
        }
    }
}

fn open(folder: libc::c_int, name: &CStr, flags: libc::c_int) -> io::Result<OwnedFd> {
    // SAFETY: the name is a C string, and the returned descriptor is new.
    unsafe {
        match libc::openat(folder, name.as_ptr(), flags, 0o600 as libc::c_uint) {
            -1 => Err(io::Error::last_os_error()),
            descriptor => Ok(OwnedFd::from_raw_fd(descriptor)),
        }
    }
}

fn succeeded(result: libc::c_int) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
