//! The trace of a run, event by event, for people who want to follow an execution.
//!
//! Events come from code that was instrumented for it. Each event has the depth of the stack at which it happened,
//! which is enough to tell which calls are nested: an event at some depth implies that all deeper calls have ended. A
//! function reports a tail call before it makes it, and if the next event is the call of that function, the call has
//! taken the place of its caller. A call that has ended without reporting a result or a tail call was left by an
//! exception, which code without events may have caught.

use crate::outcome::ProcessId;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// A function was called, and a clause of it was chosen.
    Call,
    /// A function that is a value was called, and a clause of it was chosen.
    Fun,
    /// A function was called, and has no clause for its arguments.
    NoClause,
    /// A function that is a value was called, and has no clause for its arguments.
    NoFunClause,
    /// A clause of a case expression was chosen.
    Case,
    If,
    Receive,
    /// A receive took no message before its timeout.
    After,
    /// A clause for the value of a `try` was chosen.
    Of,
    /// A clause for an exception was chosen.
    Catch,
    Else,
    /// One of two sides was taken, depending on whether a value is true.
    Test,
    /// A match has bound variables.
    Bind,
    /// A generator of a comprehension has bound variables.
    Generate,
    Send,
    /// A call returned.
    Return,
}

impl TraceKind {
    pub const ALL: [TraceKind; 16] = [
        TraceKind::Call,
        TraceKind::Fun,
        TraceKind::NoClause,
        TraceKind::NoFunClause,
        TraceKind::Case,
        TraceKind::If,
        TraceKind::Receive,
        TraceKind::After,
        TraceKind::Of,
        TraceKind::Catch,
        TraceKind::Else,
        TraceKind::Test,
        TraceKind::Bind,
        TraceKind::Generate,
        TraceKind::Send,
        TraceKind::Return,
    ];

    /// Returns its name in instrumented code and in reports.
    pub fn name(self) -> &'static str {
        match self {
            TraceKind::Call => "call",
            TraceKind::Fun => "fun",
            TraceKind::NoClause => "no_clause",
            TraceKind::NoFunClause => "no_fun_clause",
            TraceKind::Case => "case",
            TraceKind::If => "if",
            TraceKind::Receive => "receive",
            TraceKind::After => "after",
            TraceKind::Of => "of",
            TraceKind::Catch => "catch",
            TraceKind::Else => "else",
            TraceKind::Test => "test",
            TraceKind::Bind => "bind",
            TraceKind::Generate => "generate",
            TraceKind::Send => "send",
            TraceKind::Return => "return",
        }
    }

    /// Returns whether it begins a call.
    pub fn is_call(self) -> bool {
        match self {
            TraceKind::Call | TraceKind::Fun | TraceKind::NoClause | TraceKind::NoFunClause => true,
            TraceKind::Case
            | TraceKind::If
            | TraceKind::Receive
            | TraceKind::After
            | TraceKind::Of
            | TraceKind::Catch
            | TraceKind::Else
            | TraceKind::Test
            | TraceKind::Bind
            | TraceKind::Generate
            | TraceKind::Send
            | TraceKind::Return => false,
        }
    }
}

/// A report of the instrumented code, before its position in the run is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Event(TraceEvent),
    /// A call that is not a tail call has returned this to its caller.
    Result {
        value: Term,
        pid: Term,
    },
    /// A function is about to make a tail call, to this function if it is known.
    TailCall {
        to: Option<FunctionName>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct TraceEvent {
    pub kind: TraceKind,
    /// The function whose source contains it.
    pub function: FunctionName,
    /// The file of its source, as the compiler knows it.
    pub file: Atom,
    pub line: u32,
    /// 0 if the compiler does not know it.
    pub column: u32,
    /// The clause that was chosen, from 1, and the number of clauses.
    pub clause: u32,
    pub clauses: u32,
    /// The values of the event: the arguments of a call, the value that clauses were compared with, class and reason of
    /// an exception, receiver and message, the result of a call.
    pub values: Vec<Term>,
    /// The variables that were bound.
    pub bindings: Vec<(Atom, Term)>,
    pub process: ProcessId,
    pub pid: Term,
    /// The number of calls that enclose it.
    pub level: u32,
    /// Whether a call takes the place of its caller.
    pub is_tail: bool,
    /// The number of decisions that the run had recorded before the event.
    pub decisions: usize,
}

/// Which events are recorded, and how many.
#[derive(Clone)]
pub struct TraceLimits {
    pub events: usize,
    /// The maximum depth of nested calls; deeper calls are left out.
    pub depth: u32,
    /// The functions whose events are recorded. `None` records all.
    pub only: Option<Arc<dyn Fn(FunctionName) -> bool + Send + Sync>>,
}

impl Default for TraceLimits {
    fn default() -> TraceLimits {
        TraceLimits { events: usize::MAX, depth: u32::MAX, only: None }
    }
}

/// The events of a run.
#[derive(Default)]
pub struct Trace {
    pub limits: TraceLimits,
    pub events: Vec<TraceEvent>,
    /// Whether there were more events than the limit allows.
    pub is_cut: bool,
    open: FxHashMap<ProcessId, Vec<Open>>,
    /// Processes whose last event was a tail call, with the called function if it is known.
    tail_calls: FxHashMap<ProcessId, Option<FunctionName>>,
}

/// A call that has not ended.
struct Open {
    depth: usize,
    /// Whether it has made a tail call. If no other call takes its place, the called function has no events.
    is_left: bool,
    function: FunctionName,
    file: Atom,
    line: u32,
}

impl Trace {
    /// Returns an empty trace with these limits.
    pub fn within(limits: TraceLimits) -> Trace {
        Trace { limits, ..Trace::default() }
    }

    /// Adds a report of code that runs in a process at some depth of its stack.
    pub fn add(&mut self, told: Told, process: ProcessId, depth: usize) {
        let open = self.open.entry(process).or_default();
        let expected = self.tail_calls.remove(&process);
        let mut left = None;
        while let Some(call) = open.pop_if(|call| call.depth > depth) {
            left = Some(call);
        }
        match told {
            // A call whose result was reported is no longer open.
            Told::Result { value, pid } => {
                if let Some(call) = left.filter(|call| call.is_left) {
                    let level = open.len() as u32;
                    self.record(TraceEvent { process, pid, level, ..returned(&call, value) });
                }
            }
            Told::TailCall { to } => {
                if let Some(call) = open.last_mut().filter(|call| call.depth == depth) {
                    call.is_left = true;
                    self.tail_calls.insert(process, to);
                }
            }
            Told::Event(mut event) if event.kind.is_call() => {
                let is_expected = expected.is_some_and(|to| to.is_none_or(|to| to == event.function));
                event.is_tail = open.pop_if(|call| call.depth == depth).is_some() && is_expected;
                event.level = open.len() as u32;
                let TraceEvent { function, file, line, .. } = event;
                open.push(Open { depth, is_left: false, function, file, line });
                self.record(TraceEvent { process, ..event });
            }
            Told::Event(mut event) if event.kind == TraceKind::Return => {
                if let Some(call) = open.pop_if(|call| call.depth == depth) {
                    (event.function, event.level) = (call.function, open.len() as u32);
                    self.record(TraceEvent { process, ..event });
                }
            }
            Told::Event(event) => {
                let level = open.len() as u32;
                self.record(TraceEvent { process, level, ..event });
            }
        }
    }

    fn record(&mut self, event: TraceEvent) {
        let TraceLimits { events, depth, only } = &self.limits;
        let is_nested = !event.kind.is_call() && event.kind != TraceKind::Return;
        let is_too_deep = event.level >= depth.saturating_add(u32::from(is_nested));
        if is_too_deep || only.as_ref().is_some_and(|only| !only(event.function)) {
            return;
        }
        match self.events.len() < *events {
            true => self.events.push(event),
            false => self.is_cut = true,
        }
    }
}

fn returned(call: &Open, value: Term) -> TraceEvent {
    TraceEvent {
        kind: TraceKind::Return,
        function: call.function,
        file: call.file,
        line: call.line,
        column: 0,
        clause: 0,
        clauses: 0,
        values: vec![value],
        bindings: Vec::new(),
        process: ProcessId::MAIN,
        pid: Term::Nil,
        level: 0,
        is_tail: false,
        decisions: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Open, Told, Trace, TraceEvent, TraceKind, TraceLimits, returned};
    use crate::outcome::ProcessId;
    use term::{Atom, FunctionName, Term};

    fn event(kind: TraceKind, name: &str) -> Told {
        let function = FunctionName { module: Atom::new("m"), function: Atom::new(name), arity: 0 };
        let call = Open { depth: 0, is_left: false, function, file: Atom::new("m.erl"), line: 1 };
        Told::Event(TraceEvent { kind, ..returned(&call, Term::Int(7)) })
    }

    fn tail_call(name: &str) -> Told {
        Told::TailCall { to: Some(FunctionName { module: Atom::new("m"), function: Atom::new(name), arity: 0 }) }
    }

    fn seen(trace: &Trace) -> Vec<(TraceKind, &'static str, u32, bool)> {
        let event = |event: &TraceEvent| (event.kind, event.function.function.text(), event.level, event.is_tail);
        trace.events.iter().map(event).collect()
    }

    #[test]
    fn the_depth_of_the_stack_tells_nested_calls_from_tail_calls() {
        let mut trace = Trace::default();
        let calls = [(TraceKind::Call, "f", 1), (TraceKind::Call, "g", 2)];
        for (kind, name, depth) in calls {
            trace.add(event(kind, name), ProcessId::MAIN, depth);
        }
        trace.add(tail_call("h"), ProcessId::MAIN, 2);
        trace.add(event(TraceKind::Call, "h"), ProcessId::MAIN, 2);
        trace.add(event(TraceKind::Return, "h"), ProcessId::MAIN, 2);
        trace.add(Told::Result { value: Term::Int(7), pid: Term::Nil }, ProcessId::MAIN, 1);
        let expected = [
            (TraceKind::Call, "f", 0, false),
            (TraceKind::Call, "g", 1, false),
            (TraceKind::Call, "h", 1, true),
            (TraceKind::Return, "h", 1, false),
        ];
        assert_eq!(seen(&trace), expected);
    }

    #[test]
    fn a_call_that_ends_in_hidden_code_returns_what_its_caller_gets() {
        let mut trace = Trace::default();
        trace.add(event(TraceKind::Call, "f"), ProcessId::MAIN, 1);
        trace.add(event(TraceKind::Call, "g"), ProcessId::MAIN, 2);
        trace.add(tail_call("hidden"), ProcessId::MAIN, 2);
        trace.add(Told::Result { value: Term::Int(7), pid: Term::Nil }, ProcessId::MAIN, 1);
        trace.add(Told::Result { value: Term::Int(8), pid: Term::Nil }, ProcessId::MAIN, 1);
        assert_eq!(seen(&trace)[2..], [(TraceKind::Return, "g", 1, false)]);
    }

    #[test]
    fn who_is_called_again_by_hidden_code_is_no_tail_call() {
        let mut trace = Trace::default();
        for _ in 0..2 {
            trace.add(event(TraceKind::Call, "g"), ProcessId::MAIN, 2);
            trace.add(tail_call("hidden"), ProcessId::MAIN, 2);
        }
        assert_eq!(seen(&trace), [(TraceKind::Call, "g", 0, false), (TraceKind::Call, "g", 0, false)]);
    }

    #[test]
    fn a_call_that_an_exception_ends_in_hidden_code_neither_returns_nor_calls_another() {
        let mut trace = Trace::default();
        trace.add(event(TraceKind::Call, "f"), ProcessId::MAIN, 1);
        trace.add(event(TraceKind::Call, "g"), ProcessId::MAIN, 3);
        trace.add(event(TraceKind::Call, "h"), ProcessId::MAIN, 3);
        trace.add(Told::Result { value: Term::Int(7), pid: Term::Nil }, ProcessId::MAIN, 1);
        assert_eq!(seen(&trace)[1..], [(TraceKind::Call, "g", 1, false), (TraceKind::Call, "h", 1, false)]);
    }

    #[test]
    fn limits_cut_depth_and_number() {
        let limits = TraceLimits { events: 2, depth: 1, only: None };
        let mut trace = Trace { limits, ..Trace::default() };
        trace.add(event(TraceKind::Call, "f"), ProcessId::MAIN, 1);
        trace.add(event(TraceKind::Call, "g"), ProcessId::MAIN, 2);
        trace.add(event(TraceKind::Bind, "g"), ProcessId::MAIN, 2);
        assert!(!trace.is_cut);
        trace.add(event(TraceKind::Bind, "f"), ProcessId::MAIN, 1);
        trace.add(event(TraceKind::Return, "f"), ProcessId::MAIN, 1);
        assert!(trace.is_cut);
        assert_eq!(seen(&trace), [(TraceKind::Call, "f", 0, false), (TraceKind::Bind, "f", 1, false)]);
    }
}
