//! Output is discarded, but its text is computed first: a format that does not fit its arguments raises. Input is at
//! its end.
//!
//! In OTP, most of these functions are written in Erlang and talk to another process. They have rows because that
//! process does not exist here.

use super::applications::is_master;
use super::process::{Destination, GROUP_LEADER, asks_about, destination, group_leader_of, is_own, note_report};
use super::{badarg, rows};
use machine::{CallTarget, Context, Escape, Kind, Primitive, Word};
use path::Surrounding;
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"io" by Output;
        "put_chars" (Any) -> Atom, badarg, put_chars, Keeps;
        "put_chars" (Any, Any) -> Atom, badarg, put_chars, Meaning::Effect(&[Top, Moved]);
        "format" (Any) -> Atom, badarg, format, Prelude("output_formatted");
        "format" (Any, Any) -> Atom, badarg, format, Prelude("output_formatted");
        "format" (Any, Any, Any) -> Atom, badarg, format, Prelude("output_formatted");
        "fwrite" (Any) -> Atom, badarg, format, Prelude("output_formatted");
        "fwrite" (Any, Any) -> Atom, badarg, format, Prelude("output_formatted");
        "fwrite" (Any, Any, Any) -> Atom, badarg, format, Prelude("output_formatted");
        "write" (Any) -> Atom, badarg, write, Keeps;
        "write" (Any, Any) -> Atom, badarg, write, Meaning::Effect(&[Top, Moved]);
        "nl" () -> Atom, badarg, nl, Effect;
        "nl" (Any) -> Atom, badarg, nl, Meaning::Effect(&[Top]);
        "setopts" (Any) -> Atom from Terminal, badarg, ok, Keeps;
        "setopts" (Any, Any) -> Atom from Terminal, badarg, set_options, Meaning::Effect(&[Top, Moved]);
        "columns" () -> Tuple from Terminal, badarg, no_terminal, Effect;
        "columns" (Any) -> Tuple from Terminal, badarg, no_terminal, Keeps;
        "rows" () -> Tuple from Terminal, badarg, no_terminal, Effect;
        "rows" (Any) -> Tuple from Terminal, badarg, no_terminal, Keeps;
        "get_line" (Any) -> Atom from Terminal, badarg, eof, Keeps;
        "get_line" (Any, Any) -> Atom from Terminal, badarg, eof, Keeps;
        "get_chars" (Any, Any) -> Atom from Terminal, badarg, eof, Keeps;
        "get_chars" (Any, Any, Any) -> Atom from Terminal, badarg, eof, Keeps;
        "read" (Any) -> Atom from Terminal, badarg, eof, Keeps;
        "read" (Any, Any) -> Atom from Terminal, badarg, eof, Keeps;
        "fread" (Any, Any) -> Atom from Terminal, badarg, eof, Keeps;
        "fread" (Any, Any, Any) -> Atom from Terminal, badarg, eof, Keeps;
    },
    rows! {"erlang" by Output;
        "display" (Any) -> Boolean, badarg, display, Keeps;
        "display_nl" () -> Boolean, badarg, display, Effect;
        "display_string" (List) -> Boolean, badarg, display, Keeps;
    },
    rows! {"logger" by Logger;
        "allow" (Any, Any) -> Boolean, badarg, allow, Keeps;
        "get_primary_config" () -> Map from Logger, badarg, primary_config, Effect;
        "emergency" (Any) -> Atom, badarg, report, Keeps;
        "emergency" (Any, Any) -> Atom, badarg, report, Keeps;
        "emergency" (Any, Any, Any) -> Atom, badarg, report, Keeps;
        "alert" (Any) -> Atom, badarg, report, Keeps;
        "alert" (Any, Any) -> Atom, badarg, report, Keeps;
        "alert" (Any, Any, Any) -> Atom, badarg, report, Keeps;
        "critical" (Any) -> Atom, badarg, report, Keeps;
        "critical" (Any, Any) -> Atom, badarg, report, Keeps;
        "critical" (Any, Any, Any) -> Atom, badarg, report, Keeps;
        "error" (Any) -> Atom, badarg, report, Keeps;
        "error" (Any, Any) -> Atom, badarg, report, Keeps;
        "error" (Any, Any, Any) -> Atom, badarg, report, Keeps;
        "warning" (Any) -> Atom, badarg, pass_over, Keeps;
        "warning" (Any, Any) -> Atom, badarg, pass_over, Keeps;
        "warning" (Any, Any, Any) -> Atom, badarg, pass_over, Keeps;
        "notice" (Any) -> Atom, badarg, pass_over, Keeps;
        "notice" (Any, Any) -> Atom, badarg, pass_over, Keeps;
        "notice" (Any, Any, Any) -> Atom, badarg, pass_over, Keeps;
        "info" (Any) -> Atom, badarg, pass_over, Keeps;
        "info" (Any, Any) -> Atom, badarg, pass_over, Keeps;
        "info" (Any, Any, Any) -> Atom, badarg, pass_over, Keeps;
        "debug" (Any) -> Atom, badarg, pass_over, Keeps;
        "debug" (Any, Any) -> Atom, badarg, pass_over, Keeps;
        "debug" (Any, Any, Any) -> Atom, badarg, pass_over, Keeps;
        "log" (Any, Any) -> Atom, badarg, report_at_level, Keeps;
        "log" (Any, Any, Any) -> Atom, badarg, report_at_level, Keeps;
        "log" (Any, Any, Any, Any) -> Atom, badarg, report_at_level, Keeps;
        "macro_log" (Any, Any, Any) -> Atom, badarg, macro_report, Keeps;
        "macro_log" (Any, Any, Any, Any) -> Atom, badarg, macro_report, Keeps;
        "macro_log" (Any, Any, Any, Any, Any) -> Atom, badarg, macro_report, Keeps;
    },
    rows! {"error_logger" by Output;
        "error_msg" (Any) -> Atom, badarg, report_anything, Keeps;
        "error_msg" (Any, Any) -> Atom, badarg, report_anything, Keeps;
        "error_report" (Any) -> Atom, badarg, report_anything, Keeps;
        "error_report" (Any, Any) -> Atom, badarg, report_anything, Keeps;
        "warning_msg" (Any) -> Atom, badarg, ok, Keeps;
        "warning_msg" (Any, Any) -> Atom, badarg, ok, Keeps;
        "warning_report" (Any) -> Atom, badarg, ok, Keeps;
        "warning_report" (Any, Any) -> Atom, badarg, ok, Keeps;
        "warning_map" () -> Atom from Logger, badarg, warning_map, Effect;
        "info_msg" (Any) -> Atom, badarg, ok, Keeps;
        "info_msg" (Any, Any) -> Atom, badarg, ok, Keeps;
        "info_report" (Any) -> Atom, badarg, ok, Keeps;
        "info_report" (Any, Any) -> Atom, badarg, ok, Keeps;
    },
];

/// Where output goes.
enum Device {
    /// The group leader with which the run begins. It takes all text.
    Default,
    /// A process of the run, or one that has ended: OTP's own function talks to it.
    Own,
    /// A process of the system, which is recorded.
    Other,
    None,
}

fn device_of(context: &mut Context, device: Word) -> Device {
    let device = device.concrete();
    if let Some(name) = device.as_atom() {
        if name.text() == "standard_io" {
            let leader = group_leader_of(context);
            return device_of(context, leader);
        }
        return match destination(context, device) {
            Destination::Process(_) => Device::Own,
            Destination::Elsewhere | Destination::Starting(_) => Device::Other,
            Destination::Gone | Destination::Invalid => {
                asks_about(context, name);
                Device::None
            }
        };
    }
    if !device.is_kind(Kind::Pid) {
        return Device::None;
    }
    match device.identity() {
        GROUP_LEADER => Device::Default,
        number if is_master(context, number) => Device::Default,
        number if is_own(context, number) => Device::Own,
        _ => {
            context.asks(Surrounding::Processes);
            Device::Other
        }
    }
}

/// Removes the device, if there is one, from the arguments.
fn without_device(args: &[Word], count: usize) -> Vec<Word> {
    args[args.len().saturating_sub(count).min(1)..].to_vec()
}

/// Calls OTP's own function if the device is a process of the program itself, whether as group leader or named in the
/// call.
fn to_own_device(context: &mut Context, function: &str, args: &[Word], without: usize) -> Result<(), Escape> {
    let device = match args.len().checked_sub(without) {
        Some(0) | None => group_leader_of(context),
        Some(_) => args[0],
    };
    match device_of(context, device) {
        Device::Default | Device::Other => return Ok(()),
        Device::None => return Err(badarg(context, args)),
        Device::Own => {}
    }
    context.module(Atom::new("io"))?;
    match context.own_code_of(Atom::new("io"), Atom::new(function), args.len() as u32) {
        Some(code) => Err(context.call(CallTarget::Value(code), args.to_vec())),
        None => Ok(()),
    }
}

/// Not every device takes characters beyond Latin-1.
fn asks_encoding(context: &mut Context, text: Word) {
    let mut open = vec![text];
    while let Some(part) = open.pop() {
        let mut part = part.concrete();
        while part.is_cons() {
            open.push(part.head());
            part = part.tail().concrete();
        }
        let is_wide = match part.as_small() {
            Some(character) => character > 255,
            // In UTF-8, the first byte of such a character is at least this.
            None => part.as_bits().is_some_and(|bits| bits.to_bytes().iter().any(|byte| *byte >= 0xc4)),
        };
        if is_wide {
            context.asks(Surrounding::Terminal);
            return;
        }
    }
}

fn write(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    to_own_device(context, "write", args, 1)?;
    Ok(names::OK.into())
}

fn nl(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    to_own_device(context, "nl", args, 0)?;
    Ok(names::OK.into())
}

fn put_chars(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    to_own_device(context, "put_chars", args, 1)?;
    let chars = without_device(args, 1);
    Err(call_and(context, "unicode", "characters_to_binary", chars, "characters_done"))
}

pub(super) fn format(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    to_own_device(context, "format", args, if args.len() == 1 { 1 } else { 2 })?;
    let mut args = without_device(args, 2);
    if args.len() == 1 {
        args.push(Word::NIL);
    }
    Err(call_and(context, "io_lib", "format", args, "output_done"))
}

/// Calls a function of OTP and passes its result to an operation.
fn call_and(context: &mut Context, module: &str, function: &str, args: Vec<Word>, operation: &str) -> Escape {
    let target = CallTarget::Named { module: Atom::new(module), function: Atom::new(function) };
    match super::find_operation(Atom::new(operation), 1) {
        Some(row) => context.call_and(target, args, row),
        None => context.call(target, args),
    }
}

/// Raises `badarg` if no binary could be made of the characters.
pub(super) fn characters_done(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_encoding(context, args[0]);
    if args[0].is_bits() { Ok(names::OK.into()) } else { Err(badarg(context, args)) }
}

pub(super) fn output_done(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_encoding(context, args[0]);
    Ok(names::OK.into())
}

fn ok(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}

fn set_options(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match device_of(context, args[0]) {
        Device::None => Err(badarg(context, args)),
        Device::Default | Device::Own | Device::Other => Ok(names::OK.into()),
    }
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

/// Returns whether a message is to be logged. Messages of supervisors are, because giving up must be noticed; others
/// have no reader. The caller would report the error that it asks about, so that counts as reported.
fn allow(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if args[1].concrete() == Word::atom(Atom::new("supervisor")) {
        return Ok(Word::TRUE);
    }
    if is_error(args[0]) {
        note_report(context, Word::NIL);
    }
    context.asks(Surrounding::Logger);
    Ok(Word::FALSE)
}

/// Returns whether a report of this level is about an error.
fn is_error(level: Word) -> bool {
    let level = level.concrete().as_atom().map(Atom::text);
    matches!(level, Some("emergency" | "alert" | "critical" | "error"))
}

fn report(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_level(context, args);
    report_anything(context, args)
}

/// Reports an error to `error_logger`, which accepts all arguments.
fn report_anything(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    note_report(context, args[0]);
    Ok(names::OK.into())
}

/// Accepts a report below the level of errors.
fn pass_over(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_level(context, args);
    Ok(names::OK.into())
}

/// Records that the answer depends on the logger if the arguments are not a valid report: they are refused only if the
/// logger is configured to examine reports of their level.
fn asks_level(context: &mut Context, args: &[Word]) {
    let is_text = |word: Word| word.is_list() || word.is_kind(Kind::Bits) || word.is_kind(Kind::BitsSlice);
    let first = args[0].concrete();
    let is_report = match args.len() {
        1 => first.is_map() || is_text(first),
        count => {
            let (second, last) = (args[1].concrete(), args[count - 1].concrete());
            let has_details = count < 3 || last.is_map();
            has_details
                && (is_text(first) && (second.is_list() || second.is_map()) || first.is_map() && second.is_map())
        }
    };
    if !is_report {
        context.asks(Surrounding::Logger);
    }
}

/// `(Level, Report …)`: accepts a report.
fn report_at_level(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_level(context, &args[1..]);
    if is_error(args[0]) {
        note_report(context, args[1]);
    }
    Ok(names::OK.into())
}

/// `(Location, Level, Report …)`: accepts a report.
fn macro_report(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    report_at_level(context, &args[1..])
}

/// Returns the configuration of the logger on a system without changes.
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
