//! The concolic walk (after Dinges and Agha, "Solving complex path conditions through heuristic search on induced
//! polytopes"). For conditions beyond the SMT solver's reach, it moves the numbers in the inputs until all conditions
//! hold. It finds solutions or nothing.
//!
//! The structure of the inputs stays; numbers move within what their types and conditions of one variable
//! allow. Starting points are the parent's values, the solver's models over the reals, then random ones. From each,
//! the number that violated conditions blame most is moved: by steps of all magnitudes, and to the zero of a
//! condition along it, with equalities that held kept by moving another; a number that led nowhere is tabu for a
//! while. Beyond the paper, joint steps go to the zeros of all conditions at once, integers are solved bit by
//! bit, and the last digits of floats are shaken until equalities hold exactly.
//!
//! Evaluation is concrete and in doubles. A seed decides everything, and work is counted in evaluated nodes, so that
//! the result does not depend on the clock, unless time is up.

mod bits;
mod domain;
mod goal;
mod newton;
mod parameters;
mod point;
mod polish;
pub(crate) mod random;
mod secant;
mod tape;
#[cfg(test)]
pub(crate) mod tests;
mod value;
mod wander;

pub use parameters::WalkSettings;

use crate::deadline::Deadline;
use crate::slice::Slice;
use crate::tier::{Tier, Tiers, Tools, first_answer, forget_all};
use crate::{Answer, Model, Query, Solution, TierName, Unknown, apply};
use domain::Domain;
use formula::{Arithmetic, Assignment, Evaluation, Formulas, Kinds, Numeric, Operator, TermId, Test};
use parameters::{CLOCK_WORK, JOINT_STEPS, MOST_HALVINGS, MOST_LEAVES, MOST_REFUSED, PATIENCE};
use point::Point;
use random::Random;
use rustc_hash::FxHashSet;
use tape::{Ground, Tape, numbers};
use term::{Term, order};
use value::Value;

/// Walks before and after the tiers inside it: shortly before them, if they have little hope, and longer after them, if
/// they have no answer.
pub(crate) struct Walking {
    walker: Walker,
    inside: Tiers,
}

impl Walking {
    pub fn new(settings: WalkSettings, inside: Tiers) -> Walking {
        Walking { walker: Walker::new(settings), inside }
    }
}

impl Tier for Walking {
    fn answer(&mut self, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer> {
        let mut slice = query.take_slice();
        let first = match slice.sampled(query.formulas) {
            Some(_) => None,
            None => self.walker.solve(query, &mut slice, Turn::First, tools),
        };
        query.put_slice(slice);
        if first.is_some() {
            return first;
        }
        let answer = first_answer(&mut self.inside, query, tools);
        if answer.is_some() {
            return answer;
        }
        let is_hopeless = query.unknown == Some(Unknown::NotOverReals);
        let turn = if is_hopeless { Turn::Hopeless } else { Turn::Last };
        let mut slice = query.take_slice();
        let last = self.walker.solve(query, &mut slice, turn, tools);
        query.put_slice(slice);
        last
    }

    fn forget(&mut self) {
        forget_all(&mut self.inside);
    }
}

/// The walk, and what it has learnt about how often it is worth its work.
pub(crate) struct Walker {
    settings: WalkSettings,
    /// The number of queries in a row that it could not solve.
    failures: u32,
}

/// When the walk is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Before the SMT solver, and only if that has little hope.
    First,
    /// After the SMT solver, if that has no answer.
    Last,
    /// After the SMT solver, if that has found no solution over the reals.
    Hopeless,
}

impl Walker {
    pub fn new(settings: WalkSettings) -> Walker {
        Walker { settings, failures: 0 }
    }

    /// Moves the numbers in the slice until the whole query is satisfied.
    pub fn solve(&mut self, query: &mut Query<'_>, slice: &mut Slice, turn: Turn, tools: &mut Tools) -> Option<Answer> {
        let is_hard = is_hard(query.formulas, &slice.conditions);
        let work = match (turn, is_hard) {
            (Turn::First, false) if is_mixed(query.formulas, &slice.conditions) => self.settings.linear_work,
            (Turn::First, false) => return None,
            (Turn::First, true) => self.settings.first_work,
            // If the walk meets a point where an operation has no value, it does so early.
            (Turn::Last, _) if is_undefined(query.formulas, query.wanted) => self.settings.linear_work,
            (Turn::Last, true) => self.settings.work,
            (Turn::Last, false) | (Turn::Hopeless, _) => self.settings.linear_work,
        };
        let halvings = (self.failures / PATIENCE).min(MOST_HALVINGS);
        let found = self.walk(query, slice, work >> halvings, tools);
        match (&found, turn) {
            (Some(_), _) => self.failures = 0,
            (None, Turn::Last) => self.failures += 1,
            (None, Turn::First | Turn::Hopeless) => {}
        }
        found
    }

    fn walk(&self, query: &mut Query<'_>, slice: &mut Slice, work: u64, tools: &Tools) -> Option<Answer> {
        let (slice, state) = slice.with_state(query.formulas);
        let mut leaves = Vec::new();
        let mut domains = Vec::new();
        for leaf in numbers(query.formulas, slice)? {
            let set = state.domain(query.formulas, leaf);
            let domain = Domain::of(&set);
            let is_number = state.value(query.formulas, query.parent, leaf).is_some_and(|value| is_number(&value));
            if !domain.is_empty() && (is_number || set.kinds().within(Kinds::NUMBER)) && leaves.len() < MOST_LEAVES {
                leaves.push(leaf);
                domains.push(domain);
            }
        }
        if leaves.is_empty() {
            return None;
        }
        let formulas: &Formulas = query.formulas;
        let tape = Tape::compile(formulas, slice, leaves)?;
        let proposals = if self.settings.proposals { &query.proposals[..] } else { &[] };
        let starts: Vec<&Assignment> = [query.parent].into_iter().chain(proposals).collect();
        let grounds: Vec<Ground<'_>> = starts
            .iter()
            .map(|assignment| Ground { tape: &tape, formulas, assignment, learner: query.learner })
            .collect();
        let known = constants(formulas, slice);
        let seed = tools.seed ^ (tape.nodes.len() as u64) << 32 ^ fingerprint(&known);
        let mut left = work;
        // Every starting point is tried once; then the walk jumps.
        for (share, jumps) in [(6, false), (1, true)] {
            for (number, ground) in grounds.iter().enumerate() {
                let own = left / (share * (grounds.len() - number) as u64).max(1);
                let Some(leaves) = start(ground, &domains) else { continue };
                let mut walk = Walk {
                    point: Point::new(ground, &domains, leaves, own),
                    random: Random::new(seed.wrapping_add(2 * number as u64 + u64::from(jumps))),
                    settings: &self.settings,
                    deadline: tools.deadline,
                    known: &known,
                    held: Vec::new(),
                    looked: own,
                    late: false,
                };
                let found = walk.search(query, jumps);
                left = left.saturating_sub(own - walk.point.work);
                if let Some((changes, values)) = found {
                    // The changes of a proposal are not changes of the parent's values.
                    let model = if number == 0 { changes } else { query.model_of(&values) };
                    return Some(Answer::Sat(Solution { by: TierName::Walk, values, model }));
                }
            }
        }
        None
    }
}

/// A walk over one structure of the inputs.
struct Walk<'a> {
    point: Point<'a>,
    random: Random,
    settings: &'a WalkSettings,
    deadline: Deadline,
    /// The numbers in the conditions.
    known: &'a [f64],
    /// For each goal, whether it was met before the step that is tried.
    held: Vec<bool>,
    /// The work that was left at the last look at the clock.
    looked: u64,
    late: bool,
}

impl Walk<'_> {
    /// Returns whether the work is used up or the time is over.
    fn is_over(&mut self) -> bool {
        if self.looked - self.point.work.min(self.looked) > CLOCK_WORK {
            self.looked = self.point.work;
            self.late = self.deadline.is_over();
        }
        self.point.work == 0 || self.late
    }

    fn search(&mut self, query: &Query<'_>, jumps: bool) -> Option<(Model, Assignment)> {
        let start = self.point.leaves.clone();
        let mut best: Option<(f64, Vec<Value>)> = None;
        let mut refused = 0;
        if self.point.is_hopeless() {
            return None;
        }
        if jumps {
            self.jump(&start, None);
        }
        while !self.is_over() {
            self.point.look();
            if self.converge() {
                let model = self.changes();
                if let Some(values) = self.accepted(query, &model) {
                    return Some((model, values));
                }
                refused += 1;
                if refused > MOST_REFUSED {
                    return None;
                }
            }
            if !jumps {
                return None;
            }
            let score: f64 = self.point.errors.iter().map(|error| error.ln_1p()).sum();
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, self.point.leaves.clone()));
            }
            self.jump(&start, best.as_ref().map(|(_, leaves)| leaves.as_slice()));
        }
        None
    }

    /// Moves to a place that cannot be improved, and returns whether it is a solution.
    fn converge(&mut self) -> bool {
        let mut before = f64::INFINITY;
        loop {
            self.point.look();
            if self.point.is_solution() {
                return true;
            }
            if self.settings.newton && self.descend_jointly(JOINT_STEPS) {
                return true;
            }
            if self.is_near() {
                return self.polish();
            }
            if self.by_bits() || self.wander() {
                return true;
            }
            let score: f64 = self.point.errors.iter().map(|error| error.ln_1p()).sum();
            if score > before * 0.9 || self.is_over() {
                return self.point.is_solution();
            }
            before = score;
        }
    }

    /// Jumps to another place: takes the start, the best place or the current one, and chooses some numbers anew.
    fn jump(&mut self, start: &[Value], best: Option<&[Value]>) {
        let mut leaves = match (self.random.below(4), best) {
            (0, _) => start.to_vec(),
            (1, Some(best)) => best.to_vec(),
            _ => self.point.leaves.clone(),
        };
        let share = if self.random.chance(0.5) { 1.0 } else { self.random.between(0.2, 1.0) };
        for (place, domain) in leaves.iter_mut().zip(self.point.domains) {
            if self.random.chance(share)
                && let Some(value) = domain.any(&mut self.random, self.known)
            {
                *place = value;
            }
        }
        self.point.set_all(&leaves);
    }

    /// Returns the numbers that differ from those in the inputs.
    fn changes(&self) -> Model {
        let ground = self.point.ground;
        let mut evaluation = Evaluation::new(ground.formulas, ground.assignment);
        let now = ground.tape.leaves.iter().zip(&self.point.leaves);
        let now = now.filter_map(|(leaf, now)| Some((*leaf, now.term()?)));
        Model { changes: now.filter(|(leaf, now)| evaluation.value(*leaf).as_ref() != Some(now)).collect() }
    }

    /// Returns the values with these changes, if all conditions of the query hold with them.
    fn accepted(&self, query: &Query<'_>, model: &Model) -> Option<Assignment> {
        let ground = self.point.ground;
        let values = apply(ground.formulas, ground.assignment, model)?;
        query.is_satisfied_by(&values).then_some(values)
    }
}

/// Returns the numbers with which the walk begins; `None` if one does not exist in the inputs, or has an empty domain.
fn start(ground: &Ground<'_>, domains: &[Domain]) -> Option<Vec<Value>> {
    let mut evaluation = Evaluation::new(ground.formulas, ground.assignment);
    let value = |(leaf, domain): (&TermId, &Domain)| {
        let value = evaluation.value(*leaf)?;
        let value = if is_number(&value) { Value::of(&value) } else { Value::Int(0) };
        domain.converted(&value)
    };
    ground.tape.leaves.iter().zip(domains).map(value).collect()
}

fn is_number(value: &Term) -> bool {
    Kinds::of(value).within(Kinds::NUMBER)
}

/// Returns whether the wanted condition says that an operation has no value.
fn is_undefined(formulas: &Formulas, wanted: TermId) -> bool {
    matches!(formulas.operator(wanted), Operator::Test(Test::Not(test)) if matches!(formulas.operator(*test), Operator::Test(Test::Defined(_))))
}

/// Returns whether the conditions contain operations that are not linear.
pub(crate) fn is_hard(formulas: &Formulas, slice: &[TermId]) -> bool {
    let is_constant = |id: TermId| formulas.as_constant(id).is_some();
    each_operator(formulas, slice).any(|operator| match operator {
        Operator::Arithmetic(Arithmetic::Multiply, a, b) => !is_constant(*a) && !is_constant(*b),
        Operator::Arithmetic(Arithmetic::Divide, _, b) => !is_constant(*b),
        Operator::Arithmetic(Arithmetic::Power | Arithmetic::Atan2 | Arithmetic::FloatRemainder, ..)
        | Operator::Numeric(Numeric::Math(_), _)
        | Operator::Apply { .. } => true,
        _ => false,
    })
}

/// Returns whether bits of several numbers are combined in the conditions, or bits of sums and products.
fn is_mixed(formulas: &Formulas, slice: &[TermId]) -> bool {
    let is_computed = |id: TermId| matches!(formulas.operator(id), Operator::Arithmetic(..));
    let is_constant = |id: TermId| formulas.as_constant(id).is_some();
    each_operator(formulas, slice).any(|operator| match operator {
        Operator::Arithmetic(Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor, a, b) => {
            is_computed(*a) || is_computed(*b) || !is_constant(*a) && !is_constant(*b)
        }
        _ => false,
    })
}

/// Yields all operators of the conditions, each once.
pub(crate) fn each_operator<'a>(formulas: &'a Formulas, slice: &[TermId]) -> impl Iterator<Item = &'a Operator> {
    let mut seen = FxHashSet::default();
    let mut open = slice.to_vec();
    std::iter::from_fn(move || {
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                let operator = formulas.operator(id);
                operator.each_child(|child| open.push(child));
                return Some(operator);
            }
        }
        None
    })
}

/// Returns the numbers in the conditions.
fn constants(formulas: &Formulas, slice: &[TermId]) -> Vec<f64> {
    let number = |operator: &Operator| match operator {
        Operator::Constant(constant) if is_number(&constant.0) => Some(constant.0.clone()),
        _ => None,
    };
    let mut found: Vec<Term> = each_operator(formulas, slice).filter_map(number).collect();
    found.sort_by(order::compare);
    let mut found: Vec<f64> = found.iter().filter_map(|term| Value::of(term).float()).collect();
    found.dedup();
    found
}

/// Hashes the numbers, so that different queries are walked differently.
fn fingerprint(known: &[f64]) -> u64 {
    known.iter().fold(0, |all: u64, number| all.rotate_left(7).wrapping_mul(0x0100_0000_01b3) ^ number.to_bits())
}
