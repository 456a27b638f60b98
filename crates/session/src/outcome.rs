//! Prints an outcome: as text that a shell of the language would show, or as one JSON object.

use crate::Session;
use frontend::FrontEnd;
use path::{Outcome, Stop, TraceEntry};
use serde_json::{Value, json};

/// An outcome, ready to be written.
pub struct Report {
    pub text: String,
    pub exit_code: u8,
}

/// Prints an outcome. The exit code is 0 for a value, 1 for an exception or a limit of the run, 2 for a module that
/// could not be loaded, and 3 for a defect of Beagle.
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

/// Returns a trace in the form that all JSON objects use.
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
