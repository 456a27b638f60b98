//! Our machine says what the committed expectations say.

use beagle::{EvaluateError, Session, SessionConfig};
use cases::{Case, Subject, corpus_root, read_corpus, run_trials};
use erlang::print;
use erlang::syntax::parse_term;
use formula::Variable;
use machine::value::copy_in;
use machine::{Limits, Outcome};
use std::path::PathBuf;
use std::process::ExitCode;
use term::Atom;

/// A case that goes astray ends with a named outcome, not with the patience of whoever waits.
const LIMITS: Limits = Limits { steps: 500_000_000, memory: 2 << 30, result: 10_000_000, eager_collection: false };

/// Evaluates each expression again with a collection at every chance: whatever a collection loses or
/// leaves behind changes the answer. Calls are also made with symbolic inputs pinned to their values.
struct Ours {
    usual: Session,
    collecting: Session,
}

impl Ours {
    fn new() -> Ours {
        let session = |limits| {
            let corpus = read_corpus(&corpus_root()).expect("the corpus was read before");
            let config = SessionConfig {
                sources: corpus.into_iter().map(|case| case.path).collect(),
                cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
                limits,
                ..SessionConfig::default()
            };
            Session::new(config).expect("a session over the corpus")
        };
        Ours { usual: session(LIMITS), collecting: session(Limits { eager_collection: true, ..LIMITS }) }
    }
}

impl Subject for Ours {
    fn evaluate(&mut self, case: &Case, expression: &str) -> String {
        let usual = answer(&mut self.usual, case, expression);
        let collecting = answer(&mut self.collecting, case, expression);
        let pinned = pinned_answer(&mut self.usual, case, expression);
        if usual != collecting {
            format!("{usual}, but when collecting often {collecting}")
        } else if let Some(pinned) = pinned.filter(|pinned| *pinned != usual) {
            format!("{usual}, but with symbolic inputs {pinned}")
        } else {
            usual
        }
    }
}

/// A call with constant arguments, once more with arguments that have these values and formulas of
/// their own. Nothing for other expressions.
fn pinned_answer(session: &mut Session, case: &Case, expression: &str) -> Option<String> {
    let (function, rest) = expression.split_once('(')?;
    let plain = function.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let args = parse_term(&format!("[{}]", rest.strip_suffix(')')?)).ok().filter(|_| plain)?;
    let args = args.as_list()?;
    let outcome = session.machine.run_with(Atom::new(&case.module), Atom::new(function), |context| {
        let shadowed = args.iter().enumerate().map(|(index, arg)| {
            let concrete = copy_in(&mut context.heap, arg);
            let formula = context.recorder.formulas.variable(Variable(index as u32));
            context.heap.symbolic(concrete, formula)
        });
        shadowed.collect()
    });
    Some(printed(Ok(outcome)))
}

fn answer(session: &mut Session, case: &Case, expression: &str) -> String {
    printed(session.evaluate(expression, Some(Atom::new(&case.module))))
}

fn printed(outcome: Result<Outcome, EvaluateError>) -> String {
    match outcome {
        Ok(Outcome::Value(value)) => print(&value),
        Ok(Outcome::Raised(raised)) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
        Ok(Outcome::Stopped(stop)) => format!("stopped: {stop}"),
        Err(error) => error.to_string(),
    }
}

fn main() -> ExitCode {
    run_trials(|| Box::new(Ours::new()))
}
