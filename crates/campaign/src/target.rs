//! Targets of a campaign: functions to test, and the inputs with which their searches begin.

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
    /// Its number among all functions that were chosen, including those that this command does not test.
    pub number: usize,
    pub name: FunctionName,
    pub module: Arc<Module>,
    /// Calls that are made before each run, and before each evaluation on the real runtime.
    pub setups: Vec<Setup>,
    /// Those setups that Beagle added because the function needs them.
    pub started: Vec<Setup>,
    /// The plan of what clients do, if the unit is the clients of the module.
    pub client: Option<Arc<ClientPlan>>,
}

impl Target {
    /// Returns an encoding that distinguishes the unit from others of the same name: what its clients do, and what is
    /// called before each run. What Beagle starts by itself follows from the code.
    pub(crate) fn identity(&self) -> Option<Vec<u8>> {
        let asked_for = self.setups.len().saturating_sub(self.started.len());
        let setups = self.setups.get(..asked_for)?;
        postcard::to_stdvec(&(self.name, self.client.as_deref(), setups)).ok()
    }

    /// Returns the contract of the unit, and the modules that its types come from.
    pub fn contract(&self, code: &Arc<dyn Code>) -> (Contract, Vec<Atom>) {
        match &self.client {
            Some(plan) => client_contract(code, plan),
            None => contract_and_modules(code, &self.module, self.name.function, self.name.arity),
        }
    }

    /// Returns the contract with structures that functions of their modules make, if the unit takes any.
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
