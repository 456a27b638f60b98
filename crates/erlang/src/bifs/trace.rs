//! Events that instrumented code reports: see `beagle_trace.hrl` of the oracle.

use super::process::ProcessState;
use super::{badarg, rows};
use crate::trace::told;
use machine::{Context, Escape, Primitive, Word};
use path::{Stop, Told};
use term::Term;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"beagle_trace" by Search;
    "event" (Any, Any, Any) -> Any, badarg, event, Keeps;
}];

/// Records an event, given by its description in the source, its values, and the value to return. The machine adds the
/// depth of the stack. A trace has no events of `-on_load`, which has finished before the call on the runtime.
fn event(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if context.recorder.trace.is_cut {
        return Err(context.stop(Stop::TraceLimit));
    }
    let is_of_load = ProcessState::own(context).is_of_load;
    match here(context, args).filter(|_| !is_of_load) {
        Some(told) => Err(context.tell(told)),
        None => Ok(args[2]),
    }
}

fn here(context: &Context, args: &[Word]) -> Option<Told> {
    let info = context.lasting_term(args[0])?;
    let mut values: Vec<Term> = Vec::new();
    let mut rest = args[1].concrete();
    while rest.is_cons() {
        values.push(context.brief_term(rest.head()));
        rest = rest.tail().concrete();
    }
    let mut told = told(&info, values, context.brief_term(args[2]), context.brief_term(context.process.pid))?;
    if let Told::Event(event) = &mut told {
        (event.process, event.decisions) = (context.process.id, context.recorder.events.len());
    }
    Some(told)
}
