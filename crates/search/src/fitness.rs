//! How far values are from fulfilling a condition: the branch distance of search-based testing.

use formula::{Assignment, Evaluation, Formulas, Operator, TermId, Test};
use term::Term;

/// The distance of what is no comparison of numbers, or cannot be evaluated.
const UNKNOWN: f64 = 1.0;
/// Conditions inside of one another are followed to this depth.
const DEEPEST: u32 = 32;

/// 0 if the condition holds, and the less the closer the values are to it.
pub fn branch_distance(formulas: &Formulas, condition: TermId, values: &Assignment) -> f64 {
    distance(&mut Evaluation::new(formulas, values), formulas, condition, true, DEEPEST)
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
        Test::Identical(a, b) | Test::Equal(a, b) if wanted => apart(evaluation, a, b).map_or(UNKNOWN, f64::abs),
        Test::Less(a, b) => match apart(evaluation, a, b) {
            Some(apart) if wanted => (apart + 1.0).max(UNKNOWN),
            Some(apart) => (-apart).max(UNKNOWN),
            None => UNKNOWN,
        },
        _ => UNKNOWN,
    }
}

/// The difference of two numbers, or of the lengths of two lists.
fn apart(evaluation: &mut Evaluation<'_>, a: TermId, b: TermId) -> Option<f64> {
    let (a, b) = (size(&evaluation.value(a)?)?, size(&evaluation.value(b)?)?);
    Some(a - b).filter(|apart| apart.is_finite())
}

fn size(term: &Term) -> Option<f64> {
    match term {
        Term::Int(value) => Some(*value as f64),
        Term::Float(value) => Some(*value),
        Term::List(items, _) => Some(items.len() as f64),
        Term::Nil => Some(0.0),
        Term::Big(_)
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
    use formula::Variable;

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
    }
}
