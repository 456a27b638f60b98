//! Findings about several processes, word by word.

use crate::tests::{Plain, crash, name, results, tested};
use crate::{Detail, Github, Html, Human, Judged, Judgement, Junit, Lines, Report, RuntimeLimit, Sarif, title};
use path::{ProcessId, ProcessName, Raised, Reach, TraceEntry, Waiting};
use search::Failure;
use term::{Atom, FunctionName, Term};

fn process(id: u32, initial: Option<&str>, registered: Option<&str>) -> ProcessName {
    ProcessName { id: ProcessId(id), initial: initial.map(name), registered: registered.map(Atom::new) }
}

fn in_process(process: ProcessName, reach: Reach) -> Judged {
    let mut judged = crash("badarith", Judgement::Confirmed);
    if let Failure::Crash(raised) = &mut judged.finding.failure {
        let entry = TraceEntry {
            module: Atom::new("m"),
            function: Atom::new("worker"),
            arity: 1,
            args: None,
            file: "m.erl".to_string(),
            line: 2,
            details: Vec::new(),
        };
        *raised = Raised { process, reach, trace: vec![entry], ..raised.clone() };
    }
    judged
}

fn unlinked() -> Judged {
    in_process(process(1, Some("worker"), None), Reach::Nobody)
}

fn linked() -> Judged {
    in_process(process(1, Some("worker"), None), Reach::Link(Term::atom("badarith")))
}

fn supervised() -> Judged {
    in_process(process(2, Some("worker"), None), Reach::Supervisor(process(1, Some("init"), Some("m_sup"))))
}

fn waiting(process: ProcessName, function: &str, line: u32, waits_for: Vec<ProcessName>) -> Waiting {
    Waiting { process, function: Some(name(function)), file: "m.erl".to_string(), line, waits_for }
}

fn deadlock(waiting: Vec<Waiting>) -> Judged {
    let mut judged = crash("none", Judgement::Confirmed);
    judged.finding.failure = Failure::Deadlock(waiting);
    judged.shown = "(waits, and nobody can answer)".to_string();
    judged.limit = Some(RuntimeLimit::Time { seconds: 2, reductions: 100 });
    judged
}

fn main() -> ProcessName {
    ProcessName::default()
}

fn embrace() -> Judged {
    let server = || process(1, Some("init"), Some("m_server"));
    deadlock(vec![
        waiting(main(), "f", 2, vec![server()]),
        waiting(server(), "handle", 30, vec![main(), process(2, None, None)]),
        waiting(process(2, Some("worker"), None), "worker", 0, Vec::new()),
    ])
}

#[test]
fn titles_say_whose_crash_it_was_and_whom_it_reached() {
    for (judged, words) in [
        (
            unlinked(),
            "m:f/1 starts a process (m:worker/1) that crashes with error badarith; nobody is linked to it or monitors it",
        ),
        (
            in_process(process(1, None, None), Reach::Nobody),
            "m:f/1 starts a process that crashes with error badarith; nobody is linked to it or monitors it",
        ),
        (linked(), "m:f/1 is ended by the crash of a process that it is linked to (m:worker/1): error badarith"),
        (in_process(main(), Reach::Link(Term::atom("badarith"))), "m:f/1 is ended by an exit signal: error badarith"),
        (
            supervised(),
            "m:f/1 starts the supervisor m_sup, m:init/1, which gives up after too many restarts; \
             the last crash of m:worker/1 was error badarith",
        ),
        (
            in_process(process(2, None, None), Reach::Supervisor(process(1, None, None))),
            "m:f/1 starts a supervisor, which gives up after too many restarts; the last crash was error badarith",
        ),
        (
            deadlock(vec![waiting(main(), "loop", 12, Vec::new())]),
            "deadlock: m:f/1 waits in m:loop/1 (m.erl:12) for a message that nobody can send",
        ),
        (deadlock(Vec::new()), "deadlock: m:f/1 waits for a message that nobody can send"),
        (embrace(), "deadlock: m:f/1 waits in m:f/1 (m.erl:2) for a message that nobody can send"),
    ] {
        assert_eq!(title(&Plain, name("f"), &judged), words);
    }
}

#[test]
fn people_read_who_waits_for_whom() {
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&results(vec![tested("f", vec![embrace()])]));
    let expected = "error: deadlock: m:f/1 waits in m:f/1 (m.erl:2) for a message that nobody can send
  ┌─ m.erl:2:5
  │
2 │     error(bad).
  │     ^^^^^^^^^^^

    m:f(7).
    (waits, and nobody can answer)

    m:f/1 waits in m:f/1 (m.erl:2) for m_server, m:init/1
    m_server, m:init/1 waits in m:handle/1 (m.erl:30) for m:f/1, another process
    m:worker/1 waits in m:worker/1 for a message

  confirmed on the BEAM: after 2 s, all its processes waited for messages; found in run 3
";
    assert!(text.starts_with(expected), "{text}");
    // Of one process the title says it all.
    let alone = deadlock(vec![waiting(main(), "loop", 12, Vec::new())]);
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&results(vec![tested("f", vec![alone])]));
    assert!(text.contains("    (waits, and nobody can answer)\n\n  confirmed"), "{text}");
}

#[test]
fn programs_get_the_processes_as_fields() {
    let json = |judged: &Judged| {
        let line = Lines { printers: &Plain }.found(name("f"), judged);
        serde_json::from_str::<serde_json::Value>(&line).expect("JSON")
    };
    let bug = json(&crash("bad", Judgement::Confirmed));
    for field in ["process", "reach", "supervisor", "waiting"] {
        assert!(bug.get(field).is_none(), "{field}");
    }
    let bug = json(&unlinked());
    assert_eq!((&bug["kind"], &bug["reach"]), (&"crash".into(), &"nobody".into()));
    assert_eq!(bug["process"], serde_json::json!({"initial": "m:worker/1"}));
    assert_eq!(bug["stack"][0]["function"], "m:worker/1");
    assert_eq!(json(&linked())["reach"], "link");
    let bug = json(&supervised());
    assert_eq!(bug["reach"], "supervisor");
    assert_eq!(bug["supervisor"], serde_json::json!({"initial": "m:init/1", "name": "m_sup"}));
    let bug = json(&embrace());
    assert_eq!(bug["kind"], "deadlock");
    assert_eq!(
        bug["waiting"],
        serde_json::json!([
            {"process": {"main": true}, "function": "m:f/1", "file": "m.erl", "line": 2,
             "waits_for": [{"initial": "m:init/1", "name": "m_server"}]},
            {"process": {"initial": "m:init/1", "name": "m_server"}, "function": "m:handle/1", "file": "m.erl",
             "line": 30, "waits_for": [{"main": true}, {}]},
            {"process": {"initial": "m:worker/1"}, "function": "m:worker/1", "file": "m.erl", "line": 0,
             "waits_for": []},
        ])
    );
}

#[test]
fn every_format_tells_of_processes() {
    // At another place, it is another defect.
    let elsewhere = Judged { place: None, ..supervised() };
    let all = results(vec![tested("f", vec![unlinked(), elsewhere, embrace()])]);
    let mut pages = String::new();
    let html = Html { printers: &Plain, version: "1" };
    let written: Result<(), ()> = html.pages(&all, &mut |_, text| {
        pages.push_str(text);
        Ok(())
    });
    assert!(written.is_ok());
    for text in [
        Junit { printers: &Plain, fail_on: vec![crate::rank::Category::Likely] }.finish(&all),
        Sarif { printers: &Plain, version: "1" }.finish(&all),
        Github { printers: &Plain }.finish(&all).replace("%3A", ":"),
        pages,
    ] {
        for part in [
            "m:f/1 starts a process (m:worker/1) that crashes with error badarith",
            "m:f/1 starts the supervisor m_sup",
            "deadlock: m:f/1 waits in m:f/1 (m.erl:2)",
            "m_server, m:init/1 waits in m:handle/1 (m.erl:30) for m:f/1, another process",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

/// Functions that wait at the same place, and those whose processes crash there, show one defect.
#[test]
fn one_place_is_one_defect() {
    let waits = |function: &str| {
        let own = waiting(main(), "loop", 12, Vec::new());
        tested(function, vec![deadlock(vec![own])])
    };
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&results(vec![waits("f"), waits("g")]));
    assert!(text.contains("also through m:g/1"), "{text}");
    let own = in_process(main(), Reach::Caller);
    let all = results(vec![tested("f", vec![unlinked()]), tested("g", vec![own])]);
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&all);
    assert!(text.contains("also through m:"), "{text}");
    let elsewhere = FunctionName { module: Atom::new("other"), ..name("loop") };
    let mut other = waits("g");
    if let Failure::Deadlock(waiting) = &mut other.exploration.findings[0].finding.failure {
        waiting[0].function = Some(elsewhere);
    }
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&results(vec![waits("f"), other]));
    assert!(!text.contains("also through"), "{text}");
}
