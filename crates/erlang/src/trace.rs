//! Events that code reports for a trace, on our machine and on the real runtime: see `beagle_trace.hrl` of the oracle.

use path::{ProcessId, Told, TraceEvent, TraceKind};
use term::{FunctionName, Term};

/// Reads an event: its description in the source, its values, what it returns, and the process. The caller adds its
/// position in the run.
pub fn told(info: &Term, mut values: Vec<Term>, result: Term, pid: Term) -> Option<Told> {
    let [kind, module, function, arity, file, line, column, clause, clauses, count, names] = info.as_tuple()? else {
        return None;
    };
    let number = |term: &Term| term.as_int().and_then(|number| u32::try_from(number).ok());
    let kind = kind.as_atom()?.text();
    match kind {
        "result" => return Some(Told::Result { value: result, pid }),
        "tail_call" => {
            let to = match &values[..] {
                [Term::Atom(module), Term::Atom(function)] => {
                    Some(FunctionName { module: *module, function: *function, arity: number(clause)? })
                }
                _ => None,
            };
            return Some(Told::TailCall { to });
        }
        _ => {}
    }
    let kind = TraceKind::ALL.into_iter().find(|known| known.name() == kind)?;
    let bound = values.split_off((number(count)? as usize).min(values.len()));
    if kind == TraceKind::Return {
        values.push(result);
    }
    let names = names.as_list()?.iter().filter_map(Term::as_atom);
    Some(Told::Event(TraceEvent {
        kind,
        function: FunctionName { module: module.as_atom()?, function: function.as_atom()?, arity: number(arity)? },
        file: file.as_atom()?,
        line: number(line)?,
        column: number(column)?,
        clause: number(clause)?,
        clauses: number(clauses)?,
        values,
        bindings: names.zip(bound).collect(),
        process: ProcessId::MAIN,
        pid,
        level: 0,
        is_tail: false,
        decisions: 0,
    }))
}
