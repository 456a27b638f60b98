//! The code of a program, and the real runtime that it is for.

use crate::{Attributes, Pattern};
use path::{Class, ClientPlan, Life, Told, TraceEntry, Turn};
use program::Module;
use search::Blame;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, FunctionName, Term};

/// The sources of code, and how it is compiled and evaluated.
#[derive(Clone, Debug, Default)]
pub struct CodeConfig {
    /// Files of code, and folders of them.
    pub sources: Vec<PathBuf>,
    pub code_paths: Vec<PathBuf>,
    pub include_paths: Vec<PathBuf>,
    pub macros: Vec<(String, Option<String>)>,
    /// Further options of the compiler, as terms of its language.
    pub options: Vec<String>,
    /// The folder for compiled modules. Without it, nothing is kept.
    pub cache_dir: Option<PathBuf>,
    /// The executable of the runtime, if it is not the usual one.
    pub runtime: Option<PathBuf>,
    /// Folders that compilation may read, besides those of the sources and code paths.
    pub readable: Vec<PathBuf>,
    /// The time limit for compiling a module, if it is not the usual one.
    pub compile_time: Option<Duration>,
    pub evaluation: Evaluation,
    /// If set, the code of all sources and of the libraries that are named here gets marks before the expressions of
    /// its bodies, which runs record.
    pub marks: Option<Vec<Atom>>,
    /// Whether all code asks a conductor before each operation that other processes could notice, so that their order
    /// can be forced on the runtime.
    pub is_conducted: bool,
    /// If set, the code of all sources and of the libraries that are named here reports what it does, event by event.
    pub traced: Option<Vec<Atom>>,
    /// Whether the code of all sources gets an event at every choice among clauses, which runs record.
    pub has_events: bool,
    /// Modules of libraries that get events, too.
    pub instrumented: Vec<Atom>,
    /// The effects outside of the program that the code may have while it runs with events.
    pub effects: Effects,
    /// Files and folders that it may read during such runs, besides those that it is made of.
    pub opened_paths: Vec<PathBuf>,
    /// Programs that it may start during such runs.
    pub opened_programs: Vec<PathBuf>,
    /// Whether it may use sockets of a loopback interface of its own during such runs.
    pub has_loopback: bool,
}

/// The effects that code may have outside of the program, as the user names them.
#[derive(Clone, Default)]
pub struct Effects(Arc<[Arc<dyn Pattern>]>);

impl Effects {
    pub fn new(allowed: Vec<Arc<dyn Pattern>>) -> Effects {
        Effects(allowed.into())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether native functions of the program may be called, which is the permission to load them.
    pub fn allow_native_code(&self) -> bool {
        let [module, function] = ["erlang", "load_nif"].map(Atom::new);
        self.covers(FunctionName { module, function, arity: 2 })
    }

    pub fn covers(&self, function: FunctionName) -> bool {
        self.0.iter().any(|pattern| pattern.covers(function))
    }

    /// Returns the patterns that allow neither native code nor any of these functions.
    pub fn covering_none_of(&self, functions: &[FunctionName]) -> Vec<String> {
        let is_idle = |pattern: &&Arc<dyn Pattern>| {
            !Effects(vec![Arc::clone(pattern)].into()).allow_native_code()
                && !functions.iter().any(|function| pattern.covers(*function))
        };
        self.0.iter().filter(is_idle).map(|pattern| pattern.to_string()).collect()
    }
}

impl fmt::Debug for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|pattern| pattern.to_string())).finish()
    }
}

/// The ways in which calls are evaluated on the real runtime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// In a sandbox, each in a runtime that is in its initial state. A call that acts on the outside is stopped.
    #[default]
    Guarded,
    /// As `Guarded`, but without a sandbox.
    Trusting,
    /// In a sandbox, one after the other in the same runtime: for programs that belong to Beagle.
    Unguarded,
}

/// The code of a program, which may be shared between threads.
pub trait Code: Send + Sync {
    /// Returns the language that defines the code's behaviour on our machine.
    fn language(&self) -> &'static dyn machine::Language;

    /// Returns the modules that were named as sources, in order.
    fn source_modules(&self) -> Box<dyn Iterator<Item = (Atom, &Path)> + '_>;

    /// Returns a lowered module, or `None` if there is no such module.
    fn load(&self, module: Atom) -> Result<Option<Arc<Module>>, CodeError>;

    /// Returns a lowered module in the form that runs need: with events, if the code was opened with events and the
    /// module is one of the sources.
    fn load_for_runs(&self, module: Atom) -> Result<Option<Arc<Module>>, CodeError> {
        self.load(module)
    }

    /// Returns the modules of libraries that have events.
    fn instrumented(&self) -> &[Atom] {
        &[]
    }

    /// Returns whether runs of a module's code report which clauses they choose.
    fn has_events(&self, _module: Atom) -> bool {
        false
    }

    /// Checks that a module of a library can get events. `Err` describes for the user why it cannot.
    fn check_instrumented(&self, module: Atom) -> Result<(), String>;

    /// Translates an expression to a module whose function `eval/0` evaluates it. Calls without a module go to `home`.
    /// `Err` describes what cannot be read, and where.
    fn lower_expression(&self, text: &str, home: Option<Atom>) -> Result<Module, String>;

    /// Returns what a module declares about its own functions. `Err` describes what is wrong with that, and in which
    /// module.
    fn attributes(&self, module: &Module) -> Result<Attributes, String>;

    /// Returns what clients of a module may do, or `None` if the module has no clients. `users` are the modules of the
    /// user. If `all` is set, functions without a specification are included.
    fn client(&self, module: &Arc<Module>, users: &[Atom], all: bool) -> Option<ClientPlan>;

    /// Returns the functions of a module that are called by libraries, and not by its users.
    fn callbacks(&self, module: &Module) -> HashSet<(Atom, u32)>;

    /// Sets the configuration of the program, a term that the language defines. Later calls have no effect.
    fn configure(&self, configuration: Term);

    /// Returns the configuration of the program.
    fn configuration(&self) -> Option<Arc<Term>>;

    /// Returns the application that a module belongs to, if that application starts processes when it is started.
    fn application_of(&self, _module: Atom) -> Option<Atom> {
        None
    }

    /// The application that a module belongs to, if a system can be without it and the program does not bring it along.
    fn optional_application(&self, _module: Atom) -> Option<Atom> {
        None
    }

    /// Evaluates files of configuration. A later file overrides earlier ones. `environment` is what the program is
    /// built for, such as tests.
    fn read_configuration(&self, files: &[PathBuf], environment: &str) -> Result<Term, CodeError>;

    /// Returns a digest of everything that a module is made of, or `None` if it is unknown whether the module has
    /// changed.
    fn digest(&self, module: Atom) -> Option<Digest>;

    /// Returns the release of the runtime that compiles and evaluates the code, if there is one.
    fn release(&self) -> Option<u32>;

    /// Returns a digest of the installation of that runtime, without starting it if it is known already.
    fn runtime_digest(&self) -> Option<[u8; 32]>;

    /// Starts in the background what evaluations need.
    fn start_runtime(&self);

    /// Has the runtime load a source module, so that evaluations see the same code. Returns `false` if there is no such
    /// module.
    fn load_into_runtime(&self, module: Atom) -> Result<bool, CodeError>;

    /// Evaluates texts on the runtime, with the limits for each of them.
    fn evaluate(&self, texts: &[String], how: Evaluations) -> Result<Vec<Outcome>, CodeError>;

    /// Evaluates a call on the runtime. Returns also the stack of an exception.
    fn evaluate_call(&self, call: &Call, limits: Limits) -> Result<(Outcome, Vec<TraceEntry>), CodeError>;

    /// Evaluates a text on the runtime, and watches the processes that it starts: until the evaluation ends and, if
    /// some processes are left then, for `linger` or until nothing happens any more.
    fn evaluate_watched(&self, text: &str, how: Evaluations, linger: Duration) -> Result<Watched, CodeError>;

    /// Evaluates a text like `evaluate_watched`, and returns also the stack of an exception. If a schedule is given,
    /// forces the operations of processes into that order, which needs code that is conducted.
    fn replay(
        &self,
        text: &str,
        how: Evaluations,
        linger: Duration,
        schedule: Option<&[Turn]>,
    ) -> Result<Replay, CodeError>;

    /// Runs a call of code with events on the runtime. Only code that was opened with events has any.
    fn trace(&self, call: &TracedCall, limits: Limits) -> Result<Traced, CodeError> {
        self.trace_in_order(call, limits, None)
    }

    /// Runs a call like `trace`, with an order that is forced on its processes, which needs code that is conducted.
    fn trace_in_order(&self, call: &TracedCall, limits: Limits, schedule: Option<&[Turn]>)
    -> Result<Traced, CodeError>;

    /// Returns a statement for [`trace_in_order`](Code::trace_in_order) that lets other processes do what comes before
    /// the next operation of the process that evaluates it.
    fn rest(&self) -> Option<String>;

    /// Returns whether code asks a conductor before each operation that other processes could notice.
    fn is_conducted(&self) -> bool;

    /// Evaluates a text on the runtime, with code that was opened to be traced. Passes its events to `hear` as they
    /// happen, which may end the evaluation.
    fn tell(
        &self,
        text: &str,
        limits: Limits,
        hear: &mut dyn FnMut(Narrated) -> ControlFlow<()>,
    ) -> Result<Narration, CodeError>;

    /// Returns the effects outside of the program that the code may have while it runs with events.
    fn effects(&self) -> &Effects;

    /// Returns the allowed effects that allow nothing, because they match no function whose effects are denied
    /// otherwise.
    fn idle_effects(&self) -> Result<Vec<String>, CodeError> {
        Ok(Vec::new())
    }

    /// Calls a function of the runtime's library whose result depends on nothing but its arguments.
    fn call_library(&self, call: &Call, limits: Limits) -> Result<Outcome, CodeError>;

    /// Returns whether two results of the runtime are the same, except for parts that differ between evaluations.
    fn are_alike(&self, left: &Term, right: &Term) -> bool;

    /// Returns whether a reason says that a function is not defined.
    fn is_undefined(&self, reason: &Term) -> bool;

    /// Returns whether an exception on the runtime says that a function was misused in this way.
    fn is_blame(&self, blame: &Blame, class: Atom, reason: &Term) -> bool;

    /// Returns whether a process that raises this exception and does not catch it ends with the reason `end`.
    fn is_end_of(&self, class: Class, reason: &Term, end: &Term) -> bool;

    /// Returns whether an exception on the runtime says that a process did not reply to a request in time.
    fn is_unanswered(&self, class: Atom, reason: &Term) -> bool;
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub module: Atom,
    pub function: Atom,
    pub args: Vec<Term>,
}

/// A call or a text that is run on the runtime with events.
#[derive(Clone, Debug, PartialEq)]
pub enum TracedCall {
    Plain(Call),
    /// Expressions of the language that the runtime reads. Calls without a module go to `home`.
    Text {
        text: String,
        home: Option<Atom>,
    },
}

/// The record of a run of code with events on the runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct Traced {
    pub outcome: Outcome,
    /// The numbers of the clauses that the main process chose, in order.
    pub events: Vec<u64>,
    /// Whether these are all events: not if there were too many, or if the runtime ended.
    pub is_whole: bool,
    /// The calls of the main process to functions outside, with their results, and the messages from there, in order.
    /// Functions outside are native, or act on the outside and are allowed.
    pub outside: Vec<FromOutside>,
    /// The other processes that the call has started, directly or not.
    pub others: Vec<Life>,
    /// Whether all processes waited when the time of the call was over.
    pub is_waiting: bool,
    /// Whether the forced order was followed, if there was one.
    pub order: Option<Order>,
}

/// An event that code reported on the runtime while it was traced.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrated {
    pub told: Told,
    pub pid: Term,
    /// The depth of the stack of the function that reported it.
    pub depth: usize,
}

/// The record of a traced evaluation on the runtime, besides its events.
#[derive(Clone, Debug, PartialEq)]
pub struct Narration {
    /// `None` if the receiver of the events ended the evaluation.
    pub outcome: Option<Outcome>,
    /// The stack of an exception.
    pub stack: Vec<TraceEntry>,
    /// The results and messages that the main process got from outside, in order.
    pub outside: Vec<FromOutside>,
}

/// A result or a message from outside of the program.
#[derive(Clone, Debug, PartialEq)]
pub enum FromOutside {
    Call { function: FunctionName, args: Vec<Term>, ended: OutsideEnd },
    Message(Term),
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutsideEnd {
    Returned(Term),
    Raised { class: Atom, reason: Term },
}

/// The resources that an evaluation may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    /// In machine words.
    pub heap_words: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(5), heap_words: 16 << 20 }
    }
}

/// The way in which several texts are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations {
    pub limits: Limits,
    /// Whether the runtime prints values and reasons.
    pub is_printed: bool,
    /// Whether each text gets a runtime in which nothing was evaluated before.
    pub is_fresh: bool,
}

/// The end of an evaluation on the real runtime.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It has a value. `text` is the value as the runtime prints it, if it was asked to.
    Value {
        term: Term,
        text: Option<String>,
    },
    Raised {
        class: Atom,
        reason: Term,
        text: Option<String>,
    },
    /// Its time was over. The runtime counted this many reductions until then.
    Timeout {
        reductions: u64,
    },
    HeapExceeded,
    /// Something outside of the call ended it.
    Killed {
        reason: Term,
    },
    /// The runtime cannot read the text.
    Unreadable {
        message: String,
    },
    /// It called something that acts on the outside, and was ended.
    Stopped {
        module: Atom,
        function: Atom,
        arity: u32,
    },
    /// The whole runtime ended with it.
    RuntimeDied {
        message: String,
    },
}

/// An outcome, with facts about the processes that the evaluation started, directly or through other processes.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    pub outcome: Outcome,
    /// Ends that were not normal, in the order in which they were observed, and those of supervisors that gave up.
    pub ends: Vec<ProcessEnd>,
    pub rest: Rest,
    /// The number of processes that were started.
    pub started: u64,
}

/// An evaluation on the real runtime, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    pub watched: Watched,
    /// The stack of an exception.
    pub trace: Vec<TraceEntry>,
    /// Whether the schedule was followed, if there was one and the evaluation ended by itself.
    pub order: Option<Order>,
}

/// Whether a schedule that was forced on processes was followed.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    Followed,
    /// From an operation on, counted from 1, the processes did something else.
    Left {
        index: usize,
        expected: Turn,
        /// The operations that they wanted to do instead.
        wanted: Vec<Turn>,
    },
    /// The process that forces it was ended.
    Lost,
}

/// The end of a process on the real runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessEnd {
    pub initial: Option<FunctionName>,
    pub registered: Option<Atom>,
    pub reason: Term,
    /// Whether it is that of a supervisor that had to restart too many processes.
    pub gave_up: bool,
}

/// The state of an evaluation's processes when they were last checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// None was left.
    Ended,
    /// All of them waited for messages.
    Waiting,
    Running,
}

/// A digest of everything that a module is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Digest {
    Of([u8; 32]),
    /// There is no such module.
    Absent,
}

/// The reason why code cannot be opened, loaded or evaluated.
#[derive(Clone, Debug)]
pub struct CodeError {
    error: Arc<dyn std::error::Error + Send + Sync>,
    /// Whether there is no runtime to ask, so that every other module would fail in the same way.
    pub is_of_runtime: bool,
    /// Whether the code is right, and Beagle has a defect.
    pub is_defect: bool,
}

impl CodeError {
    pub fn new(
        error: impl std::error::Error + Send + Sync + 'static,
        is_of_runtime: bool,
        is_defect: bool,
    ) -> CodeError {
        CodeError { error: Arc::new(error), is_of_runtime, is_defect }
    }
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for CodeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}
