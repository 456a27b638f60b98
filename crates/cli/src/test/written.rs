//! Files and folders that are written for an option, which messages name.

use anyhow::Context;
use sandbox::interrupt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that will be written. Whether that is possible is checked in advance.
pub struct NewFile {
    option: &'static str,
    path: PathBuf,
    file: files::NewFile,
}

impl NewFile {
    /// Prepares a file that `option` of the command line, or of a configuration, names.
    pub fn prepare(option: &'static str, path: &Path) -> anyhow::Result<NewFile> {
        let file = open(path).with_context(|| unwritable(option, path))?;
        Ok(NewFile { option, path: path.to_path_buf(), file })
    }

    pub fn write(self, bytes: &[u8]) -> anyhow::Result<()> {
        let NewFile { option, path, file } = self;
        let written = match file.into_stream() {
            Ok(stream) => sandbox::write_all(&stream, bytes),
            Err(file) => file.write(bytes),
        };
        written.with_context(|| unwritable(option, &path))
    }
}

/// Opens a file. If it is a pipe, waits for a reader until a signal comes.
fn open(path: &Path) -> io::Result<files::NewFile> {
    loop {
        match files::NewFile::named(path) {
            Err(error) if files::is_unread_pipe(&error) && !interrupt::is_received() => std::thread::sleep(LOOK),
            opened => return opened,
        }
    }
}

/// The time between two attempts to open a pipe that has no reader.
const LOOK: Duration = Duration::from_millis(20);

/// A folder that an option names, which files are written to.
#[derive(Debug)]
pub struct NewFolder {
    option: &'static str,
    folder: files::Folder,
}

impl NewFolder {
    /// Makes the folder if it does not exist. Fails if no file could be written to it.
    pub fn prepare(option: &'static str, path: &Path) -> anyhow::Result<NewFolder> {
        let unmade = || format!("{option} {}: the folder cannot be made", path.display());
        let folder = files::Folder::create(path).with_context(unmade)?;
        drop(folder.prepare(Path::new(".beagle")).with_context(|| unwritable(option, path))?);
        Ok(NewFolder { option, folder })
    }

    /// Writes a file whose path is relative to the folder.
    pub fn write(&self, file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        self.folder.write(file, bytes).with_context(|| unwritable(self.option, &self.path().join(file)))
    }

    /// Returns the text of a file in the folder, if there is one.
    pub fn read(&self, file: &Path) -> anyhow::Result<Option<String>> {
        let unreadable = || format!("{}: {} cannot be read", self.option, self.path().join(file).display());
        match self.folder.read(file) {
            Ok(bytes) => Ok(Some(String::from_utf8(bytes).with_context(unreadable)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(unreadable),
        }
    }

    /// Removes a file in the folder if its content is as expected. A failure is ignored, since a file that stays does
    /// no harm.
    pub fn remove_if(&self, file: &Path, is_expected: impl FnOnce(&[u8]) -> bool) {
        let _ = self.folder.remove_if(file, is_expected);
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn unwritable(option: &str, path: &Path) -> String {
    format!("{option}: {} cannot be written", path.display())
}
