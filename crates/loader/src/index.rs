//! The index of the modules that the runtime has, and of their files. Once it exists, it can be used without starting
//! the runtime.
//!
//! An index is kept for each `erl` executable and code path. It contains every folder of the code path with a stamp,
//! and is valid as long as no stamp has changed: installing or upgrading anything changes one.

use oracle::{Oracle, OracleConfig, OracleError, store};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The version of the format. It must be raised with any change of the kept data.
const VERSION: u32 = 2;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CodeIndex {
    /// The fingerprint of the runtime's build.
    pub fingerprint: [u8; 32],
    /// The release of OTP.
    pub release: u32,
    folders: Vec<Folder>,
    /// Folders that contain applications, in addition to those of the code path.
    watched: Vec<(PathBuf, Stamp)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Folder {
    path: PathBuf,
    stamp: Stamp,
    /// Names of modules, sorted.
    modules: Vec<String>,
}

type Stamp = Option<(u64, u64)>;

impl CodeIndex {
    /// Returns the kept index, or else asks the runtime for it and keeps it.
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
        // An `erl` outside of the installation that it starts is a wrapper (of a version manager, say): it may start
        // another installation tomorrow without any visible change.
        if let Some(file) = file
            && erl.starts_with(&info.root)
            && let Ok(bytes) = postcard::to_stdvec(&index)
        {
            // If it cannot be kept, the runtime is asked again next time.
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

/// Returns the stamp of a folder. That of a folder in an archive is the stamp of the archive.
fn stamp(folder: &Path) -> Stamp {
    folder.ancestors().find_map(files::stamp)
}
