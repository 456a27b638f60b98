//! Monitors. The own process never ends before the run does, and the others are not there: monitoring
//! them reports at once that they are gone.

use super::process::{Destination, destination, new_reference};
use super::{badarg, rows};
use crate::runtime::ErlangState;
use machine::{Context, Escape, Kind, Primitive, Word, list_items};
use path::{Stop, Surrounding};
use term::{Atom, FunctionName, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang";
    "monitor" (Atom, Any) -> Reference, badarg, monitor, Effect;
    "demonitor" (Reference) -> Boolean, badarg, demonitor, Effect;
    "demonitor" (Reference, ProperList) -> Boolean, badarg, demonitor_with_options, Effect;
}];

fn monitor(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].as_atom().map(Atom::text) {
        Some("process") => monitor_process(context, args),
        Some("time_offset") if args[1] == Word::atom(Atom::new("clock_service")) => {
            let reference = new_reference(context);
            ErlangState::of(context).monitors.insert(reference.identity());
            Ok(reference)
        }
        Some("port") => {
            let (function, arity) = (Atom::new("monitor"), 2);
            Err(context.stop(Stop::Unsupported(FunctionName { module: names::ERLANG, function, arity })))
        }
        _ => Err(badarg(context, args)),
    }
}

fn monitor_process(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let item = args[1];
    let gone = match destination(context, item) {
        // Monitoring oneself is no monitor.
        Destination::Own => return Ok(new_reference(context)),
        Destination::Elsewhere => None,
        // A name is reported together with the node.
        _ if item.is_atom() => Some(context.heap.tuple(&[item, names::NONODE.into()])),
        Destination::Gone if !item.is_kind(Kind::Reference) => Some(item),
        Destination::Gone | Destination::Invalid => return Err(badarg(context, args)),
    };
    let reference = new_reference(context);
    match gone {
        None => {
            ErlangState::of(context).monitors.insert(reference.identity());
        }
        Some(item) => {
            context.asks(Surrounding::Processes);
            let tag = Word::atom(Atom::new("DOWN"));
            let message =
                context.heap.tuple(&[tag, reference, Atom::new("process").into(), item, names::NOPROC.into()]);
            context.process.mailbox.push_back(message);
        }
    }
    Ok(reference)
}

fn demonitor(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    ErlangState::of(context).monitors.remove(&args[0].identity());
    Ok(Word::TRUE)
}

/// `flush` removes a report that came already; with `info` the answer is whether nothing had come.
fn demonitor_with_options(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (mut flush, mut info) = (false, false);
    for option in list_items(args[1]).unwrap_or_default() {
        match option.concrete().as_atom().map(Atom::text) {
            Some("flush") => flush = true,
            Some("info") => info = true,
            _ => return Err(badarg(context, args)),
        }
    }
    let was_active = ErlangState::of(context).monitors.remove(&args[0].identity());
    if flush && !was_active {
        let mailbox = &mut context.process.mailbox;
        if let Some(position) = mailbox.iter().position(|message| is_report(*message, args[0])) {
            mailbox.remove(position);
        }
    }
    Ok((!info || was_active).into())
}

fn is_report(message: Word, reference: Word) -> bool {
    match message.concrete().as_tuple() {
        Some(&[_, monitor, _, _, _]) => machine::value::identical(monitor, reference),
        _ => false,
    }
}
