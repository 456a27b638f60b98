//! Second opinions. A model can be checked by evaluating it; a refutation cannot, so the solver that refutes a query
//! has to be believed. Therefore the refutations on which a claim rests are asked about once more: another solver is
//! asked if there is one, else a fresh process of the same one that searches in another way. A solver that an
//! evaluated model contradicts is not asked any more.

use super::process::SmtProcess;
use super::samples::solve_step_by_step;
use super::{Manner, Solved, solve};
use crate::Query;
use crate::chain::{Chain, SmtSettings};
use crate::slice::Slice;
use formula::{Assignment, TermId};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The second solver's opinion of a query that the first refuted.
#[derive(Clone, Debug, PartialEq)]
pub enum Opinion {
    Agrees,
    /// It has a solution: all conditions were evaluated with these values.
    Disagrees {
        values: Assignment,
        /// The name of the first solver, which is not asked any more.
        liar: String,
        /// Whether this was not known before.
        is_news: bool,
    },
    /// It does not know, or there is no second solver.
    Undecided,
}

/// The names of solvers that were caught with a wrong answer. All chains of a command share them.
#[derive(Clone, Debug, Default)]
pub struct Distrusted(Arc<Mutex<BTreeSet<String>>>);

impl Distrusted {
    pub fn contains(&self, name: &str) -> bool {
        self.names().contains(name)
    }

    /// Returns whether the name is new.
    fn add(&self, name: &str) -> bool {
        self.names().insert(name.to_string())
    }

    fn names(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a solver to learn its name and version.
pub fn solver_name(path: &Path) -> Result<String, String> {
    let settings = SmtSettings::default();
    let process = SmtProcess::start(path, settings.limit, None, None);
    process.map(|process| process.name()).map_err(|error| error.to_string())
}

/// Returns the sentence for the user about a solver that is not asked any more.
pub fn distrust(liar: &str) -> String {
    format!("solver {liar} called a satisfiable query unsatisfiable; it is not asked any more")
}

/// The solver that is asked for second opinions.
#[derive(Default)]
pub(crate) enum Second {
    #[default]
    NotStarted,
    Ready(Box<SmtProcess>),
    Absent,
}

impl Chain {
    /// Asks the second solver about a query that the first refuted.
    pub(crate) fn second_opinion(&mut self, query: &mut Query<'_>) -> Opinion {
        self.heed();
        let Some(liar) = self.tools.smt.as_ref().ok().map(SmtProcess::name) else { return Opinion::Undecided };
        let Some(mut second) = self.take_second() else { return Opinion::Undecided };
        second.deadline = self.tools.deadline;
        query.begin();
        let mut slice = query.take_slice();
        let solved = match slice.sampled(query.formulas) {
            Some((conditions, functions)) => solve_step_by_step(&mut second, query, functions, conditions),
            None => solve_again(&mut second, query, &slice.conditions),
        };
        self.second = Second::Ready(second);
        match solved {
            Solved::Sat(_, values) => {
                let is_news = self.settings.distrusted.add(&liar);
                self.heed();
                Opinion::Disagrees { values, liar, is_news }
            }
            Solved::Unsat(_) => Opinion::Agrees,
            Solved::Unknown { .. } => Opinion::Undecided,
        }
    }

    fn take_second(&mut self) -> Option<Box<SmtProcess>> {
        match std::mem::take(&mut self.second) {
            Second::Ready(process) => return Some(process),
            Second::Absent => {
                self.second = Second::Absent;
                return None;
            }
            Second::NotStarted => {}
        }
        let SmtSettings { path, limit, second, distrusted, .. } = &self.settings;
        let other = second.as_ref().filter(|second| *second != path);
        let other = other.and_then(|other| SmtProcess::start(other, *limit, None, None).ok());
        let other = other.filter(|process| !distrusted.contains(&process.name()));
        let variation = self.tools.seed.wrapping_add(VARIATION);
        let second = other.or_else(|| SmtProcess::start(path, *limit, Some(variation), None).ok());
        if second.is_none() {
            self.second = Second::Absent;
        }
        second.map(Box::new)
    }

    /// Replaces the first solver if it is not trusted any more: by the second one, or by none.
    pub(crate) fn heed(&mut self) {
        let Ok(first) = &self.tools.smt else { return };
        let liar = first.name();
        if !self.settings.distrusted.contains(&liar) {
            return;
        }
        self.statistics.waited += first.spent;
        self.second = Second::NotStarted;
        // Its answers are not remembered either.
        self.forget();
        self.lied = Some(liar.clone());
        self.tools.smt = Err(distrust(&liar));
        if let Some(other) = self.settings.second.take().filter(|other| *other != self.settings.path) {
            self.settings.path = other;
            self.tools.smt = self.settings.start();
            // The new one may have lied to other chains.
            self.heed();
        }
    }
}

/// Asks with a single check. The first solver was asked with several, and errors between those cannot happen here. If
/// the single check decides nothing, several may still find a solution, but a refutation by them is not believed.
fn solve_again(second: &mut SmtProcess, query: &mut Query<'_>, conditions: &[TermId]) -> Solved {
    match solve(second, query, &mut Slice::with(conditions.to_vec()), Manner::Plain) {
        solved @ (Solved::Sat(..) | Solved::Unsat(_)) => solved,
        unknown @ Solved::Unknown { .. } => {
            match solve(second, query, &mut Slice::with(conditions.to_vec()), Manner::Wishing) {
                solved @ Solved::Sat(..) => solved,
                Solved::Unsat(_) | Solved::Unknown { .. } => unknown,
            }
        }
    }
}

/// Added to the seed of the search, so that the second process begins with another seed than the first.
const VARIATION: u64 = 0x5eed;
