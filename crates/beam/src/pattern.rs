//! Patterns for names with `*`: `my_*`, `m:parse_*/1`, `*:main/1`; in Elixir `My.*`, `My.Parser.parse_*/1`. All other
//! characters are literal, since many names of Elixir end in `?`.

use erlang::syntax::elixir::{full_name, parse_function_name};
use erlang::syntax::{parse_term, print_atom};
use frontend::Pattern;
use std::fmt;
use term::{Atom, Fun, FunctionName, Term};

/// A pattern for modules, or for functions of modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    module: String,
    function: Option<FunctionPattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FunctionPattern {
    name: String,
    /// The arity. `None` matches any arity.
    arity: Option<u32>,
}

impl NamePattern {
    /// Parses `m`, `m:f`, `m:f/1` or `m:f/*`, each with stars, or the same in Elixir.
    pub fn parse(text: &str) -> Option<NamePattern> {
        let text = text.trim();
        if text.contains(char::is_control) {
            return None;
        }
        if let Some((module, function, arity)) = exact(text) {
            let function = FunctionPattern { name: function.text().to_string(), arity: Some(arity) };
            return Some(NamePattern { module: module.text().to_string(), function: Some(function) });
        }
        if let Ok(Term::Atom(module)) = parse_term(text) {
            return Some(NamePattern { module: module.text().to_string(), function: None });
        }
        let Some((module, function)) = elixir_parts(text).or_else(|| text.rsplit_once(':')) else {
            return name(text).map(|module| NamePattern { module: full_name(module), function: None });
        };
        let (function, arity) = match function.rsplit_once('/') {
            None => (function, None),
            Some((function, "*")) => (function, None),
            Some((function, arity)) => (function, Some(arity.parse().ok().filter(|arity| *arity <= 255)?)),
        };
        let function = FunctionPattern { name: name(function)?.to_string(), arity };
        let module = match module.strip_prefix(':') {
            Some(module) => name(module)?.to_string(),
            None => full_name(name(module)?),
        };
        Some(NamePattern { module, function: Some(function) })
    }

    /// Returns the pattern for exactly one function of a module, or for all of them.
    pub fn exactly(module: Atom, function: Option<(Atom, u32)>) -> NamePattern {
        let function =
            function.map(|(name, arity)| FunctionPattern { name: name.text().to_string(), arity: Some(arity) });
        NamePattern { module: module.text().to_string(), function }
    }

    /// Returns whether the pattern is for modules of Elixir.
    pub fn is_elixir(&self) -> bool {
        self.module.starts_with("Elixir.")
    }
}

impl Pattern for NamePattern {
    fn names_functions(&self) -> bool {
        self.function.is_some()
    }

    fn single_module(&self) -> Option<Atom> {
        (!self.module.contains('*')).then(|| Atom::new(&self.module))
    }

    fn covers_module(&self, module: Atom) -> bool {
        matches(&self.module, module.text())
    }

    fn covers(&self, name: FunctionName) -> bool {
        self.covers_module(name.module)
            && self.function.as_ref().is_none_or(|pattern| {
                pattern.arity.is_none_or(|wanted| wanted == name.arity) && matches(&pattern.name, name.function.text())
            })
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elixir = self.module.strip_prefix("Elixir.");
        let quoted = |name: &str| match elixir {
            None if !name.contains('*') => print_atom(Atom::new(name)),
            _ => name.to_string(),
        };
        write!(f, "{}", elixir.map_or_else(|| quoted(&self.module), str::to_string))?;
        if let Some(FunctionPattern { name, arity }) = &self.function {
            write!(f, "{}{}", if elixir.is_some() { '.' } else { ':' }, quoted(name))?;
            arity.map_or(Ok(()), |arity| write!(f, "/{arity}"))?;
        }
        Ok(())
    }
}

/// Returns module and function of `My.Parser.parse_*/1`, `My.*.parse`, `:lists.*/2`. In Elixir, names of functions
/// begin with small letters, so `My.*` is a pattern for modules.
fn elixir_parts(text: &str) -> Option<(&str, &str)> {
    let (names, arity) = text.split_once('/').map_or((text, None), |(names, arity)| (names, Some(arity)));
    let at = names.rfind('.')?;
    let (module, function) = (text.get(..at)?, text.get(at + 1..)?);
    let is_module = module.starts_with(|c: char| c.is_uppercase() || c == ':' || c == '*')
        && !module.chars().skip(1).any(|c| c == ':');
    let is_function = arity.is_some() || function.starts_with(|c: char| c.is_lowercase() || c == '_');
    (is_module && is_function && !function.contains(':')).then_some((module, function))
}

/// Parses a function as written after `fun` or after `&`.
fn exact(text: &str) -> Option<(Atom, Atom, u32)> {
    match &parse_term(&format!("fun {text}")) {
        Ok(Term::Fun(fun)) => match **fun {
            Fun::External { module, function, arity } => Some((module, function, arity)),
            _ => None,
        },
        _ if text.contains('*') => None,
        _ => parse_function_name(text),
    }
}

/// Returns the text if it could be a name without quotes.
fn name(text: &str) -> Option<&str> {
    const LONGEST: usize = 1000;
    let is_name = !text.is_empty()
        && text.len() <= LONGEST
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "'\"/:(){}[],".contains(c));
    is_name.then_some(text)
}

/// Returns whether a text matches a pattern with stars. The time is at most proportional to the product of both
/// lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut next) = (0, 0);
    // The position after the latest star, and the end of the text that the star matches so far.
    let mut star: Option<(usize, usize)> = None;
    while next < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                at += 1;
                star = Some((at, next));
            }
            Some(wanted) if text.get(next) == Some(wanted) => {
                at += 1;
                next += 1;
            }
            _ => match star {
                Some((behind, taken)) => {
                    star = Some((behind, taken + 1));
                    (at, next) = (behind, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|rest| *rest == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(pattern: &str, module: &str, function: &str, arity: u32) -> bool {
        NamePattern::parse(pattern).expect(pattern).covers(FunctionName {
            module: Atom::new(module),
            function: Atom::new(function),
            arity,
        })
    }

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, module, function, arity) in [
            ("my_*", "my_parser", "f", 1),
            ("*", "m", "f", 1),
            ("m:parse_*/1", "m", "parse_", 1),
            ("m:*_*_*", "m", "a_b_c", 3),
            ("*:main/*", "m", "main", 7),
            ("Enum:any?/2", "Elixir.Enum", "any?", 2),
            ("'Elixir.Enum':'any?'/2", "Elixir.Enum", "any?", 2),
            ("My.*:f", "Elixir.My.Own.Parser", "f", 0),
            ("Enum.any?/2", "Elixir.Enum", "any?", 2),
            ("My.*.parse_*/1", "Elixir.My.Own.Parser", "parse_x", 1),
            ("My.Own.*/1", "Elixir.My.Own", "f", 1),
            ("My.Own.parse_*", "Elixir.My.Own", "parse_x", 3),
            ("My.*", "Elixir.My.Own", "f", 1),
            ("*.run/1", "Elixir.My.Own", "run", 1),
            (":lists.ma*/2", "lists", "map", 2),
            (":lists.map/2", "lists", "map", 2),
        ] {
            assert!(covers(pattern, module, function, arity), "{pattern}");
        }
        for (pattern, module, function, arity) in [
            ("my_*", "your_my_", "f", 1),
            ("m:parse_*/1", "m", "parse_x", 2),
            ("m:parse_*/1", "mm", "parse_x", 1),
            ("m:a*b", "m", "abc", 1),
            ("m:any?", "m", "anyx", 1),
            ("My.Own.*/1", "Elixir.My.Own.Parser", "f", 1),
            ("My.Own.parse_*", "Elixir.My.Own.Parser", "f", 1),
        ] {
            assert!(!covers(pattern, module, function, arity), "{pattern}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for wrong in ["", ":", "m:", ":f/1", "m:f/x", "m:f/300", "a b", "m:f(1)", "src/m.erl", "m\0"] {
            let pattern = NamePattern::parse(wrong);
            assert!(pattern.is_none(), "{wrong}: {pattern:?}");
        }
    }

    #[test]
    fn patterns_are_shown_in_the_language_of_their_modules() {
        for text in ["my_*", "m:f/1", "m:parse_*", "My.*", "My.Own.parse_*/1", "My.Own.any?"] {
            assert_eq!(NamePattern::parse(text).map(|pattern| pattern.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(300);
        assert!(!matches(&pattern, &"a".repeat(299)));
        assert!(!matches(&format!("{pattern}b"), &"a".repeat(5000)));
    }
}
