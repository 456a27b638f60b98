//! The sizes of terms, and conditions that keep inputs from becoming too large.

use formula::{Assignment, Formulas, Kinds, TermId};
use term::Term;

/// Returns whether a list, tuple or map in the term has more than `bound` parts, or a bitstring more bytes.
pub fn exceeds(term: &Term, bound: usize) -> bool {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        if parts(term) > bound {
            return true;
        }
        match term {
            Term::List(items, tail) => left.extend(items.iter().chain(tail.as_deref())),
            Term::Tuple(items) => left.extend(items.iter()),
            Term::Map(pairs) => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    false
}

fn parts(term: &Term) -> usize {
    match term {
        Term::List(items, _) => items.len(),
        Term::Tuple(items) => items.len(),
        Term::Map(pairs) => pairs.len(),
        Term::Bits(bits) => bits.bytes().len(),
        Term::Int(_)
        | Term::Big(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Nil
        | Term::Fun(_)
        | Term::Pid(_)
        | Term::Reference(_)
        | Term::Port(_) => 0,
    }
}

/// A part of an input, and the conditions for it to exist.
struct Place<'a> {
    id: TermId,
    term: &'a Term,
    present: Vec<TermId>,
}

/// Returns a condition for each outermost part that is too large: that it does not exist, or is not as large. Returns
/// none for a part that no formula reaches (a key of a map, the end of an improper list).
pub fn within(formulas: &mut Formulas, values: &Assignment, bound: usize) -> Vec<TermId> {
    let mut conditions = Vec::new();
    let mut left = Vec::new();
    for (variable, term) in values {
        left.push(Place { id: formulas.variable(*variable), term, present: Vec::new() });
    }
    while let Some(Place { id, term, present }) = left.pop() {
        if parts(term) > bound {
            let mut condition = fits(formulas, id, term, bound);
            for needed in present.into_iter().rev() {
                let absent = formulas.not(needed);
                condition = formulas.or(absent, condition);
            }
            conditions.push(condition);
            continue;
        }
        let mut enter = |id: TermId, term, needed: &[TermId]| {
            left.push(Place { id, term, present: [&present, needed].concat() });
        };
        match term {
            Term::List(items, _) => {
                for (index, item) in items.iter().enumerate() {
                    let at = formulas.integer(index as i64);
                    let needed = formulas.has_item(id, at);
                    enter(formulas.item(id, index as u32), item, &[needed]);
                }
            }
            Term::Tuple(items) => {
                let needed = formulas.tuple_of(id, items.len() as u32);
                for (index, item) in items.iter().enumerate() {
                    enter(formulas.element(id, index as u32), item, &[needed]);
                }
            }
            Term::Map(pairs) => {
                let is_map = formulas.kind(id, Kinds::MAP);
                for (key, value) in pairs.iter() {
                    let key = formulas.constant(key.clone());
                    let has = formulas.map_has(id, key);
                    enter(formulas.map_get(id, key), value, &[is_map, has]);
                }
            }
            _ => {}
        }
    }
    conditions
}

fn fits(formulas: &mut Formulas, id: TermId, term: &Term, bound: usize) -> TermId {
    let bound = bound as i64;
    let (kind, size, most) = match term {
        Term::Tuple(_) => (Kinds::TUPLE, formulas.tuple_size(id), bound),
        Term::Map(_) => (Kinds::MAP, formulas.map_size(id), bound),
        Term::Bits(_) => (Kinds::BITS, formulas.bit_size(id), 8 * bound),
        _ => {
            let at = formulas.integer(bound);
            let longer = formulas.has_item(id, at);
            return formulas.not(longer);
        }
    };
    let is_such = formulas.kind(id, kind);
    let most = formulas.integer(most);
    let larger = formulas.less(most, size);
    let too_large = formulas.and(is_such, larger);
    formulas.not(too_large)
}
