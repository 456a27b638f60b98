//! Chooses the file that each module of a project is loaded from.
//!
//! Modules compiled by the project's own tool come first, because they include the effects of transforms, headers and
//! macros. A source is taken if it is newer than the compiled module, or if that cannot be read.

use super::beam::Beam;
use super::files::{files_below, files_in, folders_in};
use super::{Application, Project, Tool};
use crate::streams::complain;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use term::Atom;

/// The code of one project, ready to be loaded.
#[derive(Debug, Default)]
pub struct Code {
    /// One file for each module.
    pub files: Vec<PathBuf>,
    /// The sources of modules, where these are known.
    pub sources: HashMap<Atom, PathBuf>,
    /// The folders of everything that was built, including dependencies.
    pub code_paths: Vec<PathBuf>,
    pub include_paths: Vec<PathBuf>,
    pub macros: Vec<(String, Option<String>)>,
    pub options: Vec<String>,
    /// The profile that it was built for.
    pub profile: String,
}

impl Project {
    /// Returns the code that there is, built for a profile.
    pub fn code(&self, profile: &str) -> Code {
        let mut code = Code { code_paths: self.code_paths(profile), profile: profile.to_string(), ..Code::default() };
        self.compile_options(profile, &mut code);
        for application in &self.applications {
            self.add(application, profile, &mut code);
        }
        code
    }

    fn add(&self, application: &Application, profile: &str, code: &mut Code) {
        let mut modules: BTreeMap<String, (Option<PathBuf>, Option<PathBuf>)> = BTreeMap::new();
        for file in self.source_files(application) {
            match oracle::module_of_file(&file) {
                Some(name) => drop(modules.entry(name.to_string()).or_default().0.get_or_insert(file.clone())),
                None => complain!(
                    "{} is skipped: its name is not valid UTF-8, so it cannot be the name of a module",
                    file.display()
                ),
            }
        }
        for file in files_in(&self.ebin(application, profile)) {
            if let Some(name) = oracle::module_of_file(&file).filter(|_| has_extension(&file, "beam")) {
                modules.entry(name.to_string()).or_default().1 = Some(file.clone());
            }
        }
        for (name, (source, beam)) in modules {
            let module = Atom::new(&name);
            // If two applications have a module of the same name, the first one counts.
            if code.sources.contains_key(&module) {
                continue;
            }
            let contents = beam.as_deref().and_then(Beam::read);
            let source = source.or_else(|| contents.as_ref()?.source.clone().filter(|source| files::is_file(source)));
            let file = match (&source, beam) {
                (Some(source), Some(beam)) => choose(source, beam, contents.as_ref()),
                (None, Some(beam)) => beam,
                (Some(source), None) => source.clone(),
                (None, None) => continue,
            };
            code.sources.insert(module, source.unwrap_or_else(|| file.clone()));
            code.files.push(file);
        }
    }

    fn source_files(&self, application: &Application) -> Vec<PathBuf> {
        let mut folders = match self.tool {
            Tool::Rebar | Tool::None => self.rebar.source_folders(),
            Tool::Mix => vec!["src".to_string()],
        };
        if self.tool == Tool::None {
            folders.push("test".to_string());
        }
        let mut files: Vec<PathBuf> =
            folders.iter().flat_map(|folder| files_below(&application.folder.join(folder), &["erl"])).collect();
        if self.tool == Tool::None && application.folder == self.root {
            files.extend(files_in(&self.root).into_iter().filter(|file| has_extension(file, "erl")));
        }
        files
    }

    fn code_paths(&self, profile: &str) -> Vec<PathBuf> {
        let below = |folder: PathBuf| folders_in(&folder).into_iter().map(|application| application.join("ebin"));
        let built = self.built(profile);
        let mut paths: Vec<PathBuf> = Vec::new();
        match self.tool {
            Tool::Rebar => {
                paths.extend(below(built.join("lib")));
                paths.extend(below(built.join("checkouts")));
                // Dependencies of all profiles are built for the default one.
                paths.extend(below(self.built("default").join("lib")));
            }
            Tool::Mix => {
                // Protocols whose implementations are known dispatch without asking the code server.
                paths.push(built.join("consolidated"));
                paths.extend(
                    self.applications
                        .iter()
                        .map(|application| built.join("lib").join(&application.name).join("consolidated")),
                );
                paths.extend(below(built.join("lib")));
            }
            Tool::None => {
                paths.extend(self.applications.iter().map(|application| application.folder.join("ebin")));
                paths.extend(below(self.root.join("deps")));
                paths.extend(below(self.root.join("lib")));
            }
        }
        let mut unique: Vec<PathBuf> = Vec::new();
        for path in paths.into_iter().filter(|path| files::is_folder(path)) {
            if !unique.contains(&path) {
                unique.push(path);
            }
        }
        unique
    }

    /// Adds the options that sources are compiled with: those of the project, and of each application.
    fn compile_options(&self, profile: &str, code: &mut Code) {
        let mut folders = Vec::new();
        let mut add = |options: super::rebar::CompileOptions, base: &Path| {
            let includes: Vec<PathBuf> = options.includes.iter().map(|folder| base.join(folder)).collect();
            includes.iter().for_each(|folder| files::tell_if_refused(folder));
            folders.extend(includes);
            code.macros.extend(options.macros);
            code.options.extend(options.others);
        };
        add(self.rebar.compile_options(profile), &self.root);
        for application in self.applications.iter().filter(|application| application.folder != self.root) {
            let may_run = self.may_run && self.tool == Tool::Rebar;
            if let Ok(config) = super::RebarConfig::of(&application.folder, may_run) {
                add(config.compile_options(profile), &application.folder);
            }
        }
        for application in &self.applications {
            folders.push(application.folder.join("include"));
            folders.push(application.folder.join("src"));
            folders.push(application.folder.clone());
            // Finds `-include_lib("application/include/header.hrl")` of applications that were not built.
            folders.extend(application.folder.parent().map(Path::to_path_buf));
        }
        folders.extend(folders_in(&self.root.join("deps")).into_iter().map(|folder| folder.join("include")));
        code.include_paths = folders.into_iter().filter(|folder| files::is_any_folder(folder)).collect();
        code.include_paths.dedup();
        code.macros.dedup();
        code.options.dedup();
    }
}

/// Chooses the file for a module that has both a source and a BEAM file.
fn choose(source: &Path, beam: PathBuf, contents: Option<&Beam>) -> PathBuf {
    let can_be_compiled = has_extension(source, "erl");
    let is_older =
        matches!((files::modified(source), files::modified(&beam)), (Some(source), Some(beam)) if source > beam);
    let why = match contents {
        _ if is_older && can_be_compiled => return source.to_path_buf(),
        None => "cannot be read",
        Some(contents) if !contents.has_debug_info => "was compiled without debug_info",
        Some(_) => return beam,
    };
    if !can_be_compiled {
        return beam;
    }
    complain!("{} {why}: compiling {} instead, with the erl_opts of rebar.config", beam.display(), source.display());
    source.to_path_buf()
}

/// Returns whether a module consists of tests, by its name or by its folder below one of `bases`.
pub fn is_test(module: Atom, source: Option<&Path>, bases: &[PathBuf]) -> bool {
    let name = module.text();
    let lies_in_tests = |source: &Path| {
        // Only the innermost of the folders that the user means counts.
        let below = bases.iter().filter_map(|base| source.strip_prefix(base).ok());
        below.min_by_key(|below| below.components().count()).is_some_and(|below| {
            below.parent().is_some_and(|folder| folder.components().any(|part| part.as_os_str() == "test"))
        })
    };
    name.ends_with("_tests") || name.ends_with("_SUITE") || source.is_some_and(lies_in_tests)
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|found| found == extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_recognised_by_their_names_and_folders() {
        let bases = [PathBuf::from("/p"), PathBuf::from("/p/apps/a")];
        let is = |module: &str, source: &str| is_test(Atom::new(module), Some(Path::new(source)), &bases);
        assert!(is("m_tests", "/p/src/m_tests.erl") && is("m_SUITE", "/p/m_SUITE.erl"));
        assert!(is("helper", "/p/test/helper.erl") && is("helper", "/p/apps/a/test/deep/helper.erl"));
        assert!(!is("m", "/p/src/m.erl") && !is("contest", "/p/src/contest.erl"));
        assert!(!is_test(Atom::new("m"), Some(Path::new("/p/test/m.erl")), &[PathBuf::from("/p/test")]));
        assert!(!is_test(Atom::new("m"), None, &bases));
    }
}
