//! Our machine says what the committed expectations say.

mod pinned;

use crate::{config, open_corpus};
use cases::{Case, Subject};
use erlang::print;
use machine::Limits;
use path::Outcome;
use pinned::pinned_answers;
use session::{EvaluateError, Session};
use term::Atom;

/// A case that goes astray ends with a named outcome, not with the patience of whoever waits.
const LIMITS: Limits = Limits { steps: 500_000_000, memory: 2 << 30, result: 10_000_000, eager_collection: false };

/// Seeds of other orders in which processes take their turns.
const ORDERS: &[u64] = &[1, 2, 3, 4];

/// Evaluates each expression again with a collection at every chance: whatever a collection loses or
/// leaves behind changes the answer. Cases with processes are evaluated once more in other orders, as their answers
/// depend on none. Calls are also made with symbolic inputs pinned to their values.
pub struct Ours {
    usual: Session,
    collecting: Session,
}

impl Ours {
    pub fn new() -> Ours {
        let session = |limits| {
            let code = open_corpus(config());
            Session::new(code, limits).expect("a session over the corpus")
        };
        Ours { usual: session(LIMITS), collecting: session(Limits { eager_collection: true, ..LIMITS }) }
    }
}

impl Subject for Ours {
    fn evaluate(&mut self, case: &Case, expression: &str) -> String {
        let usual = answer(&mut self.usual, case, expression);
        let collecting = answer(&mut self.collecting, case, expression);
        if usual != collecting {
            return format!("{usual}, but when collecting often {collecting}");
        }
        for seed in if case.name.starts_with("processes/") { ORDERS } else { &[] } {
            self.usual.machine.interleave(Some(*seed));
            let interleaved = answer(&mut self.usual, case, expression);
            self.usual.machine.interleave(None);
            if usual != interleaved {
                return format!("{usual}, but in another order ({seed}) {interleaved}");
            }
        }
        let pinned = pinned_answers(&mut self.usual, case, expression, |outcome| printed(Ok(outcome)));
        match pinned.iter().enumerate().find(|(_, pinned)| **pinned != usual) {
            Some((0, pinned)) => format!("{usual}, but with symbolic inputs {pinned}"),
            Some((depth, pinned)) => format!("{usual}, but with inputs symbolic {depth} deep {pinned}"),
            None => usual,
        }
    }
}

fn answer(session: &mut Session, case: &Case, expression: &str) -> String {
    printed(session.evaluate(expression, Some(Atom::new(&case.module))))
}

fn printed(outcome: Result<Outcome, EvaluateError>) -> String {
    match outcome {
        Ok(Outcome::Value(value)) => print(&value),
        Ok(Outcome::Raised(raised)) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
        Ok(Outcome::Stopped(stop)) => format!("stopped: {}", report::stopped(&stop, &|name| name.to_string())),
        Err(error) => error.to_string(),
    }
}
