//! Values that are looked up: whatever is made of one value, looked up by a term, and of constants is
//! looked up by the same term, and a test of it is a test of that term.

use crate::constant::Constant;
use crate::constants::Constants;
use crate::mapping::Mapping;
use crate::meaning::meaning;
use crate::table::Formulas;
use crate::terms::{Operator, TermId};
use crate::value::Value;
use std::sync::Arc;
use term::Term;

impl Formulas {
    /// What `mapping` has for the term, which is one of its keys.
    pub fn lookup(&mut self, key: TermId, mapping: Arc<Mapping>) -> TermId {
        if let Operator::Lookup(inner, before) = self.operator(key) {
            let (inner, before) = (*inner, Arc::clone(before));
            let composed = before.entries().iter().filter_map(|(key, value)| {
                let value = mapping.get(&value.0)?;
                Some((key.clone(), Constant(value.clone())))
            });
            return self.lookup(inner, Mapping::shared(composed));
        }
        // lookup(x + c) = lookup of the keys less c, at x
        if let Some((x, c)) = self.sum_with_constant(key)
            && let Some(c) = self.as_constant(c).and_then(Term::as_int)
        {
            let shifted = mapping.entries().iter().filter_map(|(key, value)| {
                let key = key.0.as_int()?.checked_sub(c)?;
                Some((Constant(Term::Int(key)), value.clone()))
            });
            return self.lookup(x, Mapping::shared(shifted));
        }
        let possible = |this: &Self, constant: &Constant| this.may_be(key, &constant.0);
        let mapping = match mapping.entries().iter().all(|(key, _)| possible(self, key)) {
            true => mapping,
            false => {
                Mapping::shared(mapping.entries().iter().filter(|(constant, _)| possible(self, constant)).cloned())
            }
        };
        if let Some(value) = mapping.only_value() {
            return self.constant(value.0.clone());
        }
        if mapping.entries().iter().all(|(_, value)| value.0 == Term::TRUE || value.0 == Term::FALSE) {
            return self.one_of(key, mapping.keys(|value| *value == Term::TRUE));
        }
        self.folded(Operator::Lookup(key, mapping))
    }

    /// The parts of a constant, looked up by their places, from 0.
    pub(super) fn part_at(&mut self, parts: &[Term], place: TermId) -> TermId {
        let entries = (0..).zip(parts).map(|(place, part)| (Constant(Term::Int(place)), Constant(part.clone())));
        self.lookup(place, Mapping::shared(entries))
    }

    /// An operator over values that are looked up by one term, that term and constants.
    pub(crate) fn looked_up(&mut self, operator: &Operator) -> Option<TermId> {
        if is_construction(operator) {
            return None;
        }
        let mut first = None;
        operator.each_child(|child| {
            if let (None, Operator::Lookup(key, mapping)) = (&first, self.operator(child)) {
                first = Some((*key, Arc::clone(mapping)));
            }
        });
        let (key, mapping) = first?;
        let mut known = true;
        operator.each_child(|child| {
            known &= match self.operator(child) {
                Operator::Constant(_) => true,
                Operator::Lookup(other, _) => *other == key,
                _ => child == key,
            }
        });
        if !known {
            return None;
        }
        let value_at = |at: &Constant| {
            let of = |child: TermId| match self.operator(child) {
                Operator::Constant(constant) => Some(Value::Term(constant.0.clone())),
                Operator::Lookup(_, mapping) => mapping.get(&at.0).cloned().map(Value::Term),
                _ => Some(Value::Term(at.0.clone())),
            };
            meaning(operator, &of).map(Value::into_term)
        };
        let entries = mapping.entries().iter().map(|(at, _)| at);
        if operator.is_test() {
            let holds = entries.filter(|at| value_at(at) == Some(Term::TRUE)).cloned();
            let holds = Constants::shared(holds);
            return Some(self.one_of(key, holds));
        }
        let values: Vec<(Constant, Option<Term>)> = entries.map(|at| (at.clone(), value_at(at))).collect();
        // Whether arithmetic has a value is asked of the operation, so it stays one if it may have none.
        if !is_projection(operator) && values.iter().any(|(_, value)| value.is_none()) {
            return None;
        }
        let values = values.into_iter().filter_map(|(at, value)| Some((at, Constant(value?))));
        let mapping = Mapping::shared(values);
        match mapping.entries() {
            [] => None,
            _ => Some(self.lookup(key, mapping)),
        }
    }
}

/// Parts are reached through what is constructed, so it stays as it is.
fn is_construction(operator: &Operator) -> bool {
    matches!(
        operator,
        Operator::Cons(..)
            | Operator::Tuple(_)
            | Operator::Bits(_)
            | Operator::MapPut { .. }
            | Operator::MapRemove { .. }
            | Operator::SetElementAt { .. }
            | Operator::Lookup(..)
            | Operator::Defined(_)
    )
}

/// A part of a term: who takes it has asked whether it is there.
fn is_projection(operator: &Operator) -> bool {
    matches!(
        operator,
        Operator::Item(..)
            | Operator::Rest(..)
            | Operator::ItemAt(..)
            | Operator::RestAt(..)
            | Operator::Element(..)
            | Operator::ElementAt(..)
            | Operator::MapGet { .. }
            | Operator::MapKeyAt(..)
            | Operator::MapValueAt(..)
            | Operator::BitsNumber { .. }
            | Operator::BitsSlice { .. }
            | Operator::Length(_)
            | Operator::TupleSize(_)
            | Operator::MapSize(_)
            | Operator::BitSize(_)
    )
}
