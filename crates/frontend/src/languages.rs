//! The languages that a command knows.

use crate::{Code, CodeConfig, CodeError, Expectation, FrontEnd, Pattern};
use report::{Printer, Printers};
use std::sync::Arc;
use term::{Atom, FunctionName};

/// The front ends that are registered, and the code that they are asked about.
#[derive(Clone)]
pub struct Languages {
    /// The language of modules that no other language claims.
    usual: Arc<dyn FrontEnd>,
    others: Vec<Arc<dyn FrontEnd>>,
    /// The code, one for each project.
    code: Vec<Arc<dyn Code>>,
}

impl Languages {
    /// Registers languages. Modules that none of the others claims are of the usual language.
    pub fn new(usual: Arc<dyn FrontEnd>, others: Vec<Arc<dyn FrontEnd>>) -> Languages {
        Languages { usual, others, code: Vec::new() }
    }

    /// Returns the same languages with the code of programs.
    pub fn with_code(&self, code: Vec<Arc<dyn Code>>) -> Languages {
        let usual = self.usual.with_code(&code);
        let others = self.others.iter().map(|front_end| front_end.with_code(&code)).collect();
        Languages { usual, others, code }
    }

    /// Opens the code that a configuration names.
    pub fn open(&self, config: CodeConfig) -> Result<Arc<dyn Code>, CodeError> {
        let reads = |front_end: &&Arc<dyn FrontEnd>| config.sources.iter().any(|file| front_end.reads(file));
        self.others.iter().find(reads).unwrap_or(&self.usual).open(config)
    }

    /// Returns all languages, beginning with the usual one.
    pub fn all(&self) -> impl Iterator<Item = &dyn FrontEnd> {
        std::iter::once(&self.usual).chain(&self.others).map(|front_end| &**front_end)
    }

    pub fn usual(&self) -> &dyn FrontEnd {
        &*self.usual
    }

    /// Returns the language of a module.
    pub fn language(&self, module: Atom) -> &dyn FrontEnd {
        let by_name = self.others.iter().find(|front_end| front_end.owns(module, None));
        // A module may have any name, but its source shows its language.
        let by_source = || {
            let source = self.source(module)?;
            self.others.iter().find(|front_end| front_end.owns(module, Some(&source)))
        };
        &**by_name.or_else(by_source).unwrap_or(&self.usual)
    }

    /// Returns the file that a module was compiled from: one of the user's, or else the one that the first project
    /// finds.
    fn source(&self, module: Atom) -> Option<String> {
        let is_own = |code: &&Arc<dyn Code>| code.source_modules().any(|(own, _)| own == module);
        let code = self.code.iter().find(is_own).or(self.code.first())?;
        code.load(module).ok().flatten()?.files.first().cloned()
    }

    /// Reads the name of a function as people write it in one of the languages.
    pub fn read_name(&self, text: &str) -> Option<FunctionName> {
        let mut readers = self.others.iter().chain([&self.usual]);
        readers.find_map(|front_end| front_end.read_name(text))
    }

    /// Reads a pattern in the first language that can read it.
    pub fn read_pattern(&self, text: &str) -> Option<Arc<dyn Pattern>> {
        self.all().find_map(|front_end| front_end.read_pattern(text))
    }

    /// Reads an expected exception. If no language can read it, the error is that of the usual one.
    pub fn read_expectation(&self, text: &str) -> Result<Arc<dyn Expectation>, String> {
        let by_others = |why| self.others.iter().find_map(|other| other.read_expectation(text).ok()).ok_or(why);
        self.usual.read_expectation(text).or_else(by_others)
    }
}

impl Printers for Languages {
    fn of(&self, module: Atom) -> &dyn Printer {
        self.language(module)
    }
}
