//! Monitors and aliases.

use super::signals::outlives_signals;
use super::{
    Destination, GROUP_LEADER, ProcessState, destination, looks_at, names::asks_about, new_reference, pid_of, system,
    unsupported,
};
use crate::bifs::{badarg, badarg_because, rows};
use crate::runtime::ErlangState;
use machine::value::Collector;
use machine::{Access, Context, Escape, Kind, Object, Primitive, Word, list_items};
use term::{Atom, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Processes;
    "monitor" (Atom, Any) -> Reference, badarg, monitor, Effect;
    "monitor" (Atom, Any, ProperList) -> Reference, badarg, monitor_with_options, Meaning::Effect(&[Top, Deep, Spine]);
    "demonitor" (Reference) -> Boolean, badarg, demonitor, Effect;
    "demonitor" (Reference, ProperList) -> Boolean, badarg, demonitor_with_options, Effect;
    "alias" () -> Reference, badarg, alias, Effect;
    "alias" (ProperList) -> Reference, badarg, alias, Effect;
    "unalias" (Reference) -> Boolean, badarg, unalias, Effect;
};

/// A monitor that has not reported.
#[derive(Clone)]
pub(super) struct Monitor {
    /// The number of its reference.
    pub reference: u64,
    /// The process that it watches; `None` for one that is not run here.
    pub target: Option<u64>,
    /// The name that was given for the process.
    pub name: Option<Atom>,
    /// The tag of the report, instead of `'DOWN'`.
    tag: Option<Word>,
    alias: Option<AliasKind>,
}

impl Monitor {
    pub fn roots(&mut self, collector: &mut Collector<'_>) {
        collector.roots(&mut self.tag);
    }

    /// Returns whether it belongs to a call that waits for its answer.
    pub fn is_call(&self) -> bool {
        self.alias.is_some()
    }
}

/// A reference that messages can be sent to.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    pub owner: u64,
    kind: AliasKind,
}

/// The moment when an alias ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AliasKind {
    /// The alias ends when it is deactivated.
    Explicit,
    /// The alias also ends with its monitor.
    Demonitor,
    /// The alias and the monitor also end with the first message.
    Reply,
}

/// The options of a monitor.
#[derive(Clone, Copy, Default)]
pub(super) struct Options {
    tag: Option<Word>,
    alias: Option<AliasKind>,
}

impl Options {
    /// Reads the options; `None` if one is wrong.
    pub fn of(context: &mut Context, list: Word) -> Option<Options> {
        let mut options = Options::default();
        for option in list_items(list)? {
            let (name, value) = <(Word, Word)>::from(<[Word; 2]>::try_from(context.tuple_elements(option, 2)?).ok()?);
            if context.decide_identical(name, Atom::new("tag").into()) {
                options.tag = Some(value);
            } else if context.decide_identical(name, Atom::new("alias").into()) {
                options.alias = Some(alias_kind(context, value)?);
            } else {
                return None;
            }
        }
        Some(options)
    }
}

fn alias_kind(context: &mut Context, word: Word) -> Option<AliasKind> {
    let kinds = [
        ("explicit_unalias", AliasKind::Explicit),
        ("demonitor", AliasKind::Demonitor),
        ("reply_demonitor", AliasKind::Reply),
    ];
    let found = kinds.into_iter().find(|(name, _)| context.decide_identical(word, Atom::new(name).into()));
    found.map(|(_, kind)| kind)
}

fn monitor(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    monitor_item(context, args, Options::default())
}

fn monitor_with_options(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match Options::of(context, args[2]) {
        Some(options) => monitor_item(context, args, options),
        None => Err(badarg_because(context, "badopt")),
    }
}

fn monitor_item(context: &mut Context, args: &[Word], options: Options) -> Result<Word, Escape> {
    match args[0].as_atom().map(Atom::text) {
        Some("process") => monitor_process(context, args, options),
        Some("time_offset") if args[1] == Word::atom(Atom::new("clock_service")) => {
            let reference = new_reference(context);
            add(context, reference.identity(), None, None, options);
            Ok(reference)
        }
        Some("port") => Err(unsupported(context, "monitor", 2)),
        Some("time_offset") => Err(badarg(context, args)),
        _ => Err(badarg_because(context, "badtype")),
    }
}

fn monitor_process(context: &mut Context, args: &[Word], options: Options) -> Result<Word, Escape> {
    let item = args[1].concrete();
    let name = match item.as_tuple() {
        Some([name, _]) => name.concrete().as_atom(),
        _ => item.as_atom(),
    };
    let target = match destination(context, item) {
        Destination::Process(_) if item.is_kind(Kind::Reference) => return Err(badarg(context, args)),
        Destination::Process(number) => outlives_signals(context, number).then_some(number),
        Destination::Elsewhere => Some(GROUP_LEADER),
        Destination::Starting(name) => return Err(system::start_first(context, name)),
        Destination::Gone if !item.is_kind(Kind::Reference) => None,
        Destination::Invalid if item.is_atom() => None,
        Destination::Gone | Destination::Invalid => return Err(badarg(context, args)),
    };
    match target {
        Some(number) => context.visible(&[(Object::Life(number), Access::Read)])?,
        None => name.map_or(Ok(()), |name| context.visible(&[(Object::Name(name), Access::Read)]))?,
    }
    let reference = new_reference(context);
    let number = reference.identity();
    match target {
        // Monitoring oneself has no effect: it creates neither a monitor nor an alias.
        Some(target) if target == context.process.number() => {}
        Some(target) => {
            add(context, number, Some(target), name, options);
            let watcher = context.process.number();
            if let Some(watched) = ProcessState::find(context, target) {
                watched.monitored_by.push((watcher, number));
            }
        }
        None => {
            match name {
                Some(name) => asks_about(context, name),
                None => looks_at(context, item.identity()),
            }
            let gone = (!item.is_atom() && name.is_none()).then(|| item.identity());
            add(context, number, gone, name, options);
            let watcher = context.process.number();
            report_down(context, watcher, number, names::NOPROC.into());
        }
    }
    Ok(reference)
}

/// Adds a monitor to the running process.
fn add(context: &mut Context, reference: u64, target: Option<u64>, name: Option<Atom>, options: Options) {
    let owner = context.process.number();
    if let Some(kind) = options.alias {
        ErlangState::of(context).aliases.insert(reference, Alias { owner, kind });
    }
    let monitor = Monitor { reference, target, name, tag: options.tag, alias: options.alias };
    ProcessState::own(context).monitors.push(monitor);
}

/// Adds a monitor to the running process for a process that it has just started.
pub(super) fn monitor_child(context: &mut Context, child: u64, options: Options) -> Word {
    let reference = new_reference(context);
    add(context, reference.identity(), Some(child), None, options);
    let watcher = context.process.number();
    if let Some(watched) = ProcessState::find(context, child) {
        watched.monitored_by.push((watcher, reference.identity()));
    }
    reference
}

/// Sends a process the report that a monitored process has ended, and removes the monitor and its alias.
pub(super) fn report_down(context: &mut Context, watcher: u64, reference: u64, reason: Word) {
    let Some(monitor) = take(context, watcher, reference) else { return };
    if matches!(monitor.alias, Some(AliasKind::Demonitor | AliasKind::Reply)) {
        ErlangState::of(context).aliases.remove(&reference);
    }
    // A name is reported together with the node.
    let item = match (monitor.name, monitor.target) {
        (Some(name), _) => context.heap.tuple(&[name.into(), names::NONODE.into()]),
        (None, Some(number)) => pid_of(context, number),
        (None, None) => Word::NIL,
    };
    let tag = monitor.tag.unwrap_or(Word::atom(Atom::new("DOWN")));
    let reference = context.heap.identity(Kind::Reference, reference);
    let message = context.heap.tuple(&[tag, reference, Atom::new("process").into(), item, reason]);
    context.deliver(watcher, message);
}

fn take(context: &mut Context, watcher: u64, reference: u64) -> Option<Monitor> {
    let monitors = &mut ProcessState::find(context, watcher)?.monitors;
    let index = monitors.iter().position(|monitor| monitor.reference == reference)?;
    Some(monitors.remove(index))
}

/// Ends a monitor of the running process. Returns whether there was one.
fn end_monitor(context: &mut Context, reference: u64) -> bool {
    let own = context.process.number();
    let Some(monitor) = take(context, own, reference) else { return false };
    if matches!(monitor.alias, Some(AliasKind::Demonitor | AliasKind::Reply)) {
        ErlangState::of(context).aliases.remove(&reference);
    }
    if let Some(target) = monitor.target
        && let Some(watched) = ProcessState::find(context, target)
    {
        watched.monitored_by.retain(|(_, number)| *number != reference);
    }
    true
}

fn demonitor(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    end_monitor(context, args[0].identity());
    Ok(Word::TRUE)
}

/// Ends a monitor. `flush` removes a report that has already arrived; with `info`, the result is whether the monitor
/// was still active.
fn demonitor_with_options(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (mut flush, mut info) = (false, false);
    for option in list_items(args[1]).unwrap_or_default() {
        match option.concrete().as_atom().map(Atom::text) {
            Some("flush") => flush = true,
            Some("info") => info = true,
            _ => return Err(badarg(context, args)),
        }
    }
    let own = context.process.number();
    if flush {
        context.visible(&[(Object::Mailbox(own), Access::Read)])?;
    }
    let was_active = end_monitor(context, args[0].identity());
    if flush && !was_active {
        let mailbox = &mut context.process.mailbox;
        if let Some(position) = mailbox.iter().position(|message| is_report(*message, args[0])) {
            mailbox.remove(position);
        }
    }
    // This also holds with `flush`: the result is false if a report had to be removed.
    Ok((!info || was_active).into())
}

fn is_report(message: Word, reference: Word) -> bool {
    match message.concrete().as_tuple() {
        Some(&[_, monitor, _, _, _]) => machine::value::identical(monitor, reference),
        _ => false,
    }
}

fn alias(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut kind = AliasKind::Explicit;
    for option in args.first().and_then(|list| list_items(*list)).unwrap_or_default() {
        match option.concrete().as_atom().map(Atom::text) {
            Some("explicit_unalias") => kind = AliasKind::Explicit,
            Some("reply") => kind = AliasKind::Reply,
            _ => return Err(badarg(context, args)),
        }
    }
    let reference = new_reference(context);
    let owner = context.process.number();
    ErlangState::of(context).aliases.insert(reference.identity(), Alias { owner, kind });
    Ok(reference)
}

fn unalias(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (own, number) = (context.process.number(), args[0].identity());
    let aliases = &mut ErlangState::of(context).aliases;
    let is_own = aliases.get(&number).is_some_and(|alias| alias.owner == own);
    if is_own {
        aliases.remove(&number);
    }
    Ok(is_own.into())
}

/// Notes that a message is sent to an alias, and returns whether the message arrives.
pub(super) fn use_alias(context: &mut Context, number: u64) -> bool {
    let Some(Alias { owner, kind }) = ErlangState::of(context).aliases.get(&number).copied() else { return false };
    if kind == AliasKind::Reply {
        ErlangState::of(context).aliases.remove(&number);
        if let Some(monitor) = take(context, owner, number)
            && let Some(target) = monitor.target
            && let Some(watched) = ProcessState::find(context, target)
        {
            watched.monitored_by.retain(|(_, reference)| *reference != number);
        }
    }
    true
}
