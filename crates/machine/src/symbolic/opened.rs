//! Opens an input: turns a box into a structure of its size whose parts are boxes. The size is a decision, as is the
//! order of the keys of a map if all of it is inspected.

use super::rows::loss;
use super::shape::parts;
use crate::context::{Context, Escape};
use crate::primitive::{Domain, Look, Primitive};
use crate::value::Word;
use formula::{Kinds, Operator, TermId};
use path::Concretised;
use std::cmp::Ordering;

impl Context {
    /// Applies a row that inspects a whole map or list.
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
                return Err(self.raise_outside(row, args, index));
            }
            *arg = match looks.get(index).copied().unwrap_or(Look::Moved) {
                Look::Moved if domain == Domain::Any => *arg,
                Look::Moved | Look::Top => self.open(*arg),
                Look::Spine => self.open_spine(*arg),
                Look::Deep => {
                    if self.heap.is_shadowed(*arg) {
                        let lost = loss(self.language, row);
                        self.recorder.concretised(lost);
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

    /// Opens one level of an input: a map to all of its keys and values, a tuple to its elements, a list to its items.
    /// Other values, such as numbers, are made concrete.
    pub fn open(&mut self, word: Word) -> Word {
        let Some((concrete, formula)) = word.as_symbolic() else { return word };
        if concrete.is_map() {
            return self.open_map(concrete, formula);
        }
        if let Some(elements) = concrete.as_tuple() {
            let is_tuple = self.recorder.formulas.kind(formula, Kinds::TUPLE);
            self.decide(is_tuple, true);
            let size = self.recorder.formulas.tuple_size(formula);
            self.count_to(size, elements.len());
            let elements: Vec<Word> = (0..elements.len()).map(|index| self.element_symbolic(word, index)).collect();
            return self.heap.tuple(&elements);
        }
        if concrete.is_list() {
            return self.open_spine(word);
        }
        self.lose(Concretised::ValueLookedInto);
        concrete
    }

    fn open_map(&mut self, concrete: Word, formula: TermId) -> Word {
        let size = concrete.map_size();
        let formulas = &mut self.recorder.formulas;
        let (is_map, of_map) = (formulas.kind(formula, Kinds::MAP), formulas.map_size(formula));
        self.decide(is_map, true);
        self.count_to(of_map, size);
        if !concrete.map_is_small() {
            self.lose(Concretised::OrderOfLargeMap);
        }
        let mut pairs = Vec::with_capacity(size);
        for (index, (key, value)) in concrete.map_iter().enumerate() {
            let key_formula = self.recorder.formulas.map_key_at(formula, index as u32);
            let value_formula = self.recorder.formulas.map_value_at(formula, index as u32);
            pairs.push((self.with_formula(key, key_formula), self.with_formula(value, value_formula)));
        }
        self.heap.map_of(&pairs)
    }

    /// Returns a list all of whose cells are on the heap. Items and an improper end keep their shadows.
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
        let (mut cell, formula) = parts(rest);
        let mut cells = 0;
        let part = self.recorder.part();
        loop {
            self.recorder.ask_again(part);
            let here = self.recorder.formulas.rest(formula, cells);
            let is_cons = self.recorder.formulas.kind(here, Kinds::CONS);
            if !self.decide(is_cons, cell.is_cons()) {
                let is_nil = self.recorder.formulas.kind(here, Kinds::NIL);
                let end = if self.decide(is_nil, cell.is_nil()) { Word::NIL } else { self.with_formula(cell, here) };
                return self.heap.list(&before, end);
            }
            let item = self.recorder.formulas.item(formula, cells);
            before.push(self.with_formula(cell.head(), item));
            cell = cell.tail();
            cells += 1;
        }
    }

    /// Decides that a size is `count`, step by step, so that the next question does not depend on a value.
    fn count_to(&mut self, size: TermId, count: usize) {
        let part = self.recorder.part();
        for below in 0..=count {
            self.recorder.ask_again(part);
            let bound = self.recorder.formulas.integer(below as u64);
            let more = self.recorder.formulas.less(bound, size);
            self.decide(more, below < count);
        }
    }

    /// Records the order in which a map with symbolic keys iterates: sorts them anew, beginning with the one whose
    /// formula is the oldest.
    pub fn decide_key_order(&mut self, map: Word) {
        if !map.map_has_shadowed_keys() || map.map_size() < 2 {
            return;
        }
        if !map.map_is_small() {
            return self.lose(Concretised::OrderOfLargeMap);
        }
        let keys: Vec<Word> = map.map_iter().map(|(key, _)| key).collect();
        let Ok(formulas) = self.reify_all(&keys) else { return self.lose(Concretised::KeyWithoutFormula) };
        if self.are_in_order(&formulas) {
            return;
        }
        let mut keys: Vec<(TermId, Word)> = formulas.into_iter().zip(keys).collect();
        keys.sort_unstable_by_key(|(formula, _)| *formula);
        let mut sorted: Vec<(TermId, Word, Class)> = Vec::with_capacity(keys.len());
        for (formula, key) in keys {
            let class = self.decide_class(key, formula);
            let (mut low, mut high) = (0, sorted.len());
            while low < high {
                let middle = (low + high) / 2;
                let (other, other_key, other_class) = sorted[middle];
                let is_less = match class.cmp(&other_class) {
                    Ordering::Equal => self.decide_less((formula, key), (other, other_key)),
                    by_class => by_class.is_lt(),
                };
                (low, high) = if is_less { (low, middle) } else { (middle + 1, high) };
            }
            sorted.insert(low, (formula, key, class));
        }
    }

    fn decide_less(&mut self, (a, key): (TermId, Word), (b, other): (TermId, Word)) -> bool {
        let order = self.language.compare(key, other);
        if order.is_eq() {
            // Inside terms, too, integers come before floats as keys, but not in the order of terms.
            self.lose(Concretised::OrderOfNumericKeys);
            return (self.language.key_order())(key, other).is_lt();
        }
        let less = self.recorder.formulas.less(a, b);
        self.decide(less, order.is_lt())
    }

    /// Returns whether these are the keys of one map, in the order of its iteration.
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

    /// Decides the class of a key: among keys, integers come first, then floats, then the others.
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

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Integer,
    Float,
    Other,
}
