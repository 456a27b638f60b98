//! Reading of modules, expressions and patterns.
//!
//! The first mistake is recorded, and reading continues with something harmless in its place. So there is always a
//! complete tree, and a tree of any depth is dropped by its [`Body`], never by recursion.

mod cursor;
mod data;

use super::ReadError;
use super::tree::{Kind, Tree, parse, position};
use crate::{
    Binding, BitKind, BitPattern, BitSegment, BitSize, Body, Callee, Clause, Endian, Expr, Function, MapPair, Module,
    Origin, Pattern, Span, Types, Var,
};
use term::{Atom, Term};

/// Reads a module, which need not make sense: `verify` checks that.
pub fn read(text: &str) -> Result<Module, ReadError> {
    let tree = parse(text)?;
    let mut reader = Reader { tree: &tree, mistake: None };
    let module = reader.module();
    match reader.mistake {
        None => Ok(module),
        Some((offset, message)) => {
            let (line, column) = position(text, offset);
            Err(ReadError { line, column, message })
        }
    }
}

struct Reader<'a> {
    tree: &'a Tree,
    /// The first mistake: its offset and a message.
    mistake: Option<(usize, String)>,
}

/// The children of a group that have not been read yet.
#[derive(Clone, Copy)]
struct Children {
    /// The node at which a missing child is reported.
    group: usize,
    next: usize,
    end: usize,
}

impl Reader<'_> {
    fn module(&mut self) -> Module {
        let mut parts = Parts::default();
        if self.tree.nodes.first().is_none_or(|root| root.end != self.tree.nodes.len()) {
            self.mistake_at(0, "a text is one form: (module NAME …)");
            return parts.module(Atom::new(""));
        }
        let (head, mut children) = self.form(0);
        if head != "module" {
            self.mistake(0, "expected (module NAME …)");
        }
        let name = self.next_atom(&mut children);
        while let Some(part) = self.optional(&mut children) {
            let (head, mut children) = self.form(part);
            match head {
                "files" => {
                    while let Some(file) = self.optional(&mut children) {
                        if self.tree.nodes[file].kind != Kind::Text {
                            self.mistake(file, "expected a file's name in \"…\"");
                        }
                        parts.files.push(self.tree.text(file).to_string());
                    }
                }
                "attribute" => {
                    let attribute = (self.next_atom(&mut children), self.next_term(&mut children));
                    parts.attributes.push(attribute);
                }
                "type" => parts.types.definitions.push(self.definition(&mut children)),
                "record" => parts.types.records.push(self.record(&mut children)),
                "spec" => parts.types.specs.push(self.spec(&mut children)),
                "callback" => parts.types.callbacks.push(self.spec(&mut children)),
                "function" => {
                    let function = self.function(&mut children, parts.functions.len());
                    parts.functions.push(function);
                }
                _ => {
                    self.mistake(
                        part,
                        "expected (files …), (attribute …), (type …), (record …), (spec …), (callback …) or (function …)",
                    );
                    children.next = children.end;
                }
            }
            self.no_more(children);
        }
        parts.module(name)
    }

    fn function(&mut self, children: &mut Children, index: usize) -> Function {
        let group = children.group;
        let id = self.next_function_id(children);
        if id.index() != index {
            self.mistake(group, &format!("this is the function f{index}"));
        }
        let name = self.next_atom(children);
        let arity = self.next_number(children);
        let (mut captures, mut exported, mut origin) = (0, false, Origin::Named);
        let mut span = Span::default();
        let mut body = None;
        while let Some(child) = self.optional(children) {
            if children.next >= children.end {
                body = Some(child);
                break;
            }
            match (self.tree.nodes[child].kind, self.tree.text(child)) {
                (Kind::Word, "exported") => exported = true,
                (Kind::Word, "lifted") => origin = Origin::Lifted,
                (Kind::Word, word) if word.starts_with('@') => span = self.place(child),
                _ => {
                    let (head, mut inner) = self.form(child);
                    match head {
                        "captures" => captures = self.next_number(&mut inner),
                        "lambda" => {
                            let (index, unique) = (self.next_number(&mut inner), self.next_number(&mut inner));
                            origin = Origin::Lambda { index, unique };
                        }
                        "join" => origin = Origin::Join { of: self.next_function_id(&mut inner) },
                        _ => {
                            let known = "exported, lifted, (lambda …), (join …), (captures …) or a place";
                            self.mistake(child, &format!("expected {known}"));
                        }
                    }
                    self.no_more(inner);
                }
            }
        }
        let expr = match body {
            Some(body) => self.expr(body),
            None => {
                self.mistake(group, "a function ends with its body");
                Expr::Const(Term::Nil)
            }
        };
        Function { name, arity, captures, exported, origin, span, body: Body::new(expr) }
    }

    fn expr(&mut self, node: usize) -> Expr {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || {
            if self.tree.nodes[node].kind != Kind::Form {
                return match self.var_word(node) {
                    Some(var) => Expr::Var(var),
                    None => Expr::Const(self.term(node)),
                };
            }
            let (head, mut children) = self.form(node);
            let expr = self.expr_form(node, head, &mut children);
            if !matches!(expr, Expr::Const(_)) {
                self.no_more(children);
            }
            expr
        })
    }

    fn expr_form(&mut self, node: usize, head: &str, children: &mut Children) -> Expr {
        match head {
            "let" => self.let_(children),
            "values" => Expr::Values(self.rest_exprs(children)),
            "cons" => {
                let mut items = self.rest_exprs(children);
                let mut cons = self.last(node, &mut items).unwrap_or(Expr::Const(Term::Nil));
                while let Some(item) = items.pop() {
                    cons = Expr::Cons(Box::new(item), Box::new(cons));
                }
                cons
            }
            "tuple" => Expr::Tuple(self.rest_exprs(children)),
            "map" => {
                let span = self.next_span(children);
                let base = Box::new(self.next_expr(children));
                Expr::Map { base, pairs: self.map_pairs(children), span }
            }
            "bits" => {
                let span = self.next_span(children);
                let mut segments = Vec::new();
                while let Some(child) = self.optional(children) {
                    segments.push(self.segment(child));
                }
                Expr::Bits { segments, span }
            }
            "closure" => {
                let function = self.next_function_id(children);
                Expr::Closure { function, captures: self.rest_vars(children) }
            }
            "call" | "remote" | "dynamic" | "apply" | "primitive" => {
                let span = self.next_span(children);
                let callee = self.callee(head, children);
                Expr::Call { callee, args: self.rest_exprs(children), span }
            }
            "case" => {
                let span = self.next_span(children);
                let mut inner = self.next_group(children);
                let subjects = self.rest_exprs(&mut inner);
                let mut clauses = Vec::new();
                while let Some(child) = self.optional(children) {
                    clauses.push(self.clause(child));
                }
                Expr::Case { subjects, clauses, span }
            }
            "try" => self.try_(children),
            "guard" => Expr::Guard(Box::new(self.next_expr(children))),
            _ => Expr::Const(self.term(node)),
        }
    }

    fn let_(&mut self, children: &mut Children) -> Expr {
        let mut bindings = Vec::new();
        while let Some(child) = self.optional(children) {
            if children.next >= children.end {
                return Expr::Let { bindings, body: Box::new(self.expr(child)) };
            }
            let mut inner = self.group(child);
            let vars = match self.optional(&mut inner) {
                Some(first) if self.tree.nodes[first].kind == Kind::Form => {
                    let mut vars = self.group(first);
                    self.rest_vars(&mut vars)
                }
                Some(first) => vec![self.var(first)],
                None => {
                    self.mistake(child, "a binding is (VARIABLE EXPRESSION) or ((VARIABLE …) EXPRESSION)");
                    Vec::new()
                }
            };
            bindings.push(Binding { vars, value: self.next_expr(&mut inner) });
            self.no_more(inner);
        }
        self.mistake(children.group, "a let ends with its body");
        Expr::Let { bindings, body: Box::new(Expr::Const(Term::Nil)) }
    }

    fn map_pairs(&mut self, children: &mut Children) -> Vec<MapPair> {
        let mut pairs = Vec::new();
        while let Some(child) = self.optional(children) {
            let (head, mut inner) = self.form(child);
            if !matches!(head, "put" | "update") {
                self.mistake(child, "expected (put KEY VALUE) or (update KEY VALUE)");
            }
            let (key, value) = (self.next_expr(&mut inner), self.next_expr(&mut inner));
            self.no_more(inner);
            pairs.push(MapPair { key, value, exact: head == "update" });
        }
        pairs
    }

    fn callee(&mut self, head: &str, children: &mut Children) -> Callee {
        match head {
            "call" => Callee::Local(self.next_function_id(children)),
            "remote" => {
                let module = self.next_atom(children);
                Callee::Remote { module, function: self.next_atom(children) }
            }
            "dynamic" => {
                let module = Box::new(self.next_expr(children));
                Callee::Dynamic { module, function: Box::new(self.next_expr(children)) }
            }
            "apply" => Callee::Value(Box::new(self.next_expr(children))),
            _ => Callee::Primitive(self.next_atom(children)),
        }
    }

    fn clause(&mut self, node: usize) -> Clause {
        let mut children = self.form_headed(node, "of");
        let span = self.next_span(&mut children);
        let mut inner = self.next_group(&mut children);
        let mut patterns = Vec::new();
        while let Some(child) = self.optional(&mut inner) {
            patterns.push(self.pattern(child));
        }
        let mut guard = None;
        if let Some(child) = self.peek(children)
            && self.tree.nodes[child].kind == Kind::Form
            && self.head(child) == "when"
        {
            let mut inner = self.form_headed(child, "when");
            guard = Some(self.next_expr(&mut inner));
            self.no_more(inner);
            self.optional(&mut children);
        }
        let body = self.next_expr(&mut children);
        self.no_more(children);
        Clause { patterns, guard, body, span }
    }

    fn try_(&mut self, children: &mut Children) -> Expr {
        let body = Box::new(self.next_expr(children));
        let (ok_vars, ok) = self.continuation("of", children);
        let group = children.group;
        let (vars, handler) = self.continuation("catch", children);
        let handler_vars = <[Var; 3]>::try_from(vars).unwrap_or_else(|_| {
            self.mistake(group, "a handler has three variables: class, reason, trace");
            [Var(0); 3]
        });
        Expr::Try { body, ok_vars, ok: Box::new(ok), handler_vars, handler: Box::new(handler) }
    }

    fn continuation(&mut self, head: &str, children: &mut Children) -> (Vec<Var>, Expr) {
        let Some(child) = self.next(children, "a continuation") else {
            return (Vec::new(), Expr::Const(Term::Nil));
        };
        let mut children = self.form_headed(child, head);
        let mut inner = self.next_group(&mut children);
        let vars = self.rest_vars(&mut inner);
        let then = self.next_expr(&mut children);
        self.no_more(children);
        (vars, then)
    }

    fn pattern(&mut self, node: usize) -> Pattern {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || {
            let Kind::Form = self.tree.nodes[node].kind else {
                return match self.var_word(node) {
                    Some(var) => Pattern::Var(var),
                    None if self.is_word(node, "_") => Pattern::Any,
                    None => Pattern::Const(self.term(node)),
                };
            };
            let (head, mut children) = self.form(node);
            let pattern = match head {
                "as" => Pattern::Alias(self.next_var(&mut children), Box::new(self.next_pattern(&mut children))),
                "cons" => {
                    let mut items = self.rest_patterns(&mut children);
                    let mut cons = self.last(node, &mut items).unwrap_or(Pattern::Any);
                    while let Some(item) = items.pop() {
                        cons = Pattern::Cons(Box::new(item), Box::new(cons));
                    }
                    cons
                }
                "tuple" => Pattern::Tuple(self.rest_patterns(&mut children)),
                "map" => {
                    let mut pairs = Vec::new();
                    while let Some(child) = self.optional(&mut children) {
                        let mut inner = self.group(child);
                        pairs.push((self.next_expr(&mut inner), self.next_pattern(&mut inner)));
                        self.no_more(inner);
                    }
                    Pattern::Map(pairs)
                }
                "bits" => {
                    let mut segments = Vec::new();
                    while let Some(child) = self.optional(&mut children) {
                        segments.push(self.bit_pattern(child));
                    }
                    Pattern::Bits(segments)
                }
                _ => return Pattern::Const(self.term(node)),
            };
            self.no_more(children);
            pattern
        })
    }

    fn segment(&mut self, node: usize) -> BitSegment {
        let (kind, mut children) = self.bit_kind(node);
        let value = self.next_expr(&mut children);
        let (size, unit, signed, endian) = self.bit_layout(children);
        BitSegment { value, size, unit, kind, signed, endian }
    }

    fn bit_pattern(&mut self, node: usize) -> BitPattern {
        let (kind, mut children) = self.bit_kind(node);
        let value = self.next_pattern(&mut children);
        let (size, unit, signed, endian) = self.bit_layout(children);
        BitPattern { value, size, unit, kind, signed, endian }
    }

    fn bit_kind(&mut self, node: usize) -> (BitKind, Children) {
        let (head, children) = self.form(node);
        let kind = match head {
            "integer" => BitKind::Integer,
            "float" => BitKind::Float,
            "bits" => BitKind::Bits,
            "utf8" => BitKind::Utf8,
            "utf16" => BitKind::Utf16,
            "utf32" => BitKind::Utf32,
            _ => {
                self.mistake(node, "a segment begins with integer, float, bits, utf8, utf16 or utf32");
                BitKind::Integer
            }
        };
        (kind, children)
    }

    fn bit_layout(&mut self, mut children: Children) -> (BitSize, u16, bool, Endian) {
        let size = match self.next(&mut children, "a size") {
            Some(child) if self.is_word(child, "all") => BitSize::All,
            Some(child) if self.is_word(child, "encoded") => BitSize::Encoded,
            Some(child) => {
                let mut inner = self.form_headed(child, "times");
                let count = self.next_expr(&mut inner);
                self.no_more(inner);
                BitSize::Times(count)
            }
            None => BitSize::All,
        };
        let unit = self.next_number(&mut children);
        let signed = self.choice(&mut children, &[("unsigned", false), ("signed", true)]);
        let endians = [("big", Endian::Big), ("little", Endian::Little), ("native", Endian::Native)];
        let endian = self.choice(&mut children, &endians);
        self.no_more(children);
        (size, unit, signed, endian)
    }
}

/// The parts of a module that have been read so far.
#[derive(Default)]
struct Parts {
    files: Vec<String>,
    functions: Vec<Function>,
    attributes: Vec<(Atom, Term)>,
    types: Types,
}

impl Parts {
    fn module(self, name: Atom) -> Module {
        Module::new(name, self.files, self.functions, self.attributes, self.types)
    }
}

const RED_ZONE: usize = 64 << 10;
const STACK_PIECE: usize = 1 << 20;
