//! Opening an input: from a box to a structure of its size whose parts are boxes. The size is a decision,
//! as is the order of the keys of a map that is looked through.

use super::rows::loss;
use super::shape::parts;
use crate::context::{Context, Escape};
use crate::primitive::{Domain, Look, Primitive, proper_length};
use crate::value::Word;
use formula::{Kinds, Operator, TermId};

impl Context {
    /// A row that looks through a whole map or list.
    pub(super) fn apply_opened(
        &mut self,
        row: &'static Primitive,
        looks: &[Look],
        args: &[Word],
    ) -> Result<Word, Escape> {
        let mut opened = args.to_vec();
        for (index, arg) in opened.iter_mut().enumerate() {
            let domain = row.domain.get(index).copied().unwrap_or(Domain::Any);
            if let Some((concrete, formula)) = arg.as_symbolic()
                && domain != Domain::Any
                && !self.decide_domain(domain, concrete, formula)
            {
                let plain: Vec<Word> = args.iter().map(|arg| self.heap.without_shadows(*arg)).collect();
                return Err((row.outside)(self, &plain));
            }
            *arg = match looks.get(index).copied().unwrap_or(Look::Moved) {
                Look::Moved if domain == Domain::Any => *arg,
                Look::Moved | Look::Top => self.open(*arg),
                Look::Spine => self.open_spine(*arg),
                Look::Deep => {
                    if self.heap.is_shadowed(*arg) {
                        self.recorder.concretised(loss(row));
                    }
                    self.heap.without_shadows(*arg)
                }
            };
            if arg.is_map() {
                self.decide_key_order(*arg);
            }
        }
        row.apply(self, &opened)
    }

    /// One level of an input: a map with all of its keys and values, a tuple with its elements, a list
    /// with its items. Numbers and the like are made concrete.
    pub fn open(&mut self, word: Word) -> Word {
        let Some((concrete, formula)) = word.as_symbolic() else { return word };
        if concrete.is_map() {
            return self.open_map(concrete, formula);
        }
        if let Some(elements) = concrete.as_tuple() {
            let is_tuple = self.recorder.formulas.tuple_of(formula, elements.len() as u32);
            self.decide(is_tuple, true);
            let elements: Vec<Word> = (0..elements.len()).map(|index| self.element_symbolic(word, index)).collect();
            return self.heap.tuple(&elements);
        }
        if concrete.is_list() {
            return self.open_spine(word);
        }
        self.lose("a value that is looked into");
        concrete
    }

    fn open_map(&mut self, concrete: Word, formula: TermId) -> Word {
        let size = concrete.map_size();
        let formulas = &mut self.recorder.formulas;
        let is_map = formulas.kind(formula, Kinds::MAP);
        let (of_map, wanted) = (formulas.map_size(formula), formulas.integer(size as u64));
        let same_size = formulas.identical(of_map, wanted);
        self.decide(is_map, true);
        self.decide(same_size, true);
        if !concrete.map_is_small() {
            self.lose("the order of the keys of a large map");
        }
        let mut pairs = Vec::with_capacity(size);
        for (index, (key, value)) in concrete.map_iter().enumerate() {
            let key_formula = self.recorder.formulas.map_key_at(formula, index as u32);
            let value_formula = self.recorder.formulas.map_value_at(formula, index as u32);
            pairs.push((self.with_formula(key, key_formula), self.with_formula(value, value_formula)));
        }
        self.heap.map_of(&pairs)
    }

    /// A list all of whose cells are on the heap; items and an improper end keep their shadows.
    pub fn open_spine(&mut self, word: Word) -> Word {
        let mut before = Vec::new();
        let mut rest = word;
        while rest.is_cons() {
            before.push(rest.head());
            rest = rest.tail();
        }
        if !rest.is_symbolic() {
            return word;
        }
        let (concrete, formula) = parts(rest);
        let length = proper_length(concrete);
        let proper = self.recorder.formulas.proper_list(formula);
        let mut end = Word::NIL;
        if self.decide(proper, length.is_some()) {
            let formulas = &mut self.recorder.formulas;
            let (of_list, wanted) = (formulas.length(formula), formulas.integer(length.unwrap_or(0) as u64));
            let same_length = formulas.identical(of_list, wanted);
            self.decide(same_length, true);
        }
        let mut cells = 0;
        let mut cell = concrete;
        while cell.is_cons() {
            if length.is_none() {
                let here = self.recorder.formulas.rest(formula, cells);
                let is_cons = self.recorder.formulas.kind(here, Kinds::CONS);
                self.decide(is_cons, true);
            }
            let item = self.recorder.formulas.item(formula, cells);
            before.push(self.with_formula(cell.head(), item));
            cell = cell.tail();
            cells += 1;
        }
        if length.is_none() {
            let behind = self.recorder.formulas.rest(formula, cells);
            let is_cons = self.recorder.formulas.kind(behind, Kinds::CONS);
            self.decide(is_cons, false);
            end = self.with_formula(cell, behind);
        }
        self.heap.list(&before, end)
    }

    /// Records the order in which a map with symbolic keys iterates.
    pub fn decide_key_order(&mut self, map: Word) {
        if !map.map_has_shadowed_keys() || map.map_size() < 2 {
            return;
        }
        if !map.map_is_small() {
            return self.lose("the order of the keys of a large map");
        }
        let keys: Vec<Word> = map.map_iter().map(|(key, _)| key).collect();
        let Ok(formulas) = self.reify_all(&keys) else { return self.lose("a key without a formula") };
        if self.are_in_order(&formulas) {
            return;
        }
        let classes: Vec<Class> = keys.iter().zip(&formulas).map(|(key, id)| self.decide_class(*key, *id)).collect();
        for index in 1..keys.len() {
            // Keys of different classes are in order whatever they are.
            if classes[index - 1] != classes[index] {
                continue;
            }
            let less = self.recorder.formulas.less(formulas[index - 1], formulas[index]);
            // Inside of terms, too, integers come before floats as keys, but not in the order of terms.
            if self.language.compare(keys[index - 1], keys[index]).is_lt() {
                self.decide(less, true);
            } else {
                self.lose("the order of keys that have numbers in them");
            }
        }
    }

    /// Are they the keys of one map, as it iterates?
    fn are_in_order(&self, keys: &[TermId]) -> bool {
        let place = |key: &TermId| match *self.recorder.formulas.operator(*key) {
            Operator::MapKeyAt(map, index) => Some((map, index)),
            _ => None,
        };
        keys.windows(2).all(|pair| match (place(&pair[0]), place(&pair[1])) {
            (Some((map, index)), Some((other, next))) => map == other && index < next,
            _ => false,
        })
    }

    /// Among keys, integers come first, then floats, then the others.
    fn decide_class(&mut self, key: Word, formula: TermId) -> Class {
        let concrete = key.concrete();
        let formulas = &mut self.recorder.formulas;
        let (integer, float) = (formulas.kind(formula, Kinds::INTEGER), formulas.kind(formula, Kinds::FLOAT));
        if self.decide(integer, concrete.is_integer()) {
            Class::Integer
        } else if self.decide(float, concrete.is_float()) {
            Class::Float
        } else {
            Class::Other
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer,
    Float,
    Other,
}
