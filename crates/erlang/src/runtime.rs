//! Erlang as the machine sees it: where its rows are, how its terms compare, what it raises when the machine itself
//! cannot continue, and the state of a run that only Erlang has.

use crate::bifs::process::ProcessState;
use crate::{bifs, order, otp};
use machine::value::Collector;
use machine::{
    Context, Domain, Escape, Exception, Gate, Language, LanguageState, Misuse, Passed, Primitive, Refusal, StatePart,
    TraceFrame, TraceStart, Word,
};
use path::{Class, Raised, Surrounding};
use program::BitKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;
use term::{Atom, FunctionName, Term, names};

pub struct Erlang;

pub static ERLANG: Erlang = Erlang;

/// Erlang's part of the state of a run's world. The words in it are roots.
#[derive(Clone, Default)]
pub struct ErlangState {
    pub ets: bifs::ets::Tables,
    /// A map, once a term was stored.
    pub persistent_terms: Option<Word>,
    /// Terms that were hashed in a run with shadows.
    pub hashed: Vec<Word>,
    /// A map, once the environment was read or changed.
    pub application_environment: Option<Word>,
    /// The configured applications: see [`crate::configuration`].
    pub configuration: Option<Arc<Term>>,
    /// The patterns that were given to `binary:compile_pattern/1`, by the number of the reference that it returned.
    pub patterns: FxHashMap<u64, Word>,
    /// The patterns and options that were given to `re:compile`, by the number of the reference in its result.
    pub expressions: bifs::expressions::Expressions,
    /// Registered names and the numbers of their processes.
    pub registered: FxHashMap<Atom, u64>,
    /// Names that a process of the run has or had.
    pub known_names: FxHashSet<Atom>,
    /// References that messages can be sent to, by their numbers.
    pub aliases: FxHashMap<u64, bifs::process::Alias>,
    /// The applications that run, and the numbers of their masters if they have processes.
    pub running: Vec<(Atom, Option<u64>)>,
    /// A detail about the error that a primitive is about to raise, for the trace.
    pub error_cause: Option<Atom>,
    pub timers: bifs::process::timers::Timers,
    /// Whether a function that is known by samples is being evaluated.
    pub is_sampling: bool,
    pub atomics: bifs::atomics::Arrays,
    /// The memory that the arrays take.
    pub atomics_bytes: usize,
}

/// The depth to which the reason of an error is searched.
const DEEPEST_REASON: u32 = 8;

impl ErlangState {
    /// Returns the state of the current run.
    pub fn of(context: &mut Context) -> &mut ErlangState {
        context.world.state.as_any().downcast_mut().expect("the state was made by `ERLANG`")
    }
}

// SAFETY: `roots` shows every field that holds words; parts that contain words show theirs in the same way.
unsafe impl LanguageState for ErlangState {
    fn roots(&mut self, collector: &mut Collector<'_>) {
        self.ets.roots(collector);
        collector.roots(&mut self.persistent_terms);
        collector.roots(&mut self.hashed);
        collector.roots(&mut self.application_environment);
        collector.roots(self.patterns.values_mut());
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
        // The entry of a reference never changes, so it suffices to count the references.
        see(StatePart::Number(self.expressions.len() as u64));
        let mut registered: Vec<(Atom, u64)> = self.registered.iter().map(|(name, pid)| (*name, *pid)).collect();
        registered.sort_unstable_by_key(|(name, _)| *name);
        see(StatePart::Number(registered.len() as u64));
        for (name, pid) in registered {
            see(StatePart::Fixed(Word::atom(name)));
            see(StatePart::Number(pid));
        }
        self.timers.visit(time, see);
        bifs::atomics::visit(&self.atomics, see);
        let mut aliases: Vec<u64> = self.aliases.keys().copied().collect();
        aliases.sort_unstable();
        see(StatePart::Number(aliases.len() as u64));
        aliases.into_iter().for_each(|number| see(StatePart::Number(number)));
    }

    fn bytes(&self) -> usize {
        /// The size of an entry in a table of the state, with its key.
        const ENTRY: usize = 48;
        let entries = self.timers.len()
            + self.aliases.len()
            + self.patterns.len()
            + self.expressions.len()
            + self.registered.len()
            + self.hashed.len();
        self.ets.bytes() + self.atomics_bytes + entries * ENTRY
    }

    fn duplicate(&self) -> Box<dyn LanguageState> {
        Box::new(self.clone())
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Erlang {
    /// Returns why a call of another process failed: the reason in `{Reason, {gen_server, call, Args}}`.
    fn call_of<'r>(&self, reason: &'r Term) -> Option<&'r Term> {
        let Some([why, call]) = reason.as_tuple() else { return None };
        match call.as_tuple() {
            Some([Term::Atom(module), _, _]) if self.is_conversation(*module) => Some(why),
            _ => None,
        }
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

    fn new_process_state(&self) -> Box<dyn LanguageState> {
        Box::new(ProcessState::default())
    }

    fn normal_exit(&self) -> Word {
        names::NORMAL.into()
    }

    fn exit_reason(&self, context: &mut Context, exception: &Exception, trace: Word) -> Word {
        bifs::process::exit_reason(context, exception, trace)
    }

    fn is_abnormal(&self, context: &mut Context, reason: Word) -> bool {
        bifs::process::is_abnormal(context, reason)
    }

    fn process_ended(&self, context: &mut Context, number: u64, reason: Word) -> Result<(), Escape> {
        bifs::process::process_ended(context, number, reason)
    }

    fn is_indifferent(&self, module: Atom, function: Atom, surrounding: Surrounding) -> bool {
        // The results of these functions depend on the surroundings.
        const TELLING: [(&str, &str); 5] = [
            ("gen", "do_for_proc"),
            ("gen", "get_parent"),
            ("proc_lib", "init_ack"),
            ("proc_lib", "init_fail"),
            ("rpc", "pinfo"),
        ];
        match surrounding {
            _ if TELLING.contains(&(module.text(), function.text())) => false,
            Surrounding::Node | Surrounding::Process | Surrounding::Time | Surrounding::Logger | Surrounding::Code => {
                self.is_conversation(module)
            }
            // Reports of crashes list dictionaries and links, and only the logger reads them.
            Surrounding::HashOrder | Surrounding::Identities => {
                let reports = ["error_info", "report_error", "report_terminate"];
                module.text() == "proc_lib" || self.is_conversation(module) && reports.contains(&function.text())
            }
            // Starting a server involves looking up its name first.
            Surrounding::Processes => (module.text(), function.text()) == ("gen", "where"),
            _ => false,
        }
    }

    fn is_unanswered(&self, reason: Word) -> bool {
        let parts = reason.concrete().as_tuple().map(<[Word]>::to_vec).unwrap_or_default();
        // Only `{timeout, {gen_server, call, Args}}` counts: programs may raise other timeouts of their own.
        let call = parts.get(1).map_or(Word::NIL, |call| call.concrete());
        let called = call.as_tuple().filter(|call| call.len() == 3).and_then(|call| call[0].concrete().as_atom());
        parts.len() == 2
            && parts[0].concrete() == Word::atom(names::TIMEOUT)
            && called.is_some_and(|module| self.is_conversation(module))
    }

    fn is_lost_call(&self, reason: &Term) -> bool {
        self.call_of(reason).is_some_and(|why| self.is_lost(why))
    }

    fn callee<'t>(&self, reason: &'t Term) -> Option<&'t Term> {
        let [_, call] = reason.as_tuple()? else { return None };
        call.as_tuple()?.get(2)?.as_list()?.first()
    }

    fn is_lost(&self, reason: &Term) -> bool {
        let is_ended = |reason: &Term| match (reason, reason.as_tuple()) {
            (Term::Atom(name), _) => {
                matches!(name.text(), "noproc" | "normal" | "shutdown" | "killed" | "calling_self" | "nodedown")
            }
            // `{shutdown, _}`, `{nodedown, _}`
            (_, Some([Term::Atom(tag), _])) => matches!(tag.text(), "shutdown" | "nodedown"),
            _ => false,
        };
        is_ended(reason) || self.call_of(reason).is_some_and(is_ended)
    }

    fn is_started_twice(&self, term: &Term) -> bool {
        // `{error, {already_started, Pid}}`, `{badmatch, {error, {already_started, Pid}}}`
        fn within(term: &Term, depth: u32) -> bool {
            match term.as_tuple() {
                Some([Term::Atom(tag), _]) if tag.text() == "already_started" => true,
                Some(parts) => depth > 0 && parts.iter().any(|part| within(part, depth - 1)),
                None => false,
            }
        }
        within(term, DEEPEST_REASON)
    }

    fn is_left_waiting(&self, reason: &Term) -> bool {
        self.call_of(reason) == Some(&Term::Atom(names::TIMEOUT))
    }

    fn pass_time(&self, context: &mut Context) -> Passed {
        bifs::process::timers::pass_time(context)
    }

    fn next_moment(&self, context: &mut Context) -> Option<u64> {
        bifs::process::timers::next_moment(context)
    }

    fn initial_call(&self, context: &mut Context, number: u64) -> Option<FunctionName> {
        bifs::process::initial_call(context, number)
    }

    fn first_raised(&self, raised: Raised) -> Raised {
        bifs::process::first_raised(raised)
    }

    fn registered_name(&self, context: &mut Context, number: u64) -> Option<Atom> {
        context.process_of(number).and_then(|process| ProcessState::of(process).name())
    }

    fn describe_stack(&self, context: &mut Context, args: &[Word], entries: Word) -> Word {
        bifs::process::on_stack(context, args, entries)
    }

    fn waits_for(&self, context: &mut Context, number: u64) -> Vec<u64> {
        bifs::process::waits_for(context, number)
    }

    fn is_conversation(&self, module: Atom) -> bool {
        const MODULES: [&str; 17] = [
            "Elixir.Agent", "Elixir.DynamicSupervisor", "Elixir.GenServer", "Elixir.Supervisor", "Elixir.Task",
            "beagle_client", "beagle_processes", "erlang", "gen", "gen_event", "gen_server", "gen_statem", "proc_lib",
            "rpc", "supervisor", "sys", "timer",
        ];
        MODULES.contains(&module.text())
    }

    fn is_native_stub(&self, function: &program::Function) -> bool {
        bifs::loading::is_native_stub(function)
    }

    fn keeps_to_arguments(&self, module: Atom) -> bool {
        matches!(
            module.text(),
            "lists"
                | "maps"
                | "string"
                | "binary"
                | "math"
                | "proplists"
                | "dict"
                | "orddict"
                | "sets"
                | "ordsets"
                | "gb_trees"
                | "gb_sets"
                | "queue"
                | "array"
                | "unicode"
                | "unicode_util"
                | "base64"
                | "calendar"
                | "filename"
                | "rand"
                | "timer"
                | "gen_server"
                | "gen_statem"
                | "gen_event"
                | "gen"
                | "proc_lib"
                | "supervisor"
                | "erl_anno"
                | "digraph"
                | "digraph_utils"
                | "zlib"
                | "crypto"
                | "re"
                | "uri_string"
                | "Elixir.Enum"
                | "Elixir.String"
                | "Elixir.Map"
                | "Elixir.MapSet"
                | "Elixir.Keyword"
                | "Elixir.List"
                | "Elixir.Integer"
                | "Elixir.Float"
                | "Elixir.Tuple"
                | "Elixir.Range"
                | "Elixir.Stream"
                | "Elixir.Regex"
        )
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
            Misuse::BadSegment { index, kind, bits, value, is_size } => {
                let cause = segment_cause(context, kind, bits, value, is_size);
                return bad_segment(context, index, cause);
            }
            Misuse::TooLong => names::SYSTEM_LIMIT.into(),
        };
        context.raise(Class::Error, reason, TraceStart::Caller)
    }

    fn trace_entry(&self, context: &mut Context, frame: TraceFrame<'_>) -> Word {
        let heap = &mut context.heap;
        let location = if frame.line == 0 || PRELOADED.contains(&frame.module.text()) {
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
        // The operator is another name for the function.
        let function = if row.name == "!" { "send" } else { row.name };
        context.heap.tuple(&[name(row.module), name(function), args, info])
    }

    fn known_as(&self, function: FunctionName) -> FunctionName {
        bifs::known_as(function)
    }

    /// OTP's compiler uses instructions for floats, which do not know the functions that they implement.
    fn is_untraced(&self, row: &'static Primitive) -> bool {
        row.module == "erlang" && row.arity() == 2 && matches!(row.name, "+" | "-" | "*" | "/")
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

/// Returns `[{error_info, Map}]` for a native: the module that can explain its error, and the cause if it is known.
fn error_info(context: &mut Context, module: &str, cause: Option<Atom>) -> Word {
    let heap = &mut context.heap;
    let mut info = vec![(names::MODULE.into(), Word::atom(Atom::new(explaining_module(module))))];
    info.extend(cause.map(|cause| (names::CAUSE.into(), Word::atom(cause))));
    let info = heap.map_of(&info);
    let info = heap.tuple(&[names::ERROR_INFO.into(), info]);
    heap.list(&[info], Word::NIL)
}

/// Returns the problem with a segment of a bitstring and the value at fault, in OTP's form: `{Type, Problem, Value}`.
fn segment_cause(
    context: &mut Context,
    kind: BitKind,
    bits: Option<usize>,
    value: Word,
    is_size: bool,
) -> (&'static str, &'static str, Word) {
    let (kind, what) = match kind {
        BitKind::Integer => ("integer", "type"),
        BitKind::Float => match bits {
            _ if !context.is_within(Domain::Number, value) => ("float", "type"),
            Some(16 | 32 | 64) | None => ("float", "no_float"),
            Some(bits) if !is_size => return ("float", "invalid", Word::small(bits as i64)),
            Some(_) => ("float", "size"),
        },
        BitKind::Bits => match value.as_bits() {
            None => ("binary", "type"),
            Some(value) if bits.is_some_and(|bits| bits > value.len()) => ("binary", "short"),
            Some(_) => ("binary", "unit"),
        },
        BitKind::Utf8 => ("utf8", "type"),
        BitKind::Utf16 => ("utf16", "type"),
        BitKind::Utf32 => ("utf32", "type"),
    };
    (kind, if is_size { "size" } else { what }, value)
}

/// Raises the error for a segment of a bitstring. Its entry in the stack trace has the cause as a detail.
fn bad_segment(context: &mut Context, index: usize, (kind, what, value): (&str, &str, Word)) -> Escape {
    let [kind, what, function, explaining] =
        [kind, what, "format_bs_fail", "erl_erts_errors"].map(|text| Word::atom(Atom::new(text)));
    let heap = &mut context.heap;
    let cause = heap.tuple(&[Word::small(index as i64 + 1), kind, what, value]);
    let keys = [names::CAUSE.into(), Word::atom(Atom::new("function")), names::MODULE.into()];
    let info = heap.map_of(&[(keys[0], cause), (keys[1], function), (keys[2], explaining)]);
    let info = heap.tuple(&[names::ERROR_INFO.into(), info]);
    let details = heap.list(&[info], Word::NIL);
    context.raise(Class::Error, names::BADARG.into(), TraceStart::Running { args: None, details })
}

/// Modules that every runtime contains before it reads a file. Their code has no line numbers.
const PRELOADED: [&str; 19] = [
    "atomics", "counters", "erl_init", "erl_tracer", "erlang", "erts_code_purger", "erts_dirty_process_signal_handler",
    "erts_internal", "erts_literal_area_collector", "init", "persistent_term", "prim_buffer", "prim_eval", "prim_file",
    "prim_inet", "prim_net", "prim_socket", "prim_zip", "zlib",
];

/// Returns the module of OTP that explains the errors of a module's natives.
fn explaining_module(module: &str) -> &'static str {
    match module {
        "binary" | "ets" | "io" | "lists" | "maps" | "math" | "re" | "string" | "unicode" => "erl_stdlib_errors",
        "code" | "os" => "erl_kernel_errors",
        _ => "erl_erts_errors",
    }
}
