//! Explores a function: runs it, changes one decision of a path at a time, and collects the failures.
//!
//! This crate knows no language, no file and no clock. It asks a [`Host`] for the time, and reports progress to it.

#![warn(clippy::disallowed_macros)]

mod contrast;
mod coverage;
mod explore;
mod goal;
mod heads;
mod judge;
mod loss;
mod minimise;
mod missing;
mod observed;
mod plain;
mod queue;
mod random;
mod records;
mod repeat;
mod runner;
mod scenario;
mod shrink;
mod simplify;
mod size;
mod strategy;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_limits;
#[cfg(test)]
mod tests_observed;
mod trie;

pub use contrast::{ArgumentKind, RefusedKind};
pub use observed::{BranchSite, BranchWay, Decided, End, Ran, VariableIs, Where};

pub use goal::{Goal, Reached};
pub use heads::{MOST_HEADS, ResultHead};
pub use loss::Loss;
pub use missing::{Missing, Obstacle};

use contract::Contract;
pub use formula::Samples;
use formula::{Formulas, TermId, Variable};
pub use judge::Shape;
use path::{Alarm, Executor, InputValue, Question, Raised, Said, Surrounding, Waiting, Witness};
pub use random::explore_at_random;
use serde::{Deserialize, Serialize};
use solver::Solver;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
pub use strategy::Strategy;
use term::work::Watcher;
use term::{Atom, FunctionName, Term};

pub struct Unit {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    pub contract: Contract,
    /// The user's modules. Decisions in them take precedence over those in libraries.
    pub user_modules: Vec<Atom>,
    pub expected: Expected,
}

impl Unit {
    pub fn name(&self) -> FunctionName {
        FunctionName { module: self.module, function: self.function, arity: self.arity }
    }
}

/// The exceptions that the unit is expected to raise. They are not failures.
#[derive(Clone, Default)]
pub struct Expected(Option<Arc<IsExpected>>);

type IsExpected = dyn Fn(&Raised) -> bool + Send + Sync;

impl Expected {
    pub fn new(is_expected: impl Fn(&Raised) -> bool + Send + Sync + 'static) -> Expected {
        Expected(Some(Arc::new(is_expected)))
    }

    fn covers(&self, raised: &Raised) -> bool {
        self.0.as_ref().is_some_and(|is_expected| is_expected(raised))
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub strategy: Strategy,
    pub max_runs: u64,
    /// Step limit of the first attempt at a run. A run that exceeds it is tried again with twice as many steps, up to
    /// `most_steps`.
    pub steps: u64,
    pub most_steps: u64,
    /// Largest number of parts of a list, tuple, map or binary (in bytes) in an input.
    pub size_bound: Option<usize>,
    /// Inputs to start with, before the smallest ones.
    pub seeds: Vec<Vec<Term>>,
    /// Seed for arbitrary choices, such as the order of candidates of the same cost. With 0, the oldest comes first.
    pub seed: u64,
    /// Memory limit for the records of runs, in bytes.
    pub memory: usize,
    /// Samples of functions without a formula, shared by all units of a campaign.
    pub samples: Samples,
    /// The goal of the search, if it has one. The search ends there, and looks for no failures.
    pub goal: Option<Goal>,
}

/// Number of refutations that are always checked by the second solver, however little time is left.
pub const LEAST_RECHECKED: u64 = 4;

/// The environment of a search: time, memory, and the receiver of its results.
pub trait Host {
    fn out_of_time(&mut self) -> bool;
    /// Returns the time that is left for the solver, if it is limited.
    fn time_left(&mut self) -> Option<Duration> {
        None
    }
    /// Returns an alarm that ends a run when the time is over.
    fn alarm(&mut self) -> Option<Alarm> {
        None
    }
    /// Returns whether the search may ask the second solver about one more refutation, after `asked` ones. The search
    /// asks before it claims that all paths are explored.
    fn may_recheck(&mut self, asked: u64) -> bool {
        asked < LEAST_RECHECKED
    }
    /// Returns whether the memory of the command is used up.
    fn out_of_memory(&mut self) -> bool {
        false
    }
    /// Returns a watcher that interrupts any long-running work, because a single step of the search may exceed its time
    /// or memory before it asks the host again.
    fn watcher(&mut self) -> Option<Watcher> {
        None
    }
    fn progress(&mut self, progress: &Progress);
    /// Receives a new failure with its reduced input. Called once for each failure.
    fn found(&mut self, finding: &Finding);
    /// Receives arguments that reached something new. A later search that starts with them soon catches up.
    fn opened(&mut self, _args: &[Term]) {}
    /// Returns what is known about each of these branch sides, which no run took. Called when there is no progress.
    fn settle(&mut self, _sides: &[MissingSide]) -> Vec<Settled> {
        Vec::new()
    }
    /// Returns what an exception says is missing because nothing was started or configured.
    fn missing(&mut self, _: &Raised) -> Option<Missing> {
        None
    }
    /// Returns the name that an exception says is not registered, if nothing in the program registers it.
    fn unregistered(&mut self, _: &Raised) -> Option<Atom> {
        None
    }
    /// Returns the function of the program that creates what is missing.
    fn creator(&mut self, _: &Missing) -> Option<FunctionName> {
        None
    }
    /// Returns the application that creates what is missing when it is started, unless the runs start with it.
    fn application(&mut self, _: &Missing, _creator: Option<FunctionName>) -> Option<String> {
        None
    }
    /// Returns a structure of the same kind as the term whose parts all have their default values, if the language
    /// knows such structures. Findings are made as similar to these as possible.
    fn untouched(&mut self, _: &Term) -> Option<Term> {
        None
    }
    /// Returns the number of runs to report to [`Host::ran`]. If it is 0, neither runs nor branches are recorded.
    fn wanted_runs(&mut self) -> u64 {
        0
    }
    /// Receives a run.
    fn ran(&mut self, _: Ran) {}
    /// Returns a condition in the notation of the language, for people.
    fn in_words(&mut self, _: &Formulas, _: TermId, _: &dyn Fn(Variable) -> VariableIs) -> String {
        String::new()
    }
}

/// A side of a branch that no run took.
#[derive(Clone, Debug)]
pub struct MissingSide {
    pub question: Question,
    pub way: u32,
}

/// The knowledge about a side that no run took.
#[derive(Clone, Debug)]
pub enum Settled {
    /// A side that is proved to be taken by no arguments of the declared types.
    Unreachable,
    /// Arguments that may take it.
    Proposed(Vec<Vec<Term>>),
    Open,
}

#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub runs: u64,
    pub queries: u64,
    pub findings: usize,
    pub open: usize,
    pub covered: usize,
    pub branches: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    pub inputs: Vec<InputValue>,
    /// The functions in the inputs, and how a result that is a function is applied.
    pub functions: Arc<Witness>,
    /// The conversation between the unit and its function inputs.
    pub said: Vec<Said>,
    pub failure: Failure,
    /// Number of the run that found it.
    pub runs: u64,
    /// The surroundings that it depends on in addition to its inputs.
    pub depends_on: Vec<Surrounding>,
    /// A kind of argument that is declared and that the call does not take.
    #[serde(default)]
    pub refused: Option<RefusedKind>,
    /// The function that made an argument which is not of its declared type.
    #[serde(default)]
    pub made_wrong: Option<FunctionName>,
    /// Whether the unit compares function inputs, in this run or another one. Functions that are printed alike may be equal on
    /// the real runtime only.
    #[serde(default)]
    pub compares_functions: bool,
}

impl Finding {
    /// Whether the run hit a limit and there is no proof that it never ends.
    pub fn is_only_long(&self) -> bool {
        matches!(&self.failure, Failure::Timeout(Unended { endless: None, .. }))
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Failure {
    Crash(Raised),
    /// The result violates the specification.
    Spec {
        result: Term,
        /// The function whose result it is, if the unit is a client.
        #[serde(default)]
        function: Option<FunctionName>,
    },
    /// The unit violated the type of a function that it was given or that it passed out.
    Blame(Blame),
    /// The unit did not end within its limits.
    Timeout(Unended),
    /// The unit waits for a message that no process can send: who waits, and where.
    Deadlock(Vec<Waiting>),
}

/// A run that hit a limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unended {
    /// The proof that it never ends, if there is one.
    pub endless: Option<Endless>,
    pub limit: CutAt,
}

/// The limit that a run hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CutAt {
    /// Number of calls, and of other work of comparable size.
    Calls(u64),
    /// Bytes.
    Memory(u64),
}

/// The reason why a run never ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Endless {
    pub proof: Proof,
    /// The function that the loop returns to.
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    /// Number of calls in one round of the loop.
    pub period: u64,
    /// Number of calls until the proof was found.
    pub calls: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// The same state comes back.
    SameState,
    /// A call is made again, in the same state, before it has returned.
    SameCallInside,
    /// The changes in each round never leave the loop.
    Recurrence,
}

impl Unended {
    pub fn after_calls(calls: u64) -> Unended {
        Unended { endless: None, limit: CutAt::Calls(calls) }
    }
}

/// The way in which the unit violated the type of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Blame {
    /// It called a function input with arguments outside the declared type.
    Domain(Vec<Term>),
    /// It called a function input with a wrong number of arguments.
    Arity(Vec<Term>),
    /// A function that it passed out returned this value, which is outside the declared type.
    Range(Term),
}

/// The result of an exploration. The judge of the findings replaces each by a type of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exploration<F = Finding> {
    /// Findings in the order in which they were found.
    pub findings: Vec<F>,
    pub runs: u64,
    /// Number of runs that returned a correct result, and of runs that ended with an unexpected exception.
    #[serde(default)]
    pub returned: u64,
    #[serde(default)]
    pub raised: u64,
    /// The outermost parts of the results, at most [`MOST_HEADS`].
    #[serde(default)]
    pub heads: Vec<ResultHead>,
    /// The kinds of arguments with which runs returned.
    #[serde(default)]
    pub taken: Vec<ArgumentKind>,
    pub queries: u64,
    /// Number of alternatives decided by screening, without a query to a tier.
    pub native: u64,
    pub unsat: u64,
    /// Number of sides of the branches that were reached in the user's code, and how many of them are covered.
    pub branches: usize,
    pub covered: usize,
    /// Number of the other sides that are proved unreachable one by one, from this unit with arguments of its declared
    /// types. Once all paths are explored, all others are unreachable, too.
    #[serde(default)]
    pub unreachable: usize,
    pub unknown: u64,
    pub diverged: u64,
    /// The reasons why the exploration is incomplete, with the number of occurrences.
    pub losses: BTreeMap<Loss, u64>,
    /// Functions that are not supported or denied.
    pub unsupported: BTreeMap<FunctionName, u64>,
    /// Number of runs with inputs that the unit is not meant for: no clause of a unit without a specification fits
    /// them, or they name a module that was made up.
    pub edges: u64,
    /// Whether the unit started processes. They were followed in one order only.
    #[serde(default)]
    pub has_processes: bool,
    /// Number of runs that returned and left messages in the mailbox of the calling process.
    #[serde(default)]
    pub leaves_messages: u64,
    /// Number of runs that reported errors to the logger.
    #[serde(default)]
    pub runs_with_reports: u64,
    /// Number of those reports.
    #[serde(default)]
    pub error_reports: u64,
    /// Number of expected exceptions. Those that would have been one finding are counted once.
    pub expected: usize,
    /// Number of runs that were repeated because their record had been dropped.
    pub replays: u64,
    /// Whether the unit passed functions to its inputs, which could then always make one more call.
    pub handed: bool,
    /// Largest number of probes of function inputs up to which nothing is left to try.
    pub bound: Option<u32>,
    /// The branches of the user's code, if the host asked for them.
    pub sites: Vec<BranchSite>,
    /// Number of seeds that were not run because the declared types do not allow them.
    pub rejected_seeds: u64,
    /// Whether it was interrupted during work, so that the machine and the solver may be in any state.
    #[serde(skip)]
    pub broken_off: bool,
    pub ended: Ended,
    pub rechecked: Rechecked,
    /// The smallest inputs that reach the goal of the search, if it has one.
    #[serde(skip)]
    pub reached: Option<Reached>,
}

/// Number of queries that the SMT solver refuted, and what a second solver said about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rechecked {
    /// Number of different queries that were refuted.
    pub refutations: u64,
    pub asked: u64,
    /// Number of checked refutations that the second solver confirmed. The others are undecided; a disagreement is a
    /// loss.
    pub agreed: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// No candidate is left.
    #[default]
    Done,
    /// Candidates are left, but all runs ended at the same obstacle ([`Loss::AllEndAt`]).
    Stuck,
    OutOfRuns,
    OutOfTime,
    /// The functions under test together exceeded the memory limit of the command.
    OutOfMemory,
    /// The user ended the whole command.
    Interrupted,
}

/// The meaning of the findings of an exploration for its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// At least one finding is a bug.
    Bugs,
    /// None is a bug, and at least one does not happen on the real runtime: what was explored differs from what happens
    /// there.
    Contradictions,
    /// None is a bug.
    NoBugs,
}

/// The result of an exploration in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Bugs,
    Exhausted,
    /// All paths are explored with function inputs that make at most this many probes.
    Bounded(u32),
    Budget,
    Incomplete,
}

impl Exploration {
    /// Returns the verdict if every failure is a bug. Inputs that only take long are not bugs.
    pub fn verdict(&self) -> Verdict {
        let has_bugs = self.findings.iter().any(|finding| !finding.is_only_long());
        self.verdict_given(if has_bugs { Found::Bugs } else { Found::NoBugs })
    }
}

impl<F> Exploration<F> {
    pub fn is_exhaustive(&self) -> bool {
        self.ended == Ended::Done && self.is_decided()
    }

    /// Returns the number of probes up to which all paths are explored.
    pub fn decided_probes(&self) -> Option<u32> {
        self.bound.filter(|_| self.is_decided() && self.handed)
    }

    /// Returns whether nothing that the exploration tried was lost or left open.
    fn is_decided(&self) -> bool {
        self.unknown == 0 && self.diverged == 0 && self.losses.is_empty()
    }

    pub fn verdict_given(&self, found: Found) -> Verdict {
        match (found, self.decided_probes(), self.ended) {
            (Found::Bugs, ..) => Verdict::Bugs,
            (Found::NoBugs, ..) if self.is_exhaustive() => Verdict::Exhausted,
            (Found::NoBugs, Some(bound), _) => Verdict::Bounded(bound),
            (Found::NoBugs | Found::Contradictions, _, Ended::Done | Ended::Stuck) => Verdict::Incomplete,
            (
                Found::NoBugs | Found::Contradictions,
                _,
                Ended::OutOfRuns | Ended::OutOfTime | Ended::OutOfMemory | Ended::Interrupted,
            ) => Verdict::Budget,
        }
    }

    /// Returns the same exploration with other findings.
    pub fn with_findings<G>(self, findings: Vec<G>) -> Exploration<G> {
        let Exploration {
            findings: _,
            runs,
            returned,
            raised,
            heads,
            taken,
            queries,
            native,
            unsat,
            branches,
            covered,
            unreachable,
            unknown,
            diverged,
            losses,
            unsupported,
            edges,
            has_processes,
            leaves_messages,
            runs_with_reports,
            error_reports,
            expected,
            replays,
            handed,
            bound,
            sites,
            rejected_seeds,
            broken_off,
            ended,
            rechecked,
            reached,
        } = self;
        Exploration {
            findings,
            runs,
            returned,
            raised,
            heads,
            taken,
            queries,
            native,
            unsat,
            branches,
            covered,
            unreachable,
            unknown,
            diverged,
            losses,
            unsupported,
            edges,
            has_processes,
            leaves_messages,
            runs_with_reports,
            error_reports,
            expected,
            replays,
            handed,
            bound,
            sites,
            rejected_seeds,
            broken_off,
            ended,
            rechecked,
            reached,
        }
    }
}

impl<F> Default for Exploration<F> {
    fn default() -> Exploration<F> {
        Exploration {
            findings: Vec::new(),
            runs: 0,
            returned: 0,
            raised: 0,
            heads: Vec::new(),
            taken: Vec::new(),
            queries: 0,
            native: 0,
            unsat: 0,
            branches: 0,
            covered: 0,
            unreachable: 0,
            unknown: 0,
            diverged: 0,
            losses: BTreeMap::new(),
            unsupported: BTreeMap::new(),
            edges: 0,
            has_processes: false,
            leaves_messages: 0,
            runs_with_reports: 0,
            error_reports: 0,
            expected: 0,
            replays: 0,
            handed: false,
            bound: None,
            sites: Vec::new(),
            rejected_seeds: 0,
            broken_off: false,
            ended: Ended::default(),
            rechecked: Rechecked::default(),
            reached: None,
        }
    }
}

/// Returns whether two findings are the same failure on different inputs.
pub fn is_same_failure(unit: &Unit, a: &Finding, b: &Finding) -> bool {
    judge::Key::of(&a.failure, unit, &[]) == judge::Key::of(&b.failure, unit, &[])
}

pub fn explore(
    executor: &mut dyn Executor,
    unit: &Unit,
    solver: &mut dyn Solver,
    settings: &Settings,
    host: &mut dyn Host,
) -> Exploration {
    explore::Explorer::new(executor, unit, solver, settings, host).explore()
}
