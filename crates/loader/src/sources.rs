//! The sources that the user named: files, and folders that are searched for files.
//!
//! The file of a module has the module's name, so no file is opened to find it. A folder is searched recursively,
//! except for hidden folders and the output of build tools. What rebar3 and mix have built there is used as code path,
//! and the `include` folder next to a `src` folder as include path, as those tools do.

use crate::LoadError;
use files::{Entry, Kind};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use term::Atom;

#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: HashMap<Atom, PathBuf>,
    /// The modules in the order in which they were found.
    modules: Vec<Atom>,
    /// Folders of compiled dependencies.
    pub code_paths: Vec<PathBuf>,
}

const PROFILES: [&str; 4] = ["default", "dev", "test", "prod"];
const NOT_SEARCHED: [&str; 3] = ["_build", "deps", "node_modules"];
/// The maximum number of folders that are searched. A folder with more was probably named by mistake.
const MOST_FOLDERS: usize = 20_000;

impl Sources {
    pub fn find(named: &[PathBuf]) -> Result<Sources, LoadError> {
        let mut sources = Sources::default();
        // A named file comes before one that was found.
        for file in named.iter().filter(|path| files::is_file(path)) {
            if !is_code(file) {
                return Err(LoadError::NotCode { path: file.clone() });
            }
            sources.add(file);
        }
        for path in named.iter().filter(|path| !files::is_file(path)) {
            if !files::is_folder(path) {
                return Err(LoadError::NoSource { path: path.clone() });
            }
            let known = sources.modules.len();
            sources.add_folder(path)?;
            let built: Vec<Vec<PathBuf>> =
                PROFILES.iter().map(|profile| built_folders(&path.join("_build").join(profile))).collect();
            // For Elixir, only object code can be loaded.
            if sources.modules.len() == known || files::is_there(&path.join("mix.exs")) {
                sources.add_built(path, built.iter().find(|folders| !folders.is_empty()).into_iter().flatten());
            }
            sources.code_paths.extend(built.into_iter().flatten());
        }
        Ok(sources)
    }

    pub fn get(&self, module: Atom) -> Option<&Path> {
        self.files.get(&module).map(PathBuf::as_path)
    }

    pub fn modules(&self) -> impl Iterator<Item = (Atom, &Path)> {
        self.modules.iter().filter_map(|module| Some((*module, self.get(*module)?)))
    }

    /// Returns the folders that must be read to compile or load the modules: the folders of the files, and for a source
    /// in an application the whole application.
    pub fn folders(&self) -> Vec<PathBuf> {
        let folder = |file: &PathBuf| match application_folder(file)
            .filter(|folder| is_source(file) && is_application(folder))
        {
            Some(folder) => folder.to_path_buf(),
            None => file.parent().unwrap_or(Path::new("")).to_path_buf(),
        };
        // The parent of a plain name is the empty path.
        let here = |folder: PathBuf| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let linked =
            self.files.values().filter(|file| files::is_link(file)).filter_map(|file| files::resolve(file).ok());
        let mut folders: Vec<PathBuf> = self.files.values().map(folder).map(here).chain(linked).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Adds the file of a module. The first file is used, but source comes before object code.
    fn add(&mut self, file: &Path) {
        let Some(module) = oracle::module_of_file(file).map(Atom::new) else { return };
        match self.files.get(&module) {
            None => self.modules.push(module),
            Some(known) if is_source(file) && !is_source(known) => {}
            Some(_) => return,
        }
        self.files.insert(module, file.to_path_buf());
    }

    /// Adds the modules of the project's own applications, which are those that are not its dependencies.
    fn add_built<'f>(&mut self, project: &Path, ebins: impl Iterator<Item = &'f PathBuf>) {
        for ebin in ebins {
            let application = ebin.parent().and_then(Path::file_name);
            if application.is_some_and(|name| files::is_there(&project.join("deps").join(name))) {
                continue;
            }
            let files = files::list(ebin).into_iter().map(|entry| entry.path);
            files.filter(|file| is_code(file)).for_each(|file| self.add(&file));
        }
    }

    fn add_folder(&mut self, named: &Path) -> Result<(), LoadError> {
        let mut pending = vec![named.to_path_buf()];
        let mut searched = 0;
        while let Some(folder) = pending.pop() {
            searched += 1;
            if searched > MOST_FOLDERS {
                return Err(LoadError::TooManyFolders { path: named.to_path_buf() });
            }
            let mut folders = Vec::new();
            for Entry { path, kind, is_link } in files::list(&folder) {
                // A link to a folder is not followed, because it may lead to a cycle.
                if kind == Kind::Folder && !is_link {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    if !name.starts_with('.') && !NOT_SEARCHED.contains(&&*name) {
                        folders.push(path);
                    }
                } else if kind == Kind::File && is_code(&path) {
                    self.add(&path);
                }
            }
            pending.extend(folders.into_iter().rev());
        }
        Ok(())
    }
}

pub(crate) fn is_source(file: &Path) -> bool {
    has_extension(file, "erl")
}

fn is_code(file: &Path) -> bool {
    is_source(file) || has_extension(file, "beam")
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|found| found == extension)
}

/// Returns the folders `lib/*/ebin` below `folder`.
fn built_folders(folder: &Path) -> Vec<PathBuf> {
    let applications = files::list(&folder.join("lib")).into_iter().map(|entry| entry.path.join("ebin"));
    applications.filter(|ebin| files::is_folder(ebin)).collect()
}

/// Returns the `include` folder of the application that a source file belongs to.
pub(crate) fn own_include_path(file: &Path) -> Option<PathBuf> {
    let include = application_folder(file)?.join("include");
    files::is_folder(&include).then_some(include)
}

/// Returns the folder that contains the `src` or `test` folder of a source file. For `src/m.erl`, it is the empty path.
fn application_folder(file: &Path) -> Option<&Path> {
    let source_folder = file.ancestors().skip(1).find(|folder| folder.ends_with("src") || folder.ends_with("test"))?;
    source_folder.parent()
}

/// Returns whether a folder is that of an application, and not just a folder with various sources.
fn is_application(folder: &Path) -> bool {
    const MARKS: [&str; 8] =
        ["rebar.config", "rebar.config.script", "mix.exs", "erlang.mk", "Makefile", "include", "ebin", "priv"];
    let is_home = std::env::var_os("HOME").is_some_and(|home| files::is_same(folder, Path::new(&home)));
    !is_home && MARKS.iter().any(|mark| files::is_there(&folder.join(mark)))
}

/// Returns the folders in which the Elixir in `PATH` keeps its modules.
pub(crate) fn elixir_code_paths() -> Vec<PathBuf> {
    let elixir = files::find_executable(Path::new("elixir"));
    let root = elixir.as_deref().and_then(Path::parent).and_then(Path::parent);
    // The user has named the folder in `PATH`.
    root.inspect(|root| files::grant(&root.join("lib"))).map(built_folders).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, "").expect("a file");
        }
        folder
    }

    fn modules(folder: &tempfile::TempDir) -> Vec<String> {
        let sources = Sources::find(&[folder.path().to_path_buf()]).expect("sources");
        let mut modules: Vec<String> = sources.modules().map(|(module, _)| module.to_string()).collect();
        modules.sort();
        modules
    }

    #[test]
    fn of_elixir_the_projects_own_modules_are_taken_as_they_were_built() {
        let folder = project(&[
            "mix.exs",
            "lib/own.ex",
            "src/old.erl",
            "deps/other/mix.exs",
            "_build/dev/lib/own/ebin/Elixir.Own.beam",
            "_build/dev/lib/own/ebin/old.beam",
            "_build/dev/lib/other/ebin/Elixir.Other.beam",
        ]);
        assert_eq!(modules(&folder), ["Elixir.Own", "old"]);
        let sources = Sources::find(&[folder.path().to_path_buf()]).expect("sources");
        assert_eq!(sources.code_paths.len(), 2, "dependencies are found when they are called");
        assert!(sources.get(Atom::new("old")).is_some_and(is_source));
    }

    #[test]
    fn of_erlang_the_source_is_taken() {
        let folder = project(&[
            "rebar.config",
            "src/own.erl",
            "_build/default/lib/own/ebin/own.beam",
            "_build/default/lib/cowboy/ebin/cowboy.beam",
        ]);
        assert_eq!(modules(&folder), ["own"]);
    }
}
