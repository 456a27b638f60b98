//! Terms as Elixir expressions, much as `inspect` shows them, but such that what is printed can be read
//! back: character lists as sigils, which old and new versions read, and structs as such only where they are
//! known.
//!
//! Works on an explicit stack, so a term may nest as deeply as it likes.

use super::names::{PREFIX, atom, is_alias, is_printable, remote, write_atom, write_key, write_quoted};
use super::{STRUCT, Structs};
use crate::syntax::float::float_text;
use crate::syntax::print::long_number;
use std::fmt::Write;
use term::{Atom, Bits, Fun, Term};

pub fn print_term(term: &Term, structs: &dyn Structs) -> String {
    let mut printer = Printer { structs, out: String::new() };
    let mut stack = vec![Work::Term(term)];
    while let Some(work) = stack.pop() {
        match work {
            Work::Text(text) => printer.out.push_str(text),
            Work::Term(term) => printer.term(term, &mut stack),
            Work::Key(key) => {
                write_key(key.text(), &mut printer.out);
                printer.out.push(' ');
            }
        }
    }
    printer.out
}

/// What is still to be written, the next on top.
enum Work<'t> {
    Term(&'t Term),
    /// Of a keyword.
    Key(Atom),
    Text(&'static str),
}

struct Printer<'s> {
    structs: &'s dyn Structs,
    out: String,
}

impl Printer<'_> {
    fn term<'t>(&mut self, term: &'t Term, stack: &mut Vec<Work<'t>>) {
        match term {
            Term::Int(value) => self.text(format_args!("{value}")),
            Term::Big(value) => self.out.push_str(&long_number(value, "0x")),
            Term::Float(value) => self.out.push_str(&float_text(*value)),
            Term::Atom(atom) => write_atom(atom.text(), &mut self.out),
            Term::Nil => self.out.push_str("[]"),
            Term::List(items, None) if self.characters(items) => {}
            Term::List(items, tail) => {
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

    /// Only of a map that has exactly the fields of the struct: others would get what they lack.
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

/// An atom that may stand before a colon. Names of modules would read as something else there.
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
