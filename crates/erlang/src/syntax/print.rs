//! Terms as text, exactly as `io_lib:format("~0tp", [Term])` prints them: in one line, with strings and printable
//! binaries as such.
//!
//! Works on an explicit stack, so a term may be nested arbitrarily deeply.

use super::float::float_text;
use super::names::is_bare_atom;
use super::repetition::{Piece, has_run, parts, period, pieces};
use num_bigint::{BigInt, Sign};
use std::fmt::Write;
use term::{Atom, Bits, Fun, Term, digits};

/// Prints like `~0tp` in an `erl` that was started without `+pc unicode`.
pub fn print(term: &Term) -> String {
    print_with(term, Printable::Latin1)
}

pub fn print_with(term: &Term, printable: Printable) -> String {
    Printer { printable, pasteable: false, stand_ins: false, short: false, out: String::new() }.run(term)
}

/// Prints like [`print`], but as an expression that a shell or a test file can read back, wherever there is one.
/// Process identifiers, references and ports become calls; closures have no expression and remain `#Fun<…>`.
pub fn print_pasteable(term: &Term) -> String {
    Printer { printable: Printable::Latin1, pasteable: true, stand_ins: false, short: false, out: String::new() }
        .run(term)
}

/// Prints like [`print_pasteable`], but long binaries, and lists with much repetition, as calls. The result is an
/// expression, but may not be a pattern or a constant.
pub fn print_short(term: &Term) -> String {
    Printer { printable: Printable::Latin1, pasteable: true, stand_ins: false, short: true, out: String::new() }
        .run(term)
}

/// Prints like [`print_pasteable`], with an external fun of the same arity in place of every closure, whose name is the
/// text that the closure prints as: for programs that only inspect terms. [`without_stand_ins`] reads their text.
pub fn print_with_stand_ins(term: &Term) -> String {
    Printer { printable: Printable::Latin1, pasteable: true, stand_ins: true, short: false, out: String::new() }
        .run(term)
}

/// Replaces the stand-ins for closures, in a text that was made of terms, by the text that closures print as.
pub fn without_stand_ins(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("'#Fun<") {
        let (before, quoted) = rest.split_at(start + 1);
        let (name, behind) = quoted.split_at(quoted.find('\'').unwrap_or(quoted.len()));
        match behind.strip_prefix(STAND_IN_END) {
            Some(arity) => {
                let before = &before[..start];
                out.push_str(before.strip_suffix("fun ").unwrap_or(before));
                out.push_str(name);
                rest = arity.trim_start_matches(|digit: char| digit.is_ascii_digit());
            }
            None => {
                out.push_str(before);
                out.push_str(name);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The text after the name of a stand-in: its function, which has an empty name.
const STAND_IN_END: &str = "':''/";

/// Escapes hidden characters in printed terms. They occur only in quotes, where they have an escape, so the text
/// denotes the same term.
pub fn escape_hidden(text: &str) -> String {
    term::without_hidden(text, |c, out| write_to(out, format_args!("\\x{{{:X}}}", c as u32))).into_owned()
}

/// Prints an atom, with quotes if it needs them.
pub fn print_atom(atom: Atom) -> String {
    let mut out = String::new();
    write_atom(atom.text(), &mut out);
    out
}

/// The characters that make a list of integers a string: the runtime's `+pc` switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printable {
    /// The runtime's default.
    Latin1,
    Unicode,
}

impl Printable {
    fn holds(self, code: u32) -> bool {
        match code {
            8..=13 | 27 | 32..=126 => true,
            0xa0..=0xff => true,
            _ => self == Printable::Unicode && code >= 0x100 && is_unicode(code),
        }
    }
}

/// Returns whether source text may contain a code point: no surrogates, and not the two non-characters that the scanner
/// rejects.
pub fn is_unicode(code: u32) -> bool {
    matches!(code, 0..=0xd7ff | 0xe000..=0xfffd | 0x1_0000..=0x10_ffff)
}

/// Text that is still to be written, the next piece on top of the stack.
enum Work<'t> {
    Term(&'t Term),
    Text(&'static str),
    /// A list of these items, with a tail.
    Items(&'t [Term], Option<&'t Term>),
    /// A list that has one item this many times.
    Duplicate(usize, &'t Term),
}

struct Printer {
    printable: Printable,
    pasteable: bool,
    stand_ins: bool,
    short: bool,
    out: String,
}

/// The maximum number of bits of a number that is written in decimal. Longer ones are written in hexadecimal, which is
/// fast; their decimal digits would take time and be of no use to a reader.
const MOST_DECIMAL_BITS: u64 = 1 << 17;

pub(super) fn long_number(value: &BigInt, hexadecimal: &str) -> String {
    if value.bits() <= MOST_DECIMAL_BITS {
        return digits::text(value, 10);
    }
    let sign = if value.sign() == Sign::Minus { "-" } else { "" };
    format!("{sign}{hexadecimal}{}", digits::text(&BigInt::from(value.magnitude().clone()), 16).to_uppercase())
}

impl Printer {
    fn run(mut self, term: &Term) -> String {
        let mut stack = vec![Work::Term(term)];
        while let Some(work) = stack.pop() {
            match work {
                Work::Text(text) => self.out.push_str(text),
                Work::Term(term) => self.term(term, &mut stack),
                Work::Items(items, tail) => self.items(items, tail, &mut stack),
                Work::Duplicate(count, item) => self.duplicate(count, item, &mut stack),
            }
        }
        self.out
    }

    fn term<'t>(&mut self, term: &'t Term, stack: &mut Vec<Work<'t>>) {
        match term {
            Term::Int(value) => self.number(value),
            Term::Big(value) => self.out.push_str(&long_number(value, "16#")),
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
            Term::Map(pairs) => {
                self.out.push_str("#{");
                stack.push(Work::Text("}"));
                for (index, (key, value)) in pairs.iter().enumerate().rev() {
                    stack.push(Work::Term(value));
                    stack.push(Work::Text(" => "));
                    stack.push(Work::Term(key));
                    if index > 0 {
                        stack.push(Work::Text(","));
                    }
                }
            }
            Term::Bits(bits) => self.bits(bits),
            Term::Fun(fun) => self.fun(fun),
            Term::Pid(Term::OWN_PID) if self.pasteable => self.out.push_str("self()"),
            Term::Pid(number) => self.identity("list_to_pid", format_args!("<0.{number}.0>")),
            Term::Reference(number) => self.identity("list_to_ref", format_args!("#Ref<0.0.0.{number}>")),
            Term::Port(number) => self.identity("list_to_port", format_args!("#Port<0.{number}>")),
        }
    }

    fn number(&mut self, value: &impl std::fmt::Display) {
        write_to(&mut self.out, format_args!("{value}"));
    }

    fn identity(&mut self, constructor: &str, text: std::fmt::Arguments<'_>) {
        if self.pasteable {
            write_to(&mut self.out, format_args!("{constructor}(\"{text}\")"));
        } else {
            write_to(&mut self.out, text);
        }
    }

    /// Writes a list as a sum of repeated and other parts, if that is shorter.
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

    /// Writes some items of a list, as a list.
    fn items<'t>(&mut self, items: &'t [Term], tail: Option<&'t Term>, stack: &mut Vec<Work<'t>>) {
        if tail.is_none() && self.string(items) {
            return;
        }
        self.out.push('[');
        stack.push(Work::Text("]"));
        if let Some(tail) = tail {
            stack.push(Work::Term(tail));
            stack.push(Work::Text("|"));
        }
        push_separated(items, stack);
    }

    fn duplicate<'t>(&mut self, count: usize, item: &'t Term, stack: &mut Vec<Work<'t>>) {
        write_to(&mut self.out, format_args!("lists:duplicate({count},"));
        stack.push(Work::Text(")"));
        match item.as_int().and_then(|code| u8::try_from(code).ok()).filter(u8::is_ascii_alphanumeric) {
            Some(letter) => write_to(&mut self.out, format_args!("${}", char::from(letter))),
            None => stack.push(Work::Term(item)),
        }
    }

    /// Writes a binary by its repetitions, and with its text as text, if that is shorter than its numbers.
    fn short_bits(&mut self, bits: &Bits) -> bool {
        if !bits.is_binary() {
            return false;
        }
        let bytes = bits.bytes();
        let is_plain =
            std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(|c| self.printable.holds(c as u32)));
        if let Some((part, count)) = period(bytes) {
            write_to(&mut self.out, format_args!("binary:copy({},{count})", print_bytes(part)));
            return true;
        }
        if is_plain && !has_run(bytes) {
            return false;
        }
        let segment = |piece: &Piece<'_>| match piece {
            Piece::Run(byte, count) => format!("(binary:copy({},{count}))/binary", print_bytes(&[*byte])),
            Piece::Text(text) => {
                let mut out = String::new();
                write_quoted(text.iter().map(|byte| char::from(*byte)), '"', &mut out);
                out
            }
            Piece::Bytes(bytes) => bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(","),
        };
        let text = pieces(bytes).iter().map(segment).collect::<Vec<_>>().join(",");
        let numbers: usize = bytes.iter().map(|byte| byte.to_string().len() + 1).sum();
        if text.len() >= numbers {
            return false;
        }
        write_to(&mut self.out, format_args!("<<{text}>>"));
        true
    }

    /// Writes the items as a string if all of them are printable characters.
    fn string(&mut self, items: &[Term]) -> bool {
        let code = |item: &Term| item.as_int().and_then(|value| u32::try_from(value).ok());
        if !items.iter().all(|item| code(item).is_some_and(|code| self.printable.holds(code))) {
            return false;
        }
        write_quoted(items.iter().filter_map(code).filter_map(char::from_u32), '"', &mut self.out);
        true
    }

    fn bits(&mut self, bits: &Bits) {
        if self.short && self.short_bits(bits) {
            return;
        }
        self.out.push_str("<<");
        if !(bits.is_binary() && self.printable_bytes(bits.bytes())) {
            self.numbered_bytes(bits);
        }
        self.out.push_str(">>");
    }

    /// Writes a binary as text if it is printable. Bytes that are valid UTF-8 are judged as UTF-8; only others are
    /// tried as Latin-1.
    fn printable_bytes(&mut self, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return false;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let printable = text.chars().all(|c| self.printable.holds(c as u32));
                if printable {
                    write_quoted(text.chars(), '"', &mut self.out);
                    if !text.is_ascii() {
                        self.out.push_str("/utf8");
                    }
                }
                printable
            }
            Err(_) => {
                let printable = bytes.iter().all(|&byte| Printable::Latin1.holds(byte.into()));
                if printable {
                    write_quoted(bytes.iter().map(|&byte| char::from(byte)), '"', &mut self.out);
                }
                printable
            }
        }
    }

    fn numbered_bytes(&mut self, bits: &Bits) {
        let unused = (8 - bits.bit_length() % 8) % 8;
        for (index, byte) in bits.bytes().iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            if unused > 0 && index + 1 == bits.bytes().len() {
                write_to(&mut self.out, format_args!("{}:{}", byte >> unused, 8 - unused));
            } else {
                self.number(byte);
            }
        }
    }

    fn fun(&mut self, fun: &Fun) {
        match fun {
            Fun::External { module, function, arity } if self.pasteable => {
                self.out.push_str("fun ");
                write_atom(module.text(), &mut self.out);
                self.out.push(':');
                write_atom(function.text(), &mut self.out);
                write_to(&mut self.out, format_args!("/{arity}"));
            }
            Fun::External { module, function, arity } => {
                self.out.push_str("fun ");
                write_atom_of_fun(module.text(), &mut self.out);
                self.out.push(':');
                write_atom_of_fun(function.text(), &mut self.out);
                write_to(&mut self.out, format_args!("/{arity}"));
            }
            Fun::Local { module, index, unique, arity } if self.stand_ins => {
                self.out.push_str("fun ");
                write_atom(&format!("#Fun<{module}.{index}.{unique}>"), &mut self.out);
                write_to(&mut self.out, format_args!(":''/{arity}"));
            }
            Fun::Local { module, index, unique, arity: _ } => {
                self.out.push_str("#Fun<");
                write_bytes_as_characters(module.text(), &mut self.out);
                write_to(&mut self.out, format_args!(".{index}.{unique}>"));
            }
            Fun::Input { arity, number: _ } => write_to(&mut self.out, format_args!("fun/{arity}")),
        }
    }
}

/// Prints a few bytes.
fn print_bytes(bytes: &[u8]) -> String {
    print(&Term::Bits(Bits::new(bytes.to_vec(), bytes.len() * 8)))
}

fn push_separated<'t>(items: &'t [Term], stack: &mut Vec<Work<'t>>) {
    for (index, item) in items.iter().enumerate().rev() {
        stack.push(Work::Term(item));
        if index > 0 {
            stack.push(Work::Text(","));
        }
    }
}

fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

fn write_atom(text: &str, out: &mut String) {
    if is_bare_atom(text) {
        out.push_str(text);
    } else {
        write_quoted(text.chars(), '\'', out);
    }
}

fn write_quoted(characters: impl Iterator<Item = char>, quote: char, out: &mut String) {
    out.push(quote);
    for c in characters {
        match c {
            '\\' => out.push_str("\\\\"),
            _ if c == quote => out.extend(['\\', c]),
            ' '..='~' | '\u{a0}'.. => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{7f}' => out.push_str("\\d"),
            control => write_to(out, format_args!("\\{:03o}", control as u32)),
        }
    }
    out.push(quote);
}

/// Writes an atom in the name of a fun. The runtime itself, not `io_lib`, writes these names, and by other rules: it
/// knows no reserved words, quotes `@`, has fewer escapes, and treats each UTF-8 byte as a character. OTP 25 prints
/// them like that, so we do as well.
fn write_atom_of_fun(text: &str, out: &mut String) {
    let continues = |c: char| c != '@' && super::names::continues_name(c);
    if text.starts_with(super::names::starts_atom) && text.chars().all(continues) {
        return write_bytes_as_characters(text, out);
    }
    out.push('\'');
    for c in text.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' | '\u{80}'..='\u{9f}' => write_to(out, format_args!("\\{:03o}", c as u32)),
            _ => write_bytes_as_characters(c.encode_utf8(&mut [0; 4]), out),
        }
    }
    out.push('\'');
}

fn write_bytes_as_characters(text: &str, out: &mut String) {
    out.extend(text.bytes().map(char::from));
}
