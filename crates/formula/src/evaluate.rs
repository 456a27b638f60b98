//! The concrete meaning of a term: what every model is checked with before it is believed.

use crate::{Formulas, Operator, TermId, Variable};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Values of the inputs.
pub type Assignment = FxHashMap<Variable, BigInt>;

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Integer(BigInt),
    Boolean(bool),
}

/// Whether the boolean term `id` holds; `None` if a variable has no value or a sort is violated.
pub fn evaluate(formulas: &Formulas, id: TermId, assignment: &Assignment) -> Option<bool> {
    let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
    let mut open = vec![id];
    // Children have smaller ids, so this ends; the explicit stack takes any depth.
    while let Some(&top) = open.last() {
        if values.contains_key(&top) {
            open.pop();
            continue;
        }
        let children = children(formulas.operator(top));
        let missing: Vec<TermId> = children.into_iter().flatten().filter(|child| !values.contains_key(child)).collect();
        if missing.is_empty() {
            let value = apply(formulas.operator(top), &values, assignment)?;
            values.insert(top, value);
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    match values.remove(&id)? {
        Value::Boolean(value) => Some(value),
        Value::Integer(_) => None,
    }
}

fn children(operator: &Operator) -> [Option<TermId>; 2] {
    match operator {
        Operator::Variable(_) | Operator::Integer(_) | Operator::Boolean(_) => [None, None],
        Operator::Add(a, b)
        | Operator::Subtract(a, b)
        | Operator::Multiply(a, b)
        | Operator::Less(a, b)
        | Operator::LessOrEqual(a, b)
        | Operator::Equal(a, b) => [Some(*a), Some(*b)],
        Operator::Not(a) => [Some(*a), None],
    }
}

fn apply(operator: &Operator, values: &FxHashMap<TermId, Value>, assignment: &Assignment) -> Option<Value> {
    let integer = |id: &TermId| match values.get(id) {
        Some(Value::Integer(value)) => Some(value),
        _ => None,
    };
    let boolean = |id: &TermId| match values.get(id) {
        Some(Value::Boolean(value)) => Some(*value),
        _ => None,
    };
    Some(match operator {
        Operator::Variable(variable) => Value::Integer(assignment.get(variable)?.clone()),
        Operator::Integer(value) => Value::Integer(value.clone()),
        Operator::Boolean(value) => Value::Boolean(*value),
        Operator::Add(a, b) => Value::Integer(integer(a)? + integer(b)?),
        Operator::Subtract(a, b) => Value::Integer(integer(a)? - integer(b)?),
        Operator::Multiply(a, b) => Value::Integer(integer(a)? * integer(b)?),
        Operator::Less(a, b) => Value::Boolean(integer(a)? < integer(b)?),
        Operator::LessOrEqual(a, b) => Value::Boolean(integer(a)? <= integer(b)?),
        Operator::Equal(a, b) => Value::Boolean(values.get(a)? == values.get(b)?),
        Operator::Not(a) => Value::Boolean(!boolean(a)?),
    })
}
