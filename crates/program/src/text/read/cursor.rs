//! Traversal of the children of a form: the small steps that all readers share.

use super::{Children, Reader};
use crate::text::tree::Kind;
use crate::{Expr, FunctionId, Pattern, Span, Type, Var};
use std::str::FromStr;
use term::{Atom, Term};

impl<'a> Reader<'a> {
    pub(super) fn mistake(&mut self, node: usize, message: &str) {
        self.mistake_at(self.tree.nodes[node].offset, message);
    }

    pub(super) fn mistake_at(&mut self, offset: usize, message: &str) {
        self.mistake.get_or_insert_with(|| (offset, message.to_string()));
    }

    /// Returns the word that heads a form, and the children after it.
    pub(super) fn form(&mut self, node: usize) -> (&'a str, Children) {
        let mut children = self.group(node);
        let head = self.head(node);
        if head.is_empty() {
            self.mistake(node, "expected a form: (word …)");
        } else {
            children.next += 1;
        }
        (head, children)
    }

    pub(super) fn form_headed(&mut self, node: usize, wanted: &str) -> Children {
        let (head, children) = self.form(node);
        if head != wanted {
            self.mistake(node, &format!("expected ({wanted} …)"));
        }
        children
    }

    /// Returns the word that heads a form. Empty if the node is no form or is not headed by a word.
    pub(super) fn head(&self, node: usize) -> &'a str {
        let first = node + 1;
        let is_form = self.tree.nodes[node].kind == Kind::Form && first < self.tree.nodes[node].end;
        if is_form && self.tree.nodes[first].kind == Kind::Word { self.tree.text(first) } else { "" }
    }

    pub(super) fn group(&mut self, node: usize) -> Children {
        if self.tree.nodes[node].kind != Kind::Form {
            self.mistake(node, "expected (…)");
            return Children { group: node, next: node + 1, end: node + 1 };
        }
        self.children(node)
    }

    pub(super) fn children(&self, node: usize) -> Children {
        Children { group: node, next: node + 1, end: self.tree.nodes[node].end }
    }

    pub(super) fn peek(&self, children: Children) -> Option<usize> {
        (children.next < children.end).then_some(children.next)
    }

    pub(super) fn optional(&self, children: &mut Children) -> Option<usize> {
        let node = self.peek(*children)?;
        children.next = self.tree.nodes[node].end;
        Some(node)
    }

    pub(super) fn next(&mut self, children: &mut Children, what: &str) -> Option<usize> {
        let node = self.optional(children);
        if node.is_none() {
            self.mistake(children.group, &format!("{what} is missing at the end"));
        }
        node
    }

    pub(super) fn no_more(&mut self, children: Children) {
        if let Some(surplus) = self.peek(children) {
            self.mistake(surplus, "this is one too many");
        }
    }

    pub(super) fn next_group(&mut self, children: &mut Children) -> Children {
        match self.next(children, "(…)") {
            Some(node) => self.group(node),
            None => Children { group: children.group, next: children.end, end: children.end },
        }
    }

    pub(super) fn next_expr(&mut self, children: &mut Children) -> Expr {
        match self.next(children, "an expression") {
            Some(node) => self.expr(node),
            None => Expr::Const(Term::Nil),
        }
    }

    pub(super) fn next_pattern(&mut self, children: &mut Children) -> Pattern {
        match self.next(children, "a pattern") {
            Some(node) => self.pattern(node),
            None => Pattern::Any,
        }
    }

    pub(super) fn next_type(&mut self, children: &mut Children) -> Type {
        match self.next(children, "a type") {
            Some(node) => self.type_(node),
            None => Type::Any,
        }
    }

    pub(super) fn next_term(&mut self, children: &mut Children) -> Term {
        match self.next(children, "a term") {
            Some(node) => self.term(node),
            None => Term::Nil,
        }
    }

    pub(super) fn next_atom(&mut self, children: &mut Children) -> Atom {
        match self.next(children, "an atom") {
            Some(node) => self.atom(node),
            None => Atom::new(""),
        }
    }

    pub(super) fn next_var(&mut self, children: &mut Children) -> Var {
        match self.next(children, "a variable") {
            Some(node) => self.var(node),
            None => Var(0),
        }
    }

    pub(super) fn next_number<T: FromStr + Default>(&mut self, children: &mut Children) -> T {
        let Some(node) = self.next(children, "a number") else { return T::default() };
        let number = self.word(node).and_then(plain_number);
        number.unwrap_or_else(|| {
            self.mistake(node, "expected a number, not too large");
            T::default()
        })
    }

    pub(super) fn next_function_id(&mut self, children: &mut Children) -> FunctionId {
        let Some(node) = self.next(children, "a function (f0, f1, …)") else { return FunctionId(0) };
        let number = self.word(node).and_then(|word| word.strip_prefix('f')).and_then(plain_number);
        FunctionId(number.unwrap_or_else(|| {
            self.mistake(node, "expected a function: f0, f1, …");
            0
        }))
    }

    pub(super) fn next_span(&mut self, children: &mut Children) -> Span {
        match self.peek(*children) {
            Some(node) if self.word(node).is_some_and(|word| word.starts_with('@')) => {
                self.optional(children);
                self.place(node)
            }
            Some(_) | None => Span::default(),
        }
    }

    pub(super) fn place(&mut self, node: usize) -> Span {
        let numbers = self.word(node).and_then(|word| word.strip_prefix('@')).unwrap_or_default();
        let parts: Vec<&str> = numbers.split(':').collect();
        let span = match parts[..] {
            [line, column] => {
                plain_number(line).and_then(|line| plain_number(column).map(|column| Span { file: 0, line, column }))
            }
            [file, line, column] => plain_number(file).and_then(|file| {
                plain_number(line).and_then(|line| plain_number(column).map(|column| Span { file, line, column }))
            }),
            _ => None,
        };
        span.unwrap_or_else(|| {
            self.mistake(node, "a place is @LINE:COLUMN or @FILE:LINE:COLUMN");
            Span::default()
        })
    }

    /// Reads one of several words and returns its meaning; that of the first if it is none of them.
    pub(super) fn choice<T: Copy>(&mut self, children: &mut Children, choices: &[(&str, T)]) -> T {
        if let Some(node) = self.next(children, choices[0].0) {
            let chosen = choices.iter().find(|(word, _)| self.is_word(node, word));
            if let Some(&(_, meaning)) = chosen {
                return meaning;
            }
            let words: Vec<&str> = choices.iter().map(|&(word, _)| word).collect();
            self.mistake(node, &format!("expected {}", words.join(" or ")));
        }
        choices[0].1
    }

    pub(super) fn rest_exprs(&mut self, children: &mut Children) -> Vec<Expr> {
        std::iter::from_fn(|| self.optional(children).map(|node| self.expr(node))).collect()
    }

    pub(super) fn rest_patterns(&mut self, children: &mut Children) -> Vec<Pattern> {
        std::iter::from_fn(|| self.optional(children).map(|node| self.pattern(node))).collect()
    }

    pub(super) fn rest_types(&mut self, children: &mut Children) -> Vec<Type> {
        std::iter::from_fn(|| self.optional(children).map(|node| self.type_(node))).collect()
    }

    pub(super) fn rest_vars(&mut self, children: &mut Children) -> Vec<Var> {
        std::iter::from_fn(|| self.optional(children).map(|node| self.var(node))).collect()
    }

    /// Removes and returns the end of a chain of cells, which must have at least one cell.
    pub(super) fn last<T>(&mut self, node: usize, items: &mut Vec<T>) -> Option<T> {
        if items.len() < 2 {
            self.mistake(node, "(cons HEAD … TAIL) has at least a head and a tail");
        }
        items.pop()
    }

    pub(super) fn var(&mut self, node: usize) -> Var {
        self.var_word(node).unwrap_or_else(|| {
            self.mistake(node, "expected a variable: v0, v1, …");
            Var(0)
        })
    }

    pub(super) fn var_word(&self, node: usize) -> Option<Var> {
        self.word(node)?.strip_prefix('v').and_then(plain_number).map(Var)
    }

    pub(super) fn word(&self, node: usize) -> Option<&'a str> {
        (self.tree.nodes[node].kind == Kind::Word).then(|| self.tree.text(node))
    }

    pub(super) fn is_word(&self, node: usize, word: &str) -> bool {
        self.word(node) == Some(word)
    }
}

/// Parses digits only: `FromStr` would also accept a sign.
pub(super) fn plain_number<T: FromStr>(digits: &str) -> Option<T> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}
