//! The smallest term of a type: what stands where nothing is asked for.
//!
//! The rank of a type is the least depth of its terms. Whatever is chosen has parts of lower ranks only, so
//! that recursive types come to an end.

use crate::number;
use crate::types::{Atoms, BitsType, FieldType, FunctionType, Range, TypeId, TypeNode, Types};
use crate::value;
use num_traits::{Signed, Zero};
use term::{BigInt, Bits, Term, order};

/// Of a type that has no terms which could be made.
const NEVER: u32 = u32::MAX;

impl Types {
    /// The smallest, most readable term of the type; `None` if it has none, or only opaque ones.
    pub fn smallest(&self, id: TypeId) -> Option<Term> {
        if self.rank(id) == NEVER {
            return None;
        }
        let node = self.node(id);
        smallest_flat(node).or_else(|| self.smallest_compound(id))
    }

    /// The least depth of its terms.
    pub(crate) fn rank(&self, id: TypeId) -> u32 {
        self.ranks().get(id.0 as usize).copied().unwrap_or(NEVER)
    }

    /// A tuple, a map or a list that has the rank of its type.
    fn smallest_compound(&self, id: TypeId) -> Option<Term> {
        let (node, rank) = (self.node(id), self.rank(id));
        let below = |of: &TypeId| self.rank(*of) < rank;
        let alternative = node.tuples.iter().find(|elements| elements.iter().all(below));
        if let Some(elements) = alternative {
            let elements: Option<Vec<Term>> = elements.iter().map(|element| self.smallest(*element)).collect();
            return elements.map(Term::tuple);
        }
        if let Some(cons) = node.cons.iter().find(|cons| below(&cons.head) && below(&cons.tail)) {
            return Some(Term::list_with_tail(vec![self.smallest(cons.head)?], self.smallest(cons.tail)?));
        }
        let required =
            |fields: &[FieldType]| fields.iter().all(|it| !it.required || below(&it.key) && below(&it.value));
        let fields = node.maps.iter().find(|fields| required(fields))?;
        self.smallest_map(fields)
    }

    fn smallest_map(&self, fields: &[FieldType]) -> Option<Term> {
        let mut pairs = Vec::new();
        for index in 0..fields.len() {
            if fields[index].required {
                let key = self.fresh_key(fields, index, &pairs)?;
                pairs.push((key, self.smallest(fields[index].value)?));
            }
        }
        Some(value::map_of(pairs))
    }

    /// A key of that field which no other field claims and no pair has.
    pub(crate) fn fresh_key(&self, fields: &[FieldType], index: usize, pairs: &[(Term, Term)]) -> Option<Term> {
        self.some_terms(fields[index].key).into_iter().find(|key| {
            self.field_index(fields, key) == Some(index) && pairs.iter().all(|(other, _)| !order::identical(other, key))
        })
    }

    /// A few terms of a type, the smallest first.
    pub fn some_terms(&self, id: TypeId) -> Vec<Term> {
        const MANY: i64 = 8;
        let node = self.node(id);
        let mut terms: Vec<Term> = self.smallest(id).into_iter().collect();
        for range in &node.integers {
            let near = number::integer(&nearest(range, &BigInt::zero())).map(|near| near.into_owned());
            for distance in near.into_iter().flat_map(|near| (-MANY..=MANY).map(move |by| near.clone() + by)) {
                let candidate = Term::integer(distance);
                if range.contains(&candidate) {
                    terms.push(candidate);
                }
            }
        }
        match &node.atoms {
            Atoms::These(atoms) => terms.extend(atoms.iter().copied().map(Term::Atom)),
            Atoms::All => terms.extend(["a", "b", "c", "d", "e", "f", "g", "h"].map(Term::atom)),
        }
        for bits in &node.bits {
            terms.extend((0..4).map(|count| Term::Bits(zeros(bits.base + count * bits.unit))));
        }
        if node.floats {
            terms.extend((0..4).map(|number| Term::Float(f64::from(number))));
        }
        terms
    }

    pub(crate) fn ranks(&self) -> &[u32] {
        self.ranks_cell().get_or_init(|| {
            let count = self.count();
            let mut ranks = vec![NEVER; count];
            // A round finds at least one more rank, or all are found.
            loop {
                let mut changed = false;
                for number in 0..count {
                    let rank = rank_of(self.node(TypeId(number as u32)), &ranks);
                    changed |= rank < ranks[number];
                    ranks[number] = rank.min(ranks[number]);
                }
                if !changed {
                    return ranks;
                }
            }
        })
    }
}

fn rank_of(node: &TypeNode, ranks: &[u32]) -> u32 {
    if smallest_flat(node).is_some() {
        return 0;
    }
    let rank = |of: &TypeId| ranks.get(of.0 as usize).copied().unwrap_or(NEVER);
    let above = |parts: &mut dyn Iterator<Item = u32>| parts.max().map_or(1, |highest| highest.saturating_add(1));
    let tuples = node.tuples.iter().map(|elements| above(&mut elements.iter().map(rank)));
    let cons = node.cons.iter().map(|cons| above(&mut [rank(&cons.head), rank(&cons.tail)].into_iter()));
    let maps = node.maps.iter().map(|fields| {
        let required = fields.iter().filter(|field| field.required);
        above(&mut required.flat_map(|field| [rank(&field.key), rank(&field.value)]))
    });
    tuples.chain(cons).chain(maps).min().unwrap_or(NEVER)
}

/// Without parts: 0, `[]`, an atom, `{}`, `#{}`, `<<>>`, 0.0 and the like.
fn smallest_flat(node: &TypeNode) -> Option<Term> {
    let closest = node.integers.iter().map(|range| nearest(range, &BigInt::zero()));
    let by_distance = |integer: &Term| number::integer(integer).map(|value| (value.abs(), value.is_negative()));
    if let Some(integer) = closest.min_by_key(by_distance) {
        return Some(integer);
    }
    if node.nil {
        return Some(Term::Nil);
    }
    match &node.atoms {
        Atoms::All => return Some(Term::atom("a")),
        Atoms::These(atoms) => {
            if let Some(first) = atoms.first() {
                return Some(Term::Atom(*first));
            }
        }
    }
    if node.any_tuple || node.tuples.iter().any(Vec::is_empty) {
        return Some(Term::tuple([]));
    }
    if node.any_map || node.maps.iter().any(|fields| fields.iter().all(|field| !field.required)) {
        return Some(Term::Map([].into()));
    }
    if let Some(shortest) = node.bits.iter().map(|of| of.base).min() {
        return Some(Term::Bits(zeros(shortest)));
    }
    if node.floats {
        return Some(Term::Float(0.0));
    }
    if let Some(function) = node.smallest_function() {
        return Some(function);
    }
    let identities =
        [(node.pids, Term::Pid(Term::OWN_PID)), (node.references, Term::Reference(0)), (node.ports, Term::Port(0))];
    identities.into_iter().find(|(has, _)| *has).map(|(_, identity)| identity)
}

/// Of a function of which nobody says how many arguments it takes.
pub const USUAL_ARITY: u32 = 1;

impl TypeNode {
    pub fn smallest_function(&self) -> Option<Term> {
        let arity = |of: &FunctionType| of.params.as_ref().map_or(USUAL_ARITY, |params| params.len() as u32);
        let declared = self.functions.first().map(arity).or(self.any_function.then_some(USUAL_ARITY));
        declared.map(Term::input_function)
    }
}

/// The integer of a range that is nearest to another.
pub(crate) fn nearest(range: &Range, to: &BigInt) -> Term {
    let at_least = range.low.as_ref().map_or(to, |low| to.max(low));
    Term::integer(range.high.as_ref().map_or(at_least, |high| at_least.min(high)).clone())
}

pub(crate) fn zeros(length: u64) -> Bits {
    let length = usize::try_from(length).unwrap_or(0);
    Bits::new(vec![0; length.div_ceil(8)], length)
}

impl BitsType {
    /// The length of this type that is nearest to another, the shorter of two.
    pub(crate) fn nearest_length(&self, to: u64) -> u64 {
        match to.checked_sub(self.base) {
            None => self.base,
            Some(_) if self.unit == 0 => self.base,
            Some(more) => {
                let below = more / self.unit * self.unit;
                let up = more - below > self.unit / 2;
                self.base + below + if up { self.unit } else { 0 }
            }
        }
    }
}
