//! Operations without a name in the language: Core Erlang's primops, and what lowering adds to them
//! (`lower` has the list with their meanings).

use super::{badarg, rows};
use machine::{Class, Context, Escape, Primitive, Stop, TraceStart, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! { "";
    "match_fail"        (Any)           -> Never,   badarg, match_fail,        Effect;
    "function_clause"   ()              -> Never,   badarg, function_clause,   Effect;
    "raise"             (Any, Any)      -> Never,   badarg, raise,             Effect;
    "raw_raise"         (Any, Any, Any) -> Never,   badarg, raw_raise,         Effect;
    "build_stacktrace"  (Any)           -> List,    badarg, build_stacktrace,  Effect;
    "catch_value"       (Any, Any, Any) -> Any,     badarg, catch_value,       Effect;
    "bs_init_writable"  (Any)           -> Binary,  badarg, bs_init_writable,  Effect;
    "recv_peek_message" ()              -> Tuple,   badarg, recv_peek_message, Effect;
    "remove_message"    ()              -> Atom,    badarg, remove_message,    Effect;
    "recv_next"         ()              -> Atom,    badarg, recv_next,         Effect;
    "recv_wait_timeout" (Any)           -> Boolean, badarg, recv_wait_timeout, Effect;
    "nif_start"         ()              -> Atom,    badarg, nothing,           Effect;
    "executable_line"   (Any)           -> Atom,    badarg, nothing,           Effect;
    "executable_line"   (Any, Any)      -> Atom,    badarg, nothing,           Effect;
    "debug_line"        (Any)           -> Atom,    badarg, nothing,           Effect;
    "debug_line"        (Any, Any, Any, Any) -> Atom, badarg, nothing,         Effect;
    "dialyzer_unknown"  (Any)           -> Any,     badarg, nothing,           Effect;
}];

fn match_fail(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(context.raise(Class::Error, args[0], TraceStart::Caller))
}

fn function_clause(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let args = context.heap.list(args, Word::NIL);
    Err(context.raise(Class::Error, names::FUNCTION_CLAUSE.into(), TraceStart::Running(args)))
}

/// The class is part of the trace.
fn raise(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let class = context.trace_class(args[0]).and_then(Class::of).unwrap_or(Class::Error);
    Err(context.raise(class, args[1], TraceStart::Kept(args[0])))
}

fn raw_raise(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].as_atom().and_then(Class::of) {
        Some(class) => Err(context.raise(class, args[1], TraceStart::Kept(args[2]))),
        None => Ok(names::BADARG.into()),
    }
}

fn build_stacktrace(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.stacktrace(args[0]))
}

fn catch_value(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let reason = match args[0].as_atom().and_then(Class::of) {
        Some(Class::Throw) => return Ok(args[1]),
        Some(Class::Exit) | None => args[1],
        Some(Class::Error) => {
            let trace = context.stacktrace(args[2]);
            context.heap.tuple(&[args[1], trace])
        }
    };
    Ok(context.heap.tuple(&[names::EXIT_UPPER.into(), reason]))
}

fn bs_init_writable(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.binary(&[]))
}

fn recv_peek_message(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let message = context.process.mailbox.get(context.process.mailbox_cursor).copied();
    Ok(match message {
        Some(message) => context.heap.tuple(&[Word::TRUE, message]),
        None => context.heap.tuple(&[Word::FALSE, Word::NIL]),
    })
}

fn remove_message(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let process = &mut context.process;
    process.mailbox.remove(process.mailbox_cursor);
    process.mailbox_cursor = 0;
    process.receive_deadline = None;
    Ok(names::OK.into())
}

fn recv_next(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.process.mailbox_cursor += 1;
    Ok(names::OK.into())
}

/// Nobody else can send: either a timer's message arrives first, or the time is over at once.
fn recv_wait_timeout(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let deadline = match args[0].as_small() {
        Some(milliseconds) if (0..1 << 32).contains(&milliseconds) => {
            let now = context.world.time;
            *context.process.receive_deadline.get_or_insert(now + milliseconds as u64 * 1_000_000)
        }
        _ if args[0].as_atom() == Some(names::INFINITY) => u64::MAX,
        _ => return Err(context.raise(Class::Error, names::TIMEOUT_VALUE.into(), TraceStart::Caller)),
    };
    if crate::bifs::process::deliver_timer(context, deadline) {
        return Ok(Word::FALSE);
    }
    if deadline == u64::MAX {
        return Err(context.stop(Stop::Deadlock));
    }
    context.world.time = context.world.time.max(deadline);
    context.process.mailbox_cursor = 0;
    context.process.receive_deadline = None;
    Ok(Word::TRUE)
}

fn nothing(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}
