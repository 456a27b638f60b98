//! Runs the unit on inputs of a shape, with shadows or without, and says what came of it.

use crate::judge::{Judged, judge};
use crate::result::Checker;
use crate::shape::{Made, NOT_MADE, Shape, WRAPPER_FUNCTION};
use crate::{InputValue, Unit};
use contract::Contract;
use formula::{Assignment, Formulas, Types, Variable};
use machine::value::copy_in;
use machine::{Context, Loss, Machine, Outcome, Recorder, Word};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use term::{Atom, Term};

pub struct Runner<'a> {
    pub machine: &'a mut Machine,
    pub unit: &'a Unit,
    prepared: FxHashMap<Vec<u32>, Rc<Prepared>>,
    /// What the machine's steps were before.
    steps: u64,
}

/// A shape that can be run.
pub struct Prepared {
    pub shape: Shape,
    /// The module that makes its inputs, where calls do.
    wrapper: Option<Atom>,
}

#[derive(Clone)]
pub struct Inputs {
    pub prepared: Rc<Prepared>,
    pub values: Rc<Assignment>,
}

impl Inputs {
    pub fn shape(&self) -> &Shape {
        &self.prepared.shape
    }

    pub fn shown(&self) -> Vec<InputValue> {
        self.shape().inputs(&self.values)
    }

    pub fn with(&self, variable: Variable, value: Term) -> Inputs {
        let mut values = (*self.values).clone();
        values.insert(variable, value);
        Inputs { prepared: Rc::clone(&self.prepared), values: Rc::new(values) }
    }
}

impl<'a> Runner<'a> {
    pub fn new(machine: &'a mut Machine, unit: &'a Unit) -> Runner<'a> {
        let steps = machine.set_steps(u64::MAX);
        Runner { machine, unit, prepared: FxHashMap::default(), steps }
    }

    /// The shape with these choices; further ones are the first of their options.
    pub fn prepare(&mut self, chosen: &[u32]) -> Rc<Prepared> {
        let shape = Shape::new(&self.unit.contract, chosen);
        let chosen = shape.chosen();
        if let Some(known) = self.prepared.get(&chosen) {
            return Rc::clone(known);
        }
        let wrapper = shape.has_calls().then(|| {
            let name = Atom::new(&format!("$beagle: inputs {}", self.prepared.len()));
            self.machine.add(Arc::new(shape.wrapper(name, self.unit)));
            name
        });
        let prepared = Rc::new(Prepared { shape, wrapper });
        self.prepared.insert(chosen, Rc::clone(&prepared));
        prepared
    }

    /// With shadows: also what it decided.
    pub fn symbolic(&mut self, inputs: &Inputs, steps: u64) -> (Judged, Recorder) {
        let shape = inputs.shape();
        let data = shape.data(&inputs.values);
        let types = Arc::clone(&self.unit.contract.types);
        let wants_result = self.unit.contract.declared;
        let outcome = self.run(inputs, steps, |context| {
            context.recorder.formulas = Formulas::with_types(types);
            context.recorder.events = shape.events();
            context.recorder.wants_result = wants_result;
            for (index, leaf) in shape.leaves.iter().enumerate() {
                context.recorder.formulas.declare(Variable(index as u32), leaf.of);
            }
            let mut shadowed = |(index, term): (usize, &Term)| {
                let formula = context.recorder.formulas.variable(Variable(index as u32));
                let word = copy_in(&mut context.heap, term);
                context.heap.symbolic(word, formula)
            };
            data.iter().enumerate().map(&mut shadowed).collect()
        });
        let mut recorder = std::mem::take(&mut self.machine.context().recorder);
        if let Outcome::Value(value) = &outcome
            && wants_result
        {
            self.record_result(inputs, value, &mut recorder);
        }
        (self.judge(inputs, outcome), recorder)
    }

    /// Whether the result is of its type are decisions, too; and so is which clauses speak of the arguments.
    fn record_result(&self, inputs: &Inputs, value: &Term, recorder: &mut Recorder) {
        let Contract { clauses, types, .. } = &self.unit.contract;
        let shape = inputs.shape();
        let Some(own) = clauses.get(shape.clause) else { return };
        if clauses.iter().all(|clause| clause.result == Types::ANY) {
            return;
        }
        // Behind the inputs that the wrapper made.
        let (made, result): (&[Term], &Term) = match (inputs.prepared.wrapper, value.as_tuple()) {
            (None, _) => (&[], value),
            (Some(_), Some([made @ .., result])) => (made, result),
            (Some(_), _) => return,
        };
        let Some(whole) = recorder.result else {
            recorder.concretised(Loss::Machine("a result that cannot be followed"));
            return;
        };
        let formulas = &mut recorder.formulas;
        let (mut args, mut of_calls) = (Vec::new(), made.iter().enumerate());
        for arg in &shape.args {
            let known = match arg {
                Made::Data(variable) => Some((formulas.variable(*variable), inputs.values.get(variable))),
                Made::Call { .. } | Made::Tuple(_) | Made::List(_) | Made::Map { .. } => {
                    of_calls.next().map(|(index, term)| (formulas.element(whole, index as u32), Some(term)))
                }
            };
            args.extend(known.and_then(|(id, term)| Some((id, term?.clone()))));
        }
        let result_id = match inputs.prepared.wrapper {
            Some(_) => formulas.element(whole, made.len() as u32),
            None => whole,
        };
        let mut checker = Checker::new(recorder, types);
        let mut of = vec![own.result];
        for clause in clauses {
            if of.contains(&clause.result) || clause.accepts.len() != args.len() {
                continue;
            }
            let args = args.iter().zip(&clause.accepts).map(|((id, term), of)| (*id, term.clone(), vec![*of]));
            match checker.are_of(args) {
                Some(true) => of.push(clause.result),
                Some(false) => {}
                None => return,
            }
        }
        checker.are_of([(result_id, result.clone(), of)]);
    }

    /// Without shadows; also the steps it took.
    pub fn concrete(&mut self, inputs: &Inputs, steps: u64) -> (Judged, u64) {
        let data = inputs.shape().data(&inputs.values);
        let outcome =
            self.run(inputs, steps, |context| data.iter().map(|term| copy_in(&mut context.heap, term)).collect());
        let used = steps.saturating_sub(self.machine.context().fuel);
        (self.judge(inputs, outcome), used)
    }

    fn run(&mut self, inputs: &Inputs, steps: u64, words: impl FnOnce(&mut Context) -> Vec<Word>) -> Outcome {
        self.machine.set_steps(steps);
        let (module, function) = match inputs.prepared.wrapper {
            Some(wrapper) => (wrapper, Atom::new(WRAPPER_FUNCTION)),
            None => (self.unit.module, self.unit.function),
        };
        self.machine.run_with(module, function, words)
    }

    fn judge(&self, inputs: &Inputs, outcome: Outcome) -> Judged {
        let data = inputs.shape().inputs(&inputs.values).into_iter();
        let Some(wrapper) = inputs.prepared.wrapper else {
            let args: Vec<Term> = data.filter_map(as_data).collect();
            return judge(self.unit, &args, outcome);
        };
        match outcome {
            Outcome::Value(Term::Atom(atom)) if atom.text() == NOT_MADE => Judged::NotMade,
            Outcome::Value(Term::Tuple(ref answer)) => {
                let mut made = answer.iter().cloned();
                let args: Vec<Term> = data.filter_map(|input| as_data(input).or_else(|| made.next())).collect();
                let result = made.next().unwrap_or(Term::Nil);
                judge(self.unit, &args, Outcome::Value(result))
            }
            Outcome::Raised(mut raised) => {
                raised.trace.retain(|entry| entry.module != wrapper);
                judge(self.unit, &[], Outcome::Raised(raised))
            }
            Outcome::Value(_) | Outcome::Stopped(_) => judge(self.unit, &[], outcome),
        }
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        self.machine.set_steps(self.steps);
    }
}

fn as_data(input: InputValue) -> Option<Term> {
    match input {
        InputValue::Data(term) => Some(term),
        InputValue::Call { .. } | InputValue::Tuple(_) | InputValue::List(_) | InputValue::Map { .. } => None,
    }
}
