//! The differences between languages: primitives, order, equality of numbers, and the exceptions that the machine
//! itself raises.

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
    /// Returns the row of a named function. It takes precedence over modules.
    fn primitive(&self, module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive>;

    /// Returns the row of an operation that has no name in the language (`program::Callee::Primitive`).
    fn operation(&self, name: Atom, arity: u32) -> Option<&'static Primitive>;

    /// Returns a row that replaces a function of the program if an argument that it inspects is symbolic. The row's
    /// concrete function is never called if no argument has a shadow.
    fn summary(&self, _module: Atom, _function: Atom, _arity: u32) -> Option<&'static Primitive> {
        None
    }

    /// Returns a row that does the same as a named one, for calls whose result is unused. It does not record where the
    /// result comes from.
    fn unread(&self, _row: &'static Primitive) -> Option<&'static Primitive> {
        None
    }

    /// Returns the module that rows of the kind `Meaning::Prelude` refer to.
    fn prelude(&self) -> Atom {
        Atom::new("beagle_prelude")
    }

    /// Returns the module and function that are called instead of a function that is known by samples, with its module,
    /// its name and a list of its arguments.
    fn sampler(&self) -> (Atom, Atom) {
        (Atom::new("beagle_samples"), Atom::new("call"))
    }

    /// Returns whether the body of a function only says that native code should have been loaded in its place.
    fn is_native_stub(&self, _function: &program::Function) -> bool {
        false
    }

    /// Returns whether the functions of a library return only their arguments and data that they make themselves:
    /// neither names that they read from texts nor functions from elsewhere.
    fn keeps_to_arguments(&self, _module: Atom) -> bool {
        false
    }

    /// Returns whether a module does something when it is loaded.
    fn has_on_load(&self, _module: &Module) -> bool {
        false
    }

    /// Returns a module and two functions of it. The first one is called, with a module's name, a function's and a list
    /// of arguments, when a module that does something when it is loaded is called for the first time in a run. The
    /// second one waits while the module does it.
    fn on_load_caller(&self) -> (Atom, Atom, Atom) {
        (Atom::new("beagle_load"), Atom::new("enter"), Atom::new("load"))
    }

    /// Compares two values in the total order of terms. Numbers are compared by value: 1 and 1.0 are `Equal` in Erlang.
    fn compare(&self, a: Word, b: Word) -> Ordering;

    /// Returns whether only the numbers of identities (pids, references, ports) decide their order.
    fn orders_arbitrarily(&self, _a: Word, _b: Word) -> bool {
        false
    }

    /// Returns whether `0.0` and `-0.0` are different terms.
    fn tells_zeros_apart(&self) -> bool {
        false
    }

    /// Returns whether `a` and `b` are equal, where numbers are compared by value at any depth.
    fn equal(&self, a: Word, b: Word) -> bool;

    /// Returns the order of keys in small maps: a total order in which only identical values are equal.
    fn key_order(&self) -> fn(Word, Word) -> Ordering;

    /// Raises the error for something that the machine itself cannot do.
    fn misuse(&self, context: &mut Context, misuse: Misuse) -> Escape;

    /// Makes the entry of a trace for a function of the program.
    fn trace_entry(&self, context: &mut Context, frame: TraceFrame<'_>) -> Word;

    /// Makes the entry of a trace for a primitive that raised.
    fn trace_primitive(&self, context: &mut Context, row: &'static Primitive, args: &[Word]) -> Word;

    /// Returns the function that users know in the place of one that only the language's own code calls.
    fn known_as(&self, function: FunctionName) -> FunctionName {
        function
    }

    /// Returns whether an operation has no entry in traces if it is an instruction of a function, and not called as a
    /// function. For operations that are arithmetic on any numbers, this applies only if the result is known to be a
    /// float.
    fn is_untraced(&self, _row: &'static Primitive) -> bool {
        false
    }

    /// Returns whether an exception refuses the call that raised it, which is the caller's fault. All other exceptions
    /// are crashes.
    fn refusal(&self, raised: &Raised) -> Option<Refusal>;

    /// Returns whether a function without a row may run. It is asked before the module is loaded.
    fn gate(&self, module: Atom, function: Atom, arity: u32) -> Gate;

    /// Makes the state of a run that only this language has.
    fn new_state(&self) -> Box<dyn LanguageState>;

    /// Makes the state of a process that only this language has.
    fn new_process_state(&self) -> Box<dyn LanguageState>;

    /// Returns the module and the function that apply a function to a list of arguments: `(Function, Args)` and
    /// `(Module, Function, Args)`.
    fn applier(&self) -> (Atom, Atom) {
        (Atom::new("erlang"), Atom::new("apply"))
    }

    /// Returns the exit reason of a process that has nothing more to do.
    fn normal_exit(&self) -> Word {
        Word::NIL
    }

    /// Returns the exit reason of a process that an exception has ended.
    fn exit_reason(&self, _context: &mut Context, exception: &Exception, _trace: Word) -> Word {
        exception.reason
    }

    /// Returns whether the end of a process with this reason is a failure.
    fn is_abnormal(&self, _context: &mut Context, _reason: Word) -> bool {
        true
    }

    /// Handles the end of a process that ended by itself or by a signal and is still in the world. The language removes
    /// it and notifies others.
    fn process_ended(&self, context: &mut Context, number: u64, _reason: Word) -> Result<(), Escape> {
        context.world.take(number);
        Ok(())
    }

    /// Advances the time to the next moment at which a process can run. Called if none can run now.
    fn pass_time(&self, _context: &mut Context) -> Passed {
        Passed::Never
    }

    /// Returns the next time at which a process can continue, in nanoseconds since the start of the run.
    fn next_moment(&self, _context: &mut Context) -> Option<u64> {
        None
    }

    /// Returns the function that a process runs, if it was started by a function that starts processes for others.
    fn initial_call(&self, _context: &mut Context, _number: u64) -> Option<FunctionName> {
        None
    }

    /// Returns an exception as it was first raised, if the language's own libraries have caught it and raised another
    /// one.
    fn first_raised(&self, raised: Raised) -> Raised {
        raised
    }

    /// Returns the name under which a process is registered.
    fn registered_name(&self, _context: &mut Context, _number: u64) -> Option<Atom> {
        None
    }

    /// Returns whether the program is unaffected by surroundings that a function of the language's own libraries asks
    /// for.
    fn is_indifferent(&self, _module: Atom, _function: Atom, _surrounding: Surrounding) -> bool {
        false
    }

    /// Returns whether an exception with this reason says that no answer came in time.
    fn is_unanswered(&self, _reason: Word) -> bool {
        false
    }

    /// Returns whether an exit with this reason says that the called process does not exist or has ended normally.
    fn is_lost(&self, _reason: &Term) -> bool {
        false
    }

    /// Returns whether an exit with this reason says so about a called process, not about the process that exits.
    fn is_lost_call(&self, _reason: &Term) -> bool {
        false
    }

    /// Returns the process, or its name, that was called according to an exit with this reason.
    fn callee<'t>(&self, _reason: &'t Term) -> Option<&'t Term> {
        None
    }

    /// Returns whether a term says that something has already been started and cannot be started again.
    fn is_started_twice(&self, _term: &Term) -> bool {
        false
    }

    /// Returns whether an exit with this reason says that the called process has not answered in time.
    fn is_left_waiting(&self, _reason: &Term) -> bool {
        false
    }

    /// Returns the result of a row that asked for the current calls, which are entries of a trace, the innermost first.
    fn describe_stack(&self, _context: &mut Context, _args: &[Word], entries: Word) -> Word {
        entries
    }

    /// Returns the processes from which a waiting process expects a message, as far as that is known.
    fn waits_for(&self, _context: &mut Context, _number: u64) -> Vec<u64> {
        Vec::new()
    }

    /// Returns whether the functions of a module implement conversations between processes. If a process waits in one,
    /// its caller is more informative.
    fn is_conversation(&self, _module: Atom) -> bool {
        false
    }

    /// Configures the program for a run that is about to start.
    fn configure(&self, _context: &mut Context, _configuration: &Arc<Term>) {}
}

/// The effect of letting time pass when no process can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// No process will ever run again.
    Never,
    /// A process can run.
    On,
    /// A process can run, but the main process only because it no longer waits for an answer that could never come.
    Unanswered,
}

/// The reason why a call was refused before the function did anything.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The arguments are outside the domain of the innermost function of the trace.
    OutsideDomain,
    /// A function was called with a wrong number of arguments.
    WrongArity { function: Arc<Fun>, args: Vec<Term> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The function runs as it is in the program.
    Open,
    /// The function acts on the world outside.
    Denied,
}

/// The part of a run's state that only its language knows. It is the only thing outside of this crate that keeps words
/// between primitives.
///
/// # Safety
/// [`LanguageState::roots`] shows every word that the state holds, and looks into none of them: during a collection, the
/// objects that they point to are incomplete.
pub unsafe trait LanguageState: Any {
    /// Shows all words to a collection, which replaces them.
    fn roots(&mut self, collector: &mut Collector<'_>);
    /// Shows everything that a run can observe of the state, in the same order for equal states. `time` is the time
    /// since the start of the run: states do not differ only because they are reached at different times.
    fn visit(&mut self, time: u64, see: &mut dyn FnMut(StatePart<'_>));
    /// Returns the size of its memory beside the heap, which also counts against the run's budget.
    fn bytes(&self) -> usize {
        0
    }
    /// Makes a copy with the same words.
    fn duplicate(&self) -> Box<dyn LanguageState>;
    fn as_any(&mut self) -> &mut dyn Any;
}

/// A part of the state of a run, for the comparison of states.
pub enum StatePart<'a> {
    /// A tuple or a map. Values inside of it can be replaced by others, but not the whole.
    Value(&'a mut Word),
    /// A value that cannot be replaced.
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
    /// There is no such module, no such function in it, or the function is not exported.
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
    /// A segment's value does not fit its type or its size, or its size is invalid.
    BadSegment {
        /// The index of the segment, from 0.
        index: usize,
        kind: BitKind,
        /// The segment's size in bits, if it is known.
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
