//! The solver of a worker, with measured times.

use crate::observer::{Topic, Warnings};
use formula::{Assignment, Formulas};
use solver::{
    Answer, Chain, Distrusted, Limit, Opinion, Query, Screened, ScreeningStep, SmtSettings, SmtState, Solver,
    Statistics, distrust, solver_name,
};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The solvers that a user wants, and their options.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// An SMT-LIB 2 solver.
    pub path: PathBuf,
    /// The time for one query.
    pub time: Duration,
    /// The folder that queries are written to.
    pub dump: Option<PathBuf>,
    /// The solver for second opinions that the user names.
    pub second: Option<PathBuf>,
}

impl SolverOptions {
    fn settings(&self, distrusted: &Distrusted) -> SmtSettings {
        let milliseconds = u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX).max(1);
        SmtSettings {
            path: self.path.clone(),
            limit: Limit::about(milliseconds),
            dump: self.dump.clone(),
            second: self.second(),
            distrusted: distrusted.clone(),
        }
    }

    /// Returns the solver for second opinions: the one that the user names, or else cvc5 if it is installed. If there
    /// is none, a fresh process of the first solver is asked.
    fn second(&self) -> Option<PathBuf> {
        self.second.clone().or_else(|| files::find_executable(Path::new("cvc5")))
    }
}

/// A solver that measures its time with a clock of the caller's.
pub struct Timed {
    pub chain: Chain,
    clock: fn() -> Duration,
    screening: Duration,
    solving: Duration,
    warnings: Warnings,
}

/// The work that a solver has done so far.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    pub screening: Duration,
    /// The time for solving, including second opinions.
    pub solving: Duration,
    pub statistics: Statistics,
}

impl Timed {
    /// Starts the solvers. `distrusted` are solvers that gave a wrong answer to any worker of this command.
    pub fn start(options: &SolverOptions, distrusted: &Distrusted, warnings: &Warnings) -> Timed {
        let chain = Chain::start(&options.settings(distrusted));
        if let SmtState::Absent { why } = chain.smt_state() {
            let words = format!("{why}. Continuing without an SMT solver: some branches will stay undecided");
            warnings.warn_once(Topic::NoSolver, &words);
        }
        Timed { warnings: warnings.clone(), ..Timed::over(chain, wall_clock) }
    }

    pub fn over(chain: Chain, clock: fn() -> Duration) -> Timed {
        Timed { chain, clock, screening: Duration::ZERO, solving: Duration::ZERO, warnings: Warnings::default() }
    }

    pub fn effort(&self) -> Effort {
        Effort { screening: self.screening, solving: self.solving, statistics: self.chain.statistics() }
    }
}

fn wall_clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// A solver's program that is larger has no digest: reading it would take longer than it helps.
const LARGEST_SOLVER: u64 = 128 << 20;

/// The solvers' names and versions, as far as they can be started, and digests of their programs: a script that starts another
/// solver than before may report the same version.
pub fn versions(options: &SolverOptions, warnings: &Warnings) -> String {
    let first = match Timed::start(options, &Distrusted::default(), warnings).chain.smt_state() {
        SmtState::Ready { version } => version,
        SmtState::Absent { .. } => String::new(),
    };
    let second = options.second();
    let name = second.as_ref().and_then(|second| solver_name(second).ok());
    let digest = |program: &Path| {
        let content = files::read_program(program, LARGEST_SOLVER);
        content.map_or_else(String::new, |content| blake3::hash(&content).to_hex().to_string())
    };
    let digests = [digest(&options.path), second.as_deref().map(digest).unwrap_or_default()];
    format!("{first} {} {}", name.unwrap_or_default(), digests.join(" "))
}

impl Effort {
    pub fn spent(&self) -> Duration {
        self.screening + self.solving
    }

    /// Returns the work that was done after `before`.
    pub fn since(&self, before: &Effort) -> Effort {
        let (now, then) = (&self.statistics, &before.statistics);
        Effort {
            screening: self.screening - before.screening,
            solving: self.solving - before.solving,
            statistics: Statistics {
                screened: now.screened - then.screened,
                native: now.native - then.native,
                queries: now.queries - then.queries,
                cached: now.cached - then.cached,
                guessed: now.guessed - then.guessed,
                smt: now.smt - then.smt,
                tried: now.tried - then.tried,
                walked: now.walked - then.walked,
                unknown: now.unknown - then.unknown,
                defects: now.defects - then.defects,
                waited: now.waited - then.waited,
            },
        }
    }

    pub fn in_words(&self) -> Vec<String> {
        let of = &self.statistics;
        let mut words = vec![
            format!("screening decided {} of {} alternatives", of.native, of.screened),
            format!(
                "of {} other queries, the cache decided {}, guesses {}, the SMT solver {}",
                of.queries, of.cached, of.guessed, of.smt
            ),
            format!("waited {:.3} s for the SMT solver", of.waited.as_secs_f64()),
        ];
        if of.defects > 0 {
            words.push(format!("{} models were incomplete and could not be completed", of.defects));
        }
        words
    }
}

impl Solver for Timed {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[ScreeningStep]) -> Vec<Vec<Screened>> {
        let start = (self.clock)();
        let screened = self.chain.screen(formulas, parent, steps);
        self.screening += (self.clock)().saturating_sub(start);
        screened
    }

    fn solve(&mut self, query: &mut Query<'_>) -> Answer {
        let start = (self.clock)();
        let answer = self.chain.solve(query);
        self.solving += (self.clock)().saturating_sub(start);
        answer
    }

    fn set_time_left(&mut self, left: Option<Duration>) {
        self.chain.set_time_left(left);
    }

    fn begin_search(&mut self, seed: u64) {
        self.chain.begin_search(seed);
    }

    fn recheck(&mut self, query: &mut Query<'_>) -> Opinion {
        let start = (self.clock)();
        let opinion = self.chain.recheck(query);
        self.solving += (self.clock)().saturating_sub(start);
        if let Opinion::Disagrees { liar, is_news: true, .. } = &opinion {
            self.warnings.warn(&distrust(liar).to_string());
        }
        opinion
    }

    fn liar(&mut self) -> Option<String> {
        self.chain.liar()
    }
}
