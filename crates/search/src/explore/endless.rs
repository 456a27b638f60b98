//! Proves that a run that was cut never ends, if possible.
//!
//! Either a state recurs while the call that was in it has not returned; then the run repeats itself forever, as it
//! depends on nothing else. Or parts of the state change, and every value of these parts that takes the same way around
//! the loop becomes one that takes it, too: the conditions of the way are a *recurrent set* (Gupta, Henzinger,
//! Majumdar, Rybalchenko, Xu: Proving non-termination, 2008). Bounds make the set smaller: a number that grows is at
//! least its current value, one that falls is at most that. The solver is asked, for each condition, whether a value
//! leaves the set.
//!
//! All of this is done once for a run that is about to become a finding, never for others.

use super::Explorer;
use crate::runner::Inputs;
use crate::{Endless, Proof};
use formula::{Arithmetic, Assignment, Evaluation, Formulas, Nobody, Operator, TermId, Variable};
use path::{Event, Goal, Recorder, Recurrence, StatePath, Surrounding, Watched};
use rustc_hash::FxHashMap;
use solver::{Answer, Opinion, Query, Refuter};
use std::time::Duration;
use term::Term;

/// The step limit of a run that is watched for a recurring state.
const WATCHED_STEPS: u64 = 1_000_000;
/// The step limit for a way around from a call on, and the additional steps for each call before it.
const AROUND_STEPS: u64 = 20_000;
const STEPS_PER_CALL: u64 = 8;
/// The maximum number of inner calls that are examined for each call that has not returned.
const MOST_ARRIVALS: usize = 3;
/// The maximum number of parts that may change, and of decisions on the way around.
const MOST_PARTS: usize = 8;
const MOST_DECISIONS: usize = 200;
/// The time for one question about a way around, and the maximum number of questions for one run.
const SOLVING: Duration = Duration::from_secs(2);
const MOST_QUESTIONS: u32 = 24;

/// The results of watching a run.
pub struct Shown {
    pub endless: Option<Endless>,
    /// The surroundings that the run observed, as far as it was watched.
    pub surroundings: Vec<Surrounding>,
}

impl Explorer<'_> {
    pub fn watch(&mut self, inputs: &Inputs) -> Shown {
        self.questions = MOST_QUESTIONS;
        // Watching takes little time and is the last chance to find a reason, so the alarm is off.
        let alarm = self.runner.set_alarm(None);
        let (watched, _) = self.runner.watched(inputs, WATCHED_STEPS, Goal::Repetition);
        let Watched { repeats, open, surroundings, calls, .. } = watched;
        let endless = match repeats {
            Some(repeats) => Some(Endless {
                proof: if repeats.is_nested { Proof::SameCallInside } else { Proof::SameState },
                module: repeats.function.module,
                function: repeats.function.function,
                arity: repeats.function.arity,
                period: repeats.period,
                calls,
            }),
            None => open.into_iter().find_map(|at| self.recurs(inputs, at)),
        };
        self.runner.set_alarm(alarm);
        Shown { endless, surroundings }
    }

    /// Returns a proof that the run loops forever from the call with this number on.
    fn recurs(&mut self, inputs: &Inputs, at: u64) -> Option<Endless> {
        let goal = Goal::Changes { at, arrivals: MOST_ARRIVALS };
        let changes = self.runner.watched(inputs, around(at), goal).0.changes;
        changes.into_iter().enumerate().find_map(|(arrival, parts)| {
            let parts = parts.filter(|parts| (1..=MOST_PARTS).contains(&parts.len()))?;
            self.recurs_at(inputs, at, arrival, parts)
        })
    }

    fn recurs_at(&mut self, inputs: &Inputs, at: u64, arrival: usize, parts: Vec<StatePath>) -> Option<Endless> {
        let goal = Goal::Recurrence { at, arrival, parts };
        let (watched, recorder) = self.runner.watched(inputs, around(at), goal);
        let recurrence = watched.recurs.filter(|recurrence| recurrence.period > 0)?;
        self.is_recurrent(recorder, &recurrence).then_some(Endless {
            proof: Proof::Recurrence,
            module: recurrence.function.module,
            function: recurrence.function.function,
            arity: recurrence.function.arity,
            period: recurrence.period,
            calls: watched.calls,
        })
    }

    fn is_recurrent(&mut self, recorder: Recorder, recurrence: &Recurrence) -> bool {
        let (mut formulas, events) = recorder.into_path();
        if divides(&formulas) {
            return false;
        }
        let Some(conditions) = conditions(&mut formulas, &events) else { return false };
        let parent: Assignment =
            recurrence.variables.iter().map(|(variable, value, _)| (*variable, value.clone())).collect();
        let bounds = bounds(&mut formulas, &parent, recurrence);
        let next: FxHashMap<Variable, TermId> =
            recurrence.variables.iter().map(|(variable, _, next)| (*variable, *next)).collect();
        let narrow = [&conditions[..], &bounds].concat();
        self.is_closed(&mut formulas, &parent, &narrow, &next)
            || !bounds.is_empty() && self.is_closed(&mut formulas, &parent, &conditions, &next)
    }

    /// Returns whether all values that satisfy the conditions become values that satisfy them.
    fn is_closed(
        &mut self,
        formulas: &mut Formulas,
        parent: &Assignment,
        conditions: &[TermId],
        next: &FxHashMap<Variable, TermId>,
    ) -> bool {
        let mut before = conditions.to_vec();
        if !holds(formulas, parent, &before) {
            return false;
        }
        // The next values must have the declared kinds as well, because everything else relies on them.
        let mut goals: Vec<TermId> = Vec::new();
        for (variable, next) in next {
            let kinds = formulas.types().kinds(formulas.declared(*variable));
            goals.push(formulas.kind(*next, kinds));
        }
        goals.extend(conditions.iter().map(|condition| formulas.substitute(*condition, next)));
        for later in goals {
            if formulas.as_boolean(later) == Some(true) || before.contains(&later) {
                continue;
            }
            if !holds(formulas, parent, &[later]) {
                return false;
            }
            let Some(left) = self.questions.checked_sub(1) else { return false };
            self.questions = left;
            let wanted = formulas.not(later);
            self.solver.set_time_left(Some(SOLVING));
            let query = &mut Query::new(formulas, parent, &before, wanted, &Nobody);
            match self.solver.solve(query) {
                Answer::Unsat { refuter: Refuter::Native, .. } => before.push(later),
                // The proof must not depend on a single SMT solver.
                Answer::Unsat { refuter: Refuter::Smt(_), .. } => match self.solver.recheck(query) {
                    Opinion::Agrees => before.push(later),
                    Opinion::Disagrees { .. } | Opinion::Undecided => return false,
                },
                Answer::Sat(_) | Answer::Unknown(_) => return false,
            }
        }
        true
    }
}

/// Returns whether something is divided by `/`. Solvers assume that the quotient of any integers exists, but an integer
/// that is too large for a float has none, and a number that grows forever becomes that large.
fn divides(formulas: &Formulas) -> bool {
    let divides = |number| {
        let operator = formulas.operator(TermId::from_number(number));
        matches!(operator, Operator::Arithmetic(Arithmetic::Divide, ..))
    };
    (0..formulas.len() as u32).any(divides)
}

/// Returns the step limit of a run around from the call with this number.
fn around(at: u64) -> u64 {
    at * STEPS_PER_CALL + AROUND_STEPS
}

/// Returns the conditions of the way around; `None` if other things matter, too, or if there are too many.
fn conditions(formulas: &mut Formulas, events: &[Event]) -> Option<Vec<TermId>> {
    if events.len() > MOST_DECISIONS {
        return None;
    }
    let mut conditions = Vec::new();
    for event in events {
        match event {
            Event::Branch { .. } | Event::Switch { .. } | Event::Lookup { .. } => {
                let condition = event.condition(event.decision()?.way, formulas);
                if formulas.as_boolean(condition) != Some(true) && !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
            Event::Choice { .. } | Event::Concretised { .. } => return None,
        }
    }
    Some(conditions)
}

/// Returns a bound for each integer that changes: it continues in the direction in which it has changed.
fn bounds(formulas: &mut Formulas, parent: &Assignment, recurrence: &Recurrence) -> Vec<TermId> {
    let mut bounds = Vec::new();
    for (variable, value, next) in &recurrence.variables {
        let later = Evaluation::new(formulas, parent).value(*next);
        let is_integer = |term: &Term| matches!(term, Term::Int(_) | Term::Big(_));
        let Some(later) = later.filter(|later| is_integer(later) && is_integer(value)) else { continue };
        let here = formulas.constant(value.clone());
        let variable = formulas.variable(*variable);
        match term::order::compare(value, &later) {
            std::cmp::Ordering::Less => bounds.push(formulas.less_or_equal(here, variable)),
            std::cmp::Ordering::Greater => bounds.push(formulas.less_or_equal(variable, here)),
            std::cmp::Ordering::Equal => {}
        }
    }
    bounds
}

fn holds(formulas: &Formulas, values: &Assignment, conditions: &[TermId]) -> bool {
    let mut evaluation = Evaluation::new(formulas, values);
    conditions.iter().all(|condition| evaluation.holds(*condition) == Some(true))
}
