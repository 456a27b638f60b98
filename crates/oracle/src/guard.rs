//! The barrier inside the sandbox: an evaluation ends when it calls a function that acts on the outside world.
//!
//! The machine does not make such calls for invented inputs, so a call that makes one on the BEAM took another path
//! there. The sandbox makes sure that nothing happens; the guard reports the call.

use crate::answer::tagged;
use term::Term;

/// The calls that evaluations may not make.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    pub forbidden: Vec<Forbidden>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// Every function of the module except these.
    Module { name: String, except: Vec<String> },
    /// One function; with any arity if none is given.
    Function { module: String, name: String, arity: Option<u32> },
}

impl Guard {
    pub(crate) fn term(&self) -> Term {
        let forbidden = self.forbidden.iter().map(|forbidden| match forbidden {
            Forbidden::Module { name, except } => {
                let except: Vec<Term> = except.iter().map(|name| Term::atom(name)).collect();
                tagged("all_of", [Term::atom(name), Term::list(except)])
            }
            Forbidden::Function { module, name, arity } => {
                let arity = arity.map_or(Term::atom("_"), |arity| Term::Int(i64::from(arity)));
                tagged("one", [Term::atom(module), Term::atom(name), arity])
            }
        });
        Term::list(forbidden.collect::<Vec<_>>())
    }
}
