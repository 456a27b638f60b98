//! The code of modules: reading it as Core Erlang, locating it, and loading it for evaluation.

use crate::answer::{atom_named, bytes_of, field, path, path_of, tagged, text, text_of, texts_of};
use crate::child::protocol;
use crate::role::Role;
use crate::{Added, Oracle, OracleError};
use std::path::{Path, PathBuf};
use std::time::Duration;
use term::{Atom, FunctionName, Term};

/// Options for compiling a source file, in addition to those in the file itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileOptions {
    pub include_paths: Vec<PathBuf>,
    /// Names with values as Erlang terms: `-DNAME=VALUE`.
    pub macros: Vec<(String, Option<String>)>,
    /// Further options of the compiler, as Erlang terms.
    pub options: Vec<String>,
}

/// A module in Core Erlang: the compiler's records with fewer annotations. The annotation of the module names its main
/// source file; that of a node names a file only if it is another one. Nodes that cannot fail (variables, literals,
/// tuples, conses, values, aliases, map pairs) have no position.
#[derive(Clone, Debug)]
pub struct Core {
    pub module: Atom,
    pub term: Term,
    /// Files that were read to compile it, and files that generated source refers to as its origin.
    pub files: Vec<PathBuf>,
    pub transforms: Vec<Transform>,
    /// Whether a module of the project was needed to read it.
    pub is_foreign: bool,
}

/// Object code that was compiled from the code in a BEAM file.
#[derive(Clone, Debug)]
pub struct BeamCode {
    pub code: Vec<u8>,
    /// A module of the project was needed to read the file, so the code is not to be kept for other projects.
    pub is_foreign: bool,
}

/// A parse transform that was used, and its BEAM file if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform {
    pub module: Atom,
    pub beam: Option<PathBuf>,
}

/// A folder of the code path and the names of its modules. It may be inside an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeFolder {
    pub path: PathBuf,
    pub modules: Vec<String>,
}

/// The implementation of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implementation {
    Bif,
    Nif,
    /// Exported, and compiled from Erlang.
    Code,
    /// Not exported, or not existing.
    None,
}

/// Returns the absolute path, for runtimes that work in another folder.
fn absolute(file: &Path) -> Term {
    std::path::absolute(file).map_or_else(|_| path(file), |file| path(&file))
}

impl Oracle {
    pub fn core_of_source(&self, file: &Path, options: &CompileOptions) -> Result<Core, OracleError> {
        self.core_of_source_by(Role::Compiler, path(file), file, options)
    }

    /// Returns the Core of a source file of Beagle's own, which the library may read. No code of a project ever ran in the
    /// runtime that compiles it, so the result may be kept for other projects.
    pub fn core_of_own_source(&self, file: &Path) -> Result<Core, OracleError> {
        self.core_of_source_by(Role::Library, absolute(file), file, &CompileOptions::default())
    }

    fn core_of_source_by(
        &self,
        role: Role,
        place: Term,
        file: &Path,
        options: &CompileOptions,
    ) -> Result<Core, OracleError> {
        let name = file.display().to_string();
        let doing = format!("compile {name}");
        let request = tagged("core_of_source", [place, self.encode_options(options)]);
        let answer = self.ask(role, &request, &doing, self.config.request_limit)?;
        read_core(&succeeded(answer, &name, &doing)?).ok_or_else(|| protocol(&doing, "no Core"))
    }

    /// Reads the Core of a BEAM file. It is read by a runtime that has never run code of a project, unless only a
    /// module of the project can read it.
    pub fn core_of_beam(&self, file: &Path) -> Result<Core, OracleError> {
        self.core_of_beam_by("core_of_beam", file)
    }

    /// Reads the Core of a BEAM file with a mark before each expression of a body.
    pub fn marked_core_of_beam(&self, file: &Path) -> Result<Core, OracleError> {
        self.core_of_beam_by("marked_core_of_beam", file)
    }

    /// Reads the Core of a BEAM file with events that report values.
    pub fn traced_core_of_beam(&self, file: &Path) -> Result<Core, OracleError> {
        self.core_of_beam_by("traced_core_of_beam", file)
    }

    /// Reads the Core of a BEAM file with code added to it.
    pub fn core_of_beam_with(&self, added: Added, file: &Path) -> Result<Core, OracleError> {
        self.read_core_of_beam(file, tagged("core_of_beam", [absolute(file), added.term()]))
    }

    fn core_of_beam_by(&self, request: &str, file: &Path) -> Result<Core, OracleError> {
        self.read_core_of_beam(file, tagged(request, [absolute(file)]))
    }

    fn read_core_of_beam(&self, file: &Path, request: Term) -> Result<Core, OracleError> {
        let doing = format!("read the code of {}", file.display());
        let (answer, is_foreign) = self.ask_about_beam(file, &request, &doing)?;
        let core = read_core(&answer).ok_or_else(|| protocol(&doing, "no Core"))?;
        Ok(Core { is_foreign, ..core })
    }

    /// Asks the library, and if only a module of the project can read the file, the compiler. Returns also whether it was the
    /// compiler.
    fn ask_about_beam(&self, file: &Path, request: &Term, doing: &str) -> Result<(Term, bool), OracleError> {
        let answer = self.ask(Role::Library, request, doing, self.config.request_limit)?;
        let is_foreign = answer.as_tuple().is_some_and(|answer| answer.first() == Some(&Term::atom("no_backend")));
        let answer = if is_foreign {
            self.check_compiler_may_run()?;
            self.ask_compiler(request, doing)?
        } else {
            answer
        };
        Ok((succeeded(answer, &file.display().to_string(), doing)?, is_foreign))
    }

    /// Reads the Core of a module in the code path.
    pub fn core_of_module(&self, module: Atom) -> Result<Core, OracleError> {
        let doing = format!("read the code of {module}");
        let answer = self.ask_compiler(&tagged("core_of_beam", [Term::Atom(module)]), &doing)?;
        read_core(&succeeded(answer, module.text(), &doing)?).ok_or_else(|| protocol(&doing, "no Core"))
    }

    /// Returns the BEAM file of a module in the code path, also of one that is preloaded or in an archive.
    pub fn locate(&self, module: Atom) -> Result<Option<PathBuf>, OracleError> {
        let doing = format!("locate {module}");
        let answer = self.ask_compiler(&tagged("locate", [Term::Atom(module)]), &doing)?;
        match succeeded(answer, module.text(), &doing) {
            Ok(file) => path_of(&file).map(Some).ok_or_else(|| protocol(&doing, "no path")),
            Err(OracleError::NoModule { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the code path of the installation, in its order.
    pub fn code_index(&self) -> Result<Vec<CodeFolder>, OracleError> {
        let doing = "list the code path";
        let answer = self.ask(Role::Library, &Term::atom("code_index"), doing, self.config.request_limit)?;
        let folders = succeeded(answer, "the code path", doing)?;
        let read = |folder: &Term| {
            let [path, modules] = folder.as_tuple()? else { return None };
            Some(CodeFolder { path: path_of(path)?, modules: texts_of(modules)? })
        };
        folders.as_list().and_then(|list| list.iter().map(read).collect()).ok_or_else(|| protocol(doing, "no folders"))
    }

    /// Returns the exported functions of installed modules, by name and arity.
    pub fn exports(&self, modules: &[Atom]) -> Result<Vec<FunctionName>, OracleError> {
        let doing = "list exported functions";
        let request = tagged("exports", [Term::list(modules.iter().copied().map(Term::Atom).collect::<Vec<_>>())]);
        let answer = self.ask(Role::Library, &request, doing, self.config.request_limit)?;
        let modules = succeeded(answer, "the exports", doing)?;
        let mut all = Vec::new();
        for one in modules.as_list().unwrap_or_default() {
            let Some([Term::Atom(module), exports]) = one.as_tuple() else { continue };
            all.extend(exports.as_list().unwrap_or_default().iter().filter_map(|export| match export.as_tuple() {
                Some([Term::Atom(function), arity]) => {
                    let arity = arity.as_int()?.try_into().ok()?;
                    Some(FunctionName { module: *module, function: *function, arity })
                }
                _ => None,
            }));
        }
        Ok(all)
    }

    /// Reads a file that only the runtime can read, such as one in an archive.
    pub fn read_file(&self, file: &Path) -> Result<Vec<u8>, OracleError> {
        let doing = format!("read {}", file.display());
        let request = tagged("read_file", [absolute(file)]);
        let answer = self.ask(Role::Library, &request, &doing, self.config.request_limit)?;
        let bytes = succeeded(answer, &file.display().to_string(), &doing)?;
        bytes_of(&bytes).map(<[u8]>::to_vec).ok_or_else(|| protocol(&doing, "no bytes"))
    }

    /// Compiles a source file and loads it for evaluation.
    pub fn load_source(&self, file: &Path, options: &CompileOptions) -> Result<Atom, OracleError> {
        self.load_code(file, &self.object_code(file, options)?)
    }

    /// Returns the object code that the compiler generates for a source file.
    pub fn object_code(&self, file: &Path, options: &CompileOptions) -> Result<Vec<u8>, OracleError> {
        let doing = format!("compile {}", file.display());
        let answer = self.ask_compiler(&tagged("object_code", [path(file), self.encode_options(options)]), &doing)?;
        let code = succeeded(answer, &file.display().to_string(), &doing)?;
        bytes_of(&code).map(<[u8]>::to_vec).ok_or_else(|| protocol(&doing, "no code"))
    }

    /// Compiles the code in a BEAM file with marks.
    pub fn marked_code_of_beam(&self, file: &Path) -> Result<Vec<u8>, OracleError> {
        self.read_code_of_beam(file, tagged("marked_code_of_beam", [absolute(file)]))
    }

    /// Compiles the code in a BEAM file with something put into its Core. Returns no bytes if it stays as it is. No code of a
    /// project ever ran in the runtime that compiles it, unless only a module of the project can read the file.
    pub fn code_of_beam_with(&self, added: Added, file: &Path) -> Result<BeamCode, OracleError> {
        let doing = format!("compile {}", file.display());
        let request = tagged("code_of_beam", [absolute(file), added.term()]);
        let (answer, is_foreign) = self.ask_about_beam(file, &request, &doing)?;
        let code = bytes_of(&answer).map(<[u8]>::to_vec).ok_or_else(|| protocol(&doing, "no code"))?;
        Ok(BeamCode { code, is_foreign })
    }

    /// Compiles the code in a BEAM file with events that report values.
    pub fn told_code_of_beam(&self, file: &Path) -> Result<Vec<u8>, OracleError> {
        self.read_code_of_beam(file, tagged("told_code_of_beam", [absolute(file)]))
    }

    fn read_code_of_beam(&self, file: &Path, request: Term) -> Result<Vec<u8>, OracleError> {
        let doing = format!("compile {}", file.display());
        let answer = self.ask_compiler(&request, &doing)?;
        let code = succeeded(answer, &file.display().to_string(), &doing)?;
        bytes_of(&code).map(<[u8]>::to_vec).ok_or_else(|| protocol(&doing, "no code"))
    }

    /// Loads code with marks, even in place of a module of the runtime itself.
    pub fn load_marked(&self, file: &Path, code: &[u8]) -> Result<Atom, OracleError> {
        let request = tagged("load_marked", [path(file), Term::binary(code)]);
        let module = self.load(Role::Evaluator, &request, file)?;
        self.remember_loaded(Role::Evaluator, request);
        Ok(module)
    }

    /// Loads the code of a file for evaluation. Runtimes that are started later load it on demand.
    pub fn load_code(&self, file: &Path, code: &[u8]) -> Result<Atom, OracleError> {
        let request = load_request(file, code);
        let module = self.load(Role::Evaluator, &request, file)?;
        let staged = self.staged(Role::Evaluator).map(|folder| folder.join(format!("{module}.beam")));
        if staged.is_none_or(|staged| files::write(&staged, code).is_err()) {
            // If the disk is full, later runtimes are requested to load the code.
            self.remember_loaded(Role::Evaluator, request);
        }
        Ok(module)
    }

    /// Keeps code with events for the runtimes that run it. They load it when it is first called, so it must be staged
    /// before any call.
    pub fn stage_instrumented(&self, module: Atom, file: &Path, code: &[u8]) {
        let staged = self.staged(Role::Tracer).map(|folder| folder.join(format!("{module}.beam")));
        if staged.is_none_or(|staged| files::write(&staged, code).is_err()) {
            self.load_for_traces(file, code);
        }
    }

    /// Keeps code with events that takes the place of a module of the runtime itself.
    pub fn replace_for_traces(&self, file: &Path, code: &[u8]) {
        self.remember_loaded(Role::Tracer, tagged("load_marked", [path(file), Term::binary(code)]));
    }

    /// Does the same as [`Oracle::replace_for_traces`], also in a runtime that is already running.
    pub fn replace_in_traces(&self, file: &Path, code: &[u8]) -> Result<(), OracleError> {
        let request = tagged("load_marked", [path(file), Term::binary(code)]);
        self.load(Role::Tracer, &request, file)?;
        self.remember_loaded(Role::Tracer, request);
        Ok(())
    }

    /// Keeps code with events that is loaded immediately, as if from the place of its file.
    pub fn load_for_traces(&self, file: &Path, code: &[u8]) {
        self.remember_loaded(Role::Tracer, load_request(file, code));
    }

    /// Loads a BEAM file for evaluation.
    pub fn load_beam(&self, file: &Path) -> Result<Atom, OracleError> {
        let unreadable = |error: std::io::Error| OracleError::BadBeam {
            file: file.display().to_string(),
            reason: error.to_string(),
        };
        self.load_code(file, &files::read(file).map_err(unreadable)?)
    }

    /// Loads a parse transform for all modules that are compiled from now on.
    pub fn load_transform(&self, file: &Path, code: &[u8]) -> Result<Atom, OracleError> {
        self.check_compiler_may_run()?;
        let request = load_request(file, code);
        let module = self.load(Role::Compiler, &request, file)?;
        self.remember_loaded(Role::Compiler, request);
        Ok(module)
    }

    /// Loads the descriptions of applications and sets their environment in all runtimes that evaluate calls from now
    /// on. The term is a list of `{Name, Keys, Environment}`.
    pub fn configure(&self, applications: Term) {
        self.remember_loaded(Role::Tracer, tagged("configure", [applications.clone()]));
        self.remember_loaded(Role::Evaluator, tagged("configure", [applications]));
    }

    /// Evaluates files of Elixir's `Config`. Returns a list of `{Application, [{Key, Value}]}`.
    pub fn elixir_configuration(&self, files: &[PathBuf], environment: &str) -> Result<Term, OracleError> {
        let all: Vec<Term> = files.iter().map(|file| path(file)).collect();
        let request = tagged("elixir_configuration", [Term::list(all), Term::atom(environment)]);
        let doing = "evaluate the configuration";
        self.check_compiler_may_run()?;
        let answer = self.ask_compiler(&request, doing)?;
        succeeded(answer, "config", doing)
    }

    fn load(&self, role: Role, request: &Term, file: &Path) -> Result<Atom, OracleError> {
        let doing = format!("load {}", file.display());
        let answer = self.ask(role, request, &doing, self.config.request_limit.min(LOADING))?;
        let module = succeeded(answer, &file.display().to_string(), &doing)?;
        module.as_atom().ok_or_else(|| protocol(&doing, "no module"))
    }

    fn ask_compiler(&self, request: &Term, doing: &str) -> Result<Term, OracleError> {
        self.ask(Role::Compiler, request, doing, self.config.request_limit)
    }

    pub fn implementation(&self, module: Atom, function: Atom, arity: u32) -> Result<Implementation, OracleError> {
        let doing = format!("look up {module}:{function}/{arity}");
        let parts = [Term::Atom(module), Term::Atom(function), Term::Int(i64::from(arity))];
        let answer = self.ask_compiler(&tagged("implementation", parts), &doing)?;
        match atom_named(&succeeded(answer, module.text(), &doing)?) {
            Some("bif") => Ok(Implementation::Bif),
            Some("nif") => Ok(Implementation::Nif),
            Some("code") => Ok(Implementation::Code),
            Some("none") => Ok(Implementation::None),
            _ => Err(protocol(&doing, "an unknown kind")),
        }
    }
}

/// The time limit for loading code. Loading takes milliseconds; if it takes longer, an `-on_load` function does not
/// end.
const LOADING: Duration = Duration::from_secs(5);

fn load_request(file: &Path, code: &[u8]) -> Term {
    tagged("load_code", [path(file), Term::binary(code)])
}

impl Oracle {
    /// Fails if code of the project must not run in the compiler, because there is no sandbox and the user has not
    /// declared the code trusted.
    fn check_compiler_may_run(&self) -> Result<(), OracleError> {
        self.is_sandboxed()
    }

    /// Encodes compile options. Without a sandbox, the compiler is asked not to run transforms of the project.
    fn encode_options(&self, options: &CompileOptions) -> Term {
        encode_options(options, self.check_compiler_may_run().is_err())
    }
}

fn encode_options(options: &CompileOptions, is_careful: bool) -> Term {
    let careful = is_careful.then(|| tagged("option", [text("beagle_careful")]));
    let includes = options.include_paths.iter().map(|folder| tagged("include", [path(folder)]));
    let macros = options
        .macros
        .iter()
        .map(|(name, value)| tagged("define", std::iter::once(text(name)).chain(value.as_deref().map(text))));
    let others = options.options.iter().map(|option| tagged("option", [text(option)]));
    Term::list(includes.chain(macros).chain(others).chain(careful).collect::<Vec<_>>())
}

/// Returns the part that follows `ok`. Everything else that the helper answers is an error about `place`.
fn succeeded(answer: Term, place: &str, doing: &str) -> Result<Term, OracleError> {
    let unknown = || protocol(doing, format!("{answer:?}"));
    if atom_named(&answer) == Some("no_module") {
        return Err(OracleError::NoModule { module: Atom::new(place) });
    }
    let (tag, parts) = answer.as_tuple().and_then(<[Term]>::split_first).ok_or_else(unknown)?;
    let place = place.to_owned();
    let reason = || parts.first().and_then(text_of).ok_or_else(unknown);
    match (atom_named(tag), parts) {
        (Some("ok"), [result]) => Ok(result.clone()),
        (Some("no_debug_info" | "no_backend"), _) => Err(OracleError::NoDebugInfo { place, reason: reason()? }),
        (Some("bad_beam" | "error"), _) => Err(OracleError::BadBeam { file: place, reason: reason()? }),
        (Some("bad_option"), _) => Err(OracleError::BadOption { option: reason()? }),
        (Some("compile_errors"), [errors, missing, ..]) => Err(OracleError::Compile {
            file: place,
            errors: with_advice(texts_of(errors).ok_or_else(unknown)?),
            missing_transforms: missing.as_list().unwrap_or_default().iter().filter_map(Term::as_atom).collect(),
        }),
        _ => Err(unknown()),
    }
}

/// Adds advice if a file may exist but not be readable for the compiler.
fn with_advice(mut errors: Vec<String>) -> Vec<String> {
    let is_about_files = |error: &String| error.contains("can't find include") || error.contains("permission denied");
    if errors.iter().any(is_about_files) && sandbox::availability().is_ok() {
        let advice = "Code is compiled in a sandbox that can read the project, its dependencies, and what -I names.";
        errors.push(advice.to_owned());
    }
    errors
}

fn read_core(answer: &Term) -> Option<Core> {
    let transform = |term: &Term| {
        let [module, beam] = term.as_tuple()? else { return None };
        Some(Transform { module: module.as_atom()?, beam: path_of(beam) })
    };
    Some(Core {
        module: field(answer, "module")?.as_atom()?,
        term: field(answer, "core")?.clone(),
        files: field(answer, "files")?.as_list()?.iter().map(path_of).collect::<Option<_>>()?,
        transforms: field(answer, "transforms")?.as_list()?.iter().map(transform).collect::<Option<_>>()?,
        is_foreign: false,
    })
}
