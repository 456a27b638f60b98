//! One search by itself: no workers, no judge, nothing that is kept. Benchmarks, cases and fuzzers drive their
//! searches with it.

use search::{Finding, Host, LEAST_RECHECKED, Progress, Settings, Strategy};
use std::time::{Duration, Instant};

/// Ends a search: by the clock, or as soon as what was looked for is found.
pub struct Until<'u> {
    is_over: Box<dyn FnMut() -> bool + 'u>,
    is_wanted: Box<dyn Fn(&Finding) -> bool + 'u>,
    is_found: bool,
    /// The end of the time that the solver is told, if it is to hurry.
    end: Option<Instant>,
    rechecks: bool,
}

impl<'u> Until<'u> {
    /// Ends when so much time has passed.
    pub fn passed(time: Duration) -> Until<'u> {
        let end = Instant::now() + time;
        Until::clock(move || Instant::now() > end)
    }

    /// Ends when a clock of the caller's says so.
    pub fn clock(is_over: impl FnMut() -> bool + 'u) -> Until<'u> {
        Until { is_over: Box::new(is_over), is_wanted: Box::new(|_| false), is_found: false, end: None, rechecks: true }
    }

    /// Ends with such a finding, too.
    pub fn or_found(mut self, is_wanted: impl Fn(&Finding) -> bool + 'u) -> Until<'u> {
        self.is_wanted = Box::new(is_wanted);
        self
    }

    /// Tells the solver how much is left of this time, so that it does not outlast it.
    pub fn hurrying(mut self, time: Duration) -> Until<'u> {
        self.end = Some(Instant::now() + time);
        self
    }

    /// No second solver is asked about what the first refuted.
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

/// The usual settings of a search with so many runs, each of at most so many steps.
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
