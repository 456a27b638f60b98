//! The smallest term of a type, which is used where no condition asks for another.
//!
//! The rank of a type is the least depth of its terms. The chosen alternative has parts of lower ranks only, so that
//! recursive types end. A small type can have huge terms only (`<<_:100000000000>>`, or a pair of pairs of pairs, sixty
//! times): terms beyond a certain size are never made, and a type that has no others has no term that can be made.

use crate::fields::Fields;
use crate::membership::deep;
use crate::number;
use crate::types::{Atoms, BitsType, FieldType, FunctionType, Range, TypeId, TypeNode, Types};
use crate::value;
use num_traits::{Signed, Zero};
use term::{BigInt, Bits, Term, work};

/// The rank of a type that has no term that can be made.
const NEVER: u32 = u32::MAX;

/// The largest number of parts of a smallest term: numbers, tuples, cells and so on.
pub const LARGEST_PARTS: u64 = 1 << 17;
/// The largest length of a bitstring in a smallest term.
pub const LARGEST_BITS: u64 = 1 << 23;
/// The number of bits that count as one part.
const BITS_OF_PART: u64 = LARGEST_BITS / LARGEST_PARTS;

/// Ranks and sizes, indexed by the numbers of the types.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    ranks: Vec<u32>,
    /// The numbers of parts of the smallest terms.
    parts: Vec<u64>,
}

impl Types {
    /// Returns the smallest, most readable term of the type; `None` if it has none, or only opaque ones, or only huge
    /// ones.
    pub fn smallest(&self, id: TypeId) -> Option<Term> {
        work::tick();
        if !self.is_makeable(id) {
            return None;
        }
        let node = self.node(id);
        smallest_flat(node).or_else(|| deep(|| self.smallest_compound(id)))
    }

    /// Returns whether the type has terms that can be made: see [`Types::smallest`].
    pub fn is_makeable(&self, id: TypeId) -> bool {
        self.rank(id) != NEVER
    }

    /// Returns the least depth of the type's terms.
    fn rank(&self, id: TypeId) -> u32 {
        self.ranks().ranks.get(id.0 as usize).copied().unwrap_or(NEVER)
    }

    /// Returns a tuple, a map or a list that has the rank of its type.
    fn smallest_compound(&self, id: TypeId) -> Option<Term> {
        match chosen(self.node(id), self.ranks(), self.rank(id))?.0 {
            Chosen::Tuple(elements) => {
                let elements: Option<Vec<Term>> = elements.iter().map(|element| self.smallest(*element)).collect();
                elements.map(Term::tuple)
            }
            Chosen::Cons(head, tail) => Some(Term::list_with_tail(vec![self.smallest(head)?], self.smallest(tail)?)),
            Chosen::Map(fields) => self.smallest_map(fields),
        }
    }

    pub(crate) fn smallest_map(&self, fields: &Fields) -> Option<Term> {
        let mut pairs = Vec::new();
        for index in 0..fields.len() {
            if fields[index].required {
                pairs.push((self.fresh_key(fields, index)?, self.smallest(fields[index].value)?));
            }
        }
        Some(value::map_of(pairs))
    }

    /// Returns a key of the field that no field before it claims, so it differs from such keys of other fields.
    pub(crate) fn fresh_key(&self, fields: &Fields, index: usize) -> Option<Term> {
        self.some_terms(fields[index].key).into_iter().find(|key| self.field_index(fields, key) == Some(index))
    }

    /// Returns a few terms of a type, the smallest first.
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
            let lengths = (0..4).map(|count: u64| bits.base.checked_add(count.checked_mul(bits.unit)?));
            let short = lengths.flatten().filter(|length| *length <= LARGEST_BITS);
            terms.extend(short.map(|length| Term::Bits(zeros(length))));
        }
        if node.floats {
            terms.extend((0..4).map(|number| Term::Float(f64::from(number))));
        }
        terms
    }

    /// Computes the ranks round by round: a type gets the rank of a round if the parts of its term have lower ranks
    /// only, at least one of them the rank of the previous round.
    fn ranks(&self) -> &Ranks {
        self.ranks_cell().get_or_init(|| {
            let ids = || (0..self.len() as u32).map(TypeId);
            let mut used_in: Vec<Vec<TypeId>> = vec![Vec::new(); self.len()];
            let mut all = Ranks { ranks: vec![NEVER; self.len()], parts: vec![0; self.len()] };
            let mut last = Vec::new();
            for id in ids() {
                let node = self.node(id);
                if let Some(parts) = flat_parts(node) {
                    all.ranks[id.0 as usize] = 0;
                    all.parts[id.0 as usize] = parts;
                    last.push(id);
                } else {
                    needed(node).for_each(|part| used_in[part.0 as usize].push(id));
                }
            }
            for rank in 1.. {
                let mut next: Vec<TypeId> = last.iter().flat_map(|id| &used_in[id.0 as usize]).copied().collect();
                next.sort_unstable();
                next.dedup();
                next.retain(|id| all.ranks[id.0 as usize] == NEVER);
                let found = |id: &TypeId| chosen(self.node(*id), &all, rank).map(|(_, parts)| (*id, parts));
                let found: Vec<(TypeId, u64)> = next.iter().filter_map(found).collect();
                if found.is_empty() {
                    break;
                }
                last.clear();
                for (id, parts) in found {
                    all.ranks[id.0 as usize] = rank;
                    all.parts[id.0 as usize] = parts;
                    last.push(id);
                }
            }
            all
        })
    }
}

/// Returns the types that parts of the type's smallest term could have.
fn needed(node: &TypeNode) -> impl Iterator<Item = TypeId> {
    let tuples = node.tuples.iter().flatten().copied();
    let cons = node.cons.iter().flat_map(|cons| [cons.head, cons.tail]);
    tuples.chain(cons).chain(node.maps.iter().flat_map(|fields| required(fields)))
}

fn required(fields: &[FieldType]) -> impl Iterator<Item = TypeId> {
    fields.iter().filter(|field| field.required).flat_map(|field| [field.key, field.value])
}

enum Chosen<'t> {
    Tuple(&'t [TypeId]),
    Cons(TypeId, TypeId),
    Map(&'t Fields),
}

/// Returns the first alternative that is not too large and whose parts are all below a rank, with the number of parts
/// of its term.
fn chosen<'t>(node: &'t TypeNode, all: &Ranks, rank: u32) -> Option<(Chosen<'t>, u64)> {
    let size = |parts: &mut dyn Iterator<Item = TypeId>| {
        let mut sum = 1u64;
        for part in parts {
            let at = part.0 as usize;
            if *all.ranks.get(at)? >= rank {
                return None;
            }
            sum = sum.saturating_add(all.parts[at]);
        }
        (sum <= LARGEST_PARTS).then_some(sum)
    };
    let tuples = node.tuples.iter().map(|elements| (Chosen::Tuple(elements), size(&mut elements.iter().copied())));
    let cons = node.cons.iter().map(|of| (Chosen::Cons(of.head, of.tail), size(&mut [of.head, of.tail].into_iter())));
    let maps = node.maps.iter().map(|fields| (Chosen::Map(fields), size(&mut required(fields))));
    tuples.chain(cons).chain(maps).find_map(|(chosen, parts)| Some((chosen, parts?)))
}

/// Returns the number of parts of a smallest term without parts of other types.
fn flat_parts(node: &TypeNode) -> Option<u64> {
    match &smallest_flat(node)? {
        Term::Bits(bits) => Some(1 + bits.bit_length() as u64 / BITS_OF_PART),
        _ => Some(1),
    }
}

/// Returns a smallest term without parts: 0, `[]`, an atom, `{}`, `#{}`, `<<>>`, 0.0 and the like.
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
    if let Some(shortest) = node.bits.iter().map(|of| of.base).filter(|bits| *bits <= LARGEST_BITS).min() {
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

/// The arity of a function whose type does not say how many arguments it takes.
pub const USUAL_ARITY: u32 = 1;

impl TypeNode {
    pub fn smallest_function(&self) -> Option<Term> {
        let arity = |of: &FunctionType| of.params.as_ref().map_or(USUAL_ARITY, |params| params.len() as u32);
        let declared = self.functions.first().map(arity).or(self.any_function.then_some(USUAL_ARITY));
        declared.map(Term::input_function)
    }
}

/// Returns the integer of a range that is nearest to another.
pub(crate) fn nearest(range: &Range, to: &BigInt) -> Term {
    let at_least = range.low.as_ref().map_or(to, |low| to.max(low));
    Term::integer(range.high.as_ref().map_or(at_least, |high| at_least.min(high)).clone())
}

pub(crate) fn zeros(length: u64) -> Bits {
    let length = usize::try_from(length).unwrap_or(0);
    Bits::new(vec![0; length.div_ceil(8)], length)
}

impl BitsType {
    /// Returns the length of this type that is nearest to another length, the shorter one of two.
    pub(crate) fn nearest_length(&self, to: u64) -> u64 {
        match to.checked_sub(self.base) {
            None => self.base,
            Some(_) if self.unit == 0 => self.base,
            Some(more) => {
                let below = more / self.unit * self.unit;
                let up = more - below > self.unit / 2;
                // If the longer length does not fit into the type, the shorter one is taken.
                let longer = (self.base + below).checked_add(self.unit).filter(|_| up);
                longer.unwrap_or(self.base + below)
            }
        }
    }
}
