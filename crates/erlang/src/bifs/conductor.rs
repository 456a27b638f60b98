//! What conducted code says before and after each operation that other processes could notice: see `beagle_conduct.hrl` of
//! the oracle. Here, everybody may do everything in turn, and the order is recorded. What else conducted code calls is run
//! from the conductor's own code.

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

/// Others go first until they wait or ask, and perhaps also then. The operation that follows is done at once.
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

/// Nobody needs to be told here.
fn heard(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::OK.into())
}

/// The value without its shadow. What is asked is no decision of the program.
fn plain(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].concrete())
}

/// What a process is told of another is right here.
fn shown(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0])
}
