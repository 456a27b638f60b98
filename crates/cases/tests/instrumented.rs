//! Code that tells what it does says what the committed expectations say: instrumentation changes nothing that a program can
//! see. Code that asks a conductor is a part of `executors.rs`.

use cases::{Case, Gaps, Subject, corpus_root, read_corpus, run_trials};
use erlang::print;
use frontend::{CodeConfig, Evaluation};
use machine::Limits;
use path::{Outcome, TraceLimits};
use session::Session;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use term::Atom;

const LIMITS: Limits = Limits { steps: 500_000_000, memory: 2 << 30, result: 10_000_000, eager_collection: false };

struct Instrumented {
    session: Session,
}

impl Instrumented {
    fn new() -> Instrumented {
        let corpus = read_corpus(&corpus_root()).expect("the corpus was read before");
        let config = CodeConfig {
            sources: corpus.into_iter().map(|case| case.path).collect(),
            cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
            evaluation: Evaluation::Unguarded,
            traced: Some(Vec::new()),
            ..CodeConfig::default()
        };
        let code = beam::open(config).expect("the corpus is found");
        let mut session = Session::new(code, LIMITS).expect("a session over the corpus");
        // Everything is told, and nothing is kept.
        session.machine.set_trace_limits(TraceLimits { only: Some(Arc::new(|_| false)), ..TraceLimits::default() });
        Instrumented { session }
    }
}

impl Subject for Instrumented {
    fn evaluate(&mut self, case: &Case, expression: &str) -> String {
        match self.session.evaluate(expression, Some(Atom::new(&case.module))) {
            Ok(Outcome::Value(value)) => print(&value),
            Ok(Outcome::Raised(raised)) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
            Ok(Outcome::Stopped(stop)) => format!("stopped: {}", report::stopped(&stop, &|name| name.to_string())),
            Err(error) => error.to_string(),
        }
    }
}

fn main() -> ExitCode {
    run_trials(Gaps::Fail, || Box::new(Instrumented::new()))
}
