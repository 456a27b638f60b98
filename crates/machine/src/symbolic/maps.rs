//! Maps and their keys. As soon as a key has a shadow, it is a decision which of the map's keys it is the same as, if
//! any.
//!
//! A map that the program built is on the heap, with shadows in its keys and values. A map that is an input, or was
//! made from one by updates, is a box with a formula.

use super::identity::has_function;
use super::rows::loss;
use super::shape::parts;
use crate::context::{Context, Escape};
use crate::language::Misuse;
use crate::primitive::{Domain, Primitive, Symbolic};
use crate::value::{Word, copy_out, identical};
use formula::{Constant, Kinds, Operator, TermId};
use path::{Concretised, Way, Ways};
use std::sync::Arc;
use term::Term;

/// The number of parts up to which keys are remembered.
const MOST_KEY_PARTS: usize = 10_000;

impl Context {
    /// Returns the value of a key in a map. Decisions are recorded if shadows matter. `map` must be a map.
    pub fn map_lookup(&mut self, map: Word, key: Word) -> Option<Word> {
        if map.is_symbolic() {
            return self.lookup_in_box(map, key);
        }
        if map.map_has_shadowed_keys() || self.heap.is_shadowed(key) {
            self.decide_key(map, key);
        }
        map.map_get(key)
    }

    /// Decides whether a map without a shadow of its own has the key.
    pub fn decide_key(&mut self, map: Word, key: Word) -> bool {
        let found = map.map_get(key).is_some();
        if map.map_has_shadowed_keys() || self.heap.is_shadowed(key) {
            let keys: Vec<Word> = map.map_iter().map(|(key, _)| key).collect();
            self.decide_key_among(key, &keys);
        }
        found
    }

    /// Decides which of these keys, all different, a key is, if any. Recorded if shadows matter.
    pub fn decide_key_among(&mut self, key: Word, keys: &[Word]) {
        let is_shadowed = self.heap.is_shadowed(key);
        if self.recorder.has_function_inputs && keys.iter().any(|other| has_function(*other)) {
            self.note_inspected(key);
        }
        // The key is first: formulas are numbered by birth, and the order of candidates must not depend on values.
        let Ok(formula) = self.reify(key) else {
            self.lose(Concretised::KeyWithoutFormula);
            return;
        };
        // A key without a shadow can only be the same as one with a shadow.
        let mut candidates = Vec::new();
        for &other in keys {
            let same = identical(other, key);
            if !is_shadowed && !self.heap.is_shadowed(other) {
                if same {
                    return;
                }
                continue;
            }
            match self.reify(other) {
                Ok(other) => candidates.push((other, same)),
                Err(why) => {
                    self.lose(why.reason());
                    return;
                }
            }
        }
        self.decide_among(formula, candidates);
    }

    /// Decides which of the candidates is the key, if any. Atoms, small integers and `[]` are one decision, the others
    /// one each.
    fn decide_among(&mut self, key: TermId, mut candidates: Vec<(TermId, bool)>) {
        candidates.sort_unstable();
        candidates.dedup();
        let formulas = &mut self.recorder.formulas;
        if candidates.iter().any(|(candidate, same)| *same && *candidate == key) {
            return;
        }
        let is_simple = |candidate: TermId| {
            matches!(formulas.as_constant(candidate), Some(Term::Int(_) | Term::Atom(_) | Term::Nil))
        };
        let (simple, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|(id, _)| is_simple(*id));
        if !simple.is_empty() {
            let terms = simple.iter().filter_map(|(candidate, _)| formulas.as_constant(*candidate));
            let ways = Ways::shared(terms.map(|term| Way::of([Constant(term.clone())])));
            let hit = simple.iter().position(|(_, same)| *same);
            self.recorder.switch(key, hit.unwrap_or(simple.len()) as u32, &ways);
            if hit.is_some() {
                return;
            }
        }
        for (candidate, same) in others {
            let formula = self.recorder.formulas.identical(key, candidate);
            if self.decide(formula, same) {
                return;
            }
        }
    }

    fn lookup_in_box(&mut self, map: Word, key: Word) -> Option<Word> {
        let (concrete, formula) = parts(map);
        let found = concrete.map_get(key);
        let Ok(key_formula) = self.reify(key) else {
            self.lose(Concretised::KeyWithoutFormula);
            return found;
        };
        let (base, key_formula, settled) = self.walk_updates(formula, key_formula, key);
        let formulas = &mut self.recorder.formulas;
        if settled == Some(false) {
            return None;
        }
        if settled.is_none() {
            let has = formulas.map_has(base, key_formula);
            self.decide(has, found.is_some());
        }
        let value = found?;
        let formula = self.recorder.formulas.map_get(base, key_formula);
        Some(self.with_formula(value, formula))
    }

    /// Walks the updates in a map's formula, deciding whether each was of this key. Returns the rest of the map, a
    /// formula of the key in it, and whether the key is known to be there.
    fn walk_updates(&mut self, map: TermId, key: TermId, word: Word) -> (TermId, TermId, Option<bool>) {
        let mut map = map;
        self.note_inspected(word);
        loop {
            let (inner, other, put) = match *self.recorder.formulas.operator(map) {
                Operator::MapPut { map: inner, key: other, .. } => (inner, other, true),
                Operator::MapRemove { map: inner, key: other } => (inner, other, false),
                _ => break,
            };
            let same = self.recorder.formulas.identical(key, other);
            let held = match self.recorder.formulas.as_boolean(same) {
                Some(held) => held,
                None => match self.is_remembered(other, word) {
                    Some(held) => self.decide(same, held),
                    None => return (map, key, None),
                },
            };
            if held {
                return (map, other, Some(put));
            }
            map = inner;
        }
        if let Some(Term::Map(pairs)) = self.recorder.formulas.as_constant(map) {
            let pairs = Arc::clone(pairs);
            return self.walk_constant(map, &pairs, key, word);
        }
        (map, key, None)
    }

    fn walk_constant(
        &mut self,
        map: TermId,
        pairs: &[(Term, Term)],
        key: TermId,
        word: Word,
    ) -> (TermId, TermId, Option<bool>) {
        let Some(value) = self.key_term(word) else { return (map, key, None) };
        let candidates: Vec<(TermId, bool)> =
            pairs.iter().map(|(other, _)| (self.recorder.formulas.constant(other.clone()), *other == value)).collect();
        let hit = candidates.iter().find(|(_, same)| *same).map(|(candidate, _)| *candidate);
        self.decide_among(key, candidates);
        (map, hit.unwrap_or(key), Some(hit.is_some()))
    }

    /// Remembers the value of a symbolic key that is put into a symbolic map.
    pub(crate) fn remember_key(&mut self, formula: TermId, key: Word) {
        if self.recorder.formulas.as_constant(formula).is_none()
            && !self.recorder.keys.contains_key(&formula)
            && let Some(term) = self.key_term(key)
        {
            self.recorder.keys.insert(formula, term);
        }
    }

    /// Returns whether a key that was put into a map has this value, if that is known.
    fn is_remembered(&mut self, formula: TermId, key: Word) -> Option<bool> {
        let value = self.key_term(key)?;
        match self.recorder.formulas.as_constant(formula) {
            Some(other) => Some(*other == value),
            None => self.recorder.keys.get(&formula).map(|other| *other == value),
        }
    }

    fn key_term(&self, key: Word) -> Option<Term> {
        copy_out(key, MOST_KEY_PARTS, &|function, arity| self.fun_name(function, arity))
    }

    /// Returns whether shadows matter to an update. Those of values do not.
    pub(crate) fn is_update_symbolic(&self, base: Word, pairs: &[Word]) -> bool {
        base.is_symbolic()
            || base.is_map() && base.map_has_shadowed_keys()
            || pairs.iter().step_by(2).any(|key| self.heap.is_shadowed(*key))
    }

    /// Updates a map if base or keys have shadows. Keys and values alternate in `pairs`.
    pub(crate) fn update_map_symbolic(&mut self, base: Word, pairs: &[Word], exact: &[bool]) -> Result<Word, Escape> {
        let language = self.language;
        if let Some((concrete, formula)) = base.as_symbolic() {
            let is_map = self.recorder.formulas.kind(formula, Kinds::MAP);
            self.decide(is_map, concrete.is_map());
        }
        if !base.concrete().is_map() {
            return Err(language.misuse(self, Misuse::NotAMap { value: base }));
        }
        let mut map = base;
        for (pair, exact) in pairs.chunks_exact(2).zip(exact) {
            let (key, value) = (pair[0], pair[1]);
            let found = match (map.is_symbolic(), exact) {
                (true, false) => true,
                (true, true) => self.lookup_in_box(map, key).is_some(),
                (false, _) => self.decide_key(map, key),
            };
            if *exact && !found {
                return Err(language.misuse(self, Misuse::NoSuchKey { key }));
            }
            map = self.put(map, key, value);
        }
        Ok(map)
    }

    /// Puts a pair after the decisions have been taken.
    fn put(&mut self, map: Word, key: Word, value: Word) -> Word {
        let Some((concrete, formula)) = map.as_symbolic() else { return self.heap.map_put(map, key, value) };
        match (self.reify(key), self.reify(value)) {
            (Ok(key_formula), Ok(value_formula)) => {
                self.remember_key(key_formula, key);
                let (key, value) = (self.heap.without_shadows(key), self.heap.without_shadows(value));
                let concrete = self.heap.map_put(concrete, key, value);
                let formula = self.recorder.formulas.map_put(formula, key_formula, value_formula);
                self.with_formula(concrete, formula)
            }
            // A closure is a value of a map that is an input.
            (Err(why), _) | (_, Err(why)) => {
                self.lose(why.reason());
                self.heap.map_put(concrete, key, value)
            }
        }
    }

    /// Applies a row that asks a map for one key.
    pub(super) fn apply_keyed(
        &mut self,
        row: &'static Primitive,
        key: usize,
        map: usize,
        whole: Symbolic,
        args: &[Word],
    ) -> Result<Word, Escape> {
        if let Some((concrete, formula)) = args[map].as_symbolic() {
            let Ok(key_formula) = self.reify(args[key]) else { return self.apply_blindly(row, args) };
            if concrete.is_map() {
                let is_map = self.recorder.formulas.kind(formula, Kinds::MAP);
                self.decide(is_map, true);
                self.walk_updates(formula, key_formula, args[key]);
                self.remember_key(key_formula, args[key]);
            }
            return self.apply_term(row, whole, args);
        }
        // The concrete function inspects all other arguments that have a domain.
        let mut known = args.to_vec();
        for (index, domain) in row.domain.iter().enumerate() {
            if let Some((concrete, formula)) = args[index].as_symbolic()
                && *domain != Domain::Any
            {
                known[index] = concrete;
                if !self.decide_domain(*domain, concrete, formula) {
                    return Err(self.raise_outside(row, args, index));
                }
                let lost = loss(self.language, row);
                self.recorder.concretised(lost);
            }
        }
        if args[map].is_map() {
            self.decide_key(args[map], args[key]);
        }
        row.apply(self, &known)
    }
}
