//! Reaches places in the code: searches backwards and forwards in turns, until one search arrives, a proof shows that
//! the place is unreachable, or the time is over.

mod arrival;
mod entries;
mod sides;
mod targets;

pub use arrival::tests;
pub use sides::settle;

pub use targets::{Place, Resolved};

use crate::place::Files;
use crate::single::Until;
use crate::solving::Timed;
use entries::Exported;
use formula::{Formulas, Learner, Sample, TermId, Variable};
use frontend::{Code, Languages};
use interaction::MachineExecutor;
use path::{Executor, Mark};
use program::Module;
use reach::{
    CallGraph, Entries, Found, FunctionRef, Invariants, Natives, Outcome, Program, Proposal, Reachable, Refutation,
    Walk, Words,
};
use report::{Dead, Reach, ReachVerdict};
use rustc_hash::FxHashMap;
use search::{Exploration, Goal, Reached, Settings, Unit, explore};
use session::{Rows, Session, WantedMarks, with_marks};
use solver::Solver;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{Atom, FunctionName, Term};

/// The settings and services for reaching targets, shared by all targets.
pub struct Reaching<'a> {
    pub session: &'a mut Session,
    pub solver: &'a mut Timed,
    pub languages: &'a Languages,
    pub files: &'a Files,
    /// The settings of the forward searches.
    pub settings: Settings,
    /// The only entries. If empty, all exported functions are entries.
    pub from: Vec<FunctionName>,
    pub user_modules: Vec<Atom>,
    /// Libraries with marks.
    pub libraries: Vec<Atom>,
    pub is_confirmed: bool,
    /// The marks of all targets, which the code of the session has.
    pub wanted: WantedMarks,
    /// The time for one target.
    pub time: Duration,
    pub direction: Direction,
}

/// The directions in which a target is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Both,
    /// Backwards only: proofs that the target is unreachable are all that is wanted.
    Backwards,
    /// Forwards without any guidance, for comparison.
    Undirected,
}

/// The ways backwards and runs forwards of the first turn. Each turn has `MORE` times as many as the one before.
const FIRST_WAYS: u64 = 32;
const FIRST_RUNS: u64 = 24;
const MORE: u64 = 4;
/// The number of steps that may be spent on finding the reasons of a proof.
const MOST_EXPLAINING: u32 = 200;
/// The longest time that the solver has for one step backwards.
const LONGEST_QUERY: Duration = Duration::from_millis(400);
/// The time by which the walk backwards may be ahead of the runs forwards.
const HEAD_START: Duration = Duration::from_millis(400);
/// The number of modules of libraries that may be loaded because a way leads into them.
const MOST_MODULES: usize = 40;
/// The step limit of one call that samples a function.
const STEPS_OF_SAMPLE: u64 = 20_000;

/// A target and how it was reached, from which tests can be made.
pub struct Arrived {
    pub report: Reach,
    /// `None` if it was not reached, or if the real runtime does not reach it.
    pub reached: Option<(FunctionName, Reached)>,
}

/// The outcome of a turn.
enum Turn {
    Reached(FunctionName, Reached),
    Unreachable(Vec<Dead>),
    Open,
}

impl<'a> Reaching<'a> {
    /// Prepares to reach targets in a single module from all functions that it exports. The real runtime is not asked.
    pub fn in_module(
        session: &'a mut Session,
        solver: &'a mut Timed,
        languages: &'a Languages,
        files: &'a Files,
        (module, wanted): (Atom, WantedMarks),
        settings: Settings,
        time: Duration,
    ) -> Reaching<'a> {
        Reaching {
            session,
            solver,
            languages,
            files,
            settings,
            from: Vec::new(),
            user_modules: vec![module],
            libraries: Vec::new(),
            is_confirmed: false,
            wanted,
            time,
            direction: Direction::Both,
        }
    }
}

impl Reaching<'_> {
    /// Returns the modules that may contain targets.
    pub fn modules(&self) -> Vec<Atom> {
        self.user_modules.iter().chain(&self.libraries).copied().collect()
    }

    pub fn reach(&mut self, shown: &str, place: &Place) -> Result<Arrived, frontend::CodeError> {
        let start = Instant::now();
        let resolved = place.resolve(&*self.session.code, &self.modules())?;
        let from = self.entries_in_words();
        let mut effort = Effort::default();
        let (verdict, reached) = match resolved {
            Resolved::NoCode => (ReachVerdict::NoCode, None),
            Resolved::NoModule => (ReachVerdict::Undecided { why: vec![self.no_module(place)] }, None),
            Resolved::Removed => (ReachVerdict::Unreachable { from, why: vec![Dead::Removed] }, None),
            Resolved::Marks(marks) => match self.search(&marks, start, &mut effort)? {
                Turn::Reached(entry, reached) => {
                    let verdict = self.arrival(entry, &reached, &marks);
                    let is_reached = matches!(verdict, ReachVerdict::Reached(_));
                    (verdict, is_reached.then_some((entry, reached)))
                }
                Turn::Unreachable(why) => (ReachVerdict::Unreachable { from, why }, None),
                Turn::Open => (ReachVerdict::Undecided { why: effort.why() }, None),
            },
        };
        let seconds = start.elapsed().as_secs_f64();
        let report =
            Reach { target: shown.to_string(), verdict, segments: effort.segments, runs: effort.runs, seconds };
        Ok(Arrived { report, reached })
    }

    /// Returns the lines of the user's modules that nothing reaches, where that is quickly proved, with the reasons.
    pub fn dead_lines(&mut self) -> Result<Vec<(String, u32, Vec<Dead>)>, frontend::CodeError> {
        let mut dead = Vec::new();
        for name in self.user_modules.clone() {
            let Some(module) = self.session.code.load(name)? else { continue };
            let file = |index: u16| module.files.get(usize::from(index)).cloned().unwrap_or_default();
            let mut lines: BTreeMap<(u16, u32), Vec<Mark>> = BTreeMap::new();
            for place in reach::marks_of(&module) {
                lines.entry((place.span.file, place.mark.line)).or_default().push(place.mark);
            }
            for (line, _) in reach::marks_set(&module) {
                lines.entry((0, line)).or_default();
            }
            for ((index, line), marks) in lines {
                let why = match marks.is_empty() {
                    true => vec![Dead::Removed],
                    false => match self.search(&marks, Instant::now(), &mut Effort::default())? {
                        Turn::Unreachable(why) => why,
                        Turn::Reached(..) | Turn::Open => continue,
                    },
                };
                dead.push((file(index), line, why));
            }
        }
        Ok(dead)
    }

    fn no_module(&self, place: &Place) -> String {
        match place {
            Place::Line { file, .. } => report::no_module_of_file(file),
            Place::Function(name) => report::no_module(&self.languages.language(name.module).module(name.module)),
        }
    }

    /// Describes the entries in words.
    pub fn entries_in_words(&self) -> String {
        if self.from.is_empty() {
            return match self.user_modules.as_slice() {
                [module] => format!("the exported functions of {}", self.languages.language(*module).module(*module)),
                modules => format!("the exported functions of the {} modules that were given", modules.len()),
            };
        }
        let names = self.from.iter().map(|name| self.languages.language(name.module).function(*name));
        names.collect::<Vec<_>>().join(", ")
    }

    /// Returns the code to analyse: the user's modules, those that targets are in, the prelude, and `more`.
    fn program(&self, more: &[Atom]) -> Result<Vec<Arc<Module>>, frontend::CodeError> {
        let prelude = self.session.code.language().prelude();
        let mut modules: Vec<Arc<Module>> = Vec::new();
        for name in self.modules().iter().chain([&prelude]).chain(more) {
            if modules.iter().any(|known| known.name == *name) {
                continue;
            }
            // A library module that cannot be loaded is not followed.
            match self.session.code.load(*name) {
                Ok(module) => modules.extend(module.map(|module| with_marks(&module, &self.wanted))),
                Err(error) if self.user_modules.contains(name) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(modules)
    }

    fn search(&mut self, marks: &[Mark], start: Instant, effort: &mut Effort) -> Result<Turn, frontend::CodeError> {
        let mut more: Vec<Atom> = Vec::new();
        loop {
            let program = Program::new(self.program(&more)?);
            let rows = Rows(self.session.code.language());
            let graph = CallGraph::new(&program, &rows);
            let code = Arc::clone(&self.session.code);
            let (modules, from) = (self.user_modules.clone(), self.from.clone());
            let entries = Exported::new(&code, &modules, &from);
            let mut missing = Vec::new();
            let turn = self.turns(&graph, &rows, &entries, marks, start, effort, (&more, &mut missing));
            if !matches!(turn, Turn::Open) || missing.is_empty() || more.len() >= MOST_MODULES || self.is_over(start) {
                return Ok(turn);
            }
            more.extend(missing);
        }
    }

    /// Returns the conditions that make a target unreachable, if conditions on the ways to it refute them all in a few
    /// steps.
    fn explained(&mut self, mut walk: Walk<'_, '_>, start: Instant) -> Option<Vec<Dead>> {
        for _ in 0..MOST_EXPLAINING {
            if self.is_over(start) {
                return None;
            }
            let executor = MachineExecutor::new(&mut self.session.machine);
            match walk.step(self.solver, &Asking(RefCell::new(executor))) {
                Found::Nothing => {}
                Found::Done(Outcome::Unreachable(why)) => {
                    return Some(told(&why)).filter(|why| why.iter().any(says_something));
                }
                Found::Proposal(_) | Found::Done(Outcome::Open) => return None,
            }
        }
        None
    }

    fn is_over(&self, start: Instant) -> bool {
        start.elapsed() >= self.time
    }

    #[allow(clippy::too_many_arguments)]
    fn turns(
        &mut self,
        graph: &CallGraph<'_>,
        rows: &dyn Natives,
        entries: &Exported<'_>,
        marks: &[Mark],
        start: Instant,
        effort: &mut Effort,
        (known, missing): (&[Atom], &mut Vec<Atom>),
    ) -> Turn {
        let needed = |walk: &Walk<'_, '_>| -> Vec<Atom> {
            walk.missing().into_iter().filter(|module| !known.contains(module)).collect()
        };
        let words = InWords { languages: self.languages, files: self.files, code: Arc::clone(&self.session.code) };
        let distances = distances(graph, marks);
        let is_guiding = self.direction != Direction::Undirected;
        let goal = Goal { is_guiding, ..goal(graph, &distances, marks) };
        let mut callable: Vec<(FunctionName, u32)> = distances
            .iter()
            .map(|(function, calls)| (graph.program.name_of(*function), *calls))
            .filter(|(name, _)| entries.contract(*name).is_some())
            .collect();
        // Functions with a specification come first, and among these the nearest.
        callable.sort_by_key(|(name, calls)| {
            (!entries.is_typed(*name), *calls, name.module.text(), name.function.text(), name.arity)
        });
        let reachable = Reachable::new(graph, entries);
        if !graph.functions_with(marks).into_iter().any(|function| reachable.contains(function)) {
            return Turn::Unreachable(vec![Dead::NeverCalled]);
        }
        let invariants = Invariants::new(graph, rows, entries, &reachable);
        // Servers are reached through clients of their modules; a direct call of one of their callbacks is no answer.
        let clients: Vec<FunctionName> = self.clients(marks);
        let is_callback = |name: FunctionName| {
            !clients.is_empty() && entries.contract(name).is_some_and(|contract| contract.behaviour.is_some())
        };
        let samples = self.settings.samples.clone();
        let walk = Walk::new(graph, rows, (entries, &reachable), &words, marks, samples);
        let mut walk = walk.knowing(&invariants);
        let (mut ways, mut runs) = (FIRST_WAYS, FIRST_RUNS);
        let mut is_backward_done = self.direction == Direction::Undirected;
        let mut exhausted: Vec<FunctionName> = Vec::new();
        let before = effort.segments;
        // Neither direction gets much more time than the other.
        let (mut backwards, mut forwards) = (Duration::ZERO, Duration::ZERO);
        loop {
            let began = Instant::now();
            for _ in 0..ways {
                let is_enough = backwards + began.elapsed() > forwards + HEAD_START;
                if is_backward_done || is_enough || self.is_over(start) {
                    break;
                }
                let found = {
                    let mut executor = MachineExecutor::new(&mut self.session.machine);
                    let end = start + self.time;
                    executor.set_alarm(Some(Arc::new(move || Instant::now() > end)));
                    let executor = RefCell::new(executor);
                    self.solver.set_time_left(Some(self.time.saturating_sub(start.elapsed()).min(LONGEST_QUERY)));
                    walk.step(self.solver, &Asking(executor))
                };
                effort.segments = before + walk.segments();
                match found {
                    Found::Proposal(_) if self.direction == Direction::Backwards => return Turn::Open,
                    Found::Proposal(Proposal { entry, .. }) if is_callback(entry) => {}
                    Found::Proposal(Proposal { entry, args }) => {
                        let settings = Settings { seeds: vec![args], max_runs: 1, ..self.settings.clone() };
                        let explored = self.forwards(entries, entry, &goal, settings, start);
                        effort.runs += explored.runs;
                        if let Some(reached) = explored.reached {
                            return Turn::Reached(entry, reached);
                        }
                        walk.miss();
                    }
                    Found::Nothing => {}
                    Found::Done(Outcome::Unreachable(why)) => {
                        let why = told(&why);
                        if why.iter().any(says_something) {
                            return Turn::Unreachable(why);
                        }
                        // The proof rests on invariants alone, which are not conditions that could be shown. The
                        // conditions on the ways may refute all of them, too, and can be shown.
                        let samples = self.settings.samples.clone();
                        let walk = Walk::new(graph, rows, (entries, &reachable), &words, marks, samples);
                        return Turn::Unreachable(self.explained(walk, start).unwrap_or(why));
                    }
                    Found::Done(Outcome::Open) => is_backward_done = true,
                }
            }
            backwards += began.elapsed();
            if self.direction == Direction::Backwards {
                if is_backward_done || self.is_over(start) {
                    return Turn::Open;
                }
                forwards = backwards;
                continue;
            }
            let began = Instant::now();
            let functions = callable.iter().map(|(entry, _)| entry).filter(|entry| !is_callback(**entry));
            for entry in clients.iter().chain(functions) {
                if self.is_over(start) {
                    break;
                }
                if exhausted.contains(entry) {
                    continue;
                }
                let settings = Settings { max_runs: runs, ..self.settings.clone() };
                let explored = self.forwards(entries, *entry, &goal, settings, start);
                effort.runs += explored.runs;
                if let Some(reached) = explored.reached {
                    return Turn::Reached(*entry, reached);
                }
                if explored.is_exhaustive() && !explored.has_processes && !entry.is_client() {
                    exhausted.push(*entry);
                }
                effort.note(&explored);
            }
            forwards += began.elapsed();
            let is_called_otherwise = |(name, _): &(FunctionName, u32)| {
                let function = graph.program.find(*name);
                entries.is_typed(*name) && function.is_none_or(|function| reachable.is_called_by_name(function))
            };
            let is_complete = exhausted.len() == callable.len() && !callable.iter().any(is_called_otherwise);
            if is_complete && !callable.is_empty() {
                return Turn::Unreachable(vec![Dead::Exhausted]);
            }
            let is_done = is_backward_done && exhausted.len() == callable.len();
            if self.is_over(start) || is_done || !needed(&walk).is_empty() {
                *missing = needed(&walk);
                return Turn::Open;
            }
            (ways, runs) = (ways.saturating_mul(MORE), runs.saturating_mul(MORE));
        }
    }

    /// Returns the clients of the modules that marks are in, if these are servers.
    fn clients(&self, marks: &[Mark]) -> Vec<FunctionName> {
        let mut clients: Vec<FunctionName> = Vec::new();
        for mark in marks {
            let name = FunctionName::client_of(mark.module);
            let is_server = || {
                let module = self.session.code.load(mark.module).ok().flatten();
                let plan = module.and_then(|module| self.session.code.client(&module, &self.user_modules, true));
                plan.is_some_and(|plan| plan.has_states)
            };
            if self.from.is_empty() && !clients.contains(&name) && is_server() {
                clients.push(name);
            }
        }
        clients
    }

    /// Searches from one entry.
    fn forwards(
        &mut self,
        entries: &Exported<'_>,
        entry: FunctionName,
        goal: &Goal,
        settings: Settings,
        start: Instant,
    ) -> Exploration {
        let FunctionName { module, function, arity } = entry;
        let contract = match entry.is_client() {
            true => self.session.unit(module, function, arity).ok().map(|unit| unit.contract),
            false => entries.contract(entry).map(|contract| (*contract).clone()),
        };
        let Some(contract) = contract else { return Exploration::default() };
        let unit =
            Unit { module, function, arity, contract, user_modules: self.modules(), expected: Default::default() };
        let settings = Settings { goal: Some(goal.clone()), ..settings };
        let left = self.time.saturating_sub(start.elapsed());
        let mut host = Until::passed(left).hurrying(left);
        let mut executor = MachineExecutor::new(&mut self.session.machine);
        explore(&mut executor, &unit, self.solver, &settings, &mut host)
    }
}

/// Returns all marks in the code of a module.
pub fn marks_of(module: &Module) -> Vec<Mark> {
    reach::marks_of(module).iter().map(|place| place.mark).collect()
}

/// The work done for a target, and the reasons why it is undecided.
#[derive(Default)]
struct Effort {
    segments: u64,
    runs: u64,
    why: Vec<String>,
}

impl Effort {
    fn note(&mut self, explored: &Exploration) {
        for name in explored.unsupported.keys() {
            let words = format!("{name} is denied or not supported");
            if !self.why.contains(&words) {
                self.why.push(words);
            }
        }
    }

    fn why(&mut self) -> Vec<String> {
        match self.why.is_empty() {
            true => vec!["the time was over, or nothing was left to try".to_string()],
            false => std::mem::take(&mut self.why),
        }
    }
}

/// Returns the least number of calls from each function to one of the marks.
fn distances(graph: &CallGraph<'_>, marks: &[Mark]) -> FxHashMap<FunctionRef, u32> {
    let mut all: FxHashMap<FunctionRef, u32> = FxHashMap::default();
    for target in graph.functions_with(marks) {
        for (function, calls) in graph.distances(target) {
            let known = all.entry(function).or_insert(calls);
            *known = calls.min(*known);
        }
    }
    all
}

fn goal(graph: &CallGraph<'_>, distances: &FxHashMap<FunctionRef, u32>, marks: &[Mark]) -> Goal {
    let mut by_name: FxHashMap<FunctionName, u32> = FxHashMap::default();
    for (function, calls) in distances {
        let known = by_name.entry(graph.program.name_of(*function)).or_insert(*calls);
        *known = (*calls).min(*known);
    }
    Goal {
        marks: marks.into(),
        distance: Arc::new(move |place| {
            let name = FunctionName { module: place.module, function: place.function, arity: place.arity };
            by_name.get(&name).copied()
        }),
        is_guiding: true,
    }
}

/// Returns the refutations that have something to say, or else a single contradiction without conditions.
fn told(refutations: &[Refutation]) -> Vec<Dead> {
    let told: Vec<Dead> = refutations.iter().map(dead).filter(says_something).collect();
    if told.is_empty() { vec![Dead::Contradiction(Vec::new())] } else { told }
}

fn says_something(dead: &Dead) -> bool {
    match dead {
        Dead::Contradiction(needed) => needed.iter().any(|(_, words)| words != "false"),
        Dead::NeverCalled | Dead::Removed | Dead::Exhausted => true,
    }
}

fn dead(refutation: &Refutation) -> Dead {
    let needed = refutation.needed.iter().map(|needed| {
        let file = needed.file.rsplit('/').next().unwrap_or_default();
        (format!("{file}:{}", needed.line), needed.words.clone())
    });
    Dead::Contradiction(needed.collect())
}

/// Samples functions on the machine.
struct Asking<'e>(RefCell<MachineExecutor<'e>>);

impl Learner for Asking<'_> {
    fn learn(&self, function: FunctionName, args: &[Term]) -> Option<Sample> {
        self.0.borrow_mut().sample(function, args, STEPS_OF_SAMPLE)
    }
}

/// Shows conditions in the language of the module that they come from, with the names of parameters in its source.
struct InWords<'a> {
    languages: &'a Languages,
    files: &'a Files,
    code: Arc<dyn Code>,
}

impl Words for InWords<'_> {
    fn condition(
        &self,
        formulas: &Formulas,
        condition: TermId,
        name: &dyn Fn(Variable) -> Option<(FunctionName, u32)>,
    ) -> String {
        let module = formulas.variables(condition).into_iter().find_map(name).map(|(function, _)| function.module);
        let language = match module {
            Some(module) => self.languages.language(module),
            None => self.languages.usual(),
        };
        language.condition(formulas, condition, &|variable| match name(variable) {
            Some((function, parameter)) => {
                let module = self.code.load(function.module).ok().flatten();
                let names = module.map(|module| self.files.parameters_of(&module, function, language));
                names
                    .and_then(|names| names.get(parameter as usize).cloned())
                    .unwrap_or_else(|| language.variable("X", parameter as usize + 1))
            }
            None => language.variable("V", variable.0 as usize),
        })
    }
}
