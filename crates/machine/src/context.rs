//! What a primitive works with: the heap, the process and the world of the run. It cannot reach the
//! machine's stacks, and so can neither collect nor start the next run: every word that a primitive holds
//! stays good while it runs. The fields that outlive a primitive and that code outside of this crate can
//! fill are either roots of every collection or `Send`, and so free of words (see `value`).

use crate::compile::Code;
use crate::foreign::{Elsewhere, Foreign};
use crate::language::Language;
use crate::primitive::Primitive;
use crate::run::{NoModules, Program};
use crate::value::{BitBuilder, Collector, Heap, Word};
use crate::world::{Load, Process, World};
use path::{Alarm, Class, Recorder, Stop, Surrounding, Told, TraceLimits};
use program::Module;
use std::any::Any;
use std::sync::Arc;
use term::{Atom, Term};

pub struct Context {
    pub heap: Heap,
    /// The process that runs.
    pub process: Box<Process>,
    pub world: World,
    pub language: &'static dyn Language,
    /// Steps left until the alarm and the memory beside the heap are looked at. A primitive that works long on large
    /// data takes its share with `charge`.
    pub fuel: u64,
    /// The steps that are left after those.
    reserve: u64,
    /// What was charged since somebody looked at the alarm.
    charged: u64,
    /// Tells when the run is to end, whatever it does.
    alarm: Option<Alarm>,
    /// The number of operations on shadows until the alarm is asked. They take longer than a step.
    until_alarm: u32,
    pub recorder: Recorder,
    /// What is recorded of code that tells something of itself.
    trace_limits: TraceLimits,
    /// Builds bitstrings. Its memory is kept from one to the next.
    pub scratch: BitBuilder,
    /// The real runtime, for the few pure functions that nobody wants to write again.
    pub foreign: Option<Box<dyn Foreign>>,
    /// Who knows what functions that act on the outside did, if anybody does.
    pub outside: Option<Box<dyn Elsewhere>>,
    /// Plays the functions that are inputs of the run.
    pub player: Option<Box<dyn Player>>,
    pub(crate) program: Program,
    pub(crate) pending: Pending,
    /// The code that called the primitive which runs, as long as the program lives.
    pub(crate) caller: *const Code,
    /// How many primitives were called.
    pub(crate) calls_of_primitives: u64,
}

/// Payload of the unwinding that ends a run when its alarm rings.
pub struct Interrupted;

/// Steps, and operations on shadows, between two looks at the alarm.
const STEPS_UNTIL_ALARM: u64 = 50_000;
const SHADOWS_UNTIL_ALARM: u32 = 1_000;
/// Calls that a process makes before another one has its turn, about as many as on the BEAM.
const SLICE: u64 = 4_000;

/// What a turn of a process counts until the next look at the alarm: between a short turn and a whole slice.
const STEPS_OF_TURN: u64 = 500;

/// Why a primitive does not simply return. What it means in detail lies in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// An exception was set with `raise` and its kin.
    Raise,
    /// A call was requested with `call`: its result is the primitive's.
    Call,
    /// The player of the run's functions is asked: see [`Player`].
    Ask(Question),
    /// A call was requested with `call_first`. The primitive is called again when it has returned.
    CallFirst,
    /// The result of the primitive depends on the calls that are under way: `Language::describe_stack` makes it.
    Stack,
    /// Code told something of itself with `tell`. The last argument of the primitive is its result.
    Tell,
    /// The process cannot go on before a message comes or time passes. The primitive is called again then.
    Wait,
    /// Another process goes first. The primitive is called again when it is this one's turn.
    Yield,
    /// The process forgets all calls that are under way, and makes the one that was requested with `restart`.
    Restart,
    /// The signal that has reached the process ends it now, and no handler sees it.
    End,
    /// Nothing can go on: the run ends with the outcome set with `stop`.
    Stop,
}

/// Plays the functions that are inputs: it says what they do when they are called. How that goes, step by
/// step, is a program of the language, which asks these questions. It is `Send` because it outlives collections:
/// it holds no words.
pub trait Player: Any + Send {
    /// Answers a question. `watched` says whether anybody outside of that program would catch an exception.
    fn answer(
        &mut self,
        context: &mut Context,
        question: Question,
        args: &[Word],
        watched: bool,
    ) -> Result<Word, Escape>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What a function is: one of its own or one in scope. `(Function, Scope)`
    Resolve,
    /// What is behind an observation. `(Table, Values, Scope)`
    LookUp,
    /// What to do there. `(Node, Scope)`
    Choose,
    /// Whether an exception of a probe is caught. `(Table, Class, Reason, Scope)`
    Catch,
    /// Which function of a result is applied, and to what. `(Result, Depth)`
    Continue,
    /// What a client does next. `(Results)`, of all steps before, the latest first.
    Act,
    /// A step of a client has returned. `(Result, Results)`
    Acted,
    /// A step of a client has raised an exception. `(Class, Reason, Trace, Results)`
    Refused,
}

/// An exception that is being raised.
#[derive(Clone, Copy, Debug)]
pub struct Exception {
    pub class: Class,
    pub reason: Word,
    pub trace: TraceStart,
}

/// Where the trace of an exception begins.
#[derive(Clone, Copy, Debug)]
pub enum TraceStart {
    /// With the primitive that raised it and its arguments, then its caller.
    Primitive,
    /// With the caller of the primitive.
    Caller,
    /// With an entry of this value (as the language shows it), then the caller of the primitive.
    Entry(Word),
    /// With the running function, called with this list of arguments, if it is one; `details` (a list)
    /// are shown behind the place.
    Running { args: Option<Word>, details: Word },
    /// It is this one, of an exception raised before.
    Kept(Word),
}

#[derive(Default)]
pub(crate) struct Pending {
    pub exception: Option<Exception>,
    pub call: Option<CallRequest>,
    pub stop: Option<Stop>,
    pub told: Option<Told>,
}

impl Pending {
    /// Shows the words of what a primitive has set. It may not have asked for it, so that it stays until one does.
    fn roots(&mut self, collector: &mut Collector<'_>) {
        if let Some(exception) = &mut self.exception {
            collector.root(&mut exception.reason);
            match &mut exception.trace {
                TraceStart::Entry(word) | TraceStart::Kept(word) => collector.root(word),
                TraceStart::Running { args, details } => {
                    collector.roots(args);
                    collector.root(details);
                }
                TraceStart::Primitive | TraceStart::Caller => {}
            }
        }
        if let Some(CallRequest { target, args, finish: _ }) = &mut self.call {
            collector.roots(args);
            match target {
                CallTarget::Value(word) => collector.root(word),
                CallTarget::Named { .. } => {}
            }
        }
    }
}

pub(crate) struct CallRequest {
    pub target: CallTarget,
    pub args: Vec<Word>,
    /// An operation that makes the primitive's result from that of the call; without it they are one.
    pub finish: Option<&'static Primitive>,
}

pub enum CallTarget {
    /// A function value.
    Value(Word),
    Named {
        module: Atom,
        function: Atom,
    },
}

impl Context {
    /// Makes a context for primitives alone, without a program. Tests of primitives use it.
    ///
    /// # Safety
    /// No word of the context is read after it is dropped, and its heap is not exchanged for that of another one.
    pub unsafe fn new(memory: usize, language: &'static dyn Language, fuel: u64) -> std::io::Result<Context> {
        let heap = Heap::new(memory, language.key_order())?;
        let program = Program::new(language, Box::new(NoModules))?;
        Ok(Context::with_program(heap, language, fuel, program))
    }

    pub(crate) fn with_program(heap: Heap, language: &'static dyn Language, fuel: u64, program: Program) -> Context {
        let mut context = Context {
            heap,
            process: Box::new(Process::new(Word::NIL, Word::NIL, language.new_process_state())),
            world: World::new(language.new_state()),
            language,
            fuel,
            reserve: 0,
            charged: 0,
            alarm: None,
            until_alarm: 0,
            recorder: Recorder::default(),
            trace_limits: TraceLimits::default(),
            scratch: BitBuilder::default(),
            foreign: None,
            outside: None,
            player: None,
            program,
            pending: Pending::default(),
            caller: std::ptr::null(),
            calls_of_primitives: 0,
        };
        // SAFETY: a context that is new holds no words of its heap.
        unsafe { context.reset(fuel) };
        context
    }

    /// Makes it ready for the next run.
    ///
    /// # Safety
    /// No word of the run before is read afterwards, other than those in the context.
    pub(crate) unsafe fn reset(&mut self, fuel: u64) {
        // SAFETY: everything in the context that holds words is replaced below.
        unsafe { self.heap.reset() };
        let pid = self.heap.identity(crate::value::Kind::Pid, Term::OWN_PID);
        let dictionary = self.heap.empty_map();
        *self.process = Process::new(pid, dictionary, self.language.new_process_state());
        self.world.reset(self.language.new_state());
        self.allow_steps(fuel);
        self.until_alarm = SHADOWS_UNTIL_ALARM;
        self.recorder = Recorder::default();
        self.recorder.trace.limits = self.trace_limits.clone();
        self.pending = Pending::default();
        self.caller = std::ptr::null();
    }

    pub fn raise(&mut self, class: Class, reason: Word, trace: TraceStart) -> Escape {
        self.pending.exception = Some(Exception { class, reason, trace });
        Escape::Raise
    }

    /// Raises an error whose trace begins with the primitive.
    pub fn error(&mut self, reason: impl Into<Word>) -> Escape {
        self.raise(Class::Error, reason.into(), TraceStart::Primitive)
    }

    /// Raises the error `{tag, value}`.
    pub fn error_with(&mut self, tag: Atom, value: Word) -> Escape {
        let reason = self.heap.tuple(&[Word::atom(tag), value]);
        self.error(reason)
    }

    /// Returns the pid of the running process, for the program to see.
    pub fn own_pid(&mut self) -> Word {
        self.heap.hand_out_own_pid();
        self.process.pid
    }

    /// Takes note that code calls a primitive.
    #[inline]
    pub(crate) fn enter_primitive(&mut self, caller: *const Code) {
        self.caller = caller;
        self.calls_of_primitives += 1;
    }

    /// Records that what the primitive answers comes from there, unless that does not matter to its caller.
    pub fn asks(&mut self, surrounding: Surrounding) {
        // SAFETY: code is kept as long as the program is.
        let caller = unsafe { self.caller.as_ref() }.filter(|code| self.program.has_function(code.shown_as));
        if let Some(code) = caller {
            let (module, id) = self.program.function(code.shown_as);
            if self.language.is_indifferent(module.name, module.function(id).name, surrounding) {
                return;
            }
        }
        self.recorder.asks(surrounding);
    }

    /// Asks for a call whose result is that of the primitive.
    pub fn call(&mut self, target: CallTarget, args: Vec<Word>) -> Escape {
        self.pending.call = Some(CallRequest { target, args, finish: None });
        Escape::Call
    }

    /// Asks for a call. The result of the primitive is that of `finish`, applied to the result of the call.
    pub fn call_and(&mut self, target: CallTarget, args: Vec<Word>, finish: &'static Primitive) -> Escape {
        self.pending.call = Some(CallRequest { target, args, finish: Some(finish) });
        Escape::Call
    }

    /// Asks for a call, after which the primitive is called again.
    pub fn call_first(&mut self, target: CallTarget, args: Vec<Word>) -> Escape {
        self.pending.call = Some(CallRequest { target, args, finish: None });
        Escape::CallFirst
    }

    /// Asks for a call that is all that the process does from now on.
    pub fn restart(&mut self, target: CallTarget, args: Vec<Word>) -> Escape {
        self.pending.call = Some(CallRequest { target, args, finish: None });
        Escape::Restart
    }

    /// Whether a function acts on the outside, and somebody knows what it did there.
    pub fn is_outside(&self, module: Atom, function: Atom, arity: u32) -> bool {
        self.program.is_outside(module, function, arity)
    }

    /// Returns the application that a module belongs to, if a system can be without it and the program does not bring it along.
    pub fn optional_application(&self, module: Atom) -> Option<Atom> {
        self.program.optional_application(module)
    }

    /// Makes a function value that runs the code of a function of a loaded module, even if calls of that function are
    /// answered from samples.
    pub fn own_code_of(&mut self, module: Atom, function: Atom, arity: u32) -> Option<Word> {
        let number = self.program.own_code(self.program.number_of(module, function, arity)?);
        self.closure(number, &[])
    }

    /// Makes a closure of a function of a loaded module, found by its name and its arity without captures. There is
    /// none if the function has another number of captures.
    pub fn closure_of(&mut self, module: Atom, function: Atom, arity: u32, captures: &[Word]) -> Option<Word> {
        self.closure(self.program.number_of(module, function, arity)?, captures)
    }

    /// Makes a closure of a function, if it has as many captures.
    fn closure(&mut self, number: u32, captures: &[Word]) -> Option<Word> {
        let (module, id) = self.program.function(number);
        let function = module.function(id);
        if function.captures as usize != captures.len() {
            return None;
        }
        // SAFETY: the function is one of the program's, and its captures were counted.
        Some(unsafe { self.heap.closure(u64::from(number), function.arity as u8, captures) })
    }

    /// Adds a module that the source does not have.
    pub fn add_module(&mut self, module: Arc<Module>) {
        self.program.add(module);
    }

    /// Records what code tells of itself, at the depth of its stack.
    pub fn tell(&mut self, told: Told) -> Escape {
        self.pending.told = Some(told);
        Escape::Tell
    }

    /// Says what is recorded of the code that tells something of itself, from the next run on.
    pub fn set_trace_limits(&mut self, limits: TraceLimits) {
        self.trace_limits = limits;
    }

    pub fn stop(&mut self, why: Stop) -> Escape {
        self.pending.stop = Some(why);
        Escape::Stop
    }

    /// Returns whether other modules can call such a function. Loads the module if necessary.
    pub fn is_exported(&mut self, module: Atom, function: Atom, arity: u32) -> Result<bool, Escape> {
        if self.language.primitive(module, function, arity).is_some() {
            return Ok(true);
        }
        match self.program.exported(module, function, arity) {
            Ok(found) => Ok(found.is_some()),
            Err(why) => Err(self.stop(why)),
        }
    }

    /// Returns whether a module does something when it is loaded, and has not done it in this run.
    pub fn is_to_be_loaded(&mut self, name: Atom) -> Result<bool, Escape> {
        let found = self.program.module(name).map_err(|why| self.stop(why))?;
        let does_something = found.is_some_and(|index| self.program.has_on_load(index));
        Ok(does_something && self.world.loads.get(&name) != Some(&Load::Done))
    }

    /// Returns a module, which is loaded if necessary.
    pub fn module(&mut self, name: Atom) -> Result<Option<Arc<Module>>, Escape> {
        match self.program.module(name) {
            Ok(found) => Ok(found.map(|index| Arc::clone(self.program.loaded(index)))),
            Err(why) => Err(self.stop(why)),
        }
    }

    /// Takes the exception of the primitive that answered `Escape::Raise`.
    pub fn take_exception(&mut self) -> Option<Exception> {
        self.pending.exception.take()
    }

    /// Takes the outcome of the primitive that answered `Escape::Stop`.
    pub fn take_stop(&mut self) -> Option<Stop> {
        self.pending.stop.take()
    }

    /// Charges `steps` for long work inside a primitive. They are taken from what is not at hand, so that how many calls a
    /// process may make before another one has its turn does not depend on the size of values.
    pub fn charge(&mut self, steps: usize) -> Result<(), Escape> {
        let steps = steps as u64;
        self.charged += steps;
        if self.reserve >= steps && self.charged < STEPS_UNTIL_ALARM {
            self.reserve -= steps;
            return Ok(());
        }
        self.charged = 0;
        if self.steps_left() < steps {
            (self.fuel, self.reserve) = (0, 0);
            return Err(self.stop(Stop::StepLimit));
        }
        self.look_around().map_err(|why| self.stop(why))?;
        self.spend(steps);
        Ok(())
    }

    /// Allows the run this many steps from now on.
    pub fn allow_steps(&mut self, steps: u64) {
        self.fuel = steps.min(STEPS_UNTIL_ALARM);
        self.reserve = steps - self.fuel;
    }

    /// Returns how many steps the run may still take.
    pub fn steps_left(&self) -> u64 {
        self.fuel.saturating_add(self.reserve)
    }

    /// Makes sure that a call can be made, if the run may go on.
    #[cold]
    pub(crate) fn refuel(&mut self) -> Result<(), Stop> {
        if self.steps_left() == 0 {
            return Err(Stop::StepLimit);
        }
        self.look_around()?;
        self.take_fuel();
        Ok(())
    }

    /// Gives the running process the calls that it may make before somebody looks at the alarm and at other processes.
    pub(crate) fn take_fuel(&mut self) {
        let steps = self.steps_left();
        let slice = if self.world.is_alone() { STEPS_UNTIL_ALARM } else { SLICE };
        self.fuel = steps.min(slice);
        self.reserve = steps - self.fuel;
    }

    /// Counts work that lies between the calls of processes. [`Context::look_if_due`] sees to it.
    pub fn note_work(&mut self, steps: usize) {
        self.spend(steps as u64);
        self.charged += steps as u64;
    }

    /// Another process has its turn, for which so many words of stacks were copied.
    pub(crate) fn take_turn(&mut self, words: usize) {
        self.note_work(words / WORDS_PER_STEP);
        self.take_fuel();
        self.charged += STEPS_OF_TURN;
        // A deep stack is copied for a long turn only.
        let more = (words as u64 / 16).saturating_sub(self.fuel).min(self.reserve);
        self.fuel += more;
        self.reserve -= more;
    }

    /// Returns why the run must end now, if enough was done to look for that and it must.
    pub(crate) fn look_if_due(&mut self) -> Result<(), Stop> {
        if self.charged < STEPS_UNTIL_ALARM {
            return Ok(());
        }
        self.charged = 0;
        self.look_around()
    }

    /// Lets another process run at the next call.
    pub fn end_slice(&mut self) {
        self.reserve = self.steps_left();
        self.fuel = 0;
    }

    /// Returns why the run must end now, if it must.
    fn look_around(&mut self) -> Result<(), Stop> {
        if self.alarm.as_ref().is_some_and(|rings| rings()) {
            return Err(Stop::Interrupted);
        }
        self.count_beside();
        if self.heap.has_room_beside() { Ok(()) } else { Err(Stop::MemoryLimit) }
    }

    /// Charges steps for what was done already, as far as there are any left.
    pub(crate) fn spend(&mut self, steps: u64) {
        let rest = steps.saturating_sub(self.reserve);
        self.reserve = self.reserve.saturating_sub(steps);
        self.fuel = self.fuel.saturating_sub(rest);
    }

    /// Tells the heap how much lies beside it: tables, arrays, messages.
    fn count_beside(&mut self) {
        let bytes = self.process.bytes() + self.world.bytes();
        self.heap.set_beside(bytes);
    }

    /// Asks the alarm from time to time. It is called before every operation on shadows.
    #[inline]
    pub(crate) fn heed_alarm(&mut self) {
        match self.until_alarm.checked_sub(1) {
            Some(left) => self.until_alarm = left,
            None => self.look_at_alarm(),
        }
    }

    #[cold]
    fn look_at_alarm(&mut self) {
        self.until_alarm = SHADOWS_UNTIL_ALARM;
        if self.alarm.as_ref().is_some_and(|rings| rings()) {
            // This is no panic, so the hook is not called. The machine catches it.
            std::panic::resume_unwind(Box::new(Interrupted));
        }
    }

    /// Sets the alarm of the runs from now on, and returns the one before.
    pub(crate) fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm> {
        std::mem::replace(&mut self.alarm, alarm)
    }

    /// Makes an atom at run time. The number of atoms that a run may make is bounded.
    pub fn make_atom(&mut self, text: &str) -> Result<Word, Escape> {
        if let Some(atom) = Atom::existing(text) {
            return Ok(Word::atom(atom));
        }
        self.world.atoms_made += 1;
        match Atom::try_new(text) {
            Ok(atom) if self.world.atoms_made <= MAX_ATOMS_MADE => Ok(Word::atom(atom)),
            _ => Err(self.stop(Stop::AtomLimit)),
        }
    }

    /// Collects. `stack_words` is what the stacks take, which it costs to look through them.
    ///
    /// # Safety
    /// `stacks` shows every word that the machine keeps outside of the context and reads later.
    pub(crate) unsafe fn collect(&mut self, stack_words: usize, stacks: impl FnOnce(&mut Collector<'_>)) {
        // Touching memory is work, whoever asked for it. Otherwise a primitive that makes megabytes would be one step.
        self.spend((self.heap.used() / WORDS_PER_STEP + self.heap.buffer_bytes() / (8 * WORDS_PER_STEP)) as u64);
        self.count_beside();
        // SAFETY: the words of the context are shown below, those of the language's state as its trait promises, and
        // those of the machine by `stacks`. Nobody else has any.
        let mut collector = unsafe { self.heap.begin_collection() };
        self.process.roots(&mut collector);
        self.pending.roots(&mut collector);
        self.world.roots(&mut collector);
        stacks(&mut collector);
        collector.finish(stack_words);
    }
}

/// The number of allocated words that count as one step: far more than usual code takes for a call.
const WORDS_PER_STEP: usize = 64;

/// The number of atoms that one run may make. They are never freed, so that a run which makes them without end must
/// end early.
const MAX_ATOMS_MADE: usize = 100_000;
