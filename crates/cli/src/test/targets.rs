//! The code and the functions that the command line names.

use super::task::Asked;
use crate::arguments::TestOptions;
use crate::languages::{function_name, languages, print_name};
use crate::project::{Code, Project};
use anyhow::bail;
use frontend::{Expectation, Pattern};
use session::Opaque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use term::Atom;
use term::FunctionName;

/// The arguments of the command line, after parsing.
pub struct Wanted {
    /// Files and folders of code.
    pub paths: Vec<PathBuf>,
    /// Requested functions. If empty, the functions of all modules are meant.
    pub functions: Vec<Request>,
    /// Requested modules. If empty, all modules are meant.
    pub modules: Vec<Arc<dyn Pattern>>,
    pub exclude: Vec<Arc<dyn Pattern>>,
    pub expectations: Vec<Arc<dyn Expectation>>,
    /// Functions that are not executed symbolically.
    pub opaque: Vec<FunctionName>,
    /// Functions that must be true of the states and values of their modules.
    pub invariants: Vec<FunctionName>,
    /// Functions that are called before each run.
    pub setups: Vec<FunctionName>,
}

/// A request for one function or several.
#[derive(Clone)]
pub enum Request {
    One(FunctionName),
    /// A pattern, and its text as it was written.
    Some(Arc<dyn Pattern>, String),
}

impl Wanted {
    pub fn of(options: &TestOptions) -> anyhow::Result<Wanted> {
        let mut wanted = Wanted {
            paths: Vec::new(),
            functions: Vec::new(),
            modules: patterns("--module", &options.project.modules)?,
            exclude: patterns("--exclude", &options.project.exclude)?,
            expectations: Vec::new(),
            opaque: Vec::new(),
            invariants: Vec::new(),
            setups: Vec::new(),
        };
        if let Some(pattern) = wanted.modules.iter().find(|pattern| pattern.names_functions()) {
            bail!("--module {pattern} names a function, not a module: write -f '{pattern}'");
        }
        for target in &options.targets {
            let path = Path::new(target);
            match request(target) {
                _ if files::is_there(path) => wanted.paths.push(path.to_path_buf()),
                Some(request) => wanted.functions.push(request),
                None => bail!(
                    "{target} is neither a file or folder nor a function: name a .erl or .beam file, a folder of them, or a \
                     function as module:name/arity or Module.name/arity"
                ),
            }
        }
        for function in &options.functions {
            match request(function) {
                Some(request) => wanted.functions.push(request),
                None => {
                    bail!(
                        "-f {function} does not name a function: write module:name/arity, or Module.name/arity in Elixir"
                    )
                }
            }
        }
        for function in &options.invariants {
            match function_name(function).filter(|name| name.arity == 1) {
                Some(name) => wanted.invariants.push(name),
                None => {
                    bail!("--invariant {function} does not name a function with one parameter: write module:name/1")
                }
            }
        }
        for function in &options.opaque {
            match function_name(function) {
                Some(name) => wanted.opaque.push(name),
                None => bail!(
                    "--opaque {function} does not name a function: write module:name/arity, or Module.name/arity in Elixir"
                ),
            }
        }
        for function in &options.setups {
            match function_name(function).filter(|name| name.arity == 0) {
                Some(name) => wanted.setups.push(name),
                None => bail!("--setup {function} does not name a function without parameters: write module:name/0"),
            }
        }
        for text in &options.project.expectations {
            let expectation =
                languages().read_expectation(text).map_err(|why| anyhow::anyhow!("--expect {text}: {why}"))?;
            wanted.expectations.push(expectation);
        }
        Ok(wanted)
    }

    /// Returns the code that is meant, after building it if necessary.
    pub fn code(&self, options: &TestOptions, project: Option<&Project>) -> anyhow::Result<Code> {
        let Some(project) = project else {
            if self.paths.is_empty() && self.functions.is_empty() && self.modules.is_empty() {
                bail!(
                    "there is no Erlang project in this folder or above it: name .erl or .beam files, folders of them, \
                     or functions as module:name/arity"
                );
            }
            return Ok(Code { files: self.paths.clone(), ..Code::default() });
        };
        // A user who names files of code means these files as they are.
        let are_files = !self.paths.is_empty() && self.paths.iter().all(|path| is_code(path) && files::is_file(path));
        let may_build = !options.project.no_build && !are_files;
        let profile = project.build(options.project.profile.as_deref(), may_build)?;
        let mut code = project.code(&profile);
        for path in &self.paths {
            if is_code(path) && files::is_file(path) {
                // A named file has precedence over one that was found.
                let module = oracle::module_of_file(path);
                code.files.retain(|file| oracle::module_of_file(file) != module);
                code.files.push(path.clone());
                if let (Some(module), true) = (module, path.extension().is_some_and(|extension| extension == "erl")) {
                    code.sources.insert(Atom::new(module), path.clone());
                }
            } else if !code.files.iter().any(|file| lies_in(path, file))
                && !code.sources.values().any(|source| lies_in(path, source))
            {
                code.files.push(path.clone());
            }
        }
        Ok(code)
    }

    /// Keeps only requests for these modules, since the others may be for another project. Returns whether any requests
    /// are left or there were none.
    pub fn restrict(&mut self, loaded: &dyn frontend::Code, asked: &mut Asked) -> bool {
        let modules: Vec<Atom> = loaded.source_modules().map(|(module, _)| module).collect();
        let covers = |pattern: &Arc<dyn Pattern>| modules.iter().any(|module| pattern.covers_module(*module));
        let (had_functions, had_modules) = (!self.functions.is_empty(), !self.modules.is_empty());
        self.functions.retain(|request| match request {
            Request::One(name) => asked.note(print_name(*name), modules.contains(&name.module)),
            Request::Some(pattern, text) => asked.note(format!("-f {text}"), covers(pattern)),
        });
        self.modules.retain(|pattern| asked.note(format!("--module {pattern}"), covers(pattern)));
        self.opaque
            .retain(|name| asked.note(format!("--opaque {}", print_name(*name)), modules.contains(&name.module)));
        (!had_functions || !self.functions.is_empty()) && (!had_modules || !self.modules.is_empty())
    }

    /// Returns whether a module was named, by itself or by a folder.
    pub fn names(&self, file: &Path, source: Option<&Path>) -> Naming {
        if self.paths.is_empty() {
            return Naming::ByFolder;
        }
        let mut files = std::iter::once(file).chain(source);
        if files.clone().any(|file| self.paths.iter().any(|path| files::is_file(path) && files::is_same(path, file))) {
            Naming::ByItself
        } else if files.any(|file| self.paths.iter().any(|path| lies_in(path, file))) {
            Naming::ByFolder
        } else {
            Naming::Not
        }
    }

    /// Returns the functions that are not executed symbolically.
    pub fn opaque(&self, loaded: &dyn frontend::Code) -> anyhow::Result<Opaque> {
        let name = |&FunctionName { module, function, arity }: &FunctionName| FunctionName { module, function, arity };
        let opaque = Opaque::new(self.opaque.iter().map(name).collect());
        opaque.check(loaded, languages().usual()).map_err(anyhow::Error::msg)?;
        Ok(opaque)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    ByItself,
    ByFolder,
    Not,
}

fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "erl" || extension == "beam")
}

fn lies_in(folder: &Path, file: &Path) -> bool {
    let resolved = |path: &Path| files::resolve(path).or_else(|_| std::path::absolute(path)).ok();
    file.starts_with(folder)
        || matches!((resolved(folder), resolved(file)), (Some(folder), Some(file)) if file.starts_with(&folder))
}

fn patterns(option: &str, texts: &[String]) -> anyhow::Result<Vec<Arc<dyn Pattern>>> {
    let parse = |text: &String| {
        languages().read_pattern(text).ok_or_else(|| {
            anyhow::anyhow!("{option} {text} names neither a module nor a function: write a name, with * for any text")
        })
    };
    texts.iter().map(parse).collect()
}

fn request(text: &str) -> Option<Request> {
    let pattern = || languages().read_pattern(text).filter(|pattern| pattern.names_functions());
    match function_name(text) {
        Some(name) if !text.contains('*') || text.contains('\'') => Some(Request::One(name)),
        _ if text.contains('*') => pattern().map(|pattern| Request::Some(pattern, text.to_string())),
        _ => None,
    }
}
