//! What explorations came to, for people and for programs: text with source snippets, and JSON lines.
//!
//! Knows no language (who calls it hands in a [`Printer`]), no file (source comes as text), no terminal
//! and no clock: it makes strings.

pub mod codes;
mod conversation;
mod human;
mod jsonl;
mod snippet;
mod words;

pub use codes::Code;
pub use human::{Detail, Human};
pub use jsonl::Lines;
pub use snippet::Place;

use interaction::Witness;
use search::{Ended, Exploration, Failure, Finding, InputValue};
use term::{Atom, Term};

/// The notation of the language under test.
pub trait Printer {
    /// An expression that can be pasted.
    fn term(&self, term: &Term) -> String;
    /// Likewise; values of opaque types are calls that make them.
    /// `strict`: functions in it say so where they are called with what they are not for.
    fn input(&self, input: &InputValue, strict: bool) -> String;
    /// The call of a unit, with its result applied.
    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String;
    /// How a function is named: with its module and arity.
    fn function(&self, name: Name) -> String;
    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String;
    /// What the judge of findings is called.
    fn runtime(&self) -> &'static str;
    /// What is behind an expression in a shell.
    fn end_of_input(&self) -> &'static str;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
}

/// One function and what came of it.
pub struct Tested {
    pub name: Name,
    pub exploration: Exploration,
    /// In the order in which they were found. The exploration's own list is not looked at: some of it may
    /// have been dropped.
    pub findings: Vec<Judged>,
    /// Findings that were dropped because the real runtime ended where we did not: words, and how often.
    pub dropped: Vec<(String, u64)>,
    /// Findings that the user knows of already: counted, and not among the others.
    pub known: usize,
    pub has_specification: bool,
    pub seconds: f64,
    pub solver_seconds: f64,
    /// What the tiers of the solver did, in words.
    pub solving: Vec<String>,
}

/// A finding and what the real runtime said of it.
#[derive(Clone)]
pub struct Judged {
    pub finding: Finding,
    pub judgement: Judgement,
    /// The outcome as a shell of the language would show it.
    pub shown: String,
    /// Where the user's code went wrong.
    pub place: Option<Place>,
    /// Since the exploration began.
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq)]
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
    pub fn is_bug(&self) -> bool {
        !matches!(self.judgement, Judgement::Refuted { .. })
    }

    /// The real runtime contradicts, and nothing else explains it than a defect of ours.
    pub fn is_suspect(&self) -> bool {
        !self.is_bug() && self.finding.depends_on.is_empty()
    }

    pub fn is_confirmed(&self) -> bool {
        matches!(self.judgement, Judgement::Confirmed | Judgement::Varies { .. })
    }
}

impl Tested {
    pub fn bugs(&self) -> usize {
        self.findings.iter().filter(|judged| judged.is_bug()).count()
    }

    pub fn suspects(&self) -> usize {
        self.findings.iter().filter(|judged| judged.is_suspect()).count()
    }

    /// Every path was taken, and what was seen there is true.
    pub fn is_exhaustive(&self) -> bool {
        self.exploration.is_exhaustive() && self.bugs() == self.findings.len() && self.dropped.is_empty()
    }

    pub fn verdict(&self) -> Verdict {
        if self.bugs() > 0 {
            Verdict::Bugs
        } else if self.is_exhaustive() {
            Verdict::Exhausted
        } else if let Some(bound) = self.exploration.decided_probes().filter(|_| self.findings.is_empty()) {
            Verdict::Bounded(bound)
        } else {
            match self.exploration.ended {
                Ended::Done => Verdict::Incomplete,
                Ended::OutOfRuns | Ended::OutOfTime => Verdict::Budget,
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
        self.known += tested.known;
        self.expected += tested.exploration.expected;
        self.exhausted += usize::from(tested.verdict() == Verdict::Exhausted);
    }
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
        Failure::Timeout => "timeout",
        Failure::Deadlock => "deadlock",
    }
}
