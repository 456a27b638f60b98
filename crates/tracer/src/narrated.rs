//! Traces of both executors: records a trace of the real runtime's events, and finds the first event that differs from
//! our machine's.

use crate::compare::{Compared, Difference, Excuse, is_cut, is_limit, is_same as is_same_end};
use frontend::{Code, Limits, Narrated, Narration, Outcome as Theirs};
use path::{Outcome, ProcessId, Stop, Trace, TraceEvent, TraceLimits};
use std::ops::ControlFlow;
use term::{Atom, Term};

/// The trace of a run on the runtime, and how the run ended.
pub struct Observed {
    pub trace: Trace,
    pub narration: Narration,
}

/// Evaluates a text on the runtime. The run is ended if there are more events than the limits allow.
pub fn observe(
    code: &dyn Code,
    text: &str,
    limits: Limits,
    wanted: TraceLimits,
) -> Result<Observed, frontend::CodeError> {
    let mut trace = Trace::within(wanted);
    let mut processes: Vec<Term> = Vec::new();
    let narration = code.tell(text, limits, &mut |Narrated { told, pid, depth }| {
        let known = processes.iter().position(|process| *process == pid);
        let index = known.unwrap_or_else(|| {
            processes.push(pid);
            processes.len() - 1
        });
        trace.add(told, ProcessId(index as u32), depth);
        if trace.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(Observed { trace, narration })
}

/// The first event in which two traces differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstDifference<'t> {
    /// The index of the event in the trace of our machine, or the index at which it is missing.
    pub index: usize,
    pub ours: Option<&'t TraceEvent>,
    pub theirs: Option<&'t TraceEvent>,
}

/// Compares a traced run of our machine with that on the runtime: returns the first event that differs, and the
/// comparison of their ends. Each process is compared separately, because the order of processes is up to the
/// scheduler. After the end of a run that was stopped, the other may do anything.
pub fn compare_traces<'t>(
    code: &dyn Code,
    ours: (&'t Trace, &Outcome),
    theirs: &'t Observed,
) -> (Option<FirstDifference<'t>>, Compared) {
    let (trace, outcome) = ours;
    let ended = theirs.narration.outcome.as_ref();
    let is_cut_here = trace.is_cut || matches!(outcome, Outcome::Stopped(stop) if is_limit(stop));
    let is_cut_there = theirs.trace.is_cut || ended.is_none_or(is_cut);
    let alike = |ours: &Term, theirs: &Term| code.are_alike(ours, theirs);
    let difference = first_difference(&alike, trace, &theirs.trace, is_cut_here, is_cut_there);
    (difference, compare_ends(code, outcome, ended))
}

/// Returns whether two values are the same except for identities.
type Alike<'a> = &'a dyn Fn(&Term, &Term) -> bool;

fn first_difference<'t>(
    alike: Alike<'_>,
    ours: &'t Trace,
    theirs: &'t Trace,
    is_cut_here: bool,
    is_cut_there: bool,
) -> Option<FirstDifference<'t>> {
    let mut left = by_process(theirs);
    for mine in by_process(ours) {
        // The first process that did the same, or else the first that has not been compared yet.
        let same = left.iter().position(|other| difference(alike, &mine, other, true, true).is_none());
        let other = if left.is_empty() { Vec::new() } else { left.remove(same.unwrap_or(0)) };
        if let Some(index) = difference(alike, &mine, &other, is_cut_here, is_cut_there) {
            let (ours, theirs) = (mine.get(index), other.get(index).map(|(_, event)| *event));
            let index = ours.or(mine.last()).map_or(0, |(at, _)| at + usize::from(ours.is_none()));
            return Some(FirstDifference { index, ours: ours.map(|(_, event)| *event), theirs });
        }
    }
    let more = left.into_iter().flatten().next().filter(|_| !is_cut_here);
    more.map(|(_, event)| FirstDifference { index: ours.events.len(), ours: None, theirs: Some(event) })
}

/// Returns the events of each process with their indices in the trace, in the order of the processes' first events.
fn by_process(trace: &Trace) -> Vec<Vec<(usize, &TraceEvent)>> {
    let mut processes: Vec<(ProcessId, Vec<(usize, &TraceEvent)>)> = Vec::new();
    for (index, event) in trace.events.iter().enumerate() {
        match processes.iter_mut().find(|(process, _)| *process == event.process) {
            Some((_, events)) => events.push((index, event)),
            None => processes.push((event.process, vec![(index, event)])),
        }
    }
    processes.into_iter().map(|(_, events)| events).collect()
}

type Events<'t> = [(usize, &'t TraceEvent)];

fn difference(
    alike: Alike<'_>,
    ours: &Events<'_>,
    theirs: &Events<'_>,
    is_cut_here: bool,
    is_cut_there: bool,
) -> Option<usize> {
    let mut pairs = ours.iter().zip(theirs);
    if let Some(index) = pairs.position(|((_, ours), (_, theirs))| !is_same(alike, ours, theirs)) {
        return Some(index);
    }
    let is_explained = match ours.len().cmp(&theirs.len()) {
        std::cmp::Ordering::Less => is_cut_here,
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Greater => is_cut_there,
    };
    (!is_explained).then_some(ours.len().min(theirs.len()))
}

fn is_same(alike: Alike<'_>, ours: &TraceEvent, theirs: &TraceEvent) -> bool {
    let place = |event: &TraceEvent| (event.kind, event.function, event.file, event.line, event.column);
    let choice = |event: &TraceEvent| (event.clause, event.clauses, event.level, event.is_tail);
    // The order of a large value's keys determines which parts of it are shown.
    let is_alike = |ours: &Term, theirs: &Term| is_shortened(ours) || is_shortened(theirs) || alike(ours, theirs);
    place(ours) == place(theirs)
        && choice(ours) == choice(theirs)
        && ours.values.len() == theirs.values.len()
        && ours.values.iter().zip(&theirs.values).all(|(ours, theirs)| is_alike(ours, theirs))
        && ours.bindings.len() == theirs.bindings.len()
        && ours.bindings.iter().zip(&theirs.bindings).all(|(ours, theirs)| {
            let ((name, ours), (same, theirs)) = (ours, theirs);
            name == same && is_alike(ours, theirs)
        })
}

/// Returns whether parts of a value are left out.
fn is_shortened(term: &Term) -> bool {
    let rest = Atom::new("...");
    let mut all = vec![term];
    while let Some(term) = all.pop() {
        match term {
            Term::Atom(atom) if *atom == rest => return true,
            Term::List(items, tail) => all.extend(items.iter().chain(tail.as_deref())),
            Term::Tuple(items) => all.extend(items.iter()),
            Term::Map(pairs) => all.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    false
}

/// Compares how two runs ended. `theirs` is `None` if the observer of the events ended the run.
fn compare_ends(code: &dyn Code, ours: &Outcome, theirs: Option<&Theirs>) -> Compared {
    match (ours, theirs) {
        (Outcome::Stopped(Stop::TraceLimit), None) => Compared::Same,
        (Outcome::Stopped(stop), _) if is_limit(stop) => Compared::Excused(Excuse::StoppedHere),
        (_, None) => Compared::Excused(Excuse::StoppedThere),
        // A process that waits for ever on our machine waits on the runtime until its time is over.
        (Outcome::Stopped(Stop::Deadlock(_)), Some(Theirs::Timeout { .. })) => Compared::Same,
        (_, Some(theirs)) if is_cut(theirs) => Compared::Excused(Excuse::StoppedThere),
        (ours, Some(theirs)) if is_same_end(code, ours, theirs) => Compared::Same,
        (_, Some(_)) => Compared::Differs(Difference::Outcome),
    }
}

#[cfg(test)]
mod tests {
    use super::{FirstDifference, first_difference};
    use path::{ProcessId, Told, Trace, TraceEvent, TraceKind};
    use term::{Atom, FunctionName, Term};

    fn event(kind: TraceKind, value: i64) -> Told {
        Told::Event(TraceEvent {
            kind,
            function: FunctionName { module: Atom::new("m"), function: Atom::new("f"), arity: 1 },
            file: Atom::new("m.erl"),
            line: 1,
            column: 1,
            clause: 1,
            clauses: 2,
            values: vec![Term::Int(value)],
            bindings: Vec::new(),
            process: ProcessId::MAIN,
            pid: Term::Nil,
            level: 0,
            is_tail: false,
            decisions: 0,
        })
    }

    /// Process, depth of the stack and value of each event.
    fn trace(events: &[(u32, usize, i64)]) -> Trace {
        let mut trace = Trace::default();
        for (process, depth, value) in events {
            trace.add(event(TraceKind::Call, *value), ProcessId(*process), *depth);
        }
        trace
    }

    fn index(ours: &[(u32, usize, i64)], theirs: &[(u32, usize, i64)], is_cut_there: bool) -> Option<usize> {
        let (ours, theirs) = (trace(ours), trace(theirs));
        let found = first_difference(&|ours, theirs| ours == theirs, &ours, &theirs, false, is_cut_there);
        found.map(|FirstDifference { index, .. }| index)
    }

    #[test]
    fn values_levels_and_missing_events_are_differences() {
        let run = [(0, 10, 1), (0, 20, 2)];
        // Stacks are measured otherwise; what is nested in what counts.
        assert_eq!(index(&run, &[(0, 3, 1), (0, 4, 2)], false), None);
        assert_eq!(index(&run, &[(0, 10, 1), (0, 20, 3)], false), Some(1));
        assert_eq!(index(&run, &[(0, 10, 1), (0, 10, 2)], false), Some(1));
        assert_eq!(index(&run, &[(0, 10, 1)], false), Some(1));
        assert_eq!(index(&run, &[(0, 10, 1)], true), None);
        assert_eq!(index(&run, &[(0, 10, 1), (0, 20, 2), (0, 30, 3)], false), Some(2));
    }

    #[test]
    fn processes_are_compared_each_by_itself() {
        let run = [(0, 1, 1), (1, 1, 5), (0, 2, 2)];
        assert_eq!(index(&run, &[(4, 1, 5), (7, 1, 1), (7, 2, 2)], false), None);
        assert_eq!(index(&run, &[(0, 1, 1), (0, 2, 2), (1, 1, 6)], false), Some(1));
    }
}
