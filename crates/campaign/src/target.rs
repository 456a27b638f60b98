//! What is tested, and with which inputs a search of it begins.

use frontend::FrontEnd;
use path::Setup;
use program::Module;
use std::collections::HashMap;
use std::sync::Arc;
use term::{FunctionName, Term};

/// A function to test.
#[derive(Clone)]
pub struct Target {
    /// Its number among all functions that are meant, whether this command tests them or not.
    pub number: usize,
    pub name: FunctionName,
    pub module: Arc<Module>,
    /// Calls that are made before each run, and before each evaluation on the real runtime.
    pub setups: Vec<Setup>,
}

/// Arguments that the user gives, as each language reads them: `"abc"` is a list in Erlang and a binary in Elixir.
#[derive(Default)]
pub struct Seeds(HashMap<&'static str, Vec<Vec<Term>>>);

impl Seeds {
    pub fn of(&self, language: &dyn FrontEnd) -> &[Vec<Term>] {
        self.0.get(language.name()).map_or(&[], Vec::as_slice)
    }

    pub fn add(&mut self, language: &dyn FrontEnd, args: Vec<Term>) {
        self.0.entry(language.name()).or_default().push(args);
    }
}
