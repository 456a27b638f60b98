//! The types that a part of an input can have: from the declared type of the input, step by step.
//!
//! Sets of types have numbers, and so do the sets of their parts: most steps of most runs are one lookup in a table
//! that outlives the run.

use crate::kinds::Kinds;
use crate::terms::{Operator, TermId};
use crate::types::{TypeId, TypeNode, Types};
use rustc_hash::FxHashMap;
use term::Term;

/// A set of types, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypeSet(u32);

impl TypeSet {
    /// The set for a term that is neither an input nor a part of one.
    pub(crate) const NO_POSITION: TypeSet = TypeSet(0);
}

pub(crate) struct Positions {
    /// The members, sorted and without duplicates; a set with `ANY` has no other member.
    sets: Vec<Box<[TypeId]>>,
    kinds: Vec<Kinds>,
    numbers: FxHashMap<Box<[TypeId]>, TypeSet>,
    steps: FxHashMap<(TypeSet, PartOf), TypeSet>,
    proper: FxHashMap<TypeSet, bool>,
}

/// A step from a term to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PartOf {
    Head,
    Tail,
    Element(u32),
    AnyElement,
    MapKey,
    MapValue,
}

impl Default for Positions {
    fn default() -> Positions {
        Positions {
            sets: vec![Box::new([])],
            kinds: vec![Kinds::ALL],
            numbers: FxHashMap::default(),
            steps: FxHashMap::default(),
            proper: FxHashMap::default(),
        }
    }
}

impl Positions {
    pub(crate) fn members(&self, set: TypeSet) -> &[TypeId] {
        &self.sets[set.0 as usize]
    }

    /// Returns the kinds of a set; `ALL` for an empty one, because nothing is known of a part that cannot exist.
    pub(crate) fn kinds(&self, set: TypeSet) -> Kinds {
        self.kinds[set.0 as usize]
    }

    pub(crate) fn single(&mut self, types: &Types, of: TypeId) -> TypeSet {
        self.number(types, vec![of])
    }

    /// Returns the set of types of a projection, given those of the positions below it; `key` is the key of a map, if
    /// it is constant.
    pub(crate) fn below(
        &mut self,
        types: &Types,
        operator: &Operator,
        key: Option<&Term>,
        of: impl Fn(TermId) -> TypeSet,
    ) -> TypeSet {
        match operator {
            Operator::Item(list, cells) => {
                let rest = self.rest(types, of(*list), Some(*cells));
                self.step(types, rest, PartOf::Head)
            }
            Operator::Rest(list, cells) => self.rest(types, of(*list), Some(*cells)),
            Operator::ItemAt(list, _) => {
                let rest = self.rest(types, of(*list), None);
                self.step(types, rest, PartOf::Head)
            }
            Operator::RestAt(list, _) => self.rest(types, of(*list), None),
            Operator::Element(tuple, index) => self.step(types, of(*tuple), PartOf::Element(*index)),
            Operator::ElementAt(tuple, _) => self.step(types, of(*tuple), PartOf::AnyElement),
            Operator::MapKeyAt(map, _) => self.step(types, of(*map), PartOf::MapKey),
            Operator::MapValueAt(map, _) => self.step(types, of(*map), PartOf::MapValue),
            Operator::MapGet { map, .. } => match key {
                Some(key) => self.at_key(types, of(*map), key),
                None => self.step(types, of(*map), PartOf::MapValue),
            },
            _ => TypeSet::NO_POSITION,
        }
    }

    /// Returns whether every list of these types ends in `[]`.
    pub(crate) fn lists_are_proper(&mut self, types: &Types, set: TypeSet) -> bool {
        if let Some(known) = self.proper.get(&set) {
            return *known;
        }
        let mut proper = set != TypeSet::NO_POSITION && self.may_project(types, set);
        let mut open: Vec<TypeId> = self.members(set).to_vec();
        let mut seen = open.clone();
        while let Some(id) = open.pop() {
            for cons in &types.node(id).cons {
                let tail = types.node(cons.tail);
                proper &= tail.opaque.is_empty() && types.kinds(cons.tail).within(Kinds::LIST);
                if !seen.contains(&cons.tail) {
                    seen.push(cons.tail);
                    open.push(cons.tail);
                }
            }
        }
        self.proper.insert(set, proper);
        proper
    }

    /// Returns whether the parts of the terms are known; those of opaque types are not.
    pub(crate) fn may_project(&self, types: &Types, set: TypeSet) -> bool {
        self.members(set).iter().all(|id| types.node(*id).opaque.is_empty())
    }

    /// Returns the types of a list without its first `cells` cells, or without any number of cells.
    fn rest(&mut self, types: &Types, set: TypeSet, cells: Option<u32>) -> TypeSet {
        let mut rest = set;
        match cells {
            Some(cells) => {
                for _ in 0..cells {
                    let next = self.step(types, rest, PartOf::Tail);
                    // In most lists, all rests have the same types.
                    if next == rest {
                        break;
                    }
                    rest = next;
                }
                rest
            }
            None => loop {
                let next = self.step(types, rest, PartOf::Tail);
                if next == TypeSet::NO_POSITION {
                    return next;
                }
                let mut both = self.members(rest).to_vec();
                both.extend_from_slice(self.members(next));
                let both = self.number(types, both);
                if both == rest {
                    return rest;
                }
                rest = both;
            },
        }
    }

    fn step(&mut self, types: &Types, set: TypeSet, step: PartOf) -> TypeSet {
        if set == TypeSet::NO_POSITION {
            return set;
        }
        if let Some(known) = self.steps.get(&(set, step)) {
            return *known;
        }
        let mut parts = Vec::new();
        for id in self.members(set) {
            let node = types.node(*id);
            if !node.opaque.is_empty() {
                parts.push(Types::ANY);
            }
            parts_at(node, step, &mut parts);
        }
        let result = self.number(types, parts);
        self.steps.insert((set, step), result);
        result
    }

    fn at_key(&mut self, types: &Types, set: TypeSet, key: &Term) -> TypeSet {
        if set == TypeSet::NO_POSITION {
            return set;
        }
        let mut values = Vec::new();
        for id in self.members(set) {
            let node = types.node(*id);
            if node.any_map || !node.opaque.is_empty() {
                values.push(Types::ANY);
            }
            for fields in &node.maps {
                values.extend(types.field_of(fields, key).map(|field| field.value));
            }
        }
        self.number(types, values)
    }

    fn number(&mut self, types: &Types, mut members: Vec<TypeId>) -> TypeSet {
        if members.contains(&Types::ANY) {
            members = vec![Types::ANY];
        }
        members.sort_unstable();
        members.dedup();
        if let Some(known) = self.numbers.get(members.as_slice()) {
            return *known;
        }
        let kinds = members.iter().fold(Kinds::NONE, |kinds, id| kinds.or(types.kinds(*id)));
        let set = TypeSet(self.sets.len() as u32);
        self.sets.push(members.clone().into());
        self.kinds.push(if kinds.is_empty() { Kinds::ALL } else { kinds });
        self.numbers.insert(members.into(), set);
        set
    }
}

fn parts_at(node: &TypeNode, step: PartOf, parts: &mut Vec<TypeId>) {
    match step {
        PartOf::Head => parts.extend(node.cons.iter().map(|cons| cons.head)),
        PartOf::Tail => parts.extend(node.cons.iter().map(|cons| cons.tail)),
        PartOf::Element(index) => {
            parts.extend(node.tuples.iter().filter_map(|elements| elements.get(index as usize)));
            parts.extend(node.any_tuple.then_some(Types::ANY));
        }
        PartOf::AnyElement => {
            parts.extend(node.tuples.iter().flatten());
            parts.extend(node.any_tuple.then_some(Types::ANY));
        }
        PartOf::MapKey => {
            parts.extend(node.maps.iter().flatten().map(|field| field.key));
            parts.extend(node.any_map.then_some(Types::ANY));
        }
        PartOf::MapValue => {
            parts.extend(node.maps.iter().flatten().map(|field| field.value));
            parts.extend(node.any_map.then_some(Types::ANY));
        }
    }
}
