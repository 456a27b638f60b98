//! What a runtime is there for. Each has a process of its own, so that code of one kind never meets that of another.

use crate::OracleConfig;
use crate::installation::Installation;
use sandbox::Sandbox;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Reads and compiles the project, and runs its parse transforms.
    Compiler,
    /// Evaluates calls of the user's code with invented inputs.
    Evaluator,
    /// Evaluates pure functions of OTP for our machine. No other code is in its code path.
    Library,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Compiler, Role::Evaluator, Role::Library];

    /// Folders of BEAM files that come before OTP's own, the first first. `staged`: of code that was compiled here.
    pub fn code_paths(self, config: &OracleConfig, staged: Option<&Path>) -> Vec<PathBuf> {
        match self {
            Role::Compiler => config.code_paths.clone(),
            Role::Evaluator => staged.map(Path::to_path_buf).into_iter().chain(config.code_paths.clone()).collect(),
            Role::Library => Vec::new(),
        }
    }

    pub fn sandbox(
        self,
        config: &OracleConfig,
        installation: &Installation,
        staged: Option<&Path>,
        private: &Path,
    ) -> Sandbox {
        let mut readable = vec![installation.root.clone()];
        let code_paths = self.code_paths(config, staged);
        match self {
            Role::Compiler => {
                readable.extend(config.readable.iter().cloned());
                // Headers of an application lie beside its object code.
                readable.extend(code_paths.iter().filter_map(|path| application(path)).map(Path::to_path_buf));
            }
            Role::Evaluator => {
                readable.extend(code_paths.iter().filter_map(|path| application(path)).map(|path| path.join("priv")));
            }
            Role::Library => {}
        }
        readable.extend(code_paths);
        if self != Role::Library {
            readable.extend(libraries().iter().flat_map(std::env::split_paths));
        }
        Sandbox {
            readable: readable.iter().filter_map(|path| on_disk(path)).map(Path::to_path_buf).collect(),
            executable: installation.programs().to_vec(),
            private: vec![private.to_path_buf()],
            address_space: Some(config.memory_limit),
            file_size: LARGEST_FILE,
        }
    }

    /// The environment, besides what a runtime needs to find itself: nothing of the user's but where libraries are.
    pub fn environment(self) -> Option<(&'static str, OsString)> {
        match self {
            Role::Compiler | Role::Evaluator => libraries().map(|libraries| (LIBRARIES, libraries)),
            Role::Library => None,
        }
    }
}

const LIBRARIES: &str = "ERL_LIBS";
const LARGEST_FILE: u64 = 64 << 20;

/// Folders of applications that the user has put beside OTP's own.
fn libraries() -> Option<OsString> {
    std::env::var_os(LIBRARIES).filter(|folders| !folders.is_empty())
}

/// A folder inside an archive is read from the archive.
fn on_disk(path: &Path) -> Option<&Path> {
    if path.exists() { Some(path) } else { path.ancestors().find(|path| path.is_file()) }
}

/// The folder of the application whose object code lies here.
fn application(code_path: &Path) -> Option<&Path> {
    code_path.ends_with("ebin").then(|| code_path.parent()).flatten()
}
