//! Expressions.

use super::core::{self, Anno, CoreName, CoreNode, Malformed, Result};
use super::names::Pass;
use super::state::{Bound, Key, Kind, Lowering};
use program::{Binding, BitSegment, Callee, Expr, FunctionId, MapPair, Span, Var};
use term::{Atom, Term, names};

/// Runs `work` on more stack if little is left, because generated code is deeply nested.
pub(super) fn grow<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 4 << 20, work)
}

impl Lowering {
    pub fn lower(&mut self, term: &Term) -> Result<Expr> {
        let mut bindings = Vec::new();
        let value = self.lower_into(term, &mut bindings)?;
        Ok(self.let_chain(bindings, value))
    }

    /// Returns the value of `term`, after bindings that are added to `out`. Names that `term` binds go out of scope
    /// again, but their bindings stay in `out`.
    pub fn lower_into(&mut self, term: &Term, out: &mut Vec<Binding>) -> Result<Expr> {
        let mark = self.scope.mark();
        let value = grow(|| self.chain(term, out))?;
        self.scope.leave(mark);
        Ok(value)
    }

    pub fn lower_all(&mut self, terms: &[Term]) -> Result<Vec<Expr>> {
        let start = self.position();
        let mut exprs = Vec::with_capacity(terms.len());
        let mut ends = Vec::new();
        for term in terms {
            exprs.push(self.lower(term)?);
            ends.push(self.position());
        }
        // OTP's first pass visits arguments from the last to the first.
        self.reorder(start, &ends, |pass| match pass {
            Pass::First => (0..terms.len()).rev().collect(),
            Pass::Second => (0..terms.len()).collect(),
        });
        Ok(exprs)
    }

    fn chain(&mut self, mut term: &Term, out: &mut Vec<Binding>) -> Result<Expr> {
        loop {
            let (anno, node) = core::node(term)?;
            match node {
                CoreNode::Let { vars, arg, body } => {
                    self.bind_values(vars, arg, out)?;
                    term = body;
                }
                CoreNode::Seq { arg, body } => {
                    let value = self.lower_into(arg, out)?;
                    self.discard(value, out);
                    term = body;
                }
                CoreNode::Letrec { defs, body } => {
                    let start = self.position();
                    self.letrec(anno, defs)?;
                    if !anno.has("letrec_goto") {
                        term = body;
                        continue;
                    }
                    let middle = self.position();
                    let value = grow(|| self.chain(body, out))?;
                    // OTP reaches a join point after the places that lead to it.
                    self.reorder(start, &[middle, self.position()], |_| vec![1, 0]);
                    return Ok(value);
                }
                CoreNode::Literal(value) => return Ok(Expr::Const(value.clone())),
                CoreNode::Var(name) => return self.variable(name),
                CoreNode::FunctionName(name, arity) => {
                    let function = self.look_up_function(name, arity)?;
                    return Ok(self.closure(function));
                }
                CoreNode::Cons { head, tail } => {
                    return Ok(Expr::Cons(Box::new(self.lower(head)?), Box::new(self.lower(tail)?)));
                }
                CoreNode::Tuple(elements) => return Ok(Expr::Tuple(self.lower_all(elements)?)),
                CoreNode::Values(elements) => return Ok(Expr::Values(self.lower_all(elements)?)),
                CoreNode::Map { arg, pairs } => return self.map(anno, arg, pairs),
                CoreNode::Binary(segments) => return self.bits(anno, segments),
                CoreNode::Fun { vars, body } => return self.lambda(anno, vars, body),
                CoreNode::Call { module, name, args } => return self.remote_call(anno, module, name, args),
                CoreNode::Apply { op, args } => return self.apply(anno, op, args),
                CoreNode::Primop { name, args } => return self.primitive(anno, name, args),
                CoreNode::Case { arg, clauses } => return self.case(anno, arg, clauses, out),
                CoreNode::Catch(body) => return self.catch(body),
                CoreNode::Try { arg, vars, body, handler_vars, handler } => {
                    return self.try_expr(arg, vars, body, handler_vars, handler);
                }
                CoreNode::Record(_) => return self.primitive(anno, Atom::new("native_record"), &[]),
                CoreNode::Opaque => return Ok(Expr::atom(names::OK)),
                CoreNode::Alias { .. } => return Err(Malformed("an alias pattern in an expression".into())),
            }
        }
    }

    /// Makes a `let` without the bindings that turned out to be unused.
    fn let_chain(&self, mut bindings: Vec<Binding>, value: Expr) -> Expr {
        bindings.retain(|binding| match (&binding.vars[..], &binding.value) {
            ([var], Expr::Closure { .. } | Expr::Const(_) | Expr::Var(_)) => self.is_used(*var),
            _ => true,
        });
        if bindings.is_empty() { value } else { Expr::Let { bindings, body: Box::new(value) } }
    }

    fn bind_values(&mut self, vars: &[Term], arg: &Term, out: &mut Vec<Binding>) -> Result<()> {
        let value = self.lower_into(arg, out)?;
        match (vars, value) {
            ([_, _, ..], Expr::Values(values)) if values.len() == vars.len() => {
                for (var, value) in vars.iter().zip(values) {
                    self.bind_one(variable_name(var)?, value, out);
                }
            }
            ([var], value) => self.bind_one(variable_name(var)?, value, out),
            (_, value) => {
                let value = self.delivering(value, vars.len());
                let vars = vars.iter().map(|var| Ok(self.bind(variable_name(var)?))).collect::<Result<_>>()?;
                out.push(Binding { vars, value });
            }
        }
        Ok(())
    }

    fn bind_one(&mut self, name: CoreName, value: Expr, out: &mut Vec<Binding>) {
        match value {
            Expr::Var(same) => {
                // A use in another function has made the variable a capture, and it remains one.
                let current = self.current;
                let info = self.info(same);
                if info.binder == current {
                    info.uses -= 1;
                }
                self.scope.set(Key::Var(name), Bound::Var(same));
            }
            value => {
                let var = self.bind(name);
                if let Expr::Closure { function, .. } = &value {
                    self.info(var).closure_of = Some(*function);
                }
                out.push(Binding { vars: vec![var], value });
            }
        }
    }

    /// Evaluates `value` for its effect.
    fn discard(&mut self, value: Expr, out: &mut Vec<Binding>) {
        let count = match &value {
            Expr::Const(_) | Expr::Var(_) | Expr::Closure { .. } => return,
            Expr::Values(values) => values.len(),
            Expr::Call { callee: Callee::Primitive(name), .. } if name.text() == "recv_peek_message" => 2,
            _ => 1,
        };
        let vars = (0..count).map(|_| self.fresh()).collect();
        out.push(Binding { vars, value });
    }

    fn variable(&mut self, name: CoreName) -> Result<Expr> {
        match self.look_up(name)? {
            Bound::Var(var) => {
                self.use_var(var);
                Ok(Expr::Var(var))
            }
            Bound::Function(function) => Ok(self.closure(function)),
        }
    }

    /// Makes a closure. `lift` adds its captures.
    fn closure(&mut self, function: FunctionId) -> Expr {
        self.refer_to(function);
        self.drafts[function.index()].is_value = true;
        let host = self.host(self.current);
        self.drafts[host.index()].closures.push(function);
        Expr::Closure { function, captures: Vec::new() }
    }

    fn letrec(&mut self, anno: Anno<'_>, defs: &[Term]) -> Result<()> {
        let is_join = anno.has("letrec_goto");
        let mut bodies = Vec::with_capacity(defs.len());
        for def in defs {
            let (name, fun) = core::pair(def)?;
            let (_, CoreNode::FunctionName(name, arity)) = core::node(name)? else {
                return Err(Malformed("a letrec that defines no function".into()));
            };
            let (fun_anno, CoreNode::Fun { vars, body }) = core::node(fun)? else {
                return Err(Malformed(format!("the definition of {name}/{arity}, which is no fun")));
            };
            let span = self.span(if anno.location().is_some() { anno } else { fun_anno });
            let id = if is_join {
                let host = self.host(self.current);
                let host_name = self.drafts[host.index()].name;
                let unique = Atom::new(&format!("-{host_name}-{name}/{arity}-join-{}-", self.drafts.len()));
                self.add_function(unique, arity, Kind::Join { host }, span)
            } else {
                let id = self.add_function(name, arity, Kind::Letrec, span);
                self.order.letrec(id, format!("{name}/{arity}"));
                id
            };
            self.scope.set(Key::Function(name, arity), Bound::Function(id));
            bodies.push((id, vars, body));
        }
        for (id, vars, body) in bodies {
            self.function_body(id, vars, body)?;
        }
        Ok(())
    }

    pub fn function_body(&mut self, id: FunctionId, vars: &[Term], body: &Term) -> Result<()> {
        let outer = std::mem::replace(&mut self.current, id);
        let mark = self.scope.mark();
        let params = vars.iter().map(|var| Ok(self.bind(variable_name(var)?))).collect::<Result<Vec<Var>>>()?;
        self.drafts[id.index()].params = params;
        let body = self.lower(body)?;
        self.drafts[id.index()].body = Some(body);
        self.scope.leave(mark);
        self.current = outer;
        self.order.completed.push(id);
        Ok(())
    }

    fn lambda(&mut self, anno: Anno<'_>, vars: &[Term], body: &Term) -> Result<Expr> {
        let span = self.span(anno);
        let name = anno.fun_name();
        let id = self.add_function(name.unwrap_or(names::EMPTY), vars.len() as u32, Kind::Lambda, span);
        self.function_body(id, vars, body)?;
        Ok(self.closure(id))
    }

    fn map(&mut self, anno: Anno<'_>, arg: &Term, pairs: &[Term]) -> Result<Expr> {
        let base = Box::new(self.lower(arg)?);
        let pairs = pairs
            .iter()
            .map(|pair| {
                let pair = core::map_pair(pair)?;
                Ok(MapPair { key: self.lower(pair.key)?, value: self.lower(pair.value)?, exact: pair.exact })
            })
            .collect::<Result<_>>()?;
        Ok(Expr::Map { base, pairs, span: self.span(anno) })
    }

    fn bits(&mut self, anno: Anno<'_>, segments: &[Term]) -> Result<Expr> {
        let segments = segments
            .iter()
            .map(|segment| {
                let segment = core::bitstr(segment)?;
                let value = self.lower(segment.value)?;
                let shape = self.segment_shape(&segment)?;
                Ok(BitSegment {
                    value,
                    size: shape.size,
                    unit: shape.unit,
                    kind: shape.kind,
                    signed: shape.signed,
                    endian: shape.endian,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Expr::Bits { segments, span: self.span(anno) })
    }

    fn remote_call(&mut self, anno: Anno<'_>, module: &Term, name: &Term, args: &[Term]) -> Result<Expr> {
        let args = self.lower_all(args)?;
        let callee = match (self.lower(module)?, self.lower(name)?) {
            (Expr::Const(Term::Atom(module)), Expr::Const(Term::Atom(function))) => Callee::Remote { module, function },
            (module, function) => Callee::Dynamic { module: Box::new(module), function: Box::new(function) },
        };
        Ok(Expr::Call { callee, args, span: self.span(anno) })
    }

    fn apply(&mut self, anno: Anno<'_>, op: &Term, args: &[Term]) -> Result<Expr> {
        let args = self.lower_all(args)?;
        let span = self.span(anno);
        let known = match core::node(op)?.1 {
            CoreNode::FunctionName(name, arity) => Some(self.look_up_function(name, arity)?),
            CoreNode::Var(name) => match self.look_up(name)? {
                // A closure from an outer function is called as a value, so that it remains a capture, as in OTP.
                Bound::Var(var) if self.vars[var.0 as usize].binder == self.current => self.info(var).closure_of,
                Bound::Var(_) => None,
                Bound::Function(function) => Some(function),
            },
            _ => None,
        };
        match known {
            Some(function) if self.drafts[function.index()].arity as usize == args.len() => {
                Ok(self.local_call(function, args, span))
            }
            Some(_) | None => Ok(Expr::Call { callee: Callee::Value(Box::new(self.lower(op)?)), args, span }),
        }
    }

    /// Calls a function of the module. `lift` adds the captures of a lifted function.
    pub fn local_call(&mut self, function: FunctionId, args: Vec<Expr>, span: Span) -> Expr {
        self.refer_to(function);
        Expr::Call { callee: Callee::Local(function), args, span }
    }

    fn catch(&mut self, body: &Term) -> Result<Expr> {
        let body = Box::new(self.lower(body)?);
        let value = self.fresh();
        let handler_vars = [self.fresh(), self.fresh(), self.fresh()];
        let handler = Expr::Call {
            callee: Callee::Primitive(Atom::new("catch_value")),
            args: handler_vars.map(Expr::Var).into(),
            span: Span::default(),
        };
        Ok(Expr::Try {
            body,
            ok_vars: vec![value],
            ok: Box::new(Expr::Var(value)),
            handler_vars,
            handler: Box::new(handler),
        })
    }

    fn try_expr(
        &mut self,
        arg: &Term,
        vars: &[Term],
        body: &Term,
        handler_vars: &[Term],
        handler: &Term,
    ) -> Result<Expr> {
        if handler_vars.len() == 2 && gives_false(handler) && is_only_variable(vars, body) {
            return Ok(Expr::Guard(Box::new(self.lower(arg)?)));
        }
        let mut tried = Box::new(self.lower(arg)?);
        if vars.len() != 1 {
            tried = Box::new(self.delivering(*tried, vars.len()));
        }
        let mark = self.scope.mark();
        let ok_vars = vars.iter().map(|var| Ok(self.bind(variable_name(var)?))).collect::<Result<_>>()?;
        let ok = Box::new(self.lower(body)?);
        self.scope.leave(mark);
        let caught = match handler_vars {
            [class, reason, trace] => {
                [self.bind(variable_name(class)?), self.bind(variable_name(reason)?), self.bind(variable_name(trace)?)]
            }
            [class, reason] => [self.bind(variable_name(class)?), self.bind(variable_name(reason)?), self.fresh()],
            _ => return Err(Malformed(format!("a try with {} handler variables", handler_vars.len()))),
        };
        let handler = Box::new(self.lower(handler)?);
        self.scope.leave(mark);
        Ok(Expr::Try { body: tried, ok_vars, ok, handler_vars: caught, handler })
    }
}

fn variable_name(term: &Term) -> Result<CoreName> {
    match core::node(term)?.1 {
        CoreNode::Var(name) => Ok(name),
        _ => Err(Malformed("something that is bound and no variable".into())),
    }
}

fn gives_false(handler: &Term) -> bool {
    matches!(core::node(handler), Ok((_, CoreNode::Literal(value))) if *value == Term::FALSE)
}

fn is_only_variable(vars: &[Term], body: &Term) -> bool {
    let [var] = vars else { return false };
    match (variable_name(var), core::node(body)) {
        (Ok(bound), Ok((_, CoreNode::Var(used)))) => bound == used,
        _ => false,
    }
}
