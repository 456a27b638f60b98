//! Finds simpler functions in the place of functions, as long as a test accepts them: fewer probes, fewer entries of
//! tables, smaller answers.

use crate::scenario::simpler_scenario;
use crate::shrink::shrink;
use formula::{TypeId, Types};
use path::{Application, Function, FunctionNode, Is, Table, Witness, has_functions};
use std::sync::Arc;
use term::Term;

/// A test that returns whether it accepts the functions, or `None` if enough was tried.
pub type Test<'a> = dyn FnMut(Witness) -> Option<bool> + 'a;

/// Tries simpler functions, one change at a time. The test has seen those that it accepted.
pub fn simplify(witness: &Witness, types: &Types, test: &mut Test<'_>) -> Option<()> {
    let mut best = simpler_scenario(witness.clone(), types, test)?;
    while let Some(last) = best.applications.last() {
        let mut fewer = best.clone();
        if fewer.applications.pop().is_none_or(|popped| popped != *last) || !test(fewer.clone())? {
            break;
        }
        best = fewer;
    }
    for number in 0..best.applications.len() {
        let Application { args, params, .. } = best.applications[number].clone();
        let args = simpler_args(args, &params, types, &mut |args| {
            let mut changed = best.clone();
            changed.applications[number].args = args;
            test(changed)
        })?;
        best.applications[number].args = args;
    }
    for number in 0..best.functions.len() {
        let Function { is, sort, .. } = best.functions[number].clone();
        let Is::Table(table) = is else { continue };
        let mut with = |table: Table| {
            let mut changed = best.clone();
            changed.functions[number].is = Is::Table(Arc::new(table));
            test(changed)
        };
        let constant = constant(types, sort.result);
        let simplest = match constant {
            Some(constant) if constant != *table && with(constant.clone())? => constant,
            _ => simpler_table(&table, sort.result, types, &mut with)?,
        };
        best.functions[number].is = Is::Table(Arc::new(simplest));
    }
    Some(())
}

/// Returns the smallest value of a type, unless it contains functions: these would differ from those that the numbers
/// in the data mean.
pub fn smallest(types: &Types, of: TypeId) -> Option<Term> {
    types.smallest(of).filter(|smallest| !has_functions(smallest))
}

/// Returns a table that gives the same smallest answer for everything.
fn constant(types: &Types, of: TypeId) -> Option<Table> {
    let answer = FunctionNode::Answer(smallest(types, of)?);
    Some(Table { entries: Vec::new(), otherwise: Some(Arc::new(answer)) })
}

fn simpler_table(
    table: &Table,
    of: TypeId,
    types: &Types,
    test: &mut dyn FnMut(Table) -> Option<bool>,
) -> Option<Table> {
    let mut best = table.clone();
    for index in (0..best.entries.len()).rev() {
        let mut fewer = best.clone();
        fewer.entries.remove(index);
        if test(fewer.clone())? {
            best = fewer;
        }
    }
    for index in 0..best.entries.len() {
        let with = |node: &Arc<FunctionNode>| {
            let mut changed = best.clone();
            changed.entries[index].node = Arc::clone(node);
            changed
        };
        let own = Arc::clone(&best.entries[index].node);
        // An entry that equals another one needs no clause of its own.
        let others: Vec<Arc<FunctionNode>> = best.entries.iter().map(|entry| Arc::clone(&entry.node)).collect();
        let mut alike = None;
        for other in others.iter().filter(|other| ***other != *own) {
            if alike.is_none() && test(with(other))? {
                alike = Some(Arc::clone(other));
            }
        }
        let node = match alike {
            Some(other) => other,
            None => Arc::new(simpler_node(&own, of, types, &mut |node| test(with(&Arc::new(node))))?),
        };
        best = with(&node);
    }
    if let Some(otherwise) = best.otherwise.clone() {
        let with = |node: FunctionNode| Table { entries: best.entries.clone(), otherwise: Some(Arc::new(node)) };
        let node = simpler_node(&otherwise, of, types, &mut |node| test(with(node)))?;
        best = with(node);
    }
    Some(best)
}

fn simpler_node(
    node: &FunctionNode,
    of: TypeId,
    types: &Types,
    test: &mut dyn FnMut(FunctionNode) -> Option<bool>,
) -> Option<FunctionNode> {
    if let Some(smallest) = smallest(types, of).map(FunctionNode::Answer)
        && smallest != *node
        && test(smallest.clone())?
    {
        return Some(smallest);
    }
    match node {
        FunctionNode::Answer(value) => {
            let simpler = shrink(value, &mut |term: &Term| match types.contains(of, term) {
                true => test(FunctionNode::Answer(term.clone())),
                false => Some(false),
            })?;
            Some(FunctionNode::Answer(simpler))
        }
        FunctionNode::Raise(class, reason) => {
            let simpler = shrink(reason, &mut |term: &Term| test(FunctionNode::Raise(*class, term.clone())))?;
            Some(FunctionNode::Raise(*class, simpler))
        }
        FunctionNode::Probe { function, args, params, returned, raised } => {
            let behind = returned.entries.iter().chain(raised.iter().flat_map(|raised| &raised.entries));
            for entry in behind {
                if test((*entry.node).clone())? {
                    return simpler_node(&entry.node, of, types, test);
                }
            }
            let probe = |args: &[Term], returned: &Arc<Table>, raised: &Option<Arc<Table>>| FunctionNode::Probe {
                function: *function,
                args: args.to_vec(),
                params: params.clone(),
                returned: Arc::clone(returned),
                raised: raised.clone(),
            };
            let raised = match raised {
                Some(_) if test(probe(args, returned, &None))? => None,
                raised => raised.clone(),
            };
            let args = simpler_args(args.clone(), params, types, &mut |args| test(probe(&args, returned, &raised)))?;
            let returned =
                simpler_table(returned, of, types, &mut |table| test(probe(&args, &Arc::new(table), &raised)))?;
            let returned = Arc::new(returned);
            let raised = match &raised {
                Some(table) => {
                    let with = |table: Table| Some(Arc::new(table));
                    let simpler =
                        simpler_table(table, of, types, &mut |table| test(probe(&args, &returned, &with(table))))?;
                    with(simpler)
                }
                None => None,
            };
            Some(probe(&args, &returned, &raised))
        }
    }
}

fn simpler_args(
    args: Vec<Term>,
    params: &[TypeId],
    types: &Types,
    test: &mut dyn FnMut(Vec<Term>) -> Option<bool>,
) -> Option<Vec<Term>> {
    let mut best = args;
    for index in 0..best.len() {
        let of = params.get(index).copied().unwrap_or(Types::ANY);
        let with = |term: &Term| {
            let mut changed = best.clone();
            changed[index] = term.clone();
            changed
        };
        let smallest = smallest(types, of).filter(|smallest| *smallest != best[index]);
        let simpler = match smallest {
            Some(smallest) if test(with(&smallest))? => smallest,
            _ => shrink(&best[index], &mut |term: &Term| match types.contains(of, term) {
                true => test(with(term)),
                false => Some(false),
            })?,
        };
        best = with(&simpler);
    }
    Some(best)
}
