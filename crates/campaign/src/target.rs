//! What is tested, and with which inputs a search of it begins.

use program::Module;
use report::Name;
use session::Language;
use std::sync::Arc;
use term::Term;

/// A function to test.
#[derive(Clone)]
pub struct Target {
    /// Its number among all functions that are meant, whether this command tests them or not.
    pub number: usize,
    pub name: Name,
    pub module: Arc<Module>,
}

/// Arguments that the user gives, as each language reads them: `"abc"` is a list in Erlang and a binary in Elixir.
#[derive(Default)]
pub struct Seeds {
    pub erlang: Vec<Vec<Term>>,
    pub elixir: Vec<Vec<Term>>,
}

impl Seeds {
    pub fn of(&self, language: &Language) -> &[Vec<Term>] {
        match language {
            Language::Erlang => &self.erlang,
            Language::Elixir(_) => &self.elixir,
        }
    }
}
