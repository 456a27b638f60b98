//! Applications that a function needs, and that are started for it.

use super::{Begun, Bench, Campaign, Turn, Watch};
use crate::memory::Share;
use crate::target::Target;
use path::Setup;
use report::{Judged, Tested};
use search::{Host, Loss, Missing, Obstacle};
use std::time::{Duration, Instant};
use term::FunctionName;

/// Says how an application can be started before each run.
pub type Starter = Box<dyn Fn(&str) -> Start + Send + Sync>;

#[derive(Clone)]
pub enum Start {
    By(Setup),
    /// It was tried, in vain.
    Failed,
    /// It is not an application of the project: the user may name it.
    Foreign,
}

impl Campaign {
    /// Tests a function. If something is missing that an application of the project makes when it is started, the function is
    /// tested again with that application started, and what was missing is not spoken of.
    pub fn test_with_applications(
        &self,
        bench: &mut Bench,
        target: &Target,
        begun: Begun,
        time: Duration,
        memory: Share,
        found: &mut dyn FnMut(FunctionName, &Judged),
    ) -> Turn {
        let Some(starter) = &self.starter else { return self.test(bench, target, begun, time, memory, found) };
        if let Some(setup) = &begun.started {
            let target = target.started(setup);
            return self.test(bench, &target, begun, time, memory, found);
        }
        let began = Instant::now();
        let mut held = Vec::new();
        let mut turn = self.test(bench, target, begun, time, memory.clone(), &mut |name, judged| match judged
            .signals
            .missing
            .is_some()
        {
            true => held.push(judged.clone()),
            false => found(name, judged),
        });
        let is_whole = !turn.tested.exploration.broken_off && !self.observer.is_interrupted();
        let start = turn.needs.as_deref().filter(|_| is_whole).map_or(Start::Foreign, starter);
        let setup = match start {
            Start::By(setup) => setup,
            Start::Failed | Start::Foreign => {
                if matches!(start, Start::Failed) {
                    withdraw_hint(&mut turn.tested);
                }
                held.iter().for_each(|judged| found(target.name, judged));
                return turn;
            }
        };
        turn.tested.exploration.findings.retain(|judged| judged.signals.missing.is_none());
        let begun = Begun {
            findings: turn.tested.exploration.findings,
            inputs: turn.inputs,
            seconds: turn.tested.seconds,
            started: None,
        };
        let left = time.saturating_sub(began.elapsed()).max(time / 2);
        self.test(bench, &target.started(&setup), begun, left, memory, found)
    }
}

/// Takes back that starting an application helps.
fn withdraw_hint(tested: &mut Tested) {
    let losses = std::mem::take(&mut tested.exploration.losses);
    let without = |loss: Loss| match loss {
        Loss::AllEndAt(Obstacle::Missing { missing, created_by, .. }) => {
            Loss::AllEndAt(Obstacle::Missing { missing, created_by, application: None })
        }
        other => other,
    };
    tested.exploration.losses = losses.into_iter().map(|(loss, number)| (without(loss), number)).collect();
}

impl Target {
    /// The same with an application started before each run.
    pub(super) fn started(&self, setup: &Setup) -> Target {
        let setups = std::iter::once(setup).chain(&self.setups).cloned().collect();
        Target { setups, started: Some(setup.clone()), ..self.clone() }
    }
}

impl Watch<'_> {
    /// Remembers which application would have made what is missing.
    pub(super) fn note_missing(&mut self, missing: &Missing) {
        if !self.needed.contains_key(missing) {
            let creator = self.creator(missing);
            let application = self.application(missing, creator);
            self.needed.insert(missing.clone(), application);
        }
    }

    /// The application that makes what is missing, if nothing has started it.
    pub(super) fn application_of(&self, missing: &Missing, creator: Option<FunctionName>) -> Option<String> {
        let application = match missing {
            Missing::Application(name) => name.clone(),
            Missing::Process(_)
            | Missing::Table(_)
            | Missing::Name(_)
            | Missing::Setting(_)
            | Missing::Module(_)
            | Missing::File(_) => self.code.application_of(creator?.module)?.text().to_string(),
        };
        let is_started = |setup: &Setup| setup.args.iter().any(|arg| arg.text() == application);
        (!self.target.setups.iter().any(is_started)).then_some(application)
    }
}
