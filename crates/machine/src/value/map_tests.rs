//! Maps against a model: the same operations on a map and on a table of Rust's, with keys of all kinds
//! and hashes made to collide.

use super::trie::HASH_MASK;
use super::{Heap, SMALL_MAP, Word, copy_out, hash, identical};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use term::{Atom, Fun};

const BUDGET: usize = 256 << 20;

/// What the tests compare terms by: any total order that agrees with identity does.
fn text_order(a: Word, b: Word) -> Ordering {
    text(a).cmp(&text(b))
}

fn text(word: Word) -> String {
    let unnamed = |_: u64, _: u8| Fun::Local { module: Atom::new("m"), index: 0, unique: 0, arity: 0 };
    format!("{:?}", copy_out(word, 1000, &unnamed))
}

/// A generator of numbers that is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// The key of a number, made anew each time: all kinds, immediate and not.
fn key(heap: &mut Heap, number: usize) -> Word {
    let small = Word::small(number as i64);
    match number % 8 {
        0 => small,
        1 => heap.float(number as f64),
        2 => Word::atom(Atom::new(&format!("key{number}"))),
        3 => heap.tuple(&[small, Word::NIL]),
        4 => heap.binary(format!("a rather long key of a map, {number}").as_bytes()),
        5 => heap.list(&[small, small], Word::NIL),
        6 => heap.integer_i128((number as i128) << 70),
        _ => {
            let pairs: Vec<_> = (0..40).map(|at| (Word::small(at), small)).collect();
            heap.map_of(&pairs)
        }
    }
}

type Model = BTreeMap<usize, i64>;

fn check(heap: &mut Heap, map: Word, model: &Model) {
    assert_eq!(map.map_size(), model.len());
    assert_eq!(map.map_is_small(), model.len() <= SMALL_MAP);
    for (&number, &value) in model {
        let key = key(heap, number);
        assert_eq!(map.map_get(key), Some(Word::small(value)), "key {number}");
    }
    let pairs: Vec<(Word, Word)> = map.map_iter().collect();
    assert_eq!(pairs.len(), model.len());
    if map.map_is_small() {
        assert!(pairs.windows(2).all(|pair| text_order(pair[0].0, pair[1].0) == Ordering::Less));
    }
    check_chunks(map, &pairs);
    let mut backwards = pairs.clone();
    backwards.reverse();
    let again = heap.map_of(&backwards);
    assert!(identical(map, again) && identical(again, map));
    assert_eq!(hash(map), hash(again));
    let parts: usize = map.map_parts().iter().map(Vec::len).sum();
    assert_eq!(parts, pairs.len());
}

/// An iteration in steps of any size sees every pair once, in the order of the whole one.
fn check_chunks(map: Word, pairs: &[(Word, Word)]) {
    for count in [1, 2, 7, 100] {
        let (mut seen, mut position) = (Vec::new(), Some(0));
        while let Some(start) = position {
            let (chunk, next) = map.map_iter_from(start).chunk(count);
            assert!(chunk.len() >= count || next.is_none());
            seen.extend(chunk);
            position = next;
        }
        assert!(seen == pairs, "steps of {count}");
    }
}

fn random_operations(mask: u64, keys: usize, steps: usize) {
    HASH_MASK.set(mask);
    let mut heap = Heap::new(BUDGET, text_order).unwrap();
    let mut random = Random(mask ^ keys as u64);
    let mut map = heap.empty_map();
    let mut model = Model::new();
    let mut before: Vec<(Word, Model)> = Vec::new();
    // The drift changes: the map grows beyond the small ones and comes back, several times.
    for step in 0..steps {
        let growing = (step / (steps / 6)).is_multiple_of(2);
        let number = random.below(keys);
        let word = key(&mut heap, number);
        if random.below(10) < if growing { 8 } else { 2 } {
            map = heap.map_put(map, word, Word::small(step as i64));
            model.insert(number, step as i64);
        } else {
            let smaller = heap.map_remove(map, word);
            assert_eq!(smaller == map, model.remove(&number).is_none());
            map = smaller;
        }
        let absent = key(&mut heap, keys + number);
        assert_eq!(map.map_get(absent), None);
        if step % (steps / 24) == 0 {
            check(&mut heap, map, &model);
            before.push((map, model.clone()));
        }
    }
    check(&mut heap, map, &model);
    // SAFETY: what is read later is shown.
    let mut collector = unsafe { heap.begin_collection() };
    collector.roots(before.iter_mut().map(|(map, _)| map));
    collector.finish(0);
    for (map, model) in &before {
        check(&mut heap, *map, model);
    }
    HASH_MASK.set(u64::MAX);
}

#[test]
fn many_keys_behave_as_the_model() {
    random_operations(u64::MAX, 600, 6000);
}

#[test]
fn maps_around_the_border_behave_as_the_model() {
    random_operations(u64::MAX, 45, 3000);
}

#[test]
fn keys_of_one_hash_behave_as_the_model() {
    random_operations(0, 60, 1200);
}

#[test]
fn keys_of_few_hashes_behave_as_the_model() {
    random_operations(0x3, 80, 1200);
    random_operations(0x8000_0000_0000_0001, 80, 1200);
    random_operations(0x00f0_0000_0f00_0000, 200, 2400);
}

#[test]
fn of_equal_keys_the_last_one_counts() {
    let mut heap = Heap::new(BUDGET, text_order).unwrap();
    for distinct in [3, 32, 33, 500] {
        let pairs: Vec<(Word, Word)> =
            (0..3 * distinct).map(|at| (key(&mut heap, at % distinct), Word::small(at as i64))).collect();
        let map = heap.map_of(&pairs);
        let model: Model = (0..distinct).map(|at| (at, (2 * distinct + at) as i64)).collect();
        check(&mut heap, map, &model);
    }
}

#[test]
fn one_key_apart_is_not_identical() {
    let mut heap = Heap::new(BUDGET, text_order).unwrap();
    for count in [1usize, 32, 33, 300] {
        let pairs: Vec<(Word, Word)> = (0..count).map(|at| (key(&mut heap, at), Word::NIL)).collect();
        let map = heap.map_of(&pairs);
        let other_key = key(&mut heap, count);
        let without = heap.map_remove(map, pairs[0].0);
        let other = heap.map_put(without, other_key, Word::NIL);
        assert_eq!(other.map_size(), count);
        assert!(!identical(map, other));
        let other = heap.map_put(map, pairs[0].0, Word::TRUE);
        assert!(!identical(map, other) && hash(map) != hash(other));
        let same = heap.map_put(without, pairs[0].0, Word::NIL);
        assert!(identical(map, same));
    }
}

#[test]
fn large_maps_as_keys_of_large_maps_need_no_deep_stack() {
    let mut heap = Heap::new(BUDGET, text_order).unwrap();
    let nested = |heap: &mut Heap| {
        let mut inner = Word::NIL;
        for _ in 0..500 {
            let mut pairs: Vec<_> = (0..33).map(|at| (Word::small(at), Word::NIL)).collect();
            pairs.push((inner, Word::NIL));
            inner = heap.map_of(&pairs);
        }
        inner
    };
    let (a, b) = (nested(&mut heap), nested(&mut heap));
    let small_stack = std::thread::Builder::new().stack_size(128 << 10);
    let words = (a.0, b.0);
    let same = small_stack
        .spawn(move || identical(Word::from_bits(words.0), Word::from_bits(words.1)))
        .unwrap()
        .join()
        .unwrap();
    assert!(same);
}

/// A word count: keys come one by one, the garbage is collected as the machine would.
#[test]
fn a_hundred_thousand_keys_take_few_words_each() {
    let mut heap = Heap::new(BUDGET, text_order).unwrap();
    let mut map = heap.empty_map();
    for step in 0..400_000u64 {
        let word = heap.binary(format!("word{}", step * 7919 % 100_003).as_bytes());
        let count = map.map_get(word).map_or(0, Word::small_value);
        map = heap.map_put(map, word, Word::small(count + 1));
        if heap.wants_collection(64) {
            // SAFETY: the map is all that is read later.
            let mut collector = unsafe { heap.begin_collection() };
            collector.root(&mut map);
            collector.finish(0);
        }
    }
    assert_eq!(map.map_size(), 100_003);
    assert_eq!(map.map_iter().map(|(_, count)| count.small_value()).sum::<i64>(), 400_000);
    // SAFETY: the map is all that is read later.
    let mut collector = unsafe { heap.begin_collection() };
    collector.root(&mut map);
    collector.finish(0);
    let per_key = heap.used() as f64 / 100_003.0;
    // Key (4), cell (2), and its share of the nodes.
    assert!(per_key < 9.0, "{per_key} words per key");
}

/// Only what nobody else has seen is changed where it is.
#[test]
fn replacing_leaves_the_old_map_alone() {
    let mut heap = Heap::new(BUDGET, text_order).unwrap();
    let number = Word::small;
    let old = heap.map_of(&[(number(1), number(10)), (number(2), number(20))]);
    let copy = heap.map_replace(old, false, number(1), number(11)).unwrap();
    let same = heap.map_replace(copy, true, number(2), number(21)).unwrap();
    assert!(copy == same && copy != old);
    assert_eq!(heap.map_replace(same, true, number(3), number(30)), None);
    let values = |map: Word| map.map_iter().map(|(_, value)| value.small_value()).collect::<Vec<_>>();
    assert_eq!((values(old), values(same)), (vec![10, 20], vec![11, 21]));
}

#[test]
fn words_move_to_where_they_overlap() {
    for count in 0..20 {
        for distance in 0..20 {
            let mut words: Vec<u64> = (0..40).collect();
            let mut expected = words.clone();
            expected.copy_within(distance..distance + count, 0);
            // SAFETY: both places are in the vector, which has 40 words.
            unsafe { super::move_words(words.as_ptr().add(distance), words.as_mut_ptr(), count) };
            assert_eq!(words, expected, "{count} words by {distance}");
        }
    }
}
