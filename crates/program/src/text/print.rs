//! Prints modules, expressions, patterns, types and terms as text. Each function writes one form; `read` accepts the
//! same forms and parts in the same order.

use super::layout::layout;
use super::tree::{Kind, Tree};
use crate::{
    BitKind, BitPattern, BitSegment, BitSize, Callee, Clause, Endian, Expr, Function, Module, Origin, Pattern,
    RecordDef, Span, Spec, Type, TypeDef, Var,
};
use std::fmt::Write;
use term::{Atom, BigInt, Fun, Term};

/// Prints a module. A body that cannot be decoded prints as `(damaged …)`, which does not read back.
pub fn print(module: &Module) -> String {
    let mut printer = Printer::default();
    printer.form("module", |p| {
        p.atom(module.name);
        p.form("files", |p| module.files.iter().for_each(|file| p.tree.leaf(Kind::Text, file)));
        for (name, value) in &module.attributes {
            p.form("attribute", |p| {
                p.atom(*name);
                p.term(value);
            });
        }
        module.types.definitions.iter().for_each(|definition| p.definition(definition));
        module.types.records.iter().for_each(|record| p.record(record));
        module.types.specs.iter().for_each(|spec| p.spec("spec", spec));
        module.types.callbacks.iter().for_each(|spec| p.spec("callback", spec));
        for (index, function) in module.functions.iter().enumerate() {
            p.function(index, function);
        }
    });
    layout(&printer.tree)
}

#[derive(Default)]
struct Printer {
    tree: Tree,
    scratch: String,
}

impl Printer {
    fn function(&mut self, index: usize, function: &Function) {
        self.form("function", |p| {
            p.numbered("f", index);
            p.atom(function.name);
            p.number(function.arity);
            if function.captures > 0 {
                p.form_beside_head("captures", |p| p.number(function.captures));
            }
            if function.exported {
                p.word("exported");
            }
            match function.origin {
                Origin::Named => {}
                Origin::Lambda { index, unique } => p.form_beside_head("lambda", |p| {
                    p.number(index);
                    p.number(unique);
                }),
                Origin::Lifted => p.word("lifted"),
                Origin::Join { of } => p.form_beside_head("join", |p| p.numbered("f", of.index())),
            }
            p.span(function.span);
            match function.body.get() {
                Ok(body) => p.expr(body),
                Err(error) => p.form("damaged", |p| p.tree.leaf(Kind::Text, &error.to_string())),
            }
        });
    }

    fn expr(&mut self, expr: &Expr) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.expr_on_this_stack(expr));
    }

    fn expr_on_this_stack(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(term) => self.term(term),
            Expr::Var(var) => self.var(*var),
            Expr::Let { bindings, body } => self.form("let", |p| {
                for binding in bindings {
                    p.group(|p| {
                        match binding.vars[..] {
                            [var] => p.var(var),
                            _ => p.vars(&binding.vars),
                        }
                        p.expr(&binding.value);
                    });
                }
                p.expr(body);
            }),
            Expr::Values(items) => self.form("values", |p| p.exprs(items)),
            Expr::Cons(head, tail) => self.form("cons", |p| {
                p.expr(head);
                let mut rest = &**tail;
                while let Expr::Cons(head, tail) = rest {
                    p.expr(head);
                    rest = tail;
                }
                p.expr(rest);
            }),
            Expr::Tuple(items) => self.form("tuple", |p| p.exprs(items)),
            Expr::Map { base, pairs, span } => self.form("map", |p| {
                p.span(*span);
                p.expr(base);
                for pair in pairs {
                    p.form(if pair.exact { "update" } else { "put" }, |p| {
                        p.expr(&pair.key);
                        p.expr(&pair.value);
                    });
                }
            }),
            Expr::Bits { segments, span } => self.form("bits", |p| {
                p.span(*span);
                segments.iter().for_each(|segment| p.segment(segment));
            }),
            Expr::Closure { function, captures } => self.form("closure", |p| {
                p.numbered("f", function.index());
                captures.iter().for_each(|&var| p.var(var));
            }),
            Expr::Call { callee, args, span } => self.call(callee, args, *span),
            Expr::Case { subjects, clauses, span } => self.form("case", |p| {
                p.span(*span);
                p.beside_head(|p| p.exprs(subjects));
                clauses.iter().for_each(|clause| p.clause(clause));
            }),
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => self.form("try", |p| {
                p.expr(body);
                p.continuation("of", ok_vars, ok);
                p.continuation("catch", handler_vars, handler);
            }),
            Expr::Guard(guard) => self.form("guard", |p| p.expr(guard)),
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr], span: Span) {
        let head = match callee {
            Callee::Local(_) => "call",
            Callee::Remote { .. } => "remote",
            Callee::Dynamic { .. } => "dynamic",
            Callee::Value(_) => "apply",
            Callee::Primitive(_) => "primitive",
        };
        self.form(head, |p| {
            p.span(span);
            match callee {
                Callee::Local(function) => p.numbered("f", function.index()),
                Callee::Remote { module, function } => {
                    p.atom(*module);
                    p.atom(*function);
                }
                Callee::Dynamic { module, function } => {
                    p.expr(module);
                    p.expr(function);
                }
                Callee::Value(function) => p.expr(function),
                Callee::Primitive(name) => p.atom(*name),
            }
            p.exprs(args);
        });
    }

    fn clause(&mut self, clause: &Clause) {
        self.form("of", |p| {
            p.span(clause.span);
            p.beside_head(|p| clause.patterns.iter().for_each(|pattern| p.pattern(pattern)));
            if let Some(guard) = &clause.guard {
                p.form_beside_head("when", |p| p.expr(guard));
            }
            p.expr(&clause.body);
        });
    }

    fn continuation(&mut self, head: &str, vars: &[Var], then: &Expr) {
        self.form(head, |p| {
            p.vars(vars);
            p.expr(then);
        });
    }

    fn pattern(&mut self, pattern: &Pattern) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || match pattern {
            Pattern::Any => self.word("_"),
            Pattern::Var(var) => self.var(*var),
            Pattern::Alias(var, inner) => self.form("as", |p| {
                p.var(*var);
                p.pattern(inner);
            }),
            Pattern::Const(term) => self.term(term),
            Pattern::Cons(head, tail) => self.form("cons", |p| {
                p.pattern(head);
                let mut rest = &**tail;
                while let Pattern::Cons(head, tail) = rest {
                    p.pattern(head);
                    rest = tail;
                }
                p.pattern(rest);
            }),
            Pattern::Tuple(items) => self.form("tuple", |p| items.iter().for_each(|item| p.pattern(item))),
            Pattern::Map(pairs) => self.form("map", |p| {
                for (key, value) in pairs {
                    p.group(|p| {
                        p.expr(key);
                        p.pattern(value);
                    });
                }
            }),
            Pattern::Bits(segments) => self.form("bits", |p| segments.iter().for_each(|s| p.bit_pattern(s))),
        });
    }

    fn segment(&mut self, BitSegment { value, size, unit, kind, signed, endian }: &BitSegment) {
        self.form(kind_word(*kind), |p| {
            p.expr(value);
            p.bit_layout(size, *unit, *signed, *endian);
        });
    }

    fn bit_pattern(&mut self, BitPattern { value, size, unit, kind, signed, endian }: &BitPattern) {
        self.form(kind_word(*kind), |p| {
            p.pattern(value);
            p.bit_layout(size, *unit, *signed, *endian);
        });
    }

    fn bit_layout(&mut self, size: &BitSize, unit: u16, signed: bool, endian: Endian) {
        match size {
            BitSize::All => self.word("all"),
            BitSize::Encoded => self.word("encoded"),
            BitSize::Times(count) => self.form("times", |p| p.expr(count)),
        }
        self.number(unit);
        self.word(if signed { "signed" } else { "unsigned" });
        self.word(match endian {
            Endian::Big => "big",
            Endian::Little => "little",
            Endian::Native => "native",
        });
    }

    fn definition(&mut self, definition: &TypeDef) {
        self.form("type", |p| {
            p.atom(definition.name);
            p.beside_head(|p| definition.params.iter().for_each(|&param| p.atom(param)));
            p.type_(&definition.body);
            if definition.opaque {
                p.word("opaque");
            }
            if definition.exported {
                p.word("exported");
            }
        });
    }

    fn record(&mut self, record: &RecordDef) {
        self.form("record", |p| {
            p.atom(record.name);
            for (name, default) in &record.fields {
                p.form("field", |p| {
                    p.atom(*name);
                    if let Some(default) = default {
                        p.term(default);
                    }
                });
            }
        });
    }

    fn spec(&mut self, head: &str, spec: &Spec) {
        self.form(head, |p| {
            p.atom(spec.name);
            p.number(spec.arity);
            for clause in &spec.clauses {
                p.form("clause", |p| {
                    p.beside_head(|p| p.types(&clause.params));
                    p.type_(&clause.result);
                    for (name, bound) in &clause.bounds {
                        p.form("bound", |p| {
                            p.atom(*name);
                            p.type_(bound);
                        });
                    }
                });
            }
        });
    }

    fn type_(&mut self, type_: &Type) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || match type_ {
            Type::Any => self.word("any"),
            Type::None => self.word("none"),
            Type::Literal(term) => self.form("is", |p| p.term(term)),
            Type::Atom => self.word("atom"),
            Type::Integer { low: None, high: None } => self.word("integer"),
            Type::Integer { low, high } => self.form("integer", |p| {
                p.bound(low);
                p.bound(high);
            }),
            Type::Float => self.word("float"),
            Type::List { element, tail, nonempty } => self.form(if *nonempty { "nonempty" } else { "list" }, |p| {
                p.type_(element);
                p.type_(tail);
            }),
            Type::AnyTuple => self.word("tuple"),
            Type::Tuple(items) => self.form("tuple", |p| p.types(items)),
            Type::AnyMap => self.word("map"),
            Type::Map(fields) => self.form("map", |p| {
                for field in fields {
                    p.form(if field.required { "required" } else { "optional" }, |p| {
                        p.type_(&field.key);
                        p.type_(&field.value);
                    });
                }
            }),
            Type::Bits(bits) => self.form("bits", |p| {
                p.number(bits.base);
                p.number(bits.unit);
            }),
            Type::AnyFun => self.word("fun"),
            Type::Fun(fun) => self.form("fun", |p| {
                match &fun.params {
                    Some(params) => p.beside_head(|p| p.types(params)),
                    None => p.word("_"),
                }
                p.type_(&fun.result);
            }),
            Type::Pid => self.word("pid"),
            Type::Port => self.word("port"),
            Type::Reference => self.word("reference"),
            Type::Union(items) => self.form("union", |p| p.types(items)),
            Type::Named { module, name, args } => self.form(if module.is_some() { "remote" } else { "named" }, |p| {
                module.iter().for_each(|&module| p.atom(module));
                p.atom(*name);
                p.types(args);
            }),
            Type::Var(name) => self.form("var", |p| p.atom(*name)),
        });
    }

    fn term(&mut self, term: &Term) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || match term {
            Term::Int(value) => self.number(value),
            Term::Big(value) => self.number(value),
            Term::Float(value) if value.is_finite() => self.number(format_args!("{value:?}")),
            Term::Float(value) => self.form("float", |p| p.number(format_args!("{:016x}", value.to_bits()))),
            Term::Atom(atom) => self.atom(*atom),
            Term::Nil => self.data(Kind::List, |_| {}),
            Term::List(items, tail) => self.data(Kind::List, |p| {
                items.iter().for_each(|item| p.term(item));
                if let Some(tail) = tail {
                    p.word("|");
                    p.term(tail);
                }
            }),
            Term::Tuple(items) => self.data(Kind::Tuple, |p| items.iter().for_each(|item| p.term(item))),
            Term::Map(pairs) => self.data(Kind::Map, |p| {
                for (key, value) in pairs.iter() {
                    p.term(key);
                    p.term(value);
                }
            }),
            Term::Bits(bits) => {
                let mut digits = String::with_capacity(2 * bits.bytes().len());
                bits.bytes().iter().for_each(|byte| {
                    let _ = write!(digits, "{byte:02x}");
                });
                self.number(format_args!("<<{digits}:{}>>", bits.bit_length()));
            }
            Term::Fun(fun) => self.fun(fun),
            Term::Pid(number) => self.form("pid", |p| p.number(number)),
            Term::Reference(number) => self.form("reference", |p| p.number(number)),
            Term::Port(number) => self.form("port", |p| p.number(number)),
        });
    }

    fn fun(&mut self, fun: &Fun) {
        match fun {
            Fun::External { module, function, arity } => self.form("external", |p| {
                p.atom(*module);
                p.atom(*function);
                p.number(arity);
            }),
            Fun::Local { module, index, unique, arity } => self.form("local", |p| {
                p.atom(*module);
                [index, unique, arity].into_iter().for_each(|number| p.number(number));
            }),
            Fun::Input { arity, number } => self.form("input", |p| {
                [arity, number].into_iter().for_each(|number| p.number(number));
            }),
        }
    }

    fn types(&mut self, types: &[Type]) {
        types.iter().for_each(|type_| self.type_(type_));
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn vars(&mut self, vars: &[Var]) {
        self.beside_head(|p| vars.iter().for_each(|&var| p.var(var)));
    }

    fn var(&mut self, var: Var) {
        self.numbered("v", var.0 as usize);
    }

    fn span(&mut self, span: Span) {
        match span {
            Span { file: 0, line: 0, column: 0 } => {}
            Span { file: 0, line, column } => self.number(format_args!("@{line}:{column}")),
            Span { file, line, column } => self.number(format_args!("@{file}:{line}:{column}")),
        }
    }

    fn bound(&mut self, bound: &Option<BigInt>) {
        match bound {
            Some(bound) => self.number(bound),
            None => self.word("_"),
        }
    }

    fn atom(&mut self, atom: Atom) {
        let kind = if is_bare(atom.text()) { Kind::Word } else { Kind::Quoted };
        self.tree.leaf(kind, atom.text());
    }

    fn numbered(&mut self, prefix: &str, number: usize) {
        self.number(format_args!("{prefix}{number}"));
    }

    /// Writes a word that is made from a value.
    fn number(&mut self, number: impl std::fmt::Display) {
        self.scratch.clear();
        let _ = write!(self.scratch, "{number}");
        self.tree.leaf(Kind::Word, &self.scratch);
    }

    fn word(&mut self, word: &str) {
        self.tree.leaf(Kind::Word, word);
    }

    fn form(&mut self, head: &str, children: impl FnOnce(&mut Self)) {
        self.group(|p| {
            p.word(head);
            children(p);
        });
    }

    fn form_beside_head(&mut self, head: &str, children: impl FnOnce(&mut Self)) {
        self.beside_head(|p| {
            p.word(head);
            children(p);
        });
    }

    fn group(&mut self, children: impl FnOnce(&mut Self)) {
        self.data(Kind::Form, children);
    }

    fn data(&mut self, kind: Kind, children: impl FnOnce(&mut Self)) {
        self.tree.begin(kind);
        children(self);
        self.tree.end();
    }

    fn beside_head(&mut self, children: impl FnOnce(&mut Self)) {
        self.tree.begin_beside_head();
        children(self);
        self.tree.end();
    }
}

const RED_ZONE: usize = 64 << 10;
const STACK_PIECE: usize = 1 << 20;

fn kind_word(kind: BitKind) -> &'static str {
    match kind {
        BitKind::Integer => "integer",
        BitKind::Float => "float",
        BitKind::Bits => "bits",
        BitKind::Utf8 => "utf8",
        BitKind::Utf16 => "utf16",
        BitKind::Utf32 => "utf32",
    }
}

/// Returns whether an atom's text cannot be mistaken for anything else: a number, a variable, a function, a place,
/// punctuation.
pub(super) fn is_bare(text: &str) -> bool {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return false };
    let operator = text.chars().all(|c| "+*/=:<>-".contains(c)) && !text.starts_with("<<");
    let name = first.is_ascii_lowercase() && characters.all(|c| c.is_ascii_alphanumeric() || "_@-.".contains(c));
    let numbered = matches!(first, 'v' | 'f') && text.len() > 1 && text[1..].bytes().all(|b| b.is_ascii_digit());
    operator || (name && !numbered)
}
