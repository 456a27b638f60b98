//! Smaller inputs that show the same failure, found by running them without shadows.

use crate::judge::{Judged, Key};
use crate::runner::{Concrete, Inputs, Runner};
use crate::shrink::shrink;
use crate::simplify::{simplify, smallest};
use crate::{CutAt, Failure, Host, Settings, Unended};
use formula::Variable;
use path::Stop;
use std::rc::Rc;
use std::sync::Arc;

/// Runs for one finding.
const MOST_RUNS: u32 = 500;
/// Smaller inputs, most of them outside of their types, for one finding.
const MOST_TESTS: u32 = 10_000;
/// Steps for one finding, in those of its first run and in any case.
const MOST_WORK: u64 = 20_000_000;
/// How many more steps than the failure itself a smaller one may take.
const SLACK: u64 = 1000;

struct Minimiser<'a, 'm> {
    runner: &'a mut Runner<'m>,
    host: &'a mut dyn Host,
    key: &'a Key,
    best: (Inputs, Failure),
    /// Of one run.
    steps: u64,
    runs: u32,
    /// Terms looked at, whether they were run or not.
    tests: u32,
    work: u64,
}

/// A failure as it is without shadows.
pub struct Repeated {
    pub key: Key,
    pub failure: Failure,
    steps: u64,
}

/// What it comes to without shadows, if that is no failure.
pub fn repeat(runner: &mut Runner<'_>, inputs: &Inputs, settings: &Settings) -> Result<Repeated, Judged> {
    let Concrete { judged, steps, .. } = runner.concrete(inputs, settings.most_steps);
    let failure = failure(runner, judged, settings.most_steps)?;
    let key = Key::of(&failure, runner.unit, &inputs.data());
    Ok(Repeated { key, failure, steps })
}

pub fn minimise(
    runner: &mut Runner<'_>,
    inputs: &Inputs,
    repeated: Repeated,
    settings: &Settings,
    host: &mut dyn Host,
) -> (Inputs, Failure) {
    let Repeated { key, failure, steps } = repeated;
    let steps = if matches!(key, Key::Timeout { .. }) { settings.most_steps } else { steps * 2 + SLACK };
    let work = MOST_WORK.max(steps.saturating_mul(4));
    let best = (inputs.clone(), failure);
    let mut minimiser = Minimiser { runner, host, key: &key, best, steps, runs: MOST_RUNS, tests: MOST_TESTS, work };
    // Enough was tried, or nothing gets simpler.
    while minimiser.pass() == Some(true) {}
    minimiser.best
}

fn failure(runner: &Runner<'_>, judged: Judged, steps: u64) -> Result<Failure, Judged> {
    match judged {
        Judged::Failed(failure) => Ok(failure),
        Judged::Cut => Ok(Failure::Timeout(Unended::after_calls(steps))),
        Judged::Stopped(Stop::MemoryLimit) => {
            let memory = runner.executor.memory();
            Ok(Failure::Timeout(Unended { endless: None, limit: CutAt::Memory(memory) }))
        }
        Judged::Fine | Judged::Edge | Judged::Expected(_) | Judged::NotMade | Judged::Stopped(_) => Err(judged),
    }
}

fn is_same(runner: &Runner<'_>, inputs: &Inputs, failure: &Failure, key: &Key) -> bool {
    Key::of(failure, runner.unit, &inputs.data()) == *key
}

impl Minimiser<'_, '_> {
    /// Makes the pieces of data simpler, one after the other. Did anything change?
    fn pass(&mut self) -> Option<bool> {
        let before = Rc::clone(&self.best.0.values);
        let form = Rc::clone(&self.best.0.form);
        for (index, of) in form.declared.iter().enumerate() {
            let variable = Variable(index as u32);
            let types = &self.runner.unit.contract.types;
            if let Some(smallest) = smallest(types, *of)
                && self.best.0.values.get(&variable) != Some(&smallest)
                && self.shows(self.best.0.with(variable, smallest))?
            {
                continue;
            }
            let Some(value) = self.best.0.values.get(&variable).cloned() else { continue };
            shrink(&value, &mut |term| {
                self.tests = self.tests.checked_sub(1)?;
                let fits = form.contains(&self.runner.unit.contract.types, variable, term);
                match fits {
                    true => self.shows(self.best.0.with(variable, term.clone())),
                    false => (!self.host.out_of_time()).then_some(false),
                }
            })?;
        }
        let functions = self.best.0.written.clone();
        if let Some(functions) = &functions {
            let types = Arc::clone(&self.runner.unit.contract.types);
            simplify(functions, &types, &mut |simpler| {
                self.shows(Inputs { written: Some(Arc::new(simpler)), ..self.best.0.clone() })
            })?;
        }
        Some(*before != *self.best.0.values || functions != self.best.0.written)
    }

    fn shows(&mut self, inputs: Inputs) -> Option<bool> {
        if self.runs == 0 || self.work == 0 || self.host.out_of_time() {
            return None;
        }
        let Concrete { judged, steps: used, .. } = self.runner.concrete(&inputs, self.steps);
        self.runs -= 1;
        self.work = self.work.saturating_sub(used + SLACK);
        match failure(self.runner, judged, self.steps)
            .ok()
            .filter(|failure| is_same(self.runner, &inputs, failure, self.key))
        {
            Some(failure) => {
                self.best = (inputs, failure);
                Some(true)
            }
            None => Some(false),
        }
    }
}
