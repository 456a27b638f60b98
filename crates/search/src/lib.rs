//! Explores a function: runs it, flips one decision at a time, and keeps what went wrong. Knows no
//! language, no file, no clock.
//!
//! A candidate is a decision prefix of some run and the other way at its end. Each is tried once: the
//! tree of decisions that were taken is the only memory of what was done. Decisions are branches over
//! integer inputs so far.

use formula::{Assignment, TermId, Variable};
use machine::{Event, Machine, Outcome, Raised, Site};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use solver::{Answer, Query, Tier};
use std::collections::VecDeque;
use term::{Atom, Term};

pub struct Unit {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
}

#[derive(Debug)]
pub struct Finding {
    pub args: Vec<Term>,
    pub raised: Raised,
    /// Runs up to and with this one.
    pub runs: usize,
}

#[derive(Debug, Default)]
pub struct Exploration {
    pub findings: Vec<Finding>,
    pub runs: usize,
    pub queries: usize,
    /// Losses on the way: with any of them the exploration is not complete.
    pub unknown: usize,
    pub concretised: usize,
    pub stopped: usize,
    pub diverged: usize,
    pub out_of_budget: bool,
}

impl Exploration {
    /// Was every path taken?
    pub fn is_exhaustive(&self) -> bool {
        self.unknown == 0 && self.concretised == 0 && self.stopped == 0 && self.diverged == 0 && !self.out_of_budget
    }
}

/// A way that a decision went.
type Decision = (Site, bool);

struct Candidate {
    prefix: Vec<Decision>,
    inputs: Assignment,
}

/// Breadth-first until every candidate was tried or `max_runs` were made.
pub fn explore(machine: &mut Machine, unit: &Unit, solver: &mut dyn Tier, max_runs: usize) -> Exploration {
    let mut exploration = Exploration::default();
    let mut tried: FxHashSet<Vec<Decision>> = FxHashSet::default();
    let mut open = VecDeque::from([Candidate { prefix: Vec::new(), inputs: Assignment::default() }]);
    while let Some(Candidate { prefix, inputs }) = open.pop_front() {
        if exploration.runs == max_runs {
            exploration.out_of_budget = true;
            break;
        }
        exploration.runs += 1;
        let values = |index: u32| inputs.get(&Variable(index)).cloned().unwrap_or_else(BigInt::default);
        let args: Vec<Term> = (0..unit.arity).map(|index| Term::integer(values(index))).collect();
        let outcome = run(machine, unit, &args);
        note(outcome, args, &mut exploration);
        let branches = branches(machine);
        exploration.concretised += machine.recorder().events.len() - branches.len();
        let decisions: Vec<Decision> = branches.iter().map(|(decision, _)| *decision).collect();
        if !decisions.starts_with(&prefix) {
            exploration.diverged += 1;
        }
        for at in 0..decisions.len() {
            let mut other = decisions[..=at].to_vec();
            other[at].1 = !other[at].1;
            if !tried.insert(other.clone()) {
                continue;
            }
            tried.insert(decisions[..=at].to_vec());
            if let Some(model) = flip(machine, &branches[..=at], solver, &mut exploration) {
                let mut next = inputs.clone();
                next.extend(model);
                open.push_back(Candidate { prefix: other, inputs: next });
            }
        }
    }
    exploration
}

fn run(machine: &mut Machine, unit: &Unit, args: &[Term]) -> Outcome {
    machine.run_with(unit.module, unit.function, |context| {
        args.iter()
            .enumerate()
            .map(|(index, arg)| {
                let concrete = machine::value::copy_in(&mut context.heap, arg);
                let formula = context.recorder.formulas.variable(Variable(index as u32));
                context.heap.symbolic(concrete, formula)
            })
            .collect()
    })
}

/// One finding per place and kind of failure.
fn note(outcome: Outcome, args: Vec<Term>, exploration: &mut Exploration) {
    match outcome {
        Outcome::Value(_) => {}
        Outcome::Stopped(_) => exploration.stopped += 1,
        Outcome::Raised(raised) => {
            let same = |finding: &Finding| {
                finding.raised.class == raised.class
                    && finding.raised.reason == raised.reason
                    && finding.raised.trace.first() == raised.trace.first()
            };
            if !exploration.findings.iter().any(same) {
                exploration.findings.push(Finding { args, raised, runs: exploration.runs });
            }
        }
    }
}

/// The last run's branches with the conditions that held there.
fn branches(machine: &Machine) -> Vec<(Decision, TermId)> {
    let recorder = machine.recorder();
    let branch = |event: &Event| match event {
        Event::Branch { site, condition } => {
            let held = !matches!(recorder.formulas.operator(*condition), formula::Operator::Not(_));
            Some(((*site, held), *condition))
        }
        Event::Concretised { .. } => None,
    };
    recorder.events.iter().filter_map(branch).collect()
}

/// Inputs that agree with all of the path but its last condition.
fn flip(
    machine: &mut Machine,
    path: &[(Decision, TermId)],
    solver: &mut dyn Tier,
    exploration: &mut Exploration,
) -> Option<Assignment> {
    let (last, before) = path.split_last()?;
    let formulas = &mut machine.context().recorder.formulas;
    let mut conditions: Vec<TermId> = before.iter().map(|(_, condition)| *condition).collect();
    conditions.push(formulas.not(last.1));
    exploration.queries += 1;
    match solver.solve(&Query { formulas, conditions: &conditions }) {
        Answer::Sat(model) => Some(model),
        Answer::Unsat => None,
        Answer::Unknown(_) => {
            exploration.unknown += 1;
            None
        }
    }
}
