//! What is tested, and with which inputs a search of it begins.

use contract::Contract;
use frontend::{Code, FrontEnd};
use path::{ClientPlan, Setup};
use program::Module;
use session::{client_contract, contract_and_modules, made_structures_contract};
use std::collections::BTreeMap;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// A function to test.
#[derive(Clone)]
pub struct Target {
    /// Its number among all functions that are meant, whether this command tests them or not.
    pub number: usize,
    pub name: FunctionName,
    pub module: Arc<Module>,
    /// Calls that are made before each run, and before each evaluation on the real runtime.
    pub setups: Vec<Setup>,
    /// Those of them that Beagle added, as the function needs them.
    pub started: Vec<Setup>,
    /// What clients do, if the unit stands for the clients of the module.
    pub client: Option<Arc<ClientPlan>>,
}

impl Target {
    /// Returns what distinguishes the unit from others of the same name: what its clients do, and what is called before each
    /// run. What Beagle starts by itself follows from the code.
    pub(crate) fn identity(&self) -> Option<Vec<u8>> {
        let asked_for = self.setups.len().saturating_sub(self.started.len());
        let setups = self.setups.get(..asked_for)?;
        postcard::to_stdvec(&(self.name, self.client.as_deref(), setups)).ok()
    }

    /// What the unit takes and returns, and the modules whose types that speaks of.
    pub fn contract(&self, code: &Arc<dyn Code>) -> (Contract, Vec<Atom>) {
        match &self.client {
            Some(plan) => client_contract(code, plan),
            None => contract_and_modules(code, &self.module, self.name.function, self.name.arity),
        }
    }

    /// The same, with structures that functions of their modules make, if the unit takes any.
    pub fn made_structures(&self, code: &Arc<dyn Code>) -> Option<(Contract, Vec<Atom>)> {
        match self.client {
            Some(_) => None,
            None => made_structures_contract(code, &self.module, self.name.function, self.name.arity),
        }
    }
}

/// Arguments that the user gives, as each language reads them: `"abc"` is a list in Erlang and a binary in Elixir.
#[derive(Debug, Default)]
pub struct Seeds(BTreeMap<&'static str, Vec<Vec<Term>>>);

impl Seeds {
    pub fn of(&self, language: &dyn FrontEnd) -> &[Vec<Term>] {
        self.0.get(language.name()).map_or(&[], Vec::as_slice)
    }

    pub fn add(&mut self, language: &dyn FrontEnd, args: Vec<Term>) {
        self.0.entry(language.name()).or_default().push(args);
    }
}
