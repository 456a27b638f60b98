//! Function inputs written out: the functions that a run made, as trees that can be run without a search, reduced and
//! printed.

use crate::client::{Act, Scenario};
use crate::functions::Sort;
use crate::outcome::Class;
use formula::TypeId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::{FunctionName, Term};

/// The functions of an input, by the numbers that they have in its data (`term::Fun::Input`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    pub functions: Vec<Function>,
    /// How the result of the unit is applied, one application after the other.
    pub applications: Vec<Application>,
    /// The steps of the client, if the unit is a client.
    #[serde(default)]
    pub scenario: Option<Arc<Scenario>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    pub arity: u32,
    pub sort: Sort,
    pub is: Is,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Is {
    /// A function of its own, given by a table.
    Table(Arc<Table>),
    /// The function with that number in scope.
    InScope(u32),
}

/// A table from observations, which are tuples of values, to nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    pub entries: Vec<Entry>,
    /// The node for all other observations.
    pub otherwise: Option<Arc<FunctionNode>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub key: Term,
    /// For each function in the key, whether it comes into scope.
    pub given: Vec<bool>,
    pub node: Arc<FunctionNode>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FunctionNode {
    Answer(Term),
    Raise(Class, Term),
    /// Calls a function in scope.
    Probe {
        function: u32,
        args: Vec<Term>,
        /// The types of the arguments.
        params: Vec<TypeId>,
        returned: Arc<Table>,
        /// Maps the class and reason of an exception to a node. `None` if exceptions are not caught.
        raised: Option<Arc<Table>>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Application {
    /// The types of the arguments.
    pub params: Vec<TypeId>,
    /// The result that contains the function.
    pub result: Term,
    /// Index of the function among those in the result.
    pub function: u32,
    pub args: Vec<Term>,
}

impl Witness {
    /// Returns whether there is nothing but data: no functions, no applied results and no client.
    pub fn is_data(&self) -> bool {
        self.functions.is_empty() && self.applications.is_empty() && self.scenario.is_none()
    }

    /// Returns the invariant that the last step of a client has checked.
    pub fn broken_invariant(&self) -> Option<FunctionName> {
        match self.scenario.as_ref()?.steps.last()?.act {
            Act::Check { function, .. } => Some(function),
            Act::Call { .. }
            | Act::Apply { .. }
            | Act::Send { .. }
            | Act::Wait { .. }
            | Act::Bring
            | Act::Kill { .. } => None,
        }
    }

    /// Returns whether any of the functions calls another one.
    pub fn has_probes(&self) -> bool {
        let mut open: Vec<&Table> = Vec::new();
        for function in &self.functions {
            if let Is::Table(table) = &function.is {
                open.push(table);
            }
        }
        open.iter().any(|table| {
            let nodes = table.entries.iter().map(|entry| &entry.node).chain(&table.otherwise);
            nodes.into_iter().any(|node| matches!(**node, FunctionNode::Probe { .. }))
        })
    }
}
