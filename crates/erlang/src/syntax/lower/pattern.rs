//! Patterns. A name that is already bound, or occurs twice, becomes a new variable and a test for equality. Two
//! patterns joined by `=` become one.

use super::scope::{Visibility, unsafe_variable};
use super::{Frame, Lowered, Steps, call_erlang};
use crate::syntax::ast::{Ast, MapField, Name, Node, Operator, on_growing_stack};
use crate::syntax::constant::constant;
use crate::syntax::error::{Position, SyntaxError};
use crate::syntax::fold::fold;
use program::{Binding, Clause, Expr, Pattern, Var};
use term::Term;

/// The maximum number of items of a list pattern that are not constant: each nests the pattern one level deeper.
const LONGEST_LIST: usize = 1_000;

/// The patterns of one clause, lowered together.
pub(super) struct Matched {
    pub patterns: Vec<Pattern>,
    /// Further conditions, which must be `true`; none of them raises.
    pub tests: Vec<Expr>,
    /// The names that the patterns bind.
    pub names: Vec<(Name, Var)>,
    /// Whether any value matches.
    pub possible: bool,
}

/// The state while the patterns of a clause are lowered.
pub(super) struct Matching {
    pub names: Vec<(Name, Var)>,
    pub tests: Vec<Expr>,
    possible: bool,
    /// Whether names are new even if they are bound outside, as in heads of funs and in generators.
    pub hides: bool,
    /// Whether only sizes matter, so that constants and repeated names match anything.
    pub skips: bool,
}

impl Frame<'_> {
    /// Lowers the patterns of a clause. Computations before the match go to `steps`.
    pub(super) fn patterns<'a>(
        &mut self,
        asts: impl IntoIterator<Item = &'a Ast>,
        hides: bool,
        steps: &mut Steps,
    ) -> Lowered<Matched> {
        let mut matching = Matching::new(hides);
        let patterns =
            asts.into_iter().map(|ast| self.pattern(ast, &mut matching, steps)).collect::<Lowered<Vec<_>>>()?;
        Ok(Matched { patterns, tests: matching.tests, names: matching.names, possible: matching.possible })
    }

    fn pattern(&mut self, ast: &Ast, matching: &mut Matching, steps: &mut Steps) -> Lowered<Pattern> {
        on_growing_stack(|| self.pattern_node(ast, matching, steps))
    }

    fn pattern_node(&mut self, ast: &Ast, matching: &mut Matching, steps: &mut Steps) -> Lowered<Pattern> {
        match &ast.node {
            Node::Variable(name) => self.pattern_variable(name, ast.at, matching),
            Node::Atom(_) | Node::Integer(_) | Node::Float(_) | Node::Character(_) | Node::String(_) => {
                Ok(Pattern::Const(constant(ast)?))
            }
            Node::List(items, end) => self.list_pattern(items, end.as_deref(), ast.at, matching, steps),
            Node::Tuple(items) => {
                let items =
                    items.iter().map(|item| self.pattern(item, matching, steps)).collect::<Lowered<Vec<_>>>()?;
                Ok(tuple_pattern(items))
            }
            Node::Map { base: None, fields } => self.map_pattern(fields, matching, steps),
            Node::Binary(segments) => Ok(Pattern::Bits(self.bit_patterns(segments, matching)?)),
            Node::Match(left, right) => {
                let left = self.pattern(left, matching, steps)?;
                let right = self.pattern(right, matching, steps)?;
                matching.both(left, right, ast.at)
            }
            Node::Operation(Operator::Append, prefix, rest) => {
                let prefix = literal_prefix(prefix).ok_or_else(|| illegal(ast))?;
                let rest = self.pattern(rest, matching, steps)?;
                Ok(prefix.into_iter().rev().fold(rest, cons_pattern_of_constant))
            }
            Node::Unary(..) | Node::Operation(..) => Ok(Pattern::Const(fold(ast).ok_or_else(|| illegal(ast))?)),
            Node::Map { base: Some(_), .. }
            | Node::ListComprehension(..)
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
            | Node::Call(..)
            | Node::Remote(..) => Err(illegal(ast)),
        }
    }

    pub(super) fn pattern_variable(&mut self, name: &Name, at: Position, matching: &mut Matching) -> Lowered<Pattern> {
        if &**name == "_" {
            return Ok(Pattern::Any);
        }
        let mut is_pending = false;
        let earlier = match matching.variable(name) {
            Some(_) if matching.skips => return Ok(Pattern::Any),
            Some(var) => Some(var),
            None if matching.hides => None,
            None => match self.scope.get(name) {
                None | Some(Visibility::PendingUnsafe { .. }) => None,
                Some(Visibility::Bound(var) | Visibility::Trace(var)) => Some(var),
                Some(Visibility::Pending(var)) => {
                    is_pending = true;
                    Some(var)
                }
                Some(Visibility::Unsafe { construct, at: cause }) => {
                    return Err(unsafe_variable(name, construct, cause, at));
                }
            },
        };
        let var = self.fresh();
        if let Some(earlier) = earlier {
            matching.tests.push(call_erlang("=:=", vec![Expr::Var(var), Expr::Var(earlier)], at));
        }
        // A name that a sibling has bound is bound here, too, from now on.
        if earlier.is_none() || is_pending {
            matching.names.push((name.clone(), var));
        }
        Ok(Pattern::Var(var))
    }

    fn list_pattern(
        &mut self,
        items: &[Ast],
        end: Option<&Ast>,
        at: Position,
        matching: &mut Matching,
        steps: &mut Steps,
    ) -> Lowered<Pattern> {
        let items = items.iter().map(|item| self.pattern(item, matching, steps)).collect::<Lowered<Vec<_>>>()?;
        let end = end.map_or(Ok(Pattern::Const(Term::Nil)), |end| self.pattern(end, matching, steps))?;
        let list = items.into_iter().rev().try_fold((end, 0), |(tail, length), head| match (head, tail) {
            (Pattern::Const(head), tail @ Pattern::Const(_)) => Some((cons_pattern_of_constant(tail, head), 0)),
            _ if length > LONGEST_LIST => None,
            (head, tail) => Some((Pattern::Cons(Box::new(head), Box::new(tail)), length + 1)),
        });
        list.map(|(list, _)| list).ok_or_else(|| SyntaxError::new(at, "this list is too long for a pattern"))
    }

    fn map_pattern(&mut self, fields: &[MapField], matching: &mut Matching, steps: &mut Steps) -> Lowered<Pattern> {
        let mut pairs = Vec::with_capacity(fields.len());
        for field in fields {
            if !field.exact {
                return Err(SyntaxError::new(field.key.at, "illegal pattern: a key in a pattern is followed by ':='"));
            }
            let key = self.pattern_key(&field.key, matching, steps)?;
            pairs.push((key, self.pattern(&field.value, matching, steps)?));
        }
        Ok(Pattern::Map(pairs))
    }

    /// Lowers the key of a map pattern. Constants and variables are used directly. Other keys are computed before the
    /// match, and if that raises, nothing matches.
    fn pattern_key(&mut self, key: &Ast, matching: &mut Matching, steps: &mut Steps) -> Lowered<Expr> {
        let computed = match self.guard_expression(key)? {
            known @ (Expr::Const(_) | Expr::Var(_)) => return Ok(known),
            computed => computed,
        };
        let (is_known, value, inner) = (self.fresh(), self.fresh(), self.fresh());
        let delivered = |pattern: Pattern, known: Term, value: Expr| Clause {
            patterns: vec![pattern],
            guard: None,
            body: Expr::Values(vec![Expr::Const(known), value]),
            span: super::span(key.at),
        };
        let attempt = Expr::Guard(Box::new(Expr::Tuple(vec![computed])));
        let clauses = vec![
            delivered(Pattern::Tuple(vec![Pattern::Var(inner)]), Term::TRUE, Expr::Var(inner)),
            delivered(Pattern::Any, Term::FALSE, Expr::Const(Term::FALSE)),
        ];
        let value_and_success = Expr::Case { subjects: vec![attempt], clauses, span: super::span(key.at) };
        steps.push(Binding { vars: vec![is_known, value], value: value_and_success });
        matching.tests.push(Expr::Var(is_known));
        Ok(Expr::Var(value))
    }
}

impl Matching {
    pub(super) fn new(hides: bool) -> Matching {
        Matching { names: Vec::new(), tests: Vec::new(), possible: true, hides, skips: false }
    }

    pub(super) fn variable(&self, name: &str) -> Option<Var> {
        self.names.iter().find(|(found, _)| **found == *name).map(|(_, var)| *var)
    }

    /// Returns one pattern that matches the values that both match.
    fn both(&mut self, left: Pattern, right: Pattern, at: Position) -> Lowered<Pattern> {
        on_growing_stack(|| match (left, right) {
            (Pattern::Any, other) | (other, Pattern::Any) => Ok(other),
            (Pattern::Var(var), other) | (other, Pattern::Var(var)) => Ok(Pattern::Alias(var, Box::new(other))),
            (Pattern::Alias(var, inner), other) | (other, Pattern::Alias(var, inner)) => {
                Ok(Pattern::Alias(var, Box::new(self.both(*inner, other, at)?)))
            }
            (Pattern::Const(left), Pattern::Const(right)) => {
                self.possible &= left == right;
                Ok(Pattern::Const(left))
            }
            (Pattern::Cons(head, tail), Pattern::Cons(other_head, other_tail)) => {
                let head = self.both(*head, *other_head, at)?;
                Ok(Pattern::Cons(Box::new(head), Box::new(self.both(*tail, *other_tail, at)?)))
            }
            (Pattern::Tuple(items), Pattern::Tuple(others)) if items.len() == others.len() => {
                let items = items.into_iter().zip(others).map(|(item, other)| self.both(item, other, at));
                Ok(Pattern::Tuple(items.collect::<Lowered<_>>()?))
            }
            (Pattern::Map(mut pairs), Pattern::Map(others)) => {
                pairs.extend(others);
                Ok(Pattern::Map(pairs))
            }
            (Pattern::Bits(_), Pattern::Bits(_)) => {
                Err(SyntaxError::new(at, "a value cannot be matched with two binary patterns at once"))
            }
            (structure @ (Pattern::Cons(..) | Pattern::Tuple(_)), Pattern::Const(term))
            | (Pattern::Const(term), structure @ (Pattern::Cons(..) | Pattern::Tuple(_))) => match opened(&term) {
                Some(opened) => self.both(structure, opened, at),
                None => Ok(self.nothing()),
            },
            (
                Pattern::Const(_) | Pattern::Cons(..) | Pattern::Tuple(_) | Pattern::Map(_) | Pattern::Bits(_),
                Pattern::Const(_) | Pattern::Cons(..) | Pattern::Tuple(_) | Pattern::Map(_) | Pattern::Bits(_),
            ) => Ok(self.nothing()),
        })
    }

    fn nothing(&mut self) -> Pattern {
        self.possible = false;
        Pattern::Any
    }
}

/// Returns a constant list or tuple as a pattern of its parts.
fn opened(term: &Term) -> Option<Pattern> {
    match term {
        Term::List(items, end) => {
            let (first, rest) = items.split_first()?;
            let end = end.as_deref().cloned().unwrap_or(Term::Nil);
            let rest = Term::list_with_tail(rest.to_vec(), end);
            Some(Pattern::Cons(Box::new(Pattern::Const(first.clone())), Box::new(Pattern::Const(rest))))
        }
        Term::Tuple(items) => Some(Pattern::Tuple(items.iter().cloned().map(Pattern::Const).collect())),
        _ => None,
    }
}

fn tuple_pattern(items: Vec<Pattern>) -> Pattern {
    let constants: Option<Vec<Term>> = items
        .iter()
        .map(|item| match item {
            Pattern::Const(term) => Some(term.clone()),
            _ => None,
        })
        .collect();
    constants.map_or(Pattern::Tuple(items), |items| Pattern::Const(Term::tuple(items)))
}

fn cons_pattern_of_constant(tail: Pattern, head: Term) -> Pattern {
    match tail {
        Pattern::Const(tail) => Pattern::Const(Term::list_with_tail(vec![head], tail)),
        tail => Pattern::Cons(Box::new(Pattern::Const(head)), Box::new(tail)),
    }
}

/// Returns the items of an expression that is allowed before `++` in a pattern: a string, or a list of integers.
fn literal_prefix(ast: &Ast) -> Option<Vec<Term>> {
    match &ast.node {
        Node::String(_) => constant(ast).ok()?.as_list().map(<[Term]>::to_vec),
        Node::List(items, None) => items
            .iter()
            .map(|item| match &item.node {
                Node::Integer(_) | Node::Character(_) => constant(item).ok(),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

pub(super) fn illegal(ast: &Ast) -> SyntaxError {
    SyntaxError::new(ast.at, "illegal pattern")
}
