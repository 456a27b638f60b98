//! The sentences that all reports share: what is wrong, how certain that is, and the verdict on a function.

use crate::rank::{Category, Ranking};
use crate::words::{count, grouped, shortened, times};
use crate::{Code, Judged, Judgement, Printer, RuntimeLimit, Tested, TimeLimit, losses, processes};
use path::Stop;
use search::{Blame, CutAt, Ended, Endless, Failure, Loss, Obstacle, Proof, Unended, Verdict};
use std::collections::BTreeMap;
use term::FunctionName;

/// Number of characters of an exception's reason that a title shows.
const REASON: usize = 100;

/// The extent of an exploration, in verdicts.
const ALL_PATHS: &str = "all paths explored";
const ALL_PATHS_OF_ORDER: &str = "all paths explored, in one order of its processes";
const NOT_ALL_PATHS: &str = "not all paths explored";

/// The tone of a sentence: good news, bad news, or something left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Open,
    Bad,
}

/// Returns a finding in one line, which says whether the finding is known or the real runtime contradicts it.
pub fn title(printer: &dyn Printer, name: FunctionName, judged: &Judged) -> String {
    let what = what(printer, name, judged);
    match judged {
        judged if judged.is_known => format!("known: {what}"),
        judged if judged.is_bug() || judged.is_only_long() => what,
        judged if judged.is_suspect() => format!("not confirmed, probably a defect of Beagle: {what}"),
        judged => format!("not confirmed, as it depends on {}: {what}", depends_on(judged)),
    }
}

/// Returns what a finding depends on in addition to its inputs.
fn depends_on(judged: &Judged) -> String {
    let mut words: Vec<&str> =
        judged.finding.depends_on.iter().map(|surrounding| losses::surroundings(*surrounding)).collect();
    if words.is_empty() {
        words.push("whether functions are the same");
    }
    words.join(" and ")
}

fn what(printer: &dyn Printer, name: FunctionName, judged: &Judged) -> String {
    // A finding of a client belongs to the function that the client called last.
    let called = judged.finding.functions.scenario.as_ref().and_then(|scenario| scenario.last_call());
    let name = called.map_or(name, |(function, _)| function);
    let function = printer.function(name);
    match &judged.finding.failure {
        Failure::Crash(raised) => {
            let exception = printer.raised(raised.class.atom(), &raised.reason, &judged.shown);
            let exception = shortened(&exception, REASON);
            match (called, judged.finding.functions.broken_invariant()) {
                (_, Some(invariant)) => {
                    format!("the invariant {} does not hold after {function}", printer.function(invariant))
                }
                (Some(_), None) => processes::server_crash(printer, name, raised, &exception),
                (None, None) => processes::crash(printer, name, raised, &exception),
            }
        }
        Failure::Spec { result, .. } => {
            let result = shortened(&printer.term(result), REASON);
            let specification = match judged.behaviour {
                Some(behaviour) => format!("the callback of {}", printer.module(behaviour)),
                None => "its specification".to_string(),
            };
            format!("{function} returns {result}, which {specification} does not allow")
        }
        Failure::Blame(Blame::Domain(args) | Blame::Arity(args)) => {
            let args: Vec<String> = args.iter().map(|arg| printer.term(arg)).collect();
            let args = shortened(&args.join(", "), REASON);
            format!("{function} calls a function that it was given with ({args}), which it does not take")
        }
        Failure::Blame(Blame::Range(value)) => {
            let value = shortened(&printer.term(value), REASON);
            format!("a function that {function} hands out returns {value}, which is not of its type")
        }
        Failure::Timeout(Unended { endless: Some(endless), .. }) if !judged.is_only_long() => {
            let memory =
                if matches!(judged.limit, Some(RuntimeLimit::Memory { .. })) { ", and fills memory" } else { "" };
            format!("{function} does not end{memory}: {}", reason(printer, endless))
        }
        Failure::Timeout(unended) => format!("{function} {}", too_long(printer, unended, judged.limit)),
        Failure::Deadlock(waiting) => processes::deadlock(printer, name, waiting),
    }
}

/// Returns the reason why a function never ends.
fn reason(printer: &dyn Printer, endless: &Endless) -> String {
    let Endless { proof, module, function, arity, period, .. } = *endless;
    let function = printer.function(FunctionName { module, function, arity });
    let calls = match period {
        1 => "1 call".to_string(),
        period => format!("{} calls", grouped(period)),
    };
    match proof {
        Proof::SameState => format!("the same state comes back after {calls}"),
        Proof::SameCallInside => {
            format!("{function} is called again with the same arguments, {calls} later, before it has returned")
        }
        Proof::Recurrence => {
            format!("it is back in {function} after {calls}, and what has changed meanwhile never leads elsewhere")
        }
    }
}

/// Returns the limits that an input exceeded, here and on the real runtime.
fn too_long(printer: &dyn Printer, unended: &Unended, limit: Option<RuntimeLimit>) -> String {
    let runtime = printer.runtime();
    let here = match unended.limit {
        CutAt::Calls(calls) => format!("{} calls here", grouped(calls)),
        CutAt::Memory(bytes) => format!("{} MB here", grouped(bytes >> 20)),
    };
    match (unended.limit, limit) {
        (_, Some(RuntimeLimit::Memory { megabytes })) => {
            format!("needs more than {} MB on {runtime}", grouped(megabytes))
        }
        (CutAt::Calls(_), Some(RuntimeLimit::Time { seconds, .. })) => {
            format!("took longer than {here} and {seconds} s on {runtime}")
        }
        (CutAt::Memory(_), Some(RuntimeLimit::Time { seconds, .. })) => {
            format!("needs more than {here}, and took longer than {seconds} s on {runtime}")
        }
        (CutAt::Calls(_), None) => format!("took longer than {here}"),
        (CutAt::Memory(_), None) => format!("needs more than {here}"),
    }
}

/// Returns how the real runtime confirmed a finding.
fn how(judged: &Judged) -> String {
    let mut how = String::new();
    let is_dependent = judged.finding.depends_on.iter().any(|surrounding| surrounding.is_worth_repeating());
    if is_dependent && judged.evaluations > 1 {
        how.push_str(&format!(" in {} fresh runtimes", judged.evaluations));
    }
    match judged.limit {
        Some(RuntimeLimit::Time { seconds, .. }) if matches!(judged.finding.failure, Failure::Deadlock(_)) => {
            how.push_str(&format!(": after {seconds} s, all its processes waited for messages"));
        }
        // The number of reductions is left out: it differs from run to run, and reports must not.
        Some(RuntimeLimit::Time { seconds, .. }) => how.push_str(&format!(": no end within {seconds} s")),
        Some(RuntimeLimit::Memory { megabytes }) => {
            how.push_str(&format!(": it filled {} MB of memory", grouped(megabytes)));
        }
        None => {}
    }
    how
}

/// Returns whether the real runtime confirms a finding, and a supplement.
pub(crate) fn certainty(printer: &dyn Printer, judged: &Judged) -> (Tone, String, String) {
    let runtime = printer.runtime();
    match &judged.judgement {
        Judgement::Confirmed => (Tone::Good, format!("confirmed on {runtime}"), how(judged)),
        Judgement::Outlasted => {
            (Tone::Open, "not known to be endless".to_string(), format!("; on {runtime}{}", how(judged)))
        }
        Judgement::Varies { said } => (
            Tone::Open,
            format!("confirmed on {runtime} once"),
            format!(", but the outcome varies: another time it was {said}"),
        ),
        Judgement::Refuted { said } => {
            (Tone::Open, "not confirmed".to_string(), format!(": on {runtime} it was {said}"))
        }
        Judgement::NotAsked { why } => (Tone::Open, "not confirmed".to_string(), format!(": {why}")),
    }
}

/// Returns the verdict on a function, and a supplement.
pub(crate) fn verdict(printer: &dyn Printer, tested: &Tested) -> (Tone, String, String) {
    let (tone, verdict, mut more) = match what_it_needs(printer, tested) {
        Some(needs) => (Tone::Open, needs, "; nothing was tested beyond that".to_string()),
        None => verdict_on_new(tested),
    };
    let (known, expected) = (tested.known(), tested.exploration.expected);
    if known + expected > 0 {
        more.push_str(&format!("; {}", tolerated(known, expected)));
    }
    if tested.long() > 0 {
        more.push_str(&format!("; {}", too_long_inputs(tested.long())));
    }
    (tone, verdict, more)
}

/// Returns a text such as `2 inputs take longer than a run may`.
pub(crate) fn too_long_inputs(number: usize) -> String {
    let input = if number == 1 { "input takes" } else { "inputs take" };
    format!("{number} {input} longer than a run may")
}

/// Returns a text such as `5 bugs at 1 place`: a defect that several functions show counts once for each function.
pub(crate) fn bugs_at_places(bugs: usize, places: usize) -> String {
    let words = count(bugs as u64, "bug", "bugs");
    if places < bugs { format!("{words} at {}", count(places as u64, "place", "places")) } else { words }
}

/// Returns the category of a bug, and the reasons for it.
pub(crate) fn category(judged: &Judged) -> String {
    let Ranking { category, why, .. } = judged.ranking();
    format!("{}: {}", category.title(), why.join("; "))
}

/// Returns the number of each category, the most urgent first: `3 specification, 1 deliberate`.
pub(crate) fn by_category(categories: impl Iterator<Item = Category>) -> String {
    let mut counts: BTreeMap<Category, usize> = BTreeMap::new();
    categories.for_each(|category| *counts.entry(category).or_default() += 1);
    let words = counts.iter().map(|(category, number)| format!("{number} {}", category.name()));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns a sentence that the user ended the command, with the number of functions that were not tested.
pub fn interrupted(untested: usize, tested: usize) -> String {
    match untested {
        0 if tested == 0 => "interrupted before any function was tested".to_string(),
        0 => "interrupted: the last functions may have more findings".to_string(),
        _ => format!("interrupted: {} not tested", count(untested as u64, "function was", "functions were")),
    }
}

/// Returns a text such as `1 known, 2 expected`.
pub(crate) fn tolerated(known: usize, expected: usize) -> String {
    let parts = [(known, "known"), (expected, "expected")];
    let parts = parts.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// Returns the extent of an exhaustive search. Only one order of processes is followed.
pub(crate) fn all_paths(tested: &Tested) -> &'static str {
    if tested.exploration.has_processes { ALL_PATHS_OF_ORDER } else { ALL_PATHS }
}

fn verdict_on_new(tested: &Tested) -> (Tone, String, String) {
    let nothing = if tested.known() > 0 { "no new bugs found" } else { "no bugs found" };
    let with = |tone: Tone, coverage: String| (tone, nothing.to_string(), format!("; {coverage}"));
    match tested.verdict() {
        Verdict::Bugs => {
            let coverage = if tested.is_exhaustive() { all_paths(tested) } else { NOT_ALL_PATHS };
            (Tone::Bad, count(tested.bugs() as u64, "finding", "findings"), format!("; {coverage}"))
        }
        Verdict::Exhausted if tested.known() > 0 => with(Tone::Open, all_paths(tested).to_string()),
        Verdict::Exhausted => with(Tone::Good, all_paths(tested).to_string()),
        Verdict::Bounded(bound) => {
            let paths = all_paths(tested);
            if tested.name.is_client() {
                let steps = count(bound.into(), "step", "steps");
                return with(Tone::Open, format!("{paths} of scenarios with at most {steps}"));
            }
            let calls = count(bound.into(), "time", "times");
            let bound = format!("{paths} with function inputs that call the functions they are given at most {calls}");
            with(Tone::Open, bound)
        }
        Verdict::Budget => match tested.exploration.ended {
            Ended::OutOfTime if tested.time_limit == TimeLimit::NotBegun => {
                (Tone::Open, "not begun".to_string(), "; no time was left".to_string())
            }
            Ended::OutOfTime => with(Tone::Open, format!("timed out after {}", seconds(tested.seconds))),
            Ended::OutOfMemory => with(Tone::Open, "memory limit of the command reached".to_string()),
            Ended::Interrupted => with(Tone::Open, format!("interrupted after {}", seconds(tested.seconds))),
            Ended::OutOfRuns | Ended::Done | Ended::Stuck => with(Tone::Open, "run limit reached".to_string()),
        },
        Verdict::Incomplete => with(Tone::Open, NOT_ALL_PATHS.to_string()),
    }
}

/// Returns a time such as `30 s` or `0.5 s`: tenths are shown only below ten seconds.
fn seconds(seconds: f64) -> String {
    let rounded = if seconds < 10.0 { (seconds * 10.0).round() / 10.0 } else { seconds.round() };
    format!("{rounded} s")
}

/// Returns the number of runs, and how many branches they covered.
pub(crate) fn effort(tested: &Tested) -> String {
    let exploration = &tested.exploration;
    let runs = count(exploration.runs, "run", "runs");
    format!(
        "{runs}, branches covered {}",
        covered(tested.exploration.covered, tested.exploration.branches, tested.unreachable())
    )
}

/// Returns how many branch sides are covered, and how many no input takes: `12 of 14, 2 proved unreachable`.
pub(crate) fn covered(covered: usize, branches: usize, unreachable: usize) -> String {
    match unreachable {
        0 => format!("{covered} of {branches}"),
        _ => format!("{covered} of {branches}, {unreachable} proved unreachable"),
    }
}

/// Returns the obstacle at which all runs of a function ended.
fn obstacle(tested: &Tested) -> Option<&Obstacle> {
    tested.exploration.losses.iter().find_map(|(loss, _)| match loss {
        Loss::AllEndAt(obstacle) => Some(obstacle),
        _ => None,
    })
}

/// Returns what a function needs to do anything, if its findings say nothing else.
fn what_it_needs(printer: &dyn Printer, tested: &Tested) -> Option<String> {
    let obstacle = obstacle(tested).filter(|obstacle| matches!(obstacle, Obstacle::Missing { .. }))?;
    let bugs = || tested.exploration.findings.iter().filter(|judged| judged.is_bug());
    let is_of_environment = |judged: &Judged| judged.ranking().category == Category::Environment;
    (bugs().all(is_of_environment) && tested.suspects() == 0).then(|| losses::needs(printer, obstacle))
}

/// Returns whether the sentence about the end of all runs already describes this loss.
fn is_described_otherwise(tested: &Tested, loss: &Loss) -> bool {
    match (loss, obstacle(tested)) {
        (Loss::Stopped(Stop::EffectDenied(function)), Some(Obstacle::Denied(end))) => function == end,
        (Loss::Stopped(Stop::Unsupported(function)), Some(Obstacle::Unsupported(end))) => function == end,
        (Loss::Stopped(Stop::NotReturned(function)), Some(Obstacle::NotReturned(end))) => function == end,
        (Loss::Missing(missing), Some(Obstacle::Missing { missing: end, .. })) => missing == end,
        _ => false,
    }
}

fn all_runs(number: u64) -> String {
    match number {
        1 => "the only run".to_string(),
        2 => "both runs".to_string(),
        number => format!("all {} runs", grouped(number)),
    }
}

/// Returns the reasons why an exploration is incomplete, each with its code if it has one.
pub(crate) fn missing(printer: &dyn Printer, tested: &Tested) -> Vec<(String, Option<Code>)> {
    let exploration = &tested.exploration;
    let mut reasons: Vec<(String, Option<Code>)> = Vec::new();
    match exploration.ended {
        // The losses include the memory limit, and the obstacle at which all runs ended.
        Ended::Done | Ended::Stuck | Ended::OutOfMemory => {}
        Ended::Interrupted => reasons.push(("interrupted".to_string(), None)),
        Ended::OutOfTime => {
            let option = match tested.time_limit {
                TimeLimit::Own => "--budget",
                TimeLimit::Total | TimeLimit::NotBegun => "--total-budget",
            };
            reasons.push((format!("timed out (see {option})"), None));
        }
        Ended::OutOfRuns => reasons.push(("run limit reached (see --max-runs)".to_string(), None)),
    }
    let loss = |(loss, number): (&Loss, &u64)| {
        let words = match loss {
            Loss::AllEndAt(obstacle) => losses::end_of(&all_runs(*number), printer, obstacle),
            loss => format!("{}{}", losses::words(printer, loss), times(*number)),
        };
        (words, Some(losses::code(loss)))
    };
    reasons.extend(exploration.losses.iter().filter(|(loss, _)| !is_described_otherwise(tested, loss)).map(loss));
    if exploration.rejected_seeds > 0 {
        let seeds = count(exploration.rejected_seeds, "seed was", "seeds were");
        reasons.push((format!("{seeds} not tried: not allowed by the specification"), None));
    }
    reasons
}
