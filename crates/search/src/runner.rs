//! Runs the unit on inputs, with shadows or without, and judges the outcome.

use crate::judge::{Judged, judge};
use crate::{Blame, Failure, ResultHead, Unit};
use contract::{Contract, Form};
use formula::{Assignment, Learner, Sample, Samples, TypeId, Types, Variable};
use path::{
    Alarm, Answer, Broken, Call, CallEnd, Checker, Concretised, Executor, Followed, Following, Goal, Input, InputValue,
    Label, Labels, Marks, Outcome, Place, Plan, Recorder, Replayed, Said, Surrounding, Watched, Witness, by_label,
    has_functions,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// The step limit for one call of a sampled function.
const STEPS_OF_SAMPLE: u64 = 1_000_000;

pub struct Runner<'a> {
    pub executor: &'a mut dyn Executor,
    pub unit: &'a Unit,
    forms: FxHashMap<Vec<u32>, Rc<Form>>,
    /// Names under which runs have looked for processes that were not started.
    names: Vec<Atom>,
    labels: Labels,
    /// The known samples of functions without a formula.
    samples: Samples,
    /// Whether results that are functions are applied. This begins with the first such result.
    applies: bool,
    /// Whether the inputs of all runs are written out and their results kept, because the host asks for descriptions.
    pub writes_out: bool,
}

#[derive(Clone)]
pub struct Inputs {
    pub form: Rc<Form>,
    /// The values of the data, and of the answers and arguments of function inputs.
    pub values: Rc<Assignment>,
    /// The meaning of the variables of function inputs, and the choices of function inputs.
    pub play: Rc<Moves>,
    /// The functions written out, if they are. Then the data has their numbers, and the variables and choices above are
    /// not needed.
    pub written: Option<Arc<Witness>>,
}

/// The actions of function inputs in a run, sufficient to repeat them.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    pub labels: FxHashMap<Variable, Label>,
    pub choices: FxHashMap<Label, u32>,
    /// The origin of each variable that is an answer.
    pub answers: FxHashMap<Variable, Answer>,
    /// The seed, if all actions are random.
    pub random: Option<u64>,
}

impl Inputs {
    pub fn new(form: Rc<Form>, values: Assignment) -> Inputs {
        Inputs { form, values: Rc::new(values), play: Rc::default(), written: None }
    }

    pub fn shown(&self) -> Vec<InputValue> {
        self.form.inputs(&self.values, self.written.as_ref())
    }

    /// Returns the arguments, if they are nothing but data.
    pub fn plain(&self) -> Option<Vec<Term>> {
        let data = |variable: &Variable| {
            let term = self.values.get(variable).cloned().unwrap_or(Term::Nil);
            (!has_functions(&term)).then_some(term)
        };
        self.form.args.iter().map(|arg| arg.as_data().and_then(data)).collect()
    }

    pub fn data(&self) -> Vec<Term> {
        self.form.data(&self.values)
    }

    /// Returns all data in the inputs, including that of a client's steps.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms = self.data();
        let scenario = self.written.as_ref().and_then(|written| written.scenario.as_ref());
        terms.extend(scenario.iter().flat_map(|scenario| scenario.data()).cloned());
        terms
    }

    pub fn with(&self, variable: Variable, value: Term) -> Inputs {
        let mut values = (*self.values).clone();
        values.insert(variable, value);
        Inputs { values: Rc::new(values), ..self.clone() }
    }

    /// Returns the inputs with the values that the solver changed.
    pub fn changed(&self, values: Assignment) -> Inputs {
        Inputs { values: Rc::new(values), ..self.clone() }
    }

    /// Returns the inputs with these choices, and no others.
    pub fn choosing(&self, choices: FxHashMap<Label, u32>) -> Inputs {
        let play = Moves { labels: self.play.labels.clone(), choices, ..Moves::default() };
        Inputs { play: Rc::new(play), ..self.clone() }
    }

    fn plan(&self) -> Plan {
        let values = by_label(&self.values, &self.play.labels);
        Plan { choices: self.play.choices.clone(), values, random: self.play.random }
    }

    /// Returns whether the inputs contain functions, which a player must play.
    pub fn has_functions(&self) -> bool {
        let leaves = self.form.declared.len() as u32;
        let is_leaf = |variable: &Variable| variable.0 < leaves;
        self.values.iter().any(|(variable, term)| is_leaf(variable) && has_functions(term))
    }

    /// Returns the arguments. Those that are not plain data were made by the run.
    fn args(&self, made: &[Term]) -> Vec<Term> {
        let mut made = made.iter();
        let arg = |arg: &path::Input<Variable>| match arg.as_data() {
            Some(variable) => Some(self.values.get(variable).cloned().unwrap_or(Term::Nil)),
            None => made.next().cloned(),
        };
        self.form.args.iter().filter(|arg| arg.is_argument()).filter_map(arg).collect()
    }
}

/// A run with shadows.
pub struct Symbolic {
    pub judged: Judged,
    pub recorder: Recorder,
    /// The inputs with all actions of function inputs.
    pub inputs: Inputs,
    /// The same inputs written out, if the run failed or was cut, or if all runs are written out.
    pub written: Option<Inputs>,
    /// Whether the unit passed functions to its inputs.
    pub handed: bool,
    /// The result, if the host asks for descriptions of runs.
    pub result: Option<Term>,
    /// The outermost part of the result, if there is one.
    pub head: Option<ResultHead>,
}

/// A run without shadows.
pub struct Concrete {
    pub judged: Judged,
    pub steps: u64,
    /// The conversation between the unit and its function inputs.
    pub said: Vec<Said>,
    /// The results of applying functions that the unit returned.
    pub applied: Vec<Term>,
    /// The results of a client's steps.
    pub returned: Vec<Option<Term>>,
    pub surroundings: Vec<Surrounding>,
    /// The marks in the code that the run reached.
    pub marks: Marks,
    /// Whether only the judgement is known, because another executor made the run.
    pub is_elsewhere: bool,
}

impl<'a> Runner<'a> {
    pub fn new(executor: &'a mut dyn Executor, unit: &'a Unit, samples: Samples) -> Runner<'a> {
        Runner {
            executor,
            unit,
            forms: FxHashMap::default(),
            names: Vec::new(),
            labels: Labels::default(),
            samples,
            applies: false,
            writes_out: false,
        }
    }

    /// Returns the form with these choices. For further choices, it takes the first option.
    pub fn form(&mut self, chosen: &[u32]) -> Rc<Form> {
        let form = Form::new(&self.unit.contract, &self.names, chosen);
        Rc::clone(self.forms.entry(form.chosen()).or_insert_with(|| Rc::new(form)))
    }

    pub fn names(&self) -> &[Atom] {
        &self.names
    }

    /// Plays a process under this name: from now on, forms choose what is registered there.
    pub fn play_name(&mut self, name: Atom) {
        self.names.push(name);
        self.forms.clear();
    }

    pub fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm> {
        self.executor.set_alarm(alarm)
    }

    /// Runs the unit with shadows and records its decisions.
    pub fn symbolic(&mut self, inputs: &Inputs, steps: u64) -> Symbolic {
        let (run, returned_function) = self.symbolic_once(inputs, steps);
        if self.applies || !returned_function || !inputs.form.is_plain() {
            return run;
        }
        // From now on, functions that the unit returns are applied.
        self.applies = true;
        self.symbolic_once(inputs, steps).0
    }

    /// Runs the unit once with shadows. Also returns whether a function was returned.
    fn symbolic_once(&mut self, inputs: &Inputs, steps: u64) -> (Symbolic, bool) {
        let form = &inputs.form;
        let data = inputs.data();
        let is_applied = self.is_applied(inputs);
        let results = is_applied.then(|| self.results(inputs));
        let wants_result = self.unit.contract.declared && !is_applied && self.unit.contract.client.is_none();
        let call = Call {
            function: self.unit.name(),
            args: &form.args,
            data: &data,
            types: &self.unit.contract.types,
            applied: results.as_deref(),
            client: self.unit.contract.client.as_ref(),
            steps,
        };
        let following = Following {
            declared: &form.declared,
            plan: (self.applies || inputs.has_functions() || call.client.is_some()).then(|| inputs.plan()),
            labels: &self.labels,
            samples: &self.samples,
            before: form.events(),
            wants_result,
        };
        let Followed { ended, mut recorder, made, played } = self.executor.follow(&call, following);
        let returned = match &ended {
            CallEnd::Plainly(Outcome::Value(value)) => Some(value),
            _ => None,
        };
        if let Some(value) = returned
            && wants_result
        {
            self.record_result(inputs, &made, value, &mut recorder);
        }
        let made: Vec<Term> = made.into_iter().map(|(_, term)| term).collect();
        let returned_function = returned.is_some_and(|value| made.iter().chain([value]).any(has_functions));
        if let Some(loss) = self.result_loss(inputs, returned_function) {
            recorder.concretised(loss);
        }
        let head = returned.map(ResultHead::of);
        let result = returned.filter(|_| self.writes_out && !is_applied).cloned();
        let judged = self.judge(inputs, ended, &made);
        let is_shown = judged.is_cut() || matches!(judged, Judged::Failed(_));
        let mut ran = inputs.clone();
        let mut written = None;
        let mut handed = false;
        match played {
            Some(played) => {
                handed = played.has_handed_functions();
                let numbered = |terms: Vec<Term>| -> Assignment {
                    terms.into_iter().enumerate().map(|(index, term)| (Variable(index as u32), term)).collect()
                };
                if self.writes_out || is_shown {
                    let (data, witness) = played.witness(&data);
                    written = Some(Inputs {
                        values: Rc::new(numbered(data)),
                        written: Some(Arc::new(witness)),
                        ..Inputs::new(Rc::clone(form), Assignment::default())
                    });
                }
                let mut values = numbered(data);
                let mut labels = FxHashMap::default();
                for (variable, label, value) in played.values() {
                    values.insert(variable, value);
                    labels.insert(variable, label);
                }
                let choices = inputs.play.choices.clone();
                ran.values = Rc::new(values);
                ran.play =
                    Rc::new(Moves { labels, choices, answers: played.answers().into_iter().collect(), random: None });
            }
            None if is_shown => written = Some(inputs.clone()),
            None => {}
        }
        (Symbolic { judged, recorder, inputs: ran, written, handed, result, head }, returned_function)
    }

    /// Returns whether the unit is called by the program that applies its results.
    fn is_applied(&self, inputs: &Inputs) -> bool {
        self.applies && inputs.form.is_plain()
    }

    /// Returns the check of a result that is not made because results are applied, or because the result is a function.
    fn result_loss(&self, inputs: &Inputs, is_function: bool) -> Option<Concretised> {
        let clauses = &self.unit.contract.clauses;
        if is_function && !inputs.form.is_plain() {
            return Some(Concretised::FunctionResultOfOpaqueCall);
        }
        // Which clauses cover the arguments is a decision only where results are not applied.
        let differ = clauses.iter().any(|clause| clause.result != clauses[0].result);
        (self.is_applied(inputs) && differ).then_some(Concretised::ClausesOfSpecification)
    }

    /// Returns the types of which the result must have one.
    fn results(&self, inputs: &Inputs) -> Vec<TypeId> {
        let contract = &self.unit.contract;
        if !contract.declared {
            return vec![Types::ANY];
        }
        let args = inputs.args(&[]);
        let covering = contract.clauses.iter().filter(|clause| clause.covers(&contract.types, &args));
        covering.map(|clause| clause.result).collect()
    }

    /// Records the check of the result's type as decisions, and also which clauses cover the arguments.
    fn record_result(
        &self,
        inputs: &Inputs,
        made: &[(Option<formula::TermId>, Term)],
        result: &Term,
        recorder: &mut Recorder,
    ) {
        let Contract { clauses, types, .. } = &self.unit.contract;
        let Some(own) = clauses.get(inputs.form.clause) else { return };
        if clauses.iter().all(|clause| clause.result == Types::ANY) {
            return;
        }
        let Some(result_id) = recorder.result else {
            recorder.concretised(Concretised::ResultWithoutFormula);
            return;
        };
        let formulas = &mut recorder.formulas;
        let (mut args, mut made) = (Vec::new(), made.iter());
        for arg in inputs.form.args.iter().filter(|arg| arg.is_argument()) {
            let known = match arg.as_data() {
                Some(variable) => inputs.values.get(variable).map(|term| (formulas.variable(*variable), term.clone())),
                None => made.next().and_then(|(id, term)| Some(((*id)?, term.clone()))),
            };
            args.extend(known);
        }
        let mut checker = Checker::new(recorder, Place::Result, types);
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

    /// Runs the unit without shadows.
    pub fn concrete(&mut self, inputs: &Inputs, steps: u64) -> Concrete {
        self.without_shadows(inputs, steps, |executor, call| executor.replay(call, inputs.written.as_ref()))
    }

    /// Runs the unit without shadows if only the judgement matters.
    pub fn judged(&mut self, inputs: &Inputs, steps: u64) -> Concrete {
        self.without_shadows(inputs, steps, |executor, call| executor.end_of(call, inputs.written.as_ref()))
    }

    fn without_shadows(
        &mut self,
        inputs: &Inputs,
        steps: u64,
        run: impl FnOnce(&mut dyn Executor, &Call<'_>) -> Replayed,
    ) -> Concrete {
        let data = inputs.data();
        let results = self.is_applied(inputs).then(|| self.results(inputs));
        let call = self.call(inputs, &data, results.as_deref(), steps);
        let replayed = run(&mut *self.executor, &call);
        let Replayed { ended, made, steps, said, applied, returned, surroundings, marks, is_elsewhere, .. } = replayed;
        let judged = self.judge(inputs, ended, &made);
        Concrete { judged, steps, said, applied, returned, surroundings, marks, is_elsewhere }
    }

    /// Returns the function that made an argument outside of the specification's types, if the unit returns with an
    /// argument inside of them.
    pub fn made_wrong(&mut self, inputs: &Inputs) -> Option<FunctionName> {
        let arguments: Vec<&Input<Variable>> = inputs.form.args.iter().filter(|arg| arg.is_argument()).collect();
        arguments.into_iter().enumerate().find_map(|(index, arg)| {
            let Input::Call { module, function, args } = arg else { return None };
            let made = self.made(inputs, arg)?;
            let Contract { clauses, types, .. } = &self.unit.contract;
            let mut declared = clauses.iter().filter_map(|clause| clause.accepts.get(index));
            if declared.any(|of| types.contains(*of, &made)) {
                return None;
            }
            let inside =
                |of: TypeId| types.node(of).opaque.iter().find_map(|opaque| types.smallest(opaque.representation));
            let smallest = |of: TypeId| types.smallest(of).or_else(|| inside(of));
            let right = clauses.iter().find_map(|clause| smallest(*clause.accepts.get(index)?))?;
            let maker = FunctionName { module: *module, function: *function, arity: args.len() as u32 };
            self.returns_with(inputs, index, right)?.then_some(maker)
        })
    }

    /// Returns whether the unit returns if one argument is replaced by `other`.
    fn returns_with(&mut self, inputs: &Inputs, index: usize, other: Term) -> Option<bool> {
        let arguments: Vec<&Input<Variable>> = inputs.form.args.iter().filter(|arg| arg.is_argument()).collect();
        let arguments = arguments.into_iter().enumerate();
        let args = arguments.map(|(at, arg)| if at == index { Some(other.clone()) } else { self.made(inputs, arg) });
        let args = args.collect::<Option<Vec<Term>>>()?;
        let sample = self.executor.sample(self.unit.name(), &args, STEPS_OF_SAMPLE)?;
        Some(matches!(sample, Sample::Returned(_)))
    }

    /// Returns the value of data, or of a call that makes one.
    fn made(&mut self, inputs: &Inputs, input: &Input<Variable>) -> Option<Term> {
        match input {
            Input::Data(variable) => inputs.values.get(variable).cloned().filter(|term| !has_functions(term)),
            Input::Call { module, function, args } => {
                let args = args.iter().map(|arg| self.made(inputs, arg)).collect::<Option<Vec<_>>>()?;
                let name = FunctionName { module: *module, function: *function, arity: args.len() as u32 };
                match self.executor.sample(name, &args, STEPS_OF_SAMPLE)? {
                    Sample::Returned(made) => Some(made),
                    Sample::Raised => None,
                }
            }
            Input::Tuple(_) | Input::List(_) | Input::Map { .. } | Input::Process(_) | Input::Registered { .. } => None,
        }
    }

    /// Runs the unit while the executor watches it for `goal`. Returns what it observed.
    pub fn watched(&mut self, inputs: &Inputs, steps: u64, goal: Goal) -> (Watched, Recorder) {
        let data = inputs.data();
        let results = self.is_applied(inputs).then(|| self.results(inputs));
        let call = self.call(inputs, &data, results.as_deref(), steps);
        self.executor.watch(&call, inputs.written.as_ref(), goal)
    }

    fn call<'c>(&self, inputs: &'c Inputs, data: &'c [Term], applied: Option<&'c [TypeId]>, steps: u64) -> Call<'c>
    where
        'a: 'c,
    {
        let types = &self.unit.contract.types;
        let client = self.unit.contract.client.as_ref();
        Call { function: self.unit.name(), args: &inputs.form.args, data, types, applied, client, steps }
    }

    /// Judges the end of a run. `made` has the arguments that are not plain data.
    fn judge(&self, inputs: &Inputs, ended: CallEnd, made: &[Term]) -> Judged {
        let outcome = match ended {
            CallEnd::Plainly(outcome) => outcome,
            CallEnd::NotMade => return Judged::NotMade,
            CallEnd::RaisedByInput | CallEnd::LeftAlone { .. } => return Judged::Fine,
            CallEnd::Edge(_) if !self.unit.contract.declared => return Judged::Edge,
            CallEnd::Edge(raised) => Outcome::Raised(raised),
            CallEnd::WrongArity { is_declared: true, args } => {
                return Judged::Failed(Failure::Blame(Blame::Arity(args)));
            }
            CallEnd::WrongArity { is_declared: false, .. } => return Judged::Edge,
            CallEnd::Broken(broken) => {
                return Judged::Failed(match broken {
                    Broken::Domain { args } => Failure::Blame(Blame::Domain(args)),
                    Broken::Range { value } => Failure::Blame(Blame::Range(value)),
                    Broken::Result { result, function } => Failure::Spec { result, function },
                });
            }
        };
        // The player has already checked the results.
        if self.is_applied(inputs) && matches!(outcome, Outcome::Value(_)) {
            return Judged::Fine;
        }
        let judged = judge(self.unit, &inputs.args(made), outcome);
        // A result that a stranger answered is not the unit's own.
        let is_answer = |result: &Term| {
            let mut answers = inputs.form.args.iter().flat_map(Input::strangers).filter_map(|it| it.answer());
            answers.any(|answer| inputs.values.get(answer).is_some_and(|it| it == result))
        };
        match judged {
            Judged::Failed(Failure::Spec { result, .. }) if is_answer(&result) => Judged::Fine,
            judged => judged,
        }
    }
}

/// A source of samples, which runs functions to get them.
pub struct Sampler<'r, 'm>(RefCell<&'r mut Runner<'m>>);

impl<'r, 'm> Sampler<'r, 'm> {
    pub fn new(runner: &'r mut Runner<'m>) -> Sampler<'r, 'm> {
        Sampler(RefCell::new(runner))
    }
}

impl Learner for Sampler<'_, '_> {
    fn learn(&self, function: FunctionName, args: &[Term]) -> Option<Sample> {
        self.0.try_borrow_mut().ok()?.executor.sample(function, args, STEPS_OF_SAMPLE)
    }
}
