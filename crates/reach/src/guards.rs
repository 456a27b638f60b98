//! Guards as formulas: true or false, and false if they raise.

use crate::Native;
use crate::evaluate::{Result, Way};
use formula::TermId;
use program::{Callee, Clause, Expr};
use term::FunctionName;

/// A value, and the condition under which it exists.
#[derive(Clone, Copy)]
struct Partial {
    value: TermId,
    defined: TermId,
}

impl<'p> Way<'_, 'p> {
    /// Returns whether a guard is true. If it has no formula, the result is unknown.
    pub fn guard(&mut self, activation: usize, expr: &'p Expr) -> Result<TermId> {
        self.step()?;
        match self.partial(activation, expr)? {
            Some(Partial { value, defined }) => {
                let truth = self.truth(value);
                Ok(self.formulas.and(defined, truth))
            }
            None => {
                let anything = self.free();
                Ok(self.truth(anything))
            }
        }
    }

    /// Returns whether an expression is true, and the condition under which it has a value. `None` if it has no
    /// formula.
    pub fn truth_of(&mut self, activation: usize, expr: &'p Expr) -> Result<Option<(TermId, TermId)>> {
        Ok(self.partial(activation, expr)?.map(|Partial { value, defined }| (self.truth(value), defined)))
    }

    /// Returns whether a value is `true`.
    pub fn truth(&mut self, value: TermId) -> TermId {
        if self.formulas.as_boolean(value).is_some() || self.formulas.operator(value).is_test() {
            return value;
        }
        let yes = self.formulas.boolean(true);
        self.formulas.identical(value, yes)
    }

    fn partial(&mut self, activation: usize, expr: &'p Expr) -> Result<Option<Partial>> {
        stacker::maybe_grow(256 << 10, 4 << 20, || self.partial_here(activation, expr))
    }

    fn partial_here(&mut self, activation: usize, expr: &'p Expr) -> Result<Option<Partial>> {
        self.step()?;
        let always = self.formulas.boolean(true);
        Ok(match expr {
            Expr::Const(_) | Expr::Var(_) => {
                let value = self.lazy(activation, expr);
                Some(Partial { value: self.force(value)?, defined: always })
            }
            Expr::Tuple(items) => {
                let mut values = Vec::new();
                let mut defined = always;
                for item in items {
                    let Some(part) = self.partial(activation, item)? else { return Ok(None) };
                    values.push(part.value);
                    defined = self.formulas.and(defined, part.defined);
                }
                Some(Partial { value: self.formulas.tuple(&values), defined })
            }
            Expr::Cons(head, tail) => {
                let (Some(head), Some(tail)) = (self.partial(activation, head)?, self.partial(activation, tail)?)
                else {
                    return Ok(None);
                };
                let defined = self.formulas.and(head.defined, tail.defined);
                Some(Partial { value: self.formulas.cons(head.value, tail.value), defined })
            }
            Expr::Let { bindings, body } => {
                let mut defined = always;
                for binding in bindings {
                    let [var] = binding.vars.as_slice() else { return Ok(None) };
                    let Some(bound) = self.partial(activation, &binding.value)? else { return Ok(None) };
                    defined = self.formulas.and(defined, bound.defined);
                    self.bind(activation, *var, bound.value);
                }
                let Some(body) = self.partial(activation, body)? else { return Ok(None) };
                Some(Partial { value: body.value, defined: self.formulas.and(defined, body.defined) })
            }
            Expr::Call { callee, args, .. } => return self.partial_call(activation, callee, args),
            Expr::Case { subjects, clauses, .. } => return self.partial_case(activation, subjects, clauses),
            Expr::Guard(inner) => match self.partial(activation, inner)? {
                Some(Partial { value, defined }) => {
                    let truth = self.truth(value);
                    Some(Partial { value: self.formulas.and(defined, truth), defined: always })
                }
                None => None,
            },
            // An inlined guard: if its body raises, the value is that of the handler, usually `false`.
            Expr::Try { body, ok_vars, ok, handler, .. } => {
                let Some(body) = self.partial(activation, body)? else { return Ok(None) };
                let [var] = ok_vars.as_slice() else { return Ok(None) };
                self.bind(activation, *var, body.value);
                let (Some(ok), Some(handler)) = (self.partial(activation, ok)?, self.partial(activation, handler)?)
                else {
                    return Ok(None);
                };
                self.either(body.defined, ok, handler)
            }
            Expr::Values(_) | Expr::Map { .. } | Expr::Bits { .. } | Expr::Closure { .. } => None,
        })
    }

    /// Combines two boolean values by a condition.
    fn either(&mut self, condition: TermId, then: Partial, other: Partial) -> Option<Partial> {
        let is_boolean = |part: &Partial| {
            self.formulas.as_boolean(part.value).is_some() || self.formulas.operator(part.value).is_test()
        };
        if !is_boolean(&then) || !is_boolean(&other) {
            return None;
        }
        let not = self.formulas.not(condition);
        let mut choose = |a: TermId, b: TermId| {
            let (a, b) = (self.formulas.and(condition, a), self.formulas.and(not, b));
            self.formulas.or(a, b)
        };
        Some(Partial { value: choose(then.value, other.value), defined: choose(then.defined, other.defined) })
    }

    fn partial_call(&mut self, activation: usize, callee: &'p Callee, args: &'p [Expr]) -> Result<Option<Partial>> {
        let mut values = Vec::new();
        let mut defined = self.formulas.boolean(true);
        for arg in args {
            let Some(arg) = self.partial(activation, arg)? else { return Ok(None) };
            values.push(arg.value);
            defined = self.formulas.and(defined, arg.defined);
        }
        let native = match callee {
            Callee::Remote { module, function } => {
                let name = FunctionName { module: *module, function: *function, arity: values.len() as u32 };
                self.natives.named(&mut self.formulas, name, &values)
            }
            Callee::Primitive(name) => self.natives.operation(&mut self.formulas, *name, &values),
            Callee::Local(_) | Callee::Dynamic { .. } | Callee::Value(_) => return Ok(None),
        };
        Ok(match native {
            Native::Value { requires, value } => Some(Partial { value, defined: self.formulas.and(defined, requires) }),
            Native::Raises => {
                let never = self.formulas.boolean(false);
                Some(Partial { value: never, defined: never })
            }
            Native::Code | Native::Sampled { .. } | Native::Same(_) | Native::Unknown => None,
        })
    }

    /// Returns the value of a case that delivers `true` or `false`, as `andalso` and `orelse` do.
    fn partial_case(
        &mut self,
        activation: usize,
        subjects: &'p [Expr],
        clauses: &'p [Clause],
    ) -> Result<Option<Partial>> {
        let mut values = Vec::new();
        let mut before = self.formulas.boolean(true);
        for subject in subjects {
            let Some(subject) = self.partial(activation, subject)? else { return Ok(None) };
            values.push(subject.value);
            before = self.formulas.and(before, subject.defined);
        }
        let never = self.formulas.boolean(false);
        let (mut value, mut defined) = (never, never);
        for clause in clauses {
            if clause.patterns.len() != values.len() {
                return Ok(None);
            }
            let condition = self.clause_condition(activation, &values, clause)?;
            let taken = self.formulas.and(before, condition);
            if self.formulas.as_boolean(taken) != Some(false) && !self.raises(&clause.body) {
                let Some(body) = self.partial(activation, &clause.body)? else { return Ok(None) };
                if self.formulas.as_boolean(body.value).is_none() && !self.formulas.operator(body.value).is_test() {
                    return Ok(None);
                }
                let (holds, has_value) = (self.formulas.and(taken, body.value), self.formulas.and(taken, body.defined));
                value = self.formulas.or(value, holds);
                defined = self.formulas.or(defined, has_value);
            }
            let not = self.formulas.not(condition);
            before = self.formulas.and(before, not);
        }
        Ok(Some(Partial { value, defined }))
    }
}
