//! The solver of a worker, with a watch.

use crate::arguments::TestOptions;
use crate::streams::complain;
use formula::{Assignment, Formulas};
use solver::{Answer, Chain, Limit, Query, Screened, SmtSettings, SmtState, Solver, Statistics, Step};
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
    pub fn start(options: &TestOptions) -> Timed {
        let milliseconds = u64::try_from(options.solver_time.as_millis()).unwrap_or(u64::MAX).max(1);
        let settings = SmtSettings {
            path: options.solver.clone(),
            limit: Limit::about(milliseconds),
            dump: options.dump_smt.clone(),
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

/// Of the solver, if it can be started.
pub fn version(options: &TestOptions) -> String {
    match Timed::start(options).chain.smt_state() {
        SmtState::Ready { version } => version,
        SmtState::Absent { .. } => String::new(),
    }
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

    fn set_random_seed(&mut self, seed: u64) {
        self.chain.set_random_seed(seed);
    }
}
