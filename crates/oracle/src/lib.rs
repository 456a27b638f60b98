//! The real BEAM as child processes: compiles to Core Erlang, finds modules, and evaluates calls.
//!
//! A runtime starts when it is first needed, or earlier with [`Oracle::start`], which does not wait for it; a runtime
//! that died is replaced at the next request. An oracle that is never asked costs nothing. Compiling, evaluating and
//! OTP's pure functions have a runtime each ([`role`]), each in its own sandbox. Without a sandbox, calls are evaluated
//! only if the configuration trusts them.
//!
//! This crate knows no machine, no solver and no search.

mod added;
mod alike;
mod answer;
mod child;
mod code;
mod error;
mod evaluate;
mod guard;
mod installation;
mod role;
pub mod store;
mod tell;
mod trace;

pub use added::Added;
pub use alike::alike;
pub use code::{BeamCode, CodeFolder, CompileOptions, Core, Implementation, Transform};
pub use error::OracleError;
pub use evaluate::{Call, Limits, Outcome, ProcessEnd, Rest, Watched};
pub use guard::{Forbidden, Guard};
pub use role::project_libraries;
pub use tell::{Narrated, Narration};
pub use trace::{Allowed, FromOutside, OutsideEnd, Traced, TracedProcess, narration};

use answer::{bytes_of, field, path_of, tagged, text_of};
use child::{Child, Start, protocol};
use files::Temporary;
use installation::Installation;
use role::Role;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};
use term::Term;

pub use etf::OLDEST_RELEASE;

#[derive(Clone, Debug)]
pub struct OracleConfig {
    /// Path or name of the `erl` executable. `None`: `erl` in `PATH`.
    pub erl: Option<PathBuf>,
    /// Folders of BEAM files that come before OTP's own, in the order of the search.
    pub code_paths: Vec<PathBuf>,
    /// Folders of BEAM files that are installed with OTP and belong to no project.
    pub system_paths: Vec<PathBuf>,
    /// Files and folders that are read to compile, in addition to the applications of the code paths.
    pub readable: Vec<PathBuf>,
    /// The folder in which the compiled helper is kept. Without it, the helper is compiled at every start.
    pub cache_dir: Option<PathBuf>,
    /// The time limit for all requests except evaluations, which have their own limits.
    pub request_limit: Duration,
    /// The address space of a runtime in bytes. A runtime reserves some 2 GiB without ever using them.
    pub memory_limit: u64,
    /// Whether calls are evaluated without a sandbox.
    pub is_trusting: bool,
    /// The access that code being traced has in addition to that of evaluations.
    pub opened: Opened,
    /// The calls that are forbidden. Without a guard, runtimes are used again after evaluations that changed them, and
    /// calls may call everything: for programs of our own.
    pub guard: Option<Guard>,
}

impl Default for OracleConfig {
    fn default() -> OracleConfig {
        OracleConfig {
            erl: None,
            code_paths: Vec::new(),
            system_paths: Vec::new(),
            readable: Vec::new(),
            cache_dir: None,
            request_limit: Duration::from_secs(30),
            memory_limit: 8 << 30,
            is_trusting: false,
            opened: Opened::default(),
            guard: None,
        }
    }
}

impl OracleConfig {
    /// Returns the file of the compiled helper for a runtime.
    fn helper_file(&self, erl: &Path) -> Option<PathBuf> {
        self.cache_dir.as_deref().map(|cache| child::helper_file(cache, erl))
    }
}

/// Parts of the sandbox that are open to code that is traced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    /// Files and folders that may be read.
    pub readable: Vec<PathBuf>,
    /// Programs that may be started.
    pub programs: Vec<PathBuf>,
    /// Whether there are sockets, on a separate loopback interface.
    pub loopback: bool,
}

/// The facts that a runtime reports about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeInfo {
    /// For example `25`.
    pub release: String,
    /// For example `13.1.5`.
    pub erts: String,
    pub root: PathBuf,
    /// A digest that differs between any two builds whose compilers or runtimes differ.
    pub fingerprint: [u8; 32],
}

impl RuntimeInfo {
    pub fn release_number(&self) -> u32 {
        self.release.parse().unwrap_or(OLDEST_RELEASE)
    }
}

/// The real runtimes. They may be shared between threads; each runtime answers requests one after the other.
pub struct Oracle {
    config: OracleConfig,
    /// The installation of OTP, or why it cannot be used.
    installation: OnceLock<Result<Installation, OracleError>>,
    compiler: Mutex<Runtime>,
    evaluator: Mutex<Runtime>,
    tracer: Mutex<Runtime>,
    library: Mutex<Runtime>,
    /// The folder of object code that Beagle has compiled, for evaluators to load on demand.
    staged: OnceLock<Option<Temporary>>,
    /// The folder of object code with events, for tracers.
    instrumented: OnceLock<Option<Temporary>>,
}

#[derive(Default)]
struct Runtime {
    child: Option<Child>,
    /// Boots while the child is used, for roles whose children are often replaced.
    spare: Option<Child>,
    /// Known as soon as the present child has sent its greeting.
    info: Option<RuntimeInfo>,
    /// Whether something was evaluated in the present child.
    is_used: bool,
    /// Code that was loaded by request and must be loaded again into a new child.
    loaded: Vec<Term>,
}

impl Runtime {
    /// Ends the present child. The spare one, if any, takes its place.
    fn forget(&mut self) {
        self.info = None;
        self.is_used = false;
        self.child = self.spare.take();
    }
}

/// How long to wait for each answer, and for all answers to one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub each: Duration,
    pub all: Duration,
}

/// The condition that a request puts on the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Any,
    /// Nothing was evaluated in it.
    Unused,
}

/// The state of a child after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Next {
    Keep,
    /// Something was evaluated in it.
    Used,
    /// It has changed, so the next request uses another child.
    Replace,
}

impl Oracle {
    pub fn new(config: OracleConfig) -> Oracle {
        Oracle {
            config,
            installation: OnceLock::new(),
            compiler: Mutex::default(),
            evaluator: Mutex::default(),
            tracer: Mutex::default(),
            library: Mutex::default(),
            staged: OnceLock::new(),
            instrumented: OnceLock::new(),
        }
    }

    pub fn config(&self) -> &OracleConfig {
        &self.config
    }

    /// Lets the runtime that evaluates boot while the caller does something else. If it fails, the first request
    /// reports the error.
    pub fn start(&self) {
        let mut runtime = self.runtime(Role::Evaluator);
        if runtime.child.is_none() {
            runtime.child = self.start_child(Role::Evaluator).ok();
        }
    }

    /// Returns whether a runtime is running.
    pub fn is_started(&self) -> bool {
        Role::ALL.iter().any(|role| self.runtime(*role).child.is_some())
    }

    /// Returns the process numbers of the running runtimes: the compiler's first, then the evaluator's.
    pub fn processes(&self) -> Vec<u32> {
        let runtimes = Role::ALL.iter().map(|role| self.runtime(*role));
        runtimes.filter_map(|runtime| runtime.child.as_ref().map(Child::id)).collect()
    }

    /// Fails if calls are not evaluated, with the reason.
    pub fn is_sandboxed(&self) -> Result<(), OracleError> {
        if self.config.is_trusting {
            return Ok(());
        }
        sandbox::availability().map_err(|reason| OracleError::NoSandbox { reason })
    }

    pub fn info(&self) -> Result<RuntimeInfo, OracleError> {
        for role in Role::ALL {
            // A busy runtime is not waited for, because another one can give the same answer.
            if let Ok(runtime) = self.cell(role).try_lock()
                && let Some(info) = &runtime.info
            {
                return Ok(info.clone());
            }
        }
        // Modules are read by the library, so it is needed anyway.
        let role = Role::Library;
        let mut runtime = self.runtime(role);
        self.child(role, &mut runtime)?;
        runtime.info.clone().ok_or_else(|| protocol("start", "no greeting"))
    }

    /// Returns the executable that is used, with links followed.
    pub fn erl(&self) -> Result<PathBuf, OracleError> {
        Ok(self.installation()?.erl.clone())
    }

    pub(crate) fn can_start(&self, role: Role) -> bool {
        let mut runtime = self.runtime(role);
        self.child(role, &mut runtime).is_ok()
    }

    fn installation(&self) -> Result<&Installation, OracleError> {
        let found = self.installation.get_or_init(|| Installation::find(self.config.erl.as_deref()));
        found.as_ref().map_err(OracleError::clone)
    }

    /// Returns the answer to a request that has one answer.
    pub(crate) fn ask(&self, role: Role, request: &Term, doing: &str, limit: Duration) -> Result<Term, OracleError> {
        let mut answer = None;
        let patience = limit + Duration::from_secs(10);
        let wait = Wait { each: patience, all: patience };
        // The helper ends the work at the limit; the longer limit of the pipe is for a runtime that hangs.
        self.converse(role, Condition::Any, &limited(limit, request), doing, wait, |term| {
            answer = Some(term);
            Ok(Next::Keep)
        })?;
        match answer {
            Some(Term::Atom(name)) if name.text() == "timeout" => {
                Err(OracleError::Timeout { doing: doing.to_owned(), limit })
            }
            Some(answer) => match answer.as_tuple() {
                Some([Term::Atom(tag), reason]) if tag.text() == "failed" => {
                    Err(protocol(doing, text_of(reason).unwrap_or_default()))
                }
                _ => Ok(answer),
            },
            None => Err(protocol(doing, "no answer")),
        }
    }

    /// Sends a request and passes its answers to `receive`, until the last one. A child that fails is ended.
    pub(crate) fn converse(
        &self,
        role: Role,
        condition: Condition,
        request: &Term,
        doing: &str,
        wait: Wait,
        mut receive: impl FnMut(Term) -> Result<Next, OracleError>,
    ) -> Result<(), OracleError> {
        let mut runtime = self.runtime(role);
        if condition == Condition::Unused && runtime.is_used {
            self.replace(role, &mut runtime);
        }
        let child = self.child(role, &mut runtime)?;
        let mut talk = || {
            let nonce = child.request(request)?;
            let mut next = Next::Keep;
            let end = Instant::now() + wait.all;
            loop {
                let left = end.saturating_duration_since(Instant::now());
                let answer = child.answer(nonce, doing, wait.each.min(left))?;
                next = next.max(receive(answer.term)?);
                if answer.is_last {
                    return Ok(next);
                }
            }
        };
        match talk() {
            Ok(Next::Keep) => Ok(()),
            Ok(Next::Used) => {
                runtime.is_used = true;
                Ok(())
            }
            Ok(Next::Replace) => {
                self.replace(role, &mut runtime);
                Ok(())
            }
            Err(error) => {
                runtime.forget();
                Err(error)
            }
        }
    }

    fn replace(&self, role: Role, runtime: &mut Runtime) {
        runtime.forget();
        if runtime.child.is_none() {
            runtime.child = self.start_child(role).ok();
        }
        runtime.spare = self.start_child(role).ok();
    }

    pub(crate) fn remember_loaded(&self, role: Role, request: Term) {
        let mut runtime = self.runtime(role);
        runtime.loaded.retain(|known| *known != request);
        runtime.loaded.push(request);
    }

    /// Returns the child when it is up and everything that was loaded before is loaded into it.
    fn child<'a>(&self, role: Role, runtime: &'a mut Runtime) -> Result<&'a mut Child, OracleError> {
        if role.runs_inputs() {
            self.is_sandboxed()?;
        }
        if runtime.child.is_none() || runtime.info.is_none() {
            let mut child = match runtime.child.take() {
                Some(child) => child,
                None => self.start_child(role)?,
            };
            let greeting = child.wait_until_up()?;
            runtime.info =
                Some(read_greeting(&greeting).ok_or_else(|| protocol("start", "a greeting without content"))?);
            // Done only now: until here, only OTP itself has run.
            let settle = self.settle_request(role, child.private());
            for request in std::iter::once(&settle).chain(&runtime.loaded) {
                let nonce = child.request(&limited(self.config.request_limit, request))?;
                // It worked before. If it does not now, the request that needs it reports the error.
                child.answer(nonce, "load code", self.config.request_limit)?;
            }
            runtime.child = Some(child);
        }
        runtime.child.as_mut().ok_or_else(|| protocol("start", "no child"))
    }

    /// Returns the request by which a runtime that has greeted gets its working folder and its code paths.
    fn settle_request(&self, role: Role, private: &Path) -> Term {
        let here = std::env::current_dir().ok().filter(|_| role == Role::Compiler);
        let mut first = role.code_paths(&self.config, self.staged(role));
        let mut last = Vec::new();
        if role == Role::Compiler {
            match self.is_sandboxed() {
                // As `erlc` does, it finds transforms in the current folder.
                Ok(()) => last.extend(here.clone()),
                // Without a sandbox, a project must not replace parts of the compiler.
                Err(_) => last.append(&mut first),
            }
        }
        let folder = answer::path(here.as_deref().unwrap_or(private));
        let list = |paths: Vec<PathBuf>| Term::list(paths.iter().map(|path| answer::path(path)).collect::<Vec<_>>());
        tagged("settle", [folder, list(first), list(last)])
    }

    /// Starts the runtime whose helper may be kept, if none is kept yet: others would compile it at every start.
    fn start_keeper(&self, installation: &Installation) {
        let is_kept = self.config.helper_file(&installation.erl).is_none_or(|file| files::is_there(&file));
        if !is_kept
            && let Ok(mut library) = self.library.try_lock()
            && library.child.is_none()
        {
            // It starts when it is needed otherwise.
            library.child = self.start_child(Role::Library).ok();
        }
    }

    fn start_child(&self, role: Role) -> Result<Child, OracleError> {
        if role.runs_inputs() {
            self.is_sandboxed()?;
        }
        let installation = self.installation()?;
        if !role.keeps_helper() {
            self.start_keeper(installation);
        }
        // It would hang, and outlive the process that ends Beagle.
        if let Some(folder) = std::env::current_dir().ok().filter(|folder| folder.to_str().is_none()) {
            let why = format!("the name of the current folder is not valid UTF-8, {}; rename it", folder.display());
            return Err(OracleError::NoRuntime { erl: installation.erl.clone(), why });
        }
        let is_sandboxed = match role {
            Role::Evaluator | Role::Tracer => !self.config.is_trusting,
            // Without a sandbox, they run nothing but OTP's own code, unless the user trusts the project.
            Role::Compiler | Role::Library => sandbox::availability().is_ok(),
        };
        Child::start(&Start { installation, config: &self.config, role, is_sandboxed, staged: self.staged(role) })
    }

    /// Returns the folder that object code is put into for runtimes of this role.
    pub(crate) fn staged(&self, role: Role) -> Option<&Path> {
        let folder = match role {
            Role::Tracer => &self.instrumented,
            Role::Compiler | Role::Evaluator | Role::Library => &self.staged,
        };
        let folder = folder.get_or_init(|| Temporary::new().ok());
        folder.as_ref().map(Temporary::path)
    }

    fn cell(&self, role: Role) -> &Mutex<Runtime> {
        match role {
            Role::Compiler => &self.compiler,
            Role::Evaluator => &self.evaluator,
            Role::Tracer => &self.tracer,
            Role::Library => &self.library,
        }
    }

    fn runtime(&self, role: Role) -> MutexGuard<'_, Runtime> {
        self.cell(role).lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn limited(limit: Duration, request: &Term) -> Term {
    tagged("limited", [Term::Int(evaluate::millis(limit)), request.clone()])
}

fn read_greeting(greeting: &Term) -> Option<RuntimeInfo> {
    let [_, info, _] = greeting.as_tuple()? else { return None };
    let mut hasher = blake3::Hasher::new();
    for name in ["release", "erts", "root", "system", "compilers"] {
        hasher.update(bytes_of(field(info, name)?)?).update(&[0]);
    }
    Some(RuntimeInfo {
        release: text_of(field(info, "release")?)?,
        erts: text_of(field(info, "erts")?)?,
        root: path_of(field(info, "root")?)?,
        fingerprint: *hasher.finalize().as_bytes(),
    })
}

/// Returns the name of a file's module. In Erlang, it is the name of the file.
pub fn module_of_file(file: &Path) -> Option<&str> {
    file.file_stem()?.to_str()
}
