//! Explores functions in this process, where it can be told what the time goes to.

use anyhow::Context;
use beagle::{Session, SessionConfig, contract_of};
use formula::{Assignment, Formulas};
use interaction::MachineExecutor;
use machine::Limits;
use path::Outcome;
use search::{Exploration, Failure, Finding, Host, Progress, Settings, Strategy, Unit};
use solver::{Answer, Chain, Query, Screened, SmtSettings, Solver, Statistics, Step, WalkSettings};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use term::{Atom, Term};

/// How much longer a busy computer may take than the processor time that was asked for.
const PATIENCE: u32 = 6;

pub struct Lab {
    session: Session,
    solver: Watched,
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
        let config =
            SessionConfig { sources, cache_dir: Some(cache), erl: Some(erl), limits, ..SessionConfig::default() };
        let solver = Watched { chain: Chain::start(&SmtSettings::default()), screening: 0.0, solving: 0.0 };
        Ok(Lab { session: Session::new(config)?, solver })
    }

    pub fn unit(&self, module: &str, function: &str, arity: u32) -> anyhow::Result<Unit> {
        let (module, function) = (Atom::new(module), Atom::new(function));
        let program = self.session.loader.load(module)?.with_context(|| format!("there is no module {module}"))?;
        let contract = contract_of(&self.session.loader, &program, function, arity);
        Ok(Unit { module, function, arity, contract, user_modules: vec![module], expected: Default::default() })
    }

    /// The names of the exported functions of one argument.
    pub fn exports(&self, module: &str) -> anyhow::Result<Vec<String>> {
        let program = self.session.loader.load(Atom::new(module))?;
        let program = program.with_context(|| format!("there is no module {module}"))?;
        let exported = program.functions.iter().filter(|function| function.exported && function.arity == 1);
        let own = exported.filter(|function| function.name.text() != "module_info");
        Ok(own.map(|function| function.name.text().to_string()).collect())
    }

    /// Names and arities of the functions that have a specification.
    pub fn functions(&self, module: &str) -> anyhow::Result<Vec<(String, u32)>> {
        let program = self.session.loader.load(Atom::new(module))?;
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
        let mut host = Waiting { end: start + budget, is_wanted, found: false };
        let exploration = search::explore(
            &mut MachineExecutor::new(&mut self.session.machine),
            unit,
            &mut self.solver,
            settings,
            &mut host,
        );
        (exploration, start.elapsed().as_secs_f64())
    }

    /// Until it ends or `budget` of processor time is spent.
    pub fn explore(&mut self, unit: &Unit, settings: &Settings, budget: Duration) -> Explored {
        self.solver.screening = 0.0;
        self.solver.solving = 0.0;
        let before = self.solver.chain.statistics();
        let start = processor_seconds();
        let mut clock = Clock { end: start + budget.as_secs_f64(), latest: Instant::now() + budget * PATIENCE };
        let exploration = search::explore(
            &mut MachineExecutor::new(&mut self.session.machine),
            unit,
            &mut self.solver,
            settings,
            &mut clock,
        );
        let seconds = processor_seconds() - start;
        let after = self.solver.chain.statistics();
        let statistics = Statistics {
            screened: after.screened - before.screened,
            native: after.native - before.native,
            queries: after.queries - before.queries,
            cached: after.cached - before.cached,
            guessed: after.guessed - before.guessed,
            smt: after.smt - before.smt,
            tried: after.tried - before.tried,
            walked: after.walked - before.walked,
            unknown: after.unknown - before.unknown,
            defects: after.defects - before.defects,
            waited: after.waited - before.waited,
        };
        let Watched { screening, solving, .. } = self.solver;
        Explored { exploration, seconds, screening, solving, statistics }
    }

    /// Without shadows: the processor time of the call.
    pub fn run(&mut self, unit: &Unit, args: &[Term]) -> anyhow::Result<f64> {
        let start = processor_seconds();
        let outcome = self.session.machine.run(unit.module, unit.function, args);
        let seconds = processor_seconds() - start;
        match outcome {
            Outcome::Value(_) => Ok(seconds),
            other => anyhow::bail!("{}:{} gave {other:?}", unit.module, unit.function),
        }
    }
}

/// As many runs as it may be, from these arguments.
pub fn settings(seeds: Vec<Vec<Term>>, max_runs: u64) -> Settings {
    let steps = 1_000_000_000;
    Settings {
        strategy: Strategy::Coverage,
        max_runs,
        steps,
        most_steps: steps,
        size_bound: None,
        seeds,
        seed: 0,
        memory: 256 << 20,
        samples: Default::default(),
    }
}

struct Watched {
    chain: Chain,
    screening: f64,
    solving: f64,
}

impl Solver for Watched {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[Step]) -> Vec<Vec<Screened>> {
        let start = processor_seconds();
        let screened = self.chain.screen(formulas, parent, steps);
        self.screening += processor_seconds() - start;
        screened
    }

    fn solve(&mut self, query: &mut Query<'_>) -> Answer {
        let start = processor_seconds();
        let answer = self.chain.solve(query);
        self.solving += processor_seconds() - start;
        answer
    }

    fn set_time_left(&mut self, left: Option<Duration>) {
        self.chain.set_time_left(left);
    }

    fn begin_search(&mut self, seed: u64) {
        self.chain.begin_search(seed);
    }
}

struct Clock {
    end: f64,
    latest: Instant,
}

impl Host for Clock {
    fn out_of_time(&mut self) -> bool {
        processor_seconds() > self.end || Instant::now() > self.latest
    }
    fn progress(&mut self, _: &Progress) {}
    fn found(&mut self, _: &Finding) {}
}

struct Waiting {
    end: Instant,
    is_wanted: fn(&Failure) -> bool,
    found: bool,
}

impl Host for Waiting {
    fn out_of_time(&mut self) -> bool {
        self.found || Instant::now() > self.end
    }
    fn time_left(&mut self) -> Option<Duration> {
        Some(self.end.saturating_duration_since(Instant::now()))
    }
    fn progress(&mut self, _: &Progress) {}
    fn found(&mut self, finding: &Finding) {
        self.found |= (self.is_wanted)(&finding.failure);
    }
}

/// Of this thread: what others do on the computer is not in it.
fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is ours, and the clock is there on every Linux and macOS.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
