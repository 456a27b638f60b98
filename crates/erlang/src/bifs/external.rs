//! The external term format. Terms that contain closures are unsupported: only the run knows their code and the values
//! that they captured.
//!
//! Encoded terms have the same bytes as in OTP, with two exceptions. Compressed terms do only if the real runtime can
//! be asked: another compressor produces different, equally good bytes. And large maps are written in the order in
//! which they iterate here.

use super::atoms::exists_everywhere;
use super::crossing::{self, Called};
use super::{badarg, rows, seen};
use crate::otp;
use etf::{EtfError, MinorVersion};
use machine::value::copy_in;
use machine::{Context, Escape, ForeignAnswer, NoAnswer, Primitive, Word};
use path::{Stop, Surrounding};
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Identities Order Code;
    "term_to_binary" (Any) -> Binary,            badarg, term_to_binary_1, SampledWhere(meaning::always);
    "term_to_binary" (Any, List) -> Binary by Identities Order Code Platform,      badarg, term_to_binary_2, Sampled;
    "term_to_iovec"  (Any) -> ProperList from System,        badarg, term_to_iovec_1,  SampledWhere(meaning::always);
    "term_to_iovec"  (Any, List) -> ProperList from System,  badarg, term_to_iovec_2,  Sampled;
    "external_size"  (Any) -> NonNegative,       badarg, external_size_1,  SampledWhere(meaning::always);
    "external_size"  (Any, List) -> NonNegative, badarg, external_size_2,  Sampled;
    "binary_to_term" (Binary) -> Any by Atoms,            badarg, binary_to_term_1, Sampled;
    "binary_to_term" (Binary, List) -> Any by Atoms,      badarg, binary_to_term_2, Opaque;
}];

fn term_to_binary_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    encode(context, "term_to_binary", args, Encoding::usual())
}

fn term_to_binary_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let encoding = encoding(context, args[1])?;
    encode(context, "term_to_binary", args, encoding)
}

/// Returns a single piece: the bytes do not show where the BEAM would refer to a long binary inside the term.
fn term_to_iovec_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let whole = encode(context, "term_to_iovec", args, Encoding::usual())?;
    Ok(context.heap.list(&[whole], Word::NIL))
}

fn term_to_iovec_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let encoding = encoding(context, args[1])?;
    let whole = encode(context, "term_to_iovec", args, encoding)?;
    Ok(context.heap.list(&[whole], Word::NIL))
}

fn external_size_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    external_size(context, args, usual_version())
}

/// Returns the size of an encoded term. Before OTP 26, the function accepts fewer options and versions than
/// `term_to_binary`.
fn external_size_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if otp::encodes_atoms_in_utf8() {
        let version = encoding(context, args[1])?.version;
        return external_size(context, args, version);
    }
    let mut version = usual_version();
    let mut rest = args[1];
    while rest.is_cons() {
        version = match minor_version(rest.head().concrete()) {
            Some(MinorVersion::V0) => MinorVersion::V0,
            // Once the older form of floats was requested, a later option does not restore the newer one.
            Some(MinorVersion::V1) => version,
            Some(MinorVersion::V2) | None => return Err(context.error(names::BADARG)),
        };
        rest = rest.tail().concrete();
    }
    if !rest.is_nil() {
        return Err(context.error(names::BADARG));
    }
    external_size(context, args, version)
}

fn external_size(context: &mut Context, args: &[Word], version: MinorVersion) -> Result<Word, Escape> {
    let called = Called { module: "erlang", function: "external_size", arity: args.len() as u32 };
    seen::numbers(context, args[0]);
    let term = crossing::leave(context, called, args[0])?;
    let size = etf::encode_with(&term, version, otp::release()).len();
    context.charge(size / 16)?;
    Ok(Word::small(size as i64))
}

struct Encoding {
    version: MinorVersion,
    /// The level of compression, 0 for none; `None` leaves the choice to the compressor.
    level: Option<u32>,
    compressed: bool,
}

impl Encoding {
    fn usual() -> Encoding {
        Encoding { version: usual_version(), level: None, compressed: false }
    }
}

fn usual_version() -> MinorVersion {
    MinorVersion::of_release(otp::release())
}

fn encoding(context: &mut Context, options: Word) -> Result<Encoding, Escape> {
    let mut encoding = Encoding::usual();
    let mut rest = options;
    while rest.is_cons() {
        encode_option(&mut encoding, rest.head().concrete()).ok_or_else(|| context.error(names::BADARG))?;
        rest = rest.tail().concrete();
    }
    if rest.is_nil() { Ok(encoding) } else { Err(context.error(names::BADARG)) }
}

fn encode_option(encoding: &mut Encoding, option: Word) -> Option<()> {
    if let Some(name) = option.as_atom() {
        match name.text() {
            "compressed" => (encoding.compressed, encoding.level) = (true, None),
            "deterministic" => {}
            _ => return None,
        }
    } else if let Some(version) = minor_version(option) {
        encoding.version = version;
    } else {
        let &[tag, level] = option.as_tuple()? else { return None };
        let level = level.concrete().as_small().filter(|level| (0..=9).contains(level))?;
        if tag.concrete().as_atom().map(Atom::text) != Some("compressed") {
            return None;
        }
        (encoding.compressed, encoding.level) = (level > 0, Some(level as u32));
    }
    Some(())
}

/// Reads the option `{minor_version, 0..2}`.
fn minor_version(option: Word) -> Option<MinorVersion> {
    let &[tag, version] = option.as_tuple()? else { return None };
    if tag.concrete().as_atom().map(Atom::text) != Some("minor_version") {
        return None;
    }
    match version.concrete().as_small() {
        Some(0) => Some(MinorVersion::V0),
        Some(1) => Some(MinorVersion::V1),
        Some(2) => Some(MinorVersion::V2),
        Some(_) | None => None,
    }
}

fn encode(context: &mut Context, function: &'static str, args: &[Word], encoding: Encoding) -> Result<Word, Escape> {
    let called = Called { module: "erlang", function, arity: args.len() as u32 };
    seen::bytes(context, args[0]);
    let term = crossing::leave(context, called, args[0])?;
    if encoding.compressed {
        // Another version of the compressor produces different bytes.
        context.asks(Surrounding::System);
    }
    let bytes = if encoding.compressed {
        match compressed_by_the_runtime(context, called, &term, args)? {
            Some(binary) => return Ok(binary),
            None => {
                etf::encode_compressed(&term, encoding.version, encoding.level.unwrap_or(DEFAULT_LEVEL), otp::release())
            }
        }
    } else {
        etf::encode_with(&term, encoding.version, otp::release())
    };
    context.charge(bytes.len() / 16)?;
    context.heap.ensure_buffer_room(bytes.len());
    let length = bytes.len() * 8;
    Ok(context.heap.bits_of(bytes, length))
}

/// The level that zlib uses by default.
const DEFAULT_LEVEL: u32 = 6;

/// Has the real runtime compress the term; `None` if there is no runtime to ask.
fn compressed_by_the_runtime(
    context: &mut Context,
    called: Called,
    term: &term::Term,
    args: &[Word],
) -> Result<Option<Word>, Escape> {
    let Some(mut runtime) = context.foreign.take() else { return Ok(None) };
    let answer = match args.get(1) {
        Some(options) => crossing::leave(context, called, *options)
            .map(|options| runtime.call(names::ERLANG, Atom::new("term_to_binary"), &[term.clone(), options])),
        None => Ok(Err(NoAnswer::Failed(String::new()))),
    };
    context.foreign = Some(runtime);
    match answer? {
        Ok(ForeignAnswer::Value(binary)) => Ok(Some(copy_in(&mut context.heap, &binary))),
        Ok(ForeignAnswer::Raised { .. }) | Err(_) => Ok(None),
    }
}

fn binary_to_term_1(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(decode(context, args, Atoms::New)?.0)
}

fn binary_to_term_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (mut atoms, mut used) = (Atoms::New, false);
    let mut rest = args[1];
    while rest.is_cons() {
        match rest.head().concrete().as_atom().map(Atom::text) {
            Some("safe") => atoms = Atoms::Existing,
            Some("used") => used = true,
            Some(_) | None => return Err(context.error(names::BADARG)),
        }
        rest = rest.tail().concrete();
    }
    if !rest.is_nil() {
        return Err(context.error(names::BADARG));
    }
    let (term, length) = decode(context, args, atoms)?;
    Ok(if used { context.heap.tuple(&[term, Word::small(length as i64)]) } else { term })
}

/// The atoms that a decoded term may contain.
#[derive(Clone, Copy)]
enum Atoms {
    New,
    Existing,
}

fn decode(context: &mut Context, args: &[Word], atoms: Atoms) -> Result<(Word, usize), Escape> {
    let called = Called { module: "erlang", function: "binary_to_term", arity: args.len() as u32 };
    let bytes = args[0].as_bits().map(|bits| bits.to_bytes()).unwrap_or_default();
    let size = unpacked_size(&bytes);
    context.charge(size / 8)?;
    context.heap.ensure_buffer_room(size);
    let decoded = etf::decode_prefix_with(&bytes, &mut |text| match atoms {
        Atoms::Existing => {
            if !exists_everywhere(text) {
                context.asks(Surrounding::Atoms);
            }
            Atom::existing(text).ok_or(EtfError::BadAtom)
        }
        Atoms::New => context.make_atom(text).ok().and_then(Word::as_atom).ok_or(EtfError::AtomLimit),
    });
    match decoded {
        Ok((term, used)) => Ok((crossing::enter(context, called, &term)?, used)),
        Err(EtfError::AtomLimit) => Err(context.stop(Stop::AtomLimit)),
        Err(EtfError::TooLarge(_)) => Err(context.stop(Stop::MemoryLimit)),
        Err(_) => Err(context.error(names::BADARG)),
    }
}

/// Returns the size that a term claims to have when it is decompressed: a few bytes may claim gigabytes.
fn unpacked_size(bytes: &[u8]) -> usize {
    match bytes {
        &[131, 80, a, b, c, d, ..] => u32::from_be_bytes([a, b, c, d]) as usize,
        _ => bytes.len(),
    }
}
