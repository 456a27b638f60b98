//! The environment of a primitive: the heap, the process and the world of the run. A primitive cannot reach the
//! machine's stacks, and so can neither collect nor start the next run: every word that it holds remains valid while it
//! runs. The fields that outlive a primitive and that code outside of this crate can fill are either roots of every
//! collection or `Send`, and so free of words (see `value`).

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
    /// The running process.
    pub process: Box<Process>,
    pub world: World,
    pub language: &'static dyn Language,
    /// Steps left until the alarm and the memory beside the heap are checked. A primitive that works long on large data
    /// charges its share with `charge`.
    pub fuel: u64,
    /// The steps that remain after those of `fuel`.
    reserve: u64,
    /// The steps that were charged since the alarm was last checked.
    charged: u64,
    /// The alarm, which says whether the run must end, whatever it does.
    alarm: Option<Alarm>,
    /// The number of operations on shadows until the alarm is checked. They take longer than a step.
    until_alarm: u32,
    pub recorder: Recorder,
    /// The limits of the trace that instrumented code records.
    trace_limits: TraceLimits,
    /// Builds bitstrings. Its memory is reused.
    pub scratch: BitBuilder,
    /// The real runtime, for the few pure functions that are not worth reimplementing.
    pub foreign: Option<Box<dyn Foreign>>,
    /// The source of what functions outside did, if there is one.
    pub outside: Option<Box<dyn Elsewhere>>,
    /// Plays the function inputs of the run.
    pub player: Option<Box<dyn Player>>,
    pub(crate) program: Program,
    pub(crate) pending: Pending,
    /// The code that called the running primitive. Valid as long as the program.
    pub(crate) caller: *const Code,
    /// The number of calls of primitives.
    pub(crate) calls_of_primitives: u64,
}

/// The payload of the unwinding that ends a run when its alarm rings.
pub struct Interrupted;

/// The number of steps between two checks of the alarm, and that of operations on shadows.
const STEPS_UNTIL_ALARM: u64 = 50_000;
const SHADOWS_UNTIL_ALARM: u32 = 1_000;
/// The number of calls that a process makes before another one has its turn, about the same as on the BEAM.
const SLICE: u64 = 4_000;

/// The steps that are charged for a turn of a process with regard to the next check of the alarm: between a short turn
/// and a whole slice.
const STEPS_OF_TURN: u64 = 500;

/// The reason why a primitive does not simply return. The details are in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// An exception was set with `raise` or a similar method.
    Raise,
    /// A call was requested with `call`: its result is the primitive's.
    Call,
    /// A question for the player of the run's functions: see [`Player`].
    Ask(Question),
    /// A call was requested with `call_first`. After it has returned, the primitive is called again.
    CallFirst,
    /// The result of the primitive depends on the current calls: `Language::describe_stack` makes it.
    Stack,
    /// An event was recorded with `tell`. The last argument of the primitive is its result.
    Tell,
    /// The process cannot continue before a message arrives or time passes. Then the primitive is called again.
    Wait,
    /// Another process goes first. The primitive is called again at this one's next turn.
    Yield,
    /// The process abandons all current calls, and makes the one that was requested with `restart`.
    Restart,
    /// A signal that has reached the process ends it now. No handler sees it.
    End,
    /// The run ends with the outcome that was set with `stop`.
    Stop,
}

/// Plays function inputs: decides what they do when they are called. The steps of such a call are a program of the
/// language, which asks these questions. A player is `Send` because it outlives collections: it holds no words.
pub trait Player: Any + Send {
    /// Answers a question. `watched` says whether code outside of that program would catch an exception.
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
    /// Whether a function is new or one in scope. `(Function, Scope)`
    Resolve,
    /// The node of an observation. `(Table, Values, Scope)`
    LookUp,
    /// The action of a node. `(Node, Scope)`
    Choose,
    /// Whether an exception of a probe is caught. `(Table, Class, Reason, Scope)`
    Catch,
    /// Which function of a result is applied, and to which arguments. `(Result, Depth)`
    Continue,
    /// The next step of a client. `(Results)`, of all previous steps, the latest first.
    Act,
    /// How to go on after a step of a client has returned. `(Result, Results)`
    Acted,
    /// How to go on after a step of a client has raised an exception. `(Class, Reason, Trace, Results)`
    Refused,
}

/// An exception that is being raised.
#[derive(Clone, Copy, Debug)]
pub struct Exception {
    pub class: Class,
    pub reason: Word,
    pub trace: TraceStart,
}

/// The first entry of an exception's trace.
#[derive(Clone, Copy, Debug)]
pub enum TraceStart {
    /// The primitive that raised it, with its arguments, followed by its caller.
    Primitive,
    /// With the caller of the primitive.
    Caller,
    /// An entry with this value (as the language shows it), followed by the caller of the primitive.
    Entry(Word),
    /// The running function, with this list of arguments if it is known; `details` (a list) are shown after the place.
    Running { args: Option<Word>, details: Word },
    /// The trace of an exception that was raised before.
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
    /// Shows the words that a primitive has set. They remain set until a primitive asks for their use.
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
    /// An operation that makes the primitive's result from that of the call. `None` if they are the same.
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
    /// Makes a context for primitives only, without a program. Tests of primitives use it.
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

    /// Prepares the context for the next run.
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

    /// Notes that code calls a primitive.
    #[inline]
    pub(crate) fn enter_primitive(&mut self, caller: *const Code) {
        self.caller = caller;
        self.calls_of_primitives += 1;
    }

    /// Records that the result of the primitive comes from these surroundings, unless its caller does not depend on
    /// that.
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

    /// Returns whether a function is outside, and a source knows what it did.
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

    /// Records an event of instrumented code, at the depth of its stack.
    pub fn tell(&mut self, told: Told) -> Escape {
        self.pending.told = Some(told);
        Escape::Tell
    }

    /// Sets the limits of the trace that instrumented code records, from the next run on.
    pub fn set_trace_limits(&mut self, limits: TraceLimits) {
        self.trace_limits = limits;
    }

    pub fn stop(&mut self, why: Stop) -> Escape {
        self.pending.stop = Some(why);
        Escape::Stop
    }

    /// Returns whether other modules can call this function. Loads the module if necessary.
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

    /// Charges `steps` for long work inside a primitive. They are taken from the reserve, so that the number of calls
    /// that a process may make before another one has its turn does not depend on the size of values.
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

    /// Gives the running process the calls that it may make before the alarm and other processes are checked.
    pub(crate) fn take_fuel(&mut self) {
        let steps = self.steps_left();
        let slice = if self.world.is_alone() { STEPS_UNTIL_ALARM } else { SLICE };
        self.fuel = steps.min(slice);
        self.reserve = steps - self.fuel;
    }

    /// Counts work between the calls of processes. [`Context::look_if_due`] checks the alarm if it was enough.
    pub fn note_work(&mut self, steps: usize) {
        self.spend(steps as u64);
        self.charged += steps as u64;
    }

    /// Begins the turn of another process, for which `words` words of stacks were copied.
    pub(crate) fn take_turn(&mut self, words: usize) {
        self.note_work(words / WORDS_PER_STEP);
        self.take_fuel();
        self.charged += STEPS_OF_TURN;
        // The stack of a deep process is copied for a long turn only.
        let more = (words as u64 / 16).saturating_sub(self.fuel).min(self.reserve);
        self.fuel += more;
        self.reserve -= more;
    }

    /// Returns why the run must end now, if that is the case and enough work was done to check it again.
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

    /// Charges steps for work that was already done, as far as there are any left.
    pub(crate) fn spend(&mut self, steps: u64) {
        let rest = steps.saturating_sub(self.reserve);
        self.reserve = self.reserve.saturating_sub(steps);
        self.fuel = self.fuel.saturating_sub(rest);
    }

    /// Sets the size of the memory beside the heap: tables, arrays, messages.
    fn count_beside(&mut self) {
        let bytes = self.process.bytes() + self.world.bytes();
        self.heap.set_beside(bytes);
    }

    /// Checks the alarm from time to time. It is called before every operation on shadows.
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

    /// Collects garbage. `stack_words` is the size of the stacks, which determines the cost of scanning them.
    ///
    /// # Safety
    /// `stacks` shows every word that the machine keeps outside of the context and reads later.
    pub(crate) unsafe fn collect(&mut self, stack_words: usize, stacks: impl FnOnce(&mut Collector<'_>)) {
        // Touching memory is work for every caller. Otherwise a primitive that makes megabytes would count as one step.
        self.spend((self.heap.used() / WORDS_PER_STEP + self.heap.buffer_bytes() / (8 * WORDS_PER_STEP)) as u64);
        self.count_beside();
        // SAFETY: the words of the context are shown below, those of the language's state as its trait promises, and
        // those of the machine by `stacks`. There are no others.
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

/// The number of atoms that one run may make. They are never freed, so a run that makes them without end must end
/// early.
const MAX_ATOMS_MADE: usize = 100_000;
