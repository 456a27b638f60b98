//! Holding a search to what a case claims of it, with the BEAM as the judge of every failure.

use crate::claims::{Demand, FailurePattern, Finds, SearchClaim};
use crate::{Beam, Case};
use std::fmt::Write;

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Searched {
    pub failures: Vec<Found>,
    pub runs: u64,
    pub end: End,
    /// Calls that function inputs make of what they are given: all with at most so many were decided.
    pub bound: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct Found {
    /// As Erlang writes them; calls are allowed.
    pub arguments: Vec<String>,
    /// The expression that shows it: a call with these arguments, perhaps with its result applied.
    pub call: String,
    pub failure: Failure,
    /// The runs up to and with the one that showed it.
    pub runs: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Class and printed reason, as on the right-hand side of a claim.
    Raises(String),
    /// The printed result, which is not what the specification says.
    Result(String),
    Timeout,
    Deadlock,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Exhausted,
    OutOfBudget,
    /// With the reasons.
    Incomplete(String),
}

/// Explores functions of cases.
pub trait Searcher {
    /// The error is a sentence that says why nothing was explored.
    fn search(&mut self, case: &Case, claim: &SearchClaim) -> Result<Searched, String>;
}

/// What is wrong, a sentence each; nothing if the claim holds.
pub fn check_search(case: &Case, claim: &SearchClaim, searcher: &mut dyn Searcher, beam: &mut Beam) -> Vec<String> {
    let searched = match searcher.search(case, claim) {
        Ok(searched) => searched,
        Err(why) => return vec![why],
    };
    let mut complaints = Vec::new();
    let mut is_found = vec![false; claim.demands.len()];
    for found in &searched.failures {
        match judge(case, claim, found, beam) {
            Ok(judgement) => {
                complaints.extend(judgement.complaints);
                for index in judgement.matched {
                    is_found[index] = true;
                }
            }
            Err(complaint) => complaints.push(complaint),
        }
    }
    for (demand, is_found) in claim.demands.iter().zip(is_found) {
        complaints.extend(unmet(demand, is_found, &searched));
    }
    if !complaints.is_empty() {
        complaints.push(summary(&searched));
    }
    complaints
}

/// What the search, as a whole, does not meet. Of `clean` nothing: a failure that nobody claimed is told
/// where it is judged.
fn unmet(demand: &Demand, is_found: bool, searched: &Searched) -> Option<String> {
    let failures = searched.failures.len() as u64;
    let is_met = match demand {
        Demand::Finds(_) => is_found,
        Demand::Clean | Demand::Inputs(_) => true,
        Demand::Exhausts => searched.end == End::Exhausted,
        Demand::Budget => searched.end == End::OutOfBudget,
        Demand::Incomplete => matches!(searched.end, End::Incomplete(_)),
        Demand::Bounded(relation, probes) => searched.bound.is_some_and(|bound| relation.holds(bound, *probes)),
        Demand::Runs(relation, runs) => relation.holds(searched.runs, *runs),
        Demand::Failures(relation, number) => relation.holds(failures, *number),
    };
    let what = match demand {
        Demand::Finds(finds) => match finds.within {
            Some(runs) => format!("{} was not found within {runs} runs", describe(finds)),
            None => format!("{} was not found", describe(finds)),
        },
        Demand::Clean | Demand::Inputs(_) => return None,
        Demand::Exhausts => "it is not exhausted".to_owned(),
        Demand::Budget => "it did not run out of its budget".to_owned(),
        Demand::Incomplete => "it is not incomplete".to_owned(),
        Demand::Bounded(relation, probes) => match searched.bound {
            Some(bound) => format!("bounded by {bound}, claimed {relation} {probes}"),
            None => "it is not bounded".to_owned(),
        },
        Demand::Runs(relation, runs) => format!("{} runs, claimed {relation} {runs}", searched.runs),
        Demand::Failures(relation, number) => format!("{failures} failures, claimed {relation} {number}"),
    };
    (!is_met).then_some(what)
}

struct Judgement {
    /// The indices of the demands that claim this failure.
    matched: Vec<usize>,
    complaints: Vec<String>,
}

/// Asks the BEAM whether the call fails as the search says, and which demands speak of that failure.
fn judge(case: &Case, claim: &SearchClaim, found: &Found, beam: &mut Beam) -> Result<Judgement, String> {
    let call = &found.call;
    confirm(case, call, &found.failure, beam)?;
    let mut complaints = Vec::new();
    for function in claim.demands.iter().filter_map(|demand| match demand {
        Demand::Inputs(function) => Some(function),
        _ => None,
    }) {
        let question = format!("{function}({})", found.arguments.join(", "));
        let answer = beam.judge(case, &question).map_err(|error| error.to_string())?;
        if answer != "true" {
            complaints.push(format!("{question} is {answer}, but the search went there"));
        }
    }
    let mut matched = Vec::new();
    let mut is_claimed = false;
    for (index, demand) in claim.demands.iter().enumerate() {
        let Demand::Finds(finds) = demand else { continue };
        if matches(case, finds, found, beam)? {
            is_claimed = true;
            if finds.within.is_none_or(|runs| found.runs <= runs) {
                matched.push(index);
            }
        }
    }
    if !is_claimed {
        complaints.push(format!("{call} gives {}, which is not claimed", text_of(&found.failure)));
    }
    Ok(Judgement { matched, complaints })
}

fn confirm(case: &Case, call: &str, failure: &Failure, beam: &mut Beam) -> Result<(), String> {
    let refuted = |said: &str| Err(format!("false finding: {call} gives {}, on the BEAM {said}", text_of(failure)));
    match failure {
        Failure::Raises(expected) | Failure::Result(expected) => {
            let said = beam.judge(case, call).map_err(|error| error.to_string())?;
            if said == *expected { Ok(()) } else { refuted(&said) }
        }
        Failure::Timeout | Failure::Deadlock => {
            let said = if *failure == Failure::Deadlock { beam.waits(case, call) } else { beam.ends(case, call) };
            match said.map_err(|error| error.to_string())? {
                Some(said) => refuted(&said),
                None => Ok(()),
            }
        }
    }
}

/// The pattern is matched where the call is made, on the BEAM: whatever can be raised can be matched.
fn matches(case: &Case, finds: &Finds, found: &Found, beam: &mut Beam) -> Result<bool, String> {
    let (outcome, pattern) = match (&finds.failure, &found.failure) {
        (FailurePattern::Timeout, Failure::Timeout) => ("timeout".to_owned(), "timeout".to_owned()),
        (FailurePattern::Deadlock, Failure::Deadlock) => ("deadlock".to_owned(), "deadlock".to_owned()),
        (FailurePattern::Ends { class, pattern }, Failure::Raises(_) | Failure::Result(_)) => {
            let call = &found.call;
            let outcome = format!("try {call} of Value -> {{spec, Value}} catch Class:Reason -> {{Class, Reason}} end");
            (outcome, format!("{{{class}, {pattern}}}"))
        }
        _ => return Ok(false),
    };
    let arguments = finds.arguments.as_ref().map_or("_".to_owned(), |patterns| format!("[{patterns}]"));
    let guard = finds.guard.as_ref().map_or(String::new(), |guard| format!("when {guard}"));
    let question = format!(
        "begin Arguments = [{}], Outcome = {outcome}, \
         (fun({pattern}, {arguments}) {guard} -> true; (_, _) -> false end)(Outcome, Arguments) end",
        found.arguments.join(", ")
    );
    match &*beam.judge(case, &question).map_err(|error| error.to_string())? {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!("`{question}` gives {other}")),
    }
}

fn text_of(failure: &Failure) -> String {
    match failure {
        Failure::Raises(text) => text.clone(),
        Failure::Result(text) => format!("{text} against its specification"),
        Failure::Timeout => "no end".to_owned(),
        Failure::Deadlock => "a wait without end".to_owned(),
    }
}

fn describe(finds: &Finds) -> String {
    let mut text = match &finds.failure {
        FailurePattern::Ends { class, pattern } => format!("{class}:{pattern}"),
        FailurePattern::Timeout => "timeout".to_owned(),
        FailurePattern::Deadlock => "deadlock".to_owned(),
    };
    if let Some(arguments) = &finds.arguments {
        let _ = write!(text, " for ({arguments})");
    }
    if let Some(guard) = &finds.guard {
        let _ = write!(text, " when {guard}");
    }
    text
}

/// What there was, for whoever reads a complaint.
fn summary(searched: &Searched) -> String {
    let end = match &searched.end {
        End::Exhausted => "exhausted".to_owned(),
        End::OutOfBudget => "out of budget".to_owned(),
        End::Incomplete(why) => format!("incomplete ({why})"),
    };
    let mut text = format!("{} runs, {end}", searched.runs);
    for found in &searched.failures {
        let failure = text_of(&found.failure);
        let _ = write!(text, "\n    {}: {} gives {failure}", found.runs, found.call);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::parse_claim;
    use crate::{corpus_root, read_case};

    /// Says what it was told to say.
    struct Puppet(Searched);

    impl Searcher for Puppet {
        fn search(&mut self, _: &Case, _: &SearchClaim) -> Result<Searched, String> {
            Ok(self.0.clone())
        }
    }

    fn found(arguments: [&str; 2], raises: &str, runs: u64) -> Found {
        let arguments = arguments.map(str::to_owned).to_vec();
        let call = format!("foo({})", arguments.join(", "));
        Found { arguments, call, failure: Failure::Raises(raises.to_owned()), runs }
    }

    #[test]
    fn a_search_is_held_to_every_word() {
        let root = corpus_root();
        let case = read_case(&root, &root.join("found/classics/exact_number_below_double.erl")).unwrap();
        let mut beam = Beam::default();
        let mut complaints = |claim: &str, failures: Vec<Found>, runs: u64, end: End| {
            let claim = parse_claim(claim, 1, false).unwrap();
            check_search(&case, &claim, &mut Puppet(Searched { failures, runs, end, bound: None }), &mut beam)
                .join("\n")
        };
        let bug = || vec![found(["100000", "50001"], "error bug", 3)];
        let claim = "foo/2: finds error:bug for (X, Y) when X < 2 * Y within 3 runs; exhausts; runs = 3; failures = 1";
        assert_eq!(complaints(claim, bug(), 3, End::Exhausted), "");
        assert!(complaints(claim, bug(), 3, End::OutOfBudget).contains("not exhausted"));
        assert!(complaints(claim, bug(), 4, End::Exhausted).contains("4 runs, claimed = 3"));
        assert!(complaints(claim, Vec::new(), 3, End::Exhausted).contains("0 failures, claimed = 1"));
        assert!(complaints("foo/2: clean", bug(), 3, End::Exhausted).contains("not claimed"));
        assert!(complaints("foo/2: finds exit:bug", bug(), 3, End::Exhausted).contains("exit:bug was not found"));
        let late = complaints("foo/2: finds error:bug within 2 runs", bug(), 3, End::Exhausted);
        assert!(late.contains("not found within 2 runs") && !late.contains("not claimed"), "{late}");
        let elsewhere = complaints("foo/2: finds error:bug for (X, Y) when X >= 2 * Y", bug(), 3, End::Exhausted);
        assert!(elsewhere.contains("was not found"), "{elsewhere}");
        let wrong = vec![found(["100000", "50000"], "error bug", 3)];
        assert!(complaints(claim, wrong, 3, End::Exhausted).contains("false finding"));
        let outside = complaints("foo/2: finds error:_; inputs erlang:is_function", bug(), 3, End::Exhausted);
        assert!(outside.contains("the search went there"), "{outside}");
    }
}
