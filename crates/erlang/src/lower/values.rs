//! Join points with several values.
//!
//! `receive {X, Y} -> ok end` binds X and Y for the code after it, so in Core it has three values. Core's join points
//! are labels and can have several; here they are functions, and a function returns one value. So such a join point
//! returns a tuple, which is unpacked where the values are needed.

use super::expr::grow;
use super::state::{Kind, Lowering};
use program::{Binding, Callee, Clause, Expr, FunctionId, Pattern, Span};
use term::Term;

impl Lowering {
    /// Transforms `value`, which has `count` values, so that no function needs to return several.
    pub fn delivering(&mut self, mut value: Expr, count: usize) -> Expr {
        if !self.ends_in_join(&value) {
            self.fill_in_for_stubs(&mut value, count);
            return value;
        }
        self.pack(&mut value, count);
        let vars: Vec<_> = (0..count).map(|_| self.fresh()).collect();
        let unpacking = Clause {
            patterns: vec![Pattern::Tuple(vars.iter().copied().map(Pattern::Var).collect())],
            guard: None,
            body: Expr::Values(vars.into_iter().map(Expr::Var).collect()),
            span: Span::default(),
        };
        let otherwise = self.failing_clause(1, Span::default());
        Expr::Case { subjects: vec![value], clauses: vec![unpacking, otherwise], span: Span::default() }
    }

    /// Wraps calls of stubs. A stub raises, so any number of values may be expected of it, but it is a function, and
    /// functions return one value.
    fn fill_in_for_stubs(&mut self, expr: &mut Expr, count: usize) {
        grow(|| match expr {
            Expr::Let { body, .. } => self.fill_in_for_stubs(body, count),
            Expr::Case { clauses, .. } => {
                clauses.iter_mut().for_each(|clause| self.fill_in_for_stubs(&mut clause.body, count));
            }
            Expr::Try { ok, handler, .. } => {
                self.fill_in_for_stubs(ok, count);
                self.fill_in_for_stubs(handler, count);
            }
            Expr::Call { callee: Callee::Local(function), .. } if self.is_stub(*function) => {
                let nothing = Expr::Values(vec![Expr::Const(Term::Nil); count]);
                let value = std::mem::replace(expr, nothing.clone());
                let bindings = vec![Binding { vars: vec![self.fresh()], value }];
                *expr = Expr::Let { bindings, body: Box::new(nothing) };
            }
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Values(_)
            | Expr::Cons(..)
            | Expr::Tuple(_)
            | Expr::Map { .. }
            | Expr::Bits { .. }
            | Expr::Closure { .. }
            | Expr::Call { .. }
            | Expr::Guard(_) => {}
        })
    }

    fn is_stub(&self, function: FunctionId) -> bool {
        matches!(self.drafts[function.index()].kind, Kind::Stub)
    }

    fn ends_in_join(&self, expr: &Expr) -> bool {
        grow(|| match expr {
            Expr::Let { body, .. } => self.ends_in_join(body),
            Expr::Case { clauses, .. } => clauses.iter().any(|clause| self.ends_in_join(&clause.body)),
            Expr::Try { ok, handler, .. } => self.ends_in_join(ok) || self.ends_in_join(handler),
            Expr::Call { callee: Callee::Local(function), .. } => self.is_join(*function),
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Values(_)
            | Expr::Cons(..)
            | Expr::Tuple(_)
            | Expr::Map { .. }
            | Expr::Bits { .. }
            | Expr::Closure { .. }
            | Expr::Call { .. }
            | Expr::Guard(_) => false,
        })
    }

    fn is_join(&self, function: FunctionId) -> bool {
        matches!(self.drafts[function.index()].kind, Kind::Join { .. })
    }

    fn pack(&mut self, expr: &mut Expr, count: usize) {
        grow(|| match expr {
            Expr::Let { body, .. } => self.pack(body, count),
            Expr::Case { clauses, .. } => clauses.iter_mut().for_each(|clause| self.pack(&mut clause.body, count)),
            Expr::Try { ok, handler, .. } => {
                self.pack(ok, count);
                self.pack(handler, count);
            }
            Expr::Values(values) if values.len() == count => *expr = Expr::Tuple(std::mem::take(values)),
            Expr::Call { callee: Callee::Local(function), .. } if self.is_join(*function) => {
                self.pack_join(*function, count);
            }
            // The other expressions raise, because nothing else has several values.
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Values(_)
            | Expr::Cons(..)
            | Expr::Tuple(_)
            | Expr::Map { .. }
            | Expr::Bits { .. }
            | Expr::Closure { .. }
            | Expr::Call { .. }
            | Expr::Guard(_) => {}
        })
    }

    fn pack_join(&mut self, join: FunctionId, count: usize) {
        let draft = &mut self.drafts[join.index()];
        if std::mem::replace(&mut draft.is_packed, true) {
            return;
        }
        if let Some(mut body) = draft.body.take() {
            self.pack(&mut body, count);
            self.drafts[join.index()].body = Some(body);
        }
    }
}
