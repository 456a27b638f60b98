//! Examines what other clauses take where no clause fits: values of the same kind, or of other kinds only.
//!
//! Code that takes positive and negative numbers and forgets zero has a gap; code that takes binaries only was never
//! meant for numbers.

use frontend::CodeAround;
use path::{Raised, TraceEntry};
use program::{Callee, Clause, Expr, Module, Pattern, Var, for_each_expr};
use report::rank::Neighbours;
use std::sync::Arc;
use term::{Term, names};

/// Examines the clauses at which an exception was raised because none of them fits.
pub fn neighbours(raised: &Raised, around: &dyn CodeAround) -> Neighbours {
    let Some(first) = raised.trace.first().filter(|first| around.is_users(first.module)) else {
        return Neighbours::Unknown;
    };
    let Some(module) = around.load(first.module) else { return Neighbours::Unknown };
    if raised.reason == Term::Atom(names::FUNCTION_CLAUSE) {
        return of_heads(&module, first);
    }
    match &raised.reason {
        Term::Tuple(parts) => match &**parts {
            [Term::Atom(tag), value] if matches!(tag.text(), "case_clause" | "badmatch" | "try_clause") => {
                of_cases(&module, first.line, value)
            }
            _ => Neighbours::Unknown,
        },
        _ => Neighbours::Unknown,
    }
}

/// Examines the clauses of a function, which are a case over its parameters.
fn of_heads(module: &Arc<Module>, entry: &TraceEntry) -> Neighbours {
    let Some(args) = &entry.args else { return Neighbours::Unknown };
    let Some(id) = module.find(entry.function, args.len() as u32) else { return Neighbours::Unknown };
    let Ok(body) = module.function(id).body.get() else { return Neighbours::Unknown };
    let mut found = Neighbours::Unknown;
    for_each_expr(body, |expr| {
        let Expr::Case { subjects, clauses, .. } = expr else { return };
        if clauses.iter().any(|clause| fails_by(clause, "function_clause")) {
            let value = |subject: &Expr| match subject {
                Expr::Var(Var(number)) => args.get(*number as usize),
                _ => None,
            };
            let values: Vec<Option<&Term>> = subjects.iter().map(value).collect();
            found = found.max(compare(subjects, clauses, &values));
        }
    });
    found
}

/// Examines the clauses of the cases and matches on a line.
fn of_cases(module: &Arc<Module>, line: u32, value: &Term) -> Neighbours {
    let mut found = Neighbours::Unknown;
    for function in &module.functions {
        let Ok(body) = function.body.get() else { continue };
        for_each_expr(body, |expr| {
            let Expr::Case { subjects, clauses, span } = expr else { return };
            let is_there = span.line == line || clauses.iter().any(|clause| clause.span.line == line);
            if !is_there || !clauses.iter().any(|clause| fails_by(clause, "match_fail")) {
                return;
            }
            // The compiler takes a tuple of subjects apart.
            let values: Vec<Option<&Term>> = match (subjects.len(), value) {
                (1, value) => vec![Some(value)],
                (count, Term::Tuple(parts)) if parts.len() == count => parts.iter().map(Some).collect(),
                _ => return,
            };
            found = found.max(compare(subjects, clauses, &values));
        });
    }
    found
}

fn fails_by(clause: &Clause, primitive: &str) -> bool {
    matches!(&clause.body, Expr::Call { callee: Callee::Primitive(name), .. } if name.text() == primitive)
}

/// Returns whether a clause that does not raise takes values of these kinds.
fn compare(subjects: &[Expr], clauses: &[Clause], values: &[Option<&Term>]) -> Neighbours {
    let is_alike = |clause: &&Clause| {
        clause.patterns.iter().zip(values).enumerate().all(|(index, (pattern, value))| {
            value.is_none_or(|value| {
                is_same_kind(pattern, value) && !is_tested_otherwise(subjects.get(index), pattern, clause, value)
            })
        })
    };
    let mut others =
        clauses.iter().filter(|clause| !fails_by(clause, "function_clause") && !fails_by(clause, "match_fail"));
    if others.any(|clause| is_alike(&clause)) { Neighbours::SameKind } else { Neighbours::OtherKinds }
}

fn is_same_kind(pattern: &Pattern, value: &Term) -> bool {
    match pattern {
        Pattern::Any | Pattern::Var(_) => true,
        Pattern::Alias(_, inner) => is_same_kind(inner, value),
        Pattern::Const(term) => kind(term) == kind(value),
        Pattern::Cons(..) => kind(value) == Kind::List,
        Pattern::Tuple(_) => kind(value) == Kind::Tuple,
        Pattern::Map(_) => kind(value) == Kind::Map,
        Pattern::Bits(_) => kind(value) == Kind::Bits,
    }
}

/// Returns whether the guard of a clause wants the value to be of other kinds. The guard tests the variable of the
/// pattern, or that of the subject.
fn is_tested_otherwise(subject: Option<&Expr>, pattern: &Pattern, clause: &Clause, value: &Term) -> bool {
    let Some(guard) = &clause.guard else { return false };
    let bound = match pattern {
        Pattern::Var(var) | Pattern::Alias(var, _) => Some(*var),
        _ => None,
    };
    let given = match subject {
        Some(Expr::Var(var)) => Some(*var),
        _ => None,
    };
    let (mut tests, mut fitting) = (0, 0);
    for_each_expr(guard, |expr| {
        if let Some((of, wanted)) = type_test(expr)
            && (Some(of) == bound || Some(of) == given)
        {
            tests += 1;
            fitting += usize::from(wanted == kind(value));
        }
    });
    tests > 0 && fitting == 0
}

/// Returns the variable and the kind that a test like `is_list(X)` is about.
pub fn type_test(expr: &Expr) -> Option<(Var, Kind)> {
    let Expr::Call { callee: Callee::Remote { function, .. }, args, .. } = expr else { return None };
    let [Expr::Var(var), ..] = &args[..] else { return None };
    let kind = match function.text() {
        "is_list" | "length" => Kind::List,
        "is_binary" | "is_bitstring" | "byte_size" | "bit_size" => Kind::Bits,
        "is_atom" | "is_boolean" => Kind::Atom,
        "is_integer" => Kind::Integer,
        "is_float" => Kind::Float,
        "is_tuple" | "tuple_size" | "element" => Kind::Tuple,
        "is_map" | "map_size" => Kind::Map,
        "is_function" => Kind::Function,
        "is_pid" | "is_reference" | "is_port" => Kind::Identity,
        _ => return None,
    };
    Some((*var, kind))
}

/// The kinds of values that clauses distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Float,
    Atom,
    List,
    Tuple,
    Map,
    Bits,
    Function,
    Identity,
}

pub fn kind(term: &Term) -> Kind {
    match term {
        Term::Int(_) | Term::Big(_) => Kind::Integer,
        Term::Float(_) => Kind::Float,
        Term::Atom(_) => Kind::Atom,
        Term::Nil | Term::List(..) => Kind::List,
        Term::Tuple(_) => Kind::Tuple,
        Term::Map(_) => Kind::Map,
        Term::Bits(_) => Kind::Bits,
        Term::Fun(_) => Kind::Function,
        Term::Pid(_) | Term::Reference(_) | Term::Port(_) => Kind::Identity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::Span;
    use term::Atom;

    fn clause(pattern: Pattern, guard: Option<Expr>, body: Expr) -> Clause {
        Clause { patterns: vec![pattern], guard, body, span: Span::default() }
    }

    fn failing() -> Clause {
        let callee = Callee::Primitive(Atom::new("match_fail"));
        clause(Pattern::Any, None, Expr::Call { callee, args: vec![], span: Span::default() })
    }

    #[test]
    fn other_lists_are_neighbours_of_the_empty_one_and_numbers_are_not() {
        let items = Pattern::Cons(Box::new(Pattern::Any), Box::new(Pattern::Any));
        let clauses = [clause(items, None, Expr::int(0)), failing()];
        assert_eq!(compare(&[Expr::Var(Var(0))], &clauses, &[Some(&Term::Nil)]), Neighbours::SameKind);
        assert_eq!(compare(&[Expr::Var(Var(0))], &clauses, &[Some(&Term::Int(0))]), Neighbours::OtherKinds);
    }

    #[test]
    fn guards_say_which_kinds_a_clause_takes() {
        let callee = || Callee::Remote { module: Atom::new("erlang"), function: Atom::new("is_integer") };
        let guard = Expr::Call { callee: callee(), args: vec![Expr::Var(Var(0))], span: Span::default() };
        let clauses = [clause(Pattern::Any, Some(guard), Expr::int(0)), failing()];
        assert_eq!(compare(&[Expr::Var(Var(0))], &clauses, &[Some(&Term::Int(0))]), Neighbours::SameKind);
        assert_eq!(compare(&[Expr::Var(Var(0))], &clauses, &[Some(&Term::Nil)]), Neighbours::OtherKinds);
    }
}
