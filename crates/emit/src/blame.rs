//! Functions that refuse what they should not have been given, and nothing else.
//!
//! What a report prints for `blame` refuses whatever the finding did not show: it is to be pasted and looked at. In
//! a test that would blame a mended unit, too, which may call its function with other arguments or hand it another
//! function. So here exactly what was wrong is refused, and all else is answered.

use formula::{TypeId, Types};
use interaction::{Entry, Function, Is, Node, Table, Witness, has_functions};
use machine::Class;
use search::{Blame, Finding, InputValue};
use std::sync::Arc;
use term::Term;

/// The finding with such functions.
pub fn refusing(finding: &Finding, blame: &Blame, types: &Types) -> Finding {
    let functions = Arc::new(Refusal { blame, types }.witness(&finding.functions));
    let inputs = finding.inputs.iter().map(|input| with_functions(input, &functions)).collect();
    Finding { inputs, functions, ..finding.clone() }
}

fn with_functions(input: &InputValue, functions: &Arc<Witness>) -> InputValue {
    let all = |inputs: &[InputValue]| inputs.iter().map(|input| with_functions(input, functions)).collect();
    match input {
        InputValue::Data(_) => input.clone(),
        InputValue::Functional { data, .. } => {
            InputValue::Functional { data: data.clone(), functions: Arc::clone(functions) }
        }
        InputValue::Call { module, function, args } => {
            InputValue::Call { module: *module, function: *function, args: all(args) }
        }
        InputValue::Tuple(parts) => InputValue::Tuple(all(parts)),
        InputValue::List(parts) => InputValue::List(all(parts)),
        InputValue::Map { others, fields } => {
            let field = |(key, value): &(InputValue, InputValue)| {
                (with_functions(key, functions), with_functions(value, functions))
            };
            InputValue::Map { others: others.clone(), fields: fields.iter().map(field).collect() }
        }
    }
}

struct Refusal<'a> {
    blame: &'a Blame,
    types: &'a Types,
}

impl Refusal<'_> {
    fn witness(&self, witness: &Witness) -> Witness {
        let functions = witness.functions.iter().map(|function| self.function(function)).collect();
        Witness { functions, applications: witness.applications.clone() }
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

    /// All else is answered as most of what was seen, or with the smallest value.
    fn refuse(&self, table: &Table, key: Term, tag: &str, result: TypeId) -> Table {
        let refused = Entry { key, given: Vec::new(), node: Arc::new(Node::Raise(Class::Error, Term::atom(tag))) };
        let others = table.entries.iter().filter(|entry| entry.key != refused.key).cloned();
        let answers = table.entries.iter().rev().map(|entry| &entry.node);
        let plain = answers.filter(|node| matches!(&***node, Node::Answer(value) if !has_functions(value)));
        let usual = table.otherwise.iter().chain(plain).next().cloned();
        let smallest = || self.types.smallest(result).filter(|value| !has_functions(value));
        let otherwise = usual.or_else(|| smallest().map(|value| Arc::new(Node::Answer(value))));
        let undefined = || Arc::new(Node::Answer(Term::atom("undefined")));
        Table {
            entries: std::iter::once(refused.clone()).chain(others).collect(),
            otherwise: Some(otherwise.unwrap_or_else(undefined)),
        }
    }

    /// `value` is refused where a function returns it.
    fn in_probes(&self, table: &Table, value: &Term, result: TypeId) -> Table {
        let node = |node: &Arc<Node>| match &**node {
            Node::Probe { function, args, params, returned, raised } => {
                let returned = self.in_probes(returned, value, result);
                let returned = self.refuse(&returned, Term::tuple([value.clone()]), "outside_range", result);
                Arc::new(Node::Probe {
                    function: *function,
                    args: args.clone(),
                    params: params.clone(),
                    returned: Arc::new(returned),
                    raised: raised.as_ref().map(|raised| Arc::new(self.in_probes(raised, value, result))),
                })
            }
            Node::Answer(_) | Node::Raise(..) => Arc::clone(node),
        };
        let entries = table.entries.iter().map(|entry| Entry { node: node(&entry.node), ..entry.clone() });
        Table { entries: entries.collect(), otherwise: table.otherwise.as_ref().map(node) }
    }
}
