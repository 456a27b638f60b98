//! Testing one function: explore, ask the BEAM, and say where.

use super::judge::{Judge, Opinion};
use super::place::Files;
use super::progress::ProgressLine;
use super::solving::Timed;
use super::targets::{Target, print_name};
use beagle::{Session, exception_report};
use contract::{Contract, Modules};
use loader::Loader;
use program::Module;
use report::{Judged, Tested};
use search::{Failure, Finding, Host, Progress, Settings, Unit, explore};
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{Atom, Term};

/// What all functions have in common.
pub struct Campaign {
    pub settings: Settings,
    pub budget: Duration,
    pub seeds: Vec<Vec<Term>>,
    pub user_modules: Vec<Atom>,
    /// For people, outcomes are put into words.
    pub in_words: bool,
    pub judge: Judge,
    pub files: Files,
    pub progress: ProgressLine,
}

impl Campaign {
    pub fn test(&self, session: &mut Session, solver: &mut Timed, target: &Target) -> Tested {
        let name = target.name;
        let contract =
            Contract::of(&target.module, name.function, name.arity, &mut FromLoader(Arc::clone(&session.loader)));
        let has_specification = contract.declared;
        let mut user_modules = self.user_modules.clone();
        if !user_modules.contains(&name.module) {
            user_modules.push(name.module);
        }
        let unit = Unit { module: name.module, function: name.function, arity: name.arity, contract, user_modules };
        let seeds = self.seeds.iter().filter(|seed| seed.len() == name.arity as usize).cloned().collect();
        let settings = Settings { seeds, ..self.settings.clone() };

        let start = Instant::now();
        let before = solver.effort();
        let mut watch = Watch {
            start,
            budget: self.budget,
            found: Vec::new(),
            function: print_name(name),
            progress: &self.progress,
        };
        let exploration = explore(&mut session.machine, &unit, solver, &settings, &mut watch);
        let seconds = start.elapsed().as_secs_f64();
        let effort = solver.effort();

        let opinions = self.judge.opinions(session, name, &exploration.findings);
        let mut findings = Vec::new();
        let mut slow = 0;
        for (index, (finding, opinion)) in exploration.findings.iter().zip(opinions).enumerate() {
            match opinion {
                Opinion::Shown(judgement) => findings.push(Judged {
                    judgement,
                    shown: if self.in_words { shown(session, finding) } else { String::new() },
                    place: self.files.place(target, &finding.failure),
                    seconds: watch.found.get(index).copied().unwrap_or(seconds),
                    finding: finding.clone(),
                }),
                Opinion::Slow => slow += 1,
            }
        }
        self.progress.done();
        let slow_words = "an input that takes too long here, though it ends on the BEAM (see --steps)".to_string();
        Tested {
            name,
            findings,
            dropped: if slow > 0 { vec![(slow_words, slow)] } else { Vec::new() },
            has_specification,
            seconds,
            solver_seconds: (effort.spent - before.spent).as_secs_f64(),
            solving: effort.since(&before),
            exploration,
        }
    }
}

/// The outcome as the shell shows it.
fn shown(session: &mut Session, finding: &Finding) -> String {
    match &finding.failure {
        Failure::Crash(raised) => exception_report(session, raised),
        Failure::Spec { result } => erlang::print(result),
        Failure::Timeout => "(does not end)".to_string(),
        Failure::Deadlock => "(waits for ever)".to_string(),
    }
}

struct FromLoader(Arc<Loader>);

impl Modules for FromLoader {
    fn module(&mut self, name: Atom) -> Option<Arc<Module>> {
        // A module that does not load is as good as absent: the contract says what it could not follow.
        self.0.load(name).ok().flatten()
    }
}

/// Keeps the time of an exploration.
struct Watch<'a> {
    start: Instant,
    budget: Duration,
    found: Vec<f64>,
    function: String,
    progress: &'a ProgressLine,
}

impl Host for Watch<'_> {
    fn out_of_time(&mut self) -> bool {
        self.start.elapsed() >= self.budget
    }

    fn progress(&mut self, progress: &Progress) {
        self.progress.running(&self.function, progress);
    }

    fn found(&mut self, _: &Finding) {
        self.found.push(self.start.elapsed().as_secs_f64());
    }
}
