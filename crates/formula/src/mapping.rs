//! A function from finitely many constants to constants, such as a switch whose targets deliver constants, made once
//! and shared by many terms.

use crate::constant::Constant;
use crate::constants::Constants;
use crate::kinds::Kinds;
use crate::terms::Operator;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};
use term::{Term, order};

#[derive(Debug)]
pub struct Mapping {
    /// The keys with their values; small integers come first, in their order.
    entries: Box<[(Constant, Constant)]>,
    /// The number of keys that are small integers.
    integers: usize,
    kinds: Kinds,
    /// The least and the largest value, if all are small integers.
    bounds: Option<(i64, i64)>,
    hash: u64,
    /// Earlier results by operator, because the same operators are applied to a mapping of a program again and again.
    derived: Mutex<Vec<(Operator, Derived)>>,
}

/// The result of applying an operator to all values of a mapping.
#[derive(Clone, Debug)]
pub(crate) enum Derived {
    /// The keys for which a test holds.
    Keys(Arc<Constants>),
    Values(Arc<Mapping>),
}

impl Mapping {
    /// Makes a mapping of entries whose keys are distinct.
    pub fn shared(entries: impl IntoIterator<Item = (Constant, Constant)>) -> Arc<Mapping> {
        let mut entries: Box<[(Constant, Constant)]> = entries.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| order::compare(&a.0, &b.0));
        // Numbers come first in the order of terms.
        let integers = entries.partition_point(|(key, _)| key.0.as_int().is_some());
        let kinds = entries.iter().fold(Kinds::NONE, |kinds, (_, value)| kinds.or(Kinds::of(&value.0)));
        let values: Option<Vec<i64>> = entries.iter().map(|(_, value)| value.0.as_int()).collect();
        let bounds = values.and_then(|values| Some((*values.iter().min()?, *values.iter().max()?)));
        let mut hasher = FxHasher::default();
        entries.hash(&mut hasher);
        let derived = Mutex::default();
        Arc::new(Mapping { entries, integers, kinds, bounds, hash: hasher.finish(), derived })
    }

    /// Returns the earlier result for `operator`, which has placeholders instead of operands.
    pub(crate) fn derived(&self, operator: &Operator) -> Option<Derived> {
        let derived = self.derived.lock().ok()?;
        derived.iter().find(|(other, _)| other == operator).map(|(_, derived)| derived.clone())
    }

    pub(crate) fn keep(&self, operator: Operator, made: Derived) {
        if let Ok(mut derived) = self.derived.lock() {
            derived.push((operator, made));
        }
    }

    /// Returns the least and the largest key, if all are small integers.
    pub(crate) fn key_range(&self) -> Option<(i64, i64)> {
        let (first, last) = (self.entries.first()?, self.entries.last()?);
        (self.integers == self.entries.len()).then_some((first.0.0.as_int()?, last.0.0.as_int()?))
    }

    pub fn get(&self, key: &Term) -> Option<&Term> {
        let (integers, others) = self.entries.split_at(self.integers);
        let found = match key {
            Term::Int(wanted) => {
                let at = integers.binary_search_by(|(key, _)| key.0.as_int().cmp(&Some(*wanted)));
                at.ok().map(|at| &integers[at])
            }
            _ => others.iter().find(|(other, _)| order::identical(&other.0, key)),
        };
        found.map(|(_, value)| &value.0)
    }

    pub fn entries(&self) -> &[(Constant, Constant)] {
        &self.entries
    }

    /// Returns the kinds of the values.
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    pub fn bounds(&self) -> Option<(i64, i64)> {
        self.bounds
    }

    /// Returns the value, if all keys have the same one.
    pub fn only_value(&self) -> Option<&Constant> {
        let (_, first) = self.entries.first()?;
        self.entries.iter().all(|(_, value)| value == first).then_some(first)
    }

    /// Returns the keys whose values are wanted.
    pub fn keys(&self, wanted: impl Fn(&Term) -> bool) -> Arc<Constants> {
        Constants::shared(self.entries.iter().filter(|(_, value)| wanted(&value.0)).map(|(key, _)| key.clone()))
    }
}

impl PartialEq for Mapping {
    fn eq(&self, other: &Mapping) -> bool {
        std::ptr::eq(self, other) || self.hash == other.hash && self.entries == other.entries
    }
}

impl Eq for Mapping {}

impl Hash for Mapping {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}
