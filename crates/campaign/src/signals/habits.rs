//! What the code does elsewhere about errors: whether it returns or catches them.

use program::{Callee, Expr, Module, for_each_expr};
use term::{FunctionName, Term, names};

/// What one function does about errors.
#[derive(Clone, Copy, Default)]
pub struct Habits {
    /// It makes `error` or `{error, _}` somewhere.
    pub returns_errors: bool,
    /// It catches some exceptions and lets others pass.
    pub catches_some: bool,
}

impl Habits {
    pub fn of(module: &Module, name: FunctionName) -> Habits {
        let mut habits = Habits::default();
        let Some(id) = module.find(name.function, name.arity) else { return habits };
        let Ok(body) = module.function(id).body.get() else { return habits };
        let is_error = |term: &Term| *term == Term::Atom(names::ERROR);
        for_each_expr(body, |expr| match expr {
            Expr::Const(Term::Tuple(parts)) => habits.returns_errors |= parts.first().is_some_and(is_error),
            Expr::Const(term) => habits.returns_errors |= is_error(term),
            Expr::Tuple(parts) => {
                habits.returns_errors |= matches!(parts.first(), Some(Expr::Const(first)) if is_error(first));
            }
            Expr::Try { handler, .. } => habits.catches_some |= chooses(handler),
            _ => {}
        });
        habits
    }
}

/// Whether a handler catches some exceptions and raises others again.
fn chooses(handler: &Expr) -> bool {
    let is_again = |expr: &Expr| matches!(expr, Expr::Call { callee: Callee::Primitive(name), .. } if name.text().contains("raise"));
    let Expr::Case { clauses, .. } = handler else { return false };
    let raises = clauses.iter().filter(|clause| is_again(&clause.body)).count();
    raises > 0 && raises < clauses.len()
}
