//! Which modules the runtime has, and where: known without starting it, once it has been asked.
//!
//! An index is kept per `erl` executable and code path. It names every folder of the code path with a stamp, and is
//! believed as long as all stamps are as they were: installing or upgrading anything changes one.

use oracle::{Oracle, OracleConfig, OracleError, store};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Raise it with any change to what is kept.
const VERSION: u32 = 2;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CodeIndex {
    /// Of the runtime's build.
    pub fingerprint: [u8; 32],
    /// Of OTP.
    pub release: u32,
    folders: Vec<Folder>,
    /// Folders in which applications lie, beside those of the code path.
    watched: Vec<(PathBuf, Stamp)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Folder {
    path: PathBuf,
    stamp: Stamp,
    /// Sorted.
    modules: Vec<String>,
}

type Stamp = Option<(u64, u64)>;

impl CodeIndex {
    /// Kept, or else asked for and kept.
    pub fn get(oracle: &Oracle, cache: Option<&Path>) -> Result<CodeIndex, OracleError> {
        let erl = oracle.erl()?;
        let file = cache.map(|cache| cache.join("index").join(key(&erl, &oracle.config().code_paths)));
        if let Some(index) = file.as_deref().and_then(read) {
            return Ok(index);
        }
        let info = oracle.info()?;
        let OracleConfig { code_paths, system_paths, .. } = oracle.config();
        let mut folders = Vec::new();
        for folder in oracle.code_index()? {
            if !code_paths.contains(&folder.path) && !system_paths.contains(&folder.path) {
                let mut modules = folder.modules;
                modules.sort_unstable();
                folders.push(Folder { stamp: stamp(&folder.path), path: folder.path, modules });
            }
        }
        let libraries = std::env::var_os("ERL_LIBS").unwrap_or_default();
        let watched = std::env::split_paths(&libraries).chain([info.root.join("lib")]);
        let watched = watched.map(|folder| (folder.clone(), stamp(&folder))).collect();
        let release = info.release_number();
        let index = CodeIndex { fingerprint: info.fingerprint, release, folders, watched };
        // An `erl` outside of the installation that it starts is a wrapper (of a version manager, say): it
        // may start another one tomorrow without any change that could be seen.
        if let Some(file) = file
            && erl.starts_with(&info.root)
            && let Ok(bytes) = postcard::to_stdvec(&index)
        {
            // Not kept: asked for again next time.
            let _ = store::write(&file, &bytes);
        }
        Ok(index)
    }

    pub fn find(&self, module: &str) -> Option<PathBuf> {
        let has = |folder: &&Folder| folder.modules.binary_search_by(|name| name.as_str().cmp(module)).is_ok();
        let folder = self.folders.iter().find(has)?;
        Some(folder.path.join(format!("{module}.beam")))
    }

    fn is_current(&self) -> bool {
        self.folders.iter().all(|folder| stamp(&folder.path) == folder.stamp)
            && self.watched.iter().all(|(folder, known)| stamp(folder) == *known)
    }
}

fn key(erl: &Path, code_paths: &[PathBuf]) -> String {
    let libraries = std::env::var_os("ERL_LIBS");
    let text = format!("{VERSION}\0{erl:?}\0{:?}\0{libraries:?}\0{code_paths:?}", files::stamp(erl));
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

fn read(file: &Path) -> Option<CodeIndex> {
    let index: CodeIndex = postcard::from_bytes(&store::read(file)?).ok()?;
    index.is_current().then_some(index)
}

/// A folder in an archive changes with the archive.
fn stamp(folder: &Path) -> Stamp {
    folder.ancestors().find_map(files::stamp)
}
