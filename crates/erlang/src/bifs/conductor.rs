//! What conducted code says before and after each operation that other processes could notice: see `beagle_conduct.hrl` of
//! the oracle. Here, everybody may do everything in turn, and the order is recorded.

use super::{badarg, rows};
use machine::value::Kind;
use machine::{Access, Context, Escape, Object, Primitive, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"beagle_conductor";
    "ask"  (Atom) -> Atom, badarg, ask,  Keeps;
    "done" ()     -> Atom, badarg, done, Keeps;
    "born" (Any)  -> Any,  badarg, born, Keeps;
}];

/// Another process may go first. The operation that follows is done at once.
fn ask(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("schedule"), Access::Write)])?;
    context.grant_next();
    if let Some(operation) = args[0].as_atom() {
        let process = context.process.number();
        context.recorder.turns.operation(process, operation);
    }
    Ok(names::OK.into())
}

fn done(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}

/// A process, or a process and a reference.
fn born(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let result = args[0].concrete();
    let child = match result.as_tuple() {
        Some([child, _]) => child.concrete(),
        _ => result,
    };
    if child.is_kind(Kind::Pid) {
        let parent = context.process.number();
        context.recorder.turns.birth(parent, child.identity());
    }
    Ok(args[0])
}
