//! Whether the result of a run is what the specification says, as decisions of the run: so that results on
//! the same path that are not of their type are looked for, too.
//!
//! What is recorded are tests of the result's parts with the outcomes that they had: of their kinds, and
//! where only some terms of a kind will do, whether they are among those.

use formula::{
    Arithmetic, Atoms, ConsType, Constant, Constants, Formulas, Kinds, Range, TermId, TypeId, TypeNode, Types,
};
use machine::{Loss, Recorder};
use term::{Atom, Bits, Term};

/// Parts of a result that are looked at.
const MOST_PARTS: u32 = 4_096;

/// Whether a value, given with its formula, is of one of these types. What is asked next depends on the answers
/// so far alone, as with every decision.
pub fn belongs(recorder: &mut Recorder, place: u32, types: &Types, of: &[TypeId], id: TermId, term: &Term) -> bool {
    if of.contains(&Types::ANY) {
        return true;
    }
    let held = of.iter().any(|of| types.contains(*of, term));
    let mut checker = Checker { recorder, types, open: vec![Part::new(id, term.clone(), of.to_vec())] };
    let mut looked_at = 0;
    while let Some(Part { id, term, cells, of }) = checker.open.pop() {
        if of.contains(&Types::ANY) || checker.recorder.formulas.as_constant(id).is_some() {
            continue;
        }
        looked_at += 1;
        if looked_at > MOST_PARTS {
            checker.recorder.concretised(Loss::Machine("a value too large to be compared with its type"));
            break;
        }
        checker.recorder.enter(place, looked_at);
        if !checker.check(id, &term, cells, &of) {
            break;
        }
    }
    held
}

/// What is left of `term` behind its first cells, which must be of one of these types.
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

struct Checker<'a> {
    recorder: &'a mut Recorder,
    types: &'a Types,
    /// Parts that are still to be looked at.
    open: Vec<Part>,
}

impl Checker<'_> {
    fn decide(&mut self, condition: TermId, held: bool) -> bool {
        self.recorder.branch(condition, held);
        held
    }

    /// Whether the top of a term is of one of the types; its parts are opened.
    fn check(&mut self, id: TermId, term: &Term, cells: usize, of: &[TypeId]) -> bool {
        let nil = Term::Nil;
        let term = match term {
            Term::List(items, end) if cells == items.len() => end.as_deref().unwrap_or(&nil),
            _ => term,
        };
        let types = self.types;
        let nodes: Vec<&TypeNode> =
            of.iter().map(|of| types.node(*of)).flat_map(|node| transparent(types, node)).collect();
        let allowed = nodes.iter().fold(Kinds::NONE, |kinds, node| kinds.or(node.kinds()));
        let kind = Kinds::of(term);
        let condition = self.recorder.formulas.kind(id, allowed);
        if !self.decide(condition, kind.within(allowed)) {
            return false;
        }
        // What else must hold depends on the kind.
        for one in allowed.each() {
            let condition = self.recorder.formulas.kind(id, one);
            if self.decide(condition, one == kind) {
                break;
            }
        }
        match term {
            Term::Int(_) | Term::Big(_) => self.check_integer(id, term, &nodes),
            Term::Atom(atom) => self.check_atom(id, *atom, &nodes),
            Term::List(items, _) => {
                let of: Vec<ConsType> = nodes.iter().flat_map(|node| &node.cons).copied().collect();
                let tail = self.recorder.formulas.tail(id);
                let tails = of.iter().map(|cell| cell.tail).collect();
                self.open.push(Part { id: tail, term: term.clone(), cells: cells + 1, of: tails });
                let head = self.recorder.formulas.head(id);
                let heads = of.iter().map(|cell| cell.head).collect();
                self.open.push(Part::new(head, items[cells].clone(), heads));
                true
            }
            Term::Tuple(elements) => nodes.iter().any(|node| node.any_tuple) || self.check_tuple(id, elements, &nodes),
            Term::Bits(bits) => self.check_bits(id, bits, &nodes),
            Term::Map(_) => {
                if !nodes.iter().any(|node| node.any_map) {
                    self.open_map(id, term, &nodes);
                }
                true
            }
            Term::Float(_) | Term::Nil | Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => true,
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

    /// Which of the tuples it is like is told by their sizes and by the first element that is one constant in
    /// all of them.
    fn check_tuple(&mut self, id: TermId, elements: &[Term], nodes: &[&TypeNode]) -> bool {
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
            return false;
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
            let Some(chosen) = chosen else { return false };
            members.retain(|tuple| types.single(tuple[index]).is_some_and(|tag| term::order::identical(&tag, &chosen)));
        }
        for (index, element) in elements.iter().enumerate().rev() {
            let part = self.recorder.formulas.element(id, index as u32);
            self.open.push(Part::new(part, element.clone(), members.iter().map(|tuple| tuple[index]).collect()));
        }
        true
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

    /// The values of the keys that are named. Which other keys there are is not asked.
    fn open_map(&mut self, id: TermId, term: &Term, nodes: &[&TypeNode]) {
        self.recorder.concretised(Loss::Machine("the keys of a map in the result"));
        let maps: Vec<_> = nodes.iter().flat_map(|node| &node.maps).collect();
        let ([fields], Term::Map(pairs)) = (&maps[..], term) else { return };
        for field in fields.iter() {
            let Some(key) = self.types.single(field.key) else { continue };
            let value = pairs.iter().find(|(own, _)| term::order::identical(own, &key)).map(|(_, value)| value.clone());
            let key = self.recorder.formulas.constant(key);
            let has = self.recorder.formulas.map_has(id, key);
            if self.decide(has, value.is_some())
                && let Some(value) = value
            {
                let part = self.recorder.formulas.map_get(id, key);
                self.open.push(Part::new(part, value, vec![field.value]));
            }
        }
    }
}

/// A node, and the representations of the opaque types in it.
fn transparent<'a>(types: &'a Types, node: &'a TypeNode) -> Vec<&'a TypeNode> {
    let inner = node.opaque.iter().map(|opaque| types.node(opaque.representation));
    std::iter::once(node).chain(inner).collect()
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
