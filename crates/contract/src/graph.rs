//! Translates closed types of declarations to types in normal form.

use crate::declarations::{Declarations, Meaning};
use crate::inhabited::remove_uninhabited;
use crate::shape::{ClosedId, ClosedType, ClosedTypes};
use formula::{Atoms, BitsType, ConsType, FieldType, FunctionType, OpaqueType, Range, TypeId, TypeNode, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Atom;

/// The types in normal form, while they are built. Nodes are reserved when they are first mentioned and filled by
/// `finish`, so that no type has to be known before another.
#[derive(Debug)]
pub(crate) struct Graph {
    types: Types,
    ids: FxHashMap<ClosedId, TypeId>,
    unfilled: Vec<(TypeId, ClosedId)>,
    /// The number of alternatives added to all nodes.
    parts: usize,
}

/// The maximum number of alternatives. Unions of unions of unions have as many as all of them together, at every level.
const MOST_PARTS: usize = 1 << 20;

/// The alternatives of a node that were already added.
#[derive(Default)]
struct Seen {
    atoms: FxHashSet<Atom>,
    tuples: FxHashSet<Vec<TypeId>>,
}

impl Graph {
    pub fn new() -> Graph {
        let ids = std::iter::once((ClosedTypes::ANY, Types::ANY)).collect();
        Graph { types: Types::default(), ids, unfilled: Vec::new(), parts: 0 }
    }

    pub fn id(&mut self, declarations: &mut Declarations<'_>, shape: ClosedId) -> TypeId {
        let shape = declarations.canonical(shape);
        let (types, unfilled) = (&mut self.types, &mut self.unfilled);
        *self.ids.entry(shape).or_insert_with(|| {
            let id = types.reserve();
            unfilled.push((id, shape));
            id
        })
    }

    /// Returns all mentioned types, without alternatives that have no values, and whether they are complete.
    pub fn finish(mut self, declarations: &mut Declarations<'_>) -> (Types, bool) {
        while let Some((id, shape)) = self.unfilled.pop() {
            let node = if self.parts < MOST_PARTS { self.node(declarations, shape) } else { TypeNode::any() };
            self.types.fill(id, node);
        }
        let is_whole = self.parts < MOST_PARTS;
        let mut all: Vec<TypeId> = self.ids.into_values().collect();
        all.sort_unstable();
        remove_uninhabited(&mut self.types, &all);
        (self.types, is_whole)
    }

    fn node(&mut self, declarations: &mut Declarations<'_>, shape: ClosedId) -> TypeNode {
        let mut node = TypeNode::default();
        let mut seen = Seen::default();
        for member in declarations.members(shape) {
            self.add(declarations, member, &mut node, &mut seen);
        }
        tidy(&mut node);
        node
    }

    fn add(&mut self, declarations: &mut Declarations<'_>, member: ClosedId, node: &mut TypeNode, seen: &mut Seen) {
        self.parts += 1;
        let mut id = |declarations: &mut Declarations<'_>, part: ClosedId| self.id(declarations, part);
        match declarations.shapes.get(member).clone() {
            ClosedType::Any | ClosedType::Free(_) => *node = TypeNode::any(),
            // `members` has resolved these.
            ClosedType::None | ClosedType::Union(_) => {}
            ClosedType::AnyAtom => node.atoms = Atoms::All,
            ClosedType::Atom(atom) => {
                if let Atoms::These(atoms) = &mut node.atoms
                    && seen.atoms.insert(atom)
                {
                    atoms.push(atom);
                }
            }
            ClosedType::Integer { low, high } => node.integers.push(Range { low, high }),
            ClosedType::Float => node.floats = true,
            ClosedType::Nil => node.nil = true,
            ClosedType::Cons { head, tail } => {
                let cons = ConsType { head: id(declarations, head), tail: id(declarations, tail) };
                push_new(&mut node.cons, cons);
            }
            ClosedType::Rest { element, end } => {
                for last in declarations.members(end) {
                    self.add(declarations, last, node, seen);
                }
                let cons = ConsType { head: self.id(declarations, element), tail: self.id(declarations, member) };
                push_new(&mut node.cons, cons);
            }
            ClosedType::AnyTuple => node.any_tuple = true,
            ClosedType::Tuple(parts) => {
                let parts: Vec<TypeId> = parts.iter().map(|part| id(declarations, *part)).collect();
                if seen.tuples.insert(parts.clone()) {
                    node.tuples.push(parts);
                }
            }
            ClosedType::AnyMap => node.any_map = true,
            ClosedType::Map(fields) => {
                let fields = fields.iter().map(|field| FieldType {
                    key: id(declarations, field.key),
                    value: id(declarations, field.value),
                    required: field.required,
                });
                let fields = fields.collect();
                push_new(&mut node.maps, fields);
            }
            ClosedType::Bits { base, unit } => push_new(&mut node.bits, BitsType { base, unit }),
            ClosedType::AnyFunction => node.any_function = true,
            ClosedType::Function { params, result } => {
                let params = params.map(|params| params.iter().map(|part| id(declarations, *part)).collect());
                let function = FunctionType { params, result: id(declarations, result) };
                push_new(&mut node.functions, function);
            }
            ClosedType::Pid => node.pids = true,
            ClosedType::Port => node.ports = true,
            ClosedType::Reference => node.references = true,
            ClosedType::Named { module, name, args } => {
                // `members` resolves aliases, so this is an opaque type.
                if let Some(Meaning::Opaque(body)) = declarations.meaning(member) {
                    let opaque = OpaqueType {
                        module,
                        name,
                        args: args.iter().map(|part| id(declarations, *part)).collect(),
                        representation: id(declarations, body),
                    };
                    push_new(&mut node.opaque, opaque);
                }
            }
        }
    }
}

fn push_new<T: PartialEq>(all: &mut Vec<T>, new: T) {
    if !all.contains(&new) {
        all.push(new);
    }
}

/// Removes alternatives that others contain, and makes ranges disjoint and sorted.
fn tidy(node: &mut TypeNode) {
    if node.any_tuple {
        node.tuples.clear();
    }
    if node.any_map {
        node.maps.clear();
    }
    if node.any_function {
        node.functions.clear();
    }
    if node.bits.contains(&BitsType { base: 0, unit: 1 }) {
        node.bits.retain(|bits| *bits == BitsType { base: 0, unit: 1 });
    }
    node.integers = joined(std::mem::take(&mut node.integers));
}

fn joined(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.retain(|range| match (&range.low, &range.high) {
        (Some(low), Some(high)) => low <= high,
        _ => true,
    });
    // Ranges without a lower bound sort first.
    ranges.sort_by(|a, b| a.low.cmp(&b.low));
    let mut joined: Vec<Range> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if touches(last, &range) => {
                if let Some(high) = &last.high
                    && range.high.as_ref().is_none_or(|other| other > high)
                {
                    last.high = range.high;
                }
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Returns whether the later range begins inside the earlier one or directly after it.
fn touches(earlier: &Range, later: &Range) -> bool {
    match (&earlier.high, &later.low) {
        (Some(high), Some(low)) => *low <= high + 1,
        _ => true,
    }
}
