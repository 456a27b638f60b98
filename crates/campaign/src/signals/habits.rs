//! How the code handles exceptions elsewhere.

use program::{Callee, Expr, Module, for_each_expr};
use term::FunctionName;

/// Returns whether a function catches some exceptions and lets others pass.
pub fn catches_some(module: &Module, name: FunctionName) -> bool {
    let Some(id) = module.find(name.function, name.arity) else { return false };
    let Ok(body) = module.function(id).body.get() else { return false };
    let mut catches = false;
    for_each_expr(body, |expr| catches |= matches!(expr, Expr::Try { handler, .. } if chooses(handler)));
    catches
}

/// Returns whether a handler catches some exceptions and raises others again.
fn chooses(handler: &Expr) -> bool {
    let is_again = |expr: &Expr| matches!(expr, Expr::Call { callee: Callee::Primitive(name), .. } if name.text().contains("raise"));
    let Expr::Case { clauses, .. } = handler else { return false };
    let raises = clauses.iter().filter(|clause| is_again(&clause.body)).count();
    raises > 0 && raises < clauses.len()
}
