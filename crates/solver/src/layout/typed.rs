//! The types of parts according to the declared types, and small values of them.

use crate::layout::positions::{Projection, path};
use formula::{Assignment, Formulas, Kinds, TermId, TypeId, Types};
use term::Term;

/// Returns the types of a part of a term of one of these types.
pub(crate) fn part_types(types: &Types, of: &[TypeId], step: &Projection) -> Vec<TypeId> {
    match step {
        Projection::Item(index) => heads(types, &behind(types, of, *index)),
        Projection::Rest(cells) => behind(types, of, *cells),
        Projection::Element(index) => collect(of, |id, found| {
            let node = types.node(id);
            found.extend(node.tuples.iter().filter_map(|elements| elements.get(*index as usize).copied()));
            if node.any_tuple || !node.opaque.is_empty() {
                found.push(Types::ANY);
            }
        }),
        Projection::Value(key) => collect(of, |id, found| {
            let node = types.node(id);
            for field in node.maps.iter().flatten() {
                if types.contains(field.key, key) {
                    found.push(field.value);
                }
            }
            if node.any_map || !node.opaque.is_empty() {
                found.push(Types::ANY);
            }
        }),
        Projection::KeyAt(_) | Projection::ValueAt(_) => collect(of, |id, found| {
            let node = types.node(id);
            let key = matches!(step, Projection::KeyAt(_));
            found.extend(node.maps.iter().flatten().map(|field| if key { field.key } else { field.value }));
            if node.any_map || !node.opaque.is_empty() {
                found.push(Types::ANY);
            }
        }),
        Projection::Number { .. } | Projection::Slice { .. } => vec![Types::ANY],
        Projection::Length | Projection::TupleSize | Projection::BitSize | Projection::MapSize => vec![Types::ANY],
    }
}

/// Returns the types of a position if everything around it stays as it is, followed by all others that it can have.
pub(crate) fn types_beside(formulas: &Formulas, parent: &Assignment, position: TermId) -> Vec<TypeId> {
    let types = formulas.types();
    let mut found = Vec::new();
    if let Some((variable, steps)) = path(formulas, position) {
        let mut value = parent.get(&variable);
        found.push(formulas.declared(variable));
        for step in &steps {
            found = match (step, value) {
                (Projection::Element(index), Some(Term::Tuple(elements))) => {
                    element_types(types, &found, elements, *index)
                }
                _ => part_types(types, &found, step),
            };
            value = value.and_then(|value| part(value, step));
        }
    }
    let all = formulas.types_of(position);
    found.extend(all.iter().copied().filter(|id| !found.contains(id)).collect::<Vec<_>>());
    found
}

/// Returns the types of an element in tuples of the same size as this one, if possible only in those that the other
/// elements fit.
fn element_types(types: &Types, of: &[TypeId], elements: &[Term], index: u32) -> Vec<TypeId> {
    let alike = |exact: bool| {
        collect(of, |id, found| {
            let node = types.node(id);
            for tuple in node.tuples.iter().filter(|tuple| tuple.len() == elements.len()) {
                let others = tuple.iter().zip(elements).enumerate().filter(|(at, _)| *at != index as usize);
                if !exact || others.into_iter().all(|(_, (of, element))| types.contains(*of, element)) {
                    found.extend(tuple.get(index as usize));
                }
            }
            if node.any_tuple || !node.opaque.is_empty() {
                found.push(Types::ANY);
            }
        })
    };
    let exact = alike(true);
    if exact.is_empty() { alike(false) } else { exact }
}

fn part<'t>(value: &'t Term, step: &Projection) -> Option<&'t Term> {
    match (step, value) {
        (Projection::Item(index), Term::List(items, _)) => items.get(*index as usize),
        (Projection::Element(index), Term::Tuple(elements)) => elements.get(*index as usize),
        (Projection::Value(key), Term::Map(pairs)) => {
            pairs.iter().find(|(own, _)| term::order::identical(own, key)).map(|(_, value)| value)
        }
        _ => None,
    }
}

fn collect(of: &[TypeId], each: impl Fn(TypeId, &mut Vec<TypeId>)) -> Vec<TypeId> {
    let mut found = Vec::new();
    for id in of {
        each(*id, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn heads(types: &Types, of: &[TypeId]) -> Vec<TypeId> {
    collect(of, |id, found| {
        let node = types.node(id);
        found.extend(node.cons.iter().map(|cons| cons.head));
        if !node.opaque.is_empty() {
            found.push(Types::ANY);
        }
    })
}

/// Returns the types of a list without its first `cells` cells. Types of lists repeat soon.
fn behind(types: &Types, of: &[TypeId], cells: u32) -> Vec<TypeId> {
    let mut now = of.to_vec();
    now.sort();
    now.dedup();
    for _ in 0..cells {
        let next = collect(&now, |id, found| {
            let node = types.node(id);
            found.extend(node.cons.iter().map(|cons| cons.tail));
            if !node.opaque.is_empty() {
                found.push(Types::ANY);
            }
        });
        if next == now {
            break;
        }
        now = next;
    }
    now
}

/// Returns the smallest value of the first of these types that has one.
pub(crate) fn smallest(types: &Types, of: &[TypeId]) -> Option<Term> {
    of.iter().find_map(|id| types.smallest(*id))
}

/// Returns small values of one kind, one for each alternative of the types with this kind.
pub(crate) fn smallest_of_kind(types: &Types, of: &[TypeId], kind: Kinds) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for id in of {
        let node = types.node(*id);
        if kind == Kinds::CONS {
            for cons in &node.cons {
                if let (Some(head), Some(tail)) = (types.smallest(cons.head), types.smallest(cons.tail)) {
                    found.push(Term::list_with_tail(vec![head], tail));
                }
            }
        } else if kind == Kinds::TUPLE {
            for elements in &node.tuples {
                let elements: Option<Vec<Term>> = elements.iter().map(|element| types.smallest(*element)).collect();
                found.extend(elements.map(Term::tuple));
            }
            if node.any_tuple {
                found.push(Term::tuple([]));
            }
        } else if kind == Kinds::MAP {
            for fields in &node.maps {
                let pairs: Option<Vec<(Term, Term)>> = fields
                    .iter()
                    .filter(|field| field.required)
                    .map(|field| Some((types.smallest(field.key)?, types.smallest(field.value)?)))
                    .collect();
                if let Some(mut pairs) = pairs {
                    pairs.sort_by(|a, b| term::order::key_order(&a.0, &b.0));
                    found.push(Term::Map(pairs.into()));
                }
            }
            if node.any_map {
                found.push(Term::Map([].into()));
            }
        } else if kind == Kinds::FUNCTION {
            found.extend(node.smallest_function());
        } else if kind == Kinds::PID && node.pids {
            found.push(Term::Pid(Term::OWN_PID));
        } else if kind == Kinds::REFERENCE && node.references {
            found.push(Term::Reference(0));
        } else if kind == Kinds::PORT && node.ports {
            found.push(Term::Port(0));
        }
    }
    found
}
