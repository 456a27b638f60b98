//! A test harness with one test per case, for any subject.

use crate::{Beam, Case, SearchClaim, Searcher, Subject, check_search, corpus_root, read_corpus};
use libtest_mimic::{Arguments, Failed, Trial};
use std::cell::RefCell;
use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;

/// A claim and the different answer of the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub line: usize,
    pub expression: String,
    /// The expected result. `None` if the case was not blessed.
    pub expected: Option<String>,
    pub found: String,
    /// Whether the answers agree although the claim is marked as a gap.
    pub is_closed_gap: bool,
}

/// The treatment of the claims that are marked as gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// They must hold like all the others. Used for the BEAM.
    Hold,
    /// They must fail, so that the mark of a closed gap is removed. Used for the machine.
    Fail,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { line, expression, expected, found, is_closed_gap } = self;
        if *is_closed_gap {
            return write!(f, "line {line}: {expression}\n  is no gap any more: remove its mark");
        }
        let expected = expected.as_deref().unwrap_or("nothing yet: run `make bless`");
        write!(f, "line {line}: {expression}\n  expected: {expected}\n     found: {found}")
    }
}

/// The release of OTP whose answers are committed.
pub const BLESSED_RELEASE: u32 = 25;

/// Asks the subject for every claim of a case. With a BEAM as the judge, its answers are expected instead of the
/// committed ones.
pub fn check(case: &Case, gaps: Gaps, subject: &mut dyn Subject, mut judge: Option<&mut Beam>) -> Vec<Disagreement> {
    let disagreement = |claim: &crate::Claim| {
        let found = subject.evaluate(case, &claim.expression);
        let expected = match &mut judge {
            Some(beam) => Some(beam.evaluate(case, &claim.expression)),
            None => claim.expected.clone(),
        };
        let agrees = expected.as_deref() == Some(&*found);
        let is_to_fail = claim.is_gap && gaps == Gaps::Fail;
        // Another release may behave as the machine does.
        let is_open = is_to_fail && judge.is_some();
        (agrees == is_to_fail && !is_open).then(|| Disagreement {
            line: claim.line,
            expression: claim.expression.clone(),
            expected,
            found,
            is_closed_gap: is_to_fail,
        })
    };
    case.claims.iter().filter_map(disagreement).collect()
}

/// Checks the repository's corpus, one test per case, with the standard harness's arguments and summary. It is the main
/// function of a test without the standard harness. Each thread has a subject of its own, which serves many cases; a
/// subject that panics is not used again.
///
/// If the installed release is not that of the committed answers, the machine is compared with the installed BEAM;
/// whether that BEAM gives the committed answers is not checked.
pub fn run_trials(gaps: Gaps, new_subject: fn() -> Box<dyn Subject>) -> ExitCode {
    let release = Beam::default().release().unwrap_or(BLESSED_RELEASE);
    if release != BLESSED_RELEASE {
        eprintln!("This is OTP {release}, and the committed answers are of OTP {BLESSED_RELEASE}.");
        if gaps == Gaps::Hold {
            eprintln!("So they are not compared with this BEAM; the test `machine` compares our machine with it.");
            return ExitCode::SUCCESS;
        }
    }
    run(move |case| {
        if let Some(reason) = case.blessed_release_only.as_deref().filter(|_| release != BLESSED_RELEASE) {
            eprintln!("{} is left out: {reason}", case.name);
            return Vec::new();
        }
        let has_claims = !case.claims.is_empty();
        let name = case.name.clone();
        let trial = Trial::test(name, move || {
            let disagreements = SUBJECT.with_borrow_mut(|subject| {
                let new = || (new_subject(), (release != BLESSED_RELEASE).then(Beam::default));
                let (mut mine, mut judge) = subject.take().unwrap_or_else(new);
                let disagreements = check(&case, gaps, &mut *mine, judge.as_mut());
                *subject = Some((mine, judge));
                disagreements
            });
            concluded(disagreements.iter().map(Disagreement::to_string).collect())
        });
        has_claims.then_some(trial).into_iter().collect()
    })
}

/// Checks the claims about searches in the same way, with one test each, named by the case and the line.
pub fn run_search_trials(new_searcher: fn() -> Box<dyn Searcher>) -> ExitCode {
    run(|case| {
        let case = Arc::new(case);
        let trial = |claim: &SearchClaim| {
            let (case, claim) = (Arc::clone(&case), claim.clone());
            Trial::test(format!("{}:{}", case.name, claim.line), move || {
                let complaints = SEARCHER.with_borrow_mut(|searcher| {
                    let (mut mine, mut beam) = searcher.take().unwrap_or_else(|| (new_searcher(), Beam::default()));
                    let complaints = check_search(&case, &claim, &mut *mine, &mut beam);
                    *searcher = Some((mine, beam));
                    complaints
                });
                match (claim.is_gap, complaints.is_empty()) {
                    (true, true) => concluded(vec![format!("{}\n  is no gap any more: remove its mark", claim.text)]),
                    (true, false) => Ok(()),
                    (false, true) => Ok(()),
                    (false, false) => concluded([vec![claim.text.clone()], complaints].concat()),
                }
            })
        };
        case.searches.iter().map(trial).collect()
    })
}

/// A subject, and the BEAM that judges it if the committed answers do not.
type Judged = (Box<dyn Subject>, Option<Beam>);

thread_local! {
    static SUBJECT: RefCell<Option<Judged>> = const { RefCell::new(None) };
    static SEARCHER: RefCell<Option<(Box<dyn Searcher>, Beam)>> = const { RefCell::new(None) };
}

fn run(trials: impl Fn(Case) -> Vec<Trial>) -> ExitCode {
    let arguments = Arguments::from_args();
    match read_corpus(&corpus_root()) {
        Ok(cases) => {
            let conclusion = libtest_mimic::run(&arguments, cases.into_iter().flat_map(trials).collect());
            if conclusion.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn concluded(complaints: Vec<String>) -> Result<(), Failed> {
    if complaints.is_empty() { Ok(()) } else { Err(Failed::from(complaints.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use std::path::Path;

    struct Echo;

    impl Subject for Echo {
        fn evaluate(&mut self, case: &Case, expression: &str) -> String {
            format!("{}:{expression}", case.module)
        }
    }

    #[test]
    fn disagreements_are_reported_with_their_lines() {
        let text = "%% It.\n%%! f() ==> m:f()\n%%! g() ==> 1\n%%! h()\n-module(m).\n";
        let case = parse("m", Path::new("/m.erl"), text).unwrap();
        let found = check(&case, Gaps::Fail, &mut Echo, None);
        assert_eq!(found.iter().map(|one| one.line).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(found[0].to_string(), "line 3: g()\n  expected: 1\n     found: m:g()");
        assert!(found[1].to_string().contains("make bless"));
    }

    #[test]
    fn a_gap_fails_on_our_machine_and_holds_on_the_beam() {
        let text = "%% It.\n%%-! f() ==> m:f()\n%%-! g() ==> 1\n-module(m).\n";
        let case = parse("m", Path::new("/m.erl"), text).unwrap();
        let lines = |gaps| check(&case, gaps, &mut Echo, None).iter().map(|one| one.line).collect::<Vec<_>>();
        assert_eq!(lines(Gaps::Fail), [2]);
        assert_eq!(lines(Gaps::Hold), [3]);
        assert!(check(&case, Gaps::Fail, &mut Echo, None)[0].to_string().contains("remove its mark"));
    }
}
