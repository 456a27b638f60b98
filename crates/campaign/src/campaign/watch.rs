//! Watches over an exploration: keeps its time and memory, judges its findings, and passes them on.

use super::making::Look;
use super::{Campaign, Wish};
use crate::judge::Opinion;
use crate::memory::Share;
use crate::reaching;
use crate::results::{Asked, Inputs, Needed};
use crate::signals::Facts;
use crate::speaker::Speaker;
use crate::target::Target;
use formula::{Formulas, TermId, Variable};
use frontend::Code;
use machine::Limits;
use path::{Alarm, InputValue, Raised, Setup, Surrounding};
use report::{Judged, Tree};
use search::{
    End, Finding, Host, LEAST_RECHECKED, Missing, MissingSide, Progress, Ran, Settled, Unit, VariableIs,
    is_same_failure,
};
use session::Usage;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use term::work::{Overdue, Watcher};
use term::{Atom, FunctionName, Term, work};

/// The time between two snapshots of a search.
const SAVED_EVERY: Duration = Duration::from_millis(900);

/// The host of an exploration.
pub(super) struct Watch<'a> {
    pub(super) campaign: &'a Campaign,
    pub(super) target: &'a Target,
    pub(super) unit: &'a Unit,
    pub(super) time: Duration,
    pub(super) memory: Share,
    pub(super) code: Arc<dyn Code>,
    pub(super) limits: Limits,
    pub(super) usage: Usage,
    /// Modules that the specification's types come from.
    pub(super) types_of: &'a [Atom],
    pub(super) speaker: &'a mut Speaker,
    pub(super) start: Instant,
    /// Milliseconds that were spent on findings, which do not count as exploring. Shared with alarms.
    pub(super) paused: Arc<AtomicU64>,
    pub(super) function: String,
    pub(super) found: &'a mut dyn FnMut(FunctionName, &Judged),
    pub(super) findings: Vec<Judged>,
    pub(super) inputs: Inputs,
    /// Whether there is a complete result already, which is worth more than a snapshot.
    pub(super) is_decided: bool,
    /// The time of the last snapshot.
    pub(super) saved: Instant,
    /// The number of timeouts that the runtime, being faster, did not confirm.
    pub(super) slow: u64,
    /// The names of the parameters.
    pub(super) parameters: Vec<String>,
    /// The first runs, if HTML pages are made.
    pub(super) tree: Tree,
    /// Inputs of the first paths, if tests of paths are wanted.
    pub(super) examples: Vec<Vec<InputValue>>,
    /// The deadline for asking a second solver, once it has been asked.
    pub(super) rechecks: Option<Instant>,
    /// Facts about the function for the ranking, collected for the first finding.
    pub(super) facts: Option<Facts>,
    /// A digest of what the findings are ranked from, once there is a finding.
    pub(super) ranked_from: Option<[u8; 32]>,
    /// Everything known to be missing.
    pub(super) noted: BTreeSet<Missing>,
    /// A setup that is to be made before the search begins again.
    pub(super) starts: Option<Setup>,
    /// Applications that the function needs and that cannot be started, with the reason.
    pub(super) not_started: BTreeMap<String, String>,
    pub(super) look: Look,
    /// The questions that were asked about the user's modules as a whole.
    pub(super) asked: Asked,
    /// Modules whose code was looked at without a run.
    pub(super) looked_at: Vec<Atom>,
}

/// The fraction (one in …) of a search's time that may be spent on asking a second solver, and a time that is always
/// allowed.
const RECHECKED_SHARE: u32 = 10;
const SHORT_RECHECK: Duration = Duration::from_millis(250);
/// The fraction (one in …) of the remaining time that may be spent on sides that no run took, and its bounds. With less
/// than the lower bound, there is hardly time for more than reading the code.
const SETTLING_SHARE: u32 = 3;
const SHORTEST_SETTLING: Duration = Duration::from_millis(200);
const LONGEST_SETTLING: Duration = Duration::from_secs(1);
/// Work for a search is aborted when it exceeds the search's time by a quarter and this much.
const GRACE: Duration = Duration::from_millis(250);

/// The number of paths of a function for which tests are made.
const EXAMPLES: u64 = 50;

impl Watch<'_> {
    pub(super) fn elapsed(&self) -> Duration {
        exploring(self.start, &self.paused)
    }

    /// Returns the time after which the search, or its first look, ends.
    fn end(&self) -> Duration {
        self.look.time.unwrap_or(self.time)
    }

    /// Keeps a snapshot of the search, so that a command that is killed loses little.
    fn save(&mut self, at_once: bool) {
        let results = &self.campaign.results;
        if self.is_decided || !results.is_kept() || !(at_once || self.saved.elapsed() >= SAVED_EVERY) {
            return;
        }
        let needed = self.needed(self.usage.all().into_iter(), None);
        let ranked_from = self.ranked_from();
        let results = &self.campaign.results;
        results.keep_begun(self.target, &needed, &self.findings, ranked_from, self.inputs.all());
        self.saved = Instant::now();
    }
}

impl Watch<'_> {
    /// Returns what a result of the search depends on, if its runs have called these modules. `earlier`: what the result
    /// depends on that the search adds something to.
    pub(super) fn needed(&self, called: impl Iterator<Item = Atom>, earlier: Option<&Needed>) -> Needed {
        let before = earlier.into_iter().flat_map(|earlier| earlier.modules.iter().map(|module| module.name));
        let others = self.types_of.iter().chain(&self.looked_at).copied();
        let modules = called.chain(before).chain(others).chain([self.target.name.module]);
        // If something was started for the function, the result depends on which modules create what it lacked.
        let is_all_asked = self.usage.is_all_asked() || !self.target.started.is_empty();
        let asked = if is_all_asked { Asked::Contents } else { self.asked };
        let asked = earlier.map_or(asked, |earlier| asked.max(earlier.asked));
        self.campaign.results.needed(&*self.code, modules, asked)
    }

    /// Returns a digest of what the findings are ranked from, if there are any.
    pub(super) fn ranked_from(&mut self) -> Option<[u8; 32]> {
        if self.ranked_from.is_none() && self.campaign.results.is_kept() && !self.findings.is_empty() {
            self.ranked_from = self.campaign.ranked_from(&*self.code, self.target);
        }
        self.ranked_from
    }
}

fn exploring(start: Instant, paused: &AtomicU64) -> Duration {
    start.elapsed().saturating_sub(Duration::from_millis(paused.load(Ordering::Relaxed)))
}

impl Host for Watch<'_> {
    fn out_of_time(&mut self) -> bool {
        self.starts.is_some() || self.elapsed() >= self.end() || self.campaign.observer.is_interrupted()
    }

    fn time_left(&mut self) -> Option<Duration> {
        let is_interrupted = self.campaign.observer.is_interrupted();
        Some(if is_interrupted { Duration::ZERO } else { self.end().saturating_sub(self.elapsed()) })
    }

    fn alarm(&mut self) -> Option<Alarm> {
        let (start, paused, budget) = (self.start, Arc::clone(&self.paused), self.end());
        let observer = Arc::clone(&self.campaign.observer);
        Some(Arc::new(move || exploring(start, &paused) >= budget || observer.is_interrupted()))
    }

    fn may_recheck(&mut self, asked: u64) -> bool {
        if self.look.time.is_some() {
            return false;
        }
        let share = (self.elapsed() / RECHECKED_SHARE).max(SHORT_RECHECK);
        let until = *self.rechecks.get_or_insert_with(|| Instant::now() + share);
        (asked < LEAST_RECHECKED || Instant::now() < until) && !self.campaign.observer.is_interrupted()
    }

    fn out_of_memory(&mut self) -> bool {
        self.memory.is_used_up()
    }

    fn watcher(&mut self) -> Option<Watcher> {
        let (start, paused, memory) = (self.start, Arc::clone(&self.paused), self.memory.clone());
        let end = self.time + self.time / 4 + GRACE;
        let observer = Arc::clone(&self.campaign.observer);
        Some(Rc::new(move || {
            if exploring(start, &paused) >= end || observer.is_interrupted() {
                Some(Overdue::Time)
            } else {
                memory.is_used_up().then_some(Overdue::Memory)
            }
        }))
    }

    fn progress(&mut self, progress: &Progress) {
        self.campaign.observer.running(&self.function, progress);
        self.save(false);
    }

    fn opened(&mut self, args: &[Term]) {
        self.inputs.add(args);
        self.save(false);
    }

    fn found(&mut self, finding: &Finding) {
        // The finding comes again in the search that is about to begin anew.
        if self.starts.is_some() {
            return;
        }
        let runs = finding.runs + self.look.runs;
        let finding = &Finding { runs, ..finding.clone() };
        // An earlier turn or command has reported it.
        if self.findings.iter().any(|known| is_same_failure(self.unit, &known.finding, finding)) {
            return;
        }
        let seconds = self.elapsed().as_secs_f64();
        let began = Instant::now();
        let campaign = self.campaign;
        let language = campaign.languages.language(self.target.name.module);
        let opinion = || campaign.judge.opinion(&*self.code, &self.usage, language, self.target, finding);
        match work::unwatched(opinion) {
            Opinion::Shown { judgement, evaluations, limit } => {
                let (signals, disagreement) = work::unwatched(|| self.signals(language, finding));
                let mut judged = Judged {
                    judgement,
                    evaluations,
                    limit,
                    shown: if campaign.in_words {
                        work::unwatched(|| self.speaker.shown(language, finding))
                    } else {
                        String::new()
                    },
                    place: {
                        let subject = self.subject(language, finding);
                        campaign.files.place(language, subject.as_ref().unwrap_or(self.target), &finding.failure)
                    },
                    seconds,
                    finding: finding.clone(),
                    is_known: false,
                    signals,
                    disagreement,
                    behaviour: self.unit.contract.behaviour,
                    started: self.target.started.clone(),
                };
                if judged.is_true() {
                    // The runtime has happened to choose a schedule that shows the failure, so the finding no longer
                    // depends on one.
                    judged.finding.depends_on.retain(|surrounding| *surrounding != Surrounding::Schedule);
                }
                judged.is_known = judged.is_true() && campaign.is_known(self.target.name, finding);
                if !judged.is_known {
                    (self.found)(self.target.name, &judged);
                }
                self.findings.push(judged);
                self.save(true);
            }
            Opinion::Slow => self.slow += 1,
        }
        self.paused.fetch_add(began.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    fn settle(&mut self, sides: &[MissingSide]) -> Vec<Settled> {
        if self.starts.is_some() || self.look.time.is_some() {
            return Vec::new();
        }
        let left = self.time.saturating_sub(self.elapsed());
        let time = (left / SETTLING_SHARE).max(SHORTEST_SETTLING.min(left)).min(LONGEST_SETTLING);
        let (name, modules) = (self.target.name, &self.unit.user_modules);
        let samples = &self.campaign.settings.samples;
        if !sides.is_empty() {
            // Which atoms in the code are names of modules.
            self.asked = self.asked.max(Asked::Names);
        }
        let (settled, looked_at) = reaching::settle(&self.code, self.limits, name, modules, sides, samples, time);
        self.looked_at.extend(looked_at);
        settled
    }

    fn missing(&mut self, raised: &Raised) -> Option<Missing> {
        let language = self.campaign.languages.language(self.target.name.module);
        let missing = language.missing(raised, &self.around(language))?;
        self.note_missing(&missing);
        Some(missing)
    }

    fn unregistered(&mut self, raised: &Raised) -> Option<Atom> {
        let language = self.campaign.languages.language(self.target.name.module);
        let name = language.unregistered(raised)?;
        self.creator(&Missing::Process(name.text().to_string())).is_none().then_some(name)
    }

    fn creator(&mut self, missing: &Missing) -> Option<FunctionName> {
        self.asked = Asked::Contents;
        let language = self.campaign.languages.language(self.target.name.module);
        self.unit.user_modules.iter().find_map(|module| {
            let module = self.code.load(*module).ok().flatten()?;
            language.creator(missing, &module)
        })
    }

    fn application(&mut self, missing: &Missing, creator: Option<FunctionName>) -> Option<String> {
        self.application_of(missing, creator)
    }

    fn untouched(&mut self, term: &Term) -> Option<Term> {
        self.campaign.languages.language(self.target.name.module).untouched(&self.target.module, term)
    }

    fn wanted_runs(&mut self) -> u64 {
        if self.look.time.is_some() {
            return 0;
        }
        let examples = if self.campaign.emits == Wish::BugsAndPaths { EXAMPLES } else { 0 };
        self.campaign.recorded_runs.max(examples)
    }

    fn ran(&mut self, ran: Ran) {
        // Runs that failed are findings, or repeat one.
        let ended = matches!(ran.end, End::Fine(Some(_)) | End::Edge | End::Expected(_)) && !ran.identifies_functions;
        if self.campaign.emits == Wish::BugsAndPaths && ended && ran.number <= EXAMPLES {
            self.examples.push(ran.inputs.clone());
        }
        if ran.number > self.campaign.recorded_runs {
            return;
        }
        let language = self.campaign.languages.language(self.target.name.module);
        self.tree.add(language, self.target.name, ran);
    }

    fn in_words(&mut self, formulas: &Formulas, condition: TermId, is: &dyn Fn(Variable) -> VariableIs) -> String {
        match formulas.as_boolean(condition) {
            Some(true) => return "always".to_string(),
            Some(false) => return "nothing that the types allow".to_string(),
            None => {}
        }
        let language = self.campaign.languages.language(self.target.name.module);
        let parameter = |index: usize| match self.parameters.get(index) {
            Some(name) => name.clone(),
            None => language.variable("X", index + 1),
        };
        language.condition(formulas, condition, &|variable| match is(variable) {
            VariableIs::Argument(index) => parameter(index),
            VariableIs::PartOf(index, nth) => format!("{}.{}", parameter(index), nth + 1),
            VariableIs::Other(number) => language.variable("Answer", number as usize + 1),
        })
    }
}
