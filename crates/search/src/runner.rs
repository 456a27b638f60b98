//! Runs the unit on inputs of a shape, with shadows or without, and says what came of it.

use crate::judge::{Judged, judge};
use crate::shape::{Made, NOT_MADE, Shape, WRAPPER_FUNCTION};
use crate::{Blame, Failure, InputValue, Unit};
use contract::Contract;
use formula::{Assignment, Formulas, FunctionName, Learner, Sample, Samples, TypeId, Types, Variable};
use interaction::{
    Answer, Broken, Checker, Label, Labels, Plan, Play, Replay, Said, Witness, by_label, driver, places,
};
use machine::value::copy_in;
use machine::{Context, Goal, Loss, Machine, Outcome, Player, Raised, Recorder, Stop, Watched, Word};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use term::{Atom, Fun, Term, names};

/// For one call of a function of which samples are taken.
const STEPS_OF_SAMPLE: u64 = 1_000_000;

pub struct Runner<'a> {
    pub machine: &'a mut Machine,
    pub unit: &'a Unit,
    prepared: FxHashMap<Vec<u32>, Rc<Prepared>>,
    /// What the machine's steps were before.
    steps: u64,
    labels: Labels,
    /// What is known of functions without meaning.
    samples: Samples,
    /// By the unit and its function inputs in the last run without shadows.
    pub said: Vec<Said>,
    /// Results that were applied in it.
    pub applied: Vec<Term>,
    /// Are results that are functions applied? So from the first one on.
    applies: bool,
    /// Are all runs told? Then all of them are written out, with their results.
    pub tells: bool,
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
    /// Of the data, and of the answers and arguments of function inputs.
    pub values: Rc<Assignment>,
    /// What the variables of the latter are, and what function inputs chose to do.
    pub play: Rc<Moves>,
    /// The functions written out: then the data has their numbers, and the rest is not needed.
    pub written: Option<Arc<Witness>>,
}

/// What function inputs did in a run: enough to have them do it again.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    pub labels: FxHashMap<Variable, Label>,
    pub choices: FxHashMap<Label, u32>,
    /// Where the variables that are answers come from.
    pub answers: FxHashMap<Variable, Answer>,
}

impl Inputs {
    pub fn new(prepared: Rc<Prepared>, values: Assignment) -> Inputs {
        Inputs { prepared, values: Rc::new(values), play: Rc::default(), written: None }
    }

    pub fn shape(&self) -> &Shape {
        &self.prepared.shape
    }

    pub fn shown(&self) -> Vec<InputValue> {
        self.shape().inputs(&self.values, self.written.as_ref())
    }

    /// The arguments, if they are nothing but data.
    pub fn plain(&self) -> Option<Vec<Term>> {
        let data = |input| match input {
            InputValue::Data(term) => Some(term).filter(|term| !interaction::has_functions(term)),
            _ => None,
        };
        self.shape().inputs(&self.values, None).into_iter().map(data).collect()
    }

    pub fn with(&self, variable: Variable, value: Term) -> Inputs {
        let mut values = (*self.values).clone();
        values.insert(variable, value);
        Inputs { values: Rc::new(values), ..self.clone() }
    }

    /// With what the solver changed.
    pub fn changed(&self, values: Assignment) -> Inputs {
        Inputs { values: Rc::new(values), ..self.clone() }
    }

    /// With the choices of these decisions, and no others.
    pub fn choosing(&self, choices: FxHashMap<Label, u32>) -> Inputs {
        let play = Moves { labels: self.play.labels.clone(), choices, answers: FxHashMap::default() };
        Inputs { play: Rc::new(play), ..self.clone() }
    }

    fn plan(&self) -> Plan {
        Plan { choices: self.play.choices.clone(), values: by_label(&self.values, &self.play.labels) }
    }

    /// Is there something that a player must play?
    pub fn has_functions(&self) -> bool {
        let leaves = self.shape().leaves.len() as u32;
        let is_leaf = |variable: &Variable| variable.0 < leaves;
        self.values.iter().any(|(variable, term)| is_leaf(variable) && interaction::has_functions(term))
    }
}

/// A run with shadows.
pub struct Symbolic {
    pub judged: Judged,
    pub recorder: Recorder,
    /// The inputs with all that function inputs did.
    pub inputs: Inputs,
    /// Likewise written out, if it failed.
    pub written: Option<Inputs>,
    /// Did the unit hand functions to its inputs?
    pub handed: bool,
    /// What it returned, if that is to be told.
    pub result: Option<Term>,
}

impl<'a> Runner<'a> {
    pub fn new(machine: &'a mut Machine, unit: &'a Unit, samples: Samples) -> Runner<'a> {
        let steps = machine.set_steps(u64::MAX);
        let (labels, applies) = (Labels::default(), false);
        Runner {
            machine,
            unit,
            prepared: FxHashMap::default(),
            steps,
            labels,
            samples,
            said: Vec::new(),
            applied: Vec::new(),
            applies,
            tells: false,
        }
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
    pub fn symbolic(&mut self, inputs: &Inputs, steps: u64) -> Symbolic {
        let run = self.symbolic_once(inputs, steps);
        if self.applies || !run.returned_function || inputs.prepared.wrapper.is_some() {
            return run.symbolic;
        }
        // From now on, what the unit returns is applied.
        self.applies = true;
        self.symbolic_once(inputs, steps).symbolic
    }

    fn symbolic_once(&mut self, inputs: &Inputs, steps: u64) -> Run {
        let shape = inputs.shape();
        let data = shape.data(&inputs.values);
        let types = Arc::clone(&self.unit.contract.types);
        let plays = self.applies || inputs.has_functions();
        let wants_result = self.unit.contract.declared && !self.is_applied(inputs);
        let mut play = plays.then(|| {
            let (labels, leaves) = (self.labels.clone(), shape.leaves.len() as u32);
            Box::new(Play::new(Arc::clone(&types), labels, inputs.plan(), leaves, self.results(inputs)))
        });
        let samples = self.samples.clone();
        let outcome = self.run(inputs, steps, |context| {
            context.recorder.formulas = Formulas::with_types(types);
            context.recorder.formulas.share(&samples);
            context.recorder.events = shape.events();
            context.recorder.wants_result = wants_result;
            for (index, leaf) in shape.leaves.iter().enumerate() {
                context.recorder.formulas.declare(Variable(index as u32), leaf.of);
            }
            let mut words = Vec::with_capacity(data.len());
            for (index, (term, leaf)) in data.iter().zip(&shape.leaves).enumerate() {
                let formula = context.recorder.formulas.variable(Variable(index as u32));
                words.push(match &mut play {
                    Some(play) => play.input(context, index as u32, leaf.of, term, formula),
                    None => {
                        let word = copy_in(&mut context.heap, term);
                        context.heap.symbolic(word, formula)
                    }
                });
            }
            context.player = play.map(|play| play as Box<dyn Player>);
            words
        });
        let mut recorder = std::mem::take(self.machine.recorder_mut());
        let play = self.machine.take_player().and_then(|player| (player as Box<dyn Any>).downcast::<Play>().ok());
        if let Outcome::Value(value) = &outcome
            && wants_result
        {
            self.record_result(inputs, value, &mut recorder);
        }
        let returned_function = matches!(&outcome, Outcome::Value(value) if interaction::has_functions(value));
        if let Some(loss) = self.result_loss(inputs, returned_function) {
            recorder.concretised(Loss::Machine(loss));
        }
        let broken = play.as_ref().and_then(|play| play.broken.clone());
        let result = self.told_result(inputs, &outcome);
        let judged = self.judge(inputs, outcome, broken);
        let mut ran = inputs.clone();
        let mut written = None;
        let mut handed = false;
        match play {
            Some(play) => {
                handed = play.has_handed_functions();
                let mut values: Assignment =
                    data.iter().enumerate().map(|(index, term)| (Variable(index as u32), term.clone())).collect();
                if self.tells || judged.is_cut() || matches!(judged, Judged::Failed(_)) {
                    let (numbered, witness) = play.witness(&data);
                    let numbered = numbered.into_iter().enumerate().map(|(index, term)| (Variable(index as u32), term));
                    written = Some(Inputs {
                        values: Rc::new(numbered.collect()),
                        written: Some(Arc::new(witness)),
                        ..Inputs::new(Rc::clone(&inputs.prepared), Assignment::default())
                    });
                }
                let mut labels = FxHashMap::default();
                for (variable, label, value) in play.values() {
                    values.insert(variable, value.clone());
                    labels.insert(variable, label);
                }
                let choices = inputs.play.choices.clone();
                ran.values = Rc::new(values);
                ran.play = Rc::new(Moves { labels, choices, answers: play.answers().collect() });
            }
            None if judged.is_cut() || matches!(judged, Judged::Failed(_)) => written = Some(inputs.clone()),
            None => {}
        }
        Run { symbolic: Symbolic { judged, recorder, inputs: ran, written, handed, result }, returned_function }
    }

    /// What the unit returned, if runs are told; a result that was applied is not known.
    fn told_result(&self, inputs: &Inputs, outcome: &Outcome) -> Option<Term> {
        match outcome {
            Outcome::Value(value) if self.tells && !self.is_applied(inputs) => match inputs.prepared.wrapper {
                Some(_) => value.as_tuple().and_then(|made| made.last()).cloned(),
                None => Some(value.clone()),
            },
            Outcome::Value(_) | Outcome::Raised(_) | Outcome::Stopped(_) => None,
        }
    }

    /// Is the unit called by the program that applies its results?
    fn is_applied(&self, inputs: &Inputs) -> bool {
        self.applies && inputs.prepared.wrapper.is_none()
    }

    /// What is not asked of a result that is a function.
    fn result_loss(&self, inputs: &Inputs, is_function: bool) -> Option<&'static str> {
        let clauses = &self.unit.contract.clauses;
        if is_function && inputs.prepared.wrapper.is_some() {
            return Some("functions that are results of a call with values of opaque types");
        }
        // Which clauses speak of the arguments is a decision only where results are not applied.
        let differ = clauses.iter().any(|clause| clause.result != clauses[0].result);
        (self.is_applied(inputs) && differ).then_some("which clauses speak of the arguments")
    }

    /// The types of which a result must be one.
    fn results(&self, inputs: &Inputs) -> Vec<TypeId> {
        let contract = &self.unit.contract;
        if !contract.declared {
            return vec![Types::ANY];
        }
        let args: Vec<Term> = inputs.shown().into_iter().filter_map(as_data).collect();
        let covering = contract.clauses.iter().filter(|clause| clause.covers(&contract.types, &args));
        covering.map(|clause| clause.result).collect()
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
        let mut checker = Checker::new(recorder, places::RESULT, types);
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
        let types = Arc::clone(&self.unit.contract.types);
        let results = if inputs.written.is_some() { self.results(inputs) } else { Vec::new() };
        let witness = inputs.written.clone();
        let outcome = self.run(inputs, steps, |context| match witness {
            Some(witness) => {
                let replay = Replay::new(types, witness, results);
                let words = data.iter().map(|term| replay.placed(context, term, Word::NIL)).collect();
                context.player = Some(Box::new(replay));
                words
            }
            None => data.iter().map(|term| copy_in(&mut context.heap, term)).collect(),
        });
        let used = steps.saturating_sub(self.machine.steps_left());
        let replay = self.machine.take_player().and_then(|player| (player as Box<dyn Any>).downcast::<Replay>().ok());
        let (broken, missed) = match replay {
            Some(replay) => {
                (self.said, self.applied) = (replay.said, replay.applied);
                (replay.broken, replay.missed)
            }
            None => (None, false),
        };
        if missed {
            return (Judged::NotMade, used);
        }
        (self.judge(inputs, outcome, broken), used)
    }

    /// Likewise; what somebody who looks on saw.
    pub fn watched(&mut self, inputs: &Inputs, steps: u64, goal: Goal) -> Watched {
        self.machine.watch(goal);
        self.concrete(inputs, steps);
        self.machine.unwatch()
    }

    fn run(&mut self, inputs: &Inputs, steps: u64, words: impl FnOnce(&mut Context) -> Vec<Word> + Send) -> Outcome {
        self.machine.set_steps(steps);
        if self.is_applied(inputs) {
            let (module, function) = (self.unit.module, self.unit.function);
            return self.machine.run_with(Atom::new(driver::MODULE), Atom::new(driver::RUN), |context| {
                let args = words(context);
                let args = context.heap.list(&args, Word::NIL);
                vec![Word::atom(module), Word::atom(function), args]
            });
        }
        let (module, function) = match inputs.prepared.wrapper {
            Some(wrapper) => (wrapper, Atom::new(WRAPPER_FUNCTION)),
            None => (self.unit.module, self.unit.function),
        };
        self.machine.run_with(module, function, words)
    }

    fn judge(&self, inputs: &Inputs, outcome: Outcome, broken: Option<Broken>) -> Judged {
        if let Outcome::Stopped(Stop::Contract) = outcome {
            return match broken {
                Some(Broken::Domain { args }) => Judged::Failed(Failure::Blame(Blame::Domain(args))),
                Some(Broken::Range { value }) => Judged::Failed(Failure::Blame(Blame::Range(value))),
                Some(Broken::Result { result }) => Judged::Failed(Failure::Spec { result }),
                None => Judged::Stopped(Stop::Contract),
            };
        }
        let outcome = match outcome {
            Outcome::Raised(raised) if is_of_input(&raised) => return Judged::Fine,
            Outcome::Raised(raised) if !self.unit.contract.declared && is_edge_of_function(&raised) => {
                return Judged::Edge;
            }
            Outcome::Raised(mut raised) => {
                if let Some((declared, args)) = wrong_arity(&raised) {
                    return if declared { Judged::Failed(Failure::Blame(Blame::Arity(args))) } else { Judged::Edge };
                }
                // Nor is what stands in the place of functions that are known by samples a part of the program.
                let (sampler, _) = self.machine.language().sampler();
                raised.trace.retain(|entry| !is_driver(entry.module) && entry.module != sampler);
                Outcome::Raised(raised)
            }
            outcome => outcome,
        };
        // The player has looked at the results.
        if self.is_applied(inputs) && matches!(outcome, Outcome::Value(_)) {
            return Judged::Fine;
        }
        let data = inputs.shape().inputs(&inputs.values, None).into_iter();
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

struct Run {
    symbolic: Symbolic,
    returned_function: bool,
}

/// An exception that a function input raised and nobody caught is not the unit's.
fn is_of_input(raised: &Raised) -> bool {
    raised.trace.first().is_some_and(|entry| is_driver(entry.module))
}

/// Without a specification, a function of the unit that an input calls may be meant for other arguments.
fn is_edge_of_function(raised: &Raised) -> bool {
    raised.reason == Term::Atom(names::FUNCTION_CLAUSE)
        && matches!(&raised.trace[..], [own, caller, ..] if own.args.is_some() && is_driver(caller.module))
}

/// A function input was called with another number of arguments than it takes: whether that number is declared,
/// and the arguments.
fn wrong_arity(raised: &Raised) -> Option<(bool, Vec<Term>)> {
    let [tag, call] = raised.reason.as_tuple()? else { return None };
    let [Term::Fun(fun), args] = call.as_tuple()? else { return None };
    let Fun::Local { module, .. } = **fun else { return None };
    let declared = driver::is_input(module).filter(|_| *tag == Term::Atom(names::BADARITY))?;
    Some((declared, args.as_list()?.to_vec()))
}

fn is_driver(module: Atom) -> bool {
    module.text() == driver::MODULE
}

/// Runs functions of which samples are wanted.
pub struct Sampler<'r, 'm>(RefCell<&'r mut Runner<'m>>);

impl<'r, 'm> Sampler<'r, 'm> {
    pub fn new(runner: &'r mut Runner<'m>) -> Sampler<'r, 'm> {
        Sampler(RefCell::new(runner))
    }
}

impl Learner for Sampler<'_, '_> {
    fn learn(&self, function: FunctionName, args: &[Term]) -> Option<Sample> {
        let mut runner = self.0.try_borrow_mut().ok()?;
        runner.machine.set_steps(STEPS_OF_SAMPLE);
        match runner.machine.run(function.module, function.function, args) {
            Outcome::Value(value) => Some(Sample::Returned(value)),
            Outcome::Raised(_) => Some(Sample::Raised),
            Outcome::Stopped(_) => None,
        }
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        self.machine.set_steps(self.steps);
        self.machine.set_alarm(None);
    }
}

fn as_data(input: InputValue) -> Option<Term> {
    match input {
        InputValue::Data(term) => Some(term),
        InputValue::Functional { data, .. } => Some(data),
        InputValue::Call { .. } | InputValue::Tuple(_) | InputValue::List(_) | InputValue::Map { .. } => None,
    }
}
