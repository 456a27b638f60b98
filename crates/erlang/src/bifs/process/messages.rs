//! Sending messages.

use super::monitors::{Alias, use_alias};
use super::names::{asks_about, is_absent};
use super::{GROUP_LEADER, is_alive, looks_at, new_reference, system, unsupported};
use crate::bifs::{badarg, badarg_because, rows};
use crate::runtime::ErlangState;
use machine::{Access, Context, Domain, Escape, Kind, Object, Primitive, Word, list_items};
use path::{Concretised, Surrounding};
use term::{FunctionName, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Processes;
    "self" () -> Pid, badarg, self_pid, Effect;
    "!" (Any, Any) -> Any, badarg, send, Meaning::Effect(&[Moved, Moved]);
    "send" (Any, Any) -> Any, badarg, send, Meaning::Effect(&[Moved, Moved]);
    "send" (Any, Any, Any) -> Atom, badarg, send_with_options, Meaning::Effect(&[Moved, Moved, Deep]);
    "make_ref" () -> Reference by Identities, badarg, make_ref, Effect;
};

fn self_pid(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.own_pid())
}

fn make_ref(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(new_reference(context))
}

fn send(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    deliver(context, "send", args)?;
    Ok(args[1])
}

fn send_with_options(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_known = |option: &Word| {
        option.concrete().as_atom().is_some_and(|name| matches!(name.text(), "nosuspend" | "noconnect"))
    };
    if !list_items(args[2]).is_some_and(|options| options.iter().all(is_known)) {
        return Err(badarg_because(context, "badopt"));
    }
    deliver(context, "send", args)?;
    Ok(names::OK.into())
}

fn deliver(context: &mut Context, function: &str, args: &[Word]) -> Result<(), Escape> {
    decide_name(context, args[0]);
    let to = args[0].concrete();
    match destination(context, to) {
        Destination::Process(number) => {
            context.visible(&[(Object::Mailbox(number), Access::Write)])?;
            if to.is_kind(Kind::Reference) && !use_alias(context, to.identity()) {
                return Ok(());
            }
            context.deliver(number, args[1]);
        }
        Destination::Gone => {}
        Destination::Elsewhere => return Err(unsupported(context, function, args.len() as u32)),
        Destination::Starting(name) => return Err(system::start_first(context, name)),
        Destination::Invalid => {
            if let Some(name) = to.as_atom() {
                asks_about(context, name);
            }
            return Err(badarg(context, args));
        }
    }
    Ok(())
}

pub(in crate::bifs) enum Destination {
    Process(u64),
    /// A process that does not exist: messages to it are silently lost.
    Gone,
    /// A process that exists, but is not simulated.
    Elsewhere,
    /// A process of the runtime that is started on demand.
    Starting(term::Atom),
    Invalid,
}

/// Returns the destination of a message to `to`.
pub(in crate::bifs) fn destination(context: &mut Context, to: Word) -> Destination {
    if let Some(name) = to.as_atom() {
        return match by_name(context, name) {
            Some(found) => found,
            None => Destination::Invalid,
        };
    }
    match to.kind() {
        Some(Kind::Pid) => {
            let number = to.identity();
            looks_at(context, number);
            match is_alive(context, number) {
                true => Destination::Process(number),
                false if number == GROUP_LEADER => Destination::Elsewhere,
                false => Destination::Gone,
            }
        }
        Some(Kind::Port) => {
            context.asks(Surrounding::Processes);
            Destination::Elsewhere
        }
        Some(Kind::Reference) => match ErlangState::of(context).aliases.get(&to.identity()) {
            Some(Alias { owner, .. }) => Destination::Process(*owner),
            None => Destination::Gone,
        },
        Some(Kind::Tuple) => match *to.payload() {
            [name, node] => match (name.concrete().as_atom(), node.concrete().as_atom()) {
                (Some(name), Some(names::NONODE)) => by_name(context, name).unwrap_or_else(|| {
                    asks_about(context, name);
                    Destination::Gone
                }),
                (Some(_), Some(_)) => {
                    // The answer depends on which nodes exist and which processes they have.
                    context.asks(Surrounding::Processes);
                    Destination::Gone
                }
                _ => Destination::Invalid,
            },
            _ => Destination::Invalid,
        },
        _ => Destination::Invalid,
    }
}

/// Decides which of the registered names a destination equals, if it depends on the inputs.
fn decide_name(context: &mut Context, to: Word) {
    if !to.is_symbolic() {
        if context.heap.is_shadowed(to) {
            lose_destination(context);
        }
        return;
    }
    let mut all: Vec<term::Atom> = ErlangState::of(context).registered.keys().copied().collect();
    all.sort_unstable_by_key(|name| name.text());
    for name in all {
        if context.decide_identical(to, Word::atom(name)) {
            return;
        }
    }
    if !context.is_within(Domain::Atom, to) {
        lose_destination(context);
    }
}

/// Records a loss: it is unknown which process a part of the inputs denotes.
fn lose_destination(context: &mut Context) {
    let name = FunctionName { module: names::ERLANG, function: term::Atom::new("send"), arity: 2 };
    context.recorder.concretised(Concretised::Function(name));
}

/// Returns the process with that name, if there is one.
fn by_name(context: &mut Context, name: term::Atom) -> Option<Destination> {
    match ErlangState::of(context).registered.get(&name).copied() {
        Some(number) => {
            looks_at(context, number);
            Some(Destination::Process(number))
        }
        None if system::can_start(context, name) => Some(Destination::Starting(name)),
        None if is_absent(context, name) => {
            context.asks(Surrounding::Processes);
            Some(Destination::Elsewhere)
        }
        None => None,
    }
}
