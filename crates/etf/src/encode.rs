//! Encoding of terms to bytes.

use crate::tag;
use num_bigint::Sign;
use term::{Atom, Bits, Fun, Term, names};

/// The version of the format, which decides how atoms and floats are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinorVersion {
    /// Atoms in Latin-1 where possible, floats as text.
    V0,
    /// Atoms in Latin-1 where possible, floats as eight bytes: the default of OTP 25.
    V1,
    /// Atoms in UTF-8: the default of OTP 26.
    V2,
}

/// The first release of OTP that is supported.
pub const OLDEST_RELEASE: u32 = 25;

impl MinorVersion {
    /// Returns the default of a release.
    pub fn of_release(release: u32) -> MinorVersion {
        if release < 26 { MinorVersion::V1 } else { MinorVersion::V2 }
    }
}

/// Encodes as `term_to_binary/1` of a release does.
pub fn encode(term: &Term, release: u32) -> Vec<u8> {
    encode_with(term, MinorVersion::of_release(release), release)
}

/// Encodes as `term_to_binary(T, [{minor_version, V}])` of a release does.
pub fn encode_with(term: &Term, version: MinorVersion, release: u32) -> Vec<u8> {
    let mut encoder = Encoder { bytes: vec![tag::VERSION], version, release, pending: Vec::new() };
    encoder.term(term);
    while let Some(work) = encoder.pending.last_mut() {
        match work.next() {
            Some(term) => encoder.term(term),
            None => drop(encoder.pending.pop()),
        }
    }
    encoder.bytes
}

/// Lists of bytes are written as strings up to this length.
const MAX_STRING: usize = u16::MAX as usize;

struct Encoder<'a> {
    bytes: Vec<u8>,
    version: MinorVersion,
    release: u32,
    pending: Vec<Work<'a>>,
}

/// Parts of an enclosing term that are not written yet.
enum Work<'a> {
    Items(std::slice::Iter<'a, Term>),
    Pairs(std::slice::Iter<'a, (Term, Term)>, Option<&'a Term>),
    Last(Option<&'a Term>),
}

impl<'a> Work<'a> {
    fn next(&mut self) -> Option<&'a Term> {
        match self {
            Work::Items(items) => items.next(),
            Work::Pairs(pairs, value) => value.take().or_else(|| {
                let (key, next_value) = pairs.next()?;
                *value = Some(next_value);
                Some(key)
            }),
            Work::Last(term) => term.take(),
        }
    }
}

const NIL: &Term = &Term::Nil;

impl<'a> Encoder<'a> {
    fn term(&mut self, term: &'a Term) {
        match term {
            Term::Int(value) => self.integer(*value),
            Term::Big(value) => {
                let (sign, magnitude) = value.to_bytes_le();
                self.big(sign == Sign::Minus, &magnitude);
            }
            Term::Float(value) => self.float(*value),
            Term::Atom(atom) => self.atom(*atom),
            Term::Nil => self.bytes.push(tag::NIL),
            Term::List(items, tail) => self.list(items, tail.as_deref()),
            Term::Tuple(items) => {
                match u8::try_from(items.len()) {
                    Ok(arity) => self.bytes.extend([tag::SMALL_TUPLE, arity]),
                    Err(_) => self.tag_and_length(tag::LARGE_TUPLE, items.len()),
                }
                self.pending.push(Work::Items(items.iter()));
            }
            Term::Map(pairs) => {
                self.tag_and_length(tag::MAP, pairs.len());
                self.pending.push(Work::Pairs(pairs.iter(), None));
            }
            Term::Bits(bits) => self.bits(bits),
            Term::Fun(fun) => self.fun(fun),
            Term::Pid(number) => self.pid(*number),
            Term::Reference(number) => self.reference(*number),
            Term::Port(number) => self.port(*number),
        }
    }

    fn tag_and_length(&mut self, tag: u8, length: usize) {
        self.bytes.push(tag);
        self.word(length as u32);
    }

    fn word(&mut self, value: u32) {
        self.bytes.extend(value.to_be_bytes());
    }

    fn integer(&mut self, value: i64) {
        if let Ok(small) = u8::try_from(value) {
            self.bytes.extend([tag::SMALL_INTEGER, small]);
        } else if let Ok(value) = i32::try_from(value) {
            self.bytes.push(tag::INTEGER);
            self.bytes.extend(value.to_be_bytes());
        } else {
            let magnitude = value.unsigned_abs().to_le_bytes();
            let used = 8 - value.unsigned_abs().leading_zeros() as usize / 8;
            self.big(value < 0, &magnitude[..used]);
        }
    }

    fn big(&mut self, negative: bool, magnitude: &[u8]) {
        match u8::try_from(magnitude.len()) {
            Ok(length) => self.bytes.extend([tag::SMALL_BIG, length]),
            Err(_) => self.tag_and_length(tag::LARGE_BIG, magnitude.len()),
        }
        self.bytes.push(negative.into());
        self.bytes.extend_from_slice(magnitude);
    }

    fn float(&mut self, value: f64) {
        if self.version != MinorVersion::V0 {
            self.bytes.push(tag::NEW_FLOAT);
            self.bytes.extend(value.to_bits().to_be_bytes());
            return;
        }
        // C's `%.20e`: the exponent has a sign and at least two digits.
        let text = format!("{value:.20e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
        let mut field = format!("{mantissa}e{sign}{digits:0>2}").into_bytes();
        field.resize(tag::FLOAT_TEXT_LENGTH, 0);
        self.bytes.push(tag::FLOAT);
        self.bytes.extend(field);
    }

    fn atom(&mut self, atom: Atom) {
        let text = atom.text();
        if self.version != MinorVersion::V2 && text.chars().all(|c| c <= '\u{ff}') {
            self.bytes.push(tag::ATOM);
            self.bytes.extend((text.chars().count() as u16).to_be_bytes());
            self.bytes.extend(text.chars().map(|c| c as u8));
            return;
        }
        match u8::try_from(text.len()) {
            Ok(length) => self.bytes.extend([tag::SMALL_ATOM_UTF8, length]),
            Err(_) => {
                self.bytes.push(tag::ATOM_UTF8);
                self.bytes.extend((text.len() as u16).to_be_bytes());
            }
        }
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn list(&mut self, items: &'a [Term], tail: Option<&'a Term>) {
        let as_byte = |item: &Term| item.as_int().and_then(|value| u8::try_from(value).ok());
        let is_string = tail.is_none() && items.len() <= MAX_STRING && items.iter().all(|item| as_byte(item).is_some());
        if is_string {
            self.bytes.push(tag::STRING);
            self.bytes.extend((items.len() as u16).to_be_bytes());
            self.bytes.extend(items.iter().filter_map(as_byte));
            return;
        }
        self.tag_and_length(tag::LIST, items.len());
        self.pending.push(Work::Last(Some(tail.unwrap_or(NIL))));
        self.pending.push(Work::Items(items.iter()));
    }

    fn bits(&mut self, bits: &Bits) {
        let bytes = bits.bytes();
        if bits.is_binary() {
            self.tag_and_length(tag::BINARY, bytes.len());
        } else {
            self.tag_and_length(tag::BIT_BINARY, bytes.len());
            self.bytes.push((bits.bit_length() % 8) as u8);
        }
        self.bytes.extend_from_slice(bytes);
    }

    fn fun(&mut self, fun: &Fun) {
        match fun {
            Fun::External { module, function, arity } => {
                self.bytes.push(tag::EXPORT);
                self.atom(*module);
                self.atom(*function);
                self.integer(i64::from(*arity));
            }
            // The digest of its code and its captured values are not known: the digest is written as zero, and the
            // closure seems to capture nothing.
            Fun::Local { module, index, unique, arity } => {
                let start = self.bytes.len();
                self.tag_and_length(tag::NEW_FUN, 0);
                self.bytes.push(*arity as u8);
                self.bytes.extend([0; 16]);
                self.word(*index);
                self.word(0);
                self.atom(*module);
                self.integer(i64::from(*index));
                self.integer(i64::from(*unique));
                self.pid(0);
                let size = (self.bytes.len() - start - 1) as u32;
                self.bytes[start + 1..start + 5].copy_from_slice(&size.to_be_bytes());
            }
            // A function input exists in runs only, where it is a closure.
            Fun::Input { arity, number } => {
                let (index, unique) = (*number, 0);
                self.fun(&Fun::Local { module: Atom::new(""), index, unique, arity: *arity });
            }
        }
    }

    fn pid(&mut self, number: u64) {
        self.bytes.push(tag::NEW_PID);
        self.atom(names::NONODE);
        self.word(number as u32);
        self.word((number >> 32) as u32);
        self.word(0);
    }

    fn reference(&mut self, number: u64) {
        self.bytes.extend([tag::NEWER_REFERENCE, 0, 3]);
        self.atom(names::NONODE);
        self.word(0);
        self.word((number & ((1 << tag::REFERENCE_LOW_BITS) - 1)) as u32);
        self.word((number >> tag::REFERENCE_LOW_BITS) as u32);
        self.word((number >> (tag::REFERENCE_LOW_BITS + 32)) as u32);
    }

    fn port(&mut self, number: u64) {
        // The older form holds 28 bits; OTP 26 no longer writes it.
        if number < 1 << 28 && self.release < 26 {
            self.bytes.push(tag::NEW_PORT);
            self.atom(names::NONODE);
            self.word(number as u32);
        } else {
            self.bytes.push(tag::V4_PORT);
            self.atom(names::NONODE);
            self.bytes.extend(number.to_be_bytes());
        }
        self.word(0);
    }
}
