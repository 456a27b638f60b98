//! Asks the real runtime whether findings are true.
//!
//! The runtime evaluates the text that the user is shown, or the same in the language that the runtime reads. Every
//! call has its own limits of time and memory, and is evaluated twice, so that a call that depends on more than its
//! arguments shows it. A call that is known to depend on its surroundings is evaluated more often, and so is one that
//! starts processes, since the runtime schedules them as it likes.

mod agreement;
mod saying;
#[cfg(test)]
mod tests;

use crate::observer::{Topic, Warnings};
use crate::target::Target;
use agreement::are_same;
pub use agreement::is_same;
use frontend::{Code, CodeError, Evaluations, FrontEnd, Limits, Outcome, Rest, Watched};
use path::{Act, Argument, InputValue, Reach};
use report::{Judgement, RuntimeLimit};
use saying::Saying;
use search::{Failure, Finding, Unended};
use session::Usage;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use term::Atom;

/// The time limit for calls that are expected to end.
const TIME: Duration = Duration::from_secs(5);
/// The time limit for calls that are expected not to end: hundreds of times what they took on our machine.
const PATIENCE: Duration = Duration::from_secs(2);
/// The factor by which the time limit is extended for a call that was shown not to end, if the runtime did not get as
/// far as our machine.
const MORE_PATIENCE: u32 = 5;
/// The number of reductions that the runtime must make, for each call that our machine made until it recognised an
/// endless loop, before the runtime counts as looping, too.
const REDUCTIONS_PER_CALL: u64 = 10;
/// The longest time that is added for the steps of a client that wait.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// The number of evaluations of a call that depends on its surroundings.
const EVALUATIONS_OF_DEPENDENT: usize = 3;
/// The number of evaluations of a call that starts processes, and the number after which the runtime is believed never
/// to do what the finding says.
const EVALUATIONS_WITH_PROCESSES: usize = 3;
const EVALUATIONS_IN_VAIN: usize = 6;
/// If a finding is about the processes that a call starts: how long they are waited for once the call has ended.
const LINGER: Duration = Duration::from_millis(500);

/// Asks the runtime on behalf of all workers, which share one runtime.
pub struct Judge {
    is_wanted: bool,
    warnings: Warnings,
    /// Source modules that the runtime was given, each with the reason if the runtime refused it.
    loaded: Mutex<HashMap<Atom, Option<String>>>,
}

/// The verdict on a finding.
pub enum Opinion {
    Shown {
        judgement: Judgement,
        evaluations: usize,
        /// The limit at which a call that did not end was stopped.
        limit: Option<RuntimeLimit>,
    },
    /// The call ended on the runtime, so it does not run for ever: our machine is only slower.
    Slow,
}

impl Judge {
    /// Returns whether the runtime is to be asked at all.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    pub fn new(is_wanted: bool, warnings: Warnings) -> Judge {
        Judge { is_wanted, warnings, loaded: Mutex::default() }
    }

    /// Returns the runtime's verdict on a finding. `language` is the language of the report.
    pub fn opinion(
        &self,
        code: &dyn Code,
        usage: &Usage,
        language: &dyn FrontEnd,
        target: &Target,
        finding: &Finding,
    ) -> Opinion {
        let unasked = Opinion::unasked;
        if !self.is_wanted {
            return unasked(format!("{} was not asked", language.runtime()));
        }
        let Some((lacking, why)) = self.load(code, &|module| usage.contains(module)) else {
            return opinion(code, language, target, finding);
        };
        let unasked = || unasked(format!("{} could not be asked: {why}", language.runtime()));
        // If the runtime lacks the function itself, its answer says nothing about the function.
        let is_undef = matches!(&finding.failure, Failure::Crash(raised) if code.is_undefined(&raised.reason));
        if lacking == target.name.module || is_undef {
            return unasked();
        }
        match opinion(code, language, target, finding) {
            confirmed @ Opinion::Shown { judgement: Judgement::Confirmed, .. } => confirmed,
            // This or other functions may have used the module that is lacking, so what the runtime does without it
            // contradicts nothing.
            Opinion::Shown { .. } | Opinion::Slow => unasked(),
        }
    }

    /// Returns the runtime's outcome for each of these inputs, except where two evaluations differ. `is_used` says
    /// whether a module is needed for them.
    pub fn observed<'i>(
        &self,
        code: &dyn Code,
        language: &dyn FrontEnd,
        is_used: &dyn Fn(Atom) -> bool,
        target: &Target,
        examples: &'i [Vec<InputValue>],
    ) -> Vec<(&'i [InputValue], Outcome)> {
        if examples.is_empty() {
            return Vec::new();
        }
        let complain_once = |why: &dyn Display| {
            let words = format!("no tests of paths are made: {} could not be asked: {why}", language.runtime());
            self.warnings.warn_once(Topic::NoTestsOfPaths, &words);
        };
        if let Some((_, why)) = self.load(code, is_used) {
            complain_once(&why);
            return Vec::new();
        }
        let asking = language.asking();
        let call =
            |inputs: &Vec<InputValue>| after_setups(language, target, report::call_with(asking, target.name, inputs));
        let calls: Vec<String> = examples.iter().map(call).collect();
        let limits = Limits { time: TIME, ..Limits::default() };
        let outcomes = || {
            code.evaluate(&calls, Evaluations { limits, is_printed: false, is_fresh: false }).unwrap_or_else(|error| {
                complain_once(&error);
                Vec::new()
            })
        };
        let (first, second) = (outcomes(), outcomes());
        let pairs = examples.iter().zip(first.into_iter().zip(second));
        let steady = pairs.filter(|(_, (first, second))| are_same(code, first, second));
        steady.map(|(inputs, (outcome, _))| (inputs.as_slice(), outcome)).collect()
    }

    /// Gives the runtime the sources of all modules that were used here. Returns a module that it refuses, if there is
    /// one, and why: a library of native code may be missing, for example.
    fn load(&self, code: &dyn Code, is_used: &dyn Fn(Atom) -> bool) -> Option<(Atom, String)> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lacking = None;
        for (module, _) in code.source_modules().filter(|(module, _)| is_used(*module)) {
            let why = match loaded.get(&module) {
                Some(known) => known.clone(),
                None => {
                    let why = code.load_into_runtime(module).err().map(|error| error.to_string());
                    loaded.insert(module, why.clone());
                    why
                }
            };
            lacking = lacking.or(why.map(|why| (module, why)));
        }
        lacking
    }
}

impl Opinion {
    fn unasked(why: String) -> Opinion {
        Opinion::Shown { judgement: Judgement::NotAsked { why }, evaluations: 0, limit: None }
    }
}

/// Returns the text that the runtime evaluates: the setups of a function, then a call.
pub fn after_setups(language: &dyn FrontEnd, target: &Target, call: String) -> String {
    let setups = target.setups.iter().map(|setup| report::setup_call(language.asking(), setup));
    setups.chain([call]).collect::<Vec<_>>().join(", ")
}

fn opinion(code: &dyn Code, language: &dyn FrontEnd, target: &Target, finding: &Finding) -> Opinion {
    let call = after_setups(language, target, report::laid_out(language.asking(), target.name, finding));
    let is_dependent = finding.depends_on.iter().any(|surrounding| surrounding.is_worth_repeating());
    let Patience { time, linger, count } = Patience::of(&finding.failure);
    let mut limits = Limits { time: time + waits(finding).min(LONGEST_WAIT), ..Limits::default() };
    let count = if is_dependent { EVALUATIONS_OF_DEPENDENT } else { count };
    let evaluate_within = |limits: Limits| {
        let how = Evaluations { limits, is_printed: true, is_fresh: is_dependent };
        evaluate(code, &call, how, linger, count, |watched| is_same(code, &finding.failure, watched))
    };
    let mut evaluated = evaluate_within(limits);
    // On a busy machine, the runtime may not get far in its time.
    if let (Failure::Timeout(unended), Ok(outcomes)) = (&finding.failure, &evaluated)
        && is_cut_short(unended, outcomes)
    {
        limits.time *= MORE_PATIENCE;
        evaluated = evaluate_within(limits);
    }
    let outcomes = match evaluated {
        Ok(outcomes) => outcomes,
        Err(error) => return Opinion::unasked(format!("{} could not be asked: {error}", language.runtime())),
    };
    let limit = limit(&outcomes, limits);
    let shown = |judgement| Opinion::Shown { judgement, evaluations: outcomes.len(), limit };
    let saying = Saying { language, time: limits.time, is_of_processes: linger > Duration::ZERO };
    let said = |watched: &Watched| saying.said(watched);
    let other = outcomes.iter().find(|outcome| !is_same(code, &finding.failure, outcome));
    let same = outcomes.iter().any(|outcome| is_same(code, &finding.failure, outcome));
    let unended = outcomes.iter().find_map(|outcome| unended(&finding.failure, outcome, &saying));
    match (&finding.failure, same, other) {
        // If the runtime died, that says nothing about whether the call ends.
        (
            Failure::Timeout(_),
            _,
            Some(other @ Watched { outcome: Outcome::RuntimeDied { .. } | Outcome::Unreadable { .. }, .. }),
        ) => Opinion::unasked(format!("on {} it was {}", language.runtime(), said(other))),
        // A call that still waits may yet do what the finding says, so its taking long contradicts nothing.
        (_, false, Some(_)) if unended.is_some() => {
            Opinion::unasked(format!("on {} {}", language.runtime(), unended.unwrap_or_default()))
        }
        (Failure::Timeout(unended), _, Some(other)) if unended.endless.is_some() => {
            shown(Judgement::Refuted { said: said(other) })
        }
        (Failure::Timeout(_), _, Some(_)) => Opinion::Slow,
        (Failure::Timeout(unended), _, None) if !is_endless(unended, &outcomes) => shown(Judgement::Outlasted),
        (_, _, None) => shown(Judgement::Confirmed),
        (_, true, Some(other)) => shown(Judgement::Varies { said: said(other) }),
        (_, false, Some(first)) => {
            let second = outcomes.iter().find(|outcome| !are_same(code, &first.outcome, &outcome.outcome));
            let varies = second.map(|second| format!(" one time, and {} another: it varies", said(second)));
            shown(Judgement::Refuted { said: format!("{}{}", said(first), varies.unwrap_or_default()) })
        }
    }
}

/// Returns the total time that the steps of a client wait.
fn waits(finding: &Finding) -> Duration {
    let scenario = finding.functions.scenario.iter();
    let steps = scenario.flat_map(|scenario| &scenario.steps);
    let milliseconds = steps.filter_map(|step| match &step.act {
        Act::Wait { time: Argument::Data { value, .. } } => value.as_int(),
        _ => None,
    });
    Duration::from_millis(milliseconds.sum::<i64>().unsigned_abs())
}

/// The limits and the number of evaluations of a call, depending on the expected failure.
struct Patience {
    time: Duration,
    /// The time for processes that are left when the call has ended.
    linger: Duration,
    count: usize,
}

impl Patience {
    fn of(failure: &Failure) -> Patience {
        match failure {
            Failure::Crash(raised) => match raised.reach {
                Reach::Caller | Reach::Link(_) => Patience { time: TIME, linger: Duration::ZERO, count: 2 },
                // The call itself may wait for a process that has ended.
                Reach::Nobody | Reach::Supervisor(_) => Patience { time: PATIENCE, linger: LINGER, count: 2 },
            },
            Failure::Spec { .. } | Failure::Blame(_) => Patience { time: TIME, linger: Duration::ZERO, count: 2 },
            Failure::Timeout(_) | Failure::Deadlock(_) => Patience { time: PATIENCE, linger: Duration::ZERO, count: 1 },
        }
    }
}

/// Returns why an evaluation that does not show a failure does not contradict it either: something had not ended.
fn unended(failure: &Failure, watched: &Watched, saying: &Saying<'_>) -> Option<String> {
    let seconds = saying.time.as_secs();
    match (failure, &watched.outcome, watched.rest) {
        (Failure::Crash(_) | Failure::Spec { .. } | Failure::Blame(_), Outcome::Timeout { .. }, Rest::Waiting) => {
            Some(format!("it still waited for a message after {seconds} s, and was not waited for"))
        }
        (Failure::Crash(_) | Failure::Spec { .. } | Failure::Blame(_), Outcome::Timeout { .. }, _) => {
            Some(format!("it had not ended after {seconds} s"))
        }
        // A loop that sleeps waits most of the time.
        (Failure::Timeout(unended), Outcome::Timeout { .. }, Rest::Waiting) if unended.endless.is_some() => {
            Some(format!("it waited for a message after {seconds} s, and was not waited for"))
        }
        (Failure::Crash(_), Outcome::Value { .. } | Outcome::Raised { .. }, Rest::Waiting | Rest::Running)
            if saying.is_of_processes =>
        {
            let milliseconds = LINGER.as_millis();
            Some(format!("processes of it were left {milliseconds} ms after the call, and were not waited for"))
        }
        _ => None,
    }
}

/// Evaluates a call `count` times, or more often if it starts processes.
fn evaluate(
    code: &dyn Code,
    call: &str,
    how: Evaluations,
    linger: Duration,
    count: usize,
    is_same: impl Fn(&Watched) -> bool,
) -> Result<Vec<Watched>, CodeError> {
    let mut outcomes: Vec<Watched> = Vec::new();
    let mut count = count;
    while outcomes.len() < count {
        let next = code.evaluate_watched(call, how, linger)?;
        // A call that did not end by itself is not repeated, since that would take as long again.
        let is_last = match next.outcome {
            Outcome::Timeout { .. } | Outcome::HeapExceeded | Outcome::Stopped { .. } | Outcome::RuntimeDied { .. } => {
                true
            }
            Outcome::Value { .. } | Outcome::Raised { .. } | Outcome::Killed { .. } | Outcome::Unreadable { .. } => {
                false
            }
        };
        outcomes.push(next);
        if is_last {
            break;
        }
        if outcomes.iter().any(|watched| watched.started > 0) {
            let is_shown = outcomes.iter().any(&is_same);
            count = count.max(if is_shown { EVALUATIONS_WITH_PROCESSES } else { EVALUATIONS_IN_VAIN });
        }
    }
    Ok(outcomes)
}

/// Returns whether our machine showed that the call never ends, and the runtime went on long enough to believe it.
fn is_endless(unended: &Unended, outcomes: &[Watched]) -> bool {
    let Some(endless) = &unended.endless else { return false };
    let enough = endless.calls.saturating_mul(REDUCTIONS_PER_CALL);
    outcomes.iter().all(|watched| match &watched.outcome {
        Outcome::Timeout { reductions } => *reductions >= enough,
        other => matches!(other, Outcome::HeapExceeded),
    })
}

/// Returns whether our machine showed that the call never ends, but the runtime had no time to get as far.
fn is_cut_short(unended: &Unended, outcomes: &[Watched]) -> bool {
    let is_running = |watched: &Watched| {
        matches!(watched.outcome, Outcome::Timeout { .. }) && !matches!(watched.rest, Rest::Waiting)
    };
    unended.endless.is_some() && !is_endless(unended, outcomes) && outcomes.iter().any(is_running)
}

/// Returns the limit at which evaluations that did not end were stopped, with the least work that one of them did.
fn limit(outcomes: &[Watched], limits: Limits) -> Option<RuntimeLimit> {
    if outcomes.iter().any(|watched| watched.outcome == Outcome::HeapExceeded) {
        return Some(RuntimeLimit::Memory { megabytes: (limits.heap_words as u64 * 8) >> 20 });
    }
    let reductions = outcomes.iter().filter_map(|watched| match watched.outcome {
        Outcome::Timeout { reductions } => Some(reductions),
        _ => None,
    });
    reductions.min().map(|reductions| RuntimeLimit::Time { seconds: limits.time.as_secs(), reductions })
}
