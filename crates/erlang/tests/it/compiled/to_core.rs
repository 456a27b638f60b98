//! The way back, for the tests: IR → Core Erlang, so that OTP can compile and run what was lowered.
//!
//! Lifted functions stay lifted. A `receive` cannot go back: OTP wants its loop in one function.

use program::{
    BitKind, BitPattern, BitSegment, BitSize, Callee, Clause, Endian, Expr, Function, FunctionId, Module, Origin,
    Pattern, Var,
};
use std::cell::Cell;
use term::{Atom, Term, names};

/// `None` if the module has a `receive`.
pub fn to_core(module: &Module, name: &str) -> Option<Term> {
    let back = Back { module, count: Cell::new(0), has_receive: Cell::new(false) };
    let ids = || (0..module.functions.len()).map(|index| FunctionId(index as u32));
    let exports: Vec<_> = ids().filter(|id| module.function(*id).exported).map(|id| back.name(id)).collect();
    let definitions: Vec<_> =
        ids().map(|id| Term::tuple([back.name(id), back.definition(module.function(id))])).collect();
    let core = record("c_module", [literal(Term::atom(name)), Term::list(exports), Term::Nil, Term::list(definitions)]);
    (!back.has_receive.get()).then_some(core)
}

struct Back<'m> {
    module: &'m Module,
    count: Cell<u32>,
    has_receive: Cell<bool>,
}

fn record(tag: &str, fields: impl IntoIterator<Item = Term>) -> Term {
    let anno = Term::list([Term::Int(1), Term::tuple([Term::atom("file"), Term::string("m")])]);
    Term::tuple([Term::atom(tag), anno].into_iter().chain(fields).collect::<Vec<_>>())
}

fn literal(value: Term) -> Term {
    record("c_literal", [value])
}

fn var(var: Var) -> Term {
    record("c_var", [Term::Int(i64::from(var.0))])
}

fn values(mut parts: Vec<Term>) -> Term {
    if parts.len() == 1 { parts.remove(0) } else { record("c_values", [Term::list(parts)]) }
}

fn primop(name: &str, args: Vec<Term>) -> Term {
    record("c_primop", [literal(Term::atom(name)), Term::list(args)])
}

impl Back<'_> {
    fn fresh(&self) -> Term {
        self.count.set(self.count.get() + 1);
        record("c_var", [Term::atom(&format!("fresh{}", self.count.get()))])
    }

    fn name(&self, id: FunctionId) -> Term {
        let function = self.module.function(id);
        let name = match function.origin {
            Origin::Named => function.name,
            Origin::Lambda { .. } | Origin::Lifted | Origin::Join { .. } => Atom::new(&format!("lifted{}", id.0)),
        };
        let width = i64::from(function.arity + function.captures);
        record("c_var", [Term::tuple([Term::Atom(name), Term::Int(width)])])
    }

    fn definition(&self, function: &Function) -> Term {
        let params: Vec<_> = (0..function.arity + function.captures).map(|number| var(Var(number))).collect();
        record("c_fun", [Term::list(params), self.expr(function.body.get().expect("a decoded body"))])
    }

    fn exprs(&self, exprs: &[Expr]) -> Vec<Term> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&self, expr: &Expr) -> Term {
        match expr {
            Expr::Const(value) => literal(value.clone()),
            Expr::Var(v) => var(*v),
            Expr::Let { bindings, body } => bindings.iter().rev().fold(self.expr(body), |body, binding| {
                let vars: Vec<_> = binding.vars.iter().copied().map(var).collect();
                record("c_let", [Term::list(vars), self.expr(&binding.value), body])
            }),
            Expr::Values(parts) => values(self.exprs(parts)),
            Expr::Cons(head, tail) => record("c_cons", [self.expr(head), self.expr(tail)]),
            Expr::Tuple(parts) => record("c_tuple", [Term::list(self.exprs(parts))]),
            Expr::Map { base, pairs, .. } => {
                let pairs = pairs.iter().map(|pair| self.pair(pair.exact, &pair.key, self.expr(&pair.value)));
                record("c_map", [self.expr(base), Term::list(pairs.collect::<Vec<_>>()), Term::FALSE])
            }
            Expr::Bits { segments, .. } => {
                let segments: Vec<_> = segments.iter().map(|segment| self.segment(segment)).collect();
                record("c_binary", [Term::list(segments)])
            }
            Expr::Closure { function, captures } => self.closure(*function, captures),
            Expr::Call { callee, args, .. } => self.call(callee, self.exprs(args)),
            Expr::Case { subjects, clauses, .. } => {
                let clauses: Vec<_> = clauses.iter().map(|clause| self.clause(clause)).collect();
                record("c_case", [values(self.exprs(subjects)), Term::list(clauses)])
            }
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                if let Expr::Call { callee: Callee::Primitive(name), .. } = &**handler
                    && matches!(name.text(), "catch_value" | "catch_value_unread")
                {
                    return record("c_catch", [self.expr(body)]);
                }
                let vars = |vars: &[Var]| Term::list(vars.iter().copied().map(var).collect::<Vec<_>>());
                let (body, ok, handler) = (self.expr(body), self.expr(ok), self.expr(handler));
                record("c_try", [body, vars(ok_vars), ok, vars(handler_vars), handler])
            }
            Expr::Guard(guard) => {
                let value = self.fresh();
                let handler_vars = Term::list([self.fresh(), self.fresh()]);
                let vars = Term::list([value.clone()]);
                record("c_try", [self.expr(guard), vars, value, handler_vars, literal(Term::FALSE)])
            }
        }
    }

    fn pair(&self, exact: bool, key: &Expr, value: Term) -> Term {
        let op = literal(Term::atom(if exact { "exact" } else { "assoc" }));
        record("c_map_pair", [op, self.expr(key), value])
    }

    fn closure(&self, function: FunctionId, captures: &[Var]) -> Term {
        let arity = self.module.function(function).arity;
        let params: Vec<_> = (0..arity).map(|_| self.fresh()).collect();
        let args: Vec<_> = params.iter().cloned().chain(captures.iter().copied().map(var)).collect();
        let body = record("c_apply", [self.name(function), Term::list(args)]);
        record("c_fun", [Term::list(params), body])
    }

    fn call(&self, callee: &Callee, args: Vec<Term>) -> Term {
        match callee {
            Callee::Local(function) => record("c_apply", [self.name(*function), Term::list(args)]),
            Callee::Remote { module, function } => {
                let (module, function) = (literal(Term::Atom(*module)), literal(Term::Atom(*function)));
                record("c_call", [module, function, Term::list(args)])
            }
            Callee::Dynamic { module, function } => {
                record("c_call", [self.expr(module), self.expr(function), Term::list(args)])
            }
            Callee::Value(value) => record("c_apply", [self.expr(value), Term::list(args)]),
            Callee::Primitive(names::FUNCTION_CLAUSE) => {
                let parts = [literal(Term::Atom(names::FUNCTION_CLAUSE))].into_iter().chain(args);
                primop("match_fail", vec![record("c_tuple", [Term::list(parts.collect::<Vec<_>>())])])
            }
            Callee::Primitive(name) => {
                self.has_receive.set(self.has_receive.get() || name.text().starts_with("recv_"));
                primop(name.text(), args)
            }
        }
    }

    fn clause(&self, clause: &Clause) -> Term {
        let patterns: Vec<_> = clause.patterns.iter().map(|pattern| self.pattern(pattern)).collect();
        let guard = clause.guard.as_ref().map_or(literal(Term::TRUE), |guard| self.expr(guard));
        record("c_clause", [Term::list(patterns), guard, self.expr(&clause.body)])
    }

    fn pattern(&self, pattern: &Pattern) -> Term {
        match pattern {
            Pattern::Any => self.fresh(),
            Pattern::Var(v) => var(*v),
            Pattern::Alias(v, inner) => record("c_alias", [var(*v), self.pattern(inner)]),
            Pattern::Const(value) => literal(value.clone()),
            Pattern::Cons(head, tail) => record("c_cons", [self.pattern(head), self.pattern(tail)]),
            Pattern::Tuple(parts) => {
                record("c_tuple", [Term::list(parts.iter().map(|part| self.pattern(part)).collect::<Vec<_>>())])
            }
            Pattern::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| self.pair(true, key, self.pattern(value)));
                record("c_map", [literal(Term::Map([].into())), Term::list(pairs.collect::<Vec<_>>()), Term::TRUE])
            }
            Pattern::Bits(segments) => {
                let segments: Vec<_> = segments.iter().map(|segment| self.bit_pattern(segment)).collect();
                record("c_binary", [Term::list(segments)])
            }
        }
    }

    fn segment(&self, segment: &BitSegment) -> Term {
        let value = self.expr(&segment.value);
        self.bitstr(value, &segment.size, segment.unit, segment.kind, segment.signed, segment.endian)
    }

    fn bit_pattern(&self, segment: &BitPattern) -> Term {
        let value = self.pattern(&segment.value);
        self.bitstr(value, &segment.size, segment.unit, segment.kind, segment.signed, segment.endian)
    }

    fn bitstr(&self, value: Term, size: &BitSize, unit: u16, kind: BitKind, signed: bool, endian: Endian) -> Term {
        let kind_name = match kind {
            BitKind::Integer => "integer",
            BitKind::Float => "float",
            BitKind::Bits => "binary",
            BitKind::Utf8 => "utf8",
            BitKind::Utf16 => "utf16",
            BitKind::Utf32 => "utf32",
        };
        let (size, unit) = match size {
            BitSize::All => (literal(Term::atom("all")), Term::Int(i64::from(unit))),
            BitSize::Encoded => (literal(Term::atom("undefined")), Term::atom("undefined")),
            BitSize::Times(size) => (self.expr(size), Term::Int(i64::from(unit))),
        };
        let endian = match endian {
            Endian::Big => "big",
            Endian::Little => "little",
            Endian::Native => "native",
        };
        let flags = Term::list([Term::atom(if signed { "signed" } else { "unsigned" }), Term::atom(endian)]);
        record("c_bitstr", [value, size, literal(unit), literal(Term::atom(kind_name)), literal(flags)])
    }
}
