//! What the attributes of a module tell Beagle, `-beagle({opaque, [hash/1]}).` and `-beagle({expect, ...}).`: the only
//! place that reads them. In Elixir the attribute has to be persisted:
//! `Module.register_attribute(__MODULE__, :beagle, persist: true, accumulate: true)`.

use crate::expectation::{Exceptions, Expectation};
use crate::pattern::Pattern;
use erlang::syntax::print_atom;
use program::Module;
use term::{Atom, Term};

const ATTRIBUTE: &str = "beagle";
const KEYS: [&str; 2] = ["opaque", "expect"];

#[derive(Debug, Default)]
pub struct Attributes {
    /// Functions that are not to be looked into, by name and arity.
    pub opaque: Vec<(Atom, u32)>,
    /// Exceptions that are meant.
    pub expected: Vec<Expectation>,
}

impl Attributes {
    /// `Err` says what is wrong with one, and in which module.
    pub fn of(module: &Module) -> Result<Attributes, String> {
        let mut found = Attributes::default();
        for (_, value) in module.attributes.iter().filter(|(name, _)| name.text() == ATTRIBUTE) {
            // What several attributes of one name say stands in a list.
            for item in value.as_list().unwrap_or(std::slice::from_ref(value)) {
                found.read(module, item)?;
            }
        }
        Ok(found)
    }

    fn read(&mut self, module: &Module, item: &Term) -> Result<(), String> {
        let place = || format!("-beagle({}) in {}", erlang::print(item), print_atom(module.name));
        match item.as_tuple() {
            Some([Term::Atom(key), functions]) if key.text() == "opaque" => {
                for function in functions.as_list().unwrap_or(std::slice::from_ref(functions)) {
                    self.opaque.push(own_function(module, function).map_err(|why| {
                        let (module, function) = (print_atom(module.name), erlang::print(function));
                        format!("-beagle({{opaque, ...}}) in {module}: {function} {why}; write [name/arity]")
                    })?);
                }
                Ok(())
            }
            Some([Term::Atom(key), told]) if key.text() == "expect" => {
                self.expect(module, told).map_err(|why| format!("{}: {why}", place()))
            }
            // `{expect, parse/1, [badarg]}` says the same as `{expect, {parse/1, [badarg]}}`.
            Some([Term::Atom(key), function, told]) if key.text() == "expect" => {
                self.expect_of(module, function, told).map_err(|why| format!("{}: {why}", place()))
            }
            Some([Term::Atom(key), ..]) | Some([Term::Atom(key)]) if !KEYS.contains(&key.text()) => Err(format!(
                "{}: there is no {}; an attribute says {}",
                place(),
                print_atom(*key),
                KEYS.map(|key| format!("{{{key}, ...}}")).join(" or ")
            )),
            _ => {
                let keys = KEYS.map(|key| format!("{{{key}, ...}}")).join(" or ");
                Err(format!("{}: that says nothing; write {keys}", place()))
            }
        }
    }

    /// Of single functions, or of the whole module.
    fn expect(&mut self, module: &Module, told: &Term) -> Result<(), String> {
        for item in told.as_list().unwrap_or(std::slice::from_ref(told)) {
            match item.as_tuple() {
                Some([function, exceptions]) if is_function_name(function) => {
                    self.expect_of(module, function, exceptions)?;
                }
                _ => self.expected.push(Expectation {
                    place: Some(Pattern::exactly(module.name, None)),
                    exceptions: Exceptions::of_term(item)?,
                }),
            }
        }
        Ok(())
    }

    fn expect_of(&mut self, module: &Module, function: &Term, exceptions: &Term) -> Result<(), String> {
        let name = own_function(module, function).map_err(|why| format!("{} {why}", erlang::print(function)))?;
        for exception in exceptions.as_list().unwrap_or(std::slice::from_ref(exceptions)) {
            let place = Some(Pattern::exactly(module.name, Some(name)));
            self.expected.push(Expectation { place, exceptions: Exceptions::of_term(exception)? });
        }
        Ok(())
    }
}

/// `name/arity`, as the compiler keeps it.
fn is_function_name(term: &Term) -> bool {
    matches!(term.as_tuple(), Some([Term::Atom(_), Term::Int(0..=255)]))
}

fn own_function(module: &Module, function: &Term) -> Result<(Atom, u32), &'static str> {
    match function.as_tuple() {
        Some(&[Term::Atom(name), Term::Int(arity @ 0..=255)]) if has(module, name, arity as u32) => {
            Ok((name, arity as u32))
        }
        Some([Term::Atom(_), Term::Int(_)]) => Err("is no function of this module"),
        _ => Err("names no function"),
    }
}

pub(crate) fn has(module: &Module, function: Atom, arity: u32) -> bool {
    module.functions.iter().any(|own| own.name == function && own.arity == arity && own.captures == 0)
}
