//! Closing the functions of a group: their captures become parameters, and their variables are renumbered from 0.
//!
//! A function captures the free variables of its body, and those of every function that it calls or makes closures of,
//! unless it binds them itself. This is a fixpoint, since local functions may call one another. Captured variables
//! follow the parameters, in the order of their names as in OTP.

use super::core::CoreName;
use super::expr::grow;
use super::state::{Kind, Lowering};
use program::{Binding, BitSize, Callee, Clause, Expr, FunctionId, MapPair, Pattern, Span, Var};
use term::{Term, names};

const NONE: u32 = u32::MAX;

/// Closes the module function `module_function` and the lifted functions from `first_lifted` on.
pub(super) fn close_group(state: &mut Lowering, module_function: FunctionId, first_lifted: usize) {
    if state.drafts.len() == first_lifted {
        // Without nested functions, the variables are already numbered for the function alone.
        return;
    }
    let captures = find_captures(state, first_lifted);
    let mut closer =
        Closer { new_number: vec![NONE; state.vars.len()], touched: Vec::new(), captures, first_lifted, state };
    closer.close(module_function);
    let mut id = first_lifted;
    // Stubs are added during the loop.
    while id < closer.state.drafts.len() {
        closer.close(FunctionId(id as u32));
        id += 1;
    }
}

/// Returns the captures of each lifted function, indexed from the first lifted one.
fn find_captures(state: &Lowering, first_lifted: usize) -> Vec<Vec<Var>> {
    let lifted = &state.drafts[first_lifted..];
    let mut captures: Vec<Vec<Var>> = lifted.iter().map(|draft| draft.free.clone()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        // Inner functions come later, and most references go to inner functions.
        for index in (0..lifted.len()).rev() {
            let own = FunctionId((first_lifted + index) as u32);
            for called in &lifted[index].refers_to {
                if called.index() < first_lifted || called.index() == own.index() {
                    continue;
                }
                for var in captures[called.index() - first_lifted].clone() {
                    let binder = state.vars[var.0 as usize].binder;
                    if binder != own && !captures[index].contains(&var) {
                        captures[index].push(var);
                        changed = true;
                    }
                }
            }
        }
    }
    for vars in &mut captures {
        vars.sort_by_key(|var| match state.vars[var.0 as usize].name {
            CoreName::Number(number) => (number, "", var.0),
            CoreName::Atom(atom) => (i64::MAX, atom.text(), var.0),
        });
    }
    captures
}

struct Closer<'a> {
    state: &'a mut Lowering,
    first_lifted: usize,
    captures: Vec<Vec<Var>>,
    /// The new numbers of the current function's variables, indexed by the group's variables.
    new_number: Vec<u32>,
    /// The variables that have a new number, in the order of these numbers.
    touched: Vec<Var>,
}

impl Closer<'_> {
    fn close(&mut self, id: FunctionId) {
        let draft = &mut self.state.drafts[id.index()];
        let Some(mut body) = draft.body.take() else { return };
        let mut params = std::mem::take(&mut draft.params);
        params.extend_from_slice(self.captures_of(id));
        for var in self.touched.drain(..) {
            self.new_number[var.0 as usize] = NONE;
        }
        params.iter_mut().for_each(|param| self.number(param));
        self.expr(id, &mut body);
        let draft = &mut self.state.drafts[id.index()];
        draft.params = params;
        draft.body = Some(body);
    }

    fn captures_of(&self, id: FunctionId) -> &[Var] {
        let lifted = id.index().checked_sub(self.first_lifted);
        lifted.and_then(|index| self.captures.get(index)).map_or(&[], |captures| captures)
    }

    fn number(&mut self, var: &mut Var) {
        let number = &mut self.new_number[var.0 as usize];
        if *number == NONE {
            *number = self.touched.len() as u32;
            self.touched.push(*var);
        }
        *var = Var(*number);
    }

    fn captured(&mut self, function: FunctionId) -> Vec<Var> {
        let mut vars = self.captures_of(function).to_vec();
        vars.iter_mut().for_each(|var| self.number(var));
        vars
    }

    fn expr(&mut self, id: FunctionId, expr: &mut Expr) {
        grow(|| match expr {
            Expr::Const(_) => {}
            Expr::Var(var) => self.number(var),
            Expr::Let { bindings, body } => {
                for Binding { vars, value } in bindings {
                    self.expr(id, value);
                    vars.iter_mut().for_each(|var| self.number(var));
                }
                self.expr(id, body);
            }
            Expr::Values(parts) | Expr::Tuple(parts) => parts.iter_mut().for_each(|part| self.expr(id, part)),
            Expr::Cons(head, tail) => {
                self.expr(id, head);
                self.expr(id, tail);
            }
            Expr::Map { base, pairs, .. } => {
                self.expr(id, base);
                for MapPair { key, value, .. } in pairs {
                    self.expr(id, key);
                    self.expr(id, value);
                }
            }
            Expr::Bits { segments, .. } => {
                for segment in segments {
                    self.expr(id, &mut segment.value);
                    self.size(id, &mut segment.size);
                }
            }
            Expr::Closure { function, captures } => *captures = self.captured(*function),
            Expr::Call { callee, args, span } => {
                args.iter_mut().for_each(|arg| self.expr(id, arg));
                match callee {
                    Callee::Local(function) => args.extend(self.captured(*function).into_iter().map(Expr::Var)),
                    Callee::Remote { .. } => {}
                    Callee::Dynamic { module, function } => {
                        self.expr(id, module);
                        self.expr(id, function);
                    }
                    Callee::Value(value) => self.expr(id, value),
                    Callee::Primitive(names::FUNCTION_CLAUSE) => {
                        if let Some(stub) = self.stub_for_failure(id, args, *span) {
                            *callee = Callee::Local(stub);
                        }
                    }
                    Callee::Primitive(_) => {}
                }
            }
            Expr::Case { subjects, clauses, .. } => {
                subjects.iter_mut().for_each(|subject| self.expr(id, subject));
                for Clause { patterns, guard, body, .. } in clauses {
                    patterns.iter_mut().for_each(|pattern| self.pattern(id, pattern));
                    if let Some(guard) = guard {
                        self.expr(id, guard);
                    }
                    self.expr(id, body);
                }
            }
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                self.expr(id, body);
                ok_vars.iter_mut().for_each(|var| self.number(var));
                self.expr(id, ok);
                handler_vars.iter_mut().for_each(|var| self.number(var));
                self.expr(id, handler);
            }
            Expr::Guard(guard) => self.expr(id, guard),
        })
    }

    /// Removes the number of a failure from the arguments, and returns the stub that raises it, if one is needed: see
    /// `Lowering::function_clause`.
    fn stub_for_failure(&mut self, id: FunctionId, args: &mut Vec<Expr>, span: Span) -> Option<FunctionId> {
        let host = self.state.host(id);
        match self.state.drafts[host.index()].kind {
            Kind::Lambda | Kind::Letrec => {}
            Kind::Module | Kind::Stub | Kind::Join { .. } => return None,
        }
        let Some(Expr::Const(Term::Int(site))) = args.first() else { return None };
        let site = *site as usize;
        args.remove(0);
        if self.captures_of(host).is_empty() {
            return None;
        }
        let stub = self.state.stub(site, args.len() as u32, span);
        self.new_number.resize(self.state.vars.len(), NONE);
        Some(stub)
    }

    fn pattern(&mut self, id: FunctionId, pattern: &mut Pattern) {
        grow(|| match pattern {
            Pattern::Any | Pattern::Const(_) => {}
            Pattern::Var(var) => self.number(var),
            Pattern::Alias(var, inner) => {
                self.number(var);
                self.pattern(id, inner);
            }
            Pattern::Cons(head, tail) => {
                self.pattern(id, head);
                self.pattern(id, tail);
            }
            Pattern::Tuple(elements) => elements.iter_mut().for_each(|element| self.pattern(id, element)),
            Pattern::Map(pairs) => {
                for (key, value) in pairs {
                    self.expr(id, key);
                    self.pattern(id, value);
                }
            }
            Pattern::Bits(segments) => {
                for segment in segments {
                    self.size(id, &mut segment.size);
                    self.pattern(id, &mut segment.value);
                }
            }
        })
    }

    fn size(&mut self, id: FunctionId, size: &mut BitSize) {
        match size {
            BitSize::All | BitSize::Encoded => {}
            BitSize::Times(size) => self.expr(id, size),
        }
    }
}
