//! How far conditions are from holding: branch distances, and the differences whose zeros are sought.

use super::tape::Tape;
use super::value::{self, Value, to_missing};
use formula::{Arithmetic, Formulas, Numeric, Operator, TermId, Test};
use rustc_hash::FxHashMap;
use term::Term;

/// The requirement of a condition on the nodes below it.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    Compare {
        relation: Relation,
        a: u32,
        b: u32,
        /// The nodes that are squared, if the condition bounds a sum of squares from above.
        squared: Vec<u32>,
    },
    /// The node has this truth value.
    Is(u32, bool),
    /// The test whether the node has a value has this truth value.
    Defined {
        test: u32,
        node: u32,
        truth: bool,
    },
    All(Vec<Goal>),
    Any(Vec<Goal>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    AtLeast,
    Equal,
    Different,
    Identical,
    NotIdentical,
}

/// A number that should be zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Cell(u32),
    /// `a - b + margin`.
    Difference(u32, u32, f64),
}

/// The error where there is no value, which is larger than any other.
const NO_VALUE: f64 = 1e30;

/// Returns the goal of a condition; `None` if a term of it is not on the tape.
pub(super) fn goal(formulas: &Formulas, condition: TermId, at: &FxHashMap<TermId, u32>) -> Option<Goal> {
    wanted(formulas, condition, true, at)
}

fn wanted(formulas: &Formulas, id: TermId, truth: bool, at: &FxHashMap<TermId, u32>) -> Option<Goal> {
    let relation = |holds: Relation, fails: Relation, a: TermId, b: TermId| -> Option<Goal> {
        let relation = if truth { holds } else { fails };
        Some(Goal::Compare {
            relation,
            a: *at.get(&a)?,
            b: *at.get(&b)?,
            squared: squared(formulas, relation, a, b, at),
        })
    };
    match *formulas.operator(id) {
        Operator::Test(Test::Not(a)) => wanted(formulas, a, !truth, at),
        Operator::Test(Test::And(a, b)) | Operator::Test(Test::Or(a, b)) => {
            let both = vec![wanted(formulas, a, truth, at)?, wanted(formulas, b, truth, at)?];
            let is_and = matches!(formulas.operator(id), Operator::Test(Test::And(..)));
            Some(if is_and == truth { Goal::All(both) } else { Goal::Any(both) })
        }
        Operator::Test(Test::Less(a, b)) => relation(Relation::Less, Relation::AtLeast, a, b),
        Operator::Test(Test::Equal(a, b)) => relation(Relation::Equal, Relation::Different, a, b),
        Operator::Test(Test::Identical(a, b)) => relation(Relation::Identical, Relation::NotIdentical, a, b),
        Operator::Test(Test::Defined(below))
            if matches!(formulas.operator(below), Operator::Arithmetic(..) | Operator::Numeric(..)) =>
        {
            Some(Goal::Defined { test: *at.get(&id)?, node: *at.get(&below)?, truth })
        }
        _ => Some(Goal::Is(*at.get(&id)?, truth)),
    }
}

/// Returns the nodes that are squared. A sum of squares is zero if each of them is, and small if they are.
fn squared(formulas: &Formulas, relation: Relation, a: TermId, b: TermId, at: &FxHashMap<TermId, u32>) -> Vec<u32> {
    let is_bound = |id: TermId| match formulas.as_constant(id) {
        Some(Term::Int(value)) => *value >= 0,
        Some(Term::Float(value)) => *value >= 0.0,
        _ => false,
    };
    let is_zero = |id: TermId| match formulas.as_constant(id) {
        Some(Term::Int(value)) => *value == 0,
        Some(Term::Float(value)) => *value == 0.0,
        _ => false,
    };
    let sum = match relation {
        Relation::Less if is_bound(b) => a,
        Relation::AtLeast if is_bound(a) => b,
        Relation::Equal | Relation::Identical if is_zero(b) => a,
        Relation::Equal | Relation::Identical if is_zero(a) => b,
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    let mut open = vec![sum];
    while let Some(id) = open.pop() {
        match *formulas.operator(id) {
            Operator::Arithmetic(Arithmetic::Add, a, b) => open.extend([a, b]),
            Operator::Arithmetic(Arithmetic::Multiply, a, b) if a == b => found.push(a),
            Operator::Arithmetic(Arithmetic::Multiply, a, b) if is_bound(a) => open.push(b),
            Operator::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide, a, b) if is_bound(b) => open.push(a),
            Operator::Arithmetic(Arithmetic::Power, a, b) if is_even(formulas, b) => found.push(a),
            Operator::Numeric(Numeric::Absolute, a) => found.push(a),
            Operator::Numeric(Numeric::ToFloat | Numeric::Math("sqrt"), a) => open.push(a),
            _ if is_bound(id) => {}
            _ => return Vec::new(),
        }
    }
    found.iter().filter_map(|id| at.get(id).copied()).collect()
}

fn is_even(formulas: &Formulas, id: TermId) -> bool {
    match formulas.as_constant(id) {
        Some(Term::Int(value)) => *value > 0 && value % 2 == 0,
        Some(Term::Float(value)) => *value > 0.0 && value % 2.0 == 0.0,
        _ => false,
    }
}

impl Goal {
    /// Returns the distance from meeting the goal, which is zero if it is met.
    pub fn error(&self, tape: &Tape, values: &[Value]) -> f64 {
        let of = |node: u32| values.get(node as usize);
        match self {
            Goal::Compare { relation, a, b, .. } => match (of(*a), of(*b)) {
                (Some(Value::Missing(far)), _) | (_, Some(Value::Missing(far))) => no_value(*far),
                (Some(a), Some(b)) => relation.error(a, b),
                _ => NO_VALUE,
            },
            Goal::Is(node, truth) => match of(*node) {
                Some(Value::Truth(is)) if is == truth => 0.0,
                Some(Value::Missing(far)) => no_value(*far),
                _ => 1.0,
            },
            Goal::Defined { test, node, truth } => match (of(*test), of(*node)) {
                (Some(Value::Truth(is)), _) if is == truth => 0.0,
                // An operand without a value is as bad as an operation without one.
                (Some(Value::Missing(far)), _) | (_, Some(Value::Missing(far))) => no_value(*far),
                (_, Some(value)) => to_missing(tape.operation(*node, values), value).max(f64::MIN_POSITIVE),
                _ => NO_VALUE,
            },
            Goal::All(parts) => parts.iter().map(|part| part.error(tape, values)).sum(),
            Goal::Any(parts) => parts.iter().map(|part| part.error(tape, values)).fold(f64::INFINITY, f64::min),
        }
    }

    /// Adds the numbers that are zero if the goal is met: of equalities, and of all other conditions that are not met.
    /// For bounds of sums of squares these are the numbers that are squared.
    pub fn targets(&self, tape: &Tape, values: &[Value], found: &mut Vec<Target>) {
        match self {
            Goal::Compare { relation, a, b, squared } => {
                let is_met = self.error(tape, values) == 0.0;
                let is_equality = matches!(relation, Relation::Equal | Relation::Identical);
                if matches!(relation, Relation::Different | Relation::NotIdentical) || is_met && !is_equality {
                    return;
                }
                if !squared.is_empty() {
                    found.extend(squared.iter().map(|node| Target::Cell(*node)));
                    return;
                }
                let apart = Target::Difference(*a, *b, 0.0);
                // The target is a little beyond the bound: by one, or by a small share of the compared numbers.
                let margin = if apart.is_whole(values) { 1.0 } else { 1e-6 * (apart.size(values) + 1e-6) };
                found.push(match relation {
                    Relation::Less => Target::Difference(*a, *b, margin),
                    Relation::AtLeast => Target::Difference(*b, *a, 0.0),
                    _ => apart,
                });
            }
            Goal::All(parts) => parts.iter().for_each(|part| part.targets(tape, values, found)),
            Goal::Any(parts) => {
                let nearest = parts.iter().min_by(|a, b| a.error(tape, values).total_cmp(&b.error(tape, values)));
                nearest.into_iter().for_each(|part| part.targets(tape, values, found));
            }
            Goal::Is(..) | Goal::Defined { .. } => {}
        }
    }
}

impl Target {
    /// Returns the value of the number, or `None` if it has none.
    pub fn value(self, values: &[Value]) -> Option<f64> {
        let of = |node: u32| values.get(node as usize);
        match self {
            Target::Cell(node) => of(node)?.float(),
            Target::Difference(a, b, margin) => Some(value::difference(of(a)?, of(b)?)? + margin),
        }
        .filter(|value| value.is_finite())
    }

    /// Returns whether the number is a difference of integers, or an integer.
    pub fn is_whole(self, values: &[Value]) -> bool {
        let whole = |node: u32| matches!(values.get(node as usize), Some(Value::Int(_)));
        match self {
            Target::Cell(node) => whole(node),
            Target::Difference(a, b, _) => whole(a) && whole(b),
        }
    }

    /// Returns the size of the numbers whose difference it is.
    pub fn size(self, values: &[Value]) -> f64 {
        let of = |node: u32| values.get(node as usize).and_then(Value::float).map_or(0.0, f64::abs);
        match self {
            Target::Cell(_) => 1.0,
            Target::Difference(a, b, _) => of(a).max(of(b)),
        }
    }
}

fn no_value(far: f64) -> f64 {
    NO_VALUE * (1.0 + far.ln_1p())
}

impl Relation {
    fn error(self, a: &Value, b: &Value) -> f64 {
        let apart = value::difference(a, b);
        let unless = |holds: Option<bool>, error: f64| if holds == Some(true) { 0.0 } else { error };
        // The difference of huge integers may be infinite.
        let size = |apart: f64| if apart.is_finite() { apart.abs() } else { f64::MAX };
        let least = if matches!((a, b), (Value::Int(_), Value::Int(_))) { 1.0 } else { f64::MIN_POSITIVE };
        match self {
            Relation::Less => {
                let holds = value::compare(a, b).map(|order| order.is_lt());
                unless(holds, apart.map_or(1.0, |apart| size(apart) + least))
            }
            Relation::AtLeast => {
                let holds = value::compare(a, b).map(|order| order.is_ge());
                unless(holds, apart.map_or(1.0, |apart| size(apart).max(f64::MIN_POSITIVE)))
            }
            Relation::Equal => {
                unless(value::equal(a, b), apart.map_or(1.0, |apart| size(apart).max(f64::MIN_POSITIVE)))
            }
            Relation::Identical => {
                // Numbers of two kinds are never the same.
                let other_kind = if a.kinds() == b.kinds() { f64::MIN_POSITIVE } else { 1.0 };
                unless(value::identical(a, b), apart.map_or(1.0, |apart| size(apart) + other_kind))
            }
            Relation::Different => unless(value::equal(a, b).map(|equal| !equal), 1.0),
            Relation::NotIdentical => unless(value::identical(a, b).map(|same| !same), 1.0),
        }
    }
}
