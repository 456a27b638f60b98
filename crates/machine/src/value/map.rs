//! Maps: up to [`SMALL_MAP`] keys a sorted array (with the keys shared between versions), beyond that
//! a hash trie of 16-way nodes. Small maps iterate in the language's order of keys, as the BEAM's do;
//! large ones in the order of our own hash.

use super::equal::{hash, identical};
use super::heap::Heap;
use super::word::{Kind, Word};
use std::cmp::Ordering;

pub const SMALL_MAP: usize = 32;
const BITS_PER_LEVEL: u32 = 4;

/// Number of keys.
pub fn size(map: Word) -> usize {
    match map.header().kind() {
        Kind::SmallMap => map.payload().len() - 1,
        _ => map.payload()[0].small_value() as usize,
    }
}

pub fn get(map: Word, key: Word) -> Option<Word> {
    match map.header().kind() {
        Kind::SmallMap => small_position(map, key).map(|position| map.payload()[1 + position]),
        _ => trie_get(map.payload()[1], hash(key), key),
    }
}

impl Word {
    /// Number of keys of a map.
    pub fn map_size(self) -> usize {
        size(self)
    }

    /// The value of `key` in a map.
    #[inline]
    pub fn map_get(self, key: Word) -> Option<Word> {
        get(self, key)
    }

    pub fn map_iter(self) -> MapIter {
        MapIter::new(self)
    }
}

fn small_position(map: Word, key: Word) -> Option<usize> {
    let keys = map.payload()[0].payload();
    if key.is_immediate() {
        keys.iter().position(|&other| other == key)
    } else {
        keys.iter().position(|&other| identical(other, key))
    }
}

impl Heap {
    pub fn empty_map(&mut self) -> Word {
        let keys = self.tuple(&[]);
        self.boxed(Kind::SmallMap, 0, &[keys])
    }

    /// The map of the pairs; of equal keys the last one counts.
    pub fn map_of(&mut self, pairs: &[(Word, Word)]) -> Word {
        if pairs.len() > SMALL_MAP {
            let empty = self.empty_map();
            return pairs.iter().fold(empty, |map, &(key, value)| self.map_put(map, key, value));
        }
        let order = self.key_order;
        let mut sorted: Vec<(Word, Word)> = Vec::with_capacity(pairs.len());
        for &(key, value) in pairs {
            match sorted.binary_search_by(|(other, _)| order(*other, key)) {
                Ok(position) => sorted[position].1 = value,
                Err(position) => sorted.insert(position, (key, value)),
            }
        }
        self.small_map(&sorted)
    }

    /// `sorted` has distinct keys in the language's order, at most `SMALL_MAP`.
    fn small_map(&mut self, sorted: &[(Word, Word)]) -> Word {
        let mut words = [Word::NIL; SMALL_MAP + 1];
        for (slot, (key, _)) in words.iter_mut().zip(sorted) {
            *slot = *key;
        }
        let keys = self.tuple(&words[..sorted.len()]);
        words[0] = keys;
        for (slot, (_, value)) in words[1..].iter_mut().zip(sorted) {
            *slot = *value;
        }
        self.boxed(Kind::SmallMap, 0, &words[..=sorted.len()])
    }

    pub fn map_put(&mut self, map: Word, key: Word, value: Word) -> Word {
        match map.header().kind() {
            Kind::SmallMap => match small_position(map, key) {
                Some(position) => self.small_replace(map, position, value),
                None => self.small_insert(map, key, value),
            },
            _ => {
                let (count, root) = (map.payload()[0].small_value(), map.payload()[1]);
                let (root, added) = self.trie_put(root, hash(key), 0, key, value);
                self.boxed(Kind::LargeMap, 0, &[Word::small(count + i64::from(added)), root])
            }
        }
    }

    /// `map` itself if it does not have the key.
    pub fn map_remove(&mut self, map: Word, key: Word) -> Word {
        match map.header().kind() {
            Kind::SmallMap => {
                let Some(gone) = small_position(map, key) else { return map };
                let pairs: Vec<_> =
                    MapIter::new(map).enumerate().filter(|(at, _)| *at != gone).map(|(_, p)| p).collect();
                self.small_map(&pairs)
            }
            _ => {
                let (count, root) = (map.payload()[0].small_value(), map.payload()[1]);
                if trie_get(root, hash(key), key).is_none() {
                    return map;
                }
                if count as usize - 1 <= SMALL_MAP {
                    let pairs: Vec<_> = MapIter::new(map).filter(|(other, _)| !identical(*other, key)).collect();
                    return self.map_of(&pairs);
                }
                let root = self.trie_remove(root, hash(key), 0, key).expect("more than one key is left");
                self.boxed(Kind::LargeMap, 0, &[Word::small(count - 1), root])
            }
        }
    }

    fn small_replace(&mut self, map: Word, position: usize, value: Word) -> Word {
        let payload = map.payload();
        let mut words = [Word::NIL; SMALL_MAP + 1];
        words[..payload.len()].copy_from_slice(payload);
        words[1 + position] = value;
        self.boxed(Kind::SmallMap, 0, &words[..payload.len()])
    }

    fn small_insert(&mut self, map: Word, key: Word, value: Word) -> Word {
        let keys = map.payload()[0].payload();
        let order = self.key_order;
        if keys.len() == SMALL_MAP {
            let mut root = self.boxed(Kind::MapNode, 0, &[Word::small(0)]);
            for (key, value) in MapIter::new(map).chain([(key, value)]) {
                root = self.trie_put(root, hash(key), 0, key, value).0;
            }
            return self.boxed(Kind::LargeMap, 0, &[Word::small(SMALL_MAP as i64 + 1), root]);
        }
        let position = keys.partition_point(|&other| order(other, key) == Ordering::Less);
        let mut words = [Word::NIL; SMALL_MAP + 2];
        words[..position].copy_from_slice(&keys[..position]);
        words[position] = key;
        words[position + 1..=keys.len()].copy_from_slice(&keys[position..]);
        let new_keys = self.tuple(&words[..=keys.len()]);
        let values = &map.payload()[1..];
        words[0] = new_keys;
        words[1..=position].copy_from_slice(&values[..position]);
        words[1 + position] = value;
        words[2 + position..2 + values.len()].copy_from_slice(&values[position..]);
        self.boxed(Kind::SmallMap, 0, &words[..2 + values.len()])
    }

    /// The new node, and whether the key is new.
    fn trie_put(&mut self, node: Word, hash_of_key: u64, level: u32, key: Word, value: Word) -> (Word, bool) {
        if node.is_cons() {
            if identical(node.head(), key) {
                return (self.cons(key, value), false);
            }
            let leaf = self.cons(key, value);
            return (self.trie_pair(node, hash(node.head()), leaf, hash_of_key, level), true);
        }
        if node.is_kind(Kind::MapCollision) {
            return self.collision_put(node, key, value);
        }
        let payload = node.payload();
        let occupied = payload[0].small_value() as u64;
        let bit = 1u64 << (hash_of_key >> (level * BITS_PER_LEVEL) & 15);
        let position = 1 + (occupied & (bit - 1)).count_ones() as usize;
        let mut words = [Word::NIL; 17];
        if occupied & bit != 0 {
            let (child, added) = self.trie_put(payload[position], hash_of_key, level + 1, key, value);
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

    /// The smallest trie below `level` with two leaves of different keys.
    fn trie_pair(&mut self, a: Word, hash_a: u64, b: Word, hash_b: u64, level: u32) -> Word {
        if level * BITS_PER_LEVEL >= u64::BITS {
            return self.boxed(Kind::MapCollision, 0, &[a, b]);
        }
        let (x, y) = (hash_a >> (level * BITS_PER_LEVEL) & 15, hash_b >> (level * BITS_PER_LEVEL) & 15);
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
        let mut leaves = node.payload().to_vec();
        let leaf = self.cons(key, value);
        let known = leaves.iter().position(|other| identical(other.head(), key));
        match known {
            Some(position) => leaves[position] = leaf,
            None => leaves.push(leaf),
        }
        (self.boxed(Kind::MapCollision, 0, &leaves), known.is_none())
    }

    /// The node without the key, which it has; nothing if it was the only one.
    fn trie_remove(&mut self, node: Word, hash_of_key: u64, level: u32, key: Word) -> Option<Word> {
        if node.is_cons() {
            return None;
        }
        if node.is_kind(Kind::MapCollision) {
            let left: Vec<Word> = node.payload().iter().copied().filter(|leaf| !identical(leaf.head(), key)).collect();
            return Some(if let [only] = left[..] { only } else { self.boxed(Kind::MapCollision, 0, &left) });
        }
        let payload = node.payload();
        let occupied = payload[0].small_value() as u64;
        let bit = 1u64 << (hash_of_key >> (level * BITS_PER_LEVEL) & 15);
        let position = 1 + (occupied & (bit - 1)).count_ones() as usize;
        let mut words = payload.to_vec();
        match self.trie_remove(payload[position], hash_of_key, level + 1, key) {
            Some(child) => words[position] = child,
            None => {
                words.remove(position);
                words[0] = Word::small((occupied & !bit) as i64);
            }
        }
        match words[..] {
            [_] => None,
            // A leaf alone needs no node around it.
            [_, only] if only.is_cons() && level > 0 => Some(only),
            _ => Some(self.boxed(Kind::MapNode, 0, &words)),
        }
    }
}

fn trie_get(mut node: Word, hash_of_key: u64, key: Word) -> Option<Word> {
    let mut level = 0;
    loop {
        if node.is_cons() {
            return identical(node.head(), key).then(|| node.tail());
        }
        let payload = node.payload();
        if node.is_kind(Kind::MapCollision) {
            return payload.iter().find(|leaf| identical(leaf.head(), key)).map(|leaf| leaf.tail());
        }
        let occupied = payload[0].small_value() as u64;
        let bit = 1u64 << (hash_of_key >> (level * BITS_PER_LEVEL) & 15);
        if occupied & bit == 0 {
            return None;
        }
        node = payload[1 + (occupied & (bit - 1)).count_ones() as usize];
        level += 1;
    }
}

/// Keys and values in the order in which the map iterates.
pub enum MapIter {
    Small { map: Word, next: usize },
    Large { open: Vec<(Word, usize)> },
}

impl MapIter {
    pub fn new(map: Word) -> MapIter {
        match map.header().kind() {
            Kind::SmallMap => MapIter::Small { map, next: 0 },
            _ => MapIter::Large { open: vec![(map.payload()[1], 0)] },
        }
    }
}

impl Iterator for MapIter {
    type Item = (Word, Word);

    fn next(&mut self) -> Option<(Word, Word)> {
        match self {
            MapIter::Small { map, next } => {
                let payload = map.payload();
                let key = *payload[0].payload().get(*next)?;
                *next += 1;
                Some((key, payload[*next]))
            }
            MapIter::Large { open } => loop {
                let (node, next) = open.last_mut()?;
                // A node's first word is its occupancy.
                let skip = usize::from(node.is_kind(Kind::MapNode));
                match node.payload().get(*next + skip).copied() {
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
            },
        }
    }
}
