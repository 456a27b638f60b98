//! Checks whether terms of a run belong to their types and records the check as decisions of the run, so that the
//! search also looks for results on the same path that violate the specification.
//!
//! The recorded decisions are tests of the parts of a term with their outcomes: tests of the kind, and, where only some
//! terms of a kind are allowed, whether the part is among those. Where several tuple, list or map types are possible,
//! they are tried one after the other until one fits. As with every decision, the next test depends only on the
//! outcomes so far.

use crate::{Concretised, Place, Recorder};
use formula::{
    Arithmetic, Atoms, ConsType, Constant, Constants, Fields, Formulas, Kinds, Operator, Range, TermId, TypeId,
    TypeNode, Types,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use term::{Atom, Bits, Term};

/// The maximum number of parts that are checked in one run.
const MOST_PARTS: usize = 4_096;

/// Returns whether a value, given with its formula, is of one of these types.
pub fn belongs(
    recorder: &mut Recorder,
    place: fn(u32) -> Place,
    types: &Types,
    of: &[TypeId],
    id: TermId,
    term: &Term,
) -> bool {
    if !of.contains(&Types::ANY) {
        Checker::new(recorder, place, types).are_of([(id, term.clone(), of.to_vec())]);
    }
    of.iter().any(|of| types.contains(*of, term))
}

pub struct Checker<'a> {
    recorder: &'a mut Recorder,
    /// The place of the decisions.
    place: fn(u32) -> Place,
    types: &'a Types,
    looked_at: usize,
    /// Parts that have to be checked, each with the index of the part that is checked after it.
    parts: Vec<(Part, Option<usize>)>,
}

/// The rest of `term` after its first `cells` list cells; it must be of one of the types `of`.
#[derive(Clone)]
struct Part {
    id: TermId,
    term: Term,
    cells: usize,
    of: Vec<TypeId>,
}

impl Part {
    fn new(id: TermId, term: Term, of: Vec<TypeId>) -> Part {
        Part { id, term, cells: 0, of }
    }
}

/// For each way in which a term can be of its type, the parts that must then be of their types. Empty if the term is
/// not of its type.
type Ways = VecDeque<Vec<Part>>;

fn surely() -> Ways {
    VecDeque::from([Vec::new()])
}

fn when(held: bool) -> Ways {
    if held { surely() } else { Ways::new() }
}

impl<'a> Checker<'a> {
    pub fn new(recorder: &'a mut Recorder, place: fn(u32) -> Place, types: &'a Types) -> Checker<'a> {
        Checker { recorder, place, types, looked_at: 0, parts: Vec::new() }
    }

    /// Returns whether each of the terms is of one of its types, or `None` if there are too many parts to check, which
    /// is a loss.
    pub fn are_of(&mut self, terms: impl IntoIterator<Item = (TermId, Term, Vec<TypeId>)>) -> Option<bool> {
        let parts = terms.into_iter().map(|(id, term, of)| Part::new(id, term, of)).collect();
        let mut open = self.before(parts, None);
        // Alternatives that have not been tried yet, and the part to check after each.
        let mut others: Vec<(Ways, Option<usize>)> = Vec::new();
        while let Some(index) = open {
            let (part, rest) = self.parts[index].clone();
            self.looked_at += 1;
            if self.looked_at > MOST_PARTS || self.parts.len() > 4 * MOST_PARTS {
                self.recorder.concretised(Concretised::LargeResult);
                return None;
            }
            self.recorder.enter((self.place)(self.looked_at as u32));
            let mut ways = self.ways(&part);
            let mut behind = rest;
            let way = loop {
                if let Some(way) = ways.pop_front() {
                    break way;
                }
                let Some(last) = others.pop() else { return Some(false) };
                (ways, behind) = last;
            };
            if !ways.is_empty() {
                others.push((ways, behind));
            }
            open = self.before(way, behind);
        }
        Some(true)
    }

    fn before(&mut self, parts: Vec<Part>, mut rest: Option<usize>) -> Option<usize> {
        for part in parts.into_iter().rev() {
            self.parts.push((part, rest));
            rest = Some(self.parts.len() - 1);
        }
        rest
    }

    fn decide(&mut self, condition: TermId, held: bool) -> bool {
        self.recorder.branch(condition, held);
        held
    }

    /// Returns the ways in which the top of a term can be of one of the types.
    fn ways(&mut self, part: &Part) -> Ways {
        let Part { id, term, cells, of } = part;
        let (id, cells) = (*id, *cells);
        if of.contains(&Types::ANY) {
            return surely();
        }
        let types = self.types;
        if let Some(constant) = self.recorder.formulas.as_constant(id) {
            return when(of.iter().any(|of| types.contains(*of, constant)));
        }
        let nil = Term::Nil;
        let term = match term {
            Term::List(items, end) if cells == items.len() => end.as_deref().unwrap_or(&nil),
            _ => term,
        };
        let nodes = transparent(types, of);
        let allowed = nodes.iter().fold(Kinds::NONE, |kinds, node| kinds.or(node.kinds()));
        let kind = Kinds::of(term);
        let condition = self.recorder.formulas.kind(id, allowed);
        if !self.decide(condition, kind.within(allowed)) {
            return Ways::new();
        }
        // The remaining conditions depend on the kind.
        for one in allowed.each() {
            let condition = self.recorder.formulas.kind(id, one);
            if self.decide(condition, one == kind) {
                break;
            }
        }
        match term {
            Term::Int(_) | Term::Big(_) => when(self.check_integer(id, term, &nodes)),
            Term::Atom(atom) => when(self.check_atom(id, *atom, &nodes)),
            Term::List(items, _) => self.cell(id, term, cells, &items[cells], &nodes),
            Term::Tuple(_) if nodes.iter().any(|node| node.any_tuple) => surely(),
            Term::Tuple(elements) => self.tuple(id, elements, &nodes),
            Term::Bits(bits) => when(self.check_bits(id, bits, &nodes)),
            Term::Map(_) if nodes.iter().any(|node| node.any_map) => surely(),
            Term::Map(pairs) => self.map(id, pairs, &nodes),
            // Runs with the same decisions make the function at the same point, so it has the same arity in all of
            // them.
            Term::Fun(_) => when(of.iter().any(|of| types.contains(*of, term))),
            Term::Float(_) | Term::Nil | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => surely(),
        }
    }

    fn check_integer(&mut self, id: TermId, term: &Term, nodes: &[&TypeNode]) -> bool {
        let ranges: Vec<&Range> = nodes.iter().flat_map(|node| &node.integers).collect();
        let held = ranges.iter().any(|range| range.contains(term));
        let mut within = self.recorder.formulas.boolean(false);
        for range in ranges {
            let one = in_range(&mut self.recorder.formulas, id, range);
            within = self.recorder.formulas.or(within, one);
        }
        self.decide(within, held)
    }

    fn check_atom(&mut self, id: TermId, atom: Atom, nodes: &[&TypeNode]) -> bool {
        let mut these = Vec::new();
        for node in nodes {
            match &node.atoms {
                Atoms::All => return true,
                Atoms::These(atoms) => these.extend(atoms.iter().copied()),
            }
        }
        let constants = Constants::shared(these.iter().map(|atom| Constant(Term::Atom(*atom))));
        let condition = self.recorder.formulas.one_of(id, constants);
        self.decide(condition, these.contains(&atom))
    }

    fn cell(&mut self, id: TermId, term: &Term, cells: usize, item: &Term, nodes: &[&TypeNode]) -> Ways {
        let of: Vec<ConsType> = nodes.iter().flat_map(|node| &node.cons).copied().collect();
        let (head, tail) = (self.recorder.formulas.head(id), self.recorder.formulas.tail(id));
        let way = |parts: Vec<Vec<TypeId>>| {
            let mut parts = parts.into_iter();
            let heads = Part::new(head, item.clone(), parts.next().unwrap_or_default());
            let tails = Part { id: tail, term: term.clone(), cells: cells + 1, of: parts.next().unwrap_or_default() };
            vec![heads, tails]
        };
        united(of.iter().map(|cell| vec![cell.head, cell.tail]).collect()).into_iter().map(way).collect()
    }

    /// Selects the tuple types that fit by their sizes, and then by the first element whose type is a single constant
    /// in all of them.
    fn tuple(&mut self, id: TermId, elements: &[Term], nodes: &[&TypeNode]) -> Ways {
        let tuples: Vec<&Vec<TypeId>> = nodes.iter().flat_map(|node| &node.tuples).collect();
        let mut sizes: Vec<usize> = tuples.iter().map(|tuple| tuple.len()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let mut fits = false;
        for size in sizes {
            let condition = self.recorder.formulas.tuple_of(id, size as u32);
            fits = self.decide(condition, size == elements.len());
            if fits {
                break;
            }
        }
        if !fits {
            return Ways::new();
        }
        let mut members: Vec<&Vec<TypeId>> = tuples.into_iter().filter(|tuple| tuple.len() == elements.len()).collect();
        let types = self.types;
        let is_tag = |index: &usize| members.iter().all(|tuple| types.single(tuple[*index]).is_some());
        if members.len() > 1
            && let Some(index) = (0..elements.len()).find(is_tag)
        {
            let element = self.recorder.formulas.element(id, index as u32);
            let mut chosen = None;
            for tag in members.iter().filter_map(|tuple| types.single(tuple[index])) {
                let constant = self.recorder.formulas.constant(tag.clone());
                let condition = self.recorder.formulas.identical(element, constant);
                if self.decide(condition, term::order::identical(&tag, &elements[index])) {
                    chosen = Some(tag);
                    break;
                }
            }
            let Some(chosen) = chosen else { return Ways::new() };
            members.retain(|tuple| types.single(tuple[index]).is_some_and(|tag| term::order::identical(&tag, &chosen)));
        }
        let formulas = &mut self.recorder.formulas;
        let ids: Vec<TermId> = (0..elements.len()).map(|index| formulas.element(id, index as u32)).collect();
        let way = |of: Vec<Vec<TypeId>>| {
            let parts = ids.iter().zip(elements).zip(of);
            parts.map(|((id, element), of)| Part::new(*id, element.clone(), of)).collect()
        };
        united(members.into_iter().cloned().collect()).into_iter().map(way).collect()
    }

    fn check_bits(&mut self, id: TermId, bits: &Bits, nodes: &[&TypeNode]) -> bool {
        let formulas = &mut self.recorder.formulas;
        let size = formulas.bit_size(id);
        let mut fits = formulas.boolean(false);
        for of in nodes.iter().flat_map(|node| &node.bits) {
            let base = formulas.integer(of.base);
            let rest = formulas.arithmetic(Arithmetic::Subtract, size, base);
            let left = match of.unit {
                0 => rest,
                unit => {
                    let unit = formulas.integer(unit);
                    formulas.arithmetic(Arithmetic::Remainder, rest, unit)
                }
            };
            let zero = formulas.integer(0);
            let whole = formulas.identical(left, zero);
            let shorter = formulas.less(size, base);
            let long_enough = formulas.not(shorter);
            let one = formulas.and(long_enough, whole);
            fits = formulas.or(fits, one);
        }
        let held = nodes.iter().flat_map(|node| &node.bits).any(|of| of.contains(bits));
        self.decide(fits, held)
    }

    /// Returns the ways in which a map can be of its type: every key belongs to a field, and each required field has a
    /// key.
    fn map(&mut self, id: TermId, pairs: &[(Term, Term)], nodes: &[&TypeNode]) -> Ways {
        let maps: Vec<&Fields> = nodes.iter().flat_map(|node| &node.maps).collect();
        let base = base_of_updates(&self.recorder.formulas, id);
        let constant = base.is_some_and(|base| self.recorder.formulas.as_constant(base).is_some());
        if !constant && !self.decide_declared_keys(id, base, pairs) {
            if let Some(base) = base
                && let [fields] = maps.as_slice()
                && let Some(parts) = self.updates(id, base, pairs, fields)
            {
                return Ways::from([parts]);
            }
            return self.named_keys(id, pairs, &maps);
        }
        let (types, formulas) = (self.types, &mut self.recorder.formulas);
        let mut way = |fields: &Fields| -> Option<Vec<Part>> {
            let mut met = vec![false; fields.len()];
            let mut parts = Vec::new();
            for (key, value) in pairs {
                let index = types.field_index(fields, key)?;
                met[index] = true;
                let key = formulas.constant(key.clone());
                parts.push(Part::new(formulas.map_get(id, key), value.clone(), vec![fields[index].value]));
            }
            fields.iter().zip(met).all(|(field, met)| met || !field.required).then_some(parts)
        };
        maps.into_iter().filter_map(&mut way).collect()
    }

    /// Decides which of the keys named by the declared types an updated map has. Returns false, without a decision,
    /// unless the types name all possible keys.
    fn decide_declared_keys(&mut self, id: TermId, base: Option<TermId>, pairs: &[(Term, Term)]) -> bool {
        let Some(keys) = base.and_then(|base| declared_keys(&self.recorder.formulas, base)) else { return false };
        let values = ValuesByKey::new(pairs);
        for key in keys {
            let held = values.get(&key).is_some();
            let key = self.recorder.formulas.constant(key);
            let has = self.recorder.formulas.map_has(id, key);
            self.decide(has, held);
        }
        true
    }

    /// Returns the values that were put into a map whose declared type has exactly these fields, none of them required.
    /// All other pairs of the map are of the type already. `None` if the map is not known to be of such a type.
    fn updates(&mut self, id: TermId, base: TermId, pairs: &[(Term, Term)], fields: &Fields) -> Option<Vec<Part>> {
        let formulas = &mut self.recorder.formulas;
        if !std::ptr::eq(self.types, &raw const **formulas.types()) || fields.iter().any(|field| field.required) {
            return None;
        }
        let of = formulas.types_of(base);
        let is_same = |id: &TypeId| {
            let node = self.types.node(*id);
            node.opaque.is_empty() && !node.any_map && node.maps.iter().all(|own| own == fields)
        };
        if of.is_empty() || !of.iter().all(is_same) {
            return None;
        }
        let mut parts = Vec::new();
        let values = ValuesByKey::new(pairs);
        let (mut at, mut seen) = (id, FxHashSet::default());
        while let Operator::MapPut { map, key, .. } | Operator::MapRemove { map, key } = *formulas.operator(at) {
            let put = matches!(formulas.operator(at), Operator::MapPut { .. });
            at = map;
            if !seen.insert(key) {
                continue;
            }
            let constant = formulas.as_constant(key)?.clone();
            if !put {
                continue;
            }
            let field = self.types.field_of(fields, &constant)?;
            let value = values.get(&constant)?;
            parts.push(Part::new(formulas.map_get(id, key), value.clone(), vec![field.value]));
        }
        Some(parts)
    }

    /// Returns the values of the keys that the fields name. Other keys of the map are not checked, which is a loss.
    fn named_keys(&mut self, id: TermId, pairs: &[(Term, Term)], maps: &[&Fields]) -> Ways {
        self.recorder.concretised(Concretised::KeysOfMapInResult);
        let [fields] = maps else { return surely() };
        let mut parts = Vec::new();
        let values = ValuesByKey::new(pairs);
        for field in fields.iter() {
            let Some(key) = self.types.single(field.key) else { continue };
            let value = values.get(&key).cloned();
            let key = self.recorder.formulas.constant(key);
            let has = self.recorder.formulas.map_has(id, key);
            if self.decide(has, value.is_some())
                && let Some(value) = value
            {
                parts.push(Part::new(self.recorder.formulas.map_get(id, key), value, vec![field.value]));
            }
        }
        Ways::from([parts])
    }
}

/// The values of a map by key. Most keys are found by their hash; those that are identical but are written differently,
/// such as zeros with a sign, are found by comparing with all pairs.
struct ValuesByKey<'m> {
    pairs: &'m [(Term, Term)],
    places: FxHashMap<Constant, usize>,
}

impl<'m> ValuesByKey<'m> {
    fn new(pairs: &'m [(Term, Term)]) -> ValuesByKey<'m> {
        let places = pairs.iter().enumerate().map(|(at, (key, _))| (Constant(key.clone()), at)).collect();
        ValuesByKey { pairs, places }
    }

    fn get(&self, key: &Term) -> Option<&'m Term> {
        let is_plain = matches!(key, Term::Int(_) | Term::Big(_) | Term::Atom(_) | Term::Nil | Term::Bits(_));
        let pair = match self.places.get(&Constant(key.clone())) {
            Some(at) => self.pairs.get(*at),
            None if is_plain => None,
            None => self.pairs.iter().find(|(own, _)| term::order::identical(own, key)),
        };
        pair.map(|(_, value)| value)
    }
}

/// Returns the map that updates with known keys were applied to.
fn base_of_updates(formulas: &Formulas, mut id: TermId) -> Option<TermId> {
    while let Operator::MapPut { map, key, .. } | Operator::MapRemove { map, key } = *formulas.operator(id) {
        formulas.as_constant(key)?;
        id = map;
    }
    Some(id)
}

/// Returns the keys that a map of its declared types can have, if the types name each of them.
fn declared_keys(formulas: &Formulas, id: TermId) -> Option<Vec<Term>> {
    let (types, of) = (formulas.types(), formulas.types_of(id));
    let mut keys: Vec<Term> = Vec::new();
    let mut seen = FxHashSet::default();
    for node in of.iter().map(|of| types.node(*of)) {
        if node.any_map || !node.opaque.is_empty() {
            return None;
        }
        for field in node.maps.iter().flatten() {
            let key = types.single(field.key)?;
            if seen.insert(Constant(key.clone())) {
                keys.push(key);
            }
        }
    }
    (!of.is_empty()).then_some(keys)
}

/// Merges rows of types that differ in at most one column. A term fits a merged row if it fits one of the types in
/// every column.
fn united(rows: Vec<Vec<TypeId>>) -> Vec<Vec<Vec<TypeId>>> {
    let mut united: Vec<Vec<Vec<TypeId>>> = Vec::new();
    for row in rows {
        let differ = |other: &Vec<Vec<TypeId>>| other.iter().zip(&row).filter(|(of, own)| of[..] != [**own]).count();
        let column = |other: &Vec<Vec<TypeId>>| other.iter().zip(&row).position(|(of, own)| of[..] != [*own]);
        match united.iter_mut().find(|other| differ(other) <= 1) {
            Some(other) => {
                if let Some(column) = column(other)
                    && !other[column].contains(&row[column])
                {
                    other[column].push(row[column]);
                }
            }
            None => united.push(row.into_iter().map(|of| vec![of]).collect()),
        }
    }
    united
}

/// Returns the nodes of these types and of the representations of the opaque types in them.
fn transparent<'t>(types: &'t Types, of: &[TypeId]) -> Vec<&'t TypeNode> {
    let mut ids: Vec<TypeId> = of.to_vec();
    let mut next = 0;
    while let Some(id) = ids.get(next).copied() {
        next += 1;
        for opaque in &types.node(id).opaque {
            if !ids.contains(&opaque.representation) {
                ids.push(opaque.representation);
            }
        }
    }
    ids.into_iter().map(|id| types.node(id)).collect()
}

fn in_range(formulas: &mut Formulas, id: TermId, range: &Range) -> TermId {
    let mut within = formulas.boolean(true);
    if let Some(low) = &range.low {
        let low = formulas.integer(low.clone());
        let less = formulas.less(id, low);
        within = formulas.not(less);
    }
    if let Some(high) = &range.high {
        let high = formulas.integer(high.clone());
        let more = formulas.less(high, id);
        let below = formulas.not(more);
        within = formulas.and(within, below);
    }
    within
}
