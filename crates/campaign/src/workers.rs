//! Workers, which test one function after the other.

use crate::campaign::{Begun, Bench, Campaign, Turn};
use crate::memory::{self, Pool};
use crate::observer::Warnings;
use crate::schedule::{Job, Schedule};
use crate::solving::{SolverOptions, Timed};
use crate::speaker::Speaker;
use crate::target::Target;
use emit::Test;
use frontend::Code;
use machine::Limits;
use report::{Judged, Tested, TimeLimit};
use search::Ended;
use session::SessionError;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use term::FunctionName;
use tracer::Differing;

/// How long a caller waits for news before `announce` is called without any.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// The code, limits and budgets of a campaign.
pub struct Resources {
    pub code: Arc<dyn Code>,
    /// The limits of a single run.
    pub limits: Limits,
    pub solver: SolverOptions,
    /// The number of workers; by default, one for each processor.
    pub workers: Option<usize>,
    /// The time for one function.
    pub budget: Duration,
    /// The time for all functions together.
    pub total_budget: Option<Duration>,
    /// The bytes for the whole process; by default, three quarters of the available memory.
    pub total_memory: Option<u64>,
    pub warnings: Warnings,
}

/// A message from a worker.
pub enum News {
    Found(FunctionName, Box<Judged>),
    /// The number of a function, its result, and its regression tests if they are wanted.
    Tested(usize, Box<Tested>, Vec<Test>),
    /// A function could not be tested because of a defect of Beagle.
    Failed(String),
}

/// Tests every function, and returns how many could not be tested because of a defect of Beagle. `announce` is called
/// on the thread of the caller with each piece of news, with `None` after each of them, and with `None` once a second.
pub fn run(
    campaign: &Campaign,
    resources: &Resources,
    functions: &[Target],
    announce: &mut dyn FnMut(Option<News>),
) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = resources.workers.unwrap_or(processors).min(functions.len());
    let schedule = Schedule::new(functions.len(), workers, resources.budget, resources.total_budget);
    let total = resources.total_memory.unwrap_or_else(memory::usual_total);
    let pool = Pool::new(total, workers, resources.limits.memory);
    let (sender, news) = mpsc::channel();
    let mut failed = 0;
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let sender = sender.clone();
            let (schedule, pool) = (&schedule, &pool);
            scope.spawn(move || {
                let shift = Shift { functions, resources, schedule, pool, worker };
                work(campaign, &shift, &mut |news| {
                    // The receiver is gone when the command is ending.
                    let _ = sender.send(news);
                });
            });
        }
        drop(sender);
        loop {
            match news.recv_timeout(HEARTBEAT) {
                Ok(news) => {
                    failed += usize::from(matches!(news, News::Failed(_)));
                    announce(Some(news));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            announce(None);
        }
    });
    for Job { function, last, .. } in schedule.rest() {
        if let (Some(Turn { mut tested, tests, .. }), Some(target)) = (last, functions.get(function)) {
            if tested.exploration.ended == Ended::OutOfTime {
                tested.time_limit = TimeLimit::Total;
            }
            announce(Some(News::Tested(target.number, Box::new(tested), tests)));
        }
    }
    failed
}

/// The source of a worker's functions, and its resources.
struct Shift<'s> {
    functions: &'s [Target],
    resources: &'s Resources,
    schedule: &'s Schedule<Turn>,
    pool: &'s Arc<Pool>,
    /// The worker's number.
    worker: usize,
}

/// Tests one function after the other, until none is left.
fn work(campaign: &Campaign, shift: &Shift<'_>, announce: &mut dyn FnMut(News)) {
    let Shift { functions, resources, schedule, pool, worker } = *shift;
    let code = &resources.code;
    let mut ready: Option<Bench> = None;
    let mut speaker = Speaker::new(code, resources.limits);
    while !campaign.observer.is_interrupted()
        && let Some((job, time)) = schedule.next()
    {
        let Some(target) = functions.get(job.function) else { return };
        let name = campaign.languages.language(target.name.module).function(target.name);
        let is_first = job.last.is_none();
        let begun = match job.last {
            Some(Turn { tested, inputs, decided, .. }) => {
                let started = tested.started;
                Begun { findings: tested.exploration.findings, inputs, seconds: tested.seconds, started, decided }
            }
            None => {
                let mut found = |name, judged: &Judged| announce(News::Found(name, Box::new(judged.clone())));
                match campaign.known(code, &mut speaker, target, !time.is_zero(), &mut found) {
                    Ok((tested, tests)) => {
                        announce(News::Tested(target.number, Box::new(tested), tests));
                        continue;
                    }
                    Err(begun) => begun,
                }
            }
        };
        if time.is_zero() && is_first {
            announce(News::Tested(target.number, Box::new(campaign.not_begun(target, begun)), Vec::new()));
            continue;
        }
        let mut bench = match ready.take().map_or_else(|| bench(campaign, resources), Ok) {
            Ok(bench) => bench,
            Err(error) => {
                announce(News::Failed(format!("{name}: {error}")));
                continue;
            }
        };
        let searched = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let mut found = |name, judged: &Judged| announce(News::Found(name, Box::new(judged.clone())));
            let turn =
                campaign.test_with_applications(&mut bench, target, begun, time, &pool.share(worker), &mut found);
            (turn, bench)
        }));
        match searched {
            Ok((turn, bench)) => {
                if let Some(Differing { call, how }) = &turn.differing {
                    let words = format!("{call} differs between Beagle's machine and the real runtime: {how}");
                    announce(News::Failed(format!("{words}. This is a defect of Beagle; please report it")));
                }
                // A search that was aborted may have left the bench in any state.
                ready = (!turn.tested.exploration.broken_off).then_some(bench);
                let is_over = turn.ended != Ended::OutOfTime;
                let spent = job.spent + time;
                let job = Job { spent, has_progressed: turn.has_progressed, last: Some(turn), ..job };
                let done = if is_over { Some(job) } else { schedule.take_back(job).err() };
                if let Some(Job { last: Some(turn), .. }) = done {
                    campaign.observer.done();
                    announce(News::Tested(target.number, Box::new(turn.tested), turn.tests));
                }
            }
            // The bench may be in any state, so the next function gets a new one.
            Err(_) => {
                announce(News::Failed(format!("{name} could not be tested: a defect of Beagle; please report it")));
            }
        }
    }
}

fn bench(campaign: &Campaign, resources: &Resources) -> Result<Bench, SessionError> {
    let Resources { code, limits, solver, warnings, .. } = resources;
    Ok(Bench {
        session: campaign.opaque.session(code, *limits)?,
        solver: Timed::start(solver, &campaign.distrusted, warnings),
        speaker: Speaker::new(code, *limits),
    })
}
