//! Finds modules, asks the real runtime for their Core Erlang, has them lowered, and caches the result on disk.
//!
//! If everything is in the cache, the runtime is not started. A loader may be shared between threads. This crate knows no
//! machine, no solver and no syntax: lowering is a function that the caller passes.

mod cache;
mod error;
mod index;
mod into_runtime;
mod sources;

pub use error::LoadError;

use blake3::Hash;
use cache::{Cache, Form};
use index::CodeIndex;
use oracle::{Added, CompileOptions, Core, Guard, Opened, Oracle, OracleConfig, OracleError};
use program::Module;
use serde::{Deserialize, Serialize};
use sources::{Sources, elixir_code_paths, is_source, own_include_path};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, SystemTime};
use term::{Atom, Term};

/// A function that lowers Core Erlang to the IR. The error message says what it did not understand.
pub type Lower = fn(&Term) -> Result<Module, String>;

#[derive(Clone, Debug)]
pub struct LoaderConfig {
    /// `.erl` and `.beam` files, and folders of them. Of two files of one module, the first one is used.
    pub sources: Vec<PathBuf>,
    /// Folders of BEAM files that come before OTP's own, in the order of the search.
    pub code_paths: Vec<PathBuf>,
    /// Include paths for all source files.
    pub include_paths: Vec<PathBuf>,
    pub macros: Vec<(String, Option<String>)>,
    /// Further options of the compiler, as Erlang terms.
    pub options: Vec<String>,
    /// Nothing is kept without it; [`cache_dir`] is the usual one.
    pub cache_dir: Option<PathBuf>,
    /// Path or name of the `erl` executable.
    pub erl: Option<PathBuf>,
    /// Folders that compilation may read, in addition to those of the sources and code paths.
    pub readable: Vec<PathBuf>,
    /// The maximum time for OTP to compile a module.
    pub compile_time: Duration,
    /// Whether calls on the real runtime are evaluated without a sandbox.
    pub is_trusting: bool,
    /// The access of code that is traced; see [`OracleConfig::opened`].
    pub opened: Opened,
    /// The calls that evaluations may not make; see [`OracleConfig::guard`].
    pub guard: Option<Guard>,
    /// The modules that get a mark before each expression of a body, if code has marks at all.
    pub marks: Option<Marks>,
    /// The libraries that report their actions event by event, in addition to all sources. `None`: no module does.
    pub traced: Option<Vec<Atom>>,
    /// The embedded module that conducts processes, if all code asks it before each visible operation.
    pub conductor: Option<&'static str>,
    /// The modules that are also available with events, if there are any.
    pub events: Option<Events>,
    /// Modules that are part of Beagle, each with its source. They come before all others and do not count as sources
    /// of the user.
    pub embedded: &'static [(&'static str, &'static str)],
    pub lower: Lower,
    /// The digest of the sources of Beagle that determine the content of a cached module. It is part of every cache
    /// key, see `build.rs`.
    pub built_from: &'static str,
}

/// The modules with marks: all sources, and the libraries that are named here.
#[derive(Clone, Debug)]
pub struct Marks {
    pub libraries: Vec<Atom>,
    /// The embedded module whose functions marks call on the runtime.
    pub module: &'static str,
}

/// The modules with events: all sources, and the libraries that are named here.
#[derive(Clone, Debug)]
pub struct Events {
    pub libraries: Vec<Atom>,
    /// The embedded module whose functions events call on the runtime.
    pub module: &'static str,
}

impl LoaderConfig {
    pub fn new(lower: Lower) -> LoaderConfig {
        LoaderConfig {
            sources: Vec::new(),
            code_paths: Vec::new(),
            include_paths: Vec::new(),
            macros: Vec::new(),
            options: Vec::new(),
            cache_dir: None,
            erl: None,
            readable: Vec::new(),
            compile_time: OracleConfig::default().request_limit,
            is_trusting: false,
            opened: Opened::default(),
            guard: None,
            marks: None,
            traced: None,
            conductor: None,
            events: None,
            embedded: &[],
            lower,
            built_from: env!("BEAGLE_BUILT_FROM"),
        }
    }
}

/// Returns whether the runtime itself needs a module unchanged: modules that load code, read and evaluate expressions,
/// and start everything else.
fn is_of_runtime(module: Atom) -> bool {
    const NEEDED: [&str; 12] = [
        "application", "application_controller", "application_master", "atomics", "code", "code_server", "counters",
        "erlang", "error_handler", "ets", "group", "init",
    ];
    let name = module.text();
    NEEDED.contains(&name) || ["erl_", "erts_", "logger", "prim_", "user"].iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the folder of the cache: the one that is named, or else the user's. None of them lies in a project.
pub fn cache_dir(named: Option<PathBuf>) -> Option<PathBuf> {
    oracle::store::cache(named)
}

pub struct Loader {
    config: LoaderConfig,
    oracle: Arc<Oracle>,
    /// The folder in which embedded modules are files while they are compiled.
    embedded: files::Temporary,
    sources: Sources,
    index: Mutex<Option<Arc<CodeIndex>>>,
    /// One slot per module, so that threads wait only for the module that they want.
    loaded: Mutex<Slots>,
    /// The same for modules with additions to their Core.
    instrumented: Mutex<Slots>,
    digests: Mutex<HashMap<Atom, Digest>>,
    /// Whether the runtime that evaluates calls has loaded the conductor.
    has_conductor: Mutex<bool>,
    /// The libraries that runtimes with events have in their conducted form.
    conducted_for_traces: Mutex<HashSet<Atom>>,
}

/// A digest of everything that a module is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Digest {
    Of([u8; 32]),
    /// There is no such module.
    Absent,
}

type Loaded = Result<Option<Arc<Module>>, LoadError>;

type Slots = HashMap<Atom, Arc<OnceSlot>>;

/// A slot that is filled once, and locked while it is being filled.
#[derive(Default)]
struct OnceSlot {
    done: OnceLock<Loaded>,
    filling: Mutex<()>,
}

impl Loader {
    /// Searches the folders among the sources, without starting the runtime.
    pub fn new(config: LoaderConfig) -> Result<Loader, LoadError> {
        let sources = Sources::find(&config.sources)?;
        for (paths, option) in [(&config.code_paths, "--pa"), (&config.include_paths, "-I")] {
            if let Some(path) = paths.iter().find(|path| !files::is_any_folder(path)) {
                return Err(LoadError::NoFolder { path: path.clone(), option });
            }
        }
        let mut code_paths = config.code_paths.clone();
        code_paths.extend(sources.code_paths.iter().cloned());
        code_paths.extend(oracle::project_libraries());
        let absolute = |path: &PathBuf| files::whole(path).unwrap_or_else(|_| path.clone());
        let embedded = files::Temporary::new();
        let embedded =
            embedded.map_err(|error| LoadError::Unwritable { file: std::env::temp_dir(), source: Arc::new(error) })?;
        config.cache_dir.iter().for_each(|folder| files::grant_outside(folder));
        let system_paths = elixir_code_paths();
        let readable = config
            .readable
            .iter()
            .cloned()
            .chain(sources.folders())
            .chain(current_folder(&sources))
            .chain([embedded.path().to_path_buf()]);
        let oracle = Oracle::new(OracleConfig {
            erl: config.erl.clone(),
            code_paths: code_paths.iter().map(absolute).collect(),
            system_paths: system_paths.iter().map(absolute).collect(),
            readable: readable.map(|path| absolute(&path)).collect(),
            cache_dir: config.cache_dir.clone(),
            request_limit: config.compile_time,
            is_trusting: config.is_trusting,
            guard: config.guard.clone(),
            opened: config.opened.clone(),
            ..OracleConfig::default()
        });
        Ok(Loader {
            config,
            oracle: Arc::new(oracle),
            embedded,
            sources,
            index: Mutex::default(),
            loaded: Mutex::default(),
            instrumented: Mutex::default(),
            digests: Mutex::default(),
            has_conductor: Mutex::default(),
            conducted_for_traces: Mutex::default(),
        })
    }

    /// Returns the runtime that is asked for code. It has the code paths of the loader.
    pub fn oracle(&self) -> &Arc<Oracle> {
        &self.oracle
    }

    /// Returns the runtime's release of OTP. The runtime is asked only if the index does not know it.
    pub fn release(&self) -> Result<u32, LoadError> {
        Ok(self.index()?.release)
    }

    /// Returns a digest of the runtime's installation, from the index of its modules if there is one.
    pub fn fingerprint(&self) -> Result<[u8; 32], LoadError> {
        Ok(self.index()?.fingerprint)
    }

    /// Returns the name of the application in whose folder the code path has a module: `NAME-VERSION/ebin` or `NAME/ebin`.
    /// `None` for modules of the program.
    pub fn application_of_library(&self, module: Atom) -> Option<String> {
        if self.sources.get(module).is_some() {
            return None;
        }
        let file = self.index().ok()?.find(module.text())?;
        let folder = file.parent()?.parent()?.file_name()?.to_str()?;
        Some(folder.split('-').next().unwrap_or(folder).to_owned())
    }

    /// Returns the modules that were named as sources, in order.
    pub fn source_modules(&self) -> impl Iterator<Item = (Atom, &Path)> {
        self.sources.modules()
    }

    /// Loads a module. `None`: there is no such module.
    pub fn load(&self, module: Atom) -> Loaded {
        self.load_into(&self.loaded, module, Added::default())
    }

    pub fn instrumented_libraries(&self) -> &[Atom] {
        self.config.events.as_ref().map_or(&[], |events| &events.libraries)
    }

    pub fn has_events(&self, module: Atom) -> bool {
        let events = self.config.events.as_ref();
        events.is_some_and(|events| self.sources.get(module).is_some() || events.libraries.contains(&module))
    }

    /// Loads a module with additions to its Core: events if it is one of the modules with events, and questions to the
    /// conductor if it is conducted.
    pub fn load_instrumented(&self, module: Atom) -> Loaded {
        let added = self.added_to(module);
        match added.is_nothing() {
            true => self.load(module),
            false => self.load_into(&self.instrumented, module, added),
        }
    }

    fn added_to(&self, module: Atom) -> Added {
        Added { events: self.has_events(module), conduct: self.is_conducted(module) }
    }

    fn load_into(&self, slots: &Mutex<Slots>, module: Atom, added: Added) -> Loaded {
        let slot = Arc::clone(lock(slots).entry(module).or_default());
        if let Some(loaded) = slot.done.get() {
            return loaded.clone();
        }
        let _filling = lock(&slot.filling);
        if let Some(loaded) = slot.done.get() {
            return loaded.clone();
        }
        let loaded = self.load_now(module, added);
        if !matches!(&loaded, Err(error) if !error.is_lasting()) {
            let _ = slot.done.set(loaded.clone());
        }
        loaded
    }

    fn is_marked(&self, module: Atom) -> bool {
        let marks = self.config.marks.as_ref();
        marks.is_some_and(|marks| self.sources.get(module).is_some() || marks.libraries.contains(&module))
    }

    fn is_traced(&self, module: Atom) -> bool {
        let libraries = self.config.traced.as_ref();
        libraries.is_some_and(|libraries| self.sources.get(module).is_some() || libraries.contains(&module))
    }

    /// Loads a parse transform that is one of the sources into the compiler.
    fn load_transform(&self, module: Atom, tried: &mut Vec<Atom>) -> Result<bool, LoadError> {
        let Some(file) = self.sources.get(module) else { return Ok(false) };
        let code = if is_source(file) {
            self.object_code(file, &self.compile_options(file), tried)?
        } else {
            let unreadable = |error| LoadError::Unreadable { file: file.to_path_buf(), source: Arc::new(error) };
            files::read(file).map_err(unreadable)?
        };
        self.oracle.load_transform(file, &code)?;
        Ok(true)
    }

    /// Returns the object code of a source file, from the cache if possible: starting the compiler takes longer than
    /// everything else that confirming a finding needs.
    fn object_code(&self, file: &Path, options: &CompileOptions, tried: &mut Vec<Atom>) -> Result<Vec<u8>, LoadError> {
        let mut compile = || self.with_transforms(tried, || self.oracle.object_code(file, options));
        let Some(cache) = self.cache()? else { return compile() };
        let Some(key) = files::read(file)
            .ok()
            .and_then(|source| cache.module_key_of_source(&cache.source_key(file, &source, options)))
        else {
            return compile();
        };
        if let Some(code) = cache.object_code(&key) {
            return Ok(code);
        }
        let code = compile()?;
        cache.keep_object_code(&key, &code);
        Ok(code)
    }

    /// Returns a digest of a module, or `None` if it is unknown whether the module has changed: for a source that has
    /// not been compiled, without a cache, and if a transform without a file took part.
    pub fn digest(&self, module: Atom) -> Option<Digest> {
        if let Some(known) = lock(&self.digests).get(&module) {
            return Some(*known);
        }
        let digest = self.digest_now(module)?;
        lock(&self.digests).insert(module, digest);
        Some(digest)
    }

    fn digest_now(&self, module: Atom) -> Option<Digest> {
        if let Some((_, source)) = self.config.embedded.iter().find(|(name, _)| *name == module.text()) {
            return Some(Digest::Of(*blake3::hash(source.as_bytes()).as_bytes()));
        }
        let Some(file) = self.find(module).ok()? else { return Some(Digest::Absent) };
        // A file in an archive changes with the archive.
        let bytes = files::read(file.ancestors().find(|file| files::is_file(file))?).ok()?;
        if !is_source(&file) {
            return Some(Digest::Of(*blake3::hash(&bytes).as_bytes()));
        }
        let cache = self.cache().ok()??;
        let key = cache.source_key(&file, &bytes, &self.compile_options(&file));
        cache.module_key_of_source(&key).map(|key| Digest::Of(*key.as_bytes()))
    }

    fn load_now(&self, module: Atom, added: Added) -> Loaded {
        if let Some((_, source)) = self.config.embedded.iter().find(|(name, _)| *name == module.text()) {
            return self.embedded(module, source).map(|module| Some(Arc::new(module)));
        }
        let Some(file) = self.find(module)? else { return Ok(None) };
        let lowered = match is_source(&file) {
            true => self.source(module, &file, added),
            false => self.beam(module, &file, added),
        };
        lowered.map(|module| Some(Arc::new(module)))
    }

    fn find(&self, module: Atom) -> Result<Option<PathBuf>, LoadError> {
        let name = module.text();
        if let Some(file) = self.sources.get(module) {
            return Ok(Some(file.to_path_buf()));
        }
        if name.is_empty() || name.contains(['/', '\\', '\0']) {
            return Ok(None);
        }
        let file_name = format!("{name}.beam");
        let OracleConfig { code_paths, system_paths, .. } = self.oracle.config();
        let in_code_paths = code_paths.iter().chain(system_paths).map(|folder| folder.join(&file_name));
        match in_code_paths.into_iter().find(|file| files::is_file(file)) {
            Some(file) => Ok(Some(file)),
            None => Ok(self.index()?.find(name)),
        }
    }

    fn beam(&self, name: Atom, file: &Path, added: Added) -> Result<Module, LoadError> {
        let form = match (self.is_marked(name), self.is_traced(name)) {
            (true, _) => Form::Marked,
            (_, true) => Form::Traced,
            (false, false) if added.is_nothing() => Form::Plain,
            (false, false) => Form::With(added),
        };
        let core = || match form {
            Form::Marked => self.oracle.marked_core_of_beam(file),
            Form::Traced => self.oracle.traced_core_of_beam(file),
            Form::With(added) => self.oracle.core_of_beam_with(added, file),
            Form::Plain => self.oracle.core_of_beam(file),
        };
        let Some(cache) = self.cache()? else {
            return self.lower(name, file, core()?);
        };
        // Only the runtime can read a file in an archive.
        let bytes = match files::read(file) {
            Ok(bytes) => bytes,
            Err(_) if file.ancestors().skip(1).any(files::is_file) => self.oracle.read_file(file)?,
            Err(error) => return Err(LoadError::Unreadable { file: file.to_path_buf(), source: Arc::new(error) }),
        };
        let key = cache.beam_key(&bytes, form);
        self.kept_or(&cache, Some(key), name, || {
            let core = core()?;
            let key = (!core.is_foreign).then_some(key);
            Ok((self.lower(name, file, core)?, key))
        })
    }

    fn source(&self, name: Atom, file: &Path, added: Added) -> Result<Module, LoadError> {
        let options = self.options_with(added, file);
        let compile = || self.with_transforms(&mut Vec::new(), || self.oracle.core_of_source(file, &options));
        let Some(cache) = self.cache()? else {
            return self.lower(name, file, compile()?);
        };
        let source = files::read(file)
            .map_err(|error| LoadError::Unreadable { file: file.to_path_buf(), source: Arc::new(error) })?;
        let source_key = cache.source_key(file, &source, &options);
        self.kept_or(&cache, cache.module_key_of_source(&source_key), name, || {
            let start = SystemTime::now();
            let core = compile()?;
            let needed = needed_files(&core);
            let module = self.lower(name, file, core)?;
            Ok((module, needed.and_then(|files| cache.keep_needed(&source_key, &files, start))))
        })
    }

    /// Loads an embedded module. Its source is written to a file, because the compiler reads files.
    fn embedded(&self, name: Atom, source: &str) -> Result<Module, LoadError> {
        let compile = || {
            let file = self.embedded.path().join(format!("{name}.erl"));
            let unwritable = |error| LoadError::Unwritable { file: file.clone(), source: Arc::new(error) };
            files::write(&file, source.as_bytes()).map_err(unwritable)?;
            let core = self.oracle.core_of_own_source(&file);
            self.lower(name, &file, core?)
        };
        let Some(cache) = self.cache()? else { return compile() };
        let key = cache.embedded_key(source.as_bytes());
        self.kept_or(&cache, Some(key), name, || Ok((compile()?, Some(key))))
    }

    fn kept_or(
        &self,
        cache: &Cache<'_>,
        key: Option<Hash>,
        name: Atom,
        make: impl FnOnce() -> Result<(Module, Option<Hash>), LoadError>,
    ) -> Result<Module, LoadError> {
        if let Some(module) = key.and_then(|key| cache.module(&key, name)) {
            return Ok(module);
        }
        let (module, key) = make()?;
        if let Some(key) = key {
            cache.keep_module(&key, &module);
        }
        Ok(module)
    }

    fn lower(&self, name: Atom, file: &Path, core: Core) -> Result<Module, LoadError> {
        if core.module != name {
            return Err(LoadError::WrongName { file: file.to_path_buf(), found: core.module });
        }
        (self.config.lower)(&core.term).map_err(|message| LoadError::Lower { module: name, message })
    }

    fn options_with(&self, added: Added, file: &Path) -> CompileOptions {
        let mut options = self.compile_options(file);
        if !added.is_nothing() {
            options.options.push(added.option());
        }
        options
    }

    pub(crate) fn told_options(&self, file: &Path) -> CompileOptions {
        let mut options = self.compile_options(file);
        options.options.push(format!("{{beagle_told,\"{}\"}}", oracle::narration()));
        options
    }

    fn compile_options(&self, file: &Path) -> CompileOptions {
        let mut include_paths = self.config.include_paths.clone();
        include_paths.extend(own_include_path(file));
        let mut options = self.config.options.clone();
        // The transform that is applied to all other modules is compiled first, without any parse transforms.
        let own = oracle::module_of_file(file).map(|module| format!("{{parse_transform,{module}}}"));
        if options.iter().any(|option| Some(option) == own.as_ref()) {
            options.retain(|option| !option.starts_with("{parse_transform,"));
        }
        if self.config.marks.is_some() {
            options.push("beagle_marks".to_string());
        }
        if self.config.traced.is_some() {
            options.push("beagle_trace".to_string());
            // The option distinguishes cached code with different narrations.
            options.push(format!("{{beagle_traced,\"{}\"}}", oracle::narration()));
        }
        CompileOptions { include_paths, macros: self.config.macros.clone(), options }
    }

    /// Compiles with parse transforms that may be among the sources: a missing one is loaded into the runtime, and the
    /// compilation is tried again. Each transform is tried once, because it may need itself.
    fn with_transforms<T>(
        &self,
        tried: &mut Vec<Atom>,
        compile: impl Fn() -> Result<T, OracleError>,
    ) -> Result<T, LoadError> {
        loop {
            let error = match compile() {
                Ok(compiled) => return Ok(compiled),
                Err(error) => error,
            };
            let mut progress = false;
            if let OracleError::Compile { missing_transforms, .. } = &error {
                for &transform in missing_transforms {
                    if self.sources.get(transform).is_some() && !tried.contains(&transform) {
                        tried.push(transform);
                        progress |= self.load_transform(transform, tried)?;
                    }
                }
            }
            if !progress {
                return Err(error.into());
            }
        }
    }

    fn cache(&self) -> Result<Option<Cache<'_>>, LoadError> {
        let Some(folder) = self.config.cache_dir.as_deref() else { return Ok(None) };
        let fingerprint = self.index()?.fingerprint;
        Ok(Some(Cache { folder, fingerprint, built_from: self.config.built_from }))
    }

    fn index(&self) -> Result<Arc<CodeIndex>, LoadError> {
        let mut index = lock(&self.index);
        if let Some(index) = &*index {
            return Ok(Arc::clone(index));
        }
        let found = Arc::new(CodeIndex::get(&self.oracle, self.config.cache_dir.as_deref())?);
        *index = Some(Arc::clone(&found));
        Ok(found)
    }
}

/// Returns the current folder if it contains sources, because the compiler looks for headers there, too. The root and
/// the user's home are never opened to the compiler.
fn current_folder(sources: &Sources) -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let lies_here = |file: &Path| std::path::absolute(file).is_ok_and(|file| file.starts_with(&folder));
    let is_wide = folder.parent().is_none() || Some(&folder) == home.as_ref();
    (!is_wide && sources.modules().any(|(_, file)| lies_here(file))).then_some(folder)
}

/// Returns the headers and transforms that were needed. `None` if a transform has no file, because then changes cannot
/// be detected.
fn needed_files(core: &Core) -> Option<Vec<PathBuf>> {
    let transforms = core.transforms.iter().map(|transform| transform.beam.clone());
    core.files.iter().cloned().map(Some).chain(transforms).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
