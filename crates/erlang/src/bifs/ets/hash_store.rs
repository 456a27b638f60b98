//! Objects by key, without an order of keys: for `set`, `bag` and `duplicate_bag`.
//!
//! The slots of the keys are kept in the order of their births, which is also the order of iteration; an index maps the
//! hash of a key to its slots. While the table is fixed, the slot of a deleted key stays, so that an iteration that has
//! reached it can continue.
//!
//! Collections move words, but that changes neither the hash nor the identity of a key.

use super::tables::key_of;
use machine::value::{Collector, hash, identical};
use machine::{StatePart, Word};
use rustc_hash::FxHashMap;

#[derive(Clone)]
pub struct HashStore {
    /// Position of the key in an object, from 0 on.
    key_index: usize,
    slots: Vec<Slot>,
    /// The first slot of each hash.
    index: FxHashMap<u64, u32>,
    objects: usize,
    /// The number of slots that hold nothing, not even a deleted key.
    free: usize,
    /// The first slot that may hold something: all slots before it are free.
    start: usize,
    next_birth: u64,
}

#[derive(Clone)]
struct Slot {
    birth: u64,
    hash: u64,
    /// The next slot of the same hash.
    next: u32,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Free,
    /// No objects any more; the key is remembered.
    Deleted(Word),
    One(Word),
    /// At least two objects of a bag, in the order of insertion.
    Many(Vec<Word>),
}

const NONE: u32 = u32::MAX;

impl Content {
    fn objects(&self) -> &[Word] {
        match self {
            Content::Free | Content::Deleted(_) => &[],
            Content::One(object) => std::slice::from_ref(object),
            Content::Many(objects) => objects,
        }
    }

    fn of(mut objects: Vec<Word>) -> Option<Content> {
        match objects.len() {
            0 => None,
            1 => objects.pop().map(Content::One),
            _ => Some(Content::Many(objects)),
        }
    }
}

impl HashStore {
    pub fn new(key_index: usize) -> HashStore {
        HashStore {
            key_index,
            slots: Vec::new(),
            index: FxHashMap::default(),
            objects: 0,
            free: 0,
            start: 0,
            next_birth: 0,
        }
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.objects
    }

    /// Returns the memory in use besides the objects.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>() + self.index.len() * 24 + self.objects * 8
    }

    pub fn lookup(&self, key: Word) -> &[Word] {
        self.find(key).map_or(&[], |at| self.slots[at].content.objects())
    }

    /// Makes the object the only one of its key.
    pub fn replace(&mut self, key: Word, object: Word) {
        match self.find(key) {
            Some(at) => {
                let slot = &mut self.slots[at];
                self.objects = self.objects + 1 - slot.content.objects().len();
                slot.content = Content::One(object);
            }
            None => self.add(key, object),
        }
    }

    /// Adds an object to those of its key.
    pub fn append(&mut self, key: Word, object: Word) {
        let Some(at) = self.find(key) else { return self.add(key, object) };
        self.objects += 1;
        let content = &mut self.slots[at].content;
        match content {
            Content::Free | Content::Deleted(_) => *content = Content::One(object),
            Content::One(first) => *content = Content::Many(vec![*first, object]),
            Content::Many(objects) => objects.push(object),
        }
    }

    fn add(&mut self, key: Word, object: Word) {
        let hash = hash(key);
        let at = self.slots.len() as u32;
        let next = self.index.insert(hash, at).unwrap_or(NONE);
        self.slots.push(Slot { birth: self.next_birth, hash, next, content: Content::One(object) });
        self.next_birth += 1;
        self.objects += 1;
    }

    /// Changes the objects of a key. If no object is left, the key is deleted.
    pub fn change(&mut self, key: Word, fixed: bool, change: impl FnOnce(&mut Vec<Word>)) {
        let Some(at) = self.find(key) else { return };
        let mut objects = match std::mem::replace(&mut self.slots[at].content, Content::Free) {
            Content::Free => return,
            Content::Deleted(key) => {
                self.slots[at].content = Content::Deleted(key);
                return;
            }
            Content::One(object) => vec![object],
            Content::Many(objects) => objects,
        };
        let before = objects.len();
        let own_key = key_of(objects[0], self.key_index).unwrap_or(key);
        change(&mut objects);
        self.objects = self.objects + objects.len() - before;
        match Content::of(objects) {
            Some(content) => self.slots[at].content = content,
            None => {
                self.slots[at].content = Content::Deleted(own_key);
                if !fixed {
                    self.release(at);
                    self.compact();
                }
            }
        }
    }

    /// Removes all objects. A fixed table remembers the keys.
    pub fn clear(&mut self, fixed: bool) {
        if !fixed {
            let next_birth = self.next_birth;
            *self = HashStore { next_birth, ..HashStore::new(self.key_index) };
            return;
        }
        for slot in &mut self.slots {
            if let Some(&object) = slot.content.objects().first() {
                slot.content = Content::Deleted(key_of(object, self.key_index).unwrap_or(object));
            }
        }
        self.objects = 0;
    }

    /// Ends the fixation of the table: deleted keys are forgotten.
    pub fn unfix(&mut self) {
        for at in 0..self.slots.len() {
            if matches!(self.slots[at].content, Content::Deleted(_)) {
                self.release(at);
            }
        }
        self.compact();
    }

    /// Returns the objects of the keys that were born at `birth` or later, each with the birth after its own.
    pub fn born_from(&self, birth: u64) -> impl Iterator<Item = (&[Word], u64)> {
        let at = self.slots.partition_point(|slot| slot.birth < birth).max(self.start);
        let slots = self.slots.get(at..).unwrap_or(&[]).iter();
        slots.map(|slot| (slot.content.objects(), slot.birth + 1)).filter(|(objects, _)| !objects.is_empty())
    }

    pub fn first_key(&mut self) -> Option<Word> {
        while matches!(self.slots.get(self.start)?.content, Content::Free) {
            self.start += 1;
        }
        self.key_from(self.start)
    }

    /// Returns the key after `key`; an error if there is no such key, and has been none since the table was fixed.
    pub fn next_key(&self, key: Word) -> Result<Option<Word>, ()> {
        self.find(key).map(|at| self.key_from(at + 1)).ok_or(())
    }

    fn key_from(&self, at: usize) -> Option<Word> {
        let object = self.slots[at..].iter().find_map(|slot| slot.content.objects().first())?;
        key_of(*object, self.key_index)
    }

    /// Returns all keys, including deleted ones as long as they are remembered.
    pub fn all_keys(&self) -> Vec<Word> {
        self.slots.iter().filter_map(|slot| self.own_key(slot)).collect()
    }

    fn own_key(&self, slot: &Slot) -> Option<Word> {
        match &slot.content {
            Content::Free => None,
            Content::Deleted(key) => Some(*key),
            Content::One(object) => key_of(*object, self.key_index),
            Content::Many(objects) => key_of(objects[0], self.key_index),
        }
    }

    /// Returns the objects of the n-th key.
    pub fn nth(&self, index: usize) -> Option<&[Word]> {
        self.slots.iter().map(|slot| slot.content.objects()).filter(|objects| !objects.is_empty()).nth(index)
    }

    pub fn keys(&self) -> usize {
        self.slots.iter().filter(|slot| !slot.content.objects().is_empty()).count()
    }

    pub fn roots(&mut self, collector: &mut Collector<'_>) {
        for slot in &mut self.slots {
            match &mut slot.content {
                Content::Free => {}
                Content::Deleted(word) | Content::One(word) => collector.root(word),
                Content::Many(words) => collector.roots(words),
            }
        }
    }

    pub fn visit(&mut self, see: &mut dyn FnMut(StatePart<'_>)) {
        see(StatePart::Number(self.slots.len() as u64));
        for slot in &mut self.slots {
            see(StatePart::Number(slot.birth));
            let objects: &mut [Word] = match &mut slot.content {
                Content::Free => &mut [],
                Content::Deleted(word) => {
                    see(StatePart::Fixed(*word));
                    &mut []
                }
                Content::One(word) => std::slice::from_mut(word),
                Content::Many(words) => words,
            };
            see(StatePart::Number(objects.len() as u64));
            for object in objects {
                // The key decides where the object is stored.
                see(StatePart::Fixed(key_of(*object, self.key_index).unwrap_or(Word::NIL)));
                see(StatePart::Value(object));
            }
        }
    }

    /// Returns the slot of a key, deleted or not.
    fn find(&self, key: Word) -> Option<usize> {
        let mut at = *self.index.get(&hash(key))?;
        while at != NONE {
            let slot = &self.slots[at as usize];
            if self.own_key(slot).is_some_and(|own_key| identical(own_key, key)) {
                return Some(at as usize);
            }
            at = slot.next;
        }
        None
    }

    /// Removes a slot without objects from the index.
    fn release(&mut self, at: usize) {
        let (hash, next) = (self.slots[at].hash, self.slots[at].next);
        match self.index.get(&hash) {
            Some(&first) if first as usize == at && next == NONE => {
                self.index.remove(&hash);
            }
            Some(&first) if first as usize == at => {
                self.index.insert(hash, next);
            }
            Some(&first) => {
                let mut before = first as usize;
                while self.slots[before].next as usize != at && self.slots[before].next != NONE {
                    before = self.slots[before].next as usize;
                }
                self.slots[before].next = next;
            }
            None => {}
        }
        self.slots[at].content = Content::Free;
        self.free += 1;
    }

    /// Removes free slots once they are the majority, so a deletion has a constant amortised cost.
    fn compact(&mut self) {
        if self.free < 16 || self.free * 2 < self.slots.len() {
            return;
        }
        self.slots.retain(|slot| !matches!(slot.content, Content::Free));
        self.index.clear();
        for (at, slot) in self.slots.iter_mut().enumerate() {
            slot.next = self.index.insert(slot.hash, at as u32).unwrap_or(NONE);
        }
        self.free = 0;
        self.start = 0;
    }
}
