//! Funs: closures of functions of the module.

use super::control::always_matches;
use super::expression::clause;
use super::free::{self, Names};
use super::scope::Visibility;
use super::{Frame, Lowered, Steps, all_variables, call_primitive, span, variables, with_steps};
use crate::syntax::ast::{Clause, Name};
use crate::syntax::error::Position;
use program::{self, Binding, Expr, Origin, Pattern, Var};
use term::Atom;

impl Frame<'_> {
    pub(super) fn fun(&mut self, name: Option<&Name>, clauses: &[Clause], at: Position) -> Lowered<Expr> {
        let arity = clauses.first().map_or(0, |clause| clause.patterns.len());
        let mut names = Names::new();
        free::in_fun(name, clauses, &mut names);
        let function = self.builder.reserve();
        let index = self.builder.lambdas;
        self.builder.lambdas += 1;
        let (scope, captures) = self.scope.captured(&names, arity);
        let count = arity + captures.len();
        let mut frame = Frame { builder: &mut *self.builder, next_variable: count as u32, scope };
        let mut steps = Steps::new();
        if let Some(name) = name.filter(|name| &***name != "_") {
            let own = frame.fresh();
            let value = Expr::Closure { function, captures: variables(arity, count) };
            steps.push(Binding { vars: vec![own], value });
            frame.scope.push(name.clone(), Visibility::Bound(own));
        }
        let value = frame.fun_body(clauses, &variables(0, arity), at, &mut steps)?;
        let body = with_steps(steps, value);
        let name = Atom::new(&format!("-eval/0-fun-{index}-"));
        let origin = Origin::Lambda { index, unique: 0 };
        self.builder.define(function, name, arity, captures.len(), origin, at, body);
        Ok(Expr::Closure { function, captures })
    }

    /// Lowers the clauses of a fun. The variables of a head are new in each clause, even if they are bound outside.
    fn fun_body(&mut self, clauses: &[Clause], parameters: &[Var], at: Position, steps: &mut Steps) -> Lowered<Expr> {
        let mut lowered = Vec::with_capacity(clauses.len() + 1);
        for clause in clauses {
            let matched = self.patterns(&clause.patterns, true, steps)?;
            let mark = self.scope.mark();
            for (name, var) in matched.names {
                self.scope.push(name, Visibility::Bound(var));
            }
            let guard = self.guard(&clause.guard, matched.tests)?;
            let mut own_steps = Steps::new();
            let value = self.body(&clause.body, true, &mut own_steps)?;
            self.scope.take_since(mark);
            if matched.possible {
                let body = with_steps(own_steps, value);
                lowered.push(program::Clause { patterns: matched.patterns, guard, body, span: span(clause.at) });
            }
        }
        let arguments: Vec<Expr> = all_variables(parameters).collect();
        if !lowered.last().is_some_and(always_matches) {
            let failure = call_primitive("function_clause", arguments.clone(), at);
            lowered.push(clause(vec![Pattern::Any; parameters.len()], failure, at));
        }
        Ok(Expr::Case { subjects: arguments, clauses: lowered, span: span(at) })
    }
}
