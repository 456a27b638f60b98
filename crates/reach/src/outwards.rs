//! Goes from a place in the code outwards: through the clauses around it to the head of its function, and through call
//! sites to an entry.

use crate::choices::Kind;
use crate::evaluate::{Result, Stop, Way};
use crate::index::{CallSite, FunctionRef};
use crate::reachable::Reachable;
use crate::sides::Target;
use crate::walk::{Entries, Entry, Exit};
use formula::{TermId, Variable};
use program::{Callee, Clause, Expr, for_each_child};
use rustc_hash::FxHashSet;

/// The maximum number of functions on the way from an entry to the target.
const MOST_CALLS: usize = 32;
/// The maximum number of times that one function may be on the way.
const MOST_OF_ONE: usize = 3;
/// The expressions around a place, including the place itself.
pub type Around = FxHashSet<*const Expr>;

/// Returns the expressions from the root of a body to a place in it.
pub fn around(root: &Expr, place: &Expr) -> Option<Around> {
    // A depth-first search; the children of each node are visited from the left.
    let mut path: Vec<(&Expr, Vec<&Expr>)> = vec![(root, children(root))];
    loop {
        let (expr, _) = path.last()?;
        if std::ptr::eq(*expr, place) {
            return Some(path.iter().map(|(expr, _)| std::ptr::from_ref(*expr)).collect());
        }
        loop {
            let (_, open) = path.last_mut()?;
            match open.pop() {
                Some(child) => {
                    path.push((child, children(child)));
                    break;
                }
                None => drop(path.pop()),
            }
        }
    }
}

fn children(expr: &Expr) -> Vec<&Expr> {
    let mut children = Vec::new();
    for_each_child(expr, |child| children.push(child));
    children.reverse();
    children
}

impl<'p> Way<'_, 'p> {
    /// Goes from the target to an entry.
    pub fn leave(&mut self, entries: &dyn Entries, target: &Target<'p>, reachable: &Reachable) -> Result<Exit> {
        let mut function = target.function;
        let mut activation = self.enter(function, target.expr)?;
        if let Some(side) = &target.side {
            self.take_side(activation, target.expr, side)?;
        }
        let mut chain = vec![function];
        loop {
            let name = self.graph.program.name_of(function);
            let clauses = entries.clauses(name);
            let sites: Vec<CallSite<'p>> = {
                let mut sites: Vec<CallSite<'p>> = self.graph.sites(function).to_vec();
                sites.retain(|site| reachable.contains(site.caller));
                sites.sort_by_key(|site| reachable.calls(site.caller));
                sites
            };
            let takes_anything = clauses > 0 && !entries.is_typed(name);
            let by_name = !takes_anything && reachable.is_called_by_name(function);
            let mut costs: Vec<u32> = vec![0; clauses];
            costs.extend(by_name.then_some(8));
            costs.extend(sites.iter().map(|site| 1 + reachable.calls(site.caller)));
            if costs.len() > 1 && !self.conditions.is_empty() {
                let all: Vec<TermId> = self.conditions.iter().map(|condition| condition.formula).collect();
                if self.is_refuted(&all) {
                    return Err(Stop::Refuted);
                }
            }
            let chosen = self.choose(Kind::Every, &costs)?;
            if chosen < clauses {
                return self.enter_by(entries, activation, chosen);
            }
            if by_name && chosen == clauses {
                return Ok(Exit { entry: name, clause: None });
            }
            let Some(site) = sites.get(chosen - clauses - usize::from(by_name)) else { return Err(Stop::Limit) };
            let times = chain.iter().filter(|known| **known == site.caller).count();
            if chain.len() >= MOST_CALLS || times >= MOST_OF_ONE {
                return Err(Stop::Limit);
            }
            let outer = self.enter(site.caller, site.expr)?;
            self.pass_arguments(activation, outer, site);
            self.renew_conditions()?;
            (function, activation) = (site.caller, outer);
            chain.push(function);
        }
    }

    /// Begins in a function whose parameters are not known, and goes to a place in it.
    fn enter(&mut self, function: FunctionRef, place: &'p Expr) -> Result<usize> {
        let activation = self.activate(function, None, None);
        let Some(body) = self.graph.program.body(function) else { return Err(Stop::Limit) };
        let Some(around) = around(body, place) else { return Err(Stop::Limit) };
        self.place = (function, self.graph.program.function(function).span);
        self.towards(activation, body, &around, place)?;
        Ok(activation)
    }

    /// Replaces parameters by the arguments of a call site, as far as these are known there.
    fn pass_arguments(&mut self, inner: usize, outer: usize, site: &CallSite<'p>) {
        let variables: Vec<(Variable, u32)> = self
            .parameters
            .iter()
            .filter(|(_, (activation, _))| *activation == inner)
            .map(|(variable, (_, parameter))| (*variable, *parameter))
            .collect();
        let arity = self.graph.program.function(self.function_of(inner)).arity;
        for (variable, parameter) in variables {
            let value = match site.expr {
                Expr::Call { callee: Callee::Local(_) | Callee::Remote { .. }, args, .. } => {
                    args.get(parameter as usize).map(|arg| self.lazy(outer, arg))
                }
                Expr::Closure { captures, .. } if parameter >= arity => {
                    captures.get((parameter - arity) as usize).and_then(|var| self.slot(outer, *var))
                }
                _ => None,
            };
            let value = value.unwrap_or_else(|| self.free());
            self.known.insert(variable, value);
        }
    }

    /// Replaces parameters by the inputs of an entry.
    fn enter_by(&mut self, entries: &dyn Entries, activation: usize, clause: usize) -> Result<Exit> {
        let entry = self.graph.program.name_of(self.function_of(activation));
        let types = match self.invariants {
            Some(known) => known.declared(entry, clause).to_vec(),
            None => {
                let Entry { types, parameters } = entries.types(entry, clause);
                self.formulas.set_types(types);
                parameters
            }
        };
        let parameters: Vec<(Variable, u32)> = self
            .parameters
            .iter()
            .filter(|(_, (of, _))| *of == activation)
            .map(|(variable, (_, parameter))| (*variable, *parameter))
            .collect();
        for (variable, parameter) in parameters {
            if let Some(of) = types.get(parameter as usize) {
                self.formulas.declare(Variable(parameter), *of);
            }
            let input = self.formulas.variable(Variable(parameter));
            self.parameters.insert(Variable(parameter), (activation, parameter));
            self.known.insert(variable, input);
        }
        self.renew_conditions()?;
        Ok(Exit { entry, clause: Some(clause) })
    }

    /// Goes from an expression to a place inside it. Expressions before the place are bound, but not evaluated.
    pub fn towards(&mut self, activation: usize, expr: &'p Expr, around: &Around, place: &Expr) -> Result<()> {
        stacker::maybe_grow(256 << 10, 4 << 20, || self.towards_here(activation, expr, around, place))
    }

    fn towards_here(&mut self, activation: usize, expr: &'p Expr, around: &Around, place: &Expr) -> Result<()> {
        self.step()?;
        let is_on_way = |expr: &Expr| around.contains(&std::ptr::from_ref(expr));
        if std::ptr::eq(expr, place) {
            return Ok(());
        }
        match expr {
            Expr::Let { bindings, body } => {
                for binding in bindings {
                    if is_on_way(&binding.value) {
                        return self.towards(activation, &binding.value, around, place);
                    }
                    if self.raises(&binding.value) {
                        return Err(Stop::Refuted);
                    }
                    self.bind_lazily(activation, &binding.vars, &binding.value);
                }
                self.towards(activation, body, around, place)
            }
            Expr::Case { subjects, clauses, span } => {
                if let Some(subject) = subjects.iter().find(|subject| is_on_way(subject)) {
                    return self.towards(activation, subject, around, place);
                }
                self.place = (self.function_of(activation), *span);
                let index = clauses.iter().position(|clause| is_in(clause, around));
                let Some(index) = index else { return Err(Stop::Limit) };
                let subjects = self.subjects(activation, subjects, clauses);
                if let Some(clause) = clauses.get(index)
                    && let Some(guard) = clause.guard.as_ref().filter(|guard| is_on_way(guard))
                {
                    self.fail_before(activation, &subjects, clauses, index)?;
                    self.match_clause(activation, &subjects, clause)?;
                    return self.towards(activation, guard, around, place);
                }
                let clause = self.take(activation, &subjects, clauses, index)?;
                self.towards(activation, &clause.body, around, place)
            }
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                if is_on_way(body) {
                    self.towards(activation, body, around, place)
                } else if is_on_way(ok) {
                    self.bind_lazily(activation, ok_vars, body);
                    self.towards(activation, ok, around, place)
                } else {
                    self.raise_in(activation, body, handler_vars)?;
                    self.towards(activation, handler, around, place)
                }
            }
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Closure { .. }
            | Expr::Values(_)
            | Expr::Cons(..)
            | Expr::Tuple(_)
            | Expr::Map { .. }
            | Expr::Bits { .. }
            | Expr::Call { .. }
            | Expr::Guard(_) => {
                let mut next = None;
                for_each_child(expr, |child| {
                    if next.is_none() && is_on_way(child) {
                        next = Some(child);
                    }
                });
                match next {
                    Some(child) => self.towards(activation, child, around, place),
                    None => Err(Stop::Limit),
                }
            }
        }
    }
}

fn is_in(clause: &Clause, around: &Around) -> bool {
    around.contains(&std::ptr::from_ref(&clause.body))
        || clause.guard.as_ref().is_some_and(|guard| around.contains(&std::ptr::from_ref(guard)))
}
