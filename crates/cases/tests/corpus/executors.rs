//! Both executors do the same with every claim: our machine, and the real runtime with instrumented code. They choose the
//! same clauses in the same order and end alike, or there is a reason with a name.

use crate::{config, open_corpus};
use cases::{Case, Subject};
use erlang::print;
use frontend::{Code, CodeConfig, CodeError, TracedCall};
use machine::Limits;
use path::Outcome;
use session::Session;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;
use term::{Atom, Term};
use tracer::{Compared, End, Events, Excuse, Ours, Words, compare, in_words};

const LIMITS: Limits = Limits { steps: 500_000_000, memory: 2 << 30, result: 10_000_000, eager_collection: false };

/// Generous, as a loaded computer takes its time.
const THERE: frontend::Limits = frontend::Limits { time: Duration::from_secs(60), heap_words: 64 << 20 };

/// What came of all claims: how many were the same, how many events that were, and how many were excused for which reason.
#[derive(Default)]
struct Tally {
    same: u64,
    events: u64,
    excused: BTreeMap<Excuse, Vec<String>>,
}

static TALLY: Mutex<Tally> = Mutex::new(Tally { same: 0, events: 0, excused: BTreeMap::new() });

pub struct Both {
    code: Arc<dyn Code>,
    session: Session,
    events: Events,
}

/// How often the runtime is asked before its order of processes counts as another one.
const ATTEMPTS: usize = 4;

/// All threads share it: the whole corpus is compiled with events once.
static CODE: LazyLock<Arc<dyn Code>> = LazyLock::new(|| {
    open_corpus(CodeConfig {
        has_events: true,
        is_conducted: true,
        // Generous, as a loaded computer takes its time.
        compile_time: Some(Duration::from_secs(300)),
        ..config()
    })
});

impl Both {
    pub fn new() -> Both {
        let code = Arc::clone(&CODE);
        let session = Session::new(Arc::clone(&code), LIMITS).expect("a session over the corpus");
        Both { code, session, events: Events::default() }
    }
}

impl Subject for Both {
    fn evaluate(&mut self, case: &Case, expression: &str) -> String {
        let home = Some(Atom::new(&case.module));
        let outcome = match self.session.evaluate(expression, home) {
            Ok(outcome) => outcome,
            Err(error) => return error.to_string(),
        };
        let recorder = std::mem::take(self.session.machine.recorder_mut());
        let ours = Ours {
            end: End::Outcome(&outcome),
            clauses: &recorder.clauses,
            has_processes: recorder.has_processes,
            shortest_wait: recorder.turns.shortest_wait,
            surroundings: &recorder.surroundings,
        };
        let call = TracedCall::Text { text: expression.to_string(), home };
        let order = recorder.has_processes.then(|| recorder.turns.schedule(Term::OWN_PID));
        let ask = || -> Result<_, CodeError> {
            let theirs = self.code.trace_in_order(&call, THERE, order.as_deref())?;
            let compared = compare(&*self.code, &ours, &theirs);
            Ok((theirs, compared))
        };
        // When a process ends, nobody can say which of those who monitor it are told first.
        let attempts = if recorder.has_processes { ATTEMPTS } else { 1 };
        let mut asked = ask();
        for _ in 1..attempts {
            if matches!(asked, Ok((_, Compared::Differs(_)))) {
                asked = ask();
            }
        }
        let (theirs, compared) = match asked {
            Ok(asked) => asked,
            Err(error) => return format!("the runtime could not be asked: {error}"),
        };
        let answer = match &outcome {
            Outcome::Value(value) => print(value),
            Outcome::Raised(raised) => format!("{} {}", raised.class.atom(), print(&raised.reason)),
            Outcome::Stopped(stop) => format!("stopped: {}", report::stopped(stop, &|name| name.to_string())),
        };
        let mut tally = TALLY.lock().unwrap_or_else(PoisonError::into_inner);
        match compared {
            Compared::Same => {
                tally.same += 1;
                tally.events += theirs.events.len() as u64;
                answer
            }
            Compared::Excused(excuse) => {
                let claim = format!("{}: {expression} is here {answer}, there {:?}", case.name, theirs.outcome);
                tally.excused.entry(excuse).or_default().push(claim);
                answer
            }
            Compared::Differs(difference) => {
                let source = self.code.load_for_runs(Atom::new(&case.module));
                source.ok().flatten().iter().for_each(|module| self.events.add(module));
                let there = format!("{:?}", theirs.outcome);
                let words = Words {
                    events: &self.events,
                    ours: &answer,
                    theirs: &there,
                    printer: &beam::ERLANG,
                    shown: &print,
                };
                format!("{answer}, but {}", in_words(&difference, &words))
            }
        }
    }
}

/// Prints how much of the corpus was the same on both executors, if any of it was run.
pub fn print_tally() {
    let tally = TALLY.lock().unwrap_or_else(PoisonError::into_inner);
    if tally.same > 0 {
        println!("{} claims with {} events were the same on both executors", tally.same, tally.events);
    }
    for (excuse, claims) in &tally.excused {
        println!("{} differ or were stopped, excused by {excuse:?}:", claims.len());
        claims.iter().for_each(|claim| println!("    {claim}"));
    }
}
