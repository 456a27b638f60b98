//! Events that instrumented code tells of itself: see `beagle_trace.hrl` of the oracle.

use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word};
use path::{Stop, Told, TraceEvent, TraceKind};
use term::FunctionName;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"beagle_trace";
    "event" (Any, Any, Any) -> Any, badarg, event, Keeps;
}];

/// What stands in the source, the values, and what is returned. The machine adds the depth of the stack.
fn event(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if context.recorder.trace.is_cut {
        return Err(context.stop(Stop::TraceLimit));
    }
    match told(context, args) {
        Some(told) => Err(context.tell(told)),
        None => Ok(args[2]),
    }
}

fn told(context: &Context, args: &[Word]) -> Option<Told> {
    let info = args[0].concrete();
    let [kind, module, function, arity, file, line, column, clause, clauses, count, names] = info.as_tuple()? else {
        return None;
    };
    let number = |word: &Word| word.as_small().and_then(|number| u32::try_from(number).ok());
    let kind = kind.as_atom()?.text();
    if kind == "result" {
        let value = context.brief_term(args[2]);
        return Some(Told::Result { value, pid: context.brief_term(context.process.pid) });
    }
    let kind = TraceKind::ALL.into_iter().find(|known| known.name() == kind)?;
    let mut values = Vec::new();
    let mut rest = args[1].concrete();
    while rest.is_cons() {
        values.push(context.brief_term(rest.head()));
        rest = rest.tail().concrete();
    }
    if kind == TraceKind::Return {
        values.push(context.brief_term(args[2]));
    }
    let bound = values.split_off((number(count)? as usize + usize::from(kind == TraceKind::Return)).min(values.len()));
    let mut bindings = Vec::new();
    let mut names = *names;
    for value in bound {
        if names.is_cons() {
            bindings.push((names.head().as_atom()?, value));
            names = names.tail();
        }
    }
    let function = FunctionName { module: module.as_atom()?, function: function.as_atom()?, arity: number(arity)? };
    Some(Told::Event(TraceEvent {
        kind,
        function,
        file: file.as_atom()?,
        line: number(line)?,
        column: number(column)?,
        clause: number(clause)?,
        clauses: number(clauses)?,
        values,
        bindings,
        process: context.process.id,
        pid: context.brief_term(context.process.pid),
        level: 0,
        is_tail: false,
        decisions: context.recorder.events.len(),
    }))
}
