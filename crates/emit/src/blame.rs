//! Functions that refuse the calls that a finding blames, and nothing else.
//!
//! The functions that a report prints for `blame` refuse everything that the finding did not show: they are meant to be
//! pasted and examined. In a test, they would blame a fixed unit, too, which may call its function with other arguments
//! or pass it another function. So the functions here refuse exactly what was wrong, and answer everything else.

use formula::{TypeId, Types};
use path::{Class, Entry, Function, FunctionNode, Is, Table, Value, Witness, has_functions};
use search::{Blame, Finding};
use std::sync::Arc;
use term::Term;

/// Returns the finding with such functions.
pub fn refusing(finding: &Finding, blame: &Blame, types: &Types) -> Finding {
    let functions = Arc::new(Refusal { blame, types }.witness(&finding.functions));
    let mut with = |value: &Value| Value {
        data: value.data.clone(),
        functions: value.functions.as_ref().map(|_| Arc::clone(&functions)),
    };
    let inputs = finding.inputs.iter().map(|input| input.map(&mut with)).collect();
    Finding { inputs, functions, ..finding.clone() }
}

struct Refusal<'a> {
    blame: &'a Blame,
    types: &'a Types,
}

impl Refusal<'_> {
    fn witness(&self, witness: &Witness) -> Witness {
        let functions = witness.functions.iter().map(|function| self.function(function)).collect();
        Witness { functions, ..witness.clone() }
    }

    fn function(&self, function: &Function) -> Function {
        let Is::Table(table) = &function.is else { return function.clone() };
        let result = function.sort.result;
        let table = match self.blame {
            Blame::Domain(args) if function.sort.params.is_some() && function.arity as usize == args.len() => {
                self.refuse(table, Term::tuple(args.clone()), "outside_domain", result)
            }
            // A call with too many or too few arguments fails by itself.
            Blame::Domain(_) | Blame::Arity(_) => (**table).clone(),
            Blame::Range(value) => self.in_probes(table, value, result),
        };
        Function { is: Is::Table(Arc::new(table)), ..function.clone() }
    }

    /// Adds a refused key to a table. All other keys are answered like most of those that were seen, or with the
    /// smallest value.
    fn refuse(&self, table: &Table, key: Term, tag: &str, result: TypeId) -> Table {
        let refused =
            Entry { key, given: Vec::new(), node: Arc::new(FunctionNode::Raise(Class::Error, Term::atom(tag))) };
        let others = table.entries.iter().filter(|entry| entry.key != refused.key).cloned();
        let answers = table.entries.iter().rev().map(|entry| &entry.node);
        let plain = answers.filter(|node| matches!(&***node, FunctionNode::Answer(value) if !has_functions(value)));
        let usual = table.otherwise.iter().chain(plain).next().cloned();
        let smallest = || self.types.smallest(result).filter(|value| !has_functions(value));
        let otherwise = usual.or_else(|| smallest().map(|value| Arc::new(FunctionNode::Answer(value))));
        let undefined = || Arc::new(FunctionNode::Answer(Term::atom("undefined")));
        Table {
            entries: std::iter::once(refused.clone()).chain(others).collect(),
            otherwise: Some(otherwise.unwrap_or_else(undefined)),
        }
    }

    /// Refuses `value` where a function returns it.
    fn in_probes(&self, table: &Table, value: &Term, result: TypeId) -> Table {
        let node = |node: &Arc<FunctionNode>| match &**node {
            FunctionNode::Probe { function, args, params, returned, raised } => {
                let returned = self.in_probes(returned, value, result);
                let returned = self.refuse(&returned, Term::tuple([value.clone()]), "outside_range", result);
                Arc::new(FunctionNode::Probe {
                    function: *function,
                    args: args.clone(),
                    params: params.clone(),
                    returned: Arc::new(returned),
                    raised: raised.as_ref().map(|raised| Arc::new(self.in_probes(raised, value, result))),
                })
            }
            FunctionNode::Answer(_) | FunctionNode::Raise(..) => Arc::clone(node),
        };
        let entries = table.entries.iter().map(|entry| Entry { node: node(&entry.node), ..entry.clone() });
        Table { entries: entries.collect(), otherwise: table.otherwise.as_ref().map(node) }
    }
}
