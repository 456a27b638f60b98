//! Writes regression tests to files.

use super::written::NewFolder;
use crate::arguments::{EmitFor, TestOptions};
use anyhow::Context;
use campaign::Wish;
use emit::{Framework, Test};
use std::collections::BTreeMap;
use std::path::Path;
use term::Atom;

/// Returns which tests the user wants.
pub fn wish(options: &TestOptions) -> Wish {
    match (&options.emit_tests, options.emit_tests_for) {
        (None, _) => Wish::Nothing,
        (Some(_), EmitFor::Bugs) => Wish::Bugs,
        (Some(_), EmitFor::Paths) => Wish::BugsAndPaths,
    }
}

/// Collects tests until all functions are done.
pub struct Emission {
    folder: NewFolder,
    /// The tests, by the names of the modules that they test.
    tests: BTreeMap<String, (&'static dyn Framework, Vec<Test>)>,
}

const OPTION: &str = "--emit-tests";

impl Emission {
    /// Opens the folder. If it cannot be written to, that is reported now, not when all is done.
    pub fn prepare(folder: &Path) -> anyhow::Result<Emission> {
        Ok(Emission { folder: NewFolder::prepare(OPTION, folder)?, tests: BTreeMap::new() })
    }

    pub fn add(&mut self, module: Atom, framework: &'static dyn Framework, tests: Vec<Test>) {
        if !tests.is_empty() {
            let (_, all) = self.tests.entry(module.text().to_string()).or_insert((framework, Vec::new()));
            all.extend(tests);
        }
    }

    /// Writes the files, and returns a line about each file that has changed.
    pub fn write(&self) -> anyhow::Result<Vec<String>> {
        let mut said = Vec::new();
        for (module, (framework, tests)) in &self.tests {
            let module = Atom::new(module);
            let file = framework.path(module);
            let file = Path::new(&file);
            let shown = self.folder.path().join(file);
            let existing = self.folder.read(file)?;
            let emitted = emit::file(*framework, module, existing.as_deref(), tests)
                .with_context(|| format!("{OPTION}: {} cannot be written", shown.display()))?;
            if emitted.added == 0 {
                continue;
            }
            self.folder.write(file, emitted.text.as_bytes())?;
            let tests =
                if emitted.added == 1 { "1 new test".to_string() } else { format!("{} new tests", emitted.added) };
            said.push(format!("{}: {tests}", shown.display()));
        }
        Ok(said)
    }
}
