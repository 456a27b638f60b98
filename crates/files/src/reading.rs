//! Reads files and folders. Links are followed; the permissions of this process must cover their targets.

use crate::authority::{check_readable, is_in_project, whole};
use crate::folder::is_descriptor;
use crate::walk::{not_regular, open_real_folder, open_regular};
use rustix::fs::{FileType, Mode, OFlags, openat};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The size in bytes of the largest file that Beagle reads as a whole.
pub(crate) const LARGEST: u64 = 1 << 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    /// A device, a pipe, or a socket.
    Other,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub path: PathBuf,
    /// The kind of the entry, or of its target if it is a link.
    pub kind: Kind,
    pub is_link: bool,
}

/// Returns the target of a path, if that may be read.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(path)?;
    check_readable(path, &real)?;
    Ok(real)
}

/// Opens a regular file. A file that was replaced by a link after its path was resolved is not opened.
fn open(path: &Path) -> io::Result<File> {
    let real = resolve(path)?;
    let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else {
        return Err(not_regular(FileType::Directory));
    };
    Ok(File::from(open_regular(open_real_folder(folder)?, name)?))
}

/// Returns the content of a regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, LARGEST)
}

/// Returns the content of a regular file that has at most `most` bytes.
pub fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    all_of(open(path)?, most)
}

/// Returns the content of a regular file that is text.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not valid UTF-8"))
}

/// Returns the first bytes of a regular file, at most `most`.
pub fn read_head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the content of a file that is directly in a folder of the user's choice, at most `most` bytes. The file may
/// not be a link: the author of the folder's content must not decide where it is read from.
pub fn read_direct(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let absolute = std::path::absolute(path)?;
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Err(not_regular(FileType::Directory));
    };
    let folder = open_real_folder(&fs::canonicalize(folder)?)?;
    all_of(File::from(open_regular(folder, name)?), most)
}

/// Returns the content of a file that the command line names. In a project the rules of projects apply; elsewhere the
/// file's folder is the user's choice.
pub fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    if is_in_project(path) { read(path) } else { read_direct(&whole(path)?, LARGEST) }
}

/// Returns whether the command line names a pipe, a device or a descriptor (`/dev/stdin`, `/dev/fd/3`), which may have to be
/// waited for. In a project only descriptors are, wherever it lies: even in `/dev` there are ordinary folders.
pub fn is_stream(path: &Path) -> bool {
    let Ok(named) = whole(path) else { return false };
    is_descriptor(&named) || kind_of_itself(&named) == Some(Kind::Other) && !is_in_project(path)
}

fn kind_of_itself(path: &Path) -> Option<Kind> {
    kind_of(&fs::symlink_metadata(path).ok()?)
}

/// Opens a stream that the command line names, without waiting for a writer. A link is followed on the way to its folder, and where the
/// system itself has put one.
pub fn open_stream(path: &Path) -> io::Result<File> {
    let named = whole(path)?;
    if is_descriptor(&named) {
        return open_system(&named);
    }
    let (Some(folder), Some(name)) = (named.parent(), named.file_name()) else {
        return Err(not_regular(FileType::Directory));
    };
    let folder = open_real_folder(&fs::canonicalize(folder)?)?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(openat(folder, name, flags, Mode::empty())?))
}

/// Opens a file of the operating system, such as `/proc/meminfo`, or a program that Beagle starts. The path must not come from
/// a project. A pipe is not waited for.
pub fn open_system(path: &Path) -> io::Result<File> {
    const WITHOUT_WAITING: i32 = (OFlags::NONBLOCK.bits() | OFlags::NOCTTY.bits()) as i32;
    OpenOptions::new().read(true).custom_flags(WITHOUT_WAITING).open(path)
}

/// Returns the content of such a file.
pub fn read_system(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_system(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns where a path leads that the operating system or Beagle itself names. The path must not come from a project.
pub fn resolve_system(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

pub(crate) fn all_of(file: File, most: u64) -> io::Result<Vec<u8>> {
    let too_large = |length: u64| {
        let why = format!("it is too large: it has more than {} megabytes", length >> 20);
        io::Error::new(io::ErrorKind::FileTooLarge, why)
    };
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// Returns whether there is an entry of this name, even a link without a target or one whose target may not be read.
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Returns whether a path is a link.
pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// Returns the kind of a path's target, or `None` if there is nothing that may be read.
pub fn kind(path: &Path) -> Option<Kind> {
    let real = resolve(path).ok()?;
    kind_of(&fs::symlink_metadata(real).ok()?)
}

fn kind_of(found: &fs::Metadata) -> Option<Kind> {
    match found.file_type() {
        kind if kind.is_file() => Some(Kind::File),
        kind if kind.is_dir() => Some(Kind::Folder),
        // The path was replaced by a link just now.
        kind if kind.is_symlink() => None,
        _ => Some(Kind::Other),
    }
}

pub fn is_file(path: &Path) -> bool {
    kind(path) == Some(Kind::File)
}

/// Returns whether the command line names a file, which need not be readable, or a stream.
pub fn is_any_file(path: &Path) -> bool {
    is_stream(path) || fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// Returns whether a path leads to a folder, which need not be readable.
pub fn is_any_folder(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_dir())
}

pub fn is_folder(path: &Path) -> bool {
    kind(path) == Some(Kind::Folder)
}

/// Returns the entries of a folder, sorted by name. A folder that does not exist, or may not be read, has no entries;
/// links to places that may not be read are left out.
pub fn list(folder: &Path) -> Vec<Entry> {
    let Ok(real) = resolve(folder) else { return Vec::new() };
    let mut entries: Vec<Entry> = Vec::new();
    for found in fs::read_dir(&real).into_iter().flatten().flatten() {
        let Ok(file_type) = found.file_type() else { continue };
        let path = folder.join(found.file_name());
        let kind = match file_type.is_symlink() {
            true => kind(&path),
            false if file_type.is_dir() => Some(Kind::Folder),
            false if file_type.is_file() => Some(Kind::File),
            false => Some(Kind::Other),
        };
        entries.extend(kind.map(|kind| Entry { path, kind, is_link: file_type.is_symlink() }));
    }
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    entries
}

/// Returns the paths of the entries other than folders in a folder that may become a project. The names show what kind
/// of folder it is, and nothing in it is opened.
pub fn names_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir())).map(|entry| entry.path()).collect()
}

/// Returns the paths of the folders in a folder, and of the links, which may lead to folders. Nothing in it is opened.
pub fn names_of_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_file())).map(|entry| entry.path()).collect()
}

/// Returns the folders in a folder of the operating system.
pub fn folders_of_system(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
}

fn metadata(path: &Path) -> Option<fs::Metadata> {
    fs::symlink_metadata(resolve(path).ok()?).ok()
}

/// Returns the time of the last change.
pub fn modified(path: &Path) -> Option<SystemTime> {
    metadata(path)?.modified().ok()
}

/// Returns the size of a regular file.
pub fn size(path: &Path) -> Option<u64> {
    metadata(path).filter(fs::Metadata::is_file).map(|found| found.len())
}

/// Returns a number that changes when a file is replaced or touched; for a folder, when something is added or removed.
pub fn stamp(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((modified.as_nanos() as u64, if metadata.is_dir() { 0 } else { metadata.len() }))
}

/// Returns whether a path leads to a folder, or to something below it.
pub fn is_below(path: &Path, folder: &Path) -> bool {
    matches!((fs::canonicalize(path), fs::canonicalize(folder)), (Ok(path), Ok(folder)) if path.starts_with(&folder))
}

/// Returns whether two paths lead to the same place.
pub fn is_same(left: &Path, right: &Path) -> bool {
    left == right || matches!((fs::canonicalize(left), fs::canonicalize(right)), (Ok(left), Ok(right)) if left == right)
}
