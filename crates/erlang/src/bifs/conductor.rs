//! Questions and reports of conducted code, before and after each operation that other processes could notice: see
//! `beagle_conduct.hrl` of the oracle. Here, all processes may proceed, one after the other, and the order is recorded.
//! The other functions that conducted code calls are run from the conductor's own code.

use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"beagle_conductor" by Search;
    "ask"   (Atom)      -> Atom, badarg, ask,   Keeps;
    "ask"   (Atom, Any) -> Atom, badarg, ask,   Keeps;
    "done"  ()          -> Atom, badarg, heard, Keeps;
    "tell"  (Any)       -> Atom, badarg, heard, Keeps;
    "plain" (Any)       -> Any,  badarg, plain, Keeps;
    "shown" (Any, Any)  -> Any,  badarg, shown, Keeps;
}];

/// Lets other processes go first, until each waits, has ended or asks as well. The operation that follows is then done
/// at once.
fn ask(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.ask()?;
    if let Some(operation) = args[0].as_atom() {
        let process = context.process.number();
        context.recorder.turns.operation(process, operation);
    }
    if let Some(wait) = args.get(1).and_then(|wait| u64::try_from(wait.concrete().as_small()?).ok())
        && wait > 0
    {
        context.recorder.turns.wait(wait);
    }
    Ok(names::OK.into())
}

/// Ignores a report: the machine needs none.
fn heard(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}

/// Returns the value without its shadow, because what conducted code asks is no decision of the program.
fn plain(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].concrete())
}

/// Returns the first argument unchanged: what a process sees of another one is already right here.
fn shown(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0])
}
