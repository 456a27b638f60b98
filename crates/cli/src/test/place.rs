//! Where in the user's source a finding is to be shown.

use super::targets::Target;
use erlang::syntax::print_atom;
use report::Place;
use search::Failure;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use term::Atom;

/// Source files, each read once.
pub struct Files {
    /// Of the modules that the user named.
    modules: HashMap<Atom, PathBuf>,
    /// What they were made of, as far as that is known.
    sources: HashMap<Atom, PathBuf>,
    texts: Mutex<HashMap<PathBuf, Option<Arc<str>>>>,
}

impl Files {
    pub fn new(modules: HashMap<Atom, PathBuf>, sources: HashMap<Atom, PathBuf>) -> Files {
        Files { modules, sources, texts: Mutex::default() }
    }

    /// A crash is shown in the innermost function of the user, everything else at the function itself.
    pub fn place(&self, target: &Target, failure: &Failure) -> Option<Place> {
        if let Failure::Crash(raised) = failure {
            let is_users = |module: Atom| module == target.name.module || self.modules.contains_key(&module);
            let entry = raised.trace.iter().find(|entry| entry.line > 0 && is_users(entry.module));
            if let Some(entry) = entry {
                return Some(self.read(entry.module, &entry.file, entry.line));
            }
        }
        let module = &target.module;
        let span = module.function(module.find(target.name.function, target.name.arity)?).span;
        let mut place = self.read(module.name, module.files.get(usize::from(span.file))?, span.line);
        if let (Failure::Spec { .. }, Some(text)) = (failure, &place.text) {
            place.line = spec_line(text, target.name.function, span.line).unwrap_or(place.line);
        }
        (place.line > 0).then_some(place)
    }

    fn read(&self, module: Atom, file: &str, line: u32) -> Place {
        let candidates = self.candidates(module, file);
        let text = candidates.iter().find_map(|file| self.text(file));
        Place { file: file.to_string(), line, text: text.map(|text| text.to_string()) }
    }

    /// The file as its compiler knew it; for compiled code that was moved, the same in a folder above it.
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

    fn text(&self, file: &Path) -> Option<Arc<str>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || std::fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into());
        texts.entry(file.to_path_buf()).or_insert_with(read).clone()
    }
}

/// The last specification of the function above its first clause.
fn spec_line(text: &str, function: Atom, head: u32) -> Option<u32> {
    let starts = format!("-spec {}(", print_atom(function));
    let lines = text.lines().enumerate().take(head as usize);
    lines.filter(|(_, line)| line.trim_start().starts_with(&starts)).last().map(|(index, _)| index as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_stands_above_its_function() {
        let text = "-spec f(a) -> b.\nf(a) -> b.\n-spec f(a, b) -> c.\n\nf(a, b) -> c.\n-spec f() -> ok.";
        assert_eq!(spec_line(text, Atom::new("f"), 5), Some(3));
        assert_eq!(spec_line(text, Atom::new("f"), 2), Some(1));
        assert_eq!(spec_line(text, Atom::new("g"), 5), None);
    }
}
