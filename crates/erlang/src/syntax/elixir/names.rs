//! Names in Elixir: atoms, modules, functions and keys, quoted where necessary.

use std::fmt::Write;

/// Writes an atom as an expression: `:ok`, `nil`, `MyApp.Parser`, `:"odd one"`.
pub fn write_atom(text: &str, out: &mut String) {
    if matches!(text, "nil" | "true" | "false") || is_alias(text) {
        out.push_str(text.strip_prefix(PREFIX).unwrap_or(text));
    } else {
        out.push(':');
        write_name(text, out);
    }
}

/// Returns `Module.function`. Names that need escapes have no such form: some versions read `\\` after a dot literally.
pub fn remote(module: &str, function: &str) -> Option<String> {
    let mut out = String::new();
    write_atom(module, &mut out);
    out.push('.');
    let behind = out.len();
    write_name(function, &mut out);
    (!out[behind..].contains('\\')).then_some(out)
}

/// Returns an atom as an expression.
pub fn atom(text: &str) -> String {
    let mut out = String::new();
    write_atom(text, &mut out);
    out
}

/// Writes the name after the dot of a call or after the colon of an atom.
fn write_name(text: &str, out: &mut String) {
    if is_identifier(text) || OPERATORS.contains(&text) {
        out.push_str(text);
    } else {
        write_quoted(text.chars(), out);
    }
}

/// Writes `key:` or `"odd key":`.
pub fn write_key(text: &str, out: &mut String) {
    if is_identifier(text) {
        out.push_str(text);
    } else {
        write_quoted(text.chars(), out);
    }
    out.push(':');
}

/// The prefix of atoms that are names of modules.
pub const PREFIX: &str = "Elixir.";

/// Operators that need no quotes as atoms and as names in calls.
const OPERATORS: [&str; 15] = ["+", "-", "*", "/", "++", "--", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "<>"];

/// Returns whether the text is the name of a module that can be written without quotes.
pub fn is_alias(text: &str) -> bool {
    let is_segment = |segment: &str| {
        segment.starts_with(|c: char| c.is_ascii_uppercase())
            && segment.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    // `Elixir.Foo` is short for `:"Elixir.Foo"`, so a name that has the prefix twice needs quotes.
    text.strip_prefix(PREFIX).is_some_and(|name| {
        name.split('.').next().is_some_and(|first| first != "Elixir") && name.split('.').all(is_segment)
    })
}

/// Returns whether a name needs no quotes. Names with characters outside of ASCII are quoted, which every version can
/// read.
fn is_identifier(text: &str) -> bool {
    let body = text.strip_suffix(['?', '!']).unwrap_or(text);
    body.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && body.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub fn write_quoted(characters: impl Iterator<Item = char>, out: &mut String) {
    out.push('"');
    let mut characters = characters.peekable();
    while let Some(c) = characters.next() {
        match escape(c) {
            Some(escape) => out.push_str(escape),
            None if c == '#' && characters.peek() == Some(&'{') => out.push_str("\\#"),
            None if is_printable(c) && !is_refused(c) => out.push(c),
            // Writing to a string cannot fail.
            None => drop(write!(out, "\\u{{{:X}}}", c as u32)),
        }
    }
    out.push('"');
}

fn escape(c: char) -> Option<&'static str> {
    Some(match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{b}' => "\\v",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\u{1b}' => "\\e",
        '\u{7f}' => "\\d",
        '\u{7}' => "\\a",
        '\0' => "\\0",
        _ => return None,
    })
}

/// Returns whether a character is printable according to `String.printable?/1`.
pub fn is_printable(c: char) -> bool {
    matches!(c, '\u{7}'..='\r' | '\u{1b}' | ' '..='\u{7f}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Returns whether a printable character is refused in source or invisible: characters that change the direction of
/// text, line breaks, and others.
fn is_refused(c: char) -> bool {
    term::is_hidden(c)
}
