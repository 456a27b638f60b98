//! Decides whether the real runtime did what a finding says.

use frontend::{Code, Outcome, ProcessEnd, Rest, Watched};
use path::{ProcessName, Raised, Reach};
use search::Failure;

/// Returns whether an evaluation shows a failure.
pub fn is_same(code: &dyn Code, failure: &Failure, watched: &Watched) -> bool {
    match (failure, &watched.outcome) {
        (Failure::Crash(raised), outcome) => is_same_crash(code, raised, outcome, &watched.ends),
        (Failure::Spec { result, .. }, Outcome::Value { term, .. }) => code.are_alike(result, term),
        (Failure::Blame(blame), Outcome::Raised { class, reason, .. }) => code.is_blame(blame, *class, reason),
        // A call that fills its memory was stopped as well. Whether it would have ended is another question.
        (Failure::Timeout(_), Outcome::HeapExceeded) => true,
        // A call that was shown to run for ever must be running; one that only takes long may also be waiting.
        (Failure::Timeout(unended), Outcome::Timeout { .. }) => {
            unended.endless.is_none() || watched.rest != Rest::Waiting
        }
        (Failure::Deadlock(_), Outcome::Timeout { .. }) => watched.rest == Rest::Waiting,
        // A request has a time limit of its own, which may expire before ours.
        (Failure::Deadlock(_), Outcome::Raised { class, reason, .. }) => code.is_unanswered(*class, reason),
        (Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_), _) => false,
    }
}

fn is_same_crash(code: &dyn Code, raised: &Raised, outcome: &Outcome, ends: &[ProcessEnd]) -> bool {
    let Raised { class, reason, .. } = raised;
    let is_crash = |end: &ProcessEnd| !end.gave_up && code.is_end_of(*class, reason, &end.reason);
    match &raised.reach {
        Reach::Caller => match outcome {
            Outcome::Raised { class: theirs, reason: end, .. } => {
                class.atom() == *theirs && code.are_alike(reason, end)
            }
            // An exit signal from a linked process ends the call as an exit of its own does.
            Outcome::Killed { reason: end } => *class == path::Class::Exit && code.are_alike(reason, end),
            _ => false,
        },
        Reach::Link(signal) => matches!(outcome, Outcome::Killed { reason } if code.are_alike(signal, reason)),
        // How the call itself ended does not matter. A process that something other than the call started may end
        // unobserved, but a process that called it is informed of the reason.
        Reach::Nobody => is_whole(outcome) && (ends.iter().any(is_crash) || is_told(code, raised, outcome)),
        Reach::Supervisor(supervisor) => {
            let crash = ends.iter().position(is_crash);
            let after = crash.map_or(&[][..], |crash| &ends[crash..]);
            is_whole(outcome) && after.iter().any(|end| end.gave_up && is_named(end, supervisor))
        }
    }
}

/// Returns whether a call failed with the report that the process it called ended with this reason:
/// `{Reason, {gen_server, call, _}}`.
fn is_told(code: &dyn Code, raised: &Raised, outcome: &Outcome) -> bool {
    let Outcome::Raised { class, reason, .. } = outcome else { return false };
    let why = reason.as_tuple().filter(|parts| parts.len() == 2).map(|parts| &parts[0]);
    *class == path::Class::Exit.atom() && why.is_some_and(|why| code.is_end_of(raised.class, &raised.reason, why))
}

/// Returns whether the runtime evaluated the call and reported its outcome.
fn is_whole(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Value { .. }
        | Outcome::Raised { .. }
        | Outcome::Timeout { .. }
        | Outcome::HeapExceeded
        | Outcome::Killed { .. } => true,
        Outcome::Unreadable { .. } | Outcome::Stopped { .. } | Outcome::RuntimeDied { .. } => false,
    }
}

/// Returns whether an ended process may be the given one. Only registered names are certain to be the same on our
/// machine and on the runtime.
fn is_named(end: &ProcessEnd, process: &ProcessName) -> bool {
    match (end.registered, process.registered) {
        (Some(theirs), Some(ours)) => theirs == ours,
        (Some(_), None) | (None, Some(_)) | (None, None) => true,
    }
}

/// Returns whether two evaluations had the same outcome.
pub fn are_same(code: &dyn Code, left: &Outcome, right: &Outcome) -> bool {
    match (left, right) {
        (Outcome::Value { term: left, .. }, Outcome::Value { term: right, .. }) => code.are_alike(left, right),
        (
            Outcome::Raised { class: left_class, reason: left, .. },
            Outcome::Raised { class: right_class, reason: right, .. },
        ) => left_class == right_class && code.are_alike(left, right),
        _ => std::mem::discriminant(left) == std::mem::discriminant(right),
    }
}
