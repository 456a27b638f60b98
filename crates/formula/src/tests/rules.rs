//! What some terms become.

use crate::{
    Arithmetic, BitsPart, BitsType, Constant, Constants, Conversion, Formulas, Kinds, NumberFormat, Operator, PartKind,
    Test, TypeNode, Types, Variable,
};
use std::sync::Arc;
use term::{Bits, Term};

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
    assert_eq!(*formulas.operator(cons), Operator::Test(Test::Kind(rest, Kinds::CONS)));
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

/// Of bits that are made of an unsigned number of that many bits.
fn written(formulas: &mut Formulas, value: crate::TermId, size: i64) -> BitsPart {
    let size = Some(formulas.integer(size));
    BitsPart { value, size, kind: PartKind::Number(NumberFormat::Integer { signed: false, little: false }) }
}

#[test]
fn some_bits_of_a_number_are_a_number() {
    let mut formulas = Formulas::default();
    let list = formulas.variable(Variable(0));
    let x = formulas.length(list);
    let part = written(&mut formulas, x, 16);
    let bits = formulas.bits(vec![part]);
    let (at, size) = (formulas.integer(0), formulas.integer(5));
    let top = formulas.bits_number(bits, at, size, NumberFormat::Integer { signed: false, little: false });
    let eleven = formulas.integer(11);
    let shifted = formulas.arithmetic(Arithmetic::ShiftRight, x, eleven);
    let mask = formulas.integer(31);
    assert_eq!(top, formulas.arithmetic(Arithmetic::BitAnd, shifted, mask));
}

#[test]
fn bits_are_compared_part_by_part() {
    let mut formulas = Formulas::default();
    let (list, text) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let x = formulas.length(list);
    let parts = vec![written(&mut formulas, x, 8), BitsPart { value: text, size: None, kind: PartKind::Bits }];
    let bits = formulas.bits(parts);
    let abc = formulas.constant(Term::Bits(Bits::from_bytes(*b"abc")));
    let mask = formulas.integer(255);
    let low = formulas.arithmetic(Arithmetic::BitAnd, x, mask);
    let a = formulas.integer(i64::from(b'a'));
    let rest = formulas.constant(Term::Bits(Bits::from_bytes(*b"bc")));
    let (first, second) = (formulas.identical(low, a), formulas.identical(text, rest));
    let both = formulas.and(first, second);
    assert_eq!(formulas.identical(bits, abc), both);
    assert_eq!(formulas.identical(abc, bits), both);
    let empty = formulas.constant(Term::Bits(Bits::from_bytes([])));
    let never = formulas.identical(bits, empty);
    assert_eq!(formulas.as_boolean(never), Some(false));
}

#[test]
fn a_tuple_as_a_list_has_its_elements() {
    let mut formulas = Formulas::default();
    let tuple = formulas.variable(Variable(0));
    let list = formulas.convert(Conversion::TupleToList, tuple);
    let rest = formulas.rest(list, 2);
    assert_eq!(formulas.item(rest, 3), formulas.element(tuple, 5));
    let (size, two) = (formulas.tuple_size(tuple), formulas.integer(2));
    assert_eq!(formulas.kind(rest, Kinds::CONS), formulas.less(two, size));
}

#[test]
fn a_number_over_several_parts_is_compared_part_by_part() {
    let mut formulas = Formulas::default();
    let text = formulas.variable(Variable(0));
    let byte = NumberFormat::Integer { signed: false, little: false };
    let eight = formulas.integer(8);
    let bytes: Vec<_> = (0..2)
        .map(|index| {
            let at = formulas.integer(8 * (1 - index));
            formulas.bits_number(text, at, eight, byte)
        })
        .collect();
    let parts = bytes.iter().map(|byte| written(&mut formulas, *byte, 8)).collect();
    let swapped = formulas.bits(parts);
    let (zero, sixteen) = (formulas.integer(0), formulas.integer(16));
    let number = formulas.bits_number(swapped, zero, sixteen, byte);
    let ab = formulas.integer(0x6162);
    let (a, b) = (formulas.integer(0x61), formulas.integer(0x62));
    let (first, second) = (formulas.identical(bytes[0], a), formulas.identical(bytes[1], b));
    assert_eq!(formulas.identical(number, ab), formulas.and(first, second));
}

#[test]
fn what_is_left_of_whole_bytes_is_whole_bytes() {
    let mut types = Types::default();
    let binaries = types.add(TypeNode { bits: vec![BitsType { base: 0, unit: 8 }], ..TypeNode::default() });
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), binaries);
    let text = formulas.variable(Variable(0));
    let size = formulas.bit_size(text);
    let (eight, zero) = (formulas.integer(8), formulas.integer(0));
    for (taken, left) in [(0, true), (16, true), (3, false)] {
        let taken = formulas.integer(taken);
        let rest = formulas.arithmetic(Arithmetic::Subtract, size, taken);
        let remainder = formulas.arithmetic(Arithmetic::Remainder, rest, eight);
        assert_eq!(remainder == zero, left);
    }
}
