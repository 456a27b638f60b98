//! Expressions that neither branch nor bind variables themselves: data, operators, calls.

use super::scope::Visibility;
use super::{Frame, Lowered, Steps, call_erlang, match_fail, raise_error, span, with_steps};
use crate::syntax::ast::{Ast, MapField, Node, Operator, on_growing_stack};
use crate::syntax::bifs::is_auto_imported;
use crate::syntax::constant::signed;
use crate::syntax::error::{Position, SyntaxError};
use program::{Binding, Callee, Clause, Expr, MapPair, Pattern};
use std::sync::Arc;
use term::{Atom, Fun, Term, names};

/// The maximum number of items that are not constant in one piece of a list. Longer lists are built piece by piece, so
/// that the expression is not nested as deeply as the list is long.
const LONGEST_PIECE: usize = 256;

impl Frame<'_> {
    /// Lowers an expression. With `tail`, no later expression sees the variables bound here, so branches need not
    /// export them, and a call at the end of a branch can be the last action of the function.
    pub(super) fn expression(&mut self, ast: &Ast, tail: bool, steps: &mut Steps) -> Lowered<Expr> {
        on_growing_stack(|| self.node(ast, tail, steps))
    }

    fn node(&mut self, ast: &Ast, tail: bool, steps: &mut Steps) -> Lowered<Expr> {
        let at = ast.at;
        match &ast.node {
            Node::Variable(name) => Ok(Expr::Var(self.scope.read(name, at)?)),
            Node::Atom(atom) => Ok(Expr::atom(*atom)),
            Node::Integer(value) => Ok(Expr::Const(Term::integer(value.clone()))),
            Node::Float(value) => Ok(Expr::Const(Term::Float(*value))),
            Node::Character(c) => Ok(Expr::int(*c as i64)),
            Node::String(text) => Ok(Expr::Const(Term::string(text))),
            Node::List(items, end) => self.list(items, end.as_deref(), steps),
            Node::Tuple(items) => Ok(tuple(self.arguments(items, steps)?)),
            Node::Map { base, fields } => self.map(base.as_deref(), fields, at, steps),
            Node::Binary(segments) => self.binary(segments, at, steps),
            Node::ListComprehension(template, qualifiers) => self.list_comprehension(template, qualifiers),
            Node::BinaryComprehension(template, qualifiers) => self.binary_comprehension(template, qualifiers),
            Node::Block(body) => self.body(body, tail, steps),
            Node::If(clauses) => self.if_expression(clauses, at, tail, steps),
            Node::Case(subject, clauses) => self.case(subject, clauses, at, tail, steps),
            Node::Receive { clauses, after } => self.receive(clauses, after.as_ref(), at, tail, steps),
            Node::Try { body, clauses, handlers, after } => self.try_expression(body, clauses, handlers, after, at),
            Node::Catch(operand) => self.catch(operand, at),
            Node::Fun { name, clauses } => self.fun(name.as_ref(), clauses, at),
            Node::LocalFun { name, arity } => self.local_fun(*name, *arity, at),
            Node::RemoteFun { module, function, arity } => self.remote_fun(module, function, arity, at, steps),
            Node::Call(callee, arguments) => self.call(callee, arguments, at, steps),
            Node::Remote(..) => {
                Err(SyntaxError::new(at, "a function's name alone is no value: call it, or write fun m:f/N"))
            }
            Node::Match(pattern, value) => self.match_expression(pattern, value, at, steps),
            Node::Unary(operator, operand) => match signed(*operator, operand) {
                Some(number) => Ok(Expr::Const(number)),
                None => Ok(call_erlang(operator.symbol(), self.arguments([&**operand], steps)?, at)),
            },
            Node::Operation(Operator::AndAlso, left, right) => self.short_circuit(left, right, true, at, tail, steps),
            Node::Operation(Operator::OrElse, left, right) => self.short_circuit(left, right, false, at, tail, steps),
            Node::Operation(operator, left, right) => {
                Ok(call_erlang(operator.symbol(), self.arguments([&**left, right], steps)?, at))
            }
        }
    }

    /// Lowers a body. Only the effects of all expressions but the last are needed, not their values.
    pub(super) fn body(&mut self, body: &[Ast], tail: bool, steps: &mut Steps) -> Lowered<Expr> {
        let Some((last, before)) = body.split_last() else {
            return Ok(Expr::Const(Term::Nil));
        };
        for ast in before {
            let value = self.expression(ast, false, steps)?;
            self.atomic(value, steps);
        }
        self.expression(last, tail, steps)
    }

    /// Lowers arguments, from left to right. A variable that one of them binds is not visible in the others, except
    /// that a second binding of the same name is matched with the first; expressions after the arguments see all of
    /// them.
    pub(super) fn arguments<'a>(
        &mut self,
        asts: impl IntoIterator<Item = &'a Ast>,
        steps: &mut Steps,
    ) -> Lowered<Vec<Expr>> {
        let mark = self.scope.mark();
        let mut values = Vec::new();
        for ast in asts {
            let mut own_steps = Steps::new();
            let value = self.expression(ast, false, &mut own_steps)?;
            if !own_steps.is_empty() {
                self.settle(&mut values, steps);
                steps.extend(own_steps);
            }
            self.scope.hide_since(mark);
            values.push(value);
        }
        self.scope.show_since(mark);
        Ok(values)
    }

    /// Evaluates now the values that have effects or depend on them.
    pub(super) fn settle(&mut self, values: &mut [Expr], steps: &mut Steps) {
        for value in values {
            if !is_pure(value) {
                let evaluated = std::mem::replace(value, Expr::Const(Term::Nil));
                *value = self.atomic(evaluated, steps);
            }
        }
    }

    fn list(&mut self, items: &[Ast], end: Option<&Ast>, steps: &mut Steps) -> Lowered<Expr> {
        let mut values = self.arguments(items.iter().chain(end), steps)?;
        let mut list = match end {
            Some(_) => values.pop().unwrap_or(Expr::Const(Term::Nil)),
            None => Expr::Const(Term::Nil),
        };
        if let Expr::Const(end) = &list {
            let constants = values.iter().rev().take_while(|value| matches!(value, Expr::Const(_))).count();
            let items = values.split_off(values.len() - constants).into_iter().filter_map(into_constant).collect();
            list = Expr::Const(Term::list_with_tail(items, end.clone()));
        }
        if values.len() > LONGEST_PIECE {
            values.push(list);
            for value in &mut values {
                let evaluated = std::mem::replace(value, Expr::Const(Term::Nil));
                *value = self.atomic(evaluated, steps);
            }
            list = values.pop().unwrap_or(Expr::Const(Term::Nil));
        }
        while values.len() > LONGEST_PIECE {
            let piece = values.split_off(values.len() - LONGEST_PIECE);
            list = cons_all(piece, list);
            list = self.atomic(list, steps);
        }
        Ok(cons_all(values, list))
    }

    fn map(&mut self, base: Option<&Ast>, fields: &[MapField], at: Position, steps: &mut Steps) -> Lowered<Expr> {
        if base.is_none()
            && let Some(field) = fields.iter().find(|field| field.exact)
        {
            return Err(SyntaxError::new(field.key.at, "a new map has no keys to update: expected '=>'"));
        }
        let parts = base.into_iter().chain(fields.iter().flat_map(|field| [&field.key, &field.value]));
        let mut values = self.arguments(parts, steps)?.into_iter();
        let base = match base {
            Some(_) => values.next().unwrap_or(Expr::Const(Term::Nil)),
            None => Expr::Const(Term::Map(Arc::new([]))),
        };
        let mut pairs = Vec::with_capacity(fields.len());
        for field in fields {
            if let (Some(key), Some(value)) = (values.next(), values.next()) {
                pairs.push(MapPair { key, value, exact: field.exact });
            }
        }
        Ok(Expr::Map { base: Box::new(base), pairs, span: span(at) })
    }

    fn call(&mut self, callee: &Ast, arguments: &[Ast], at: Position, steps: &mut Steps) -> Lowered<Expr> {
        let (callee, args) = match &callee.node {
            Node::Atom(name) => {
                let module = self.module_of(*name, arguments.len(), callee.at)?;
                (Callee::Remote { module, function: *name }, self.arguments(arguments, steps)?)
            }
            Node::Remote(module, function) => match (&module.node, &function.node) {
                (Node::Atom(module), Node::Atom(function)) => {
                    (Callee::Remote { module: *module, function: *function }, self.arguments(arguments, steps)?)
                }
                _ => {
                    let mut values = self.arguments([&**module, function].into_iter().chain(arguments), steps)?;
                    let args = values.split_off(2);
                    let mut parts = values.into_iter().map(Box::new);
                    match (parts.next(), parts.next()) {
                        (Some(module), Some(function)) => (Callee::Dynamic { module, function }, args),
                        _ => return Err(SyntaxError::new(at, "a call needs a module and a function")),
                    }
                }
            },
            _ => {
                let mut values = self.arguments(std::iter::once(callee).chain(arguments), steps)?;
                let args = values.split_off(1);
                let function = values.pop().unwrap_or(Expr::Const(Term::Nil));
                (Callee::Value(Box::new(function)), args)
            }
        };
        Ok(Expr::Call { callee, args, span: span(at) })
    }

    /// Returns the module of a function that is called without one.
    fn module_of(&self, name: Atom, arity: usize, at: Position) -> Lowered<Atom> {
        if is_auto_imported(name.text(), arity) {
            return Ok(names::ERLANG);
        }
        self.builder.home.ok_or_else(|| {
            let name = crate::syntax::print_atom(name);
            SyntaxError::new(at, format!("local call {name}/{arity}: give the module, m:{name}(...)"))
        })
    }

    fn local_fun(&self, name: Atom, arity: u32, at: Position) -> Lowered<Expr> {
        let module = self.module_of(name, arity as usize, at)?;
        Ok(Expr::Const(Term::Fun(Arc::new(Fun::External { module, function: name, arity }))))
    }

    fn remote_fun(
        &mut self,
        module: &Ast,
        function: &Ast,
        arity: &Ast,
        at: Position,
        steps: &mut Steps,
    ) -> Lowered<Expr> {
        if let (Node::Atom(module), Node::Atom(function), Node::Integer(arity)) =
            (&module.node, &function.node, &arity.node)
            && let Ok(arity) = u32::try_from(arity)
        {
            return Ok(Expr::Const(Term::Fun(Arc::new(Fun::External { module: *module, function: *function, arity }))));
        }
        Ok(call_erlang("make_fun", self.arguments([module, function, arity], steps)?, at))
    }

    /// Lowers `andalso` and `orelse`. `andalso` continues if the left side is `true`, `orelse` if it is `false`. The
    /// left side must be a boolean, and the right side may have any value.
    fn short_circuit(
        &mut self,
        left: &Ast,
        right: &Ast,
        goes_on: bool,
        at: Position,
        tail: bool,
        steps: &mut Steps,
    ) -> Lowered<Expr> {
        let left = self.expression(left, false, steps)?;
        let mark = self.scope.mark();
        let mut right_steps = Steps::new();
        let right = self.expression(right, tail, &mut right_steps)?;
        let construct = if goes_on { "andalso" } else { "orelse" };
        self.forget_since(mark, construct, at);
        let boolean = |value: bool| if value { Term::TRUE } else { Term::FALSE };
        let other = self.fresh();
        let clauses = vec![
            clause(vec![Pattern::Const(boolean(goes_on))], with_steps(right_steps, right), at),
            clause(vec![Pattern::Const(boolean(!goes_on))], Expr::Const(boolean(!goes_on)), at),
            clause(vec![Pattern::Var(other)], raise_error("badarg", Expr::Var(other), at), at),
        ];
        Ok(Expr::Case { subjects: vec![left], clauses, span: span(at) })
    }

    /// Marks names that were bound since the mark as unsafe, because the construct may not have bound them.
    pub(super) fn forget_since(&mut self, mark: super::scope::Mark, construct: &'static str, at: Position) {
        for (name, _) in self.scope.take_since(mark) {
            self.scope.push(name, Visibility::Unsafe { construct, at });
        }
    }

    /// Lowers `Pattern = Value`; its value is the one that is matched.
    fn match_expression(&mut self, pattern: &Ast, value: &Ast, at: Position, steps: &mut Steps) -> Lowered<Expr> {
        let value = self.expression(value, false, steps)?;
        if let Node::Variable(name) = &pattern.node {
            if &**name == "_" {
                return Ok(value);
            }
            if self.scope.get(name).is_none() {
                let var = self.fresh();
                steps.push(Binding { vars: vec![var], value });
                self.scope.push(name.clone(), Visibility::Bound(var));
                return Ok(Expr::Var(var));
            }
        }
        let subject = self.atomic(value, steps);
        let matched = self.patterns([pattern], false, steps)?;
        let guard = self.guard(&Vec::new(), matched.tests)?;
        let mut delivered: Vec<Expr> = matched.names.iter().map(|(_, var)| Expr::Var(*var)).collect();
        let body = match delivered.len() {
            1 => delivered.remove(0),
            0 => subject.clone(),
            _ => Expr::Values(delivered),
        };
        let other = self.fresh();
        let mut clauses = Vec::new();
        if matched.possible {
            clauses.push(Clause { patterns: matched.patterns, guard, body, span: span(at) });
        }
        clauses.push(clause(vec![Pattern::Var(other)], match_fail(names::BADMATCH, Expr::Var(other), at), at));
        let mut vars: Vec<_> = matched.names.iter().map(|_| self.fresh()).collect();
        for ((name, _), var) in matched.names.into_iter().zip(&vars) {
            self.scope.push(name, Visibility::Bound(*var));
        }
        if vars.is_empty() {
            vars.push(self.fresh());
        }
        let value = Expr::Case { subjects: vec![subject.clone()], clauses, span: span(at) };
        steps.push(Binding { vars, value });
        Ok(subject)
    }
}

pub(super) fn clause(patterns: Vec<Pattern>, body: Expr, at: Position) -> Clause {
    Clause { patterns, guard: None, body, span: span(at) }
}

fn tuple(items: Vec<Expr>) -> Expr {
    if items.iter().all(|item| matches!(item, Expr::Const(_))) {
        return Expr::Const(Term::tuple(items.into_iter().filter_map(into_constant).collect::<Vec<_>>()));
    }
    Expr::Tuple(items)
}

fn into_constant(value: Expr) -> Option<Term> {
    match value {
        Expr::Const(term) => Some(term),
        _ => None,
    }
}

fn cons_all(items: Vec<Expr>, end: Expr) -> Expr {
    items.into_iter().rev().fold(end, |tail, head| Expr::Cons(Box::new(head), Box::new(tail)))
}

/// Returns whether the expression can be evaluated later without a difference.
fn is_pure(value: &Expr) -> bool {
    match value {
        Expr::Const(_) | Expr::Var(_) | Expr::Closure { .. } => true,
        Expr::Tuple(items) => items.iter().all(is_pure),
        Expr::Cons(head, tail) => is_pure(head) && is_pure(tail),
        Expr::Let { .. }
        | Expr::Values(_)
        | Expr::Map { .. }
        | Expr::Bits { .. }
        | Expr::Call { .. }
        | Expr::Case { .. }
        | Expr::Try { .. }
        | Expr::Guard(_) => false,
    }
}
