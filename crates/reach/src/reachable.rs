//! Which functions entries lead to, and which of these are called in ways that no call site shows.

use crate::index::{CallGraph, FunctionRef};
use crate::walk::Entries;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry::Vacant;
use term::{Atom, FunctionName};

/// What a function does with names of functions.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// The numbers of arguments with which functions are called whose names are computed, and the names where those are
    /// known.
    pub dynamic: Vec<(Option<Atom>, u32)>,
    /// Whether native functions are given names of functions that are computed.
    pub is_computed: bool,
    /// Atoms that it mentions: names of functions may be among them.
    pub atoms: FxHashSet<Atom>,
    /// Modules that it calls and that are not there.
    pub missing: Vec<Atom>,
}

/// The functions that entries lead to.
pub struct Reachable {
    /// With the least number of calls from an entry.
    calls: FxHashMap<FunctionRef, u32>,
    /// Those that may be called by names.
    by_name: FxHashSet<FunctionRef>,
}

impl Reachable {
    pub fn new(graph: &CallGraph<'_>, entries: &dyn Entries) -> Reachable {
        let mut found = Reachable { calls: FxHashMap::default(), by_name: FxHashSet::default() };
        let mut open = VecDeque::new();
        for function in graph.program.functions() {
            let code = graph.program.function(function);
            if code.captures == 0 && entries.clauses(graph.program.name_of(function)) > 0 {
                found.calls.insert(function, 0);
                open.push_back(function);
            }
        }
        let mut all = Naming::default();
        loop {
            found.follow(graph, open, &mut all);
            open = VecDeque::new();
            for function in graph.program.functions() {
                let is_new = graph.program.function(function).exported && !found.by_name.contains(&function);
                if is_new && may_be_called(graph, &all, graph.program.name_of(function)) {
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

    /// The least number of calls from an entry.
    pub fn calls(&self, function: FunctionRef) -> u32 {
        self.calls.get(&function).copied().unwrap_or(FAR)
    }

    /// Whether a function may be called in ways that no call site shows.
    pub fn is_called_by_name(&self, function: FunctionRef) -> bool {
        self.by_name.contains(&function)
    }
}

/// The distance of what is called by name only.
const FAR: u32 = 1000;

/// Whether an exported function may be called by a computed name, or by code that is not there and knows the name of its
/// module.
fn may_be_called(graph: &CallGraph<'_>, all: &Naming, name: FunctionName) -> bool {
    let is_named =
        |(known, arity): &(Option<Atom>, u32)| *arity == name.arity && known.is_none_or(|known| known == name.function);
    all.is_computed
        || graph.is_part() && !all.dynamic.is_empty()
        || all.dynamic.iter().any(is_named)
        || all.atoms.contains(&name.function)
        || !all.missing.is_empty() && (all.atoms.contains(&name.module) || graph.is_behaviour(name.module))
}
