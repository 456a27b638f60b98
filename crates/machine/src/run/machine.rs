//! The machine: a program, a context and the stacks. It makes one run at a time; the next one starts from scratch but
//! keeps the compiled code.

use super::program::{ModuleSource, Program};
use super::step::Frame;
use super::watch::Watch;
use crate::context::{Context, Interrupted, Player};
use crate::foreign::{Elsewhere, Foreign};
use crate::language::Language;
use crate::value::{Heap, MemoryExhausted, Region, Word, copy_brief, copy_in, copy_out};
use crate::world::{Policy, Process, Snapshot};
use path::{
    Alarm, Asks, Outcome, Place, Question, Raised, Recorder, Site, SitePlace, Stop, Tested, TraceLimits, Waiting,
};
use program::Module;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use term::work::Overdue;
use term::{Atom, Fun, FunctionName, Term};

/// The number of slots beyond the stack's end. Arguments and captures are placed before the callee checks that its
/// frame fits; their number fits into a `Slot`, so this is more than any call can need.
const STACK_RESERVE: usize = 2 << 16;

/// The limits of a run. Exceeding any of them ends it with a named outcome.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of calls and of comparable work inside primitives.
    pub steps: u64,
    /// Bytes of heap and stacks.
    pub memory: usize,
    /// The number of parts of the result that are copied out.
    pub result: usize,
    /// Whether to collect as often as possible, for tests.
    pub eager_collection: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: u64::MAX, memory: 2 << 30, result: 20_000_000, eager_collection: false }
    }
}

pub struct Machine {
    pub(super) context: Context,
    pub(super) stack: Region<Word>,
    pub(super) frames: Region<Frame>,
    pub(super) limits: Limits,
    /// Watches the next runs, if set.
    pub(super) watch: Option<Box<Watch>>,
    /// The configuration of the program.
    configuration: Option<Arc<Term>>,
    /// The state from which runs start, if setups have made one.
    snapshot: Option<Snapshot>,
    /// The end of the main process, while other processes continue.
    pub(super) ended_main: Option<Outcome>,
    /// The waiting processes at the time when the main process stopped waiting for an answer that could never come.
    pub(super) unanswered: Option<Vec<Waiting>>,
    /// A placeholder for the context while no process runs.
    pub(super) nobody: Option<Box<Process>>,
    /// The number of turns that are left for other processes after the end of the main process.
    pub(super) after_main: u64,
}

impl Machine {
    pub fn new(
        language: &'static dyn Language,
        source: Box<dyn ModuleSource>,
        limits: Limits,
    ) -> std::io::Result<Machine> {
        term::floats::tell_zeros_apart(language.tells_zeros_apart());
        let mut heap = Heap::new(limits.memory, language.key_order())?;
        if limits.eager_collection {
            heap.collect_eagerly();
        }
        let program = Program::new(language, source)?;
        Ok(Machine {
            context: Context::with_program(heap, language, limits.steps, program),
            stack: Region::reserve_with(limits.memory / 2 / size_of::<Word>(), STACK_RESERVE)?,
            // The loop counts frames in 32 bits.
            frames: Region::reserve((limits.memory / 2 / size_of::<Frame>()).min(u32::MAX as usize))?,
            limits,
            watch: None,
            configuration: None,
            snapshot: None,
            ended_main: None,
            after_main: 0,
            nobody: None,
            unanswered: None,
        })
    }

    /// Sets the configuration of the program for the runs from now on.
    pub fn set_configuration(&mut self, configuration: Option<Arc<Term>>) {
        self.configuration = configuration;
    }

    /// Sets the real runtime for the runs from now on.
    pub fn set_foreign(&mut self, foreign: Option<Box<dyn Foreign>>) {
        self.context.foreign = foreign;
    }

    /// Sets the source of what functions outside did, for the runs from now on.
    pub fn set_outside(&mut self, outside: Option<Box<dyn Elsewhere>>) {
        self.context.outside = outside;
    }

    /// Takes the player of the last run.
    pub fn take_player(&mut self) -> Option<Box<dyn Player>> {
        self.context.player.take()
    }

    /// Returns the call with which a process began, if the process still exists.
    pub fn initial_call(&self, process: u64) -> Option<FunctionName> {
        self.context.world.process(process)?.initial
    }

    /// Takes the first failure of a process in the last run that its main process did not notice, or that ended it with
    /// a supervisor.
    pub fn take_failure(&mut self) -> Option<Raised> {
        self.context.world.failure.take()
    }

    /// Lets processes take turns in an order that the seed determines, before every visible operation; without a seed,
    /// lets them run until they wait. This applies to the runs from now on.
    pub fn interleave(&mut self, seed: Option<u64>) {
        self.context.world.policy = match seed {
            Some(seed) => Policy::Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            None => Policy::RunToBlock,
        };
    }

    /// Returns the number of steps that the last run left.
    pub fn steps_left(&self) -> u64 {
        self.context.steps_left()
    }

    pub fn language(&self) -> &'static dyn Language {
        self.context.language
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the record of the last run.
    pub fn recorder(&self) -> &Recorder {
        &self.context.recorder
    }

    /// Returns the record of the last run, to be taken or extended.
    pub fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.context.recorder
    }

    /// Adds a module, which replaces one of the same name.
    pub fn add(&mut self, module: Arc<Module>) {
        self.context.program.add(module);
    }

    /// Starts recording for [`Machine::used_modules`] which modules are called.
    pub fn watch_modules(&mut self) {
        self.context.program.forget_links();
    }

    /// The modules that were called or looked for, whether they are there or not, but those that a function of its own
    /// module called.
    pub fn used_modules(&self) -> impl Iterator<Item = Atom> {
        self.context.program.used().iter().copied()
    }

    /// Sets the step limit of the runs from now on, and returns the previous one.
    pub fn set_steps(&mut self, steps: u64) -> u64 {
        std::mem::replace(&mut self.limits.steps, steps)
    }

    /// Sets the limits of the traces that instrumented code records in the runs from now on.
    pub fn set_trace_limits(&mut self, limits: TraceLimits) {
        self.context.set_trace_limits(limits);
    }

    /// Sets an alarm, which ends the runs from now on when it rings; it is checked repeatedly. Returns the previous
    /// one.
    pub fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm> {
        self.context.set_alarm(alarm)
    }

    /// Returns the module of the code in which a decision is taken. `None` for decisions outside of code.
    pub fn module_of(&self, place: Place) -> Option<Atom> {
        match place {
            Place::Code { function, .. } => self.module_of_function(function),
            Place::Input(_)
            | Place::Choice(_)
            | Place::Lookup(_)
            | Place::Observed(_)
            | Place::Domain(_)
            | Place::Result(_) => None,
        }
    }

    pub(super) fn module_of_function(&self, function: u32) -> Option<Atom> {
        self.context.program.has_function(function).then(|| self.context.program.function(function).0.name)
    }

    /// Returns the source place of a decision. `None` for decisions outside of code.
    pub fn place_of(&self, site: Site) -> Option<SitePlace> {
        let program = &self.context.program;
        let Place::Code { function, instruction } = site.place else { return None };
        let (shown_as, span) = program.decision(function, instruction)?;
        let (module, id) = program.function(function);
        let shown = module.function(program.function(shown_as).1);
        let span = if span.line > 0 { span } else { shown.span };
        Some(SitePlace {
            module: module.name,
            function: shown.name,
            arity: shown.arity,
            file: module.files.get(usize::from(span.file)).cloned().unwrap_or_default(),
            line: span.line,
            column: span.column,
            number: (id.0, instruction, site.part),
        })
    }

    /// Returns the question that a decision asks about the program. `None` for decisions outside of code.
    pub fn question(&mut self, site: Site) -> Option<Question> {
        let program = &mut self.context.program;
        let Place::Code { function, instruction } = site.place else { return None };
        if !program.has_function(function) {
            return None;
        }
        let questions = program.questions(function);
        let index = questions.binary_search_by_key(&instruction, |(at, ..)| *at).ok()?;
        let (_, expr, asks) = questions.get(index)?;
        let (module, id) = program.function(function);
        let mut asks = asks.clone();
        // Later decisions of a segment are about its position in the bitstring.
        if let Asks::Part { tested: tested @ Tested::Segment { .. }, .. } = &mut asks
            && site.part > 0
        {
            *tested = Tested::Other;
        }
        Some(Question { module: module.name, function: id.0, expr: *expr, asks })
    }

    /// Lets the runs from now on start in the state after this call: with its processes, tables, names and messages.
    /// Returns false, without any effect on runs, if the call does not return.
    pub fn start_after(&mut self, module: Atom, function: Atom, args: &[Term]) -> bool {
        self.snapshot = None;
        let outcome = self.run(module, function, args);
        let has_failed = self.context.world.failure.is_some();
        if !matches!(outcome, Outcome::Value(_)) || has_failed {
            return false;
        }
        if let Some(main) = self.context.world.take(Term::OWN_PID) {
            if self.context.process.number() != 0 {
                // The budget ended while another process ran, whose stacks are not saved.
                return false;
            }
            // The main process returned before the others came to rest.
            self.nobody = Some(std::mem::replace(&mut self.context.process, main));
        }
        self.snapshot = Snapshot::take(&mut self.context).ok();
        self.snapshot.is_some()
    }

    /// Lets the runs from now on start from scratch.
    pub fn start_afresh(&mut self) {
        self.snapshot = None;
    }

    /// Applies an exported function to concrete arguments.
    pub fn run(&mut self, module: Atom, function: Atom, args: &[Term]) -> Outcome {
        self.run_with(module, function, |context| args.iter().map(|arg| copy_in(&mut context.heap, arg)).collect())
    }

    /// Applies an exported function to arguments that `inputs` makes on the run's own heap: symbolic ones, for example.
    /// It is `Send`, so there is no place in which it could leave words.
    pub fn run_with(
        &mut self,
        module: Atom,
        function: Atom,
        inputs: impl FnOnce(&mut Context) -> Vec<Word> + Send,
    ) -> Outcome {
        // SAFETY: outside of the context, only the stacks and the watch keep words of the previous run. The stacks are
        // written before they are read, and the watch drops its words.
        unsafe { self.context.reset(self.limits.steps) };
        if let Some(watch) = &mut self.watch {
            watch.forget_words();
        }
        self.ended_main = None;
        self.unanswered = None;
        let ended = std::panic::catch_unwind(AssertUnwindSafe(|| {
            match (&self.snapshot, &self.configuration) {
                (Some(snapshot), _) => snapshot.restore(&mut self.context),
                (None, Some(configuration)) => self.context.language.configure(&mut self.context, configuration),
                (None, None) => {}
            }
            let args = inputs(&mut self.context);
            self.execute(module, function, &args)
        }));
        match ended {
            Ok(outcome) => outcome,
            Err(payload) if payload.is::<Interrupted>() => Outcome::Stopped(Stop::Interrupted),
            Err(payload) if payload.is::<Overdue>() => Outcome::Stopped(Stop::Interrupted),
            Err(payload) if payload.is::<MemoryExhausted>() => Outcome::Stopped(Stop::MemoryLimit),
            Err(payload) => Outcome::Stopped(Stop::Fault(panic_message(&*payload))),
        }
    }

    pub(super) fn copy_out(&self, word: Word) -> Result<Term, Stop> {
        // The term is built beside the heap, in memory that counts as well.
        let parts = self.limits.result.min(self.limits.memory / (2 * size_of::<Term>()));
        copy_out(word, parts, &|function, arity| self.context.fun_name(function, arity)).ok_or(Stop::ResultTooLarge)
    }
}

impl Context {
    /// Returns the name of a closure of a function.
    pub fn fun_name(&self, function: u64, arity: u8) -> Fun {
        let (module, id) = self.program.function(function as u32);
        let (index, unique) = match module.function(id).origin {
            program::Origin::Lambda { index, unique } => (index, unique),
            program::Origin::Named | program::Origin::Lifted | program::Origin::Join { .. } => (id.0, 0),
        };
        Fun::Local { module: module.name, index, unique, arity: u32::from(arity) }
    }

    /// Returns a copy of a value that outlives the run, if it is not too large.
    pub fn lasting_term(&self, word: Word) -> Option<Term> {
        const LARGEST: usize = 1_000_000;
        copy_out(word, LARGEST, &|function, arity| self.fun_name(function, arity))
    }

    /// Returns a copy of a value for display: of a large one, its first parts.
    pub fn brief_term(&self, word: Word) -> Term {
        copy_brief(word, &|function, arity| self.fun_name(function, arity))
    }

    /// Returns module, name, arity with captures, and the captured values of a closure.
    pub fn closure_parts(&self, closure: Word) -> Option<(Atom, Atom, u32, Vec<Word>)> {
        if closure.kind() != Some(crate::value::Kind::Closure) {
            return None;
        }
        let (module, id) = self.program.function(closure.raw(0) as u32);
        let function = module.function(id);
        Some((module.name, function.name, function.arity + function.captures, closure.payload().to_vec()))
    }
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_string())
}
