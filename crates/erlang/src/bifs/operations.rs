//! Operations without a name in the language: Core Erlang's primops, and operations that lowering adds to them (`lower`
//! has the list with their meanings).

use super::output::{characters_done, output_done};
use super::process::timers::milliseconds_from_now;
use super::{badarg, rows, seen};
use machine::{Access, Context, Domain, Escape, Object, Primitive, TraceStart, Word, list_items};
use path::{Class, Stop, Surrounding};
use term::{Atom, FunctionName, Term, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! { "" by Arguments;
    "match_fail"        (Any)           -> Never,   badarg, match_fail,        Keeps;
    "function_clause"   ()              -> Never by Calls,   badarg, function_clause,   Keeps;
    "raise"             (Any, Any)      -> Never,   badarg, raise,             Keeps;
    "raw_raise"         (Any, Any, Any) -> Never,   badarg, raw_raise,         Meaning::Effect(&[Top, Moved, Moved]);
    "build_stacktrace"  (Any)           -> List by Calls,    badarg, build_stacktrace,  Keeps;
    "catch_value"       (Any, Any, Any) -> Any by Calls,     badarg, catch_value,       Meaning::Effect(&[Top, Moved, Moved]);
    "catch_value_unread" (Any, Any, Any) -> Any,             badarg, catch_value_unread, Meaning::Effect(&[Top, Moved, Moved]);
    "bs_init_writable"  (Any)           -> Binary,  badarg, bs_init_writable,  Keeps;
    "recv_peek_message" ()              -> Tuple by Mailbox,   badarg, recv_peek_message, Effect;
    "remove_message"    ()              -> Atom by Mailbox,    badarg, remove_message,    Effect;
    "take_message"      (Any)           -> Atom by Mailbox,    badarg, take_message,      Keeps;
    "recv_next"         ()              -> Atom by Mailbox,    badarg, recv_next,         Effect;
    "recv_wait_timeout" (Any)           -> Boolean by Mailbox, timeout_value, recv_wait_timeout, Keeps;
    "nif_start"         ()              -> Atom,    badarg, nothing,           Effect;
    "executable_line"   (Any)           -> Atom,    badarg, nothing,           Keeps;
    "executable_line"   (Any, Any)      -> Atom,    badarg, nothing,           Keeps;
    "debug_line"        (Any)           -> Atom,    badarg, nothing,           Keeps;
    "debug_line"        (Any, Any, Any, Any) -> Atom, badarg, nothing,         Keeps;
    "dialyzer_unknown"  (Any)           -> Any,     badarg, nothing,           Keeps;
    // Native records (OTP 29): none exist here, because creating one is unsupported.
    "native_record"     ()              -> Any,     badarg, native_record,     Effect;
    "is_native_record"  (Any, Any)      -> Boolean, badarg, no_record,         Keeps;
    "is_native_record"  (Any, Any, Any) -> Boolean, badarg, no_record,         Keeps;
    "is_record_accessible" (Any, Any)   -> Boolean, badarg, no_record,         Keeps;
    "is_record_accessible" (Any, Any, Any) -> Boolean, badarg, no_record,      Keeps;
    "record_field"      (Any, Any, Any) -> Never,   badarg, bad_record,        Keeps;
    "record_field"      (Any, Any, Any, Any) -> Never, badarg, bad_record,     Keeps;
    // Operations that finish an output that began with a call.
    "output_done"       (Any)           -> Atom by Output,    badarg, output_done,       Keeps;
    "characters_done"   (Any)           -> Atom by Output,    badarg, characters_done,   Meaning::Effect(&[Top]);
}];

/// Makes a trace of these entries.
pub(super) fn trace_of_entries(context: &mut Context, class: Class, entries: Word) -> Word {
    let top = context.heap.tuple(&[class.atom().into(), entries]);
    context.heap.trace(top, &[])
}

fn match_fail(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(context.raise(Class::Error, args[0], TraceStart::Caller))
}

fn function_clause(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let args = context.heap.list(args, Word::NIL);
    let trace = TraceStart::Running { args: Some(args), details: Word::NIL };
    Err(context.raise(Class::Error, names::FUNCTION_CLAUSE.into(), trace))
}

/// Raises an exception with a trace, which contains the class.
fn raise(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let class = context.trace_class(args[0]).and_then(Class::of).unwrap_or(Class::Error);
    Err(context.raise(class, args[1], TraceStart::Kept(args[0])))
}

/// Raises an exception with a trace, whose class may differ from the old one. Returns `badarg`, instead of raising it,
/// if the class is wrong.
fn raw_raise(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(class) = args[0].as_atom().and_then(Class::of) else { return Ok(names::BADARG.into()) };
    let trace = match context.trace_class(args[2]) {
        Some(old) if old != class.atom() => {
            let before = args[2].payload()[0].payload()[1];
            let top = context.heap.tuple(&[class.atom().into(), before]);
            context.heap.trace_below(top, args[2])
        }
        _ => args[2],
    };
    Err(context.raise(class, args[1], TraceStart::Kept(trace)))
}

fn build_stacktrace(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    // The trace of the main process goes on with those who called the run.
    if is_main(context) && context.trace_shows_callers(args[0]) {
        context.asks(Surrounding::Process);
    }
    Ok(context.stacktrace(args[0]))
}

fn is_main(context: &Context) -> bool {
    context.process.number() == Term::OWN_PID
}

fn catch_value(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_error = args[0].as_atom().and_then(Class::of) == Some(Class::Error);
    if is_error && is_main(context) && context.trace_shows_callers(args[2]) {
        // Behaviours make it a part of the reason with which they exit.
        context.recorder.asks(Surrounding::Process);
    }
    catch_value_unread(context, args)
}

/// The program reads no part of the trace.
fn catch_value_unread(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
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
    context.process.is_receiving = true;
    Ok(match message {
        Some(message) => context.heap.tuple(&[Word::TRUE, message]),
        None => context.heap.tuple(&[Word::FALSE, Word::NIL]),
    })
}

/// A message that the calling process has brought along may be taken instead.
fn remove_message(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if is_main(context) && !context.world.has_client {
        context.asks(Surrounding::Process);
    }
    take(context, args)
}

/// Takes a message. Each list has the values with which one clause compares a part of the message. A message from outside of
/// the run has no identity that the run has made, so it is not taken if each clause compares with such an identity.
fn take_message(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if is_main(context) && !context.world.has_client {
        for clause in list_items(args[0]).unwrap_or_default() {
            let compared = list_items(clause).unwrap_or_default();
            if !compared.iter().any(|value| seen::holds_own_identity(context, *value)) {
                context.asks(Surrounding::Process);
                break;
            }
        }
    }
    take(context, args)
}

fn take(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.process.mailbox.remove(context.process.mailbox_cursor);
    context.process.leave_receive();
    Ok(names::OK.into())
}

fn recv_next(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.process.mailbox_cursor += 1;
    Ok(names::OK.into())
}

/// Returns true when the time is over, and false when there is a new message to examine. Until then the process waits,
/// and the operation is called again.
fn recv_wait_timeout(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    // The domain is checked here and not by the row, so that a time that is an input keeps its shadow.
    if context.process.receive_deadline.is_none() && !context.is_within(Domain::Timeout, args[0]) {
        if context.process.is_receiving && is_main(context) {
            // A message that the calling process had before the run would have been received first.
            context.recorder.asks(Surrounding::Process);
        }
        return Err(timeout_value(context, args));
    }
    // A receive without clauses does not examine messages.
    if context.process.is_receiving && context.process.mailbox.len() > context.process.mailbox_cursor {
        if context.process.receive_deadline.is_none_or(|deadline| deadline > context.world.time) {
            return Ok(Word::FALSE);
        }
        // A message that arrives at the moment when the time is over is too late, unless other computation takes time
        // as well.
        context.asks(Surrounding::Time);
    }
    let deadline = match (context.process.receive_deadline, timeout(args[0].concrete())) {
        (Some(deadline), _) => Some(deadline),
        (None, Wait::Forever) => None,
        (None, Wait::Milliseconds(count)) => {
            if args[0].is_symbolic() && !context.decide_identical(args[0], Word::small(0)) {
                context.process.symbolic_deadline = Some(milliseconds_from_now(context, args[0]));
            }
            Some(context.world.time.saturating_add(count * 1_000_000))
        }
    };
    let Some(deadline) = deadline.filter(|deadline| *deadline <= context.world.time) else {
        context.process.receive_deadline = deadline;
        return Err(Escape::Wait);
    };
    context.world.time = context.world.time.max(deadline);
    let own = context.process.number();
    context.visible(&[(Object::Mailbox(own), Access::Read)])?;
    if context.process.is_receiving && own == Term::OWN_PID {
        // A message from outside the run would have been received.
        context.asks(Surrounding::Process);
    }
    context.process.leave_receive();
    Ok(Word::TRUE)
}

enum Wait {
    Forever,
    Milliseconds(u64),
}

fn timeout(word: Word) -> Wait {
    match word.as_small().and_then(|count| u64::try_from(count).ok()) {
        Some(count) => Wait::Milliseconds(count),
        None => Wait::Forever,
    }
}

fn timeout_value(context: &mut Context, _: &[Word]) -> Escape {
    context.process.leave_receive();
    context.raise(Class::Error, names::TIMEOUT_VALUE.into(), TraceStart::Caller)
}

fn nothing(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}

fn native_record(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let (module, function) = (Atom::new("records"), Atom::new("create"));
    Err(context.stop(Stop::Unsupported(FunctionName { module, function, arity: 4 })))
}

fn no_record(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::FALSE)
}

fn bad_record(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let reason = context.heap.tuple(&[Atom::new("badrecord").into(), args[0]]);
    Err(context.raise(Class::Error, reason, TraceStart::Caller))
}
