//! Tests of what was found, in files.

use super::files::NewFile;
use crate::arguments::{EmitFor, TestOptions};
use anyhow::Context;
use campaign::Wish;
use emit::{Framework, Test};
use std::collections::BTreeMap;
use std::path::PathBuf;
use term::Atom;

/// What a user wants tests of.
pub fn wish(options: &TestOptions) -> Wish {
    match (&options.emit_tests, options.emit_tests_for) {
        (None, _) => Wish::Nothing,
        (Some(_), EmitFor::Bugs) => Wish::Bugs,
        (Some(_), EmitFor::Paths) => Wish::BugsAndPaths,
    }
}

/// Collects tests until all functions are done.
pub struct Emission {
    folder: PathBuf,
    /// By the names of the modules that are tested.
    tests: BTreeMap<String, (&'static dyn Framework, Vec<Test>)>,
}

const OPTION: &str = "--emit-tests";

impl Emission {
    /// A folder that cannot be written to is an error now, not when all is done.
    pub fn prepare(folder: &PathBuf) -> anyhow::Result<Emission> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{OPTION} {}: the folder cannot be made", folder.display()))?;
        drop(NewFile::prepare(OPTION, &folder.join("beagle_tests"))?);
        Ok(Emission { folder: folder.clone(), tests: BTreeMap::new() })
    }

    pub fn add(&mut self, module: Atom, framework: &'static dyn Framework, tests: Vec<Test>) {
        if !tests.is_empty() {
            let (_, all) = self.tests.entry(module.text().to_string()).or_insert((framework, Vec::new()));
            all.extend(tests);
        }
    }

    /// Answers with a line for each file that has changed.
    pub fn write(&self) -> anyhow::Result<Vec<String>> {
        let mut said = Vec::new();
        for (module, (framework, tests)) in &self.tests {
            let module = Atom::new(module);
            let file = self.folder.join(framework.path(module));
            let unwritable = || format!("{OPTION}: {} cannot be written", file.display());
            let existing = match sandbox::read_to_string(&file) {
                Ok(text) => Some(text),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => {
                    return Err(error).with_context(|| format!("{OPTION}: {} cannot be read", file.display()));
                }
            };
            let emitted = emit::file(*framework, module, existing.as_deref(), tests).with_context(unwritable)?;
            if emitted.added == 0 {
                continue;
            }
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).with_context(unwritable)?;
            }
            NewFile::prepare(OPTION, &file)?.write(emitted.text.as_bytes())?;
            let tests =
                if emitted.added == 1 { "1 new test".to_string() } else { format!("{} new tests", emitted.added) };
            said.push(format!("{}: {tests}", file.display()));
        }
        Ok(said)
    }
}
