//! The solver of a worker, and how long it took.

use crate::arguments::TestOptions;
use formula::{Assignment, Formulas};
use solver::{Answer, Query, Screened, Solver, Step};
use std::time::{Duration, Instant};

/// A solver with a watch.
pub struct Timed<S> {
    solver: S,
    pub spent: Duration,
}

impl<S> Timed<S> {
    pub fn new(solver: S) -> Timed<S> {
        Timed { solver, spent: Duration::ZERO }
    }
}

impl<S: Solver> Solver for Timed<S> {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[Step]) -> Vec<Vec<Screened>> {
        let start = Instant::now();
        let screened = self.solver.screen(formulas, parent, steps);
        self.spent += start.elapsed();
        screened
    }

    fn solve(&mut self, query: &mut Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.solver.solve(query);
        self.spent += start.elapsed();
        answer
    }
}

/// Decides nothing.
pub struct Undecided;

impl Solver for Undecided {
    fn screen(&mut self, _: &mut Formulas, _: &Assignment, steps: &[Step]) -> Vec<Vec<Screened>> {
        steps.iter().map(|step| vec![Screened::Open; step.others.len()]).collect()
    }

    fn solve(&mut self, _: &mut Query<'_>) -> Answer {
        Answer::Unknown("no solver".to_string())
    }
}

/// The chain of a worker.
pub fn chain(_options: &TestOptions) -> Timed<Undecided> {
    Timed::new(Undecided)
}
