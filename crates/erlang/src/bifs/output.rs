//! Output is swallowed, but what it would print is computed first: a format that does not fit its
//! arguments raises. Input is at its end.
//!
//! OTP has most of these functions written in Erlang, as conversations with another process. They have
//! rows because that process is not there.

use super::{badarg, rows};
use machine::{CallTarget, Context, Escape, Kind, Primitive, Word};
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"io";
        "put_chars" (Any) -> Atom, badarg, put_chars, Effect;
        "put_chars" (Any, Any) -> Atom, badarg, put_chars, Effect;
        "format" (Any) -> Atom, badarg, format, Effect;
        "format" (Any, Any) -> Atom, badarg, format, Effect;
        "format" (Any, Any, Any) -> Atom, badarg, format, Effect;
        "fwrite" (Any) -> Atom, badarg, format, Effect;
        "fwrite" (Any, Any) -> Atom, badarg, format, Effect;
        "fwrite" (Any, Any, Any) -> Atom, badarg, format, Effect;
        "write" (Any) -> Atom, badarg, ok, Effect;
        "write" (Any, Any) -> Atom, badarg, to_device, Effect;
        "nl" () -> Atom, badarg, ok, Effect;
        "nl" (Any) -> Atom, badarg, to_device, Effect;
        "setopts" (Any) -> Atom, badarg, ok, Effect;
        "setopts" (Any, Any) -> Atom, badarg, to_device, Effect;
        "columns" () -> Tuple, badarg, no_terminal, Effect;
        "columns" (Any) -> Tuple, badarg, no_terminal, Effect;
        "rows" () -> Tuple, badarg, no_terminal, Effect;
        "rows" (Any) -> Tuple, badarg, no_terminal, Effect;
        "get_line" (Any) -> Atom, badarg, eof, Effect;
        "get_line" (Any, Any) -> Atom, badarg, eof, Effect;
        "get_chars" (Any, Any) -> Atom, badarg, eof, Effect;
        "get_chars" (Any, Any, Any) -> Atom, badarg, eof, Effect;
        "read" (Any) -> Atom, badarg, eof, Effect;
        "read" (Any, Any) -> Atom, badarg, eof, Effect;
        "fread" (Any, Any) -> Atom, badarg, eof, Effect;
        "fread" (Any, Any, Any) -> Atom, badarg, eof, Effect;
    },
    rows! {"erlang";
        "display" (Any) -> Boolean, badarg, display, Effect;
        "display_nl" () -> Boolean, badarg, display, Effect;
        "display_string" (List) -> Boolean, badarg, display, Effect;
    },
    rows! {"logger";
        "allow" (Any, Any) -> Boolean, badarg, not_allowed, Effect;
        "get_primary_config" () -> Map, badarg, primary_config, Effect;
        "emergency" (Any) -> Atom, badarg, ok, Effect;
        "emergency" (Any, Any) -> Atom, badarg, ok, Effect;
        "emergency" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "alert" (Any) -> Atom, badarg, ok, Effect;
        "alert" (Any, Any) -> Atom, badarg, ok, Effect;
        "alert" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "critical" (Any) -> Atom, badarg, ok, Effect;
        "critical" (Any, Any) -> Atom, badarg, ok, Effect;
        "critical" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "error" (Any) -> Atom, badarg, ok, Effect;
        "error" (Any, Any) -> Atom, badarg, ok, Effect;
        "error" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "warning" (Any) -> Atom, badarg, ok, Effect;
        "warning" (Any, Any) -> Atom, badarg, ok, Effect;
        "warning" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "notice" (Any) -> Atom, badarg, ok, Effect;
        "notice" (Any, Any) -> Atom, badarg, ok, Effect;
        "notice" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "info" (Any) -> Atom, badarg, ok, Effect;
        "info" (Any, Any) -> Atom, badarg, ok, Effect;
        "info" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "debug" (Any) -> Atom, badarg, ok, Effect;
        "debug" (Any, Any) -> Atom, badarg, ok, Effect;
        "debug" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "log" (Any, Any) -> Atom, badarg, ok, Effect;
        "log" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "log" (Any, Any, Any, Any) -> Atom, badarg, ok, Effect;
        "macro_log" (Any, Any, Any) -> Atom, badarg, ok, Effect;
        "macro_log" (Any, Any, Any, Any) -> Atom, badarg, ok, Effect;
        "macro_log" (Any, Any, Any, Any, Any) -> Atom, badarg, ok, Effect;
    },
    rows! {"error_logger";
        "error_msg" (Any) -> Atom, badarg, ok, Effect;
        "error_msg" (Any, Any) -> Atom, badarg, ok, Effect;
        "error_report" (Any) -> Atom, badarg, ok, Effect;
        "error_report" (Any, Any) -> Atom, badarg, ok, Effect;
        "warning_msg" (Any) -> Atom, badarg, ok, Effect;
        "warning_msg" (Any, Any) -> Atom, badarg, ok, Effect;
        "warning_report" (Any) -> Atom, badarg, ok, Effect;
        "warning_report" (Any, Any) -> Atom, badarg, ok, Effect;
        "warning_map" () -> Atom, badarg, warning_map, Effect;
        "info_msg" (Any) -> Atom, badarg, ok, Effect;
        "info_msg" (Any, Any) -> Atom, badarg, ok, Effect;
        "info_report" (Any) -> Atom, badarg, ok, Effect;
        "info_report" (Any, Any) -> Atom, badarg, ok, Effect;
    },
];

/// A name or process that output can be sent to.
fn is_device(word: Word) -> bool {
    match word.as_atom() {
        Some(name) => matches!(name.text(), "standard_io" | "standard_error" | "user"),
        None => word.is_kind(Kind::Pid),
    }
}

/// Device, if there is one, and the rest of the arguments.
fn without_device(context: &mut Context, args: &[Word], count: usize) -> Result<Vec<Word>, Escape> {
    match args.len().checked_sub(count) {
        Some(0) | None => Ok(args.to_vec()),
        Some(_) if is_device(args[0].concrete()) => Ok(args[1..].to_vec()),
        Some(_) => Err(badarg(context, args)),
    }
}

fn put_chars(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let chars = without_device(context, args, 1)?;
    Err(call_and(context, "unicode", "characters_to_binary", chars, "characters_done"))
}

fn format(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut args = without_device(context, args, 2)?;
    if args.len() == 1 {
        args.push(Word::NIL);
    }
    Err(call_and(context, "io_lib", "format", args, "output_done"))
}

/// Calls a function of OTP, whose result goes through an operation.
fn call_and(context: &mut Context, module: &str, function: &str, args: Vec<Word>, operation: &str) -> Escape {
    let target = CallTarget::Named { module: Atom::new(module), function: Atom::new(function) };
    match super::find_operation(Atom::new(operation), 1) {
        Some(row) => context.call_and(target, args, row),
        None => context.call(target, args),
    }
}

fn ok(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}

fn to_device(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if is_device(args[0].concrete()) { Ok(names::OK.into()) } else { Err(badarg(context, args)) }
}

fn no_terminal(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.tuple(&[names::ERROR.into(), Atom::new("enotsup").into()]))
}

fn eof(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Atom::new("eof").into())
}

fn display(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::TRUE)
}

/// Nobody listens.
fn not_allowed(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::FALSE)
}

/// As a system has it that nobody configured.
fn primary_config(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let atom = |text| Word::atom(Atom::new(text));
    let metadata = context.heap.empty_map();
    let pairs = [
        (atom("level"), atom("notice")),
        (atom("filter_default"), atom("log")),
        (atom("filters"), Word::NIL),
        (atom("metadata"), metadata),
    ];
    Ok(context.heap.map_of(&pairs))
}

fn warning_map(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Atom::new("warning").into())
}
