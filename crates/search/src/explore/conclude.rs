//! What the ends of runs come to: findings, and what stands between this and a complete exploration.

use super::{Explorer, LONGEST_PATH};
use crate::judge::{Judged, Key, with_other_data};
use crate::minimise::{minimise, repeat};
use crate::runner::Inputs;
use crate::{Failure, Finding};
use machine::{Raised, Stop};
use std::sync::Arc;
use term::work;

impl Explorer<'_> {
    pub fn conclude(&mut self, inputs: Option<&Inputs>, steps: u64, judged: Judged, decisions: usize) {
        match judged {
            Judged::Fine | Judged::NotMade => {}
            Judged::Edge => self.told.edges += 1,
            Judged::Expected(raised) => self.expected(inputs, raised),
            Judged::Failed(failure) => self.failed(inputs, failure),
            Judged::Cut if steps >= self.settings.most_steps => {
                self.lose("step limit");
                self.failed(inputs, Failure::Timeout);
            }
            Judged::Cut if decisions >= LONGEST_PATH => {
                self.lose("a path of too many decisions");
                self.failed(inputs, Failure::Timeout);
            }
            Judged::Cut => {}
            Judged::Stopped(stop) => self.stopped(stop),
        }
    }

    fn stopped(&mut self, stop: Stop) {
        match stop {
            Stop::Unsupported { module, function, arity } | Stop::EffectDenied { module, function, arity } => {
                *self.told.unsupported.entry(format!("{module}:{function}/{arity}")).or_default() += 1;
                self.lose(&stop.to_string());
            }
            // The program ended, as it wanted to; or the time is over, which is told anyway.
            Stop::Halted(_) | Stop::Interrupted => {}
            Stop::StepLimit
            | Stop::MemoryLimit
            | Stop::AtomLimit
            | Stop::Deadlock
            | Stop::Contract
            | Stop::LoadFailed(_)
            | Stop::ResultTooLarge
            | Stop::TooSlow { .. }
            | Stop::Fault(_) => self.lose(&stop.to_string()),
        }
    }

    /// A failure that is new and shows itself without shadows is a finding. What it is like without them
    /// counts: where a row speaks for a library's code, the error comes from another place.
    pub fn failed(&mut self, inputs: Option<&Inputs>, failure: Failure) {
        let Some(inputs) = inputs else { return };
        // A function input that calls its caller may do so for ever: nobody's fault.
        if matches!(failure, Failure::Timeout) && inputs.written.as_ref().is_some_and(|written| written.has_probes()) {
            return;
        }
        let data = inputs.shape().data(&inputs.values);
        let key = Key::of(&failure, self.unit, &data);
        if !self.met.insert(key.clone()) {
            return;
        }
        let runs = self.told.runs;
        // What fails at the last moment is still told; what does not end has had its time.
        let alarm = if key == Key::Timeout { None } else { self.runner.machine.set_alarm(None) };
        let repeated = repeat(&mut self.runner, inputs, self.settings);
        if alarm.is_some() {
            self.runner.machine.set_alarm(alarm);
        }
        if key == Key::Timeout && repeated.as_ref().map_or(true, |repeated| repeated.key != key) {
            // Only slow with shadows: another one may be slow without them too.
            self.met.remove(&key);
        } else if matches!(repeated, Err(ref judged) if !matches!(judged, Judged::Expected(_))) {
            self.met.remove(&key);
            self.lose("a failure that could not be reproduced");
        }
        let repeated = match repeated {
            Ok(repeated) => repeated,
            Err(Judged::Expected(raised)) => return self.expected(Some(inputs), raised),
            Err(_) => return,
        };
        if !self.found.insert(repeated.key.clone()) {
            return;
        }
        // What cannot be made small in time is told as it is.
        let (first, shown) = (inputs, repeated.failure.clone());
        let small = work::given_up(|| minimise(&mut self.runner, first, repeated, self.settings, self.host));
        let (inputs, failure) = small.unwrap_or_else(|_| (first.clone(), shown));
        work::unwatched(|| self.tell_failure(inputs, failure, runs));
    }

    /// The time of telling is nobody's.
    fn tell_failure(&mut self, inputs: Inputs, failure: Failure, runs: u64) {
        let depends_on = self.surroundings(&inputs, &failure).into_iter().map(str::to_owned).collect();
        let mut functions = inputs.written.clone().unwrap_or_default();
        let mut said = Vec::new();
        if inputs.written.is_some() {
            self.runner.concrete(&inputs, self.settings.most_steps);
            said = std::mem::take(&mut self.runner.said);
            // They may look otherwise with smaller inputs.
            let results = std::mem::take(&mut self.runner.applied);
            for (application, result) in Arc::make_mut(&mut functions).applications.iter_mut().zip(results) {
                application.result = result;
            }
        }
        let finding = Finding { inputs: inputs.shown(), functions, said, failure, runs, depends_on };
        self.host.found(&finding);
        self.told.findings.push(finding);
    }

    fn expected(&mut self, inputs: Option<&Inputs>, raised: Raised) {
        let data = inputs.map_or_else(Vec::new, |inputs| inputs.shape().data(&inputs.values));
        // Whether it is meant must not depend on data: the path has other data, too.
        let reason = with_other_data(&raised.reason, &data);
        if !self.unit.expected.covers(&Raised { reason, ..raised.clone() }) {
            self.lose(crate::SOME_EXPECTED);
        }
        self.expected.insert(Key::of(&Failure::Crash(raised), self.unit, &data));
        self.told.expected = self.expected.len();
    }

    /// What a failure depends on beside its inputs.
    fn surroundings(&mut self, inputs: &Inputs, failure: &Failure) -> Vec<&'static str> {
        match failure {
            Failure::Crash(_) | Failure::Spec { .. } | Failure::Blame(_) => {
                self.runner.concrete(inputs, self.settings.most_steps);
                std::mem::take(&mut self.runner.machine.context().recorder.surroundings)
            }
            // It may do so a thousand times until its steps are spent.
            Failure::Timeout | Failure::Deadlock => Vec::new(),
        }
    }
}
