//! How the inputs of a run are made: which clause of the specification, which constructors, and where
//! the data goes. All of that is chosen, decision by decision, before the unit runs; the data is what
//! the solver works on.

use crate::{InputValue, Unit};
use contract::{Association, Constructor, Contract, Input};
use formula::{Assignment, TypeId, Types, Variable};
use interaction::Witness;
use machine::{Event, Site};
use program::{Binding, Body, Callee, Expr, Function, MapPair, Module, Origin, Span, Var};
use std::sync::Arc;
use term::{Atom, Term};

/// One way to make the inputs.
#[derive(Debug)]
pub struct Shape {
    pub clause: usize,
    /// What was chosen of how many, in the order of the questions.
    pub choices: Vec<Choice>,
    pub args: Vec<Made>,
    /// The data, by the numbers of its variables.
    pub leaves: Vec<Leaf>,
    /// Why no such input can be made.
    pub obstacle: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    pub chosen: u32,
    pub options: u32,
}

#[derive(Debug)]
pub enum Made {
    Data(Variable),
    Call { module: Atom, function: Atom, args: Vec<Made> },
    Tuple(Vec<Made>),
    List(Vec<Made>),
    Map { others: Variable, fields: Vec<(Made, Made)> },
}

#[derive(Debug)]
pub struct Leaf {
    pub of: TypeId,
    /// Its place: the same in another shape is the same piece of data.
    label: Vec<u32>,
}

const NO_VALUE: &str = "inputs of which no value can be made";

impl Shape {
    /// With these choices, and the first option for every later question.
    pub fn new(contract: &Contract, chosen: &[u32]) -> Shape {
        let mut shape = Shape { clause: 0, choices: Vec::new(), args: Vec::new(), leaves: Vec::new(), obstacle: None };
        let mut builder = Builder { shape: &mut shape, types: &contract.types, chosen };
        let clause = builder.choose(contract.clauses.len());
        let params = contract.clauses.get(clause).and_then(|clause| clause.params.as_deref());
        let args = builder.inputs(params.unwrap_or_default(), &[]);
        if params.is_none() {
            shape.obstacle = Some(NO_VALUE);
        }
        shape.clause = clause;
        shape.args = args;
        shape
    }

    /// The choices as the first decisions of a path.
    pub fn events(&self) -> Vec<Event> {
        let event = |(index, choice): (usize, &Choice)| Event::Choice {
            site: choice_site(index),
            chosen: choice.chosen,
            options: choice.options,
            probes: 0..0,
        };
        self.choices.iter().enumerate().map(event).collect()
    }

    pub fn chosen(&self) -> Vec<u32> {
        self.choices.iter().map(|choice| choice.chosen).collect()
    }

    pub fn has_calls(&self) -> bool {
        !self.args.iter().all(Made::is_data)
    }

    /// The smallest data, but what stands at the same place in another input.
    pub fn values(&self, types: &Types, other: Option<(&Shape, &Assignment)>) -> Option<Assignment> {
        let kept = |leaf: &Leaf| {
            let (shape, values) = other?;
            let index = shape.leaves.iter().position(|of| of.label == leaf.label && of.of == leaf.of)?;
            values.get(&Variable(index as u32)).cloned()
        };
        let value = |(index, leaf): (usize, &Leaf)| {
            Some((Variable(index as u32), kept(leaf).or_else(|| types.smallest(leaf.of))?))
        };
        self.leaves.iter().enumerate().map(value).collect()
    }

    /// The given arguments as data of this shape, if they are of its types.
    pub fn values_of(&self, types: &Types, args: &[Term]) -> Option<Assignment> {
        let value = |(made, term): (&Made, &Term)| match made {
            Made::Data(variable) => {
                let leaf = &self.leaves[variable.0 as usize];
                types.contains(leaf.of, term).then(|| (*variable, term.clone()))
            }
            Made::Call { .. } | Made::Tuple(_) | Made::List(_) | Made::Map { .. } => None,
        };
        (args.len() == self.args.len()).then(|| self.args.iter().zip(args).map(value).collect()).flatten()
    }

    pub fn contains(&self, types: &Types, variable: Variable, term: &Term) -> bool {
        self.leaves.get(variable.0 as usize).is_some_and(|leaf| types.contains(leaf.of, term))
    }

    /// `written`: the functions whose numbers stand in the data.
    pub fn inputs(&self, values: &Assignment, written: Option<&Arc<Witness>>) -> Vec<InputValue> {
        self.args.iter().map(|made| input_value(made, values, written)).collect()
    }

    /// The data in the order of its variables.
    pub fn data(&self, values: &Assignment) -> Vec<Term> {
        let value = |index| values.get(&Variable(index)).cloned().unwrap_or(Term::Nil);
        (0..self.leaves.len() as u32).map(value).collect()
    }

    /// A module whose function `run` takes the data, makes the inputs and gives them to the unit. It
    /// answers with the inputs that are not just data, the result behind them, in one tuple; with
    /// `NOT_MADE` where making them raised.
    pub fn wrapper(&self, name: Atom, unit: &Unit) -> Module {
        let arity = self.leaves.len() as u32;
        let mut next = arity;
        let mut fresh = || {
            next += 1;
            Var(next - 1)
        };
        let calls: Vec<&Made> = self.args.iter().filter(|made| !made.is_data()).collect();
        let made: Vec<Var> = calls.iter().map(|_| fresh()).collect();
        let result = fresh();
        let handler_vars = [fresh(), fresh(), fresh()];
        let mut of_calls = made.iter();
        let args = self.args.iter().filter_map(|arg| match arg {
            Made::Data(variable) => Some(Expr::Var(Var(variable.0))),
            Made::Call { .. } | Made::Tuple(_) | Made::List(_) | Made::Map { .. } => {
                of_calls.next().map(|var| Expr::Var(*var))
            }
        });
        let span = Span::default();
        let callee = Callee::Remote { module: unit.module, function: unit.function };
        let call = Expr::Call { callee, args: args.collect(), span };
        let answer = made.iter().chain([&result]).map(|var| Expr::Var(*var)).collect();
        let ok = Expr::Let {
            bindings: vec![Binding { vars: vec![result], value: call }],
            body: Box::new(Expr::Tuple(answer)),
        };
        let mut values: Vec<Expr> = calls.iter().map(|made| expression(made)).collect();
        let body = if values.len() == 1 { values.swap_remove(0) } else { Expr::Values(values) };
        let body = Expr::Try {
            body: Box::new(body),
            ok_vars: made,
            ok: Box::new(ok),
            handler_vars,
            handler: Box::new(Expr::atom(Atom::new(NOT_MADE))),
        };
        let function = Function {
            name: Atom::new(WRAPPER_FUNCTION),
            arity,
            captures: 0,
            exported: true,
            origin: Origin::Named,
            span,
            body: Body::new(body),
        };
        Module::new(name, Vec::new(), vec![function], Vec::new(), program::Types::default())
    }
}

pub const WRAPPER_FUNCTION: &str = "run";

/// No program has it: what the wrapper answers where the inputs cannot be made.
pub const NOT_MADE: &str = "$beagle: not made";

/// Choices belong to no function.
pub const CHOICES: u32 = u32::MAX - 1;

fn choice_site(index: usize) -> Site {
    Site { function: CHOICES, instruction: index as u32, part: 0 }
}

struct Builder<'a> {
    shape: &'a mut Shape,
    types: &'a Types,
    chosen: &'a [u32],
}

impl Builder<'_> {
    /// No question is asked where there is one answer.
    fn choose(&mut self, options: usize) -> usize {
        if options < 2 {
            return 0;
        }
        let chosen = self.chosen.get(self.shape.choices.len()).copied().unwrap_or(0);
        self.shape.choices.push(Choice { chosen, options: options as u32 });
        chosen as usize
    }

    fn inputs(&mut self, inputs: &[Input], label: &[u32]) -> Vec<Made> {
        inputs.iter().enumerate().map(|(index, input)| self.input(input, &[label, &[index as u32]].concat())).collect()
    }

    fn input(&mut self, input: &Input, label: &[u32]) -> Made {
        match input {
            Input::Data(of) => Made::Data(self.leaf(*of, label)),
            Input::Made(constructors) => {
                let chosen = self.choose(constructors.len());
                match constructors.get(chosen) {
                    Some(Constructor { module, function, args }) => {
                        let args = self.inputs(args, &[label, &[chosen as u32]].concat());
                        Made::Call { module: *module, function: *function, args }
                    }
                    None => self.nothing(),
                }
            }
            Input::Tuple(parts) => Made::Tuple(self.inputs(parts, label)),
            Input::List(parts) => Made::List(self.inputs(parts, label)),
            Input::Map { others, fields } => Made::Map {
                others: self.leaf(*others, label),
                fields: fields
                    .iter()
                    .enumerate()
                    .filter_map(|(index, field)| self.association(field, &[label, &[index as u32]].concat()))
                    .collect(),
            },
            Input::OneOf(options) => {
                let chosen = self.choose(options.len());
                match options.get(chosen) {
                    Some(input) => self.input(input, &[label, &[chosen as u32]].concat()),
                    None => self.nothing(),
                }
            }
        }
    }

    fn association(&mut self, field: &Association, label: &[u32]) -> Option<(Made, Made)> {
        let there = field.required || self.choose(2) == 1;
        there.then(|| {
            let key = self.input(&field.key, &[label, &[0]].concat());
            (key, self.input(&field.value, &[label, &[1]].concat()))
        })
    }

    fn leaf(&mut self, of: TypeId, label: &[u32]) -> Variable {
        if self.types.smallest(of).is_none() {
            self.shape.obstacle = Some(NO_VALUE);
        }
        self.shape.leaves.push(Leaf { of, label: label.to_vec() });
        Variable(self.shape.leaves.len() as u32 - 1)
    }

    fn nothing(&mut self) -> Made {
        self.shape.obstacle = Some(NO_VALUE);
        Made::List(Vec::new())
    }
}

impl Made {
    fn is_data(&self) -> bool {
        match self {
            Made::Data(_) => true,
            Made::Call { .. } | Made::Tuple(_) | Made::List(_) | Made::Map { .. } => false,
        }
    }
}

fn expression(made: &Made) -> Expr {
    let span = Span::default();
    match made {
        Made::Data(variable) => Expr::Var(Var(variable.0)),
        Made::Call { module, function, args } => Expr::Call {
            callee: Callee::Remote { module: *module, function: *function },
            args: args.iter().map(expression).collect(),
            span,
        },
        Made::Tuple(parts) => Expr::Tuple(parts.iter().map(expression).collect()),
        Made::List(items) => items
            .iter()
            .rev()
            .fold(Expr::Const(Term::Nil), |rest, item| Expr::Cons(Box::new(expression(item)), Box::new(rest))),
        Made::Map { others, fields } => {
            let pair =
                |(key, value): &(Made, Made)| MapPair { key: expression(key), value: expression(value), exact: false };
            let base = Box::new(Expr::Var(Var(others.0)));
            Expr::Map { base, pairs: fields.iter().map(pair).collect(), span }
        }
    }
}

fn input_value(made: &Made, values: &Assignment, written: Option<&Arc<Witness>>) -> InputValue {
    let data = |variable| values.get(variable).cloned().unwrap_or(Term::Nil);
    let of = |part: &Made| input_value(part, values, written);
    let all = |parts: &[Made]| parts.iter().map(of).collect();
    match made {
        Made::Data(variable) => match (data(variable), written) {
            (data, Some(written)) if interaction::has_functions(&data) => {
                InputValue::Functional { data, functions: Arc::clone(written) }
            }
            (data, _) => InputValue::Data(data),
        },
        Made::Call { module, function, args } => {
            InputValue::Call { module: *module, function: *function, args: all(args) }
        }
        Made::Tuple(parts) => InputValue::Tuple(all(parts)),
        Made::List(items) => InputValue::List(all(items)),
        Made::Map { others, fields } => InputValue::Map {
            others: data(others),
            fields: fields.iter().map(|(key, value)| (of(key), of(value))).collect(),
        },
    }
}
