//! What differs between languages: primitives, order, equality of numbers, and the exceptions that the machine itself
//! raises.

use crate::context::{Context, Escape, Exception};
use crate::primitive::Primitive;
use crate::value::{Collector, Word};
use path::{Raised, Surrounding};
use program::{BitKind, Module};
use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;
use term::{Atom, Fun, FunctionName, Term};

pub trait Language: Sync {
    /// The row of a named function. It takes precedence over modules.
    fn primitive(&self, module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive>;

    /// The row of an operation that has no name in the language (`program::Callee::Primitive`).
    fn operation(&self, name: Atom, arity: u32) -> Option<&'static Primitive>;

    /// A row that replaces a function of the program if an argument that it inspects is symbolic. Its concrete function is
    /// never called with arguments without shadows.
    fn summary(&self, _module: Atom, _function: Atom, _arity: u32) -> Option<&'static Primitive> {
        None
    }

    /// A row that does the same as a named one, for calls whose result is unused. It does not record where the result
    /// comes from.
    fn unread(&self, _row: &'static Primitive) -> Option<&'static Primitive> {
        None
    }

    /// The module that rows of the kind `Meaning::Prelude` refer to.
    fn prelude(&self) -> Atom {
        Atom::new("beagle_prelude")
    }

    /// The module and function that are called instead of a function that is known by samples, with its module, its name
    /// and a list of its arguments.
    fn sampler(&self) -> (Atom, Atom) {
        (Atom::new("beagle_samples"), Atom::new("call"))
    }

    /// Whether the body of a function only says that native code should have been loaded in its place.
    fn is_native_stub(&self, _function: &program::Function) -> bool {
        false
    }

    /// Whether the functions of a library deliver only what they are given and data that they make themselves: neither names
    /// that they read from texts nor functions from elsewhere.
    fn keeps_to_arguments(&self, _module: Atom) -> bool {
        false
    }

    /// Returns whether a module does something when it is loaded.
    fn has_on_load(&self, _module: &Module) -> bool {
        false
    }

    /// A module and two functions of it. The first one is called, with a module's name, a function's and a list of
    /// arguments, where a module that does something when it is loaded is called for the first time in a run. The
    /// second one waits while the module does it.
    fn on_load_caller(&self) -> (Atom, Atom, Atom) {
        (Atom::new("beagle_load"), Atom::new("enter"), Atom::new("load"))
    }

    /// The total order of terms. Equal means equal as numbers are: `Equal` for 1 and 1.0 in Erlang.
    fn compare(&self, a: Word, b: Word) -> Ordering;

    /// Returns whether only the numbers of identities (pids, references, ports) decide their order.
    fn orders_arbitrarily(&self, _a: Word, _b: Word) -> bool {
        false
    }

    /// Whether `0.0` and `-0.0` are different terms.
    fn tells_zeros_apart(&self) -> bool {
        false
    }

    /// Returns whether `a` and `b` are equal, where numbers are compared by value at any depth.
    fn equal(&self, a: Word, b: Word) -> bool;

    /// The order of keys in small maps: total, distinguishing what `identical` does.
    fn key_order(&self) -> fn(Word, Word) -> Ordering;

    /// Raises the error for something that the machine itself cannot do.
    fn misuse(&self, context: &mut Context, misuse: Misuse) -> Escape;

    /// Makes the entry of a trace for a function of the program.
    fn trace_entry(&self, context: &mut Context, frame: TraceFrame<'_>) -> Word;

    /// Makes the entry of a trace for a primitive that raised.
    fn trace_primitive(&self, context: &mut Context, row: &'static Primitive, args: &[Word]) -> Word;

    /// The function that people know, of one that only the language's own code calls.
    fn known_as(&self, function: FunctionName) -> FunctionName {
        function
    }

    /// Whether an operation that is an instruction of its own in a function has no entry in traces there, other than where it
    /// is called as a function. Of the operations that are arithmetic on any numbers, those are meant whose result is known to
    /// be a float where they stand.
    fn is_untraced(&self, _row: &'static Primitive) -> bool {
        false
    }

    /// Whether an exception refuses the call that raised it, which is the caller's fault. All other exceptions are
    /// crashes.
    fn refusal(&self, raised: &Raised) -> Option<Refusal>;

    /// Returns whether a function without a row may run. It is asked before the module is loaded.
    fn gate(&self, module: Atom, function: Atom, arity: u32) -> Gate;

    /// Makes the state of a run that only this language has.
    fn new_state(&self) -> Box<dyn LanguageState>;

    /// Makes what only this language knows of a process.
    fn new_process_state(&self) -> Box<dyn LanguageState>;

    /// The module and the function that apply a function to a list of arguments: `(Function, Args)` and `(Module,
    /// Function, Args)`.
    fn applier(&self) -> (Atom, Atom) {
        (Atom::new("erlang"), Atom::new("apply"))
    }

    /// The reason with which a process ends that has nothing more to do.
    fn normal_exit(&self) -> Word {
        Word::NIL
    }

    /// The reason with which a process ends that an exception has ended.
    fn exit_reason(&self, _context: &mut Context, exception: &Exception, _trace: Word) -> Word {
        exception.reason
    }

    /// Whether such an end of a process is a failure.
    fn is_abnormal(&self, _context: &mut Context, _reason: Word) -> bool {
        true
    }

    /// A process has ended by itself or by a signal, and lies in the world still. The language takes it out and tells others.
    fn process_ended(&self, context: &mut Context, number: u64, _reason: Word) -> Result<(), Escape> {
        context.world.take(number);
        Ok(())
    }

    /// Nobody can run: moves the time to the next moment at which somebody can.
    fn pass_time(&self, _context: &mut Context) -> Passed {
        Passed::Never
    }

    /// The next moment at which time lets somebody go on, in nanoseconds since the start of the run.
    fn next_moment(&self, _context: &mut Context) -> Option<u64> {
        None
    }

    /// The function that a process runs, where it was started by a function that starts processes for others.
    fn initial_call(&self, _context: &mut Context, _number: u64) -> Option<FunctionName> {
        None
    }

    /// An exception as it was raised first, where the language's own libraries have caught it and raised another one.
    fn first_raised(&self, raised: Raised) -> Raised {
        raised
    }

    /// The name under which a process is registered.
    fn registered_name(&self, _context: &mut Context, _number: u64) -> Option<Atom> {
        None
    }

    /// Whether what a function of the language's own libraries asks its surroundings for makes no difference to the
    /// program.
    fn is_indifferent(&self, _module: Atom, _function: Atom, _surrounding: Surrounding) -> bool {
        false
    }

    /// Whether an exception with this reason says that nobody has answered in time.
    fn is_unanswered(&self, _reason: Word) -> bool {
        false
    }

    /// Whether an exit with this reason says that the process that was called is not there, or has ended as it should.
    fn is_lost(&self, _reason: &Term) -> bool {
        false
    }

    /// Whether an exit with this reason says so of a process that was called, and not of whoever exits.
    fn is_lost_call(&self, _reason: &Term) -> bool {
        false
    }

    /// The process, or its name, that an exit with this reason says was called.
    fn callee<'t>(&self, _reason: &'t Term) -> Option<&'t Term> {
        None
    }

    /// Whether a term says that something was started before, which cannot be started twice.
    fn is_started_twice(&self, _term: &Term) -> bool {
        false
    }

    /// Whether an exit with this reason says that a process that was called has not answered in time.
    fn is_left_waiting(&self, _reason: &Term) -> bool {
        false
    }

    /// The result of a row that asked for the calls under way, which are entries of a trace, the innermost first.
    fn describe_stack(&self, _context: &mut Context, _args: &[Word], entries: Word) -> Word {
        entries
    }

    /// The processes that a waiting process expects a message from, as far as that is known.
    fn waits_for(&self, _context: &mut Context, _number: u64) -> Vec<u64> {
        Vec::new()
    }

    /// Whether the functions of a module are parts of conversations between processes: where somebody waits in one, its
    /// caller says more.
    fn is_conversation(&self, _module: Atom) -> bool {
        false
    }

    /// Gives a run that is about to start what is configured for the program.
    fn configure(&self, _context: &mut Context, _configuration: &Arc<Term>) {}
}

/// What the time brings when nobody can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// Nobody will ever run again.
    Never,
    /// Somebody can run.
    On,
    /// Likewise, but the main process only because it no longer waits for an answer that could never come.
    Unanswered,
}

/// Why a call was refused before the function did anything.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The arguments are outside the domain of the innermost function of the trace.
    OutsideDomain,
    /// A function was called with a wrong number of arguments.
    WrongArity { function: Arc<Fun>, args: Vec<Term> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The function runs as the program has it.
    Open,
    /// The function acts on the world outside.
    Denied,
}

/// What a run holds that only its language knows. It is the one thing outside of this crate that keeps words from
/// one primitive to the next.
///
/// # Safety
/// [`LanguageState::roots`] shows every word that the state holds, and looks into none of them: while a collection is
/// under way, what they point to is not whole.
pub unsafe trait LanguageState: Any {
    /// Shows all words to a collection, which moves what they stand for.
    fn roots(&mut self, collector: &mut Collector<'_>);
    /// Shows everything that a run can come to know of the state, in the same order for equal states. `time` is what
    /// passed since the start of the run: a state does not differ by when it is reached.
    fn visit(&mut self, time: u64, see: &mut dyn FnMut(StatePart<'_>));
    /// Returns how much memory it takes beside the heap, which counts against the run's budget as well.
    fn bytes(&self) -> usize {
        0
    }
    /// Makes a copy with the same words.
    fn duplicate(&self) -> Box<dyn LanguageState>;
    fn as_any(&mut self) -> &mut dyn Any;
}

/// A part of the state of a run, for the comparison of states.
pub enum StatePart<'a> {
    /// A tuple or a map: values inside of it may be replaced by others, but not as a whole.
    Value(&'a mut Word),
    /// Something that cannot be replaced.
    Fixed(Word),
    Number(u64),
}

pub enum Misuse<'a> {
    /// A value that is not a function was applied.
    NotAFunction {
        value: Word,
    },
    WrongArity {
        function: Word,
        args: &'a [Word],
    },
    /// No such module, no such function in it, or not exported.
    Undefined {
        module: Word,
        function: Word,
        args: &'a [Word],
    },
    /// Module or function of a computed call is not a name.
    NotAName {
        module: Word,
        function: Word,
        args: &'a [Word],
    },
    /// A map update of something that is not a map.
    NotAMap {
        value: Word,
    },
    /// A map update of a required key that does not exist.
    NoSuchKey {
        key: Word,
    },
    /// A segment's value does not fit its type or its size, or it has no size that could be one.
    BadSegment {
        /// Its place among the segments, from 0.
        index: usize,
        kind: BitKind,
        /// Its size in bits, if it is known.
        bits: Option<usize>,
        /// The value, or the size if that is wrong.
        value: Word,
        is_size: bool,
    },
    /// A bitstring that exceeds the largest size.
    TooLong,
}

pub struct TraceFrame<'a> {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    /// The list of arguments, if the call itself is at fault.
    pub args: Option<Word>,
    pub file: &'a str,
    pub line: u32,
    /// Further details of the place, as a list.
    pub details: Word,
}
