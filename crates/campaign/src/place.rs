//! Finds the place in the user's source where a finding is shown.

use crate::target::Target;
use files::Kind;
use frontend::FrontEnd;
use program::Module;
use report::{Place, Results, Source};
use search::Failure;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use term::{Atom, FunctionName};

/// Source files, each read once.
pub struct Files {
    /// Files of the modules that the user named.
    modules: HashMap<Atom, PathBuf>,
    /// Sources that they were compiled from, where these are known.
    sources: HashMap<Atom, PathBuf>,
    texts: Mutex<HashMap<PathBuf, Option<Arc<str>>>>,
    /// The current folder.
    here: PathBuf,
    /// The folder that paths are relative to: the project's root if the current folder is inside it, else the current
    /// folder.
    base: PathBuf,
    /// The tests of the project, read on first use.
    tests: OnceLock<Vec<Arc<str>>>,
}

impl Files {
    pub fn new(modules: HashMap<Atom, PathBuf>, sources: HashMap<Atom, PathBuf>, root: Option<&Path>) -> Files {
        let here = std::env::current_dir().unwrap_or_default();
        let base = root.filter(|root| here.starts_with(root)).unwrap_or(&here).to_path_buf();
        Files { modules, sources, texts: Mutex::default(), here, base, tests: OnceLock::new() }
    }

    /// Returns the place of a failure. A crash is shown in the innermost function of the user in the process that
    /// crashed, a deadlock where the main process waits, and everything else at the function itself.
    pub fn place(&self, language: &dyn FrontEnd, target: &Target, failure: &Failure) -> Option<Place> {
        let is_users = |module: Atom| module == target.name.module || self.modules.contains_key(&module);
        if let Failure::Crash(raised) = failure {
            let entry = raised.trace.iter().find(|entry| entry.line > 0 && is_users(entry.module));
            if let Some(entry) = entry {
                return Some(self.read(entry.module, &entry.file, entry.line));
            }
        }
        if let Failure::Deadlock(waiting) = failure
            && let Some(waiting) = waiting.first().filter(|waiting| waiting.line > 0)
            && let Some(function) = waiting.function.filter(|function| is_users(function.module))
        {
            return Some(self.read(function.module, &waiting.file, waiting.line));
        }
        let module = &target.module;
        let span = module.function(module.find(target.name.function, target.name.arity)?).span;
        let mut place = self.read(module.name, module.files.get(usize::from(span.file))?, span.line);
        if let (Failure::Spec { .. }, Some(text)) = (failure, &place.text) {
            let is_spec = |line: &str| language.is_specification(line, target.name.function);
            place.line = spec_line(text, is_spec, span.line).unwrap_or(place.line);
        }
        (place.line > 0).then_some(place)
    }

    /// Returns the sources of all modules that results mention.
    pub fn sources(&self, targets: &[Target], results: &Results) -> HashMap<Atom, Source> {
        let tested = targets.iter().filter_map(|target| Some((target.module.name, target.module.files.first()?)));
        let sites = results.functions.iter().flat_map(|tested| &tested.exploration.sites);
        let others = sites.map(|site| (site.place.module, &site.place.file));
        let mut sources = HashMap::new();
        for (module, file) in tested.chain(others) {
            if let Entry::Vacant(entry) = sources.entry(module)
                && let Place { file, path, text: Some(text), .. } = self.read(module, file, 1)
            {
                entry.insert(Source { file, path, text });
            }
        }
        sources
    }

    /// Returns the source of a function's module, and the line on which the function begins.
    pub fn head(&self, target: &Target) -> Option<(String, u32)> {
        let module = &target.module;
        let span = module.function(module.find(target.name.function, target.name.arity)?).span;
        let file = module.files.get(usize::from(span.file))?;
        Some((self.read(module.name, file, span.line).text?, span.line))
    }

    /// Returns the sources that may contain tests of a function: its module, and the files in the project's folder for
    /// tests.
    pub fn tests(&self, target: &Target) -> Vec<Arc<str>> {
        let tests = self.tests.get_or_init(|| {
            let mut files = Vec::new();
            collect_sources(&self.base.join("test"), TEST_FOLDERS, &mut files);
            files.sort();
            files.iter().take(MOST_TESTS).filter_map(|file| self.text(file)).collect()
        });
        let own = self.head(target).map(|(text, _)| Arc::from(text));
        tests.iter().cloned().chain(own).collect()
    }

    /// Returns the names of a function's parameters in its first clause.
    pub fn parameters(&self, target: &Target, language: &dyn FrontEnd) -> Vec<String> {
        if target.name.is_client() {
            return Vec::new();
        }
        self.parameters_of(&target.module, target.name, language)
    }

    pub fn parameters_of(&self, module: &Module, name: FunctionName, language: &dyn FrontEnd) -> Vec<String> {
        let function = module.find(name.function, name.arity).map(|id| module.function(id));
        let text = function.and_then(|function| {
            let file = module.files.get(usize::from(function.span.file))?;
            Some((self.read(module.name, file, function.span.line).text?, function.span.line))
        });
        let head = text.as_ref().map_or("", |(text, line)| from_line(text, *line));
        language.parameters(head, name.function, name.arity as usize)
    }

    /// Returns the text of a file that has code of a module. `file` is its name as the compiler recorded it.
    pub fn source(&self, module: Atom, file: &str) -> Option<Arc<str>> {
        self.candidates(module, file).iter().find_map(|path| self.text(path))
    }

    fn read(&self, module: Atom, file: &str, line: u32) -> Place {
        let candidates = self.candidates(module, file);
        let found = candidates.iter().find_map(|path| Some((path.as_path(), self.text(path)?)));
        let path = found.as_ref().map_or_else(|| PathBuf::from(file), |(path, _)| self.here.join(path));
        Place {
            file: file.to_string(),
            path: self.seen_from_base(&path),
            line,
            text: found.map(|(_, text)| text.to_string()),
        }
    }

    /// Returns the paths at which a source may be: the one that the compiler recorded and, for compiled code that was
    /// moved, the same relative path in each folder above that code.
    fn candidates(&self, module: Atom, file: &str) -> Vec<PathBuf> {
        let own = self.sources.get(&module).filter(|source| source.ends_with(file));
        let mut candidates: Vec<PathBuf> = own.cloned().into_iter().chain([PathBuf::from(file)]).collect();
        if let Some(beam) = self.modules.get(&module)
            && Path::new(file).is_relative()
        {
            candidates.extend(beam.ancestors().skip(1).map(|folder| folder.join(file)));
        }
        candidates
    }

    /// Returns a path relative to the base, with slashes.
    fn seen_from_base(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.base).unwrap_or(path);
        let path = path.strip_prefix(".").unwrap_or(path);
        path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
    }

    fn text(&self, file: &Path) -> Option<Arc<str>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || files::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into());
        texts.entry(file.to_path_buf()).or_insert_with(read).clone()
    }
}

/// The depth to which the folder of tests is searched, and the number of files in it that are read.
const TEST_FOLDERS: usize = 4;
const MOST_TESTS: usize = 500;

fn collect_sources(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    // Links are not followed, since a folder could then contain itself.
    for files::Entry { path, kind, .. } in files::list(folder).into_iter().filter(|entry| !entry.is_link) {
        match kind {
            Kind::Folder => collect_sources(&path, depth, found),
            Kind::File => {
                let is_source = path.extension().is_some_and(|ext| ext == "erl" || ext == "exs" || ext == "hrl");
                found.extend(is_source.then_some(path));
            }
            Kind::Other => {}
        }
    }
}

/// Returns the text from a line on.
fn from_line(text: &str, line: u32) -> &str {
    let mut rest = text;
    for _ in 1..line {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

/// Returns the line of the last specification of the function above its first clause, whose line is `head`.
fn spec_line(text: &str, is_spec: impl Fn(&str) -> bool, head: u32) -> Option<u32> {
    let lines = text.lines().enumerate().take(head as usize);
    lines.filter(|(_, line)| is_spec(line)).last().map(|(index, _)| index as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_stands_above_its_function() {
        let text = "-spec f(a) -> b.\nf(a) -> b.\n-spec f(a, b) -> c.\n\nf(a, b) -> c.\n-spec f() -> ok.";
        let is_spec = |line: &str| line.starts_with("-spec f(");
        assert_eq!(spec_line(text, is_spec, 5), Some(3));
        assert_eq!(spec_line(text, is_spec, 2), Some(1));
        assert_eq!(spec_line(text, |_| false, 5), None);
    }
}
