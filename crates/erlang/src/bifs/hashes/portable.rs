//! `phash` and `phash2`: hashes that are the same on every BEAM. A program can print them, so they are ported bit by
//! bit. The hashes of closures, pids and references depend on the system anyway and are our own.
//!
//! `phash2` mixes with Bob Jenkins's function of three words; every kind of term has its own multiple of
//! the golden ratio. `phash` multiplies by primes just above 2^28.

use machine::{Kind, Word};
use term::Atom;

/// Parts of a term that are still to be hashed, the next one last.
enum Open {
    Term(Word),
    /// The end of a pair of a map. The hashes of pairs are joined by xor, so that their order does not matter.
    PairEnd,
    /// The end of the pairs of a map.
    MapEnd {
        hash: u32,
        pairs: u32,
    },
}

/// Returns the multiple of the golden ratio that distinguishes a kind of term.
const fn ratio(multiple: u32) -> u32 {
    0x9e37_79b9u32.wrapping_mul(multiple)
}

const NUMBER: u32 = ratio(1);
const NIL: u32 = ratio(2);
const ATOM: u32 = ratio(3);
const STRING: u32 = ratio(4);
const PID: u32 = ratio(5);
const PORT: u32 = ratio(6);
const REFERENCE: u32 = ratio(7);
const TUPLE: u32 = ratio(9);
const NEGATIVE: u32 = ratio(10);
const POSITIVE: u32 = ratio(11);
const FLOAT: u32 = ratio(12);
const BYTES: u32 = ratio(13);
const EXTERNAL: u32 = ratio(14);
const BITS: u32 = ratio(15);
const MAP: u32 = ratio(16);
const PAIRS: u32 = ratio(19);

pub fn phash2(word: Word) -> u32 {
    let word = word.concrete();
    // The hash of an atom alone is not mixed.
    if let Some(atom) = word.as_atom() {
        return atom_hash(atom);
    }
    let (mut hash, mut pairs) = (0, 0);
    let mut open = vec![Open::Term(word)];
    while let Some(next) = open.pop() {
        term::work::tick();
        match next {
            Open::Term(term) => hash = term_hash2(term.concrete(), hash, &mut pairs, &mut open),
            Open::PairEnd => {
                pairs ^= hash;
                hash = 0;
            }
            Open::MapEnd { hash: before, pairs: outer } => {
                hash = with(before, pairs, PAIRS);
                pairs = outer;
            }
        }
    }
    hash
}

fn term_hash2(word: Word, hash: u32, pairs: &mut u32, open: &mut Vec<Open>) -> u32 {
    if let Some(value) = word.as_small() {
        return small_hash2(value, hash);
    }
    if let Some(atom) = word.as_atom() {
        return if hash == 0 { atom_hash(atom) } else { with(hash, atom_hash(atom), ATOM) };
    }
    if word.is_cons() {
        return list_hash2(word, hash, open);
    }
    let Some(kind) = word.kind() else {
        /// The hash of the empty list alone.
        const EMPTY: u32 = 3_468_870_702;
        return if hash == 0 { EMPTY } else { with(hash, 2, NIL) };
    };
    match kind {
        Kind::Tuple => {
            open.extend(word.payload().iter().rev().copied().map(Open::Term));
            with(hash, word.payload().len() as u32, TUPLE)
        }
        Kind::SmallMap | Kind::LargeMap => {
            let hash = with(hash, word.map_size() as u32, MAP);
            if word.map_size() == 0 {
                return hash;
            }
            open.push(Open::MapEnd { hash, pairs: std::mem::take(pairs) });
            for (key, value) in word.map_iter() {
                open.extend([Open::PairEnd, Open::Term(value), Open::Term(key)]);
            }
            0
        }
        Kind::Float => {
            // -0.0 is hashed as 0.0.
            let bits = (word.as_float().unwrap_or_default() + 0.0).to_bits();
            with_two(hash, (bits >> 32) as u32, bits as u32, FLOAT)
        }
        Kind::Big => {
            let (negative, limbs) = word.as_limbs().unwrap_or_default();
            let kind = if negative { NEGATIVE } else { POSITIVE };
            limbs.iter().fold(hash, |hash, limb| with_two(hash, *limb as u32, (*limb >> 32) as u32, kind))
        }
        Kind::Bits | Kind::BitsSlice => bits_hash2(word, hash),
        Kind::Closure => {
            let (function, captures) = word.as_closure().unwrap_or_default();
            open.extend(captures.iter().rev().copied().map(Open::Term));
            with_two(with_two(hash, captures.len() as u32, 0, NUMBER), function as u32, 0, NUMBER)
        }
        Kind::External => {
            let (module, function) = (word.payload()[0].as_atom(), word.payload()[1].as_atom());
            let hash = with_two(hash, u32::from(word.header().aux()), module.map_or(0, atom_hash), NUMBER);
            with(hash, function.map_or(0, atom_hash), EXTERNAL)
        }
        Kind::Pid => with(hash, word.identity() as u32, PID),
        Kind::Port => with_two(hash, word.identity() as u32, (word.identity() >> 32) as u32, PORT),
        Kind::Reference => with(hash, word.identity() as u32, REFERENCE),
        // These are internal objects of the machine, not terms.
        Kind::MapNode | Kind::MapCollision | Kind::Trace => hash,
    }
}

/// Hashes a small integer: up to 28 bits as one number, which is mixed twice if negative; others as the halves of the
/// magnitude.
fn small_hash2(value: i64, hash: u32) -> u32 {
    const LIMIT: i64 = 1 << 27;
    if !(-LIMIT..LIMIT).contains(&value) {
        let (magnitude, kind) = (value.unsigned_abs(), if value < 0 { NEGATIVE } else { POSITIVE });
        return with_two(hash, magnitude as u32, (magnitude >> 32) as u32, kind);
    }
    let hash = if value < 0 { with(hash, value.unsigned_abs() as u32, NUMBER) } else { hash };
    with(hash, value as u32, NUMBER)
}

/// Hashes a list. Bytes at its start are hashed four at a time.
fn list_hash2(list: Word, mut hash: u32, open: &mut Vec<Open>) -> u32 {
    let (mut rest, mut four, mut count) = (list, 0u32, 0);
    while rest.is_cons() {
        let Some(byte) = as_byte(rest.head()) else { break };
        four = four << 8 | u32::from(byte);
        count += 1;
        if count == 4 {
            hash = with(hash, four, STRING);
            (four, count) = (0, 0);
        }
        rest = rest.tail().concrete();
    }
    if count > 0 {
        hash = with(hash, four, STRING);
    }
    if rest.is_cons() {
        open.extend([Open::Term(rest.tail()), Open::Term(rest.head())]);
    } else {
        open.push(Open::Term(rest));
    }
    hash
}

fn as_byte(word: Word) -> Option<u8> {
    word.concrete().as_small().and_then(|value| u8::try_from(value).ok())
}

fn bits_hash2(word: Word, hash: u32) -> u32 {
    let Some(bits) = word.as_bits() else { return hash };
    let start = BYTES.wrapping_add(hash);
    if bits.is_empty() {
        return start;
    }
    let (whole, rest) = (bits.len() / 8 * 8, bits.len() % 8);
    let hash = block_hash(&bits.part(0, whole).to_bytes(), start);
    if rest == 0 { hash } else { with_two(hash, rest as u32, bits.read(whole, rest) as u32, BITS) }
}

/// Hashes bytes, twelve at a time; the last ones leave room for the length.
fn block_hash(bytes: &[u8], start: u32) -> u32 {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |number, byte| number << 8 | u32::from(*byte));
    let (mut a, mut b, mut c) = (NUMBER, NUMBER, start);
    let mut blocks = bytes.chunks_exact(12);
    for block in &mut blocks {
        a = a.wrapping_add(number(&block[..4]));
        b = b.wrapping_add(number(&block[4..8]));
        c = c.wrapping_add(number(&block[8..]));
        (a, b, c) = mix(a, b, c);
    }
    let mut last = [0; 12];
    let rest = blocks.remainder();
    for (index, byte) in rest.iter().enumerate() {
        last[if index < 8 { index } else { index + 1 }] = *byte;
    }
    a = a.wrapping_add(number(&last[..4]));
    b = b.wrapping_add(number(&last[4..8]));
    c = c.wrapping_add(number(&last[8..])).wrapping_add(bytes.len() as u32);
    mix(a, b, c).2
}

fn with(hash: u32, value: u32, kind: u32) -> u32 {
    with_two(hash, value, 0, kind)
}

fn with_two(hash: u32, first: u32, second: u32, kind: u32) -> u32 {
    mix(kind.wrapping_add(first), kind.wrapping_add(second), hash).2
}

/// Mixes three words: Bob Jenkins, "Hash functions", Dr. Dobb's Journal 1997.
fn mix(mut a: u32, mut b: u32, mut c: u32) -> (u32, u32, u32) {
    for (x, y, z) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
        a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> x);
        b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << y);
        c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> z);
    }
    (a, b, c)
}

/// Hashes an atom with P. J. Weinberger's function over the characters, those of Latin-1 as one byte.
fn atom_hash(atom: Atom) -> u32 {
    let mut hash = 0u32;
    let mut buffer = [0; 4];
    for character in atom.text().chars() {
        let latin;
        let bytes = match u8::try_from(character) {
            Ok(byte) => {
                latin = [byte];
                &latin[..]
            }
            Err(_) => character.encode_utf8(&mut buffer).as_bytes(),
        };
        for byte in bytes {
            hash = (hash << 4).wrapping_add(u32::from(*byte));
            let high = hash & 0xf000_0000;
            hash ^= high >> 24 ^ high;
        }
    }
    hash
}

const PRIMES: [u32; 14] = [
    268_440_163, 268_439_161, 268_435_459, 268_436_141, 268_438_633, 268_437_017, 268_438_039, 268_437_511,
    268_439_627, 268_440_479, 268_440_577, 268_440_581, 268_440_593, 268_440_611,
];

/// Returns `hash · prime(n) + value`; primes are counted from one.
fn step(hash: u32, prime: usize, value: u32) -> u32 {
    hash.wrapping_mul(PRIMES[prime - 1]).wrapping_add(value)
}

enum OpenOld {
    Term(Word),
    Tail(Word),
    ListEnd,
    TupleEnd(usize),
}

pub fn phash(word: Word) -> u32 {
    let mut hash = 0;
    let mut open = vec![OpenOld::Term(word)];
    while let Some(next) = open.pop() {
        term::work::tick();
        hash = match next {
            OpenOld::Term(term) => term_hash(term.concrete(), hash, &mut open),
            OpenOld::Tail(tail) if tail.concrete().is_cons() => list_hash(tail.concrete(), hash, &mut open),
            OpenOld::Tail(tail) => {
                open.extend([OpenOld::ListEnd, OpenOld::Term(tail)]);
                hash
            }
            OpenOld::ListEnd => hash.wrapping_mul(PRIMES[7]),
            OpenOld::TupleEnd(size) => step(hash, 9, size as u32),
        };
    }
    hash
}

fn term_hash(word: Word, hash: u32, open: &mut Vec<OpenOld>) -> u32 {
    if word.is_integer() {
        return integer_hash(word, hash);
    }
    if let Some(atom) = word.as_atom() {
        return step(hash, 1, atom_hash(atom));
    }
    if word.is_cons() {
        return list_hash(word, hash, open);
    }
    let Some(kind) = word.kind() else { return step(hash, 3, 1) };
    match kind {
        Kind::Tuple => {
            open.push(OpenOld::TupleEnd(word.payload().len()));
            open.extend(word.payload().iter().rev().copied().map(OpenOld::Term));
            hash
        }
        Kind::SmallMap | Kind::LargeMap => step(hash, 13, PRIMES[13].wrapping_add(phash2(word))),
        Kind::Float => {
            let bits = (word.as_float().unwrap_or_default() + 0.0).to_bits();
            step(hash, 6, bits as u32 ^ (bits >> 32) as u32)
        }
        Kind::Bits | Kind::BitsSlice => {
            let Some(bits) = word.as_bits() else { return hash };
            let (whole, rest) = (bits.len() / 8 * 8, bits.len() % 8);
            let bytes = bits.part(0, whole).to_bytes();
            let hash = bytes.iter().fold(hash, |hash, byte| step(hash, 1, u32::from(*byte)));
            let hash = match rest {
                0 => hash,
                _ => step(step(hash, 1, bits.read(whole, rest) as u32), 12, rest as u32),
            };
            step(hash, 4, bytes.len() as u32)
        }
        Kind::Closure => {
            let (function, captures) = word.as_closure().unwrap_or_default();
            open.extend(captures.iter().rev().copied().map(OpenOld::Term));
            step(step(hash, 10, captures.len() as u32), 2, function as u32)
        }
        Kind::External => {
            let name = |index: usize| word.payload()[index].as_atom().map_or(0, atom_hash);
            step(step(step(hash, 11, u32::from(word.header().aux())), 1, name(0)), 1, name(1))
        }
        Kind::Pid => word_hash(hash, word.identity() as u32, 5).wrapping_mul(PRIMES[5]),
        Kind::Port | Kind::Reference => word_hash(hash, word.identity() as u32, 9).wrapping_mul(PRIMES[9]),
        Kind::Big | Kind::MapNode | Kind::MapCollision | Kind::Trace => hash,
    }
}

fn list_hash(list: Word, mut hash: u32, open: &mut Vec<OpenOld>) -> u32 {
    let mut rest = list;
    while rest.is_cons() {
        let Some(byte) = as_byte(rest.head()) else {
            open.extend([OpenOld::Tail(rest.tail()), OpenOld::Term(rest.head())]);
            return hash;
        };
        hash = step(hash, 2, u32::from(byte));
        rest = rest.tail().concrete();
    }
    open.extend([OpenOld::ListEnd, OpenOld::Term(rest)]);
    hash
}

/// Hashes the magnitude byte by byte, the least significant first, in whole words of 32 bits.
fn integer_hash(word: Word, hash: u32) -> u32 {
    let small;
    let (negative, limbs) = match word.as_small() {
        Some(value) => {
            small = [value.unsigned_abs()];
            (value < 0, &small[..])
        }
        None => word.as_limbs().unwrap_or_default(),
    };
    let halves = limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]);
    let count = limbs.len() * 2 - usize::from(limbs.last().is_some_and(|limb| limb >> 32 == 0));
    let hash = halves.take(count).fold(hash, |hash, half| word_hash(hash, half, 2));
    hash.wrapping_mul(PRIMES[if negative { 3 } else { 2 }])
}

fn word_hash(hash: u32, word: u32, prime: usize) -> u32 {
    word.to_le_bytes().iter().fold(hash, |hash, byte| step(hash, prime, u32::from(*byte)))
}
