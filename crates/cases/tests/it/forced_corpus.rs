//! The programs with processes among the cases, each in an order that our machine has chosen: the real BEAM follows it, and
//! comes to the same answer.

use cases::{Case, corpus_root, read_corpus};
use frontend::{Code, CodeConfig, Evaluation, Evaluations, Limits, Order, Outcome};
use session::Session;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, Term};

/// Cases whose processes do not do the same here and there, and why.
const EXCEPTIONS: &[(&str, &str)] =
    &[("processes/applications/", "our machine starts applications with code of its own")];

/// A seed for the order.
const SEED: u64 = 3;

#[test]
fn orders_of_the_corpus_are_followed() {
    let corpus: Vec<Case> = read_corpus(&corpus_root()).expect("the corpus");
    let is_meant = |case: &&Case| {
        let is_exception = EXCEPTIONS.iter().any(|(name, _)| case.name.starts_with(name));
        case.name.starts_with("processes/") && !is_exception
    };
    let config = CodeConfig {
        sources: corpus.iter().map(|case| case.path.clone()).collect(),
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
        evaluation: Evaluation::Unguarded,
        is_conducted: true,
        ..CodeConfig::default()
    };
    let code: Arc<dyn Code> = beam::open(config).expect("the corpus is found");
    let mut session = Session::new(Arc::clone(&code), machine::Limits::default()).expect("a session");
    let mut loaded = HashSet::new();
    let (mut followed, mut wrong) = (0, Vec::new());
    for case in corpus.iter().filter(is_meant) {
        for claim in case.claims.iter().filter(|claim| !claim.is_gap) {
            let Some(expression) = qualified(&claim.expression, &case.module) else { continue };
            session.machine.interleave(Some(SEED));
            let outcome = session.evaluate(&expression, None);
            let expected = match outcome {
                Ok(path::Outcome::Value(value)) => erlang::print(&value),
                Ok(path::Outcome::Raised(raised)) => {
                    format!("{} {}", raised.class.atom(), erlang::print(&raised.reason))
                }
                Ok(path::Outcome::Stopped(_)) | Err(_) => continue,
            };
            let turns = session.machine.recorder_mut().turns.schedule(Term::OWN_PID);
            for module in session.usage().all() {
                if loaded.insert(module) {
                    code.load_into_runtime(module).expect("the runtime takes the module");
                }
            }
            let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
            let how = Evaluations { limits, is_printed: false, is_fresh: false };
            let replay = code.replay(&expression, how, Duration::ZERO, Some(&turns)).expect("an answer");
            let answer = match &replay.watched.outcome {
                Outcome::Value { term, .. } => erlang::print(term),
                Outcome::Raised { class, reason, .. } => format!("{class} {}", erlang::print(reason)),
                other => format!("{other:?}"),
            };
            match replay.order == Some(Order::Followed) && answer == expected {
                true => followed += 1,
                false => {
                    wrong.push(format!("{} {expression}: {answer}, here {expected}, {:?}", case.name, replay.order))
                }
            }
        }
    }
    eprintln!("{followed} orders were followed");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), followed + wrong.len(), wrong.join("\n"));
    assert!(followed > 300, "only {followed} orders were tried");
}

/// A call of a function in the case, with its module. Other expressions are left out.
fn qualified(expression: &str, module: &str) -> Option<String> {
    let (name, _) = expression.split_once('(')?;
    let is_local = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit());
    let module = erlang::print(&Term::Atom(Atom::new(module)));
    is_local.then(|| format!("{module}:{expression}"))
}
