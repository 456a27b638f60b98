//! Applies changes to the parent's values.

pub(crate) mod keys;
pub(crate) mod positions;
pub(crate) mod typed;

use crate::Model;
use crate::layout::keys::{resized_map, with_keys};
use crate::layout::positions::{Projection, depth, last_step, path};
use crate::layout::typed::{part_types, smallest};
use formula::{Assignment, Evaluation, Formulas, NumberFormat, Path, PathStep, TermId, TypeId, Types, Variable};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Bits, Term, order};

/// The largest numbers of parts of a list or tuple, of keys of a map, and of bits of a bitstring that is made.
pub(crate) const LARGEST: usize = 1 << 20;
pub(crate) const LARGEST_MAP: usize = 1 << 16;
pub(crate) const LARGEST_BITS: usize = LARGEST * 8;

/// Returns the parent's values with the changes made, in their declared types, or `None` if that is impossible.
pub fn apply(formulas: &Formulas, parent: &Assignment, model: &Model) -> Option<Assignment> {
    let mut values = parent.clone();
    let mut changes: Vec<&(TermId, Term)> = model.changes.iter().collect();
    // Outer positions come before inner ones.
    changes.sort_by_key(|(position, _)| depth(formulas, *position));
    let mut pinned: FxHashMap<Variable, Vec<Path>> = FxHashMap::default();
    let mut keyed: FxHashSet<TermId> = FxHashSet::default();
    for (position, value) in &changes {
        let keys = match last_step(formulas, *position) {
            Some((map, Projection::KeyAt(_))) if !keyed.insert(map) => continue,
            Some((map, Projection::KeyAt(_))) => Some((map, keys_of(formulas, map, &changes))),
            _ => None,
        };
        let (variable, steps) = path(formulas, keys.as_ref().map_or(*position, |(map, _)| *map))?;
        let types = [formulas.declared(variable)];
        let old = match values.get(&variable) {
            Some(old) => old.clone(),
            None => smallest(formulas.types(), &types)?,
        };
        let value = match keys {
            Some((map, keys)) => {
                let old = Evaluation::new(formulas, &values).value(map)?;
                &with_keys(formulas.types(), formulas.types_of(map), &old, &keys)?
            }
            None => value,
        };
        values.insert(variable, place(formulas.types(), &types, &old, &steps, value)?);
        pinned.entry(variable).or_default().extend(pin(&steps));
    }
    for (variable, pinned) in pinned {
        let value = values.get(&variable)?;
        let fitting = fitted(formulas.types(), &[formulas.declared(variable)], value, &pinned)?;
        values.insert(variable, fitting);
    }
    Some(values)
}

/// Returns the new keys of a map by their places. They are applied at once, because applied one by one they would
/// change places.
fn keys_of(formulas: &Formulas, map: TermId, changes: &[&(TermId, Term)]) -> Vec<(u32, Term)> {
    let key = |(position, key): &&(TermId, Term)| match last_step(formulas, *position) {
        Some((base, Projection::KeyAt(index))) if base == map => Some((index, key.clone())),
        _ => None,
    };
    changes.iter().filter_map(key).collect()
}

/// Returns the value if it is of one of the types, else the nearest value that is, with the pinned parts kept.
pub(crate) fn fitted(types: &Types, of: &[TypeId], value: &Term, pinned: &[Path]) -> Option<Term> {
    if of.is_empty() || of.iter().any(|id| types.contains(*id, value)) {
        return Some(value.clone());
    }
    let near = of.iter().filter_map(|id| types.conform(*id, value, pinned));
    near.min_by_key(|near| (near.lost, near.changes)).map(|near| near.term)
}

/// Returns the steps as the path of a part that is to keep its value; sizes have no such path.
pub(crate) fn pin(steps: &[Projection]) -> Option<Path> {
    steps
        .iter()
        .map(|step| match step {
            Projection::Item(index) => Some(PathStep::Item(*index)),
            Projection::Rest(cells) => Some(PathStep::Rest(*cells)),
            Projection::Element(index) => Some(PathStep::Element(*index)),
            Projection::Value(key) => Some(PathStep::MapValue(key.clone())),
            _ => None,
        })
        .collect()
}

/// Returns `old`, a term of `types`, with `value` at the end of `steps`. Structures that have to grow are filled up
/// with the smallest parts.
pub(crate) fn place(types: &Types, of: &[TypeId], old: &Term, steps: &[Projection], value: &Term) -> Option<Term> {
    let Some((step, rest)) = steps.split_first() else { return Some(value.clone()) };
    let inner_types = part_types(types, of, step);
    let part = |old: Option<&Term>| -> Option<Term> {
        match old {
            _ if rest.is_empty() => Some(value.clone()),
            Some(old) => place(types, &inner_types, old, rest, value),
            None => place(types, &inner_types, &smallest(types, &inner_types)?, rest, value),
        }
    };
    match step {
        Projection::Item(index) => {
            let (mut items, end) = cells(old, *index as usize + 1, types, of)?;
            let new = part(items.get(*index as usize))?;
            *items.get_mut(*index as usize)? = new;
            Some(Term::list_with_tail(items, end))
        }
        Projection::Rest(count) => {
            let (items, end) = cells(old, *count as usize, types, of)?;
            let (before, after) = items.split_at(*count as usize);
            let new = part(Some(&Term::list_with_tail(after.to_vec(), end)))?;
            Some(Term::list_with_tail(before.to_vec(), new))
        }
        Projection::Length => {
            let length = size_of(value, LARGEST)?;
            let (mut items, _) = cells(old, length, types, of)?;
            items.truncate(length);
            Some(Term::list(items))
        }
        Projection::Element(index) => {
            let mut items =
                elements(old, (*index as usize + 1).max(old.as_tuple().map_or(0, <[Term]>::len)), types, of)?;
            let new = part(items.get(*index as usize))?;
            *items.get_mut(*index as usize)? = new;
            Some(Term::tuple(items))
        }
        Projection::TupleSize => Some(Term::tuple(elements(old, size_of(value, LARGEST)?, types, of)?)),
        Projection::Value(key) => {
            let pairs = pairs(old);
            let new = part(pairs.iter().find(|(other, _)| order::identical(other, key)).map(|(_, value)| value))?;
            Some(with_pair(pairs, key.clone(), new))
        }
        Projection::ValueAt(index) => {
            let mut pairs = pairs(old).to_vec();
            let new = part(pairs.get(*index as usize).map(|pair| &pair.1))?;
            pairs.get_mut(*index as usize)?.1 = new;
            Some(Term::Map(pairs.into()))
        }
        Projection::KeyAt(index) => {
            let new = part(pairs(old).get(*index as usize).map(|(key, _)| key))?;
            with_keys(types, of, old, &[(*index, new)])
        }
        Projection::MapSize => resized_map(old, size_of(value, LARGEST_MAP)?, types, of),
        Projection::BitSize => {
            let size = size_of(value, LARGEST_BITS)?;
            let mut bytes = bits_of(old).map_or_else(Vec::new, |bits| bits.bytes().to_vec());
            if bytes.len() * 8 > size {
                bytes = Bits::new(bytes, size).bytes().to_vec();
            }
            bytes.resize(size.div_ceil(8), 0);
            Some(Term::Bits(Bits::new(bytes, size)))
        }
        Projection::Number { at, size, format } => {
            let (at, size) = (at.to_usize()?, size.to_usize()?);
            let old = bits_of(old)?;
            (at.checked_add(size)? <= old.bit_length()).then_some(())?;
            Some(Term::Bits(with_bits(old, at, &number_bits(value, size, *format)?)))
        }
        Projection::Slice { at, size } => {
            let (at, size) = (at.to_usize()?, size.to_usize()?);
            let old = bits_of(old)?;
            (at.checked_add(size)? <= old.bit_length()).then_some(())?;
            let inner = Bits::new(slice_bytes(old, at, size), size);
            let new = part(Some(&Term::Bits(inner)))?;
            let new = bits_of(&new)?;
            let new: Vec<bool> = (0..new.bit_length()).map(|index| bit(new, index)).collect();
            // A slice of another size moves the bits after it.
            let all: Vec<bool> = (0..at)
                .map(|index| bit(old, index))
                .chain(new)
                .chain((at + size..old.bit_length()).map(|index| bit(old, index)))
                .collect();
            Some(Term::Bits(from_bits(&all)))
        }
    }
}

/// Returns a size if it is not too large to be made.
fn size_of(value: &Term, largest: usize) -> Option<usize> {
    value.as_int()?.to_usize().filter(|size| *size <= largest)
}

/// Returns the items and the end of a list with at least `least` cells; a shorter list grows at its end.
fn cells(old: &Term, least: usize, types: &Types, of: &[TypeId]) -> Option<(Vec<Term>, Term)> {
    let (mut items, end) = match old {
        Term::List(items, end) => (items.to_vec(), end.as_ref().map_or(Term::Nil, |end| Term::clone(end))),
        _ => (Vec::new(), Term::Nil),
    };
    if items.len() < least {
        (least <= LARGEST).then_some(())?;
        // The types of a list's items repeat soon: later cells may hold what the last one may hold.
        while items.len() < least {
            let head = part_types(types, of, &Projection::Item(items.len() as u32));
            items.push(smallest(types, &head)?);
        }
        return Some((items, Term::Nil));
    }
    Some((items, end))
}

/// Returns the elements of a tuple, changed to this size; those that fit are kept.
fn elements(old: &Term, size: usize, types: &Types, of: &[TypeId]) -> Option<Vec<Term>> {
    let mut items = old.as_tuple().map_or_else(Vec::new, <[Term]>::to_vec);
    if items.len() == size {
        return Some(items);
    }
    (size <= LARGEST).then_some(())?;
    items.truncate(size);
    let any = of.is_empty() || of.iter().any(|id| types.node(*id).any_tuple || !types.node(*id).opaque.is_empty());
    // The elements have to come from the same alternative.
    let alternative = of.iter().find_map(|id| types.node(*id).tuples.iter().find(|elements| elements.len() == size));
    match alternative {
        Some(elements) if !any => elements
            .iter()
            .enumerate()
            .map(|(index, element)| match items.get(index) {
                Some(item) if types.contains(*element, item) => Some(item.clone()),
                _ => types.smallest(*element),
            })
            .collect(),
        _ => {
            items.resize(size, types.smallest(Types::ANY)?);
            Some(items)
        }
    }
}

pub(crate) fn pairs(old: &Term) -> &[(Term, Term)] {
    match old {
        Term::Map(pairs) => pairs,
        _ => &[],
    }
}

pub(crate) fn with_pair(pairs: &[(Term, Term)], key: Term, value: Term) -> Term {
    let mut pairs = pairs.to_vec();
    match pairs.iter_mut().find(|(other, _)| order::identical(other, &key)) {
        Some(pair) => pair.1 = value,
        None => {
            let place = pairs.partition_point(|(other, _)| order::key_order(other, &key).is_lt());
            pairs.insert(place, (key, value));
        }
    }
    Term::Map(pairs.into())
}

fn bits_of(term: &Term) -> Option<&Bits> {
    match term {
        Term::Bits(bits) => Some(bits),
        _ => None,
    }
}

fn bit(bits: &Bits, index: usize) -> bool {
    bits.bytes().get(index / 8).is_some_and(|byte| byte >> (7 - index % 8) & 1 != 0)
}

fn from_bits(all: &[bool]) -> Bits {
    let mut bytes = vec![0u8; all.len().div_ceil(8)];
    for (index, _) in all.iter().enumerate().filter(|(_, bit)| **bit) {
        if let Some(byte) = bytes.get_mut(index / 8) {
            *byte |= 1 << (7 - index % 8);
        }
    }
    Bits::new(bytes, all.len())
}

fn slice_bytes(bits: &Bits, at: usize, size: usize) -> Vec<u8> {
    let all: Vec<bool> = (at..at + size).map(|index| bit(bits, index)).collect();
    from_bits(&all).bytes().to_vec()
}

fn with_bits(old: &Bits, at: usize, new: &[bool]) -> Bits {
    let mut bytes = old.bytes().to_vec();
    for (offset, bit) in new.iter().enumerate() {
        let index = at + offset;
        if let Some(byte) = bytes.get_mut(index / 8) {
            let mask = 1 << (7 - index % 8);
            *byte = if *bit { *byte | mask } else { *byte & !mask };
        }
    }
    Bits::new(bytes, old.bit_length())
}

/// Returns the bits of a number in the order in which a bitstring has them.
fn number_bits(value: &Term, size: usize, format: NumberFormat) -> Option<Vec<bool>> {
    let (number, little) = match (format, value) {
        (NumberFormat::Integer { little, .. }, _) => (crate::native::sets::integer(value)?, little),
        (NumberFormat::Float { little }, Term::Float(value)) => match size {
            64 => (BigInt::from(value.to_bits()), little),
            32 => (BigInt::from((*value as f32).to_bits()), little),
            _ => return None,
        },
        (NumberFormat::Float { .. }, _) => return None,
    };
    let modulus = BigInt::from(1) << size;
    let number = ((number % &modulus) + &modulus) % modulus;
    debug_assert!(number.sign() != Sign::Minus);
    let big: Vec<bool> = (0..size).rev().map(|index| number.bit(index as u64)).collect();
    if !little {
        return Some(big);
    }
    // The lowest byte comes first. The remaining bits, which are the highest, come last.
    let mut bits = Vec::with_capacity(size);
    let mut high = size;
    while high > 0 {
        let low = high.saturating_sub(8);
        bits.extend_from_slice(big.get(low..high)?);
        high = low;
    }
    Some(bits)
}
