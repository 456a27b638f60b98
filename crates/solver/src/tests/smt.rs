//! The whole chain, with a real SMT solver, on conditions of all sorts.

use crate::{Answer, Chain, Query, SmtSettings, SmtState, Solver, Statistics, TierName, apply};
use formula::{
    Arithmetic, Assignment, Conversion, Formulas, Kinds, Nobody, NumberFormat, Numeric, Range, TermId, TypeNode, Types,
    Variable, holds,
};
use std::sync::Arc;
use term::Term;

fn chain() -> Chain {
    let chain = Chain::start(&SmtSettings::default());
    assert!(matches!(chain.smt_state(), SmtState::Ready { .. }), "z3 is needed for tests");
    chain
}

/// Asks for all the conditions at once, starting from where only `wanted` fails.
fn solve(chain: &mut Chain, formulas: &mut Formulas, parent: &Assignment, before: &[TermId], wanted: TermId) -> Answer {
    let answer = chain.solve(&mut Query::new(formulas, parent, before, wanted, &Nobody));
    if let Answer::Sat(solution) = &answer {
        let values = apply(formulas, parent, &solution.model).expect("the model can be laid out");
        assert_eq!(values, solution.values);
        for condition in before.iter().chain([&wanted]) {
            assert_eq!(holds(formulas, *condition, &values), Some(true), "{values:?}");
        }
    }
    answer
}

/// Every answer says which tier gave it, and is counted as that.
#[test]
fn answers_say_who_gave_them() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let before = [formulas.kind(x, Kinds::INTEGER), formulas.kind(y, Kinds::INTEGER)];
    let parent = inputs(&[Term::Int(0), Term::Int(0)]);
    let two = formulas.integer(2);
    let mut twice = |of: TermId| formulas.arithmetic(Arithmetic::Multiply, of, two);
    let (even, other_even) = (twice(x), twice(y));
    let near = formulas.identical(x, two);
    let one = formulas.integer(1);
    let odd = formulas.arithmetic(Arithmetic::Add, other_even, one);
    let odd = formulas.identical(even, odd);
    let by = |chain: &mut Chain, formulas: &mut Formulas, before: &[TermId], wanted| {
        solve(chain, formulas, &parent, before, wanted).by()
    };
    assert_eq!(by(&mut chain, &mut formulas, &before, near), Some(TierName::Guesses));
    assert_eq!(by(&mut chain, &mut formulas, &before, odd), Some(TierName::Smt));
    assert_eq!(by(&mut chain, &mut formulas, &before, odd), Some(TierName::Cache));
    let Statistics { queries, guessed, cached, smt, unknown, .. } = chain.statistics();
    assert_eq!((queries, guessed, cached, smt, unknown), (3, 1, 1, 1, 0));
}

fn inputs(values: &[Term]) -> Assignment {
    values.iter().enumerate().map(|(index, value)| (Variable(index as u32), value.clone())).collect()
}

fn is_sat(answer: &Answer) -> bool {
    matches!(answer, Answer::Sat(_))
}

#[test]
fn equations_over_several_inputs() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(0), Term::Int(0)]);
    let kinds = [formulas.kind(x, Kinds::INTEGER), formulas.kind(y, Kinds::INTEGER)];
    let sum = formulas.arithmetic(Arithmetic::Add, x, y);
    let difference = formulas.arithmetic(Arithmetic::Subtract, x, y);
    let (ten, four) = (formulas.integer(10), formulas.integer(4));
    let first = formulas.identical(sum, ten);
    let second = formulas.identical(difference, four);
    let both = formulas.and(first, second);
    let answer = solve(&mut chain, &mut formulas, &parent, &kinds, both);
    assert!(is_sat(&answer), "{answer:?}");
    let five = formulas.integer(5);
    let odd = formulas.identical(difference, five);
    let impossible = formulas.and(first, odd);
    assert!(solve(&mut chain, &mut formulas, &parent, &kinds, impossible).is_unsat());
    assert_eq!(chain.statistics().defects, 0);
}

#[test]
fn order_of_lists_of_numbers() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::list([1, 2, 3].map(Term::Int))]);
    let mut before = Vec::new();
    for cells in 0..3 {
        let rest = formulas.rest(x, cells);
        before.push(formulas.kind(rest, Kinds::CONS));
        let item = formulas.item(x, cells);
        before.push(formulas.kind(item, Kinds::INTEGER));
    }
    let (a, b, c) = (formulas.item(x, 0), formulas.item(x, 1), formulas.item(x, 2));
    let below = formulas.less(a, b);
    before.push(below);
    let product = formulas.arithmetic(Arithmetic::Multiply, a, b);
    let six = formulas.integer(6);
    let is_product = formulas.identical(product, six);
    let sum = formulas.arithmetic(Arithmetic::Add, a, b);
    let is_sum = formulas.identical(sum, c);
    before.push(is_sum);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, is_product);
    assert!(is_sat(&answer), "{answer:?}");
}

#[test]
fn text_that_is_a_number() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::string("0")]);
    let before = [formulas.converts(Conversion::ListToInteger, x)];
    let number = formulas.convert(Conversion::ListToInteger, x);
    let (two, wanted) = (formulas.integer(2), formulas.integer(84));
    let double = formulas.arithmetic(Arithmetic::Multiply, number, two);
    let is = formulas.identical(double, wanted);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, is);
    assert!(is_sat(&answer), "{answer:?}");
}

#[test]
fn numbers_that_share_their_bits() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::binary([0, 0, 0, 0])]);
    let bits = formulas.kind(x, Kinds::BITS);
    let size = formulas.bit_size(x);
    let long = formulas.integer(32);
    let sized = formulas.identical(size, long);
    let unsigned = |little| NumberFormat::Integer { signed: false, little };
    let number = |formulas: &mut Formulas, at: u32, size: u32, format| {
        let (at, size) = (formulas.integer(at), formulas.integer(size));
        formulas.bits_number(x, at, size, format)
    };
    let all = number(&mut formulas, 0, 16, unsigned(false));
    let second = number(&mut formulas, 8, 8, unsigned(false));
    let little = number(&mut formulas, 0, 16, unsigned(true));
    let sum = formulas.arithmetic(Arithmetic::Add, all, second);
    let (wanted, bound) = (formulas.integer(0x0204), formulas.integer(0x0100));
    let first = formulas.identical(sum, wanted);
    let turned = formulas.less(bound, little);
    let both = formulas.and(first, turned);
    let answer = solve(&mut chain, &mut formulas, &parent, &[bits, sized], both);
    assert!(is_sat(&answer), "{answer:?}");
    let three = formulas.integer(3);
    let odd = formulas.identical(second, three);
    let impossible = formulas.and(first, odd);
    assert!(solve(&mut chain, &mut formulas, &parent, &[bits, sized], impossible).is_unsat());
}

#[test]
fn a_solver_that_is_killed_costs_one_query() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(0), Term::Int(0)]);
    let mut before = vec![formulas.kind(x, Kinds::INTEGER), formulas.kind(y, Kinds::INTEGER)];
    let two = formulas.integer(2);
    before.push(formulas.less(x, two));
    // Cubes that differ by a number that takes long: the process dies in the middle.
    let cube = |formulas: &mut Formulas, id: TermId| {
        let square = formulas.arithmetic(Arithmetic::Multiply, id, id);
        formulas.arithmetic(Arithmetic::Multiply, square, id)
    };
    let (a, b) = (cube(&mut formulas, x), cube(&mut formulas, y));
    let sum = formulas.arithmetic(Arithmetic::Add, a, b);
    let odd = formulas.integer(1_000_003);
    let hard = formulas.identical(sum, odd);
    let id = chain.process_id().expect("it runs");
    let killer = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        std::process::Command::new("kill").args(["-9", &id.to_string()]).status().expect("kill exists");
    });
    let answer = solve(&mut chain, &mut formulas, &parent, &before, hard);
    killer.join().expect("the thread ends");
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    let sum = formulas.arithmetic(Arithmetic::Add, x, y);
    let difference = formulas.arithmetic(Arithmetic::Subtract, x, y);
    let (ten, forty) = (formulas.integer(10), formulas.integer(-40));
    let (first, second) = (formulas.identical(sum, ten), formulas.identical(difference, forty));
    let both = formulas.and(first, second);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, both);
    assert!(is_sat(&answer), "{answer:?}");
}

#[test]
fn without_a_solver_the_native_tiers_go_on() {
    let settings = SmtSettings { path: "no-such-solver".into(), ..SmtSettings::default() };
    let mut chain = Chain::start(&settings);
    assert!(matches!(chain.smt_state(), SmtState::Absent { .. }));
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::Int(0)]);
    let is_atom = formulas.kind(x, Kinds::ATOM);
    assert!(is_sat(&solve(&mut chain, &mut formulas, &parent, &[], is_atom)));
}

#[test]
fn a_long_sum_costs_no_stack() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let size = 2000u32;
    let parent = inputs(&[Term::list(vec![Term::Int(1); size as usize])]);
    let mut before = Vec::new();
    let mut sum = formulas.integer(0);
    for index in 0..size {
        let rest = formulas.rest(x, index);
        before.push(formulas.kind(rest, Kinds::CONS));
        let item = formulas.item(x, index);
        before.push(formulas.kind(item, Kinds::INTEGER));
        sum = formulas.arithmetic(Arithmetic::Add, sum, item);
    }
    let wanted = formulas.integer(5000);
    let is = formulas.identical(sum, wanted);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, is);
    println!("{:?}", chain.statistics());
    assert!(is_sat(&answer), "{answer:?}");
}

#[test]
fn the_item_at_a_computed_place() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (list, index) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::list([Term::Int(1)]), Term::Int(0)]);
    let integer = formulas.kind(index, Kinds::INTEGER);
    let minus = formulas.integer(-1);
    let natural = formulas.less(minus, index);
    let has = formulas.has_item(list, index);
    let item = formulas.item_at(list, index);
    let seven = formulas.integer(7);
    let is = formulas.identical(item, seven);
    let three = formulas.integer(3);
    let far = formulas.less(three, index);
    let both = formulas.and(is, far);
    let answer = solve(&mut chain, &mut formulas, &parent, &[integer, natural, has], both);
    assert!(is_sat(&answer), "{answer:?}");
}

#[test]
fn what_is_remembered_of_other_types_is_not_believed() {
    let mut chain = chain();
    let answers = [5, 100].map(|high| {
        let mut types = Types::default();
        let range = Range { low: Some(1.into()), high: Some(high.into()) };
        let of = types.add(TypeNode { integers: vec![range], ..TypeNode::default() });
        let mut formulas = Formulas::with_types(Arc::new(types));
        formulas.declare(Variable(0), of);
        let x = formulas.variable(Variable(0));
        let square = formulas.arithmetic(Arithmetic::Multiply, x, x);
        let sum = formulas.arithmetic(Arithmetic::Add, square, x);
        let wanted = formulas.integer(2550);
        let wanted = formulas.identical(sum, wanted);
        solve(&mut chain, &mut formulas, &inputs(&[Term::Int(1)]), &[], wanted)
    });
    assert!(answers[0].is_unsat());
    assert!(is_sat(&answers[1]), "{:?}", answers[1]);
}

#[test]
fn bits_of_two_unknowns() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(1), Term::Int(2)]);
    let mut before = vec![formulas.kind(x, Kinds::INTEGER), formulas.kind(y, Kinds::INTEGER)];
    let and = formulas.arithmetic(Arithmetic::BitAnd, x, y);
    let or = formulas.arithmetic(Arithmetic::BitOr, x, y);
    let xor = formulas.arithmetic(Arithmetic::BitXor, x, y);
    // Of integers of any size: the exclusive or is what the one has and the other has not.
    let (a, b, c) = (formulas.integer(0x0f0f), formulas.integer(0xff0f), formulas.integer(0xf000));
    let parts = [formulas.identical(and, a), formulas.identical(or, b), formulas.identical(xor, c)];
    let first = formulas.and(parts[0], parts[1]);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, first);
    assert!(is_sat(&answer), "{answer:?}");
    let all = formulas.not(parts[2]);
    let none = formulas.and(first, all);
    assert!(solve(&mut chain, &mut formulas, &parent, &before, none).is_unsat());
    // Beyond all widths the bounds still hold.
    let huge = formulas.constant(Term::integer(num_bigint::BigInt::from(1) << 300));
    before.push(formulas.less(huge, x));
    before.push(formulas.less(huge, y));
    let parent = inputs(&[
        Term::integer((num_bigint::BigInt::from(1) << 300) + 5),
        Term::integer((num_bigint::BigInt::from(1) << 300) + 9),
    ]);
    let above = formulas.less(x, and);
    assert!(solve(&mut chain, &mut formulas, &parent, &before, above).is_unsat());
}

#[test]
fn shifts_by_an_unknown_amount() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, by) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(1), Term::Int(0)]);
    let (low, high) = (formulas.integer(-1), formulas.integer(20));
    let before = [
        formulas.kind(x, Kinds::INTEGER),
        formulas.kind(by, Kinds::INTEGER),
        formulas.less(low, by),
        formulas.less(by, high),
    ];
    let shifted = formulas.arithmetic(Arithmetic::ShiftLeft, x, by);
    let back = formulas.arithmetic(Arithmetic::ShiftRight, shifted, by);
    let same = formulas.identical(back, x);
    let lost = formulas.not(same);
    assert!(solve(&mut chain, &mut formulas, &parent, &before, lost).is_unsat());
    let (wanted, three) = (formulas.integer(3 << 17), formulas.integer(3));
    let (is, odd) = (formulas.identical(shifted, wanted), formulas.identical(x, three));
    let both = formulas.and(is, odd);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, both);
    assert!(is_sat(&answer), "{answer:?}");
}

#[test]
fn keys_that_may_be_the_same() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (map, x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)), formulas.variable(Variable(2)));
    let parent = inputs(&[Term::Map([].into()), Term::Int(1), Term::Int(2)]);
    let before = [formulas.kind(map, Kinds::MAP), formulas.kind(x, Kinds::INTEGER), formulas.kind(y, Kinds::INTEGER)];
    let (one, two) = (formulas.integer(1), formulas.integer(2));
    let first = formulas.map_put(map, x, one);
    let second = formulas.map_put(first, y, two);
    let found = formulas.map_get(second, x);
    let overwritten = formulas.identical(found, two);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, overwritten);
    assert!(is_sat(&answer), "{answer:?}");
    // A key that was removed is not there, whatever it is.
    let removed = formulas.map_remove(map, x);
    let (has, same) = (formulas.map_has(removed, y), formulas.identical(x, y));
    let both = formulas.and(has, same);
    assert!(solve(&mut chain, &mut formulas, &parent, &before, both).is_unsat());
}

#[test]
fn ends_of_improper_lists_matter() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::list_with_tail(vec![Term::Int(1)], Term::Int(2))]);
    let (head, tail) = (formulas.item(x, 0), formulas.rest(x, 1));
    let one = formulas.integer(1);
    let before = [formulas.kind(x, Kinds::CONS), formulas.kind(tail, Kinds::INTEGER), formulas.identical(head, one)];
    let constant = formulas.constant(Term::list_with_tail(vec![Term::Int(1)], Term::Int(2)));
    let same = formulas.identical(x, constant);
    let other = formulas.not(same);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, other);
    assert!(is_sat(&answer), "{answer:?}");
}

#[test]
fn sums_that_are_no_floats() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(0), Term::Int(0)]);
    let before = [formulas.kind(x, Kinds::NUMBER), formulas.kind(y, Kinds::NUMBER)];
    let sum = formulas.arithmetic(Arithmetic::Add, x, y);
    let defined = formulas.defined(sum);
    let too_large = formulas.not(defined);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, too_large);
    assert!(is_sat(&answer), "{answer:?}");
    let one = formulas.integer(1);
    let next = formulas.arithmetic(Arithmetic::Add, x, one);
    let defined = formulas.defined(next);
    let too_large = formulas.not(defined);
    assert!(solve(&mut chain, &mut formulas, &parent, &before, too_large).is_unsat());
}

/// The least integer that is no float, and the one below it, are told apart.
#[test]
fn integers_that_are_no_floats() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(7), Term::Int(3)]);
    let (zero, limit) = (formulas.integer(0), formulas.constant(Term::integer(term::floats::least_beyond())));
    let mut before = vec![formulas.kind(x, Kinds::INTEGER), formulas.kind(y, Kinds::INTEGER)];
    before.push(formulas.less(zero, y));
    before.push(formulas.less(y, x));
    let half = formulas.constant(Term::Float(0.5));
    for operation in [
        formulas.arithmetic(Arithmetic::Divide, x, y),
        formulas.arithmetic(Arithmetic::Multiply, x, half),
        formulas.numeric(Numeric::ToFloat, x),
        formulas.numeric(Numeric::Math("log"), x),
        formulas.arithmetic(Arithmetic::Atan2, y, x),
    ] {
        let defined = formulas.defined(operation);
        let has_none = formulas.not(defined);
        let answer = solve(&mut chain, &mut formulas, &parent, &before, has_none);
        assert!(is_sat(&answer), "{:?}: {answer:?}", formulas.operator(operation));
        let is_small = [before.clone(), vec![formulas.less(x, limit)]].concat();
        let answer = solve(&mut chain, &mut formulas, &parent, &is_small, has_none);
        assert!(answer.is_unsat(), "{:?}: {answer:?}", formulas.operator(operation));
    }
}

#[test]
fn the_text_of_a_float_has_its_length() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let parent = inputs(&[Term::Float(0.5)]);
    let before = [formulas.kind(x, Kinds::FLOAT)];
    let text = formulas.convert(Conversion::FloatToList, x);
    let length = formulas.length(text);
    for (size, possible) in [(25, false), (27, true), (28, true), (29, false)] {
        let size = formulas.integer(size);
        let is = formulas.identical(length, size);
        match solve(&mut chain, &mut formulas, &parent, &before, is) {
            Answer::Unsat { .. } => assert!(!possible),
            Answer::Sat(_) | Answer::Unknown(_) => assert!(possible),
        }
    }
}

#[test]
fn what_is_not_defined_has_no_value() {
    let mut chain = chain();
    let mut formulas = Formulas::default();
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let parent = inputs(&[Term::Int(1), Term::Int(1)]);
    let before = [formulas.kind(x, Kinds::INTEGER), formulas.kind(y, Kinds::INTEGER)];
    let difference = formulas.arithmetic(Arithmetic::Subtract, x, y);
    let quotient = formulas.arithmetic(Arithmetic::Quotient, x, difference);
    let defined = formulas.defined(quotient);
    let seven = formulas.integer(7);
    let (is, undefined) = (formulas.identical(y, seven), formulas.not(defined));
    let both = formulas.and(is, undefined);
    let answer = solve(&mut chain, &mut formulas, &parent, &before, both);
    assert!(is_sat(&answer), "{answer:?}");
}
