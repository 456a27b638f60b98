//! Names of functions and modules as people write them, in Erlang or in Elixir.

use crate::pattern::full_name;
use erlang::syntax::elixir::{Elixir, NoStructs, is_elixir, parse_function_name};
use erlang::syntax::{Erlang, Notation, parse_term};
use report::Name;
use term::{Atom, Fun, Term};

/// Prints a function in the language that its module's name belongs to.
pub fn print_name(name: Name) -> String {
    notation(name.module).function_name(name.module, name.function, name.arity)
}

pub fn print_module(module: Atom) -> String {
    notation(module).term(&Term::Atom(module))
}

fn notation(module: Atom) -> Box<dyn Notation> {
    if is_elixir(module) { Box::new(Elixir { structs: Box::new(NoStructs) }) } else { Box::new(Erlang) }
}

/// Reads a function as it stands after Erlang's `fun` or Elixir's `&`; names that would need quotes may stand without
/// them.
pub fn function_name(text: &str) -> Option<Name> {
    if let Ok(Term::Fun(fun)) = &parse_term(&format!("fun {text}"))
        && let Fun::External { module, function, arity } = **fun
    {
        return Some(Name { module, function, arity });
    }
    if let Some((module, function, arity)) = parse_function_name(text) {
        return Some(Name { module, function, arity });
    }
    let (rest, arity) = text.rsplit_once('/')?;
    let (module, function) = rest.rsplit_once(':')?;
    let is_name = |name: &str| !name.is_empty() && !name.contains(['\'', ' ', '/', ':', '(']);
    if !is_name(module) || !is_name(function) {
        return None;
    }
    let arity = arity.parse().ok().filter(|arity| *arity <= 255)?;
    Some(Name { module: Atom::new(&full_name(module)), function: Atom::new(function), arity })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        function_name(text).map(print_name)
    }

    #[test]
    fn functions_are_named_as_in_erlang() {
        assert_eq!(read("m:f/2").as_deref(), Some("m:f/2"));
        assert_eq!(read("'Odd':'any?'/1").as_deref(), Some("'Odd':'any?'/1"));
        assert_eq!(read("odd:any?/1").as_deref(), Some("odd:'any?'/1"));
        for wrong in ["m", "m:f", "m:f/", "m:f/x", "f/1", ":f/1", "m:/1", "m:f/256", "src/m.erl", "m:f(1)"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn functions_are_named_as_in_elixir_too() {
        for text in ["'Elixir.Enum':'any?'/1", "Elixir.Enum:any?/1", "Enum:any?/1", "Enum.any?/1", "Elixir.Enum.any?/1"]
        {
            assert_eq!(read(text).as_deref(), Some("Enum.any?/1"), "{text}");
        }
        assert_eq!(read(":lists.map/2").as_deref(), Some("lists:map/2"));
    }
}
