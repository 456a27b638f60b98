//! Objects by key in the order of terms: for `ordered_set`. Keys that are numerically equal are the same key.

use crate::bifs::seen;
use crate::order;
use machine::value::Collector;
use machine::{StatePart, Word};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;

#[derive(Clone, Default)]
pub struct TreeStore {
    #[allow(clippy::mutable_key_type, reason = "a collection moves a key; its place in the order stays")]
    objects: BTreeMap<Key, Word>,
    /// Whether a key may hold a pid, a reference or a port.
    has_identities: bool,
}

#[derive(Clone)]
struct Key(Cell<Word>);

impl Key {
    fn new(word: Word) -> Key {
        Key(Cell::new(word))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        order::compare(self.0.get(), other.0.get())
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

impl TreeStore {
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Returns the memory in use besides the objects.
    pub fn bytes(&self) -> usize {
        self.objects.len() * 32
    }

    pub fn lookup(&self, key: Word) -> Option<Word> {
        self.objects.get(&Key::new(key)).copied()
    }

    /// Returns whether the order of two keys depends only on the numbers of two identities. If any two keys are such a pair,
    /// two neighbours are one, too.
    pub fn is_order_arbitrary(&self) -> bool {
        let mut pairs = self.objects.keys().zip(self.objects.keys().skip(1));
        self.has_identities && pairs.any(|(one, next)| order::is_arbitrary(one.0.get(), next.0.get()))
    }

    /// Makes the object the one of its key, and remembers the key as it is in the new object.
    pub fn replace(&mut self, key: Word, object: Word) {
        self.has_identities |= seen::holds_identity(key);
        let wanted = Key::new(key);
        match self.objects.range_mut(&wanted..=&wanted).next() {
            Some((old, place)) => {
                old.0.set(key);
                *place = object;
            }
            None => {
                self.objects.insert(wanted, object);
            }
        }
    }

    pub fn remove(&mut self, key: Word) -> Option<Word> {
        self.objects.remove(&Key::new(key))
    }

    pub fn clear(&mut self) {
        self.objects.clear();
    }

    /// Returns keys and objects after `last`, or before it and backwards; all if `last` is `None`.
    pub fn beyond(&self, last: Option<Word>, reverse: bool) -> impl Iterator<Item = (Word, Word)> {
        let last = last.map(Key::new);
        let bound = last.as_ref().map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = match reverse {
            true => self.objects.range((Bound::Unbounded, bound)),
            false => self.objects.range((bound, Bound::Unbounded)),
        };
        std::iter::from_fn(move || if reverse { rest.next_back() } else { rest.next() })
            .map(|(key, object)| (key.0.get(), *object))
    }

    pub fn nth(&self, index: usize) -> Option<Word> {
        self.objects.values().nth(index).copied()
    }

    pub fn roots(&mut self, collector: &mut Collector<'_>) {
        for (key, object) in &mut self.objects {
            let mut word = key.0.get();
            collector.root(&mut word);
            key.0.set(word);
            collector.root(object);
        }
    }

    pub fn visit(&mut self, see: &mut dyn FnMut(StatePart<'_>)) {
        see(StatePart::Number(self.objects.len() as u64));
        for (key, object) in &mut self.objects {
            see(StatePart::Fixed(key.0.get()));
            see(StatePart::Value(object));
        }
    }
}
