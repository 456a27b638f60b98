//! The tiers that find solutions or nothing: trying values, and laying parts into texts that are made.

use crate::native::guess::Guess;
use crate::native::guess::derived::{derived, plausible, with_part};
use crate::native::state::Knowledge;
use crate::slice::Slice;
use crate::{Answer, Chain, Model, Query, Solver, apply, trial};
use formula::{Arithmetic, Assignment, Conversion, Formulas, Kinds, Nobody, Numeric, TermId, Variable};
use term::Term;

fn inputs(values: &[Term]) -> Assignment {
    values.iter().enumerate().map(|(index, value)| (Variable(index as u32), value.clone())).collect()
}

fn tried(formulas: &mut Formulas, parent: &Assignment, before: &[TermId], wanted: TermId) -> Option<Assignment> {
    let mut slice = Slice::with(before.iter().copied().chain([wanted]).collect());
    let mut query = Query::new(formulas, parent, before, wanted, &Nobody);
    match trial::values::solve(&mut query, &mut slice)? {
        Answer::Sat(solution) => apply(formulas, parent, &solution.model),
        other => panic!("trials find solutions or nothing, not {other:?}"),
    }
}

fn integer_inputs(formulas: &mut Formulas, count: u32) -> (Vec<TermId>, Vec<TermId>) {
    let inputs: Vec<TermId> = (0..count).map(|number| formulas.variable(Variable(number))).collect();
    let kinds = inputs.iter().map(|input| formulas.kind(*input, Kinds::INTEGER)).collect();
    (inputs, kinds)
}

#[test]
fn few_values_are_all_tried() {
    let mut formulas = Formulas::default();
    let (inputs_, mut before) = integer_inputs(&mut formulas, 1);
    let x = inputs_[0];
    let (low, high) = (formulas.integer(-1), formulas.integer(200));
    before.extend([formulas.less(low, x), formulas.less(x, high)]);
    let square = formulas.arithmetic(Arithmetic::Multiply, x, x);
    let (modulus, wanted) = (formulas.integer(199), formulas.integer(116));
    let left = formulas.arithmetic(Arithmetic::Remainder, square, modulus);
    let is = formulas.identical(left, wanted);
    let values = tried(&mut formulas, &inputs(&[Term::Int(0)]), &before, is).expect("one of two hundred");
    let root = values[&Variable(0)].as_int().expect("an integer");
    assert_eq!(root * root % 199, 116);
}

#[test]
fn nothing_is_said_of_what_was_not_found() {
    let mut formulas = Formulas::default();
    let (inputs_, before) = integer_inputs(&mut formulas, 1);
    let square = formulas.arithmetic(Arithmetic::Multiply, inputs_[0], inputs_[0]);
    let minus = formulas.integer(-1);
    let is = formulas.identical(square, minus);
    assert_eq!(tried(&mut formulas, &inputs(&[Term::Int(0)]), &before, is), None);
}

#[test]
fn doubles_that_swallow_one() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let before = [formulas.kind(x, Kinds::FLOAT)];
    let one = formulas.constant(Term::Float(1.0));
    let sum = formulas.arithmetic(Arithmetic::Add, x, one);
    let same = formulas.identical(sum, x);
    let values = tried(&mut formulas, &inputs(&[Term::Float(0.0)]), &before, same).expect("a large float");
    assert!(matches!(values[&Variable(0)], Term::Float(value) if value + 1.0 == value));
}

#[test]
fn constants_of_the_conditions_are_tried_and_their_texts() {
    let mut formulas = Formulas::default();
    let (inputs_, before) = integer_inputs(&mut formulas, 1);
    let text = formulas.convert(Conversion::IntegerToList, inputs_[0]);
    let wanted = formulas.constant(Term::string("48213"));
    let is = formulas.identical(text, wanted);
    let values = tried(&mut formulas, &inputs(&[Term::Int(0)]), &before, is).expect("the text names it");
    assert_eq!(values[&Variable(0)], Term::Int(48213));
}

#[test]
fn sizes_are_not_tried_as_values() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let before = [formulas.proper_list(x)];
    let length = formulas.length(x);
    let large = formulas.integer(1_000_000_000);
    let longer = formulas.less(large, length);
    assert_eq!(tried(&mut formulas, &inputs(&[Term::Nil]), &before, longer), None);
}

#[test]
fn what_is_too_large_is_not_made() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let large = formulas.integer(1_000_000_000);
    let sizes = [formulas.length(x), formulas.tuple_size(x), formulas.map_size(x), formulas.bit_size(x)];
    let kinds = [Kinds::LIST, Kinds::TUPLE, Kinds::MAP, Kinds::BITS].map(|kinds| formulas.kind(x, kinds));
    let values = [Term::Nil, Term::tuple([]), Term::Map([].into()), Term::binary(*b"")];
    for ((size, kind), value) in sizes.into_iter().zip(kinds).zip(values) {
        let longer = formulas.less(large, size);
        let parent = inputs(&[value]);
        let model = Model { changes: vec![(size, Term::Int(1_000_000_001))] };
        assert_eq!(apply(&formulas, &parent, &model), None);
        let mut chain = Chain::start(&crate::SmtSettings::default());
        let before = [kind];
        let mut query = Query::new(&mut formulas, &parent, &before, longer, &Nobody);
        assert!(matches!(chain.solve(&mut query), Answer::Unknown(_)));
    }
}

#[test]
fn parts_of_what_is_made_lead_to_it() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let text = formulas.convert(Conversion::IntegerToList, x);
    let second = formulas.item(text, 1);
    let (root, steps) = derived(&formulas, second).expect("the text is no position");
    assert_eq!(root, text);
    let whole = with_part(&formulas, root, &Term::string("123"), &steps, &Term::Int(55)).expect("laid in");
    assert_eq!(whole, Term::string("173"));
    let item = formulas.item(x, 1);
    assert_eq!(derived(&formulas, item), None);
    assert_eq!(derived(&formulas, text), None);
}

#[test]
fn texts_of_numbers_have_digits_only() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let text = formulas.convert(Conversion::IntegerToList, x);
    let plain = |term: Term| plausible(&formulas, text, term);
    assert_eq!(plain(Term::list([Term::Int(0), Term::Int(55)])), Term::string("17"));
    assert_eq!(plain(Term::string("007")), Term::string("107"));
    assert_eq!(plain(Term::string("-0")), Term::string("-1"));
    assert_eq!(plain(Term::Nil), Term::string("1"));
    let bytes = formulas.convert(Conversion::IntegerToBinary, x);
    assert_eq!(plausible(&formulas, bytes, Term::binary(*b"4x")), Term::binary(*b"41"));
    let name = formulas.convert(Conversion::AtomToList, x);
    assert_eq!(plausible(&formulas, name, Term::list([Term::Nil, Term::Int(98)])), Term::string("ab"));
}

#[test]
fn an_atom_is_found_by_a_character_of_its_text() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::atom("abc")]);
    let text = formulas.convert(Conversion::AtomToList, x);
    let last = formulas.item(text, 2);
    let guesses = Guess::new(&mut formulas, &parent, &mut Knowledge::default()).reach(last, &Term::Int(100));
    let found: Vec<Assignment> =
        guesses.into_iter().filter_map(|changes| apply(&formulas, &parent, &Model { changes })).collect();
    assert!(found.iter().any(|values| values[&Variable(0)] == Term::atom("abd")), "{found:?}");
}

#[test]
fn a_complement_is_guessed_backwards() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::Int(0)]);
    let complement = formulas.numeric(Numeric::BitNot, x);
    let guesses = Guess::new(&mut formulas, &parent, &mut Knowledge::default()).reach(complement, &Term::Int(5));
    assert_eq!(guesses, [vec![(x, Term::Int(-6))]]);
}
