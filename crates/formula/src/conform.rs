//! The term of a type that is nearest to another term.
//!
//! Parts that fit are kept; others are replaced by the nearest term, or by the smallest term of their type. Among
//! alternatives, the one that loses the fewest *pinned* parts is taken, then the one that changes the fewest parts.

use crate::fields::Fields;
use crate::membership::deep;
use crate::smallest::{LARGEST_BITS, nearest};
use crate::table::Formulas;
use crate::terms::{Operator, TermId, Variable};
use crate::types::{TypeId, Types};
use crate::{bits, number, value};
use std::ops::AddAssign;
use term::{Bits, Term, order, work};

/// A step from a term to a part of it. A list is one level, with its items and the rests after some of its cells.
#[derive(Clone, Debug, PartialEq)]
pub enum PathStep {
    Item(u32),
    Rest(u32),
    Element(u32),
    /// The value at a key.
    MapValue(Term),
}

/// The steps from a term to a part of it, from the outside to the inside.
pub type Path = Vec<PathStep>;

/// A term of a type, and what had to change to get there.
#[derive(Clone, Debug, PartialEq)]
pub struct Conformed {
    pub term: Term,
    /// The number of pinned parts that changed.
    pub lost: usize,
    /// The number of parts that were replaced, left out or added.
    pub changes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    lost: usize,
    changes: usize,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.lost += other.lost;
        self.changes += other.changes;
    }
}

impl Formulas {
    /// Returns the path of a position in its variable; `None` for a term that is no position, or a position that
    /// depends on other terms.
    pub fn path(&self, id: TermId) -> Option<(Variable, Path)> {
        let mut path = Vec::new();
        let mut at = id;
        loop {
            let (step, whole) = match self.operator(at) {
                Operator::Variable(variable) => {
                    path.reverse();
                    return Some((*variable, path));
                }
                Operator::Item(list, index) => (PathStep::Item(*index), list),
                Operator::Rest(list, cells) => (PathStep::Rest(*cells), list),
                Operator::Element(tuple, index) => (PathStep::Element(*index), tuple),
                Operator::MapGet { map, key } => (PathStep::MapValue(self.as_constant(*key)?.clone()), map),
                _ => return None,
            };
            path.push(step);
            at = *whole;
        }
    }
}

impl Types {
    /// Returns the term of the type that is nearest to `term`, or `None` if the type has no term that can be made. The
    /// `pinned` parts are kept wherever the type allows it.
    pub fn conform(&self, id: TypeId, term: &Term, pinned: &[Path]) -> Option<Conformed> {
        let pins: Vec<&[PathStep]> = pinned.iter().map(Vec::as_slice).collect();
        let (term, cost) = self.nearest_term(id, term, &pins)?;
        Some(Conformed { term, lost: cost.lost, changes: cost.changes })
    }

    /// Returns the nearest term and what it costs. `pins` are the paths of the pinned parts, from this term on.
    fn nearest_term(&self, id: TypeId, term: &Term, pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        work::tick();
        if self.contains(id, term) {
            return Some((term.clone(), Cost::default()));
        }
        let kept = match term {
            Term::Int(_) | Term::Big(_) => self.nearest_integer(id, term, pins),
            Term::Float(value) => self.nearest_to_float(id, *value, pins),
            Term::List(items, end) => deep(|| self.nearest_list(id, items, end.as_deref(), pins)),
            Term::Nil => deep(|| self.nearest_list(id, &[], None, pins)),
            Term::Tuple(elements) => deep(|| self.nearest_tuple(id, elements, pins)),
            Term::Map(pairs) => deep(|| self.nearest_map(id, pairs, pins)),
            Term::Bits(bits) => self.nearest_bits(id, bits, pins),
            Term::Atom(_) | Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => None,
        };
        kept.or_else(|| Some((self.smallest(id)?, replaced(pins))))
    }

    fn nearest_integer(&self, id: TypeId, term: &Term, pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        let value = number::integer(term)?;
        let candidates = self.node(id).integers.iter().map(|range| nearest(range, &value));
        let distance = |candidate: &Term| {
            number::integer(candidate).map(|candidate| (candidate.as_ref() - value.as_ref()).magnitude().clone())
        };
        if let Some(closest) = candidates.min_by_key(distance) {
            return Some((closest, replaced(pins)));
        }
        let float = number::to_float(term).filter(|_| self.node(id).floats)?;
        Some((Term::Float(float), replaced(pins)))
    }

    fn nearest_to_float(&self, id: TypeId, value: f64, pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        let rounded = number::numeric(crate::Numeric::Round, &Term::Float(value))?;
        if self.contains(id, &rounded) {
            return Some((rounded, replaced(pins)));
        }
        self.nearest_integer(id, &rounded, pins)
    }

    fn nearest_tuple(&self, id: TypeId, elements: &[Term], pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        let alternatives = self.node(id).tuples.iter();
        alternatives.filter_map(|types| self.tuple_like(types, elements, pins)).min_by_key(|(_, cost)| *cost)
    }

    fn tuple_like(&self, types: &[TypeId], elements: &[Term], pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        let mut cost = Cost::default();
        let mut result = Vec::with_capacity(types.len());
        for (index, of) in types.iter().enumerate() {
            let pins = below(pins, &PathStep::Element(index as u32));
            let (element, own) = self.part_like(*of, elements.get(index), &pins)?;
            result.push(element);
            cost += own;
        }
        for index in types.len()..elements.len() {
            cost += replaced(&below(pins, &PathStep::Element(index as u32)));
        }
        // The tuple as a whole has changed, so pins on it are lost.
        cost.lost += pins.iter().filter(|pin| pin.is_empty()).count();
        Some((Term::tuple(result), cost))
    }

    /// Returns the term nearest to a part, or the smallest term if there is no such part.
    fn part_like(&self, of: TypeId, part: Option<&Term>, pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        match part {
            Some(part) => self.nearest_term(of, part, pins),
            None => Some((self.smallest(of)?, replaced(pins))),
        }
    }

    /// Goes through the list cell by cell and takes the alternative that costs least at each. A list that may not end
    /// where it ended continues with the smallest items until it may.
    fn nearest_list(
        &self,
        id: TypeId,
        items: &[Term],
        end: Option<&Term>,
        pins: &[&[PathStep]],
    ) -> Option<(Term, Cost)> {
        if self.node(id).cons.is_empty() {
            return None;
        }
        let mut cost = Cost::default();
        let mut result = Vec::with_capacity(items.len());
        let mut rest = id;
        for (index, item) in items.iter().enumerate() {
            let pins_here = below(pins, &PathStep::Item(index as u32));
            let alternatives = self.node(rest).cons.iter().filter(|cons| self.is_makeable(cons.tail));
            let best = alternatives
                .filter_map(|cons| Some((self.nearest_term(cons.head, item, &pins_here)?, cons.tail)))
                .min_by_key(|((_, cost), _)| *cost);
            let Some(((item, own), tail)) = best else {
                // No further item is possible, so the remaining items are left out.
                for index in index..items.len() {
                    cost += replaced(&below(pins, &PathStep::Item(index as u32)));
                }
                break;
            };
            result.push(item);
            cost += own;
            rest = tail;
        }
        let nil = Term::Nil;
        let end = end.unwrap_or(&nil);
        let pins_at_end = below(pins, &PathStep::Rest(items.len() as u32));
        if result.len() == items.len() && self.contains(rest, end) {
            cost.lost += changed_wholes(pins, items.len(), cost.changes > 0);
            return Some((Term::list_with_tail(result, end.clone()), cost));
        }
        cost += replaced(&pins_at_end);
        cost.lost += changed_wholes(pins, items.len(), true);
        let end = if self.node(rest).nil { Term::Nil } else { self.smallest(rest)? };
        Some((Term::list_with_tail(result, end), cost))
    }

    fn nearest_map(&self, id: TypeId, pairs: &[(Term, Term)], pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        let alternatives = self.node(id).maps.iter();
        alternatives.filter_map(|fields| self.map_like(fields, pairs, pins)).min_by_key(|(_, cost)| *cost)
    }

    fn map_like(&self, fields: &Fields, pairs: &[(Term, Term)], pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        let mut cost = Cost::default();
        let mut result: Vec<(Term, Term)> = Vec::with_capacity(pairs.len());
        let mut met = vec![false; fields.len()];
        for (key, value) in pairs {
            let pins = below(pins, &PathStep::MapValue(key.clone()));
            let index = self.field_index(fields, key);
            match index.and_then(|index| Some((index, self.nearest_term(fields[index].value, value, &pins)?))) {
                Some((index, (value, own))) => {
                    met[index] = true;
                    cost += own;
                    result.push((key.clone(), value));
                }
                None => cost += replaced(&pins),
            }
        }
        for (index, field) in fields.iter().enumerate() {
            if field.required && !met[index] {
                let key = self.fresh_key(fields, index)?;
                result.push((key, self.smallest(field.value)?));
                cost.changes += 1;
            }
        }
        cost.lost += pins.iter().filter(|pin| pin.is_empty()).count();
        Some((value::map_of(result), cost))
    }

    /// Cuts the bits or fills them up with zeros, to the nearest length of the type.
    fn nearest_bits(&self, id: TypeId, bits: &Bits, pins: &[&[PathStep]]) -> Option<(Term, Cost)> {
        let length = bits.bit_length() as u64;
        let lengths = self.node(id).bits.iter().map(|of| of.nearest_length(length));
        let short = lengths.filter(|other| *other <= length.max(LARGEST_BITS));
        let best = usize::try_from(short.min_by_key(|other| (other.abs_diff(length), *other))?).ok()?;
        let mut writer = bits::Writer::default();
        let kept = best.min(bits.bit_length());
        writer.push_bits(bits, 0, kept)?;
        writer.push_bits(&crate::smallest::zeros((best - kept) as u64), 0, best - kept)?;
        Some((Term::Bits(writer.finish()), replaced(pins)))
    }
}

/// Returns the pins below a part, as paths from that part.
fn below<'a>(pins: &[&'a [PathStep]], step: &PathStep) -> Vec<&'a [PathStep]> {
    let matches = |first: &PathStep| match (first, step) {
        (PathStep::MapValue(a), PathStep::MapValue(b)) => order::identical(a, b),
        _ => first == step,
    };
    pins.iter().filter_map(|pin| pin.split_first().filter(|(first, _)| matches(first)).map(|(_, rest)| rest)).collect()
}

/// Returns the cost of replacing a whole part with all pins in it.
fn replaced(pins: &[&[PathStep]]) -> Cost {
    Cost { lost: pins.len(), changes: 1 }
}

/// Counts the pins on the list itself and on the rests after some of its cells, before the end, if the list changed.
fn changed_wholes(pins: &[&[PathStep]], cells: usize, changed: bool) -> usize {
    let whole = |pin: &&&[PathStep]| match pin.first() {
        None => true,
        Some(PathStep::Rest(behind)) => pin.len() == 1 && (*behind as usize) < cells,
        Some(_) => false,
    };
    if changed { pins.iter().filter(whole).count() } else { 0 }
}
