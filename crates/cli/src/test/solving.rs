//! The solver of a worker, with a watch.

use crate::arguments::TestOptions;
use crate::streams::complain;
use formula::{Assignment, Formulas};
use solver::{
    Answer, Chain, Distrusted, Limit, Opinion, Query, Screened, SmtSettings, SmtState, Solver, Statistics, Step,
    distrust, solver_name,
};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

pub struct Timed {
    chain: Chain,
    spent: Duration,
}

/// What a solver has done so far.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    pub spent: Duration,
    pub statistics: Statistics,
}

impl Timed {
    /// `distrusted`: solvers that were caught with a wrong answer, by any worker of this command.
    pub fn start(options: &TestOptions, distrusted: &Distrusted) -> Timed {
        let milliseconds = u64::try_from(options.solver_time.as_millis()).unwrap_or(u64::MAX).max(1);
        let settings = SmtSettings {
            path: options.solver.clone(),
            limit: Limit::about(milliseconds),
            dump: options.dump_smt.clone(),
            second: second(options),
            distrusted: distrusted.clone(),
        };
        let chain = Chain::start(&settings);
        if let SmtState::Absent { why } = chain.smt_state() {
            // Once, however many workers there are.
            static SAID: Once = Once::new();
            SAID.call_once(|| {
                complain!("{why}. Going on without: some branches will stay undecided");
            });
        }
        Timed { chain, spent: Duration::ZERO }
    }

    pub fn effort(&self) -> Effort {
        Effort { spent: self.spent, statistics: self.chain.statistics() }
    }
}

/// What the solvers are, as far as they can be started.
pub fn versions(options: &TestOptions) -> String {
    let first = match Timed::start(options, &Distrusted::default()).chain.smt_state() {
        SmtState::Ready { version } => version,
        SmtState::Absent { .. } => String::new(),
    };
    let second = second(options).and_then(|second| solver_name(&second).ok());
    format!("{first} {}", second.unwrap_or_default())
}

/// Says what is wrong with a second solver that was asked for by name.
pub fn check_second(options: &TestOptions) {
    if let Some(path) = &options.second_solver
        && let Err(why) = solver_name(path)
    {
        complain!("--second-solver: {why}. The first is asked again instead");
    }
}

/// Who is asked for a second opinion, if it is not the first: the one that is named, or else cvc5, if it is installed.
fn second(options: &TestOptions) -> Option<PathBuf> {
    options.second_solver.clone().or_else(|| installed("cvc5"))
}

fn installed(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

impl Effort {
    /// In words, what happened since.
    pub fn since(&self, before: &Effort) -> Vec<String> {
        let (now, then) = (&self.statistics, &before.statistics);
        let mut words = vec![
            format!(
                "{} of {} ways were decided while their path was screened",
                now.native - then.native,
                now.screened - then.screened
            ),
            format!(
                "of {} others the cache decided {}, guesses {}, the SMT solver {}",
                now.queries - then.queries,
                now.cached - then.cached,
                now.guessed - then.guessed,
                now.smt - then.smt
            ),
            format!("{:.3} s were spent waiting for the SMT solver", (now.waited - then.waited).as_secs_f64()),
        ];
        if now.defects > then.defects {
            words
                .push(format!("{} models left something open that could not be filled in", now.defects - then.defects));
        }
        words
    }
}

impl Solver for Timed {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[Step]) -> Vec<Vec<Screened>> {
        let start = Instant::now();
        let screened = self.chain.screen(formulas, parent, steps);
        self.spent += start.elapsed();
        screened
    }

    fn solve(&mut self, query: &mut Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.chain.solve(query);
        self.spent += start.elapsed();
        answer
    }

    fn set_time_left(&mut self, left: Option<Duration>) {
        self.chain.set_time_left(left);
    }

    fn begin_search(&mut self, seed: u64) {
        self.chain.begin_search(seed);
    }

    fn recheck(&mut self, query: &mut Query<'_>) -> Opinion {
        let start = Instant::now();
        let opinion = self.chain.recheck(query);
        self.spent += start.elapsed();
        if let Opinion::Disagrees { liar, is_news: true, .. } = &opinion {
            complain!("{}", distrust(liar));
        }
        opinion
    }

    fn liar(&mut self) -> Option<String> {
        self.chain.liar()
    }
}
