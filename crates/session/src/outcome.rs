//! What a command prints of an outcome: text as a shell of the language shows it, or one JSON object.

use crate::Session;
use frontend::FrontEnd;
use path::{Outcome, Stop, TraceEntry};
use serde_json::{Value, json};

/// One outcome, ready to be written.
pub struct Report {
    pub text: String,
    pub exit_code: u8,
}

/// Exit codes: 0 a value, 1 an exception or a limit of the run, 2 a module that could not be loaded, 3 a
/// defect of ours.
pub fn print_outcome(
    session: &mut Session,
    language: &dyn FrontEnd,
    outcome: &Outcome,
    seconds: f64,
    json: bool,
) -> Report {
    let print = |term| language.shown(term, None);
    let exit_code = match outcome {
        Outcome::Value(_) => 0,
        Outcome::Raised(_) => 1,
        Outcome::Stopped(Stop::LoadFailed(_)) => 2,
        Outcome::Stopped(Stop::Fault(_)) => 3,
        Outcome::Stopped(_) => 1,
    };
    let text = match (outcome, json) {
        (Outcome::Value(value), false) => print(value),
        (Outcome::Raised(raised), false) => language.describe(raised, &mut |text| session.value(text, language)),
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
fn stack(trace: &[TraceEntry]) -> Vec<Value> {
    let entry = |entry: &TraceEntry| {
        let function = format!("{}:{}/{}", entry.module, entry.function, entry.arity);
        json!({"function": function, "file": entry.file, "line": entry.line})
    };
    trace.iter().map(entry).collect()
}

fn why(stop: &Stop) -> String {
    report::stopped(stop, &|name| name.to_string())
}
