//! Finds the functions that entries lead to, and those of them that may be called in ways that no call site shows.

use crate::index::{CallGraph, FunctionRef};
use crate::walk::{Entries, Entry};
use formula::{Atoms, TypeId, TypeNode, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry::Vacant;
use term::{Atom, FunctionName};

/// How a function uses names of functions.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// The arities of calls of functions whose names are computed, each with the name of the function if that is known.
    pub dynamic: Vec<(Option<Atom>, u32)>,
    /// Whether computed names of functions are passed to native functions.
    pub is_computed: bool,
    /// The atoms that it mentions, which may include names of functions.
    pub atoms: FxHashSet<Atom>,
    /// Modules that it calls and that are not available.
    pub missing: Vec<Atom>,
    /// Whether it calls functions that are values.
    pub applies_values: bool,
    /// Whether it receives values that the program has not made itself: from its surroundings, or from bytes that are
    /// read as terms. Messages, tables and dictionaries deliver only values that the program has put there.
    pub is_given_values: bool,
}

/// The kinds of values that the inputs of entries may contain. A function may be any exported one, and an atom the name
/// of any module.
#[derive(Clone, Copy, Default)]
struct Brought {
    functions: bool,
    atoms: bool,
}

impl Brought {
    /// Adds the types of parameters. `names` collects the atoms that the types name, because they may also be names of
    /// functions and modules.
    fn add(&mut self, types: &Types, parameters: &[TypeId], names: &mut FxHashSet<Atom>) {
        let mut seen: FxHashSet<TypeId> = FxHashSet::default();
        let mut open: Vec<TypeId> = parameters.to_vec();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = types.node(id);
            // The contents of opaque values and of maps of any kind are not known.
            let is_anything = *node == TypeNode::any() || !node.opaque.is_empty() || node.any_tuple || node.any_map;
            self.functions |= is_anything || node.any_function || !node.functions.is_empty();
            match &node.atoms {
                Atoms::All => self.atoms = true,
                Atoms::These(atoms) => names.extend(atoms),
            }
            self.atoms |= is_anything;
            open.extend(node.tuples.iter().flatten());
            open.extend(node.cons.iter().flat_map(|cons| [cons.head, cons.tail]));
            open.extend(node.maps.iter().flat_map(|fields| fields.iter()).flat_map(|field| [field.key, field.value]));
        }
    }
}

/// The functions that entries lead to.
pub struct Reachable {
    /// All reachable functions, with the least number of calls from an entry.
    calls: FxHashMap<FunctionRef, u32>,
    /// The functions that may be called by name.
    by_name: FxHashSet<FunctionRef>,
}

impl Reachable {
    pub fn new(graph: &CallGraph<'_>, entries: &dyn Entries) -> Reachable {
        let mut found = Reachable { calls: FxHashMap::default(), by_name: FxHashSet::default() };
        let mut open = VecDeque::new();
        let mut anything = Brought::default();
        let mut all = Naming::default();
        for function in graph.program.functions() {
            let code = graph.program.function(function);
            let name = graph.program.name_of(function);
            let clauses = if code.captures == 0 { entries.clauses(name) } else { 0 };
            for clause in 0..clauses {
                let Entry { types, parameters } = entries.types(name, clause);
                anything.add(&types, &parameters, &mut all.atoms);
            }
            // The loader of the module calls it.
            if code.captures == 0 && graph.is_called_when_loaded(name) {
                found.by_name.insert(function);
                found.calls.insert(function, 0);
                open.push_back(function);
            }
            if clauses > 0 {
                found.calls.insert(function, 0);
                open.push_back(function);
            }
        }
        let brought = Some(anything);
        loop {
            found.follow(graph, open, &mut all);
            open = VecDeque::new();
            for function in graph.program.functions() {
                let is_new = graph.program.function(function).exported && !found.by_name.contains(&function);
                let name = graph.program.name_of(function);
                // Receivers of a typed function must call it as declared. Libraries do not know names of the program.
                let brought = brought.filter(|_| entries.is_users(name) && !entries.is_typed(name));
                let names_others = names_others(graph, entries, &all, anything);
                if is_new && may_be_called(graph, &all, (brought, names_others), name) {
                    found.by_name.insert(function);
                    if let Vacant(vacant) = found.calls.entry(function) {
                        vacant.insert(FAR);
                        open.push_back(function);
                    }
                }
            }
            if open.is_empty() {
                return found;
            }
        }
    }

    fn follow(&mut self, graph: &CallGraph<'_>, mut open: VecDeque<FunctionRef>, all: &mut Naming) {
        while let Some(at) = open.pop_front() {
            if let Some(naming) = graph.naming(at) {
                all.dynamic.extend(&naming.dynamic);
                all.is_computed |= naming.is_computed;
                all.atoms.extend(&naming.atoms);
                all.missing.extend(&naming.missing);
                all.applies_values |= naming.applies_values;
                all.is_given_values |= naming.is_given_values;
            }
            let next = self.calls.get(&at).copied().unwrap_or(0).saturating_add(1);
            for callee in graph.callees_of(at) {
                if let Vacant(vacant) = self.calls.entry(*callee) {
                    vacant.insert(next);
                    open.push_back(*callee);
                }
            }
        }
    }

    pub fn contains(&self, function: FunctionRef) -> bool {
        self.calls.contains_key(&function)
    }

    /// Returns the least number of calls from an entry.
    pub fn calls(&self, function: FunctionRef) -> u32 {
        self.calls.get(&function).copied().unwrap_or(FAR)
    }

    /// Returns whether a function may be called in ways that no call site shows.
    pub fn is_called_by_name(&self, function: FunctionRef) -> bool {
        self.by_name.contains(&function)
    }
}

/// The distance of functions that are called by name only.
const FAR: u32 = 1000;

/// Returns whether an exported function may be called by a computed name, as a value that comes from elsewhere, or by
/// unavailable code that knows the name of its module.
fn may_be_called(
    graph: &CallGraph<'_>,
    all: &Naming,
    (brought, names_others): (Option<Brought>, bool),
    name: FunctionName,
) -> bool {
    let calls_others = !all.missing.is_empty();
    let has_functions = brought.is_some_and(|brought| brought.functions || all.is_given_values);
    let has_names = brought.is_some_and(|brought| brought.atoms || all.is_given_values);
    let is_named =
        |(known, arity): &(Option<Atom>, u32)| *arity == name.arity && known.is_none_or(|known| known == name.function);
    all.is_computed
        || graph.is_part() && (!all.dynamic.is_empty() || calls_others && names_others)
        || has_functions && (all.applies_values || calls_others)
        || has_names && calls_others
        || all.dynamic.iter().any(is_named)
        || all.atoms.contains(&name.function)
        || calls_others && (all.atoms.contains(&name.module) || graph.is_behaviour(name.module))
}

/// Returns whether unavailable code may learn the names of modules of the user that are not available either. Modules
/// that the program mentions are available, so such names come from inputs or from elsewhere.
fn names_others(graph: &CallGraph<'_>, entries: &dyn Entries, all: &Naming, inputs: Brought) -> bool {
    let is_users = |module: &Atom| entries.is_users(FunctionName { module: *module, function: *module, arity: 0 });
    graph.is_cut() || inputs.functions || inputs.atoms || all.is_given_values || all.missing.iter().any(is_users)
}
