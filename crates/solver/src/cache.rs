//! Answers to queries that were asked before, in whatever run: a slice is known by its structure, with the
//! inputs by number. Terms of runs are numbered anew each time, so keys are hashes of what the terms mean.

use crate::smt::recheck::{RefutationId, Refuter};
use crate::{Answer, Model};
use formula::{Formulas, Operator, TermId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use term::Term;

/// Queries that are remembered, the oldest forgotten first.
const MOST: usize = 20_000;

/// Two independent hashes of a set of conditions: that both agree for different sets is not expected in the
/// life of the universe.
pub(crate) type Key = RefutationId;

#[derive(Default)]
pub(crate) struct Cache {
    answers: FxHashMap<Key, Remembered>,
    order: VecDeque<Key>,
}

#[derive(Clone)]
enum Remembered {
    /// With the changed positions by their hashes.
    Sat(Vec<(u64, Term)>),
    Unsat,
}

impl Cache {
    /// What is remembered of a slice. A model is given only if its positions can be found again among those
    /// of the slice.
    pub fn get(&self, formulas: &Formulas, key: Key, slice: &[TermId]) -> Option<Answer> {
        match self.answers.get(&key)? {
            // What needs no solver is not remembered.
            Remembered::Unsat => Some(Answer::Unsat(Refuter::Smt(key))),
            Remembered::Sat(changes) => {
                let mut places: FxHashMap<u64, TermId> = FxHashMap::default();
                let mut hashes = FxHashMap::default();
                for condition in slice {
                    each_term(formulas, *condition, &mut |id| {
                        places.insert(hash(formulas, id, 0, &mut hashes), id);
                    });
                }
                let changes: Option<Vec<(TermId, Term)>> =
                    changes.iter().map(|(place, value)| Some((*places.get(place)?, value.clone()))).collect();
                Some(Answer::Sat(Model { changes: changes? }))
            }
        }
    }

    pub fn put(&mut self, formulas: &Formulas, key: Key, answer: &Answer) {
        let remembered = match answer {
            Answer::Unsat(_) => Remembered::Unsat,
            Answer::Sat(model) => {
                let mut hashes = FxHashMap::default();
                let changes = model.changes.iter();
                Remembered::Sat(changes.map(|(id, term)| (hash(formulas, *id, 0, &mut hashes), term.clone())).collect())
            }
            Answer::Unknown(_) => return,
        };
        if self.answers.insert(key, remembered).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
    }
}

/// The key of conditions that are all asked for, in whatever order.
pub(crate) fn key(formulas: &Formulas, conditions: &[TermId]) -> Key {
    let of = |seed: u64| {
        let mut hashes = FxHashMap::default();
        let mut all: Vec<u64> = conditions.iter().map(|id| hash(formulas, *id, seed, &mut hashes)).collect();
        all.sort_unstable();
        let mut state = DefaultHasher::default();
        (seed, all).hash(&mut state);
        state.finish()
    };
    (of(0x9e37_79b9), of(0x85eb_ca6b))
}

fn each_term(formulas: &Formulas, condition: TermId, each: &mut impl FnMut(TermId)) {
    let mut open = vec![condition];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            each(id);
            formulas.operator(id).each_child(|child| open.push(child));
        }
    }
}

/// Of what a term is, whatever its number; depth costs no stack.
fn hash(formulas: &Formulas, id: TermId, seed: u64, known: &mut FxHashMap<TermId, u64>) -> u64 {
    let mut open = vec![id];
    while let Some(&next) = open.last() {
        if known.contains_key(&next) {
            open.pop();
            continue;
        }
        let mut children = Vec::new();
        let mut missing = false;
        formulas.operator(next).each_child(|child| match known.get(&child) {
            Some(hash) => children.push(*hash),
            None => {
                open.push(child);
                missing = true;
            }
        });
        if missing {
            continue;
        }
        let mut state = DefaultHasher::default();
        (seed, std::mem::discriminant(formulas.operator(next)), &children).hash(&mut state);
        own(formulas, next, &mut state);
        known.insert(next, state.finish());
        open.pop();
    }
    known.get(&id).copied().unwrap_or_default()
}

/// What an operator is beside its operands.
fn own(formulas: &Formulas, id: TermId, state: &mut DefaultHasher) {
    match formulas.operator(id) {
        // The type of an input belongs to the query as much as the input.
        Operator::Variable(variable) => (variable, formulas.declared(*variable)).hash(state),
        Operator::Constant(constant) => constant.hash(state),
        Operator::Item(_, number) | Operator::Rest(_, number) | Operator::Element(_, number) => number.hash(state),
        Operator::MapKeyAt(_, number)
        | Operator::MapValueAt(_, number)
        | Operator::TupleOf(_, number)
        | Operator::FunctionOf(_, number) => number.hash(state),
        Operator::Kind(_, kinds) => kinds.hash(state),
        Operator::OneOf(_, constants) => constants.hash(state),
        Operator::Lookup(_, mapping) => mapping.hash(state),
        Operator::BitsNumber { format, .. } => format.hash(state),
        Operator::Bits(parts) => parts.iter().for_each(|part| (part.kind, part.size.is_some()).hash(state)),
        Operator::Arithmetic(operation, ..) => operation.hash(state),
        Operator::Numeric(operation, _) => operation.hash(state),
        Operator::Convert(conversion, _) | Operator::Converts(conversion, _) => conversion.hash(state),
        Operator::Apply { function, .. } => function.hash(state),
        Operator::Cons(..)
        | Operator::Tuple(_)
        | Operator::MapPut { .. }
        | Operator::MapRemove { .. }
        | Operator::SetElementAt { .. }
        | Operator::ItemAt(..)
        | Operator::RestAt(..)
        | Operator::ElementAt(..)
        | Operator::MapGet { .. }
        | Operator::BitsSlice { .. }
        | Operator::Length(_)
        | Operator::TupleSize(_)
        | Operator::MapSize(_)
        | Operator::BitSize(_)
        | Operator::ProperList(_)
        | Operator::HasItem(..)
        | Operator::MapHas { .. }
        | Operator::Identical(..)
        | Operator::Equal(..)
        | Operator::Less(..)
        | Operator::Not(_)
        | Operator::And(..)
        | Operator::Or(..)
        | Operator::Defined(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formula::Variable;

    #[test]
    fn numbers_of_terms_do_not_matter() {
        let mut first = Formulas::default();
        let mut second = Formulas::default();
        let condition = |formulas: &mut Formulas, bound: i64| {
            let x = formulas.variable(Variable(0));
            let item = formulas.item(x, 3);
            let bound = formulas.integer(bound);
            formulas.less(item, bound)
        };
        second.integer(99);
        let (a, b, c) = (condition(&mut first, 5), condition(&mut second, 5), condition(&mut second, 6));
        assert_ne!(a, b);
        assert_eq!(key(&first, &[a]), key(&second, &[b]));
        assert_ne!(key(&second, &[b]), key(&second, &[c]));
        let mut cache = Cache::default();
        let x = first.variable(Variable(0));
        let item = first.item(x, 3);
        let model = Model { changes: vec![(item, Term::Int(4))] };
        cache.put(&first, key(&first, &[a]), &Answer::Sat(model));
        let (y, place) = (second.variable(Variable(0)), 3);
        let place = second.item(y, place);
        let found = cache.get(&second, key(&second, &[b]), &[b]);
        assert_eq!(found, Some(Answer::Sat(Model { changes: vec![(place, Term::Int(4))] })));
    }
}
