//! Describes processes: which one crashed and which ones that reached, and which process waits for which.

use crate::Printer;
use crate::words::shortened;
use path::{ProcessName, Raised, Reach, Waiting};
use search::{Failure, Finding};
use serde::Serialize;
use term::FunctionName;

/// Describes a crash in one sentence. `raised` is the exception in words.
pub(crate) fn crash(printer: &dyn Printer, name: FunctionName, crash: &Raised, raised: &str) -> String {
    let function = printer.function(name);
    let process = names(printer, &crash.process).map_or_else(String::new, |names| format!(" ({names})"));
    match &crash.reach {
        Reach::Caller => format!("{function} raises {raised}"),
        // No process has crashed: one called `exit/2`.
        Reach::Link(_) if crash.process.is_main() => format!("{function} is ended by an exit signal: {raised}"),
        Reach::Link(_) => {
            format!("{function} is ended by the crash of a process that it is linked to{process}: {raised}")
        }
        Reach::Nobody => {
            format!(
                "{function} starts a process{process} that crashes with {raised}; nobody is linked to it or monitors it"
            )
        }
        Reach::Supervisor(supervisor) => {
            let supervisor = match names(printer, supervisor) {
                Some(names) => format!("the supervisor {names}"),
                None => "a supervisor".to_string(),
            };
            let last = names(printer, &crash.process).map_or_else(String::new, |names| format!(" of {names}"));
            format!(
                "{function} starts {supervisor}, which gives up after too many restarts; the last crash{last} was {raised}"
            )
        }
    }
}

/// Describes the crash of a server in one sentence. `called` is the last function that the client called.
pub(crate) fn server_crash(printer: &dyn Printer, called: FunctionName, crash: &Raised, raised: &str) -> String {
    let function = printer.function(called);
    let process = names(printer, &crash.process).map_or_else(String::new, |names| format!(" {names}"));
    match &crash.reach {
        Reach::Caller => format!("{function} raises {raised}"),
        Reach::Link(_) => format!("an exit signal ends the client after {function}: {raised}"),
        Reach::Nobody => format!("the process{process} crashes after {function}: {raised}"),
        Reach::Supervisor(supervisor) => {
            let supervisor = names(printer, supervisor).map_or_else(String::new, |names| format!(" {names}"));
            format!("the supervisor{supervisor} gives up after {function}; the last crash{process} was {raised}")
        }
    }
}

/// Describes a deadlock in one sentence.
pub(crate) fn deadlock(printer: &dyn Printer, name: FunctionName, waiting: &[Waiting]) -> String {
    let main = waiting.iter().find(|waiting| waiting.process.is_main());
    let place = main.map_or_else(String::new, |main| place(printer, main));
    format!("deadlock: {} waits{place} for a message that nobody can send", printer.function(name))
}

/// Describes which process waits for which, in a line for each process. Returns no lines if only the function under
/// test waits.
pub(crate) fn waiting(printer: &dyn Printer, name: FunctionName, finding: &Finding) -> Vec<String> {
    let Failure::Deadlock(waiting) = &finding.failure else { return Vec::new() };
    if let [only] = waiting.as_slice()
        && only.process.is_main()
        && only.waits_for.is_empty()
    {
        return Vec::new();
    }
    let called = |process: &ProcessName| match names(printer, process) {
        _ if process.is_main() => printer.function(name),
        Some(names) => names,
        None => "another process".to_string(),
    };
    let line = |waiting: &Waiting| {
        let whom: Vec<String> = waiting.waits_for.iter().map(called).collect();
        let whom = match whom.as_slice() {
            [] => "a message".to_string(),
            whom => whom.join(", "),
        };
        format!("{} waits{} for {whom}", called(&waiting.process), place(printer, waiting))
    };
    let mut lines: Vec<String> = waiting.iter().take(MOST).map(line).collect();
    if waiting.len() > MOST {
        lines.push(format!("… and {} more processes wait", waiting.len() - MOST));
    }
    lines
}

/// The maximum number of processes that a report lists.
const MOST: usize = 20;
/// The maximum number of characters of a process's name.
const NAME: usize = 100;

/// Returns the place where a process waits, as far as it is known: ` in m:loop/1 (m.erl:12)`.
fn place(printer: &dyn Printer, waiting: &Waiting) -> String {
    let function = waiting.function.map_or_else(String::new, |function| format!(" in {}", printer.function(function)));
    match waiting.line {
        0 => function,
        line => format!("{function} ({}:{line})", waiting.file),
    }
}

/// Returns the names of a process: the one that it registered, and the function that it was started with.
fn names(printer: &dyn Printer, process: &ProcessName) -> Option<String> {
    let registered = process.registered.map(|name| printer.term(&term::Term::Atom(name)));
    let initial = process.initial.map(|initial| printer.function(initial));
    let names: Vec<String> = registered.into_iter().chain(initial).map(|name| shortened(&name, NAME)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// A process, for programs.
#[derive(Serialize)]
pub(crate) struct ProcessObject {
    /// The process that calls the function under test.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    main: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
}

/// A process that waits, for programs.
#[derive(Serialize)]
pub(crate) struct WaitingObject<'a> {
    process: ProcessObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    file: &'a str,
    line: u32,
    waits_for: Vec<ProcessObject>,
}

/// The fields of a finding that describe processes.
#[derive(Default, Serialize)]
pub(crate) struct ProcessFields<'a> {
    /// The process that crashed, unless it is the main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<ProcessObject>,
    /// The reach of another process's crash.
    #[serde(skip_serializing_if = "Option::is_none")]
    reach: Option<&'static str>,
    /// The supervisor that gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    supervisor: Option<ProcessObject>,
    /// The processes that wait in a deadlock.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<Vec<WaitingObject<'a>>>,
}

impl<'a> ProcessFields<'a> {
    pub fn of(printer: &dyn Printer, failure: &'a Failure) -> ProcessFields<'a> {
        match failure {
            Failure::Crash(raised) => ProcessFields {
                process: (!raised.process.is_main()).then(|| ProcessObject::of(printer, &raised.process)),
                reach: match &raised.reach {
                    Reach::Caller => None,
                    Reach::Link(_) => Some("link"),
                    Reach::Nobody => Some("nobody"),
                    Reach::Supervisor(_) => Some("supervisor"),
                },
                supervisor: match &raised.reach {
                    Reach::Supervisor(supervisor) => Some(ProcessObject::of(printer, supervisor)),
                    Reach::Caller | Reach::Link(_) | Reach::Nobody => None,
                },
                waiting: None,
            },
            Failure::Deadlock(waiting) => ProcessFields {
                waiting: Some(waiting.iter().map(|waiting| WaitingObject::of(printer, waiting)).collect()),
                ..ProcessFields::default()
            },
            Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) => ProcessFields::default(),
        }
    }
}

impl ProcessObject {
    fn of(printer: &dyn Printer, process: &ProcessName) -> ProcessObject {
        ProcessObject {
            main: process.is_main(),
            initial: process.initial.map(|initial| printer.function(initial)),
            name: process.registered.map(|name| name.text()),
        }
    }
}

impl<'a> WaitingObject<'a> {
    fn of(printer: &dyn Printer, waiting: &'a Waiting) -> WaitingObject<'a> {
        WaitingObject {
            process: ProcessObject::of(printer, &waiting.process),
            function: waiting.function.map(|function| printer.function(function)),
            file: &waiting.file,
            line: waiting.line,
            waits_for: waiting.waits_for.iter().map(|process| ProcessObject::of(printer, process)).collect(),
        }
    }
}
