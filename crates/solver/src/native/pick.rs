//! Chooses members of a set of terms: close to the old value, small, readable, of the right type.

use crate::layout::typed::{smallest, smallest_of_kind};
use crate::layout::{LARGEST, LARGEST_BITS};
use crate::native::numbers::Numbers;
use crate::native::sets::{AtomSet, Set, float_key, float_of_key, integer};
use formula::{Atoms, Kinds, TypeId, Types, USUAL_ARITY};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use term::{Atom, Bits, Term, floats, order};

/// Returns members of `set` in the order in which they are worth trying; `old` is the current value.
pub(crate) fn candidates(set: &Set, old: Option<&Term>, types: &Types, of: &[TypeId]) -> Vec<Term> {
    let kinds = set.kinds();
    let mut found: Vec<Term> = Vec::new();
    let old_kind = old.map_or(Kinds::NONE, Kinds::of);
    let simple_first = [
        Kinds::INTEGER,
        Kinds::ATOM,
        Kinds::NIL,
        Kinds::CONS,
        Kinds::TUPLE,
        Kinds::BITS,
        Kinds::FLOAT,
        Kinds::MAP,
        Kinds::FUNCTION,
        Kinds::PID,
        Kinds::REFERENCE,
        Kinds::PORT,
    ];
    // The same kind comes first, then a list for a list.
    let near = if old_kind.within(Kinds::LIST) { Kinds::LIST } else { old_kind };
    let rank = |kind: &Kinds| {
        if *kind == old_kind {
            0
        } else if kind.within(near) {
            1
        } else {
            2
        }
    };
    let mut order = simple_first.to_vec();
    order.sort_by_key(rank);
    for kind in order.into_iter().filter(|kind| kind.within(kinds)) {
        for value in of_kind(kind, set, old, types, of) {
            if set.contains(&value) && !found.iter().any(|other| order::identical(other, &value)) {
                found.push(value);
            }
        }
    }
    found
}

fn of_kind(kind: Kinds, set: &Set, old: Option<&Term>, types: &Types, of: &[TypeId]) -> Vec<Term> {
    match kind {
        Kinds::INTEGER => {
            let near = old.and_then(integer).unwrap_or(BigInt::ZERO);
            let mut found: Vec<BigInt> = set.integers.nearest(&near).into_iter().collect();
            found.extend(set.integers.nearest(&BigInt::ZERO));
            found.into_iter().map(Term::integer).collect()
        }
        Kinds::FLOAT => floats(set, old),
        Kinds::ATOM => atoms(set, types, of).into_iter().map(Term::Atom).collect(),
        Kinds::NIL => vec![Term::Nil],
        Kinds::TUPLE => tuples(set, old, types, of),
        Kinds::BITS => bits(set, old, types, of),
        Kinds::FUNCTION => {
            let arity = set.functions.nearest(&USUAL_ARITY.into()).and_then(|arity| arity.to_u32());
            arity.map(Term::input_function).into_iter().collect()
        }
        _ => smallest_of_kind(types, of, kind),
    }
}

fn floats(set: &Set, old: Option<&Term>) -> Vec<Term> {
    let old = match old {
        Some(Term::Float(value)) => *value,
        Some(other) => integer(other).and_then(|value| value.to_f64()).filter(|value| value.is_finite()).unwrap_or(0.0),
        None => 0.0,
    };
    let mut tries = vec![old, 0.0];
    if floats::tells_zeros_apart() && set.floats == Numbers::one(float_key(0.0)) {
        tries.push(-0.0);
    }
    // A whole number next to the bound reads better than the neighbour of the bound.
    if let Some(nearest) = set.floats.nearest(&float_key(old)).as_ref().and_then(float_of_key) {
        tries.extend([
            nearest.round(),
            nearest.floor(),
            nearest.ceil(),
            nearest.floor() - 1.0,
            nearest.ceil() + 1.0,
            nearest,
        ]);
    }
    tries
        .into_iter()
        .filter(|value| value.is_finite())
        .map(Term::Float)
        .filter(|value| set.contains(value))
        .take(3)
        .collect()
}

/// Returns atoms of the set: those that the types name come first, then short names.
fn atoms(set: &Set, types: &Types, of: &[TypeId]) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    let mut any = false;
    for id in of {
        match &types.node(*id).atoms {
            Atoms::These(these) => found.extend(these.iter().copied().filter(|atom| set.atoms.contains(*atom)).take(4)),
            Atoms::All => any = true,
        }
    }
    match &set.atoms {
        AtomSet::These(these) => found.extend(these.iter().copied().take(4)),
        AtomSet::AllBut(those) if any => {
            found.extend(names().map(|name| Atom::new(&name)).find(|atom| !those.contains(atom)));
        }
        AtomSet::AllBut(_) => {}
    }
    found
}

/// Iterates over `a` … `z`, `aa`, `ab`, …
pub(crate) fn names() -> impl Iterator<Item = String> {
    (0u64..).map(|mut number| {
        let mut name = String::new();
        loop {
            name.insert(0, (b'a' + (number % 26) as u8) as char);
            if number < 26 {
                return name;
            }
            number = number / 26 - 1;
        }
    })
}

fn tuples(set: &Set, old: Option<&Term>, types: &Types, of: &[TypeId]) -> Vec<Term> {
    let mut found = smallest_of_kind(types, of, Kinds::TUPLE);
    found.retain(|tuple| set.contains(tuple));
    if of.iter().any(|id| types.node(*id).any_tuple) {
        let items = old.and_then(Term::as_tuple).unwrap_or(&[]);
        if let Some(size) =
            set.tuples.nearest(&items.len().into()).and_then(|size| size.to_usize()).filter(|s| *s <= LARGEST)
        {
            let fill = smallest(types, &[Types::ANY]).unwrap_or(Term::Nil);
            let items: Vec<Term> = items.iter().cloned().chain(std::iter::repeat(fill)).take(size).collect();
            found.insert(0, Term::tuple(items));
        }
    }
    found
}

fn bits(set: &Set, old: Option<&Term>, types: &Types, of: &[TypeId]) -> Vec<Term> {
    let (bytes, length) = match old {
        Some(Term::Bits(bits)) => (bits.bytes(), bits.bit_length()),
        _ => (&[][..], 0),
    };
    let mut sizes = Vec::new();
    for shape in of.iter().flat_map(|id| types.node(*id).bits.iter()) {
        // A few sizes of the type, near the member of the set that is nearest to the old length.
        let Some(size) =
            set.bits.nearest(&length.into()).and_then(|size| size.to_u64()).filter(|size| *size <= LARGEST_BITS as u64)
        else {
            continue;
        };
        let up = match (size.checked_sub(shape.base), shape.unit) {
            (None, _) | (_, 0) => shape.base,
            (Some(above), unit) => shape.base.saturating_add(above.div_ceil(unit).saturating_mul(unit)),
        };
        let step = shape.unit.max(1);
        sizes.extend((0..4).map(|n: u64| up.saturating_add(n.saturating_mul(step))));
        sizes.extend(up.checked_sub(step).filter(|down| *down >= shape.base));
    }
    sizes.retain(|size| set.bits.contains(&(*size).into()) && *size <= LARGEST_BITS as u64);
    sizes.truncate(2);
    let made = sizes.into_iter().map(|size| {
        let mut bytes = bytes.to_vec();
        bytes.truncate((size as usize).div_ceil(8));
        // Bits beyond the old end are zero already.
        bytes.resize((size as usize).div_ceil(8), 0);
        Term::Bits(Bits::new(bytes, size as usize))
    });
    made.collect()
}
