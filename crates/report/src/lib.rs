//! Writes the results of explorations for people and for programs: text with source snippets, JSON lines, JUnit XML,
//! SARIF, GitHub annotations, and HTML pages.
//!
//! This crate only makes strings. It knows no language (the caller passes a [`Printer`]), no file (sources are passed
//! as text), no terminal and no clock.

pub mod codes;
mod company;
mod conversation;
mod defect;
mod disagreement;
mod github;
mod html;
mod human;
mod jsonl;
mod junit;
mod losses;
mod processes;
pub mod rank;
mod reach;
mod sarif;
mod sentences;
mod snippet;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_modules;
#[cfg(test)]
mod tests_processes;
mod trace;
mod tree;
mod unknowns;
mod visible;
mod words;

pub use codes::Code;
pub use company::Announced;
pub use defect::{data, identity};
pub use disagreement::{Disagreement, Refused};
pub use github::Github;
pub use html::Html;
pub use human::{Detail, Human};
pub use jsonl::Lines;
pub use junit::Junit;
pub use losses::{concretised, stopped, surroundings};
pub use reach::{
    Arrival, Dead, Reach, ReachVerdict, dead_code_as_json, dead_code_as_text, no_module, no_module_of_file,
    reach_exit_code,
};
pub use sarif::Sarif;
pub use sentences::{interrupted, title};
pub use snippet::Place;
pub use trace::{Alternative, TraceWriter};
pub use tree::Tree;
pub use visible::{visible, visible_json, visible_with_colours};

use contract::TypeName;
use path::{InputValue, Scenario, Setup, Stranger, Witness};
use program::Type;
use rank::Category;
use search::{Exploration, Failure, Finding, Found, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// The printers of a campaign, one for each language.
pub trait Printers {
    /// Returns the printer for a module's language.
    fn of(&self, module: Atom) -> &dyn Printer;
}

/// The notation of the language under test.
pub trait Printer {
    /// Returns the term as an expression that can be pasted.
    fn term(&self, term: &Term) -> String;
    /// Returns an input as an expression that can be pasted. Values of opaque types are written as the calls that make
    /// them. If `strict`, functions in it raise an error when they are called with arguments outside their type.
    fn input(&self, input: &InputValue, strict: bool) -> String;
    /// Returns the call of a unit, followed by the applications of its result.
    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String;
    /// Returns the actions of a client, with a statement for each step.
    fn scenario(&self, scenario: &Scenario, functions: &Arc<Witness>) -> Vec<String>;
    /// Joins statements into one expression, in one line or in a line each.
    fn sequence(&self, statements: &[String], in_lines: bool) -> String;
    /// Writes a call over several lines if it is too long for one. If `shares`, the call contains no functions, and
    /// parts that occur more than once may be bound to variables.
    fn laid_out(&self, call: &str, shares: bool) -> String;
    /// Returns a term with the records that a module knows, in record syntax, which a shell need not accept. `None` if
    /// it has no records.
    fn with_records(&self, _module: Atom, _term: &Term) -> Option<String> {
        None
    }
    /// Returns the name of a module.
    fn module(&self, module: Atom) -> String;
    /// Returns the name of a function, with its module and arity.
    fn function(&self, name: FunctionName) -> String;
    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String;
    /// Returns the name of a term's type, if the term contains it.
    fn type_name(&self, term: &Term) -> Option<Atom>;
    /// Returns a declared type, as the source would write it.
    fn declared(&self, declared: &Type) -> String;
    /// Returns the name of a declared type, as the source of another module would write it.
    fn type_called(&self, name: TypeName) -> String;
    /// Returns an exception in one line. `shown` is the exception as a shell shows it, or empty.
    fn raised(&self, class: Atom, reason: &Term, shown: &str) -> String;
    /// Returns the name of the real runtime.
    fn runtime(&self) -> &'static str;
    /// Returns the text that ends an expression in a shell.
    fn end_of_input(&self) -> &'static str;
}

/// A report, written continuously or at the end. Each method returns the text to write next.
pub trait Report {
    fn found(&mut self, name: FunctionName, judged: &Judged) -> String;
    /// Called when a function is done. `number` is its index in the user's order.
    fn tested(&mut self, number: usize, tested: &Tested) -> String;
    fn finish(&mut self, results: &Results) -> String;
}

/// All results, available at the end.
#[derive(Default)]
pub struct Results {
    /// In the user's order.
    pub functions: Vec<Tested>,
    /// Messages about modules that could not be tested.
    pub failures: Vec<String>,
    /// Sources of the modules, for HTML pages.
    pub sources: HashMap<Atom, Source>,
    pub summary: Summary,
}

/// The source of a module.
#[derive(Serialize, Deserialize)]
pub struct Source {
    /// The file name as the compiler knew it.
    pub file: String,
    /// The path relative to the project folder.
    pub path: String,
    pub text: String,
}

impl Results {
    /// Returns the number of findings that make a command fail if it fails for these categories.
    pub fn failing(&self, fail_on: &[Category]) -> usize {
        let findings = self.functions.iter().flat_map(|tested| &tested.exploration.findings);
        findings.filter(|judged| judged.fails(fail_on)).count()
    }

    /// Returns the functions grouped by module, in the order of each module's first function.
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

/// The result for one function.
#[derive(Clone, Serialize, Deserialize)]
pub struct Tested {
    pub name: FunctionName,
    /// The exploration. Its findings are those of all turns and earlier commands, without those that end on the real
    /// runtime.
    pub exploration: Exploration<Judged>,
    /// The first runs, if they are recorded.
    pub tree: Tree,
    pub has_specification: bool,
    /// The behaviour whose callback serves as the specification, if the function has none of its own.
    pub behaviour: Option<Atom>,
    pub seconds: f64,
    /// Time in all tiers of the solver together.
    pub solver_seconds: f64,
    /// The part of it that was spent waiting for the SMT solver's process.
    pub smt_seconds: f64,
    /// The limit that ended the exploration, if it ran out of time.
    pub time_limit: TimeLimit,
    /// A description of the work of the solver's tiers, in lines of text.
    pub solving: Vec<String>,
    /// The setups that were made before each run because the function needs them.
    #[serde(default)]
    pub started: Vec<Setup>,
    /// Applications that the function needs and that cannot be started here, with the reason.
    #[serde(default)]
    pub not_started: BTreeMap<String, String>,
    pub on_runtime: OnRuntime,
}

/// The runs that the real runtime made in addition to our machine, or in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnRuntime {
    /// Runs that used results of the real runtime for operations that our machine cannot do.
    pub rebuilt: u64,
    /// Long runs of which only the end mattered.
    #[serde(default)]
    pub long: u64,
    /// Runs in which both executors chose the same clauses and ended in the same way, runs that cannot be compared, and
    /// runs that differ, which is a defect of Beagle.
    pub same: u64,
    pub excused: u64,
    pub differing: u64,
    /// The reasons why runs cannot be compared, in words, with the number of runs.
    #[serde(default)]
    pub excuses: BTreeMap<String, u64>,
}

/// A limit on the time of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeLimit {
    /// The limit of the function.
    #[default]
    Own,
    /// The limit of all functions together.
    Total,
    /// The limit of all functions together, which was reached before this function was begun.
    NotBegun,
}

/// A finding, and what the real runtime said about it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Judged {
    pub finding: Finding,
    pub judgement: Judgement,
    /// The outcome as a shell of the language would show it.
    pub shown: String,
    /// The place of the failure in the user's code.
    pub place: Option<Place>,
    /// Time since the exploration began.
    pub seconds: f64,
    /// Whether it is in the baseline. Known findings are counted and are not failures.
    pub is_known: bool,
    /// The number of times that the real runtime evaluated it.
    pub evaluations: usize,
    /// The limit that it hit on the real runtime, if it did not end there.
    pub limit: Option<RuntimeLimit>,
    /// The facts that the ranking uses.
    pub signals: rank::Signals,
    /// The part of it that disagrees with the specification.
    pub disagreement: Disagreement,
    /// The behaviour whose callback the outcome was compared with, if the function has no specification of its own.
    pub behaviour: Option<Atom>,
    /// The setups that were made before it because the function needs them.
    #[serde(default)]
    pub started: Vec<Setup>,
}

/// A limit of an evaluation on the real runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuntimeLimit {
    /// The time limit, and the reductions made until then.
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
    /// The real runtime did the same in all evaluations.
    Confirmed,
    /// It did the same in one evaluation and something else in another: the function depends on more than its
    /// arguments.
    Varies {
        said: String,
    },
    /// It did something else, which is a defect of Beagle unless the function depends on more than its arguments.
    Refuted {
        said: String,
    },
    NotAsked {
        why: String,
    },
    /// It also exceeded a limit there, but there is no proof that it never ends.
    Outlasted,
}

impl Judged {
    /// Returns whether the real runtime does not contradict it.
    pub fn is_true(&self) -> bool {
        !matches!(self.judgement, Judgement::Refuted { .. })
    }

    /// Returns whether it counts as a bug: true, new, and not only slow.
    pub fn is_bug(&self) -> bool {
        self.is_true() && !self.is_known && !self.is_only_long()
    }

    /// Returns whether it only exceeds the limits of a run, without a proof that it never ends.
    pub fn is_only_long(&self) -> bool {
        self.finding.is_only_long() || self.judgement == Judgement::Outlasted
    }

    /// Returns whether the real runtime contradicts it, and only a defect of Beagle can explain that.
    pub fn is_suspect(&self) -> bool {
        !self.is_true() && self.finding.depends_on.is_empty() && !self.finding.compares_functions
    }

    /// Returns its rank among other findings.
    pub fn ranking(&self) -> rank::Ranking {
        rank::rank(&self.signals)
    }

    pub fn is_confirmed(&self) -> bool {
        matches!(self.judgement, Judgement::Confirmed | Judgement::Varies { .. })
    }

    /// Returns how certain the finding is.
    pub(crate) fn certainty(&self) -> Level {
        match self.judgement {
            _ if self.is_known => Level::Note,
            Judgement::Confirmed | Judgement::Varies { .. } => Level::Error,
            Judgement::NotAsked { .. } | Judgement::Outlasted => Level::Warning,
            Judgement::Refuted { .. } => Level::Note,
        }
    }

    /// Returns the lesser of how certain the finding is and how probably a maintainer wants to fix it.
    pub(crate) fn level(&self) -> Level {
        let by_category = match self.ranking().category {
            Category::Likely => Level::Error,
            Category::Specification => Level::Warning,
            Category::Unlikely | Category::Deliberate | Category::Environment => Level::Note,
        };
        self.certainty().max(by_category)
    }

    /// Returns whether a command fails because of it, if the command fails for these categories.
    pub fn fails(&self, fail_on: &[Category]) -> bool {
        self.is_bug() && fail_on.contains(&self.ranking().category)
    }
}

/// The severity of a finding for programs. Only a confirmed and new finding that is a likely bug is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
}

impl Tested {
    pub fn bugs(&self) -> usize {
        self.exploration.findings.iter().filter(|judged| judged.is_bug()).count()
    }

    /// Returns the number of findings that are in the baseline.
    pub fn known(&self) -> usize {
        self.exploration.findings.iter().filter(|judged| judged.is_known).count()
    }

    /// Returns the number of new findings that only exceed the limits of a run.
    pub fn long(&self) -> usize {
        self.exploration.findings.iter().filter(|judged| judged.is_only_long() && !judged.is_known).count()
    }

    pub fn suspects(&self) -> usize {
        self.exploration.findings.iter().filter(|judged| judged.is_suspect()).count()
    }

    /// Returns whether all paths are explored and the real runtime contradicts no finding.
    pub fn is_exhaustive(&self) -> bool {
        self.exploration.is_exhaustive() && !self.is_contradicted()
    }

    /// Returns the number of branch sides that no input takes: those that are proved unreachable, and once all paths
    /// are explored, all that are not covered.
    pub fn unreachable(&self) -> usize {
        let Exploration { branches, covered, unreachable, .. } = self.exploration;
        if self.is_exhaustive() { branches.saturating_sub(covered) } else { unreachable }
    }

    fn is_contradicted(&self) -> bool {
        !self.exploration.findings.iter().all(Judged::is_true)
    }

    /// Returns whether all paths are explored without any bug, known or new.
    pub fn is_faultless(&self) -> bool {
        self.verdict() == Verdict::Exhausted && self.known() == 0
    }

    pub fn verdict(&self) -> Verdict {
        self.exploration.verdict_given(if self.bugs() > 0 {
            Found::Bugs
        } else if self.is_contradicted() {
            Found::Contradictions
        } else {
            Found::NoBugs
        })
    }
}

/// The figures of all functions together.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub functions: usize,
    /// Number of these for which no time was left.
    pub not_begun: usize,
    pub with_bugs: usize,
    pub bugs: usize,
    pub suspects: usize,
    /// Number of findings that only exceed the limits of a run.
    pub long: usize,
    /// Number of findings in the baseline, and of expected exceptions.
    pub known: usize,
    pub expected: usize,
    pub exhausted: usize,
    /// Modules that could not be loaded.
    pub unreadable: usize,
    /// Functions that were not tested because the user ended the command; `None` if the user did not.
    pub untested: Option<usize>,
    pub seconds: f64,
}

impl Summary {
    pub fn add(&mut self, tested: &Tested) {
        self.functions += 1;
        self.not_begun += usize::from(tested.time_limit == TimeLimit::NotBegun);
        self.with_bugs += usize::from(tested.bugs() > 0);
        self.bugs += tested.bugs();
        self.suspects += tested.suspects();
        self.long += tested.long();
        self.known += tested.known();
        self.expected += tested.exploration.expected;
        self.exhausted += usize::from(tested.is_faultless());
    }
}

/// Returns the finding without its title: the call to paste, its outcome, and how certain that is.
pub(crate) fn account(printer: &dyn Printer, name: FunctionName, judged: &Judged) -> String {
    let mut text = format!("{}\n", example(printer, name, judged));
    if !judged.shown.is_empty() {
        text.push_str(&format!("{}\n", judged.shown.trim_end()));
    }
    for line in course(printer, name, &judged.finding) {
        text.push_str(&format!("{line}\n"));
    }
    let (_, certainty, more) = sentences::certainty(printer, judged);
    text.push_str(&format!("{certainty}{more}; found in run {}", judged.finding.runs));
    if judged.is_bug() {
        text.push_str(&format!("\n{}", sentences::category(judged)));
    }
    text
}

/// Describes the events up to the failure, line by line: the questions to function inputs, and which process waits for
/// which.
fn course(printer: &dyn Printer, name: FunctionName, finding: &Finding) -> Vec<String> {
    let mut lines = conversation::conversation(printer, name, finding);
    lines.extend(processes::waiting(printer, name, finding));
    lines
}

/// The inputs as expressions.
pub struct Arguments {
    /// The statements before the call.
    pub before: Vec<String>,
    pub args: Vec<String>,
}

/// Writes inputs. A process that occurs more than once gets a variable.
pub fn arguments(printer: &dyn Printer, inputs: &[InputValue], strict: bool) -> Arguments {
    let (args, registered): (Vec<&InputValue>, Vec<_>) = inputs.iter().partition(|input| input.is_argument());
    let mut args: Vec<InputValue> = args.into_iter().cloned().collect();
    let mut before: Vec<String> = registered.into_iter().map(|input| printer.input(input, strict)).collect();
    if let Some(process) = InputValue::share_process(&mut args) {
        let [variable, process] = [Stranger::Same, process].map(|it| printer.input(&InputValue::Process(it), strict));
        before.push(format!("{variable} = {process}"));
    }
    Arguments { before, args: args.iter().map(|input| printer.input(input, strict)).collect() }
}

/// Returns a call with these inputs, as an expression.
pub fn call_with(printer: &dyn Printer, name: FunctionName, inputs: &[InputValue]) -> String {
    let Arguments { mut before, args } = arguments(printer, inputs, false);
    before.push(printer.call(name.module, name.function, &args));
    printer.sequence(&before, false)
}

fn arguments_of(printer: &dyn Printer, finding: &Finding) -> Arguments {
    arguments(printer, &finding.inputs, matches!(finding.failure, Failure::Blame(_)))
}

/// Returns the steps of a client that show the finding, if the unit is a client.
pub fn steps(printer: &dyn Printer, finding: &Finding) -> Option<Vec<String>> {
    let scenario = finding.functions.scenario.as_ref()?;
    Some(printer.scenario(scenario, &finding.functions))
}

/// Returns the expression that shows the finding.
pub fn call(printer: &dyn Printer, name: FunctionName, finding: &Finding) -> String {
    if let Some(steps) = steps(printer, finding) {
        return printer.sequence(&steps, false);
    }
    let Arguments { mut before, args } = arguments_of(printer, finding);
    let call = printer.call(name.module, name.function, &args);
    before.push(printer.applied(call, &finding.functions, matches!(finding.failure, Failure::Blame(_))));
    printer.sequence(&before, false)
}

/// Returns the same expression, over several lines if it is too long for one. The real runtime evaluates this text.
pub fn laid_out(printer: &dyn Printer, name: FunctionName, finding: &Finding) -> String {
    if let Some(steps) = steps(printer, finding) {
        return printer.sequence(&steps, true);
    }
    let Arguments { mut before, args } = arguments_of(printer, finding);
    if !before.is_empty() {
        before.push(printer.call(name.module, name.function, &args));
        return printer.sequence(&before, true);
    }
    let call = call(printer, name, finding);
    let leaves = finding.inputs.iter().flat_map(|input| input.leaves());
    let has_functions = leaves.into_iter().any(|leaf| leaf.functions.is_some());
    let has_strangers = finding.inputs.iter().any(|input| !input.strangers().is_empty());
    printer.laid_out(&call, !has_functions && !has_strangers && finding.functions.applications.is_empty())
}

/// Returns a setup as the source writes it.
pub fn setup_call(printer: &dyn Printer, setup: &Setup) -> String {
    let args: Vec<String> = setup.args.iter().map(|arg| printer.term(&Term::Atom(*arg))).collect();
    printer.call(setup.module, setup.function, &args)
}

/// Returns the call for people to read and paste, after the setups that were made for it. Comments show the records in
/// its arguments.
pub(crate) fn example(printer: &dyn Printer, name: FunctionName, judged: &Judged) -> String {
    let (finding, end) = (&judged.finding, printer.end_of_input());
    let mut text: String =
        judged.started.iter().map(|setup| format!("{}{end}\n", setup_call(printer, setup))).collect();
    text.push_str(&format!("{}{end}", laid_out(printer, name, finding)));
    for (index, input) in finding.inputs.iter().enumerate() {
        if let Some(value) = input.as_data()
            && let Some(records) = printer.with_records(name.module, &value.data)
        {
            text.push_str(&format!("\n% argument {} is {}", index + 1, words::shortened(&records, RECORDS)));
        }
    }
    text
}

/// The number of characters that are shown of an argument with records.
const RECORDS: usize = 300;

/// Returns the kind of a failure as one word, for programs.
fn kind(failure: &Failure) -> &'static str {
    match failure {
        Failure::Crash(_) => "crash",
        Failure::Spec { .. } => "spec",
        Failure::Blame(_) => "blame",
        Failure::Timeout(_) => "timeout",
        Failure::Deadlock(_) => "deadlock",
    }
}
