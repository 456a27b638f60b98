//! From signals to a category, a score and the reasons.

use super::Missing;
use super::signals::{Origin, Outcome, Signals, WrongPart};
use serde::{Deserialize, Serialize};

/// What a finding most probably is, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Likely,
    Specification,
    Unlikely,
    Deliberate,
    Environment,
}

impl Category {
    pub const ALL: [Category; 5] =
        [Category::Likely, Category::Specification, Category::Unlikely, Category::Deliberate, Category::Environment];

    /// As the command line and programs call it.
    pub fn name(self) -> &'static str {
        match self {
            Category::Likely => "likely",
            Category::Specification => "specification",
            Category::Unlikely => "unlikely",
            Category::Deliberate => "deliberate",
            Category::Environment => "environment",
        }
    }

    /// As people call it.
    pub fn title(self) -> &'static str {
        match self {
            Category::Likely => "likely bug",
            Category::Specification => "specification",
            Category::Unlikely => "unlikely input",
            Category::Deliberate => "deliberate exception",
            Category::Environment => "environment",
        }
    }
}

/// Where a finding stands among others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    pub category: Category,
    /// The higher, the more probably somebody wants to mend it.
    pub score: i32,
    /// The reasons, in words, the weightiest first.
    pub why: Vec<String>,
}

impl Ranking {
    /// Sorts the most urgent first.
    pub fn order(&self) -> (Category, std::cmp::Reverse<i32>) {
        (self.category, std::cmp::Reverse(self.score))
    }
}

/// From this score on, a finding is a likely bug.
const LIKELY: i32 = 14;

/// Judges a finding by its signals alone.
pub fn rank(signals: &Signals) -> Ranking {
    let mut reasons = weighed(signals);
    reasons.retain(|(points, _)| *points != 0);
    reasons.sort_by_key(|(points, _)| std::cmp::Reverse(points.abs()));
    let score = reasons.iter().map(|(points, _)| points).sum();
    let by_rule = rule(signals);
    let category = match &by_rule {
        Some((category, _)) => *category,
        None if score >= LIKELY => Category::Likely,
        None => Category::Specification,
    };
    // What speaks for the other side of the split explains nothing.
    let speaks = |points: i32| match category {
        Category::Likely => points > 0,
        Category::Specification => points < 0,
        Category::Unlikely | Category::Deliberate | Category::Environment => false,
    };
    let mut why: Vec<String> = by_rule.into_iter().map(|(_, words)| words).collect();
    why.extend(reasons.iter().filter(|(points, _)| speaks(*points)).map(|(_, words)| (*words).to_string()));
    if why.is_empty() {
        why.push("the declared types allow this input, and nothing says that anybody passes it".to_string());
    }
    Ranking { category, score, why }
}

/// Whether a finding is one of those that a module which crashes on bad input by construction has many of: an error for
/// which the specification promises nothing, and for which little speaks otherwise.
pub(crate) fn is_common(signals: &Signals) -> bool {
    let plain = Signals { crowded: false, ..signals.clone() };
    let promises = promises_failure(&plain) || plain.predicate || plain.precise;
    let score: i32 = weighed(&plain).iter().map(|(points, _)| points).sum();
    rule(&plain).is_none() && plain.outcome == Outcome::Error && !promises && COMMON.contains(&score)
}

/// Scores of such findings.
const COMMON: std::ops::Range<i32> = 12..26;

/// The categories that need no weighing.
fn rule(signals: &Signals) -> Option<(Category, String)> {
    let inputs = &signals.inputs;
    if inputs.unknown_modules {
        return Some((Category::Unlikely, "an input names a module that does not exist".to_string()));
    }
    if let Some(missing) = &signals.missing {
        return Some((Category::Environment, without(missing)));
    }
    if signals.outcome == Outcome::Waiting {
        return Some((Category::Environment, "it waits for a message from a process that is not there".to_string()));
    }
    if is_deliberate(signals) {
        let words = if signals.function.speaks_of_exceptions {
            "the code raises this exception itself, and the documentation speaks of exceptions"
        } else if signals.named_to_raise {
            "the code raises this exception itself, and its name says that it does"
        } else {
            "the code raises this exception itself"
        };
        return Some((Category::Deliberate, words.to_string()));
    }
    let odd = [
        (inputs.identities, "an input is a process, reference or port that comes from nowhere"),
        (inputs.improper, "an input is an improper list"),
        (signals.applied_without_type, "a function in the result was called with arguments that no type names"),
        (inputs.partial_bytes, "an input is bits that are no whole bytes"),
        (signals.generated, "a tool wrote this code, and other code makes its input"),
        (inputs.no_date, "an input is a date that does not exist"),
        (signals.built_by_hand, "an input of an opaque type of the module was built by hand"),
        (inputs.broken_structure, "an input is a structure that lacks fields or has wrong ones"),
    ];
    odd.into_iter().find(|(is_so, _)| *is_so).map(|(_, words)| (Category::Unlikely, words.to_string()))
}

/// An exception that the code raises itself is meant, unless the specification promises an error as a result.
fn is_deliberate(signals: &Signals) -> bool {
    if signals.origin != Origin::Raised || signals.said_impossible {
        return false;
    }
    let promises_result = signals.error_return && !signals.named_to_raise && !signals.function.speaks_of_exceptions;
    !promises_result
}

fn without(missing: &Missing) -> String {
    match missing {
        Missing::Process(name) => format!("no process {name} runs here"),
        Missing::Table(name) => format!("the table {name} is not there"),
        Missing::Name(name) => format!("nothing is registered as {name}"),
        Missing::Application(name) => format!("{name} is not configured or not started"),
        Missing::Module(name) => format!("the module {name} is not there"),
        Missing::File(name) => format!("a file is not there ({name})"),
    }
}

/// Points for and against a bug, with the reason for each.
fn weighed(signals: &Signals) -> Vec<(i32, &'static str)> {
    let mut points = evidence(signals);
    points.extend(inputs(signals));
    points.extend(surroundings(signals));
    points
}

fn given(is_so: bool, points: i32, words: &'static str) -> (i32, &'static str) {
    (if is_so { points } else { 0 }, words)
}

fn is_exception(signals: &Signals) -> bool {
    matches!(signals.outcome, Outcome::Error | Outcome::Throw | Outcome::Exit)
}

/// Whether the specification has a result for input that the function cannot use.
fn promises_failure(signals: &Signals) -> bool {
    signals.error_return || signals.empty_return
}

/// What the failure itself says.
fn evidence(signals: &Signals) -> Vec<(i32, &'static str)> {
    let is_exception = is_exception(signals);
    let promises = promises_failure(signals);
    let is_own = signals.origin == Origin::Raised;
    let is = |part: WrongPart| signals.wrong_part == Some(part);
    vec![
        given(is_exception && signals.error_return, 22, "crashes although its spec has an error return"),
        given(
            is_exception && !signals.error_return && signals.empty_return,
            18,
            "crashes although its spec has a result for nothing",
        ),
        given(is_exception && signals.predicate, 6, "a function that answers yes or no crashes"),
        given(is_exception && signals.said_impossible, 30, "the code says that it cannot come there"),
        given(signals.unhandled_error, 12, "the code forgets the error of a function that it calls"),
        given(
            is_exception && signals.catches_some && !is_own,
            10,
            "the code catches other exceptions on the way, and not this one",
        ),
        given(is_exception && signals.handles_errors, 5, "the code handles other errors at this place"),
        given(signals.outcome == Outcome::Endless, 45, "it never ends"),
        given(signals.outcome == Outcome::Deadlock, 45, "it waits for a process that can never answer"),
        given(is(WrongPart::BeyondRange), 24, "the result is beyond its declared range"),
        given(is(WrongPart::BelowZero), 16, "the result is below zero, and the spec says that it is not"),
        given(is(WrongPart::Error), 14, "the result is the error of another function"),
        given(is(WrongPart::Number), 4, "the result is a number that is not of its type"),
        given(is(WrongPart::Other), 4, "the result is not of its type"),
        given(is(WrongPart::Word), -4, "the spec lacks a word among the results"),
        given(signals.returned_input, -10, "the result is what the function was given"),
        given(signals.outcome == Outcome::WrongUse, 8, "a function is not used as its type says"),
        given(signals.applied_result, -10, "it fails when the function that it returns is called"),
        given(
            is_exception && signals.refused_conversion && !promises,
            -12,
            "a conversion refuses the text, and the spec promises nothing for that",
        ),
        given(
            is_exception && signals.function.speaks_of_exceptions && !promises,
            -10,
            "the documentation speaks of exceptions",
        ),
        given(
            is_exception && signals.caught_by_callers,
            -10,
            "the code catches exceptions where it calls the function",
        ),
    ]
}

/// What the inputs are like.
fn inputs(signals: &Signals) -> Vec<(i32, &'static str)> {
    let inputs = &signals.inputs;
    let promises = promises_failure(signals);
    vec![
        given(inputs.plain, 6, "the input is plain text and numbers"),
        given(inputs.text && !inputs.odd_text, 6, "the input is text, which may come from outside"),
        given(inputs.odd_text, if promises { -2 } else { -6 }, "the text is not valid in its encoding"),
        given(inputs.loose_options, -12, "the value of an option was made up, and no type bounds it"),
        given(inputs.internals, -15, "an input is a structure that other functions of the library make"),
        given(inputs.compound && !inputs.internals, -6, "the input is built of several parts"),
        given(inputs.sparse_map, -20, "a map lacks keys that its type names"),
        given(inputs.structures, -4, "the input is a structure that was built by hand"),
        given(inputs.functions && !signals.precise, -20, "the input is a function that was made up"),
        given(inputs.negative, -3, "a number is below zero"),
        given(inputs.huge, -6, "a number is huge"),
        given(inputs.made_up_atoms, -8, "an atom is named nowhere in the code"),
        given(inputs.tens_of_characters > 20, -6, "the input is long"),
    ]
}

/// What the specification, the documentation and the place say.
fn surroundings(signals: &Signals) -> Vec<(i32, &'static str)> {
    let is_crash = is_exception(signals) && signals.origin != Origin::Raised && !signals.own_head;
    vec![
        given(
            signals.precise && is_crash && !signals.inputs.structures && !signals.applied_result,
            20,
            "the spec says exactly what the input may be, and the code crashes",
        ),
        given(signals.precise && signals.wrong_part.is_some(), 10, "the spec says exactly what the input may be"),
        given(signals.function.is_there && !signals.function.hidden, 3, "the function is documented"),
        given(signals.function.hidden, -12, "the function is not for users"),
        given(signals.internal_module, -8, "the module is not for users"),
        given(signals.any_parameter, -6, "the spec says any() of a parameter"),
        given(
            signals.own_head && !promises_failure(signals),
            -6,
            "the function has no clause for what its spec allows",
        ),
        given(signals.crowded, -12, "the module crashes on bad input at many places, as if that were meant"),
        given(signals.depends, -4, "the outcome depends on more than the input"),
    ]
}
