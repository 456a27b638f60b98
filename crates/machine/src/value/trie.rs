//! Large maps: a trie of 16-way nodes over the hash of the keys, four bits a level from the lowest on.
//!
//! A child is a cons cell key|value, a node, or, below the last level, the keys with one hash. A node with a single
//! leaf exists only at the root; a chain of single nodes only above keys that share the hash so far. An iteration is
//! ordered by *position*: the hash with its digits in the order of the levels.

use super::equal::identical;
use super::heap::Heap;
use super::word::{Kind, Word};
use std::cmp::Ordering;

const BITS_PER_LEVEL: u32 = 4;
const LEVELS: u32 = u64::BITS / BITS_PER_LEVEL;

/// A key and a value that are to be put into a trie.
pub(super) struct Leaf {
    position: u64,
    pub key: Word,
    pub value: Word,
}

#[cfg(not(test))]
#[inline]
pub(super) fn hash_of(key: Word) -> u64 {
    super::equal::hash(key)
}

#[cfg(test)]
thread_local! {
    /// The bits of the hash that count: tests clear some to make keys collide.
    pub(super) static HASH_MASK: std::cell::Cell<u64> = const { std::cell::Cell::new(u64::MAX) };
}

#[cfg(test)]
pub(super) fn hash_of(key: Word) -> u64 {
    super::equal::hash(key) & HASH_MASK.get()
}

/// Returns the hash with the digit of the root first. The function is its own inverse.
pub(super) fn position_of(hash: u64) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let bytes = hash.swap_bytes();
    (bytes & LOW) << 4 | bytes >> 4 & LOW
}

/// Returns the index, of 16, of the child for the hash on a level.
#[inline]
fn digit(hash: u64, level: u32) -> u64 {
    hash >> (level * BITS_PER_LEVEL) & 15
}

/// Returns the occupancy of a node, the bit of a child in it, and the index in the payload at which the child is or
/// would be.
#[inline]
fn slot(payload: &[Word], hash: u64, level: u32) -> (u64, u64, usize) {
    let occupied = payload[0].small_value() as u64;
    let bit = 1u64 << digit(hash, level);
    (occupied, bit, 1 + (occupied & (bit - 1)).count_ones() as usize)
}

/// Returns the payload of a node, or of the keys with one hash. All functions here that take a word besides keys and
/// values require one of these two: the root of a large map, or a descendant that is no cons cell.
#[inline(always)]
fn children(node: &Word) -> &[Word] {
    debug_assert!(node.is_kind(Kind::MapNode) || node.is_kind(Kind::MapCollision));
    // SAFETY: the payload of both kinds is values.
    unsafe { node.words() }
}

pub(super) fn get(mut node: Word, hash: u64, key: Word) -> Option<Word> {
    let mut level = 0;
    loop {
        if node.is_cons() {
            return identical(node.head(), key).then(|| node.tail());
        }
        let payload = children(&node);
        if node.is_kind(Kind::MapCollision) {
            return payload.iter().find(|leaf| identical(leaf.head(), key)).map(|leaf| leaf.tail());
        }
        let (occupied, bit, position) = slot(payload, hash, level);
        if occupied & bit == 0 {
            return None;
        }
        node = payload[position];
        level += 1;
    }
}

/// Returns the pairs as leaves in the order of the trie. Of equal keys, the last one remains.
pub(super) fn distinct(pairs: &[(Word, Word)]) -> Vec<Leaf> {
    let mut leaves: Vec<Leaf> =
        pairs.iter().map(|&(key, value)| Leaf { position: position_of(hash_of(key)), key, value }).collect();
    leaves.sort_by_key(|leaf| leaf.position);
    let mut kept: Vec<Leaf> = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let same = kept.iter().rev().take_while(|other| other.position == leaf.position);
        match same.enumerate().find(|(_, other)| identical(other.key, leaf.key)) {
            Some((back, _)) => {
                let at = kept.len() - 1 - back;
                kept[at] = leaf;
            }
            None => kept.push(leaf),
        }
    }
    kept
}

impl Heap {
    /// Makes the trie of several distinct leaves in the order of the trie.
    pub(super) fn trie_of(&mut self, leaves: &[Leaf]) -> Word {
        self.trie_below(leaves, 0)
    }

    fn trie_below(&mut self, leaves: &[Leaf], level: u32) -> Word {
        if let [leaf] = leaves
            && level > 0
        {
            return self.cons(leaf.key, leaf.value);
        }
        if level == LEVELS {
            let cells: Vec<Word> = leaves.iter().map(|leaf| self.cons(leaf.key, leaf.value)).collect();
            return self.boxed(Kind::MapCollision, 0, &cells);
        }
        let digit = |leaf: &Leaf| leaf.position >> ((LEVELS - 1 - level) * BITS_PER_LEVEL) & 15;
        let mut words = [Word::NIL; 17];
        let (mut used, mut occupied) = (1, 0);
        for group in leaves.chunk_by(|a, b| digit(a) == digit(b)) {
            occupied |= 1i64 << digit(&group[0]);
            words[used] = self.trie_below(group, level + 1);
            used += 1;
        }
        words[0] = Word::small(occupied);
        self.boxed(Kind::MapNode, 0, &words[..used])
    }

    /// Returns the new node, and whether the key is new.
    pub(super) fn trie_put(&mut self, node: Word, hash: u64, level: u32, key: Word, value: Word) -> (Word, bool) {
        if node.is_cons() {
            if identical(node.head(), key) {
                return (self.cons(key, value), false);
            }
            let leaf = self.cons(key, value);
            return (self.trie_pair(node, hash_of(node.head()), leaf, hash, level), true);
        }
        if node.is_kind(Kind::MapCollision) {
            return self.collision_put(node, key, value);
        }
        let payload = children(&node);
        let (occupied, bit, position) = slot(payload, hash, level);
        let mut words = [Word::NIL; 17];
        if occupied & bit != 0 {
            let (child, added) = self.trie_put(payload[position], hash, level + 1, key, value);
            words[..payload.len()].copy_from_slice(payload);
            words[position] = child;
            (self.boxed(Kind::MapNode, 0, &words[..payload.len()]), added)
        } else {
            words[0] = Word::small((occupied | bit) as i64);
            words[1..position].copy_from_slice(&payload[1..position]);
            words[position] = self.cons(key, value);
            words[position + 1..=payload.len()].copy_from_slice(&payload[position..]);
            (self.boxed(Kind::MapNode, 0, &words[..=payload.len()]), true)
        }
    }

    /// Makes the smallest trie below `level` with two leaves of different keys.
    fn trie_pair(&mut self, a: Word, hash_a: u64, b: Word, hash_b: u64, level: u32) -> Word {
        if level == LEVELS {
            return self.boxed(Kind::MapCollision, 0, &[a, b]);
        }
        let (x, y) = (digit(hash_a, level), digit(hash_b, level));
        let occupied = Word::small((1i64 << x) | (1i64 << y));
        match x.cmp(&y) {
            Ordering::Less => self.boxed(Kind::MapNode, 0, &[occupied, a, b]),
            Ordering::Greater => self.boxed(Kind::MapNode, 0, &[occupied, b, a]),
            Ordering::Equal => {
                let child = self.trie_pair(a, hash_a, b, hash_b, level + 1);
                self.boxed(Kind::MapNode, 0, &[occupied, child])
            }
        }
    }

    fn collision_put(&mut self, node: Word, key: Word, value: Word) -> (Word, bool) {
        let mut leaves = children(&node).to_vec();
        let leaf = self.cons(key, value);
        let known = leaves.iter().position(|other| identical(other.head(), key));
        match known {
            Some(position) => leaves[position] = leaf,
            None => leaves.push(leaf),
        }
        (self.boxed(Kind::MapCollision, 0, &leaves), known.is_none())
    }

    /// Returns the node without the key, which it must have. `None` if it was the only one.
    pub(super) fn trie_remove(&mut self, node: Word, hash: u64, level: u32, key: Word) -> Option<Word> {
        if node.is_cons() {
            return None;
        }
        let payload = children(&node);
        if node.is_kind(Kind::MapCollision) {
            let left: Vec<Word> = payload.iter().copied().filter(|leaf| !identical(leaf.head(), key)).collect();
            return Some(if let [only] = left[..] { only } else { self.boxed(Kind::MapCollision, 0, &left) });
        }
        let (occupied, bit, position) = slot(payload, hash, level);
        let mut words = [Word::NIL; 17];
        let mut used = payload.len();
        words[..used].copy_from_slice(payload);
        match self.trie_remove(payload[position], hash, level + 1, key) {
            Some(child) => words[position] = child,
            None => {
                words.copy_within(position + 1..used, position);
                used -= 1;
                words[0] = Word::small((occupied & !bit) as i64);
            }
        }
        match words[..used] {
            [_] => None,
            // A single leaf needs no node around it.
            [_, only] if only.is_cons() && level > 0 => Some(only),
            _ => Some(self.boxed(Kind::MapNode, 0, &words[..used])),
        }
    }
}

/// Begins an iteration over all leaves below `node`: the open nodes, and how many of their children were taken.
pub(super) fn open(node: Word) -> Vec<(Word, usize)> {
    vec![(node, 0)]
}

/// Begins an iteration over the leaves below `root` whose position is not below `position`.
pub(super) fn open_at(root: Word, position: u64) -> Vec<(Word, usize)> {
    let hash = position_of(position);
    let mut open = Vec::new();
    let mut node = root;
    for level in 0..LEVELS {
        let (occupied, bit, slot) = slot(children(&node), hash, level);
        let child = slot - 1;
        if occupied & bit == 0 {
            open.push((node, child));
            return open;
        }
        let next = children(&node)[slot];
        if next.is_cons() {
            let passed = position_of(hash_of(next.head())) < position;
            open.push((node, child + usize::from(passed)));
            return open;
        }
        open.push((node, child + 1));
        node = next;
    }
    open.push((node, 0));
    open
}

pub(super) fn next(open: &mut Vec<(Word, usize)>) -> Option<(Word, Word)> {
    loop {
        let (node, next) = open.last_mut()?;
        // A node's first word is its occupancy.
        let skip = usize::from(node.is_kind(Kind::MapNode));
        match children(node).get(*next + skip).copied() {
            None => {
                open.pop();
            }
            Some(child) => {
                *next += 1;
                if child.is_cons() {
                    return Some((child.head(), child.tail()));
                }
                open.push((child, 0));
            }
        }
    }
}
