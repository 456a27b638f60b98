//! Reads the attributes of a module that are for Beagle, such as `-beagle({opaque, [hash/1]}).`, `-beagle({expect,
//! ...}).`, `-beagle({setup, start/0}).` and `-beagle({invariant, is_sorted/1}).`. No other code reads them. In Elixir,
//! the attribute must be persisted: `Module.register_attribute(__MODULE__, :beagle, persist: true, accumulate: true)`.

use crate::expectation::{Exceptions, Expected};
use crate::pattern::NamePattern;
use erlang::syntax::print_atom;
use frontend::Attributes;
use program::Module;
use std::sync::Arc;
use term::{Atom, Term};

const ATTRIBUTE: &str = "beagle";
const KEYS: [&str; 4] = ["opaque", "expect", "setup", "invariant"];

/// Returns the attributes of a module. `Err` says what is wrong with an attribute, and in which module.
pub fn of(module: &Module) -> Result<Attributes, String> {
    let mut found = Found { module, attributes: Attributes::default() };
    for (_, value) in module.attributes.iter().filter(|(name, _)| name.text() == ATTRIBUTE) {
        // The values of several attributes of one name are in a list.
        for item in value.as_list().unwrap_or(std::slice::from_ref(value)) {
            found.read(item)?;
        }
    }
    Ok(found.attributes)
}

/// The attributes that were read so far.
struct Found<'m> {
    module: &'m Module,
    attributes: Attributes,
}

impl Found<'_> {
    fn read(&mut self, item: &Term) -> Result<(), String> {
        let module = self.module;
        let place = || format!("-beagle({}) in {}", erlang::print(item), print_atom(module.name));
        match item.as_tuple() {
            Some([Term::Atom(key), functions]) if key.text() == "opaque" => {
                for function in functions.as_list().unwrap_or(std::slice::from_ref(functions)) {
                    self.attributes.opaque.push(own_function(module, function).map_err(|why| {
                        let (module, function) = (print_atom(module.name), erlang::print(function));
                        format!("-beagle({{opaque, ...}}) in {module}: {function} {why}; write [name/arity]")
                    })?);
                }
                Ok(())
            }
            Some([Term::Atom(key), exceptions]) if key.text() == "expect" => {
                self.expect(exceptions).map_err(|why| format!("{}: {why}", place()))
            }
            Some([Term::Atom(key), function]) if key.text() == "setup" => {
                let (name, arity) = own_function(module, function).map_err(|why| format!("{}: it {why}", place()))?;
                if arity != 0 {
                    return Err(format!("{}: a setup has no parameters; write {{setup, name/0}}", place()));
                }
                self.attributes.setups.push(name);
                Ok(())
            }
            Some([Term::Atom(key), function]) if key.text() == "invariant" => {
                let (name, arity) = own_function(module, function).map_err(|why| format!("{}: it {why}", place()))?;
                if arity != 1 {
                    let why = "an invariant has one parameter, the state or the value; write {invariant, name/1}";
                    return Err(format!("{}: {why}", place()));
                }
                if !module.functions.iter().any(|own| own.exported && (own.name, own.arity) == (name, 1)) {
                    return Err(format!("{}: an invariant must be exported", place()));
                }
                self.attributes.invariants.push(name);
                Ok(())
            }
            // `{expect, parse/1, [badarg]}` means the same as `{expect, {parse/1, [badarg]}}`.
            Some([Term::Atom(key), function, exceptions]) if key.text() == "expect" => {
                self.expect_of(function, exceptions).map_err(|why| format!("{}: {why}", place()))
            }
            Some([Term::Atom(key), ..]) | Some([Term::Atom(key)]) if !KEYS.contains(&key.text()) => Err(format!(
                "{}: unknown setting {}; write {}",
                place(),
                print_atom(*key),
                KEYS.map(|key| format!("{{{key}, ...}}")).join(" or ")
            )),
            _ => {
                let keys = KEYS.map(|key| format!("{{{key}, ...}}")).join(" or ");
                Err(format!("{}: this is not a setting; write {keys}", place()))
            }
        }
    }

    /// Reads expected exceptions of single functions, or of the whole module.
    fn expect(&mut self, exceptions: &Term) -> Result<(), String> {
        for item in exceptions.as_list().unwrap_or(std::slice::from_ref(exceptions)) {
            match item.as_tuple() {
                Some([function, exceptions]) if is_function_name(function) => {
                    self.expect_of(function, exceptions)?;
                }
                _ => {
                    let place = Some(NamePattern::exactly(self.module.name, None));
                    let expected = Expected { place, exceptions: Exceptions::of_term(item)? };
                    self.attributes.expected.push(Arc::new(expected));
                }
            }
        }
        Ok(())
    }

    fn expect_of(&mut self, function: &Term, exceptions: &Term) -> Result<(), String> {
        let module = self.module;
        let name = own_function(module, function).map_err(|why| format!("{} {why}", erlang::print(function)))?;
        for exception in exceptions.as_list().unwrap_or(std::slice::from_ref(exceptions)) {
            let place = Some(NamePattern::exactly(module.name, Some(name)));
            let expected = Expected { place, exceptions: Exceptions::of_term(exception)? };
            self.attributes.expected.push(Arc::new(expected));
        }
        Ok(())
    }
}

/// Returns whether a term is a `name/arity` in the compiler's representation.
fn is_function_name(term: &Term) -> bool {
    matches!(term.as_tuple(), Some([Term::Atom(_), Term::Int(0..=255)]))
}

fn own_function(module: &Module, function: &Term) -> Result<(Atom, u32), &'static str> {
    match function.as_tuple() {
        Some(&[Term::Atom(name), Term::Int(arity @ 0..=255)]) if has(module, name, arity as u32) => {
            Ok((name, arity as u32))
        }
        Some([Term::Atom(_), Term::Int(_)]) => Err("is not a function of this module"),
        _ => Err("does not name a function"),
    }
}

fn has(module: &Module, function: Atom, arity: u32) -> bool {
    module.functions.iter().any(|own| own.name == function && own.arity == arity && own.captures == 0)
}
