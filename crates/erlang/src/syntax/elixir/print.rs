//! Terms as Elixir expressions, much as `inspect` shows them, but so that they can be read back: character lists as
//! sigils, which old and new versions read, and structs as such only if they are known.
//!
//! Works on an explicit stack, so a term may be nested arbitrarily deeply.

use super::names::{PREFIX, atom, is_alias, is_printable, remote, write_atom, write_key, write_quoted};
use super::{NoStructs, STRUCT, Structs};
use crate::syntax::float::float_text;
use crate::syntax::print::long_number;
use crate::syntax::repetition::{Piece, has_run, parts, period, pieces};
use std::fmt::Write;
use term::{Atom, Bits, Fun, Term};

pub fn print_term(term: &Term, structs: &dyn Structs) -> String {
    Printer { structs, short: false, out: String::new() }.run(term)
}

/// Prints long binaries, and lists with much repetition, as calls, and structs without the fields that have their
/// default. The result is an expression, but may not be a pattern or a constant.
pub fn print_short(term: &Term, structs: &dyn Structs) -> String {
    Printer { structs, short: true, out: String::new() }.run(term)
}

/// Text that is still to be written, the next piece on top of the stack.
enum Work<'t> {
    Term(&'t Term),
    /// The key of a keyword.
    Key(Atom),
    Text(&'static str),
    /// A list of these items, with a tail.
    Items(&'t [Term], Option<&'t Term>),
    /// A list that has one item this many times.
    Duplicate(usize, &'t Term),
    Number(usize),
}

struct Printer<'s> {
    structs: &'s dyn Structs,
    short: bool,
    out: String,
}

impl Printer<'_> {
    fn run(mut self, term: &Term) -> String {
        let mut stack = vec![Work::Term(term)];
        while let Some(work) = stack.pop() {
            match work {
                Work::Text(text) => self.out.push_str(text),
                Work::Term(term) => self.term(term, &mut stack),
                Work::Key(key) => {
                    write_key(key.text(), &mut self.out);
                    self.out.push(' ');
                }
                Work::Items(items, tail) => self.items(items, tail, &mut stack),
                Work::Duplicate(count, item) => self.duplicate(count, item, &mut stack),
                Work::Number(number) => self.text(format_args!("{number}")),
            }
        }
        self.out
    }

    fn term<'t>(&mut self, term: &'t Term, stack: &mut Vec<Work<'t>>) {
        match term {
            Term::Int(value) => self.text(format_args!("{value}")),
            Term::Big(value) => self.out.push_str(&long_number(value, "0x")),
            Term::Float(value) => self.out.push_str(&float_text(*value)),
            Term::Atom(atom) => write_atom(atom.text(), &mut self.out),
            Term::Nil => self.out.push_str("[]"),
            Term::List(items, tail) if self.short && self.repeated(items, tail.as_deref(), stack) => {}
            Term::List(items, tail) => self.items(items, tail.as_deref(), stack),
            Term::Tuple(items) => {
                self.out.push('{');
                stack.push(Work::Text("}"));
                push_separated(items, stack);
            }
            Term::Map(pairs) => self.map(pairs, stack),
            Term::Bits(bits) => self.bits(bits),
            Term::Fun(fun) => self.fun(fun),
            Term::Pid(Term::OWN_PID) => self.out.push_str("self()"),
            Term::Pid(number) => self.text(format_args!(":erlang.list_to_pid(~c\"<0.{number}.0>\")")),
            Term::Reference(number) => self.text(format_args!(":erlang.list_to_ref(~c\"#Ref<0.0.0.{number}>\")")),
            Term::Port(number) => self.text(format_args!(":erlang.list_to_port(~c\"#Port<0.{number}>\")")),
        }
    }

    fn text(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    /// Writes some items of a list, as a list.
    fn items<'t>(&mut self, items: &'t [Term], tail: Option<&'t Term>, stack: &mut Vec<Work<'t>>) {
        if tail.is_none() && self.characters(items) {
            return;
        }
        self.out.push('[');
        stack.push(Work::Text("]"));
        if let Some(tail) = tail {
            stack.push(Work::Term(tail));
            stack.push(Work::Text(" | "));
        }
        match keywords(items).filter(|_| tail.is_none()) {
            Some(pairs) => push_keywords(pairs, stack),
            None => push_separated(items, stack),
        }
    }

    /// Writes a list as a sum of repeated and other parts, if much is repeated.
    fn repeated<'t>(&mut self, items: &'t [Term], tail: Option<&'t Term>, stack: &mut Vec<Work<'t>>) -> bool {
        let Some(parts) = parts(items) else { return false };
        let last = parts.len() - 1;
        let mut work = Vec::new();
        for (index, (part, is_run)) in parts.into_iter().enumerate() {
            if index > 0 {
                work.push(Work::Text(" ++ "));
            }
            let tail = tail.filter(|_| index == last);
            match (part, is_run) {
                ([item, ..], true) => {
                    work.push(Work::Duplicate(part.len(), item));
                    if let Some(tail) = tail {
                        work.extend([Work::Text(" ++ "), Work::Term(tail)]);
                    }
                }
                _ => work.push(Work::Items(part, tail)),
            }
        }
        stack.extend(work.into_iter().rev());
        true
    }

    fn duplicate<'t>(&mut self, count: usize, item: &'t Term, stack: &mut Vec<Work<'t>>) {
        self.out.push_str("List.duplicate(");
        stack.extend([Work::Text(")"), Work::Number(count), Work::Text(", ")]);
        match item.as_int().and_then(|code| u8::try_from(code).ok()).filter(u8::is_ascii_alphanumeric) {
            Some(letter) => self.text(format_args!("?{}", char::from(letter))),
            None => stack.push(Work::Term(item)),
        }
    }

    /// Writes a binary by its repetitions, and with its text as text, if that is shorter than its numbers.
    fn short_bits(&mut self, bits: &Bits) -> bool {
        if !bits.is_binary() {
            return false;
        }
        let bytes = bits.bytes();
        if let Some((part, count)) = period(bytes) {
            self.text(format_args!(":binary.copy({}, {count})", print_bytes(part)));
            return true;
        }
        if std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_printable)) && !has_run(bytes) {
            return false;
        }
        let segment = |piece: &Piece<'_>| match piece {
            Piece::Run(byte, count) => format!(":binary.copy({}, {count})::binary", print_bytes(&[*byte])),
            Piece::Text(text) => {
                let mut out = String::new();
                write_quoted(text.iter().map(|byte| char::from(*byte)), &mut out);
                out
            }
            Piece::Bytes(bytes) => bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
        };
        let text = pieces(bytes).iter().map(segment).collect::<Vec<_>>().join(", ");
        let numbers: usize = bytes.iter().map(|byte| byte.to_string().len() + 2).sum();
        if text.len() >= numbers {
            return false;
        }
        self.text(format_args!("<<{text}>>"));
        true
    }

    /// Writes the items as a character list if all of them are printable ASCII.
    fn characters(&mut self, items: &[Term]) -> bool {
        let character = |item: &Term| {
            let c = char::from_u32(u32::try_from(item.as_int()?).ok()?)?;
            (c.is_ascii() && is_printable(c)).then_some(c)
        };
        let Some(characters) = items.iter().map(character).collect::<Option<Vec<char>>>() else { return false };
        self.out.push_str("~c");
        write_quoted(characters.into_iter(), &mut self.out);
        true
    }

    fn map<'t>(&mut self, pairs: &'t [(Term, Term)], stack: &mut Vec<Work<'t>>) {
        self.out.push('%');
        let mut named: Option<Vec<(Atom, &Term)>> =
            pairs.iter().map(|(key, value)| Some((keyword(key)?, value))).collect();
        if let Some(fields) = &mut named
            && let Some(name) = self.struct_name(fields)
        {
            write_atom(name.text(), &mut self.out);
            fields.retain(|(key, _)| key.text() != STRUCT);
            if self.short
                && let Some(defaults) = self.structs.defaults(name)
            {
                let is_default = |key: &Atom, value: &Term| {
                    defaults.iter().any(|(field, default)| field == key && is_exactly(default, value))
                };
                fields.retain(|(key, value)| !is_default(key, value));
            }
        }
        self.out.push('{');
        stack.push(Work::Text("}"));
        if let Some(fields) = named {
            return push_keywords(fields, stack);
        }
        for (index, (key, value)) in pairs.iter().enumerate().rev() {
            stack.push(Work::Term(value));
            stack.push(Work::Text(" => "));
            stack.push(Work::Term(key));
            if index > 0 {
                stack.push(Work::Text(", "));
            }
        }
    }

    /// Returns the name of the struct if the map has exactly its fields: missing fields would get their defaults.
    fn struct_name(&self, fields: &[(Atom, &Term)]) -> Option<Atom> {
        let name = fields.iter().find(|(key, _)| key.text() == STRUCT)?.1.as_atom()?;
        if !is_alias(name.text()) {
            return None;
        }
        let known = self.structs.fields(name)?;
        let is_same = known.len() + 1 == fields.len()
            && fields.iter().all(|(key, _)| key.text() == STRUCT || known.contains(key));
        is_same.then_some(name)
    }

    fn bits(&mut self, bits: &Bits) {
        if self.short && self.short_bits(bits) {
            return;
        }
        if bits.is_binary()
            && let Ok(text) = std::str::from_utf8(bits.bytes())
            && text.chars().all(is_printable)
        {
            return write_quoted(text.chars(), &mut self.out);
        }
        let unused = (8 - bits.bit_length() % 8) % 8;
        self.out.push_str("<<");
        for (index, byte) in bits.bytes().iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            if unused > 0 && index + 1 == bits.bytes().len() {
                self.text(format_args!("{}::size({})", byte >> unused, 8 - unused));
            } else {
                self.text(format_args!("{byte}"));
            }
        }
        self.out.push_str(">>");
    }

    fn fun(&mut self, fun: &Fun) {
        match fun {
            Fun::External { module, function, arity } => {
                let text = match remote(module.text(), function.text()) {
                    Some(name) => format!("&{name}/{arity}"),
                    None => format!("Function.capture({}, {}, {arity})", atom(module.text()), atom(function.text())),
                };
                self.out.push_str(&text);
            }
            // These have no expression.
            Fun::Local { module, index, unique, arity } => {
                self.text(format_args!("#Function<{index}.{unique}/{arity} in "));
                write_atom(module.text(), &mut self.out);
                self.out.push('>');
            }
            Fun::Input { arity, number: _ } => self.text(format_args!("fn/{arity}")),
        }
    }
}

/// Prints a few bytes.
fn print_bytes(bytes: &[u8]) -> String {
    let bits = Term::Bits(Bits::new(bytes.to_vec(), bytes.len() * 8));
    print_term(&bits, &NoStructs)
}

/// Returns whether terms are identical. Terms with floats can be equal without that, so they are compared as printed.
fn is_exactly(left: &Term, right: &Term) -> bool {
    left == right && print_term(left, &NoStructs) == print_term(right, &NoStructs)
}

/// Returns the atom if it may be written before a colon. Names of modules have another meaning there.
fn keyword(key: &Term) -> Option<Atom> {
    key.as_atom().filter(|key| !key.text().starts_with(PREFIX))
}

fn keywords(items: &[Term]) -> Option<Vec<(Atom, &Term)>> {
    let pair = |item: &'_ Term| match item {
        Term::Tuple(parts) => match &**parts {
            [key, _] => keyword(key),
            _ => None,
        },
        _ => None,
    };
    let keys = items.iter().map(pair).collect::<Option<Vec<Atom>>>()?;
    let values = items.iter().filter_map(|item| item.as_tuple()?.get(1));
    Some(keys.into_iter().zip(values).collect())
}

fn push_keywords<'t>(pairs: Vec<(Atom, &'t Term)>, stack: &mut Vec<Work<'t>>) {
    for (index, (key, value)) in pairs.into_iter().enumerate().rev() {
        stack.push(Work::Term(value));
        stack.push(Work::Key(key));
        if index > 0 {
            stack.push(Work::Text(", "));
        }
    }
}

fn push_separated<'t>(items: &'t [Term], stack: &mut Vec<Work<'t>>) {
    for (index, item) in items.iter().enumerate().rev() {
        stack.push(Work::Term(item));
        if index > 0 {
            stack.push(Work::Text(", "));
        }
    }
}
