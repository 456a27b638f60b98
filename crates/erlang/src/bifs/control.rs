//! Raising, calling, and functions as values.

use super::kinds::as_beam_small;
use super::operations::trace_of_entries;
use super::{badarg, rows};
use machine::{CallTarget, Context, Escape, Primitive, TraceStart, Word, list_items};
use path::{Class, Concretised, Stop, Surrounding};
use term::{Atom, Fun, FunctionName, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Arguments;
    "error" (Any) -> Never, badarg, error, Keeps;
    "error" (Any, Any) -> Never, badarg, error_with_args, Meaning::Effect(&[Moved, Top]);
    "error" (Any, Any, Any) -> Never, badarg, error_with_options, Meaning::Effect(&[Moved, Top, Deep]);
    "exit" (Any) -> Never, badarg, exit, Keeps;
    "throw" (Any) -> Never, badarg, throw, Keeps;
    "raise" (Any, Any, Any) -> Any, badarg, raise, Meaning::Effect(&[Top, Moved, Spine]);
    "nif_error" (Any) -> Never, badarg, nif_error, Meaning::Effect(&[Deep]);
    "nif_error" (Any, Any) -> Never, badarg, nif_error, Effect;
    "apply" (Any, ProperList) -> Any by Code, badarg, apply_function, Meaning::Effect(&[Top, Spine]);
    "apply" (Atom, Atom, ProperList) -> Any by Code, badarg, apply_named, Meaning::Effect(&[Top, Top, Spine]);
    "make_fun" (Atom, Atom, Byte) -> Function, badarg, make_fun, Opaque;
    "fun_info" (Function, Atom) -> Tuple by Code, badarg, fun_info, Effect;
    "fun_info_mfa" (Function) -> Tuple by Code, badarg, fun_info_mfa, Effect;
    "function_exported" (Atom, Atom, Integer) -> Boolean by Code, badarg, function_exported, Effect;
    "is_builtin" (Atom, Atom, Integer) -> Boolean, badarg, is_builtin, Opaque;
    "halt" (Any, Any) -> Never, badarg, halt, Effect;
}];

fn error(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(context.raise(Class::Error, args[0], TraceStart::Caller))
}

/// Raises an error with the arguments in its trace. If they are not a list, the trace has the arity.
fn error_with_args(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let trace = TraceStart::Running { args: args[1].is_list().then_some(args[1]), details: Word::NIL };
    Err(context.raise(Class::Error, args[0], trace))
}

/// Raises an error with options. If any option is wrong, all are ignored.
fn error_with_options(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let info = list_items(args[2]).unwrap_or_default().into_iter().map(error_info).collect::<Option<Vec<Word>>>();
    let details = match info.as_deref() {
        Some([.., last]) => {
            let pair = context.heap.tuple(&[names::ERROR_INFO.into(), *last]);
            context.heap.cons(pair, Word::NIL)
        }
        Some([]) | None => Word::NIL,
    };
    let trace = TraceStart::Running { args: args[1].is_list().then_some(args[1]), details };
    Err(context.raise(Class::Error, args[0], trace))
}

/// Returns the map of an option `{error_info, Map}`.
fn error_info(option: Word) -> Option<Word> {
    match option.concrete().as_tuple() {
        Some(&[tag, map]) if tag.concrete() == Word::atom(names::ERROR_INFO) && map.concrete().is_map() => Some(map),
        _ => None,
    }
}

fn exit(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(context.raise(Class::Exit, args[0], TraceStart::Caller))
}

fn throw(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(context.raise(Class::Throw, args[0], TraceStart::Caller))
}

/// Raises an exception with a given stack. Returns `badarg`, instead of raising it, if the class or the stack is wrong.
fn raise(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    /// The maximum length of a trace.
    const DEPTH: usize = 8;
    let class = args[0].as_atom().and_then(Class::of);
    let items = list_items(args[2]);
    if items.as_ref().is_some_and(|items| items.iter().any(|entry| is_inspected_symbolic(*entry))) {
        let name = FunctionName { module: names::ERLANG, function: Atom::new("raise"), arity: 3 };
        context.recorder.concretised(Concretised::Function(name));
    }
    let entries = items.and_then(|items| items.into_iter().map(StackEntry::of).collect::<Option<Vec<_>>>());
    let (Some(class), Some(entries)) = (class, entries) else { return Ok(names::BADARG.into()) };
    let entries: Vec<Word> = entries.into_iter().take(DEPTH).map(|entry| entry.with_location(context)).collect();
    let entries = context.heap.list(&entries, Word::NIL);
    let trace = trace_of_entries(context, class, entries);
    Err(context.raise(class, args[1], TraceStart::Kept(trace)))
}

/// Returns whether one of the inspected parts of an entry depends on the inputs. The arguments of its call are not
/// inspected.
fn is_inspected_symbolic(entry: Word) -> bool {
    let parts = entry.concrete();
    let parts = parts.as_tuple().unwrap_or_default();
    let inspected = parts.iter().enumerate().filter(|(index, _)| parts.len() < 3 || *index != 2);
    entry.is_symbolic() || inspected.into_iter().any(|(_, part)| part.is_symbolic())
}

/// An entry of a stack that a program made: `{M, F, A, Location}`, or a form that older programs use.
enum StackEntry {
    Complete(Word),
    /// A tuple to which the location, an empty list, is to be added.
    Short(Word),
}

impl StackEntry {
    fn of(entry: Word) -> Option<StackEntry> {
        let entry = entry.concrete();
        let is_name = |word: Word| word.concrete().is_atom();
        match *entry.as_tuple()? {
            [function, _] if function.concrete().is_function() => Some(StackEntry::Short(entry)),
            [function, _, location] if function.concrete().is_function() => {
                location.concrete().is_list().then_some(StackEntry::Complete(entry))
            }
            [module, function, _] if is_name(module) && is_name(function) => Some(StackEntry::Short(entry)),
            [module, function, _, location] if is_name(module) && is_name(function) => {
                location.concrete().is_list().then_some(StackEntry::Complete(entry))
            }
            _ => None,
        }
    }

    fn with_location(self, context: &mut Context) -> Word {
        match self {
            StackEntry::Complete(entry) => entry,
            StackEntry::Short(entry) => context.heap.tuple(&[entry.payload(), &[Word::NIL]].concat()),
        }
    }
}

/// Handles the call in the body of a native function whose library was not loaded: here none ever is. Reasons other
/// than the usual ones come from programs that use the function only to raise; unlike `error`, it appears in the trace
/// itself.
fn nif_error(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let reason = args[0].as_tuple().and_then(|tuple| tuple.first().copied()).unwrap_or(args[0]);
    match reason.concrete().as_atom().map(Atom::text) {
        Some("undef" | "undefined" | "not_loaded" | "nif_not_loaded" | "nif_library_not_loaded") => {
            // The empty name means the running function.
            Err(context.stop(Stop::Unsupported(FunctionName {
                module: names::EMPTY,
                function: names::EMPTY,
                arity: 0,
            })))
        }
        _ => Err(context.error(args[0])),
    }
}

/// The maximum number of arguments of a call.
const MAX_ARGUMENTS: usize = 255;

fn apply_function(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match list_items(args[1]) {
        Some(items) if items.len() > MAX_ARGUMENTS => Err(context.error(names::SYSTEM_LIMIT)),
        Some(items) => Err(context.call(CallTarget::Value(args[0]), items)),
        None => Err(badarg(context, args)),
    }
}

fn apply_named(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match (args[0].as_atom(), args[1].as_atom(), list_items(args[2])) {
        (.., Some(items)) if items.len() > MAX_ARGUMENTS => Err(context.error(names::SYSTEM_LIMIT)),
        (Some(module), Some(function), Some(items)) => Err(context.call(CallTarget::Named { module, function }, items)),
        _ => Err(badarg(context, args)),
    }
}

fn make_fun(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let arity = args[2].as_small().and_then(|arity| u8::try_from(arity).ok());
    match arity {
        Some(arity) => Ok(context.heap.external(args[0], args[1], arity)),
        None => Err(badarg(context, args)),
    }
}

/// Returns an item of information about an external function, or about a closure as far as it does not depend on how
/// the BEAM compiled it.
fn fun_info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (function, item) = (args[0], args[1]);
    let Some(name) = item.as_atom() else { return Err(badarg(context, args)) };
    let is_input = context.is_function_input(function);
    if is_input && name != names::ARITY {
        context.lose(Concretised::IdentityOfFunction);
    }
    let arity = Word::small(i64::from(function.header().aux()));
    if function.as_closure().is_some()
        && matches!(name, names::INDEX | names::NEW_INDEX | names::UNIQ | names::NEW_UNIQ)
    {
        context.asks(Surrounding::Compilation);
    }
    let value = match function.as_closure() {
        None => match name {
            names::TYPE => names::EXTERNAL.into(),
            names::MODULE => function.payload()[0],
            names::NAME => function.payload()[1],
            names::ARITY => arity,
            names::ENV => Word::NIL,
            names::PID | names::INDEX | names::NEW_INDEX | names::UNIQ | names::NEW_UNIQ => names::UNDEFINED.into(),
            _ => return Err(badarg(context, args)),
        },
        Some((number, captures)) => match name {
            names::TYPE => names::LOCAL.into(),
            names::MODULE => closure_name(context, function).0,
            names::NAME => closure_name(context, function).1,
            names::ARITY => arity,
            names::ENV if is_input => Word::NIL,
            names::ENV => context.heap.list(captures, Word::NIL),
            names::PID => context.own_pid(),
            names::INDEX | names::NEW_INDEX => Word::small(i64::from(closure_index(context, number, arity).0)),
            names::UNIQ => Word::small(i64::from(closure_index(context, number, arity).1)),
            // A checksum of the module's code, which differs from the BEAM's here.
            names::NEW_UNIQ => context.heap.binary(&u128::from(closure_index(context, number, arity).1).to_be_bytes()),
            _ => return Err(badarg(context, args)),
        },
    };
    Ok(context.heap.tuple(&[item, value]))
}

fn closure_name(context: &Context, closure: Word) -> (Word, Word) {
    match context.closure_parts(closure) {
        Some((module, name, ..)) => (module.into(), name.into()),
        None => (names::UNDEFINED.into(), names::UNDEFINED.into()),
    }
}

/// Returns the closure's number in its module, and the module's own number.
fn closure_index(context: &Context, function: u64, arity: Word) -> (u32, u32) {
    match context.fun_name(function, arity.small_value() as u8) {
        Fun::Local { index, unique, .. } => (index, unique),
        Fun::External { .. } | Fun::Input { .. } => (0, 0),
    }
}

fn fun_info_mfa(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let function = args[0];
    if context.is_function_input(function) {
        context.lose(Concretised::IdentityOfFunction);
    }
    let arity = Word::small(i64::from(function.header().aux()));
    let (module, name) = match function.as_closure() {
        None => (function.payload()[0], function.payload()[1]),
        Some(_) => closure_name(context, function),
    };
    Ok(context.heap.tuple(&[module, name, arity]))
}

/// Modules that every runtime loads when it boots, however it is started: what they export depends on the release
/// alone.
const ALWAYS_LOADED: [&str; 17] = [
    "erlang", "application", "code", "erts_internal", "ets", "file", "filename", "gen_event", "gen_server", "init",
    "lists", "logger", "maps", "os", "persistent_term", "proc_lib", "supervisor",
];

fn function_exported(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if as_beam_small(args[2]).is_none() {
        return Err(badarg(context, args));
    }
    Ok(match name_and_arity(args) {
        Some((module, function, arity)) => {
            // A module that has not been called yet is not loaded and exports nothing.
            if !ALWAYS_LOADED.contains(&module.text()) {
                context.asks(Surrounding::Code);
            }
            context.is_exported(module, function, arity)?.into()
        }
        None => Word::FALSE,
    })
}

fn is_builtin(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    /// Rows of functions that OTP has written in Erlang.
    const NOT_BUILT_IN: [(&str, &str); 2] = [("erlang", "min"), ("erlang", "max")];
    if as_beam_small(args[2]).is_none() {
        return Err(badarg(context, args));
    }
    Ok(match name_and_arity(args) {
        Some((module, function, arity)) => {
            let has_row = super::find(module, function, arity).is_some();
            (has_row
                && !matches!(module.text(), "io" | "io_lib")
                && !NOT_BUILT_IN.contains(&(module.text(), function.text())))
            .into()
        }
        None => Word::FALSE,
    })
}

fn name_and_arity(args: &[Word]) -> Option<(Atom, Atom, u32)> {
    Some((args[0].as_atom()?, args[1].as_atom()?, u32::try_from(args[2].as_i64()?).ok()?))
}

/// Stops the system: `halt/0` and `halt/1` end up here, too. A status is an integer, `abort`, or a message for the
/// crash dump.
fn halt(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let options = list_items(args[1]);
    let known = |option: &Word| match option.concrete().as_tuple() {
        Some(&[name, value]) => {
            name.concrete() == Word::atom(Atom::new("flush")) && value.concrete().as_boolean().is_some()
        }
        _ => false,
    };
    if !options.is_some_and(|options| options.iter().all(known)) {
        return Err(badarg(context, args));
    }
    let status = match args[0] {
        abort if abort == Word::atom(Atom::new("abort")) => 134,
        status if status.is_integer() => match status.as_i64() {
            Some(status) => status & i64::from(i32::MAX),
            None => 0,
        },
        slogan if list_items(slogan).is_some_and(|items| items.iter().all(|item| is_code_point(item.concrete()))) => 1,
        _ => return Err(badarg(context, args)),
    };
    Err(context.stop(Stop::Halted(status)))
}

fn is_code_point(word: Word) -> bool {
    word.as_small().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32).is_some()
}
