//! The folder of pages. Pages of an earlier command that are not needed any more are removed.
//!
//! A list in the folder has every page with a digest of its text. A file is only removed if it is in the list and has
//! not been changed; all other files are the user's.

use super::written::NewFolder;
use std::collections::BTreeMap;
use std::path::{Component, Path};

const LIST: &str = ".beagle-pages";
const HEAD: &str = "# Pages that Beagle wrote, and may remove.\n";
const OPTION: &str = "--html";

pub struct Pages {
    folder: NewFolder,
    /// The digests of pages by path: those of an earlier command, and those of this one.
    before: BTreeMap<String, String>,
    now: BTreeMap<String, String>,
}

impl Pages {
    /// Opens the folder. If it cannot be written to, that is reported now, not when all is done.
    pub fn prepare(folder: &Path) -> anyhow::Result<Pages> {
        let folder = NewFolder::prepare(OPTION, folder)?;
        let text = folder.read(Path::new(LIST))?.unwrap_or_default();
        let before = text.lines().filter_map(|line| line.split_once(' '));
        let before = before.map(|(digest, path)| (path.to_string(), digest.to_string())).collect();
        Ok(Pages { folder, before, now: BTreeMap::new() })
    }

    pub fn write(&mut self, path: &str, text: &str) -> anyhow::Result<()> {
        self.folder.write(Path::new(path), text.as_bytes())?;
        self.now.insert(path.to_string(), digest(text.as_bytes()));
        Ok(())
    }

    /// Removes outdated pages and writes the list, when all pages are written.
    pub fn finish(self) -> anyhow::Result<()> {
        for (path, known) in self.before.iter().filter(|(path, _)| !self.now.contains_key(*path) && is_ours(path)) {
            self.folder.remove_if(Path::new(path), |bytes| digest(bytes) == *known);
        }
        let lines: String = self.now.iter().map(|(path, digest)| format!("{digest} {path}\n")).collect();
        self.folder.write(Path::new(LIST), format!("{HEAD}{lines}").as_bytes())
    }
}

/// Returns whether a path can be that of a page. The list may have been tampered with, so files outside of the folder
/// are never touched.
fn is_ours(path: &str) -> bool {
    path.ends_with(".html") && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn nothing_outside_of_the_folder_is_ours() {
        assert!(is_ours("functions/m.f-1.html"));
        for other in ["/etc/a.html", "../a.html", "functions/../../a.html", "notes.txt", "./a.html", ""] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
