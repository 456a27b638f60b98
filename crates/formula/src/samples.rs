//! What is known of functions without meaning here: what they delivered for arguments that they were given.
//!
//! Shared by all runs of a campaign, so that what one run sees another can use.

use crate::constant::Constant;
use crate::kinds::Kinds;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use term::{Atom, Term, order};

/// Samples of one function that are kept. Later ones are known to whoever asked for them.
const MOST_OF_ONE: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionName {
    pub module: Atom,
    pub function: Atom,
    pub arity: u32,
}

impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.module, self.function, self.arity)
    }
}

/// What a function delivers, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Codomain {
    pub kinds: Kinds,
    /// Of integers.
    pub low: Option<i64>,
    pub high: Option<i64>,
}

impl Codomain {
    pub const ANYTHING: Codomain = Codomain::of(Kinds::ALL);

    pub const fn of(kinds: Kinds) -> Codomain {
        Codomain { kinds, low: None, high: None }
    }
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    Returned(Term),
    Raised,
}

/// Arguments, and what the function came to with them.
pub type Point = (Box<[Constant]>, Sample);

/// Finds out what functions without meaning come to.
pub trait Learner {
    /// `None`: it did not come to anything in time, or not to a value that outlives its run.
    fn learn(&self, function: FunctionName, args: &[Term]) -> Option<Sample>;
}

/// Has nobody to ask.
pub struct Nobody;

impl Learner for Nobody {
    fn learn(&self, _: FunctionName, _: &[Term]) -> Option<Sample> {
        None
    }
}

/// A handle: clones share what they know.
#[derive(Clone, Debug, Default)]
pub struct Samples(Arc<Mutex<FxHashMap<FunctionName, Function>>>);

#[derive(Debug, Default)]
struct Function {
    points: Vec<Point>,
    by_args: FxHashMap<Box<[Constant]>, u32>,
    by_result: FxHashMap<Constant, Vec<u32>>,
    /// It once came to something else with the same arguments.
    is_moody: bool,
}

impl Samples {
    pub fn get(&self, function: FunctionName, args: &[Term]) -> Option<Sample> {
        let key: Box<[Constant]> = args.iter().cloned().map(Constant).collect();
        let known = self.lock();
        let known = known.get(&function)?;
        let at = *known.by_args.get(&key)?;
        known.points.get(at as usize).map(|(_, sample)| sample.clone())
    }

    pub fn record(&self, function: FunctionName, args: &[Term], sample: &Sample) {
        let key: Box<[Constant]> = args.iter().cloned().map(Constant).collect();
        let mut known = self.lock();
        let known = known.entry(function).or_default();
        if let Some(at) = known.by_args.get(&key) {
            let differs = known.points.get(*at as usize).is_some_and(|(_, before)| !same(before, sample));
            known.is_moody |= differs;
            return;
        }
        if known.points.len() >= MOST_OF_ONE {
            return;
        }
        let at = known.points.len() as u32;
        if let Sample::Returned(value) = sample {
            known.by_result.entry(Constant(value.clone())).or_default().push(at);
        }
        known.by_args.insert(key.clone(), at);
        known.points.push((key, sample.clone()));
    }

    /// Is there room for more, and is it worth it?
    pub fn wants(&self, function: FunctionName) -> bool {
        self.lock().get(&function).is_none_or(|known| !known.is_moody && known.points.len() < MOST_OF_ONE)
    }

    /// Does it depend on more than its arguments?
    pub fn is_moody(&self, function: FunctionName) -> bool {
        self.lock().get(&function).is_some_and(|known| known.is_moody)
    }

    /// At most so many, of the latest first.
    pub fn latest(&self, function: FunctionName, most: usize) -> Vec<Point> {
        let known = self.lock();
        known.get(&function).map_or(Vec::new(), |known| known.points.iter().rev().take(most).cloned().collect())
    }

    /// Those that delivered this, of the latest first.
    pub fn delivering(&self, function: FunctionName, value: &Term, most: usize) -> Vec<Point> {
        let known = self.lock();
        let Some(known) = known.get(&function) else { return Vec::new() };
        let Some(places) = known.by_result.get(&Constant(value.clone())) else { return Vec::new() };
        places.iter().rev().take(most).filter_map(|at| known.points.get(*at as usize).cloned()).collect()
    }

    /// Everything, in an order of its own.
    pub fn all(&self) -> Vec<(FunctionName, Vec<Point>)> {
        let known = self.lock();
        let mut all: Vec<_> = known
            .iter()
            .filter(|(_, known)| !known.is_moody)
            .map(|(name, known)| (*name, known.points.clone()))
            .collect();
        all.sort_by_key(|(name, _)| (name.module.text(), name.function.text(), name.arity));
        all
    }

    /// How many there are of one function.
    pub fn count(&self, function: FunctionName) -> usize {
        self.lock().get(&function).map_or(0, |known| known.points.len())
    }

    /// Whoever panicked while he held it left a table that is whole.
    fn lock(&self) -> MutexGuard<'_, FxHashMap<FunctionName, Function>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn same(a: &Sample, b: &Sample) -> bool {
    match (a, b) {
        (Sample::Returned(a), Sample::Returned(b)) => order::identical(a, b),
        (Sample::Raised, Sample::Raised) => true,
        (Sample::Returned(_), Sample::Raised) | (Sample::Raised, Sample::Returned(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name() -> FunctionName {
        FunctionName { module: Atom::new("m"), function: Atom::new("f"), arity: 1 }
    }

    #[test]
    fn are_found_by_arguments_and_by_results() {
        let samples = Samples::default();
        let shared = samples.clone();
        for number in 0..10 {
            shared.record(name(), &[Term::Int(number)], &Sample::Returned(Term::Int(number % 3)));
        }
        shared.record(name(), &[Term::Float(0.0)], &Sample::Raised);
        assert_eq!(samples.get(name(), &[Term::Int(7)]), Some(Sample::Returned(Term::Int(1))));
        assert_eq!(samples.get(name(), &[Term::Float(0.0)]), Some(Sample::Raised));
        assert_eq!(samples.get(name(), &[Term::Float(-0.0)]), None);
        let found = samples.delivering(name(), &Term::Int(2), 2);
        assert_eq!(found.iter().map(|(args, _)| args[0].0.clone()).collect::<Vec<_>>(), [Term::Int(8), Term::Int(5)]);
        assert_eq!(samples.latest(name(), 1)[0].1, Sample::Raised);
    }

    #[test]
    fn a_function_with_two_results_for_the_same_is_moody() {
        let samples = Samples::default();
        samples.record(name(), &[Term::Int(1)], &Sample::Returned(Term::Int(1)));
        assert!(!samples.is_moody(name()));
        samples.record(name(), &[Term::Int(1)], &Sample::Returned(Term::Int(2)));
        assert!(samples.is_moody(name()) && !samples.wants(name()));
    }
}
