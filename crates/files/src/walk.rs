//! Opens files part by part, so that no link in a path is followed.

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, mkdirat, openat, statat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

/// Folders inside a path are only passed through, which needs no right to read them on Linux.
#[cfg(target_os = "linux")]
const PASSING: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const PASSING: OFlags = OFlags::RDONLY;

/// Opens a folder by a path without links, which must still have none.
pub(crate) fn open_real_folder(real: &Path) -> io::Result<OwnedFd> {
    let rest = real.strip_prefix("/").map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    let root = rustix::fs::open("/", PASSING | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(enter(&root, rest, Missing::Refuse)?.unwrap_or(root))
}

/// Opens a file or a folder by an absolute path without links, which must still have none, to be named to the kernel. Returns
/// also whether it is a folder.
pub fn open_place(real: &Path) -> io::Result<(OwnedFd, bool)> {
    let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else {
        return open_real_folder(real).map(|folder| (folder, true));
    };
    let folder = open_real_folder(folder)?;
    let opened = openat(&folder, name, PASSING | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    match FileType::from_raw_mode(fstat(&opened)?.st_mode) {
        FileType::Symlink => Err(not_regular(FileType::Symlink)),
        kind => Ok((opened, kind == FileType::Directory)),
    }
}

/// The treatment of a folder in a path that does not exist.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Refuse,
    Create,
}

/// Opens the folder that is `path` below `folder`, following no link. Returns `None` if the path is empty.
pub(crate) fn enter(folder: impl AsFd, path: &Path, missing: Missing) -> io::Result<Option<OwnedFd>> {
    let mut inner: Option<OwnedFd> = None;
    for part in path.components() {
        let name = match part {
            Component::Normal(name) => name,
            Component::CurDir => continue,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(not_plain(path)),
        };
        let outer = inner.as_ref().map_or(folder.as_fd(), AsFd::as_fd);
        let next = match (open_folder(outer, name), missing) {
            (Err(Errno::NOENT), Missing::Create) => {
                match mkdirat(outer, name, Mode::from_raw_mode(0o777)) {
                    // Another process may have made it just now.
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
                open_folder(outer, name)
            }
            (opened, _) => opened,
        };
        inner = Some(next.map_err(|error| explain(outer, name, error))?);
    }
    Ok(inner)
}

fn open_folder(folder: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(folder, name, PASSING | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// Opens a regular file that is directly in a folder. Refuses a link, and does not wait for a pipe.
pub(crate) fn open_regular(folder: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    // Opening a device may have side effects.
    if let Some(kind) = kind_of(&folder, name)?
        && kind != FileType::RegularFile
    {
        return Err(not_regular(kind));
    }
    let file = openat(&folder, name, flags, Mode::empty()).map_err(|error| explain(&folder, name, error))?;
    match FileType::from_raw_mode(fstat(&file)?.st_mode) {
        FileType::RegularFile => Ok(file),
        kind => Err(not_regular(kind)),
    }
}

/// Returns the kind of a folder's entry itself, without following a link, or `None` if there is no such entry.
pub(crate) fn kind_of(folder: impl AsFd, name: &OsStr) -> io::Result<Option<FileType>> {
    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(Some(FileType::from_raw_mode(found.st_mode))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn explain(folder: impl AsFd, name: &OsStr, error: Errno) -> io::Error {
    match kind_of(folder, name) {
        Ok(Some(FileType::Symlink)) => {
            let why = format!("{} is a link, which is not followed here", name.to_string_lossy());
            io::Error::new(io::ErrorKind::PermissionDenied, why)
        }
        Ok(Some(kind)) if error == Errno::NOTDIR && kind != FileType::Directory => {
            io::Error::new(io::ErrorKind::NotADirectory, format!("{} is not a folder", name.to_string_lossy()))
        }
        _ => error.into(),
    }
}

pub(crate) fn not_regular(kind: FileType) -> io::Error {
    let why = match kind {
        FileType::Directory => "it is a folder",
        FileType::Symlink => "it is a link, which is not followed here",
        _ => "it is not a regular file",
    };
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

pub(crate) fn not_plain(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{} is not a plain path below its folder", path.display()))
}
