//! For people: the findings as they come, then a line for each function, then a summary.

use crate::conversation::conversation;
use crate::words::{capped, count, indented, shortened, times};
use crate::{Code, Judged, Judgement, Name, Printer, Summary, Tested, Verdict, call, snippet};
use codespan_reporting::diagnostic::Severity;
use codespan_reporting::term::termcolor::{Buffer, Color, ColorSpec, WriteColor};
use search::{Blame, Ended, Failure};
use std::io::Write;

/// What of a reason stands in a title.
const REASON: usize = 100;
/// What of a call, and of its outcome, is shown.
const CALL: usize = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Findings and the summary.
    Quiet,
    Normal,
    /// With queries, tiers and times.
    Verbose,
}

pub struct Human<'p> {
    pub printer: &'p dyn Printer,
    pub colour: bool,
    pub detail: Detail,
}

impl Human<'_> {
    /// A finding of a function.
    pub fn finding(&self, name: Name, judged: &Judged) -> String {
        let mut out = self.buffer();
        let severity = match judged {
            judged if judged.is_bug() => Severity::Error,
            judged if judged.is_suspect() => Severity::Bug,
            _ => Severity::Warning,
        };
        snippet::write(&mut out, severity, &self.title(name, judged), judged.place.as_ref());
        let call = format!("{}{}", call(self.printer, name, &judged.finding), self.printer.end_of_input());
        styled(&mut out, None, true, &indented(&capped(&call, CALL), 4));
        write(&mut out, &indented(&capped(&judged.shown, CALL), 4));
        write(&mut out, "\n");
        let said = conversation(self.printer, name, &judged.finding);
        if !said.is_empty() {
            write(&mut out, &indented(&said.join("\n"), 4));
            write(&mut out, "\n");
        }
        self.judgement(&mut out, judged);
        write(&mut out, "\n");
        text(out)
    }

    /// What became of one function: nothing if that is not wanted.
    pub fn function(&self, tested: &Tested) -> String {
        let mut out = self.buffer();
        if self.detail != Detail::Quiet {
            self.verdict(&mut out, tested);
            for reason in self.missing(tested) {
                write(&mut out, &format!("  - {reason}\n"));
            }
        }
        if self.detail == Detail::Verbose {
            self.figures(&mut out, tested);
        }
        text(out)
    }

    pub fn summary(&self, summary: &Summary) -> String {
        let mut out = self.buffer();
        let functions = count(summary.functions as u64, "function", "functions");
        write(&mut out, &format!("{functions} tested: "));
        match summary.bugs {
            0 => styled(&mut out, Some(Color::Green), true, "no bugs"),
            bugs => styled(&mut out, Some(Color::Red), true, &count(bugs as u64, "bug", "bugs")),
        }
        if summary.with_bugs > 0 && summary.functions > 1 {
            write(&mut out, &format!(" in {}", count(summary.with_bugs as u64, "function", "functions")));
        }
        if summary.exhausted > 0 && summary.functions > 1 {
            write(&mut out, &format!(", {} without any on any path", summary.exhausted));
        }
        if summary.known + summary.expected > 0 {
            write(&mut out, &format!(", {}", tolerated(summary.known, summary.expected)));
        }
        if summary.suspects > 0 {
            let suspects = count(summary.suspects as u64, "suspected defect", "suspected defects");
            write(&mut out, &format!(", {suspects} of Beagle"));
        }
        if summary.unreadable > 0 {
            let modules = count(summary.unreadable as u64, "module", "modules");
            write(&mut out, &format!(", {modules} could not be loaded"));
        }
        if self.detail == Detail::Verbose {
            write(&mut out, &format!(" ({:.2} s)", summary.seconds));
        }
        write(&mut out, "\n");
        text(out)
    }

    fn title(&self, name: Name, judged: &Judged) -> String {
        let function = self.printer.function(name);
        let what = match &judged.finding.failure {
            Failure::Crash(raised) => {
                let reason = shortened(&self.printer.term(&raised.reason), REASON);
                format!("{function} raises {} {reason}", raised.class.atom())
            }
            Failure::Spec { result } => {
                let result = shortened(&self.printer.term(result), REASON);
                format!("{function} returns {result}, which its specification does not allow")
            }
            Failure::Blame(Blame::Domain(args) | Blame::Arity(args)) => {
                let args: Vec<String> = args.iter().map(|arg| self.printer.term(arg)).collect();
                let args = shortened(&args.join(", "), REASON);
                format!("{function} calls a function that it was given with ({args}), which it does not take")
            }
            Failure::Blame(Blame::Range(value)) => {
                let value = shortened(&self.printer.term(value), REASON);
                format!("a function that {function} hands out returns {value}, which is not of its type")
            }
            Failure::Timeout => format!("{function} does not end"),
            Failure::Deadlock => format!("{function} waits for a message that nobody can send"),
        };
        match judged {
            judged if judged.is_bug() => what,
            judged if judged.is_suspect() => format!("not confirmed, probably a defect of Beagle: {what}"),
            judged => format!("not confirmed, as it depends on {}: {what}", judged.finding.depends_on.join(" and ")),
        }
    }

    fn judgement(&self, out: &mut Buffer, judged: &Judged) {
        let runtime = self.printer.runtime();
        write(out, "  ");
        match &judged.judgement {
            Judgement::Confirmed => styled(out, Some(Color::Green), false, &format!("confirmed on {runtime}")),
            Judgement::Varies { said } => {
                styled(out, Some(Color::Yellow), false, &format!("confirmed on {runtime} once"));
                write(out, &format!(", but the outcome varies: another time it was {said}"));
            }
            Judgement::Refuted { said } => {
                styled(out, Some(Color::Yellow), false, "not confirmed");
                write(out, &format!(": on {runtime} it was {said}"));
            }
            Judgement::NotAsked { why } => {
                styled(out, Some(Color::Yellow), false, "not confirmed");
                write(out, &format!(": {why}"));
            }
        }
        write(out, &format!("; found in run {}", judged.finding.runs));
        if self.detail == Detail::Verbose {
            write(out, &format!(", after {:.2} s [{}]", judged.seconds, Code::of_finding(judged).text()));
        }
        write(out, "\n");
    }

    fn verdict(&self, out: &mut Buffer, tested: &Tested) {
        styled(out, None, true, &self.printer.function(tested.name));
        write(out, ": ");
        let all_paths = if tested.is_exhaustive() { "every path was taken" } else { "not every path was taken" };
        match tested.verdict() {
            Verdict::Bugs => {
                styled(out, Some(Color::Red), false, &count(tested.bugs() as u64, "bug", "bugs"));
                write(out, &format!("; {all_paths}"));
            }
            Verdict::Exhausted if tested.known > 0 => styled(out, None, false, "nothing new wrong on any path"),
            Verdict::Exhausted => styled(out, Some(Color::Green), false, "nothing wrong on any path"),
            Verdict::Bounded(bound) => {
                let calls = count(bound.into(), "call", "calls");
                let what =
                    format!("nothing wrong with functions that make at most {calls} of those that they are given");
                write(out, &what);
            }
            Verdict::Budget => {
                let what = match tested.exploration.ended {
                    Ended::OutOfTime => "time",
                    Ended::OutOfRuns | Ended::Done => "runs",
                };
                write(out, &format!("nothing wrong so far; its {what} ran out"));
            }
            Verdict::Incomplete => write(out, "nothing wrong found, but not every path could be taken"),
        }
        let exploration = &tested.exploration;
        if tested.known + exploration.expected > 0 {
            write(out, &format!("; {}", tolerated(tested.known, exploration.expected)));
        }
        let runs = count(exploration.runs, "run", "runs");
        let (covered, branches) = (exploration.covered, exploration.branches);
        // Where every path was taken, no path leads to the others.
        let branches = match branches - covered.min(branches) {
            impossible if impossible > 0 && tested.is_exhaustive() => {
                format!("{covered} of {branches} branches, {impossible} impossible")
            }
            _ => format!("{covered} of {branches} branches"),
        };
        write(out, &format!(" ({runs}, {branches}){}\n", self.code(Code::of_verdict(tested.verdict()))));
    }

    /// What stands between this and a complete exploration.
    fn missing(&self, tested: &Tested) -> Vec<String> {
        let exploration = &tested.exploration;
        let mut reasons: Vec<String> = Vec::new();
        match exploration.ended {
            Ended::Done => {}
            Ended::OutOfTime => reasons.push("the time ran out (see --budget)".to_string()),
            Ended::OutOfRuns => reasons.push("the runs ran out (see --max-runs)".to_string()),
        }
        let loss = |(why, number): (&String, &u64)| format!("{why}{}{}", times(*number), self.code(Code::of_loss(why)));
        reasons.extend(exploration.losses.iter().map(loss));
        reasons.extend(tested.dropped.iter().map(|(why, number)| loss((why, number))));
        if exploration.rejected_seeds > 0 {
            let seeds = count(exploration.rejected_seeds, "seed was", "seeds were");
            reasons.push(format!("{seeds} not tried: the specification does not allow it"));
        }
        reasons
    }

    fn figures(&self, out: &mut Buffer, tested: &Tested) {
        let exploration = &tested.exploration;
        let queries = count(exploration.queries, "query", "queries");
        write(
            out,
            &format!(
                "  {queries}: {} decided natively, {} without solution, {} undecided\n  {:.3} s, of which solving took {:.3} s\n",
                exploration.native, exploration.unsat, exploration.unknown, tested.seconds, tested.solver_seconds
            ),
        );
        for words in &tested.solving {
            write(out, &format!("  {words}\n"));
        }
        if exploration.replays > 0 {
            write(
                out,
                &format!("  {} to save memory\n", count(exploration.replays, "run was repeated", "runs were repeated")),
            );
        }
        if exploration.edges > 0 {
            let inputs = count(exploration.edges, "run", "runs");
            write(out, &format!("  {inputs} ended in a head without a clause for them: not meant for such inputs\n"));
        }
        if !tested.has_specification {
            write(out, "  no specification: its inputs may be anything\n");
        }
    }

    /// For who wants to know more: `beagle explain` takes it.
    fn code(&self, code: Code) -> String {
        if self.detail == Detail::Verbose { format!(" [{}]", code.text()) } else { String::new() }
    }

    fn buffer(&self) -> Buffer {
        if self.colour { Buffer::ansi() } else { Buffer::no_color() }
    }
}

/// `1 known, 2 expected`
fn tolerated(known: usize, expected: usize) -> String {
    let parts = [(known, "known"), (expected, "expected")];
    let parts = parts.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!("{number} {word}"));
    parts.collect::<Vec<_>>().join(", ")
}

// A buffer in memory takes everything that is written to it.

fn write(out: &mut Buffer, text: &str) {
    let _ = out.write_all(text.as_bytes());
}

fn styled(out: &mut Buffer, colour: Option<Color>, bold: bool, text: &str) {
    let _ = out.set_color(ColorSpec::new().set_fg(colour).set_bold(bold));
    write(out, text);
    let _ = out.reset();
}

fn text(out: Buffer) -> String {
    String::from_utf8_lossy(out.as_slice()).into_owned()
}
