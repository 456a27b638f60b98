//! Drives one search by itself: without workers, without a judge, and without keeping anything. Benchmarks, cases and
//! fuzzers use it.

use search::{Finding, Host, LEAST_RECHECKED, Progress, Settings, Strategy};
use std::time::{Duration, Instant};

/// Ends a search by the clock, or when a wanted finding is made.
pub struct Until<'u> {
    is_over: Box<dyn FnMut() -> bool + 'u>,
    is_wanted: Box<dyn Fn(&Finding) -> bool + 'u>,
    is_found: bool,
    /// The deadline that is passed to the solver, if it has to hurry.
    end: Option<Instant>,
    rechecks: bool,
}

impl<'u> Until<'u> {
    /// Ends the search when this time has passed.
    pub fn passed(time: Duration) -> Until<'u> {
        let end = Instant::now() + time;
        Until::clock(move || Instant::now() > end)
    }

    /// Ends the search when the caller's function returns true.
    pub fn clock(is_over: impl FnMut() -> bool + 'u) -> Until<'u> {
        Until { is_over: Box::new(is_over), is_wanted: Box::new(|_| false), is_found: false, end: None, rechecks: true }
    }

    /// Ends the search also when such a finding is made.
    pub fn or_found(mut self, is_wanted: impl Fn(&Finding) -> bool + 'u) -> Until<'u> {
        self.is_wanted = Box::new(is_wanted);
        self
    }

    /// Passes the rest of this time to the solver, so that its queries do not exceed it.
    pub fn hurrying(mut self, time: Duration) -> Until<'u> {
        self.end = Some(Instant::now() + time);
        self
    }

    /// Asks no second solver about what the first refuted.
    pub fn without_rechecks(mut self) -> Until<'u> {
        self.rechecks = false;
        self
    }
}

impl Host for Until<'_> {
    fn out_of_time(&mut self) -> bool {
        self.is_found || (self.is_over)()
    }

    fn time_left(&mut self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    fn may_recheck(&mut self, asked: u64) -> bool {
        self.rechecks && asked < LEAST_RECHECKED
    }

    fn progress(&mut self, _: &Progress) {}

    fn found(&mut self, finding: &Finding) {
        self.is_found |= (self.is_wanted)(finding);
    }
}

/// Returns the usual settings of a search with `max_runs` runs of at most `steps` steps each.
pub fn settings(max_runs: u64, steps: u64) -> Settings {
    Settings {
        strategy: Strategy::Coverage,
        max_runs,
        steps,
        most_steps: steps,
        size_bound: None,
        seeds: Vec::new(),
        seed: 0,
        memory: 256 << 20,
        samples: Default::default(),
        goal: None,
    }
}
