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
    /// A value of an opaque type, by the call that makes it.
    Call {
        module: Atom,
        function: Atom,
        args: Vec<Input<Leaf>>,
    },
    /// Structures with such values in them.
    Tuple(Vec<Input<Leaf>>),
    List(Vec<Input<Leaf>>),
    /// `others` with these keys put into it.
    Map {
        others: Leaf,
        fields: Vec<(Input<Leaf>, Input<Leaf>)>,
    },
    Process(Stranger<Leaf>),
}

/// A process of somebody else, of which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stranger<Leaf> {
    /// It does nothing.
    Idle,
    /// It is no more.
    Ended,
    /// It answers every question with this.
    Answering(Leaf),
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
    /// A value whose functions are written out.
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
    /// The data, if the input is plain data.
    pub fn as_data(&self) -> Option<&Leaf> {
        match self {
            Input::Data(leaf) => Some(leaf),
            Input::Call { .. } | Input::Tuple(_) | Input::List(_) | Input::Map { .. } | Input::Process(_) => None,
        }
    }

    /// Whether a process of somebody else is in it.
    pub fn has_strangers(&self) -> bool {
        match self {
            Input::Process(_) => true,
            Input::Data(_) => false,
            Input::Call { args: parts, .. } | Input::Tuple(parts) | Input::List(parts) => {
                parts.iter().any(Input::has_strangers)
            }
            Input::Map { fields, .. } => fields.iter().any(|(key, value)| key.has_strangers() || value.has_strangers()),
        }
    }

    /// The same tree with other leaves.
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
            Input::Process(stranger) => Input::Process(match stranger {
                Stranger::Idle => Stranger::Idle,
                Stranger::Ended => Stranger::Ended,
                Stranger::Answering(leaf) => Stranger::Answering(change(leaf)),
            }),
        }
    }

    /// All leaves, from left to right.
    pub fn leaves(&self) -> Vec<&Leaf> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(input) = open.pop() {
            match input {
                Input::Data(leaf) => leaves.push(leaf),
                Input::Call { args: parts, .. } | Input::Tuple(parts) | Input::List(parts) => {
                    open.extend(parts.iter().rev());
                }
                Input::Process(Stranger::Answering(leaf)) => leaves.push(leaf),
                Input::Process(Stranger::Idle | Stranger::Ended) => {}
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
