//! The chain of tiers.

use crate::cache::{self, Cache};
use crate::deadline::Deadline;
use crate::native::bounds;
use crate::native::screen::{decide, screen};
use crate::native::state::State;
use crate::slice::slice as related;
use crate::smt::Manner;
use crate::smt::process::{Limit, SmtError, SmtProcess};
use crate::smt::recheck::{Distrusted, Opinion, Refuter, Second};
use crate::smt::samples::{self as unknowns, Unknowns};
use crate::trial::few;
use crate::walk::{Turn, WalkSettings, Walker};
use crate::{Answer, Model, Query, Screened, Solver, Step, Unknown, apply, smt, trial, walk};
use formula::{Assignment, Evaluation, Formulas, Operator, TermId, Types};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How often each tier was asked and answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Ways that were screened, and those of them that were decided there.
    pub screened: u64,
    pub native: u64,
    /// Flips that came to `solve`, and the tiers that decided them.
    pub queries: u64,
    pub cached: u64,
    pub guessed: u64,
    pub smt: u64,
    /// By trying values.
    pub tried: u64,
    /// By moving numbers.
    pub walked: u64,
    pub unknown: u64,
    /// Models that did not satisfy their query.
    pub defects: u64,
    /// Time that was spent waiting for the SMT solver.
    pub waited: Duration,
}

/// Which SMT solver to ask, and how.
#[derive(Clone, Debug)]
pub struct SmtSettings {
    pub path: PathBuf,
    pub limit: Limit,
    /// Queries are written into this directory.
    pub dump: Option<PathBuf>,
    /// Another solver, for second opinions. Without one, a fresh process of the first is asked.
    pub second: Option<PathBuf>,
    /// Solvers that are not asked any more.
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

/// Is there an SMT solver?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtState {
    Ready {
        version: String,
    },
    /// In words for the user.
    Absent {
        why: String,
    },
}

/// Native tiers, then the cache, then the SMT solver if there is one.
pub struct Chain {
    pub(crate) smt: Result<SmtProcess, String>,
    pub(crate) second: Second,
    pub(crate) settings: SmtSettings,
    /// A solver that was asked since the search began, and is not trusted any more.
    pub(crate) lied: Option<String>,
    cache: Cache,
    /// Of the inputs that the cache speaks of, which it knows by their numbers alone.
    types: Option<Arc<Types>>,
    pub(crate) statistics: Statistics,
    pub(crate) deadline: Deadline,
    pub(crate) walker: Walker,
    tries_few: bool,
}

impl Chain {
    /// Works without the SMT solver if that cannot be started: [`Chain::smt_state`] tells.
    pub fn start(settings: &SmtSettings) -> Chain {
        let mut chain = Chain::with(settings.clone(), settings.start());
        chain.heed();
        chain
    }

    /// The native tiers alone.
    pub fn native() -> Chain {
        Chain::with(SmtSettings::default(), Err("no SMT solver was asked for".to_string()))
    }

    fn with(settings: SmtSettings, smt: Result<SmtProcess, String>) -> Chain {
        Chain {
            smt,
            second: Second::default(),
            settings,
            lied: None,
            cache: Cache::default(),
            types: None,
            statistics: Statistics::default(),
            deadline: Deadline::default(),
            walker: Walker::new(WalkSettings::default()),
            tries_few: true,
        }
    }

    /// With another way to walk.
    pub fn with_walk(mut self, settings: WalkSettings) -> Chain {
        self.walker = Walker::new(settings);
        self
    }

    /// Inputs that have few values are not simply tried out: what the other tiers say of them can be compared with that.
    pub fn without_trying_few(mut self) -> Chain {
        self.tries_few = false;
        self
    }

    pub fn smt_state(&self) -> SmtState {
        match &self.smt {
            Ok(process) => SmtState::Ready { version: process.version().to_string() },
            Err(why) => SmtState::Absent { why: why.clone() },
        }
    }

    #[cfg(test)]
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.smt.as_ref().ok().and_then(SmtProcess::process_id)
    }

    pub fn statistics(&self) -> Statistics {
        let waited = self.smt.as_ref().map_or(Duration::ZERO, |process| process.spent);
        Statistics { waited: self.statistics.waited + waited, ..self.statistics.clone() }
    }
}

impl Solver for Chain {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[Step]) -> Vec<Vec<Screened>> {
        let answers = screen(formulas, parent, steps, self.deadline);
        for answer in answers.iter().flatten() {
            self.statistics.screened += 1;
            self.statistics.native += u64::from(*answer != Screened::Open);
        }
        answers
    }

    fn solve(&mut self, query: &mut Query<'_>) -> Answer {
        self.heed();
        self.statistics.queries += 1;
        match self.guess(query) {
            Screened::Sat(model) => {
                self.statistics.guessed += 1;
                return Answer::Sat(model);
            }
            Screened::Unsat => {
                self.statistics.guessed += 1;
                return Answer::Unsat(Refuter::Native);
            }
            Screened::Open => {}
        }
        self.remember_for(query.formulas.types());
        let mut slice = related(query.formulas, query.before, query.wanted);
        let key = cache::key(query.formulas, &slice);
        match self.cache.get(query.formulas, key, &slice) {
            Some(Answer::Sat(model)) if satisfies(query, &model) => {
                self.statistics.cached += 1;
                return Answer::Sat(model);
            }
            Some(answer @ Answer::Unsat(_)) => {
                self.statistics.cached += 1;
                return answer;
            }
            Some(Answer::Sat(_) | Answer::Unknown(_)) | None => {}
        }
        if self.tries_few
            && let Some(answer) = few::solve(query, &slice)
            && !matches!(&answer, Answer::Sat(model) if !satisfies(query, model))
        {
            self.statistics.guessed += 1;
            return answer;
        }
        if is_beyond_bounds(query, &slice) {
            self.statistics.guessed += 1;
            return Answer::Unsat(Refuter::Native);
        }
        let tried = self.statistics.tried + self.statistics.walked;
        let unknowns = Unknowns::of(query.formulas, &slice);
        let answer = match &unknowns {
            Some(unknowns) => self.ask_with_samples(query, &slice, unknowns),
            None => match self.walk(query, &slice, &[], Turn::First) {
                Some(found) => found,
                None => self.ask(query, &mut slice),
            },
        };
        // The slice may have grown on the way: there is no solution of all that it holds now, which says nothing
        // of what was asked for first.
        let key = if let Answer::Unsat(Refuter::Smt(refuted)) = answer { refuted } else { key };
        // With every sample more can be decided.
        if unknowns.is_none() || matches!(answer, Answer::Sat(_)) {
            self.cache.put(query.formulas, key, &answer);
        }
        match answer {
            Answer::Unknown(_) => self.statistics.unknown += 1,
            _ if self.statistics.tried + self.statistics.walked > tried => {}
            Answer::Sat(_) | Answer::Unsat(_) => self.statistics.smt += 1,
        }
        answer
    }

    fn begin_search(&mut self, seed: u64) {
        self.walker.seed = seed;
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
        self.deadline = Deadline::after(left);
        if let Ok(process) = &mut self.smt {
            process.deadline = self.deadline;
        }
    }
}

impl Chain {
    /// What is remembered of other types says nothing of these.
    fn remember_for(&mut self, types: &Arc<Types>) {
        if !self.types.as_ref().is_some_and(|known| Arc::ptr_eq(known, types)) {
            self.types = Some(Arc::clone(types));
            self.forget();
        }
    }

    pub(crate) fn forget(&mut self) {
        self.cache = Cache::default();
    }

    /// A query with functions of which only samples are known: where they were sampled first, then anywhere, and again
    /// with what is learnt there.
    fn ask_with_samples(&mut self, query: &mut Query<'_>, slice: &[TermId], unknowns: &Unknowns) -> Answer {
        for point in unknowns.single_points(query.formulas, query.parent, slice) {
            let mut state = State::default();
            for condition in query.before {
                state.assert(query.formulas, *condition);
            }
            if let Screened::Sat(model) = decide(query.formulas, query.parent, &mut state, point)
                && satisfies(query, &model)
            {
                return Answer::Sat(model);
            }
        }
        // That a model relies on what nobody has seen is no defect.
        let defects = self.statistics.defects;
        let mut proposals = Vec::new();
        let answer = self.ask_step_by_step(query, slice, unknowns, &mut proposals);
        self.statistics.defects = defects;
        match answer {
            Answer::Unknown(_) => self.look_further(query, slice, proposals, answer),
            Answer::Sat(_) | Answer::Unsat(_) => answer,
        }
    }

    pub(crate) fn ask_step_by_step(
        &mut self,
        query: &mut Query<'_>,
        slice: &[TermId],
        unknowns: &Unknowns,
        proposals: &mut Vec<Assignment>,
    ) -> Answer {
        for _ in 0..unknowns::STEPS {
            let known = unknowns.samples(query.formulas);
            let (facts, no_floats) = unknowns.facts(query.formulas, query.parent);
            if let Some(sampled) = unknowns.where_sampled(query.formulas, query.parent, slice)
                && let answer @ Answer::Sat(_) =
                    self.ask_smt(query, &mut [&facts, &sampled[..], slice].concat(), proposals)
            {
                return answer;
            }
            match self.ask_smt(query, &mut [&facts, slice].concat(), proposals) {
                Answer::Unsat(_) if no_floats => break,
                answer @ (Answer::Sat(_) | Answer::Unsat(_)) => return answer,
                Answer::Unknown(_) => {}
            }
            if unknowns.samples(query.formulas) == known {
                break;
            }
        }
        Answer::Unknown(Unknown::KnownBySamples(unknowns.names(query.formulas)))
    }

    /// The SMT solver, then what may find what that does not know.
    fn ask(&mut self, query: &mut Query<'_>, slice: &mut Vec<TermId>) -> Answer {
        let mut proposals = Vec::new();
        match self.ask_smt(query, slice, &mut proposals) {
            answer @ Answer::Unknown(_) => self.look_further(query, slice, proposals, answer),
            answer @ (Answer::Sat(_) | Answer::Unsat(_)) => answer,
        }
    }

    /// Models that were none are proposals to others.
    pub(crate) fn ask_smt(
        &mut self,
        query: &mut Query<'_>,
        slice: &mut Vec<TermId>,
        proposals: &mut Vec<Assignment>,
    ) -> Answer {
        match &mut self.smt {
            Ok(process) => smt::solve(process, query, slice, Manner::Wishing, &mut self.statistics.defects, proposals),
            Err(_) => Answer::Unknown(Unknown::NoSmtSolver),
        }
    }

    fn look_further(
        &mut self,
        query: &mut Query<'_>,
        slice: &[TermId],
        mut proposals: Vec<Assignment>,
        answer: Answer,
    ) -> Answer {
        if let Some(found) = self.try_out(query, slice) {
            return found;
        }
        let turn = if is_hopeless(&answer) { Turn::Hopeless } else { Turn::Last };
        if proposals.is_empty() && turn == Turn::Last {
            proposals.extend(self.linear_part(query, slice));
        }
        self.walk(query, slice, &proposals, turn).unwrap_or(answer)
    }

    /// What meets the conditions that are linear.
    fn linear_part(&mut self, query: &mut Query<'_>, slice: &[TermId]) -> Option<Assignment> {
        let process = self.smt.as_mut().ok().filter(|_| walk::is_hard(query.formulas, slice))?;
        let mut linear = slice.to_vec();
        linear.retain(|condition| !walk::is_hard(query.formulas, &[*condition]));
        smt::meets(process, query, &linear)
    }

    /// Numbers that are moved.
    fn walk(
        &mut self,
        query: &mut Query<'_>,
        slice: &[TermId],
        proposals: &[Assignment],
        turn: Turn,
    ) -> Option<Answer> {
        let model = self.walker.solve(query, slice, proposals, turn, self.deadline)?;
        if !satisfies(query, &model) {
            self.statistics.defects += 1;
            return None;
        }
        self.statistics.walked += 1;
        Some(Answer::Sat(model))
    }

    /// What neither sets nor theories tell: values that are tried, and conditions that are met one by one.
    fn try_out(&mut self, query: &mut Query<'_>, slice: &[TermId]) -> Option<Answer> {
        let mended = smt::mended(query.formulas, query.parent, slice, query.wanted);
        let answer = match mended.filter(|model| satisfies(query, model)) {
            Some(model) => Some(Answer::Sat(model)),
            None => trial::values::solve(query, slice, satisfies),
        };
        self.statistics.tried += u64::from(answer.is_some());
        answer
    }

    /// What the native tier says once it may look at the whole path.
    fn guess(&mut self, query: &mut Query<'_>) -> Screened {
        let mut state = State::default();
        for condition in query.before {
            state.assert(query.formulas, *condition);
        }
        match decide(query.formulas, query.parent, &mut state, query.wanted) {
            Screened::Sat(model) if satisfies(query, &model) => Screened::Sat(model),
            Screened::Sat(_) => {
                self.statistics.defects += 1;
                Screened::Open
            }
            other => other,
        }
    }
}

fn is_hopeless(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Unknown::NotOverReals))
}

/// Is what is wanted beyond what arithmetic can come to?
fn is_beyond_bounds(query: &mut Query<'_>, slice: &[TermId]) -> bool {
    let is_arithmetic = |operator: &Operator| matches!(operator, Operator::Arithmetic(..) | Operator::Numeric(..));
    if !walk::each_operator(query.formulas, &[query.wanted]).any(is_arithmetic) {
        return false;
    }
    let mut state = State::default();
    slice.iter().for_each(|condition| state.assert(query.formulas, *condition));
    bounds::refutes(query.formulas, &state, query.wanted)
}

/// Does everything that is asked for hold with the changes made?
pub(crate) fn satisfies(query: &Query<'_>, model: &Model) -> bool {
    let Some(values) = apply(query.formulas, query.parent, model) else { return false };
    let mut evaluation = Evaluation::new(query.formulas, &values).learning(query.learner);
    query.before.iter().chain([&query.wanted]).all(|condition| evaluation.holds(*condition) == Some(true))
}
