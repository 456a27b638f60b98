//! Maps that are made from others: their keys, and the values at these.

use super::encode::{Encoder, Facet, any_of};
use crate::layout::positions::{Projection, last_step};
use formula::{Operator, TermId};
use std::collections::BTreeSet;
use term::Term;

/// The largest number of keys of a constant that are looked at one by one.
const LONGEST: usize = 32;

impl Encoder<'_> {
    /// Encodes that the map has the key.
    pub(super) fn has_key(&mut self, map: TermId, key: TermId) -> String {
        stacker::maybe_grow(256 << 10, 4 << 20, || match self.formulas.operator(map).clone() {
            Operator::MapPut { map: inner, key: other, .. } => {
                let (same, before) = (self.same(other, key, false, 1), self.has_key(inner, key));
                format!("(or {same} {before})")
            }
            Operator::MapRemove { map: inner, key: other } => {
                let (same, before) = (self.same(other, key, false, 1), self.has_key(inner, key));
                format!("(and (not {same}) {before})")
            }
            Operator::Constant(constant) => match &constant.0 {
                Term::Map(pairs) if pairs.len() <= LONGEST => {
                    let mut ways = Vec::new();
                    for (other, _) in pairs.iter() {
                        let other = self.formulas.constant(other.clone());
                        ways.push(self.same(other, key, false, 1));
                    }
                    any_of(&ways)
                }
                _ => self.free_condition(),
            },
            _ => {
                let place = self.formulas.map_get(map, key);
                if matches!(*self.formulas.operator(place), Operator::MapGet { map: of, .. } if of == map) {
                    self.speak_of(map);
                    self.parts.entry(map).or_default().insert(place);
                    self.facet(place, Facet::Present)
                } else {
                    self.free_condition()
                }
            }
        })
    }

    /// Encodes a facet of the value at a key of a map that is made from another, or is a constant.
    pub(super) fn at_key(&mut self, id: TermId, facet: Facet) -> Option<String> {
        let Operator::MapGet { map, key } = *self.formulas.operator(id) else { return None };
        match self.formulas.operator(map).clone() {
            Operator::MapPut { .. } | Operator::Constant(_) if facet == Facet::Present => Some(self.has_key(map, key)),
            Operator::MapPut { map: inner, key: other, value } => {
                let same = self.same(other, key, false, 1);
                let before = self.formulas.map_get(inner, key);
                let (new, old) = (self.facet_if_any(value, facet), self.facet_if_any(before, facet));
                Some(format!("(ite {same} {new} {old})"))
            }
            Operator::Constant(constant) => {
                let Term::Map(pairs) = &constant.0 else { return None };
                if pairs.len() > LONGEST {
                    return None;
                }
                let mut chosen: Option<String> = None;
                for (other, value) in pairs.iter() {
                    let (other, value) = (self.formulas.constant(other.clone()), self.formulas.constant(value.clone()));
                    let (same, value) = (self.same(other, key, false, 1), self.facet_if_any(value, facet));
                    chosen = Some(match chosen {
                        Some(others) => format!("(ite {same} {value} {others})"),
                        None => value,
                    });
                }
                chosen
            }
            _ => None,
        }
    }

    /// Encodes the number of keys of a map that is made from another.
    pub(super) fn count_of(&mut self, map: TermId) -> Option<String> {
        let (inner, key, change) = match *self.formulas.operator(map) {
            Operator::MapPut { map, key, .. } => (map, key, "(ite HAS 0 1)"),
            Operator::MapRemove { map, key } => (map, key, "(ite HAS (- 1) 0)"),
            _ => return None,
        };
        let has = self.has_key(inner, key);
        let size = self.formulas.map_size(inner);
        let size = self.facet(size, Facet::Integer);
        Some(format!("(+ {size} {})", change.replace("HAS", &has)))
    }

    /// Returns the keys of a map that can have no others.
    fn all_keys(&mut self, map: TermId) -> Option<Vec<TermId>> {
        let mut keys = Vec::new();
        let mut at = map;
        loop {
            match self.formulas.operator(at).clone() {
                Operator::MapPut { map, key, .. } if keys.len() < LONGEST => {
                    keys.push(key);
                    at = map;
                }
                Operator::Constant(constant) => match &constant.0 {
                    Term::Map(pairs) if pairs.len() <= LONGEST => {
                        keys.extend(pairs.iter().map(|(key, _)| self.formulas.constant(key.clone())));
                        return Some(keys);
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    /// Encodes that two maps are the same: they have the same number of keys, and the same value at each.
    pub(super) fn same_maps(&mut self, a: TermId, b: TermId, by_value: bool, deep: u32, parts: &mut Vec<String>) {
        let (m, n) = (self.formulas.map_size(a), self.formulas.map_size(b));
        self.speak_of(m);
        self.speak_of(n);
        let (m, n) = (self.facet(m, Facet::Integer), self.facet(n, Facet::Integer));
        parts.push(format!("(= {m} {n})"));
        let known = self.all_keys(a).or_else(|| self.all_keys(b));
        let exact = known.is_some();
        let keys = known.unwrap_or_else(|| {
            let spoken = [a, b].into_iter().flat_map(|map| self.parts.get(&map).into_iter().flatten());
            let keys = spoken.filter_map(|part| match *self.formulas.operator(*part) {
                Operator::MapGet { key, .. } => Some(key),
                _ => None,
            });
            keys.collect::<BTreeSet<_>>().into_iter().collect()
        });
        for key in keys {
            let (x, y) = (self.has_key(a, key), self.has_key(b, key));
            let (first, second) = (self.formulas.map_get(a, key), self.formulas.map_get(b, key));
            let same = self.same(first, second, by_value, deep + 1);
            parts.push(format!("(and (= {x} {y}) (=> {x} {same}))"));
        }
        if !exact {
            self.same_content(a, b, by_value, parts);
        }
    }

    /// Asserts that a map has at least the keys that it is known to have.
    pub(super) fn count_keys(&mut self) {
        let sizes: Vec<(TermId, String)> = self
            .names
            .iter()
            .filter_map(|(name, (id, facet))| match (self.formulas.operator(*id), facet) {
                (Operator::MapSize(map), Facet::Integer) => Some((*map, name.clone())),
                _ => None,
            })
            .collect();
        for (map, size) in sizes {
            let keys: Vec<String> = self
                .parts
                .get(&map)
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .filter(|part| matches!(last_step(self.formulas, *part), Some((_, Projection::Value(_)))))
                .collect::<Vec<TermId>>()
                .into_iter()
                .map(|part| format!("(ite {} 1 0)", self.facet(part, Facet::Present)))
                .collect();
            if !keys.is_empty() {
                self.line(format_args!("(assert (>= {size} (+ 0 {})))", keys.join(" ")));
            }
        }
    }
}
