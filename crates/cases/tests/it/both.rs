//! Searches with both executors at once, over the cases with clients, strangers and processes: every run of a search is made by
//! our machine and by the real runtime, in the same order of processes. They do the same, or there is a reason with a name.

use beam::ERLANG;
use campaign::Until;
use cases::{Case, corpus_root, read_corpus};
use frontend::{Code, CodeConfig, Evaluation};
use interaction::MachineExecutor;
use machine::Limits;
use session::Session;
use solver::{Chain, Limit, SmtSettings};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, FunctionName};
use tracer::{Excuse, Ledger, Mode, Runtime, TracingExecutor};

const LIMITS: Limits = Limits { steps: 2_000_000, memory: 1 << 30, result: 1_000_000, eager_collection: false };
/// For one search, so that a computer that is busy finds no end too early.
const TIME: Duration = Duration::from_secs(300);
/// Runs of a search. What is compared is each run; more of them show little that is new.
const RUNS: u64 = 15;

/// Searches whose runs need not be the same, and why.
const EXCEPTIONS: &[(&str, &str)] =
    &[("processes/timers/times_out_of_reach", "the latest time that can be set depends on the age of the runtime")];

struct Both {
    code: Arc<dyn Code>,
    session: Session,
    same: u64,
    excused: BTreeMap<Excuse, u64>,
    wrong: Vec<String>,
}

impl Both {
    fn new(corpus: &[Case]) -> Both {
        let config = CodeConfig {
            sources: corpus.iter().map(|case| case.path.clone()).collect(),
            cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
            evaluation: Evaluation::Unguarded,
            has_events: true,
            is_conducted: true,
            // Generous, as a loaded computer takes its time.
            compile_time: Some(Duration::from_secs(300)),
            ..CodeConfig::default()
        };
        let code: Arc<dyn Code> = beam::open(config).expect("the corpus is found");
        let session = Session::new(Arc::clone(&code), LIMITS).expect("a session over the corpus");
        Both { code, session, same: 0, excused: BTreeMap::new(), wrong: Vec::new() }
    }

    fn search(&mut self, case: &Case, name: FunctionName) {
        let unit = match self.session.unit(name.module, name.function, name.arity) {
            Ok(unit) => unit,
            Err(error) => return self.wrong.push(format!("{}: {error}", case.name)),
        };
        let smt = SmtSettings { limit: Limit::about(500), ..SmtSettings::default() };
        let settings = campaign::settings(RUNS, LIMITS.steps);
        let mut ledger = Ledger::default();
        let runtime = Runtime {
            mode: Mode::Both,
            code: Arc::clone(&self.code),
            language: &ERLANG,
            setups: Vec::new(),
            ledger: &mut ledger,
        };
        let machine = MachineExecutor::new(&mut self.session.machine);
        let mut executor = TracingExecutor::new(machine, runtime);
        search::explore(&mut executor, &unit, &mut Chain::start(&smt), &settings, &mut Until::passed(TIME));
        drop(executor);
        self.same += ledger.same;
        for (excuse, count) in ledger.excused {
            *self.excused.entry(excuse).or_default() += count;
        }
        if let Some(first) = ledger.first {
            self.wrong.push(format!("{}, {} runs: {}: {}", case.name, ledger.differing, first.call, first.how));
        }
    }
}

/// Searches for all claims of cases whose names begin so.
fn compared(prefix: &str) -> Both {
    let corpus: Vec<Case> = read_corpus(&corpus_root()).expect("the corpus");
    let mut both = Both::new(&corpus);
    let is_meant = |case: &&Case| {
        case.name.starts_with(prefix) && !EXCEPTIONS.iter().any(|(exception, _)| case.name == *exception)
    };
    for case in corpus.iter().filter(is_meant) {
        for claim in &case.searches {
            let module = Atom::new(&case.module);
            let name = match &claim.function {
                Some((function, arity)) => FunctionName { module, function: Atom::new(function), arity: *arity },
                None => FunctionName::client_of(module),
            };
            both.search(case, name);
        }
    }
    eprintln!("{prefix}: {} runs are the same on both executors, excused: {:?}", both.same, both.excused);
    assert!(both.wrong.is_empty(), "{} searches differ:\n{}", both.wrong.len(), both.wrong.join("\n"));
    both
}

#[test]
fn clients_are_the_same_on_both_executors() {
    let both = compared("clients/");
    assert!(both.same > 500, "only {} runs could be compared", both.same);
}

#[test]
fn processes_are_the_same_on_both_executors() {
    let both = compared("processes/");
    assert!(both.same > 100, "only {} runs could be compared", both.same);
}
