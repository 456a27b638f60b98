//! Describes how an evaluation on the real runtime ended if it has neither a value nor an exception.

use frontend::{FrontEnd, Outcome, Rest};
use std::time::Duration;
use term::FunctionName;

/// Describes the end of an evaluation with the given time limit. Returns `None` if it has a value or raised an
/// exception.
pub fn without_result(language: &dyn FrontEnd, outcome: &Outcome, rest: Rest, time: Duration) -> Option<String> {
    let text = match outcome {
        Outcome::Value { .. } | Outcome::Raised { .. } => return None,
        Outcome::Timeout { .. } if rest == Rest::Waiting => format!("it waited for a message after {}", shown(time)),
        Outcome::Timeout { .. } => format!("it did not end within {}", shown(time)),
        Outcome::HeapExceeded => "it ran out of memory".to_string(),
        Outcome::Killed { reason } => format!("it was ended by a signal: {}", language.shown(reason, None)),
        Outcome::Unreadable { message } => format!("the runtime cannot read it: {message}"),
        Outcome::Stopped { module, function, arity } => {
            let name = FunctionName { module: *module, function: *function, arity: *arity };
            format!("it was stopped when it called {}, which acts on the outside", language.function(name))
        }
        Outcome::RuntimeDied { message } => format!("the whole runtime ended: {message}"),
    };
    Some(text)
}

fn shown(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{} s", time.as_secs()),
        _ => format!("{} ms", time.as_millis()),
    }
}
