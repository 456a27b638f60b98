//! What the code does elsewhere about errors: whether it returns, raises or catches them.

use frontend::FrontEnd;
use program::{Callee, Expr, Function, Module, for_each_expr};
use std::sync::Arc;
use term::{Atom, FunctionName, Term, names};

/// What one function does about errors.
#[derive(Clone, Copy, Default)]
pub struct Habits {
    /// It makes `error` or `{error, _}` somewhere.
    pub returns_errors: bool,
    /// It raises exceptions of its own somewhere.
    pub raises: bool,
    /// It catches some exceptions and lets others pass.
    pub catches_some: bool,
}

impl Habits {
    pub fn of(language: &dyn FrontEnd, module: &Module, name: FunctionName) -> Habits {
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
            Expr::Call { callee: Callee::Remote { module, function }, .. } => {
                habits.raises |= language.raises(*module, *function);
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

/// Whether some function of these modules calls this one where exceptions are caught.
pub fn is_caught_by_callers(modules: &[Arc<Module>], name: FunctionName) -> bool {
    let functions = modules.iter().flat_map(|module| module.functions.iter().map(move |function| (module, function)));
    functions.into_iter().any(|(module, function)| catches_calls(module, function, name))
}

fn catches_calls(module: &Arc<Module>, function: &Function, name: FunctionName) -> bool {
    let Ok(body) = function.body.get() else { return false };
    let mut found = false;
    for_each_expr(body, |expr| {
        if let Expr::Try { body, .. } = expr {
            for_each_expr(body, |inner| found |= calls(module, inner, name));
        }
    });
    found
}

fn calls(module: &Arc<Module>, expr: &Expr, name: FunctionName) -> bool {
    let Expr::Call { callee, args, .. } = expr else { return false };
    let is_named = |of: Atom, function: Atom, arity: usize| {
        (of, function) == (name.module, name.function) && arity == name.arity as usize
    };
    match callee {
        Callee::Local(id) => {
            let function = module.function(*id);
            is_named(module.name, function.name, function.arity as usize)
        }
        Callee::Remote { module, function } => is_named(*module, *function, args.len()),
        Callee::Dynamic { .. } | Callee::Value(_) | Callee::Primitive(_) => false,
    }
}
