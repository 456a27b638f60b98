//! What explorations came to, for people and for programs: text with source snippets, JSON lines, JUnit's XML,
//! SARIF, annotations for GitHub, and pages for a browser.
//!
//! Knows no language (who calls it hands in a [`Printer`]), no file (source comes as text), no terminal
//! and no clock: it makes strings.

pub mod codes;
mod conversation;
mod defect;
mod github;
mod html;
mod human;
mod jsonl;
mod junit;
mod losses;
mod sarif;
mod sentences;
mod snippet;
#[cfg(test)]
mod tests;
mod tree;
mod unknowns;
mod visible;
mod words;

pub use codes::Code;
pub use defect::data;
pub use github::Github;
pub use html::Html;
pub use human::{Detail, Human};
pub use jsonl::Lines;
pub use junit::Junit;
pub use losses::{stopped, surroundings};
pub use sarif::Sarif;
pub use sentences::title;
pub use snippet::Place;
pub use tree::Tree;
pub use visible::{visible, visible_json, visible_with_colours};

use path::{InputValue, Witness};
use search::{Ended, Exploration, Failure, Finding, Loss};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use term::{Atom, Term};

/// The languages of a campaign.
pub trait Printers {
    /// That of a module.
    fn of(&self, module: Atom) -> &dyn Printer;
}

/// The notation of the language under test.
pub trait Printer {
    /// An expression that can be pasted.
    fn term(&self, term: &Term) -> String;
    /// Likewise; values of opaque types are calls that make them.
    /// `strict`: functions in it say so where they are called with what they are not for.
    fn input(&self, input: &InputValue, strict: bool) -> String;
    /// The call of a unit, with its result applied.
    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String;
    /// How a module is named where nothing but its name stands.
    fn module(&self, module: Atom) -> String;
    /// How a function is named: with its module and arity.
    fn function(&self, name: Name) -> String;
    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String;
    /// The name of a term's type, where a term of the language carries it along.
    fn type_name(&self, term: &Term) -> Option<Atom>;
    /// An exception in one line. `shown`: as a shell shows it, if that is known.
    fn raised(&self, class: Atom, reason: &Term, shown: &str) -> String;
    /// What the judge of findings is called.
    fn runtime(&self) -> &'static str;
    /// What is behind an expression in a shell.
    fn end_of_input(&self) -> &'static str;
}

pub use term::FunctionName as Name;

/// A report that is written while there is news, or at the end: each call answers with what is to be written next.
pub trait Report {
    fn found(&mut self, name: Name, judged: &Judged) -> String;
    /// The function of that number: their order is the user's.
    fn tested(&mut self, number: usize, tested: &Tested) -> String;
    fn finish(&mut self, results: &Results) -> String;
}

/// Everything, when all is done.
#[derive(Default)]
pub struct Results {
    /// In the user's order.
    pub functions: Vec<Tested>,
    /// What could not be tested: messages.
    pub failures: Vec<String>,
    /// Of the modules that pages are made for.
    pub sources: HashMap<Atom, Source>,
    pub summary: Summary,
}

/// The source of a module.
#[derive(Serialize, Deserialize)]
pub struct Source {
    /// As its compiler knew it.
    pub file: String,
    /// As seen from the folder of the project.
    pub path: String,
    pub text: String,
}

impl Results {
    /// The functions by their modules, in the order of their first functions.
    pub(crate) fn modules(&self) -> Vec<(Atom, Vec<&Tested>)> {
        let mut numbers = HashMap::new();
        let mut modules: Vec<(Atom, Vec<&Tested>)> = Vec::new();
        for tested in &self.functions {
            let number = *numbers.entry(tested.name.module).or_insert(modules.len());
            match modules.get_mut(number) {
                Some((_, functions)) => functions.push(tested),
                None => modules.push((tested.name.module, vec![tested])),
            }
        }
        modules
    }
}

/// One function and what came of it.
#[derive(Serialize, Deserialize)]
pub struct Tested {
    pub name: Name,
    pub exploration: Exploration,
    /// The first runs, if somebody wants to look at them.
    pub tree: Tree,
    /// In the order in which they were found. The exploration's own list is not looked at: some of it may
    /// have been dropped.
    pub findings: Vec<Judged>,
    /// Findings that were dropped because the real runtime ended where we did not.
    pub slow: u64,
    pub has_specification: bool,
    pub seconds: f64,
    pub solver_seconds: f64,
    /// What the tiers of the solver did, in words.
    pub solving: Vec<String>,
}

/// A finding and what the real runtime said of it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Judged {
    pub finding: Finding,
    pub judgement: Judgement,
    /// The outcome as a shell of the language would show it.
    pub shown: String,
    /// Where the user's code went wrong.
    pub place: Option<Place>,
    /// Since the exploration began.
    pub seconds: f64,
    /// The user knows of it already: it is counted, and no failure any more.
    pub is_known: bool,
    /// How often the real runtime evaluated it.
    pub evaluations: usize,
    /// What it came to there, if it did not end.
    pub limit: Option<RuntimeLimit>,
}

/// A limit of an evaluation on the real runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuntimeLimit {
    /// With what was done in that time.
    Time {
        seconds: u64,
        reductions: u64,
    },
    Memory {
        megabytes: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Judgement {
    /// The real runtime did the same, each time.
    Confirmed,
    /// It did the same once, and something else another time: the function depends on more than its
    /// arguments.
    Varies {
        said: String,
    },
    /// It did something else: a defect of ours, unless the function depends on more than its arguments.
    Refuted {
        said: String,
    },
    NotAsked {
        why: String,
    },
    /// It did not end there either, which does not mean that it never would.
    Outlasted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Bugs,
    Exhausted,
    Bounded(u32),
    Budget,
    Incomplete,
}

impl Judged {
    /// As far as the real runtime says.
    pub fn is_true(&self) -> bool {
        !matches!(self.judgement, Judgement::Refuted { .. })
    }

    /// It is true and new.
    pub fn is_bug(&self) -> bool {
        self.is_true() && !self.is_known && !self.is_only_long()
    }

    /// It takes longer, or more memory, than it may; that it never ends is not known.
    pub fn is_only_long(&self) -> bool {
        self.finding.is_only_long() || self.judgement == Judgement::Outlasted
    }

    /// The real runtime contradicts, and nothing else explains it than a defect of ours.
    pub fn is_suspect(&self) -> bool {
        !self.is_true() && self.finding.depends_on.is_empty()
    }

    pub fn is_confirmed(&self) -> bool {
        matches!(self.judgement, Judgement::Confirmed | Judgement::Varies { .. })
    }

    pub(crate) fn level(&self) -> Level {
        match self.judgement {
            _ if self.is_known => Level::Note,
            Judgement::Confirmed | Judgement::Varies { .. } => Level::Error,
            Judgement::NotAsked { .. } | Judgement::Outlasted => Level::Warning,
            Judgement::Refuted { .. } => Level::Note,
        }
    }
}

/// How loudly programs are told of a finding: only what is confirmed and new is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
}

impl Tested {
    /// What stands between this and a complete exploration, and how often.
    pub(crate) fn losses(&self) -> impl Iterator<Item = (&Loss, u64)> {
        const SLOW: &Loss = &Loss::OnlySlowHere;
        let slow = (self.slow > 0).then_some((SLOW, self.slow));
        self.exploration.losses.iter().map(|(loss, count)| (loss, *count)).chain(slow)
    }

    pub fn bugs(&self) -> usize {
        self.findings.iter().filter(|judged| judged.is_bug()).count()
    }

    /// Findings that the user knows of already.
    pub fn known(&self) -> usize {
        self.findings.iter().filter(|judged| judged.is_known).count()
    }

    /// Findings that take longer than they may, and no more is known of them.
    pub fn long(&self) -> usize {
        self.findings.iter().filter(|judged| judged.is_only_long() && !judged.is_known).count()
    }

    pub fn suspects(&self) -> usize {
        self.findings.iter().filter(|judged| judged.is_suspect()).count()
    }

    /// Every path was taken, and what was seen there is true.
    pub fn is_exhaustive(&self) -> bool {
        self.exploration.is_exhaustive() && self.findings.iter().all(Judged::is_true) && self.slow == 0
    }

    /// There is nothing wrong on any path, known or not.
    pub fn is_faultless(&self) -> bool {
        self.verdict() == Verdict::Exhausted && self.known() == 0
    }

    pub fn verdict(&self) -> Verdict {
        if self.bugs() > 0 {
            Verdict::Bugs
        } else if self.is_exhaustive() {
            Verdict::Exhausted
        } else if let Some(bound) =
            self.exploration.decided_probes().filter(|_| self.findings.iter().all(|judged| judged.is_known))
        {
            Verdict::Bounded(bound)
        } else {
            match self.exploration.ended {
                Ended::Done => Verdict::Incomplete,
                Ended::OutOfRuns | Ended::OutOfTime | Ended::OutOfMemory => Verdict::Budget,
            }
        }
    }
}

/// All functions together.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub functions: usize,
    pub with_bugs: usize,
    pub bugs: usize,
    pub suspects: usize,
    /// Findings that take longer than they may.
    pub long: usize,
    /// Findings that the user knows of already, and exceptions that are meant.
    pub known: usize,
    pub expected: usize,
    pub exhausted: usize,
    /// Modules that could not be loaded.
    pub unreadable: usize,
    pub seconds: f64,
}

impl Summary {
    pub fn add(&mut self, tested: &Tested) {
        self.functions += 1;
        self.with_bugs += usize::from(tested.bugs() > 0);
        self.bugs += tested.bugs();
        self.suspects += tested.suspects();
        self.long += tested.long();
        self.known += tested.known();
        self.expected += tested.exploration.expected;
        self.exhausted += usize::from(tested.is_faultless());
    }
}

/// The finding below its title: what to paste, what happens then, and how sure that is.
pub(crate) fn account(printer: &dyn Printer, name: Name, judged: &Judged) -> String {
    let mut text = format!("{}{}\n", call(printer, name, &judged.finding), printer.end_of_input());
    if !judged.shown.is_empty() {
        text.push_str(&format!("{}\n", judged.shown.trim_end()));
    }
    for line in conversation::conversation(printer, name, &judged.finding) {
        text.push_str(&format!("{line}\n"));
    }
    let (_, certainty, more) = sentences::certainty(printer, judged);
    text.push_str(&format!("{certainty}{more}; found in run {}", judged.finding.runs));
    text
}

/// The inputs as expressions.
fn arguments(printer: &dyn Printer, finding: &Finding) -> Vec<String> {
    let strict = matches!(finding.failure, Failure::Blame(_));
    finding.inputs.iter().map(|input| printer.input(input, strict)).collect()
}

/// The expression that shows the finding.
pub fn call(printer: &dyn Printer, name: Name, finding: &Finding) -> String {
    let call = printer.call(name.module, name.function, &arguments(printer, finding));
    printer.applied(call, &finding.functions, matches!(finding.failure, Failure::Blame(_)))
}

/// One word for the kind of a failure, for programs that read it.
fn kind(failure: &Failure) -> &'static str {
    match failure {
        Failure::Crash(_) => "crash",
        Failure::Spec { .. } => "spec",
        Failure::Blame(_) => "blame",
        Failure::Timeout(_) => "timeout",
        Failure::Deadlock => "deadlock",
    }
}
