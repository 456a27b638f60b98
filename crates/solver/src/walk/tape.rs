//! Conditions as a flat list of operations over the numbers that are moved.
//!
//! A node's operands come before it. Nodes that depend on no moved number are computed once. Operations without a
//! meaning here, and numbers that do not fit, are evaluated by [`Evaluation`] from the moved numbers.

use super::goal::{Goal, goal};
use super::parameters::{MOST_LEAVES, MOST_NODES};
use super::value::{self, Operation, Value};
use crate::layout::positions::{cells, last_step};
use formula::{Arithmetic, Assignment, Evaluation, Formulas, Kinds, Known, Learner, Numeric, Operator, TermId, Test};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Tape {
    pub nodes: Vec<Cell>,
    /// The positions that are moved.
    pub leaves: Vec<TermId>,
    /// One goal for each condition, in the order of the conditions.
    pub goals: Vec<Goal>,
    /// The nodes that change with each leaf, in their order, and the goals.
    pub nodes_of: Vec<Vec<u32>>,
    pub goals_of: Vec<Vec<u32>>,
    /// The leaves on which each goal depends.
    pub leaves_of: Vec<Vec<u32>>,
}

pub(super) struct Cell {
    pub id: TermId,
    pub code: Code,
}

#[derive(Clone, Copy)]
pub(super) enum Code {
    Leaf(u32),
    Constant,
    Arithmetic(Arithmetic, u32, u32),
    Numeric(Numeric, u32),
    Math(&'static str, fn(f64) -> f64, u32),
    /// Whether the node has a value.
    Defined(u32),
    Kind(u32, Kinds),
    Identical(u32, u32),
    Equal(u32, u32),
    Less(u32, u32),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    /// Any other operation, including functions without a meaning here.
    General,
}

/// Returns the positions of a slice that are numbers, or can be; `None` if the slice is too large.
pub(super) fn numbers(formulas: &Formulas, slice: &[TermId]) -> Option<Vec<TermId>> {
    let mut found = Vec::new();
    // The wanted condition comes last, and its numbers are moved first.
    for condition in slice.iter().rev() {
        for cell in cells(formulas, *condition, MOST_NODES)? {
            let is_size = last_step(formulas, cell).is_some_and(|(_, step)| step.is_size());
            if !is_size && formulas.kinds(cell).meets(Kinds::NUMBER) && !found.contains(&cell) {
                found.push(cell);
                if found.len() > MOST_LEAVES {
                    return Some(found);
                }
            }
        }
    }
    Some(found)
}

impl Tape {
    /// Compiles the conditions of a slice; `None` if it is too large.
    pub fn compile(formulas: &Formulas, slice: &[TermId], leaves: Vec<TermId>) -> Option<Tape> {
        let mut tape = Tape {
            nodes: Vec::new(),
            nodes_of: vec![Vec::new(); leaves.len()],
            goals_of: vec![Vec::new(); leaves.len()],
            leaves_of: Vec::new(),
            leaves,
            goals: Vec::new(),
        };
        let ids = tape.ordered(formulas, slice)?;
        let mut at: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut moved_by: Vec<Vec<u32>> = Vec::with_capacity(ids.len());
        for id in ids {
            let leaf = tape.leaves.iter().position(|leaf| *leaf == id).map(|leaf| leaf as u32);
            let mut of: Vec<u32> = leaf.into_iter().collect();
            if leaf.is_none() {
                formulas.operator(id).each_child(|child| {
                    if let Some(child) = at.get(&child) {
                        of.extend(&moved_by[*child as usize]);
                    }
                });
                of.sort_unstable();
                of.dedup();
            }
            let code = match leaf {
                Some(leaf) => Code::Leaf(leaf),
                None if of.is_empty() => Code::Constant,
                None => code(formulas, id, &at),
            };
            let number = tape.nodes.len() as u32;
            of.iter().for_each(|leaf| tape.nodes_of[*leaf as usize].push(number));
            at.insert(id, number);
            tape.nodes.push(Cell { id, code });
            moved_by.push(of);
        }
        for (number, condition) in slice.iter().enumerate() {
            let of = at.get(condition).map(|node| moved_by[*node as usize].clone()).unwrap_or_default();
            of.iter().for_each(|leaf| tape.goals_of[*leaf as usize].push(number as u32));
            tape.leaves_of.push(of);
            tape.goals.push(goal(formulas, *condition, &at)?);
        }
        Some(tape)
    }

    /// Returns all terms of the conditions down to the leaves, in order of birth, in which operands come first.
    fn ordered(&self, formulas: &Formulas, slice: &[TermId]) -> Option<Vec<TermId>> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut open = slice.to_vec();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > MOST_NODES {
                return None;
            }
            if !self.leaves.contains(&id) {
                formulas.operator(id).each_child(|child| open.push(child));
            }
        }
        let mut ids: Vec<TermId> = seen.into_iter().collect();
        ids.sort_unstable();
        Some(ids)
    }
}

fn code(formulas: &Formulas, id: TermId, at: &FxHashMap<TermId, u32>) -> Code {
    let one = |a: &TermId, code: &dyn Fn(u32) -> Code| at.get(a).map_or(Code::General, |a| code(*a));
    let two = |a: &TermId, b: &TermId, code: &dyn Fn(u32, u32) -> Code| match (at.get(a), at.get(b)) {
        (Some(a), Some(b)) => code(*a, *b),
        _ => Code::General,
    };
    match formulas.operator(id) {
        Operator::Arithmetic(operation, a, b) => two(a, b, &|a, b| Code::Arithmetic(*operation, a, b)),
        Operator::Numeric(Numeric::Math(name), a) => match formula::math(name) {
            Some(function) => one(a, &|a| Code::Math(name, function, a)),
            None => Code::General,
        },
        Operator::Numeric(operation, a) => one(a, &|a| Code::Numeric(*operation, a)),
        Operator::Test(Test::Defined(below)) => match formulas.operator(*below) {
            Operator::Arithmetic(..) | Operator::Numeric(..) => one(below, &Code::Defined),
            _ => Code::General,
        },
        Operator::Test(Test::Kind(a, kinds)) => one(a, &|a| Code::Kind(a, *kinds)),
        Operator::Test(Test::Identical(a, b)) => two(a, b, &Code::Identical),
        Operator::Test(Test::Equal(a, b)) => two(a, b, &Code::Equal),
        Operator::Test(Test::Less(a, b)) => two(a, b, &Code::Less),
        Operator::Test(Test::Not(a)) => one(a, &Code::Not),
        Operator::Test(Test::And(a, b)) => two(a, b, &Code::And),
        Operator::Test(Test::Or(a, b)) => two(a, b, &Code::Or),
        _ => Code::General,
    }
}

/// The context in which the tape is run: the values of the inputs, of which only the leaves change.
pub(super) struct Ground<'a> {
    pub tape: &'a Tape,
    pub formulas: &'a Formulas,
    pub assignment: &'a Assignment,
    pub learner: &'a dyn Learner,
}

impl Ground<'_> {
    /// Returns the values of all nodes that no leaf moves, and placeholders for the others.
    pub fn constants(&self) -> Vec<Value> {
        let mut evaluation = Evaluation::new(self.formulas, self.assignment).learning(self.learner);
        let value = |node: &Cell| match node.code {
            Code::Constant => evaluation.value(node.id).map_or(Value::Missing(1.0), |term| Value::of(&term)),
            _ => Value::Missing(1.0),
        };
        self.tape.nodes.iter().map(value).collect()
    }

    /// Computes these nodes, which are in the order of the tape.
    pub fn run(&self, leaves: &[Value], values: &mut [Value], nodes: impl Iterator<Item = u32>) {
        let mut general = None;
        for number in nodes {
            let number = number as usize;
            let Some(node) = self.tape.nodes.get(number) else { continue };
            let value = match node.code {
                Code::Constant => continue,
                Code::Leaf(leaf) => leaves.get(leaf as usize).cloned(),
                _ => computed(&self.tape.nodes, node.code, values),
            };
            let value = value.unwrap_or_else(|| {
                let evaluation = general.get_or_insert_with(|| self.evaluation(leaves));
                evaluation.value(node.id).map_or(Value::Missing(1.0), |term| Value::of(&term))
            });
            if let Some(place) = values.get_mut(number) {
                *place = value;
            }
        }
    }

    /// Returns an evaluation of all terms, given the current values of the leaves.
    fn evaluation(&self, leaves: &[Value]) -> Evaluation<'_> {
        let mut known = Known::default();
        for (leaf, value) in self.tape.leaves.iter().zip(leaves) {
            if let Some(term) = value.term() {
                known.assume(*leaf, term);
            }
        }
        Evaluation::resume(self.formulas, self.assignment, known).learning(self.learner)
    }
}

/// Computes a node; `None` if it has to be evaluated.
#[inline]
fn computed(nodes: &[Cell], code: Code, values: &[Value]) -> Option<Value> {
    // For one or two operands; if one has no value, neither has the result.
    macro_rules! with {
        ($a:expr, |$x:ident| $result:expr) => {
            match values.get($a as usize)? {
                Value::Missing(far) => Some(Value::Missing(*far)),
                $x => $result,
            }
        };
        ($a:expr, $b:expr, |$x:ident, $y:ident| $result:expr) => {
            match (values.get($a as usize)?, values.get($b as usize)?) {
                (Value::Missing(far), _) | (_, Value::Missing(far)) => Some(Value::Missing(*far)),
                ($x, $y) => $result,
            }
        };
    }
    match code {
        Code::Arithmetic(operation, a, b) => with!(a, b, |x, y| value::arithmetic(operation, x, y)),
        Code::Numeric(operation, a) => with!(a, |x| value::numeric(operation, x)),
        Code::Math(name, function, a) => with!(a, |x| value::math(name, function, x)),
        Code::Defined(below) => {
            let is_defined = !matches!(values.get(below as usize)?, Value::Missing(_));
            match nodes.get(below as usize)?.code {
                Code::Arithmetic(_, a, b) => with!(a, b, |_x, _y| Some(Value::Truth(is_defined))),
                Code::Numeric(_, a) | Code::Math(_, _, a) => with!(a, |_x| Some(Value::Truth(is_defined))),
                _ => None,
            }
        }
        Code::Kind(a, kinds) => with!(a, |x| x.kinds().map(|kind| Value::Truth(kind.within(kinds)))),
        Code::Identical(a, b) => with!(a, b, |x, y| value::identical(x, y).map(Value::Truth)),
        Code::Equal(a, b) => with!(a, b, |x, y| value::equal(x, y).map(Value::Truth)),
        Code::Less(a, b) => with!(a, b, |x, y| value::compare(x, y).map(|order| Value::Truth(order.is_lt()))),
        Code::Not(a) => match values.get(a as usize)? {
            Value::Truth(truth) => Some(Value::Truth(!truth)),
            Value::Missing(far) => Some(Value::Missing(*far)),
            _ => None,
        },
        Code::And(a, b) => junction(values.get(a as usize)?, values.get(b as usize)?, false),
        Code::Or(a, b) => junction(values.get(a as usize)?, values.get(b as usize)?, true),
        Code::Leaf(_) | Code::Constant | Code::General => None,
    }
}

/// Computes a conjunction or a disjunction, where the truth value `decisive` of one side decides.
fn junction(a: &Value, b: &Value, decisive: bool) -> Option<Value> {
    match (a, b) {
        (Value::Truth(side), _) | (_, Value::Truth(side)) if *side == decisive => Some(Value::Truth(decisive)),
        (Value::Truth(_), Value::Truth(_)) => Some(Value::Truth(!decisive)),
        (Value::Missing(far), _) | (_, Value::Missing(far)) => Some(Value::Missing(*far)),
        _ => None,
    }
}

impl Tape {
    /// Returns whether there are operations on bits.
    pub fn has_bits(&self) -> bool {
        self.nodes.iter().any(|node| match node.code {
            Code::Arithmetic(operation, ..) => matches!(
                operation,
                Arithmetic::BitAnd
                    | Arithmetic::BitOr
                    | Arithmetic::BitXor
                    | Arithmetic::ShiftLeft
                    | Arithmetic::ShiftRight
                    | Arithmetic::Remainder
            ),
            _ => false,
        })
    }

    /// Returns the operation of a node, for [`value::to_missing`].
    pub fn operation<'a>(&self, node: u32, values: &'a [Value]) -> Operation<'a> {
        let of = |node: u32| values.get(node as usize);
        match self.nodes.get(node as usize).map(|node| node.code) {
            Some(Code::Arithmetic(operation, a, b)) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Operation::Two(operation, a, b),
                _ => Operation::One,
            },
            Some(Code::Math(name, _, a)) => of(a).map_or(Operation::One, |a| Operation::Math(name, a)),
            _ => Operation::One,
        }
    }
}
