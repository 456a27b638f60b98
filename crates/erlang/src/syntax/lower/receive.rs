//! `receive`: a function that examines one message after the other and calls itself, as in Core Erlang since OTP 23.

use super::control::{Branch, joined};
use super::expression::clause;
use super::free::{self, Names};
use super::scope::Visibility;
use super::{Frame, Lifted, Lifting, Lowered, Steps, all_variables, call_local, call_primitive, span, with_steps};
use crate::syntax::ast::{Ast, Clause, Name};
use crate::syntax::error::Position;
use program::{self, Binding, Expr, Pattern, Var};
use term::{Term, names};

type After = (Box<Ast>, Vec<Ast>);

impl Frame<'_> {
    pub(super) fn receive(
        &mut self,
        clauses: &[Clause],
        after: Option<&After>,
        at: Position,
        tail: bool,
        steps: &mut Steps,
    ) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let time = match after {
            Some((time, _)) => self.expression(time, false, steps)?,
            None => Expr::atom(names::INFINITY),
        };
        // The clauses do not see variables that the time binds.
        self.scope.hide_since(mark);
        let mut mentioned = Names::new();
        free::in_receive(clauses, after, &mut mentioned);
        let mut delivered = Delivered::default();
        let lifting = Lifting { kind: "recv", arity: 1, names: &mentioned, carried: Vec::new() };
        let (function, passed) = self.lift(lifting, at, |frame, lifted| {
            frame.receive_body(clauses, after.map(|(_, body)| &body[..]), &lifted, at, tail, &mut delivered)
        })?;
        self.scope.show_since(mark);
        let call = call_local(function, std::iter::once(time).chain(all_variables(&passed)).collect(), at);
        for name in delivered.unsafe_names {
            self.scope.push(name, Visibility::Unsafe { construct: "receive", at });
        }
        if delivered.names.is_empty() {
            return Ok(call);
        }
        Ok(self.unpack(call, delivered.names, at, steps))
    }

    /// Unpacks the result of the function. A function has one value, so additional values are returned in a tuple.
    fn unpack(&mut self, call: Expr, names: Vec<Name>, at: Position, steps: &mut Steps) -> Expr {
        let parts: Vec<Var> = (0..=names.len()).map(|_| self.fresh()).collect();
        let vars: Vec<Var> = (0..=names.len()).map(|_| self.fresh()).collect();
        let pattern = Pattern::Tuple(parts.iter().map(|var| Pattern::Var(*var)).collect());
        let clauses = vec![clause(vec![pattern], Expr::Values(all_variables(&parts).collect()), at)];
        let own = vars[0];
        for (name, var) in names.into_iter().zip(&vars[1..]) {
            self.scope.push(name, Visibility::Bound(*var));
        }
        steps.push(Binding { vars, value: Expr::Case { subjects: vec![call], clauses, span: span(at) } });
        Expr::Var(own)
    }

    fn receive_body(
        &mut self,
        clauses: &[Clause],
        after: Option<&[Ast]>,
        lifted: &Lifted,
        at: Position,
        tail: bool,
        delivered: &mut Delivered,
    ) -> Lowered<Expr> {
        let mut steps = Steps::new();
        let branches = self.branches(clauses, tail, &mut steps)?;
        let timeout = self.timeout_branch(after, tail, at)?;
        // Without `after`, the construct ends only with a clause.
        let ends = branches.iter().chain(after.is_some().then_some(&timeout));
        (delivered.names, delivered.unsafe_names) = joined(ends, tail);
        let time = lifted.parameters[0];
        let again = || {
            let args = std::iter::once(time).chain(lifted.passed_on.iter().copied()).map(Expr::Var).collect();
            call_local(lifted.function, args, at)
        };
        let is_empty = branches.is_empty();
        let looked_at = self.fresh();
        let taken = self.taken(branches, &delivered.names, at);
        let waited = self.waited(timeout, &delivered.names, time, again(), at);
        if is_empty {
            return Ok(with_steps(steps, waited));
        }
        let skipped = self.after_primitive("recv_next", again(), at);
        let mut message_clauses = taken;
        message_clauses.push(clause(vec![Pattern::Any], skipped, at));
        let on_message = Expr::Case { subjects: vec![Expr::Var(looked_at)], clauses: message_clauses, span: span(at) };
        let is_there = self.fresh();
        let peek = call_primitive("recv_peek_message", Vec::new(), at);
        steps.push(Binding { vars: vec![is_there, looked_at], value: peek });
        Ok(with_steps(steps, either(Expr::Var(is_there), on_message, waited, at)))
    }

    /// Lowers the branch after the timeout; without `after`, the branch is never taken.
    fn timeout_branch(&mut self, after: Option<&[Ast]>, tail: bool, at: Position) -> Lowered<Branch> {
        let mark = self.scope.mark();
        let mut steps = Steps::new();
        let value = match after {
            Some(body) => self.body(body, tail, &mut steps)?,
            None => Expr::Const(Term::TRUE),
        };
        let names = self.scope.take_since(mark);
        Ok(Branch { patterns: Vec::new(), guard: None, steps, value, names, possible: true, at })
    }

    /// Makes the clauses for messages. A message that matches is removed before the body of its clause runs.
    fn taken(&mut self, branches: Vec<Branch>, names: &[Name], at: Position) -> Vec<program::Clause> {
        let mut clauses = Vec::new();
        for mut branch in branches {
            let removed = Binding { vars: vec![self.fresh()], value: call_primitive("remove_message", Vec::new(), at) };
            branch.steps.insert(0, removed);
            clauses.extend(branch.into_clause(names, packed));
        }
        clauses
    }

    fn waited(&mut self, timeout: Branch, names: &[Name], time: Var, again: Expr, at: Position) -> Expr {
        let is_over = call_primitive("recv_wait_timeout", vec![Expr::Var(time)], at);
        let ended = timeout.into_clause(names, packed).map_or(Expr::Const(Term::TRUE), |clause| clause.body);
        either(is_over, ended, again, at)
    }

    fn after_primitive(&mut self, name: &str, then: Expr, at: Position) -> Expr {
        let lost = Binding { vars: vec![self.fresh()], value: call_primitive(name, Vec::new(), at) };
        with_steps(vec![lost], then)
    }
}

/// The names of the branches' variables that later expressions see.
#[derive(Default)]
struct Delivered {
    names: Vec<Name>,
    unsafe_names: Vec<Name>,
}

fn packed(value: Expr, exports: Vec<Expr>) -> Expr {
    Expr::Tuple(std::iter::once(value).chain(exports).collect())
}

fn either(condition: Expr, if_true: Expr, if_false: Expr, at: Position) -> Expr {
    let clauses = vec![
        clause(vec![Pattern::Const(Term::TRUE)], if_true, at),
        clause(vec![Pattern::Const(Term::FALSE)], if_false, at),
    ];
    Expr::Case { subjects: vec![condition], clauses, span: span(at) }
}
