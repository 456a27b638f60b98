//! The declared types of the inputs, as deep as the conditions mention their parts.

use super::encode::{Encoder, Facet, all_of, any_of, kind_number, literal};
use crate::layout::positions::{Projection, last_step};
use crate::layout::typed::part_types;
use formula::{Atoms, Kinds, Operator, TermId, TypeId, Types};
use std::sync::Arc;

/// The depth up to which parts have their types; deeper parts count as being of any type.
const DEEPEST: u32 = 16;

impl Encoder<'_> {
    /// Asserts the types of all inputs that conditions mention.
    pub(super) fn assert_types(&mut self) {
        let types = Arc::clone(self.formulas.types());
        let mut spoken: Vec<TermId> = self.parts.keys().copied().collect();
        spoken.extend(self.names.values().map(|(id, _)| *id));
        spoken.sort();
        spoken.dedup();
        for id in spoken {
            if let Operator::Variable(variable) = *self.formulas.operator(id) {
                let belongs = self.belongs(&types, id, self.formulas.declared(variable), DEEPEST);
                if belongs != "true" {
                    self.line(format_args!("(assert {belongs})"));
                }
            }
        }
    }

    fn belongs(&mut self, types: &Types, cell: TermId, to: TypeId, deep: u32) -> String {
        let node = types.node(to).clone();
        let Some(deep) = deep.checked_sub(1) else { return "true".to_string() };
        if to == Types::ANY || !node.opaque.is_empty() {
            return "true".to_string();
        }
        let mut ways = Vec::new();
        for kind in types.kinds(to).and(self.kinds(cell)).each() {
            let is = self.is_kind(cell, kind);
            let inner = match kind {
                Kinds::INTEGER => {
                    let value = self.facet_if(
                        cell,
                        Facet::Integer,
                        node.integers.iter().any(|r| r.low.is_some() || r.high.is_some()),
                    );
                    let ranges: Vec<String> = node
                        .integers
                        .iter()
                        .map(|range| {
                            let low = range.low.iter().map(|low| format!("(<= {} {value})", literal(low)));
                            let high = range.high.iter().map(|high| format!("(<= {value} {})", literal(high)));
                            all_of(&low.chain(high).collect::<Vec<_>>())
                        })
                        .collect();
                    if ranges.iter().any(|range| range == "true") { "true".to_string() } else { any_of(&ranges) }
                }
                Kinds::ATOM => match &node.atoms {
                    Atoms::All => "true".to_string(),
                    Atoms::These(these) => {
                        let value = self.facet(cell, Facet::Atom);
                        any_of(
                            &these.iter().map(|atom| format!("(= {value} {})", self.rank(*atom))).collect::<Vec<_>>(),
                        )
                    }
                },
                Kinds::CONS => self.list_belongs(types, cell, to, deep),
                Kinds::TUPLE if !node.any_tuple => {
                    let size = self.facet(cell, Facet::TupleSize);
                    let mut alternatives = Vec::new();
                    for elements in &node.tuples {
                        let mut parts = vec![format!("(= {size} {})", elements.len())];
                        for part in self.spoken(cell) {
                            if let Some((_, Projection::Element(index))) = last_step(self.formulas, part)
                                && let Some(element) = elements.get(index as usize)
                            {
                                parts.push(self.belongs(types, part, *element, deep));
                            }
                        }
                        parts.retain(|part| part != "true");
                        alternatives.push(all_of(&parts));
                    }
                    any_of(&alternatives)
                }
                Kinds::MAP if !node.any_map => {
                    let mut alternatives = Vec::new();
                    for fields in &node.maps {
                        let mut parts = Vec::new();
                        // If every key is named, there are no more keys than these.
                        let named = fields.iter().all(|field| types.single(field.key).is_some());
                        let required =
                            fields.iter().filter(|field| field.required && types.single(field.key).is_some());
                        let least = required.count();
                        for part in self.spoken(cell) {
                            if let Some((_, Projection::MapSize)) = last_step(self.formulas, part) {
                                let size = self.facet(part, Facet::Integer);
                                parts.push(format!("(>= {size} {least})"));
                                if named {
                                    parts.push(format!("(<= {size} {})", fields.len()));
                                }
                            }
                            let Some((_, Projection::Value(key))) = last_step(self.formulas, part) else { continue };
                            let present = self.facet(part, Facet::Present);
                            match types.field_of(fields, &key) {
                                Some(field) => {
                                    let value = self.belongs(types, part, field.value, deep);
                                    parts.push(format!("(=> {present} {value})"));
                                    if field.required && types.single(field.key).is_some() {
                                        parts.push(present);
                                    }
                                }
                                None => parts.push(format!("(not {present})")),
                            }
                        }
                        alternatives.push(all_of(&parts));
                    }
                    any_of(&alternatives)
                }
                Kinds::BITS => {
                    if node.bits.iter().any(|bits| bits.base == 0 && bits.unit == 1) {
                        "true".to_string()
                    } else {
                        let size = self.facet(cell, Facet::BitSize);
                        let shapes: Vec<String> = node
                            .bits
                            .iter()
                            .map(|bits| match bits.unit {
                                0 => format!("(= {size} {})", bits.base),
                                unit => format!("(and (>= {size} {0}) (= (mod (- {size} {0}) {unit}) 0))", bits.base),
                            })
                            .collect();
                        any_of(&shapes)
                    }
                }
                Kinds::FUNCTION if !node.any_function => {
                    let arities: Vec<usize> =
                        node.functions.iter().filter_map(|of| of.params.as_ref().map(Vec::len)).collect();
                    if arities.len() < node.functions.len() {
                        "true".to_string()
                    } else {
                        let takes = self.facet(cell, Facet::Arity);
                        any_of(&arities.iter().map(|arity| format!("(= {takes} {arity})")).collect::<Vec<_>>())
                    }
                }
                _ => "true".to_string(),
            };
            let parts: Vec<String> = [is, inner].into_iter().filter(|part| part != "true").collect();
            ways.push(all_of(&parts));
        }
        if ways.iter().any(|way| way == "true") { "true".to_string() } else { any_of(&ways) }
    }

    fn facet_if(&mut self, cell: TermId, facet: Facet, needed: bool) -> String {
        if needed { self.facet(cell, facet) } else { String::new() }
    }

    fn spoken(&self, cell: TermId) -> Vec<TermId> {
        self.parts.get(&cell).into_iter().flatten().copied().collect()
    }

    /// Encodes that the items that conditions mention, and the end, belong to a type of lists.
    fn list_belongs(&mut self, types: &Types, cell: TermId, to: TypeId, deep: u32) -> String {
        let mut parts = Vec::new();
        // The parts of a rest belong to the list.
        if matches!(self.formulas.operator(cell), Operator::Rest(..)) {
            return "true".to_string();
        }
        let cells = self.facet(cell, Facet::Cells);
        for part in self.spoken(cell) {
            let Some((_, step @ Projection::Item(index))) = last_step(self.formulas, part) else { continue };
            let heads = part_types(types, &[to], &step);
            let mut ways = Vec::new();
            for head in heads {
                ways.push(self.belongs(types, part, head, deep));
            }
            if !ways.iter().any(|way| way == "true") {
                parts.push(format!("(or (<= {cells} {index}) {})", any_of(&ways)));
            }
        }
        // If the list ends with something else than `[]`, that has a type, too.
        for part in self.spoken(cell) {
            let Some((_, step @ Projection::Rest(index))) = last_step(self.formulas, part) else { continue };
            if self.kinds(part).within(Kinds::LIST) {
                continue;
            }
            let mut ways = Vec::new();
            for rest in part_types(types, &[to], &step) {
                ways.push(self.belongs(types, part, rest, deep));
            }
            if !ways.is_empty() && !ways.iter().any(|way| way == "true") {
                parts.push(format!("(or (not (= {cells} {index})) {})", any_of(&ways)));
            }
        }
        let end = self.facet(cell, Facet::End);
        let mut seen = part_types(types, &[to], &Projection::Rest(1));
        let mut at = 0;
        while let Some(id) = seen.get(at) {
            let behind = part_types(types, &[*id], &Projection::Rest(1));
            for id in behind {
                if !seen.contains(&id) {
                    seen.push(id);
                }
            }
            at += 1;
        }
        let ends = seen.iter().fold(Kinds::NONE, |ends, id| ends.or(types.kinds(*id)));
        let ends: Vec<String> =
            ends.without(Kinds::CONS).each().map(|kind| format!("(= {end} {})", kind_number(kind))).collect();
        parts.push(any_of(&ends));
        all_of(&parts)
    }
}
