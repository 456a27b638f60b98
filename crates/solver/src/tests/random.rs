//! Random paths over small inputs: every Sat is evaluated, every Unsat is looked for in vain among all
//! inputs of a small universe.

use crate::{Answer, Chain, Limit, Query, Screened, ScreeningStep, SmtSettings, Solver, apply};
use formula::{
    Arithmetic, Assignment, Atoms, BitsType, ConsType, Constant, Conversion, Formulas, Kinds, Nobody, NumberFormat,
    Numeric, Range, TermId, TypeId, TypeNode, Types, Variable, holds,
};
use std::sync::Arc;
use term::{Atom, Term};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

fn universe() -> Vec<Term> {
    let scalars = [
        Term::Int(-1),
        Term::Int(0),
        Term::Int(1),
        Term::Int(2),
        Term::Int(5),
        Term::atom("a"),
        Term::atom("b"),
        Term::TRUE,
        Term::Nil,
    ];
    let mut all = scalars.to_vec();
    all.extend([
        Term::Float(0.5),
        Term::Float(1.0),
        Term::binary(*b"1"),
        Term::binary(*b""),
        Term::tuple([]),
        Term::Map([].into()),
    ]);
    for x in scalars.iter().take(7) {
        all.push(Term::list([x.clone()]));
        all.push(Term::tuple([x.clone()]));
        all.push(Term::Map([(Term::atom("a"), x.clone())].into()));
        for y in scalars.iter().take(6) {
            all.push(Term::list([x.clone(), y.clone()]));
            all.push(Term::tuple([x.clone(), y.clone()]));
        }
    }
    all.push(Term::list_with_tail(vec![Term::Int(1)], Term::atom("a")));
    all.push(Term::list_with_tail(vec![Term::Int(1)], Term::Int(2)));
    all.extend([12, -3, 255].map(Term::Int));
    all.extend(["1", "12", "-3", "+5", "-", "b"].map(Term::string));
    all.extend([b"12".as_slice(), b"-3", b"ab", b"b"].map(|text| Term::binary(text.to_vec())));
    all.push(Term::Bits(term::Bits::new(vec![0b1010_0000], 3)));
    let pair = |x: Term, y: Term| Term::tuple([x, y]);
    all.extend([
        Term::Map([(Term::atom("a"), Term::Int(1)), (Term::atom("b"), Term::Int(2))].into()),
        Term::Map([(Term::Int(1), Term::Int(1))].into()),
        Term::list([pair(Term::Int(1), Term::Int(2)), pair(Term::Int(1), Term::Int(0))]),
        pair(Term::list([Term::Int(1), Term::Int(2)]), Term::atom("a")),
        pair(Term::list([Term::Int(1), Term::Float(2.0)]), Term::atom("a")),
        pair(pair(Term::Int(1), Term::Int(2)), Term::Int(5)),
        Term::list([Term::Int(0), Term::Int(1), Term::Int(2), Term::Int(5)]),
        Term::list([Term::Int(0), Term::Int(1), Term::Int(2), Term::Int(2)]),
    ]);
    all
}

fn types() -> (Arc<Types>, Vec<TypeId>) {
    let mut types = Types::default();
    let atoms = |names: &[&str]| Atoms::These(names.iter().map(|name| Atom::new(name)).collect());
    let small = types.add(TypeNode {
        integers: vec![Range { low: Some((-1).into()), high: Some(2.into()) }],
        atoms: atoms(&["b"]),
        ..TypeNode::default()
    });
    let integer = types.add(TypeNode { integers: vec![Range { low: None, high: None }], ..TypeNode::default() });
    let list = types.reserve();
    types.fill(list, TypeNode { nil: true, cons: vec![ConsType { head: integer, tail: list }], ..TypeNode::default() });
    let (a, b) = (
        types.add(TypeNode { atoms: atoms(&["a"]), ..TypeNode::default() }),
        types.add(TypeNode { atoms: atoms(&["b"]), ..TypeNode::default() }),
    );
    let tagged =
        types.add(TypeNode { tuples: vec![vec![a, integer], vec![b, b], vec![integer]], ..TypeNode::default() });
    let binary = types.add(TypeNode { bits: vec![BitsType { base: 0, unit: 8 }], ..TypeNode::default() });
    (Arc::new(types), vec![Types::ANY, small, integer, list, tagged, binary, Types::ANY])
}

/// A term: a position, a constant or a small computation.
fn any_term(random: &mut Random, formulas: &mut Formulas, inputs: &[TermId], deep: usize) -> TermId {
    let input = *random.pick(inputs);
    let inner = |random: &mut Random, formulas: &mut Formulas| {
        if deep == 0 { input } else { any_term(random, formulas, inputs, deep - 1) }
    };
    match random.below(24) {
        16 => {
            let (a, b) = (inner(random, formulas), inner(random, formulas));
            if random.below(2) == 0 { formulas.tuple(&[a, b]) } else { formulas.cons(a, b) }
        }
        17 => {
            let (key, value) = (inner(random, formulas), inner(random, formulas));
            let map = formulas.map_put(input, key, value);
            let other = inner(random, formulas);
            match random.below(3) {
                0 => map,
                1 => formulas.map_size(map),
                _ => formulas.map_get(map, other),
            }
        }
        18 => {
            let (key, other) = (inner(random, formulas), inner(random, formulas));
            let map = formulas.map_remove(input, key);
            match random.below(3) {
                0 => formulas.map_size(input),
                1 => formulas.map_size(map),
                _ => formulas.map_get(map, other),
            }
        }
        19 => {
            let conversions =
                [Conversion::IntegerToList, Conversion::ListToInteger, Conversion::AtomToList, Conversion::FloatToList];
            let text = formulas.convert(*random.pick(&conversions), input);
            match random.below(4) {
                0 => text,
                1 => formulas.item(text, 0),
                2 => formulas.item(text, 1),
                _ => formulas.length(text),
            }
        }
        20 => {
            let conversions = [Conversion::IntegerToBinary, Conversion::AtomToBinary, Conversion::BinaryToInteger];
            let text = formulas.convert(*random.pick(&conversions), input);
            let (at, size) = (formulas.integer(8 * random.below(2)), formulas.integer(8));
            match random.below(3) {
                0 => text,
                1 => formulas.bits_number(text, at, size, NumberFormat::Integer { signed: false, little: false }),
                _ => formulas.bit_size(text),
            }
        }
        21 => {
            let (at, size) = (formulas.integer(4 * random.below(3)), formulas.integer(4 * random.below(3)));
            formulas.bits_number(input, at, size, NumberFormat::Integer { signed: false, little: false })
        }
        22 => {
            let index = inner(random, formulas);
            let parts =
                [Term::Int(1), Term::atom("a"), Term::Float(1.0), Term::Nil].map(|part| formulas.constant(part));
            let tuple = formulas.tuple(&parts);
            formulas.element_at(tuple, index)
        }
        0..=3 | 23 => input,
        4 => {
            let index = random.below(2) as u32;
            formulas.item(input, index)
        }
        5 => formulas.rest(input, 1),
        6 | 7 => {
            let index = random.below(2) as u32;
            formulas.element(input, index)
        }
        8 => {
            let key = formulas.constant(Term::atom("a"));
            formulas.map_get(input, key)
        }
        9 => formulas.length(input),
        10 => formulas.tuple_size(input),
        11 | 12 => {
            let (a, b) = (inner(random, formulas), inner(random, formulas));
            let operations = [
                Arithmetic::Add,
                Arithmetic::Subtract,
                Arithmetic::Multiply,
                Arithmetic::Quotient,
                Arithmetic::Remainder,
                Arithmetic::BitAnd,
                Arithmetic::BitOr,
                Arithmetic::BitXor,
                Arithmetic::ShiftLeft,
                Arithmetic::ShiftRight,
            ];
            formulas.arithmetic(*random.pick(&operations), a, b)
        }
        13 => {
            let a = inner(random, formulas);
            let operations = [Numeric::Negate, Numeric::Absolute, Numeric::BitNot, Numeric::ToFloat, Numeric::Truncate];
            formulas.numeric(*random.pick(&operations), a)
        }
        14 => {
            let conversions = [
                Conversion::ListToTuple,
                Conversion::TupleToList,
                Conversion::BinaryToInteger,
                Conversion::BinaryToList,
            ];
            formulas.convert(*random.pick(&conversions), input)
        }
        _ => {
            let constant = random.pick(&universe()).clone();
            formulas.constant(constant)
        }
    }
}

fn any_condition(random: &mut Random, formulas: &mut Formulas, inputs: &[TermId], deep: usize) -> TermId {
    let a = any_term(random, formulas, inputs, 1);
    let b = any_term(random, formulas, inputs, 1);
    let constant = |random: &mut Random| random.pick(&universe()).clone();
    match random.below(17) {
        14 => {
            let conversions = [Conversion::ListToInteger, Conversion::BinaryToInteger, Conversion::ListToTuple];
            formulas.converts(*random.pick(&conversions), a)
        }
        15 => formulas.defined(a),
        16 => formulas.map_has(a, b),
        0 | 1 => {
            let kinds = [
                Kinds::INTEGER,
                Kinds::ATOM,
                Kinds::CONS,
                Kinds::NIL,
                Kinds::TUPLE,
                Kinds::NUMBER,
                Kinds::LIST,
                Kinds::MAP,
                Kinds::BITS,
            ];
            formulas.kind(a, *random.pick(&kinds))
        }
        2 => {
            let size = random.below(3) as u32;
            formulas.tuple_of(a, size)
        }
        3 => {
            let of = formula::Constants::shared([Term::atom("a"), Term::Int(1), Term::Nil].map(Constant));
            formulas.one_of(a, of)
        }
        4 => formulas.proper_list(a),
        5 => {
            let index = formulas.integer(random.below(3));
            formulas.has_item(a, index)
        }
        6 => {
            let key = formulas.constant(Term::atom("a"));
            formulas.map_has(a, key)
        }
        7 => {
            let constant = constant(random);
            let constant = formulas.constant(constant);
            formulas.identical(a, constant)
        }
        8 => formulas.identical(a, b),
        9 => formulas.equal(a, b),
        10 | 11 => formulas.less(a, b),
        _ if deep == 0 => formulas.identical(a, b),
        operator => {
            let (x, y) =
                (any_condition(random, formulas, inputs, deep - 1), any_condition(random, formulas, inputs, deep - 1));
            if operator == 12 { formulas.and(x, y) } else { formulas.or(x, y) }
        }
    }
}

struct Case {
    formulas: Formulas,
    parent: Assignment,
    path: Vec<TermId>,
    domains: Vec<Vec<Term>>,
}

fn case(random: &mut Random, types: &Arc<Types>, ids: &[TypeId], universe: &[Term]) -> Case {
    let mut formulas = Formulas::with_types(Arc::clone(types));
    let mut inputs = Vec::new();
    let mut parent = Assignment::default();
    let mut domains = Vec::new();
    for number in 0..2 {
        let of = *random.pick(ids);
        let domain: Vec<Term> = universe.iter().filter(|term| types.contains(of, term)).cloned().collect();
        formulas.declare(Variable(number), of);
        inputs.push(formulas.variable(Variable(number)));
        parent.insert(Variable(number), random.pick(&domain).clone());
        domains.push(domain);
    }
    let mut path = Vec::new();
    for _ in 0..6 {
        let condition = any_condition(random, &mut formulas, &inputs, 1);
        if formulas.as_boolean(condition).is_some() {
            continue;
        }
        match holds(&formulas, condition, &parent) {
            Some(true) => path.push(condition),
            Some(false) => path.push(formulas.not(condition)),
            None => {}
        }
    }
    Case { formulas, parent, path, domains }
}

/// An input of the universe under which all hold.
fn search(case: &Case, conditions: &[TermId]) -> Option<Assignment> {
    for x in &case.domains[0] {
        for y in &case.domains[1] {
            let values: Assignment = [(Variable(0), x.clone()), (Variable(1), y.clone())].into_iter().collect();
            let mut evaluation = formula::Evaluation::new(&case.formulas, &values);
            if conditions.iter().all(|condition| evaluation.holds(*condition) == Some(true)) {
                return Some(values);
            }
        }
    }
    None
}

fn check(case: &Case, before: &[TermId], wanted: TermId, sat: Option<&crate::Model>, seed: u64) {
    let all: Vec<TermId> = before.iter().copied().chain([wanted]).collect();
    let words = || all.iter().map(|id| describe(&case.formulas, *id)).collect::<Vec<_>>().join("\n  ");
    match sat {
        Some(model) => {
            let values = apply(&case.formulas, &case.parent, model)
                .unwrap_or_else(|| panic!("seed {seed}: {model:?} cannot be"));
            for condition in &all {
                assert_eq!(
                    holds(&case.formulas, *condition, &values),
                    Some(true),
                    "seed {seed}: {values:?} breaks {}\n  {}",
                    describe(&case.formulas, *condition),
                    words()
                );
            }
            for (number, value) in &values {
                assert!(
                    case.formulas.types().contains(case.formulas.declared(*number), value),
                    "seed {seed}: {value:?} has not its type"
                );
            }
        }
        None => {
            if let Some(values) = search(case, &all) {
                panic!("seed {seed}: not unsatisfiable: {values:?}\n  {}", words());
            }
        }
    }
}

/// So many, or that many times as many.
fn cases(few: u64) -> u64 {
    few * std::env::var("TIMES").ok().and_then(|times| times.parse::<u64>().ok()).unwrap_or(1)
}

fn describe(formulas: &Formulas, id: TermId) -> String {
    let text = format!("{:?}", formulas.operator(id));
    let mut children = Vec::new();
    formulas.operator(id).each_child(|child| children.push(child));
    children
        .into_iter()
        .fold(text, |text, child| text.replace(&format!("{child:?}"), &format!("<{}>", describe(formulas, child))))
}

#[test]
fn what_is_screened_is_right() {
    let (types, ids) = types();
    let universe = universe();
    let (mut decided, mut open) = (0, 0);
    for seed in 0..cases(3000) {
        let mut case = case(&mut Random(seed * 7919 + 1), &types, &ids, &universe);
        let mut chain = Chain::native();
        let steps: Vec<ScreeningStep> = case
            .path
            .iter()
            .map(|held| ScreeningStep { held: *held, others: vec![case.formulas.not(*held)] })
            .collect();
        let answers = chain.screen(&mut case.formulas, &case.parent, &steps);
        for (index, answer) in answers.iter().flatten().enumerate() {
            let wanted = steps[index].others[0];
            match answer {
                Screened::Sat(model) => check(&case, &case.path[..index], wanted, Some(model), seed),
                Screened::Unsat => check(&case, &case.path[..index], wanted, None, seed),
                Screened::Open | Screened::Late => open += 1,
            }
            decided += u32::from(*answer != Screened::Open);
        }
    }
    println!("{decided} decided, {open} open");
    assert!(decided > open * 3, "{decided} decided, {open} open");
}

#[test]
fn what_is_solved_is_right() {
    let (types, ids) = types();
    let universe = universe();
    let mut chain = Chain::start(&SmtSettings { limit: Limit::about(500), ..SmtSettings::default() });
    let (mut decided, mut missed) = (0, 0);
    for seed in 0..cases(400) {
        let mut case = case(&mut Random(seed * 104_729 + 5), &types, &ids, &universe);
        let Some((last, before)) = case.path.clone().split_last().map(|(last, before)| (*last, before.to_vec())) else {
            continue;
        };
        let wanted = case.formulas.not(last);
        let answer = chain.solve(&mut Query::new(&mut case.formulas, &case.parent, &before, wanted, &Nobody));
        match &answer {
            Answer::Sat(solution) => {
                assert_eq!(apply(&case.formulas, &case.parent, &solution.model).as_ref(), Some(&solution.values));
                check(&case, &before, wanted, Some(&solution.model), seed);
            }
            Answer::Unsat { .. } => check(&case, &before, wanted, None, seed),
            Answer::Unknown(why) => {
                let all: Vec<TermId> = before.iter().copied().chain([wanted]).collect();
                if let Some(values) = search(&case, &all) {
                    missed += 1;
                    println!(
                        "seed {seed}: {why:?}: {:?} -> {values:?}\n  {}",
                        case.parent,
                        all.iter().map(|id| describe(&case.formulas, *id)).collect::<Vec<_>>().join("\n  ")
                    );
                }
            }
        }
        decided += u32::from(!matches!(answer, Answer::Unknown(_)));
    }
    println!("{decided} decided, {missed} missed, {:?}", chain.statistics());
    assert!(decided > missed * 10, "{decided} decided, {missed} missed");
}
