//! How far values are from fulfilling a condition: the branch distance of search-based testing.

use crate::evaluate::{Assignment, Evaluation};
use crate::table::Formulas;
use crate::terms::{Operator, TermId, Test};
use term::Term;

/// The distance of conditions and terms that have no measure.
const UNKNOWN: f64 = 1.0;
/// The distance if there is no value to compare, or no finite difference.
const FAR: f64 = 1e6;
/// The least distance of a condition that does not hold.
const LEAST: f64 = 1e-9;
/// The largest depth to which nested conditions and terms are followed.
const DEEPEST: u32 = 32;

/// Returns 0 if the condition holds, and a smaller number the closer the values are to fulfilling it.
pub fn branch_distance(formulas: &Formulas, condition: TermId, values: &Assignment) -> f64 {
    distance_of(&mut Evaluation::new(formulas, values), formulas, condition)
}

/// Computes the branch distance in an existing evaluation, which may know how to sample functions.
pub fn distance_of(evaluation: &mut Evaluation<'_>, formulas: &Formulas, condition: TermId) -> f64 {
    distance(evaluation, formulas, condition, true, DEEPEST)
}

fn distance(evaluation: &mut Evaluation<'_>, formulas: &Formulas, id: TermId, wanted: bool, deep: u32) -> f64 {
    if evaluation.holds(id) == Some(wanted) {
        return 0.0;
    }
    let Operator::Test(test) = formulas.operator(id) else { return UNKNOWN };
    let mut below = |id: TermId, wanted: bool| match deep {
        0 => UNKNOWN,
        _ => distance(evaluation, formulas, id, wanted, deep - 1),
    };
    match *test {
        Test::Not(a) => below(a, !wanted),
        Test::And(a, b) | Test::Or(a, b) => {
            let (first, second) = (below(a, wanted), below(b, wanted));
            if matches!(test, Test::And(..)) == wanted { first + second } else { first.min(second) }
        }
        Test::Identical(a, b) | Test::Equal(a, b) if wanted => match (evaluation.value(a), evaluation.value(b)) {
            (Some(a), Some(b)) => apart(&a, &b, DEEPEST).max(LEAST),
            _ => FAR,
        },
        Test::Less(a, b) => match (evaluation.value(a), evaluation.value(b)) {
            (Some(a), Some(b)) => match (number(&a), number(&b)) {
                (Some(a), Some(b)) if wanted => (a - b + 1.0).max(LEAST),
                (Some(a), Some(b)) => (b - a).max(LEAST),
                _ => UNKNOWN,
            },
            _ => FAR,
        },
        _ => UNKNOWN,
    }
}

/// Returns how different two terms are.
fn apart(a: &Term, b: &Term, deep: u32) -> f64 {
    if deep == 0 {
        return UNKNOWN;
    }
    if let (Some(a), Some(b)) = (number(a), number(b)) {
        let apart = (a - b).abs();
        return if apart.is_finite() { apart } else { FAR };
    }
    match (a, b) {
        _ if a == b => 0.0,
        (Term::Nil | Term::List(..), Term::Nil | Term::List(..)) => {
            let (a, b) = (a.as_list().unwrap_or_default(), b.as_list().unwrap_or_default());
            sequences_apart(a, b, deep)
        }
        (Term::Tuple(a), Term::Tuple(b)) => sequences_apart(a, b, deep),
        (Term::Bits(a), Term::Bits(b)) => a.bit_length().abs_diff(b.bit_length()) as f64 + UNKNOWN,
        _ => UNKNOWN,
    }
}

/// Compares item by item. A missing item counts more than a wrong one, however wrong that is.
fn sequences_apart(a: &[Term], b: &[Term], deep: u32) -> f64 {
    let within = |apart: f64| apart / (apart + 1.0);
    let items: f64 = a.iter().zip(b).map(|(a, b)| within(apart(a, b, deep - 1))).sum();
    items + 2.0 * a.len().abs_diff(b.len()) as f64
}

fn number(term: &Term) -> Option<f64> {
    match term {
        Term::Int(value) => Some(*value as f64),
        Term::Float(value) => Some(*value),
        Term::Big(_)
        | Term::Nil
        | Term::List(..)
        | Term::Atom(_)
        | Term::Tuple(_)
        | Term::Map(_)
        | Term::Bits(_)
        | Term::Fun(_)
        | Term::Pid(_)
        | Term::Reference(_)
        | Term::Port(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Variable;

    #[test]
    fn distances_shrink_towards_what_is_wanted() {
        let mut formulas = Formulas::default();
        let x = formulas.variable(Variable(0));
        let year = formulas.integer(1752);
        let equal = formulas.identical(x, year);
        let less = formulas.less(x, year);
        let other = formulas.not(less);
        let at = |value: i64| Assignment::from_iter([(Variable(0), Term::Int(value))]);
        assert_eq!(branch_distance(&formulas, equal, &at(1752)), 0.0);
        assert!(branch_distance(&formulas, equal, &at(1700)) < branch_distance(&formulas, equal, &at(5)));
        assert_eq!(branch_distance(&formulas, less, &at(1752)), 1.0);
        assert_eq!(branch_distance(&formulas, other, &at(1750)), 2.0);
        assert!(branch_distance(&formulas, equal, &Assignment::default()) > 1000.0);
    }
}
