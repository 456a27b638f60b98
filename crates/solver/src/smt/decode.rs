//! Turns models back into changes of the parent's values.

use super::encode::{Encoder, Facet, arity, atoms_in, kind_number, literal};
use super::read::{self, Value};
use crate::layout::keys::{Asked, with_asked};
use crate::layout::positions::{Projection, depth, is_position, last_step};
use crate::layout::typed::{smallest, smallest_of_kind};
use crate::layout::{LARGEST, LARGEST_BITS, LARGEST_MAP};
use crate::native::guess::derived::{derived, plausible, with_part};
use crate::native::pick::names;
use crate::native::sets::integer;
use crate::native::state::spine;
use formula::{Assignment, Atoms, Evaluation, Formulas, Kinds, Operator, TermId, Types};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use term::{Atom, Term};

/// A wish that a cell keeps the parent's value; or, if that is impossible, that its number is small.
pub(super) struct Wish {
    pub name: String,
    pub small: Option<String>,
    /// Whether it is instead a wish of the encoder, which keeps models away from what the encoding leaves open.
    pub exact: bool,
}

pub(super) struct Decoded {
    pub changes: Vec<(TermId, Term)>,
    /// Values that terms which are no positions should have.
    pub leaves: Vec<(TermId, Term)>,
    /// Whether there is a structure that is too large to be made.
    pub too_large: bool,
}

/// Returns the atoms that a model may need: those of the types of the cells, and the parent's.
pub(super) fn atoms_of(formulas: &Formulas, slice: &[TermId], parent: &Assignment) -> BTreeSet<Atom> {
    let mut atoms = BTreeSet::new();
    let mut texts = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut open = slice.to_vec();
    let mut evaluation = Evaluation::new(formulas, parent);
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        for of in formulas.types_of(id) {
            type_atoms(formulas.types(), *of, &mut atoms, 3);
        }
        if is_position(formulas, id)
            && let Some(term @ Term::Atom(_)) = &evaluation.top(id)
        {
            atoms_in(term, &mut texts);
        }
        formulas.operator(id).each_child(|child| open.push(child));
    }
    atoms.extend(texts.into_iter().map(Atom::new));
    atoms
}

fn type_atoms(types: &Types, id: formula::TypeId, atoms: &mut BTreeSet<Atom>, deep: u32) {
    let Some(deep) = deep.checked_sub(1) else { return };
    let node = types.node(id);
    if let Atoms::These(these) = &node.atoms {
        atoms.extend(these.iter().copied());
    }
    let parts = node.tuples.iter().flatten().copied().chain(node.cons.iter().map(|cons| cons.head));
    for part in parts.chain(node.maps.iter().flatten().map(|field| field.value)) {
        type_atoms(types, part, atoms, deep);
    }
}

/// Makes one wish for each cell, with all its facets, and one for each wish of the encoder.
pub(super) fn wishes(encoder: &mut Encoder<'_>, parent: &Assignment) -> Vec<Wish> {
    let mut of_cells: BTreeMap<TermId, (Vec<String>, Option<String>)> = BTreeMap::new();
    let names: Vec<(String, TermId, Facet)> =
        encoder.names.iter().map(|(name, (id, facet))| (name.clone(), *id, *facet)).collect();
    {
        let mut evaluation = Evaluation::new(encoder.formulas, parent);
        for (name, id, facet) in names {
            let (keeps, small) = of_cells.entry(id).or_default();
            if facet == Facet::Integer {
                *small = Some(format!("(and (<= (- 9) {name}) (<= {name} 99))"));
            }
            if facet == Facet::Present {
                let has = evaluation.has_value(id);
                keeps.push(format!("(= {name} {has})"));
                continue;
            }
            let Some(value) = evaluation.value(id) else { continue };
            if let Some(literal) = facet_of(&value, facet, encoder) {
                keeps.push(format!("(= {name} {literal})"));
            }
        }
    }
    let mut wishes = Vec::new();
    for (index, (_, (keeps, small))) in of_cells.into_iter().enumerate() {
        if keeps.is_empty() {
            continue;
        }
        let name = format!("w{index}");
        encoder.line(format_args!("(declare-const {name} Bool)"));
        encoder.line(format_args!("(assert (=> {name} (and {})))", keeps.join(" ")));
        let small = small.map(|small| {
            let name = format!("m{index}");
            encoder.line(format_args!("(declare-const {name} Bool)"));
            encoder.line(format_args!("(assert (=> {name} {small}))"));
            name
        });
        wishes.push(Wish { name, small, exact: false });
    }
    for (index, wish) in std::mem::take(&mut encoder.wishes).into_iter().enumerate() {
        let name = format!("wx{index}");
        encoder.line(format_args!("(declare-const {name} Bool)"));
        encoder.line(format_args!("(assert (=> {name} {wish}))"));
        wishes.push(Wish { name, small: None, exact: true });
    }
    wishes
}

fn facet_of(value: &Term, facet: Facet, encoder: &Encoder<'_>) -> Option<String> {
    let kind = Kinds::of(value);
    Some(match (facet, value) {
        (Facet::Kind, _) => kind_number(kind).to_string(),
        (Facet::Integer, _) => literal(&integer(value)?),
        (Facet::Atom, Term::Atom(atom)) => encoder.ranks().get(atom.text())?.to_string(),
        (Facet::Cells, Term::List(items, _)) => items.len().to_string(),
        (Facet::Cells, _) => "0".to_string(),
        (Facet::End, Term::List(_, end)) => {
            kind_number(end.as_ref().map_or(Kinds::NIL, |end| Kinds::of(end))).to_string()
        }
        (Facet::End, _) => kind_number(kind).to_string(),
        (Facet::TupleSize, Term::Tuple(items)) => items.len().to_string(),
        (Facet::BitSize, Term::Bits(bits)) => bits.bit_length().to_string(),
        (Facet::Arity, _) => arity(value)?.to_string(),
        _ => return None,
    })
}

pub(super) fn decode(encoder: &mut Encoder<'_>, answer: &str, parent: &Assignment) -> Option<Decoded> {
    let read = read::model(answer)?;
    let mut model: FxHashMap<(TermId, Facet), Value> = FxHashMap::default();
    for (name, of) in &encoder.names {
        if let Some(value) = read.get(name) {
            model.insert(*of, value.clone());
        }
    }
    add_kinds(encoder, &mut model);
    let invented = invent(encoder, &model);
    let mut ids: Vec<TermId> = model.keys().map(|(id, _)| *id).collect();
    ids.sort_by_key(|id| (depth(encoder.formulas, *id), *id));
    ids.dedup();
    let reader = Reader { model: &model, atoms: &invented };
    let mut decoded =
        Decoded { changes: Vec::new(), leaves: Vec::new(), too_large: reader.is_too_large(encoder.formulas) };
    let formulas: &Formulas = encoder.formulas;
    let mut evaluation = Evaluation::new(formulas, parent);
    let mut parts = Vec::new();
    for id in ids {
        if !reader.exists(formulas, id) {
            continue;
        }
        let old = evaluation.value(id);
        if is_position(formulas, id) {
            reader.changes(formulas, id, old.as_ref(), &mut decoded.changes);
            continue;
        }
        reader.changes(formulas, id, old.as_ref(), &mut parts);
        if let Some(new) = reader.scalar(id)
            && old.as_ref() != Some(&new)
        {
            decoded.leaves.push((id, new));
        }
    }
    let wholes = wholes(formulas, &mut evaluation, parts);
    decoded.leaves.splice(0..0, wholes);
    Some(decoded)
}

/// Returns terms that are no positions, with all of their parts as in the model.
fn wholes(formulas: &Formulas, evaluation: &mut Evaluation<'_>, parts: Vec<(TermId, Term)>) -> Vec<(TermId, Term)> {
    let mut found: BTreeMap<TermId, Term> = BTreeMap::new();
    for (id, part) in parts {
        let (root, steps) = derived(formulas, id).unwrap_or((id, Vec::new()));
        let old = found.get(&root).cloned().or_else(|| evaluation.value(root)).unwrap_or(Term::Nil);
        if let Some(new) = with_part(formulas, root, &old, &steps, &part) {
            found.insert(root, new);
        }
    }
    found.into_iter().map(|(root, whole)| (root, plausible(formulas, root, whole))).collect()
}

/// Adds the kinds that have no names of their own: those of terms that can be of one kind only, and of lists.
fn add_kinds(encoder: &mut Encoder<'_>, model: &mut FxHashMap<(TermId, Facet), Value>) {
    let mut ids: BTreeSet<TermId> = encoder.names.values().map(|(id, _)| *id).collect();
    ids.extend(encoder.parts.values().flatten().copied());
    // Maps are made from what is known of their keys.
    let maps = encoder.parts.keys().copied().filter(|id| encoder.formulas.kinds(*id) == Kinds::MAP);
    ids.extend(maps);
    for id in ids {
        if last_step(encoder.formulas, id).is_some_and(|(_, step)| step.is_size() && step != Projection::MapSize) {
            continue;
        }
        let kinds = encoder.kinds(id);
        let mut each = kinds.each();
        let kind = match (each.next(), each.next()) {
            (Some(only), None) => Value::Integer(kind_number(only).into()),
            _ => {
                let (list, before) = spine(encoder.formulas, id);
                match (model.get(&(list, Facet::Cells)), model.get(&(list, Facet::End))) {
                    (Some(Value::Integer(cells)), _) if *cells > before.into() => {
                        Value::Integer(kind_number(Kinds::CONS).into())
                    }
                    (Some(_), Some(end)) => end.clone(),
                    _ => continue,
                }
            }
        };
        model.entry((id, Facet::Kind)).or_insert(kind);
    }
}

struct Reader<'a> {
    model: &'a FxHashMap<(TermId, Facet), Value>,
    atoms: &'a FxHashMap<i64, Atom>,
}

impl Reader<'_> {
    fn number(&self, id: TermId, facet: Facet) -> Option<BigInt> {
        match self.model.get(&(id, facet))? {
            Value::Integer(value) => Some(value.clone()),
            _ => None,
        }
    }

    fn kind(&self, id: TermId) -> Option<Kinds> {
        let number = self.number(id, Facet::Kind)?.to_usize()?;
        Kinds::ALL.each().nth(number)
    }

    /// Returns whether the part exists in the model.
    fn exists(&self, formulas: &Formulas, id: TermId) -> bool {
        let Some((base, step)) = last_step(formulas, id) else { return true };
        let here = match step {
            Projection::Item(index) => {
                self.kind(base).is_none_or(|kind| kind == Kinds::CONS)
                    && self.number(base, Facet::Cells).is_none_or(|cells| cells > index.into())
            }
            Projection::Rest(index) => {
                self.kind(base).is_none_or(|kind| kind == Kinds::CONS)
                    && self.number(base, Facet::Cells).is_none_or(|cells| cells >= index.into())
            }
            Projection::Element(index) => {
                self.kind(base).is_none_or(|kind| kind == Kinds::TUPLE)
                    && self.number(base, Facet::TupleSize).is_none_or(|size| size > index.into())
            }
            Projection::Value(_) => {
                self.kind(base).is_none_or(|kind| kind == Kinds::MAP)
                    && self.model.get(&(id, Facet::Present)) != Some(&Value::Boolean(false))
            }
            Projection::KeyAt(_) | Projection::ValueAt(_) | Projection::MapSize => {
                self.kind(base).is_none_or(|kind| kind == Kinds::MAP)
            }
            Projection::Number { at, size, .. } | Projection::Slice { at, size } => {
                self.kind(base).is_none_or(|kind| kind == Kinds::BITS)
                    && self.number(base, Facet::BitSize).is_none_or(|whole| whole >= (at + size).into())
            }
            _ => true,
        };
        here && self.exists(formulas, base)
    }

    fn is_too_large(&self, formulas: &Formulas) -> bool {
        self.model.iter().any(|((id, facet), value)| {
            let largest = match facet {
                Facet::Cells | Facet::TupleSize => LARGEST,
                Facet::BitSize => LARGEST_BITS,
                Facet::Integer if matches!(formulas.operator(*id), Operator::MapSize(_)) => LARGEST_MAP,
                _ => return false,
            };
            matches!(value, Value::Integer(size) if *size > BigInt::from(largest)) && self.exists(formulas, *id)
        })
    }

    fn scalar(&self, id: TermId) -> Option<Term> {
        match self.kind(id)? {
            Kinds::INTEGER => self.number(id, Facet::Integer).map(Term::integer),
            Kinds::FLOAT => match self.model.get(&(id, Facet::Float))? {
                Value::Real(value) if value.is_finite() => Some(Term::Float(*value)),
                Value::Integer(value) => value.to_f64().filter(|value| value.is_finite()).map(Term::Float),
                _ => None,
            },
            Kinds::ATOM => {
                let rank = self.number(id, Facet::Atom)?.to_i64()?;
                self.atoms.get(&rank).map(|atom| Term::Atom(*atom))
            }
            Kinds::NIL => Some(Term::Nil),
            _ => None,
        }
    }

    fn changes(&self, formulas: &Formulas, id: TermId, old: Option<&Term>, changes: &mut Vec<(TermId, Term)>) {
        let Some(kind) = self.kind(id) else {
            // A key that only has to be present gets any value.
            if self.model.get(&(id, Facet::Present)) == Some(&Value::Boolean(true)) {
                if old.is_none() {
                    changes.extend(smallest(formulas.types(), formulas.types_of(id)).map(|new| (id, new)));
                }
                return;
            }
            // A number without a kind is a size. The sizes of maps are applied together with their keys.
            if !matches!(formulas.operator(id), Operator::MapSize(_))
                && let Some(new) = self.number(id, Facet::Integer).map(Term::integer)
                && old != Some(&new)
            {
                changes.push((id, new));
            }
            return;
        };
        let types = formulas.types_of(id);
        let kept = old.is_some_and(|old| Kinds::of(old) == kind);
        let of_kind = || smallest_of_kind(formulas.types(), types, kind).into_iter().next();
        match kind {
            Kinds::INTEGER | Kinds::FLOAT | Kinds::ATOM | Kinds::NIL => {
                let any = match kind {
                    Kinds::INTEGER => Some(Term::Int(0)),
                    Kinds::FLOAT => Some(Term::Float(0.0)),
                    Kinds::ATOM => names().next().map(|name| Term::atom(&name)),
                    _ => Some(Term::Nil),
                };
                let new = self.scalar(id).or_else(|| if kept { None } else { any });
                if let Some(new) = new
                    && old != Some(&new)
                {
                    changes.push((id, new));
                }
            }
            Kinds::CONS => {
                let (list, before) = spine(formulas, id);
                if list != id {
                    return;
                }
                let old_cells = match old {
                    Some(Term::List(items, _)) => items.len(),
                    _ => 0,
                };
                let cells =
                    self.number(list, Facet::Cells).and_then(|cells| cells.to_usize()).unwrap_or(old_cells.max(1));
                debug_assert_eq!(before, 0);
                if cells != old_cells {
                    let items = match old {
                        Some(Term::List(items, _)) => items.iter().take(cells).cloned().collect(),
                        _ => Vec::new(),
                    };
                    let steps = [Projection::Length];
                    let old = Term::list(items);
                    let count = Term::integer(cells.into());
                    if let Some(new) = crate::layout::place(formulas.types(), types, &old, &steps, &count) {
                        changes.push((id, new));
                    }
                }
            }
            Kinds::TUPLE => {
                let old_size = old.and_then(Term::as_tuple).map(<[Term]>::len);
                let size = self.number(id, Facet::TupleSize).and_then(|size| size.to_usize()).or(old_size);
                if size != old_size || !kept {
                    let place = |size: usize| {
                        let (steps, size) = ([Projection::TupleSize], Term::integer(size.into()));
                        crate::layout::place(formulas.types(), types, old.unwrap_or(&Term::Nil), &steps, &size)
                    };
                    changes.extend(size.map_or_else(of_kind, place).map(|new| (id, new)));
                }
            }
            Kinds::BITS => {
                let old_size = match old {
                    Some(Term::Bits(bits)) => Some(bits.bit_length()),
                    _ => None,
                };
                let size = self.number(id, Facet::BitSize).and_then(|size| size.to_usize()).or(old_size).unwrap_or(0);
                if Some(size) != old_size {
                    let (steps, size) = ([Projection::BitSize], Term::integer(size.into()));
                    let new = crate::layout::place(formulas.types(), types, old.unwrap_or(&Term::Nil), &steps, &size);
                    changes.extend(new.map(|new| (id, new)));
                }
            }
            Kinds::MAP => self.map_changes(formulas, id, old.filter(|_| kept).cloned().or_else(of_kind), kept, changes),
            Kinds::FUNCTION if self.number(id, Facet::Arity).is_some() => {
                let takes = self.number(id, Facet::Arity).and_then(|arity| arity.to_u32());
                if takes != old.and_then(arity) {
                    changes.extend(takes.map(|takes| (id, Term::input_function(takes))));
                }
            }
            _ if kept => {}
            _ => changes.extend(of_kind().map(|new| (id, new))),
        }
    }

    /// Removes keys that must be absent, adds those that must be present, and removes or adds others to get the right
    /// size.
    fn map_changes(
        &self,
        formulas: &Formulas,
        id: TermId,
        old: Option<Term>,
        kept: bool,
        changes: &mut Vec<(TermId, Term)>,
    ) {
        let Some(old) = old else { return };
        let (mut present, mut absent, mut size) = (Vec::new(), Vec::new(), None);
        for ((place, facet), value) in self.model {
            match (formulas.operator(*place), value) {
                (Operator::MapGet { map, key }, Value::Boolean(is_present))
                    if *map == id && *facet == Facet::Present =>
                {
                    let keys = if *is_present { &mut present } else { &mut absent };
                    keys.extend(formulas.as_constant(*key).cloned());
                }
                (Operator::MapSize(map), Value::Integer(count)) if *map == id && *facet == Facet::Integer => {
                    size = count.to_usize();
                }
                _ => {}
            }
        }
        // The order of a hash table cannot be relied on.
        present.sort_by(term::order::key_order);
        let asked = Asked { present: &present, absent: &absent, size };
        let new = with_asked(formulas.types(), formulas.types_of(id), &old, &asked);
        changes.extend(new.filter(|new| !kept || *new != old).map(|new| (id, new)));
    }
}

/// Returns an atom for each rank of the model: known ones, and new ones between them.
fn invent(encoder: &Encoder<'_>, model: &FxHashMap<(TermId, Facet), Value>) -> FxHashMap<i64, Atom> {
    let mut atoms: BTreeMap<i64, String> =
        encoder.ranks().iter().map(|(text, rank)| (*rank, text.to_string())).collect();
    let known: BTreeSet<&str> = encoder.ranks().keys().copied().collect();
    let ranks: BTreeSet<i64> = model
        .iter()
        .filter(|((_, facet), _)| *facet == Facet::Atom)
        .filter_map(|(_, value)| match value {
            Value::Integer(rank) => rank.to_i64(),
            _ => None,
        })
        .collect();
    for rank in ranks {
        if atoms.contains_key(&rank) {
            continue;
        }
        let below = atoms.range(..rank).next_back().map(|(_, text)| text.clone());
        let above = atoms.range(rank..).next().map(|(_, text)| text.clone());
        let between = |text: &String| {
            below.as_ref().is_none_or(|below| below < text) && above.as_ref().is_none_or(|above| text < above)
        };
        let start = below.clone().unwrap_or_default();
        let short = names().take(26 * 27).filter(|name| !known.contains(name.as_str()));
        let longer = ["a", "A", "0", "\u{1}"].into_iter().map(|end| format!("{start}{end}"));
        if let Some(text) = short.chain(longer).chain([String::new()]).find(between) {
            atoms.insert(rank, text);
        }
    }
    atoms.into_iter().map(|(rank, text)| (rank, Atom::new(&text))).collect()
}
