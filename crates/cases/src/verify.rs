//! Checks a search against the claims of a case, with the BEAM as the judge of every failure.

use crate::claims::{Demand, FailurePattern, Finds, SearchClaim};
use crate::{Beam, Case};
use std::fmt::Write;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    pub failures: Vec<Found>,
    pub runs: u64,
    pub end: End,
    /// The number of probes by function inputs up to which all behaviours were decided.
    pub bound: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct Found {
    /// The arguments in Erlang's notation; calls are allowed.
    pub arguments: Vec<String>,
    /// The expression that shows the failure: a call with these arguments, possibly with its result applied.
    pub call: String,
    pub failure: Failure,
    /// The number of runs up to and including the one that showed the failure.
    pub runs: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Class and printed reason, as on the right-hand side of a claim.
    Raises(String),
    /// The printed result, which violates the specification.
    Result(String),
    Timeout,
    Deadlock,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Exhausted,
    OutOfBudget,
    /// The search was incomplete, for these reasons.
    Incomplete(String),
}

/// Explores functions of cases.
pub trait Searcher {
    /// Explores a function. The error is a sentence that says why nothing was explored.
    fn search(&mut self, case: &Case, claim: &SearchClaim) -> Result<Searched, String>;
}

/// Returns complaints about a claim, one sentence each, or none if the claim holds.
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

/// Returns a complaint if the search as a whole does not meet a demand. There is none for `clean`, because unclaimed
/// failures are reported where they are judged.
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
    /// The indices of the demands that the failure meets.
    matched: Vec<usize>,
    complaints: Vec<String>,
}

/// Asks the BEAM whether the call fails as the search says, and which demands the failure meets.
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
        Failure::Raises(expected) => {
            // A call whose process is ended by a linked one has no result.
            let said = beam.judge(case, call).unwrap_or_else(|error| error.to_string());
            if without_identities(&said) == without_identities(expected) {
                return Ok(());
            }
            let ends = beam.judge(case, &printed_ends(call)).map_err(|error| error.to_string())?;
            let ends = ends.replace("\\\"", "\"").replace("\\\\", "\\");
            let is_end = without_identities(&ends).contains(&format!("|{}|", without_identities(expected)));
            if is_end { Ok(()) } else { refuted(&format!("{said}, and its processes end with {ends}")) }
        }
        Failure::Result(expected) => {
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

/// Returns whether a failure matches a demand. The pattern is matched on the BEAM, where the call is made, so that any
/// raised term can be matched.
fn matches(case: &Case, finds: &Finds, found: &Found, beam: &mut Beam) -> Result<bool, String> {
    let (outcomes, pattern) = match (&finds.failure, &found.failure) {
        (FailurePattern::Timeout, Failure::Timeout) => ("[timeout]".to_owned(), "timeout".to_owned()),
        (FailurePattern::Deadlock, Failure::Deadlock) => ("[deadlock]".to_owned(), "deadlock".to_owned()),
        (FailurePattern::Ends { class, pattern }, Failure::Result(_)) => {
            (format!("[{{spec, {}}}]", found.call), format!("{{{class}, {pattern}}}"))
        }
        (FailurePattern::Ends { class, pattern }, Failure::Raises(_)) => {
            (ends(&found.call), format!("{{{class}, {pattern}}}"))
        }
        _ => return Ok(false),
    };
    let arguments = finds.arguments.as_ref().map_or("_".to_owned(), |patterns| format!("[{patterns}]"));
    let guard = finds.guard.as_ref().map_or(String::new(), |guard| format!("when {guard}"));
    let question = format!(
        "begin Arguments = [{}], Outcomes = {outcomes}, \
         Matches = fun({pattern}, {arguments}) {guard} -> true; (_, _) -> false end, \
         lists:any(fun(Outcome) -> Matches(Outcome, Arguments) end, Outcomes) end",
        found.arguments.join(", ")
    );
    match &*beam.judge(case, &question).map_err(|error| error.to_string())? {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!("`{question}` gives {other}")),
    }
}

/// Returns an expression for the failures of a call, as `{Class, Reason}`: of the call itself, and of every process
/// that it started. A process that ended with a stack raised an error or threw something; linked processes exit with
/// that reason.
fn ends(call: &str) -> String {
    format!(
        "begin TheAsker = self(), \
         TheWatch = spawn(fun() -> (fun Watch(Spawned, Ends) -> receive \
             {{trace, _, spawn, _, _}} -> Watch(true, Ends); \
             {{trace, _, exit, Why}} -> Watch(Spawned, [Why | Ends]); \
             {{tell, TheAsker}} -> TheAsker ! {{seen, Spawned, lists:reverse(Ends)}}, Watch(Spawned, Ends); \
             _ -> Watch(Spawned, Ends) \
         end end)(false, []) end), \
         TheSeen = fun() -> \
             Delivered = erlang:trace_delivered(all), receive {{trace_delivered, all, Delivered}} -> ok end, \
             TheWatch ! {{tell, TheAsker}}, receive {{seen, Spawned, Ends}} -> {{Spawned, Ends}} end \
         end, \
         {{Runner, Ref}} = spawn_monitor(fun() -> receive go -> ok end, \
             try {call} of _ -> ok catch Class:Reason -> TheAsker ! {{raised, {{Class, Reason}}}} end end), \
         erlang:trace(Runner, true, [procs, set_on_spawn, {{tracer, TheWatch}}]), \
         Runner ! go, \
         receive {{'DOWN', Ref, _, _, _}} -> ok after 10000 -> ok end, \
         Raised = receive {{raised, Own}} -> [Own] after 0 -> [] end, \
         {{_, Ended}} = case TheSeen() of {{true, _}} -> receive after {SETTLED} -> TheSeen() end; Alone -> Alone end, \
         exit(TheWatch, kill), \
         Raised ++ lists:append([case Why of \
             normal -> []; \
             {{{{nocatch, Ball}}, [Frame | _]}} when tuple_size(Frame) =:= 4 -> [{{throw, Ball}}, {{exit, Why}}]; \
             {{Error, [Frame | _]}} when tuple_size(Frame) =:= 4 -> [{{error, Error}}, {{exit, Why}}]; \
             _ -> [{{exit, Why}}] \
         end || Why <- Ended]) end"
    )
}

/// The time in milliseconds for processes that are left after the call to end.
const SETTLED: u32 = 100;

/// Returns an expression for these failures as one string with bars between them.
fn printed_ends(call: &str) -> String {
    format!("lists:flatten(lists:append([io_lib:format(\"|~s ~0tp|\", [C, R]) || {{C, R}} <- {}]))", ends(call))
}

/// Removes the numbers of processes, references and functions, which belong to one run.
fn without_identities(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let end = from.find('>').filter(|end| *end > 1);
        let is_named = ["#Ref", "#Fun", "#Port"].iter().any(|kind| before.ends_with(kind));
        match end {
            Some(end)
                if is_named || (from[1..end].chars().all(is_number) && from[1..end].matches('.').count() == 2) =>
            {
                shown.push_str(before);
                shown.push_str("<>");
                rest = &from[end + 1..];
            }
            _ => {
                shown.push_str(before);
                shown.push('<');
                rest = &from[1..];
            }
        }
    }
    shown + rest
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

/// Summarises a search for the reader of a complaint.
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

    /// A searcher that returns a given result.
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
    fn identities_are_not_compared() {
        let shown = |text: &str| without_identities(text);
        assert_eq!(shown("exit {noproc,{gen_server,call,[<0.85.0>,x]}}"), "exit {noproc,{gen_server,call,[<>,x]}}");
        assert_eq!(shown("{#Ref<0.1.2.3>,#Fun<m.0.1>,<<1,2>>,'<a'}"), "{#Ref<>,#Fun<>,<<1,2>>,'<a'}");
    }

    #[test]
    fn a_process_that_the_call_started_fails_for_it() {
        let root = corpus_root();
        let mut beam = Beam::default();
        let mut complaints = |file: &str, claim: &str, call: &str, raises: &str| {
            let case = read_case(&root, &root.join("processes/claims").join(file)).unwrap();
            let claim = parse_claim(claim, 1, false).unwrap();
            let argument = call.split_once('(').map(|(_, rest)| rest.trim_end_matches(')').to_owned()).unwrap();
            let failure = Failure::Raises(raises.to_owned());
            let failures = vec![Found { arguments: vec![argument], call: call.to_owned(), failure, runs: 1 }];
            let searched = Searched { failures, runs: 1, end: End::Exhausted, bound: None };
            check_search(&case, &claim, &mut Puppet(searched), &mut beam).join("\n")
        };
        let unseen = "unseen/1: finds error:badarith for (0); failures = 1";
        assert_eq!(complaints("child_dies_unseen.erl", unseen, "unseen(0)", "error badarith"), "");
        assert!(complaints("child_dies_unseen.erl", unseen, "unseen(1)", "error badarith").contains("false finding"));
        let linked = "store/1: finds error:full for (N) when N > 100";
        assert_eq!(complaints("linked_server_takes_us_along.erl", linked, "store(101)", "error full"), "");
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
