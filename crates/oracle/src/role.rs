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

    /// Returns whether the helper that it compiles may be kept for the runtimes of other projects. A library never runs code of
    /// a project.
    pub fn keeps_helper(self) -> bool {
        self == Role::Library
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
        let of_application = |path: &Path| match (self, application(path)) {
            // Headers of an application are next to its object code.
            (Role::Compiler, application) => application.map(Path::to_path_buf),
            (Role::Evaluator | Role::Tracer, application) => application.map(|path| path.join("priv")),
            (Role::Library, _) => None,
        };
        let code_paths = config.code_paths.iter().chain(&config.system_paths);
        let code_paths = code_paths.flat_map(|path| [of_application(path), Some(path.clone())]).flatten();
        // A project's own links must not lead out of it.
        let mut readable: Vec<PathBuf> =
            code_paths.filter_map(|path| leads_nowhere_else(&path, &config.readable)).collect();
        let mut named = config.system_paths.clone();
        if !self.runs_inputs() {
            named.extend(config.readable.iter().cloned());
        }
        let mut executable = installation.programs().to_vec();
        if self == Role::Tracer {
            named.extend(config.opened.readable.iter().cloned());
            executable.extend(config.opened.programs.iter().cloned());
        }
        named.push(installation.root.clone());
        named.extend(staged.map(Path::to_path_buf));
        named.extend(libraries().iter().flat_map(|folder| with_links(folder)));
        readable.extend(named.iter().filter_map(|path| on_disk(path)));
        Sandbox {
            readable,
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

/// Returns the folders of applications that the user has put beside OTP's own, without those that have code of a project:
/// runtimes look there for modules of OTP's compiler, before they look in its own folder and while they boot.
fn libraries() -> Vec<PathBuf> {
    named_libraries().into_iter().filter(|folder| !has_code_of_project(folder)).collect()
}

/// Runtimes have other working directories.
fn named_libraries() -> Vec<PathBuf> {
    let folders = std::env::var_os(LIBRARIES).filter(|folders| !folders.is_empty()).unwrap_or_default();
    let folders = std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty());
    folders.filter_map(|folder| std::path::absolute(folder).ok()).collect()
}

fn has_code_of_project(folder: &Path) -> bool {
    files::is_in_project(folder)
        || files::names_of_folders(folder)
            .iter()
            .any(|application| files::is_in_project(application) || files::is_in_project(&application.join("ebin")))
}

/// Returns the code paths in those folders of `ERL_LIBS` that have code of a project. They are code paths like those that the
/// project itself names.
pub fn project_libraries() -> Vec<PathBuf> {
    let folders = named_libraries().into_iter().filter(|folder| has_code_of_project(folder));
    let applications = folders.flat_map(|folder| files::list(&folder));
    applications.map(|application| application.path.join("ebin")).filter(|ebin| files::is_folder(ebin)).collect()
}

/// Returns a folder of the user's and the targets of the links in it, because the user has made the links.
fn with_links(folder: &Path) -> Vec<PathBuf> {
    files::grant_links(folder).into_iter().chain([folder.to_path_buf()]).collect()
}

/// Returns where a code path, or a folder beside it, leads, if that may be read. A link is followed only if its target may be
/// read anyway: `priv` of an application that was built is a link into the project, and could be one to anywhere. In a project,
/// any part of a path may be such a link.
///
/// The path is resolved once: what it leads to is checked, and later opened by the path that is returned.
fn leads_nowhere_else(path: &Path, roots: &[PathBuf]) -> Option<PathBuf> {
    let path = named_on_disk(path)?;
    let real = files::resolve(path).ok()?;
    let within = |root: &PathBuf| files::resolve(root).is_ok_and(|root| real.starts_with(root));
    if roots.iter().any(within) {
        return Some(real);
    }
    // Elsewhere the user has named it; its own last parts are still a project's, and must be no links.
    let of_project = roots.iter().any(|root| path.starts_with(root));
    let folder = application(path).unwrap_or(path).parent()?;
    let rest = path.strip_prefix(folder).ok()?;
    let outer = real.ancestors().nth(rest.components().count())?;
    let is_direct = real.ends_with(rest) && files::is_same(outer, folder);
    (!of_project && is_direct).then_some(real)
}

/// Returns where a path leads.
fn on_disk(path: &Path) -> Option<PathBuf> {
    files::resolve(named_on_disk(path)?).ok()
}

/// Returns the path, or that of the archive which it lies in: a folder inside an archive is read from the archive.
fn named_on_disk(path: &Path) -> Option<&Path> {
    if files::kind(path).is_some() { Some(path) } else { path.ancestors().find(|path| files::is_file(path)) }
}

/// Returns the folder of the application whose object code this folder contains.
fn application(code_path: &Path) -> Option<&Path> {
    code_path.ends_with("ebin").then(|| code_path.parent()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// Paths that are readable have no links, so that none of them can be exchanged later.
    #[test]
    fn what_is_readable_is_resolved_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("a path");
        for path in ["project/apps/own/priv", "project/lib/own/ebin", "outside/ebin", "elsewhere/lib/app/ebin"] {
            fs::create_dir_all(root.join(path)).expect("a folder");
        }
        symlink(root.join("project/apps/own/priv"), root.join("project/lib/own/priv")).expect("a link");
        symlink(root.join("outside"), root.join("project/lib/stolen")).expect("a link");
        symlink(root.join("outside"), root.join("elsewhere/lib/stolen")).expect("a link");
        symlink(root.join("elsewhere"), root.join("named")).expect("a link");
        let roots = [root.join("project")];
        let leads = |path: &str| leads_nowhere_else(&root.join(path), &roots);
        assert_eq!(leads("project/lib/own/ebin"), Some(root.join("project/lib/own/ebin")));
        assert_eq!(leads("project/lib/own/priv"), Some(root.join("project/apps/own/priv")));
        assert_eq!(leads("project/lib/stolen/ebin"), None);
        assert_eq!(leads("project/lib/missing/ebin"), None);
        // The user may name a folder by a link; its own last parts are none.
        assert_eq!(leads("named/lib/app/ebin"), Some(root.join("elsewhere/lib/app/ebin")));
        assert_eq!(leads("named/lib/stolen/ebin"), None);
        assert_eq!(leads("elsewhere/lib/stolen"), None);
    }
}
