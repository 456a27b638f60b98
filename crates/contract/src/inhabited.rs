//! Which types have values. Alternatives without any (a tuple with a part of `none()`, a list that could
//! never end) are taken out, so that whoever makes values never enters a dead end.

use formula::{Atoms, TypeId, TypeNode, Types};
use rustc_hash::FxHashSet;

/// Of the types `all`, which are those of one graph.
pub(crate) fn remove_uninhabited(types: &mut Types, all: &[TypeId]) {
    let mut inhabited = FxHashSet::default();
    // A type has values once the parts of one alternative have: the least such set.
    loop {
        let before = inhabited.len();
        for id in all {
            if !inhabited.contains(id) && has_values(types.node(*id), &inhabited) {
                inhabited.insert(*id);
            }
        }
        if inhabited.len() == before {
            break;
        }
    }
    for id in all {
        let mut node = types.node(*id).clone();
        let lives = |part: &TypeId| inhabited.contains(part);
        node.cons.retain(|cons| lives(&cons.head) && lives(&cons.tail));
        node.tuples.retain(|parts| parts.iter().all(lives));
        node.maps
            .retain(|fields| fields.iter().all(|field| !field.required || lives(&field.key) && lives(&field.value)));
        for fields in &mut node.maps {
            fields.retain(|field| lives(&field.key) && lives(&field.value));
        }
        node.opaque.retain(|opaque| lives(&opaque.representation));
        types.fill(*id, node);
    }
}

pub(crate) fn is_empty(node: &TypeNode) -> bool {
    *node == TypeNode::default()
}

fn has_values(node: &TypeNode, inhabited: &FxHashSet<TypeId>) -> bool {
    let lives = |part: &TypeId| inhabited.contains(part);
    node.floats
        || node.nil
        || node.any_tuple
        || node.any_map
        || node.any_function
        || node.pids
        || node.references
        || node.ports
        || !node.integers.is_empty()
        || !node.bits.is_empty()
        || !node.functions.is_empty()
        || node.atoms != Atoms::These(Vec::new())
        || node.cons.iter().any(|cons| lives(&cons.head) && lives(&cons.tail))
        || node.tuples.iter().any(|parts| parts.iter().all(lives))
        || node
            .maps
            .iter()
            .any(|fields| fields.iter().all(|field| !field.required || lives(&field.key) && lives(&field.value)))
        || node.opaque.iter().any(|opaque| lives(&opaque.representation))
}
