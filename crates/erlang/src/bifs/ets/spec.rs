//! Match specifications: clauses with head, guards and body. The first clause whose head matches and whose guards are
//! all `true` gives the result. A specification lives as long as the primitive that compiled it.

use super::expression::{Environment, Expression, Wrong};
use super::pattern::{Pattern, is_open};
use super::tables::key_of;
use crate::order;
use machine::value::identical;
use machine::{Context, Escape, Word, list_items};
use path::Stop;
use std::cmp::Ordering;
use term::{FunctionName, names};

pub struct MatchSpec {
    clauses: Vec<Clause>,
    values: Vec<Word>,
    open: Vec<Word>,
}

struct Clause {
    head: Word,
    pattern: Pattern,
    guards: Vec<Expression>,
    body: Vec<Expression>,
    body_source: Word,
}

impl MatchSpec {
    /// Compiles a specification, or raises the error that the BEAM raises for a bad one.
    pub fn compile(context: &mut Context, spec: Word) -> Result<MatchSpec, Escape> {
        MatchSpec::try_compile(spec).map_err(|wrong| match wrong {
            Wrong::TooDeep => context.error(names::SYSTEM_LIMIT),
            Wrong::Unsupported(function, arity) => {
                context.stop(Stop::Unsupported(FunctionName { module: names::ERLANG, function, arity: arity as u32 }))
            }
            Wrong::Unbound(_) | Wrong::NoSuchFunction(..) | Wrong::NotAnExpression => context.error(names::BADARG),
        })
    }

    pub fn try_compile(spec: Word) -> Result<MatchSpec, Wrong> {
        let clauses = list_items(spec).ok_or(Wrong::NotAnExpression)?;
        let clauses = clauses.into_iter().map(Clause::compile).collect::<Result<_, Wrong>>()?;
        Ok(MatchSpec { clauses, values: Vec::new(), open: Vec::new() })
    }

    /// Returns the result of the first clause that matches, if there is one.
    pub fn run(&mut self, context: &mut Context, object: Word) -> Result<Option<Word>, Escape> {
        let mut cost = 1;
        'clauses: for clause in &self.clauses {
            cost += 1;
            if !clause.pattern.matches(context, object, &mut self.values, &mut self.open) {
                continue;
            }
            let guard = Environment { object, values: &self.values, catches: false };
            for expression in &clause.guards {
                match guard.evaluate(context, expression)? {
                    Some(value) if context.is_true(value) => {}
                    _ => continue 'clauses,
                }
            }
            let body = Environment { object, values: &self.values, catches: true };
            let mut result = None;
            for expression in &clause.body {
                result = body.evaluate(context, expression)?;
            }
            context.charge(cost)?;
            return Ok(result);
        }
        context.charge(cost)?;
        Ok(None)
    }

    /// Returns the keys of all objects that can match, in order, if every head determines them.
    pub fn bound_keys(&self, key_index: usize) -> Option<Vec<Word>> {
        let mut keys = Vec::new();
        for clause in &self.clauses {
            if clause.head.is_atom() && is_open(clause.head) {
                return None;
            }
            // A head without a key matches no object.
            let Some(key) = key_of(clause.head, key_index) else { continue };
            if is_open(key) {
                return None;
            }
            keys.push(key);
        }
        keys.sort_by(|&a, &b| order::key_order(a, b));
        keys.dedup_by(|a, b| order::key_order(*a, *b) == Ordering::Equal);
        Some(keys)
    }

    /// Returns whether the text of the specification shows that every result is an object with the key of the matched
    /// one.
    pub fn keeps_keys(&self, key_index: usize) -> bool {
        self.clauses.iter().all(|clause| clause.keeps_key(key_index))
    }
}

impl Clause {
    fn compile(clause: Word) -> Result<Clause, Wrong> {
        let Some(&[head, guards, body]) = clause.concrete().as_tuple() else { return Err(Wrong::NotAnExpression) };
        let head = head.concrete();
        let pattern = Pattern::compile(head).map_err(|_| Wrong::NotAnExpression)?;
        let expressions = |list: Word| -> Result<Vec<Expression>, Wrong> {
            let items = list_items(list.concrete()).ok_or(Wrong::NotAnExpression)?;
            items.into_iter().map(|item| Expression::compile(item, &pattern.variables)).collect()
        };
        let (guards, compiled_body) = (expressions(guards)?, expressions(body)?);
        if compiled_body.is_empty() {
            return Err(Wrong::NotAnExpression);
        }
        Ok(Clause { head, pattern, guards, body: compiled_body, body_source: body })
    }

    fn keeps_key(&self, key_index: usize) -> bool {
        let Some([result]) = list_items(self.body_source.concrete())
            .as_deref()
            .map(|body| [body[0].concrete()])
            .filter(|_| self.body.len() == 1)
        else {
            return false;
        };
        if result.as_atom() == Some(names::WHOLE_OBJECT) {
            return true;
        }
        let Some(key) = key_of(self.head, key_index) else { return false };
        let (made, constant) = match result.as_tuple() {
            Some(&[name, object]) if name.as_atom() == Some(names::CONST) => (object, true),
            Some(&[object]) => (object, false),
            _ => return false,
        };
        let Some(made_key) = key_of(made, key_index) else { return false };
        if makes_what_matched(key, made_key, constant) {
            return true;
        }
        // The expression `{element, KeyPosition, '$_'}`.
        !constant
            && matches!(made_key.as_tuple(), Some(&[name, position, object])
                if name.as_atom().is_some_and(|name| name.text() == "element")
                    && position.as_small() == Some(key_index as i64 + 1)
                    && object.as_atom() == Some(names::WHOLE_OBJECT))
    }
}

/// Returns whether the expression `made` always gives the term that the pattern `matched` has matched.
fn makes_what_matched(matched: Word, made: Word, constant: bool) -> bool {
    let mut open = vec![(matched, made, constant)];
    while let Some((matched, made, constant)) = open.pop() {
        let (matched, made) = (matched.concrete(), made.concrete());
        if made.is_cons() {
            if !matched.is_cons() {
                return false;
            }
            open.push((matched.tail(), made.tail(), constant));
            open.push((matched.head(), made.head(), constant));
        } else if let Some(elements) = made.as_tuple() {
            let inner = elements.first().map_or(made, |only| only.concrete());
            let (elements, constant) = match elements {
                _ if constant => (elements, true),
                [_] if inner.as_tuple().is_some() => (inner.payload(), false),
                [name, term] if name.as_atom() == Some(names::CONST) => {
                    open.push((matched, *term, true));
                    continue;
                }
                _ => return false,
            };
            match matched.as_tuple() {
                Some(parts) if parts.len() == elements.len() => {
                    open.extend(parts.iter().zip(elements).map(|(part, element)| (*part, *element, constant)));
                }
                _ => return false,
            }
        } else if made.is_map() {
            // The matched map may have further entries.
            return false;
        } else if let Some(atom) = matched.as_atom() {
            let special = [names::UNDERSCORE, names::WHOLE_OBJECT, names::ALL_BINDINGS].contains(&atom);
            if matched != made || special || constant && super::pattern::variable(atom).is_some() {
                return false;
            }
        } else if !identical(matched, made) {
            return false;
        }
    }
    true
}
