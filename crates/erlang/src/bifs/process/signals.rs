//! Links, exit signals and the ends of processes.
//!
//! When a process ends, its tables go to their heirs or are deleted, its name becomes free, linked processes get an
//! exit signal, and monitoring processes a message, in this order. A signal that ends another process does so at the
//! next turn of that process ([`Context::send_fatal`]), or earlier if another process asks whether it is alive, asks
//! for information about it, links to it or monitors it. The BEAM does the same: its processes handle pending signals
//! before they run.

use super::monitors::{Alias, report_down};
use super::{GROUP_LEADER, ProcessState, is_of_system, is_self, looks_at, pid_of, unsupported};
use crate::bifs::{badarg, ets, rows};
use crate::runtime::ErlangState;
use machine::{Access, Context, Escape, Exception, Fatal, Kind, Object, Primitive, Status, Word};
use path::{Class, Reach, Surrounding};
use term::{Atom, Term, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Processes;
    "link" (Any) -> Boolean, badarg, link, Effect;
    "unlink" (Any) -> Boolean, badarg, unlink, Effect;
    "exit" (Any, Any) -> Boolean, badarg, exit_other, Meaning::Effect(&[Deep, Moved]);
};

/// Returns the exit reason of a process that an exception has ended.
pub fn exit_reason(context: &mut Context, exception: &Exception, trace: Word) -> Word {
    let reason = match exception.class {
        Class::Exit => return exception.reason,
        Class::Error => exception.reason,
        Class::Throw => context.heap.tuple(&[Atom::new("nocatch").into(), exception.reason]),
    };
    // The runtime reports errors that were not caught.
    context.recorder.error_reports += 1;
    let trace = context.stacktrace(trace);
    context.heap.tuple(&[reason, trace])
}

/// Returns whether a process that ends with this reason has failed.
pub fn is_abnormal(context: &mut Context, reason: Word) -> bool {
    if context.decide_identical(reason, names::NORMAL.into()) {
        return false;
    }
    let planned = Word::atom(Atom::new("shutdown"));
    let is_planned = context.decide_identical(reason, planned);
    let is_tagged = |context: &mut Context| match context.tuple_elements(reason, 2) {
        Some(parts) => context.decide_identical(parts[0], planned),
        None => false,
    };
    !is_planned && !is_tagged(context)
}

/// Returns the original error of an exit, if it was one: OTP's behaviours catch the errors of their callbacks and exit
/// with `{Reason, Stack}`.
pub fn first_raised(raised: path::Raised) -> path::Raised {
    let is_entry = |entry: &Term| entry.as_tuple().is_some_and(|parts| parts.len() == 4);
    match (raised.class, raised.reason.as_tuple()) {
        (Class::Exit, Some([reason, stack]))
            if stack.as_list().is_some_and(|stack| !stack.is_empty() && stack.iter().all(is_entry)) =>
        {
            let reason = reason.clone();
            path::Raised { class: Class::Error, reason, ..raised }
        }
        _ => raised,
    }
}

fn link(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let number = match args[0].kind() {
        Some(Kind::Pid) if is_self(context, args[0]) => return Ok(Word::TRUE),
        Some(Kind::Pid) => args[0].identity(),
        Some(Kind::Port) => return Err(unsupported(context, "link", 1)),
        _ => return Err(badarg(context, args)),
    };
    if number == GROUP_LEADER {
        return Err(unsupported(context, "link", 1));
    }
    context.visible(&[(Object::Life(number), Access::Read)])?;
    looks_at(context, number);
    if outlives_signals(context, number) {
        add_link(context, number);
        return Ok(Word::TRUE);
    }
    if context.process.number() == Term::OWN_PID && !is_trapping_decided(context) {
        context.asks(Surrounding::Process);
    }
    if !ProcessState::own(context).traps_exits() {
        return Err(context.error(names::NOPROC));
    }
    let own = context.process.number();
    receive_signal(context, number, own, names::NOPROC.into(), Source::Link);
    Ok(Word::TRUE)
}

/// Links the running process with another one.
pub(super) fn add_link(context: &mut Context, number: u64) {
    let own = context.process.number();
    for (one, other) in [(own, number), (number, own)] {
        if let Some(process) = ProcessState::find(context, one)
            && !process.links.contains(&other)
        {
            process.links.push(other);
        }
    }
}

fn unlink(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].kind() {
        Some(Kind::Pid) => {
            let (own, number) = (context.process.number(), args[0].identity());
            context.visible(&[(Object::Life(number), Access::Read)])?;
            remove_link(context, own, number);
            remove_link(context, number, own);
            // A signal that came over the link has no effect any more.
            context.process.fatal.retain(|fatal| !(fatal.by_link && fatal.sender == number));
            Ok(Word::TRUE)
        }
        Some(Kind::Port) => Ok(Word::TRUE),
        _ => Err(badarg(context, args)),
    }
}

fn remove_link(context: &mut Context, of: u64, to: u64) {
    if let Some(process) = ProcessState::find(context, of) {
        process.links.retain(|other| *other != to);
    }
}

fn exit_other(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let number = match args[0].kind() {
        Some(Kind::Pid) if args[0].identity() == GROUP_LEADER => return Err(unsupported(context, "exit", 2)),
        Some(Kind::Pid) => args[0].identity(),
        Some(Kind::Port) => return Ok(Word::TRUE),
        _ => return Err(badarg(context, args)),
    };
    context.visible(&[(Object::Life(number), Access::Write), (Object::Mailbox(number), Access::Write)])?;
    if is_of_system(context, number) {
        looks_at(context, number);
    }
    let own = context.process.number();
    receive_signal(context, own, number, args[1], Source::Exit);
    // A signal that a process sends to itself has arrived when the call returns.
    if number == own && !context.process.fatal.is_empty() { Err(Escape::End) } else { Ok(Word::TRUE) }
}

/// The source of an exit signal.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// A call of `exit/2`.
    Exit,
    /// The end of a linked process.
    Link,
}

/// Applies an exit signal to the process that receives it.
fn receive_signal(context: &mut Context, from: u64, to: u64, reason: Word, source: Source) {
    let Some(process) = ProcessState::find(context, to) else { return };
    if source == Source::Link {
        process.links.retain(|other| *other != from);
    }
    let traps = process.traps_exits();
    let is_kill = source == Source::Exit && context.decide_identical(reason, Atom::new("kill").into());
    if is_kill {
        let killed = Word::atom(Atom::new("killed"));
        send_fatal(context, from, to, killed, source);
    } else if traps {
        let from = pid_of(context, from);
        let message = context.heap.tuple(&[names::EXIT_UPPER.into(), from, reason]);
        context.deliver(to, message);
    } else if from == to || !context.decide_identical(reason, names::NORMAL.into()) {
        // The calling process may have set the flag `trap_exit`, which turns the signal into a message.
        if to == Term::OWN_PID && !context.world.has_client && !is_trapping_decided(context) {
            context.recorder.asks(Surrounding::Process);
        }
        send_fatal(context, from, to, reason, source);
    }
}

/// Returns whether the run has set the flag `trap_exit` of its main process.
fn is_trapping_decided(context: &mut Context) -> bool {
    let state = ProcessState::find(context, Term::OWN_PID);
    state.is_some_and(|state| state.flags.get(Atom::new("trap_exit")).is_some())
}

fn send_fatal(context: &mut Context, sender: u64, to: u64, reason: Word, source: Source) {
    context.send_fatal(to, Fatal { reason, sender, by_link: source == Source::Link });
}

/// Returns whether a process is still alive when all signals that have reached it are handled. If it is not, ends it.
pub(super) fn outlives_signals(context: &mut Context, number: u64) -> bool {
    if context.process.number() == number {
        return true;
    }
    let Some(process) = context.world.process(number) else { return false };
    let (fatal, status) = (process.fatal.first().copied(), process.status);
    let Some(Fatal { reason, sender, .. }) = fatal else { return true };
    // The machine itself ends the others: the main process is the subject of the run, and the stacks of the others are
    // in use.
    if number != Term::OWN_PID && status != Status::Suspended && !context.world.is_loading(number) {
        if is_abnormal(context, reason) {
            context.world.record_end(machine::End { number, raised: None, killer: Some(sender) });
        }
        end(context, number, reason);
    }
    false
}

/// Handles the end of a process that has stopped running with this reason.
pub fn process_ended(context: &mut Context, number: u64, reason: Word) -> Result<(), Escape> {
    end(context, number, reason);
    Ok(())
}

/// Removes a process from the world and notifies linked and monitoring processes.
fn end(context: &mut Context, number: u64, reason: Word) {
    let is_failure = is_abnormal(context, reason);
    note_unseen(context, number, is_failure);
    ets::owner_ended(context, number);
    let Some(mut ended) = context.world.take(number) else { return };
    let state = ProcessState::of(&mut ended);
    if let Some(name) = state.name {
        ErlangState::of(context).registered.remove(&name);
    }
    let (monitors, watchers) = (std::mem::take(&mut state.monitors), std::mem::take(&mut state.monitored_by));
    for other in std::mem::take(&mut state.links) {
        receive_signal(context, number, other, reason, Source::Link);
    }
    for monitor in monitors {
        ErlangState::of(context).aliases.remove(&monitor.reference);
        if let Some(target) = monitor.target
            && let Some(watched) = ProcessState::find(context, target)
        {
            watched.monitored_by.retain(|(_, reference)| *reference != monitor.reference);
        }
    }
    for (watcher, reference) in watchers {
        report_down(context, watcher, reference, reason);
    }
    let looked_through = ErlangState::of(context).aliases.len();
    context.note_work(looked_through / 16);
    ErlangState::of(context).timers.forget(number);
    ErlangState::of(context).aliases.retain(|_, alias: &mut Alias| alias.owner != number);
}

/// Remembers the failure of a process that no other process is linked to or monitors.
fn note_unseen(context: &mut Context, number: u64, is_failure: bool) {
    if !is_failure || context.world.failure.is_some() {
        return;
    }
    let Some(process) = ProcessState::find(context, number) else { return };
    let watchers: Vec<u64> =
        process.links.iter().chain(process.monitored_by.iter().map(|(who, _)| who)).copied().collect();
    let has_client = context.world.has_client;
    let is_seen = watchers.into_iter().any(|watcher| {
        // A client only notices the failure, and a supervisor restarts the process: neither knows what was lost.
        let is_bystander = watcher == Term::OWN_PID || is_supervisor(context, watcher);
        !(has_client && is_bystander)
    });
    if is_seen {
        return;
    }
    // A process that was killed deliberately has not failed by itself.
    let is_its_own = has_client || context.world.raised_itself(number);
    if let Some(raised) = context.world.origin(number).filter(|_| is_its_own) {
        if has_client && is_unanswered_by_idle(context, &raised.reason) {
            return;
        }
        let raised = path::Raised { reach: Reach::Nobody, ..raised.clone() };
        context.world.failure = Some(raised);
    }
}

/// Returns whether the exit reason is a timeout while calling an idle process of the client.
fn is_unanswered_by_idle(context: &Context, reason: &Term) -> bool {
    let Some([Term::Atom(names::TIMEOUT), call]) = reason.as_tuple() else { return false };
    let Some([_, _, args]) = call.as_tuple() else { return false };
    let Some(Term::Pid(called)) = args.as_list().and_then(|args| args.first()) else { return false };
    let initial = context.world.process(*called).and_then(|process| process.initial);
    initial.is_some_and(|name| (name.module.text(), name.function.text()) == ("timer", "sleep"))
}

/// Returns whether a process restarts failed processes, or only forgets them.
fn is_supervisor(context: &mut Context, number: u64) -> bool {
    let Some(process) = context.process_of(number) else { return false };
    let call = process.dictionary.map_get(Word::atom(Atom::new("$initial_call"))).map(Word::concrete);
    let module = call.as_ref().and_then(|call| call.as_tuple()?.first()?.concrete().as_atom());
    // A registry is linked to the processes that it knows, and only forgets those that end.
    let bystanders = ["supervisor", "Elixir.DynamicSupervisor", "Elixir.Task.Supervisor", "Elixir.Registry.Partition"];
    module.is_some_and(|module| bystanders.contains(&module.text()))
}

/// Returns the processes from which a waiting process expects an answer: those that it calls.
pub fn waits_for(context: &mut Context, number: u64) -> Vec<u64> {
    let Some(process) = ProcessState::find(context, number) else { return Vec::new() };
    let targets = process.monitors.iter().filter(|monitor| monitor.is_call()).filter_map(|monitor| monitor.target);
    targets.collect()
}
