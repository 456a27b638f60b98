//! A test harness with one test per case, for any subject.

use crate::{Beam, Case, CorpusError, Searcher, Subject, check_search, corpus_root, read_corpus};
use libtest_mimic::{Arguments, Failed, Trial};
use std::cell::RefCell;
use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::LocalKey;
use std::time::Instant;

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

/// Seconds from which on a test counts as slow.
const WORTH_TELLING: f64 = 1.0;

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

/// The tests of a binary without the standard harness: several suites over the repository's corpus. Each thread has a
/// subject of its own, which serves many cases; one that panics is not used again.
pub struct Suites {
    corpus: Vec<Case>,
    /// The release of OTP that is here.
    release: u32,
    trials: Vec<Trial>,
}

impl Suites {
    /// `release` is that of OTP here.
    pub fn new(release: u32) -> Result<Suites, CorpusError> {
        if release != BLESSED_RELEASE {
            eprintln!("This is OTP {release}, and the committed answers are of OTP {BLESSED_RELEASE}.");
        }
        Ok(Suites { corpus: read_corpus(&corpus_root())?, release, trials: Vec::new() })
    }

    /// Adds a test for each case: the subject says what the claims expect.
    ///
    /// On another release than that of the committed answers, the BEAM that is here is asked instead; whether it gives the
    /// committed ones is no question then.
    pub fn claims(mut self, suite: &'static str, gaps: Gaps, new_subject: fn() -> Box<dyn Subject>) -> Suites {
        let asks_beam = self.release != BLESSED_RELEASE;
        if asks_beam && gaps == Gaps::Hold {
            eprintln!("{suite}: not compared with this release");
            return self;
        }
        for case in self.corpus.iter().filter(|case| !case.claims.is_empty()) {
            if let Some(reason) = case.blessed_release_only.as_deref().filter(|_| asks_beam) {
                eprintln!("{suite}/{} is left out: {reason}", case.name);
                continue;
            }
            let case = case.clone();
            self.trials.push(timed(format!("{suite}/{}", case.name), move || {
                let new = || (new_subject(), asks_beam.then(Beam::default));
                let disagreements =
                    with_subject(&SUBJECT, suite, new, |(mine, judge)| check(&case, gaps, &mut **mine, judge.as_mut()));
                concluded(disagreements.iter().map(Disagreement::to_string).collect())
            }));
        }
        self
    }

    /// Adds a test for each claim about a search, named by the case and the line.
    pub fn searches(mut self, suite: &'static str, new_searcher: fn() -> Box<dyn Searcher>) -> Suites {
        for case in self.corpus.iter().filter(|case| !case.searches.is_empty()) {
            let case = Arc::new(case.clone());
            for claim in &case.searches {
                let (case, claim) = (Arc::clone(&case), claim.clone());
                self.trials.push(timed(format!("{suite}/{}:{}", case.name, claim.line), move || {
                    let new = || (new_searcher(), Beam::default());
                    let complaints = with_subject(&SEARCHER, suite, new, |(mine, beam)| {
                        check_search(&case, &claim, &mut **mine, beam)
                    });
                    match (claim.is_gap, complaints.is_empty()) {
                        (true, true) => {
                            concluded(vec![format!("{}\n  is no gap any more: remove its mark", claim.text)])
                        }
                        (true, false) | (false, true) => Ok(()),
                        (false, false) => concluded([vec![claim.text.clone()], complaints].concat()),
                    }
                }));
            }
        }
        self
    }

    /// Runs the tests with the standard harness's arguments and summary.
    pub fn run(self) -> ExitCode {
        let conclusion = libtest_mimic::run(&Arguments::from_args(), self.trials);
        if conclusion.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

/// Makes a test that prints its time if it took long and the environment asks for times.
fn timed(name: String, test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    let label = name.clone();
    Trial::test(name, move || {
        let started = Instant::now();
        let result = test();
        let seconds = started.elapsed().as_secs_f64();
        if seconds > WORTH_TELLING && std::env::var_os("BEAGLE_REPORT_TIME").is_some() {
            println!("test {label} <{seconds:.3}s>");
        }
        result
    })
}

/// A subject, and the BEAM that judges it if not the committed answers.
type Judged = (Box<dyn Subject>, Option<Beam>);
/// A searcher, and the BEAM that confirms what it finds.
type Confirmed = (Box<dyn Searcher>, Beam);
/// The subject that a thread keeps for the next test of the same suite, with the name of the suite.
type Kept<T> = RefCell<Option<(&'static str, T)>>;

thread_local! {
    static SUBJECT: Kept<Judged> = const { RefCell::new(None) };
    static SEARCHER: Kept<Confirmed> = const { RefCell::new(None) };
}

/// Calls `work` with the thread's subject of a suite, which is made if there is none. It is kept if `work` returns.
fn with_subject<T, R>(
    kept: &'static LocalKey<Kept<T>>,
    suite: &'static str,
    new: impl FnOnce() -> T,
    work: impl FnOnce(&mut T) -> R,
) -> R {
    kept.with_borrow_mut(|kept| {
        let mut subject = kept.take().filter(|(of, _)| *of == suite).map_or_else(new, |(_, subject)| subject);
        let result = work(&mut subject);
        *kept = Some((suite, subject));
        result
    })
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
