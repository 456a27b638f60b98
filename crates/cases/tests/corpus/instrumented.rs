//! Code that tells what it does says what the committed expectations say: instrumentation changes nothing that a program can
//! see. Code that asks a conductor is a part of `executors.rs`.

use crate::{config, open_corpus};
use cases::{Case, Subject};
use erlang::print;
use frontend::CodeConfig;
use machine::Limits;
use path::{Outcome, TraceLimits};
use session::Session;
use std::sync::Arc;
use term::Atom;

const LIMITS: Limits = Limits { steps: 500_000_000, memory: 2 << 30, result: 10_000_000, eager_collection: false };

pub struct Instrumented {
    session: Session,
}

impl Instrumented {
    pub fn new() -> Instrumented {
        let code = open_corpus(CodeConfig { traced: Some(Vec::new()), ..config() });
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
