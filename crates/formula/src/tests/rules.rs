//! What some terms become.

use crate::{Arithmetic, Constant, Constants, Conversion, Formulas, Kinds, Operator, Variable};
use term::Term;

#[test]
fn a_formula_is_interned_once() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let a = formulas.tuple(&[x, x]);
    let count = formulas.len();
    assert_eq!(formulas.tuple(&[x, x]), a);
    assert_eq!(formulas.len(), count);
}

#[test]
fn what_was_cleared_is_made_anew() {
    let mut formulas = Formulas::default();
    for round in 0..3 {
        let x = formulas.variable(Variable(0));
        let mut list = formulas.constant(Term::Nil);
        let count = if round == 0 { 2000 } else { 20 };
        for number in 0..count {
            let number = formulas.integer(number);
            let pair = formulas.tuple(&[x, number]);
            list = formulas.cons(pair, list);
        }
        let length = formulas.length(list);
        assert_eq!(formulas.as_constant(length), Some(&Term::Int(count)));
        formulas.clear();
        assert!(formulas.is_empty());
    }
}

#[test]
fn depth_costs_no_stack() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let mut deep = x;
    for _ in 0..300_000 {
        deep = formulas.tuple(&[deep]);
        let one = formulas.integer(1);
        deep = formulas.cons(deep, one);
    }
    let values = [(Variable(0), Term::Nil)].into_iter().collect();
    assert!(crate::evaluate(&formulas, deep, &values).is_some());
}

#[test]
fn sums_carry_one_constant() {
    let mut formulas = Formulas::default();
    let list = formulas.variable(Variable(0));
    let length = formulas.length(list);
    let three = formulas.integer(3);
    let more = formulas.arithmetic(Arithmetic::Add, three, length);
    let same = formulas.arithmetic(Arithmetic::Subtract, more, three);
    assert_eq!(same, length);
    let limit = formulas.integer(10);
    let less = formulas.less(more, limit);
    let seven = formulas.integer(7);
    assert_eq!(less, formulas.less(length, seven));
    let zero = formulas.integer(0);
    let negative = formulas.less(length, zero);
    assert_eq!(formulas.as_boolean(negative), Some(false));
}

#[test]
fn projections_are_flat() {
    let mut formulas = Formulas::default();
    let list = formulas.variable(Variable(0));
    let rest = formulas.tail(list);
    let rest = formulas.tail(rest);
    let item = formulas.head(rest);
    assert_eq!(*formulas.operator(item), Operator::Item(list, 2));
    let cons = formulas.kind(rest, Kinds::CONS);
    assert_eq!(*formulas.operator(cons), Operator::Kind(rest, Kinds::CONS));
}

#[test]
fn only_exact_conversions_cancel() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let mut twice = |first, second| {
        let once = formulas.convert(first, x);
        formulas.convert(second, once) == x
    };
    assert!(twice(Conversion::IntegerToList, Conversion::ListToInteger));
    assert!(twice(Conversion::BinaryToList, Conversion::ListToBinary));
    assert!(twice(Conversion::ListToTuple, Conversion::TupleToList));
    // "+7" is 7 is "7".
    assert!(!twice(Conversion::ListToInteger, Conversion::IntegerToList));
    assert!(!twice(Conversion::ListToFloat, Conversion::FloatToList));
    // An iolist is flattened.
    assert!(!twice(Conversion::ListToBinary, Conversion::BinaryToList));
}

#[test]
fn a_constant_is_asked_for_in_one_way() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let (nil, seven) = (formulas.constant(Term::Nil), formulas.integer(7));
    let text = formulas.convert(Conversion::IntegerToList, x);
    let (plain, signed) = (formulas.constant(Term::string("7")), formulas.constant(Term::string("+7")));
    let is_seven = formulas.identical(seven, x);
    assert_eq!(formulas.identical(text, plain), is_seven);
    assert_eq!(formulas.identical(text, signed), formulas.boolean(false));
    assert_eq!(formulas.one_of(x, Constants::shared([Constant(Term::Int(7))])), is_seven);
    let empty = formulas.kind(x, Kinds::NIL);
    assert_eq!(formulas.identical(x, nil), empty);
    assert_eq!(formulas.equal(nil, x), empty);
    assert_eq!(formulas.one_of(x, Constants::shared([Constant(Term::Nil)])), empty);
    let (holds, fails) = (formulas.boolean(true), formulas.boolean(false));
    assert_eq!(formulas.identical(empty, holds), empty);
    assert_eq!(formulas.identical(empty, fails), formulas.not(empty));
}
