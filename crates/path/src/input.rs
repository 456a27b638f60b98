//! Inputs as trees: data, and structures and calls of constructors over it.

use crate::functions::has_functions;
use crate::witness::Witness;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::{Atom, Term};

/// An argument of a unit. Its leaves are variables when a run is planned, and values when it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Input<Leaf> {
    Data(Leaf),
    /// A value of an opaque type, made by this call.
    Call {
        module: Atom,
        function: Atom,
        args: Vec<Input<Leaf>>,
    },
    /// Structures with values of opaque types in them.
    Tuple(Vec<Input<Leaf>>),
    List(Vec<Input<Leaf>>),
    /// `others` with these keys put into it.
    Map {
        others: Leaf,
        fields: Vec<(Input<Leaf>, Input<Leaf>)>,
    },
    Process(Stranger<Leaf>),
    /// A process that is registered under this name. It follows the arguments in the list of inputs, but is not passed
    /// to the unit.
    Registered {
        name: Atom,
        process: Stranger<Leaf>,
    },
}

/// A process of which nothing is known and that is not part of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stranger<Leaf> {
    /// It does nothing.
    Idle,
    /// It has ended.
    Ended,
    /// It answers every call of a server with this.
    Answering(Leaf),
    /// It sends this to every process that is named in a message, together with the reference in the message or its own
    /// name.
    Replying(Leaf),
    /// It is the first process among the inputs.
    Same,
    /// It is the process that calls.
    Caller,
}

impl<Leaf> Stranger<Leaf> {
    /// Returns the value that it answers with, if it answers.
    pub fn answer(&self) -> Option<&Leaf> {
        match self {
            Stranger::Answering(leaf) | Stranger::Replying(leaf) => Some(leaf),
            Stranger::Idle | Stranger::Ended | Stranger::Same | Stranger::Caller => None,
        }
    }

    pub fn map<Other>(&self, change: &mut dyn FnMut(&Leaf) -> Other) -> Stranger<Other> {
        match self {
            Stranger::Idle => Stranger::Idle,
            Stranger::Ended => Stranger::Ended,
            Stranger::Answering(leaf) => Stranger::Answering(change(leaf)),
            Stranger::Replying(leaf) => Stranger::Replying(change(leaf)),
            Stranger::Same => Stranger::Same,
            Stranger::Caller => Stranger::Caller,
        }
    }
}

/// An input as the user would write it.
pub type InputValue = Input<Value>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    pub data: Term,
    /// The functions in the data, by their numbers.
    pub functions: Option<Arc<Witness>>,
}

impl Value {
    /// Returns a value whose functions are written out.
    pub fn new(data: Term, written: Option<&Arc<Witness>>) -> Value {
        let functions = written.filter(|_| has_functions(&data)).cloned();
        Value { data, functions }
    }
}

impl From<Term> for Value {
    fn from(data: Term) -> Value {
        Value { data, functions: None }
    }
}

impl From<Term> for InputValue {
    fn from(data: Term) -> InputValue {
        Input::Data(data.into())
    }
}

impl<Leaf> Input<Leaf> {
    /// Returns the data, if the input is plain data.
    pub fn as_data(&self) -> Option<&Leaf> {
        match self {
            Input::Data(leaf) => Some(leaf),
            Input::Call { .. }
            | Input::Tuple(_)
            | Input::List(_)
            | Input::Map { .. }
            | Input::Process(_)
            | Input::Registered { .. } => None,
        }
    }

    /// Returns whether the input is passed to the unit.
    pub fn is_argument(&self) -> bool {
        !matches!(self, Input::Registered { .. })
    }

    /// Returns the strangers in the input, from left to right.
    pub fn strangers(&self) -> Vec<&Stranger<Leaf>> {
        let mut strangers = Vec::new();
        let mut open = vec![self];
        while let Some(input) = open.pop() {
            match input {
                Input::Process(stranger) | Input::Registered { process: stranger, .. } => strangers.push(stranger),
                Input::Data(_) => {}
                Input::Call { args: parts, .. } | Input::Tuple(parts) | Input::List(parts) => {
                    open.extend(parts.iter().rev());
                }
                Input::Map { fields, .. } => open.extend(fields.iter().rev().flat_map(|(key, value)| [value, key])),
            }
        }
        strangers
    }

    fn processes_mut<'i>(&'i mut self, found: &mut Vec<&'i mut Stranger<Leaf>>) {
        match self {
            Input::Process(stranger) => found.push(stranger),
            Input::Data(_) | Input::Registered { .. } => {}
            Input::Call { args: parts, .. } | Input::Tuple(parts) | Input::List(parts) => {
                parts.iter_mut().for_each(|part| part.processes_mut(found));
            }
            Input::Map { fields, .. } => fields.iter_mut().for_each(|(key, value)| {
                key.processes_mut(found);
                value.processes_mut(found);
            }),
        }
    }

    /// Takes the first process out of the inputs if another input is the same process. Afterwards all of them are
    /// [`Stranger::Same`].
    pub fn share_process(inputs: &mut [Input<Leaf>]) -> Option<Stranger<Leaf>> {
        let mut processes = Vec::new();
        inputs.iter_mut().for_each(|input| input.processes_mut(&mut processes));
        let is_same = |process: &Stranger<Leaf>| matches!(process, Stranger::Same);
        if !processes.iter().any(|process| is_same(process)) {
            return None;
        }
        let can_be_shared = |process: &Stranger<Leaf>| match process {
            Stranger::Idle | Stranger::Ended | Stranger::Answering(_) | Stranger::Replying(_) => true,
            Stranger::Same | Stranger::Caller => false,
        };
        let first = processes.into_iter().find(|process| can_be_shared(process))?;
        Some(std::mem::replace(first, Stranger::Same))
    }

    /// Returns the same tree with other leaves.
    pub fn map<Other>(&self, change: &mut dyn FnMut(&Leaf) -> Other) -> Input<Other> {
        match self {
            Input::Data(leaf) => Input::Data(change(leaf)),
            Input::Call { module, function, args } => {
                Input::Call { module: *module, function: *function, args: map_all(args, change) }
            }
            Input::Tuple(parts) => Input::Tuple(map_all(parts, change)),
            Input::List(items) => Input::List(map_all(items, change)),
            Input::Map { others, fields } => {
                let others = change(others);
                let field = |(key, value): &(Input<Leaf>, Input<Leaf>)| (key.map(change), value.map(change));
                Input::Map { others, fields: fields.iter().map(field).collect() }
            }
            Input::Process(stranger) => Input::Process(stranger.map(change)),
            Input::Registered { name, process } => Input::Registered { name: *name, process: process.map(change) },
        }
    }

    /// Returns all leaves, from left to right.
    pub fn leaves(&self) -> Vec<&Leaf> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(input) = open.pop() {
            match input {
                Input::Data(leaf) => leaves.push(leaf),
                Input::Call { args: parts, .. } | Input::Tuple(parts) | Input::List(parts) => {
                    open.extend(parts.iter().rev());
                }
                Input::Process(process) | Input::Registered { process, .. } => leaves.extend(process.answer()),
                Input::Map { others, fields } => {
                    leaves.push(others);
                    open.extend(fields.iter().rev().flat_map(|(key, value)| [value, key]));
                }
            }
        }
        leaves
    }
}

fn map_all<Leaf, Other>(inputs: &[Input<Leaf>], change: &mut dyn FnMut(&Leaf) -> Other) -> Vec<Input<Other>> {
    inputs.iter().map(|input| input.map(change)).collect()
}
