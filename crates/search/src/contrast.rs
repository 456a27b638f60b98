//! Finds out whether a failure concerns an alternative of a declared union: the call fails in the same way with other
//! values of the same alternative, and returns with a value of another one.
//!
//! Such a failure says more than that of a single value: the specification allows something that the code does not
//! take. An alternative that another run takes, combined with other values, is not refused: [`Returned`] remembers
//! those.

use crate::Failure;
use crate::judge::{Judged, Key};
use crate::runner::{Inputs, Runner};
use crate::simplify::smallest;
use formula::{Alternative, TypeId, Types, Variable};
use path::has_functions;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::Term;

/// The maximum number of runs for one finding.
const MOST_RUNS: usize = 32;
/// The maximum number of values that are tried for another alternative.
const MOST_OTHERS: usize = 2;
/// The maximum number of runs whose arguments are remembered.
const MOST_REMEMBERED: u32 = 5_000;

/// A kind of argument that a type declares and a function does not take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusedKind {
    pub kind: ArgumentKind,
    /// A value of another kind with which the same call returns.
    pub taken: Term,
}

impl RefusedKind {
    /// Returns the only value of the kind, if there is only one.
    pub fn only_value(&self) -> Option<Term> {
        match self.kind.alternative {
            Alternative::Atom(atom) => Some(Term::Atom(atom)),
            Alternative::Integers
            | Alternative::Floats
            | Alternative::Atoms
            | Alternative::Lists
            | Alternative::Tuple(_)
            | Alternative::Map(_)
            | Alternative::Bits => None,
        }
    }
}

/// An alternative of the declared type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentKind {
    /// The index of the argument, counted from 0.
    pub argument: usize,
    pub of: TypeId,
    pub alternative: Alternative,
}

/// The alternatives of arguments with which runs have returned.
#[derive(Default)]
pub struct Returned {
    kinds: Vec<ArgumentKind>,
    runs: u32,
}

impl Returned {
    pub fn remember(&mut self, types: &Types, inputs: &Inputs) {
        self.runs += 1;
        if self.runs > MOST_REMEMBERED {
            return;
        }
        for (argument, variable) in pieces(inputs) {
            let declared = inputs.form.declared.get(variable.0 as usize).copied();
            let Some((of, value)) = declared.zip(inputs.values.get(&variable)) else { continue };
            let alternative = types.alternative_of(of, value);
            let kind = alternative.map(|alternative| ArgumentKind { argument, of, alternative });
            self.kinds.extend(kind.filter(|kind| !self.kinds.contains(kind)));
        }
    }

    pub fn into_kinds(self) -> Vec<ArgumentKind> {
        self.kinds
    }
}

/// Returns the arguments that are data, with their indices.
fn pieces(inputs: &Inputs) -> impl Iterator<Item = (usize, Variable)> {
    let arguments = inputs.form.args.iter().filter(|arg| arg.is_argument()).enumerate();
    arguments.filter_map(|(index, arg)| arg.as_data().map(|variable| (index, *variable)))
}

struct Contrast<'a, 'm> {
    runner: &'a mut Runner<'m>,
    inputs: &'a Inputs,
    key: Key,
    steps: u64,
    runs: usize,
}

/// Returns the alternative that a crash refuses while others are taken, if there is one.
pub fn refused_kind(runner: &mut Runner<'_>, inputs: &Inputs, failure: &Failure, steps: u64) -> Option<RefusedKind> {
    let is_data = inputs.written.as_ref().is_none_or(|written| written.is_data());
    if !matches!(failure, Failure::Crash(_)) || !is_data {
        return None;
    }
    let key = Key::of_inputs(failure, runner.unit, inputs);
    let types = Arc::clone(&runner.unit.contract.types);
    let mut contrast = Contrast { runner, inputs, key, steps, runs: MOST_RUNS };
    pieces(inputs).find_map(|(argument, variable)| contrast.contrast(&types, argument, variable))
}

impl Contrast<'_, '_> {
    /// Compares the alternatives of one piece of data.
    fn contrast(&mut self, types: &Types, argument: usize, variable: Variable) -> Option<RefusedKind> {
        let of = *self.inputs.form.declared.get(variable.0 as usize)?;
        let value = self.inputs.values.get(&variable)?.clone();
        let alternatives = types.alternatives(of);
        let own = types.alternative_of(of, &value).filter(|_| alternatives.len() > 1)?;
        let taken = self.taken(types, variable, alternatives.into_iter().filter(|other| *other != own))?;
        let mut same = types.examples(of, own);
        same.retain(|example| *example != value && !has_functions(example));
        // An atom that the type names is the only value of its alternative, so it is refused if the call also fails
        // with other values for the rest.
        let is_refused = match own {
            Alternative::Atom(_) => self.fails(self.alone(types, variable))?,
            _ => {
                let mut all = !same.is_empty();
                for example in same {
                    all = all && self.fails(self.inputs.with(variable, example))?;
                }
                all
            }
        };
        is_refused.then_some(RefusedKind { kind: ArgumentKind { argument, of, alternative: own }, taken })
    }

    /// Returns a value of one of these alternatives with which the call returns.
    fn taken(&mut self, types: &Types, variable: Variable, others: impl Iterator<Item = Alternative>) -> Option<Term> {
        let of = *self.inputs.form.declared.get(variable.0 as usize)?;
        for other in others {
            let mut examples = types.examples(of, other);
            examples.retain(|example| !has_functions(example));
            for example in examples.into_iter().take(MOST_OTHERS) {
                if matches!(self.judged(&self.inputs.with(variable, example.clone()))?, Judged::Fine) {
                    return Some(example);
                }
            }
        }
        None
    }

    /// Returns inputs that keep one piece of data and have the smallest values for all others.
    fn alone(&self, types: &Types, variable: Variable) -> Inputs {
        let mut inputs = self.inputs.clone();
        for (index, of) in self.inputs.form.declared.iter().enumerate() {
            let other = Variable(index as u32);
            if let Some(smallest) = smallest(types, *of).filter(|_| other != variable) {
                inputs = inputs.with(other, smallest);
            }
        }
        inputs
    }

    /// Returns whether inputs show the same failure.
    fn fails(&mut self, inputs: Inputs) -> Option<bool> {
        let judged = self.judged(&inputs)?;
        let Judged::Failed(failure) = judged else { return Some(false) };
        Some(Key::of_inputs(&failure, self.runner.unit, &inputs) == self.key)
    }

    fn judged(&mut self, inputs: &Inputs) -> Option<Judged> {
        self.runs = self.runs.checked_sub(1)?;
        Some(self.runner.judged(inputs, self.steps).judged)
    }
}
