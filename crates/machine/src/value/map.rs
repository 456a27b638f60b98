//! Maps: up to [`SMALL_MAP`] keys a sorted array (with the keys shared between versions), beyond that a hash trie
//! (`trie`). Small maps iterate in the language's order of keys, as the BEAM's do; large ones in the order of our own
//! hash. Keys are compared without their shadows; the header of a map records whether a key has a shadow: then it is a
//! decision which keys are the same, and in which order they are.

use super::equal::identical;
use super::heap::Heap;
use super::trie;
use super::word::{Kind, Word, wrong_kind};
use std::cmp::Ordering;

pub const SMALL_MAP: usize = 32;

/// The mark in the header of a map for its keys: they have no shadows, or they may have some.
const PLAIN: u8 = 0;
const SHADOWED: u8 = 1;

/// Returns the number of keys.
pub fn size(map: Word) -> usize {
    match map.map_is_small() {
        true => map.header().payload() - 1,
        false => large(map).0,
    }
}

#[inline]
pub fn get(map: Word, key: Word) -> Option<Word> {
    if map.map_is_small() {
        let (keys, values) = small(&map);
        position(keys, key, map.header().aux()).map(|position| values[position])
    } else {
        trie::get(large(map).1, trie::hash_of(key), key)
    }
}

/// Returns the keys and the values of a small map.
#[inline]
fn small(map: &Word) -> (&[Word], &[Word]) {
    if !map.map_is_small() {
        wrong_kind("a small map");
    }
    // SAFETY: the payload of a small map is a tuple of its keys, then as many values.
    unsafe {
        let words = map.words();
        (words.get_unchecked(0).words(), words.get_unchecked(1..))
    }
}

/// Returns the number of keys and the root of a large map.
#[inline]
fn large(map: Word) -> (usize, Word) {
    if !map.is_kind(Kind::LargeMap) {
        wrong_kind("a map");
    }
    // SAFETY: the payload of a large map is two values.
    unsafe {
        let words = map.words();
        (words.get_unchecked(0).small_value() as usize, *words.get_unchecked(1))
    }
}

impl Word {
    /// Returns the number of keys of a map.
    pub fn map_size(self) -> usize {
        size(self)
    }

    /// Returns whether it is a map whose keys are in the language's order.
    #[inline]
    pub fn map_is_small(self) -> bool {
        self.is_kind(Kind::SmallMap)
    }

    /// Returns whether keys of the map may have shadows.
    #[inline]
    pub fn map_has_shadowed_keys(self) -> bool {
        self.header().aux() == SHADOWED
    }

    /// Returns the value of `key` in a map.
    #[inline]
    pub fn map_get(self, key: Word) -> Option<Word> {
        get(self, key)
    }

    pub fn map_iter(self) -> MapIter {
        MapIter::new(self)
    }

    /// Iterates from a position on that [`MapIter::chunk`] returned, or from the start if it is 0.
    pub fn map_iter_from(self, position: u64) -> MapIter {
        match self.map_is_small() {
            true => MapIter(Walk::Small { map: self, next: usize::try_from(position).unwrap_or(usize::MAX) }),
            false => MapIter(Walk::Large { open: trie::open_at(large(self).1, position) }),
        }
    }

    /// Returns the pairs of a large map, grouped by the children of its topmost node.
    pub fn map_parts(self) -> Vec<Vec<(Word, Word)>> {
        if self.map_is_small() {
            return self.map_iter().map(|pair| vec![pair]).collect();
        }
        let part = |&child: &Word| match child.is_cons() {
            true => vec![(child.head(), child.tail())],
            false => MapIter(Walk::Large { open: trie::open(child) }).collect(),
        };
        large(self).1.payload()[1..].iter().map(part).collect()
    }
}

/// Returns the index of a key among the keys of a small map. `mark` is the mark in the map's header.
fn position(keys: &[Word], key: Word, mark: u8) -> Option<usize> {
    if key.is_immediate() && mark == PLAIN {
        keys.iter().position(|&other| other == key)
    } else {
        keys.iter().position(|&other| identical(other, key))
    }
}

/// Overwrites the value at a position of a small map.
///
/// # Safety
/// It is a small map that only the caller has seen.
#[inline]
unsafe fn small_overwrite(map: Word, position: usize, value: Word) {
    assert!(1 + position < map.header().payload());
    // SAFETY: the position is after the header and the keys, inside of the map, which is not shared.
    unsafe { *map.pointer().add(2 + position) = value.0 };
}

impl Heap {
    pub fn empty_map(&mut self) -> Word {
        let keys = self.tuple(&[]);
        self.boxed(Kind::SmallMap, PLAIN, &[keys])
    }

    fn mark(&self, key: Word) -> u8 {
        if self.is_shadowed(key) { SHADOWED } else { PLAIN }
    }

    fn mark_all(&self, pairs: &[(Word, Word)]) -> u8 {
        let shadowed = self.has_shadows() && pairs.iter().any(|(key, _)| self.is_shadowed(*key));
        if shadowed { SHADOWED } else { PLAIN }
    }

    /// Makes a map of the pairs. If keys are equal, the last pair counts.
    pub fn map_of(&mut self, pairs: &[(Word, Word)]) -> Word {
        if pairs.len() > SMALL_MAP {
            let distinct = trie::distinct(pairs);
            if distinct.len() > SMALL_MAP {
                let root = self.trie_of(&distinct);
                return self.large_map(distinct.len(), root, self.mark_all(pairs));
            }
            let pairs: Vec<(Word, Word)> = distinct.into_iter().map(|leaf| (leaf.key, leaf.value)).collect();
            return self.map_of(&pairs);
        }
        let order = self.key_order;
        let mut sorted: Vec<(Word, Word)> = Vec::with_capacity(pairs.len());
        for &(key, value) in pairs {
            match sorted.binary_search_by(|(other, _)| order(*other, key)) {
                Ok(position) => sorted[position] = (key, value),
                Err(position) => sorted.insert(position, (key, value)),
            }
        }
        self.small_map(&sorted)
    }

    /// Makes a small map. `sorted` has at most `SMALL_MAP` keys, which are distinct and in the language's order.
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
        self.boxed(Kind::SmallMap, self.mark_all(sorted), &words[..=sorted.len()])
    }

    fn large_map(&mut self, count: usize, root: Word, mark: u8) -> Word {
        self.boxed(Kind::LargeMap, mark, &[Word::small(count as i64), root])
    }

    pub fn map_put(&mut self, map: Word, key: Word, value: Word) -> Word {
        match map.map_is_small() {
            true => match position(small(&map).0, key, map.header().aux()) {
                Some(position) => self.small_replace(map, position, value),
                None => self.small_insert(map, key, value),
            },
            false => {
                let (count, root) = large(map);
                let (root, added) = self.trie_put(root, trie::hash_of(key), 0, key, value);
                let mark = map.header().aux() | self.mark(key);
                self.large_map(count + usize::from(added), root, mark)
            }
        }
    }

    /// Replaces the value of a key, or returns `None` if `map` does not have the key. A small map that is `fresh`, so
    /// that only the caller has seen it, is changed in place.
    #[inline]
    pub(crate) fn map_replace(&mut self, map: Word, fresh: bool, key: Word, value: Word) -> Option<Word> {
        if !map.map_is_small() {
            return get(map, key).map(|_| self.map_put(map, key, value));
        }
        let position = position(small(&map).0, key, map.header().aux())?;
        if !fresh {
            return Some(self.small_replace(map, position, value));
        }
        // SAFETY: only the caller has seen a fresh map.
        unsafe { small_overwrite(map, position, value) };
        Some(map)
    }

    /// Removes a key. The result is `map` itself if it does not have the key.
    pub fn map_remove(&mut self, map: Word, key: Word) -> Word {
        match map.map_is_small() {
            true => match position(small(&map).0, key, map.header().aux()) {
                Some(position) => self.small_remove(map, position),
                None => map,
            },
            false => {
                let (count, root) = large(map);
                let hash = trie::hash_of(key);
                if trie::get(root, hash, key).is_none() {
                    return map;
                }
                if count - 1 <= SMALL_MAP {
                    let pairs: Vec<_> = MapIter::new(map).filter(|(other, _)| !identical(*other, key)).collect();
                    return self.map_of(&pairs);
                }
                let root = self.trie_remove(root, hash, 0, key).expect("more than one key is left");
                self.large_map(count - 1, root, map.header().aux())
            }
        }
    }

    #[inline]
    fn small_replace(&mut self, map: Word, position: usize, value: Word) -> Word {
        // SAFETY: the payload of a map is values, and the copy is new.
        unsafe {
            let copy = self.boxed(Kind::SmallMap, map.header().aux(), map.words());
            small_overwrite(copy, position, value);
            copy
        }
    }

    fn small_insert(&mut self, map: Word, key: Word, value: Word) -> Word {
        let (keys, values) = small(&map);
        let order = self.key_order;
        if keys.len() == SMALL_MAP {
            let pairs: Vec<_> = MapIter::new(map).chain([(key, value)]).collect();
            return self.map_of(&pairs);
        }
        let position = keys.partition_point(|&other| order(other, key) == Ordering::Less);
        let mut words = [Word::NIL; SMALL_MAP + 2];
        words[..position].copy_from_slice(&keys[..position]);
        words[position] = key;
        words[position + 1..=keys.len()].copy_from_slice(&keys[position..]);
        let new_keys = self.tuple(&words[..=keys.len()]);
        words[0] = new_keys;
        words[1..=position].copy_from_slice(&values[..position]);
        words[1 + position] = value;
        words[2 + position..2 + values.len()].copy_from_slice(&values[position..]);
        let mark = map.header().aux() | self.mark(key);
        self.boxed(Kind::SmallMap, mark, &words[..2 + values.len()])
    }

    fn small_remove(&mut self, map: Word, position: usize) -> Word {
        let (keys, values) = small(&map);
        let mut words = [Word::NIL; SMALL_MAP + 1];
        let left = keys.len() - 1;
        words[..position].copy_from_slice(&keys[..position]);
        words[position..left].copy_from_slice(&keys[position + 1..]);
        let new_keys = self.tuple(&words[..left]);
        words[0] = new_keys;
        words[1..=position].copy_from_slice(&values[..position]);
        words[1 + position..=left].copy_from_slice(&values[position + 1..]);
        self.boxed(Kind::SmallMap, map.header().aux(), &words[..=left])
    }
}

/// An iterator over keys and values in the order of the map.
#[derive(Clone)]
pub struct MapIter(Walk);

#[derive(Clone)]
enum Walk {
    Small { map: Word, next: usize },
    Large { open: Vec<(Word, usize)> },
}

impl MapIter {
    pub fn new(map: Word) -> MapIter {
        match map.map_is_small() {
            true => MapIter(Walk::Small { map, next: 0 }),
            false => MapIter(Walk::Large { open: trie::open(large(map).1) }),
        }
    }

    /// Returns the next `count` pairs and the position after them. It returns more if keys with the same hash must stay
    /// together.
    pub fn chunk(mut self, count: usize) -> (Vec<(Word, Word)>, Option<u64>) {
        let mut pairs = Vec::new();
        while pairs.len() < count || self.is_between_equals() {
            match self.next() {
                Some(pair) => pairs.push(pair),
                None => return (pairs, None),
            }
        }
        let position = self.position();
        (pairs, position)
    }

    /// Returns the position of the next pair, for `map_iter_from` on the same map.
    fn position(&self) -> Option<u64> {
        match &self.0 {
            Walk::Small { map, next } => (*next < size(*map)).then_some(*next as u64),
            Walk::Large { .. } => self.clone().next().map(|(key, _)| trie::position_of(trie::hash_of(key))),
        }
    }

    /// Returns whether the next pair shares its position with the last one because their keys have the same hash.
    fn is_between_equals(&self) -> bool {
        match &self.0 {
            Walk::Small { .. } => false,
            Walk::Large { open } => open.last().is_some_and(|(node, next)| {
                node.is_kind(Kind::MapCollision) && (1..node.payload().len()).contains(next)
            }),
        }
    }
}

impl Iterator for MapIter {
    type Item = (Word, Word);

    fn next(&mut self) -> Option<(Word, Word)> {
        match &mut self.0 {
            Walk::Small { map, next } => {
                let (keys, values) = small(map);
                let pair = (*keys.get(*next)?, *values.get(*next)?);
                *next += 1;
                Some(pair)
            }
            Walk::Large { open } => trie::next(open),
        }
    }
}
