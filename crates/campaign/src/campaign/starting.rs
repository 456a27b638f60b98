//! Starts applications that a function needs.

use super::watch::Watch;
use super::{Begun, Bench, Campaign, Turn};
use crate::memory::Share;
use crate::target::Target;
use path::Setup;
use report::Judged;
use search::{Host, Missing};
use std::time::{Duration, Instant};
use term::FunctionName;

/// Returns how an application can be started before each run.
pub type Starter = Box<dyn Fn(&str) -> Start + Send + Sync>;

#[derive(Clone)]
pub enum Start {
    By(Setup),
    /// Starting it failed, for this reason.
    Failed(String),
    /// It is not an application of the project: the user may name it.
    Foreign,
}

impl Campaign {
    /// Tests a function. As soon as something is missing that an application of the project creates when it is started,
    /// the search begins again with that application started. Nothing is started if the user has setups of their own.
    pub fn test_with_applications(
        &self,
        bench: &mut Bench,
        target: &Target,
        mut begun: Begun,
        time: Duration,
        memory: &Share,
        found: &mut dyn FnMut(FunctionName, &Judged),
    ) -> Turn {
        let began = Instant::now();
        let mut target = begun.started.iter().fold(target.clone(), |target, setup| target.started(setup));
        let (mut left, mut runs) = (time, 0);
        loop {
            let mut turn = self.test(bench, &target, begun, left, memory.clone(), found);
            if turn.decided.is_none() {
                turn.tested.exploration.runs += runs;
            }
            let is_whole = !turn.tested.exploration.broken_off && !self.observer.is_interrupted();
            let Some(setup) = turn.starts.take().filter(|_| is_whole) else { return turn };
            target = target.started(&setup);
            left = time.saturating_sub(began.elapsed()).max(time / 2);
            runs = turn.tested.exploration.runs;
            begun = Begun {
                findings: turn.tested.exploration.findings,
                inputs: turn.inputs,
                seconds: turn.tested.seconds,
                started: Vec::new(),
                decided: turn.decided,
            };
        }
    }
}

impl Target {
    /// Returns the target with an application started before each run.
    pub(super) fn started(&self, setup: &Setup) -> Target {
        let with = |setups: &[Setup]| setups.iter().chain([setup]).cloned().collect();
        Target { setups: with(&self.setups), started: with(&self.started), ..self.clone() }
    }

    /// Returns whether the user has no setups of their own, so that Beagle decides what is started.
    fn is_left_to_us(&self) -> bool {
        self.setups.len() == self.started.len()
    }
}

impl Watch<'_> {
    /// Checks, once for each missing thing, whether an application would have created it, and arranges for its start.
    pub(super) fn note_missing(&mut self, missing: &Missing) {
        if self.noted.insert(missing.clone()) {
            let creator = self.creator(missing);
            let _ = self.application_of(missing, creator);
        }
    }

    /// Returns the application that creates what is missing, if the user has to start it. If Beagle can start it,
    /// returns `None` and ends the search, so that it begins again with the application.
    pub(super) fn application_of(&mut self, missing: &Missing, creator: Option<FunctionName>) -> Option<String> {
        let application = match missing {
            Missing::Application(name) => name.clone(),
            Missing::Process(_)
            | Missing::Table(_)
            | Missing::Name(_)
            | Missing::PersistentTerm(_)
            | Missing::Setting(_)
            | Missing::Module(_)
            | Missing::File(_) => self.code.application_of(creator?.module)?.text().to_string(),
        };
        let is_started = |setup: &Setup| setup.args.iter().any(|arg| arg.text() == application);
        if self.target.setups.iter().any(is_started) {
            return None;
        }
        let starter = self.campaign.starter.as_ref().filter(|_| self.target.is_left_to_us());
        match starter.map(|starter| starter(&application)) {
            Some(Start::By(setup)) => {
                self.starts = Some(setup);
                None
            }
            Some(Start::Failed(why)) => {
                self.not_started.insert(application, why);
                None
            }
            Some(Start::Foreign) | None => Some(application),
        }
    }
}
