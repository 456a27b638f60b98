//! The table of interned terms.

use crate::constant::Constant;
use crate::kinds::Kinds;
use crate::meaning::meaning;
use crate::positions::{Positions, TypeSet};
use crate::samples::Samples;
use crate::terms::{Operator, TermId, Variable};
use crate::types::{TypeId, Types};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use term::{BigInt, Term, work};

/// The interned terms of one run.
#[derive(Default)]
pub struct Formulas {
    terms: Vec<Operator>,
    /// The kinds of which each term can be.
    kinds: Vec<Kinds>,
    /// The declared types of each term that is an input or a part of one.
    places: Vec<TypeSet>,
    hashes: Vec<u32>,
    /// A hash table with open addressing and linear probing, whose size is a power of two. The entries are numbers of
    /// terms, or `FREE`.
    slots: Vec<u32>,
    /// The declared types of the variables; a variable without a type can be anything.
    types: Arc<Types>,
    declared: FxHashMap<Variable, TypeId>,
    positions: Positions,
    samples: Samples,
    /// The first term that is assumed to be of fewer kinds than its operator says.
    first_narrowed: Option<usize>,
}

const FREE: u32 = u32::MAX;

impl Formulas {
    /// Creates a table with the types that `declare` will refer to.
    pub fn with_types(types: Arc<Types>) -> Formulas {
        Formulas { types, ..Formulas::default() }
    }

    /// Uses the samples of functions without meaning that other tables share.
    pub fn share(&mut self, samples: &Samples) {
        self.samples = samples.clone();
    }

    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Forgets all terms, but keeps the types and the allocated memory.
    pub fn clear(&mut self) {
        let few = self.terms.len() < self.slots.len() / 8;
        if few {
            // The latest term is at the end of its probe sequence, so removing terms from the latest on hides none of
            // the others.
            for number in (0..self.terms.len()).rev() {
                let mut at = self.home(self.hashes[number]);
                while self.slots[at] != number as u32 {
                    at = self.next(at);
                }
                self.slots[at] = FREE;
            }
        } else {
            self.slots.fill(FREE);
        }
        self.terms.clear();
        self.kinds.clear();
        self.places.clear();
        self.hashes.clear();
        self.first_narrowed = None;
    }

    /// Sets the types that `declare` will refer to. No variable may have been declared before.
    pub fn set_types(&mut self, types: Arc<Types>) {
        self.types = types;
    }

    pub fn types(&self) -> &Arc<Types> {
        &self.types
    }

    /// Declares the type of a variable. This must happen before the variable is first used.
    pub fn declare(&mut self, variable: Variable, of: TypeId) {
        self.declared.insert(variable, of);
    }

    pub fn declared(&self, variable: Variable) -> TypeId {
        self.declared.get(&variable).copied().unwrap_or(Types::ANY)
    }

    pub fn operator(&self, id: TermId) -> &Operator {
        &self.terms[id.index()]
    }

    /// Returns the kinds of which the term can be, according to its operator and the types of the variables.
    pub fn kinds(&self, id: TermId) -> Kinds {
        self.kinds[id.index()]
    }

    /// Assumes that a term is of these kinds only, until [`Formulas::forget_assumptions`]. Terms made of it use that.
    pub(crate) fn narrow_kinds(&mut self, id: TermId, kinds: Kinds) {
        self.kinds[id.index()] = kinds;
        self.first_narrowed = Some(self.first_narrowed.map_or(id.index(), |first| first.min(id.index())));
    }

    /// Drops all assumptions: every term can again be what its operator says.
    pub fn forget_assumptions(&mut self) {
        let Some(first) = self.first_narrowed.take() else { return };
        for index in first..self.terms.len() {
            self.kinds[index] = self.kinds_of(&self.terms[index], self.places[index]);
        }
    }

    /// Returns the declared types of a position, which is of one of them. Empty for a term that is no position, and for
    /// a position that no input has.
    pub fn types_of(&self, id: TermId) -> &[TypeId] {
        self.positions.members(self.places[id.index()])
    }

    /// Returns whether the term is an input or a part of one.
    pub fn is_position(&self, id: TermId) -> bool {
        self.places[id.index()] != TypeSet::NO_POSITION
    }

    pub(crate) fn place(&self, id: TermId) -> TypeSet {
        self.places[id.index()]
    }

    pub(crate) fn kinds_at(&self, place: TypeSet) -> Kinds {
        self.positions.kinds(place)
    }

    pub(crate) fn positions(&mut self) -> (&mut Positions, &Types) {
        (&mut self.positions, &self.types)
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn as_constant(&self, id: TermId) -> Option<&Term> {
        match self.operator(id) {
            Operator::Constant(constant) => Some(&constant.0),
            _ => None,
        }
    }

    /// Returns the truth value of the constants `true` and `false`.
    pub fn as_boolean(&self, id: TermId) -> Option<bool> {
        match self.as_constant(id) {
            Some(Term::Atom(atom)) if *atom == term::names::TRUE => Some(true),
            Some(Term::Atom(atom)) if *atom == term::names::FALSE => Some(false),
            _ => None,
        }
    }

    /// Returns the variables in a term.
    pub fn variables(&self, id: TermId) -> Vec<Variable> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.operator(id) {
                Operator::Variable(variable) => found.push(*variable),
                operator => operator.each_child(|child| open.push(child)),
            }
        }
        found
    }

    pub fn variable(&mut self, variable: Variable) -> TermId {
        self.intern(Operator::Variable(variable))
    }

    pub fn constant(&mut self, term: Term) -> TermId {
        self.intern(Operator::Constant(Constant(term)))
    }

    pub fn integer(&mut self, value: impl Into<BigInt>) -> TermId {
        self.constant(Term::integer(value.into()))
    }

    pub(crate) fn small(&mut self, value: i64) -> TermId {
        self.constant(Term::Int(value))
    }

    pub fn boolean(&mut self, value: bool) -> TermId {
        self.constant(if value { Term::TRUE } else { Term::FALSE })
    }

    /// Returns the operator's value if all terms below it are constant, else the operator itself.
    pub(crate) fn folded(&mut self, operator: Operator) -> TermId {
        let mut constant = true;
        operator.each_child(|child| constant &= self.as_constant(child).is_some());
        if constant && let Some(value) = meaning(&operator, &|id| self.as_constant(id).cloned().map(Value::Term)) {
            return self.constant(value.into_term());
        }
        match self.looked_up(&operator) {
            Some(looked_up) => looked_up,
            None => self.intern(operator),
        }
    }

    pub(crate) fn intern(&mut self, operator: Operator) -> TermId {
        work::tick();
        let hash = hash_of(&operator);
        match self.find(hash, |other| *other == operator) {
            Some(id) => id,
            None => self.append(hash, operator),
        }
    }

    /// Interns a tuple of these elements; nothing is allocated if it is known already.
    pub(crate) fn intern_tuple(&mut self, elements: &[TermId]) -> TermId {
        let mut hasher = FxHasher::default();
        std::mem::discriminant(&Operator::Tuple(Box::new([]))).hash(&mut hasher);
        elements.hash(&mut hasher);
        let hash = hasher.finish() as u32;
        let same = |other: &Operator| matches!(other, Operator::Tuple(other) if **other == *elements);
        match self.find(hash, same) {
            Some(id) => id,
            None => self.append(hash, Operator::Tuple(elements.into())),
        }
    }

    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    fn find(&self, hash: u32, same: impl Fn(&Operator) -> bool) -> Option<TermId> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.home(hash);
        loop {
            let number = self.slots[at];
            if number == FREE {
                return None;
            }
            if self.hashes[number as usize] == hash && same(&self.terms[number as usize]) {
                return Some(TermId::from_number(number));
            }
            at = self.next(at);
        }
    }

    fn append(&mut self, hash: u32, operator: Operator) -> TermId {
        if (self.terms.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let number = self.terms.len() as u32;
        let place = self.place_of(&operator);
        let kinds = self.kinds_of(&operator, place);
        self.terms.push(operator);
        self.kinds.push(kinds);
        self.places.push(place);
        self.hashes.push(hash);
        self.occupy(number);
        TermId::from_number(number)
    }

    fn occupy(&mut self, number: u32) {
        let mut at = self.home(self.hashes[number as usize]);
        while self.slots[at] != FREE {
            at = self.next(at);
        }
        self.slots[at] = number;
    }

    fn grow(&mut self) {
        const LEAST: usize = 256;
        let size = (self.slots.len() * 2).max(LEAST);
        self.slots.clear();
        self.slots.resize(size, FREE);
        for number in 0..self.terms.len() as u32 {
            self.occupy(number);
        }
    }

    fn place_of(&mut self, operator: &Operator) -> TypeSet {
        match operator {
            Operator::Variable(variable) => {
                let of = self.declared(*variable);
                self.positions.single(&self.types, of)
            }
            _ => {
                let key = match operator {
                    Operator::MapGet { key, .. } => self.as_constant(*key).cloned(),
                    _ => None,
                };
                let places = &self.places;
                self.positions.below(&self.types, operator, key.as_ref(), |id| places[id.index()])
            }
        }
    }
}

fn hash_of(operator: &Operator) -> u32 {
    let mut hasher = FxHasher::default();
    operator.hash(&mut hasher);
    hasher.finish() as u32
}
