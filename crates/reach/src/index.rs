//! The modules of a program, and their call graph.

use crate::marks::mark_of;
use crate::reachable::Naming;
use crate::{NativeKind, Natives};
use path::Mark;
use program::{Callee, Expr, Function, FunctionId, Module, for_each_child};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::Arc;
use term::{Atom, Fun, FunctionName, Term};

/// A function of one of the modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionRef {
    pub module: u32,
    pub function: FunctionId,
}

/// The modules that are analysed: all modules of the user that are available, and those others that are followed.
pub struct Program {
    modules: Vec<Arc<Module>>,
    by_name: FxHashMap<Atom, u32>,
}

impl Program {
    pub fn new(modules: Vec<Arc<Module>>) -> Program {
        let by_name = modules.iter().enumerate().map(|(index, module)| (module.name, index as u32)).collect();
        Program { modules, by_name }
    }

    pub fn module(&self, of: FunctionRef) -> &Module {
        &self.modules[of.module as usize]
    }

    pub fn function(&self, of: FunctionRef) -> &Function {
        self.module(of).function(of.function)
    }

    pub fn has_module(&self, name: Atom) -> bool {
        self.by_name.contains_key(&name)
    }

    pub fn find(&self, name: FunctionName) -> Option<FunctionRef> {
        let module = *self.by_name.get(&name.module)?;
        let function = self.modules[module as usize].find(name.function, name.arity)?;
        Some(FunctionRef { module, function })
    }

    pub fn name_of(&self, of: FunctionRef) -> FunctionName {
        let function = self.function(of);
        FunctionName { module: self.module(of).name, function: function.name, arity: function.arity }
    }

    pub fn body(&self, of: FunctionRef) -> Option<&Expr> {
        self.function(of).body.get().ok()
    }

    /// Returns the functions of a module, in order.
    pub fn functions_of(&self, module: Atom) -> impl Iterator<Item = FunctionRef> + '_ {
        let index = self.by_name.get(&module).copied();
        self.functions().filter(move |function| Some(function.module) == index)
    }

    /// Returns an expression of a function by its number: each comes before those inside it.
    pub fn expression(&self, of: FunctionRef, number: usize) -> Option<&Expr> {
        let (mut found, mut count) = (None, 0);
        each_expr(self.body(of)?, &mut |expr| {
            if count == number {
                found = Some(expr);
            }
            count += 1;
        });
        found
    }

    pub fn functions(&self) -> impl Iterator<Item = FunctionRef> + '_ {
        self.modules.iter().enumerate().flat_map(|(module, program)| {
            (0..program.functions.len() as u32)
                .map(move |function| FunctionRef { module: module as u32, function: FunctionId(function) })
        })
    }
}

/// A place from which a function may be called.
#[derive(Clone, Copy)]
pub struct CallSite<'p> {
    pub caller: FunctionRef,
    /// A call, or the place where the function becomes a value.
    pub expr: &'p Expr,
}

/// The call graph.
pub struct CallGraph<'p> {
    pub program: &'p Program,
    sites: FxHashMap<FunctionRef, Vec<CallSite<'p>>>,
    callees: FxHashMap<FunctionRef, Vec<FunctionRef>>,
    recursive: FxHashSet<FunctionRef>,
    impure: FxHashSet<FunctionRef>,
    sizes: FxHashMap<FunctionRef, usize>,
    /// How functions use names of functions.
    naming: FxHashMap<FunctionRef, Naming>,
    /// Whether modules of the user are not available, and whether available modules mention some of these.
    is_part: bool,
    is_cut: bool,
}

impl<'p> CallGraph<'p> {
    pub fn new(program: &'p Program, natives: &dyn Natives) -> CallGraph<'p> {
        let mut graph = CallGraph {
            program,
            sites: FxHashMap::default(),
            callees: FxHashMap::default(),
            recursive: FxHashSet::default(),
            impure: FxHashSet::default(),
            sizes: FxHashMap::default(),
            naming: FxHashMap::default(),
            is_part: false,
            is_cut: false,
        };
        for caller in program.functions() {
            if let Some(body) = program.body(caller) {
                let mut size = 0;
                // The arguments of marks do not belong to the program.
                let mut of_marks: FxHashSet<*const Expr> = FxHashSet::default();
                each_expr(body, &mut |expr| {
                    size += 1;
                    if let (Some(_), Expr::Call { args, .. }) = (mark_of(expr), expr) {
                        of_marks.extend(args.iter().map(std::ptr::from_ref));
                    }
                    if !of_marks.contains(&std::ptr::from_ref(expr)) {
                        graph.note(caller, expr, natives);
                    }
                });
                graph.sizes.insert(caller, size);
            }
        }
        graph.find_recursive();
        graph.spread_impurity();
        graph
    }

    /// Returns the graph with the information whether modules of the user are not available. A call of a computed name
    /// may reach these, and from there everything. `is_cut`: available modules mention some of them.
    pub fn of_part(self, is_part: bool, is_cut: bool) -> CallGraph<'p> {
        CallGraph { is_part, is_cut, ..self }
    }

    fn note(&mut self, caller: FunctionRef, expr: &'p Expr, natives: &dyn Natives) {
        match expr {
            Expr::Closure { function, .. } => self.add(caller, FunctionRef { function: *function, ..caller }, expr),
            Expr::Call { callee, args, .. } => {
                let arity = args.len() as u32;
                match callee {
                    Callee::Local(function) => self.add(caller, FunctionRef { function: *function, ..caller }, expr),
                    Callee::Remote { module, function } => {
                        let name = FunctionName { module: *module, function: *function, arity };
                        let is_constant = |arg: &Expr| matches!(arg, Expr::Const(_));
                        if natives.calls_by_name(name) && !args.iter().take(2).all(is_constant) {
                            self.naming.entry(caller).or_default().is_computed = true;
                        }
                        match natives.kind_of_named(name) {
                            NativeKind::Code => match self.program.find(name) {
                                Some(callee) => self.add(caller, callee, expr),
                                None => {
                                    self.impure.insert(caller);
                                    let naming = self.naming.entry(caller).or_default();
                                    naming.missing.push(*module);
                                    naming.is_given_values |= !natives.keeps_to_arguments(*module);
                                }
                            },
                            NativeKind::Impure if mark_of(expr).is_none() => drop(self.impure.insert(caller)),
                            NativeKind::Raises | NativeKind::Pure | NativeKind::Impure => {}
                        }
                        if natives.makes_functions(name) {
                            self.naming.entry(caller).or_default().is_given_values = true;
                        }
                    }
                    Callee::Dynamic { function, .. } => {
                        let name = match **function {
                            Expr::Const(Term::Atom(name)) => Some(name),
                            _ => None,
                        };
                        self.naming.entry(caller).or_default().dynamic.push((name, arity));
                        self.impure.insert(caller);
                    }
                    // A call of a function value may be less pure than the calling code.
                    Callee::Value(_) => {
                        self.impure.insert(caller);
                        self.naming.entry(caller).or_default().applies_values = true;
                    }
                    Callee::Primitive(name) => {
                        if natives.kind_of_operation(*name, arity) == NativeKind::Impure {
                            self.impure.insert(caller);
                        }
                    }
                }
            }
            Expr::Const(term) => self.note_term(caller, term, expr),
            _ => {}
        }
    }

    fn note_term(&mut self, caller: FunctionRef, term: &Term, expr: &'p Expr) {
        match term {
            Term::Atom(atom) => drop(self.naming.entry(caller).or_default().atoms.insert(*atom)),
            Term::Fun(fun) => {
                if let Fun::External { module, function, arity } = **fun {
                    let name = FunctionName { module, function, arity };
                    if let Some(callee) = self.program.find(name) {
                        self.add(caller, callee, expr);
                    }
                }
            }
            Term::List(items, tail) => {
                let parts = items.iter().chain(tail.as_deref());
                parts.for_each(|part| self.note_term(caller, part, expr));
            }
            Term::Tuple(items) => items.iter().for_each(|item| self.note_term(caller, item, expr)),
            Term::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                self.note_term(caller, key, expr);
                self.note_term(caller, value, expr);
            }),
            Term::Int(_)
            | Term::Big(_)
            | Term::Float(_)
            | Term::Nil
            | Term::Bits(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => {}
        }
    }

    fn add(&mut self, caller: FunctionRef, callee: FunctionRef, expr: &'p Expr) {
        self.sites.entry(callee).or_default().push(CallSite { caller, expr });
        self.callees.entry(caller).or_default().push(callee);
    }

    /// Finds the functions that may call themselves, directly or through others: strongly connected components
    /// (Tarjan).
    fn find_recursive(&mut self) {
        let mut order: FxHashMap<FunctionRef, (u32, u32)> = FxHashMap::default();
        let mut stack: Vec<FunctionRef> = Vec::new();
        let mut on_stack: FxHashSet<FunctionRef> = FxHashSet::default();
        let mut recursive = Vec::new();
        for start in self.program.functions() {
            let mut open: Vec<(FunctionRef, usize)> = Vec::new();
            if !order.contains_key(&start) {
                open.push((start, 0));
            }
            while let Some((at, next)) = open.last_mut() {
                let at = *at;
                if *next == 0 {
                    let number = order.len() as u32;
                    order.insert(at, (number, number));
                    stack.push(at);
                    on_stack.insert(at);
                }
                let callee = self.callees_of(at).get(*next).copied();
                *next += 1;
                match callee {
                    Some(callee) if !order.contains_key(&callee) => open.push((callee, 0)),
                    Some(callee) => {
                        if callee == at {
                            recursive.push(at);
                        }
                        if on_stack.contains(&callee) {
                            let number = order.get(&callee).map_or(u32::MAX, |(number, _)| *number);
                            lower(&mut order, at, number);
                        }
                    }
                    None => {
                        open.pop();
                        let (number, low) = order.get(&at).copied().unwrap_or_default();
                        if let Some((outer, _)) = open.last() {
                            lower(&mut order, *outer, low);
                        }
                        if low == number {
                            let from = stack.iter().rposition(|other| *other == at).unwrap_or(0);
                            let component = stack.split_off(from);
                            for other in &component {
                                on_stack.remove(other);
                            }
                            if component.len() > 1 {
                                recursive.extend(component);
                            }
                        }
                    }
                }
            }
        }
        self.recursive.extend(recursive);
    }

    /// Marks all callers of impure functions as impure.
    fn spread_impurity(&mut self) {
        let mut open: Vec<FunctionRef> = self.impure.iter().copied().collect();
        while let Some(at) = open.pop() {
            for site in self.sites.get(&at).into_iter().flatten() {
                if self.impure.insert(site.caller) {
                    open.push(site.caller);
                }
            }
        }
    }

    pub fn callees_of(&self, of: FunctionRef) -> &[FunctionRef] {
        self.callees.get(&of).map_or(&[], Vec::as_slice)
    }

    pub fn sites(&self, of: FunctionRef) -> &[CallSite<'p>] {
        self.sites.get(&of).map_or(&[], Vec::as_slice)
    }

    pub fn is_recursive(&self, of: FunctionRef) -> bool {
        self.recursive.contains(&of)
    }

    pub fn is_pure(&self, of: FunctionRef) -> bool {
        !self.impure.contains(&of)
    }

    pub fn size(&self, of: FunctionRef) -> usize {
        self.sizes.get(&of).copied().unwrap_or(0)
    }

    /// Returns how a function uses names of functions.
    pub fn naming(&self, of: FunctionRef) -> Option<&Naming> {
        self.naming.get(&of)
    }

    /// Returns whether modules of the user are not available.
    pub fn is_part(&self) -> bool {
        self.is_part
    }

    /// Returns whether available modules mention modules of the user that are not available.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns whether a module declares that its loader calls a function.
    pub fn is_called_when_loaded(&self, name: FunctionName) -> bool {
        let module = self.program.by_name.get(&name.module).map(|index| &self.program.modules[*index as usize]);
        let says_so = |(attribute, value): &(Atom, Term)| {
            let named =
                |term: &Term| term.as_tuple().is_some_and(|parts| parts.first() == Some(&Term::Atom(name.function)));
            attribute.text() == "on_load" && value.as_list().is_some_and(|functions| functions.iter().any(named))
        };
        name.arity == 0 && module.is_some_and(|module| module.attributes.iter().any(says_so))
    }

    /// Returns whether a module declares that others call its functions.
    pub fn is_behaviour(&self, name: Atom) -> bool {
        let says_so = |(attribute, _): &(Atom, Term)| ["behaviour", "behavior"].contains(&attribute.text());
        let module = self.program.by_name.get(&name).map(|index| &self.program.modules[*index as usize]);
        module.is_some_and(|module| module.attributes.iter().any(says_so))
    }

    /// Returns the unavailable modules that the behaviour of a function depends on.
    pub fn missing_for(&self, function: FunctionRef) -> Vec<Atom> {
        let mut missing = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![function];
        while let Some(at) = open.pop() {
            if seen.insert(at) {
                missing.extend(self.naming(at).into_iter().flat_map(|naming| naming.missing.iter().copied()));
                open.extend(self.callees_of(at));
            }
        }
        missing
    }

    /// Returns the functions that contain one of these marks.
    pub fn functions_with(&self, marks: &[Mark]) -> Vec<FunctionRef> {
        let has_mark = |function: &FunctionRef| {
            let mut found = false;
            if let Some(body) = self.program.body(*function) {
                each_expr(body, &mut |expr| found |= mark_of(expr).is_some_and(|mark| marks.contains(&mark)));
            }
            found
        };
        self.program.functions().filter(has_mark).collect()
    }

    /// Returns, for each function from which a target can be reached, the least number of calls to it.
    pub fn distances(&self, target: FunctionRef) -> FxHashMap<FunctionRef, u32> {
        let mut distances = FxHashMap::from_iter([(target, 0)]);
        let mut open = std::collections::VecDeque::from([target]);
        while let Some(at) = open.pop_front() {
            let next = distances.get(&at).copied().unwrap_or(0) + 1;
            for site in self.sites(at) {
                if let Entry::Vacant(vacant) = distances.entry(site.caller) {
                    vacant.insert(next);
                    open.push_back(site.caller);
                }
            }
        }
        distances
    }
}

fn lower(order: &mut FxHashMap<FunctionRef, (u32, u32)>, at: FunctionRef, number: u32) {
    if let Some((_, low)) = order.get_mut(&at) {
        *low = number.min(*low);
    }
}

/// Shows every expression of a body, including itself, in the order of the source as far as there is one.
pub(crate) fn each_expr<'p>(root: &'p Expr, show: &mut impl FnMut(&'p Expr)) {
    let mut open = vec![root];
    while let Some(expr) = open.pop() {
        show(expr);
        let start = open.len();
        for_each_child(expr, |child| open.push(child));
        open[start..].reverse();
    }
}
