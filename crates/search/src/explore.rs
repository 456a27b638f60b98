//! The main loop: run, add the path to the tree of decisions, put its alternatives into the queue, take the next
//! candidate, find inputs for it, run them.
//!
//! The search is complete where the formulas are exact and the solver decides: a play that leads to a failure is a list
//! of decisions; a run that shares the first n of them either shares one more or was at the decision where the other
//! side was offered; and the queue is fair. Whatever breaks a premise is recorded as a loss.

mod approach;
mod ask;
mod begin;
mod conclude;
mod cover;
mod endless;
mod leap;
mod observe;
mod obstacle;
mod offer;
mod recheck;
mod sides;

use self::approach::Nearness;
use self::ask::{Asked, satisfies};
use self::observe::Recording;
use self::obstacle::Ends;
use self::offer::probes_of;
use self::recheck::Refutations;
use self::sides::Sides;
use crate::contrast::Returned;
use crate::coverage::Coverage;
use crate::judge::{Judged, Key};
use crate::queue::{Candidate, Queue, Way};
use crate::records::{Path, Records};
use crate::runner::{Inputs, Runner, Sampler, Symbolic};
use crate::trie::{Side, Trie};
use crate::{Ended, Exploration, Failure, Host, Loss, Progress, Ran, Settings, Strategy, Unended, Unit};
use path::{Concretised, Event, Executor, Label, Marks, Place, Stop, Surrounding};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use solver::{Screened, Solver};
use std::hash::BuildHasher;
use std::rc::Rc;
use term::work::Overdue;
use term::{Atom, work};

pub struct Explorer<'a> {
    runner: Runner<'a>,
    unit: &'a Unit,
    solver: &'a mut dyn Solver,
    settings: &'a Settings,
    host: &'a mut dyn Host,
    trie: Trie,
    queue: Queue,
    records: Records,
    coverage: Coverage,
    /// Number of leaps that were made to each side.
    leaps: FxHashMap<Side, u32>,
    /// Keys of failures as they look with shadows (`met`), and as they were found without (`found`).
    met: FxHashSet<Key>,
    found: FxHashSet<Key>,
    expected: FxHashSet<Key>,
    /// Number of cut runs that were examined for a reason why they never end.
    cuts: u32,
    /// Number of questions that may still be asked about the cut run that is being examined.
    questions: u32,
    /// Sides at places of the tree that were once put before others.
    preferred: FxHashSet<((u32, u32), u32)>,
    /// The queries that the SMT solver refuted.
    refutations: Refutations,
    ends: Ends,
    returned: Returned,
    exploration: Exploration,
    /// States that clients have reached.
    states: FxHashSet<u64>,
    /// Pairs of successive steps of clients that were seen.
    conversations: FxHashSet<(u64, u64)>,
    /// The descriptions of runs and branches, if the host wants them.
    recording: Option<Recording>,
    /// The distance of each site from the goal, if it was computed.
    distances: Vec<Option<u32>>,
    /// How close the last run and each kept run came to the goal.
    nearness: Nearness,
    sides: Sides,
    /// The number of the last run that covered something new.
    last_new: u64,
    /// A name that a run has looked up, and under which no process is registered.
    unregistered: Option<Atom>,
    /// Whether an unregistered name came from an input.
    has_made_up_name: bool,
}

/// The purpose of a run.
#[derive(Default)]
struct Purpose {
    /// The decisions that the run should begin with.
    expected: Vec<Side>,
    /// The staleness of the parent run.
    stale: u32,
    /// The run that was cut, if this is the same run once more with more steps.
    again: Option<u32>,
}

/// The length at which paths are not extended any further.
const LONGEST_PATH: usize = 100_000;
/// The maximum number of candidates in the queue.
const MOST_CANDIDATES: usize = 2_000_000;
const MOST_SEEN: u32 = 8;
/// The additional cost of going on from a state that was met before.
const OLD_STATE: u32 = 4;
/// The additional cost of a second attempt with more steps, and of each further one.
const LONGER: u32 = 8;
/// The number of runs between two reports of progress.
const PROGRESS_EVERY: u64 = 64;

impl<'a> Explorer<'a> {
    pub fn new(
        executor: &'a mut dyn Executor,
        unit: &'a Unit,
        solver: &'a mut dyn Solver,
        settings: &'a Settings,
        host: &'a mut dyn Host,
    ) -> Explorer<'a> {
        executor.set_alarm(host.alarm());
        let (recording, time) = (Recording::new(host.wanted_runs()), host.time_left());
        let mut runner = Runner::new(executor, unit, settings.samples.clone());
        runner.writes_out = recording.is_some() || settings.goal.is_some();
        Explorer {
            runner,
            unit,
            solver,
            settings,
            host,
            trie: Trie::default(),
            queue: Queue::default(),
            records: Records::default(),
            coverage: Coverage::default(),
            leaps: FxHashMap::default(),
            met: FxHashSet::default(),
            found: FxHashSet::default(),
            expected: FxHashSet::default(),
            cuts: 0,
            questions: 0,
            preferred: FxHashSet::default(),
            refutations: Refutations::new(settings.seed),
            ends: Ends::default(),
            returned: Returned::default(),
            exploration: Exploration::default(),
            states: FxHashSet::default(),
            conversations: FxHashSet::default(),
            recording,
            distances: Vec::new(),
            nearness: Nearness::default(),
            sides: Sides::within(time),
            last_new: 0,
            unregistered: None,
            has_made_up_name: false,
        }
    }

    pub fn explore(mut self) -> Exploration {
        for limit in &self.unit.contract.limits {
            *self.exploration.losses.entry(Loss::Specification(*limit)).or_default() += 1;
        }
        self.solver.begin_search(self.settings.seed);
        self.settings.samples.begin_search();
        let watcher = self.host.watcher();
        let ended = work::watched(watcher, || {
            self.exploration.ended = self.begin().or_else(|| self.search()).unwrap_or(Ended::Done);
            self.update_bound();
            if self.claims_all() && self.finds_lie() {
                self.search().unwrap_or(Ended::Done)
            } else {
                self.exploration.ended
            }
        });
        self.exploration.broken_off = ended.is_err();
        self.exploration.ended = ended.unwrap_or_else(|overdue| match overdue {
            Overdue::Time => Ended::OutOfTime,
            Overdue::Memory => Ended::OutOfMemory,
        });
        self.record_obstacle();
        if self.exploration.ended == Ended::OutOfMemory {
            self.lose(Loss::TotalMemory);
        }
        self.update_bound();
        if self.exploration.broken_off {
            // The work that was interrupted is no longer in the queue.
            self.exploration.bound = None;
        }
        self.exploration.rechecked.refutations = self.refutations.count();
        self.report_progress();
        self.exploration.branches = self.coverage.branches();
        self.exploration.covered = self.coverage.covered();
        self.exploration.unreachable = self.unreachable_sides();
        self.exploration.sites = self.branch_sites();
        self.exploration.taken = self.returned.into_kinds();
        self.exploration
    }

    fn update_bound(&mut self) {
        let open = self.queue.iter().map(|candidate| u32::from(candidate.probes));
        self.exploration.bound = open.min().and_then(|fewest| fewest.checked_sub(1));
    }

    fn search(&mut self) -> Option<Ended> {
        loop {
            if let Some(ended) = self.must_end() {
                return Some(ended);
            }
            if let Some(name) = self.unregistered.take() {
                self.begin_again(name);
                continue;
            }
            self.make_room();
            self.settle_when_due();
            let (coverage, settings) = (&self.coverage, self.settings);
            let next = self.queue.pop(|candidate, number| rank(settings, coverage, candidate, number));
            let Some(candidate) = next else {
                // If everything is decided, there is no undecided side to ask about.
                if !self.exploration.is_decided() && self.settle_sides() {
                    continue;
                }
                return None;
            };
            self.try_out(candidate);
            self.records.release(candidate.run);
        }
    }

    fn must_end(&mut self) -> Option<Ended> {
        if self.has_arrived() {
            return Some(Ended::Done);
        }
        if self.host.out_of_time() {
            return Some(Ended::OutOfTime);
        }
        if self.host.out_of_memory() {
            return Some(Ended::OutOfMemory);
        }
        if self.exploration.runs >= self.settings.max_runs {
            return Some(Ended::OutOfRuns);
        }
        self.is_stuck().then_some(Ended::Stuck)
    }

    /// Drops candidates if they need too much memory: a run cannot be forgotten while it has candidates in the queue.
    fn make_room(&mut self) {
        if self.records.input_bytes() > self.settings.memory / 8 {
            self.forget_refutations();
        }
        let keep = match self.records.input_bytes() > self.settings.memory / 4 {
            _ if self.queue.len() > MOST_CANDIDATES => MOST_CANDIDATES * 3 / 4,
            true => self.queue.len() / 2,
            false => return,
        };
        let (coverage, settings, records) = (&self.coverage, self.settings, &mut self.records);
        let mut dropped = 0;
        let rank = |candidate: &Candidate, number| rank(settings, coverage, candidate, number);
        self.queue.cut(keep, rank, |candidate| {
            records.release(candidate.run);
            dropped += 1;
        });
        self.lose_many(Loss::CandidatesDropped, dropped);
    }

    fn try_out(&mut self, candidate: Candidate) {
        let Candidate { run, decision, way, .. } = candidate;
        let way = match way {
            Way::Longer => return self.run_longer(run),
            Way::Leap(way) => return self.leap(run, decision, way),
            Way::Other(way) => way,
            Way::From(index) => match self.next_in_line(candidate, index) {
                Some(way) => way,
                None => return,
            },
        };
        if self.trie.is_done(run, decision, way) {
            return;
        }
        let mut expected = self.trie.path(run);
        let (Some(inputs), Some(step)) = (self.records.inputs(run), expected.get(decision as usize).copied()) else {
            return self.lose(Loss::Forgotten);
        };
        let stale = self.records.get(run).stale;
        expected.truncate(decision as usize);
        expected.push(Side { way, ..step });
        match self.trie.sites().site(step.site).place {
            Place::Choice(_) => {
                let choices = self.choices(&expected);
                let steps = self.records.get(run).steps;
                return self.run(inputs.choosing(choices), steps, Purpose { expected, stale, again: None });
            }
            Place::Input(_) => {
                let chosen: Vec<u32> = expected.iter().map(|step| step.way).collect();
                return self.run_choices(&chosen, Some(&inputs), Purpose { expected, stale, again: None });
            }
            Place::Code { .. } | Place::Lookup(_) | Place::Observed(_) | Place::Domain(_) | Place::Result(_) => {}
        }
        match self.solve(run, decision, way, &inputs) {
            Asked::Inputs(changed) => {
                let steps = self.records.get(run).steps;
                let changed = changed.choosing(self.choices(&expected));
                self.run(changed.clone(), steps, Purpose { expected, stale, again: None });
                self.repeat_if_closer(run, &inputs, &changed);
            }
            Asked::Refuted(refuter) => {
                let candidate = Candidate { way: Way::Other(way), ..candidate };
                self.note_refutation(refuter, candidate);
                self.offer_leap(candidate, Side { way, ..step });
            }
            Asked::Open => {
                self.keep_undecided(Side { way, ..step });
                self.record_open(Side { way, ..step });
            }
        }
    }

    /// Returns what function inputs chose along a path.
    fn choices(&self, path: &[Side]) -> FxHashMap<Label, u32> {
        let chosen = |step: &Side| match self.trie.sites().site(step.site).place {
            Place::Choice(label) => Some((label, step.way)),
            _ => None,
        };
        path.iter().filter_map(chosen).collect()
    }

    fn run_longer(&mut self, run: u32) {
        let Some(inputs) = self.records.inputs(run) else { return self.lose(Loss::Forgotten) };
        // Without shadows, running to the step limit takes little time, so a run that never ends is reported early.
        if self.records.get(run).steps <= self.settings.steps && !inputs.has_functions() {
            self.failed(Some(&inputs), Failure::Timeout(Unended::after_calls(self.settings.most_steps)));
        }
        let record = self.records.get(run);
        let steps = record.steps.saturating_mul(2).min(self.settings.most_steps);
        let purpose = Purpose { expected: self.trie.path(run), stale: record.stale, again: Some(run) };
        self.run(inputs, steps, purpose);
    }

    /// Returns inputs that take another side at a decision.
    fn solve(&mut self, run: u32, decision: u32, way: u32, inputs: &Inputs) -> Asked<Inputs> {
        let Some(mut path) = self.path(run) else { return Asked::Open };
        let at = decision as usize;
        let Some(event) = path.events.get(at) else { return Asked::Open };
        let wanted = event.condition(way, &mut path.formulas);
        let screened = path.screened.remove(&(decision, way));
        let is_screened = screened.is_some();
        let laid = match &screened {
            Some(Screened::Sat(model)) => solver::apply(&path.formulas, &inputs.values, model),
            Some(Screened::Unsat | Screened::Open | Screened::Late) | None => None,
        };
        let changed = match laid.filter(|values| {
            satisfies(&path.formulas, &path.held[..at], wanted, values, &Sampler::new(&mut self.runner))
        }) {
            Some(values) => Asked::Inputs(values),
            None => {
                let answer = self.ask(&mut path, at, wanted, inputs, is_screened);
                if matches!(answer, Asked::Refuted(_)) {
                    self.prefer(run, &path, at, wanted, inputs);
                }
                answer
            }
        };
        let changed = match (changed, self.settings.size_bound) {
            (Asked::Inputs(changed), Some(bound)) => self.shorten(&mut path, at, wanted, inputs, changed, bound),
            (changed, _) => changed,
        };
        self.records.keep_path(run, path, self.path_memory());
        match changed {
            Asked::Inputs(values) => Asked::Inputs(inputs.changed(values)),
            Asked::Refuted(refuter) => Asked::Refuted(refuter),
            Asked::Open => Asked::Open,
        }
    }

    fn undecided(&mut self, why: Loss) {
        self.exploration.unknown += 1;
        self.sides.note_undecided(&why);
        self.lose(why);
    }

    /// Returns the path of a kept run, and repeats the run if its path was dropped.
    fn path(&mut self, run: u32) -> Option<Box<Path>> {
        if let Some(path) = self.records.take_path(run) {
            return Some(path);
        }
        let Some(inputs) = self.records.inputs(run) else {
            self.lose(Loss::Forgotten);
            return None;
        };
        let path = match inputs.form.is_impossible {
            true => Path::of_choices(inputs.form.events()),
            false => {
                let Symbolic { judged, recorder, .. } = self.runner.symbolic(&inputs, self.records.get(run).steps);
                if matches!(judged, Judged::Stopped(Stop::Interrupted)) {
                    return None;
                }
                self.exploration.replays += 1;
                Path::new(recorder)
            }
        };
        let mut path = Box::new(path);
        let steps = self.steps(&path);
        if steps != self.trie.path(run) {
            self.lose(Loss::NotRepeated);
            return None;
        }
        path.hold();
        Some(path)
    }

    /// Returns the memory for paths: the tree grows and cannot be dropped, so its size reduces what is left for paths.
    fn path_memory(&self) -> usize {
        (self.settings.memory / 2).saturating_sub(self.trie.size())
    }

    fn steps(&mut self, path: &Path) -> Vec<Side> {
        path.events.iter().filter_map(Event::decision).map(|decision| self.trie.step(decision)).collect()
    }

    fn run_choices(&mut self, chosen: &[u32], from: Option<&Inputs>, purpose: Purpose) {
        let form = self.runner.form(chosen);
        let from = from.map(|inputs| (&*inputs.form, &*inputs.values));
        let values = match form.is_impossible {
            true => None,
            false => form.values(&self.unit.contract.types, from),
        };
        self.run(Inputs::new(form, values.unwrap_or_default()), self.settings.steps, purpose);
    }

    fn run(&mut self, inputs: Inputs, steps: u64, purpose: Purpose) {
        let (mut state, mut has_compared_functions, mut identifies_functions) = (None, false, false);
        let (judged, path, inputs, written, result, marks) = match inputs.form.is_impossible {
            true => {
                self.lose(Loss::NoInputs);
                (Judged::NotMade, Path::of_choices(inputs.form.events()), inputs, None, None, Marks::default())
            }
            false => {
                self.exploration.runs += 1;
                let Symbolic { judged, mut recorder, inputs, written, handed, result, head } =
                    self.runner.symbolic(&inputs, steps);
                head.into_iter().for_each(|head| head.note(&mut self.exploration.heads));
                let marks = std::mem::take(&mut recorder.marks);
                self.exploration.handed |= handed;
                self.exploration.has_processes |= recorder.has_processes;
                self.exploration.leaves_messages += u64::from(recorder.messages_left > 0);
                self.exploration.runs_with_reports += u64::from(recorder.error_reports > 0);
                self.exploration.error_reports += recorder.error_reports;
                self.lose_concretised(&recorder.events);
                has_compared_functions = recorder.events.iter().any(compares_functions);
                identifies_functions =
                    has_compared_functions || recorder.surroundings.contains(&Surrounding::Compilation);
                recorder.surroundings.iter().for_each(|asked| self.lose(Loss::DependsOn(*asked)));
                state = recorder.states.last().copied();
                (judged, Path::new(recorder), inputs, written, result, marks)
            }
        };
        self.arrive(written.as_ref().unwrap_or(&inputs), &marks);
        if self.has_arrived() {
            return;
        }
        if self.host.out_of_time() {
            // There is no time left to look for alternatives, of which there may be many.
            self.conclude(written.as_ref(), steps, judged, path.events.len());
            return;
        }
        let mut path = Box::new(path);
        let taken = self.steps(&path);
        let cut = matches!(judged, Judged::Cut);
        if cut && steps < self.settings.most_steps && is_before(&taken, &purpose.expected) {
            // With other values, the run takes more steps to the same place.
            let steps = steps.saturating_mul(2).min(self.settings.most_steps);
            return self.run(inputs, steps, purpose);
        }
        // Formulas distinguish functions by their arity only, so a comparison of two functions may differ from them.
        if !taken.starts_with(&purpose.expected) && !has_compared_functions {
            self.exploration.diverged += 1;
            self.lose(Loss::Diverged);
        }
        let near = self.near(&taken, &mut path, &inputs);
        let (occurrences, fresh) = self.cover(&taken, &path);
        if fresh {
            self.last_new = self.exploration.runs;
        }
        let stale = if fresh { 0 } else { purpose.stale.saturating_add(1) };
        // Whatever a client can do next, it could have done where the state was first met.
        let is_old = state.is_some_and(|state| !self.states.insert(state));
        let stale = if is_old { stale.saturating_add(OLD_STATE) } else { stale };
        if fresh && let Some(args) = inputs.plain() {
            self.host.opened(&args);
        }
        let ran = self.begin_record(&judged, written.as_ref().unwrap_or(&inputs), result);
        let ran = ran.map(|ran| Ran { identifies_functions, ..ran });
        let form = Rc::clone(&inputs.form);
        if matches!(judged, Judged::Fine) {
            self.returned.remember(&self.unit.contract.types, &inputs);
        }
        self.conclude(written.as_ref(), steps, judged, taken.len());
        let grown = self.trie.add(&taken);
        let run = match grown {
            Some(grown) => {
                let run = self.records.add(inputs, steps, stale);
                debug_assert_eq!(run, grown.chain);
                self.nearness.keep(run, near);
                path.hold();
                self.offer(grown, &mut path, &taken, &occurrences, stale);
                Some(run)
            }
            // The run took more steps and met no new decisions.
            None => purpose.again.inspect(|run| self.records.set_steps(*run, steps)),
        };
        if let Some(run) = run
            && cut
            && steps < self.settings.most_steps
            && taken.len() < LONGEST_PATH
        {
            let doublings = (steps / self.settings.steps.max(1)).max(1).ilog2();
            let extra = (LONGER * (1 + doublings)) as u16;
            let decision = taken.len() as u32;
            let probes = path.events.iter().map(probes_of).sum();
            self.push(Candidate { run, decision, way: Way::Longer, side: u32::MAX, extra, probes });
        }
        self.record(ran, &form, &mut path, &taken, grown);
        if let Some(grown) = grown {
            self.records.keep_path(grown.chain, path, self.path_memory());
            self.records.forget_if_idle(grown.chain);
        }
        if self.exploration.runs.is_multiple_of(PROGRESS_EVERY) {
            self.report_progress();
        }
    }

    fn push(&mut self, candidate: Candidate) {
        self.records.wait(candidate.run);
        let (coverage, settings) = (&self.coverage, self.settings);
        self.queue.push(candidate, |number| rank(settings, coverage, &candidate, number));
    }

    fn lose(&mut self, loss: Loss) {
        self.lose_many(loss, 1);
    }

    fn lose_many(&mut self, loss: Loss, times: u64) {
        if times > 0 {
            *self.exploration.losses.entry(loss).or_default() += times;
        }
    }

    /// Records each reason once per run.
    fn lose_concretised(&mut self, events: &[Event]) {
        let mut reasons = FxHashSet::default();
        for event in events {
            if let Event::Concretised { why, .. } = event
                && reasons.insert(why)
            {
                self.lose(Loss::Concretised(*why));
            }
        }
    }

    fn report_progress(&mut self) {
        self.host.progress(&Progress {
            runs: self.exploration.runs,
            queries: self.exploration.queries,
            findings: self.exploration.findings.len(),
            open: self.queue.len(),
            covered: self.coverage.covered(),
            branches: self.coverage.branches(),
        });
    }
}

/// Returns whether a path ends before the last of the decisions that it should begin with.
fn is_before(taken: &[Side], expected: &[Side]) -> bool {
    taken.len() < expected.len() && expected.starts_with(taken)
}

/// Returns all sides except for the one that was taken.
fn others(taken: u32, ways: u32) -> impl Iterator<Item = u32> {
    (0..ways).filter(move |way| *way != taken)
}

fn rank(settings: &Settings, coverage: &Coverage, candidate: &Candidate, number: u64) -> u64 {
    // Among equals the oldest comes first, or with a seed, an arbitrary one that follows from the seed.
    let tie = if settings.seed == 0 { 0 } else { FxBuildHasher.hash_one((settings.seed, number)) >> 48 };
    let ranked = |cost: u32| u64::from(cost) << 16 | tie;
    match settings.strategy {
        Strategy::Coverage => ranked(1 + coverage.seen(candidate.side).min(MOST_SEEN) + u32::from(candidate.extra)),
        Strategy::BreadthFirst => ranked(candidate.decision),
        Strategy::DepthFirst => u64::from(u32::MAX - candidate.decision) << 32 | u64::from(u32::MAX - number as u32),
    }
}

fn compares_functions(event: &Event) -> bool {
    matches!(event, Event::Concretised { why: Concretised::IdentityOfFunction, .. })
}
