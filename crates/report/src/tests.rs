//! Small reports, word by word.

use crate::rank::{Category, Signals};
use crate::{
    Detail, Disagreement, Github, Human, Judged, Judgement, Junit, Lines, Place, Printer, Printers, Report, Results,
    Sarif, Summary, Tested, Tree, sarif,
};
use contract::TypeName;
use path::{Class, InputValue, Raised, TraceEntry, Witness};
use program::Type;
use search::{Exploration, Failure, Finding, Loss};
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// Enough of a notation for what is tested here.
pub(crate) struct Plain;

impl Printers for Plain {
    fn of(&self, _: Atom) -> &dyn Printer {
        self
    }
}

impl Printer for Plain {
    fn type_name(&self, _: &Term) -> Option<Atom> {
        None
    }
    fn term(&self, term: &Term) -> String {
        match term {
            Term::Atom(atom) => atom.text().to_string(),
            Term::Int(value) => value.to_string(),
            other => format!("{other:?}"),
        }
    }
    fn input(&self, input: &InputValue, _: bool) -> String {
        match input {
            InputValue::Data(value) => self.term(&value.data),
            other => format!("{other:?}"),
        }
    }
    fn applied(&self, call: String, _: &Witness, _: bool) -> String {
        call
    }
    fn scenario(&self, _: &path::Scenario, _: &Arc<Witness>) -> Vec<String> {
        Vec::new()
    }
    fn sequence(&self, all: &[String], _: bool) -> String {
        all.join(", ")
    }
    fn laid_out(&self, call: &str, _: bool) -> String {
        call.to_string()
    }

    fn module(&self, module: Atom) -> String {
        module.text().to_string()
    }
    fn function(&self, name: FunctionName) -> String {
        format!("{}:{}/{}", name.module, name.function, name.arity)
    }
    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        format!("{module}:{function}({})", args.join(", "))
    }
    fn declared(&self, declared: &Type) -> String {
        format!("{declared:?}")
    }
    fn type_called(&self, name: TypeName) -> String {
        format!("{}:{}()", name.module, name.name)
    }
    fn raised(&self, class: Atom, reason: &Term, _: &str) -> String {
        format!("{class} {}", self.term(reason))
    }
    fn runtime(&self) -> &'static str {
        "the BEAM"
    }
    fn end_of_input(&self) -> &'static str {
        "."
    }
}

/// Other names than Erlang's.
struct Shouting;

impl Printer for Shouting {
    fn type_name(&self, _: &Term) -> Option<Atom> {
        None
    }
    fn term(&self, term: &Term) -> String {
        Plain.term(term)
    }
    fn input(&self, input: &InputValue, strict: bool) -> String {
        Plain.input(input, strict)
    }
    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String {
        Plain.applied(call, functions, strict)
    }
    fn scenario(&self, _: &path::Scenario, _: &Arc<Witness>) -> Vec<String> {
        Vec::new()
    }
    fn sequence(&self, all: &[String], _: bool) -> String {
        all.join(", ")
    }
    fn laid_out(&self, call: &str, _: bool) -> String {
        call.to_string()
    }

    fn module(&self, module: Atom) -> String {
        module.text().to_uppercase()
    }
    fn function(&self, name: FunctionName) -> String {
        format!("{} {} {}", self.module(name.module), name.function.text().to_uppercase(), name.arity)
    }
    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        Plain.call(module, function, args)
    }
    fn declared(&self, declared: &Type) -> String {
        Plain.declared(declared)
    }
    fn type_called(&self, name: TypeName) -> String {
        Plain.type_called(name)
    }
    fn raised(&self, class: Atom, reason: &Term, shown: &str) -> String {
        Plain.raised(class, reason, shown)
    }
    fn runtime(&self) -> &'static str {
        Plain.runtime()
    }
    fn end_of_input(&self) -> &'static str {
        ""
    }
}

/// Names and data that every format must escape.
pub(crate) const NASTY: &str = "<script>alert(1)</script>&\"'%,:\r\n\u{1}";

pub(crate) fn name(function: &str) -> FunctionName {
    FunctionName { module: Atom::new("m"), function: Atom::new(function), arity: 1 }
}

pub(crate) fn crash(reason: &str, judgement: Judgement) -> Judged {
    let raised = Raised::by_main(Class::Error, Term::atom(reason), Vec::new());
    Judged {
        finding: Finding {
            inputs: vec![InputValue::from(Term::Int(7))],
            functions: Arc::default(),
            said: Vec::new(),
            failure: Failure::Crash(raised),
            runs: 3,
            depends_on: Vec::new(),
            refused: None,
            made_wrong: None,
            compares_functions: false,
        },
        judgement,
        shown: format!("** exception error: {reason}"),
        place: Some(Place {
            file: "m.erl".to_string(),
            path: "src/a b,c:m.erl".to_string(),
            line: 2,
            text: Some("f(X) ->\n    error(bad).\n".to_string()),
        }),
        seconds: 0.25,
        is_known: false,
        evaluations: 2,
        limit: None,
        // A likely bug.
        signals: Signals { error_return: true, ..Signals::default() },
        disagreement: Disagreement::default(),
        behaviour: None,
        started: Vec::new(),
    }
}

pub(crate) fn tested(function: &str, findings: Vec<Judged>) -> Tested {
    Tested {
        name: name(function),
        exploration: Exploration { findings, runs: 4, branches: 2, covered: 2, ..Exploration::default() },
        tree: Tree::default(),
        has_specification: true,
        behaviour: None,
        seconds: 0.5,
        solver_seconds: 0.0,
        smt_seconds: 0.0,
        time_limit: crate::TimeLimit::Own,
        solving: Vec::new(),
        started: Vec::new(),
        not_started: std::collections::BTreeMap::new(),
        on_runtime: crate::OnRuntime::default(),
    }
}

pub(crate) fn results(functions: Vec<Tested>) -> Results {
    let mut summary = Summary { seconds: 1.5, ..Summary::default() };
    functions.iter().for_each(|tested| summary.add(tested));
    Results { functions, summary, ..Results::default() }
}

fn refuted() -> Judgement {
    Judgement::Refuted { said: "ok".to_string() }
}

fn unasked() -> Judgement {
    Judgement::NotAsked { why: "the BEAM was not asked".to_string() }
}

#[test]
fn no_report_has_hidden_characters() {
    let nasty = "\u{1b}[2J\u{7}\u{9b}\u{202e}\u{2066}\u{200b}\u{7f}\r";
    let mut judged = crash(nasty, Judgement::Confirmed);
    judged.place = Some(Place {
        file: nasty.to_string(),
        path: nasty.to_string(),
        line: 2,
        text: Some(format!("{nasty}\r\n  error({nasty})\r\n")),
    });
    let mut all = results(vec![tested(nasty, vec![judged])]);
    all.failures.push(nasty.to_string());
    let mut reports: Vec<Box<dyn Report>> = vec![
        Box::new(Human::new(&Plain, false, Detail::Verbose)),
        Box::new(Lines { printers: &Plain }),
        Box::new(Junit { printers: &Plain, fail_on: vec![Category::Likely] }),
        Box::new(Sarif { printers: &Plain, version: "1" }),
        Box::new(Github { printers: &Plain }),
    ];
    for report in &mut reports {
        let mut text: String =
            all.functions[0].exploration.findings.iter().map(|judged| report.found(name(nasty), judged)).collect();
        text.push_str(&report.tested(0, &all.functions[0]));
        text.push_str(&report.finish(&all));
        assert_eq!(text.chars().find(|c| term::is_hidden(*c)), None, "{text:?}");
    }
    let mut pages = 0;
    let html = crate::Html { printers: &Plain, version: "1" };
    let written: Result<(), ()> = html.pages(&all, &mut |path, text| {
        pages += 1;
        assert_eq!(text.chars().find(|c| term::is_hidden(*c)), None, "{path}");
        Ok(())
    });
    assert!(written.is_ok() && pages > 1);
    // Marks stand below what is shown.
    let human = Human::new(&Plain, false, Detail::Normal).finish(&all);
    let line = human.lines().find(|line| line.contains("2 │")).expect("the line of the source");
    let marks = human.lines().find(|line| line.contains("^^^")).expect("its marks");
    assert_eq!(line.chars().count(), marks.chars().count(), "{human}");
}

#[test]
fn what_takes_long_is_no_bug() {
    let cut = |endless, judgement| {
        let mut judged = crash("bad", judgement);
        judged.finding.failure = Failure::Timeout(search::Unended { endless, limit: search::CutAt::Calls(10_000_000) });
        judged
    };
    let endless = || {
        Some(search::Endless {
            proof: search::Proof::SameState,
            module: Atom::new("m"),
            function: Atom::new("loop"),
            arity: 1,
            period: 3,
            calls: 7,
        })
    };
    let time = Some(crate::RuntimeLimit::Time { seconds: 2, reductions: 1_234_567 });
    let memory = Some(crate::RuntimeLimit::Memory { megabytes: 128 });
    for (judged, is_bug, code, words) in [
        (cut(endless(), Judgement::Confirmed), true, "B006", "does not end: the same state comes back after 3 calls"),
        (
            Judged { limit: memory, ..cut(endless(), Judgement::Confirmed) },
            true,
            "B006",
            "does not end, and fills memory: ",
        ),
        (cut(endless(), unasked()), true, "B006", "does not end: the same state comes back after 3 calls"),
        (Judged { limit: time, ..cut(endless(), Judgement::Outlasted) }, false, "B009", "took longer than"),
        (
            Judged { limit: time, ..cut(None, Judgement::Outlasted) },
            false,
            "B009",
            "took longer than 10,000,000 calls here and 2 s on the BEAM",
        ),
        (
            Judged { limit: memory, ..cut(None, Judgement::Outlasted) },
            false,
            "B010",
            "needs more than 128 MB on the BEAM",
        ),
        (cut(None, unasked()), false, "B009", "took longer than 10,000,000 calls here"),
    ] {
        assert!(crate::title(&Plain, name("f"), &judged).contains(words), "{words}");
        assert_eq!((judged.is_bug(), crate::Code::of_finding(&judged).text()), (is_bug, code), "{words}");
        let all = results(vec![tested("f", vec![judged])]);
        assert_eq!(all.summary.bugs, usize::from(is_bug));
        assert_eq!(all.summary.long, usize::from(!is_bug));
        let line = Lines { printers: &Plain }.found(name("f"), &all.functions[0].exploration.findings[0]);
        assert!(line.contains(&format!("\"endless\":{is_bug}")), "{line}");
        assert!(line.contains("\"kind\":\"timeout\""), "{line}");
        let annotation = Github { printers: &Plain }.finish(&all);
        assert!(
            annotation.starts_with("::error") == (code == "B006" && annotation.contains("confirmed on")),
            "{annotation}"
        );
    }
}

#[test]
fn annotations_are_commands_of_one_line() {
    let mut github = Github { printers: &Plain };
    let mut annotation = |function: &str, judged: Judged| github.finish(&results(vec![tested(function, vec![judged])]));
    assert_eq!(
        annotation("f", crash("50%\r\n:,", Judgement::Confirmed)),
        "::error file=src/a b%2Cc%3Am.erl,line=2,title=m%3Af/1 raises error 50%25%0D%0A%3A%2C::m:f(7).%0A\
         ** exception error: 50%25%0D%0A:,%0Aconfirmed on the BEAM; found in run 3%0A\
         likely bug: crashes although its spec has an error return\n1 function tested: 1 bug\n"
    );
    assert!(annotation("f", crash("bad", unasked())).starts_with("::warning file="));
    assert!(annotation("f", crash("bad", refuted())).starts_with("::notice file="));
    let nowhere = Judged { place: None, ..crash("bad", Judgement::Confirmed) };
    assert!(annotation("f", nowhere.clone()).starts_with("::error title=m%3Af/1 raises error bad::m:f(7)."));
    assert_eq!(annotation(NASTY, crash(NASTY, refuted())).lines().count(), 2);
    let mut all = results(vec![tested("f", vec![nowhere])]);
    all.failures.push("a.erl:1: 100%\nwrong".to_string());
    assert_eq!(
        github.finish(&all),
        "::error title=m%3Af/1 raises error bad::m:f(7).%0A** exception error: bad%0Aconfirmed on the BEAM; found in run 3%0A\
         likely bug: crashes although its spec has an error return\n\
         ::error title=Beagle could not test this::a.erl:1: 100%25%0Awrong\n1 function tested: 1 bug\n"
    );
}

#[test]
fn a_function_with_bugs_has_failed() {
    let functions = vec![
        tested("f", vec![crash("<a & b>", Judgement::Confirmed), crash("c", unasked()), crash("d", refuted())]),
        tested("g", Vec::new()),
    ];
    let mut all = results(functions);
    all.failures.push("a.erl:1: syntax error".to_string());
    let text = Junit { printers: &Plain, fail_on: vec![Category::Likely] }.finish(&all);
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="beagle" tests="3" skipped="0" failures="1" errors="1" time="1.500">
    <testsuite name="m" tests="2" skipped="0" errors="0" failures="1" time="1.000">
        <testcase name="f/1" classname="m" time="0.500" file="src/a b,c:m.erl" line="2">
            <properties>
                <property name="beagle.defect" value="c649b85b65b5be0ee4a8890147ec2545"/>
                <property name="beagle.defect" value="ea859d1842a5105bde769a9cb172a990"/>
            </properties>
            <failure message="m:f/1 raises error &lt;a &amp; b&gt; (and 1 more)" type="crash">m:f/1 raises error &lt;a &amp; b&gt;
at src/a b,c:m.erl:2

m:f(7).
** exception error: &lt;a &amp; b&gt;
confirmed on the BEAM; found in run 3
likely bug: crashes although its spec has an error return

m:f/1 raises error c
at src/a b,c:m.erl:2

m:f(7).
** exception error: c
not confirmed: the BEAM was not asked; found in run 3
likely bug: crashes although its spec has an error return
</failure>
            <system-out>2 findings; not all paths explored (4 runs, branches covered 2 of 2)

not confirmed, probably a defect of Beagle: m:f/1 raises error d
at src/a b,c:m.erl:2

m:f(7).
** exception error: d
not confirmed: on the BEAM it was ok; found in run 3

</system-out>
        </testcase>
        <testcase name="g/1" classname="m" time="0.500">
            <system-out>no bugs found; all paths explored (4 runs, branches covered 2 of 2)
</system-out>
        </testcase>
    </testsuite>
    <testsuite name="not tested" tests="1" skipped="0" errors="1" failures="0">
        <testcase name="a.erl:1: syntax error">
            <error message="a.erl:1: syntax error" type="unreadable">a.erl:1: syntax error</error>
        </testcase>
    </testsuite>
</testsuites>
"#;
    assert_eq!(text, expected);
}

/// What XML cannot say at all is left out, and the ends of lines are XML's; the rest comes back as it was.
#[test]
fn xml_can_be_read_again() {
    let text = Junit { printers: &Plain, fail_on: vec![Category::Likely] }
        .finish(&results(vec![tested(NASTY, vec![crash(NASTY, Judgement::Confirmed)])]));
    let report = quick_junit::Report::deserialize_from_str(&text).expect("XML of JUnit");
    let case = &report.test_suites[0].test_cases[0];
    assert_eq!(case.name.as_str(), "<script>alert(1)</script>&\"'%,:\n/1");
}

#[test]
fn sarif_has_rules_places_and_fingerprints() {
    let functions = vec![
        tested(NASTY, vec![crash("a", Judgement::Confirmed), crash("a", unasked()), crash("b", refuted())]),
        tested("g", vec![Judged { place: None, ..crash("a", Judgement::Confirmed) }]),
    ];
    let mut all = results(functions);
    all.failures.push("a.erl:1: syntax error".to_string());
    let text = Sarif { printers: &Plain, version: "1.2.3" }.finish(&all);
    let log: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!((&log["version"], &run["tool"]["driver"]["version"]), (&"2.1.0".into(), &"1.2.3".into()));
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids, ["crash", "spec", "blame", "timeout", "deadlock"]);
    assert!(rules.iter().all(|rule| rule["help"]["text"].as_str().is_some_and(|help| help.len() > 40)));
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"], "a.erl:1: syntax error");
    let [first, second, third, elsewhere] = &run["results"].as_array().expect("results")[..] else { panic!("{run}") };
    let levels = [first, second, third, elsewhere].map(|result| result["level"].as_str());
    assert_eq!(levels, [Some("error"), Some("warning"), Some("note"), Some("error")]);
    assert_eq!((&first["ruleId"], &first["ruleIndex"]), (&"crash".into(), &0.into()));
    let place = &first["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a%20b%2Cc%3Am.erl");
    assert_eq!(place["region"]["startLine"], 2);
    assert_eq!(first["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], format!("m:{NASTY}/1"));
    assert!(
        first["message"]["text"].as_str().is_some_and(|text| text.contains("m:<script>") && text.contains("(7).\n"))
    );
    assert!(elsewhere["locations"][0].get("physicalLocation").is_none());

    let fingerprint =
        |result: &serde_json::Value| result["partialFingerprints"]["beagle/v1"].as_str().map(str::to_string);
    let of_first = fingerprint(first).expect("a fingerprint");
    assert_eq!(fingerprint(second), Some(of_first.replace(":1", ":2")), "the same defect, once more");
    assert_ne!(fingerprint(third), fingerprint(first));
    assert_ne!(fingerprint(elsewhere), fingerprint(first));
}

/// What moves a line down, and another input, leave the fingerprint alone.
#[test]
fn a_fingerprint_stays() {
    let one = crash("a", Judgement::Confirmed);
    let mut other = one.clone();
    other.finding.inputs = vec![InputValue::from(Term::Int(8))];
    other.finding.runs = 99;
    other.place = one.place.clone().map(|place| Place {
        line: 3,
        text: place.text.map(|text| format!("%% a comment\n{}", text.replace("    ", "  "))),
        ..place
    });
    assert_eq!(sarif::fingerprint("m:f/1", &one), sarif::fingerprint("m:f/1", &other));
    assert_ne!(sarif::fingerprint("m:f/1", &one), sarif::fingerprint("m:g/1", &one));
}

/// What is known is counted and shown, and fails nothing.
#[test]
fn known_findings_are_no_failures() {
    let known = || Judged { is_known: true, ..crash("a", Judgement::Confirmed) };
    let all = results(vec![tested("f", vec![known()]), tested("g", vec![known(), crash("b", Judgement::Confirmed)])]);
    let summary = &all.summary;
    assert_eq!((summary.bugs, summary.known, summary.with_bugs, summary.exhausted), (1, 2, 1, 0));

    let text = Junit { printers: &Plain, fail_on: vec![Category::Likely] }.finish(&all);
    let report = quick_junit::Report::deserialize_from_str(&text).expect("XML of JUnit");
    let failed = |case: &quick_junit::TestCase| matches!(case.status, quick_junit::TestCaseStatus::NonSuccess { .. });
    assert_eq!(report.test_suites[0].test_cases.iter().map(failed).collect::<Vec<_>>(), [false, true]);
    assert!(text.contains("known: m:f/1 raises error a") && !text.contains("1 more"), "{text}");

    let text = Sarif { printers: &Plain, version: "1.2.3" }.finish(&all);
    let log: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let [first, _, new] = &log["runs"][0]["results"].as_array().expect("results")[..] else { panic!("{text}") };
    assert_eq!((&first["level"], &first["baselineState"]), (&"note".into(), &"unchanged".into()));
    assert_eq!(first["suppressions"][0]["kind"], "external");
    assert!(new["level"] == "error" && new.get("suppressions").is_none() && new.get("baselineState").is_none());

    let text = Github { printers: &Plain }.finish(&all);
    assert!(text.ends_with("\n2 functions tested: 1 bug, 2 known\n") && text.lines().count() == 2, "{text}");

    let mut human = Human::new(&Plain, false, Detail::Verbose);
    let text = human.finish(&all);
    assert!(!text.contains("known: "), "known findings are not shown: {text}");
    for part in [
        "m:f/1: no new bugs found; all paths explored; 1 known (4 runs, branches covered 2 of 2) [B021]\n",
        "2 functions tested: 1 likely bug; 0 do not fail the command, 2 known",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

/// What the solver left undecided is told among the losses, with its code and all functions by their names.
#[test]
fn unknowns_are_reported_with_their_code() {
    let function = |name: &str| term::FunctionName { module: Atom::new("m"), function: Atom::new(name), arity: 1 };
    let mut tested = tested("f", Vec::new());
    let losses = &mut tested.exploration.losses;
    losses.insert(Loss::Undecided(solver::Unknown::KnownBySamples(vec![function("a"), function("b")])), 2);
    losses.insert(Loss::Undecided(solver::Unknown::SmtFailed(solver::SmtFailure::Silent)), 1);
    let expected = [
        ("undecided: M A 1, M B 1 are known by samples only (twice)".to_string(), Some(crate::Code::Undecided)),
        ("undecided: the solver did not answer in time".to_string(), Some(crate::Code::Undecided)),
    ];
    assert_eq!(crate::sentences::missing(&Shouting, &tested), expected);
}

/// A crash in `h/1`, through whichever function.
pub(crate) fn in_helper(input: i64, line: u32, reason: &str) -> Judged {
    let mut judged = crash(reason, Judgement::Confirmed);
    judged.finding.inputs = vec![InputValue::from(Term::Int(input))];
    let entry = |function: &str, line| TraceEntry {
        module: Atom::new("m"),
        function: Atom::new(function),
        arity: 1,
        args: None,
        file: "m.erl".to_string(),
        line,
        details: Vec::new(),
    };
    if let Failure::Crash(raised) = &mut judged.finding.failure {
        raised.trace = vec![entry("h", line)];
    }
    let text = "f(X) ->\n    error(bad).\nh(X) ->\n    error(bad).\n".to_string();
    judged.place = judged.place.map(|place| Place { line, text: Some(text), ..place });
    judged
}

#[test]
fn what_is_the_same_through_several_functions_is_reported_once() {
    let all = results(vec![
        tested("f", vec![in_helper(1000, 4, "bad")]),
        tested("g", vec![in_helper(7, 4, "bad"), in_helper(7, 4, "other"), in_helper(7, 2, "bad")]),
        tested("h", vec![in_helper(100, 4, "bad")]),
    ]);
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&all);
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        titles,
        ["error: m:g/1 raises error bad", "error: m:g/1 raises error other", "error: m:g/1 raises error bad"],
        "another reason and another line, even one that reads the same, are another defect: {text}"
    );
    assert!(text.contains("\n  also through m:f/1, m:h/1\n    m:f(1000).\n    m:h(100).\n"), "{text}");
    assert!(text.ends_with("3 functions tested: 3 likely bugs; 0 do not fail the command\n"), "{text}");

    let text = Github { printers: &Plain }.finish(&all);
    assert_eq!(text.matches("::error ").count(), 3, "{text}");
    assert!(text.contains("%0Aalso through m:f/1, m:h/1%0A  m:f(1000).%0A  m:h(100)."), "{text}");

    let text = Sarif { printers: &Plain, version: "1" }.finish(&all);
    let log: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let found = log["runs"][0]["results"].as_array().expect("results");
    let defects: Vec<&str> =
        found.iter().filter_map(|result| result["partialFingerprints"]["beagle/defect/v1"].as_str()).collect();
    assert_eq!((defects[0], defects[0]), (defects[1], defects[4]));
    assert!(defects[0] != defects[2] && defects[0] != defects[3]);
    assert_eq!(found[0]["relatedLocations"].as_array().map(Vec::len), Some(2));
    assert_eq!(found[0]["relatedLocations"][0]["message"]["text"], "also through m:g(7)");
    assert!(found[2].get("relatedLocations").is_none());

    let mut lines = Lines { printers: &Plain };
    let identity = |line: String| {
        serde_json::from_str::<serde_json::Value>(&line).expect("JSON")["defect"].as_str().map(str::to_string)
    };
    let of_f = identity(lines.found(name("f"), &in_helper(1000, 4, "bad")));
    assert_eq!(of_f.as_deref(), Some(defects[0]));
    assert!(lines.finish(&all).contains("\"bugs\":5") && lines.finish(&all).contains("\"places\":3"));
}

/// Of functions with inputs of the same size, the nearest to the failure.
#[test]
fn who_is_nearest_is_named() {
    let all =
        results(vec![tested("longer_name", vec![in_helper(7, 4, "bad")]), tested("h", vec![in_helper(8, 4, "bad")])]);
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&all);
    assert!(text.starts_with("error: m:h/1 raises error bad"), "{text}");
}

/// A tail call leaves no frame of the user: whose defect it is, nobody can say.
#[test]
fn what_has_no_place_of_its_own_is_reported_for_each_function() {
    let all = results(vec![
        tested("f", vec![crash("bad", Judgement::Confirmed)]),
        tested("g", vec![crash("bad", Judgement::Confirmed)]),
    ]);
    let text = Human::new(&Plain, false, Detail::Quiet).finish(&all);
    assert!(!text.contains("also through") && text.ends_with(": 2 likely bugs; 0 do not fail the command\n"), "{text}");
}

#[test]
fn of_many_findings_some_are_abbreviated() {
    let findings: Vec<Judged> = (0..7).map(|number| crash(&format!("bad{number}"), Judgement::Confirmed)).collect();
    let all = results(vec![tested("f", findings)]);
    let text_of = |detail| Human::new(&Plain, false, detail).finish(&all);
    let text = text_of(Detail::Normal);
    assert_eq!(text.matches("error: m:f/1 raises error bad").count(), 5, "{text}");
    let rest = "2 more findings, abbreviated (-v shows them in full):\n  \
                m.erl:2: m:f/1 raises error bad5\n    m:f(7).\n  \
                m.erl:2: m:f/1 raises error bad6\n    m:f(7).\n\n";
    assert!(text.contains(rest), "{text}");
    assert_eq!(text_of(Detail::Verbose).matches("error: m:f/1 raises error bad").count(), 7);
}
