//! The keys of a map by their places and by themselves: they are in order, they are counted, and the value at a key is
//! the value at the key's place.

use super::encode::{Encoder, Facet, any_of};
use crate::layout::positions::{Projection, last_step};
use formula::{Kinds, Operator, TermId};
use std::collections::BTreeMap;

/// The largest number of places that are compared with each other.
const MOST: usize = 24;

/// The kinds of terms whose order as keys is the order of terms: no integer is compared with a float.
const SIMPLE: Kinds = Kinds::INTEGER.or(Kinds::ATOM).or(Kinds::NIL).or(Kinds::BITS);

impl Encoder<'_> {
    pub(super) fn connect_keys(&mut self) {
        let mut maps: BTreeMap<TermId, BTreeMap<u32, TermId>> = BTreeMap::new();
        let parts: Vec<TermId> = self.parts.values().flatten().copied().collect();
        for part in parts {
            if let Some((map, Projection::KeyAt(index) | Projection::ValueAt(index))) = last_step(self.formulas, part) {
                let key = self.formulas.map_key_at(map, index);
                maps.entry(map).or_default().insert(index, key);
            }
        }
        for (map, keys) in maps {
            let keys: Vec<(u32, TermId)> = keys.into_iter().take(MOST).collect();
            let size = self.formulas.map_size(map);
            let size = self.facet(size, Facet::Integer);
            for pair in keys.windows(2) {
                if let [(_, key), (index, next)] = pair {
                    self.order_keys(*key, *next, &format!("(> {size} {index})"));
                }
            }
            self.find_keys(map, &size, &keys);
        }
    }

    fn order_keys(&mut self, key: TermId, next: TermId, are_there: &str) {
        let same = self.same(key, next, false, 0);
        self.line(format_args!("(assert (=> {are_there} (not {same})))"));
        if self.kinds(key).meets(SIMPLE) && self.kinds(next).meets(SIMPLE) {
            let simple = [self.is_kind(key, SIMPLE), self.is_kind(next, SIMPLE)].join(" ");
            let less = self.less(key, next, 0);
            self.line(format_args!("(assert (=> (and {are_there} {simple}) {less}))"));
        }
    }

    /// Connects the parts of a map that conditions address by key with its places.
    fn find_keys(&mut self, map: TermId, size: &str, keys: &[(u32, TermId)]) {
        let asked: Vec<TermId> = self.parts.get(&map).into_iter().flatten().copied().collect();
        for place in asked {
            let Operator::MapGet { key: wanted, .. } = *self.formulas.operator(place) else { continue };
            let present = self.facet(place, Facet::Present);
            let mut hits = Vec::new();
            for (index, key) in keys {
                let hit = format!("(and (> {size} {index}) {})", self.same(*key, wanted, false, 0));
                let value = self.formulas.map_value_at(map, *index);
                let same = self.same(value, place, false, 1);
                self.line(format_args!("(assert (=> {hit} (and {present} {same})))"));
                hits.push(hit);
            }
            // If these are all keys of the map, the wanted key is one of them.
            let all = keys.iter().enumerate().take_while(|(count, (index, _))| *count == *index as usize).count();
            let hit = any_of(&hits);
            self.line(format_args!("(assert (=> (and {present} (<= {size} {all})) {hit}))"));
        }
    }
}
