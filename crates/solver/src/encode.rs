//! Formulas as SMT-LIB 2, and models back.

use formula::{Assignment, Formulas, Operator, TermId, Variable};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A query: definitions of shared terms, assertions, and the variables in it.
pub struct Encoded {
    pub declarations: String,
    pub assertions: String,
    pub variables: BTreeSet<Variable>,
}

/// Every term becomes a definition, so shared ones are written once and depth does not matter.
pub fn encode(formulas: &Formulas, conditions: &[TermId]) -> Encoded {
    let mut needed = FxHashSet::default();
    let mut open = conditions.to_vec();
    while let Some(id) = open.pop() {
        if needed.insert(id) {
            open.extend(children(formulas.operator(id)));
        }
    }
    let mut ordered: Vec<TermId> = needed.into_iter().collect();
    // A child's id is below its parent's.
    ordered.sort_unstable();
    let mut encoded = Encoded { declarations: String::new(), assertions: String::new(), variables: BTreeSet::new() };
    for id in ordered {
        define(formulas, id, &mut encoded);
    }
    for condition in conditions {
        // Writing to a string cannot fail.
        let _ = writeln!(encoded.assertions, "(assert t{})", condition.number());
    }
    encoded
}

fn children(operator: &Operator) -> Vec<TermId> {
    match operator {
        Operator::Variable(_) | Operator::Integer(_) | Operator::Boolean(_) => Vec::new(),
        Operator::Add(a, b)
        | Operator::Subtract(a, b)
        | Operator::Multiply(a, b)
        | Operator::Less(a, b)
        | Operator::LessOrEqual(a, b)
        | Operator::Equal(a, b) => vec![*a, *b],
        Operator::Not(a) => vec![*a],
    }
}

fn define(formulas: &Formulas, id: TermId, encoded: &mut Encoded) {
    let n = id.number();
    let binary = |name: &str, a: &TermId, b: &TermId| format!("({name} t{} t{})", a.number(), b.number());
    let (sort, body) = match formulas.operator(id) {
        Operator::Variable(variable) => {
            encoded.variables.insert(*variable);
            let _ = writeln!(encoded.declarations, "(declare-const x{} Int)", variable.0);
            ("Int", format!("x{}", variable.0))
        }
        Operator::Integer(value) => ("Int", integer(value)),
        Operator::Boolean(value) => ("Bool", value.to_string()),
        Operator::Add(a, b) => ("Int", binary("+", a, b)),
        Operator::Subtract(a, b) => ("Int", binary("-", a, b)),
        Operator::Multiply(a, b) => ("Int", binary("*", a, b)),
        Operator::Less(a, b) => ("Bool", binary("<", a, b)),
        Operator::LessOrEqual(a, b) => ("Bool", binary("<=", a, b)),
        Operator::Equal(a, b) => ("Bool", binary("=", a, b)),
        Operator::Not(a) => ("Bool", format!("(not t{})", a.number())),
    };
    let _ = writeln!(encoded.assertions, "(define-fun t{n} () {sort} {body})");
}

fn integer(value: &BigInt) -> String {
    if value.sign() == num_bigint::Sign::Minus { format!("(- {})", value.magnitude()) } else { value.to_string() }
}

/// Reads `((x0 1) (x1 (- 2)))`.
pub fn decode_values(text: &str) -> Option<Assignment> {
    let mut values = Assignment::default();
    let tokens = text.replace(['(', ')'], " ");
    let mut tokens = tokens.split_whitespace().peekable();
    while let Some(name) = tokens.next() {
        let variable = Variable(name.strip_prefix('x')?.parse().ok()?);
        let negative = tokens.next_if_eq(&"-").is_some();
        let value: BigInt = tokens.next()?.parse().ok()?;
        values.insert(variable, if negative { -value } else { value });
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_their_signs() {
        let values = decode_values("((x0 100000)\n (x1 (- 7)))").expect("well formed");
        assert_eq!(values[&Variable(0)], BigInt::from(100_000));
        assert_eq!(values[&Variable(1)], BigInt::from(-7));
        assert_eq!(decode_values("((y 1))"), None);
    }

    #[test]
    fn shared_terms_are_defined_once() {
        let mut formulas = Formulas::default();
        let x = formulas.variable(Variable(0));
        let double = formulas.add(x, x);
        let quadruple = formulas.add(double, double);
        let condition = formulas.less(x, quadruple);
        let encoded = encode(&formulas, &[condition]);
        assert_eq!(encoded.assertions.matches("define-fun").count(), 4);
        assert_eq!(encoded.declarations.matches("declare-const").count(), 1);
    }
}
