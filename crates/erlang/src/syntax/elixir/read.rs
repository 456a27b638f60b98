//! Terms that are written in Elixir: data as `inspect` shows it, and structs with some of their fields. Expressions are
//! not read: nothing is called, bound or interpolated.

use super::names::PREFIX;
use crate::syntax::order::compare_keys;
use std::sync::Arc;
use term::{Atom, BigInt, Bits, Fun, Term, order};

/// The maximum depth of terms.
const DEEPEST: usize = 500;

/// Parses a term. Structs have the fields that are written, and `__struct__`; `_` is the atom of that name, for
/// patterns.
pub fn parse_term(text: &str) -> Result<Term, String> {
    let mut reader = Reader { rest: text, depth: 0 };
    let term = reader.term()?;
    reader.space();
    match reader.rest.chars().next() {
        None => Ok(term),
        Some(c) => Err(format!("nothing is expected behind the term, but there is {c:?}")),
    }
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

type Read<T> = Result<T, String>;

impl<'t> Reader<'t> {
    fn term(&mut self) -> Read<Term> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("this is nested more than {DEEPEST} deep"));
        }
        self.space();
        let term = match self.rest.chars().next() {
            None => Err("a term is expected, but the text ends".to_string()),
            Some('[') => self.list(),
            Some('{') => self.tuple(),
            Some('%') => self.map(),
            Some('"') => Ok(Term::binary(self.quoted()?)),
            Some('~') => self.characters(),
            Some(':') => self.symbol(),
            Some('<') => self.bits(),
            Some('&') => self.function(),
            Some('?') => self.character(),
            Some(c) if c.is_ascii_digit() || c == '-' || c == '+' => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.word(),
            Some(c) => Err(format!("a term is expected, not {c:?}")),
        };
        self.depth -= 1;
        term
    }

    /// Skips blanks and comments.
    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix('#') else { return };
            self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    fn take(&mut self, wanted: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: &str) -> Read<()> {
        if self.take(wanted) {
            return Ok(());
        }
        let found = self.rest.chars().next().map_or("the text ends".to_string(), |c| format!("there is {c:?}"));
        Err(format!("{wanted} is expected, but {found}"))
    }

    fn while_is(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c: char| !is(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Reads a letter or `_`, and the characters of a name that follow.
    fn identifier(&mut self) -> &'t str {
        let all = self.rest;
        let body = self.while_is(|c| c.is_alphanumeric() || c == '_' || c == '@').len();
        let end = if all.get(body..).is_some_and(|rest| rest.starts_with(['?', '!'])) { body + 1 } else { body };
        let (taken, rest) = all.split_at(end);
        self.rest = rest;
        taken
    }

    /// Reads `true`, `nil`, `_`, `My.Module`.
    fn word(&mut self) -> Read<Term> {
        if self.rest.starts_with(|c: char| c.is_ascii_uppercase()) {
            return self.alias().map(Term::Atom);
        }
        match self.identifier() {
            word @ ("true" | "false" | "nil" | "_") => Ok(Term::atom(word)),
            word => Err(format!("{word} is a variable or a call here: an atom is written :{word}")),
        }
    }

    fn alias(&mut self) -> Read<Atom> {
        let name = self.while_is(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        if name == "Elixir" {
            return Ok(Atom::new(name));
        }
        let full = if name.starts_with(PREFIX) { name.to_string() } else { format!("{PREFIX}{name}") };
        if super::is_alias(&full) { Ok(Atom::new(&full)) } else { Err(format!("{name} is no name of a module")) }
    }

    fn symbol(&mut self) -> Read<Term> {
        self.expect(":")?;
        if self.rest.starts_with('"') {
            return atom(&self.text()?);
        }
        let name = match self.rest.chars().next() {
            Some(c) if c.is_alphabetic() || c == '_' => self.identifier(),
            Some(c) if is_operator(c) => self.while_is(is_operator),
            _ => return Err("a name is expected behind the colon of an atom".to_string()),
        };
        atom(name)
    }

    /// Reads the bytes between quotes. The reader is at the opening quote.
    fn quoted(&mut self) -> Read<Vec<u8>> {
        let mut out = Vec::new();
        let push = |out: &mut Vec<u8>, c: char| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        self.expect("\"")?;
        loop {
            match self.next() {
                None => return Err("the closing quote is missing".to_string()),
                Some('"') => return Ok(out),
                Some('#') if self.rest.starts_with('{') => {
                    return Err("interpolation is not read: write the text itself".to_string());
                }
                Some('\\') => match self.next() {
                    None => return Err("the closing quote is missing".to_string()),
                    Some('x') if !self.rest.starts_with('{') => {
                        let byte = self.digits(2).and_then(|number| u8::try_from(number).ok());
                        out.push(byte.ok_or("two hexadecimal digits are expected behind \\x")?);
                    }
                    Some('x' | 'u') => push(&mut out, self.code_point()?),
                    Some(c) => push(&mut out, unescaped(c)),
                },
                Some(c) => push(&mut out, c),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..)?;
        Some(c)
    }

    /// Reads `00E9` or `{1F600}`.
    fn code_point(&mut self) -> Read<char> {
        let number = if self.rest.starts_with('{') {
            self.next();
            let number = self.digits(6);
            if self.next() == Some('}') { number } else { None }
        } else {
            self.digits(4)
        };
        number.and_then(char::from_u32).ok_or_else(|| "this escape names no character".to_string())
    }

    /// Reads up to `most` hexadecimal digits.
    fn digits(&mut self, most: usize) -> Option<u32> {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
        let number = u32::from_str_radix(self.rest.get(..count)?, 16).ok();
        self.rest = self.rest.get(count..)?;
        number
    }

    fn text(&mut self) -> Read<String> {
        String::from_utf8(self.quoted()?).map_err(|_| "these bytes are no text".to_string())
    }

    /// Reads `~c"text"`.
    fn characters(&mut self) -> Read<Term> {
        if !self.rest.starts_with("~c\"") {
            return Err("of sigils only ~c\"...\" is read".to_string());
        }
        self.expect("~c")?;
        Ok(Term::string(&self.text()?))
    }

    /// Reads `?a`, `?\n`.
    fn character(&mut self) -> Read<Term> {
        self.next();
        let c = match self.next() {
            Some('\\') => self.next().map(unescaped),
            c => c,
        };
        c.map(|c| Term::Int(c as i64)).ok_or_else(|| "a character is expected behind ?".to_string())
    }

    fn number(&mut self) -> Read<Term> {
        let is_negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let radix = match self.rest.get(..2) {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => 10,
        };
        if radix != 10 {
            self.rest = self.rest.get(2..).unwrap_or_default();
        }
        let mut digits = self.while_is(|c| c.is_digit(radix) || c == '_').replace('_', "");
        let is_float = radix == 10
            && self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !is_float {
            let value = term::digits::read(digits.as_bytes(), radix).ok_or("a number is expected")?;
            let value = BigInt::from(value);
            return Ok(Term::integer(if is_negative { -value } else { value }));
        }
        self.next();
        digits.push('.');
        digits.push_str(&self.while_is(|c| c.is_ascii_digit() || c == '_').replace('_', ""));
        if self.rest.starts_with(['e', 'E']) {
            self.next();
            digits.push('e');
            digits.push_str(if self.rest.starts_with('-') { "-" } else { "" });
            self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
            digits.push_str(self.while_is(|c| c.is_ascii_digit()));
        }
        let value: f64 = digits.parse().map_err(|_| format!("{digits} is no number"))?;
        if !value.is_finite() {
            return Err(format!("{digits} is too large for a float"));
        }
        Ok(Term::Float(if is_negative { -value } else { value }))
    }

    fn list(&mut self) -> Read<Term> {
        self.expect("[")?;
        let (mut items, keywords) = self.items("]")?;
        if self.take("|") {
            let tail = self.term()?;
            self.expect("]")?;
            return match items.is_empty() || !keywords.is_empty() {
                true => Err("elements are expected before |".to_string()),
                false => Ok(Term::list_with_tail(items, tail)),
            };
        }
        self.expect("]")?;
        items.extend(keywords);
        Ok(Term::list(items))
    }

    fn tuple(&mut self) -> Read<Term> {
        self.expect("{")?;
        let (mut items, keywords) = self.items("}")?;
        self.expect("}")?;
        if !keywords.is_empty() {
            if items.is_empty() {
                return Err("a tuple does not begin with a keyword".to_string());
            }
            items.push(Term::list(keywords));
        }
        Ok(Term::tuple(items))
    }

    /// Reads the items before `end`, and the pairs `key: value` after them.
    fn items(&mut self, end: &str) -> Read<(Vec<Term>, Vec<Term>)> {
        let (mut items, mut keywords) = (Vec::new(), Vec::new());
        loop {
            self.space();
            if self.rest.starts_with(end) {
                return Ok((items, keywords));
            }
            match self.key()? {
                Some(key) => keywords.push(Term::tuple([key, self.term()?])),
                None if keywords.is_empty() => items.push(self.term()?),
                None => return Err("keywords come last".to_string()),
            }
            if !self.take(",") {
                return Ok((items, keywords));
            }
        }
    }

    /// Reads `key:` or `"odd key":`, if that comes next.
    fn key(&mut self) -> Read<Option<Term>> {
        self.space();
        let before = self.rest;
        let name = match self.rest.chars().next() {
            Some('"') => self.text().ok(),
            Some(c) if c.is_alphabetic() || c == '_' => Some(self.identifier().to_string()),
            _ => None,
        };
        let is_key = self.rest.strip_prefix(':').is_some_and(|rest| !rest.starts_with(':'));
        match name.filter(|_| is_key) {
            Some(name) => {
                self.expect(":")?;
                atom(&name).map(Some)
            }
            None => {
                self.rest = before;
                Ok(None)
            }
        }
    }

    fn map(&mut self) -> Read<Term> {
        self.expect("%")?;
        let mut pairs = Vec::new();
        if !self.rest.starts_with('{') {
            pairs.push((Term::atom("__struct__"), Term::Atom(self.alias()?)));
        }
        self.expect("{")?;
        while !self.take("}") {
            let pair = match self.key()? {
                Some(key) => (key, self.term()?),
                None => {
                    let key = self.term()?;
                    self.expect("=>")?;
                    (key, self.term()?)
                }
            };
            // If keys are equal, the last one counts.
            pairs.retain(|(known, _)| !order::identical(known, &pair.0));
            pairs.push(pair);
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        pairs.sort_by(|(left, _), (right, _)| compare_keys(left, right));
        Ok(Term::Map(pairs.into()))
    }

    /// Reads bytes, texts, and bits of a size: `<<1, "ab", 5::size(3)>>`.
    fn bits(&mut self) -> Read<Term> {
        self.expect("<<")?;
        let mut bits: Vec<bool> = Vec::new();
        while !self.take(">>") {
            self.space();
            if self.rest.starts_with('"') {
                self.quoted()?.iter().for_each(|byte| push_bits(&mut bits, u64::from(*byte), 8));
            } else {
                let value = self.term()?.as_int().ok_or("only small integers and texts are read between << and >>")?;
                let size = if self.take("::") { self.size()? } else { 8 };
                push_bits(&mut bits, value as u64, size);
            }
            if !self.take(",") {
                self.expect(">>")?;
                break;
            }
        }
        let bytes = bits
            .chunks(8)
            .map(|byte| byte.iter().enumerate().fold(0, |number, (index, bit)| number | u8::from(*bit) << (7 - index)));
        Ok(Term::Bits(Bits::new(bytes.collect(), bits.len())))
    }

    /// Reads `3` or `size(3)`.
    fn size(&mut self) -> Read<u32> {
        let is_called = self.take("size(");
        let size = self.term()?.as_int().and_then(|size| u32::try_from(size).ok()).filter(|size| *size <= 64);
        if is_called {
            self.expect(")")?;
        }
        size.ok_or_else(|| "a size is a number up to 64 here".to_string())
    }

    /// Reads `&Mod.name/1`.
    fn function(&mut self) -> Read<Term> {
        self.expect("&")?;
        let module = if self.rest.starts_with(':') {
            self.symbol()?.as_atom()
        } else {
            // The name of the function is the first part that does not begin with a capital letter.
            let mut ends = self.rest.match_indices('.').map(|(at, _)| at);
            let is_function =
                |at: &usize| !self.rest.get(at + 1..).is_some_and(|name| name.starts_with(char::is_uppercase));
            let end = ends.find(is_function).ok_or(NO_FUNCTION)?;
            let (name, rest) = self.rest.split_at(end);
            self.rest = name;
            let module = self.alias()?;
            let module = Some(module).filter(|_| self.rest.is_empty());
            self.rest = rest;
            module
        };
        self.expect(".")?;
        let function = match self.rest.chars().next() {
            Some('"') => self.text()?,
            Some(c) if c.is_alphabetic() || c == '_' => self.identifier().to_string(),
            _ => {
                // The last slash is not part of the name.
                let operator = self.while_is(is_operator).strip_suffix('/').ok_or(NO_FUNCTION)?;
                return self.captured(module, operator);
            }
        };
        self.expect("/")?;
        self.captured(module, &function)
    }

    /// Reads the arity. The reader is after the slash.
    fn captured(&mut self, module: Option<Atom>, function: &str) -> Read<Term> {
        let arity = self.while_is(|c| c.is_ascii_digit()).parse().ok().filter(|arity| *arity <= 255);
        match (module, atom(function)?.as_atom(), arity) {
            (Some(module), Some(function), Some(arity)) => {
                Ok(Term::Fun(Arc::new(Fun::External { module, function, arity })))
            }
            _ => Err(NO_FUNCTION.to_string()),
        }
    }
}

const NO_FUNCTION: &str = "a function is named as &Module.name/arity";

fn is_operator(c: char) -> bool {
    "+-*/=!<>|&^~.".contains(c)
}

fn push_bits(bits: &mut Vec<bool>, value: u64, size: u32) {
    bits.extend((0..size).rev().map(|at| value >> at & 1 == 1));
}

fn atom(name: &str) -> Read<Term> {
    Atom::try_new(name).map(Term::Atom).map_err(|_| "there are too many atoms".to_string())
}

fn unescaped(c: char) -> char {
    match c {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'e' => '\u{1b}',
        'd' => '\u{7f}',
        's' => ' ',
        'a' => '\u{7}',
        '0' => '\0',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    #[test]
    fn terms_are_read_as_elixir_writes_them() {
        for (elixir, erlang) in [
            (
                "[1, :ok, nil, true, Foo.Bar, 1_000, -0x1F, 2.5e-3]",
                "[1, ok, nil, true, 'Elixir.Foo.Bar', 1000, -31, 2.5e-3]",
            ),
            ("{:error, %ArgumentError{}}", "{error, #{'__struct__' => 'Elixir.ArgumentError'}}"),
            ("%{a: 1, b: [c: 2]}", "#{a => 1, b => [{c, 2}]}"),
            ("%{\"k\" => ~c\"text\", 1 => :\"odd one\", z: _}", "#{<<\"k\">> => \"text\", 1 => 'odd one', z => '_'}"),
            ("[1, 2 | _]", "[1, 2 | '_']"),
            ("{:a, \"b c\": 1, d?: 2}", "{a, [{'b c', 1}, {'d?', 2}]}"),
            ("\"é\\u{1F600}\\x41\\#{x}\"", "<<\"é😀A#{x}\"/utf8>>"),
            ("<<1, \"ab\", 5::size(3)>>", "<<1, \"ab\", 5:3>>"),
            ("&:lists.map/2", "fun lists:map/2"),
            ("[:+, :<>, ?a, ?\\n]", "['+', '<>', 97, 10]"),
            ("[ # nothing\n ]", "[]"),
        ] {
            assert_eq!(parse_term(elixir), Ok(syntax::parse_term(erlang).expect(erlang)), "{elixir}");
        }
    }

    #[test]
    fn what_is_no_term_is_refused() {
        for wrong in [
            "", "ok", "[1", "[| 1]", "[a: 1, 2]", "{a: 1}", "[a: 1 | []]", "{1 2}", "%{a}", "\"#{x}\"", "~w(a)",
            "'abc'", "f(1)", "fn -> 1 end", "1 2", "%foo{}", ":", "1e5", "&f/1",
        ] {
            assert!(parse_term(wrong).is_err(), "{wrong}");
        }
        assert!(parse_term(&"[".repeat(100_000)).is_err());
    }
}
