//! Operations on trees of any depth: measuring, traversing and dropping. A literal list in generated source nests once
//! per element, so none of them may recurse on Rust's stack.

use crate::{BitSize, Callee, Expr, Pattern, Var};
use term::{Atom, Fun, Term};

/// A node inside a body.
#[derive(Clone, Copy)]
enum Nested<'a> {
    Expr(&'a Expr),
    Pattern(&'a Pattern),
    Term(&'a Term),
}

/// Returns the number of nodes on the longest path from the root to a leaf, terms and patterns included.
pub(crate) fn depth(root: &Expr) -> usize {
    let mut deepest = 0;
    let mut open = vec![(Nested::Expr(root), 1)];
    while let Some((node, depth)) = open.pop() {
        deepest = deepest.max(depth);
        let mut child = |node| open.push((node, depth + 1));
        match node {
            Nested::Expr(expr) => expr_children(expr, &mut child),
            Nested::Pattern(pattern) => pattern_children(pattern, &mut child),
            Nested::Term(term) => term_children(term, &mut child),
        }
    }
    deepest
}

/// Calls `show` with every use of a variable in a body: in expressions, in the keys and sizes of patterns, and by
/// closures.
pub fn for_each_use(root: &Expr, mut show: impl FnMut(Var)) {
    let mut open = vec![Nested::Expr(root)];
    while let Some(node) = open.pop() {
        match node {
            Nested::Expr(Expr::Var(var)) => show(*var),
            Nested::Expr(Expr::Closure { captures, .. }) => captures.iter().copied().for_each(&mut show),
            Nested::Expr(Expr::Const(_)) | Nested::Term(_) => {}
            Nested::Expr(expr) => expr_children(expr, &mut |node| open.push(node)),
            Nested::Pattern(pattern) => pattern_children(pattern, &mut |node| open.push(node)),
        }
    }
}

/// Calls `child` with the expressions directly below one, those in patterns included, in source order.
pub fn for_each_child<'a>(expr: &'a Expr, mut child: impl FnMut(&'a Expr)) {
    let mut open = Vec::new();
    expr_children(expr, &mut |node| open.push(node));
    open.reverse();
    while let Some(node) = open.pop() {
        match node {
            Nested::Expr(expr) => child(expr),
            Nested::Pattern(pattern) => {
                let start = open.len();
                pattern_children(pattern, &mut |node| open.push(node));
                open[start..].reverse();
            }
            Nested::Term(_) => {}
        }
    }
}

/// Calls `show` with every expression of a body, itself included.
pub fn for_each_expr(root: &Expr, mut show: impl FnMut(&Expr)) {
    let mut open = vec![Nested::Expr(root)];
    while let Some(node) = open.pop() {
        match node {
            Nested::Expr(expr) => {
                show(expr);
                expr_children(expr, &mut |node| open.push(node));
            }
            Nested::Pattern(pattern) => pattern_children(pattern, &mut |node| open.push(node)),
            Nested::Term(_) => {}
        }
    }
}

/// Calls `show` with every atom that a body names, including those in patterns and constants.
pub fn for_each_atom(root: &Expr, mut show: impl FnMut(Atom)) {
    let mut open = vec![Nested::Expr(root)];
    while let Some(node) = open.pop() {
        match node {
            Nested::Expr(expr) => expr_children(expr, &mut |node| open.push(node)),
            Nested::Pattern(pattern) => pattern_children(pattern, &mut |node| open.push(node)),
            Nested::Term(Term::Atom(atom)) => show(*atom),
            Nested::Term(term) => term_children(term, &mut |node| open.push(node)),
        }
    }
}

/// Calls `show` with every module that a body names as one whose functions it calls or refers to.
pub fn for_each_module(root: &Expr, mut show: impl FnMut(Atom)) {
    let mut open = vec![Nested::Expr(root)];
    while let Some(node) = open.pop() {
        match node {
            Nested::Expr(expr) => {
                if let Expr::Call { callee, .. } = expr {
                    match callee {
                        Callee::Remote { module, .. } => show(*module),
                        Callee::Dynamic { module, .. } => {
                            if let Expr::Const(Term::Atom(module)) = **module {
                                show(module);
                            }
                        }
                        Callee::Local(_) | Callee::Primitive(_) | Callee::Value(_) => {}
                    }
                }
                expr_children(expr, &mut |node| open.push(node));
            }
            Nested::Pattern(pattern) => pattern_children(pattern, &mut |node| open.push(node)),
            Nested::Term(Term::Fun(fun)) => {
                if let Fun::External { module, .. } = **fun {
                    show(module);
                }
            }
            Nested::Term(term) => term_children(term, &mut |node| open.push(node)),
        }
    }
}

fn expr_children<'a>(expr: &'a Expr, child: &mut impl FnMut(Nested<'a>)) {
    match expr {
        Expr::Const(term) => child(Nested::Term(term)),
        Expr::Var(_) | Expr::Closure { .. } => {}
        Expr::Let { bindings, body } => {
            bindings.iter().for_each(|binding| child(Nested::Expr(&binding.value)));
            child(Nested::Expr(body));
        }
        Expr::Values(items) | Expr::Tuple(items) => items.iter().for_each(|item| child(Nested::Expr(item))),
        Expr::Cons(head, tail) => {
            child(Nested::Expr(head));
            child(Nested::Expr(tail));
        }
        Expr::Map { base, pairs, .. } => {
            child(Nested::Expr(base));
            for pair in pairs {
                child(Nested::Expr(&pair.key));
                child(Nested::Expr(&pair.value));
            }
        }
        Expr::Bits { segments, .. } => {
            for segment in segments {
                child(Nested::Expr(&segment.value));
                size_child(&segment.size, child);
            }
        }
        Expr::Call { callee, args, .. } => {
            match callee {
                Callee::Local(_) | Callee::Remote { .. } | Callee::Primitive(_) => {}
                Callee::Dynamic { module, function } => {
                    child(Nested::Expr(module));
                    child(Nested::Expr(function));
                }
                Callee::Value(function) => child(Nested::Expr(function)),
            }
            args.iter().for_each(|arg| child(Nested::Expr(arg)));
        }
        Expr::Case { subjects, clauses, .. } => {
            subjects.iter().for_each(|subject| child(Nested::Expr(subject)));
            for clause in clauses {
                clause.patterns.iter().for_each(|pattern| child(Nested::Pattern(pattern)));
                clause.guard.iter().for_each(|guard| child(Nested::Expr(guard)));
                child(Nested::Expr(&clause.body));
            }
        }
        Expr::Try { body, ok, handler, .. } => {
            child(Nested::Expr(body));
            child(Nested::Expr(ok));
            child(Nested::Expr(handler));
        }
        Expr::Guard(guard) => child(Nested::Expr(guard)),
    }
}

fn pattern_children<'a>(pattern: &'a Pattern, child: &mut impl FnMut(Nested<'a>)) {
    match pattern {
        Pattern::Any | Pattern::Var(_) => {}
        Pattern::Alias(_, inner) => child(Nested::Pattern(inner)),
        Pattern::Const(term) => child(Nested::Term(term)),
        Pattern::Cons(head, tail) => {
            child(Nested::Pattern(head));
            child(Nested::Pattern(tail));
        }
        Pattern::Tuple(items) => items.iter().for_each(|item| child(Nested::Pattern(item))),
        Pattern::Map(pairs) => {
            for (key, value) in pairs {
                child(Nested::Expr(key));
                child(Nested::Pattern(value));
            }
        }
        Pattern::Bits(segments) => {
            for segment in segments {
                child(Nested::Pattern(&segment.value));
                size_child(&segment.size, child);
            }
        }
    }
}

fn size_child<'a>(size: &'a BitSize, child: &mut impl FnMut(Nested<'a>)) {
    match size {
        BitSize::All | BitSize::Encoded => {}
        BitSize::Times(count) => child(Nested::Expr(count)),
    }
}

fn term_children<'a>(term: &'a Term, child: &mut impl FnMut(Nested<'a>)) {
    match term {
        Term::List(items, tail) => {
            items.iter().for_each(|item| child(Nested::Term(item)));
            tail.iter().for_each(|tail| child(Nested::Term(tail)));
        }
        Term::Tuple(items) => items.iter().for_each(|item| child(Nested::Term(item))),
        Term::Map(pairs) => {
            for (key, value) in pairs.iter() {
                child(Nested::Term(key));
                child(Nested::Term(value));
            }
        }
        Term::Int(_) | Term::Big(_) | Term::Float(_) | Term::Atom(_) | Term::Nil | Term::Bits(_) => {}
        Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => {}
    }
}

/// Drops a tree piece by piece.
pub(crate) fn dismantle(root: Expr) {
    let mut pieces = Pieces { exprs: vec![root], patterns: Vec::new() };
    loop {
        if let Some(expr) = pieces.exprs.pop() {
            pieces.open_expr(expr);
        } else if let Some(pattern) = pieces.patterns.pop() {
            pieces.open_pattern(pattern);
        } else {
            return;
        }
    }
}

struct Pieces {
    exprs: Vec<Expr>,
    patterns: Vec<Pattern>,
}

impl Pieces {
    fn open_expr(&mut self, expr: Expr) {
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Closure { .. } => {}
            Expr::Let { bindings, body } => {
                self.exprs.extend(bindings.into_iter().map(|binding| binding.value));
                self.exprs.push(*body);
            }
            Expr::Values(items) | Expr::Tuple(items) => self.exprs.extend(items),
            Expr::Cons(head, tail) => self.exprs.extend([*head, *tail]),
            Expr::Map { base, pairs, .. } => {
                self.exprs.push(*base);
                self.exprs.extend(pairs.into_iter().flat_map(|pair| [pair.key, pair.value]));
            }
            Expr::Bits { segments, .. } => {
                for segment in segments {
                    self.exprs.push(segment.value);
                    self.open_size(segment.size);
                }
            }
            Expr::Call { callee, args, .. } => {
                match callee {
                    Callee::Local(_) | Callee::Remote { .. } | Callee::Primitive(_) => {}
                    Callee::Dynamic { module, function } => self.exprs.extend([*module, *function]),
                    Callee::Value(function) => self.exprs.push(*function),
                }
                self.exprs.extend(args);
            }
            Expr::Case { subjects, clauses, .. } => {
                self.exprs.extend(subjects);
                for clause in clauses {
                    self.patterns.extend(clause.patterns);
                    self.exprs.extend(clause.guard);
                    self.exprs.push(clause.body);
                }
            }
            Expr::Try { body, ok, handler, .. } => self.exprs.extend([*body, *ok, *handler]),
            Expr::Guard(guard) => self.exprs.push(*guard),
        }
    }

    fn open_pattern(&mut self, pattern: Pattern) {
        match pattern {
            Pattern::Any | Pattern::Var(_) | Pattern::Const(_) => {}
            Pattern::Alias(_, inner) => self.patterns.push(*inner),
            Pattern::Cons(head, tail) => self.patterns.extend([*head, *tail]),
            Pattern::Tuple(items) => self.patterns.extend(items),
            Pattern::Map(pairs) => {
                for (key, value) in pairs {
                    self.exprs.push(key);
                    self.patterns.push(value);
                }
            }
            Pattern::Bits(segments) => {
                for segment in segments {
                    self.patterns.push(segment.value);
                    self.open_size(segment.size);
                }
            }
        }
    }

    fn open_size(&mut self, size: BitSize) {
        match size {
            BitSize::All | BitSize::Encoded => {}
            BitSize::Times(count) => self.exprs.push(count),
        }
    }
}
