//! The machine: a program, a context and the stacks. One run at a time; the next one starts clean but
//! keeps the compiled code.

use super::program::{ModuleSource, Program};
use super::step::Frame;
use super::watch::Watch;
use crate::context::{Alarm, Class, Context, Interrupted, Stop};
use crate::language::Language;
use crate::path::{Recorder, Site};
use crate::value::{Heap, MemoryExhausted, Region, Word, copy_in, copy_out};
use program::Module;
use serde::{Deserialize, Serialize};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use term::work::Overdue;
use term::{Atom, Fun, Term};

/// Slots behind the stack's end. Arguments and captures are laid out before the callee checks that its
/// frame fits; their number is one of slots (`Slot`), so this is more than any call can need.
const STACK_RESERVE: usize = 2 << 16;

/// What a run may use. Every limit ends it with a named outcome.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Calls, and work of that size inside primitives.
    pub steps: u64,
    /// Bytes of heap and stacks.
    pub memory: usize,
    /// Parts of the result that are copied out.
    pub result: usize,
    /// Collect as often as possible: for tests.
    pub eager_collection: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: u64::MAX, memory: 2 << 30, result: 20_000_000, eager_collection: false }
    }
}

/// How a run ended. Their crash is a value.
#[derive(Debug)]
pub enum Outcome {
    Value(Term),
    Raised(Raised),
    Stopped(Stop),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Raised {
    pub class: Class,
    pub reason: Term,
    pub trace: Vec<TraceEntry>,
}

/// `args` instead of an arity where the call itself is to blame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceEntry {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    pub args: Option<Vec<Term>>,
    pub file: String,
    pub line: u32,
    /// What else the language knows of the place: pairs of a name and a value.
    pub details: Vec<Term>,
}

/// A place in the source where decisions are taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePlace {
    pub module: Atom,
    /// The function that it is written in.
    pub function: Atom,
    pub arity: u32,
    pub file: String,
    /// 0: not known. Likewise the column.
    pub line: u32,
    pub column: u16,
    /// What tells decisions of one line apart: the same for all machines that run this module.
    pub number: (u32, u32, u32),
}

pub struct Machine {
    pub(super) context: Context,
    pub(super) stack: Region<Word>,
    pub(super) frames: Region<Frame>,
    pub(super) limits: Limits,
    /// Of the next runs, if somebody looks on.
    pub(super) watch: Option<Box<Watch>>,
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
            // The loop counts them in 32 bits.
            frames: Region::reserve((limits.memory / 2 / size_of::<Frame>()).min(u32::MAX as usize))?,
            limits,
            watch: None,
        })
    }

    pub fn context(&mut self) -> &mut Context {
        &mut self.context
    }

    pub fn language(&self) -> &'static dyn Language {
        self.context.language
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What the last run with symbolic inputs decided.
    pub fn recorder(&self) -> &Recorder {
        &self.context.recorder
    }

    /// Adds a module that the source does not have, or in its place.
    pub fn add(&mut self, module: Arc<Module>) {
        self.context.program.add(module);
    }

    /// Which modules are called from now on is seen by [`Machine::used_modules`].
    pub fn watch_modules(&mut self) {
        self.context.program.forget_links();
    }

    /// The modules that were called, whether they are there or not, but those that a function of its own module called.
    pub fn used_modules(&self) -> impl Iterator<Item = Atom> {
        self.context.program.used().iter().copied()
    }

    /// Steps of the runs from now on; answers with what it was before.
    pub fn set_steps(&mut self, steps: u64) -> u64 {
        std::mem::replace(&mut self.limits.steps, steps)
    }

    /// Ends the runs from now on when it rings; it is looked at again and again. Answers with the one before.
    pub fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm> {
        self.context.set_alarm(alarm)
    }

    /// The module of a function that a site names; none for what the run itself calls.
    pub fn module_of(&self, function: u32) -> Option<Atom> {
        self.context.program.has_function(function).then(|| self.context.program.function(function).0.name)
    }

    /// Where in the source a decision is taken; nothing for what is decided in no code.
    pub fn place_of(&self, site: Site) -> Option<SitePlace> {
        let program = &self.context.program;
        let (shown_as, span) = program.decision(site.function, site.instruction)?;
        let (module, id) = program.function(site.function);
        let shown = module.function(program.function(shown_as).1);
        let span = if span.line > 0 { span } else { shown.span };
        Some(SitePlace {
            module: module.name,
            function: shown.name,
            arity: shown.arity,
            file: module.files.get(usize::from(span.file)).cloned().unwrap_or_default(),
            line: span.line,
            column: span.column,
            number: (id.0, site.instruction, site.part),
        })
    }

    /// Applies an exported function to concrete arguments.
    pub fn run(&mut self, module: Atom, function: Atom, args: &[Term]) -> Outcome {
        self.run_with(module, function, |context| args.iter().map(|arg| copy_in(&mut context.heap, arg)).collect())
    }

    /// Likewise, to arguments made by `inputs` on the run's own heap: symbolic ones, for example.
    pub fn run_with(
        &mut self,
        module: Atom,
        function: Atom,
        inputs: impl FnOnce(&mut Context) -> Vec<Word>,
    ) -> Outcome {
        self.context.reset(self.limits.steps);
        let ended = std::panic::catch_unwind(AssertUnwindSafe(|| {
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
        // A term is built beside the heap, in memory that counts as well.
        let parts = self.limits.result.min(self.limits.memory / (2 * size_of::<Term>()));
        copy_out(word, parts, &|function, arity| self.context.fun_name(function, arity)).ok_or(Stop::ResultTooLarge)
    }
}

impl Context {
    /// What a closure of a function is called.
    pub fn fun_name(&self, function: u64, arity: u8) -> Fun {
        let (module, id) = self.program.function(function as u32);
        let (index, unique) = match module.function(id).origin {
            program::Origin::Lambda { index, unique } => (index, unique),
            program::Origin::Named | program::Origin::Lifted | program::Origin::Join { .. } => (id.0, 0),
        };
        Fun::Local { module: module.name, index, unique, arity: u32::from(arity) }
    }

    /// Module, name, arity with captures, and the captured values of a closure.
    pub fn closure_parts(&self, closure: Word) -> Option<(Atom, Atom, u32, Vec<Word>)> {
        if closure.kind() != Some(crate::value::Kind::Closure) {
            return None;
        }
        let (module, id) = self.program.function(closure.raw(0) as u32);
        let function = module.function(id);
        Some((module.name, function.name, function.arity + function.captures, closure.payload()[1..].to_vec()))
    }
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_string())
}
