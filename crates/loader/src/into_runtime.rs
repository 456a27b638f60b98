//! Code that the real runtime loads: unchanged, with marks, with events, or with questions to the conductor.

use crate::cache::Form;
use crate::sources::is_source;
use crate::{LoadError, Loader, Marks, is_of_runtime, lock};
use oracle::{Added, CompileOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use term::Atom;

impl Loader {
    /// Has the runtime load a source module, so that calls evaluated there see the same code. The runtime finds modules
    /// in the code path itself. Returns false if there is no such module.
    pub fn load_into_runtime(&self, module: Atom) -> Result<bool, LoadError> {
        if let Some(marks) = &self.config.marks {
            return self.load_marked_into_runtime(module, marks);
        }
        // If there are runtimes with events, the others have unchanged code.
        if let Some(conductor) = self.config.conductor.filter(|_| self.config.events.is_none()) {
            return self.load_conducted_into_runtime(module, conductor);
        }
        match self.sources.get(module) {
            Some(file) if is_source(file) => {
                let code = self.object_code(file, &self.compile_options(file), &mut Vec::new())?;
                self.oracle.load_code(file, &code)?;
            }
            Some(file) => drop(self.oracle.load_beam(file)?),
            None => return Ok(self.find(module)?.is_some()),
        }
        Ok(true)
    }

    /// Loads a module with marks into the runtime. The embedded module that marks call is loaded first.
    fn load_marked_into_runtime(&self, module: Atom, marks: &Marks) -> Result<bool, LoadError> {
        let Some(file) = self.find(module)? else { return Ok(false) };
        if !self.is_marked(module) {
            return Ok(true);
        }
        self.load_embedded_into_runtime(marks.module)?;
        let code = match is_source(&file) {
            true => self.object_code(&file, &self.compile_options(&file), &mut Vec::new())?,
            false => self.oracle.marked_code_of_beam(&file)?,
        };
        self.oracle.load_marked(&file, &code)?;
        Ok(true)
    }

    fn load_embedded_into_runtime(&self, module: &str) -> Result<(), LoadError> {
        if let Some((file, code)) = self.embedded_code(module)? {
            self.oracle.load_code(&file, &code)?;
        }
        Ok(())
    }

    /// Loads a conducted module into the runtime. Modules of OTP are conducted, too, unless the runtime itself needs
    /// them unchanged.
    fn load_conducted_into_runtime(&self, module: Atom, conductor: &str) -> Result<bool, LoadError> {
        // The conductor is loaded first, and immediately, because modules that load code may call it.
        let mut has_conductor = lock(&self.has_conductor);
        if !*has_conductor && let Some((file, code)) = self.embedded_code(conductor)? {
            self.oracle.load_marked(&file, &code)?;
            *has_conductor = true;
        }
        drop(has_conductor);
        if self.is_embedded(module) {
            return Ok(true);
        }
        let Some(file) = self.find(module)? else { return Ok(false) };
        let code = match is_source(&file) {
            true => self.object_code(&file, &self.options_with(self.added_to(module), &file), &mut Vec::new())?,
            false if !self.is_conducted(module) => return Ok(true),
            false => self.code_with(self.added_to(module), &file)?,
        };
        match code.is_empty() {
            false => drop(self.oracle.load_marked(&file, &code)?),
            // The runtime finds modules in its code path itself.
            true if self.sources.get(module).is_some() => drop(self.oracle.load_beam(&file)?),
            true => {}
        }
        Ok(true)
    }

    /// Returns whether code asks a conductor before each visible operation.
    pub fn has_conductor(&self) -> bool {
        self.config.conductor.is_some()
    }

    pub(crate) fn is_conducted(&self, module: Atom) -> bool {
        self.config.conductor.is_some()
            && !self.is_embedded(module)
            && (self.sources.get(module).is_some() || !is_of_runtime(module))
    }

    fn is_embedded(&self, module: Atom) -> bool {
        self.config.embedded.iter().any(|(name, _)| *name == module.text())
    }

    /// Returns the code of a BEAM file with additions to its Core. Empty if the code stays as it is.
    fn code_with(&self, added: Added, file: &Path) -> Result<Vec<u8>, LoadError> {
        let cache = self.cache()?;
        let key =
            cache.as_ref().zip(files::read(file).ok()).map(|(cache, beam)| cache.beam_key(&beam, Form::With(added)));
        if let Some(code) = cache.as_ref().zip(key).and_then(|(cache, key)| cache.object_code(&key)) {
            return Ok(code);
        }
        let compiled = self.oracle.code_of_beam_with(added, file)?;
        if let Some((cache, key)) = cache.zip(key).filter(|_| !compiled.is_foreign) {
            cache.keep_object_code(&key, &compiled.code);
        }
        Ok(compiled.code)
    }

    /// Returns the file and the object code of an embedded module.
    fn embedded_code(&self, name: &str) -> Result<Option<(PathBuf, Vec<u8>)>, LoadError> {
        let Some((_, source)) = self.config.embedded.iter().find(|(own, _)| *own == name) else { return Ok(None) };
        let file = self.embedded.path().join(format!("{name}.erl"));
        files::write(&file, source.as_bytes())
            .map_err(|error| LoadError::Unwritable { file: file.clone(), source: Arc::new(error) })?;
        let code = self.oracle.object_code(&file, &CompileOptions::default())?;
        Ok(Some((file, code)))
    }

    /// Compiles the sources with events, for the runtimes that run such code. Returns the sources that stay without
    /// events, each with the reason.
    pub fn stage_instrumented(&self) -> Result<Vec<(Atom, LoadError)>, LoadError> {
        let Some(events) = &self.config.events else { return Ok(Vec::new()) };
        for module in [Some(events.module), self.config.conductor].into_iter().flatten() {
            if let Some((file, code)) = self.embedded_code(module)? {
                // It is loaded first, because modules that the runtime itself uses may call it.
                self.oracle.load_for_traces(&file, &code);
            }
        }
        for module in &events.libraries {
            if let Some(file) = self.find(*module)? {
                self.oracle.replace_for_traces(&file, &self.code_with(self.added_to(*module), &file)?);
            }
        }
        self.stage_sources(|module, file| match is_source(file) {
            true => self.object_code(file, &self.options_with(self.added_to(module), file), &mut Vec::new()),
            false => self.code_with(self.added_to(module), file),
        })
    }

    /// Compiles the sources with events that report values. `teller` is the embedded module that they call.
    pub fn stage_told(&self, teller: &str) -> Result<Vec<(Atom, LoadError)>, LoadError> {
        let Some(libraries) = &self.config.traced else { return Ok(Vec::new()) };
        if let Some((file, code)) = self.embedded_code(teller)? {
            self.oracle.load_for_traces(&file, &code);
        }
        for module in libraries.iter().filter(|module| self.sources.get(**module).is_none()) {
            if let Some(file) = self.find(*module)? {
                self.oracle.replace_for_traces(&file, &self.oracle.told_code_of_beam(&file)?);
            }
        }
        self.stage_sources(|_, file| match is_source(file) {
            true => self.object_code(file, &self.told_options(file), &mut Vec::new()),
            false => self.oracle.told_code_of_beam(file).map_err(LoadError::from),
        })
    }

    fn stage_sources(
        &self,
        compile: impl Fn(Atom, &Path) -> Result<Vec<u8>, LoadError>,
    ) -> Result<Vec<(Atom, LoadError)>, LoadError> {
        let mut plain = Vec::new();
        for (module, file) in self.source_modules() {
            match compile(module, file) {
                Ok(code) if self.does_something_when_loaded(module) => self.oracle.load_for_traces(file, &code),
                Ok(code) => self.oracle.stage_instrumented(module, file, &code),
                Err(error) if error.is_of_runtime() => return Err(error),
                Err(error) => plain.push((module, error)),
            }
        }
        Ok(plain)
    }

    /// Has the runtimes that run code with events load all conducted libraries that were loaded here, because a run
    /// there uses the modules that the run on the machine has used.
    pub fn stage_conducted(&self) -> Result<(), LoadError> {
        let used: Vec<Atom> = lock(&self.instrumented).keys().copied().collect();
        let is_library = |module: &Atom| self.is_conducted(*module) && self.sources.get(*module).is_none();
        let named = self.instrumented_libraries();
        // A concurrent caller waits until they are loaded.
        let mut known = lock(&self.conducted_for_traces);
        for module in used.into_iter().filter(|module| is_library(module) && !named.contains(module)) {
            if !known.contains(&module)
                && let Some(file) = self.find(module)?
            {
                let code = self.code_with(self.added_to(module), &file)?;
                if !code.is_empty() {
                    self.oracle.replace_in_traces(&file, &code)?;
                }
                known.insert(module);
            }
        }
        Ok(())
    }

    /// Returns whether a module has an `on_load` function. Native code is searched next to the file that a module is
    /// loaded from, so such a module must be loaded as if from its own file.
    fn does_something_when_loaded(&self, module: Atom) -> bool {
        let attributes = self.load(module).ok().flatten();
        attributes.is_some_and(|module| module.attributes.iter().any(|(name, _)| name.text() == "on_load"))
    }
}
