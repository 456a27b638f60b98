//! Processes that every runtime has: those that can be run here are started when somebody asks for them.

use crate::runtime::ErlangState;
use machine::{CallTarget, Context, Escape, Word};
use path::Reach;
use term::Atom;

/// Whether `beagle_processes` knows how to start a process of this name.
pub fn can_start(context: &mut Context, name: Atom) -> bool {
    matches!(name.text(), "kernel_sup" | "kernel_safe_sup" | "global_name_server")
        && !ErlangState::of(context).known_names.contains(&name)
}

/// Starts the process of that name, after which the primitive is called again.
pub fn start_first(context: &mut Context, name: Atom) -> Escape {
    ErlangState::of(context).known_names.insert(name);
    let (module, function) = (Atom::new("beagle_processes"), Atom::new("start"));
    context.call_first(CallTarget::Named { module, function }, vec![name.into()])
}

/// A report of an error to the logger, which nobody reads. Of a supervisor it may say that it gives up.
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

/// `#{label := {supervisor, shutdown}, report := [.., {reason, reached_max_restart_intensity}, ..]}`
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
