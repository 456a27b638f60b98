//! `try` and `catch`.

use super::control::Branch;
use super::expression::clause;
use super::free::{self, Names};
use super::scope::Visibility;
use super::{Frame, Lifting, Lowered, Steps, all_variables, call_local, call_primitive, match_fail, with_steps};
use crate::syntax::ast::{Ast, Clause, Handler, Name, Node};
use crate::syntax::error::{Position, SyntaxError};
use program::{Binding, Expr, Pattern, Var};
use term::names;

impl Frame<'_> {
    pub(super) fn catch(&mut self, operand: &Ast, at: Position) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let mut steps = Steps::new();
        let value = self.expression(operand, false, &mut steps)?;
        self.forget_since(mark, "catch", at);
        let body = Box::new(with_steps(steps, value));
        let ok = self.fresh();
        let handler_vars = [self.fresh(), self.fresh(), self.fresh()];
        let handler = call_primitive("catch_value", all_variables(&handler_vars).collect(), at);
        let ok_vars = vec![ok];
        Ok(Expr::Try { body, ok_vars, ok: Box::new(Expr::Var(ok)), handler_vars, handler: Box::new(handler) })
    }

    pub(super) fn try_expression(
        &mut self,
        body: &[Ast],
        clauses: &[Clause],
        handlers: &[Handler],
        after: &[Ast],
        at: Position,
    ) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let attempt = self.attempt(body, clauses, handlers, at)?;
        self.forget_since(mark, "try", at);
        if after.is_empty() {
            return Ok(attempt);
        }
        self.with_after(attempt, after, at)
    }

    fn attempt(&mut self, body: &[Ast], clauses: &[Clause], handlers: &[Handler], at: Position) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let mut steps = Steps::new();
        let value = self.body(body, false, &mut steps)?;
        if clauses.is_empty() && handlers.is_empty() {
            return Ok(with_steps(steps, value));
        }
        let bound = self.scope.take_since(mark);
        let ok_var = self.fresh();
        let mut ok_vars = vec![ok_var];
        let mut delivered = vec![value];
        let ok = if clauses.is_empty() {
            Expr::Var(ok_var)
        } else {
            self.deliver_to_clauses(&bound, clauses, &mut delivered, &mut ok_vars);
            self.ok_clauses(clauses, ok_var, at)?
        };
        let bound_in_clauses = self.scope.take_since(mark);
        // The handlers see that the body may have bound these names, but nothing of the clauses.
        for (name, _) in bound {
            self.scope.push(name, Visibility::Unsafe { construct: "try", at });
        }
        let value = if delivered.len() == 1 { delivered.remove(0) } else { Expr::Values(delivered) };
        let body = Box::new(with_steps(steps, value));
        let handler_vars = [self.fresh(), self.fresh(), self.fresh()];
        let handler = self.handlers(handlers, handler_vars, at)?;
        for (name, _) in bound_in_clauses {
            self.scope.push(name, Visibility::Unsafe { construct: "try", at });
        }
        Ok(Expr::Try { body, ok_vars, ok: Box::new(ok), handler_vars, handler: Box::new(handler) })
    }

    /// Extends the values of the body by the variables that it binds and the clauses after `of` mention.
    fn deliver_to_clauses(
        &mut self,
        bound: &[(Name, Visibility)],
        clauses: &[Clause],
        delivered: &mut Vec<Expr>,
        ok_vars: &mut Vec<Var>,
    ) {
        let mut mentioned = Names::new();
        free::in_clauses(clauses, &mut mentioned);
        for (name, state) in bound.iter().filter(|(name, _)| mentioned.contains(name)) {
            match state {
                Visibility::Bound(var) => {
                    let seen = self.fresh();
                    delivered.push(Expr::Var(*var));
                    ok_vars.push(seen);
                    self.scope.push(name.clone(), Visibility::Bound(seen));
                }
                Visibility::Pending(_)
                | Visibility::PendingUnsafe { .. }
                | Visibility::Unsafe { .. }
                | Visibility::Trace(_) => {
                    self.scope.push(name.clone(), *state);
                }
            }
        }
    }

    fn ok_clauses(&mut self, clauses: &[Clause], subject: Var, at: Position) -> Lowered<Expr> {
        let mut steps = Steps::new();
        let branches = self.branches(clauses, true, &mut steps)?;
        let other = self.fresh();
        let last = clause(vec![Pattern::Var(other)], match_fail(names::TRY_CLAUSE, Expr::Var(other), at), at);
        let value = self.join("try", at, vec![Expr::Var(subject)], branches, last, true, &mut steps);
        Ok(with_steps(steps, value))
    }

    fn handlers(&mut self, handlers: &[Handler], vars: [Var; 3], at: Position) -> Lowered<Expr> {
        let [_, reason, trace] = vars;
        let mut steps = Steps::new();
        let branches =
            handlers.iter().map(|handler| self.handler(handler, trace, &mut steps)).collect::<Lowered<Vec<_>>>()?;
        let again = call_primitive("raise", vec![Expr::Var(trace), Expr::Var(reason)], at);
        if branches.is_empty() {
            return Ok(again);
        }
        let last = clause(vec![Pattern::Any; 3], again, at);
        let value = self.join("try", at, all_variables(&vars).collect(), branches, last, true, &mut steps);
        Ok(with_steps(steps, value))
    }

    fn handler(&mut self, handler: &Handler, trace: Var, steps: &mut Steps) -> Lowered<Branch> {
        let throw = Ast::new(handler.at, Node::Atom(names::THROW));
        let class = handler.class.as_ref().unwrap_or(&throw);
        let matched = self.patterns([class, &handler.reason], false, steps)?;
        let mark = self.scope.mark();
        for (name, var) in matched.names {
            self.scope.push(name, Visibility::Bound(var));
        }
        let mut own_steps = Steps::new();
        let guard_mark = self.scope.mark();
        let stack = self.stack_variable(handler.trace.as_ref())?;
        let guard = self.guard(&handler.guard, matched.tests)?;
        self.scope.take_since(guard_mark);
        if let Some((name, var, at)) = stack {
            let value = call_primitive("build_stacktrace", vec![Expr::Var(trace)], at);
            own_steps.push(Binding { vars: vec![var], value });
            self.scope.push(name, Visibility::Bound(var));
        }
        let value = self.body(&handler.body, true, &mut own_steps)?;
        let names = self.scope.take_since(mark);
        let mut patterns = matched.patterns;
        patterns.push(Pattern::Any);
        Ok(Branch { patterns, guard, steps: own_steps, value, names, possible: matched.possible, at: handler.at })
    }

    /// Returns the variable for the stack trace. Its name must be new, because it is not matched with anything.
    fn stack_variable(&mut self, trace: Option<&Ast>) -> Lowered<Option<(Name, Var, Position)>> {
        let Some((name, at)) = trace.and_then(|trace| match &trace.node {
            Node::Variable(name) if &**name != "_" => Some((name.clone(), trace.at)),
            _ => None,
        }) else {
            return Ok(None);
        };
        if self.scope.get(&name).is_some() {
            return Err(SyntaxError::new(at, format!("stack trace {name} must be a new variable")));
        }
        let var = self.fresh();
        self.scope.push(name.clone(), Visibility::Trace(var));
        Ok(Some((name, var, at)))
    }

    /// Adds `after`, which runs whether the attempt raised or not. Its value is ignored.
    fn with_after(&mut self, attempt: Expr, after: &[Ast], at: Position) -> Lowered<Expr> {
        let mut mentioned = Names::new();
        free::in_all(after, &mut mentioned);
        let lifting = Lifting { kind: "after", arity: 0, names: &mentioned, carried: Vec::new() };
        let mut bound = Vec::new();
        let (function, passed) = self.lift(lifting, at, |frame, _| {
            let mark = frame.scope.mark();
            let mut steps = Steps::new();
            let value = frame.body(after, true, &mut steps)?;
            bound = frame.scope.take_since(mark);
            Ok(with_steps(steps, value))
        })?;
        for (name, _) in bound {
            self.scope.push(name, Visibility::Unsafe { construct: "try", at });
        }
        let ok_var = self.fresh();
        let handler_vars = [self.fresh(), self.fresh(), self.fresh()];
        let again = call_primitive("raise", vec![Expr::Var(handler_vars[2]), Expr::Var(handler_vars[1])], at);
        let mut then = |value: Expr| {
            let lost = self.fresh();
            let call = call_local(function, all_variables(&passed).collect(), at);
            Box::new(with_steps(vec![Binding { vars: vec![lost], value: call }], value))
        };
        let (ok, handler) = (then(Expr::Var(ok_var)), then(again));
        Ok(Expr::Try { body: Box::new(attempt), ok_vars: vec![ok_var], ok, handler_vars, handler })
    }
}
