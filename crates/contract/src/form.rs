//! The form of a run's inputs: which clause of the specification, which constructors, and where the data goes. All of
//! this is chosen, decision by decision, before the unit runs. The solver works on the data.

use crate::{Association, Constructor, Contract, Recipe};
use formula::{Assignment, TypeId, Types, Variable};
use path::{Event, Input, InputValue, Place, Site, Stranger, Value, Witness};
use std::sync::Arc;
use term::{Atom, Term};

/// One way to make the inputs.
#[derive(Debug)]
pub struct Form {
    pub clause: usize,
    /// The choices in the order in which they were made.
    pub choices: Vec<Choice>,
    pub args: Vec<Input<Variable>>,
    /// The declared types of the data, by the numbers of its variables.
    pub declared: Vec<TypeId>,
    /// A label for each piece of data. Equal labels in different forms denote the same piece.
    labels: Vec<Vec<u32>>,
    /// Whether there is a part for which no value can be made.
    pub is_impossible: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    pub chosen: u32,
    pub options: u32,
}

impl Form {
    /// Returns the form with these choices, and the first option for every further one. `names` are those under which
    /// the unit looks for processes that were not started.
    pub fn new(contract: &Contract, names: &[Atom], chosen: &[u32]) -> Form {
        let mut form = Form {
            clause: 0,
            choices: Vec::new(),
            args: Vec::new(),
            declared: Vec::new(),
            labels: Vec::new(),
            is_impossible: false,
        };
        let mut builder = Builder { form: &mut form, types: &contract.types, chosen, processes: 0 };
        let clause = builder.choose(contract.clauses.len());
        let params = contract.clauses.get(clause).and_then(|clause| clause.params.as_deref());
        let mut args = builder.inputs(params.unwrap_or_default(), &[]);
        let registered = |(index, name): (usize, &Atom)| builder.registered(*name, index as u32);
        args.extend(names.iter().enumerate().filter_map(registered));
        form.is_impossible |= params.is_none();
        form.clause = clause;
        form.args = args;
        form
    }

    /// Returns the choices as the first decisions of a path.
    pub fn events(&self) -> Vec<Event> {
        let event = |(index, choice): (usize, &Choice)| Event::Choice {
            site: Site { place: Place::Input(index as u32), part: 0 },
            chosen: choice.chosen,
            options: choice.options,
            probes: 0..0,
        };
        self.choices.iter().enumerate().map(event).collect()
    }

    pub fn chosen(&self) -> Vec<u32> {
        self.choices.iter().map(|choice| choice.chosen).collect()
    }

    /// Returns whether all arguments are plain data.
    pub fn is_plain(&self) -> bool {
        self.args.iter().all(|arg| arg.as_data().is_some())
    }

    /// Returns the smallest data of the declared types, except for pieces that another input has as well: their values
    /// are kept.
    pub fn values(&self, types: &Types, other: Option<(&Form, &Assignment)>) -> Option<Assignment> {
        let kept = |label: &Vec<u32>, of: TypeId| {
            let (form, values) = other?;
            let places = form.labels.iter().zip(&form.declared);
            let index = places.into_iter().position(|(other, declared)| other == label && *declared == of)?;
            values.get(&Variable(index as u32)).cloned()
        };
        let value = |(index, (label, of)): (usize, (&Vec<u32>, &TypeId))| {
            Some((Variable(index as u32), kept(label, *of).or_else(|| types.smallest(*of))?))
        };
        self.labels.iter().zip(&self.declared).enumerate().map(value).collect()
    }

    /// Returns the given arguments as data of this form, if they have its types.
    pub fn values_of(&self, types: &Types, args: &[Term]) -> Option<Assignment> {
        let value = |(input, term): (&Input<Variable>, &Term)| {
            let variable = *input.as_data()?;
            self.contains(types, variable, term).then(|| (variable, term.clone()))
        };
        (args.len() == self.args.len()).then(|| self.args.iter().zip(args).map(value).collect()).flatten()
    }

    pub fn contains(&self, types: &Types, variable: Variable, term: &Term) -> bool {
        self.declared.get(variable.0 as usize).is_some_and(|of| types.contains(*of, term))
    }

    /// Returns the inputs with these values. `written` has the functions whose numbers occur in the data.
    pub fn inputs(&self, values: &Assignment, written: Option<&Arc<Witness>>) -> Vec<InputValue> {
        let mut value = |variable: &Variable| Value::new(values.get(variable).cloned().unwrap_or(Term::Nil), written);
        self.args.iter().map(|input| input.map(&mut value)).collect()
    }

    /// Returns the data in the order of its variables.
    pub fn data(&self, values: &Assignment) -> Vec<Term> {
        let value = |index| values.get(&Variable(index)).cloned().unwrap_or(Term::Nil);
        (0..self.declared.len() as u32).map(value).collect()
    }
}

struct Builder<'a> {
    form: &'a mut Form,
    types: &'a Types,
    chosen: &'a [u32],
    /// The number of earlier processes that another one could be identical to.
    processes: usize,
}

impl Builder<'_> {
    /// Returns the next choice. With a single option, no choice is recorded.
    fn choose(&mut self, options: usize) -> usize {
        if options < 2 {
            return 0;
        }
        let chosen = self.chosen.get(self.form.choices.len()).copied().unwrap_or(0);
        self.form.choices.push(Choice { chosen, options: options as u32 });
        chosen as usize
    }

    fn inputs(&mut self, recipes: &[Recipe], label: &[u32]) -> Vec<Input<Variable>> {
        let below = |index: usize| [label, &[index as u32]].concat();
        recipes.iter().enumerate().map(|(index, recipe)| self.input(recipe, &below(index))).collect()
    }

    fn input(&mut self, recipe: &Recipe, label: &[u32]) -> Input<Variable> {
        match recipe {
            Recipe::Data(of) => Input::Data(self.leaf(*of, label)),
            Recipe::Made(constructors) => {
                let chosen = self.choose(constructors.len());
                match constructors.get(chosen) {
                    Some(Constructor { module, function, args }) => {
                        let args = self.inputs(args, &[label, &[chosen as u32]].concat());
                        Input::Call { module: *module, function: *function, args }
                    }
                    None => self.nothing(),
                }
            }
            Recipe::Tuple(parts) => Input::Tuple(self.inputs(parts, label)),
            Recipe::List(parts) => Input::List(self.inputs(parts, label)),
            Recipe::Map { others, fields } => Input::Map {
                others: self.leaf(*others, label),
                fields: fields
                    .iter()
                    .enumerate()
                    .filter_map(|(index, field)| self.association(field, &[label, &[index as u32]].concat()))
                    .collect(),
            },
            Recipe::Process => Input::Process(self.process(label)),
            Recipe::OneOf(options) => {
                let chosen = self.choose(options.len());
                match options.get(chosen) {
                    Some(recipe) => self.input(recipe, &[label, &[chosen as u32]].concat()),
                    None => self.nothing(),
                }
            }
        }
    }

    /// Chooses a process. The options to be the same as an earlier process, or the caller, come last.
    fn process(&mut self, label: &[u32]) -> Stranger<Variable> {
        let mut kinds = vec![Stranger::Idle, Stranger::Answering(()), Stranger::Ended, Stranger::Replying(())];
        let own = kinds.len();
        kinds.extend((self.processes > 0).then_some(Stranger::Same));
        kinds.push(Stranger::Caller);
        let chosen = self.choose(kinds.len());
        self.processes += usize::from(chosen < own);
        let kind = kinds.get(chosen).unwrap_or(&Stranger::Idle);
        kind.map(&mut |()| self.leaf(Types::ANY, label))
    }

    /// Returns the process that is registered under the name, or `None` if the choice is that there is none.
    fn registered(&mut self, name: Atom, number: u32) -> Option<Input<Variable>> {
        let kinds = [Stranger::Idle, Stranger::Answering(()), Stranger::Replying(())];
        let kind = kinds.get(self.choose(1 + kinds.len()).checked_sub(1)?)?;
        let process = kind.map(&mut |()| self.leaf(Types::ANY, &[u32::MAX, number]));
        Some(Input::Registered { name, process })
    }

    fn association(&mut self, field: &Association, label: &[u32]) -> Option<(Input<Variable>, Input<Variable>)> {
        let is_there = field.required || self.choose(2) == 1;
        is_there.then(|| {
            let key = self.input(&field.key, &[label, &[0]].concat());
            (key, self.input(&field.value, &[label, &[1]].concat()))
        })
    }

    fn leaf(&mut self, of: TypeId, label: &[u32]) -> Variable {
        self.form.is_impossible |= self.types.smallest(of).is_none();
        self.form.declared.push(of);
        self.form.labels.push(label.to_vec());
        Variable(self.form.declared.len() as u32 - 1)
    }

    fn nothing(&mut self) -> Input<Variable> {
        self.form.is_impossible = true;
        Input::List(Vec::new())
    }
}
