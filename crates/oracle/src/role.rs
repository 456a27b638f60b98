//! The roles of runtimes. Each role has a process of its own, so that code of one kind never meets that of another.

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
    /// Runs code with events, with invented inputs.
    Tracer,
    /// Evaluates pure functions of OTP for the machine, and reads the code of BEAM files. It runs nothing but what is
    /// installed, so its answers may be kept for other projects.
    Library,
}

impl Role {
    pub const ALL: [Role; 4] = [Role::Compiler, Role::Evaluator, Role::Tracer, Role::Library];

    /// Returns whether it runs the user's code on invented inputs.
    pub fn runs_inputs(self) -> bool {
        matches!(self, Role::Evaluator | Role::Tracer)
    }

    /// Returns the folders of BEAM files that come before OTP's own, in the order of the search. `staged`: the folder
    /// of code that was compiled here.
    pub fn code_paths(self, config: &OracleConfig, staged: Option<&Path>) -> Vec<PathBuf> {
        let staged = staged.filter(|_| self.runs_inputs()).map(Path::to_path_buf);
        let own = if self == Role::Library { &[][..] } else { &config.code_paths };
        staged.into_iter().chain(own.iter().cloned()).chain(config.system_paths.iter().cloned()).collect()
    }

    pub fn sandbox(
        self,
        config: &OracleConfig,
        installation: &Installation,
        staged: Option<&Path>,
        private: &Path,
    ) -> Sandbox {
        let code_paths = config.code_paths.iter().chain(&config.system_paths);
        let applications = code_paths.clone().filter_map(|path| application(path));
        // Links of a project must not lead out of it.
        let mut readable: Vec<PathBuf> = match self {
            // Headers of an application are next to its object code.
            Role::Compiler => applications.map(Path::to_path_buf).chain(code_paths.cloned()).collect(),
            Role::Evaluator | Role::Tracer => {
                applications.map(|path| path.join("priv")).chain(code_paths.cloned()).collect()
            }
            Role::Library => code_paths.cloned().collect(),
        };
        readable.retain(|path| leads_nowhere_else(path, &config.readable));
        readable.extend(config.system_paths.iter().cloned());
        if !self.runs_inputs() {
            readable.extend(config.readable.iter().cloned());
        }
        let mut executable = installation.programs().to_vec();
        if self == Role::Tracer {
            readable.extend(config.opened.readable.iter().cloned());
            executable.extend(config.opened.programs.iter().cloned());
        }
        readable.push(installation.root.clone());
        readable.extend(staged.map(Path::to_path_buf));
        readable.extend(libraries().iter().flat_map(|folder| with_links(folder)));
        Sandbox {
            readable: readable.iter().filter_map(|path| on_disk(path)).map(Path::to_path_buf).collect(),
            executable,
            private: vec![private.to_path_buf()],
            has_loopback: self == Role::Tracer && config.opened.loopback,
            address_space: Some(config.memory_limit),
            file_size: LARGEST_FILE,
        }
    }

    /// Returns the environment, in addition to what a runtime needs to find itself. Of the user's environment, it has
    /// only the folders of libraries.
    pub fn environment() -> Option<(&'static str, OsString)> {
        let libraries = std::env::join_paths(libraries()).ok().filter(|libraries| !libraries.is_empty());
        libraries.map(|libraries| (LIBRARIES, libraries))
    }
}

const LIBRARIES: &str = "ERL_LIBS";
const LARGEST_FILE: u64 = 16 << 20;

/// Returns the folders of applications that the user has added to OTP's own, as absolute paths because runtimes have
/// other working directories.
fn libraries() -> Vec<PathBuf> {
    let folders = std::env::var_os(LIBRARIES).filter(|folders| !folders.is_empty()).unwrap_or_default();
    let folders = std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty());
    folders.filter_map(|folder| std::path::absolute(folder).ok()).collect()
}

/// Returns a folder of the user's and the targets of the links in it, because the user has made the links.
fn with_links(folder: &Path) -> Vec<PathBuf> {
    files::grant_links(folder).into_iter().chain([folder.to_path_buf()]).collect()
}

/// Returns whether a path may be read although it may lead through links. A link is followed only if its target may be
/// read anyway: `priv` of an application that was built is a link into the project, and could be one to anywhere. A
/// path in a project may have a link anywhere below the project's folder.
fn leads_nowhere_else(path: &Path, roots: &[PathBuf]) -> bool {
    if !files::is_there(path) {
        return true;
    }
    let Ok(target) = files::resolve(path) else { return false };
    let within = |root: &PathBuf| files::resolve(root).is_ok_and(|root| target.starts_with(root));
    if roots.iter().any(within) {
        return true;
    }
    // The user has named a path elsewhere, but the last parts of the path are still made by a project.
    let of_project = roots.iter().any(|root| path.starts_with(root));
    let application = application(path).unwrap_or(path);
    !of_project && !files::is_link(path) && !files::is_link(application)
}

/// Returns the path on disk: for a folder inside an archive, that of the archive.
fn on_disk(path: &Path) -> Option<&Path> {
    if files::kind(path).is_some() { Some(path) } else { path.ancestors().find(|path| files::is_file(path)) }
}

/// Returns the folder of the application whose object code this folder contains.
fn application(code_path: &Path) -> Option<&Path> {
    code_path.ends_with("ebin").then(|| code_path.parent()).flatten()
}
