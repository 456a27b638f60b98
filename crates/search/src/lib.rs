//! Explores a function: runs it, takes one decision otherwise at a time, and keeps what went wrong. Knows
//! no language, no file, no clock.

#![warn(clippy::disallowed_macros)]

mod coverage;
mod explore;
mod judge;
mod loss;
mod minimise;
mod queue;
mod records;
mod runner;
mod shrink;
mod simplify;
mod size;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_limits;
#[cfg(test)]
mod tests_told;
mod told;
mod trie;

pub use told::{BranchSite, BranchWay, Decided, End, Ran, VariableIs, Where};

pub use loss::Loss;

use contract::Contract;
pub use formula::Samples;
use formula::{Formulas, TermId, Variable};
pub use judge::Shape;
use path::{Alarm, Executor, InputValue, Raised, Said, Surrounding, Witness};
use serde::{Deserialize, Serialize};
use solver::Solver;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use term::work::Watcher;
use term::{Atom, FunctionName, Term};

pub struct Unit {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    pub contract: Contract,
    /// Modules of the user: decisions in them count more than those in libraries.
    pub user_modules: Vec<Atom>,
    pub expected: Expected,
}

impl Unit {
    pub fn name(&self) -> FunctionName {
        FunctionName { module: self.module, function: self.function, arity: self.arity }
    }
}

/// Which exceptions the unit raises on purpose: none of these is a failure.
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Sides of branches that were never taken come first.
    #[default]
    Coverage,
    BreadthFirst,
    DepthFirst,
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub strategy: Strategy,
    pub max_runs: u64,
    /// Steps of the first attempt at a run; one that is cut comes back with twice as many, up to the most.
    pub steps: u64,
    pub most_steps: u64,
    /// No list, tuple, map or binary (in bytes) of an input has more parts.
    pub size_bound: Option<usize>,
    /// Inputs to begin with, before the smallest ones.
    pub seeds: Vec<Vec<Term>>,
    /// Of what is chosen without a reason: which of several candidates of the same cost comes first. None: the oldest.
    pub seed: u64,
    /// Bytes that may be kept from runs.
    pub memory: usize,
    /// What is known of functions without meaning: shared by all units of a campaign.
    pub samples: Samples,
}

/// Refutations that are asked about again, whatever the time.
pub const LEAST_RECHECKED: u64 = 4;

/// What the search asks of the world around it.
pub trait Host {
    fn out_of_time(&mut self) -> bool;
    /// What is left for the solver, where time is short.
    fn time_left(&mut self) -> Option<Duration> {
        None
    }
    /// Rings when the time is over: a run ends then, too.
    fn alarm(&mut self) -> Option<Alarm> {
        None
    }
    /// A search that would claim to have decided everything asks a second solver about what the first refuted. May it ask
    /// once more, after so many times?
    fn may_recheck(&mut self, asked: u64) -> bool {
        asked < LEAST_RECHECKED
    }
    /// Whether the memory of the command is used up.
    fn out_of_memory(&mut self) -> bool {
        false
    }
    /// Says when work of any kind has to be broken off: what the search itself does may take longer than its time, and
    /// more than its memory, before it comes to ask.
    fn watcher(&mut self) -> Option<Watcher> {
        None
    }
    fn progress(&mut self, progress: &Progress);
    /// A new failure, minimised. Called once for each.
    fn found(&mut self, finding: &Finding);
    /// These arguments led somewhere new: a search that begins with them is soon as far as this one.
    fn opened(&mut self, _args: &[Term]) {}
    /// So many runs are told one by one, and all branches in the end. Without any, none of this costs anything.
    fn wanted_runs(&mut self) -> u64 {
        0
    }
    /// One of them.
    fn ran(&mut self, _: Ran) {}
    /// A condition for people, in their language.
    fn in_words(&mut self, _: &Formulas, _: TermId, _: &dyn Fn(Variable) -> VariableIs) -> String {
        String::new()
    }
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
    /// What the unit and the functions said to each other.
    pub said: Vec<Said>,
    pub failure: Failure,
    /// Runs up to and with the one that showed it.
    pub runs: u64,
    /// What else it depends on than its inputs.
    pub depends_on: Vec<Surrounding>,
}

impl Finding {
    /// It was cut, and nothing says that it would never end.
    pub fn is_only_long(&self) -> bool {
        matches!(&self.failure, Failure::Timeout(Unended { endless: None, .. }))
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Failure {
    Crash(Raised),
    /// The result is not what the specification says.
    Spec {
        result: Term,
    },
    /// The unit did not keep to the type of a function that it was given, or that it gave.
    Blame(Blame),
    /// It did not end within its limits.
    Timeout(Unended),
    /// It waits for a message that nobody can send.
    Deadlock,
}

/// A run that was cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unended {
    /// Why it never ends, if that was shown: what is only long has no such reason.
    pub endless: Option<Endless>,
    pub limit: CutAt,
}

/// The limit that a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CutAt {
    /// Calls, and work of that size.
    Calls(u64),
    /// Bytes.
    Memory(u64),
}

/// Why a run never ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Endless {
    pub proof: Proof,
    /// The function that it comes back to.
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
    /// Calls until it is back there.
    pub period: u64,
    /// Calls that were made until that was clear.
    pub calls: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// The same state comes back.
    SameState,
    /// A call is made again, in the same state, before it has returned.
    SameCallInside,
    /// What changes on the way around never leads to another way.
    Recurrence,
}

impl Unended {
    pub fn after_calls(calls: u64) -> Unended {
        Unended { endless: None, limit: CutAt::Calls(calls) }
    }
}

/// What the unit did to a function input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Blame {
    /// It called it with arguments that it is not for.
    Domain(Vec<Term>),
    /// It called it with too many or too few.
    Arity(Vec<Term>),
    /// It gave it a function that returned this, which is not of its type.
    Range(Term),
}

/// What an exploration came to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Exploration {
    pub findings: Vec<Finding>,
    pub runs: u64,
    pub queries: u64,
    /// Of these, decided without an SMT solver.
    pub native: u64,
    pub unsat: u64,
    /// Ways of decisions met in the user's code, and those of them that were taken.
    pub branches: usize,
    pub covered: usize,
    pub unknown: u64,
    pub diverged: u64,
    /// What stands between this and a complete exploration, and how often.
    pub losses: BTreeMap<Loss, u64>,
    /// Functions that are not supported or denied.
    pub unsupported: BTreeMap<FunctionName, u64>,
    /// Ends in a head of the unit that has no specification: not meant for these inputs.
    pub edges: u64,
    /// Exceptions that the unit raises on purpose, those that would have been one finding counted once.
    pub expected: usize,
    /// Runs made again because their record had been dropped.
    pub replays: u64,
    /// Did the unit hand functions to its inputs? Then there is always something more that they could do.
    pub handed: bool,
    /// Nothing is left to try in which function inputs make at most so many calls of functions that they are
    /// given.
    pub bound: Option<u32>,
    /// Branches of the user's code, if they were wanted.
    pub sites: Vec<BranchSite>,
    /// Seeds outside of the declared types: not run.
    pub rejected_seeds: u64,
    /// It was broken off in the middle of something: what it worked with may be in any state.
    #[serde(skip)]
    pub broken_off: bool,
    pub ended: Ended,
    pub rechecked: Rechecked,
}

/// What an SMT solver said to be impossible, and how much of that somebody else was asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rechecked {
    /// Of different conditions.
    pub refutations: u64,
    pub asked: u64,
    /// Of those that were asked about. The rest is undecided; a disagreement is a loss.
    pub agreed: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// No candidate is left.
    #[default]
    Done,
    OutOfRuns,
    OutOfTime,
    /// All functions that were tested at the time took more memory together than the command may use.
    OutOfMemory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Bugs,
    Exhausted,
    /// All inputs whose functions call others at most so often were decided.
    Bounded(u32),
    Budget,
    Incomplete,
}

impl Exploration {
    /// A function that takes long on some inputs is not wrong because of that.
    fn has_bugs(&self) -> bool {
        self.findings.iter().any(|finding| !finding.is_only_long())
    }

    pub fn is_exhaustive(&self) -> bool {
        self.ended == Ended::Done && self.unknown == 0 && self.diverged == 0 && self.losses.is_empty()
    }

    /// Everything up to this number of calls that function inputs make was decided.
    pub fn decided_probes(&self) -> Option<u32> {
        let decided = self.unknown == 0 && self.diverged == 0 && self.losses.is_empty();
        self.bound.filter(|_| decided && self.handed)
    }

    pub fn verdict(&self) -> Verdict {
        match (!self.has_bugs(), self.is_exhaustive(), self.decided_probes(), self.ended) {
            (false, ..) => Verdict::Bugs,
            (true, true, ..) => Verdict::Exhausted,
            (true, false, Some(bound), _) => Verdict::Bounded(bound),
            (true, false, None, Ended::Done) => Verdict::Incomplete,
            (true, false, None, Ended::OutOfRuns | Ended::OutOfTime | Ended::OutOfMemory) => Verdict::Budget,
        }
    }
}

/// Are they the same failure on other inputs?
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
