//! Lists of the files that Beagle wrote to a folder, so that it removes only these.
//!
//! Every process that writes adds a list of its own, in a file that it has created itself: files of other processes, or
//! of the author of the folder, are not changed. A list in a project is not trusted. Its entries are plain paths below
//! the folder of the lists, and a file is removed only if its content is still the one that the list states.

use crate::folder::Folder;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Component, Path};
use std::sync::{Mutex, PoisonError};

/// The folder of the lists, inside the folder whose files they name.
const LISTS: &str = "written";
const HEAD: &str = "beagle wrote these files, and may remove them";

/// The list of the files that this process writes to a folder.
#[derive(Debug, Default)]
pub struct Manifest(Mutex<Option<File>>);

impl Manifest {
    /// Writes a file below the folder, and adds it to the list first: a listed file that does not exist does no harm.
    pub fn write(&self, folder: &Folder, file: &Path, bytes: &[u8]) -> io::Result<()> {
        let line = format!("{} {}\n", blake3::hash(bytes).to_hex(), file.display());
        self.add(folder, &line)?;
        folder.write(file, bytes)
    }

    fn add(&self, folder: &Folder, line: &str) -> io::Result<()> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match &mut *list {
            Some(opened) => opened,
            None => {
                let mut random = [0; 8];
                getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
                let name = format!("{:016x}", u64::from_le_bytes(random));
                let mut created = folder.create_new(&Path::new(LISTS).join(name))?;
                created.write_all(format!("{HEAD}\n").as_bytes())?;
                list.insert(created)
            }
        };
        opened.write_all(line.as_bytes())
    }
}

/// Removes the files that the lists of a folder name and that are unchanged, then the lists, and the folders that are
/// empty afterwards. Returns how many listed files it has removed.
pub fn remove_listed(folder: &Folder) -> io::Result<usize> {
    let mut removed = 0;
    let mut folders = std::collections::BTreeSet::new();
    for list in folder.files(Path::new(LISTS))? {
        let list = Path::new(LISTS).join(list);
        let Ok(text) = folder.read(&list).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) else { continue };
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            continue;
        }
        for (digest, path) in lines.filter_map(|line| line.split_once(' ')) {
            let path = Path::new(path);
            if !path.components().all(|part| matches!(part, Component::Normal(_))) {
                continue;
            }
            let is_as_written = |bytes: &[u8]| blake3::hash(bytes).to_hex().as_str() == digest;
            // A file that does not exist, has changed or is not regular is left alone.
            removed += usize::from(folder.remove_if(path, is_as_written).unwrap_or(false));
            folders.extend(path.parent().filter(|parent| !parent.as_os_str().is_empty()).map(Path::to_path_buf));
        }
        folder.remove_if(&list, |bytes| bytes == text.as_bytes())?;
    }
    folders.insert(LISTS.into());
    // Folders that are not empty stay.
    folders.iter().rev().for_each(|inner| drop(folder.remove_empty(inner)));
    Ok(removed)
}
