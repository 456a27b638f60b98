//! Decoding of bytes to terms.
//!
//! All finished terms are on one stack of values. A frame records where the parts of an unfinished term begin and how
//! many it needs; when it has all of them, they are popped together. Nothing is allocated in advance: a frame that
//! needs more parts than there are bytes left is refused at once.

use crate::compressed::inflate;
use crate::tag;
use num_bigint::{BigInt, Sign};
use std::collections::HashSet;
use std::sync::Arc;
use term::{Atom, AtomLimit, Bits, Fun, Term, names};

/// The reason why bytes are not a term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EtfError {
    #[error("the encoded term ends too early")]
    Truncated,
    #[error("an encoded term begins with 131, not with {0}")]
    BadVersion(u8),
    #[error("no term begins with the tag {0}")]
    BadTag(u8),
    #[error("an atom's text is not UTF-8")]
    BadAtom,
    #[error("an atom has more than 255 characters")]
    LongAtom,
    #[error("the atom table is full")]
    AtomLimit,
    #[error("a float is not finite, or not a number")]
    BadFloat,
    #[error("a bitstring uses no possible number of bits of its last byte")]
    BadBits,
    #[error("a map has the same key twice")]
    DuplicateKey,
    #[error("a fun has parts of the wrong kind, or too many")]
    BadFun,
    #[error("a process identifier, a reference or a port has a number that none can have")]
    BadIdentifier,
    #[error("a tuple has more than 16777215 elements")]
    LargeTuple,
    #[error("compressed data is damaged, or is not as long as it claims")]
    BadCompression,
    #[error("a compressed term claims {0} bytes, which is more than is allowed")]
    TooLarge(usize),
}

impl From<AtomLimit> for EtfError {
    fn from(_: AtomLimit) -> EtfError {
        EtfError::AtomLimit
    }
}

/// Decodes as `binary_to_term/1` does: bytes after the term are ignored.
pub fn decode(bytes: &[u8]) -> Result<Term, EtfError> {
    decode_prefix(bytes).map(|(term, _)| term)
}

/// Decodes the term at the beginning of `bytes`. Returns it and the number of bytes read (`binary_to_term(B, [used])`).
pub fn decode_prefix(bytes: &[u8]) -> Result<(Term, usize), EtfError> {
    decode_prefix_with(bytes, &mut |text| Ok(Atom::try_new(text)?))
}

/// Turns the text of an atom into an atom, or refuses it.
pub type MakeAtom<'a> = dyn FnMut(&str) -> Result<Atom, EtfError> + 'a;

/// Decodes like [`decode_prefix`], but leaves it to `make_atom` to make the atoms: it may count them, or require that
/// they exist.
pub fn decode_prefix_with(bytes: &[u8], make_atom: &mut MakeAtom<'_>) -> Result<(Term, usize), EtfError> {
    match bytes {
        [tag::VERSION, tag::COMPRESSED, rest @ ..] => {
            let (inflated, used) = inflate(rest)?;
            let (term, _) = decode_body(&inflated, make_atom)?;
            Ok((term, used + 2))
        }
        [tag::VERSION, rest @ ..] => decode_body(rest, make_atom).map(|(term, used)| (term, used + 1)),
        [other, ..] => Err(EtfError::BadVersion(*other)),
        [] => Err(EtfError::Truncated),
    }
}

fn decode_body(bytes: &[u8], make_atom: &mut MakeAtom<'_>) -> Result<(Term, usize), EtfError> {
    let mut decoder = Decoder { input: Input { rest: bytes, make_atom }, values: Vec::new(), frames: Vec::new() };
    let term = decoder.run()?;
    Ok((term, bytes.len() - decoder.input.rest.len()))
}

struct Decoder<'a, 'm> {
    input: Input<'a, 'm>,
    values: Vec<Term>,
    frames: Vec<Frame>,
}

struct Frame {
    kind: Kind,
    start: usize,
    wanted: usize,
}

enum Kind {
    Tuple,
    /// The items and the tail.
    List,
    /// Keys and values in turn.
    Map,
    /// Module, function, arity.
    Export,
    /// Module, old index, old uniq, creator, captured values.
    Closure {
        index: u32,
        arity: u32,
    },
}

impl Decoder<'_, '_> {
    fn run(&mut self) -> Result<Term, EtfError> {
        loop {
            self.begin_term()?;
            while let Some(frame) = self.frames.pop_if(|frame| self.values.len() == frame.start + frame.wanted) {
                let term = build(frame.kind, &mut self.values, frame.start)?;
                self.values.push(term);
            }
            if self.frames.is_empty() {
                return self.values.pop().ok_or(EtfError::Truncated);
            }
        }
    }

    /// Reads one tag and pushes a finished term, or a frame for an unfinished one.
    fn begin_term(&mut self) -> Result<(), EtfError> {
        let tag = self.input.byte()?;
        let term = match tag {
            tag::SMALL_TUPLE => {
                let arity = usize::from(self.input.byte()?);
                return self.begin(Kind::Tuple, arity);
            }
            tag::LARGE_TUPLE => {
                let arity = self.input.length()?;
                if arity >= 1 << 24 {
                    return Err(EtfError::LargeTuple);
                }
                return self.begin(Kind::Tuple, arity);
            }
            tag::LIST => return self.begin_list(),
            tag::STRING => return self.string(),
            tag::MAP => {
                let pairs = self.input.length()?;
                return self.begin(Kind::Map, pairs.saturating_mul(2));
            }
            tag::EXPORT => return self.begin(Kind::Export, 3),
            tag::NEW_FUN => {
                self.input.word()?;
                let arity = u32::from(self.input.byte()?);
                self.input.take(16)?;
                let index = self.input.word()?;
                let captured = self.input.length()?;
                if captured > 255 {
                    return Err(EtfError::BadFun);
                }
                return self.begin(Kind::Closure { index, arity }, captured + 4);
            }
            leaf => self.input.leaf(leaf)?,
        };
        self.values.push(term);
        Ok(())
    }

    fn begin(&mut self, kind: Kind, wanted: usize) -> Result<(), EtfError> {
        self.input.require(wanted)?;
        self.frames.push(Frame { kind, start: self.values.len(), wanted });
        Ok(())
    }

    /// Begins a list, or continues the list of which it is the tail, so that the canonical form needs no copy.
    fn begin_list(&mut self) -> Result<(), EtfError> {
        let items = self.input.length()?;
        self.input.require(items.saturating_add(1))?;
        match self.list_that_wants_a_tail() {
            Some(list) => list.wanted += items,
            None => self.begin(Kind::List, items + 1)?,
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), EtfError> {
        let length = usize::from(self.input.half_word()?);
        let characters = self.input.take(length)?.iter().map(|&byte| Term::Int(i64::from(byte)));
        match self.list_that_wants_a_tail() {
            Some(list) => {
                list.wanted += length;
                self.values.extend(characters);
                self.values.push(Term::Nil);
            }
            None => self.values.push(Term::list(characters.collect::<Arc<[Term]>>())),
        }
        Ok(())
    }

    fn list_that_wants_a_tail(&mut self) -> Option<&mut Frame> {
        let finished = self.values.len();
        self.frames
            .last_mut()
            .filter(|frame| matches!(frame.kind, Kind::List) && finished + 1 == frame.start + frame.wanted)
    }
}

/// Makes a term of the values from `start` on, and removes them from the stack.
fn build(kind: Kind, values: &mut Vec<Term>, start: usize) -> Result<Term, EtfError> {
    match kind {
        Kind::Tuple => Ok(Term::Tuple(values.drain(start..).collect())),
        Kind::List => {
            let tail = values.pop().ok_or(EtfError::Truncated)?;
            if values.len() == start {
                return Ok(tail);
            }
            let items = values.drain(start..).collect();
            Ok(Term::List(items, (tail != Term::Nil).then(|| Arc::new(tail))))
        }
        Kind::Map => {
            let mut parts = values.drain(start..);
            let mut pairs = Vec::with_capacity(parts.len() / 2);
            while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                pairs.push((key, value));
            }
            if has_duplicate_key(&pairs) { Err(EtfError::DuplicateKey) } else { Ok(Term::Map(pairs.into())) }
        }
        Kind::Export => {
            let fun = match &values[start..] {
                [Term::Atom(module), Term::Atom(function), Term::Int(arity @ 0..=255)] => {
                    Fun::External { module: *module, function: *function, arity: *arity as u32 }
                }
                _ => return Err(EtfError::BadFun),
            };
            values.truncate(start);
            Ok(Term::Fun(Arc::new(fun)))
        }
        Kind::Closure { index, arity } => {
            let fun = match &values[start..] {
                [Term::Atom(module), Term::Int(_), Term::Int(unique), Term::Pid(_), ..] => {
                    Fun::Local { module: *module, index, unique: *unique as u32, arity }
                }
                _ => return Err(EtfError::BadFun),
            };
            values.truncate(start);
            Ok(Term::Fun(Arc::new(fun)))
        }
    }
}

/// Returns whether two keys are encoded the same.
fn has_duplicate_key(pairs: &[(Term, Term)]) -> bool {
    if pairs.len() < 2 {
        return false;
    }
    let mut atoms = HashSet::new();
    let mut others = HashSet::new();
    pairs.iter().any(|(key, _)| match key {
        Term::Atom(atom) => !atoms.insert(*atom),
        other => !others.insert(crate::encode(other, crate::OLDEST_RELEASE)),
    })
}

struct Input<'a, 'm> {
    rest: &'a [u8],
    make_atom: &'m mut MakeAtom<'m>,
}

impl<'a> Input<'a, '_> {
    fn require(&self, bytes: usize) -> Result<(), EtfError> {
        if bytes <= self.rest.len() { Ok(()) } else { Err(EtfError::Truncated) }
    }

    fn take(&mut self, bytes: usize) -> Result<&'a [u8], EtfError> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or(EtfError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], EtfError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(EtfError::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, EtfError> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn half_word(&mut self) -> Result<u16, EtfError> {
        self.array().map(u16::from_be_bytes)
    }

    fn word(&mut self) -> Result<u32, EtfError> {
        self.array().map(u32::from_be_bytes)
    }

    fn length(&mut self) -> Result<usize, EtfError> {
        self.word().map(|word| word as usize)
    }

    /// Reads a term without parts.
    fn leaf(&mut self, tag: u8) -> Result<Term, EtfError> {
        Ok(match tag {
            tag::SMALL_INTEGER => Term::Int(i64::from(self.byte()?)),
            tag::INTEGER => Term::Int(i64::from(self.array().map(i32::from_be_bytes)?)),
            tag::SMALL_BIG => {
                let length = usize::from(self.byte()?);
                self.big(length)?
            }
            tag::LARGE_BIG => {
                let length = self.length()?;
                self.big(length)?
            }
            tag::NEW_FLOAT => finite(f64::from_bits(self.array().map(u64::from_be_bytes)?))?,
            tag::FLOAT => self.float_text()?,
            tag::NIL => Term::Nil,
            tag::BINARY => {
                let length = self.length()?;
                Term::binary(self.take(length)?)
            }
            tag::BIT_BINARY => self.bit_binary()?,
            tag::NEW_PID | tag::PID => {
                self.node()?;
                let id = u64::from(self.word()?);
                let serial = u64::from(self.word()?);
                self.creation(tag == tag::NEW_PID)?;
                Term::Pid(serial << 32 | id)
            }
            tag::NEW_PORT | tag::PORT => {
                self.node()?;
                let id = u64::from(self.word()?);
                self.creation(tag == tag::NEW_PORT)?;
                Term::Port(id)
            }
            tag::V4_PORT => {
                self.node()?;
                let id = self.array().map(u64::from_be_bytes)?;
                self.creation(true)?;
                Term::Port(id)
            }
            tag::NEWER_REFERENCE => {
                let words = self.half_word()?;
                let is_own = self.node()? == names::NONODE;
                self.creation(true)?;
                self.reference(words, is_own)?
            }
            tag::NEW_REFERENCE => {
                let words = self.half_word()?;
                self.node()?;
                self.creation(false)?;
                self.reference(words, true)?
            }
            tag::REFERENCE => {
                self.node()?;
                let term = self.reference(1, true)?;
                self.creation(false)?;
                term
            }
            atom => Term::Atom(self.atom(atom)?),
        })
    }

    fn big(&mut self, length: usize) -> Result<Term, EtfError> {
        let sign = if self.byte()? == 0 { Sign::Plus } else { Sign::Minus };
        Ok(Term::integer(BigInt::from_bytes_le(sign, self.take(length)?)))
    }

    fn float_text(&mut self) -> Result<Term, EtfError> {
        let field = self.take(tag::FLOAT_TEXT_LENGTH)?;
        let text = field.split(|&byte| byte == 0).next().unwrap_or_default();
        let value = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
        finite(value.ok_or(EtfError::BadFloat)?)
    }

    fn bit_binary(&mut self) -> Result<Term, EtfError> {
        let length = self.length()?;
        let used = usize::from(self.byte()?);
        let bytes = self.take(length)?;
        match (length, used) {
            (0, 0) => Ok(Term::binary([])),
            (1.., 1..=8) => Ok(Term::Bits(Bits::new(bytes.to_vec(), (length - 1) * 8 + used))),
            _ => Err(EtfError::BadBits),
        }
    }

    fn atom(&mut self, tag: u8) -> Result<Atom, EtfError> {
        let length = match tag {
            tag::ATOM | tag::ATOM_UTF8 => usize::from(self.half_word()?),
            tag::SMALL_ATOM | tag::SMALL_ATOM_UTF8 => usize::from(self.byte()?),
            other => return Err(EtfError::BadTag(other)),
        };
        let bytes = self.take(length)?;
        if matches!(tag, tag::ATOM | tag::SMALL_ATOM) {
            let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
            return if length > 255 { Err(EtfError::LongAtom) } else { (self.make_atom)(&text) };
        }
        let text = std::str::from_utf8(bytes).map_err(|_| EtfError::BadAtom)?;
        if text.chars().nth(255).is_some() { Err(EtfError::LongAtom) } else { (self.make_atom)(text) }
    }

    fn node(&mut self) -> Result<Atom, EtfError> {
        let tag = self.byte()?;
        self.atom(tag)
    }

    /// Skips the creation of a node, which has only two bits in its old form.
    fn creation(&mut self, wide: bool) -> Result<(), EtfError> {
        if wide {
            self.word().map(drop)
        } else if self.byte()? > 3 {
            Err(EtfError::BadIdentifier)
        } else {
            Ok(())
        }
    }

    /// Reads a reference. Its lowest word has 18 bits if `is_narrow`; nodes of other releases may use more.
    fn reference(&mut self, count: u16, is_narrow: bool) -> Result<Term, EtfError> {
        if !(1..=5).contains(&count) {
            return Err(EtfError::BadIdentifier);
        }
        let bytes = self.take(usize::from(count) * 4)?;
        let words =
            bytes.chunks_exact(4).map(|word| u64::from(u32::from_be_bytes([word[0], word[1], word[2], word[3]])));
        let words: Vec<u64> = words.collect();
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let low_fits = word(0) >> tag::REFERENCE_LOW_BITS == 0;
        if is_narrow && !low_fits {
            return Err(EtfError::BadIdentifier);
        }
        let high_shift = tag::REFERENCE_LOW_BITS + 32;
        let is_exact = low_fits && word(2) >> (64 - high_shift) == 0 && words.len() <= 3;
        Ok(Term::Reference(if is_exact {
            word(0) | word(1) << tag::REFERENCE_LOW_BITS | word(2) << high_shift
        } else {
            digest(bytes)
        }))
    }
}

fn finite(value: f64) -> Result<Term, EtfError> {
    if value.is_finite() { Ok(Term::Float(value)) } else { Err(EtfError::BadFloat) }
}

/// Returns the FNV-1a hash.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
