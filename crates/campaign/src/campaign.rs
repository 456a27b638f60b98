//! Tests one function: explores it, and confirms and locates each finding as soon as it is made.

mod emitting;
mod expected;
mod facts;
mod making;
mod starting;
mod watch;

pub use starting::{Start, Starter};

use crate::judge::Judge;
use crate::memory::Share;
use crate::observer::Observer;
use crate::place::Files;
use crate::results::{Asked, Decided, Inputs, Known, Needed, Parts, Results, is_decided};
use crate::solving::Timed;
use crate::speaker::Speaker;
use crate::target::{Seeds, Target};
use emitting::Material;
use facts::Ranker;
use frontend::{Code, Expectation, Languages};
use interaction::MachineExecutor;
use making::{Look, add_look};
use path::Setup;
use report::{Judged, OnRuntime, Tested, TimeLimit, Tree};
use search::{Ended, Exploration, Finding, Loss, Rechecked, Settings, Unit, explore};
use session::{Opaque, Session};
use solver::Distrusted;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use term::{Atom, FunctionName, Term};
use tracer::{Differing, Ledger, Mode, RelayingExecutor, Runtime, TracingExecutor};
use watch::Watch;

/// The settings and services that the searches of all functions share.
pub struct Campaign {
    /// Functions that are not executed symbolically.
    pub opaque: Opaque,
    /// The executor that runs the functions.
    pub executor: Mode,
    pub settings: Settings,
    pub seeds: Seeds,
    pub user_modules: Vec<Atom>,
    pub languages: Arc<Languages>,
    /// Which regression tests are written.
    pub emits: Wish,
    /// Whether outcomes are described in words, for people.
    pub in_words: bool,
    /// The number of runs of each function that are kept for HTML pages.
    pub recorded_runs: u64,
    pub judge: Judge,
    pub files: Files,
    pub observer: Arc<dyn Observer>,
    /// Expected exceptions that the command line and the configuration name.
    pub expectations: Vec<Arc<dyn Expectation>>,
    pub results: Results,
    /// The number of functions whose kept result is still valid, and that are not searched.
    pub unchanged: AtomicUsize,
    /// The functions whose kept result still holds, and that are searched to record what it lacks.
    pub recorded_again: RecordedAgain,
    /// Starts the applications that functions need. `None` if the user has said what is started.
    pub starter: Option<Starter>,
    /// Solvers that gave a wrong answer in this command, and are not asked any more.
    pub distrusted: Distrusted,
}

/// Functions that are searched only to record what their kept results lack.
#[derive(Debug, Default)]
pub struct RecordedAgain {
    /// The number of functions.
    pub functions: AtomicUsize,
    /// Whether a result lacks runs.
    pub lacks_runs: AtomicBool,
    /// Whether a result lacks the inputs of paths.
    pub lacks_inputs: AtomicBool,
}

impl RecordedAgain {
    fn add(&self, has: Parts, wanted: Parts) {
        self.functions.fetch_add(1, Ordering::Relaxed);
        self.lacks_runs.fetch_or(wanted.runs && !has.runs, Ordering::Relaxed);
        self.lacks_inputs.fetch_or(wanted.examples && !has.examples, Ordering::Relaxed);
    }
}

/// The kinds of regression tests that a user can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    Bugs,
    BugsAndPaths,
}

/// The tools that a worker uses for one function after the other.
pub struct Bench {
    pub session: Session,
    pub solver: Timed,
    pub speaker: Speaker,
}

/// Knowledge about a function from an earlier command, or from an earlier turn, with which its search begins.
#[derive(Default)]
pub struct Begun {
    pub findings: Vec<Judged>,
    pub inputs: Vec<Vec<Term>>,
    pub seconds: f64,
    /// The setups that were added because the function needs them.
    pub started: Vec<Setup>,
    /// The earlier result, if the search is only made to record what that lacks.
    pub decided: Option<Box<Decided>>,
}

/// The result of one turn.
pub struct Turn {
    pub tested: Tested,
    /// Regression tests, if they are wanted.
    pub tests: Vec<emit::Test>,
    /// Inputs that reached something new.
    pub inputs: Vec<Vec<Term>>,
    pub has_progressed: bool,
    /// A setup that the function needs: the search is to begin again with it.
    pub starts: Option<Setup>,
    /// The first run that differs between the executors, if one does.
    pub differing: Option<Differing>,
    /// How this search ended, which may differ from the end that an earlier result records.
    pub ended: Ended,
    /// The result of an earlier search, if there is one.
    pub decided: Option<Box<Decided>>,
}

impl Campaign {
    /// Returns the result of an earlier command, if nothing has changed since; otherwise `Err` has what the search
    /// begins with. `may_search` says whether there is time for a search that records what a kept result lacks.
    pub fn known(
        &self,
        code: &Arc<dyn Code>,
        speaker: &mut Speaker,
        target: &Target,
        may_search: bool,
        found: &mut dyn FnMut(FunctionName, &Judged),
    ) -> Result<(Tested, Vec<emit::Test>), Begun> {
        let name = target.name;
        let begun = match self.results.known(&**code, target) {
            Known::Decided(mut decided) => {
                let ranked_from = decided.ranked_from;
                if let Some(now) = self.rank_again(code, target, &mut decided.tested.exploration.findings, ranked_from)
                {
                    decided.ranked_from = now;
                    self.results.keep_tested(target, &decided);
                }
                self.put_into_words(speaker, target, &mut decided);
                self.report_again(name, &mut decided.tested.exploration.findings, found);
                if may_search && !decided.parts.are_recorded(self.wanted_parts()) {
                    self.recorded_again.add(decided.parts, self.wanted_parts());
                    let findings = decided.tested.exploration.findings.clone();
                    return Err(Begun { findings, decided: Some(decided), ..Begun::default() });
                }
                self.observer.done();
                self.unchanged.fetch_add(1, Ordering::Relaxed);
                let (contract, _) = target.contract(code);
                let Decided { tested, examples, needed, .. } = *decided;
                let is_used = |module: Atom| needed.modules.iter().any(|known| known.name == module);
                let target = &tested.started.iter().fold(target.clone(), |target, setup| target.started(setup));
                let findings = &tested.exploration.findings;
                let of = Material { target, is_used: &is_used, contract: &contract, findings, examples: &examples };
                let tests = self.tests(&**code, speaker, &of);
                return Ok((tested, tests));
            }
            Known::Begun { mut findings, ranked_from, inputs } => {
                self.rank_again(code, target, &mut findings, ranked_from);
                self.say(speaker, target, &mut findings);
                self.report_again(name, &mut findings, found);
                let started = findings.last().map(|judged| judged.started.clone()).unwrap_or_default();
                Begun { findings, inputs, started, ..Begun::default() }
            }
            Known::Nothing => Begun::default(),
        };
        Err(begun)
    }

    /// Returns the parts of results that the reports of this command need.
    fn wanted_parts(&self) -> Parts {
        Parts { words: self.in_words, runs: self.recorded_runs > 0, examples: self.emits == Wish::BugsAndPaths }
    }

    /// Adds descriptions to a result that was kept without them, and keeps the result with them.
    fn put_into_words(&self, speaker: &mut Speaker, target: &Target, decided: &mut Decided) {
        if self.in_words && !decided.parts.words {
            self.say(speaker, target, &mut decided.tested.exploration.findings);
            decided.parts.words = true;
            self.results.keep_tested(target, decided);
        }
    }

    /// Adds descriptions to findings that were made for a report without words.
    fn say(&self, speaker: &mut Speaker, target: &Target, findings: &mut [Judged]) {
        let language = self.languages.language(target.name.module);
        for judged in findings.iter_mut().filter(|judged| self.in_words && judged.shown.is_empty()) {
            judged.shown = speaker.shown(language, &judged.finding);
        }
    }

    /// Reports findings of an earlier command. Today's baseline decides whether they are known.
    fn report_again(&self, name: FunctionName, findings: &mut [Judged], found: &mut dyn FnMut(FunctionName, &Judged)) {
        for judged in findings {
            judged.is_known = judged.is_true() && self.is_known(name, &judged.finding);
            if !judged.is_known {
                found(name, judged);
            }
        }
    }

    /// Returns a digest of what a unit's findings are ranked from, beside what their search depends on.
    fn ranked_from(&self, code: &dyn Code, target: &Target) -> Option<[u8; 32]> {
        self.results.ranked_from(code, &self.files.tests(target))
    }

    /// Makes the ranking of kept findings anew, if what it was made from has changed. Returns a digest of what it is made from
    /// then.
    fn rank_again(
        &self,
        code: &Arc<dyn Code>,
        target: &Target,
        findings: &mut [Judged],
        ranked_from: Option<[u8; 32]>,
    ) -> Option<Option<[u8; 32]>> {
        let last = findings.last()?;
        let target = &last.started.iter().fold(target.clone(), |target, setup| target.started(setup));
        let now = self.ranked_from(&**code, target);
        if now.is_some() && now == ranked_from {
            return None;
        }
        let language = self.languages.language(target.name.module);
        let (contract, _) = target.contract(code);
        let (user_modules, files) = (&self.user_modules_with(target.name.module)[..], &self.files);
        let ranker = Ranker { code, language, target, contract: &contract, user_modules, files };
        let mut facts = None;
        for judged in findings {
            let never_made = judged.signals.never_made;
            (judged.signals, judged.disagreement) = ranker.signals(&mut facts, &judged.finding);
            // Only the search knows.
            judged.signals.never_made = never_made;
        }
        Some(now)
    }

    /// The user's modules, and one that may not be among them.
    fn user_modules_with(&self, module: Atom) -> Vec<Atom> {
        let mut modules = self.user_modules.clone();
        if !modules.contains(&module) {
            modules.push(module);
        }
        modules
    }

    /// Returns whether the user already knows a finding. Called only for true findings, since one that the runtime
    /// contradicts is no bug.
    fn is_known(&self, name: FunctionName, finding: &Finding) -> bool {
        self.observer.is_known(name, finding, &self.user_modules)
    }

    /// Returns the result for a function for which no time was left.
    pub fn not_begun(&self, target: &Target, begun: Begun) -> Tested {
        let FunctionName { function, arity, .. } = target.name;
        let is_of_it = |spec: &program::Spec| (spec.name, spec.arity) == (function, arity);
        Tested {
            name: target.name,
            exploration: Exploration { findings: begun.findings, ended: Ended::OutOfTime, ..Exploration::default() },
            tree: Tree::default(),
            has_specification: target.module.types.specs.iter().any(is_of_it),
            behaviour: None,
            seconds: 0.0,
            solver_seconds: 0.0,
            smt_seconds: 0.0,
            time_limit: TimeLimit::NotBegun,
            solving: Vec::new(),
            started: Vec::new(),
            not_started: BTreeMap::new(),
            on_runtime: OnRuntime::default(),
        }
    }

    /// Searches for at most `time`. Passes findings to `found` as they come.
    pub fn test(
        &self,
        bench: &mut Bench,
        target: &Target,
        begun: Begun,
        time: Duration,
        memory: Share,
        found: &mut dyn FnMut(FunctionName, &Judged),
    ) -> Turn {
        let name = target.name;
        let Bench { session, solver, speaker } = bench;
        let (contract, mut types_of) = target.contract(&session.code);
        let has_specification = contract.declared;
        let user_modules = self.user_modules_with(name.module);
        let expected = self.expected(&*session.code, target);
        let FunctionName { module, function, arity } = name;
        let unit = Unit { module, function, arity, contract, user_modules, expected };
        let of_user =
            self.seeds.of(self.languages.language(name.module)).iter().filter(|seed| seed.len() == name.arity as usize);
        let mut settings = Settings { seeds: of_user.chain(&begun.inputs).cloned().collect(), ..self.settings.clone() };
        let (known_findings, known_inputs) = (begun.findings.len(), begun.inputs.len());
        let decided = begun.decided;
        let made = self.made_unit(&session.code, target, &unit);
        types_of.extend(made.iter().flat_map(|(_, types_of)| types_of));
        let is_first = begun.seconds == 0.0;

        let before = solver.effort();
        let mut watch = Watch {
            campaign: self,
            target,
            unit: &unit,
            time,
            memory,
            code: Arc::clone(&session.code),
            limits: *session.machine.limits(),
            usage: session.usage(),
            types_of: &types_of,
            speaker,
            start: Instant::now(),
            paused: Arc::default(),
            function: self.languages.language(name.module).function(name),
            found,
            findings: begun.findings,
            inputs: Inputs::new(begun.inputs),
            is_decided: decided.is_some(),
            saved: Instant::now(),
            slow: 0,
            parameters: if self.recorded_runs > 0 {
                self.files.parameters(target, self.languages.language(name.module))
            } else {
                Vec::new()
            },
            tree: Tree::default(),
            examples: Vec::new(),
            rechecks: None,
            facts: None,
            ranked_from: None,
            noted: BTreeSet::new(),
            starts: None,
            not_started: BTreeMap::new(),
            look: Look::at(made.as_ref().map(|(made, _)| made), &unit),
            asked: Asked::Nothing,
            looked_at: Vec::new(),
        };
        watch.usage.begin();
        session.machine.watch_modules();
        session.patience.begin(Some(time));
        let (mut ledger, mut long) = (Ledger::default(), 0);
        let looked = made
            .as_ref()
            .filter(|_| is_first)
            .map(|(made, _)| self.first_look(&mut session.machine, (made, &unit), solver, &mut settings, &mut watch));
        let mut explored = if let Some(looked) = looked.as_ref().filter(|looked| looked.broken_off) {
            looked.clone()
        } else {
            let mut machine = MachineExecutor::new(&mut session.machine).with_setups(target.setups.clone());
            if self.executor == Mode::Machine && session.code.effects().is_empty() {
                let code = Arc::clone(&session.code);
                match self.judge.is_wanted() {
                    true => {
                        let mut relaying = RelayingExecutor::new(machine, code, &mut long);
                        explore(&mut relaying, &unit, solver, &settings, &mut watch)
                    }
                    false => explore(&mut machine, &unit, solver, &settings, &mut watch),
                }
            } else {
                let (mode, code) = (self.executor, Arc::clone(&session.code));
                let language = self.languages.language(name.module);
                let setups = target.setups.iter().map(|setup| report::setup_call(language.asking(), setup)).collect();
                let runtime = Runtime { mode, code, language, setups, ledger: &mut ledger };
                explore(&mut TracingExecutor::new(machine, runtime), &unit, solver, &settings, &mut watch)
            }
        };
        if let Some(looked) = looked.filter(|looked| !looked.broken_off) {
            add_look(&mut explored, &looked);
        }
        if explored.ended == Ended::OutOfTime && self.observer.is_interrupted() {
            explored.ended = Ended::Interrupted;
        }
        session.patience.begin(None);
        let seconds = begun.seconds + watch.elapsed().as_secs_f64();
        let needed = self.results.is_kept().then(|| {
            let earlier = decided.as_ref().map(|decided| &decided.needed);
            watch.needed(session.machine.used_modules(), earlier)
        });
        let ranked_from = watch.ranked_from();
        let Watch { findings, slow, tree, inputs, examples, speaker, usage, starts, not_started, .. } = watch;
        let effort = solver.effort().since(&before);
        let mut exploration = explored.with_findings(findings);
        if slow > 0 {
            exploration.losses.insert(Loss::OnlySlowHere, slow);
        }
        let tested = Tested {
            name,
            tree,
            has_specification,
            behaviour: unit.contract.behaviour,
            seconds,
            solver_seconds: effort.spent().as_secs_f64(),
            smt_seconds: effort.statistics.waited.as_secs_f64(),
            time_limit: TimeLimit::Own,
            solving: effort.in_words().into_iter().chain(rechecked(&exploration.rechecked)).collect(),
            exploration,
            started: target.started.clone(),
            not_started,
            on_runtime: OnRuntime {
                rebuilt: ledger.rebuilt,
                long,
                same: ledger.same,
                excused: ledger.excused.values().sum(),
                excuses: ledger.excused.iter().map(|(excuse, runs)| (excuse.words().to_string(), *runs)).collect(),
                differing: ledger.differing,
            },
        };
        let (ended, wanted) = (tested.exploration.ended, self.wanted_parts());
        let mut over = match &decided {
            Some(decided) => decided.with_recorded(tested, examples, wanted),
            None => {
                let inputs = inputs.all().to_vec();
                Decided { tested, parts: wanted, examples, inputs, needed: Needed::default(), ranked_from }
            }
        };
        // An application that could not be started may work again after a change that no digest covers, so such a
        // result is not kept.
        let is_settled = starts.is_none() && over.tested.not_started.is_empty();
        if let Some(needed) = needed.filter(|_| is_settled && (decided.is_none() || is_decided(ended))) {
            (over.needed, over.ranked_from) = (needed, ranked_from);
            self.results.keep_tested(target, &over);
        }
        let Decided { tested, examples, .. } = over;
        let (is_used, findings) = (|module: Atom| usage.contains(module), &tested.exploration.findings);
        let of = Material { target, is_used: &is_used, contract: &unit.contract, findings, examples: &examples };
        let tests = self.tests(&*session.code, speaker, &of);
        let has_progressed = findings.len() > known_findings || inputs.all().len() > known_inputs;
        let (inputs, differing) = (inputs.all().to_vec(), ledger.first);
        Turn { tested, tests, inputs, has_progressed, starts, differing, ended, decided }
    }
}

/// Describes how many of the SMT solver's refutations were rechecked with a second solver, and how many it confirmed.
fn rechecked(rechecked: &Rechecked) -> Option<String> {
    let Rechecked { refutations, asked, agreed } = *rechecked;
    (refutations > 0).then(|| {
        format!("of {refutations} refutations by the SMT solver, {asked} were asked again, and {agreed} confirmed")
    })
}
