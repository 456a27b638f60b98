//! Functions whose results come from the real runtime: those that act on the outside and are allowed, and native ones.

use frontend::Effects;
use machine::Language;
use program::Module;
use std::cell::RefCell;
use std::collections::HashMap;
use term::{Atom, FunctionName};

pub(crate) struct Outside {
    effects: Effects,
    /// The native functions of the modules that were loaded, by name and arity.
    natives: RefCell<HashMap<Atom, Vec<(Atom, u32)>>>,
}

impl Outside {
    pub fn new(effects: Effects) -> Outside {
        Outside { effects, natives: RefCell::default() }
    }

    /// Returns the native functions of a module, if native code is allowed.
    pub fn natives(&self, language: &dyn Language, module: &Module) -> Vec<(Atom, u32)> {
        if !self.effects.allow_native_code() {
            return Vec::new();
        }
        let all = module.functions.iter().filter(|function| function.captures == 0);
        let stubs = all.filter(|function| language.is_native_stub(function));
        let natives: Vec<(Atom, u32)> = stubs.map(|function| (function.name, function.arity)).collect();
        self.natives.borrow_mut().insert(module.name, natives.clone());
        natives
    }

    /// Returns whether the result of a function that our machine does not run comes from the runtime.
    pub fn covers(&self, name: FunctionName, is_denied: bool) -> bool {
        let FunctionName { module, function, arity } = name;
        let is_native = || {
            let natives = self.natives.borrow();
            natives.get(&module).is_some_and(|natives| natives.contains(&(function, arity)))
        };
        is_native() || is_denied && self.effects.covers(name)
    }
}
