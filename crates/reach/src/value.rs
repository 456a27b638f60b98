//! Values on demand: the value that an expression delivers, under choices and conditions that are added to the way.
//!
//! Code that needs a value runs after its evaluation, so the evaluation has returned: the conditions for that are
//! conditions of the way.

use crate::choices::Kind;
use crate::evaluate::{Result, Stop, Way};
use crate::index::FunctionRef;
use crate::{Native, NativeKind};
use formula::{Codomain, Kinds, TermId, Types};
use program::{Callee, Clause, Expr, MapPair, Origin};
use term::{Atom, Fun, FunctionName, Term};

/// The maximum number of expressions of functions that are evaluated immediately. Larger functions are left open at
/// first.
const SMALL: usize = 60;
/// The maximum number of nested evaluations of a recursive function.
const DEEPEST_RECURSION: u32 = 3;
/// The maximum number of nested calls.
const DEEPEST_CALLS: usize = 24;

/// The cost of looking into a function that may be left open, and of relying only on the type of its result.
const LOOK_INTO: u32 = 4;
const BY_TYPE: u32 = 2;
/// The cost of assuming that a function depends only on its arguments although it may depend on something else.
const SAMPLED: u32 = 3;

impl<'p> Way<'_, 'p> {
    /// Returns the values of an expression that delivers several.
    pub fn values(&mut self, activation: usize, expr: &'p Expr, count: u32) -> Result<Vec<TermId>> {
        self.step()?;
        match expr {
            Expr::Values(items) if items.len() == count as usize => {
                Ok(items.iter().map(|item| self.lazy(activation, item)).collect())
            }
            Expr::Let { bindings, body } => {
                for binding in bindings {
                    self.bind_lazily(activation, &binding.vars, &binding.value);
                }
                self.values(activation, body, count)
            }
            Expr::Case { subjects, clauses, span } => {
                self.place = (self.function_of(activation), *span);
                let clause = self.select(activation, subjects, clauses)?;
                self.values(activation, &clause.body, count)
            }
            _ if count == 1 => Ok(vec![self.value(activation, expr)?]),
            // A call of a function that represents a piece of the body, or of the runtime.
            _ => Ok((0..count).map(|_| self.free()).collect()),
        }
    }

    pub fn value(&mut self, activation: usize, expr: &'p Expr) -> Result<TermId> {
        self.step()?;
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Tuple(_) | Expr::Cons(..) | Expr::Closure { .. } => {
                Ok(self.lazy(activation, expr))
            }
            Expr::Let { bindings, body } => {
                for binding in bindings {
                    self.bind_lazily(activation, &binding.vars, &binding.value);
                }
                self.value(activation, body)
            }
            Expr::Values(items) => match items.as_slice() {
                [item] => self.value(activation, item),
                _ => Err(Stop::Limit),
            },
            Expr::Map { base, pairs, .. } => self.map(activation, base, pairs),
            Expr::Bits { segments, .. } => self.bits(activation, segments),
            Expr::Call { callee, args, span } => {
                self.place = (self.function_of(activation), *span);
                self.call(activation, callee, args)
            }
            Expr::Case { subjects, clauses, span } => {
                self.place = (self.function_of(activation), *span);
                if let Some(merged) = self.merged(activation, subjects, clauses)? {
                    return Ok(merged);
                }
                let clause = self.select(activation, subjects, clauses)?;
                stacker::maybe_grow(256 << 10, 4 << 20, || self.value(activation, &clause.body))
            }
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                if self.choose(Kind::Every, &[0, 2])? == 0 {
                    self.bind_lazily(activation, ok_vars, body);
                    self.value(activation, ok)
                } else {
                    for var in handler_vars {
                        let value = self.free();
                        self.bind(activation, *var, value);
                    }
                    self.value(activation, handler)
                }
            }
            Expr::Guard(guard) => self.guard(activation, guard),
        }
    }

    fn map(&mut self, activation: usize, base: &'p Expr, pairs: &'p [MapPair]) -> Result<TermId> {
        let base = self.lazy(activation, base);
        let mut map = self.force(base)?;
        let is_map = self.formulas.kind(map, Kinds::MAP);
        self.require(is_map)?;
        for pair in pairs {
            let key = self.lazy(activation, &pair.key);
            let key = self.force(key)?;
            if pair.exact {
                let has = self.formulas.map_has(map, key);
                self.require(has)?;
            }
            let value = self.lazy(activation, &pair.value);
            map = self.formulas.map_put(map, key, value);
        }
        Ok(map)
    }

    /// Takes a clause that fits, which is a choice, and binds its variables.
    pub fn select(&mut self, activation: usize, subjects: &'p [Expr], clauses: &'p [Clause]) -> Result<&'p Clause> {
        let subjects = self.subjects(activation, subjects, clauses);
        let fitting = self.fitting(activation, &subjects, clauses, &|way, clause| !way.raises(&clause.body))?;
        let costs: Vec<u32> = (0..fitting.len() as u32).collect();
        let chosen = self.choose(Kind::Every, &costs)?;
        let Some(index) = fitting.get(chosen).copied() else { return Err(Stop::Refuted) };
        self.take(activation, &subjects, clauses, index)
    }

    pub fn subjects(&mut self, activation: usize, subjects: &'p [Expr], clauses: &'p [Clause]) -> Vec<TermId> {
        let count = clauses.first().map_or(subjects.len(), |clause| clause.patterns.len());
        match subjects {
            [one] if count != 1 => match one {
                Expr::Values(values) if values.len() == count => {
                    values.iter().map(|value| self.lazy(activation, value)).collect()
                }
                _ => self.lazy_group(activation, one, count as u32),
            },
            _ => subjects.iter().map(|subject| self.lazy(activation, subject)).collect(),
        }
    }

    /// Returns the clauses that may be taken, among those that are wanted.
    fn fitting(
        &mut self,
        activation: usize,
        subjects: &[TermId],
        clauses: &'p [Clause],
        is_wanted: &dyn Fn(&Self, &Clause) -> bool,
    ) -> Result<Vec<usize>> {
        let mut fitting = Vec::new();
        for (index, clause) in clauses.iter().enumerate() {
            let condition = self.clause_condition(activation, subjects, clause)?;
            let condition = self.force(condition)?;
            let decided = self.formulas.as_boolean(condition);
            if decided != Some(false) && is_wanted(self, clause) {
                fitting.push(index);
            }
            if decided == Some(true) {
                break;
            }
        }
        Ok(fitting)
    }

    /// Adds the conditions under which a clause is taken, and binds its variables.
    pub fn take(
        &mut self,
        activation: usize,
        subjects: &[TermId],
        clauses: &'p [Clause],
        index: usize,
    ) -> Result<&'p Clause> {
        self.fail_before(activation, subjects, clauses, index)?;
        let Some(clause) = clauses.get(index) else { return Err(Stop::Refuted) };
        let condition = self.clause_condition(activation, subjects, clause)?;
        self.place.1 = clause.span;
        self.require(condition)?;
        Ok(clause)
    }

    /// Adds the condition that no clause before this one is taken.
    pub fn fail_before(
        &mut self,
        activation: usize,
        subjects: &[TermId],
        clauses: &'p [Clause],
        index: usize,
    ) -> Result<()> {
        for clause in clauses.iter().take(index) {
            let condition = self.clause_condition(activation, subjects, clause)?;
            let not = self.formulas.not(condition);
            self.place.1 = clause.span;
            self.require(not)?;
        }
        Ok(())
    }

    /// Adds the condition that the patterns of a clause match, and binds its variables.
    pub fn match_clause(&mut self, activation: usize, subjects: &[TermId], clause: &'p Clause) -> Result<()> {
        self.place.1 = clause.span;
        for (pattern, subject) in clause.patterns.iter().zip(subjects) {
            let matches = self.matches(activation, pattern, *subject)?;
            self.require(matches)?;
        }
        Ok(())
    }

    /// Returns the condition under which the patterns of a clause match and its guard is true, regardless of the
    /// clauses before it.
    pub fn clause_condition(&mut self, activation: usize, subjects: &[TermId], clause: &'p Clause) -> Result<TermId> {
        let mut condition = self.formulas.boolean(true);
        for (pattern, subject) in clause.patterns.iter().zip(subjects) {
            let matches = self.matches(activation, pattern, *subject)?;
            condition = self.formulas.and(condition, matches);
        }
        if let Some(guard) = &clause.guard
            && self.formulas.as_boolean(condition) != Some(false)
        {
            let guard = self.guard(activation, guard)?;
            condition = self.formulas.and(condition, guard);
        }
        Ok(condition)
    }

    /// Returns the value of a case whose clauses deliver `true` and `false`: one formula instead of a choice.
    fn merged(&mut self, activation: usize, subjects: &'p [Expr], clauses: &'p [Clause]) -> Result<Option<TermId>> {
        let boolean = |clause: &Clause| match &clause.body {
            Expr::Const(term) if *term == Term::TRUE => Some(true),
            Expr::Const(term) if *term == Term::FALSE => Some(false),
            _ => None,
        };
        let (delivering, raising): (Vec<&Clause>, Vec<&Clause>) =
            clauses.iter().partition(|clause| !self.raises(&clause.body));
        if delivering.is_empty() || delivering.iter().any(|clause| boolean(clause).is_none()) {
            return Ok(None);
        }
        // A raising clause must be the last one, so that its condition is the negation of all others.
        if raising.len() > 1 || raising.first().is_some_and(|last| !std::ptr::eq(*last, &clauses[clauses.len() - 1])) {
            return Ok(None);
        }
        let subjects = self.subjects(activation, subjects, clauses);
        let mut before = self.formulas.boolean(false);
        let mut result = self.formulas.boolean(false);
        for clause in delivering {
            let condition = self.clause_condition(activation, &subjects, clause)?;
            if boolean(clause) == Some(true) {
                let not = self.formulas.not(before);
                let taken = self.formulas.and(not, condition);
                result = self.formulas.or(result, taken);
            }
            before = self.formulas.or(before, condition);
        }
        self.require(before)?;
        Ok(Some(result))
    }

    /// Returns whether an expression obviously never returns.
    pub fn raises(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call { callee: Callee::Primitive(name), args, .. } => {
                self.natives.kind_of_operation(*name, args.len() as u32) == NativeKind::Raises
            }
            Expr::Call { callee: Callee::Remote { module, function }, args, .. } => {
                let name = FunctionName { module: *module, function: *function, arity: args.len() as u32 };
                self.natives.kind_of_named(name) == NativeKind::Raises
            }
            Expr::Let { bindings, body } => {
                self.raises(body) || bindings.iter().any(|binding| self.raises(&binding.value))
            }
            _ => false,
        }
    }

    fn call(&mut self, activation: usize, callee: &'p Callee, args: &'p [Expr]) -> Result<TermId> {
        let arity = args.len() as u32;
        let of = self.function_of(activation);
        match callee {
            Callee::Local(function) => {
                let values = self.lazy_all(activation, args);
                self.apply_code(activation, FunctionRef { function: *function, ..of }, values)
            }
            Callee::Remote { module, function } => {
                let values = self.lazy_all(activation, args);
                self.apply_named(activation, FunctionName { module: *module, function: *function, arity }, values)
            }
            Callee::Dynamic { module, function } => {
                let (module, function) = (self.lazy(activation, module), self.lazy(activation, function));
                let (module, function) = (self.force(module)?, self.force(function)?);
                let atom = |id: TermId| self.formulas.as_constant(id).and_then(Term::as_atom);
                match (atom(module), atom(function)) {
                    (Some(module), Some(function)) => {
                        let values = self.lazy_all(activation, args);
                        self.apply_named(activation, FunctionName { module, function, arity }, values)
                    }
                    _ => Ok(self.free()),
                }
            }
            Callee::Value(function) => {
                let function = self.lazy(activation, function);
                let function = self.force(function)?;
                let is_function = self.formulas.function_of(function, arity);
                self.require(is_function)?;
                let values = self.lazy_all(activation, args);
                self.apply_value(activation, function, values)
            }
            Callee::Primitive(name) => {
                let values = self.lazy_all(activation, args);
                self.apply_operation(*name, values)
            }
        }
    }

    fn lazy_all(&mut self, activation: usize, args: &'p [Expr]) -> Vec<TermId> {
        args.iter().map(|arg| self.lazy(activation, arg)).collect()
    }

    fn apply_value(&mut self, activation: usize, function: TermId, mut values: Vec<TermId>) -> Result<TermId> {
        let Some(Term::Fun(fun)) = self.formulas.as_constant(function) else { return Ok(self.free()) };
        match **fun {
            Fun::External { module, function, arity } => {
                self.apply_named(activation, FunctionName { module, function, arity }, values)
            }
            Fun::Local { unique, .. } => match self.closures.get(unique as usize) {
                Some(closure) => {
                    values.extend(&closure.captures);
                    let function = closure.function;
                    self.apply_code(activation, function, values)
                }
                None => Ok(self.free()),
            },
            Fun::Input { .. } => Ok(self.free()),
        }
    }

    fn apply_operation(&mut self, name: Atom, values: Vec<TermId>) -> Result<TermId> {
        let values = self.force_all(values)?;
        let native = self.natives.operation(&mut self.formulas, name, &values);
        self.native(native, None, &values)?.map_or_else(|| Ok(self.free()), Ok)
    }

    fn apply_named(&mut self, activation: usize, name: FunctionName, values: Vec<TermId>) -> Result<TermId> {
        match self.natives.kind_of_named(name) {
            NativeKind::Raises => return Err(Stop::Refuted),
            NativeKind::Impure => return Ok(self.free()),
            NativeKind::Code => return self.apply_code_named(activation, name, values),
            NativeKind::Pure => {}
        }
        let values = self.force_all(values)?;
        match self.natives.named(&mut self.formulas, name, &values) {
            Native::Same(name) => self.apply_code_named(activation, name, values),
            native => self.native(native, Some(name), &values)?.map_or_else(|| Ok(self.free()), Ok),
        }
    }

    fn apply_code_named(&mut self, activation: usize, name: FunctionName, values: Vec<TermId>) -> Result<TermId> {
        match self.graph.program.find(name) {
            Some(function) => self.apply_code(activation, function, values),
            None => {
                self.miss(name.module);
                match self.choose(Kind::First, &[0, SAMPLED])? {
                    0 => Ok(self.free()),
                    _ => self.sampled(name, values),
                }
            }
        }
    }

    pub fn miss(&self, module: Atom) {
        if !self.graph.program.has_module(module) {
            let mut missing = self.missing.borrow_mut();
            if !missing.contains(&module) {
                missing.push(module);
            }
        }
    }

    fn force_all(&mut self, values: Vec<TermId>) -> Result<Vec<TermId>> {
        values.into_iter().map(|value| self.force(value)).collect()
    }

    /// Returns the value of a native function, or `None` if it has no formula.
    fn native(&mut self, native: Native, name: Option<FunctionName>, args: &[TermId]) -> Result<Option<TermId>> {
        match native {
            Native::Value { requires, value } => {
                self.require(requires)?;
                Ok(Some(value))
            }
            Native::Sampled { requires, delivers } => {
                if let Some(requires) = requires {
                    self.require(requires)?;
                }
                Ok(name.map(|name| self.formulas.apply(name, delivers, args)))
            }
            Native::Raises => Err(Stop::Refuted),
            Native::Code | Native::Same(_) | Native::Unknown => Ok(None),
        }
    }

    /// Returns the result of a function of the program: one of the expressions that it returns. A function that is
    /// large or calls itself is left open first: as an unknown function of its arguments, or as any value.
    fn apply_code(&mut self, activation: usize, function: FunctionRef, values: Vec<TermId>) -> Result<TermId> {
        let program = self.graph.program;
        let Some(body) = program.body(function) else { return Ok(self.free()) };
        let mut depth = 0;
        let mut around = Some(activation);
        while let Some(at) = around.and_then(|around| self.activations.get(around)) {
            depth += 1;
            around = at.inside;
        }
        let is_recursive = self.graph.is_recursive(function);
        let inner = self.activate(function, Some(&values), Some(activation));
        let is_deep = depth >= DEEPEST_CALLS || self.activations[inner].depth >= DEEPEST_RECURSION;
        let is_left_open = is_recursive || self.graph.size(function) > SMALL;
        let of = self.invariants.map_or(Types::ANY, |known| known.result(function));
        let is_typed = of != Types::ANY && self.is_unknown_function(function);
        if is_deep || is_left_open {
            let costs: &[u32] = match (is_deep, is_typed) {
                (true, true) => &[0, BY_TYPE],
                (true, false) => &[0],
                (false, true) => &[0, BY_TYPE, LOOK_INTO],
                (false, false) => &[0, LOOK_INTO],
            };
            match self.choose(Kind::Either, costs)? {
                0 => return self.opaque(function, values),
                1 if is_typed => return Ok(self.free_of(of)),
                _ => {}
            }
        }
        let place = self.place;
        let value = stacker::maybe_grow(256 << 10, 4 << 20, || self.value(inner, body))?;
        self.place = place;
        Ok(value)
    }

    /// Returns whether a function that is left open is an unknown function of its arguments, and not just any value.
    fn is_unknown_function(&self, function: FunctionRef) -> bool {
        self.has_name(function) && self.graph.is_pure(function)
    }

    /// Returns whether a function can be called on its own.
    fn has_name(&self, function: FunctionRef) -> bool {
        let code = self.graph.program.function(function);
        code.captures == 0 && !matches!(code.origin, Origin::Join { .. })
    }

    fn opaque(&mut self, function: FunctionRef, values: Vec<TermId>) -> Result<TermId> {
        if !self.is_unknown_function(function) {
            for module in self.graph.missing_for(function) {
                self.miss(module);
            }
            let of = self.invariants.map_or(Types::ANY, |known| known.result(function));
            let costs: &[u32] = if self.has_name(function) { &[0, SAMPLED] } else { &[0] };
            if self.choose(Kind::First, costs)? == 0 {
                return Ok(self.free_of(of));
            }
        }
        self.sampled(self.graph.program.name_of(function), values)
    }

    /// Returns the result of an unknown function of its arguments. If the function depends on something else, the
    /// result is only a proposal.
    fn sampled(&mut self, name: FunctionName, values: Vec<TermId>) -> Result<TermId> {
        let values = self.force_all(values)?;
        Ok(self.formulas.apply(name, Codomain::ANYTHING, &values))
    }
}
