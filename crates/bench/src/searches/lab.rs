//! Explores functions in this process, where the parts of their time can be measured.

use anyhow::Context;
use campaign::{Timed, Until};
use frontend::CodeConfig;
use interaction::MachineExecutor;
use machine::Limits;
use path::Outcome;
use search::{Exploration, Failure, Settings, Unit};
use session::Session;
use solver::{Chain, SmtSettings, Statistics, WalkSettings};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use term::{Atom, FunctionName, Term};

/// The factor by which the elapsed time may exceed the requested processor time on a busy computer.
const PATIENCE: u32 = 6;

pub struct Lab {
    session: Session,
    solver: Timed,
}

/// The result of an exploration, with times in seconds of this thread's processor time.
pub struct Explored {
    pub exploration: Exploration,
    pub seconds: f64,
    pub screening: f64,
    pub solving: f64,
    pub statistics: Statistics,
}

impl Explored {
    /// Returns the number of flips that were answered, and of those that were answered without the SMT solver.
    pub fn flips(&self) -> Flips {
        let of = &self.statistics;
        Flips { all: of.native + of.queries, native: of.native + of.guessed + of.cached }
    }
}

#[derive(Clone, Copy, Default)]
pub struct Flips {
    pub all: u64,
    pub native: u64,
}

impl Flips {
    pub fn share(self) -> f64 {
        self.native as f64 / self.all.max(1) as f64
    }
}

impl Lab {
    pub fn open(sources: Vec<PathBuf>, erl: PathBuf, cache: PathBuf) -> anyhow::Result<Lab> {
        let limits = Limits { steps: u64::MAX, memory: 1 << 30, result: 1_000_000, eager_collection: false };
        let config = CodeConfig { sources, cache_dir: Some(cache), runtime: Some(erl), ..CodeConfig::default() };
        let solver = Timed::over(Chain::start(&SmtSettings::default()), processor_time);
        Ok(Lab { session: Session::new(beam::open(config)?, limits)?, solver })
    }

    pub fn unit(&self, module: &str, function: &str, arity: u32) -> anyhow::Result<Unit> {
        Ok(self.session.unit(Atom::new(module), Atom::new(function), arity)?)
    }

    /// Returns the unit of a module's clients.
    pub fn client(&self, module: &str) -> anyhow::Result<Unit> {
        let FunctionName { module, function, arity } = FunctionName::client_of(Atom::new(module));
        Ok(self.session.unit(module, function, arity)?)
    }

    /// Returns the names of the exported functions with one argument.
    pub fn exports(&self, module: &str) -> anyhow::Result<Vec<String>> {
        let program = self.session.code.load(Atom::new(module))?;
        let program = program.with_context(|| format!("there is no module {module}"))?;
        let exported = program.functions.iter().filter(|function| function.exported && function.arity == 1);
        let own = exported.filter(|function| function.name.text() != "module_info");
        Ok(own.map(|function| function.name.text().to_string()).collect())
    }

    /// Returns names and arities of the functions that have a specification.
    pub fn functions(&self, module: &str) -> anyhow::Result<Vec<(String, u32)>> {
        let program = self.session.code.load(Atom::new(module))?;
        let program = program.with_context(|| format!("there is no module {module}"))?;
        Ok(program.types.specs.iter().map(|spec| (spec.name.text().to_string(), spec.arity)).collect())
    }

    /// Replaces the solver by one without any knowledge.
    pub fn renew(&mut self, walk: WalkSettings) {
        self.solver.chain = Chain::start(&SmtSettings::default()).with_walk(walk);
    }

    /// Explores a unit until a wanted failure is found. Returns the elapsed seconds, which a user would wait.
    pub fn explore_until(
        &mut self,
        unit: &Unit,
        settings: &Settings,
        budget: Duration,
        is_wanted: fn(&Failure) -> bool,
    ) -> (Exploration, f64) {
        let start = Instant::now();
        let until = Until::passed(budget).hurrying(budget).or_found(move |finding| is_wanted(&finding.failure));
        let exploration = self.search(unit, settings, until);
        (exploration, start.elapsed().as_secs_f64())
    }

    /// Explores a unit at random until anything fails.
    pub fn explore_at_random(&mut self, unit: &Unit, settings: &Settings, budget: Duration) -> (Exploration, f64) {
        let start = Instant::now();
        let mut until = Until::passed(budget).or_found(|_| true);
        let executor = &mut MachineExecutor::new(&mut self.session.machine);
        let exploration = search::explore_at_random(executor, unit, settings, &mut until);
        (exploration, start.elapsed().as_secs_f64())
    }

    /// Explores a unit until the search ends or `budget` of processor time is spent.
    pub fn explore(&mut self, unit: &Unit, settings: &Settings, budget: Duration) -> Explored {
        let before = self.solver.effort();
        let (start, latest) = (processor_time(), Instant::now() + budget * PATIENCE);
        let until = Until::clock(move || processor_time() > start + budget || Instant::now() > latest);
        let exploration = self.search(unit, settings, until);
        let seconds = (processor_time() - start).as_secs_f64();
        let effort = self.solver.effort().since(&before);
        Explored {
            exploration,
            seconds,
            screening: effort.screening.as_secs_f64(),
            solving: effort.solving.as_secs_f64(),
            statistics: effort.statistics,
        }
    }

    /// Runs a search without second opinions, because they would be counted as solving.
    fn search(&mut self, unit: &Unit, settings: &Settings, until: Until<'_>) -> Exploration {
        let until = &mut until.without_rechecks();
        search::explore(&mut MachineExecutor::new(&mut self.session.machine), unit, &mut self.solver, settings, until)
    }

    /// Runs a call without shadows and returns its processor time.
    pub fn run(&mut self, unit: &Unit, args: &[Term]) -> anyhow::Result<f64> {
        let start = processor_time();
        let outcome = self.session.machine.run(unit.module, unit.function, args);
        let seconds = (processor_time() - start).as_secs_f64();
        match outcome {
            Outcome::Value(_) => Ok(seconds),
            other => anyhow::bail!("{}:{} gave {other:?}", unit.module, unit.function),
        }
    }
}

/// Returns settings for up to `max_runs` runs that begin with these arguments.
pub fn settings(seeds: Vec<Vec<Term>>, max_runs: u64) -> Settings {
    Settings { seeds, ..campaign::settings(max_runs, 1_000_000_000) }
}

/// Returns the processor time of this thread, which does not depend on the load of the computer.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local variable, and every Linux and macOS has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
