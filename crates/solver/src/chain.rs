//! The chain of tiers: their order, and statistics about their answers.

use crate::cache::Remembering;
use crate::deadline::Deadline;
use crate::native::screen::screen;
use crate::native::tiers::{Bounds, Guesses};
use crate::smt::process::{Limit, SmtError, SmtProcess};
use crate::smt::recheck::{Distrusted, Opinion, Second};
use crate::smt::samples::SampledPoints;
use crate::smt::tier::{LinearPart, Smt};
use crate::tier::{Tiers, Tools, first_answer, forget_all};
use crate::trial::few::FewValues;
use crate::trial::values::Trial;
use crate::walk::{WalkSettings, Walking};
use crate::{Answer, Query, Screened, ScreeningStep, Solver, TierName, Unknown};
use formula::{Assignment, Formulas};
use std::path::PathBuf;
use std::time::Duration;

/// Counts what the tiers were asked and what they decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// `screened` counts the sides of branches that were screened, `native` those of them that the screening decided.
    pub screened: u64,
    pub native: u64,
    /// `queries` counts the calls of `solve`, the fields below it which tiers decided them.
    pub queries: u64,
    pub cached: u64,
    pub guessed: u64,
    pub smt: u64,
    /// Queries that were decided by trying values.
    pub tried: u64,
    /// Queries that the walk decided.
    pub walked: u64,
    pub unknown: u64,
    /// Models that did not satisfy their query are counted here.
    pub defects: u64,
    /// The time that was spent waiting for the SMT solver.
    pub waited: Duration,
}

/// Says which SMT solver is asked, and how.
#[derive(Clone, Debug)]
pub struct SmtSettings {
    pub path: PathBuf,
    pub limit: Limit,
    /// If this is a directory, every query is written into it.
    pub dump: Option<PathBuf>,
    /// This solver is asked for second opinions. Without one, a fresh process of the first is asked.
    pub second: Option<PathBuf>,
    /// These solvers are not asked any more.
    pub distrusted: Distrusted,
}

impl Default for SmtSettings {
    fn default() -> SmtSettings {
        SmtSettings {
            path: PathBuf::from("z3"),
            limit: Limit::about(2000),
            dump: None,
            second: None,
            distrusted: Distrusted::default(),
        }
    }
}

impl SmtSettings {
    pub(crate) fn start(&self) -> Result<SmtProcess, String> {
        let started = SmtProcess::start(&self.path, self.limit, None, self.dump.as_deref());
        started.map_err(|error: SmtError| error.to_string())
    }
}

/// Says whether there is an SMT solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtState {
    Ready {
        version: String,
    },
    /// The reason is a sentence for the user.
    Absent {
        why: String,
    },
}

/// The tiers, what they share, and their statistics.
pub struct Chain {
    tiers: Tiers,
    pub(crate) tools: Tools,
    pub(crate) second: Second,
    pub(crate) settings: SmtSettings,
    /// A solver that was used in this search and is not trusted any more.
    pub(crate) lied: Option<String>,
    pub(crate) statistics: Statistics,
    walk: WalkSettings,
    tries_few: bool,
}

/// Lists all tiers in the order in which they are asked. A tier that wraps others decides when those are asked.
fn tiers(walk: &WalkSettings, tries_few: bool) -> Tiers {
    let beyond_linear: Tiers = vec![Box::new(Smt), Box::new(Trial), Box::new(LinearPart)];
    let mut remembered: Tiers = Vec::new();
    if tries_few {
        remembered.push(Box::new(FewValues));
    }
    remembered.push(Box::new(Bounds));
    remembered.push(Box::new(SampledPoints));
    remembered.push(Box::new(Walking::new(walk.clone(), beyond_linear)));
    vec![Box::new(Guesses), Box::new(Remembering::new(remembered))]
}

impl Chain {
    /// Starts the SMT solver. If that fails, the chain works without one, as [`Chain::smt_state`] says.
    pub fn start(settings: &SmtSettings) -> Chain {
        let mut chain = Chain::with(settings.clone(), settings.start());
        chain.heed();
        chain
    }

    /// Makes a chain that asks no SMT solver.
    pub fn native() -> Chain {
        Chain::with(SmtSettings::default(), Err("no SMT solver was asked for".to_string()))
    }

    fn with(settings: SmtSettings, smt: Result<SmtProcess, String>) -> Chain {
        let (walk, tries_few) = (WalkSettings::default(), true);
        Chain {
            tiers: tiers(&walk, tries_few),
            tools: Tools::new(smt),
            second: Second::default(),
            settings,
            lied: None,
            statistics: Statistics::default(),
            walk,
            tries_few,
        }
    }

    /// Replaces the settings of the walk.
    pub fn with_walk(self, walk: WalkSettings) -> Chain {
        Chain { tiers: tiers(&walk, self.tries_few), walk, ..self }
    }

    /// Leaves out the tier that tries all values of inputs that have few, so that its answers can be compared with
    /// those of the other tiers.
    pub fn without_trying_few(self) -> Chain {
        Chain { tiers: tiers(&self.walk, false), tries_few: false, ..self }
    }

    pub fn smt_state(&self) -> SmtState {
        match &self.tools.smt {
            Ok(process) => SmtState::Ready { version: process.version().to_string() },
            Err(why) => SmtState::Absent { why: why.clone() },
        }
    }

    #[cfg(test)]
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.tools.smt.as_ref().ok().and_then(SmtProcess::process_id)
    }

    pub fn statistics(&self) -> Statistics {
        let waited = self.tools.smt.as_ref().map_or(Duration::ZERO, |process| process.spent);
        Statistics { waited: self.statistics.waited + waited, defects: self.tools.defects, ..self.statistics.clone() }
    }

    /// Forgets the answers of a solver that is not trusted any more.
    pub(crate) fn forget(&mut self) {
        forget_all(&mut self.tiers);
    }
}

impl Solver for Chain {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[ScreeningStep]) -> Vec<Vec<Screened>> {
        let answers = screen(formulas, parent, steps, self.tools.deadline);
        for answer in answers.iter().flatten() {
            self.statistics.screened += 1;
            self.statistics.native += match answer {
                Screened::Sat(_) | Screened::Unsat => 1,
                Screened::Open | Screened::Late => 0,
            };
        }
        answers
    }

    fn solve(&mut self, query: &mut Query<'_>) -> Answer {
        self.heed();
        query.begin();
        let answer = first_answer(&mut self.tiers, query, &mut self.tools)
            .unwrap_or_else(|| Answer::Unknown(query.unknown.take().unwrap_or(Unknown::NoSmtSolver)));
        self.statistics.count(answer.by());
        answer
    }

    fn begin_search(&mut self, seed: u64) {
        self.tools.seed = seed;
        self.heed();
        self.lied = None;
    }

    fn recheck(&mut self, query: &mut Query<'_>) -> Opinion {
        self.second_opinion(query)
    }

    fn liar(&mut self) -> Option<String> {
        self.heed();
        self.lied.clone()
    }

    fn set_time_left(&mut self, left: Option<Duration>) {
        self.tools.deadline = Deadline::after(left);
        if let Ok(process) = &mut self.tools.smt {
            process.deadline = self.tools.deadline;
        }
    }
}

impl Statistics {
    /// Counts a query that this tier decided, or none.
    fn count(&mut self, by: Option<TierName>) {
        self.queries += 1;
        match by {
            Some(TierName::Cache) => self.cached += 1,
            Some(TierName::Guesses | TierName::FewValues | TierName::Bounds) => self.guessed += 1,
            Some(TierName::SampledPoints | TierName::Smt) => self.smt += 1,
            Some(TierName::Trial) => self.tried += 1,
            Some(TierName::Walk) => self.walked += 1,
            None => self.unknown += 1,
        }
    }
}
