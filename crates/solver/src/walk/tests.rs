//! The tape against evaluation, and conditions that are solved.

use super::random::Random;
use super::tape::{Ground, Tape};
use super::value::Value;
use super::{Turn, WalkSettings, Walker};
use crate::slice::Slice;
use crate::tier::Tools;
use crate::{Answer, Query, apply};
use formula::{Arithmetic, Assignment, Evaluation, Formulas, Kinds, Nobody, Numeric, TermId, Variable, holds};
use term::{BigInt, Term};

const OPERATIONS: [Arithmetic; 14] = [
    Arithmetic::Add,
    Arithmetic::Subtract,
    Arithmetic::Multiply,
    Arithmetic::Divide,
    Arithmetic::Quotient,
    Arithmetic::Remainder,
    Arithmetic::BitAnd,
    Arithmetic::BitOr,
    Arithmetic::BitXor,
    Arithmetic::ShiftLeft,
    Arithmetic::ShiftRight,
    Arithmetic::Power,
    Arithmetic::Atan2,
    Arithmetic::FloatRemainder,
];

const FUNCTIONS: [Numeric; 14] = [
    Numeric::Negate,
    Numeric::Absolute,
    Numeric::BitNot,
    Numeric::ToFloat,
    Numeric::Truncate,
    Numeric::Round,
    Numeric::Floor,
    Numeric::Ceiling,
    Numeric::Math("sin"),
    Numeric::Math("sqrt"),
    Numeric::Math("log"),
    Numeric::Math("exp"),
    Numeric::Math("acos"),
    Numeric::Math("tanh"),
];

pub(crate) fn number(random: &mut Random) -> Term {
    match random.below(9) {
        0 => Term::Float(random.between(-10.0, 10.0)),
        1 => Term::Float(random.sign() * random.between(-1000.0, 1000.0).exp2()),
        2 => Term::Float(*random.of(&[0.0, -0.0, 1.0, 0.5, 9_007_199_254_740_992.0]).expect("some")),
        3 => Term::integer(BigInt::from(random.next()) * BigInt::from(random.next()) * 5),
        4 => Term::integer(BigInt::from(random.next()) << random.below(300)),
        5 => Term::Int(random.next() as i64),
        _ => Term::Int(random.below(20) as i64 - 6),
    }
}

/// A number or a condition made of the inputs.
pub(crate) fn formula(formulas: &mut Formulas, random: &mut Random, inputs: &[TermId], depth: usize) -> TermId {
    if depth == 0 || random.chance(0.15) {
        return match random.chance(0.7) {
            true => *random.of(inputs).expect("some"),
            false => {
                let constant = number(random);
                formulas.constant(constant)
            }
        };
    }
    let a = formula(formulas, random, inputs, depth - 1);
    if random.chance(0.3) {
        return formulas.numeric(*random.of(&FUNCTIONS).expect("some"), a);
    }
    let b = formula(formulas, random, inputs, depth - 1);
    formulas.arithmetic(*random.of(&OPERATIONS).expect("some"), a, b)
}

pub(crate) fn condition(formulas: &mut Formulas, random: &mut Random, inputs: &[TermId], depth: usize) -> TermId {
    if depth > 0 && random.chance(0.4) {
        let a = condition(formulas, random, inputs, depth - 1);
        let b = condition(formulas, random, inputs, depth - 1);
        return match random.below(3) {
            0 => formulas.and(a, b),
            1 => formulas.or(a, b),
            _ => formulas.not(a),
        };
    }
    let a = formula(formulas, random, inputs, 3);
    let b = formula(formulas, random, inputs, 2);
    match random.below(6) {
        0 => formulas.equal(a, b),
        1 => formulas.identical(a, b),
        2 => formulas.kind(a, Kinds::INTEGER),
        3 => formulas.defined(a),
        // Something that the tape has no operation for.
        4 => {
            let (a, b) = (formulas.tuple(&[a, b]), formulas.tuple(&[b, a]));
            formulas.less(a, b)
        }
        _ => formulas.less(a, b),
    }
}

#[test]
fn the_tape_computes_what_evaluation_does() {
    let mut random = Random::new(7);
    let mut compared = 0;
    for _ in 0..3000 {
        let mut formulas = Formulas::default();
        let inputs: Vec<TermId> = (0..3).map(|number| formulas.variable(Variable(number))).collect();
        let slice: Vec<TermId> = (0..2).map(|_| condition(&mut formulas, &mut random, &inputs, 2)).collect();
        let parent: Assignment = (0..3).map(|at| (Variable(at), number(&mut random))).collect();
        let tape = Tape::compile(&formulas, &slice, inputs.clone()).expect("it is small");
        let ground = Ground { tape: &tape, formulas: &formulas, assignment: &parent, learner: &Nobody };
        let mut values = ground.constants();
        for _ in 0..4 {
            let moved: Assignment = (0..3).map(|at| (Variable(at), number(&mut random))).collect();
            let leaves: Vec<Value> = (0..3).map(|at| Value::of(&moved[&Variable(at)])).collect();
            ground.run(&leaves, &mut values, 0..tape.nodes.len() as u32);
            let mut evaluation = Evaluation::new(&formulas, &moved);
            for (node, value) in tape.nodes.iter().zip(&values) {
                let expected = evaluation.value(node.id);
                let same = match (&expected, value.term()) {
                    (Some(Term::Float(a)), Some(Term::Float(b))) => a.to_bits() == b.to_bits(),
                    (expected, found) => *expected == found,
                };
                assert!(same, "{:?} of {moved:?}: {value:?}, not {expected:?}", formulas.operator(node.id));
                compared += 1;
            }
            for (condition, goal) in slice.iter().zip(&tape.goals) {
                let is_met = goal.error(&tape, &values) == 0.0;
                let expected = holds(&formulas, *condition, &moved) == Some(true);
                assert_eq!(is_met, expected, "{:?} of {moved:?}", formulas.operator(*condition));
            }
        }
    }
    assert!(compared > 50_000, "only {compared} nodes were compared");
}

/// A condition over inputs of these kinds, and whether the walk solves it.
struct Puzzle {
    formulas: Formulas,
    inputs: Vec<TermId>,
    before: Vec<TermId>,
    parent: Assignment,
}

impl Puzzle {
    fn new(start: &[Term]) -> Puzzle {
        let mut formulas = Formulas::default();
        let inputs: Vec<TermId> = (0..start.len()).map(|at| formulas.variable(Variable(at as u32))).collect();
        let kinds = inputs.iter().zip(start).map(|(input, value)| formulas.kind(*input, Kinds::of(value))).collect();
        let parent = start.iter().enumerate().map(|(at, value)| (Variable(at as u32), value.clone())).collect();
        Puzzle { formulas, inputs, before: kinds, parent }
    }

    fn floats(count: usize) -> Puzzle {
        Puzzle::new(&vec![Term::Float(0.0); count])
    }

    fn integers(count: usize) -> Puzzle {
        Puzzle::new(&vec![Term::Int(0); count])
    }

    fn float(&mut self, value: f64) -> TermId {
        self.formulas.constant(Term::Float(value))
    }

    fn two(&mut self, operation: Arithmetic, a: TermId, b: TermId) -> TermId {
        self.formulas.arithmetic(operation, a, b)
    }

    fn times(&mut self, a: TermId, b: TermId) -> TermId {
        self.two(Arithmetic::Multiply, a, b)
    }

    fn plus(&mut self, a: TermId, b: TermId) -> TermId {
        self.two(Arithmetic::Add, a, b)
    }

    fn minus(&mut self, a: TermId, b: TermId) -> TermId {
        self.two(Arithmetic::Subtract, a, b)
    }

    fn walk(&mut self, wanted: &[TermId], seed: u64) -> Option<Assignment> {
        let (last, others) = wanted.split_last().expect("something is wanted");
        let before: Vec<TermId> = self.before.iter().chain(others).copied().collect();
        let slice: Vec<TermId> = before.iter().copied().chain([*last]).collect();
        let mut walker = Walker::new(WalkSettings::default());
        let mut tools = Tools { seed, ..Tools::new(Err("nobody is asked".to_string())) };
        let query = &mut Query::new(&mut self.formulas, &self.parent, &before, *last, &Nobody);
        let answer = walker.solve(query, &mut Slice::with(slice.clone()), Turn::Last, &mut tools)?;
        let Answer::Sat(solution) = answer else { panic!("{answer:?}") };
        let values = apply(&self.formulas, &self.parent, &solution.model).expect("it can be laid out");
        assert_eq!(values, solution.values);
        for condition in slice {
            assert_eq!(holds(&self.formulas, condition, &values), Some(true));
        }
        Some(values)
    }

    fn solves(&mut self, wanted: &[TermId]) {
        for seed in 0..4 {
            assert!(self.walk(wanted, seed).is_some(), "not solved with seed {seed}");
        }
    }
}

#[test]
fn a_circle_meets_a_line() {
    let mut puzzle = Puzzle::floats(2);
    let (x, y) = (puzzle.inputs[0], puzzle.inputs[1]);
    let (xx, yy) = (puzzle.times(x, x), puzzle.times(y, y));
    let (sum, line) = (puzzle.plus(xx, yy), puzzle.plus(x, y));
    let (radius, seven) = (puzzle.float(25.0), puzzle.float(7.0));
    let (on_circle, on_line) = (puzzle.formulas.equal(sum, radius), puzzle.formulas.equal(line, seven));
    puzzle.solves(&[on_circle, on_line]);
}

#[test]
fn the_curved_valley_of_rosenbrock() {
    let mut puzzle = Puzzle::floats(2);
    let (x, y) = (puzzle.inputs[0], puzzle.inputs[1]);
    let (one, two, hundred, zero) = (puzzle.float(1.0), puzzle.float(2.0), puzzle.float(100.0), puzzle.float(0.0));
    let xx = puzzle.times(x, x);
    let (a, b) = (puzzle.minus(y, xx), puzzle.minus(one, x));
    let (a, b) = (puzzle.two(Arithmetic::Power, a, two), puzzle.two(Arithmetic::Power, b, two));
    let a = puzzle.times(hundred, a);
    let sum = puzzle.plus(a, b);
    let is_zero = puzzle.formulas.equal(sum, zero);
    puzzle.solves(&[is_zero]);
}

#[test]
fn the_badly_scaled_zeros_of_powell() {
    let mut puzzle = Puzzle::floats(2);
    let (x, y) = (puzzle.inputs[0], puzzle.inputs[1]);
    let (large, one, bound) = (puzzle.float(1.0e4), puzzle.float(1.0), puzzle.float(1.0001));
    let product = puzzle.times(large, x);
    let product = puzzle.times(product, y);
    let first = puzzle.formulas.equal(product, one);
    let exponential = |puzzle: &mut Puzzle, id: TermId| {
        let minus = puzzle.formulas.numeric(Numeric::Negate, id);
        puzzle.formulas.numeric(Numeric::Math("exp"), minus)
    };
    let (a, b) = (exponential(&mut puzzle, x), exponential(&mut puzzle, y));
    let sum = puzzle.plus(a, b);
    let second = puzzle.formulas.equal(sum, bound);
    puzzle.solves(&[first, second]);
}

#[test]
fn an_exact_root_between_integers_and_floats() {
    let mut puzzle = Puzzle::new(&[Term::Int(0), Term::Float(0.0)]);
    let (n, x) = (puzzle.inputs[0], puzzle.inputs[1]);
    let root = puzzle.formulas.numeric(Numeric::Math("sqrt"), n);
    let (ten, eight) = (puzzle.formulas.integer(10), puzzle.float(8.0));
    let (large, same) = (puzzle.formulas.less(ten, n), puzzle.formulas.equal(root, x));
    let wanted = puzzle.formulas.equal(x, eight);
    puzzle.solves(&[large, same, wanted]);
}

#[test]
fn products_that_wrap_around() {
    let mut puzzle = Puzzle::integers(1);
    let x = puzzle.inputs[0];
    let square = puzzle.times(x, x);
    let cube = puzzle.times(square, x);
    let (mask, wanted) = (puzzle.formulas.integer(0xffff_ffffi64), puzzle.formulas.integer(5));
    let low = puzzle.two(Arithmetic::BitAnd, cube, mask);
    let is = puzzle.formulas.identical(low, wanted);
    puzzle.solves(&[is]);
}

#[test]
fn shifts_that_are_mixed() {
    let mut puzzle = Puzzle::integers(1);
    let mut x = puzzle.inputs[0];
    let (minus, mask) = (puzzle.formulas.integer(-1), puzzle.formulas.integer(0xffff_ffffi64));
    let natural = puzzle.formulas.less(minus, x);
    let below = puzzle.two(Arithmetic::BitAnd, x, mask);
    let fits = puzzle.formulas.identical(below, x);
    for (operation, by) in [(Arithmetic::ShiftLeft, 13), (Arithmetic::ShiftRight, 17), (Arithmetic::ShiftLeft, 5)] {
        let by = puzzle.formulas.integer(by);
        let shifted = puzzle.two(operation, x, by);
        let shifted = puzzle.two(Arithmetic::BitAnd, shifted, mask);
        x = puzzle.two(Arithmetic::BitXor, x, shifted);
    }
    let wanted = puzzle.formulas.integer(0xcafe_babei64);
    let is = puzzle.formulas.identical(x, wanted);
    puzzle.solves(&[natural, fits, is]);
}

#[test]
fn operations_without_a_value_are_kept_away_from_and_found() {
    let mut puzzle = Puzzle::floats(2);
    let (x, y) = (puzzle.inputs[0], puzzle.inputs[1]);
    let product = puzzle.times(x, y);
    let logarithm = puzzle.formulas.numeric(Numeric::Math("log"), product);
    let root = puzzle.formulas.numeric(Numeric::Math("sqrt"), logarithm);
    let three = puzzle.float(3.0);
    let wanted = puzzle.formulas.less(three, root);
    puzzle.solves(&[wanted]);
    let defined = puzzle.formulas.defined(product);
    let overflow = puzzle.formulas.not(defined);
    puzzle.solves(&[overflow]);
}

#[test]
fn sums_of_squares_of_integers() {
    let mut puzzle = Puzzle::integers(3);
    let inputs = puzzle.inputs.clone();
    let squares: Vec<TermId> = inputs.iter().map(|input| puzzle.times(*input, *input)).collect();
    let sum = puzzle.plus(squares[0], squares[1]);
    let sum = puzzle.plus(sum, squares[2]);
    let (wanted, zero) = (puzzle.formulas.integer(3001), puzzle.formulas.integer(0));
    let mut all = vec![puzzle.formulas.less(zero, inputs[0])];
    all.push(puzzle.formulas.less(inputs[0], inputs[1]));
    all.push(puzzle.formulas.less(inputs[1], inputs[2]));
    all.push(puzzle.formulas.identical(sum, wanted));
    puzzle.solves(&all);
}

#[test]
fn what_has_no_solution_is_not_solved() {
    let mut puzzle = Puzzle::floats(1);
    let x = puzzle.inputs[0];
    let square = puzzle.times(x, x);
    let minus = puzzle.float(-1.0e-9);
    let below = puzzle.formulas.less(square, minus);
    assert_eq!(puzzle.walk(&[below], 1), None);
    let mut puzzle = Puzzle::integers(1);
    let square = puzzle.times(puzzle.inputs[0], puzzle.inputs[0]);
    let wanted = puzzle.formulas.integer(2 * 1_000_003 * 1_000_003i64);
    let is = puzzle.formulas.identical(square, wanted);
    assert_eq!(puzzle.walk(&[is], 1), None);
}

#[test]
fn a_seed_decides_what_is_found() {
    let found = |seed: u64| {
        let mut puzzle = Puzzle::floats(2);
        let (x, y) = (puzzle.inputs[0], puzzle.inputs[1]);
        let wave = puzzle.formulas.numeric(Numeric::Math("sin"), x);
        let product = puzzle.times(wave, y);
        let (bound, near) = (puzzle.float(3.5), puzzle.float(3.6));
        let (above, below) = (puzzle.formulas.less(bound, product), puzzle.formulas.less(product, near));
        puzzle.walk(&[above, below], seed).expect("it is easy")
    };
    assert_eq!(found(3), found(3));
    assert!((0..8).any(|seed| found(seed) != found(3)), "all seeds find the same");
}

#[test]
fn where_nothing_can_be_moved_the_walk_ends() {
    let mut puzzle = Puzzle::integers(2);
    let (x, y) = (puzzle.inputs[0], puzzle.inputs[1]);
    let (three, five) = (puzzle.formulas.integer(3), puzzle.formulas.integer(5));
    let (is_three, is_five) = (puzzle.formulas.identical(x, three), puzzle.formulas.identical(y, five));
    let product = puzzle.times(x, y);
    let wanted = puzzle.formulas.integer(16);
    let is = puzzle.formulas.identical(product, wanted);
    assert_eq!(puzzle.walk(&[is_three, is_five, is], 1), None);
}
