//! Draws conclusions from the ends of runs: findings, and reasons why the exploration is incomplete.

use super::endless::Shown;
use super::{Explorer, LONGEST_PATH};
use crate::contrast::refused_kind;
use crate::judge::{Judged, Key, with_other_data};
use crate::minimise::{Repeated, minimise, repeat};
use crate::runner::Inputs;
use crate::{CutAt, Failure, Finding, Loss, Unended};
use path::{Concretised, Raised, Stop, Surrounding};
use std::sync::Arc;
use term::work;

/// The maximum number of cut runs of one function that are examined for a reason why they never end.
const MOST_CUTS: u32 = 4;

impl Explorer<'_> {
    pub fn conclude(&mut self, inputs: Option<&Inputs>, steps: u64, judged: Judged, decisions: usize) {
        match &judged {
            Judged::Fine => self.exploration.returned += 1,
            Judged::Failed(Failure::Crash(_)) => self.exploration.raised += 1,
            Judged::Failed(_)
            | Judged::Edge
            | Judged::Expected(_)
            | Judged::Cut
            | Judged::NotMade
            | Judged::Stopped(_) => {}
        }
        match self.note_end(inputs, judged) {
            Judged::Fine | Judged::NotMade => {}
            Judged::Edge => self.exploration.edges += 1,
            Judged::Expected(raised) => self.expected(inputs, raised),
            Judged::Failed(failure) => self.failed(inputs, failure),
            Judged::Cut if steps >= self.settings.most_steps => {
                self.lose(Loss::Stopped(Stop::StepLimit));
                self.failed(inputs, Failure::Timeout(Unended::after_calls(steps)));
            }
            Judged::Cut if decisions >= LONGEST_PATH => {
                self.lose(Loss::LongPath);
                self.failed(inputs, Failure::Timeout(Unended::after_calls(steps)));
            }
            Judged::Cut => {}
            Judged::Stopped(Stop::MemoryLimit) => {
                self.stopped(Stop::MemoryLimit);
                let limit = CutAt::Memory(self.runner.executor.memory());
                self.failed(inputs, Failure::Timeout(Unended { endless: None, limit }));
            }
            Judged::Stopped(stop) => self.stopped(stop),
        }
    }

    fn stopped(&mut self, stop: Stop) {
        match stop {
            Stop::Unsupported(function) | Stop::EffectDenied(function) | Stop::NotReturned(function) => {
                *self.exploration.unsupported.entry(function).or_default() += 1;
                self.lose(Loss::Stopped(stop));
            }
            // The program ended on purpose, or the time is over, which the exploration reports anyway.
            Stop::Halted(_) | Stop::Interrupted => {}
            Stop::StepLimit
            | Stop::MemoryLimit
            | Stop::AtomLimit
            | Stop::ProcessLimit
            | Stop::Deadlock(_)
            | Stop::Contract
            | Stop::LoadFailed(_)
            | Stop::TraceLimit
            | Stop::ResultTooLarge
            | Stop::TooSlow(_)
            | Stop::Fault(_) => self.lose(Loss::Stopped(stop)),
        }
    }

    /// Makes a finding of a failure that is new and also occurs without shadows. The failure without shadows counts:
    /// with shadows, a row may replace a library's code, so the error comes from another place.
    pub fn failed(&mut self, inputs: Option<&Inputs>, failure: Failure) {
        let Some(inputs) = inputs.filter(|_| self.settings.goal.is_none()) else { return };
        let is_cut = matches!(failure, Failure::Timeout(_));
        // A function input that calls its caller may do so forever. That is not a failure of the unit.
        if is_cut && inputs.written.as_ref().is_some_and(|written| written.has_probes()) {
            return;
        }
        let key = Key::of_inputs(&failure, self.unit, inputs);
        // A run that is only slow, with or without shadows, may hide another one that never ends.
        let is_known = match is_cut {
            true => self.cuts >= MOST_CUTS || self.found.contains(&Key::Timeout { is_endless: true }),
            false => !self.met.insert(key.clone()),
        };
        if is_known {
            return;
        }
        let runs = self.exploration.runs;
        // A failure in the last moment is still reported. For a run that was cut, no time is added.
        let alarm = if is_cut { None } else { self.runner.set_alarm(None) };
        let repeated = repeat(&mut self.runner, inputs, self.settings);
        if alarm.is_some() {
            self.runner.set_alarm(alarm);
        }
        if !is_cut && matches!(repeated, Err(ref judged) if !matches!(judged, Judged::Expected(_))) {
            self.met.remove(&key);
            self.lose(Loss::NotReproduced);
        }
        let repeated = match repeated {
            Ok(repeated) => repeated,
            Err(Judged::Expected(raised)) => return self.expected(Some(inputs), raised),
            Err(_) => return,
        };
        if matches!(repeated.key, Key::Timeout { .. }) {
            return self.cut(inputs, repeated, runs);
        }
        if !self.found.insert(repeated.key.clone()) {
            return;
        }
        // A failure that cannot be made small in time is reported as it is.
        let (first, shown) = (inputs, repeated.failure.clone());
        let small = work::given_up(|| minimise(&mut self.runner, first, repeated, self.settings, self.host));
        let (inputs, failure) = small.unwrap_or_else(|_| (first.clone(), shown));
        // The time that reporting takes does not count as time of the search.
        work::unwatched(|| {
            let depends_on = self.surroundings(&inputs, &failure);
            self.found(&inputs, failure, runs, depends_on);
        });
    }

    /// Examines whether a run that is also cut without shadows never ends, and reports it.
    fn cut(&mut self, inputs: &Inputs, repeated: Repeated, runs: u64) {
        self.cuts += 1;
        let first = self.watch(inputs);
        if !self.found.insert(Key::Timeout { is_endless: first.endless.is_some() }) {
            return;
        }
        let (smaller, failure) = minimise(&mut self.runner, inputs, repeated, self.settings, self.host);
        let Failure::Timeout(mut unended) = failure else { return };
        // A smaller input that is only slow is not an example of one that never ends.
        let is_smaller = smaller.values != inputs.values || smaller.written != inputs.written;
        let (inputs, shown) = match is_smaller.then(|| self.watch(&smaller)) {
            Some(Shown { endless: None, .. }) if first.endless.is_some() => (inputs.clone(), first),
            Some(shown) => (smaller, shown),
            None => (smaller, first),
        };
        unended.endless = shown.endless;
        self.found.insert(Key::Timeout { is_endless: unended.endless.is_some() });
        work::unwatched(|| self.found(&inputs, Failure::Timeout(unended), runs, shown.surroundings));
    }

    fn found(&mut self, inputs: &Inputs, failure: Failure, runs: u64, depends_on: Vec<Surrounding>) {
        let mut functions = inputs.written.clone().unwrap_or_default();
        let mut said = Vec::new();
        if inputs.written.is_some() {
            let ran = self.runner.concrete(inputs, self.settings.most_steps);
            said = ran.said;
            // Results and returned values may differ for the smaller inputs.
            let functions = Arc::make_mut(&mut functions);
            for (application, result) in functions.applications.iter_mut().zip(ran.applied) {
                application.result = result;
            }
            if let Some(scenario) = &mut functions.scenario {
                for (step, returned) in Arc::make_mut(scenario).steps.iter_mut().zip(ran.returned) {
                    step.returned = returned;
                }
            }
        }
        let refused = refused_kind(&mut self.runner, inputs, &failure, self.settings.steps);
        let made_wrong = self.runner.made_wrong(inputs);
        let inputs = inputs.shown();
        let compares_functions =
            self.exploration.losses.contains_key(&Loss::Concretised(Concretised::IdentityOfFunction));
        let finding =
            Finding { inputs, functions, said, failure, runs, depends_on, refused, made_wrong, compares_functions };
        self.host.found(&finding);
        self.exploration.findings.push(finding);
    }

    fn expected(&mut self, inputs: Option<&Inputs>, raised: Raised) {
        let data = inputs.map_or_else(Vec::new, |inputs| inputs.terms());
        // Whether an exception is expected must not depend on data, because the path also has inputs with other data.
        let reason = with_other_data(&raised.reason, &data);
        if !self.unit.expected.covers(&Raised { reason, ..raised.clone() }) {
            self.lose(Loss::SomeExpected);
        }
        self.expected.insert(Key::of(&Failure::Crash(raised), self.unit, &data));
        self.exploration.expected = self.expected.len();
    }

    /// Returns what a failure depends on in addition to its inputs.
    fn surroundings(&mut self, inputs: &Inputs, failure: &Failure) -> Vec<Surrounding> {
        match failure {
            Failure::Crash(_) | Failure::Spec { .. } | Failure::Blame(_) => {
                self.runner.concrete(inputs, self.settings.most_steps).surroundings
            }
            Failure::Deadlock(_) => {
                let mut all = self.runner.concrete(inputs, self.settings.most_steps).surroundings;
                all.retain(|surrounding| *surrounding == Surrounding::Schedule);
                all
            }
            // The surroundings of a cut run come from watching it.
            Failure::Timeout(_) => Vec::new(),
        }
    }
}
