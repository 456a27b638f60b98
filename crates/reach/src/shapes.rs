//! Sets of terms with the precision of the forward analysis: declared types, and terms that the program itself builds.

use crate::interval::Interval;
use formula::{Atoms, BitsType, ConsType, Kinds, Range, TypeId, TypeNode, Types};
use std::collections::{BTreeMap, BTreeSet};
use term::{Atom, BigInt, Term};

/// A set of terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Terms of a declared type that are of these kinds.
    pub declared: BTreeMap<TypeId, Kinds>,
    pub own: Option<Box<Own>>,
}

/// Terms that the program builds, or that were selected from a declared type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own {
    pub integers: Option<Interval>,
    pub atoms: Names,
    /// All terms of these kinds; neither integers, atoms, lists nor tuples of few sizes.
    pub kinds: Kinds,
    /// Bitstrings of whole bytes.
    pub binaries: bool,
    /// The shapes of the heads of list cells, and of the last tails.
    pub cells: Option<(Shape, Shape)>,
    pub tuples: BTreeMap<usize, Vec<Shape>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Names {
    These(BTreeSet<Atom>),
    All,
}

impl Default for Names {
    fn default() -> Names {
        Names::These(BTreeSet::new())
    }
}

/// The maximum number of atoms that are distinguished; more become all atoms.
const MOST_ATOMS: usize = 32;
/// The maximum number of tuple sizes that are distinguished; more become all tuples.
const MOST_SIZES: usize = 8;
/// The maximum depth; deeper parts can be anything.
const DEEPEST: u32 = 6;
/// The maximum length of tuples and lists in the code; longer ones can be anything.
const LONGEST: usize = 64;

impl Shape {
    pub fn any() -> Shape {
        Shape::declared(Types::ANY)
    }

    pub fn declared(of: TypeId) -> Shape {
        Shape { declared: BTreeMap::from([(of, Kinds::ALL)]), own: None }
    }

    fn owned(own: Own) -> Shape {
        Shape { declared: BTreeMap::new(), own: (own != Own::default()).then(|| Box::new(own)) }
    }

    /// Returns all terms of these kinds.
    pub fn of_kinds(kinds: Kinds) -> Shape {
        Shape { declared: BTreeMap::from([(Types::ANY, kinds)]), own: None }.tidy()
    }

    pub fn of_interval(interval: Interval) -> Shape {
        Shape::owned(Own { integers: (!interval.is_empty()).then_some(interval), ..Own::default() })
    }

    pub fn of_atoms(atoms: impl IntoIterator<Item = Atom>) -> Shape {
        Shape::owned(Own { atoms: Names::These(atoms.into_iter().collect()), ..Own::default() })
    }

    pub fn binary() -> Shape {
        Shape::owned(Own { binaries: true, ..Own::default() })
    }

    pub fn tuple(items: Vec<Shape>) -> Shape {
        if items.iter().any(Shape::is_empty) {
            return Shape::default();
        }
        if items.len() > LONGEST {
            return Shape::of_kinds(Kinds::TUPLE);
        }
        Shape::owned(Own { tuples: BTreeMap::from([(items.len(), items)]), ..Own::default() }).cut()
    }

    pub fn cons(types: &Types, head: Shape, tail: Shape) -> Shape {
        if head.is_empty() || tail.is_empty() {
            return Shape::default();
        }
        let (mut heads, mut ends) = (head, tail.without(types, Kinds::CONS));
        if let Some((more, last)) = tail.cells(types) {
            heads = heads.join(&more);
            ends = ends.join(&last);
        }
        Shape::owned(Own { cells: Some((heads, ends)), ..Own::default() }).cut()
    }

    /// Returns lists of anything that end in `[]`.
    pub fn proper_list(types: &Types) -> Shape {
        let nil = Shape::of_kinds(Kinds::NIL);
        nil.join(&Shape::cons(types, Shape::any(), nil.clone()))
    }

    pub fn of_term(types: &Types, term: &Term) -> Shape {
        match term {
            Term::Int(value) => Shape::of_interval(Interval { low: Some(*value), high: Some(*value) }),
            Term::Atom(atom) => Shape::of_atoms([*atom]),
            Term::Tuple(items) => Shape::tuple(items.iter().map(|item| Shape::of_term(types, item)).collect()),
            Term::List(items, tail) if items.len() <= LONGEST => {
                let mut heads = Shape::default();
                items.iter().for_each(|item| heads = heads.join(&Shape::of_term(types, item)));
                Shape::cons(types, heads, Shape::of_term(types, tail.as_deref().unwrap_or(&Term::Nil)))
            }
            Term::Bits(bits) if bits.is_binary() => Shape::binary(),
            other => Shape::of_kinds(Kinds::of(other)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.declared.is_empty() && self.own.is_none()
    }

    fn tidy(mut self) -> Shape {
        self.declared.retain(|_, kinds| !kinds.is_empty());
        if self.own.as_ref().is_some_and(|own| **own == Own::default()) {
            self.own = None;
        }
        self
    }

    pub fn join(&self, other: &Shape) -> Shape {
        if other.is_empty() || self == other {
            return self.clone();
        }
        let mut joined = self.clone();
        for (of, kinds) in &other.declared {
            let known = joined.declared.entry(*of).or_insert(Kinds::NONE);
            *known = known.or(*kinds);
        }
        joined.own = match (joined.own, &other.own) {
            (Some(a), Some(b)) => Some(Box::new(a.join(b))),
            (own, None) => own,
            (None, own) => own.clone(),
        };
        match joined.declared.get(&Types::ANY) {
            Some(kinds) if *kinds == Kinds::ALL => Shape::any(),
            _ => joined,
        }
    }

    /// Returns the shape with all parts that are too deep left open.
    fn cut(self) -> Shape {
        self.cut_at(DEEPEST)
    }

    fn cut_at(self, deep: u32) -> Shape {
        let Some(own) = self.own else { return self };
        if deep == 0 {
            return Shape::any();
        }
        let Own { cells, tuples, .. } = *own;
        let cells = cells.map(|(heads, ends)| (heads.cut_at(deep - 1), ends.cut_at(deep - 1)));
        let tuples = tuples.into_iter();
        let tuples = tuples.map(|(size, items)| (size, items.into_iter().map(|item| item.cut_at(deep - 1)).collect()));
        let own = Own { cells, tuples: tuples.collect(), ..*own };
        Shape { declared: self.declared, own: Some(Box::new(own)) }
    }

    /// Returns the terms of these kinds in the shape.
    pub fn restrict(&self, types: &Types, kinds: Kinds) -> Shape {
        let declared = self.declared.iter().map(|(of, known)| {
            let known = known.and(types.kinds(*of));
            (*of, known.and(kinds))
        });
        let own = self.own.as_ref().map(|own| Box::new(own.restrict(kinds)));
        Shape { declared: declared.collect(), own }.tidy()
    }

    pub fn without(&self, types: &Types, kinds: Kinds) -> Shape {
        self.restrict(types, Kinds::ALL.without(kinds))
    }

    pub fn kinds(&self, types: &Types) -> Kinds {
        let declared = self.declared.iter().map(|(of, kinds)| kinds.and(types.kinds(*of)));
        let own = self.own.as_ref().map_or(Kinds::NONE, |own| own.all_kinds());
        declared.fold(own, Kinds::or)
    }

    /// Returns the declared types that contain terms of a kind, and whether one of them is opaque.
    fn nodes<'t>(&self, types: &'t Types, kind: Kinds) -> (Vec<&'t TypeNode>, bool) {
        let with = self.declared.iter().filter(|(_, kinds)| kinds.meets(kind)).map(|(of, _)| types.node(*of));
        let nodes: Vec<&TypeNode> = with.collect();
        let is_open = nodes.iter().any(|node| !node.opaque.is_empty());
        (nodes, is_open)
    }

    /// Returns the heads and the last tails of the cells, if there are any.
    pub fn cells(&self, types: &Types) -> Option<(Shape, Shape)> {
        let mut found = self.own.as_ref().and_then(|own| own.cells.clone());
        let (nodes, is_open) = self.nodes(types, Kinds::CONS);
        if is_open {
            return Some((Shape::any(), Shape::any()));
        }
        let mut add = |head: Shape, end: Shape| {
            found = Some(match found.take() {
                Some((heads, ends)) => (heads.join(&head), ends.join(&end)),
                None => (head, end),
            });
        };
        let mut open: Vec<ConsType> = nodes.iter().flat_map(|node| node.cons.iter().copied()).collect();
        let mut seen: Vec<TypeId> = Vec::new();
        while let Some(ConsType { head, tail }) = open.pop() {
            add(Shape::declared(head), Shape::declared(tail).without(types, Kinds::CONS));
            if !seen.contains(&tail) {
                seen.push(tail);
                let node = types.node(tail);
                if !node.opaque.is_empty() {
                    return Some((Shape::any(), Shape::any()));
                }
                open.extend(node.cons.iter().copied());
            }
        }
        found
    }

    /// Returns the tails of the first cells.
    pub fn tail(&self, types: &Types) -> Shape {
        let Some((heads, ends)) = self.cells(types) else { return Shape::default() };
        // Declared tails are kept as they are, which is more precise than their items.
        if self.own.as_ref().is_none_or(|own| own.cells.is_none()) {
            let (nodes, is_open) = self.nodes(types, Kinds::CONS);
            if is_open {
                return Shape::any();
            }
            let tails = nodes.iter().flat_map(|node| &node.cons).map(|cons| Shape::declared(cons.tail));
            return tails.fold(Shape::default(), |all, tail| all.join(&tail));
        }
        let own = Own { cells: Some((heads, ends.clone())), ..Own::default() };
        Shape::owned(own).join(&ends)
    }

    /// Returns the elements of the tuples of a size whose first element may be a given term, or of all tuples of the
    /// size.
    pub fn elements(&self, types: &Types, size: usize, tag: Option<&Term>) -> Option<Vec<Shape>> {
        let mut found: Option<Vec<Shape>> = None;
        let mut add = |items: Vec<Shape>| {
            let is_other = |tag: &Term| items.first().is_some_and(|first| !first.may_be(types, tag));
            if items.iter().any(Shape::is_empty) || tag.is_some_and(is_other) {
                return;
            }
            found = Some(match found.take() {
                Some(known) => known.iter().zip(&items).map(|(a, b)| a.join(b)).collect(),
                None => items,
            });
        };
        let (nodes, is_open) = self.nodes(types, Kinds::TUPLE);
        if is_open || nodes.iter().any(|node| node.any_tuple) {
            return Some(vec![Shape::any(); size]);
        }
        if let Some(own) = &self.own {
            if own.kinds.meets(Kinds::TUPLE) {
                return Some(vec![Shape::any(); size]);
            }
            own.tuples.get(&size).cloned().into_iter().for_each(&mut add);
        }
        for items in nodes.iter().flat_map(|node| &node.tuples).filter(|items| items.len() == size) {
            add(items.iter().map(|item| Shape::declared(*item)).collect());
        }
        found
    }

    /// Returns the shape without the tuples of a size whose elements are all covered.
    pub fn without_tuples(&self, types: &Types, size: usize, is_covered: &dyn Fn(usize, &Shape) -> bool) -> Shape {
        let (nodes, is_open) = self.nodes(types, Kinds::TUPLE);
        let is_any = self.own.as_ref().is_some_and(|own| own.kinds.meets(Kinds::TUPLE));
        if is_open || is_any || nodes.iter().any(|node| node.any_tuple) {
            return self.clone();
        }
        let mut rest = self.without(types, Kinds::TUPLE);
        let mut is_less = false;
        let own = self.own.as_ref().into_iter().flat_map(|own| own.tuples.values().cloned());
        let declared = nodes.iter().flat_map(|node| &node.tuples);
        let declared = declared.map(|items| items.iter().map(|item| Shape::declared(*item)).collect::<Vec<_>>());
        for items in own.chain(declared) {
            let is_gone = items.len() == size && items.iter().enumerate().all(|(index, item)| is_covered(index, item));
            is_less |= is_gone;
            if !is_gone {
                rest = rest.join(&Shape::tuple(items));
            }
        }
        // If no tuples were removed, the original shape also keeps which elements belong together.
        if is_less { rest } else { self.clone() }
    }

    /// Returns whether an atom, a small integer or `[]` may be in the shape. For other terms, only the kind is checked.
    pub fn may_be(&self, types: &Types, term: &Term) -> bool {
        let kind = Kinds::of(term);
        let is_simple = matches!(term, Term::Int(_) | Term::Atom(_) | Term::Nil);
        let in_declared = self.declared.iter().any(|(of, kinds)| {
            kinds.meets(kind) && (!types.node(*of).opaque.is_empty() || !is_simple || types.contains(*of, term))
        });
        in_declared || self.own.as_ref().is_some_and(|own| own.may_be(term))
    }

    /// Returns the integers in the shape.
    pub fn integers(&self, types: &Types) -> Option<Interval> {
        let mut all = self.own.as_ref().and_then(|own| match own.kinds.meets(Kinds::INTEGER) {
            true => Some(Interval::ALL),
            false => own.integers,
        });
        let (nodes, is_open) = self.nodes(types, Kinds::INTEGER);
        if is_open {
            return Some(Interval::ALL);
        }
        for Range { low, high } in nodes.iter().flat_map(|node| &node.integers) {
            let bound = |bound: &Option<BigInt>| bound.as_ref().and_then(|bound| i64::try_from(bound).ok());
            let one = Interval { low: bound(low), high: bound(high) };
            all = Some(all.map_or(one, |all| all.hull(one)));
        }
        all
    }

    /// Returns the shape with only those integers that are in an interval.
    pub fn with_integers(&self, types: &Types, interval: Interval) -> Shape {
        let Some(known) = self.integers(types) else { return self.clone() };
        self.without(types, Kinds::INTEGER).join(&Shape::of_interval(known.meet(interval)))
    }

    /// Returns the shape without an atom, an integer at an end, or `[]`.
    pub fn without_term(&self, types: &Types, term: &Term) -> Shape {
        match term {
            Term::Nil => self.without(types, Kinds::NIL),
            Term::Int(value) => match self.integers(types) {
                Some(Interval { low, high }) if low == Some(*value) => {
                    self.with_integers(types, Interval { low: value.checked_add(1), high })
                }
                Some(Interval { low, high }) if high == Some(*value) => {
                    self.with_integers(types, Interval { low, high: value.checked_sub(1) })
                }
                _ => self.clone(),
            },
            Term::Atom(atom) => match self.atoms(types) {
                Some(mut atoms) => {
                    atoms.remove(atom);
                    self.without(types, Kinds::ATOM).join(&Shape::of_atoms(atoms))
                }
                None => self.clone(),
            },
            _ => self.clone(),
        }
    }

    /// Returns the shape without the bounds of integers that have changed.
    pub fn without_moving_bounds(self, before: &Shape) -> Shape {
        let (Some(own), Some(known)) = (&self.own, &before.own) else { return self };
        let mut own = (**own).clone();
        if let (Some(now), Some(then)) = (&mut own.integers, known.integers) {
            now.low = now.low.filter(|_| now.low == then.low);
            now.high = now.high.filter(|_| now.high == then.high);
        }
        if let (Some((heads, ends)), Some((old_heads, old_ends))) = (&mut own.cells, &known.cells) {
            *heads = std::mem::take(heads).without_moving_bounds(old_heads);
            *ends = std::mem::take(ends).without_moving_bounds(old_ends);
        }
        for (size, items) in &mut own.tuples {
            for (item, old) in items.iter_mut().zip(known.tuples.get(size).into_iter().flatten()) {
                *item = std::mem::take(item).without_moving_bounds(old);
            }
        }
        Shape { declared: self.declared, own: Some(Box::new(own)) }
    }

    /// Returns whether all bitstrings in the shape consist of whole bytes.
    pub fn is_of_bytes(&self, types: &Types) -> bool {
        let (nodes, is_open) = self.nodes(types, Kinds::BITS);
        let is_whole = |bits: &BitsType| bits.base.is_multiple_of(8) && bits.unit.is_multiple_of(8);
        !is_open
            && nodes.iter().flat_map(|node| &node.bits).all(is_whole)
            && self.own.as_ref().is_none_or(|own| !own.kinds.meets(Kinds::BITS))
    }

    /// Returns the atoms in the shape, if they can be listed.
    fn atoms(&self, types: &Types) -> Option<BTreeSet<Atom>> {
        let mut all = BTreeSet::new();
        if let Some(own) = &self.own {
            match &own.atoms {
                Names::These(atoms) if !own.kinds.meets(Kinds::ATOM) => all.extend(atoms),
                _ => return None,
            }
        }
        let (nodes, is_open) = self.nodes(types, Kinds::ATOM);
        for node in &nodes {
            match &node.atoms {
                Atoms::These(atoms) if !is_open => all.extend(atoms),
                _ => return None,
            }
        }
        Some(all)
    }

    /// Converts the shape into a declared type.
    pub fn into_type(self, types: &mut Types) -> TypeId {
        if self.own.is_none()
            && let Some((of, kinds)) = self.declared.first_key_value()
            && self.declared.len() == 1
            && *kinds == Kinds::ALL
        {
            return *of;
        }
        let mut node = TypeNode::default();
        for (of, kinds) in &self.declared {
            let other = types.node(*of).clone();
            if !other.opaque.is_empty() {
                return Types::ANY;
            }
            add_to(&mut node, other, *kinds);
        }
        if let Some(own) = self.own {
            let Own { integers, atoms, kinds, binaries, cells, tuples } = *own;
            add_to(&mut node, TypeNode::any(), kinds);
            if let Some(Interval { low, high }) = integers {
                node.integers.push(Range { low: low.map(BigInt::from), high: high.map(BigInt::from) });
            }
            match (atoms, &mut node.atoms) {
                (Names::All, all) => *all = Atoms::All,
                (Names::These(atoms), Atoms::These(known)) => {
                    for atom in atoms {
                        if !known.contains(&atom) {
                            known.push(atom);
                        }
                    }
                }
                (Names::These(_), Atoms::All) => {}
            }
            if binaries {
                node.bits.push(BitsType { base: 0, unit: 8 });
            }
            if let Some((heads, ends)) = cells {
                let (head, ends) = (heads.into_type(types), ends.into_type(types));
                let mut tail = types.node(ends).clone();
                let id = types.reserve();
                tail.cons.push(ConsType { head, tail: id });
                types.fill(id, tail);
                node.cons.push(ConsType { head, tail: id });
            }
            for items in tuples.into_values() {
                let items = items.into_iter().map(|item| item.into_type(types)).collect();
                node.tuples.push(items);
            }
        }
        types.add(node)
    }
}

/// Adds the terms of these kinds in another node.
fn add_to(node: &mut TypeNode, other: TypeNode, kinds: Kinds) {
    let has = |kind: Kinds| kinds.meets(kind);
    if has(Kinds::INTEGER) {
        node.integers.extend(other.integers);
    }
    node.floats |= other.floats && has(Kinds::FLOAT);
    if has(Kinds::ATOM) {
        match (&mut node.atoms, other.atoms) {
            (known, Atoms::All) => *known = Atoms::All,
            (Atoms::These(known), Atoms::These(atoms)) => {
                for atom in atoms {
                    if !known.contains(&atom) {
                        known.push(atom);
                    }
                }
            }
            (Atoms::All, Atoms::These(_)) => {}
        }
    }
    node.nil |= other.nil && has(Kinds::NIL);
    if has(Kinds::CONS) {
        node.cons.extend(other.cons);
    }
    if has(Kinds::TUPLE) {
        node.tuples.extend(other.tuples);
        node.any_tuple |= other.any_tuple;
    }
    if has(Kinds::MAP) {
        node.maps.extend(other.maps);
        node.any_map |= other.any_map;
    }
    if has(Kinds::BITS) {
        node.bits.extend(other.bits);
    }
    if has(Kinds::FUNCTION) {
        node.functions.extend(other.functions);
        node.any_function |= other.any_function;
    }
    node.pids |= other.pids && has(Kinds::PID);
    node.references |= other.references && has(Kinds::REFERENCE);
    node.ports |= other.ports && has(Kinds::PORT);
}

impl Own {
    fn join(mut self, other: &Own) -> Own {
        self.integers = match (self.integers, other.integers) {
            (Some(a), Some(b)) => Some(a.hull(b)),
            (one, None) | (None, one) => one,
        };
        self.atoms = match (self.atoms, &other.atoms) {
            (Names::These(mut atoms), Names::These(more)) => {
                atoms.extend(more);
                if atoms.len() > MOST_ATOMS { Names::All } else { Names::These(atoms) }
            }
            _ => Names::All,
        };
        self.kinds = self.kinds.or(other.kinds);
        self.binaries |= other.binaries;
        self.cells = match (self.cells.take(), &other.cells) {
            (Some((heads, ends)), Some((more, last))) => Some((heads.join(more), ends.join(last))),
            (one, None) => one,
            (None, one) => one.clone(),
        };
        for (size, items) in &other.tuples {
            let joined = match self.tuples.get(size) {
                Some(known) => known.iter().zip(items).map(|(a, b)| a.join(b)).collect(),
                None => items.clone(),
            };
            self.tuples.insert(*size, joined);
        }
        if self.tuples.len() > MOST_SIZES {
            self.tuples.clear();
            self.kinds = self.kinds.or(Kinds::TUPLE);
        }
        self
    }

    fn restrict(&self, kinds: Kinds) -> Own {
        let has = |kind: Kinds| kinds.meets(kind);
        Own {
            integers: self.integers.filter(|_| has(Kinds::INTEGER)),
            atoms: if has(Kinds::ATOM) { self.atoms.clone() } else { Names::default() },
            kinds: self.kinds.and(kinds),
            binaries: self.binaries && has(Kinds::BITS),
            cells: self.cells.clone().filter(|_| has(Kinds::CONS)),
            tuples: if has(Kinds::TUPLE) { self.tuples.clone() } else { BTreeMap::new() },
        }
    }

    fn all_kinds(&self) -> Kinds {
        let when = |holds: bool, kind: Kinds| if holds { kind } else { Kinds::NONE };
        self.kinds
            .or(when(self.integers.is_some(), Kinds::INTEGER))
            .or(when(self.atoms != Names::default(), Kinds::ATOM))
            .or(when(self.binaries, Kinds::BITS))
            .or(when(self.cells.is_some(), Kinds::CONS))
            .or(when(!self.tuples.is_empty(), Kinds::TUPLE))
    }

    fn may_be(&self, term: &Term) -> bool {
        if self.kinds.meets(Kinds::of(term)) {
            return true;
        }
        match term {
            Term::Int(value) => self.integers.is_some_and(|Interval { low, high }| {
                low.is_none_or(|low| low <= *value) && high.is_none_or(|high| *value <= high)
            }),
            Term::Atom(atom) => match &self.atoms {
                Names::These(atoms) => atoms.contains(atom),
                Names::All => true,
            },
            other => self.all_kinds().meets(Kinds::of(other)),
        }
    }
}
