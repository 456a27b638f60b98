//! What a command prints of an outcome: text as the Erlang shell shows it, or one JSON object.

use crate::Session;
use erlang::syntax::elixir;
use erlang::{print, print_with_stand_ins, without_stand_ins};
use path::{Outcome, Raised, Stop, TraceEntry};
use serde_json::{Value, json};
use term::{Term, names};

/// One outcome, ready to be written.
pub struct Report {
    pub text: String,
    pub exit_code: u8,
}

/// Exit codes: 0 a value, 1 an exception or a limit of the run, 2 a module that could not be loaded, 3 a
/// defect of ours.
pub fn print_outcome(session: &mut Session, outcome: &Outcome, seconds: f64, json: bool) -> Report {
    let exit_code = match outcome {
        Outcome::Value(_) => 0,
        Outcome::Raised(_) => 1,
        Outcome::Stopped(Stop::LoadFailed(_)) => 2,
        Outcome::Stopped(Stop::Fault(_)) => 3,
        Outcome::Stopped(_) => 1,
    };
    let text = match (outcome, json) {
        (Outcome::Value(value), false) => print(value),
        (Outcome::Raised(raised), false) => exception_report(session, raised),
        (Outcome::Stopped(stop), false) => format!("** stopped: {}", why(stop)),
        (Outcome::Value(value), true) => {
            json!({"type": "value", "value": print(value), "seconds": seconds}).to_string()
        }
        (Outcome::Raised(raised), true) => json!({
            "type": "exception",
            "class": raised.class.atom().text(),
            "reason": print(&raised.reason),
            "stack": stack(&raised.trace),
            "seconds": seconds,
        })
        .to_string(),
        (Outcome::Stopped(stop), true) => json!({"type": "stopped", "why": why(stop), "seconds": seconds}).to_string(),
    };
    Report { text, exit_code }
}

/// A trace, as all JSON objects have it.
pub fn stack(trace: &[TraceEntry]) -> Vec<Value> {
    let entry = |entry: &TraceEntry| {
        let function = format!("{}:{}/{}", entry.module, entry.function, entry.arity);
        json!({"function": function, "file": entry.file, "line": entry.line})
    };
    trace.iter().map(entry).collect()
}

/// As the shell shows it: OTP's own words, made by running OTP's own formatter on our machine.
pub fn exception_report(session: &mut Session, raised: &Raised) -> String {
    let expression = || {
        format!(
            "unicode:characters_to_binary(erl_error:format_exception(4, {}, {}, {}, \
             fun(_, _, _) -> false end, fun(T, _) -> io_lib:format(\"~0tp\", [T]) end, unicode))",
            raised.class.atom(),
            print_with_stand_ins(&raised.reason),
            print_with_stand_ins(&trace(raised)),
        )
    };
    match formatted(session, raised, expression) {
        Some(text) => format!("** {}", without_stand_ins(&text)),
        None => format!("** exception {}: {}", raised.class.atom(), print(&raised.reason)),
    }
}

/// As Elixir shows it, in its own words likewise. `reason`: as it prints in Elixir.
pub fn elixir_exception_report(session: &mut Session, raised: &Raised, reason: &str) -> String {
    let expression = || {
        format!(
            "'Elixir.Exception':format({}, {}, {})",
            raised.class.atom(),
            print_with_stand_ins(&raised.reason),
            print_with_stand_ins(&trace(raised)),
        )
    };
    match formatted(session, raised, expression) {
        Some(text) => elixir::without_stand_ins(&text),
        None => format!("** ({}) {reason}", raised.class.atom()),
    }
}

/// Data beyond this is not put into words: nobody reads it, and the formatters take minutes for it.
const MOST_PARTS: usize = 200_000;
const LONGEST_NUMBER: u64 = 1 << 17;

fn formatted(session: &mut Session, raised: &Raised, expression: impl FnOnce() -> String) -> Option<String> {
    let args = raised.trace.iter().flat_map(|entry| entry.args.iter().flatten().chain(&entry.details));
    if is_huge([&raised.reason].into_iter().chain(args)) {
        return None;
    }
    evaluate_text(session, &expression())
}

fn is_huge<'t>(terms: impl Iterator<Item = &'t Term>) -> bool {
    let mut open: Vec<&Term> = terms.collect();
    let mut parts = 0;
    while let Some(term) = open.pop() {
        parts += 1;
        match term {
            Term::List(items, end) => open.extend(items.iter().chain(end.as_deref())),
            Term::Tuple(items) => open.extend(items.iter()),
            Term::Map(pairs) => open.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            Term::Bits(bits) => parts += bits.bytes().len() / 8,
            Term::Big(value) if value.bits() > LONGEST_NUMBER => return true,
            Term::Int(_)
            | Term::Big(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Nil
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => {}
        }
        if parts + open.len() > MOST_PARTS {
            return true;
        }
    }
    false
}

/// Nothing of what cannot be written as an expression, or without a library to ask.
fn evaluate_text(session: &mut Session, expression: &str) -> Option<String> {
    match &session.evaluate(expression, None) {
        Ok(Outcome::Value(Term::Bits(bits))) => String::from_utf8(bits.bytes().to_vec()).ok(),
        _ => None,
    }
}

fn trace(raised: &Raised) -> Term {
    Term::list(raised.trace.iter().map(entry_term).collect::<Vec<_>>())
}

fn entry_term(entry: &TraceEntry) -> Term {
    let args = match &entry.args {
        Some(args) => Term::list(args.clone()),
        None => Term::Int(i64::from(entry.arity)),
    };
    let place = match entry.line {
        0 => vec![],
        line => vec![
            Term::tuple(vec![Term::Atom(names::FILE), Term::string(&entry.file)]),
            Term::tuple(vec![Term::Atom(names::LINE), Term::Int(i64::from(line))]),
        ],
    };
    let location = Term::list([place, entry.details.clone()].concat());
    Term::tuple(vec![Term::Atom(entry.module), Term::Atom(entry.function), args, location])
}

fn why(stop: &path::Stop) -> String {
    report::stopped(stop, &|name| name.to_string())
}
