//! Functions that are known by samples, over a function of the test.

use crate::tests::integers;
use crate::{Answer, Chain, Query, SmtSettings, Solver, Unknown, apply};
use formula::{Arithmetic, Assignment, Codomain, Formulas, Kinds, Learner, Sample, TermId, Types, Variable, evaluate};
use std::cell::RefCell;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// Squares and adds one; has no value for negative numbers.
struct Squares {
    asked: RefCell<Vec<Term>>,
}

fn name() -> FunctionName {
    FunctionName { module: Atom::new("m"), function: Atom::new("squared"), arity: 1 }
}

impl Learner for Squares {
    fn learn(&self, _: FunctionName, args: &[Term]) -> Option<Sample> {
        self.asked.borrow_mut().extend(args.iter().cloned());
        Some(match args[0].as_int()? {
            value @ 0.. => Sample::Returned(Term::Int(value.checked_mul(value)?.checked_add(1)?)),
            _ => Sample::Raised,
        })
    }
}

struct Case {
    formulas: Formulas,
    x: TermId,
    y: TermId,
    parent: Assignment,
}

fn case() -> Case {
    let mut types = Types::default();
    let integer = integers(&mut types);
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), integer);
    formulas.declare(Variable(1), integer);
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = [(Variable(0), Term::Int(0)), (Variable(1), Term::Int(0))].into_iter().collect();
    Case { formulas, x, y, parent }
}

fn squared(formulas: &mut Formulas, of: TermId) -> TermId {
    formulas.apply(name(), Codomain::of(Kinds::INTEGER), &[of])
}

impl Case {
    fn solve(&mut self, before: &[TermId], wanted: TermId) -> (Answer, usize) {
        let integers: Vec<TermId> =
            [self.x, self.y].into_iter().map(|id| self.formulas.kind(id, Kinds::INTEGER)).collect();
        let before = [&integers, before].concat();
        let learner = Squares { asked: RefCell::default() };
        let mut chain = Chain::start(&SmtSettings::default());
        let query = &mut Query::new(&mut self.formulas, &self.parent, &before, wanted, &learner);
        let answer = chain.solve(query);
        if let Answer::Sat(solution) = &answer {
            let values = apply(&self.formulas, &self.parent, &solution.model).expect("a model");
            assert_eq!(values, solution.values);
            for condition in before.iter().chain([&wanted]) {
                assert_eq!(evaluate(&self.formulas, *condition, &values), Some(Term::TRUE));
            }
        }
        (answer, learner.asked.borrow().len())
    }
}

#[test]
fn what_is_needed_is_learnt_in_steps() {
    let mut case = case();
    let of_y = squared(&mut case.formulas, case.y);
    let (equal, ten) = (case.formulas.identical(case.x, of_y), case.formulas.integer(10));
    let at_ten = case.formulas.identical(case.y, ten);
    let (answer, asked) = case.solve(&[equal], at_ten);
    let Answer::Sat(solution) = answer else { panic!("{answer:?}") };
    let model = solution.model;
    assert!(model.changes.contains(&(case.x, Term::Int(101))), "{model:?}");
    assert!((1..=4).contains(&asked), "{asked} samples were taken");
}

#[test]
fn equal_arguments_have_equal_results() {
    let mut case = case();
    let (of_x, of_y) = (squared(&mut case.formulas, case.x), squared(&mut case.formulas, case.y));
    let (same, alike) = (case.formulas.identical(case.x, case.y), case.formulas.identical(of_x, of_y));
    let unlike = case.formulas.not(alike);
    assert!(case.solve(&[same], unlike).0.is_unsat());
}

#[test]
fn samples_refute() {
    let mut case = case();
    let of_x = squared(&mut case.formulas, case.x);
    let (three, ten) = (case.formulas.integer(3), case.formulas.integer(10));
    case.formulas.samples().record(name(), &[Term::Int(3)], &Sample::Returned(Term::Int(10)));
    let (at_three, delivers) = (case.formulas.identical(case.x, three), case.formulas.identical(of_x, ten));
    let other = case.formulas.not(delivers);
    let (answer, asked) = case.solve(&[at_three], other);
    assert!(answer.is_unsat());
    assert_eq!(asked, 0);
}

#[test]
fn differences_are_found_among_samples() {
    let mut case = case();
    for value in 0..8 {
        case.formulas.samples().record(name(), &[Term::Int(value)], &Sample::Returned(Term::Int(value * value + 1)));
    }
    let (of_x, of_y) = (squared(&mut case.formulas, case.x), squared(&mut case.formulas, case.y));
    let nine = case.formulas.integer(9);
    let more = case.formulas.arithmetic(Arithmetic::Add, of_y, nine);
    let apart = case.formulas.identical(of_x, more);
    let (answer, asked) = case.solve(&[], apart);
    let Answer::Sat(solution) = answer else { panic!("{answer:?}") };
    let number = |variable| solution.values[&Variable(variable)].as_int().expect("an integer");
    assert_eq!(number(0) * number(0), number(1) * number(1) + 9);
    assert_eq!(asked, 0, "all was known");
}

#[test]
fn what_samples_cannot_decide_is_reported_with_the_name() {
    let mut case = case();
    let of_x = squared(&mut case.formulas, case.x);
    let zero = case.formulas.integer(0);
    let impossible = case.formulas.identical(of_x, zero);
    match case.solve(&[], impossible).0 {
        Answer::Unknown(why) => assert_eq!(why, Unknown::KnownBySamples(vec![name()])),
        other => panic!("{other:?}"),
    }
}

#[test]
fn where_it_raises_is_learnt_too() {
    let mut case = case();
    let of_x = squared(&mut case.formulas, case.x);
    let (defined, zero) = (case.formulas.defined(of_x), case.formulas.integer(0));
    let raises = case.formulas.not(defined);
    let negative = case.formulas.less(case.x, zero);
    assert!(matches!(case.solve(&[negative], raises).0, Answer::Sat(_)));
}
