//! Functions that are known by samples only (after Godefroid, "Higher-order test generation").
//!
//! The other tiers treat the result of such a function as a free value. This module adds what is known of it: equal
//! arguments have equal results, and the results at the points where the function was sampled. These are facts, so a
//! query that has no solution with them has none. A model may rely on a result that was never seen. Evaluating it takes
//! a sample there, and the query is asked again with that sample. Points that were sampled are tried first.

use super::process::SmtProcess;
use super::{Manner, Solved, solve};
use crate::native::screen::decide;
use crate::slice::Slice;
use crate::tier::{Tier, Tools};
use crate::{Answer, Query, Screened, TierName, Unknown};
use formula::{Assignment, Constant, Evaluation, Formulas, Kinds, Known, Operator, Point, Sample, TermId, Test};
use rustc_hash::FxHashSet;
use term::{FunctionName, Term};

/// The largest number of times that a query is asked, each time with what the previous answer taught.
const STEPS: usize = 8;
/// The largest number of applications about which one query states facts.
const MOST_APPLICATIONS: usize = 12;
/// The largest number of samples of one application that are used.
const MOST_POINTS: usize = 32;
/// The largest number of samples that deliver the same constant of the query.
const MOST_ALIKE: usize = 4;
/// The largest number of constants of the query that are looked for among arguments and results.
const MOST_CONSTANTS: usize = 64;
/// The largest number of terms of a query that are looked through.
const MOST_TERMS: usize = 20_000;
/// The largest number of pairs of applications that are stated to be equal where their arguments are.
const MOST_PAIRS: usize = 40;

/// Puts functions that are known by samples at points where they were sampled, one at a time, and leaves the rest to
/// guesses.
pub(crate) struct SampledPoints;

impl Tier for SampledPoints {
    fn answer(&mut self, query: &mut Query<'_>, _: &mut Tools) -> Option<Answer> {
        let mut slice = query.take_slice();
        let points = match slice.sampled(query.formulas) {
            Some((conditions, functions)) => functions.single_points(query.formulas, query.parent, conditions),
            None => Vec::new(),
        };
        query.put_slice(slice);
        points.into_iter().find_map(|point| {
            let mut held = query.take_held();
            held.forget_values();
            let screened = decide(query.formulas, query.parent, &mut held, point);
            query.put_held(held);
            match screened {
                Screened::Sat(model) => query.solution(model, TierName::SampledPoints),
                Screened::Unsat | Screened::Open | Screened::Late => None,
            }
        })
    }
}

/// Asks the SMT solver with what is known of the functions, and again with what its answers teach.
pub(super) fn solve_step_by_step(
    process: &mut SmtProcess,
    query: &mut Query<'_>,
    functions: &SampledFunctions,
    conditions: &[TermId],
) -> Solved {
    let mut ask = |query: &mut Query<'_>, conditions: Vec<TermId>| {
        match solve(process, query, &mut Slice::with(conditions), Manner::Wishing) {
            // A model that relies on an unknown result is no defect.
            Solved::Unknown { near, why } => {
                query.proposals.extend(near);
                Solved::Unknown { near: None, why }
            }
            solved @ (Solved::Sat(..) | Solved::Unsat(_)) => solved,
        }
    };
    for _ in 0..STEPS {
        let known = functions.samples(query.formulas);
        let (facts, relies_on_no_floats) = functions.facts(query.formulas, query.parent);
        if let Some(sampled) = functions.where_sampled(query.formulas, query.parent, conditions)
            && let solved @ Solved::Sat(..) = ask(query, [&facts, &sampled[..], conditions].concat())
        {
            return solved;
        }
        match ask(query, [&facts, conditions].concat()) {
            Solved::Unsat(_) if relies_on_no_floats => break,
            solved @ (Solved::Sat(..) | Solved::Unsat(_)) => return solved,
            Solved::Unknown { .. } => {}
        }
        if functions.samples(query.formulas) == known {
            break;
        }
    }
    Solved::unknown(Unknown::KnownBySamples(functions.names(query.formulas)))
}

/// The functions in a query that are known by samples only.
pub(crate) struct SampledFunctions {
    applications: Vec<TermId>,
    constants: Vec<Term>,
}

impl SampledFunctions {
    /// Finds these functions in a slice; `None` if there are none.
    pub fn of(formulas: &Formulas, slice: &[TermId]) -> Option<SampledFunctions> {
        let (mut applications, mut constants) = (Vec::new(), Vec::new());
        let mut seen = FxHashSet::default();
        let mut open = slice.to_vec();
        while let Some(id) = open.pop() {
            if seen.len() > MOST_TERMS || !seen.insert(id) {
                continue;
            }
            match formulas.operator(id) {
                Operator::Apply { .. } if applications.len() < MOST_APPLICATIONS => applications.push(id),
                Operator::Constant(constant) if constants.len() < MOST_CONSTANTS => constants.push(constant.0.clone()),
                Operator::Test(Test::OneOf(_, among)) if constants.len() < MOST_CONSTANTS => {
                    constants.extend(among.iter().take(MOST_CONSTANTS).map(|constant| constant.0.clone()));
                }
                _ => {}
            }
            formulas.operator(id).each_child(|child| open.push(child));
        }
        applications.sort_unstable();
        (!applications.is_empty()).then_some(SampledFunctions { applications, constants })
    }

    /// Returns the names of the functions, sorted and each once.
    pub fn names(&self, formulas: &Formulas) -> Vec<FunctionName> {
        let mut names: Vec<FunctionName> = self.each(formulas).map(|(_, function, _)| function).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the number of samples of all functions together.
    pub fn samples(&self, formulas: &Formulas) -> usize {
        self.each(formulas).map(|(_, function, _)| formulas.samples().count(function)).sum()
    }

    /// Returns the facts about the functions, which hold whatever the inputs are. Also returns whether they rely on no
    /// argument being a float: the two zeros are the same to conditions, but not to every function.
    pub fn facts(&self, formulas: &mut Formulas, parent: &Assignment) -> (Vec<TermId>, bool) {
        let (mut facts, mut floats) = (Vec::new(), false);
        for index in 0..self.applications.len() {
            for point in self.points(formulas, parent, index) {
                floats |= point.0.iter().any(|arg| arg.0 == Term::Float(0.0));
                if let Some((same, delivers)) = self.at(formulas, index, &point) {
                    let differ = formulas.not(same);
                    facts.push(formulas.or(differ, delivers));
                }
            }
        }
        let applied: Vec<(TermId, FunctionName, Vec<TermId>)> =
            self.each(formulas).map(|(id, function, args)| (id, function, args.to_vec())).collect();
        let pairs = applied.iter().enumerate().flat_map(|(index, first)| {
            applied[index + 1..].iter().filter(|second| second.1 == first.1).map(move |second| (first, second))
        });
        for ((first, _, args), (second, _, others)) in pairs.take(MOST_PAIRS) {
            let mut differ = formulas.boolean(false);
            for (a, b) in args.iter().zip(others) {
                let same = formulas.identical(*a, *b);
                let other = formulas.not(same);
                differ = formulas.or(differ, other);
                floats |= formulas.kinds(*a).meets(Kinds::FLOAT) && formulas.kinds(*b).meets(Kinds::FLOAT);
            }
            let same = formulas.identical(*first, *second);
            facts.push(formulas.or(differ, same));
        }
        (facts, floats)
    }

    /// States that each function is applied at a point where it was sampled; `None` if one cannot be.
    pub fn where_sampled(&self, formulas: &mut Formulas, parent: &Assignment, slice: &[TermId]) -> Option<Vec<TermId>> {
        let mut conditions = Vec::new();
        for index in 0..self.applications.len() {
            let mut anywhere = formulas.boolean(false);
            for point in self.fitting(formulas, parent, index, slice) {
                if let Some((same, delivers)) = self.at(formulas, index, &point) {
                    let here = formulas.and(same, delivers);
                    anywhere = formulas.or(anywhere, here);
                }
            }
            if formulas.as_boolean(anywhere) == Some(false) {
                return None;
            }
            conditions.push(anywhere);
        }
        Some(conditions)
    }

    /// Returns conditions that each put the arguments of one application at a point where it was sampled. Points that
    /// contradict the slice by themselves are left out.
    pub fn single_points(&self, formulas: &mut Formulas, parent: &Assignment, slice: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        for index in 0..self.applications.len() {
            for point in self.fitting(formulas, parent, index, slice) {
                found.extend(self.at(formulas, index, &point).map(|(same, _)| same));
            }
        }
        found
    }

    /// Returns the points of an application that no condition of the slice contradicts by itself.
    fn fitting(&self, formulas: &Formulas, parent: &Assignment, index: usize, slice: &[TermId]) -> Vec<Point> {
        let mut points = self.points(formulas, parent, index);
        let Some((id, _, args)) = self.applied(formulas, index) else { return Vec::new() };
        let nothing = Assignment::default();
        points.retain(|(known, sample)| {
            let Sample::Returned(value) = sample else { return true };
            let mut assumed = Known::default();
            assumed.assume(id, value.clone());
            for (arg, value) in args.iter().zip(known.iter()) {
                assumed.assume(*arg, value.0.clone());
            }
            let mut evaluation = Evaluation::resume(formulas, &nothing, assumed);
            slice.iter().rev().all(|condition| evaluation.holds(*condition) != Some(false))
        });
        points
    }

    /// Returns the most interesting samples of an application, in this order: those that deliver a constant of the
    /// query, those of which a constant is the argument, the one at the parent's values, and the latest.
    fn points(&self, formulas: &Formulas, parent: &Assignment, index: usize) -> Vec<Point> {
        let Some((_, function, args)) = self.applied(formulas, index) else { return Vec::new() };
        let samples = formulas.samples();
        let mut found: Vec<Point> = Vec::new();
        for constant in &self.constants {
            found.extend(samples.delivering(function, constant, MOST_ALIKE));
        }
        let mut at = |args: &[Term]| {
            if let Some(sample) = samples.get(function, args) {
                found.push((args.iter().cloned().map(Constant).collect(), sample));
            }
        };
        if args.len() == 1 {
            self.constants.iter().for_each(|constant| at(std::slice::from_ref(constant)));
        }
        let mut evaluation = Evaluation::new(formulas, parent);
        if let Some(args) = args.iter().map(|arg| evaluation.value(*arg)).collect::<Option<Vec<Term>>>() {
            at(&args);
        }
        found.extend(samples.latest(function, MOST_POINTS));
        let mut seen = FxHashSet::default();
        found.retain(|(args, _)| seen.insert(args.clone()));
        found.truncate(MOST_POINTS);
        found
    }

    /// Returns two conditions: that an application is at a point, and that it delivers the result of that point.
    fn at(&self, formulas: &mut Formulas, index: usize, point: &Point) -> Option<(TermId, TermId)> {
        let (id, _, args) = self.applied(formulas, index)?;
        let args = args.to_vec();
        let mut same = formulas.boolean(true);
        for (arg, value) in args.into_iter().zip(point.0.iter()) {
            let value = formulas.constant(value.0.clone());
            let here = formulas.identical(arg, value);
            same = formulas.and(same, here);
        }
        let delivers = match &point.1 {
            Sample::Returned(value) => {
                let value = formulas.constant(value.clone());
                let (equal, defined) = (formulas.identical(id, value), formulas.defined(id));
                formulas.and(defined, equal)
            }
            Sample::Raised => {
                let defined = formulas.defined(id);
                formulas.not(defined)
            }
        };
        Some((same, delivers))
    }

    fn applied<'a>(&self, formulas: &'a Formulas, index: usize) -> Option<(TermId, FunctionName, &'a [TermId])> {
        let id = *self.applications.get(index)?;
        match formulas.operator(id) {
            Operator::Apply { function, args, .. } => Some((id, *function, args)),
            _ => None,
        }
    }

    fn each<'a>(&'a self, formulas: &'a Formulas) -> impl Iterator<Item = (TermId, FunctionName, &'a [TermId])> {
        (0..self.applications.len()).filter_map(|index| self.applied(formulas, index))
    }
}
