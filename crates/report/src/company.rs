//! The facts that a finding shares with others of its function and its project, as far as the ranking uses them.

use crate::defect::{data, identity};
use crate::rank::{Category, Origin, fails_to_read};
use crate::{Judged, Printers, Results, Tested};
use search::{Failure, MOST_HEADS, ResultHead, Shape};
use std::collections::{HashMap, HashSet};
use term::{Atom, FunctionName, names};

/// A finding that was announced as a likely bug before everything was tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announced {
    pub function: FunctionName,
    /// The identity of its defect.
    pub defect: String,
}

impl Announced {
    pub fn new(printers: &dyn Printers, function: FunctionName, judged: &Judged) -> Announced {
        Announced { function, defect: identity(printers.of(function.module), function, judged) }
    }
}

impl Results {
    /// Adds the signals that follow from other findings of the function and the project. Called when everything is
    /// tested.
    pub fn mark_company(&mut self) {
        self.functions.iter_mut().for_each(mark_places);
        mark_habit(&mut self.functions);
    }

    /// Returns a line about findings that were announced as likely bugs but are less urgent now that all signals are
    /// known.
    pub fn less_urgent(&self, printers: &dyn Printers, announced: &[Announced]) -> Option<String> {
        if announced.is_empty() {
            return None;
        }
        let ranked = self.ranked(printers);
        let categories: HashMap<(FunctionName, String), Category> = ranked
            .iter()
            .flat_map(|ranked| ranked.defect.all().map(|(name, judged)| (name, judged, ranked.ranking.category)))
            .map(|(name, judged, category)| ((name, identity(printers.of(name.module), name, judged)), category))
            .collect();
        let mut lower: Vec<String> = announced
            .iter()
            .filter_map(|Announced { function, defect }| {
                let category = categories.get(&(*function, defect.clone()))?;
                let words = || format!("{} ({})", printers.of(function.module).function(*function), category.title());
                (*category != Category::Likely).then(words)
            })
            .collect();
        lower.sort();
        lower.dedup();
        let words = "announced as a likely bug, but less urgent now that everything is tested";
        (!lower.is_empty()).then(|| format!("{words}: {}", lower.join(", ")))
    }
}

/// The least number of runs that show how often a function fails.
const LEAST_RUNS: u64 = 5;

/// Records in each finding of a function at how many places and how often the function fails, and whether it raises
/// other exceptions on purpose.
fn mark_places(tested: &mut Tested) {
    let bugs = || tested.exploration.findings.iter().filter(|judged| judged.is_bug());
    // Failures that only structures built by hand cause say nothing about the function.
    let possible = bugs().filter(|judged| !judged.signals.never_made);
    let places = possible.filter_map(|judged| judged.place.as_ref()).map(|place| (place.file.as_str(), place.line));
    let places = places.collect::<HashSet<_>>().len() as u32;
    let raised: HashSet<(Atom, Shape)> =
        bugs().filter(|judged| judged.signals.origin == Origin::Raised).filter_map(exception).collect();
    let (returned, raising) = (tested.exploration.returned, tested.exploration.raised);
    // A few runs are no evidence of how often others fail.
    let is_telling = returned + raising >= LEAST_RUNS;
    let percent = is_telling.then(|| (raising * 100 / (returned + raising)) as u32);
    // A function that returns many different words uses them as names.
    let heads = if tested.exploration.heads.len() < MOST_HEADS { &tested.exploration.heads[..] } else { &[] };
    let is_client = tested.name.is_client();
    let makes_values = is_client && !tested.exploration.has_processes;
    for judged in &mut tested.exploration.findings {
        judged.signals.by_values = judged.signals.by_client && makes_values;
        // A client calls many functions, and facts about all of them say nothing about one.
        if is_client {
            continue;
        }
        // A kind that another run accepted is not refused.
        if judged.finding.refused.as_ref().is_some_and(|refused| tested.exploration.taken.contains(&refused.kind)) {
            judged.finding.refused = None;
            judged.signals.refused_alternative = false;
        }
        judged.signals.percent_raising = percent;
        judged.signals.returns_errors = returns_errors(heads);
        judged.signals.returns_nothing = returns_nothing(heads);
        let is_other = exception(judged).is_some_and(|exception| !raised.contains(&exception));
        judged.signals.places = places;
        judged.signals.raises_others = is_other && !raised.is_empty() && judged.signals.origin != Origin::Raised;
    }
}

/// Returns whether the function returns errors. A bare `error` among nothing but words is not one: it may be the level
/// of a log, for example.
fn returns_errors(heads: &[ResultHead]) -> bool {
    let has = |wanted: ResultHead| heads.contains(&wanted);
    let has_values = heads.iter().any(|head| matches!(head, ResultHead::Tagged(_) | ResultHead::Other));
    has(ResultHead::Tagged(names::ERROR))
        || has(ResultHead::Word(names::ERROR)) && (has_values || has(ResultHead::Word(names::OK)))
}

/// Returns whether the function returns a word for nothing. `false` is one next to values, but next to `true` it is an
/// answer.
fn returns_nothing(heads: &[ResultHead]) -> bool {
    let has = |word: &str| heads.iter().any(|head| matches!(head, ResultHead::Word(atom) if atom.text() == word));
    let has_values = heads.iter().any(|head| !matches!(head, ResultHead::Word(_)));
    let has_nothing = ["undefined", "nil", "none", "not_found", "nomatch"].into_iter().any(has);
    has_values && (has_nothing || has("false") && !has("true"))
}

/// The number of functions that read text and fail on malformed text from which on this is a habit of the project.
const HABIT: usize = 4;

fn mark_habit(functions: &mut [Tested]) {
    let is_one = |judged: &Judged| judged.is_bug() && fails_to_read(&judged.signals);
    let fails = |tested: &&Tested| tested.exploration.findings.iter().any(is_one);
    let is_habit = functions.iter().filter(fails).count() >= HABIT;
    for judged in functions.iter_mut().flat_map(|tested| &mut tested.exploration.findings) {
        judged.signals.habit = is_habit && is_one(judged);
    }
}

/// Returns the exception of a finding, without the data in it.
fn exception(judged: &Judged) -> Option<(Atom, Shape)> {
    match &judged.finding.failure {
        Failure::Crash(raised) => Some((raised.class.atom(), Shape::of(&raised.reason, &data(&judged.finding)))),
        Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => None,
    }
}
