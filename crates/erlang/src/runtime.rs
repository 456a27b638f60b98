//! Erlang as the machine sees it: where its rows are found, how its terms compare, what it raises when
//! the machine itself cannot go on, and the state of a run that only Erlang has.

use crate::{bifs, order, otp};
use machine::value::Collector;
use machine::{
    Context, Escape, Gate, Language, LanguageState, Misuse, Primitive, Refusal, StatePart, TraceFrame, TraceStart, Word,
};
use path::{Class, Raised};
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;
use term::{Atom, Term, names};

pub struct Erlang;

pub static ERLANG: Erlang = Erlang;

/// What a run's world holds beyond what every language has. Words in it are roots.
#[derive(Default)]
pub struct ErlangState {
    pub ets: bifs::ets::Tables,
    /// A map, once something was put.
    pub persistent_terms: Option<Word>,
    /// A map of the keys that were erased from the process dictionary, once there is one.
    pub erased_keys: Option<Word>,
    /// Whether the whole dictionary was erased.
    pub is_dictionary_emptied: bool,
    /// Terms that were hashed in a run with shadows.
    pub hashed: Vec<Word>,
    /// A map, once something was put or asked for.
    pub application_environment: Option<Word>,
    /// The applications that are configured: see [`crate::configuration`].
    pub configuration: Option<Arc<Term>>,
    /// What `binary:compile_pattern/1` was given, by the number of the reference it answered with.
    pub patterns: FxHashMap<u64, Word>,
    /// What `re:compile` was given, by the number of the reference in what it answered with.
    pub expressions: bifs::expressions::Expressions,
    /// Processes that wait until a module is loaded.
    pub suspended: Vec<bifs::loading::Suspended>,
    /// Registered names and their pids.
    pub registered: FxHashMap<Atom, Word>,
    /// What the primitive that is about to raise knows of the reason; the trace tells it.
    pub error_cause: Option<Atom>,
    pub flags: bifs::process::Flags,
    pub timers: bifs::timers::Timers,
    /// Is a function that is known by samples being evaluated?
    pub is_sampling: bool,
    pub atomics: bifs::atomics::Arrays,
    /// What the arrays take.
    pub atomics_bytes: usize,
    /// Numbers of the references of monitors that have not reported.
    pub monitors: FxHashSet<u64>,
}

impl ErlangState {
    /// Of a run of Erlang.
    pub fn of(context: &mut Context) -> &mut ErlangState {
        context.world.state.as_any().downcast_mut().expect("the state was made by `ERLANG`")
    }
}

// SAFETY: `roots` shows every field that holds words; the parts that have words in them show theirs likewise.
unsafe impl LanguageState for ErlangState {
    fn roots(&mut self, collector: &mut Collector<'_>) {
        self.ets.roots(collector);
        collector.roots(&mut self.persistent_terms);
        collector.roots(&mut self.erased_keys);
        collector.roots(&mut self.hashed);
        collector.roots(&mut self.application_environment);
        collector.roots(self.patterns.values_mut());
        self.suspended.iter_mut().for_each(|suspended| suspended.roots(collector));
        collector.roots(self.registered.values_mut());
        self.flags.roots(collector);
        self.timers.roots(collector);
    }

    fn visit(&mut self, time: u64, see: &mut dyn FnMut(StatePart<'_>)) {
        self.ets.visit(see);
        for kept in [self.persistent_terms, self.application_environment] {
            see(StatePart::Fixed(kept.unwrap_or(Word::NIL)));
        }
        let mut patterns: Vec<(u64, Word)> = self.patterns.iter().map(|(number, word)| (*number, *word)).collect();
        patterns.sort_unstable_by_key(|(number, _)| *number);
        see(StatePart::Number(patterns.len() as u64));
        for (number, word) in patterns {
            see(StatePart::Number(number));
            see(StatePart::Fixed(word));
        }
        // What belongs to a reference never changes, and references are counted.
        see(StatePart::Number(self.expressions.len() as u64));
        let mut registered: Vec<(Atom, Word)> = self.registered.iter().map(|(name, pid)| (*name, *pid)).collect();
        registered.sort_unstable_by_key(|(name, _)| *name);
        see(StatePart::Number(registered.len() as u64));
        for (name, pid) in registered {
            see(StatePart::Fixed(Word::atom(name)));
            see(StatePart::Fixed(pid));
        }
        self.flags.visit(see);
        self.timers.visit(time, see);
        bifs::atomics::visit(&self.atomics, see);
        let mut monitors: Vec<u64> = self.monitors.iter().copied().collect();
        monitors.sort_unstable();
        see(StatePart::Number(monitors.len() as u64));
        monitors.into_iter().for_each(|number| see(StatePart::Number(number)));
    }

    fn bytes(&self) -> usize {
        /// An entry of a table of the state, with its key.
        const ENTRY: usize = 48;
        let entries = self.timers.len()
            + self.monitors.len()
            + self.patterns.len()
            + self.expressions.len()
            + self.registered.len()
            + self.hashed.len();
        self.ets.bytes() + self.atomics_bytes + entries * ENTRY
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Language for Erlang {
    fn primitive(&self, module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive> {
        bifs::find(module, function, arity)
    }

    fn operation(&self, name: Atom, arity: u32) -> Option<&'static Primitive> {
        bifs::find_operation(name, arity)
    }

    fn summary(&self, module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive> {
        bifs::find_summary(module, function, arity)
    }

    fn has_on_load(&self, module: &program::Module) -> bool {
        bifs::loading::function_of(module).is_some()
    }

    fn unread(&self, row: &'static Primitive) -> Option<&'static Primitive> {
        bifs::find_unread(row)
    }

    fn prelude(&self) -> Atom {
        Atom::new(crate::prelude::NAME)
    }

    fn compare(&self, a: Word, b: Word) -> Ordering {
        order::compare(a, b)
    }

    fn orders_arbitrarily(&self, a: Word, b: Word) -> bool {
        order::is_arbitrary(a, b)
    }

    fn tells_zeros_apart(&self) -> bool {
        otp::tells_zeros_apart()
    }

    fn equal(&self, a: Word, b: Word) -> bool {
        order::equal(a, b)
    }

    fn key_order(&self) -> fn(Word, Word) -> Ordering {
        order::key_order
    }

    fn misuse(&self, context: &mut Context, misuse: Misuse<'_>) -> Escape {
        let reason = match misuse {
            Misuse::NotAFunction { value } => context.heap.tuple(&[names::BADFUN.into(), value]),
            Misuse::WrongArity { function, args } => {
                let args = context.heap.list(args, Word::NIL);
                let call = context.heap.tuple(&[function, args]);
                context.heap.tuple(&[names::BADARITY.into(), call])
            }
            Misuse::Undefined { module, function, args } => {
                let args = context.heap.list(args, Word::NIL);
                let entry = context.heap.tuple(&[module, function, args, Word::NIL]);
                return context.raise(Class::Error, names::UNDEF.into(), TraceStart::Entry(entry));
            }
            Misuse::NotAName { module, function, args } => {
                let args = context.heap.list(args, Word::NIL);
                let args = context.heap.list(&[module, function, args], Word::NIL);
                let info = error_info(context, "erlang", None);
                let entry = context.heap.tuple(&[names::ERLANG.into(), names::APPLY.into(), args, info]);
                return context.raise(Class::Error, names::BADARG.into(), TraceStart::Entry(entry));
            }
            Misuse::NotAMap { value } => context.heap.tuple(&[names::BADMAP.into(), value]),
            Misuse::NoSuchKey { key } => context.heap.tuple(&[names::BADKEY.into(), key]),
            Misuse::BadSegment { value: _ } => names::BADARG.into(),
            Misuse::TooLong => names::SYSTEM_LIMIT.into(),
        };
        context.raise(Class::Error, reason, TraceStart::Caller)
    }

    fn trace_entry(&self, context: &mut Context, frame: TraceFrame<'_>) -> Word {
        let heap = &mut context.heap;
        let location = if frame.line == 0 {
            frame.details
        } else {
            let text = heap.string(frame.file);
            let file = heap.tuple(&[names::FILE.into(), text]);
            let line = heap.tuple(&[names::LINE.into(), Word::small(i64::from(frame.line))]);
            heap.list(&[file, line], frame.details)
        };
        let args = frame.args.unwrap_or(Word::small(i64::from(frame.arity)));
        heap.tuple(&[frame.module.into(), frame.function.into(), args, location])
    }

    fn trace_primitive(&self, context: &mut Context, row: &'static Primitive, args: &[Word]) -> Word {
        let cause = ErlangState::of(context).error_cause.take();
        let info = error_info(context, row.module, cause);
        let args = context.heap.list(args, Word::NIL);
        let name = |text| Word::atom(Atom::new(text));
        context.heap.tuple(&[name(row.module), name(row.name), args, info])
    }

    fn refusal(&self, raised: &Raised) -> Option<Refusal> {
        match &raised.reason {
            Term::Atom(names::FUNCTION_CLAUSE) => {
                let knows_args = raised.trace.first().is_some_and(|entry| entry.args.is_some());
                knows_args.then_some(Refusal::OutsideDomain)
            }
            Term::Tuple(parts) => match &**parts {
                [Term::Atom(names::BADARITY), Term::Tuple(call)] => match &**call {
                    [Term::Fun(function), args] => {
                        let (function, args) = (Arc::clone(function), args.as_list()?.to_vec());
                        Some(Refusal::WrongArity { function, args })
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    fn gate(&self, module: Atom, function: Atom, arity: u32) -> Gate {
        if bifs::effects::denied(module, function, arity) { Gate::Denied } else { Gate::Open }
    }

    fn new_state(&self) -> Box<dyn LanguageState> {
        Box::new(ErlangState::default())
    }

    fn configure(&self, context: &mut Context, configuration: &Arc<Term>) {
        ErlangState::of(context).configuration = Some(Arc::clone(configuration));
    }
}

/// `[{error_info, Map}]` of a native: who can explain its error, and the cause where it is known.
fn error_info(context: &mut Context, module: &str, cause: Option<Atom>) -> Word {
    let heap = &mut context.heap;
    let mut info = vec![(names::MODULE.into(), Word::atom(Atom::new(explaining_module(module))))];
    info.extend(cause.map(|cause| (names::CAUSE.into(), Word::atom(cause))));
    let info = heap.map_of(&info);
    let info = heap.tuple(&[names::ERROR_INFO.into(), info]);
    heap.list(&[info], Word::NIL)
}

/// The module of OTP that puts the errors of a module's natives into words.
fn explaining_module(module: &str) -> &'static str {
    match module {
        "binary" | "ets" | "io" | "lists" | "maps" | "math" | "re" | "string" | "unicode" => "erl_stdlib_errors",
        "code" | "os" => "erl_kernel_errors",
        _ => "erl_erts_errors",
    }
}
