//! Tests one function: explores it, and confirms and locates each finding as soon as it is there.

mod emitting;
mod expected;
mod facts;
mod starting;

pub use starting::{Start, Starter};

use crate::judge::{Judge, Opinion};
use crate::memory::Share;
use crate::observer::Observer;
use crate::place::Files;
use crate::reaching;
use crate::results::{Decided, Inputs, Known, Results, needed};
use crate::signals::Facts;
use crate::solving::Timed;
use crate::speaker::Speaker;
use crate::target::{Seeds, Target};
use emitting::Material;
use formula::{Formulas, TermId, Variable};
use frontend::{Code, Expectation, Languages};
use interaction::MachineExecutor;
use machine::Limits;
use path::{Alarm, InputValue, Raised, Setup, Surrounding};
use report::{Judged, OnRuntime, Tested, TimeLimit, Tree};
use search::{
    End, Ended, Exploration, Finding, Host, LEAST_RECHECKED, Loss, Missing, MissingSide, Progress, Ran, Rechecked,
    Settings, Settled, Unit, VariableIs, explore, is_same_failure,
};
use session::{Opaque, Session, Usage};
use solver::Distrusted;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use term::work::{Overdue, Watcher};
use term::{Atom, FunctionName, Term, work};
use tracer::{Differing, Ledger, Mode, RelayingExecutor, Runtime, TracingExecutor};

/// What all functions have in common.
pub struct Campaign {
    /// Functions that are not looked into.
    pub opaque: Opaque,
    /// Who runs the functions.
    pub executor: Mode,
    pub settings: Settings,
    pub seeds: Seeds,
    pub user_modules: Vec<Atom>,
    pub languages: Arc<Languages>,
    /// What regression tests are made of.
    pub emits: Wish,
    /// Whether outcomes are put into words, for people.
    pub in_words: bool,
    /// The number of runs of each function that are kept for HTML pages.
    pub recorded_runs: u64,
    pub judge: Judge,
    pub files: Files,
    pub observer: Arc<dyn Observer>,
    /// Expected exceptions that the command line and the configuration name.
    pub expectations: Vec<Arc<dyn Expectation>>,
    pub results: Results,
    /// The number of functions whose kept result still holds.
    pub unchanged: AtomicUsize,
    /// Starts applications that functions need. `None`: the user has said what is started.
    pub starter: Option<Starter>,
    /// Solvers that gave a wrong answer in this command, and are not asked any more.
    pub distrusted: Distrusted,
}

/// What a user wants tests of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    Bugs,
    BugsAndPaths,
}

/// The time between two snapshots of a search.
const SAVED_EVERY: Duration = Duration::from_millis(900);

/// What a worker tests functions with, one after the other.
pub struct Bench {
    pub session: Session,
    pub solver: Timed,
    pub speaker: Speaker,
}

/// What is known of a function before its search begins: from an earlier command, or an earlier turn.
#[derive(Default)]
pub struct Begun {
    pub findings: Vec<Judged>,
    pub inputs: Vec<Vec<Term>>,
    pub seconds: f64,
    /// What was started for it.
    pub started: Vec<Setup>,
}

/// What a turn came to.
pub struct Turn {
    pub tested: Tested,
    /// Regression tests, if they are wanted.
    pub tests: Vec<emit::Test>,
    /// Inputs that reached something new.
    pub inputs: Vec<Vec<Term>>,
    pub has_progressed: bool,
    /// What the function needs: the search is to begin again with it.
    pub starts: Option<Setup>,
    /// The first run that differs between the executors, if one does.
    pub differing: Option<Differing>,
}

impl Campaign {
    /// Returns what an earlier command decided, if nothing has changed since; else `Err` has what the search begins with.
    pub fn known(
        &self,
        code: &Arc<dyn Code>,
        speaker: &mut Speaker,
        target: &Target,
        found: &mut dyn FnMut(FunctionName, &Judged),
    ) -> Result<(Tested, Vec<emit::Test>), Begun> {
        let name = target.name;
        let begun = match self.results.known(&**code, name, self.emits == Wish::BugsAndPaths) {
            Known::Decided(decided) => {
                let Decided { mut tested, examples, needed } = *decided;
                self.report_again(name, &mut tested.exploration.findings, found);
                self.observer.done();
                self.unchanged.fetch_add(1, Ordering::Relaxed);
                let (contract, _) = target.contract(code);
                let is_used = |module: Atom| needed.iter().any(|(known, _)| *known == module);
                let examples = examples.unwrap_or_default();
                let target = &tested.started.iter().fold(target.clone(), |target, setup| target.started(setup));
                let findings = &tested.exploration.findings;
                let of = Material { target, is_used: &is_used, contract: &contract, findings, examples: &examples };
                let tests = self.tests(&**code, speaker, &of);
                return Ok((tested, tests));
            }
            Known::Begun { mut findings, inputs } => {
                self.report_again(name, &mut findings, found);
                let started = findings.last().map(|judged| judged.started.clone()).unwrap_or_default();
                Begun { findings, inputs, seconds: 0.0, started }
            }
            Known::Nothing => Begun::default(),
        };
        Err(begun)
    }

    /// Reports findings of an earlier command. Whether they are known is decided by the baseline of today.
    fn report_again(&self, name: FunctionName, findings: &mut [Judged], found: &mut dyn FnMut(FunctionName, &Judged)) {
        for judged in findings {
            judged.is_known = judged.is_true() && self.is_known(name, &judged.finding);
            if !judged.is_known {
                found(name, judged);
            }
        }
    }

    /// Whether the user knows a finding already. Only asked of true ones: what the runtime contradicts is no bug.
    fn is_known(&self, name: FunctionName, finding: &Finding) -> bool {
        self.observer.is_known(name, finding, &self.user_modules)
    }

    /// What is said of a function that no time was left for.
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

    /// Searches for as long as `time`. Findings go to `found` as they come.
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
        let (contract, types_of) = target.contract(&session.code);
        let has_specification = contract.declared;
        let mut user_modules = self.user_modules.clone();
        if !user_modules.contains(&name.module) {
            user_modules.push(name.module);
        }
        let expected = self.expected(&*session.code, target);
        let FunctionName { module, function, arity } = name;
        let unit = Unit { module, function, arity, contract, user_modules, expected };
        let of_user =
            self.seeds.of(self.languages.language(name.module)).iter().filter(|seed| seed.len() == name.arity as usize);
        let settings = Settings { seeds: of_user.chain(&begun.inputs).cloned().collect(), ..self.settings.clone() };
        let (known_findings, known_inputs) = (begun.findings.len(), begun.inputs.len());

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
            noted: BTreeSet::new(),
            starts: None,
            not_started: BTreeMap::new(),
        };
        session.machine.watch_modules();
        session.patience.begin(Some(time));
        let (mut ledger, mut long) = (Ledger::default(), 0);
        let mut explored = {
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
        if explored.ended == Ended::OutOfTime && self.observer.is_interrupted() {
            explored.ended = Ended::Interrupted;
        }
        session.patience.begin(None);
        let seconds = begun.seconds + watch.elapsed().as_secs_f64();
        let Watch { findings, slow, tree, inputs, examples, speaker, usage, starts, not_started, .. } = watch;
        let is_used = |module: Atom| usage.contains(module);
        let of =
            Material { target, is_used: &is_used, contract: &unit.contract, findings: &findings, examples: &examples };
        let tests = self.tests(&*session.code, speaker, &of);
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
        // What could not be started may be mended where nobody looks.
        if self.results.is_kept() && starts.is_none() && tested.not_started.is_empty() {
            let called: Vec<Atom> = session.machine.used_modules().collect();
            let modules = called.into_iter().chain(types_of).chain([name.module]);
            let examples = (self.emits == Wish::BugsAndPaths).then_some(examples.as_slice());
            self.results.keep_tested(needed(&*session.code, modules), &tested, inputs.all(), examples);
        }
        let has_progressed = tested.exploration.findings.len() > known_findings || inputs.all().len() > known_inputs;
        Turn { tested, tests, inputs: inputs.all().to_vec(), has_progressed, starts, differing: ledger.first }
    }
}

/// The host of an exploration: keeps its time and memory, and passes on what it finds.
struct Watch<'a> {
    campaign: &'a Campaign,
    target: &'a Target,
    unit: &'a Unit,
    time: Duration,
    memory: Share,
    code: Arc<dyn Code>,
    limits: Limits,
    usage: Usage,
    /// Modules that the specification's types come from.
    types_of: &'a [Atom],
    speaker: &'a mut Speaker,
    start: Instant,
    /// Milliseconds that were spent on findings, which do not count as exploring. Shared with alarms.
    paused: Arc<AtomicU64>,
    function: String,
    found: &'a mut dyn FnMut(FunctionName, &Judged),
    findings: Vec<Judged>,
    inputs: Inputs,
    /// The time of the last snapshot.
    saved: Instant,
    /// The number of timeouts that the runtime, being faster, did not confirm.
    slow: u64,
    /// The names of the parameters.
    parameters: Vec<String>,
    /// The first runs, if HTML pages are made.
    tree: Tree,
    /// Inputs of the first paths, if tests of paths are wanted.
    examples: Vec<Vec<InputValue>>,
    /// When asking a second solver has to end, once it has begun.
    rechecks: Option<Instant>,
    /// What the ranking of findings needs to know of the function, once there is a finding.
    facts: Option<Facts>,
    /// What is known to be missing.
    noted: BTreeSet<Missing>,
    /// What is to be started before the search begins again.
    starts: Option<Setup>,
    /// Applications that the function needs and that cannot be started, with the reason.
    not_started: BTreeMap<String, String>,
}

/// The share of a search's time that may be spent on asking a second solver, and a time that is always allowed.
const RECHECKED_SHARE: u32 = 10;
const SHORT_RECHECK: Duration = Duration::from_millis(250);
/// The share of the time that is left which may be spent on sides that no run took, and limits of it: with less, hardly more
/// is done than looking at the code.
const SETTLING_SHARE: u32 = 3;
const SHORTEST_SETTLING: Duration = Duration::from_millis(200);
const LONGEST_SETTLING: Duration = Duration::from_secs(1);
/// Work for a search is broken off when it exceeds the search's time by a quarter and this much.
const GRACE: Duration = Duration::from_millis(250);

/// The number of paths of a function that tests are made of.
const EXAMPLES: u64 = 50;

impl Watch<'_> {
    fn elapsed(&self) -> Duration {
        exploring(self.start, &self.paused)
    }

    /// Keeps a snapshot of the search, so that a command that is killed loses little.
    fn save(&mut self, at_once: bool) {
        let results = &self.campaign.results;
        if !results.is_kept() || !(at_once || self.saved.elapsed() >= SAVED_EVERY) {
            return;
        }
        let types_of = self.types_of.iter().copied();
        let modules = self.usage.all().into_iter().chain(types_of).chain([self.target.name.module]);
        let needed = needed(&*self.code, modules);
        results.keep_begun(self.target.name, needed, &self.findings, self.inputs.all());
        self.saved = Instant::now();
    }
}

/// In words, how much of what the SMT solver refuted somebody else was asked about.
fn rechecked(rechecked: &Rechecked) -> Option<String> {
    let Rechecked { refutations, asked, agreed } = *rechecked;
    (refutations > 0).then(|| {
        format!("of {refutations} refutations by the SMT solver, {asked} were asked again, and {agreed} confirmed")
    })
}

fn exploring(start: Instant, paused: &AtomicU64) -> Duration {
    start.elapsed().saturating_sub(Duration::from_millis(paused.load(Ordering::Relaxed)))
}

impl Host for Watch<'_> {
    fn out_of_time(&mut self) -> bool {
        self.starts.is_some() || self.elapsed() >= self.time || self.campaign.observer.is_interrupted()
    }

    fn time_left(&mut self) -> Option<Duration> {
        let is_interrupted = self.campaign.observer.is_interrupted();
        Some(if is_interrupted { Duration::ZERO } else { self.time.saturating_sub(self.elapsed()) })
    }

    fn alarm(&mut self) -> Option<Alarm> {
        let (start, paused, budget) = (self.start, Arc::clone(&self.paused), self.time);
        let observer = Arc::clone(&self.campaign.observer);
        Some(Arc::new(move || exploring(start, &paused) >= budget || observer.is_interrupted()))
    }

    fn may_recheck(&mut self, asked: u64) -> bool {
        let share = (self.elapsed() / RECHECKED_SHARE).max(SHORT_RECHECK);
        let until = *self.rechecks.get_or_insert_with(|| Instant::now() + share);
        (asked < LEAST_RECHECKED || Instant::now() < until) && !self.campaign.observer.is_interrupted()
    }

    fn out_of_memory(&mut self) -> bool {
        self.memory.is_used_up()
    }

    fn watcher(&mut self) -> Option<Watcher> {
        let (start, paused, memory) = (self.start, Arc::clone(&self.paused), self.memory.clone());
        let end = self.time + self.time / 4 + GRACE;
        let observer = Arc::clone(&self.campaign.observer);
        Some(Rc::new(move || {
            if exploring(start, &paused) >= end || observer.is_interrupted() {
                Some(Overdue::Time)
            } else {
                memory.is_used_up().then_some(Overdue::Memory)
            }
        }))
    }

    fn progress(&mut self, progress: &Progress) {
        self.campaign.observer.running(&self.function, progress);
        self.save(false);
    }

    fn opened(&mut self, args: &[Term]) {
        self.inputs.add(args);
        self.save(false);
    }

    fn found(&mut self, finding: &Finding) {
        // It comes again in the search that begins anew.
        if self.starts.is_some() {
            return;
        }
        // An earlier turn or command has reported it.
        if self.findings.iter().any(|known| is_same_failure(self.unit, &known.finding, finding)) {
            return;
        }
        let seconds = self.elapsed().as_secs_f64();
        let began = Instant::now();
        let campaign = self.campaign;
        let language = campaign.languages.language(self.target.name.module);
        let opinion = || campaign.judge.opinion(&*self.code, &self.usage, language, self.target, finding);
        match work::unwatched(opinion) {
            Opinion::Shown { judgement, evaluations, limit } => {
                let (signals, disagreement) = work::unwatched(|| self.signals(language, finding));
                let mut judged = Judged {
                    judgement,
                    evaluations,
                    limit,
                    shown: if campaign.in_words {
                        work::unwatched(|| self.speaker.shown(language, finding))
                    } else {
                        String::new()
                    },
                    place: {
                        let subject = self.subject(finding);
                        campaign.files.place(language, subject.as_ref().unwrap_or(self.target), &finding.failure)
                    },
                    seconds,
                    finding: finding.clone(),
                    is_known: false,
                    signals,
                    disagreement,
                    behaviour: self.unit.contract.behaviour,
                    started: self.target.started.clone(),
                };
                if judged.is_true() {
                    // The runtime has chosen an order that shows it.
                    judged.finding.depends_on.retain(|surrounding| *surrounding != Surrounding::Schedule);
                }
                judged.is_known = judged.is_true() && campaign.is_known(self.target.name, finding);
                if !judged.is_known {
                    (self.found)(self.target.name, &judged);
                }
                self.findings.push(judged);
                self.save(true);
            }
            Opinion::Slow => self.slow += 1,
        }
        self.paused.fetch_add(began.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    fn settle(&mut self, sides: &[MissingSide]) -> Vec<Settled> {
        if self.starts.is_some() {
            return Vec::new();
        }
        let left = self.time.saturating_sub(self.elapsed());
        let time = (left / SETTLING_SHARE).max(SHORTEST_SETTLING.min(left)).min(LONGEST_SETTLING);
        let (name, modules) = (self.target.name, &self.unit.user_modules);
        let samples = &self.campaign.settings.samples;
        reaching::settle(&self.code, self.limits, name, modules, sides, samples, time)
    }

    fn missing(&mut self, raised: &Raised) -> Option<Missing> {
        let language = self.campaign.languages.language(self.target.name.module);
        let missing = language.missing(raised, &self.around(language))?;
        self.note_missing(&missing);
        Some(missing)
    }

    fn unregistered(&mut self, raised: &Raised) -> Option<Atom> {
        let language = self.campaign.languages.language(self.target.name.module);
        let name = language.unregistered(raised)?;
        self.creator(&Missing::Process(name.text().to_string())).is_none().then_some(name)
    }

    fn creator(&mut self, missing: &Missing) -> Option<FunctionName> {
        let language = self.campaign.languages.language(self.target.name.module);
        self.unit.user_modules.iter().find_map(|module| {
            let module = self.code.load(*module).ok().flatten()?;
            language.creator(missing, &module)
        })
    }

    fn application(&mut self, missing: &Missing, creator: Option<FunctionName>) -> Option<String> {
        self.application_of(missing, creator)
    }

    fn untouched(&mut self, term: &Term) -> Option<Term> {
        self.campaign.languages.language(self.target.name.module).untouched(&self.target.module, term)
    }

    fn wanted_runs(&mut self) -> u64 {
        let examples = if self.campaign.emits == Wish::BugsAndPaths { EXAMPLES } else { 0 };
        self.campaign.recorded_runs.max(examples)
    }

    fn ran(&mut self, ran: Ran) {
        // Runs that failed are findings, or repeat one.
        let ended = matches!(ran.end, End::Fine(Some(_)) | End::Edge | End::Expected(_));
        if self.campaign.emits == Wish::BugsAndPaths && ended && ran.number <= EXAMPLES {
            self.examples.push(ran.inputs.clone());
        }
        if ran.number > self.campaign.recorded_runs {
            return;
        }
        let language = self.campaign.languages.language(self.target.name.module);
        self.tree.add(language, self.target.name, ran);
    }

    fn in_words(&mut self, formulas: &Formulas, condition: TermId, is: &dyn Fn(Variable) -> VariableIs) -> String {
        match formulas.as_boolean(condition) {
            Some(true) => return "always".to_string(),
            Some(false) => return "nothing that the types allow".to_string(),
            None => {}
        }
        let language = self.campaign.languages.language(self.target.name.module);
        let parameter = |index: usize| match self.parameters.get(index) {
            Some(name) => name.clone(),
            None => language.variable("X", index + 1),
        };
        language.condition(formulas, condition, &|variable| match is(variable) {
            VariableIs::Argument(index) => parameter(index),
            VariableIs::PartOf(index, nth) => format!("{}.{}", parameter(index), nth + 1),
            VariableIs::Other(number) => language.variable("Answer", number as usize + 1),
        })
    }
}
