//! Marks in the code, which record that a run reached them, and events, which record the clauses that a run chose.

use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use path::{Mark, ProcessId};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"beagle_mark" by Search;
        "at" (Atom, Any, Any) -> Atom, badarg, at, Keeps;
    },
    rows! {"beagle_event" by Search;
        "at" (Any) -> Atom, badarg, chosen, Keeps;
    },
];

/// Records an event, given by its number. Events of `-on_load` are no part of the call: on the runtime it has finished
/// before the call.
fn chosen(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let Some(event) = args[0].as_small()
        && !context.world.is_loading(context.process.number())
    {
        let event = event.unsigned_abs();
        match context.process.id == ProcessId::MAIN {
            true => context.recorder.clauses.add(event),
            false => {
                let process = context.process.number();
                context.recorder.clauses.add_of(process, event);
            }
        }
    }
    Ok(names::OK.into())
}

/// Records a mark, given by its module, line and column.
fn at(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let number = |word: Word| word.as_small().and_then(|number| u32::try_from(number).ok());
    if let (Some(module), Some(line), Some(column)) = (args[0].as_atom(), number(args[1]), number(args[2])) {
        context.recorder.marks.add(Mark { module, line, column });
    }
    Ok(names::OK.into())
}
