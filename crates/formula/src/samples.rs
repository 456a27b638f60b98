//! Samples of functions that have no meaning here: the results that they delivered for given arguments.
//!
//! All runs of a campaign share them, so that a run can use what another has seen.

use crate::constant::Constant;
use crate::kinds::Kinds;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use term::{FunctionName, Term, order};

/// The largest number of samples of one function that are kept, and that one search may add. The latest samples replace
/// the oldest, so that what one search has seen does not keep another from learning.
const MOST_OF_ONE: usize = 4096;

/// An upper bound on the results of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Codomain {
    pub kinds: Kinds,
    /// Bounds of the results that are integers.
    pub low: Option<i64>,
    pub high: Option<i64>,
}

impl Codomain {
    pub const ANYTHING: Codomain = Codomain::of(Kinds::ALL);

    pub const fn of(kinds: Kinds) -> Codomain {
        Codomain { kinds, low: None, high: None }
    }
}

/// The outcome of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    Returned(Term),
    Raised,
}

/// Arguments, and the outcome of the function for them.
pub type Point = (Box<[Constant]>, Sample);

/// Finds out outcomes of functions without meaning.
pub trait Learner {
    /// Returns the outcome, or `None` if there was none in time, or if the result does not outlive its run.
    fn learn(&self, function: FunctionName, args: &[Term]) -> Option<Sample>;
}

/// A learner that learns nothing.
pub struct Nobody;

impl Learner for Nobody {
    fn learn(&self, _: FunctionName, _: &[Term]) -> Option<Sample> {
        None
    }
}

/// A handle to samples, which all clones share.
#[derive(Clone, Debug, Default)]
pub struct Samples(Arc<Mutex<FxHashMap<FunctionName, Function>>>);

#[derive(Debug, Default)]
struct Function {
    /// A ring buffer: the oldest point follows the latest.
    points: Vec<Point>,
    /// The index at which the next point is written.
    next: usize,
    /// The number of points added since a search began.
    added: usize,
    by_args: FxHashMap<Box<[Constant]>, u32>,
    by_result: FxHashMap<Constant, Vec<u32>>,
    /// Whether two calls with the same arguments had different outcomes.
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
        if known.added < MOST_OF_ONE {
            known.add(key, sample);
        }
    }

    /// Begins a search, which may add samples of its own.
    pub fn begin_search(&self) {
        self.lock().values_mut().for_each(|known| known.added = 0);
    }

    /// Returns whether the search may add more samples of the function, and they are worth it.
    pub fn wants(&self, function: FunctionName) -> bool {
        self.lock().get(&function).is_none_or(|known| !known.is_moody && known.added < MOST_OF_ONE)
    }

    /// Returns whether the function depends on more than its arguments.
    pub fn is_moody(&self, function: FunctionName) -> bool {
        self.lock().get(&function).is_some_and(|known| known.is_moody)
    }

    /// Returns at most `most` samples, the latest first.
    pub fn latest(&self, function: FunctionName, most: usize) -> Vec<Point> {
        let known = self.lock();
        known.get(&function).map_or(Vec::new(), |known| {
            let (late, early) = known.points.split_at(known.next.min(known.points.len()));
            late.iter().rev().chain(early.iter().rev()).take(most).cloned().collect()
        })
    }

    /// Returns at most `most` samples that delivered this value, the latest first.
    pub fn delivering(&self, function: FunctionName, value: &Term, most: usize) -> Vec<Point> {
        let known = self.lock();
        let Some(known) = known.get(&function) else { return Vec::new() };
        let Some(places) = known.by_result.get(&Constant(value.clone())) else { return Vec::new() };
        places.iter().rev().take(most).filter_map(|at| known.points.get(*at as usize).cloned()).collect()
    }

    /// Returns the samples of all functions that depend only on their arguments, in the order of their names.
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

    /// Returns the number of samples of one function.
    pub fn count(&self, function: FunctionName) -> usize {
        self.lock().get(&function).map_or(0, |known| known.points.len())
    }

    /// Locks the table. A thread that panics while it holds the lock leaves the table consistent.
    fn lock(&self) -> MutexGuard<'_, FxHashMap<FunctionName, Function>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Function {
    fn add(&mut self, key: Box<[Constant]>, sample: &Sample) {
        let at = self.next as u32;
        let point = (key.clone(), sample.clone());
        match self.points.get_mut(self.next) {
            Some(oldest) => {
                let (args, before) = std::mem::replace(oldest, point);
                self.by_args.remove(&args);
                if let Sample::Returned(value) = before
                    && let Some(places) = self.by_result.get_mut(&Constant(value.clone()))
                {
                    places.retain(|place| *place != at);
                    if places.is_empty() {
                        self.by_result.remove(&Constant(value));
                    }
                }
            }
            None => self.points.push(point),
        }
        if let Sample::Returned(value) = sample {
            self.by_result.entry(Constant(value.clone())).or_default().push(at);
        }
        self.by_args.insert(key, at);
        self.next = (self.next + 1) % MOST_OF_ONE;
        self.added += 1;
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
    use term::Atom;

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
    fn what_a_search_learns_replaces_the_oldest() {
        let samples = Samples::default();
        let record =
            |number: i64| samples.record(name(), &[Term::Int(number)], &Sample::Returned(Term::Int(number % 7)));
        let most = MOST_OF_ONE as i64;
        (0..most + 1).for_each(record);
        assert!(!samples.wants(name()) && samples.get(name(), &[Term::Int(most)]).is_none());
        samples.begin_search();
        assert!(samples.wants(name()));
        record(most);
        assert_eq!(samples.get(name(), &[Term::Int(most)]), Some(Sample::Returned(Term::Int(most % 7))));
        assert_eq!(samples.get(name(), &[Term::Int(0)]), None);
        assert_eq!(samples.count(name()), MOST_OF_ONE);
        let latest: Vec<Term> = samples.latest(name(), 2).iter().map(|(args, _)| args[0].0.clone()).collect();
        assert_eq!(latest, [Term::Int(most), Term::Int(most - 1)]);
        assert!(
            samples.delivering(name(), &Term::Int(0), MOST_OF_ONE).iter().all(|(args, _)| args[0].0 != Term::Int(0))
        );
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
