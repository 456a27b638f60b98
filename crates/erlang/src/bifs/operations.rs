//! Operations without a name in the language: Core Erlang's primops and what the front end adds.
//!
//! The third variable of a handler is a `Kind::Trace`. Its first part is a pair: the class under which
//! the exception was raised, and what comes before the frames (see `TraceStart::Kept`).

use super::process::Timers;
use super::rows;
use machine::{Class, Context, Escape, Kind, Primitive, Stop, TraceStart, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"";
    "match_fail" (Any) -> Any, nothing, match_fail, Effect;
    // Of any arity: the arguments of the function that has no clause for them.
    "function_clause" () -> Any, nothing, function_clause, Effect;
    "raise" (Any, Any) -> Any, nothing, raise, Effect;
    "raw_raise" (Any, Any, Any) -> Any, nothing, raw_raise, Effect;
    "build_stacktrace" (Any) -> List, nothing, build_stacktrace, Effect;
    "catch_value" (Any, Any, Any) -> Any, nothing, catch_value, Effect;
    "bs_init_writable" (Any) -> Binary, nothing, bs_init_writable, Effect;
    "recv_peek_message" () -> Tuple, nothing, recv_peek_message, Effect;
    "remove_message" () -> Any, nothing, remove_message, Effect;
    "recv_next" () -> Any, nothing, recv_next, Effect;
    "recv_wait_timeout" (Any) -> Boolean, nothing, recv_wait_timeout, Effect;
    "nif_start" () -> Any, nothing, nif_start, Effect;
}];

/// No argument is outside the domain of an operation.
fn nothing(context: &mut Context, _: &[Word]) -> Escape {
    context.error(names::BADARG)
}

/// The class that an exception with this trace was raised under.
pub fn trace_class(trace: Word) -> Option<Class> {
    let trace = trace.concrete();
    let pair = trace.is_kind(Kind::Trace).then(|| trace.payload()[0])?;
    Class::of(pair.as_tuple()?.first()?.as_atom()?)
}

/// A trace that is these entries.
pub(super) fn trace_of_entries(context: &mut Context, class: Class, entries: Word) -> Word {
    let top = context.heap.tuple(&[class.atom().into(), entries]);
    context.heap.trace(top, std::iter::empty())
}

fn match_fail(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(context.raise(Class::Error, args[0], TraceStart::Caller))
}

fn function_clause(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let args = context.heap.list(args, Word::NIL);
    let trace = TraceStart::Running { args: Some(args), details: Word::NIL };
    Err(context.raise(Class::Error, names::FUNCTION_CLAUSE.into(), trace))
}

/// Again, as it was caught.
fn raise(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let class = trace_class(args[0]).unwrap_or(Class::Error);
    Err(context.raise(class, args[1], kept(args[0])))
}

/// Again, perhaps under another class. What is no class is answered with `badarg`, not raised.
fn raw_raise(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(class) = args[0].concrete().as_atom().and_then(Class::of) else { return Ok(names::BADARG.into()) };
    let trace = args[2].concrete();
    let trace = match trace_class(trace) {
        Some(old) if old != class => {
            let before = trace.payload()[0].payload()[1];
            let top = context.heap.tuple(&[class.atom().into(), before]);
            context.heap.trace_below(top, trace)
        }
        _ => trace,
    };
    Err(context.raise(class, args[1], kept(trace)))
}

fn kept(trace: Word) -> TraceStart {
    let trace = trace.concrete();
    if trace.is_kind(Kind::Trace) { TraceStart::Kept(trace) } else { TraceStart::Caller }
}

fn build_stacktrace(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.stacktrace(args[0].concrete()))
}

/// The value of `catch Expr` when an exception ended it.
fn catch_value(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (class, reason) = (args[0].concrete().as_atom().and_then(Class::of), args[1]);
    let tag = Word::atom(names::EXIT_UPPER);
    Ok(match class {
        Some(Class::Throw) => reason,
        Some(Class::Exit) => context.heap.tuple(&[tag, reason]),
        Some(Class::Error) | None => {
            let stack = context.stacktrace(args[2].concrete());
            let reason = context.heap.tuple(&[reason, stack]);
            context.heap.tuple(&[tag, reason])
        }
    })
}

/// The bitstring that a comprehension appends to.
fn bs_init_writable(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.binary(&[]))
}

/// Whether there is a message that the receive under way has not seen, and that message.
fn recv_peek_message(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let message = context.process.mailbox.get(context.process.mailbox_cursor).copied();
    let pair = [message.is_some().into(), message.unwrap_or(Word::NIL)];
    Ok(context.heap.tuple(&pair))
}

fn remove_message(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.process.mailbox.remove(context.process.mailbox_cursor);
    leave_receive(context);
    Ok(names::OK.into())
}

fn recv_next(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.process.mailbox_cursor += 1;
    Ok(names::OK.into())
}

/// True when the time is over, false when there is a new message to look at. Nobody else runs, so
/// waiting is a jump in time: to the next timer or to the end of the wait, whichever comes first.
fn recv_wait_timeout(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let deadline = match context.process.receive_deadline {
        Some(deadline) => Some(deadline),
        None => match timeout(args[0].concrete()) {
            Some(None) => None,
            Some(Some(milliseconds)) => Some(context.world.time.saturating_add(milliseconds * 1_000_000)),
            None => {
                leave_receive(context);
                return Err(context.raise(Class::Error, names::TIMEOUT_VALUE.into(), TraceStart::Caller));
            }
        },
    };
    if context.process.mailbox.len() > context.process.mailbox_cursor || Timers::fire_next(context, deadline) {
        context.process.receive_deadline = deadline;
        return Ok(Word::FALSE);
    }
    match deadline {
        None => Err(context.stop(Stop::Deadlock)),
        Some(deadline) => {
            context.world.time = context.world.time.max(deadline);
            leave_receive(context);
            Ok(Word::TRUE)
        }
    }
}

/// Milliseconds, or nothing for `infinity`; `None` for what is no timeout.
fn timeout(word: Word) -> Option<Option<u64>> {
    if word == Word::atom(names::INFINITY) {
        return Some(None);
    }
    let value = u64::try_from(word.as_i64()?).ok()?;
    (value <= u64::from(u32::MAX)).then_some(Some(value))
}

fn leave_receive(context: &mut Context) {
    context.process.mailbox_cursor = 0;
    context.process.receive_deadline = None;
}

/// Where a native function would be patched in.
fn nif_start(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}
