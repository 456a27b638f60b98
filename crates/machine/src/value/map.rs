//! Maps: up to [`SMALL_MAP`] keys a sorted array (with the keys shared between versions), beyond that
//! a hash trie (`trie`). Small maps iterate in the language's order of keys, as the BEAM's do; large
//! ones in the order of our own hash. Keys are looked at without their shadows; a map that has a key with
//! a shadow says so in its header: which keys are the same, and their order, is a decision then.

use super::equal::identical;
use super::heap::Heap;
use super::trie;
use super::word::{Kind, Word};
use std::cmp::Ordering;

pub const SMALL_MAP: usize = 32;

/// What the header of a map says of its keys: no shadows, or perhaps some.
const PLAIN: u8 = 0;
const SHADOWED: u8 = 1;

/// Number of keys.
pub fn size(map: Word) -> usize {
    match map.header().kind() {
        Kind::SmallMap => map.payload().len() - 1,
        _ => map.payload()[0].small_value() as usize,
    }
}

#[inline]
pub fn get(map: Word, key: Word) -> Option<Word> {
    match map.header().kind() {
        Kind::SmallMap => small_position(map, key).map(|position| map.payload()[1 + position]),
        _ => trie::get(map.payload()[1], trie::hash_of(key), key),
    }
}

impl Word {
    /// Number of keys of a map.
    pub fn map_size(self) -> usize {
        size(self)
    }

    /// Whether a map's keys are in the language's order.
    pub fn map_is_small(self) -> bool {
        self.header().kind() == Kind::SmallMap
    }

    /// May keys of the map have shadows?
    #[inline]
    pub fn map_has_shadowed_keys(self) -> bool {
        self.header().aux() == SHADOWED
    }

    /// The value of `key` in a map.
    #[inline]
    pub fn map_get(self, key: Word) -> Option<Word> {
        get(self, key)
    }

    pub fn map_iter(self) -> MapIter {
        MapIter::new(self)
    }

    /// From what [`MapIter::position`] said on; 0 is the start.
    pub fn map_iter_from(self, position: u64) -> MapIter {
        match self.header().kind() {
            Kind::SmallMap => MapIter::Small { map: self, next: usize::try_from(position).unwrap_or(usize::MAX) },
            _ => MapIter::Large { open: trie::open_at(self.payload()[1], position) },
        }
    }

    /// The associations of a large map by the children of its topmost node.
    pub fn map_parts(self) -> Vec<Vec<(Word, Word)>> {
        if self.map_is_small() {
            return self.map_iter().map(|pair| vec![pair]).collect();
        }
        let part = |&child: &Word| match child.is_cons() {
            true => vec![(child.head(), child.tail())],
            false => MapIter::Large { open: trie::open(child) }.collect(),
        };
        self.payload()[1].payload()[1..].iter().map(part).collect()
    }
}

fn small_position(map: Word, key: Word) -> Option<usize> {
    let keys = map.payload()[0].payload();
    if key.is_immediate() && map.header().aux() == PLAIN {
        keys.iter().position(|&other| other == key)
    } else {
        keys.iter().position(|&other| identical(other, key))
    }
}

/// Only for maps that no program has seen.
fn small_overwrite(map: Word, position: usize, value: Word) {
    assert!(1 + position < map.payload().len());
    // SAFETY: behind the header and the keys; nobody else holds the map.
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

    /// The map of the pairs; of equal keys the last one counts.
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
        self.boxed(Kind::SmallMap, self.mark_all(sorted), &words[..=sorted.len()])
    }

    fn large_map(&mut self, count: usize, root: Word, mark: u8) -> Word {
        self.boxed(Kind::LargeMap, mark, &[Word::small(count as i64), root])
    }

    pub fn map_put(&mut self, map: Word, key: Word, value: Word) -> Word {
        match map.header().kind() {
            Kind::SmallMap => match small_position(map, key) {
                Some(position) => self.small_replace(map, position, value),
                None => self.small_insert(map, key, value),
            },
            _ => {
                let (count, root) = (size(map), map.payload()[1]);
                let (root, added) = self.trie_put(root, trie::hash_of(key), 0, key, value);
                let mark = map.header().aux() | self.mark(key);
                self.large_map(count + usize::from(added), root, mark)
            }
        }
    }

    /// Nothing if `map` does not have the key. A small map that is `fresh`, which nobody else has seen,
    /// is changed where it is.
    pub(crate) fn map_replace(&mut self, map: Word, fresh: bool, key: Word, value: Word) -> Option<Word> {
        if !map.map_is_small() {
            return get(map, key).map(|_| self.map_put(map, key, value));
        }
        let position = small_position(map, key)?;
        if !fresh {
            return Some(self.small_replace(map, position, value));
        }
        small_overwrite(map, position, value);
        Some(map)
    }

    /// `map` itself if it does not have the key.
    pub fn map_remove(&mut self, map: Word, key: Word) -> Word {
        match map.header().kind() {
            Kind::SmallMap => match small_position(map, key) {
                Some(position) => self.small_remove(map, position),
                None => map,
            },
            _ => {
                let (count, root) = (size(map), map.payload()[1]);
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

    fn small_replace(&mut self, map: Word, position: usize, value: Word) -> Word {
        let copy = self.boxed(Kind::SmallMap, map.header().aux(), map.payload());
        small_overwrite(copy, position, value);
        copy
    }

    fn small_insert(&mut self, map: Word, key: Word, value: Word) -> Word {
        let keys = map.payload()[0].payload();
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
        let values = &map.payload()[1..];
        words[0] = new_keys;
        words[1..=position].copy_from_slice(&values[..position]);
        words[1 + position] = value;
        words[2 + position..2 + values.len()].copy_from_slice(&values[position..]);
        let mark = map.header().aux() | self.mark(key);
        self.boxed(Kind::SmallMap, mark, &words[..2 + values.len()])
    }

    fn small_remove(&mut self, map: Word, position: usize) -> Word {
        let (keys, values) = (map.payload()[0].payload(), &map.payload()[1..]);
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

/// Keys and values in the order in which the map iterates.
#[derive(Clone)]
pub enum MapIter {
    Small { map: Word, next: usize },
    Large { open: Vec<(Word, usize)> },
}

impl MapIter {
    pub fn new(map: Word) -> MapIter {
        match map.header().kind() {
            Kind::SmallMap => MapIter::Small { map, next: 0 },
            _ => MapIter::Large { open: trie::open(map.payload()[1]) },
        }
    }

    /// The next `count` pairs and where to go on. A few more come if keys of one hash must stay together.
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

    /// Where the next pair is, for `map_iter_from` on the same map.
    fn position(&self) -> Option<u64> {
        match self {
            MapIter::Small { map, next } => (*next < size(*map)).then_some(*next as u64),
            MapIter::Large { .. } => self.clone().next().map(|(key, _)| trie::position_of(trie::hash_of(key))),
        }
    }

    /// In the midst of keys of one hash, which have one position.
    fn is_between_equals(&self) -> bool {
        match self {
            MapIter::Small { .. } => false,
            MapIter::Large { open } => open.last().is_some_and(|(node, next)| {
                node.is_kind(Kind::MapCollision) && (1..node.payload().len()).contains(next)
            }),
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
            MapIter::Large { open } => trie::next(open),
        }
    }
}
