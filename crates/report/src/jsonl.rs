//! One JSON object per line: a `bug` for each finding, as it is found; a `function` after its bugs; when everything is
//! tested, a `defect` for all findings of the same defect, the most urgent first; and one `summary` at the end. Fields
//! are only ever added, at the end.

use crate::defect::{Ranked, identity};
use crate::disagreement::{suggestion, wrong_part};
use crate::processes::ProcessFields;
use crate::rank::{Category, Signals};
use crate::visible::visible_json;
use crate::{
    Code, Judged, Judgement, OnRuntime, Printer, Printers, Report, Results, Summary, Tested, TimeLimit, arguments_of,
    call, kind, losses, setup_call,
};
use search::{Failure, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use term::FunctionName;

pub struct Lines<'p> {
    pub printers: &'p dyn Printers,
}

#[derive(Serialize)]
struct Bug<'a> {
    r#type: &'static str,
    function: &'a str,
    kind: &'static str,
    class: Option<&'a str>,
    reason: Option<String>,
    args: &'a [String],
    call: String,
    /// The setups that were made before it because the function needs them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    stack: Vec<Frame<'a>>,
    confirmed: bool,
    runs: u64,
    seconds: f64,
    /// The result, if the specification does not allow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// The outcome on the real runtime, if it differs, or the reason why the real runtime was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    /// Whether the real runtime contradicts it, so that it is probably a defect of Beagle.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    suspected: bool,
    /// The surroundings that it depends on in addition to its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<&'static str>,
    code: &'static str,
    /// The identity of the defect: the same for all functions that show it, as long as its line stays the same.
    defect: String,
    /// Whether a run that was cut never ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    endless: Option<bool>,
    #[serde(flatten)]
    processes: ProcessFields<'a>,
}

#[derive(Serialize)]
struct Frame<'a> {
    function: String,
    file: &'a str,
    line: u32,
}

/// Findings of the same defect, in the order of their rank.
#[derive(Serialize)]
struct RankedDefect<'a> {
    r#type: &'static str,
    /// The position, counted from 1.
    rank: usize,
    category: &'static str,
    score: i32,
    why: Vec<String>,
    call: String,
    /// The functions with the defect, that of `call` first.
    functions: Vec<String>,
    /// The values of the field `defect` of its bugs.
    defects: BTreeSet<String>,
    /// The facts that the rank was computed from.
    signals: &'a Signals,
    /// The part of a result that is not of its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    /// A suggestion, if the specification and the code disagree.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    /// All of its findings, that of `call` first.
    findings: Vec<RankedFinding<'a>>,
}

#[derive(Serialize)]
struct RankedFinding<'a> {
    call: String,
    signals: &'a Signals,
}

#[derive(Serialize)]
struct Function<'a> {
    r#type: &'static str,
    function: &'a str,
    verdict: &'static str,
    runs: u64,
    queries: u64,
    solver_seconds: f64,
    seconds: f64,
    branches: usize,
    covered: usize,
    /// The number of branch sides that no input takes.
    unreachable: usize,
    unsupported: Vec<String>,
    unknown: u64,
    /// Whether every path was taken, so that there are no other bugs than those above.
    exhaustive: bool,
    /// Whether processes were started, which were followed in one order only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    one_schedule: bool,
    /// The number of errors that its runs reported to the logger.
    error_reports: u64,
    unsat: u64,
    native: u64,
    diverged: u64,
    losses: BTreeMap<String, u64>,
    /// The number of calls that function inputs make at most, if the exploration is bounded by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    /// The number of findings in the baseline, and of expected exceptions.
    known: usize,
    expected: usize,
    /// The codes of the verdict and of the losses.
    code: &'static str,
    loss_codes: BTreeSet<&'static str>,
    rechecked: Again,
    /// The part of `solver_seconds` that was spent waiting for the SMT solver's process.
    smt_seconds: f64,
    /// Whether no time was left for it (`--total-budget`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    not_begun: bool,
    /// The setups that were made before each run because the function needs them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    started: Vec<String>,
    /// The runs that the real runtime made, if it made any.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_runtime: Option<&'a OnRuntime>,
    /// Applications that it needs and that could not be started, with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    not_started: &'a BTreeMap<String, String>,
}

/// The number of queries that the SMT solver refuted, how many of them a second solver was asked about, and how many it
/// confirmed.
#[derive(Serialize)]
struct Again {
    refutations: u64,
    asked: u64,
    agreed: u64,
}

#[derive(Serialize)]
struct Total {
    r#type: &'static str,
    functions: usize,
    bugs: usize,
    seconds: f64,
    suspected: usize,
    exhausted: usize,
    unreadable: usize,
    known: usize,
    expected: usize,
    /// The number of different defects among the bugs.
    places: usize,
    /// The number of findings that exceed a limit of a run: not known to be endless, and not bugs.
    long: usize,
    /// The number of functions for which no time was left (`--total-budget`). They are counted in `functions`.
    not_begun: usize,
    /// The number of functions that were not tested, if the user ended the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    untested: Option<usize>,
}

impl Report for Lines<'_> {
    fn found(&mut self, name: FunctionName, judged: &Judged) -> String {
        self.finding(name, judged)
    }

    fn tested(&mut self, _: usize, tested: &Tested) -> String {
        self.function(tested)
    }

    fn finish(&mut self, results: &Results) -> String {
        let ranked = results.ranked(self.printers);
        let defects = ranked.iter().enumerate().map(|(index, ranked)| self.defect(index + 1, ranked));
        let mut text: String = defects.collect();
        text.push_str(&self.summary(&results.summary, results.places(self.printers)));
        text
    }
}

impl Lines<'_> {
    /// Returns the line of a function.
    fn function(&self, tested: &Tested) -> String {
        let printer = self.printers.of(tested.name.module);
        let function = printer.function(tested.name);
        let mut out = String::new();
        let exploration = &tested.exploration;
        let losses =
            tested.exploration.losses.iter().map(|(loss, count)| (losses::words(printer, loss), *count)).collect();
        let loss_codes = tested.exploration.losses.keys().map(|loss| losses::code(loss).text()).collect();
        line(
            &mut out,
            &Function {
                r#type: "function",
                function: &function,
                verdict: verdict(tested.verdict()),
                runs: exploration.runs,
                queries: exploration.queries,
                solver_seconds: microseconds(tested.solver_seconds),
                seconds: microseconds(tested.seconds),
                branches: exploration.branches,
                covered: exploration.covered,
                unreachable: tested.unreachable(),
                unsupported: exploration.unsupported.keys().map(|name| printer.function(*name)).collect(),
                unknown: exploration.unknown,
                exhaustive: tested.is_exhaustive(),
                one_schedule: exploration.has_processes,
                error_reports: exploration.error_reports,
                unsat: exploration.unsat,
                native: exploration.native,
                diverged: exploration.diverged,
                losses,
                bound: match tested.verdict() {
                    Verdict::Bounded(bound) => Some(bound),
                    _ => None,
                },
                known: tested.known(),
                expected: exploration.expected,
                code: Code::of_verdict(tested.verdict()).text(),
                loss_codes,
                rechecked: Again {
                    refutations: exploration.rechecked.refutations,
                    asked: exploration.rechecked.asked,
                    agreed: exploration.rechecked.agreed,
                },
                smt_seconds: microseconds(tested.smt_seconds),
                not_begun: tested.time_limit == TimeLimit::NotBegun,
                started: tested.started.iter().map(|setup| setup_call(printer, setup)).collect(),
                on_runtime: Some(&tested.on_runtime).filter(|runs| **runs != OnRuntime::default()),
                not_started: &tested.not_started,
            },
        );
        out
    }

    /// Returns the line of a defect.
    fn defect(&self, rank: usize, ranked: &Ranked<'_>) -> String {
        let Ranked { defect, ranking } = ranked;
        let (name, judged) = defect.best;
        let printer = self.printers.of(name.module);
        let all = || std::iter::once(&defect.best).chain(&defect.others);
        let mut functions: Vec<String> = Vec::new();
        for (name, _) in all() {
            let function = self.printers.of(name.module).function(*name);
            if !functions.contains(&function) {
                functions.push(function);
            }
        }
        let findings = all().map(|(name, judged)| RankedFinding {
            call: call(self.printers.of(name.module), *name, &judged.finding),
            signals: &judged.signals,
        });
        let identities = all().map(|(name, judged)| identity(self.printers.of(name.module), *name, judged));
        let mut out = String::new();
        line(
            &mut out,
            &RankedDefect {
                r#type: "defect",
                rank,
                category: ranking.category.name(),
                score: ranking.score,
                why: ranking.why.clone(),
                call: call(printer, name, &judged.finding),
                functions,
                defects: identities.collect(),
                signals: &judged.signals,
                part: wrong_part(printer, judged),
                suggestion: suggestion(printer, judged).filter(|_| ranking.category == Category::Specification),
                findings: findings.collect(),
            },
        );
        out
    }

    fn summary(&self, summary: &Summary, places: usize) -> String {
        let mut out = String::new();
        line(
            &mut out,
            &Total {
                r#type: "summary",
                functions: summary.functions,
                bugs: summary.bugs,
                seconds: microseconds(summary.seconds),
                suspected: summary.suspects,
                exhausted: summary.exhausted,
                unreadable: summary.unreadable,
                known: summary.known,
                expected: summary.expected,
                places,
                long: summary.long,
                not_begun: summary.not_begun,
                untested: summary.untested,
            },
        );
        out
    }

    /// Returns the line of a finding.
    fn finding(&self, name: FunctionName, judged: &Judged) -> String {
        let printer = self.printers.of(name.module);
        let function = printer.function(name);
        let args = arguments_of(printer, &judged.finding).args;
        let (class, reason, result) = match &judged.finding.failure {
            Failure::Crash(raised) => (Some(raised.class.atom().text()), Some(printer.term(&raised.reason)), None),
            Failure::Spec { result, .. } => (None, None, Some(printer.term(result))),
            Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => (None, None, None),
        };
        let bug = Bug {
            r#type: "bug",
            function: &function,
            kind: kind(&judged.finding.failure),
            class,
            reason,
            args: &args,
            call: call(printer, name, &judged.finding),
            before: judged.started.iter().map(|setup| setup_call(printer, setup)).collect(),
            stack: stack(printer, &judged.finding.failure),
            confirmed: judged.is_confirmed(),
            runs: judged.finding.runs,
            seconds: microseconds(judged.seconds),
            result,
            note: match &judged.judgement {
                Judgement::Confirmed | Judgement::Outlasted => None,
                Judgement::Varies { said } | Judgement::Refuted { said } => Some(said),
                Judgement::NotAsked { why } => Some(why),
            },
            suspected: judged.is_suspect(),
            depends_on: judged
                .finding
                .depends_on
                .iter()
                .map(|surrounding| losses::surroundings(*surrounding))
                .collect(),
            code: Code::of_finding(judged).text(),
            defect: identity(printer, name, judged),
            endless: matches!(judged.finding.failure, Failure::Timeout(_)).then(|| !judged.is_only_long()),
            processes: ProcessFields::of(printer, &judged.finding.failure),
        };
        let mut out = String::new();
        line(&mut out, &bug);
        out
    }
}

fn stack<'a>(printer: &dyn Printer, failure: &'a Failure) -> Vec<Frame<'a>> {
    let Failure::Crash(raised) = failure else { return Vec::new() };
    raised
        .trace
        .iter()
        .map(|entry| Frame {
            function: printer.function(FunctionName {
                module: entry.module,
                function: entry.function,
                arity: entry.arity,
            }),
            file: &entry.file,
            line: entry.line,
        })
        .collect()
}

fn line(out: &mut String, object: &impl Serialize) {
    // These objects contain nothing that JSON cannot represent.
    out.push_str(&visible_json(&serde_json::to_string(object).unwrap_or_default()));
    out.push('\n');
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Bugs => "bugs",
        Verdict::Exhausted => "exhausted",
        Verdict::Bounded(_) => "bounded",
        Verdict::Budget => "budget",
        Verdict::Incomplete => "incomplete",
    }
}

fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
