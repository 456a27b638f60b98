//! What bounds refute does not hold of any numbers.

use crate::native::bounds::refutes;
use crate::native::state::Knowledge;
use crate::walk::random::Random;
use crate::walk::tests::{condition, formula, number};
use formula::{Arithmetic, Assignment, Formulas, Kinds, Numeric, TermId, Variable, holds};
use term::{Term, floats};

/// Inputs of which some are known to be floats, integers, or numbers in a range.
fn inputs(formulas: &mut Formulas, random: &mut Random) -> (Vec<TermId>, Vec<TermId>) {
    let mut before = Vec::new();
    let mut inputs = Vec::new();
    for number in 0..3 {
        let input = formulas.variable(Variable(number));
        let kinds = [Kinds::FLOAT, Kinds::INTEGER, Kinds::NUMBER];
        before.push(formulas.kind(input, kinds[random.below(3)]));
        if random.chance(0.6) {
            let low = formulas.constant(Term::Float(random.between(-5.0, 1.0)));
            let high = formulas.constant(Term::Float(random.between(2.0, 9.0)));
            before.push(formulas.less(low, input));
            before.push(formulas.less(input, high));
        } else if random.chance(0.5) {
            let size = formulas.numeric(Numeric::Absolute, input);
            let high = formulas.constant(Term::Float(random.between(2.0, 9.0)));
            before.push(formulas.less(size, high));
        }
        inputs.push(input);
    }
    (inputs, before)
}

#[test]
fn nothing_that_holds_is_refuted() {
    let mut random = Random::new(11);
    let (mut refuted, mut held) = (0, 0);
    for _ in 0..8000 {
        let mut formulas = Formulas::default();
        let (inputs, before) = inputs(&mut formulas, &mut random);
        let wanted = match random.below(3) {
            0 => condition(&mut formulas, &mut random, &inputs, 2),
            1 => {
                let operation = formula(&mut formulas, &mut random, &inputs, 2);
                let defined = formulas.defined(operation);
                formulas.not(defined)
            }
            _ => {
                let a = formula(&mut formulas, &mut random, &inputs, 2);
                let b = formulas.constant(Term::Float(random.between(-3.0, 3.0)));
                if random.chance(0.5) { formulas.less(a, b) } else { formulas.less(b, a) }
            }
        };
        let mut state = Knowledge::default();
        before.iter().for_each(|condition| state.assert(&mut formulas, *condition));
        let is_refuted = refutes(&mut formulas, &state, &before, wanted);
        refuted += usize::from(is_refuted);
        for _ in 0..40 {
            let mut values: Assignment = (0..3).map(|at| (Variable(at), number(&mut random))).collect();
            if random.chance(0.5) {
                values = (0..3).map(|at| (Variable(at), Term::Float(random.between(-5.0, 9.0)))).collect();
            }
            // Some integers are no floats.
            if random.chance(0.2) {
                let beyond = floats::least_beyond() - random.below(3) as i64 + 1;
                values.insert(Variable(random.below(3) as u32), Term::integer(beyond));
            }
            let mut all = before.iter().chain([&wanted]);
            if all.all(|condition| holds(&formulas, *condition, &values) == Some(true)) {
                held += 1;
                assert!(!is_refuted, "{:?} holds of {values:?}", formulas.operator(wanted));
            }
        }
    }
    assert!(refuted > 300 && held > 3000, "{refuted} were refuted, {held} held");
}

/// Products with zero and quotients of a small dividend are small, whatever the other operand; it must become a float
/// all the same.
#[test]
fn large_integers_are_no_floats() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let mut state = Knowledge::default();
    let (zero, one, nothing) = (formulas.integer(0), formulas.integer(1), formulas.constant(Term::Float(0.0)));
    let before = [formulas.kind(x, Kinds::INTEGER), formulas.less(zero, x)];
    before.iter().for_each(|condition| state.assert(&mut formulas, *condition));
    let product = formulas.arithmetic(Arithmetic::Multiply, x, nothing);
    let inverse = formulas.arithmetic(Arithmetic::Divide, one, x);
    let float = formulas.numeric(Numeric::ToFloat, x);
    let small = [before[0], before[1], formulas.integer(1_000_000)];
    let small = [small[0], small[1], formulas.less(x, small[2])];
    let mut known = Knowledge::default();
    small.iter().for_each(|condition| known.assert(&mut formulas, *condition));
    for operation in [product, inverse, float] {
        let defined = formulas.defined(operation);
        let has_none = formulas.not(defined);
        assert!(!refutes(&mut formulas, &state, &before, has_none), "{:?}", formulas.operator(operation));
        assert!(refutes(&mut formulas, &known, &small, has_none), "{:?}", formulas.operator(operation));
    }
}

#[test]
fn what_waves_and_squares_cannot_do() {
    let mut formulas = Formulas::default();
    let x = formulas.variable(Variable(0));
    let mut state = Knowledge::default();
    let is_float = formulas.kind(x, Kinds::FLOAT);
    state.assert(&mut formulas, is_float);
    let sine = formulas.numeric(Numeric::Math("sin"), x);
    let square = formulas.arithmetic(Arithmetic::Multiply, x, x);
    let (zero, one) = (formulas.constant(Term::Float(0.0)), formulas.constant(Term::Float(1.0)));
    let beyond = formulas.less(one, sine);
    let negative = formulas.less(square, zero);
    let defined = formulas.defined(sine);
    let undefined = formulas.not(defined);
    let overflows = formulas.defined(square);
    let overflows = formulas.not(overflows);
    for condition in [beyond, negative, undefined] {
        assert!(refutes(&mut formulas, &state, &[], condition));
    }
    assert!(!refutes(&mut formulas, &state, &[], overflows));
    // Nor is there an overflow where a number is not large.
    let (size, most) = (formulas.numeric(Numeric::Absolute, x), formulas.constant(Term::Float(1.0e3)));
    let is_small = formulas.less(size, most);
    assert!(refutes(&mut formulas, &state, &[is_small], overflows));
}
