//! The native tier on paths as the machine records them.

mod bounds;
mod random;
mod recheck;
mod samples;
mod smt;
mod tried;

use crate::native::screen::screen;
use crate::{Model, Screened, ScreeningStep, apply};
use formula::{
    Arithmetic, Assignment, Atoms, ConsType, Formulas, Kinds, Range, TermId, TypeNode, Types, Variable, holds,
};
use std::sync::Arc;
use term::Term;

/// Screens the path on which all the conditions held; each is turned around in its place.
fn flips(formulas: &mut Formulas, parent: &Assignment, path: &[TermId]) -> Vec<Screened> {
    let steps: Vec<ScreeningStep> = path
        .iter()
        .map(|held| {
            assert_eq!(holds(formulas, *held, parent), Some(true), "the parent is on its own path");
            ScreeningStep { held: *held, others: vec![formulas.not(*held)] }
        })
        .collect();
    let answers: Vec<Screened> = screen(formulas, parent, &steps, Default::default()).into_iter().flatten().collect();
    for (index, answer) in answers.iter().enumerate() {
        if let Screened::Sat(model) = answer {
            let values = apply(formulas, parent, model).expect("the model can be laid out");
            for (before, held) in path.iter().enumerate().take(index + 1) {
                assert_eq!(holds(formulas, *held, &values), Some(before != index), "{model:?} at {before} of {index}");
            }
        }
    }
    answers
}

fn sat(answer: &Screened) -> &Model {
    match answer {
        Screened::Sat(model) => model,
        other => panic!("{other:?}"),
    }
}

fn inputs(values: &[Term]) -> Assignment {
    values.iter().enumerate().map(|(index, value)| (Variable(index as u32), value.clone())).collect()
}

pub(crate) fn integers(types: &mut Types) -> formula::TypeId {
    types.add(TypeNode { integers: vec![Range { low: None, high: None }], ..TypeNode::default() })
}

fn list_of(types: &mut Types, item: formula::TypeId) -> formula::TypeId {
    let list = types.reserve();
    let node = TypeNode { nil: true, cons: vec![ConsType { head: item, tail: list }], ..TypeNode::default() };
    types.fill(list, node);
    list
}

#[test]
fn sums_of_integers_and_with_small_constants_always_have_a_value() {
    let mut formulas = Formulas::default();
    formulas.declare(Variable(0), Types::ANY);
    let x = formulas.variable(Variable(0));
    let (one, two, seven) = (formulas.integer(1), formulas.integer(2), formulas.integer(7));
    let parent = inputs(&[Term::Int(7)]);
    let is_number = formulas.kind(x, Kinds::NUMBER);
    let next = formulas.arithmetic(Arithmetic::Add, x, one);
    let next = formulas.defined(next);
    let double = formulas.arithmetic(Arithmetic::Multiply, x, two);
    let double = formulas.defined(double);
    let is_seven = formulas.identical(x, seven);
    let answers = flips(&mut formulas, &parent, &[is_number, next, double, is_seven]);
    assert_eq!(answers[1], Screened::Unsat);
    assert_ne!(answers[2], Screened::Unsat, "the largest float has no double");
    let answers = flips(&mut formulas, &parent, &[is_number, is_seven, double]);
    assert_eq!(answers[2], Screened::Unsat);
}

#[test]
fn bounds_on_one_integer_are_decided() {
    let mut types = Types::default();
    let integer = integers(&mut types);
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), integer);
    let x = formulas.variable(Variable(0));
    let (five, ten, seven) = (formulas.integer(5), formulas.integer(10), formulas.integer(7));
    let parent = inputs(&[Term::Int(7)]);
    let above = formulas.less(five, x);
    let below = formulas.less(x, ten);
    let is_seven = formulas.identical(x, seven);
    let above_again = formulas.less(five, x);
    let answers = flips(&mut formulas, &parent, &[above, below, is_seven, above_again]);
    assert_eq!(sat(&answers[0]).changes, [(x, Term::Int(5))]);
    assert_eq!(sat(&answers[1]).changes, [(x, Term::Int(10))]);
    assert_eq!(sat(&answers[2]).changes, [(x, Term::Int(6))]);
    assert_eq!(answers[3], Screened::Unsat);
}

#[test]
fn a_list_is_cut_and_extended() {
    let mut types = Types::default();
    let integer = integers(&mut types);
    let list = list_of(&mut types, integer);
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), list);
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::list([Term::Int(1), Term::Int(2)])]);
    let first = formulas.kind(x, Kinds::CONS);
    let rest = formulas.rest(x, 1);
    let second = formulas.kind(rest, Kinds::CONS);
    let end = formulas.rest(x, 2);
    let ended = formulas.kind(end, Kinds::NIL);
    let item = formulas.item(x, 1);
    let two = formulas.integer(2);
    let is_two = formulas.identical(item, two);
    let answers = flips(&mut formulas, &parent, &[first, second, ended, is_two]);
    assert_eq!(sat(&answers[0]).changes, [(x, Term::Nil)]);
    assert_eq!(sat(&answers[1]).changes, [(rest, Term::Nil)]);
    assert_eq!(sat(&answers[2]).changes, [(end, Term::list([Term::Int(0)]))]);
    assert_eq!(sat(&answers[3]).changes, [(item, Term::Int(1))]);
}

#[test]
fn a_tag_brings_its_own_elements() {
    let mut types = Types::default();
    let integer = integers(&mut types);
    let tag = |types: &mut Types, name: &str| {
        types.add(TypeNode { atoms: Atoms::These(vec![term::Atom::new(name)]), ..TypeNode::default() })
    };
    let (a, b) = (tag(&mut types, "a"), tag(&mut types, "b"));
    let union = types.add(TypeNode { tuples: vec![vec![a, integer], vec![b, a]], ..TypeNode::default() });
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), union);
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::tuple([Term::atom("a"), Term::Int(0)])]);
    let tag = formulas.element(x, 0);
    let constant = formulas.constant(Term::atom("a"));
    let is_a = formulas.identical(tag, constant);
    let answers = flips(&mut formulas, &parent, &[is_a]);
    assert_eq!(sat(&answers[0]).changes, [(x, Term::tuple([Term::atom("b"), Term::atom("a")]))]);
}

#[test]
fn two_inputs_meet() {
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(0), Term::atom("b")]);
    let integer = formulas.kind(x, Kinds::INTEGER);
    let same = formulas.identical(x, y);
    let differ = formulas.not(same);
    let answers = flips(&mut formulas, &parent, &[differ, integer, differ]);
    sat(&answers[0]);
    sat(&answers[1]);
    // Asserted already.
    assert_eq!(answers[2], Screened::Unsat);
}

#[test]
fn anything_becomes_whatever_is_asked_for() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::Int(0)]);
    let kinds = [Kinds::ATOM, Kinds::NIL, Kinds::CONS, Kinds::TUPLE, Kinds::BITS, Kinds::FLOAT, Kinds::MAP];
    let path: Vec<TermId> = kinds
        .iter()
        .map(|kind| {
            let is = formulas.kind(x, *kind);
            formulas.not(is)
        })
        .collect();
    for (answer, kind) in flips(&mut formulas, &parent, &path).iter().zip(kinds) {
        let [(place, value)] = sat(answer).changes.as_slice() else { panic!("one change") };
        assert_eq!((*place, Kinds::of(value)), (x, kind));
    }
}

#[test]
fn a_long_path_is_screened_in_time() {
    let mut types = Types::default();
    let integer = integers(&mut types);
    let list = list_of(&mut types, integer);
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), list);
    let x = formulas.variable(Variable(0));
    let size = 5000u32;
    let parent = inputs(&[Term::list((0..i64::from(size)).map(Term::Int).collect::<Vec<_>>())]);
    let mut steps = Vec::new();
    for index in 0..size {
        let rest = formulas.rest(x, index);
        let cons = formulas.kind(rest, Kinds::CONS);
        let item = formulas.item(x, index);
        let number = formulas.integer(index);
        let is = formulas.identical(item, number);
        for held in [cons, is] {
            steps.push(ScreeningStep { held, others: vec![formulas.not(held)] });
        }
    }
    let began = std::time::Instant::now();
    let answers = screen(&mut formulas, &parent, &steps, Default::default());
    assert!(answers.iter().flatten().all(|answer| matches!(answer, Screened::Sat(_))));
    println!("{} steps in {:?}", steps.len(), began.elapsed());
    assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn a_switch_of_many_ways_is_one_decision() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::Int(-1)]);
    let mut none = formulas.boolean(true);
    for way in 0..3000i64 {
        let number = formulas.integer(way * 2);
        let is = formulas.identical(x, number);
        let not = formulas.not(is);
        none = formulas.and(none, not);
    }
    let ten = formulas.integer(10);
    let is_ten = formulas.identical(x, ten);
    let not_ten = formulas.not(is_ten);
    let answers = flips(&mut formulas, &parent, &[none, not_ten]);
    sat(&answers[0]);
    assert_eq!(answers[1], Screened::Unsat);
}

#[test]
fn shared_sums_do_not_explode() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::Int(1)]);
    let integer = formulas.kind(x, Kinds::INTEGER);
    let mut sum = x;
    for _ in 0..60 {
        let square = formulas.arithmetic(formula::Arithmetic::BitXor, sum, x);
        sum = formulas.arithmetic(formula::Arithmetic::Add, square, sum);
    }
    let wanted = formulas.integer(12345);
    let is = formulas.identical(sum, wanted);
    let not = formulas.not(is);
    flips(&mut formulas, &parent, &[integer, not]);
}

/// A part whose types are told by what stands beside it.
#[test]
fn parts_fit_what_stands_beside_them() {
    let mut types = Types::default();
    let a = types.add(TypeNode { atoms: Atoms::These(vec![term::Atom::new("a")]), ..TypeNode::default() });
    let list = types.reserve();
    let cons = vec![ConsType { head: a, tail: list }];
    types.fill(list, TypeNode { nil: true, cons, ..TypeNode::default() });
    let either = types.add(TypeNode { tuples: vec![vec![list, a], vec![Types::ANY, a, a]], ..TypeNode::default() });
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), either);
    let x = formulas.variable(Variable(0));
    let pair = formulas.tuple_of(x, 2);
    let first = formulas.element(x, 0);
    let cell = formulas.kind(first, Kinds::CONS);
    let parent = [(Variable(0), Term::tuple([Term::Nil, Term::atom("a")]))].into_iter().collect();
    let steps = [ScreeningStep { held: pair, others: vec![] }, ScreeningStep { held: pair, others: vec![cell] }];
    let answers = screen(&mut formulas, &parent, &steps, Default::default());
    assert!(matches!(answers[1][0], Screened::Sat(_)), "{answers:?}");
}
