//! Remembers the answers to earlier queries of all runs. A slice is recognised by its structure, in which inputs are
//! identified by their numbers. Every run numbers its terms anew, so the keys are hashes of what the terms mean.

use crate::tier::{Tier, Tiers, Tools, first_answer, forget_all};
use crate::{Answer, Model, Query, RefutationId, Refuter, Solution, TierName};
use formula::{Formulas, Operator, TermId, Test, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use term::Term;

/// The number of queries that are remembered; the oldest is forgotten first.
const MOST: usize = 20_000;

/// Remembers what the tiers inside answer.
pub(crate) struct Remembering {
    cache: Cache,
    /// The types of the inputs that the remembered answers are about. The cache knows inputs by their numbers alone.
    types: Option<Arc<Types>>,
    inside: Tiers,
}

impl Remembering {
    pub fn new(inside: Tiers) -> Remembering {
        Remembering { cache: Cache::default(), types: None, inside }
    }

    /// Forgets the answers if they are about inputs of other types.
    fn remember_for(&mut self, types: &Arc<Types>) {
        if !self.types.as_ref().is_some_and(|known| Arc::ptr_eq(known, types)) {
            self.types = Some(Arc::clone(types));
            self.cache = Cache::default();
        }
    }
}

impl Tier for Remembering {
    fn answer(&mut self, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer> {
        self.remember_for(query.formulas.types());
        let slice = query.take_slice();
        let key = key(query.formulas, &slice.conditions);
        let known = self.cache.get(query.formulas, key, &slice.conditions);
        query.put_slice(slice);
        let known = match known {
            Some(Known::Sat(model)) => query.solution(model, TierName::Cache),
            // Only refutations by the SMT solver are remembered.
            Some(Known::Unsat) => Some(Answer::Unsat { by: TierName::Cache, refuter: Refuter::Smt(key) }),
            None => None,
        };
        if known.is_some() {
            return known;
        }
        let answer = first_answer(&mut self.inside, query, tools)?;
        match &answer {
            Answer::Sat(solution) if is_worth_remembering(solution) => {
                self.cache.put_solution(query.formulas, key, &solution.model);
            }
            // The slice may have grown since its key was computed, and only the grown slice is refuted: the refutation
            // has the key of that one. Where functions are known by samples, the facts about them are part of it, and
            // these change with every sample.
            Answer::Unsat { refuter: Refuter::Smt(refuted), .. } => {
                let mut slice = query.take_slice();
                if slice.sampled(query.formulas).is_none() {
                    self.cache.put(*refuted, Remembered::Unsat);
                }
                query.put_slice(slice);
            }
            Answer::Sat(_) | Answer::Unsat { refuter: Refuter::Native, .. } | Answer::Unknown(_) => {}
        }
        Some(answer)
    }

    fn forget(&mut self) {
        self.cache = Cache::default();
        forget_all(&mut self.inside);
    }
}

/// Returns whether finding a solution again is more work than remembering it.
fn is_worth_remembering(solution: &Solution) -> bool {
    match solution.by {
        TierName::SampledPoints | TierName::Walk | TierName::Smt | TierName::Trial => true,
        TierName::Guesses | TierName::Cache | TierName::FewValues | TierName::Bounds => false,
    }
}

#[derive(Default)]
struct Cache {
    answers: FxHashMap<RefutationId, Remembered>,
    order: VecDeque<RefutationId>,
}

enum Remembered {
    /// The changed positions are known by their hashes.
    Sat(Vec<(u64, Term)>),
    Unsat,
}

/// A remembered answer in the terms of the current query.
#[derive(Debug, PartialEq)]
enum Known {
    Sat(Model),
    Unsat,
}

impl Cache {
    /// Looks up what is remembered of a slice. A model is returned only if the slice contains all of its positions.
    fn get(&self, formulas: &Formulas, key: RefutationId, slice: &[TermId]) -> Option<Known> {
        match self.answers.get(&key)? {
            Remembered::Unsat => Some(Known::Unsat),
            Remembered::Sat(changes) => {
                let mut places: FxHashMap<u64, TermId> = FxHashMap::default();
                let mut hashes = FxHashMap::default();
                each_term(formulas, slice, &mut |id| {
                    places.insert(hash(formulas, id, &mut hashes).0, id);
                });
                let changes: Option<Vec<(TermId, Term)>> =
                    changes.iter().map(|(place, value)| Some((*places.get(place)?, value.clone()))).collect();
                Some(Known::Sat(Model { changes: changes? }))
            }
        }
    }

    fn put_solution(&mut self, formulas: &Formulas, key: RefutationId, model: &Model) {
        let mut hashes = FxHashMap::default();
        let changes = model.changes.iter();
        let changes = changes.map(|(id, term)| (hash(formulas, *id, &mut hashes).0, term.clone())).collect();
        self.put(key, Remembered::Sat(changes));
    }

    fn put(&mut self, key: RefutationId, remembered: Remembered) {
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

/// Returns the key of a set of conditions, which does not depend on their order.
pub(crate) fn key(formulas: &Formulas, conditions: &[TermId]) -> RefutationId {
    let mut hashes = FxHashMap::default();
    let all: Vec<RefutationId> = conditions.iter().map(|id| hash(formulas, *id, &mut hashes)).collect();
    let of = |seed: u64, mut all: Vec<u64>| {
        all.sort_unstable();
        let mut state = DefaultHasher::default();
        (seed, all).hash(&mut state);
        state.finish()
    };
    let (first, second) = all.into_iter().unzip();
    (of(SEEDS.0, first), of(SEEDS.1, second))
}

const SEEDS: (u64, u64) = (0x9e37_79b9, 0x85eb_ca6b);

fn each_term(formulas: &Formulas, conditions: &[TermId], each: &mut impl FnMut(TermId)) {
    let mut open = conditions.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            each(id);
            formulas.operator(id).each_child(|child| open.push(child));
        }
    }
}

/// Computes two hashes of what a term means, which do not depend on its number. The depth of the term costs no stack.
fn hash(formulas: &Formulas, id: TermId, known: &mut FxHashMap<TermId, RefutationId>) -> RefutationId {
    let mut open = vec![id];
    let mut children: (Vec<u64>, Vec<u64>) = Default::default();
    while let Some(&next) = open.last() {
        if known.contains_key(&next) {
            open.pop();
            continue;
        }
        children.0.clear();
        children.1.clear();
        let mut missing = false;
        formulas.operator(next).each_child(|child| match known.get(&child) {
            Some(hash) => {
                children.0.push(hash.0);
                children.1.push(hash.1);
            }
            None => {
                open.push(child);
                missing = true;
            }
        });
        if missing {
            continue;
        }
        let of = |seed: u64, children: &[u64]| {
            let mut state = DefaultHasher::default();
            (seed, std::mem::discriminant(formulas.operator(next)), children).hash(&mut state);
            own(formulas, next, &mut state);
            state.finish()
        };
        known.insert(next, (of(SEEDS.0, &children.0), of(SEEDS.1, &children.1)));
        open.pop();
    }
    known.get(&id).copied().unwrap_or_default()
}

/// Hashes all parts of an operator except its operands.
fn own(formulas: &Formulas, id: TermId, state: &mut DefaultHasher) {
    if let Operator::Test(test) = formulas.operator(id) {
        std::mem::discriminant(test).hash(state);
    }
    match formulas.operator(id) {
        // The same input with another type makes another query.
        Operator::Variable(variable) => (variable, formulas.declared(*variable)).hash(state),
        Operator::Constant(constant) => constant.hash(state),
        Operator::Item(_, number) | Operator::Rest(_, number) | Operator::Element(_, number) => number.hash(state),
        Operator::MapKeyAt(_, number)
        | Operator::MapValueAt(_, number)
        | Operator::Test(Test::TupleOf(_, number))
        | Operator::Test(Test::FunctionOf(_, number)) => number.hash(state),
        Operator::Test(Test::Kind(_, kinds)) => kinds.hash(state),
        Operator::Test(Test::OneOf(_, constants)) => constants.hash(state),
        Operator::Lookup(_, mapping) => mapping.hash(state),
        Operator::BitsNumber { format, .. } => format.hash(state),
        Operator::Bits(parts) => parts.iter().for_each(|part| (part.kind, part.size.is_some()).hash(state)),
        Operator::Arithmetic(operation, ..) => operation.hash(state),
        Operator::Numeric(operation, _) => operation.hash(state),
        Operator::Convert(conversion, _) | Operator::Test(Test::Converts(conversion, _)) => conversion.hash(state),
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
        | Operator::Test(Test::ProperList(_))
        | Operator::Test(Test::HasItem(..))
        | Operator::Test(Test::MapHas { .. })
        | Operator::Test(Test::Identical(..))
        | Operator::Test(Test::Equal(..))
        | Operator::Test(Test::Less(..))
        | Operator::Test(Test::Not(_))
        | Operator::Test(Test::And(..))
        | Operator::Test(Test::Or(..))
        | Operator::Test(Test::Defined(_)) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formula::Variable;

    #[test]
    fn different_questions_about_the_same_terms_differ() {
        let mut formulas = Formulas::default();
        let (a, b) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
        let questions = [formulas.identical(a, b), formulas.equal(a, b), formulas.less(a, b)];
        let keys: std::collections::HashSet<_> =
            questions.iter().map(|question| hash(&formulas, *question, &mut FxHashMap::default()).0).collect();
        assert_eq!(keys.len(), questions.len());
    }

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
        cache.put_solution(&first, key(&first, &[a]), &model);
        let (y, place) = (second.variable(Variable(0)), 3);
        let place = second.item(y, place);
        let found = cache.get(&second, key(&second, &[b]), &[b]);
        assert_eq!(found, Some(Known::Sat(Model { changes: vec![(place, Term::Int(4))] })));
    }
}
