//! Expected exceptions: a class, and a pattern for the reason in which `'_'` matches anything.
//!
//! `badarg` and `{error, badarg}` are the error, `{throw, '_'}` is any thrown value, `{'_', '_'}` everything. A map as
//! a pattern matches maps that have its keys; the name of an exception of Elixir matches that exception. Patterns may
//! be written in Elixir, too: `{:error, %ArgumentError{}}`.

use crate::pattern::NamePattern;
use erlang::syntax::{elixir, parse_term};
use frontend::{Expectation, Pattern};
use path::{Class, Raised};
use term::{Atom, FunctionName, Term, order};

/// Exceptions that are expected, and the functions that may raise them.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The functions. `None` means all functions.
    pub place: Option<NamePattern>,
    pub exceptions: Exceptions,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Exceptions {
    /// The class. `None` means any class.
    class: Option<Class>,
    reason: Term,
}

const ANYTHING: &str = "_";
const HOW: &str =
    "write a reason, {class, reason} or 'class reason', with _ for anything; the class is error, exit or throw";

impl Expected {
    /// Parses an expectation of a configuration or of the command line: `{throw, _}`, `throw _`, `m:parse_*/1 {error,
    /// badarg}`, `My.Parser.parse/1 %KeyError{key: :a}`.
    pub fn parse(text: &str) -> Result<Expected, String> {
        let text = text.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let is_place = !rest.trim().is_empty()
            && class_named(first).is_none()
            && !first.starts_with(['{', '[', '#', '%', '<', '"'])
            && !first.ends_with(',');
        if !is_place {
            return Ok(Expected { place: None, exceptions: Exceptions::parse(text, Languages::ErlangFirst)? });
        }
        let place = NamePattern::parse(first).ok_or_else(|| {
            format!("{first} names neither a function nor a module: write module:name/arity, with * for any text")
        })?;
        // Text that is valid in both languages, such as a string, is read in the language of the module.
        let languages = match place.single_module() {
            _ if place.is_elixir() => Languages::ElixirFirst,
            Some(_) => Languages::Erlang,
            None => Languages::ErlangFirst,
        };
        let exceptions = Exceptions::parse(rest.trim(), languages)?;
        Ok(Expected { place: Some(place), exceptions })
    }
}

impl Expectation for Expected {
    fn is_for(&self, name: FunctionName) -> bool {
        self.place.as_ref().is_none_or(|place| place.covers(name))
    }

    fn covers(&self, raised: &Raised) -> bool {
        self.exceptions.cover(raised)
    }
}

impl Exceptions {
    /// Reads a pattern in one of the languages. An error message is that of the first language.
    fn parse(text: &str, languages: Languages) -> Result<Exceptions, String> {
        let erlang = |text: &str| parse_term(&with_quoted_wildcards(text)).map_err(|error| error.to_string());
        let term = |text: &str| {
            let read = match languages {
                Languages::Erlang => erlang(text),
                Languages::ErlangFirst => erlang(text).or_else(|why| elixir::parse_term(text).map_err(|_| why)),
                Languages::ElixirFirst => elixir::parse_term(text).or_else(|why| erlang(text).map_err(|_| why)),
            };
            read.map_err(|why| format!("{text} is not a pattern ({why}): {HOW}"))
        };
        if let Some((first, rest)) = text.split_once(char::is_whitespace)
            && let Some(class) = class_named(first)
        {
            return Ok(Exceptions { class, reason: term(rest)? });
        }
        Exceptions::of_term(&term(text)?)
    }

    pub fn of_term(term: &Term) -> Result<Exceptions, String> {
        if let Some([Term::Atom(class), reason]) = term.as_tuple()
            && let Some(class) = class_named(class.text())
        {
            return Ok(Exceptions { class, reason: reason.clone() });
        }
        match term {
            Term::Atom(_) | Term::Tuple(_) | Term::Map(_) => {
                Ok(Exceptions { class: Some(Class::Error), reason: term.clone() })
            }
            _ => Err(format!("{} is not an exception: {HOW}", erlang::print(term))),
        }
    }

    pub fn cover(&self, raised: &Raised) -> bool {
        self.class.is_none_or(|class| class == raised.class)
            && (matches(&self.reason, &raised.reason) || is_struct(&raised.reason, &self.reason))
    }
}

/// Returns a class by its name, which may be written as an atom of Elixir.
fn class_named(text: &str) -> Option<Option<Class>> {
    match text {
        ANYTHING | "'_'" => Some(None),
        _ => Class::of(Atom::existing(text.strip_prefix(':').unwrap_or(text))?).map(Some),
    }
}

/// The languages that a pattern may be written in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Languages {
    Erlang,
    ErlangFirst,
    ElixirFirst,
}

/// Returns whether a term matches a pattern. Patterns come from files, so they may be as deep as the parser of terms
/// allows.
fn matches(pattern: &Term, term: &Term) -> bool {
    let mut open = vec![(pattern, term)];
    while let Some((pattern, term)) = open.pop() {
        match (pattern, term) {
            (Term::Atom(atom), _) if atom.text() == ANYTHING => {}
            (Term::Tuple(wanted), Term::Tuple(found)) if wanted.len() == found.len() => {
                open.extend(wanted.iter().zip(found.iter()));
            }
            (Term::List(wanted, wanted_tail), Term::List(found, found_tail)) => {
                match (wanted_tail, found_tail) {
                    (None, None) if wanted.len() == found.len() => {}
                    (Some(wanted_tail), Some(found_tail)) if wanted.len() == found.len() => {
                        open.push((wanted_tail, found_tail));
                    }
                    // A pattern such as `[a | '_']`.
                    (Some(rest), _) if is_anything(rest) && wanted.len() <= found.len() => {}
                    _ => return false,
                }
                open.extend(wanted.iter().zip(found.iter()));
            }
            (Term::Map(wanted), Term::Map(found)) => {
                for (key, value) in wanted.iter() {
                    match found.iter().find(|(known, _)| order::identical(known, key)) {
                        Some((_, found)) => open.push((value, found)),
                        None => return false,
                    }
                }
            }
            _ if order::identical(pattern, term) => {}
            _ => return false,
        }
    }
    true
}

fn is_anything(term: &Term) -> bool {
    matches!(term, Term::Atom(atom) if atom.text() == ANYTHING)
}

/// Returns whether a term is an exception of Elixir with that name.
fn is_struct(term: &Term, name: &Term) -> bool {
    name.as_atom().is_some_and(|name| elixir::is_elixir(name) && elixir::struct_name(term) == Some(name))
}

/// Quotes wildcards, because `_` is a variable in Erlang and `'_'` is not.
fn with_quoted_wildcards(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut quote = None;
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_alone = |c: char| !c.is_alphanumeric() && !"_@?$\\".contains(c);
        match quote {
            Some(open) => {
                if c == open && before != '\\' {
                    quote = None;
                }
                out.push(c);
            }
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                out.push(c);
            }
            None if c == '_' && is_alone(before) && rest.peek().is_none_or(|next| is_alone(*next)) => {
                out.push_str("'_'");
            }
            None => out.push(c),
        }
        before = if c == '\\' && before == '\\' { ' ' } else { c };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raised(class: Class, reason: &str) -> Raised {
        Raised::by_main(class, parse_term(reason).expect(reason), Vec::new())
    }

    fn covers(text: &str, class: Class, reason: &str) -> bool {
        Expected::parse(text).expect(text).exceptions.cover(&raised(class, reason))
    }

    #[test]
    fn reasons_are_patterns() {
        for (text, class, reason) in [
            ("badarg", Class::Error, "badarg"),
            ("{error, badarg}", Class::Error, "badarg"),
            ("error badarg", Class::Error, "badarg"),
            ("throw _", Class::Throw, "{a, [b]}"),
            ("{'_', '_'}", Class::Exit, "normal"),
            ("_ {bad, _, [1 | _]}", Class::Exit, "{bad, x, [1, 2]}"),
            ("m:f/1 {badkey, _}", Class::Error, "{badkey, '_x'}"),
            ("error #{code => 1}", Class::Error, "#{code => 1, more => 2}"),
            ("'Elixir.ArgumentError'", Class::Error, "#{'__struct__' => 'Elixir.ArgumentError', message => <<>>}"),
        ] {
            assert!(covers(text, class, reason), "{text}");
        }
        const KEY_ERROR: &str = "#{'__struct__' => 'Elixir.KeyError', key => a, term => #{}}";
        for (text, class, reason) in [
            ("{:error, %KeyError{}}", Class::Error, KEY_ERROR),
            ("KeyError", Class::Error, KEY_ERROR),
            ("%KeyError{key: :a, term: _}", Class::Error, KEY_ERROR),
            (":error %KeyError{key: :a}", Class::Error, KEY_ERROR),
            ("My.Own.f/1 KeyError", Class::Error, KEY_ERROR),
            (":throw {:stop, _}", Class::Throw, "{stop, 1}"),
            ("My.* {:exit, {\"text\", [a: 1]}}", Class::Exit, "{<<\"text\">>, [{a, 1}]}"),
            ("m {exit, \"text\"}", Class::Exit, "\"text\""),
            ("{:badmatch, nil}", Class::Error, "{badmatch, nil}"),
        ] {
            assert!(covers(text, class, reason), "{text}");
        }
        for (text, class, reason) in [
            ("%KeyError{key: :b}", Class::Error, KEY_ERROR),
            ("%ArgumentError{}", Class::Error, KEY_ERROR),
            ("My.* {:exit, \"text\"}", Class::Exit, "\"text\""),
            ("badarg", Class::Throw, "badarg"),
            ("badarg", Class::Error, "{badarg, 1}"),
            ("throw {a, _}", Class::Throw, "{a}"),
            ("_ [1 | _]", Class::Error, "[2]"),
            ("error '_x'", Class::Error, "y"),
        ] {
            assert!(!covers(text, class, reason), "{text}");
        }
    }

    #[test]
    fn places_are_functions_and_modules() {
        let of = |text: &str| {
            let expectation = Expected::parse(text).expect(text);
            expectation.is_for(FunctionName { module: Atom::new("m"), function: Atom::new("parse_x"), arity: 1 })
        };
        assert!(of("m badarg") && of("m:parse_* throw _") && of("badarg") && of("{throw, _}"));
        let of_elixir = |text: &str| {
            let expectation = Expected::parse(text).expect(text);
            let name = FunctionName { module: Atom::new("Elixir.Polls.Tally"), function: Atom::new("share"), arity: 2 };
            expectation.is_for(name)
        };
        assert!(of_elixir("Polls.Tally.share/2 ArgumentError") && of_elixir("Polls.* {:error, _}"));
        assert!(!of_elixir("Polls.Tally.share/1 ArgumentError") && !of_elixir("Polls :badarg"));
        assert!(!of("n badarg") && !of("m:parse_x/2 badarg"));
    }

    #[test]
    fn what_says_nothing_is_refused() {
        for wrong in ["", "1", "m:f/1", "m:f/x badarg", "throw {", "{x y}", "\"text\"", "m:f/1 error X"] {
            assert!(Expected::parse(wrong).is_err(), "{wrong}");
        }
    }
}
