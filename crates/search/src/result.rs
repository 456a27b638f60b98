//! Whether the result of a run is what the specification says, as decisions of the run: so that results on
//! the same path that are not of their type are looked for, too.
//!
//! What is recorded are tests of the result's parts with the outcomes that they had: of their kinds, and
//! where only some terms of a kind will do, whether they are among those.

use formula::{Atoms, Constant, Constants, Formulas, Kinds, Operator, Range, TermId, TypeId, TypeNode, Types};
use machine::{Loss, Recorder};
use term::Term;

/// The place of these decisions.
pub const RESULT: u32 = u32::MAX - 1;
/// Parts of a result that are looked at.
const MOST_PARTS: usize = 4_096;

/// `of`: the result must be of one of these types.
pub fn record(recorder: &mut Recorder, types: &Types, of: &[TypeId], result: &Term) {
    if of.contains(&Types::ANY) {
        return;
    }
    let Some(formula) = recorder.result else {
        recorder.concretised(Loss::Machine("a result that cannot be followed"));
        return;
    };
    let mut open = vec![(formula, result.clone(), of.to_vec())];
    let mut left = MOST_PARTS;
    while let Some((id, term, of)) = open.pop() {
        if of.contains(&Types::ANY) || recorder.formulas.as_constant(id).is_some() {
            continue;
        }
        left -= 1;
        if left == 0 {
            recorder.concretised(Loss::Machine("a result too large to be followed"));
            return;
        }
        let nodes: Vec<&TypeNode> =
            of.iter().map(|of| types.node(*of)).flat_map(|node| transparent(types, node)).collect();
        let allowed = nodes.iter().fold(Kinds::NONE, |kinds, node| kinds.or(kinds_of(node)));
        let kind = Kinds::of(&term);
        recorder.enter(RESULT, left as u32);
        if !test(recorder, id, Formulas::kind, allowed, kind.within(allowed)) {
            return;
        }
        // What else must hold depends on the kind.
        test(recorder, id, Formulas::kind, kind, true);
        let conditions = condition(recorder, types, &nodes, id, &term, &mut open);
        match conditions {
            Some((condition, held)) => {
                recorder.branch(condition, held);
                if !held {
                    return;
                }
            }
            None => continue,
        }
    }
}

fn test<T>(
    recorder: &mut Recorder,
    id: TermId,
    make: impl FnOnce(&mut Formulas, TermId, T) -> TermId,
    of: T,
    held: bool,
) -> bool {
    let formula = make(&mut recorder.formulas, id, of);
    recorder.branch(formula, held);
    held
}

/// A node, and the representations of the opaque types in it.
fn transparent<'a>(types: &'a Types, node: &'a TypeNode) -> Vec<&'a TypeNode> {
    let inner = node.opaque.iter().map(|opaque| types.node(opaque.representation));
    std::iter::once(node).chain(inner).collect()
}

fn kinds_of(node: &TypeNode) -> Kinds {
    let mut kinds = Kinds::NONE;
    let mut when = |holds: bool, kind: Kinds| kinds = if holds { kinds.or(kind) } else { kinds };
    when(!node.integers.is_empty(), Kinds::INTEGER);
    when(node.floats, Kinds::FLOAT);
    when(node.atoms != Atoms::default(), Kinds::ATOM);
    when(node.nil, Kinds::NIL);
    when(!node.cons.is_empty(), Kinds::CONS);
    when(node.any_tuple || !node.tuples.is_empty(), Kinds::TUPLE);
    when(node.any_map || !node.maps.is_empty(), Kinds::MAP);
    when(!node.bits.is_empty(), Kinds::BITS);
    when(node.any_function || !node.functions.is_empty(), Kinds::FUNCTION);
    when(node.pids, Kinds::PID);
    when(node.references, Kinds::REFERENCE);
    when(node.ports, Kinds::PORT);
    kinds
}

type Part = (TermId, Term, Vec<TypeId>);

/// What must hold of a term of a kind that is allowed, and whether it does; its parts are opened.
fn condition(
    recorder: &mut Recorder,
    types: &Types,
    nodes: &[&TypeNode],
    id: TermId,
    term: &Term,
    open: &mut Vec<Part>,
) -> Option<(TermId, bool)> {
    let formulas = &mut recorder.formulas;
    match term {
        Term::Int(_) | Term::Big(_) => {
            let ranges: Vec<&Range> = nodes.iter().flat_map(|node| &node.integers).collect();
            let held = ranges.iter().any(|range| range.contains(term));
            let mut within = formulas.boolean(false);
            for range in ranges {
                let one = in_range(formulas, id, range);
                within = formulas.or(within, one);
            }
            Some((within, held))
        }
        Term::Atom(atom) => {
            let mut these = Vec::new();
            for node in nodes {
                match &node.atoms {
                    Atoms::All => return None,
                    Atoms::These(atoms) => these.extend(atoms.iter().copied()),
                }
            }
            let constants = Constants::shared(these.iter().map(|atom| Constant(Term::Atom(*atom))));
            Some((formulas.one_of(id, constants), these.contains(atom)))
        }
        Term::List(items, end) => {
            open_list(formulas, types, nodes, id, items, end.as_deref(), open);
            None
        }
        Term::Tuple(elements) => {
            if nodes.iter().any(|node| node.any_tuple) {
                return None;
            }
            let of_size = |tuple: &&Vec<TypeId>| tuple.len() == elements.len();
            let tuples: Vec<&Vec<TypeId>> = nodes.iter().flat_map(|node| &node.tuples).filter(of_size).collect();
            let fits =
                |tuple: &&&Vec<TypeId>| tuple.iter().zip(elements.iter()).all(|(of, term)| types.contains(*of, term));
            // Elements of a union belong together: those of the members that this tuple is of.
            let mut members: Vec<&Vec<TypeId>> = tuples.iter().filter(fits).copied().collect();
            if members.is_empty() {
                members = tuples;
            }
            let held = !members.is_empty();
            for (index, element) in elements.iter().enumerate().filter(|_| held) {
                let part = formulas.element(id, index as u32);
                open.push((part, element.clone(), members.iter().map(|tuple| tuple[index]).collect()));
            }
            Some((formulas.tuple_of(id, elements.len() as u32), held))
        }
        Term::Bits(bits) => {
            let size = formulas.bit_size(id);
            let mut fits = formulas.boolean(false);
            for of in nodes.iter().flat_map(|node| &node.bits) {
                let base = formulas.integer(of.base);
                let less = formulas.less(size, base);
                let mut one = formulas.not(less);
                let rest = formulas.arithmetic(formula::Arithmetic::Subtract, size, base);
                let zero = formulas.integer(0);
                let left = match of.unit {
                    0 => rest,
                    unit => {
                        let unit = formulas.integer(unit);
                        formulas.arithmetic(formula::Arithmetic::Remainder, rest, unit)
                    }
                };
                let whole = formulas.identical(left, zero);
                one = formulas.and(one, whole);
                fits = formulas.or(fits, one);
            }
            let held = nodes.iter().flat_map(|node| &node.bits).any(|of| of.contains(bits));
            Some((fits, held))
        }
        Term::Map(_) => {
            let followed = matches!(formulas.operator(id), Operator::Constant(_));
            if !followed && !nodes.iter().any(|node| node.any_map) {
                open_map(recorder, types, nodes, id, term, open);
            }
            None
        }
        Term::Float(_) | Term::Nil | Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => None,
    }
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

/// The items, and what is behind them.
fn open_list(
    formulas: &mut Formulas,
    types: &Types,
    nodes: &[&TypeNode],
    id: TermId,
    items: &[Term],
    end: Option<&Term>,
    open: &mut Vec<Part>,
) {
    let mut cells: Vec<_> = nodes.iter().flat_map(|node| &node.cons).copied().collect();
    let mut parts = Vec::new();
    for (index, item) in items.iter().enumerate().take(MOST_PARTS) {
        let fitting: Vec<_> = cells.iter().filter(|cell| types.contains(cell.head, item)).copied().collect();
        if !fitting.is_empty() {
            cells = fitting;
        }
        parts.push((formulas.item(id, index as u32), item.clone(), cells.iter().map(|cell| cell.head).collect()));
        let tails: Vec<TypeId> = cells.iter().map(|cell| cell.tail).collect();
        let last = index + 1 == items.len();
        if last {
            let rest = formulas.rest(id, items.len() as u32);
            parts.push((rest, end.cloned().unwrap_or(Term::Nil), tails));
        } else {
            let mut next = Vec::new();
            for cell in tails.iter().flat_map(|tail| &types.node(*tail).cons) {
                if !next.contains(cell) {
                    next.push(*cell);
                }
            }
            cells = next;
        }
    }
    open.extend(parts.into_iter().rev());
}

/// The values of the keys that are there. Which keys there are is not asked.
fn open_map(
    recorder: &mut Recorder,
    types: &Types,
    nodes: &[&TypeNode],
    id: TermId,
    term: &Term,
    open: &mut Vec<Part>,
) {
    let Term::Map(pairs) = term else { return };
    let maps: Vec<_> = nodes.iter().flat_map(|node| &node.maps).collect();
    for (key, value) in pairs.iter() {
        let fields = maps.iter().filter_map(|fields| types.field_of(fields, key));
        let of: Vec<TypeId> = fields.map(|field| field.value).collect();
        if of.is_empty() {
            continue;
        }
        let key = recorder.formulas.constant(key.clone());
        let part = recorder.formulas.map_get(id, key);
        open.push((part, value.clone(), of));
    }
    recorder.concretised(Loss::Machine("the keys of a map in the result"));
}
