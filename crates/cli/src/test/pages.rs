//! The folder of pages: what an earlier command wrote there and nobody needs any more is removed.
//!
//! A list in the folder has every page with a digest of its text. Only what is in the list, and is still as it was
//! written, is ever removed: all else is the user's.

use super::files::NewFile;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

const LIST: &str = ".beagle-pages";
const HEAD: &str = "# Pages that Beagle wrote, and may remove.\n";
const OPTION: &str = "--html";

pub struct Pages {
    folder: PathBuf,
    /// By path: what was written before, and now.
    before: BTreeMap<String, String>,
    now: BTreeMap<String, String>,
}

impl Pages {
    /// A folder that cannot be written to is an error now, not when all is done.
    pub fn prepare(folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{OPTION} {}: the folder cannot be made", folder.display()))?;
        drop(NewFile::prepare(OPTION, &folder.join("index.html"))?);
        Ok(())
    }

    pub fn new(folder: PathBuf) -> Pages {
        let text = sandbox::read_to_string(&folder.join(LIST)).unwrap_or_default();
        let before = text.lines().filter_map(|line| line.split_once(' '));
        let before = before.map(|(digest, path)| (path.to_string(), digest.to_string())).collect();
        Pages { folder, before, now: BTreeMap::new() }
    }

    pub fn write(&mut self, path: &str, text: &str) -> anyhow::Result<()> {
        let file = self.folder.join(path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{OPTION}: {} cannot be made", folder.display()))?;
        }
        NewFile::prepare(OPTION, &file)?.write(text.as_bytes())?;
        self.now.insert(path.to_string(), digest(text.as_bytes()));
        Ok(())
    }

    /// All pages are there.
    pub fn finish(self) -> anyhow::Result<()> {
        for (path, known) in self.before.iter().filter(|(path, _)| !self.now.contains_key(*path) && is_ours(path)) {
            let file = self.folder.join(path);
            let is_unchanged = sandbox::read(&file).is_ok_and(|bytes| digest(&bytes) == *known);
            if is_unchanged && std::fs::symlink_metadata(&file).is_ok_and(|found| found.is_file()) {
                // One that stays is only one too many.
                let _ = std::fs::remove_file(&file);
            }
        }
        let lines: String = self.now.iter().map(|(path, digest)| format!("{digest} {path}\n")).collect();
        NewFile::prepare(OPTION, &self.folder.join(LIST))?.write(format!("{HEAD}{lines}").as_bytes())
    }
}

/// Somebody may have changed the list: nothing outside of the folder is touched.
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
