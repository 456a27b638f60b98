//! Evaluates on our machine, with the modules of a program, and with the real runtime for the few pure native functions
//! that the machine does not have.

use crate::opaque::Opaque;
use crate::outside::Outside;
use contract::{Contract, Modules};
use frontend::{Call, Code, CodeError, FrontEnd};
use machine::{Foreign, ForeignAnswer, Limits, Machine, ModuleSource, NoAnswer};
use path::{Class, ClientPlan, Mark, Outcome};
use program::Module;
use search::Unit;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use term::{Atom, FunctionName, Term};

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("no address space for the machine: {0}. Raise the limit (ulimit -v unlimited)")]
    Memory(#[from] std::io::Error),
}

#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    #[error(transparent)]
    Load(#[from] CodeError),
    #[error("there is no module {0}")]
    NoModule(Atom),
    #[error("{0} starts no process and has no opaque type, so it has no clients")]
    NoClient(Atom),
}

/// The reason why an expression cannot be evaluated, with the position in its text.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EvaluateError(String);

pub struct Session {
    pub code: Arc<dyn Code>,
    pub machine: Machine,
    pub patience: Patience,
    used: Usage,
}

/// The modules that runs of a session have needed. Other threads may ask for them during a run.
#[derive(Clone, Default)]
pub struct Usage {
    modules: Arc<Mutex<HashSet<Atom>>>,
    /// Whether all of the user's modules were asked what they export.
    is_all_asked: Arc<AtomicBool>,
}

impl Usage {
    pub fn contains(&self, module: Atom) -> bool {
        lock(&self.modules).contains(&module)
    }

    pub fn all(&self) -> Vec<Atom> {
        lock(&self.modules).iter().copied().collect()
    }

    /// Begins a search: nothing was asked by it so far.
    pub fn begin(&self) {
        self.is_all_asked.store(false, Ordering::Relaxed);
    }

    /// Returns whether all of the user's modules were asked what they export since the search began.
    pub fn is_all_asked(&self) -> bool {
        self.is_all_asked.load(Ordering::Relaxed)
    }
}

impl Session {
    pub fn new(code: Arc<dyn Code>, limits: Limits) -> Result<Session, SessionError> {
        Opaque::default().session(&code, limits)
    }

    /// Makes a session over code that other sessions use as well.
    pub(crate) fn over(
        code: Arc<dyn Code>,
        limits: Limits,
        opaque: Opaque,
        marks: Option<WantedMarks>,
    ) -> Result<Session, SessionError> {
        let (used, patience) = (Usage::default(), Patience::default());
        let outside = Outside::new(code.effects().clone());
        let exporters = HashMap::new();
        let source = FromCode { code: Arc::clone(&code), used: used.clone(), opaque, outside, marks, exporters };
        let mut machine = Machine::new(code.language(), Box::new(source), limits)?;
        machine.set_foreign(Some(Box::new(FromRuntime { code: Arc::clone(&code), patience: patience.clone() })));
        machine.set_configuration(code.configuration());
        Ok(Session { code, machine, used, patience })
    }

    /// Returns a function to search, with the contract of its specification. Its own module is the only one of the
    /// user's.
    pub fn unit(&self, module: Atom, function: Atom, arity: u32) -> Result<Unit, UnitError> {
        let program = self.code.load(module)?.ok_or(UnitError::NoModule(module))?;
        let name = FunctionName { module, function, arity };
        let (contract, _) = match name.is_client() {
            true => {
                let users: Vec<Atom> = self.code.source_modules().map(|(module, _)| module).collect();
                let with_specs = self.code.client(&program, &users, false);
                let plan = with_specs.or_else(|| self.code.client(&program, &users, true));
                client_contract(&self.code, &plan.ok_or(UnitError::NoClient(module))?)
            }
            false => contract_and_modules(&self.code, &program, function, arity),
        };
        Ok(Unit { module, function, arity, contract, user_modules: vec![module], expected: Default::default() })
    }

    pub fn usage(&self) -> Usage {
        self.used.clone()
    }

    /// Prepares an expression to be run. Calls without a module go to `home`.
    pub fn prepare(&mut self, text: &str, home: Option<Atom>) -> Result<Prepared, EvaluateError> {
        let module = self.code.lower_expression(text, home).map_err(EvaluateError)?;
        let prepared = Prepared { module: module.name };
        self.machine.add(Arc::new(module));
        Ok(prepared)
    }

    /// Runs an expression. Traces leave out the expression itself, which the user knows; a fun in it that has no clause
    /// for its arguments is named as the shell names it.
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

    /// Returns the value of an expression. `Err` describes why it has none, in the notation of the language.
    pub fn value(&mut self, text: &str, language: &dyn FrontEnd) -> Result<Term, String> {
        match self.evaluate(text, None).map_err(|error| error.to_string())? {
            Outcome::Value(value) => Ok(value),
            Outcome::Raised(raised) => {
                Err(format!("it raises {} {}", raised.class.atom(), language.shown(&raised.reason, None)))
            }
            Outcome::Stopped(stop) => Err(report::stopped(&stop, &|name| name.to_string())),
        }
    }
}

/// An expression in the machine.
pub struct Prepared {
    module: Atom,
}

/// The number of modules that are tried where the name of a module is an input. Larger programs have more.
const MOST_EXPORTERS: usize = 500;

/// The wanted marks. All others are left out of the code, since they slow the machine down.
pub type WantedMarks = Arc<HashSet<Mark>>;

struct FromCode {
    code: Arc<dyn Code>,
    used: Usage,
    opaque: Opaque,
    outside: Outside,
    marks: Option<WantedMarks>,
    exporters: HashMap<(Atom, u32), Vec<Atom>>,
}

impl ModuleSource for FromCode {
    fn load(&mut self, name: Atom) -> Result<Option<Arc<Module>>, String> {
        lock(&self.used.modules).insert(name);
        let module = self.code.load_for_runs(name).map_err(|error| error.to_string())?;
        Ok(module.map(|module| match &self.marks {
            Some(wanted) => with_marks(&module, wanted),
            None => module,
        }))
    }

    fn sampled(&self, module: &Module) -> Vec<(Atom, u32)> {
        let mut sampled = self.opaque.of(&*self.code, module);
        sampled.extend(self.outside.natives(self.code.language(), module));
        sampled
    }

    fn may_summarise(&self, module: Atom) -> bool {
        !self.code.has_events(module)
    }

    fn is_outside(&self, module: Atom, function: Atom, arity: u32) -> bool {
        let is_denied = self.code.language().gate(module, function, arity) == machine::Gate::Denied;
        self.outside.covers(FunctionName { module, function, arity }, is_denied)
    }

    fn optional_application(&self, module: Atom) -> Option<Atom> {
        self.code.optional_application(module)
    }

    fn exporters(&mut self, function: Atom, arity: u32) -> Vec<Atom> {
        self.used.is_all_asked.store(true, Ordering::Relaxed);
        let code = &self.code;
        let exports = |name: &Atom| {
            let module = code.load(*name).ok().flatten();
            module.is_some_and(|module| module.find(function, arity).is_some_and(|id| module.function(id).exported))
        };
        let find = || {
            let mut modules: Vec<Atom> = code.source_modules().map(|(name, _)| name).collect();
            modules.sort_by(|a, b| a.text().cmp(b.text()));
            modules.truncate(MOST_EXPORTERS);
            modules.retain(exports);
            modules
        };
        self.exporters.entry((function, arity)).or_insert_with(find).clone()
    }
}

/// Returns a module with only the marks that are wanted. A module without marks is returned unchanged.
pub fn with_marks(module: &Arc<Module>, wanted: &WantedMarks) -> Arc<Module> {
    match reach::marks_of(module).is_empty() {
        true => Arc::clone(module),
        false => Arc::new(reach::without_plain_marks(module, &|mark| wanted.contains(mark))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The longest time for one call of a function on the real runtime while a search waits for it.
const LONGEST_CALL: Duration = Duration::from_secs(1);

/// The time that functions on the real runtime may take.
#[derive(Clone, Default)]
pub struct Patience(Arc<Mutex<Patient>>);

#[derive(Default)]
struct Patient {
    /// The end of the search that waits; `None` if none does.
    until: Option<Instant>,
    /// Functions that were too slow. They are not called again in the same search.
    slow: HashSet<(Atom, Atom, usize)>,
}

impl Patience {
    /// Begins a search that has this much time. With `None`, no search is running, and calls have the usual time.
    pub fn begin(&self, time: Option<Duration>) {
        *lock(&self.0) =
            Patient { until: time.and_then(|time| Instant::now().checked_add(time)), slow: HashSet::new() };
    }
}

struct FromRuntime {
    code: Arc<dyn Code>,
    patience: Patience,
}

impl Foreign for FromRuntime {
    fn call(&mut self, module: Atom, function: Atom, args: &[Term]) -> Result<ForeignAnswer, NoAnswer> {
        let mut limits = frontend::Limits::default();
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
        let call = Call { module, function, args: args.to_vec() };
        let start = Instant::now();
        match self.code.call_library(&call, limits).map_err(|error| NoAnswer::Failed(error.to_string()))? {
            frontend::Outcome::Value { term, .. } => Ok(ForeignAnswer::Value(term)),
            frontend::Outcome::Raised { class, reason, .. } => {
                Ok(ForeignAnswer::Raised { class: Class::of(class).unwrap_or(Class::Error), reason })
            }
            // Native functions that cannot be interrupted end the whole runtime when they are out of time.
            frontend::Outcome::Timeout { .. } | frontend::Outcome::RuntimeDied { .. }
                if start.elapsed() >= limits.time =>
            {
                lock(&self.patience.0).slow.insert(name);
                Err(NoAnswer::TooSlow)
            }
            frontend::Outcome::HeapExceeded => Err(NoAnswer::TooLarge),
            other => {
                Err(NoAnswer::Failed(format!("{module}:{function}/{} on the real runtime: {other:?}", args.len())))
            }
        }
    }
}

/// Returns the contract of a function, with types from all modules that define them, and the modules that were asked
/// for types.
pub fn contract_and_modules(
    code: &Arc<dyn Code>,
    module: &Module,
    function: Atom,
    arity: u32,
) -> (Contract, Vec<Atom>) {
    let mut definitions = Definitions { code: Arc::clone(code), asked: Vec::new() };
    let contract = Contract::of(module, function, arity, &mut definitions);
    (contract, definitions.asked)
}

/// Returns the contract with structures that functions of their modules make, if there are any such structures, and the
/// modules that were asked for types.
pub fn made_structures_contract(
    code: &Arc<dyn Code>,
    module: &Module,
    function: Atom,
    arity: u32,
) -> Option<(Contract, Vec<Atom>)> {
    let mut definitions = Definitions { code: Arc::clone(code), asked: Vec::new() };
    let contract = Contract::of_made_structures(module, function, arity, &mut definitions)?;
    Some((contract, definitions.asked))
}

/// Returns the contract of the clients of a module, and the modules that were asked for types.
pub fn client_contract(code: &Arc<dyn Code>, plan: &ClientPlan) -> (Contract, Vec<Atom>) {
    let mut definitions = Definitions { code: Arc::clone(code), asked: Vec::new() };
    let contract = Contract::of_client(plan, &mut definitions);
    (contract, definitions.asked)
}

struct Definitions {
    code: Arc<dyn Code>,
    asked: Vec<Atom>,
}

impl Modules for Definitions {
    fn module(&mut self, name: Atom) -> Option<Arc<Module>> {
        // A module that does not load is treated as missing: the contract says what it could not follow.
        self.asked.push(name);
        self.code.load(name).ok().flatten()
    }
}
