//! Code that tells what it does, or that asks a conductor, says what the committed expectations say: instrumentation
//! changes nothing that a program can see.

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
    traced: Session,
    conducted: Session,
}

impl Instrumented {
    fn new() -> Instrumented {
        let session = |traced: Option<Vec<Atom>>, is_conducted: bool| {
            let corpus = read_corpus(&corpus_root()).expect("the corpus was read before");
            let config = CodeConfig {
                sources: corpus.into_iter().map(|case| case.path).collect(),
                cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
                evaluation: Evaluation::Unguarded,
                traced,
                is_conducted,
                ..CodeConfig::default()
            };
            let code = beam::open(config).expect("the corpus is found");
            Session::new(code, LIMITS).expect("a session over the corpus")
        };
        let mut traced = session(Some(Vec::new()), false);
        // Everything is told, and nothing is kept.
        traced.machine.set_trace_limits(TraceLimits { only: Some(Arc::new(|_| false)), ..TraceLimits::default() });
        Instrumented { traced, conducted: session(None, true) }
    }
}

impl Subject for Instrumented {
    fn evaluate(&mut self, case: &Case, expression: &str) -> String {
        let traced = answer(&mut self.traced, case, expression);
        let conducted = answer(&mut self.conducted, case, expression);
        match traced == conducted {
            true => traced,
            false => format!("traced {traced}, and conducted {conducted}"),
        }
    }
}

fn answer(session: &mut Session, case: &Case, expression: &str) -> String {
    match session.evaluate(expression, Some(Atom::new(&case.module))) {
        Ok(Outcome::Value(value)) => print(&value),
        Ok(Outcome::Raised(raised)) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
        Ok(Outcome::Stopped(stop)) => format!("stopped: {}", report::stopped(&stop, &|name| name.to_string())),
        Err(error) => error.to_string(),
    }
}

fn main() -> ExitCode {
    run_trials(Gaps::Fail, || Box::new(Instrumented::new()))
}
