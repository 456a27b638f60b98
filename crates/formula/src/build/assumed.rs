//! What a path has decided so far is known to all terms that are made behind it.
//!
//! A run asks the same thing again and again: whether what was added to is a number, whether what was taken apart is a
//! list. What follows from earlier answers about kinds is no question any more, and sums of what turned out to be integers
//! are those of integers. Comparisons of values and sizes stay questions: a side of one that this path forbids tells the
//! search where else to look.
//!
//! Terms that were made under an assumption mean what they should wherever it holds: behind the decision. So conditions
//! of a path are used together with those before them. What a term can be at most is told without assumptions again
//! when the path is complete ([`Formulas::forget_assumptions`]), because earlier decisions may be changed then.

use crate::constants::Constants;
use crate::kinds::Kinds;
use crate::table::Formulas;
use crate::terms::{Arithmetic, Operator, TermId, Test};

impl Formulas {
    /// Takes note that a condition holds, or that it does not.
    pub fn assume(&mut self, condition: TermId, holds: bool) {
        let mut open = vec![(condition, holds)];
        while let Some((condition, holds)) = open.pop() {
            let Operator::Test(test) = self.operator(condition) else { continue };
            match *test {
                Test::Not(inner) => open.push((inner, !holds)),
                Test::And(a, b) if holds => open.extend([(a, true), (b, true)]),
                Test::Or(a, b) if !holds => open.extend([(a, false), (b, false)]),
                Test::Kind(term, kinds) if holds => self.narrow(term, kinds),
                Test::Kind(term, kinds) => self.narrow(term, Kinds::ALL.without(kinds)),
                Test::TupleOf(term, _) if holds => self.narrow(term, Kinds::TUPLE),
                Test::FunctionOf(term, _) if holds => self.narrow(term, Kinds::FUNCTION),
                Test::OneOf(term, ref constants) if holds => {
                    let kinds = kinds_among(constants);
                    self.narrow(term, kinds);
                }
                Test::Identical(a, b) if holds => {
                    let (x, y) = (self.kinds(a), self.kinds(b));
                    self.narrow(a, y);
                    self.narrow(b, x);
                }
                Test::And(..)
                | Test::Or(..)
                | Test::TupleOf(..)
                | Test::FunctionOf(..)
                | Test::OneOf(..)
                | Test::Identical(..)
                | Test::Equal(..)
                | Test::Less(..)
                | Test::ProperList(_)
                | Test::HasItem(..)
                | Test::MapHas { .. }
                | Test::Defined(_)
                | Test::Converts(..) => {}
            }
        }
    }

    /// A term is of these kinds only. A sum that is an integer is one of integers.
    fn narrow(&mut self, term: TermId, kinds: Kinds) {
        let mut open = vec![(term, kinds)];
        while let Some((term, kinds)) = open.pop() {
            let possible = self.kinds(term);
            let left = possible.and(kinds);
            // Where the formula of a decision is not exact, nothing may be left.
            if left == possible || left.is_empty() {
                continue;
            }
            self.narrow_kinds(term, left);
            if let Operator::Arithmetic(Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply, a, b) =
                *self.operator(term)
                && left.within(Kinds::INTEGER)
            {
                open.extend([(a, Kinds::INTEGER), (b, Kinds::INTEGER)]);
            }
        }
    }

    /// Whether a condition asks only what terms are made of: not which values they are.
    pub fn is_about_shape(&self, condition: TermId) -> bool {
        let mut open = vec![condition];
        while let Some(condition) = open.pop() {
            let Operator::Test(test) = self.operator(condition) else { return false };
            match *test {
                Test::Not(inner) => open.push(inner),
                Test::And(a, b) | Test::Or(a, b) => open.extend([a, b]),
                Test::Kind(..)
                | Test::TupleOf(..)
                | Test::FunctionOf(..)
                | Test::ProperList(_)
                | Test::Defined(_)
                | Test::Converts(..) => {}
                Test::Identical(..)
                | Test::Equal(..)
                | Test::Less(..)
                | Test::OneOf(..)
                | Test::HasItem(..)
                | Test::MapHas { .. } => return false,
            }
        }
        true
    }
}

fn kinds_among(constants: &Constants) -> Kinds {
    let others = constants.others().iter().fold(Kinds::NONE, |all, constant| all.or(Kinds::of(&constant.0)));
    if constants.ranges().is_empty() { others } else { others.or(Kinds::INTEGER) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Variable;

    #[test]
    fn what_follows_is_no_question_and_later_it_is_one_again() {
        let formulas = &mut Formulas::default();
        let x = formulas.variable(Variable(0));
        let one = formulas.integer(1);
        let is_integer = formulas.kind(x, Kinds::INTEGER);
        formulas.assume(is_integer, true);
        assert!(formulas.kind(x, Kinds::NUMBER) == formulas.boolean(true));
        let next = formulas.arithmetic(Arithmetic::Add, x, one);
        assert_eq!(formulas.kinds(next), Kinds::INTEGER);
        assert!(formulas.less(next, x) == formulas.boolean(false));
        formulas.forget_assumptions();
        assert_eq!((formulas.kinds(x), formulas.kinds(next)), (Kinds::ALL, Kinds::NUMBER));
        let later = formulas.kind(x, Kinds::NUMBER);
        assert_eq!(formulas.as_boolean(later), None);
    }

    #[test]
    fn a_sum_that_is_an_integer_is_one_of_integers() {
        let formulas = &mut Formulas::default();
        let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
        let sum = formulas.arithmetic(Arithmetic::Add, x, y);
        let is_float = formulas.kind(sum, Kinds::FLOAT);
        formulas.assume(is_float, false);
        assert_eq!((formulas.kinds(x), formulas.kinds(y)), (Kinds::INTEGER, Kinds::INTEGER));
    }
}
