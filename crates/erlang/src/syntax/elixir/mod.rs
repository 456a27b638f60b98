//! Elixir's surface syntax, for text that its programmers read and paste: terms, functions that were made as inputs,
//! names.
//!
//! Names of functions and plain terms can also be read; expressions that are evaluated on the command line are
//! Erlang's.

mod names;
mod notation;
mod print;
mod read;

pub use names::is_alias;
pub use notation::Elixir;
pub use read::parse_term;

use names::PREFIX;
use term::{Atom, Term};

/// The structs that are known.
pub trait Structs: Send + Sync {
    /// Returns the fields of the struct that a module defines, without `__struct__`.
    fn fields(&self, module: Atom) -> Option<Vec<Atom>>;
    /// Returns the fields that may be left out when a struct is created, with their defaults.
    fn defaults(&self, _module: Atom) -> Option<Vec<(Atom, Term)>> {
        None
    }
}

/// No known structs: all print as plain maps.
pub struct NoStructs;

impl Structs for NoStructs {
    fn fields(&self, _module: Atom) -> Option<Vec<Atom>> {
        None
    }
}

/// Returns whether the name is that of a module written in Elixir.
pub fn is_elixir(module: Atom) -> bool {
    module.text().starts_with(PREFIX)
}

/// Returns the full name of a module: `My.Parser` is short for `'Elixir.My.Parser'`.
pub fn full_name(module: &str) -> String {
    match module.chars().next() {
        Some(first) if first.is_uppercase() && !module.starts_with(PREFIX) => format!("{PREFIX}{module}"),
        _ => module.to_string(),
    }
}

/// The key of a struct whose value is its name.
pub const STRUCT: &str = "__struct__";

/// Returns the name of a struct. Exceptions are structs, too.
pub fn struct_name(term: &Term) -> Option<Atom> {
    let Term::Map(pairs) = term else { return None };
    pairs.iter().find(|(key, _)| key == &Term::atom(STRUCT))?.1.as_atom()
}

/// Parses a name such as `MyApp.Parser.parse/2`, `:lists.map/2` or `MyApp."odd name"/1` into module, function and
/// arity.
pub fn parse_function_name(text: &str) -> Option<(Atom, Atom, u32)> {
    let (rest, arity) = text.rsplit_once('/')?;
    let arity: u32 = arity.parse().ok().filter(|arity| *arity <= 255)?;
    let (module, function) = match rest.strip_suffix('"') {
        Some(quoted) => quoted.split_once(".\"")?,
        None => rest.rsplit_once('.')?,
    };
    if function.is_empty() || function.contains([' ', '(', ')', ':', '/', '\\', '"']) && !rest.ends_with('"') {
        return None;
    }
    let module = match module.strip_prefix(':') {
        Some(erlang) => erlang.trim_matches('"').to_string(),
        None if module.starts_with(PREFIX) => module.to_string(),
        None => format!("{PREFIX}{module}"),
    };
    let is_module = is_alias(&module) || (rest.starts_with(':') && !module.is_empty() && !module.contains([' ', '/']));
    is_module.then(|| (Atom::new(&module), Atom::new(function), arity))
}

/// Replaces the stand-ins for closures, in a text that Elixir made of terms, by the text that closures print as.
pub fn without_stand_ins(text: &str) -> String {
    const START: &str = "&:\"#Fun<";
    const END: &str = ">\".\"\"/";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, name)) = rest.split_once(START) {
        out.push_str(before);
        rest = match name.split_once(END) {
            Some((name, arity)) => {
                out.push_str(&format!("#Function<{name}>"));
                arity.trim_start_matches(|digit: char| digit.is_ascii_digit())
            }
            None => {
                out.push_str(START);
                name
            }
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_as_in_elixir() {
        let read = |text: &str| {
            parse_function_name(text).map(|(module, function, arity)| format!("{module} {function} {arity}"))
        };
        assert_eq!(read("MyApp.Parser.parse/2").as_deref(), Some("Elixir.MyApp.Parser parse 2"));
        assert_eq!(read("Enum.any?/1").as_deref(), Some("Elixir.Enum any? 1"));
        assert_eq!(read(":lists.map/2").as_deref(), Some("lists map 2"));
        assert_eq!(read("Elixir.Enum.map/2").as_deref(), Some("Elixir.Enum map 2"));
        assert_eq!(read("My.\"odd name\"/1").as_deref(), Some("Elixir.My odd name 1"));
        for wrong in
            ["lib/m.ex", "m.f/1", "src/m.erl", "Enum", "Enum.map", "Enum.map/x", "Enum./1", ":.f/1", "A.f(1)/1"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn closures_have_no_stand_ins() {
        let text = "f(&:\"#Fun<m.1.2>\".\"\"/3, 1)";
        assert_eq!(without_stand_ins(text), "f(#Function<m.1.2>, 1)");
    }
}
