//! Makes what a path has decided so far known to all terms that are made after the decision.
//!
//! A run asks the same again and again: whether an operand is a number, whether a term that it takes apart is a list.
//! Tests of kinds that follow from earlier answers are folded to constants, and sums that turned out to be integers are
//! sums of integers. Comparisons of values and sizes are not folded: a side of one that this path forbids shows the
//! search where else to look.
//!
//! Terms that are made under an assumption have their intended meaning wherever the assumption holds, which is after
//! the decision. Therefore conditions of a path are used together with those before them. When the path is complete,
//! the kinds of terms are computed without assumptions again ([`Formulas::forget_assumptions`]), because earlier
//! decisions may be changed then.

use crate::constants::Constants;
use crate::kinds::Kinds;
use crate::table::Formulas;
use crate::terms::{Arithmetic, Operator, TermId, Test};

impl Formulas {
    /// Records that a condition holds, or that it does not.
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

    /// Restricts a term to these kinds. The operands of a sum, difference or product that is an integer become
    /// integers.
    fn narrow(&mut self, term: TermId, kinds: Kinds) {
        let mut open = vec![(term, kinds)];
        while let Some((term, kinds)) = open.pop() {
            let possible = self.kinds(term);
            let left = possible.and(kinds);
            // If the formula of a decision is not exact, no kind may be left.
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

    /// Returns whether a condition depends only on what terms are made of, not on which values they are.
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
