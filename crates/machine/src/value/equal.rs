//! Structural identity and a hash that agrees with it.
//!
//! Identity is the equality of pattern matching and map keys: same kind, same value. Whether `0.0` and `-0.0` are
//! identical depends on the release. Depth of data does not matter: the stack is explicit, and empty for flat data.
//! Large maps inside the keys of large maps recurse, on a stack that grows.

use super::bits::BitsRef;
use super::heap::BYTES_PER_TICK;
use super::map;
use super::word::{Kind, Word};
use term::{floats, work};

pub fn identical(a: Word, b: Word) -> bool {
    let (a, b) = (a.concrete(), b.concrete());
    if a == b {
        return true;
    }
    if a.is_immediate() || b.is_immediate() {
        return false;
    }
    let mut open = Vec::new();
    if !step(a, b, &mut open) {
        return false;
    }
    while let Some((a, b)) = open.pop() {
        work::tick();
        if !step(a, b, &mut open) {
            return false;
        }
    }
    true
}

/// Compares the tops of two terms, and pushes pairs of parts that must be identical, too.
fn step(mut a: Word, mut b: Word, open: &mut Vec<(Word, Word)>) -> bool {
    loop {
        (a, b) = (a.concrete(), b.concrete());
        if a == b {
            return true;
        }
        if a.is_cons() && b.is_cons() {
            let (x, y) = (a.head().concrete(), b.head().concrete());
            if x != y {
                if x.is_immediate() || y.is_immediate() {
                    return false;
                }
                open.push((x, y));
            }
            (a, b) = (a.tail(), b.tail());
            continue;
        }
        let (Some(kind), Some(other)) = (a.kind(), b.kind()) else { return false };
        return boxed(a, kind, b, other, open);
    }
}

fn boxed(a: Word, kind: Kind, b: Word, other: Kind, open: &mut Vec<(Word, Word)>) -> bool {
    match (kind, other) {
        (Kind::Bits | Kind::BitsSlice, Kind::Bits | Kind::BitsSlice) => {
            let (a, b) = (a.as_bits(), b.as_bits());
            work::ticks(a.as_ref().map_or(0, BitsRef::len) / (8 * BYTES_PER_TICK));
            a == b
        }
        _ if kind != other => false,
        (Kind::Float, _) => a.as_float().map(floats::identity) == b.as_float().map(floats::identity),
        (Kind::Big, _) => {
            work::ticks(a.header().payload() * 8 / BYTES_PER_TICK);
            a.as_limbs() == b.as_limbs()
        }
        (Kind::Pid | Kind::Reference | Kind::Port, _) => a.identity() == b.identity(),
        (Kind::LargeMap, _) => {
            let same_key = |(key, value)| match map::get(b, key) {
                Some(other) => {
                    open.push((value, other));
                    true
                }
                None => false,
            };
            map::size(a) == map::size(b) && deeper(|| map::MapIter::new(a).all(same_key))
        }
        (Kind::Closure, _) => {
            a.header() == b.header() && a.raw(0) == b.raw(0) && {
                open.extend(a.payload().iter().copied().zip(b.payload().iter().copied()));
                true
            }
        }
        (Kind::Trace, _) => false,
        (Kind::Tuple | Kind::SmallMap | Kind::External | Kind::MapNode | Kind::MapCollision, _) => {
            let (x, y) = (a.payload(), b.payload());
            x.len() == y.len() && {
                // Immediate parts are compared at once: most tuples need no stack.
                for (&x, &y) in x.iter().zip(y) {
                    if x != y {
                        if x.is_immediate() && y.is_immediate() {
                            return false;
                        }
                        open.push((x, y));
                    }
                }
                true
            }
        }
        (Kind::Bits | Kind::BitsSlice, _) => false,
    }
}

fn deeper<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, work)
}

const SEED: u64 = 0x517c_c1b7_2722_0a95;

#[inline]
fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(SEED)
}

/// Returns a hash, which is equal for identical terms. It is not the hash of any language's runtime.
pub fn hash(word: Word) -> u64 {
    let mut result = 0;
    let mut open = Vec::new();
    let mut next = Some(word);
    while let Some(word) = next {
        work::tick();
        result = hash_step(word.concrete(), result, &mut open);
        next = open.pop();
    }
    // The high bits of the product are the good ones; consumers use the low bits first.
    (result ^ result >> 32).wrapping_mul(SEED).rotate_left(26)
}

fn hash_step(mut word: Word, mut result: u64, open: &mut Vec<Word>) -> u64 {
    loop {
        word = word.concrete();
        if word.is_immediate() {
            return mix(result, word.0);
        }
        if !word.is_cons() {
            break;
        }
        let head = word.head().concrete();
        if head.is_immediate() {
            result = mix(result, head.0);
        } else {
            open.push(head);
        }
        result = mix(result, 1);
        word = word.tail();
    }
    let kind = word.header().kind();
    match kind {
        // One hash for both zeros, which are identical.
        Kind::Float => mix(mix(result, 3), word.as_float().map_or(0, floats::identity)),
        Kind::Big => word.as_limbs().map_or(result, |(negative, limbs)| {
            work::ticks(limbs.len() / 8);
            limbs.iter().fold(mix(result, 5 + u64::from(negative)), |hash, limb| mix(hash, *limb))
        }),
        Kind::Bits | Kind::BitsSlice => {
            work::ticks(word.as_bits().map_or(0, |bits| bits.len()) / 512);
            word.as_bits().map_or(result, |bits| bits.chunks().fold(mix(result, bits.len() as u64), mix))
        }
        Kind::Pid | Kind::Reference | Kind::Port => mix(mix(result, kind as u64), word.identity()),
        // Keys with the same hash iterate in the order of insertion, so the order must not matter.
        Kind::LargeMap => {
            let pairs = map::MapIter::new(word);
            let sum = deeper(|| pairs.fold(0u64, |sum, (key, value)| sum.wrapping_add(mix(hash(key), hash(value)))));
            mix(mix(result, map::size(word) as u64), sum)
        }
        Kind::Closure => {
            open.extend_from_slice(word.payload());
            mix(mix(result, word.header().0), word.raw(0))
        }
        Kind::Trace => mix(result, 7),
        Kind::Tuple | Kind::SmallMap | Kind::External | Kind::MapNode | Kind::MapCollision => {
            open.extend_from_slice(word.payload());
            // The header is left out: maps that are equal may have different marks for shadows of keys.
            mix(mix(result, kind as u64), word.payload().len() as u64)
        }
    }
}
