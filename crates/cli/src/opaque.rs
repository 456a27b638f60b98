//! Functions that the user does not want to be looked into: named on the command line, or by an attribute of their
//! module, `-beagle({opaque, [hash/1]}).`

use crate::session::{Session, SessionError};
use erlang::syntax::print_atom;
use formula::FunctionName;
use loader::Loader;
use machine::Limits;
use program::Module;
use std::sync::Arc;
use term::{Atom, Term};

/// The attribute's name, and what it says.
const ATTRIBUTE: &str = "beagle";
const OPAQUE: &str = "opaque";

/// Those that the command line names; modules name their own.
#[derive(Clone, Default)]
pub struct Opaque(Arc<[FunctionName]>);

impl Opaque {
    pub fn new(named: Vec<FunctionName>) -> Opaque {
        Opaque(named.into())
    }

    /// The functions of a module, by name and arity.
    pub fn of(&self, module: &Module) -> Vec<(Atom, u32)> {
        let named = self.0.iter().filter(|name| name.module == module.name).map(|name| (name.function, name.arity));
        named.chain(declared(module).unwrap_or_default()).collect()
    }

    /// A session that does not look into them.
    pub fn session(&self, loader: &Arc<Loader>, limits: Limits) -> Result<Session, SessionError> {
        Session::over(Arc::clone(loader), limits, self.clone())
    }

    /// What is wrong with the names, in words for the user.
    pub fn check(&self, loader: &Loader) -> Result<(), String> {
        for name in self.0.iter() {
            let printed = format!("{}:{}/{}", print_atom(name.module), print_atom(name.function), name.arity);
            if let Some(row) = erlang::bifs::find(name.module, name.function, name.arity) {
                let why = match row.meaning {
                    machine::Meaning::Sampled { .. } => "is known by samples anyway",
                    _ => "is native, and what it means is known",
                };
                return Err(format!("--opaque {printed} {why}: leave it out, or name the function that calls it"));
            }
            match loader.load(name.module).map_err(|error| error.to_string())? {
                Some(module) if has(&module, name.function, name.arity) => {}
                Some(_) => return Err(format!("--opaque {printed}: there is no such function in its module")),
                None => return Err(format!("--opaque {printed}: its module cannot be found; name its file too")),
            }
        }
        Ok(())
    }
}

/// What the attributes of a module name; `Err` says what is wrong with one.
pub fn declared(module: &Module) -> Result<Vec<(Atom, u32)>, String> {
    let mut found = Vec::new();
    for (_, value) in module.attributes.iter().filter(|(name, _)| name.text() == ATTRIBUTE) {
        // What several attributes of one name say stands in a list.
        let told = value.as_list().unwrap_or(std::slice::from_ref(value));
        for item in told {
            let Some([Term::Atom(what), functions]) = item.as_tuple() else { continue };
            if what.text() != OPAQUE {
                continue;
            }
            for function in functions.as_list().unwrap_or(std::slice::from_ref(functions)) {
                let wrong = |why: &str| {
                    let (module, item) = (print_atom(module.name), erlang::print(function));
                    format!("-beagle({{opaque, ...}}) in {module}: {item} {why}; write [name/arity]")
                };
                match function.as_tuple() {
                    Some(&[Term::Atom(name), Term::Int(arity @ 0..=255)]) if has(module, name, arity as u32) => {
                        found.push((name, arity as u32));
                    }
                    Some([Term::Atom(_), Term::Int(_)]) => return Err(wrong("is no function of this module")),
                    _ => return Err(wrong("names no function")),
                }
            }
        }
    }
    Ok(found)
}

fn has(module: &Module, function: Atom, arity: u32) -> bool {
    module.functions.iter().any(|own| own.name == function && own.arity == arity && own.captures == 0)
}
