//! Derives a category, a score and the reasons from signals.

use super::Missing;
use super::signals::{Callers, Exception, Neighbours, Origin, Outcome, Signals, WrongPart};
use serde::{Deserialize, Serialize};

/// The most probable nature of a finding. The most urgent category comes first.
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

    /// Returns the name on the command line and in formats for programs.
    pub fn name(self) -> &'static str {
        match self {
            Category::Likely => "likely",
            Category::Specification => "specification",
            Category::Unlikely => "unlikely",
            Category::Deliberate => "deliberate",
            Category::Environment => "environment",
        }
    }

    /// Returns the name for people.
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

/// The rank of a finding among others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    pub category: Category,
    /// A higher score means that a maintainer more probably wants to fix it.
    pub score: i32,
    /// The reasons, in words, the weightiest first.
    pub why: Vec<String>,
}

impl Ranking {
    /// Returns a key that sorts the most urgent first.
    pub fn order(&self) -> (Category, std::cmp::Reverse<i32>) {
        (self.category, std::cmp::Reverse(self.score))
    }
}

/// The score from which on a finding is a likely bug.
const LIKELY: i32 = 9;

/// Returns the category if signals decide it without any weighing.
pub fn ruled(signals: &Signals) -> Option<Category> {
    rule(signals).map(|(category, _)| category)
}

/// Ranks a finding by its signals alone.
pub fn rank(signals: &Signals) -> Ranking {
    let mut reasons = weighed(signals);
    reasons.sort_by_key(|(points, _)| std::cmp::Reverse(points.abs()));
    let score = reasons.iter().map(|(points, _)| points).sum();
    let by_rule = rule(signals);
    let category = match &by_rule {
        Some((category, _)) => *category,
        None if score >= LIKELY => Category::Likely,
        None => Category::Specification,
    };
    // Reasons for the opposite category explain nothing.
    let speaks = |points: i32| match category {
        Category::Likely => points > 0,
        Category::Specification => points < 0,
        Category::Unlikely | Category::Deliberate | Category::Environment => false,
    };
    let mut why: Vec<String> = by_rule.into_iter().map(|(_, words)| words).collect();
    why.extend(reasons.iter().filter(|(points, _)| speaks(*points)).map(|(_, words)| (*words).to_string()));
    if why.is_empty() {
        why.push("the declared types allow this input, and nothing else tells whether it matters".to_string());
    }
    Ranking { category, score, why }
}

/// Returns a category that needs no weighing, with its reason.
fn rule(signals: &Signals) -> Option<(Category, String)> {
    let inputs = &signals.inputs;
    if inputs.unknown_modules {
        return Some((Category::Unlikely, "an input names a module that does not exist".to_string()));
    }
    if let Some(missing) = &signals.missing {
        return Some((Category::Environment, without(missing)));
    }
    if signals.started_before {
        return Some((Category::Environment, "the setup has started it already".to_string()));
    }
    if signals.started_twice {
        let words = "it is started a second time, and only the spec does not say what comes of that";
        return Some((Category::Specification, words.to_string()));
    }
    if signals.outcome == Outcome::Waiting {
        return Some((Category::Environment, "it waits for a message that no process here sends".to_string()));
    }
    if signals.waits_as_told {
        return Some((Category::Deliberate, "the call waits no longer than it is told".to_string()));
    }
    if signals.stopped_by_message {
        let words = "the server stops itself when it gets a message that it does not know";
        return Some((Category::Deliberate, words.to_string()));
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
        (signals.too_large, "a time or another number is larger than the runtime takes"),
        (signals.no_table, "an input stands for a table, and cannot be one"),
        (inputs.caller, "the function is given the process that calls it"),
        (inputs.forged, "an input is a message that only the runtime sends"),
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

/// Returns whether the exception is deliberate: the code raises it itself. It is not if the specification promises an
/// error as a result and another module raises the exception, which does not know of that promise.
fn is_deliberate(signals: &Signals) -> bool {
    // A server that ends is lost for all of its clients, even if ending it was deliberate.
    if signals.origin != Origin::Raised || signals.said_impossible || signals.ends_server {
        return false;
    }
    let is_caught = signals.outcome == Outcome::Throw && signals.caught_by_callers;
    // A throw in the function's own module should be caught there as well, so it does not count.
    let is_known = signals.raised_at_home && signals.outcome != Outcome::Throw;
    let is_said = signals.named_to_raise || signals.function.speaks_of_exceptions || is_known;
    let promises_result = signals.error_return && !is_caught && !is_said;
    !promises_result
}

fn without(missing: &Missing) -> String {
    match missing {
        Missing::Process(name) => format!("no process {name} runs here"),
        Missing::Table(name) => format!("the table {name} is not there"),
        Missing::Name(name) => format!("nothing is registered as {name}"),
        Missing::PersistentTerm(name) => format!("the persistent term {name} is not there"),
        Missing::Application(name) => format!("{name} is not configured or not started"),
        Missing::Setting(name) => format!("{name} is not configured"),
        Missing::Module(name) => format!("the module {name} is not there"),
        Missing::File(name) => format!("a file is not there ({name})"),
    }
}

/// The weights of reasons. There are few sizes on purpose: finer ones would only fit the libraries that were examined.
const STRONG: i32 = 15;
const MEDIUM: i32 = 8;
const WEAK: i32 = 3;

/// The percentage of runs with an exception below which failing is no habit of the function.
const SELDOM: u32 = 10;

/// The number of places beyond which a function leaves it to its callers to pass valid input.
const MANY: u32 = 10;

/// Returns the points for and against a bug, with the reason for each, as far as they apply.
pub fn weighed(signals: &Signals) -> Vec<(i32, &'static str)> {
    let mut points = evidence(signals);
    points.extend(company(signals));
    points.extend(inputs(signals));
    points.extend(surroundings(signals));
    points.retain(|(points, _)| *points != 0);
    points
}

fn given(is_so: bool, points: i32, words: &'static str) -> (i32, &'static str) {
    (if is_so { points } else { 0 }, words)
}

fn is_exception(signals: &Signals) -> bool {
    matches!(signals.outcome, Outcome::Error | Outcome::Throw | Outcome::Exit)
}

/// Returns whether the specification has a result for input that the function cannot use.
fn promises_failure(signals: &Signals) -> bool {
    signals.error_return || signals.empty_return
}

/// Returns whether the function reads text or bytes from outside.
fn reads_text(signals: &Signals) -> bool {
    signals.named_to_read && signals.inputs.text
}

/// Returns whether a function fails on text that it cannot read, and promises no result for that.
pub fn fails_to_read(signals: &Signals) -> bool {
    let is_open = is_exception(signals) && !promises_failure(signals) && signals.origin != Origin::Raised;
    is_open && reads_text(signals)
}

/// Returns whether a clause is missing for the error of another function. `{ok, Value} = …` needs none: it is an
/// assertion.
fn forgets_error(signals: &Signals) -> bool {
    is_exception(signals) && signals.unhandled_error && signals.exception != Exception::Match
}

/// Returns whether the code rejects an alternative that the specification names.
fn refuses_alternative(signals: &Signals) -> bool {
    is_exception(signals) && signals.refused_alternative && !signals.unhandled_error && signals.origin != Origin::Raised
}

/// Returns the points for the failure itself.
fn evidence(signals: &Signals) -> Vec<(i32, &'static str)> {
    let is_exception = is_exception(signals);
    let promises = promises_failure(signals);
    let (reads, is_own) = (reads_text(signals), signals.origin == Origin::Raised);
    let is_told = signals.precise || signals.by_client;
    // If only a type says that a result is wrong, usually the type is wrong.
    let wrong = match signals.wrong_part {
        Some(WrongPart::BeyondRange) => {
            (if reads { STRONG } else { MEDIUM }, "the result is beyond its declared range")
        }
        Some(WrongPart::Error) => (MEDIUM, "the result is the error of another function"),
        Some(WrongPart::BelowZero) if is_told => (MEDIUM, "the result is below zero, and the spec says that it is not"),
        Some(WrongPart::BelowZero) => (-MEDIUM, "the result is below zero, and only its type says that it is not"),
        Some(WrongPart::Nothing) => (-WEAK, "a part of the result is missing, and only its type says that it is not"),
        Some(WrongPart::Number | WrongPart::Other) => (-MEDIUM, "only its type says that the result is wrong"),
        Some(WrongPart::Word) => (-STRONG, "the spec lacks a word among the results"),
        None => (0, ""),
    };
    let inside = matches!(signals.exception, Exception::Case | Exception::Match | Exception::Arithmetic);
    // A result for nothing is meant for missing things. Only where input is read is it surely meant for bad input, too.
    let (points, promised) = match (signals.error_return, reads) {
        (true, true) => (STRONG + WEAK, "reads text, and crashes although its spec has an error return"),
        (true, false) => (STRONG - WEAK, "crashes although its spec has an error return"),
        (false, true) => (STRONG + WEAK, "reads text, and crashes although its spec has a result for nothing"),
        // A client has only values that the module itself made, so it cannot avoid the failure.
        (false, false) if signals.by_values => (STRONG - WEAK, "crashes although its spec has a result for nothing"),
        (false, false) => (WEAK, "crashes although its spec has a result for nothing"),
    };
    // Made-up options can end any server.
    let is_by_options = signals.inputs.loose_options;
    // Code that raises an exception itself does so on purpose, whatever the specification says.
    let points = if is_own { points.min(MEDIUM) } else { points };
    vec![
        given(is_exception && promises, points, promised),
        // Where the specification says nothing, other results show what the function is meant to do.
        given(
            is_exception && !promises && !is_own && signals.returns_errors,
            MEDIUM,
            "crashes although it returns errors for other inputs",
        ),
        given(
            is_exception && !promises && !is_own && signals.returns_nothing && !signals.returns_errors,
            MEDIUM,
            "crashes although it returns a word for nothing for other inputs",
        ),
        given(signals.ends_server && !is_by_options, 2 * STRONG, "calls of its own functions end the server"),
        given(
            signals.by_client && !signals.ends_server && !is_by_options,
            // Values may be passed to functions that are not meant for them, but servers must withstand all messages.
            if signals.by_values { WEAK } else { STRONG },
            "its own functions, called one after the other, lead to it",
        ),
        given(
            signals.made_wrong,
            STRONG,
            "what another function made is not of its declared type, and this one fails on it",
        ),
        given(is_exception && signals.said_impossible, STRONG, "the code says that it cannot come there"),
        given(signals.outcome == Outcome::Endless, 2 * STRONG, "it never ends"),
        given(
            is_exception && signals.catches_some && !is_own,
            MEDIUM,
            "the code catches other exceptions on the way, and not this one",
        ),
        given(signals.outcome == Outcome::Deadlock, 2 * STRONG, "it waits for a process that can never answer"),
        given(is_exception && inside && !is_own, WEAK, "the code fails behind its first clauses"),
        wrong,
        given(forgets_error(signals), MEDIUM, "the error of another function has no clause"),
        given(refuses_alternative(signals), MEDIUM, "the spec names a kind of value of which the code takes none"),
        // If the result is a number of another kind, usually the type is wrong.
        given(
            signals.wrong_part.is_some_and(|part| part != WrongPart::Number) && reads,
            MEDIUM,
            "reads text, and makes something wrong of it",
        ),
        given(signals.narrowed, MEDIUM, "the code takes text for bytes, and there are characters beyond one byte"),
        given(signals.text_as_format, STRONG, "text is printed as a format, and has a `~`"),
        given(
            signals.inputs.equal_numbers && signals.origin == Origin::Mismatch,
            STRONG,
            "an integer and a float are equal, and yet do not match",
        ),
        given(signals.returned_input, -MEDIUM, "the result is what the function was given"),
        given(signals.applied_result, -STRONG, "it fails when the function that it returns is called"),
        given(
            is_exception && signals.refused_conversion && !promises,
            -STRONG,
            "a conversion refuses the text, and the spec promises nothing for that",
        ),
        given(
            signals.passed_on && !promises && !signals.narrowed && !signals.text_as_format,
            -MEDIUM,
            "the input is passed on as it is, and what it is passed to refuses it",
        ),
    ]
}

/// Returns the points for other failures, and for how other code treats the function.
fn company(signals: &Signals) -> Vec<(i32, &'static str)> {
    let is_open = is_exception(signals) && !promises_failure(signals);
    // If the function raises other exceptions on purpose, the documentation speaks of those.
    let is_one_of_all = is_open && !signals.raises_others;
    let is_none_of_them = signals.raises_others && !signals.tested_to_fail;
    let is_own = signals.origin == Origin::Raised;
    let is_seldom = signals.percent_raising.is_some_and(|percent| percent < SELDOM) && !refuses_alternative(signals);
    let is_foreign = signals.neighbours == Neighbours::OtherKinds && !refuses_alternative(signals);
    vec![
        given(is_open && is_none_of_them, MEDIUM, "the function raises exceptions of its own, and not this one"),
        given(is_open && !is_own && is_seldom, MEDIUM, "hardly any other input makes it fail"),
        given(
            is_exception(signals) && signals.percent_raising == Some(100),
            if is_own { -STRONG } else { -MEDIUM },
            "every input makes it fail",
        ),
        given(is_one_of_all && signals.places > 2, -MEDIUM, "the function fails at several places"),
        given(is_open && signals.places > MANY, -MEDIUM, "the function fails at many places"),
        given(
            is_one_of_all && signals.function.speaks_of_exceptions,
            -MEDIUM,
            "the documentation speaks of exceptions",
        ),
        given(
            is_open && signals.habit,
            -STRONG,
            "many functions of the project fail on text that they cannot read, and promise nothing else",
        ),
        given(is_open && signals.tested_to_fail, -STRONG, "a test is content with any exception of the function"),
        given(is_open && signals.caught_by_callers, -WEAK, "the code catches exceptions where it calls the function"),
        given(is_exception(signals) && signals.named_to_raise, -MEDIUM, "its name says that it raises exceptions"),
        given(signals.neighbours == Neighbours::SameKind, WEAK, "other clauses take values of the same kind"),
        given(is_foreign, -STRONG, "no clause takes values of this kind"),
        given(signals.callers == Callers::Others, -MEDIUM, "the code calls the function with other values only"),
    ]
}

/// Returns the points for the inputs.
fn inputs(signals: &Signals) -> Vec<(i32, &'static str)> {
    let inputs = &signals.inputs;
    // Code that reads input from outside and promises an error has to accept any bytes.
    let takes_any = promises_failure(signals) && reads_text(signals);
    // Bytes from outside may be invalid text, and code that checks whether they are text has to handle that it is not.
    let takes_bytes = promises_failure(signals) || forgets_error(signals);
    // If certain characters cause a failure, the structure around them does not matter.
    let is_about_letters = signals.narrowed || signals.text_as_format;
    vec![
        given(
            inputs.plain && !inputs.loose_options && !signals.by_client,
            MEDIUM,
            "the input is plain text and numbers",
        ),
        given(inputs.text && !inputs.odd_text, WEAK, "the input is text, which may come from outside"),
        given(
            inputs.odd_text && inputs.no_characters && is_exception(signals) && !takes_any,
            -STRONG,
            "the text has characters that do not exist",
        ),
        given(
            inputs.odd_text && !inputs.no_characters && is_exception(signals) && !takes_bytes,
            -MEDIUM,
            "the text is not valid in its encoding",
        ),
        given(
            inputs.beyond_ascii && !inputs.odd_text && !takes_any && !is_about_letters,
            -WEAK,
            "only characters beyond ASCII make it fail",
        ),
        given(inputs.loose_options, -MEDIUM, "the value of an option was made up, and no type bounds it"),
        given(inputs.internals, -MEDIUM, "an input is a structure that other functions of the library make"),
        given(inputs.compound && !inputs.internals && !is_about_letters, -WEAK, "the input is built of several parts"),
        given(inputs.sparse_map && !is_about_letters, -STRONG, "a map lacks keys that its type names"),
        given(
            signals.never_made,
            -STRONG,
            "a structure was built by hand, and none of those that its module was seen to make leads here",
        ),
        given(inputs.structures, -WEAK, "the input is a structure that was built by hand"),
        given(inputs.functions && !signals.precise, -MEDIUM, "the input is a function that was made up"),
        given(inputs.answers, -MEDIUM, "what another process answers was made up"),
        given(inputs.negative || inputs.huge, -WEAK, "a number is below zero or huge"),
        given(
            inputs.made_up_atoms && !is_about_letters && !signals.by_client,
            -MEDIUM,
            "an atom is named nowhere in the code",
        ),
        given(inputs.tens_of_characters > 20, -WEAK, "the input is long"),
    ]
}

/// Returns the points for the specification, the documentation and the place.
fn surroundings(signals: &Signals) -> Vec<(i32, &'static str)> {
    let is_crash = is_exception(signals) && signals.origin != Origin::Raised;
    let is_inner = signals.function.hidden || signals.internal_module;
    vec![
        given(
            signals.precise && is_crash && !signals.inputs.structures && !signals.applied_result,
            MEDIUM,
            "the spec says exactly what the input may be, and the code crashes",
        ),
        // If the result is a number of another kind, usually the type is wrong, however exact it is.
        given(
            signals.precise && signals.wrong_part.is_some_and(|part| part != WrongPart::Number),
            MEDIUM,
            "the spec says exactly what the input may be",
        ),
        given(is_inner, -MEDIUM, "the function or its module is not for users"),
        given(
            signals.function.only_exported && !is_inner,
            -WEAK,
            "other functions of the module are documented, and this one is not",
        ),
        given(
            is_inner && signals.own_head,
            -STRONG,
            "what is not for users need not take what no other function passes",
        ),
        given(signals.any_parameter, -MEDIUM, "the spec says any() of a parameter"),
    ]
}
