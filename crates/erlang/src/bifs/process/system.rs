//! Processes that every runtime has. Those that can be run here are started on demand.

use crate::runtime::ErlangState;
use machine::{CallTarget, Context, Escape, Word};
use path::Reach;
use term::Atom;

/// Returns whether `beagle_processes` can start a process with this name, and has not done so.
pub fn can_start(context: &mut Context, name: Atom) -> bool {
    matches!(name.text(), "kernel_sup" | "kernel_safe_sup" | "global_name_server")
        && !ErlangState::of(context).known_names.contains(&name)
}

/// Starts the process with that name. The primitive is called again afterwards.
pub fn start_first(context: &mut Context, name: Atom) -> Escape {
    ErlangState::of(context).known_names.insert(name);
    let (module, function) = (Atom::new("beagle_processes"), Atom::new("start"));
    context.call_first(CallTarget::Named { module, function }, vec![name.into()])
}

/// Counts the report of an error to the logger, which nothing reads. The report of a supervisor may say that it gives
/// up.
pub fn note_report(context: &mut Context, report: Word) {
    context.recorder.error_reports += 1;
    if !gives_up(report) || context.world.failure.is_some() {
        return;
    }
    let number = context.process.number();
    let supervisor = context.name_of(number);
    if let Some(raised) = context.world.last_raised() {
        context.world.failure = Some(path::Raised { reach: Reach::Supervisor(supervisor), ..raised.clone() });
    }
}

/// Recognises `#{label := {supervisor, shutdown}, report := [.., {reason, reached_max_restart_intensity}, ..]}`.
fn gives_up(report: Word) -> bool {
    let is_atom = |word: Word, text: &str| word.concrete().as_atom().is_some_and(|atom| atom.text() == text);
    let report = report.concrete();
    if !report.is_map() {
        return false;
    }
    let items = report.map_get(Word::atom(Atom::new("report"))).and_then(|items| machine::list_items(items.concrete()));
    items.unwrap_or_default().iter().any(|item| match item.concrete().as_tuple() {
        Some(&[key, value]) => is_atom(key, "reason") && is_atom(value, "reached_max_restart_intensity"),
        _ => false,
    })
}
