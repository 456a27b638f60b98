//! The names that an expression mentions and may not bind itself. A function made of the expression gets those of them
//! that are bound in its context as parameters.

use crate::syntax::ast::{Ast, Clause, Guard, Name, Node, Qualifier, on_growing_stack};
use std::collections::BTreeSet;

pub type Names = BTreeSet<Name>;

pub fn in_expression(ast: &Ast, names: &mut Names) {
    on_growing_stack(|| match &ast.node {
        Node::Variable(name) => {
            names.insert(name.clone());
        }
        Node::ListComprehension(template, qualifiers) | Node::BinaryComprehension(template, qualifiers) => {
            in_comprehension(qualifiers, template, names);
        }
        Node::Fun { name, clauses } => in_fun(name.as_ref(), clauses, names),
        _ => ast.for_each_child(&mut |child| in_expression(child, names)),
    });
}

pub fn in_all<'a>(asts: impl IntoIterator<Item = &'a Ast>, names: &mut Names) {
    asts.into_iter().for_each(|ast| in_expression(ast, names));
}

fn in_guard(guard: &Guard, names: &mut Names) {
    in_all(guard.iter().flatten(), names);
}

pub fn in_clauses(clauses: &[Clause], names: &mut Names) {
    for clause in clauses {
        in_all(&clause.patterns, names);
        in_guard(&clause.guard, names);
        in_all(&clause.body, names);
    }
}

pub fn in_receive(clauses: &[Clause], after: Option<&(Box<Ast>, Vec<Ast>)>, names: &mut Names) {
    in_clauses(clauses, names);
    if let Some((time, body)) = after {
        in_expression(time, names);
        in_all(body, names);
    }
}

/// Adds the names that a fun mentions. Variables of a head belong to the fun, except those that are only read: in sizes
/// and keys.
pub fn in_fun(name: Option<&Name>, clauses: &[Clause], names: &mut Names) {
    let mut used = Names::new();
    for clause in clauses {
        let mut inside = Names::new();
        in_guard(&clause.guard, &mut inside);
        in_all(&clause.body, &mut inside);
        let mut read = Names::new();
        let mut bound = Names::new();
        for pattern in &clause.patterns {
            in_pattern(pattern, &mut bound, &mut read);
        }
        used.extend(inside.difference(&bound).cloned());
        used.extend(read);
    }
    if let Some(name) = name {
        used.remove(name);
    }
    names.extend(used);
}

/// Adds the names that a pattern binds to `bound`, and those that it only reads to `read`.
fn in_pattern(pattern: &Ast, bound: &mut Names, read: &mut Names) {
    on_growing_stack(|| match &pattern.node {
        Node::Map { base, fields } => {
            in_all(base.as_deref(), read);
            for field in fields {
                in_expression(&field.key, read);
                in_pattern(&field.value, bound, read);
            }
        }
        Node::Binary(segments) => {
            for segment in segments {
                in_expression(&segment.value, bound);
                in_all(&segment.size, read);
            }
        }
        Node::List(items, tail) => {
            items.iter().chain(tail.as_deref()).for_each(|item| in_pattern(item, bound, read));
        }
        Node::Tuple(items) => items.iter().for_each(|item| in_pattern(item, bound, read)),
        Node::Match(left, right) | Node::Operation(_, left, right) => {
            in_pattern(left, bound, read);
            in_pattern(right, bound, read);
        }
        // A variable, a literal, or an invalid pattern, which lowering reports.
        _ => in_expression(pattern, bound),
    });
}

/// Adds the names that a comprehension mentions. A generator's variables shadow outer ones in everything that follows
/// it.
pub fn in_comprehension(qualifiers: &[Qualifier], template: &Ast, names: &mut Names) {
    let Some((first, rest)) = qualifiers.split_first() else {
        return in_expression(template, names);
    };
    match first {
        Qualifier::Filter(filter) => {
            in_expression(filter, names);
            in_comprehension(rest, template, names);
        }
        Qualifier::List(pattern, value) | Qualifier::Bits(pattern, value) => {
            in_expression(value, names);
            in_generated(pattern, rest, template, names);
        }
    }
}

/// Adds the names that the function of a generator mentions, after its list was evaluated.
pub fn in_generated(pattern: &Ast, rest: &[Qualifier], template: &Ast, names: &mut Names) {
    let mut inside = Names::new();
    in_comprehension(rest, template, &mut inside);
    let mut bound = Names::new();
    in_pattern(pattern, &mut bound, names);
    names.extend(inside.difference(&bound).cloned());
}
