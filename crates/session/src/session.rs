//! Evaluating on our machine, with modules from the loader and the few pure natives that the real
//! runtime keeps.

use crate::opaque::Opaque;
use contract::{Contract, Modules};
use erlang::syntax::{SyntaxError, lower_expression, parse_expression};
use loader::{Loader, LoaderConfig};
use machine::{Foreign, ForeignAnswer, Limits, Machine, ModuleSource, NoAnswer};
use oracle::{Forbidden, Guard, Oracle};
use path::{Class, Outcome};
use program::Module;
use search::Unit;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use term::{Atom, Term};

#[derive(Clone, Debug, Default)]
pub struct SessionConfig {
    /// `.erl` and `.beam` files, and folders of them.
    pub sources: Vec<PathBuf>,
    pub code_paths: Vec<PathBuf>,
    pub include_paths: Vec<PathBuf>,
    pub macros: Vec<(String, Option<String>)>,
    /// Further options of the compiler, as Erlang terms.
    pub options: Vec<String>,
    /// Nothing is kept without it.
    pub cache_dir: Option<PathBuf>,
    pub erl: Option<PathBuf>,
    /// Folders that compilation may read, besides those of the sources and code paths.
    pub readable: Vec<PathBuf>,
    /// The longest that OTP may take to compile a module, if it is not the usual.
    pub compile_time: Option<Duration>,
    /// How calls are evaluated on the real runtime.
    pub evaluation: Evaluation,
    pub limits: Limits,
}

/// How calls are evaluated on the real runtime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Locked into a sandbox, each in a runtime as it was before the first one, and stopped when it calls what acts
    /// on the outside.
    #[default]
    Guarded,
    /// Likewise, but without a sandbox.
    Trusting,
    /// In a sandbox, one after the other in the same runtime: for programs that we wrote ourselves.
    Unguarded,
}

impl SessionConfig {
    /// What finds and lowers the modules of sessions.
    pub fn loader(self) -> Result<Loader, SessionError> {
        let lower = |core: &Term| erlang::lower_core(core).map_err(|error| error.to_string());
        let usual = LoaderConfig::new(lower, erlang::LOWERING_VERSION);
        Ok(Loader::new(LoaderConfig {
            sources: self.sources,
            code_paths: self.code_paths,
            include_paths: self.include_paths,
            macros: self.macros,
            options: self.options,
            cache_dir: self.cache_dir,
            erl: self.erl,
            readable: self.readable,
            is_trusting: self.evaluation == Evaluation::Trusting,
            guard: (self.evaluation != Evaluation::Unguarded).then(guard),
            embedded: erlang::prelude::ALL,
            compile_time: self.compile_time.unwrap_or(usual.compile_time),
            ..usual
        })?)
    }
}

/// Modules behind functions that our machine knows (`application:get_env/2`, the loading of a module that is called).
const BEHIND_KNOWN_FUNCTIONS: [&str; 3] = ["application_controller", "code_server", "erl_prim_loader"];

/// What our machine denies to invented inputs, the real runtime denies, too.
fn guard() -> Guard {
    let outside = erlang::bifs::effects::OUTSIDE.iter();
    let outside = outside.filter(|(name, _)| !BEHIND_KNOWN_FUNCTIONS.contains(name));
    // A function with a row is done by our machine, so it may be called there.
    let rows = |module: &'static str| erlang::bifs::all().filter(move |row| row.module == module).map(|row| row.name);
    let modules = outside.map(|(name, harmless)| Forbidden::Module {
        name: (*name).to_owned(),
        except: harmless.iter().copied().chain(rows(name)).map(str::to_owned).collect(),
    });
    let denied = erlang::bifs::effects::denied_functions();
    let denied = denied.filter(|(module, name, _)| !rows(module).any(|row| row == *name));
    let functions = denied.map(|(module, name, arity)| Forbidden::Function {
        module: module.to_owned(),
        name: name.to_owned(),
        arity,
    });
    Guard { forbidden: modules.chain(functions).collect() }
}

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Load(#[from] loader::LoadError),
    #[error("no address space for the machine: {0}. Raise the limit (ulimit -v unlimited)")]
    Memory(#[from] std::io::Error),
}

#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    #[error(transparent)]
    Load(#[from] loader::LoadError),
    #[error("there is no module {0}")]
    NoModule(Atom),
}

#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    /// With the place in the text.
    #[error("{}", .error.render(.text))]
    Syntax { error: SyntaxError, text: String },
}

pub struct Session {
    pub loader: Arc<Loader>,
    pub machine: Machine,
    pub patience: Patience,
    used: Usage,
}

/// The modules that runs of a session have needed, for whoever asks while one is under way.
#[derive(Clone, Default)]
pub struct Usage(Arc<Mutex<HashSet<Atom>>>);

impl Usage {
    pub fn contains(&self, module: Atom) -> bool {
        lock(&self.0).contains(&module)
    }

    pub fn all(&self) -> Vec<Atom> {
        lock(&self.0).iter().copied().collect()
    }
}

impl Session {
    pub fn new(config: SessionConfig) -> Result<Session, SessionError> {
        let limits = config.limits;
        Opaque::default().session(&Arc::new(config.loader()?), limits)
    }

    /// With modules of a loader that other sessions use as well.
    pub(crate) fn over(loader: Arc<Loader>, limits: Limits, opaque: Opaque) -> Result<Session, SessionError> {
        // Without a runtime nothing but expressions can be evaluated, as its oldest release does.
        if let Ok(release) = loader.release() {
            term::otp::work_with(release);
        }
        let (used, patience) = (Usage::default(), Patience::default());
        let source = FromLoader { loader: Arc::clone(&loader), used: used.clone(), opaque, exporters: HashMap::new() };
        let mut machine = Machine::new(&erlang::ERLANG, Box::new(source), limits)?;
        let runtime = FromOracle { oracle: Arc::clone(loader.oracle()), patience: patience.clone() };
        machine.set_foreign(Some(Box::new(runtime)));
        Ok(Session { loader, machine, used, patience })
    }

    /// A function to search, with what its specification says; its own module is the only one of the user's.
    pub fn unit(&self, module: Atom, function: Atom, arity: u32) -> Result<Unit, UnitError> {
        let program = self.loader.load(module)?.ok_or(UnitError::NoModule(module))?;
        let (contract, _) = contract_and_modules(&self.loader, &program, function, arity);
        Ok(Unit { module, function, arity, contract, user_modules: vec![module], expected: Default::default() })
    }

    pub fn usage(&self) -> Usage {
        self.used.clone()
    }

    /// Makes an expression ready to run. Calls without a module go to `home`.
    pub fn prepare(&mut self, text: &str, home: Option<Atom>) -> Result<Prepared, EvaluateError> {
        let error = |error| EvaluateError::Syntax { error, text: text.to_string() };
        let expression = parse_expression(text).map_err(error)?;
        let module = lower_expression(&expression, home).map_err(error)?;
        let prepared = Prepared { module: module.name };
        self.machine.add(Arc::new(module));
        Ok(prepared)
    }

    /// The expression itself is not part of a trace: the user knows what it is. A fun of it that was given
    /// what it has no clause for is named as the shell names it.
    pub fn run(&mut self, prepared: &Prepared) -> Outcome {
        let mut outcome = self.machine.run(prepared.module, Atom::new("eval"), &[]);
        if let Outcome::Raised(raised) = &mut outcome {
            if let Some(first) = raised.trace.first_mut()
                && first.module == prepared.module
                && first.function != Atom::new("eval")
                && first.args.is_some()
            {
                first.module = Atom::new("erl_eval");
                first.function = Atom::new("-inside-an-interpreted-fun-");
                first.line = 0;
            }
            raised.trace.retain(|entry| entry.module != prepared.module);
        }
        outcome
    }

    pub fn evaluate(&mut self, text: &str, home: Option<Atom>) -> Result<Outcome, EvaluateError> {
        let prepared = self.prepare(text, home)?;
        Ok(self.run(&prepared))
    }
}

/// An expression in the machine.
pub struct Prepared {
    module: Atom,
}

/// Of larger programs, only so many modules are tried where the name of one is an input.
const MOST_EXPORTERS: usize = 500;

struct FromLoader {
    loader: Arc<Loader>,
    used: Usage,
    opaque: Opaque,
    exporters: HashMap<(Atom, u32), Vec<Atom>>,
}

impl ModuleSource for FromLoader {
    fn load(&mut self, name: Atom) -> Result<Option<Arc<Module>>, String> {
        lock(&self.used.0).insert(name);
        self.loader.load(name).map_err(|error| error.to_string())
    }

    fn sampled(&self, module: &Module) -> Vec<(Atom, u32)> {
        self.opaque.of(module)
    }

    fn exporters(&mut self, function: Atom, arity: u32) -> Vec<Atom> {
        let loader = &self.loader;
        let exports = |name: &Atom| {
            let module = loader.load(*name).ok().flatten();
            module.is_some_and(|module| module.find(function, arity).is_some_and(|id| module.function(id).exported))
        };
        let find = || {
            let mut modules: Vec<Atom> = loader.source_modules().map(|(name, _)| name).collect();
            modules.sort_by(|a, b| a.text().cmp(b.text()));
            modules.truncate(MOST_EXPORTERS);
            modules.retain(exports);
            modules
        };
        self.exporters.entry((function, arity)).or_insert_with(find).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// For one call of a function that the real runtime evaluates, where a search waits for it.
const LONGEST_CALL: Duration = Duration::from_secs(1);

/// How long functions on the real runtime may take.
#[derive(Clone, Default)]
pub struct Patience(Arc<Mutex<Patient>>);

#[derive(Default)]
struct Patient {
    /// None: nobody waits for anything else.
    until: Option<Instant>,
    /// Functions that were too slow: they are not asked again in the same search.
    slow: HashSet<(Atom, Atom, usize)>,
}

impl Patience {
    /// A search begins that has this much time; without one, calls have the usual time.
    pub fn begin(&self, time: Option<Duration>) {
        *lock(&self.0) =
            Patient { until: time.and_then(|time| Instant::now().checked_add(time)), slow: HashSet::new() };
    }
}

struct FromOracle {
    oracle: Arc<Oracle>,
    patience: Patience,
}

impl Foreign for FromOracle {
    fn call(&mut self, module: Atom, function: Atom, args: &[Term]) -> Result<ForeignAnswer, NoAnswer> {
        let mut limits = oracle::Limits::default();
        let name = (module, function, args.len());
        {
            let patient = lock(&self.patience.0);
            if let Some(until) = patient.until {
                if patient.slow.contains(&name) {
                    return Err(NoAnswer::TooSlow);
                }
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(NoAnswer::Interrupted);
                }
                limits.time = left.min(LONGEST_CALL);
            }
        }
        let call = oracle::Call::Apply { module, function, args: args.to_vec() };
        let start = Instant::now();
        match self.oracle.call_pure(&call, limits).map_err(|error| NoAnswer::Failed(error.to_string()))? {
            oracle::Outcome::Value { term, .. } => Ok(ForeignAnswer::Value(term)),
            oracle::Outcome::Raised { class, reason, .. } => {
                Ok(ForeignAnswer::Raised { class: Class::of(class).unwrap_or(Class::Error), reason })
            }
            // Natives that nothing can interrupt take the whole runtime with them when they are out of time.
            oracle::Outcome::Timeout { .. } | oracle::Outcome::RuntimeDied { .. } if start.elapsed() >= limits.time => {
                lock(&self.patience.0).slow.insert(name);
                Err(NoAnswer::TooSlow)
            }
            oracle::Outcome::HeapExceeded => Err(NoAnswer::TooLarge),
            other => {
                Err(NoAnswer::Failed(format!("{module}:{function}/{} on the real runtime: {other:?}", args.len())))
            }
        }
    }
}

/// What the specification of a function says, with types from wherever they are defined; and the modules that were asked
/// for types.
pub fn contract_and_modules(
    loader: &Arc<Loader>,
    module: &Module,
    function: Atom,
    arity: u32,
) -> (Contract, Vec<Atom>) {
    let mut definitions = Definitions { loader: Arc::clone(loader), asked: Vec::new() };
    let contract = Contract::of(module, function, arity, &mut definitions);
    (contract, definitions.asked)
}

struct Definitions {
    loader: Arc<Loader>,
    asked: Vec<Atom>,
}

impl Modules for Definitions {
    fn module(&mut self, name: Atom) -> Option<Arc<Module>> {
        // A module that does not load is as good as absent: the contract says what it could not follow.
        self.asked.push(name);
        self.loader.load(name).ok().flatten()
    }
}
