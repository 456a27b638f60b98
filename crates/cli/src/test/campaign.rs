//! Testing one function: explore, and ask the BEAM and say where as soon as something is found.

use super::baseline::Baseline;
use super::judge::{Judge, Opinion};
use super::place::Files;
use super::progress::ProgressLine;
use super::solving::Timed;
use super::targets::{Target, print_name};
use beagle::{
    Attributes, Exceptions, Expectation, Opaque, Session, SessionError, Usage, contract_of, exception_report,
};
use loader::Loader;
use machine::{Alarm, Limits};
use report::{Judged, Judgement, Name, Tested};
use search::{Blame, Expected, Failure, Finding, Host, Progress, Settings, Unit, explore};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use term::{Atom, Term};

/// What all functions have in common.
pub struct Campaign {
    /// Functions that are not looked into.
    pub opaque: Opaque,
    pub settings: Settings,
    pub budget: Duration,
    pub seeds: Vec<Vec<Term>>,
    pub user_modules: Vec<Atom>,
    /// For people, outcomes are put into words.
    pub in_words: bool,
    pub judge: Judge,
    pub files: Files,
    pub progress: ProgressLine,
    /// Exceptions that are meant, as the command line and the configuration say.
    pub expectations: Vec<Expectation>,
    /// Findings that are known.
    pub baseline: Option<Baseline>,
}

/// What a worker tests functions with, one after the other.
pub struct Bench {
    pub session: Session,
    pub solver: Timed,
    pub speaker: Speaker,
}

impl Campaign {
    /// Findings go to `found` as they come.
    pub fn test(&self, bench: &mut Bench, target: &Target, found: &mut dyn FnMut(Name, &Judged)) -> Tested {
        let name = target.name;
        let Bench { session, solver, speaker } = bench;
        let contract = contract_of(&session.loader, &target.module, name.function, name.arity);
        let has_specification = contract.declared;
        let mut user_modules = self.user_modules.clone();
        if !user_modules.contains(&name.module) {
            user_modules.push(name.module);
        }
        let expected = self.expected(target);
        let Name { module, function, arity } = name;
        let unit = Unit { module, function, arity, contract, user_modules, expected };
        let seeds = self.seeds.iter().filter(|seed| seed.len() == name.arity as usize).cloned().collect();
        let settings = Settings { seeds, ..self.settings.clone() };

        let before = solver.effort();
        let mut watch = Watch {
            campaign: self,
            target,
            loader: Arc::clone(&session.loader),
            usage: session.usage(),
            speaker,
            start: Instant::now(),
            paused: Arc::default(),
            function: print_name(name),
            found,
            findings: Vec::new(),
            slow: 0,
            known: 0,
        };
        let exploration = explore(&mut session.machine, &unit, solver, &settings, &mut watch);
        let seconds = watch.elapsed().as_secs_f64();
        let Watch { findings, slow, known, .. } = watch;
        let effort = solver.effort();
        self.progress.done();
        let slow_words = "an input that takes too long here, though it ends on the BEAM (see --steps)".to_string();
        Tested {
            name,
            findings,
            known,
            dropped: if slow > 0 { vec![(slow_words, slow)] } else { Vec::new() },
            has_specification,
            seconds,
            solver_seconds: (effort.spent - before.spent).as_secs_f64(),
            solving: effort.since(&before),
            exploration,
        }
    }
}

impl Campaign {
    /// The exceptions that a function may raise on purpose.
    fn expected(&self, target: &Target) -> Expected {
        let Name { module, function, arity } = target.name;
        // What is wrong with the attributes was told when the functions were chosen.
        let declared = Attributes::of(&target.module).unwrap_or_default().expected;
        let all = self.expectations.iter().cloned().chain(declared);
        let meant: Vec<Exceptions> =
            all.filter(|one| one.covers(module, function, arity)).map(|one| one.exceptions).collect();
        if meant.is_empty() {
            Expected::default()
        } else {
            Expected::new(move |raised| meant.iter().any(|one| one.cover(raised)))
        }
    }
}

/// Says outcomes as the shell shows them, with a machine of its own: that of the exploration is busy.
pub struct Speaker {
    loader: Arc<Loader>,
    limits: Limits,
    session: Option<Session>,
}

impl Speaker {
    pub fn new(loader: &Arc<Loader>, limits: Limits) -> Speaker {
        Speaker { loader: Arc::clone(loader), limits, session: None }
    }

    fn session(&mut self) -> Result<&mut Session, SessionError> {
        let session = match self.session.take() {
            Some(session) => session,
            None => Opaque::default().session(&self.loader, self.limits)?,
        };
        Ok(self.session.insert(session))
    }

    fn shown(&mut self, finding: &Finding) -> String {
        match &finding.failure {
            Failure::Crash(raised) => match self.session() {
                Ok(session) => exception_report(session, raised),
                Err(error) => error.to_string(),
            },
            Failure::Spec { result } => erlang::print(result),
            Failure::Blame(Blame::Domain(_) | Blame::Arity(_)) => {
                "(calls a function outside of its domain)".to_string()
            }
            Failure::Blame(Blame::Range(_)) => "(hands out a function that leaves its range)".to_string(),
            Failure::Timeout => "(does not end)".to_string(),
            Failure::Deadlock => "(waits for ever)".to_string(),
        }
    }
}

/// Keeps the time of an exploration, and tells what it finds.
struct Watch<'a> {
    campaign: &'a Campaign,
    target: &'a Target,
    loader: Arc<Loader>,
    usage: Usage,
    speaker: &'a mut Speaker,
    start: Instant,
    /// Milliseconds for findings, which are not the exploration's. Shared with alarms.
    paused: Arc<AtomicU64>,
    function: String,
    found: &'a mut dyn FnMut(Name, &Judged),
    findings: Vec<Judged>,
    /// Findings that the BEAM did not agree with because it is faster.
    slow: u64,
    /// Findings that the user knows of.
    known: usize,
}

impl Watch<'_> {
    /// What the BEAM contradicts is nobody's bug, so nobody knows it.
    fn is_known(&self, judgement: &Judgement, finding: &Finding) -> bool {
        let is_bug = !matches!(judgement, Judgement::Refuted { .. });
        let campaign = self.campaign;
        let baseline = campaign.baseline.as_ref().filter(|_| is_bug);
        baseline.is_some_and(|baseline| baseline.meet(self.target.name, finding, &campaign.user_modules))
    }

    fn elapsed(&self) -> Duration {
        exploring(self.start, &self.paused)
    }
}

fn exploring(start: Instant, paused: &AtomicU64) -> Duration {
    start.elapsed().saturating_sub(Duration::from_millis(paused.load(Ordering::Relaxed)))
}

impl Host for Watch<'_> {
    fn out_of_time(&mut self) -> bool {
        self.elapsed() >= self.campaign.budget
    }

    fn time_left(&mut self) -> Option<Duration> {
        Some(self.campaign.budget.saturating_sub(self.elapsed()))
    }

    fn alarm(&mut self) -> Option<Alarm> {
        let (start, paused, budget) = (self.start, Arc::clone(&self.paused), self.campaign.budget);
        Some(Arc::new(move || exploring(start, &paused) >= budget))
    }

    fn progress(&mut self, progress: &Progress) {
        self.campaign.progress.running(&self.function, progress);
    }

    fn found(&mut self, finding: &Finding) {
        let seconds = self.elapsed().as_secs_f64();
        let began = Instant::now();
        let campaign = self.campaign;
        match campaign.judge.opinion(&self.loader, &self.usage, self.target.name, finding) {
            Opinion::Shown(judgement) if self.is_known(&judgement, finding) => self.known += 1,
            Opinion::Shown(judgement) => {
                let judged = Judged {
                    judgement,
                    shown: if campaign.in_words { self.speaker.shown(finding) } else { String::new() },
                    place: campaign.files.place(self.target, &finding.failure),
                    seconds,
                    finding: finding.clone(),
                };
                (self.found)(self.target.name, &judged);
                self.findings.push(judged);
            }
            Opinion::Slow => self.slow += 1,
        }
        self.paused.fetch_add(began.elapsed().as_millis() as u64, Ordering::Relaxed);
    }
}
