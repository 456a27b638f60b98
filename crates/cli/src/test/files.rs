//! Files that appear whole or not at all.

use anyhow::{Context, bail};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that will be written: whether that can be is known before.
pub struct NewFile {
    option: &'static str,
    path: PathBuf,
    place: Place,
}

enum Place {
    /// It is renamed in the end.
    Beside(NamedTempFile),
    /// A terminal, a pipe, a device: nothing that could be replaced.
    Itself(File),
}

impl NewFile {
    /// `option`: what named it, for messages.
    pub fn prepare(option: &'static str, path: &Path) -> anyhow::Result<NewFile> {
        let (path, place) = place(path).with_context(|| format!("{option}: {} cannot be written", path.display()))?;
        Ok(NewFile { option, path, place })
    }

    pub fn write(self, bytes: &[u8]) -> anyhow::Result<()> {
        let NewFile { option, path, place } = self;
        let written = match place {
            Place::Itself(file) => sandbox::write_all(&file, bytes),
            Place::Beside(mut file) => file
                .write_all(bytes)
                .and_then(|()| file.flush())
                .and_then(|()| file.persist(&path).map(drop).map_err(|error| error.error)),
        };
        written.with_context(|| format!("{option}: {} cannot be written", path.display()))
    }
}

fn place(path: &Path) -> anyhow::Result<(PathBuf, Place)> {
    // Devices, and what stands for the streams of a process: whatever they lead to is not ours.
    if path.starts_with("/dev") {
        return Ok((path.to_path_buf(), Place::Itself(append(path)?)));
    }
    // A link stays one: what it names is replaced.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => bail!("it is a folder"),
        Ok(found) if !found.is_file() => return Ok((path.clone(), Place::Itself(append(&path)?))),
        // One that may not be changed is not replaced either.
        Ok(_) => drop(append(&path)?),
        Err(_) => {}
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("there is no folder {}", folder.display());
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".beagle-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As of any file that a program makes: others may read it, if the user's mask allows it.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    Ok((path, Place::Beside(file)))
}

fn append(path: &Path) -> std::io::Result<File> {
    sandbox::open_to_append(path)
}
