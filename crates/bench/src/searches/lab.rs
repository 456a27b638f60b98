//! Explores functions in this process, where it can be told what the time goes to.

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

/// How much longer a busy computer may take than the processor time that was asked for.
const PATIENCE: u32 = 6;

pub struct Lab {
    session: Session,
    solver: Timed,
}

/// What an exploration came to and what it took, in seconds of this thread's processor time.
pub struct Explored {
    pub exploration: Exploration,
    pub seconds: f64,
    pub screening: f64,
    pub solving: f64,
    pub statistics: Statistics,
}

impl Explored {
    /// Ways that were answered, and those of them that the SMT solver was not asked about.
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

    /// The unit that stands for the clients of a module.
    pub fn client(&self, module: &str) -> anyhow::Result<Unit> {
        let FunctionName { module, function, arity } = FunctionName::client_of(Atom::new(module));
        Ok(self.session.unit(module, function, arity)?)
    }

    /// The names of the exported functions of one argument.
    pub fn exports(&self, module: &str) -> anyhow::Result<Vec<String>> {
        let program = self.session.code.load(Atom::new(module))?;
        let program = program.with_context(|| format!("there is no module {module}"))?;
        let exported = program.functions.iter().filter(|function| function.exported && function.arity == 1);
        let own = exported.filter(|function| function.name.text() != "module_info");
        Ok(own.map(|function| function.name.text().to_string()).collect())
    }

    /// Names and arities of the functions that have a specification.
    pub fn functions(&self, module: &str) -> anyhow::Result<Vec<(String, u32)>> {
        let program = self.session.code.load(Atom::new(module))?;
        let program = program.with_context(|| format!("there is no module {module}"))?;
        Ok(program.types.specs.iter().map(|spec| (spec.name.text().to_string(), spec.arity)).collect())
    }

    /// A solver that knows nothing yet.
    pub fn renew(&mut self, walk: WalkSettings) {
        self.solver.chain = Chain::start(&SmtSettings::default()).with_walk(walk);
    }

    /// As a user waits for it, until a failure is what is looked for: the seconds that took.
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

    /// Likewise until anything fails, at random.
    pub fn explore_at_random(&mut self, unit: &Unit, settings: &Settings, budget: Duration) -> (Exploration, f64) {
        let start = Instant::now();
        let mut until = Until::passed(budget).or_found(|_| true);
        let executor = &mut MachineExecutor::new(&mut self.session.machine);
        let exploration = search::explore_at_random(executor, unit, settings, &mut until);
        (exploration, start.elapsed().as_secs_f64())
    }

    /// Until it ends or `budget` of processor time is spent.
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

    /// Second opinions are left out: they would be counted as solving.
    fn search(&mut self, unit: &Unit, settings: &Settings, until: Until<'_>) -> Exploration {
        let until = &mut until.without_rechecks();
        search::explore(&mut MachineExecutor::new(&mut self.session.machine), unit, &mut self.solver, settings, until)
    }

    /// Without shadows: the processor time of the call.
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

/// As many runs as it may be, from these arguments.
pub fn settings(seeds: Vec<Vec<Term>>, max_runs: u64) -> Settings {
    Settings { seeds, ..campaign::settings(max_runs, 1_000_000_000) }
}

/// Of this thread: what others do on the computer is not in it.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is ours, and the clock is there on every Linux and macOS.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
