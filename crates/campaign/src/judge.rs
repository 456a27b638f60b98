//! Asks the real runtime whether findings are true.
//!
//! It evaluates the very text that the user is shown, or the same in the language that the runtime reads. Every call gets
//! a time limit and memory of its own, and is evaluated twice, so that a call that depends on more than its
//! arguments shows it. A call that is known to depend on its surroundings is evaluated more often.

use crate::observer::{Topic, Warnings};
use crate::target::Target;
use frontend::{Code, CodeError, Evaluations, FrontEnd, Limits, Outcome};
use path::{Class, InputValue};
use report::{Judgement, RuntimeLimit};
use search::{Failure, Finding, Unended};
use session::Usage;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use term::{Atom, FunctionName, Term};

/// The time for calls that are expected to end.
const TIME: Duration = Duration::from_secs(5);
/// The time for calls that are expected not to end: hundreds of times what they had here.
const PATIENCE: Duration = Duration::from_secs(2);
/// A call that never ends makes at least this many reductions for each call that our machine made until that was clear.
const REDUCTIONS_PER_CALL: u64 = 10;
/// The number of evaluations of a call that depends on its surroundings.
const EVALUATIONS_OF_DEPENDENT: usize = 3;

/// Shared by all workers: there is one runtime.
pub struct Judge {
    is_wanted: bool,
    warnings: Warnings,
    /// Source modules that the runtime was given, each with the reason why it refused them, if it did.
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
    /// It ended on the runtime, so it does not run for ever: our machine is only slower.
    Slow,
}

impl Judge {
    pub fn new(is_wanted: bool, warnings: Warnings) -> Judge {
        Judge { is_wanted, warnings, loaded: Mutex::default() }
    }

    /// `language`: the language of the report.
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
        // That the runtime lacks the function says nothing about it.
        let is_undef = matches!(&finding.failure, Failure::Crash(raised) if code.is_undefined(&raised.reason));
        if lacking == target.name.module || is_undef {
            return unasked();
        }
        match opinion(code, language, target, finding) {
            confirmed @ Opinion::Shown { judgement: Judgement::Confirmed, .. } => confirmed,
            // The module may have been used by other functions, or by this one: what the runtime does without it contradicts
            // nothing.
            Opinion::Shown { .. } | Opinion::Slow => unasked(),
        }
    }

    /// What the runtime does with each of these inputs; only of those with which it does the same twice. `is_used`:
    /// whether a module is needed for it.
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
        let call = |inputs: &Vec<InputValue>| {
            let args: Vec<String> = inputs.iter().map(|input| asking.input(input, false)).collect();
            after_setups(language, target, asking.call(target.name.module, target.name.function, &args))
        };
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

/// What the runtime evaluates: the setups of a function, then a call.
fn after_setups(language: &dyn FrontEnd, target: &Target, call: String) -> String {
    let setups = target.setups.iter().map(|setup| language.asking().call(setup.module, setup.function, &[]));
    setups.chain([call]).collect::<Vec<_>>().join(", ")
}

fn opinion(code: &dyn Code, language: &dyn FrontEnd, target: &Target, finding: &Finding) -> Opinion {
    let call = after_setups(language, target, report::laid_out(language.asking(), target.name, finding));
    let ends = matches!(finding.failure, Failure::Crash(_) | Failure::Spec { .. } | Failure::Blame(_));
    let is_dependent = !finding.depends_on.is_empty();
    let count = match (is_dependent, ends) {
        (true, _) => EVALUATIONS_OF_DEPENDENT,
        (false, true) => 2,
        (false, false) => 1,
    };
    let limits = Limits { time: if ends { TIME } else { PATIENCE }, ..Limits::default() };
    let outcomes = match evaluate(code, call, limits, count, is_dependent) {
        Ok(outcomes) => outcomes,
        Err(error) => return Opinion::unasked(format!("{} could not be asked: {error}", language.runtime())),
    };
    let limit = limit(&outcomes, limits);
    let shown = |judgement| Opinion::Shown { judgement, evaluations: outcomes.len(), limit };
    let other = outcomes.iter().find(|outcome| !is_same(code, &finding.failure, outcome));
    let same = outcomes.iter().any(|outcome| is_same(code, &finding.failure, outcome));
    match (&finding.failure, same, other) {
        // That the runtime is gone says nothing about whether the call ends.
        (Failure::Timeout(_), _, Some(other @ (Outcome::RuntimeDied { .. } | Outcome::Unreadable { .. }))) => {
            Opinion::unasked(format!("on {} it was {}", language.runtime(), said(language, other)))
        }
        (Failure::Timeout(unended), _, Some(other)) if unended.endless.is_some() => {
            shown(Judgement::Refuted { said: said(language, other) })
        }
        (Failure::Timeout(_), _, Some(_)) => Opinion::Slow,
        (Failure::Timeout(unended), _, None) if !is_endless(unended, &outcomes) => shown(Judgement::Outlasted),
        (_, _, None) => shown(Judgement::Confirmed),
        (_, true, Some(other)) => shown(Judgement::Varies { said: said(language, other) }),
        // It may still end as the finding says: that it takes long contradicts nothing.
        (Failure::Crash(_) | Failure::Spec { .. } | Failure::Blame(_), false, Some(Outcome::Timeout { .. })) => {
            Opinion::unasked(format!("on {} it had not ended after {} s", language.runtime(), TIME.as_secs()))
        }
        (_, false, Some(first)) => {
            let second = outcomes.iter().find(|outcome| !are_same(code, first, outcome));
            let varies = second.map(|second| format!(" one time, and {} another: it varies", said(language, second)));
            shown(Judgement::Refuted { said: format!("{}{}", said(language, first), varies.unwrap_or_default()) })
        }
    }
}

/// Evaluates a call `count` times. `afresh`: each time in a runtime in which nothing was evaluated before.
fn evaluate(
    code: &dyn Code,
    call: String,
    limits: Limits,
    count: usize,
    afresh: bool,
) -> Result<Vec<Outcome>, CodeError> {
    let calls = [call];
    let mut outcomes = Vec::new();
    while outcomes.len() < count {
        let next = code.evaluate(&calls, Evaluations { limits, is_printed: true, is_fresh: afresh })?;
        // A call that did not end by itself is not tried again: it would take as long once more.
        let is_last = next.iter().any(|outcome| match outcome {
            Outcome::Timeout { .. } | Outcome::HeapExceeded | Outcome::Stopped { .. } | Outcome::RuntimeDied { .. } => {
                true
            }
            Outcome::Value { .. } | Outcome::Raised { .. } | Outcome::Killed { .. } | Outcome::Unreadable { .. } => {
                false
            }
        });
        outcomes.extend(next);
        if is_last {
            break;
        }
    }
    Ok(outcomes)
}

/// Whether our machine showed that the call never ends, and the runtime went on long enough to believe it.
fn is_endless(unended: &Unended, outcomes: &[Outcome]) -> bool {
    let Some(endless) = &unended.endless else { return false };
    let enough = endless.calls.saturating_mul(REDUCTIONS_PER_CALL);
    outcomes.iter().all(|outcome| match outcome {
        Outcome::Timeout { reductions } => *reductions >= enough,
        other => matches!(other, Outcome::HeapExceeded),
    })
}

/// The limit at which evaluations that did not end were stopped, with the least work that one of them did.
fn limit(outcomes: &[Outcome], limits: Limits) -> Option<RuntimeLimit> {
    if outcomes.contains(&Outcome::HeapExceeded) {
        return Some(RuntimeLimit::Memory { megabytes: (limits.heap_words as u64 * 8) >> 20 });
    }
    let reductions = outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Timeout { reductions } => Some(*reductions),
        _ => None,
    });
    reductions.min().map(|reductions| RuntimeLimit::Time { seconds: limits.time.as_secs(), reductions })
}

fn is_same(code: &dyn Code, failure: &Failure, outcome: &Outcome) -> bool {
    match (failure, outcome) {
        (Failure::Crash(ours), Outcome::Raised { class, reason, .. }) => {
            ours.class.atom() == *class && code.are_alike(&ours.reason, reason)
        }
        // An exit signal from a linked process ends the call as an exit of its own does.
        (Failure::Crash(ours), Outcome::Killed { reason }) => {
            ours.class == Class::Exit && code.are_alike(&ours.reason, reason)
        }
        (Failure::Spec { result }, Outcome::Value { term, .. }) => code.are_alike(result, term),
        (Failure::Blame(blame), Outcome::Raised { class, reason, .. }) => code.is_blame(blame, *class, reason),
        // A call that fills its memory was stopped, too; whether it would have ended is another question.
        (Failure::Timeout(_), Outcome::Timeout { .. } | Outcome::HeapExceeded) => true,
        (Failure::Deadlock, Outcome::Timeout { .. }) => true,
        (Failure::Crash(_) | Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock, _) => {
            false
        }
    }
}

fn are_same(code: &dyn Code, left: &Outcome, right: &Outcome) -> bool {
    match (left, right) {
        (Outcome::Value { term: left, .. }, Outcome::Value { term: right, .. }) => code.are_alike(left, right),
        (
            Outcome::Raised { class: left_class, reason: left, .. },
            Outcome::Raised { class: right_class, reason: right, .. },
        ) => left_class == right_class && code.are_alike(left, right),
        _ => std::mem::discriminant(left) == std::mem::discriminant(right),
    }
}

/// The longest outcome that is shown in full, in letters.
const SHOWN: usize = 2000;

fn said(language: &dyn FrontEnd, outcome: &Outcome) -> String {
    let whole = in_words(language, outcome);
    match whole.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} …", &whole[..end]),
        None => whole,
    }
}

fn in_words(language: &dyn FrontEnd, outcome: &Outcome) -> String {
    let print = |term: &Term, text: &Option<String>| language.shown(term, text.as_deref());
    match outcome {
        Outcome::Value { term, text } => print(term, text),
        Outcome::Raised { class, reason, text, .. } => format!("{class} {}", print(reason, text)),
        Outcome::Timeout { .. } => format!("without an end within {} s", TIME.as_secs()),
        Outcome::HeapExceeded => "without enough memory".to_string(),
        Outcome::Stopped { module, function, arity } => {
            let name = FunctionName { module: *module, function: *function, arity: *arity };
            format!("on its way to {}, and was stopped", language.function(name))
        }
        Outcome::Killed { reason } => format!("ended from outside: {}", print(reason, &None)),
        Outcome::Unreadable { message } => format!("not readable: {message}"),
        Outcome::RuntimeDied { message } => format!("the end of the whole runtime: {message}"),
    }
}
