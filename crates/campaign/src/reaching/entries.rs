//! The entries of a program, with what their specifications say of their inputs.

use contract::Contract;
use formula::Types;
use frontend::Code;
use reach::{Entries, Entry};
use session::contract_and_modules;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use term::{Atom, FunctionName};

/// The exported functions of the user's modules, or those that the user names.
pub struct Exported<'a> {
    code: &'a Arc<dyn Code>,
    modules: &'a [Atom],
    from: &'a [FunctionName],
    contracts: RefCell<HashMap<FunctionName, Option<Rc<Contract>>>>,
}

impl<'a> Exported<'a> {
    pub fn new(code: &'a Arc<dyn Code>, modules: &'a [Atom], from: &'a [FunctionName]) -> Exported<'a> {
        Exported { code, modules, from, contracts: RefCell::default() }
    }

    /// Returns the contract of a function, if it is an entry.
    pub fn contract(&self, name: FunctionName) -> Option<Rc<Contract>> {
        if let Some(known) = self.contracts.borrow().get(&name) {
            return known.clone();
        }
        let contract = self.find(name).map(Rc::new);
        self.contracts.borrow_mut().insert(name, contract.clone());
        contract
    }

    fn find(&self, name: FunctionName) -> Option<Contract> {
        let is_named = self.from.is_empty() || self.from.contains(&name);
        if !is_named || self.from.is_empty() && !self.modules.contains(&name.module) {
            return None;
        }
        let module = self.code.load(name.module).ok().flatten()?;
        let id = module.find(name.function, name.arity)?;
        let is_entry = module.function(id).exported && !is_of_compiler(name);
        is_entry.then(|| contract_and_modules(self.code, &module, name.function, name.arity).0)
    }

    /// Returns whether a contract says exactly which inputs a function takes.
    fn is_exact(contract: &Contract) -> bool {
        contract.declared && contract.behaviour.is_none() && contract.limits.is_empty()
    }
}

/// Returns whether the compiler adds this function to every module.
fn is_of_compiler(name: FunctionName) -> bool {
    name.function.text() == "module_info"
}

impl Entries for Exported<'_> {
    fn clauses(&self, name: FunctionName) -> usize {
        self.contract(name).map_or(0, |contract| if Exported::is_exact(&contract) { contract.clauses.len() } else { 1 })
    }

    fn is_users(&self, name: FunctionName) -> bool {
        self.modules.contains(&name.module) && !is_of_compiler(name)
    }

    fn is_typed(&self, name: FunctionName) -> bool {
        self.contract(name).is_some_and(|contract| Exported::is_exact(&contract))
    }

    fn types(&self, name: FunctionName, clause: usize) -> Entry {
        let anything = || Entry { types: Arc::default(), parameters: vec![Types::ANY; name.arity as usize] };
        match self.contract(name).filter(|contract| Exported::is_exact(contract)) {
            Some(contract) => match contract.clauses.get(clause) {
                Some(clause) => Entry { types: Arc::clone(&contract.types), parameters: clause.accepts.clone() },
                None => anything(),
            },
            None => anything(),
        }
    }
}
