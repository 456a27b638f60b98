//! Determines which types have values. Alternatives without any (a tuple with a part of `none()`, a list that could
//! never end) are removed, so that code that makes values never enters a dead end.

use formula::{Atoms, TypeId, TypeNode, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// Removes the alternatives without values from the types `all`, which must be all types of one graph.
pub(crate) fn remove_uninhabited(types: &mut Types, all: &[TypeId]) {
    let mut inhabited = FxHashSet::default();
    let mut used_in: FxHashMap<TypeId, Vec<TypeId>> = FxHashMap::default();
    for id in all {
        for part in parts(types.node(*id)) {
            used_in.entry(part).or_default().push(*id);
        }
    }
    // A type has values once all parts of one of its alternatives have values. This computes the least such set: each
    // round looks again only at types with a part that was found to have values in the last round.
    let mut open: Vec<TypeId> = all.to_vec();
    while !open.is_empty() {
        let lives = |id: &TypeId| !inhabited.contains(id) && has_values(types.node(*id), &inhabited);
        let found: Vec<TypeId> = open.into_iter().filter(lives).collect();
        inhabited.extend(found.iter().copied());
        open = found.iter().filter_map(|id| used_in.get(id)).flatten().copied().collect();
        open.sort_unstable();
        open.dedup();
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

/// Returns the types that decide whether the node has values.
fn parts(node: &TypeNode) -> impl Iterator<Item = TypeId> {
    let cons = node.cons.iter().flat_map(|cons| [cons.head, cons.tail]);
    let fields = node.maps.iter().flatten().filter(|field| field.required);
    cons.chain(node.tuples.iter().flatten().copied())
        .chain(fields.flat_map(|field| [field.key, field.value]))
        .chain(node.opaque.iter().map(|opaque| opaque.representation))
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
