//! Values that are looked up. An operation on constants and a value that a term looks up is looked up by the same term,
//! and a test of such a value is a test of that term.

use crate::constant::Constant;
use crate::constants::Constants;
use crate::mapping::{Derived, Mapping};
use crate::meaning::meaning;
use crate::table::Formulas;
use crate::terms::{Operator, TermId, Test};
use crate::value::Value;
use std::sync::Arc;
use term::Term;

impl Formulas {
    /// Returns the value of `mapping` at the term, which is one of its keys.
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
        let all = mapping.key_range().is_some_and(|range| self.may_be_all_of(key, range))
            || mapping.entries().iter().all(|(key, _)| possible(self, key));
        let mapping = match all {
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

    /// Looks up a part of a constant by its index, from 0.
    pub(super) fn part_at(&mut self, parts: &[Term], place: TermId) -> TermId {
        let entries = (0..).zip(parts).map(|(place, part)| (Constant(Term::Int(place)), Constant(part.clone())));
        self.lookup(place, Mapping::shared(entries))
    }

    /// Turns an operator over values that are looked up by one term, that term and constants into a lookup or a test of
    /// that term.
    pub(crate) fn looked_up(&mut self, operator: &Operator) -> Option<TermId> {
        if is_construction(operator) {
            return None;
        }
        let mut first = None;
        operator.each_child(|child| {
            if let (None, Operator::Lookup(key, mapping)) = (&first, self.operator(child)) {
                first = Some((child, *key, Arc::clone(mapping)));
            }
        });
        let (child, key, mapping) = first?;
        let alone = without_operands(operator, child, key);
        if let Some(derived) = alone.as_ref().and_then(|alone| mapping.derived(alone)) {
            return Some(self.derived(key, derived));
        }
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
        let derived = self.derive(operator, child, &mapping)?;
        if let Some(alone) = alone {
            mapping.keep(alone, derived.clone());
        }
        Some(self.derived(key, derived))
    }

    fn derived(&mut self, key: TermId, derived: Derived) -> TermId {
        match derived {
            Derived::Keys(keys) => self.one_of(key, keys),
            Derived::Values(mapping) => self.lookup(key, mapping),
        }
    }

    /// Applies the operator to each value of the mapping, which is the mapping of `child`.
    fn derive(&self, operator: &Operator, child: TermId, mapping: &Mapping) -> Option<Derived> {
        let made = mapping.entries().iter().map(|(at, value)| {
            let of = |id: TermId| match self.operator(id) {
                _ if id == child => Some(Value::Term(value.0.clone())),
                Operator::Constant(constant) => Some(Value::Term(constant.0.clone())),
                Operator::Lookup(_, mapping) => mapping.get(&at.0).cloned().map(Value::Term),
                _ => Some(Value::Term(at.0.clone())),
            };
            (at, meaning(operator, &of).map(Value::into_term))
        });
        if operator.is_test() {
            let holds = made.filter(|(_, value)| *value == Some(Term::TRUE)).map(|(at, _)| at.clone());
            return Some(Derived::Keys(Constants::shared(holds)));
        }
        let made: Vec<(&Constant, Option<Term>)> = made.collect();
        // `Defined` refers to the arithmetic operation, so an operation that may have no value is kept.
        if !is_projection(operator) && made.iter().any(|(_, value)| value.is_none()) {
            return None;
        }
        let values = made.into_iter().filter_map(|(at, value)| Some((at.clone(), Constant(value?))));
        let mapping = Mapping::shared(values);
        (!mapping.entries().is_empty()).then_some(Derived::Values(mapping))
    }
}

/// Returns the operator with placeholders as operands, if it is one function of a mapping's keys and values, whatever
/// the terms' numbers are.
fn without_operands(operator: &Operator, looked_up: TermId, key: TermId) -> Option<Operator> {
    let (value, at) = (TermId::from_number(0), TermId::from_number(1));
    match *operator {
        Operator::Test(Test::Kind(_, kinds)) => Some(Operator::Test(Test::Kind(value, kinds))),
        Operator::Test(Test::TupleOf(_, size)) => Some(Operator::Test(Test::TupleOf(value, size))),
        Operator::Element(_, index) => Some(Operator::Element(value, index)),
        Operator::Item(_, index) => Some(Operator::Item(value, index)),
        Operator::Rest(_, cells) => Some(Operator::Rest(value, cells)),
        Operator::Test(Test::Identical(a, b)) if (a, b) == (looked_up, key) || (b, a) == (looked_up, key) => {
            Some(Operator::Test(Test::Identical(value, at)))
        }
        _ => None,
    }
}

/// Returns whether the operator constructs a term. Parts are reached through constructions, so these are kept.
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
            | Operator::Test(Test::Defined(_))
    )
}

/// Returns whether the operator takes a part of a term. Paths test beforehand whether the part is there.
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
