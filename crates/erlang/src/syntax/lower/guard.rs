//! Guards: expressions without effects, whose exceptions mean "no".

use super::expression::clause;
use super::{Frame, Lowered, Steps, with_steps};
use crate::syntax::ast::{Ast, Guard, MapField, Node, Operator, on_growing_stack};
use crate::syntax::bifs::is_guard_bif;
use crate::syntax::error::{Position, SyntaxError};
use program::{Expr, Pattern};
use term::Term;

impl Frame<'_> {
    /// Returns the condition that all of `tests` hold, and one of the guard's alternatives; `None` if there is nothing
    /// to test.
    pub(super) fn guard(&mut self, guard: &Guard, tests: Vec<Expr>) -> Lowered<Option<Expr>> {
        let mut conditions = tests;
        let mut alternatives = Vec::with_capacity(guard.len());
        for alternative in guard {
            let tests = alternative.iter().map(|test| self.guard_expression(test)).collect::<Lowered<Vec<_>>>()?;
            alternatives.extend(all_of(tests).map(|tests| Expr::Guard(Box::new(tests))));
        }
        conditions.extend(any_of(alternatives));
        Ok(all_of(conditions))
    }

    /// Lowers an expression that a guard may contain. Its evaluation may raise.
    pub(super) fn guard_expression(&mut self, ast: &Ast) -> Lowered<Expr> {
        if let Some(at) = outside_guards(ast) {
            return Err(SyntaxError::new(at, "this is not allowed in a guard, a key or a size of a pattern"));
        }
        let mut steps = Steps::new();
        let value = self.expression(ast, false, &mut steps)?;
        Ok(with_steps(steps, value))
    }
}

/// Returns the condition that all values are `true`. Anything else counts as `false`, and later values are not
/// evaluated.
fn all_of(tests: Vec<Expr>) -> Option<Expr> {
    tests.into_iter().rev().reduce(|rest, test| choose(test, rest, Expr::Const(Term::FALSE)))
}

fn any_of(tests: Vec<Expr>) -> Option<Expr> {
    tests.into_iter().rev().reduce(|rest, test| choose(test, Expr::Const(Term::TRUE), rest))
}

fn choose(test: Expr, if_true: Expr, otherwise: Expr) -> Expr {
    let nowhere = Position { line: 0, column: 0 };
    let clauses = vec![
        clause(vec![Pattern::Const(Term::TRUE)], if_true, nowhere),
        clause(vec![Pattern::Any], otherwise, nowhere),
    ];
    Expr::Case { subjects: vec![test], clauses, span: super::span(nowhere) }
}

/// Returns the position of the first expression that no guard may contain.
pub(super) fn outside_guards(ast: &Ast) -> Option<Position> {
    on_growing_stack(|| match &ast.node {
        Node::Variable(_)
        | Node::Atom(_)
        | Node::Integer(_)
        | Node::Float(_)
        | Node::Character(_)
        | Node::String(_) => None,
        Node::List(items, end) => items.iter().chain(end.as_deref()).find_map(outside_guards),
        Node::Tuple(items) => items.iter().find_map(outside_guards),
        Node::Map { base, fields } => {
            let in_field = |field: &MapField| outside_guards(&field.key).or_else(|| outside_guards(&field.value));
            base.as_deref().and_then(outside_guards).or_else(|| fields.iter().find_map(in_field))
        }
        Node::Binary(segments) => segments
            .iter()
            .find_map(|part| outside_guards(&part.value).or_else(|| part.size.as_ref().and_then(outside_guards))),
        Node::Unary(_, operand) => outside_guards(operand),
        Node::Operation(Operator::Send | Operator::Append | Operator::Subtract, ..) => Some(ast.at),
        Node::Operation(_, left, right) => outside_guards(left).or_else(|| outside_guards(right)),
        Node::Call(callee, arguments) => {
            let allowed = match &callee.node {
                Node::Atom(name) => is_guard_bif(name.text(), arguments.len()),
                Node::Remote(module, function) => match (&module.node, &function.node) {
                    (Node::Atom(module), Node::Atom(function)) => {
                        module.text() == "erlang" && is_guard_function(function.text(), arguments.len())
                    }
                    _ => false,
                },
                _ => false,
            };
            if allowed { arguments.iter().find_map(outside_guards) } else { Some(ast.at) }
        }
        Node::ListComprehension(..)
        | Node::BinaryComprehension(..)
        | Node::Block(_)
        | Node::If(_)
        | Node::Case(..)
        | Node::Receive { .. }
        | Node::Try { .. }
        | Node::Catch(_)
        | Node::Fun { .. }
        | Node::LocalFun { .. }
        | Node::RemoteFun { .. }
        | Node::Remote(..)
        | Node::Match(..) => Some(ast.at),
    })
}

/// Returns whether a guard may call this function of `erlang`. With a module name, operators can be called, too.
fn is_guard_function(name: &str, arity: usize) -> bool {
    let is_operator = match arity {
        1 => matches!(name, "+" | "-" | "bnot" | "not"),
        2 => Operator::of_symbol(name).is_some_and(|operator| match operator {
            Operator::Send | Operator::OrElse | Operator::AndAlso | Operator::Append | Operator::Subtract => false,
            Operator::Equal
            | Operator::NotEqual
            | Operator::AtMost
            | Operator::Less
            | Operator::AtLeast
            | Operator::Greater
            | Operator::Same
            | Operator::Different
            | Operator::Add
            | Operator::Minus
            | Operator::BitOr
            | Operator::BitXor
            | Operator::ShiftLeft
            | Operator::ShiftRight
            | Operator::Or
            | Operator::Xor
            | Operator::Divide
            | Operator::Multiply
            | Operator::Quotient
            | Operator::Remainder
            | Operator::BitAnd
            | Operator::And => true,
        }),
        _ => false,
    };
    is_operator || is_guard_bif(name, arity)
}
