//! From signals to a category, a score and the reasons.

use super::Missing;
use super::signals::{Origin, Outcome, Signals};
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
const LIKELY: i32 = 20;

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
    let inputs = &signals.inputs;
    let is_exception = matches!(signals.outcome, Outcome::Error | Outcome::Throw | Outcome::Exit);
    let given = |is_so: bool, points: i32, words: &'static str| (if is_so { points } else { 0 }, words);
    vec![
        given(is_exception && signals.error_return, 20, "crashes although its spec has an error return"),
        given(
            is_exception && !signals.error_return && signals.empty_return,
            8,
            "crashes although its spec has a result for nothing",
        ),
        given(signals.said_impossible, 30, "the code says that it cannot come there"),
        given(signals.unhandled_error, 12, "the code forgets the error of a function that it calls"),
        given(signals.outcome == Outcome::Throw, 8, "a throw is caught nowhere"),
        given(signals.outcome == Outcome::WrongResult, 14, "the result is outside the spec"),
        given(signals.outcome == Outcome::WrongUse, 14, "a function is not used as its type says"),
        given(signals.outcome == Outcome::Endless, 25, "it never ends"),
        given(signals.unnamed_result, -12, "the spec lacks a word among the results"),
        given(
            signals.raises_otherwise && is_exception && signals.origin != Origin::Raised,
            8,
            "the code raises an exception of its own for other bad input",
        ),
        given(signals.applied_result, -10, "it fails when the function that it returns is called"),
        given(inputs.partial_bytes, -12, "the input is bits that are no whole bytes"),
        given(inputs.plain, 8, "the input is plain text and numbers"),
        given(inputs.text && !inputs.odd_text, 8, "the input is text, which may come from outside"),
        given(signals.handles_errors && is_exception, 6, "the code handles other errors at this place"),
        given(signals.function.is_there && !signals.function.hidden, 3, "the function is documented"),
        given(signals.function.hidden, -10, "the documentation says that the function is not for users"),
        given(signals.internal_module, -8, "the module is not for users"),
        given(inputs.odd_text, -6, "the text is not valid in its encoding"),
        given(inputs.structures, -4, "the input is a structure that was built by hand"),
        given(inputs.compound, -8, "the input is built of several parts"),
        given(inputs.functions, -6, "the input is a function that was made up"),
        given(inputs.negative, -4, "a number is below zero"),
        given(inputs.huge, -6, "a number is huge"),
        given(inputs.made_up_atoms, -8, "an atom is named nowhere in the code"),
        given(signals.any_parameter, -6, "the spec says any() of a parameter"),
        given(signals.own_head && !signals.error_return, -6, "the function has no clause for what its spec allows"),
        given(signals.depends, -6, "the outcome depends on more than the input"),
        given(inputs.tens_of_characters > 20, -6, "the input is long"),
    ]
}
