//! Functions of which the real runtime tells what they do: those that act on the outside and are allowed, and native ones.

use frontend::Effects;
use program::{Callee, Expr, Module, for_each_expr};
use std::cell::RefCell;
use std::collections::HashMap;
use term::{Atom, FunctionName, names};

/// What native functions call where native code is not loaded.
const NIF_ERROR: &str = "nif_error";

pub(crate) struct Outside {
    effects: Effects,
    /// The native functions of the modules that were loaded, by name and arity.
    natives: RefCell<HashMap<Atom, Vec<(Atom, u32)>>>,
}

impl Outside {
    pub fn new(effects: Effects) -> Outside {
        Outside { effects, natives: RefCell::default() }
    }

    /// The native functions of a module, if native code is allowed.
    pub fn natives(&self, module: &Module) -> Vec<(Atom, u32)> {
        if !self.effects.allow_native_code() {
            return Vec::new();
        }
        let all = module.functions.iter().filter(|function| function.captures == 0);
        let is_native = |function: &&program::Function| function.body.get().is_ok_and(is_native);
        let natives: Vec<(Atom, u32)> = all.filter(is_native).map(|function| (function.name, function.arity)).collect();
        self.natives.borrow_mut().insert(module.name, natives.clone());
        natives
    }

    /// Whether the runtime tells what a function did that our machine does not run.
    pub fn covers(&self, name: FunctionName, is_denied: bool) -> bool {
        let FunctionName { module, function, arity } = name;
        let is_native = || {
            let natives = self.natives.borrow();
            natives.get(&module).is_some_and(|natives| natives.contains(&(function, arity)))
        };
        is_native() || is_denied && self.effects.covers(name)
    }
}

/// Whether the body of a function is what stands in for native code.
fn is_native(body: &Expr) -> bool {
    let mut found = false;
    for_each_expr(body, |expr| {
        if let Expr::Call { callee: Callee::Remote { module, function }, .. } = expr {
            found |= *module == names::ERLANG && function.text() == NIF_ERROR;
        }
    });
    found
}
