//! One test per case, for any subject.

use crate::{Case, Subject, corpus_root, read_corpus};
use libtest_mimic::{Arguments, Conclusion, Failed, Trial};
use std::cell::RefCell;
use std::fmt;
use std::process::ExitCode;

/// A claim and what the subject said instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub line: usize,
    pub expression: String,
    /// There is none if the case was not blessed.
    pub expected: Option<String>,
    pub found: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { line, expression, expected, found } = self;
        let expected = expected.as_deref().unwrap_or("nothing yet: run `make bless`");
        write!(f, "line {line}: {expression}\n  expected: {expected}\n     found: {found}")
    }
}

/// Asks the subject for every claim of a case.
pub fn check(case: &Case, subject: &mut dyn Subject) -> Vec<Disagreement> {
    let disagreement = |claim: &crate::Claim| {
        let found = subject.evaluate(case, &claim.expression);
        (claim.expected.as_deref() != Some(&*found)).then(|| Disagreement {
            line: claim.line,
            expression: claim.expression.clone(),
            expected: claim.expected.clone(),
            found,
        })
    };
    case.claims.iter().filter_map(disagreement).collect()
}

/// The main function of a test without the standard harness: checks the repository's corpus, one test
/// per case, with the standard harness's arguments and summary. Each thread has a subject of its own,
/// which serves many cases; one that panics is not used again.
pub fn run_trials(new_subject: fn() -> Box<dyn Subject>) -> ExitCode {
    let arguments = Arguments::from_args();
    match read_corpus(&corpus_root()) {
        Ok(cases) => conclude(&libtest_mimic::run(&arguments, trials(cases, new_subject))),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn conclude(conclusion: &Conclusion) -> ExitCode {
    if conclusion.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn trials(cases: Vec<Case>, new_subject: fn() -> Box<dyn Subject>) -> Vec<Trial> {
    let trial = |case: Case| {
        let name = case.name.clone();
        Trial::test(name, move || {
            let disagreements = with_subject(new_subject, |subject| check(&case, subject));
            match &disagreements[..] {
                [] => Ok(()),
                found => Err(Failed::from(found.iter().map(Disagreement::to_string).collect::<Vec<_>>().join("\n"))),
            }
        })
    };
    cases.into_iter().map(trial).collect()
}

thread_local! {
    static SUBJECT: RefCell<Option<Box<dyn Subject>>> = const { RefCell::new(None) };
}

fn with_subject<R>(new_subject: fn() -> Box<dyn Subject>, use_it: impl FnOnce(&mut dyn Subject) -> R) -> R {
    let mut subject = SUBJECT.take().unwrap_or_else(new_subject);
    let result = use_it(&mut *subject);
    SUBJECT.set(Some(subject));
    result
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
    fn disagreements_are_told_with_their_lines() {
        let text = "%% It.\n%%! f() ==> m:f()\n%%! g() ==> 1\n%%! h()\n-module(m).\n";
        let case = parse("m", Path::new("/m.erl"), text).unwrap();
        let found = check(&case, &mut Echo);
        assert_eq!(found.iter().map(|one| one.line).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(found[0].to_string(), "line 3: g()\n  expected: 1\n     found: m:g()");
        assert!(found[1].to_string().contains("make bless"));
    }
}
