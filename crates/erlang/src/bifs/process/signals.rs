//! Links, exit signals and the ends of processes.
//!
//! When a process ends, its tables go to their heirs or away, its name is free, those that it is linked to get an exit
//! signal, and those that monitor it a message, in this order. A signal can end further processes, and so on; all of
//! them are done one after the other, so that a long chain of links takes no stack.

use super::monitors::{Alias, report_down};
use super::{GROUP_LEADER, ProcessState, is_alive, is_foreign, is_self, pid_of, unsupported};
use crate::bifs::{badarg, ets, rows};
use crate::runtime::ErlangState;
use machine::{Access, Context, Escape, Exception, Kind, Object, Primitive, Word};
use path::{Class, Reach, Surrounding};
use std::collections::VecDeque;
use term::{Atom, Term, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang";
    "link" (Any) -> Boolean, badarg, link, Effect;
    "unlink" (Any) -> Boolean, badarg, unlink, Effect;
    "exit" (Any, Any) -> Boolean, badarg, exit_other, Meaning::Effect(&[Deep, Moved]);
};

/// A process that is to end.
struct Dying {
    number: u64,
    reason: Word,
    killer: Option<u64>,
}

/// The reason of a process that an exception has ended.
pub fn exit_reason(context: &mut Context, exception: &Exception, trace: Word) -> Word {
    let reason = match exception.class {
        Class::Exit => return exception.reason,
        Class::Error => exception.reason,
        Class::Throw => context.heap.tuple(&[Atom::new("nocatch").into(), exception.reason]),
    };
    let trace = context.stacktrace(trace);
    context.heap.tuple(&[reason, trace])
}

/// Whether a process that ends with this reason has failed.
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

/// OTP's behaviours catch the errors of their callbacks and exit with `{Reason, Stack}`.
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
    if is_alive(context, number) {
        add_link(context, number);
        return Ok(Word::TRUE);
    }
    if is_foreign(number) {
        context.asks(Surrounding::Processes);
    }
    if !ProcessState::own(context).traps_exits() {
        return Err(context.error(names::NOPROC));
    }
    let own = context.process.number();
    exit_signal(context, number, own, names::NOPROC.into(), Source::Link);
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
    let own = context.process.number();
    exit_signal(context, own, number, args[1], Source::Exit);
    let Some(index) = ErlangState::of(context).killed.iter().position(|killed| killed.number == own) else {
        return Ok(Word::TRUE);
    };
    if number != own {
        // What comes back to the sender is on its way while the sender goes on.
        context.end_soon();
        return Ok(Word::TRUE);
    }
    let killed = ErlangState::of(context).killed.remove(index);
    ErlangState::of(context).killer = killed.killer;
    Err(context.end(killed.reason))
}

/// Where an exit signal comes from.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// Somebody called `exit/2`.
    Exit,
    /// A linked process ended.
    Link,
}

/// An exit signal, and all that follows from it.
fn exit_signal(context: &mut Context, from: u64, to: u64, reason: Word, kind: Source) {
    let mut dying = VecDeque::new();
    receive_signal(context, from, to, reason, kind, &mut dying);
    end_all(context, dying);
}

/// What an exit signal does to the process that gets it.
fn receive_signal(context: &mut Context, from: u64, to: u64, reason: Word, kind: Source, dying: &mut VecDeque<Dying>) {
    let Some(process) = ProcessState::find(context, to) else { return };
    if kind == Source::Link {
        process.links.retain(|other| *other != from);
    }
    let traps = process.traps_exits();
    let is_kill = kind == Source::Exit && context.decide_identical(reason, Atom::new("kill").into());
    if is_kill {
        let killed = Word::atom(Atom::new("killed"));
        dying.push_back(Dying { number: to, reason: killed, killer: Some(from) });
    } else if traps {
        let from = pid_of(context, from);
        let message = context.heap.tuple(&[names::EXIT_UPPER.into(), from, reason]);
        context.deliver(to, message);
    } else if from == to || !context.decide_identical(reason, names::NORMAL.into()) {
        dying.push_back(Dying { number: to, reason, killer: Some(from) });
    }
}

/// The running process has ended with this reason.
pub fn process_ended(context: &mut Context, number: u64, reason: Word) -> Result<(), Escape> {
    end_all(context, VecDeque::from([Dying { number, reason, killer: None }]));
    Ok(())
}

/// Ends processes that signals reached while they ran. Of the main process, why it ends and by whom is the answer.
pub fn killed_main(context: &mut Context) -> Option<(Word, Option<u64>)> {
    while let Some(Killed { number, reason, killer }) = ErlangState::of(context).killed.pop() {
        if number == Term::OWN_PID {
            return Some((reason, killer));
        }
        end_all(context, VecDeque::from([Dying { number, reason, killer }]));
    }
    None
}

fn end_all(context: &mut Context, mut dying: VecDeque<Dying>) {
    while let Some(next) = dying.pop_front() {
        end(context, next, &mut dying);
    }
}

/// Takes a process out of the world and tells those who are to know.
fn end(context: &mut Context, Dying { number, reason, killer }: Dying, dying: &mut VecDeque<Dying>) {
    if !is_alive(context, number) {
        return;
    }
    if context.process.number() == number || number == Term::OWN_PID {
        // The machine ends these: the one runs, the other is what the run is about.
        let killed = &mut ErlangState::of(context).killed;
        if killed.iter().all(|other| other.number != number) {
            killed.push(Killed { number, reason, killer });
        }
        return;
    }
    let is_failure = is_abnormal(context, reason);
    if is_failure && killer.is_some() {
        context.world.record_end(machine::End { number, raised: None, killer });
    }
    note_unseen(context, number, is_failure);
    ets::owner_ended(context, number);
    let Some(mut ended) = context.world.take(number) else { return };
    let state = ProcessState::of(&mut ended);
    if let Some(name) = state.name {
        ErlangState::of(context).registered.remove(&name);
    }
    for other in std::mem::take(&mut state.links) {
        receive_signal(context, number, other, reason, Source::Link, dying);
    }
    for monitor in std::mem::take(&mut state.monitors) {
        ErlangState::of(context).aliases.remove(&monitor.reference);
        if let Some(target) = monitor.target
            && let Some(watched) = ProcessState::find(context, target)
        {
            watched.monitored_by.retain(|(_, reference)| *reference != monitor.reference);
        }
    }
    for (watcher, reference) in std::mem::take(&mut state.monitored_by) {
        report_down(context, watcher, reference, reason);
    }
    let state = ErlangState::of(context);
    let looked_through = state.timers.len() + state.aliases.len();
    context.note_work(looked_through / 16);
    ErlangState::of(context).timers.forget(number);
    ErlangState::of(context).aliases.retain(|_, alias: &mut Alias| alias.owner != number);
}

/// Remembers a failure of a process that nobody is linked to or monitors.
fn note_unseen(context: &mut Context, number: u64, is_failure: bool) {
    if !is_failure || context.world.failure.is_some() {
        return;
    }
    let Some(process) = ProcessState::find(context, number) else { return };
    let watchers: Vec<u64> =
        process.links.iter().chain(process.monitored_by.iter().map(|(who, _)| who)).copied().collect();
    let has_client = context.world.has_client;
    let is_seen = watchers.into_iter().any(|watcher| {
        // A client only notices it, and a supervisor starts it again: neither knows what was lost.
        let is_bystander = watcher == Term::OWN_PID || is_supervisor(context, watcher);
        !(has_client && is_bystander)
    });
    if is_seen {
        return;
    }
    // A process that was killed on purpose has not failed by itself.
    let is_its_own = has_client || context.world.raised_itself(number);
    if let Some(raised) = context.world.origin(number).filter(|_| is_its_own) {
        if has_client && is_unanswered_by_idle(context, &raised.reason) {
            return;
        }
        let raised = path::Raised { reach: Reach::Nobody, ..raised.clone() };
        context.world.failure = Some(raised);
    }
}

/// Whether an exit says that a process did not answer that a client has brought along, which does nothing.
fn is_unanswered_by_idle(context: &Context, reason: &Term) -> bool {
    let Some([Term::Atom(names::TIMEOUT), call]) = reason.as_tuple() else { return false };
    let Some([_, _, args]) = call.as_tuple() else { return false };
    let Some(Term::Pid(called)) = args.as_list().and_then(|args| args.first()) else { return false };
    let initial = context.world.process(*called).and_then(|process| process.initial);
    initial.is_some_and(|name| (name.module.text(), name.function.text()) == ("timer", "sleep"))
}

/// Whether a process starts others again that have failed, or only forgets them.
fn is_supervisor(context: &mut Context, number: u64) -> bool {
    let Some(process) = context.process_of(number) else { return false };
    let call = process.dictionary.map_get(Word::atom(Atom::new("$initial_call"))).map(Word::concrete);
    let module = call.as_ref().and_then(|call| call.as_tuple()?.first()?.concrete().as_atom());
    // A registry is linked to those whom it knows, and forgets them.
    let bystanders = ["supervisor", "Elixir.DynamicSupervisor", "Elixir.Task.Supervisor", "Elixir.Registry.Partition"];
    module.is_some_and(|module| bystanders.contains(&module.text()))
}

/// A process that a signal has ended and that is still in the world.
#[derive(Clone, Copy)]
pub struct Killed {
    pub number: u64,
    pub reason: Word,
    pub killer: Option<u64>,
}

/// The processes that a waiting process expects an answer from: those that it calls.
pub fn waits_for(context: &mut Context, number: u64) -> Vec<u64> {
    let Some(process) = ProcessState::find(context, number) else { return Vec::new() };
    let targets = process.monitors.iter().filter(|monitor| monitor.is_call()).filter_map(|monitor| monitor.target);
    targets.collect()
}
